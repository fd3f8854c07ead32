/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer allocator: reuse, limits, an embedder's allocator, several threads. */
#include "runtime/memory.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/testing.h"

/* An embedder's allocator that counts and fails on demand. */
static int taken, given, fail_after = -1;
static void *take(void *user, size_t bytes, size_t alignment) {
  (void)user;
  if (fail_after >= 0 && taken >= fail_after) return NULL;
  ++taken;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
static void give(void *user, void *data, size_t bytes) {
  (void)user, (void)bytes;
  ++given;
  free(data);
}

static void *churn(void *argument) {
  hd_memory *memory = argument;
  void *data[16] = {0};
  size_t capacity[16];
  uint32_t rng = (uint32_t)(uintptr_t)&data | 1;
  for (int i = 0; i < 2000; ++i) {
    rng = rng * 1664525 + 1013904223;
    int k = rng >> 28;
    if (data[k]) {
      HD_CHECK(*(int *)data[k] == k);
      hd_memory_give(memory, data[k], capacity[k], NULL);
      data[k] = NULL;
    } else if (HD_CHECK_OK(
                   hd_memory_take(memory, (rng >> 8) % (i % 2 ? 100000 : 1000000) + 4, NULL, &data[k], &capacity[k]))) {
      *(int *)data[k] = k;
    }
  }
  for (int k = 0; k < 16; ++k) hd_memory_give(memory, data[k], capacity[k], NULL);
  return NULL;
}

int main(void) {
  hd_allocator allocator = {NULL, take, give};
  hd_driver_config config = {.allocator = &allocator};
  hd_driver *driver;
  hd_memory *memory;
  if (!HD_CHECK_OK(hd_driver_open("cpu", &config, &driver))) return HD_TEST_RESULT();
  HD_CHECK_OK(hd_memory_create(driver, 0, &memory));
  void *a, *b, *c;
  size_t ca, cb, cc;
  HD_CHECK_OK(hd_memory_take(memory, 1000, NULL, &a, &ca));
  HD_CHECK_OK(hd_memory_take(memory, 0, NULL, &b, &cb));
  HD_CHECK(a && b && a != b && ca >= 1000 && (uintptr_t)a % 64 == 0);
  hd_memory_give(memory, a, ca, NULL);
  /* The same and a slightly smaller request are served from what is kept, one of half the size is not. */
  HD_CHECK_OK(hd_memory_take(memory, 990, NULL, &c, &cc));
  HD_CHECK(c == a);
  HD_CHECK_INT(taken, 2);
  hd_memory_give(memory, c, cc, NULL);
  hd_memory_give(memory, b, cb, NULL);
  /* Best fit: the smallest block that is large enough. */
  HD_CHECK_OK(hd_memory_take(memory, 40 << 10, NULL, &a, &ca));
  HD_CHECK_OK(hd_memory_take(memory, 50 << 10, NULL, &b, &cb));
  hd_memory_give(memory, b, cb, NULL);
  hd_memory_give(memory, a, ca, NULL);
  HD_CHECK_OK(hd_memory_take(memory, 39 << 10, NULL, &c, &cc));
  HD_CHECK(c == a);
  hd_memory_give(memory, c, cc, NULL);
  hd_memory_stats stats = hd_memory_read(memory);
  HD_CHECK_INT(stats.bytes_live, 0);
  HD_CHECK(stats.bytes_pooled >= (90u << 10) && stats.bytes_peak >= (90u << 10));
  HD_CHECK_INT(stats.allocations, 6);
  HD_CHECK_INT(stats.system_allocations, taken);
  hd_memory_trim(memory);
  HD_CHECK_INT(hd_memory_read(memory).bytes_pooled, 0);
  HD_CHECK_INT(taken, given);
  /* What is kept is bounded over ever larger requests. */
  for (size_t mb = 1; mb <= 64; ++mb) {
    HD_CHECK_OK(hd_memory_take(memory, mb << 20, NULL, &a, &ca));
    hd_memory_give(memory, a, ca, NULL);
  }
  HD_CHECK(hd_memory_read(memory).bytes_pooled <= (64ull << 20) * 3 / 2 + (16 << 20));
  /* When the system has no more, what is kept goes first. */
  fail_after = taken;
  HD_CHECK_FAILS(hd_memory_take(memory, 100 << 20, NULL, &a, &ca), HD_RESOURCE_EXHAUSTED, "no memory for a buffer");
  HD_CHECK(!a && !ca);
  HD_CHECK_INT(hd_memory_read(memory).bytes_pooled, 0);
  fail_after = -1;
  hd_memory_free(memory);
  HD_CHECK_INT(taken, given);

  /* A block that is much larger is divided, and whole again when all of it is free. */
  HD_CHECK_OK(hd_memory_create(driver, 0, &memory));
  HD_CHECK_OK(hd_memory_take(memory, 1 << 20, NULL, &a, &ca));
  hd_memory_give(memory, a, ca, NULL);
  void *whole = a;
  HD_CHECK_OK(hd_memory_take(memory, 256 << 10, NULL, &a, &ca));
  HD_CHECK_OK(hd_memory_take(memory, 512 << 10, NULL, &b, &cb));
  HD_CHECK_OK(hd_memory_take(memory, 256 << 10, NULL, &c, &cc));
  HD_CHECK_INT(hd_memory_read(memory).system_allocations, 1);
  HD_CHECK_INT(hd_memory_read(memory).bytes_live, 1 << 20);
  HD_CHECK((char *)a + ca == (char *)b && (char *)b + cb == (char *)c);
  hd_memory_give(memory, b, cb, NULL);
  hd_memory_give(memory, a, ca, NULL);
  hd_memory_trim(memory); /* a part in use keeps the whole */
  HD_CHECK_INT(hd_memory_read(memory).bytes_pooled, 768 << 10);
  HD_CHECK_OK(hd_memory_take(memory, 768 << 10, NULL, &a, &ca));
  HD_CHECK(a == whole);
  hd_memory_give(memory, c, cc, NULL);
  hd_memory_give(memory, a, ca, NULL);
  HD_CHECK_OK(hd_memory_take(memory, 1 << 20, NULL, &a, &ca));
  HD_CHECK(a == whole);
  hd_memory_give(memory, a, ca, NULL);
  /* A part of less than a quarter would hold too much. */
  HD_CHECK_OK(hd_memory_take(memory, 128 << 10, NULL, &a, &ca));
  HD_CHECK(a != whole && ca < (160u << 10));
  hd_memory_give(memory, a, ca, NULL);
  hd_memory_free(memory);
  HD_CHECK_INT(taken, given);

  HD_CHECK_OK(hd_memory_create(driver, 1 << 20, &memory));
  HD_CHECK_OK(hd_memory_take(memory, 600 << 10, NULL, &a, &ca));
  HD_CHECK_FAILS(hd_memory_take(memory, 600 << 10, NULL, &b, &cb), HD_RESOURCE_EXHAUSTED,
                 "memory limit of 1048576 bytes");
  HD_CHECK_FAILS(hd_memory_take(memory, SIZE_MAX - 5, NULL, &b, &cb), HD_RESOURCE_EXHAUSTED, "no memory");
  hd_memory_give(memory, a, ca, NULL);
  HD_CHECK_OK(hd_memory_take(memory, 900 << 10, NULL, &b, &cb));
  hd_memory_give(memory, b, cb, NULL);
  hd_memory_free(memory);
  hd_driver_close(driver);

  config.allocator = NULL;
  HD_CHECK_OK(hd_driver_open("cpu", &config, &driver));
  HD_CHECK_OK(hd_memory_create(driver, 0, &memory));
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, churn, memory);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  HD_CHECK_INT(hd_memory_read(memory).bytes_live, 0);
  hd_memory_free(memory);
  hd_driver_close(driver);
  return HD_TEST_RESULT();
}
