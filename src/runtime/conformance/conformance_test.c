/* SPDX-License-Identifier: Apache-2.0 */
/* What every driver must do, run against each row of drivers.def. What a driver says it cannot do it must refuse with
 * UNIMPLEMENTED; such cases count as checked, and the missing capability is printed. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/testing.h"
#include "runtime/driver.h"

static void check_memory(hd_driver *driver) {
  static const size_t sizes[] = {0, 1, 63, 64, 65, 4096, 1 << 20, (4 << 20) + 3, 9 << 20};
  enum { COUNT = sizeof sizes / sizeof *sizes };
  void *blocks[COUNT];
  for (size_t i = 0; i < COUNT; ++i) {
    if (!HD_CHECK_OK(hd_driver_allocate(driver, sizes[i], &blocks[i]))) return;
    HD_CHECK(blocks[i] && (uintptr_t)blocks[i] % 64 == 0);
    for (size_t k = 0; k < i; ++k) HD_CHECK(blocks[k] != blocks[i]);
    HD_CHECK_OK(hd_stream_fill(driver, NULL, blocks[i], (uint8_t)i, sizes[i]));
  }
  HD_CHECK_OK(hd_stream_wait(driver, NULL));
  for (size_t i = 0; i < COUNT; ++i) {
    const char *middle = (const char *)blocks[i] + sizes[i] / 2;
    HD_CHECK(hd_driver_owns(driver, blocks[i]) == !(driver->vtable->caps & HD_DRIVER_HOST_MEMORY));
    HD_CHECK(!sizes[i] || hd_driver_owns(driver, middle) == hd_driver_owns(driver, blocks[i]));
  }
  HD_CHECK(!hd_driver_owns(driver, &driver) && !hd_driver_owns(driver, NULL));
  for (size_t i = 0; i < COUNT && driver->vtable->caps & HD_DRIVER_HOST_MEMORY; ++i) {
    const uint8_t *bytes = blocks[i];
    HD_CHECK(!sizes[i] || (bytes[0] == i && bytes[sizes[i] - 1] == i));
  }
  for (size_t i = 0; i < COUNT; ++i) hd_driver_release(driver, blocks[i], sizes[i]);
  hd_driver_release(driver, NULL, 10);
  void *data = &data;
  HD_CHECK_FAILS(hd_driver_allocate(driver, SIZE_MAX - 100, &data), HD_RESOURCE_EXHAUSTED, "no memory");
  HD_CHECK(!data);
}

/* Memory of the host that copies like: it stays as it is until the wait. */
static void check_host_memory(hd_driver *driver) {
  enum { N = 100000 };
  uint8_t *from, *to, wrong = 0;
  void *middle;
  HD_CHECK_OK(hd_driver_allocate_host(driver, 0, (void **)&from));
  HD_CHECK(from && !hd_driver_owns(driver, from));
  hd_driver_release_host(driver, from, 0);
  hd_driver_release_host(driver, NULL, 10);
  if (!HD_CHECK_OK(hd_driver_allocate_host(driver, N, (void **)&from))) return;
  if (!HD_CHECK_OK(hd_driver_allocate_host(driver, N, (void **)&to))) return;
  if (!HD_CHECK_OK(hd_driver_allocate(driver, N, &middle))) return;
  for (int i = 0; i < N; ++i) from[i] = (uint8_t)(i * 7);
  HD_CHECK_OK(hd_stream_copy(driver, NULL, middle, from, N));
  HD_CHECK_OK(hd_stream_copy(driver, NULL, to, middle, N));
  HD_CHECK_OK(hd_stream_wait(driver, NULL));
  for (int i = 0; i < N; ++i) wrong |= to[i] ^ (uint8_t)(i * 7);
  HD_CHECK(!wrong);
  hd_driver_release(driver, middle, N);
  hd_driver_release_host(driver, from, N);
  hd_driver_release_host(driver, to, N);
  void *data = &data;
  HD_CHECK_FAILS(hd_driver_allocate_host(driver, SIZE_MAX - 100, &data), HD_RESOURCE_EXHAUSTED, "no host memory");
  HD_CHECK(!data);
}

static void check_copies(hd_driver *driver) {
  hd_stream *stream;
  if (!HD_CHECK_OK(hd_stream_create(driver, &stream))) return;
  static const size_t sizes[] = {0, 1, 100, 65536, 3 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    uint8_t *from = malloc(sizes[i] + 1), *to = calloc(1, sizes[i] + 1);
    void *middle;
    for (size_t k = 0; k < sizes[i]; ++k) from[k] = (uint8_t)(k * 31 + k / 256);
    HD_CHECK_OK(hd_driver_allocate(driver, sizes[i], &middle));
    HD_CHECK_OK(hd_stream_copy(driver, stream, middle, from, sizes[i]));
    HD_CHECK_OK(hd_stream_copy(driver, stream, to, middle, sizes[i]));
    HD_CHECK_OK(hd_stream_wait(driver, stream));
    HD_CHECK(!memcmp(from, to, sizes[i]) && !to[sizes[i]]);
    hd_driver_release(driver, middle, sizes[i]);
    free(from);
    free(to);
  }
  hd_stream_destroy(driver, stream);
  hd_stream_destroy(driver, NULL);
}

static void check_events(hd_driver *driver) {
  hd_stream *a, *b;
  hd_device_event *event;
  if (!HD_CHECK_OK(hd_stream_create(driver, &a)) || !HD_CHECK_OK(hd_stream_create(driver, &b))) return;
  HD_CHECK(a != b);
  if (!HD_CHECK_OK(hd_device_event_create(driver, &event))) return;
  HD_CHECK(hd_device_event_is_done(driver, event));
  HD_CHECK_OK(hd_device_event_wait(driver, event));
  uint8_t from[1000], to[1000];
  memset(from, 5, sizeof from);
  void *middle;
  HD_CHECK_OK(hd_driver_allocate(driver, sizeof from, &middle));
  HD_CHECK_OK(hd_stream_copy(driver, a, middle, from, sizeof from));
  HD_CHECK_OK(hd_device_event_record(driver, event, a));
  HD_CHECK_OK(hd_stream_wait_event(driver, b, event));
  HD_CHECK_OK(hd_stream_copy(driver, b, to, middle, sizeof to));
  HD_CHECK_OK(hd_stream_wait(driver, b));
  HD_CHECK(!memcmp(from, to, sizeof to));
  HD_CHECK_OK(hd_device_event_wait(driver, event));
  HD_CHECK(hd_device_event_is_done(driver, event));
  hd_driver_release(driver, middle, sizeof from);
  hd_device_event_destroy(driver, event);
  hd_device_event_destroy(driver, NULL);
  hd_stream_destroy(driver, a);
  hd_stream_destroy(driver, b);
}

/* words: input, output, count of words, scale */
static void scale(const uint64_t *words, int64_t begin, int64_t end) {
  const float *in = (const float *)(uintptr_t)words[0];
  float *out = (float *)(uintptr_t)words[1];
  for (int64_t i = begin; i < end; ++i) out[i] = in[i] * (float)words[2];
}

static void check_launch(hd_driver *driver, bool serial) {
  enum { N = 100000 };
  void *in, *out;
  HD_CHECK_OK(hd_driver_allocate(driver, N * sizeof(float), &in));
  HD_CHECK_OK(hd_driver_allocate(driver, N * sizeof(float), &out));
  float *host = malloc(N * sizeof(float));
  for (int i = 0; i < N; ++i) host[i] = (float)i;
  HD_CHECK_OK(hd_stream_copy(driver, NULL, in, host, N * sizeof(float)));
  uint64_t words[] = {(uintptr_t)in, (uintptr_t)out, 3};
  hd_launch launch = {.kernel = scale, .words = words, .word_count = 3, .extent = N, .grain = 1000, .serial = serial};
  if (driver->vtable->caps & HD_DRIVER_RUNS) {
    HD_CHECK_OK(hd_stream_launch(driver, NULL, &launch));
    words[2] = 0; /* the words belong to the caller again */
    HD_CHECK_OK(hd_stream_copy(driver, NULL, host, out, N * sizeof(float)));
    HD_CHECK_OK(hd_stream_wait(driver, NULL));
    int wrong = 0;
    for (int i = 0; i < N; ++i) wrong += host[i] != (float)i * 3;
    HD_CHECK_INT(wrong, 0);
  } else {
    HD_CHECK_FAILS(hd_stream_launch(driver, NULL, &launch), HD_UNIMPLEMENTED, driver->vtable->name);
    HD_CHECK_OK(hd_stream_wait(driver, NULL));
  }
  launch.extent = 0;
  HD_CHECK_OK(hd_stream_launch(driver, NULL, &launch));
  launch.extent = -1;
  HD_CHECK_FAILS(hd_stream_launch(driver, NULL, &launch), HD_INVALID_ARGUMENT, "launch over -1 items");
  launch.extent = 1;
  launch.grain = 0;
  HD_CHECK_FAILS(hd_stream_launch(driver, NULL, &launch), HD_INVALID_ARGUMENT, "by 0");
  hd_driver_release(driver, in, N * sizeof(float));
  hd_driver_release(driver, out, N * sizeof(float));
  free(host);
}

/* Images are any driver's own: what is none is refused, and limits hold before the driver is asked. */
static void check_images(hd_driver *driver) {
  hd_device_image *image = (hd_device_image *)&image;
  bool loads = driver->vtable->caps & HD_DRIVER_IMAGES;
  hd_status status = hd_device_image_load(driver, "no image", 8, &image);
  if (loads) {
    HD_CHECK(!hd_is_ok(status));
    hd_status_free(status);
  } else {
    HD_CHECK_FAILS(status, HD_UNIMPLEMENTED, "loads no device images");
  }
  HD_CHECK(!image);
  hd_device_image_unload(driver, NULL);
  if (!loads) return;
  hd_device_info info = hd_driver_info(driver);
  HD_CHECK(*info.name && info.subgroup && info.block_limit >= 256 && info.shared_limit >= 16 << 10);
  hd_grid_launch launch = {.grid = {1, 1, 1}, .block = {info.block_limit, 2, 1}};
  HD_CHECK_FAILS(hd_stream_launch_grid(driver, NULL, &launch), HD_INVALID_ARGUMENT, "x2x1 threads, expected at most");
  launch.block[0] = 0;
  HD_CHECK_FAILS(hd_stream_launch_grid(driver, NULL, &launch), HD_INVALID_ARGUMENT, "a block without threads");
  launch = (hd_grid_launch){.grid = {1, 1, UINT32_MAX}, .block = {1, 1, 1}};
  HD_CHECK_FAILS(hd_stream_launch_grid(driver, NULL, &launch), HD_INVALID_ARGUMENT, "4294967295 blocks along z");
  launch.grid[2] = 0;
  HD_CHECK_OK(hd_stream_launch_grid(driver, NULL, &launch));
}

static void *from_thread(void *driver) {
  for (int i = 0; i < 20; ++i) {
    check_copies(driver);
    check_launch(driver, i % 2);
  }
  return NULL;
}

int main(void) {
  hd_pool *pool;
  HD_CHECK_OK(hd_pool_create(3, NULL, &pool));
  hd_driver_config config = {.pool = pool};
  hd_driver *driver;
  for (const char *const *name = hd_driver_names(); *name; ++name) {
    hd_status opened = hd_driver_open(*name, &config, &driver);
    if (hd_status_code_of(opened) == HD_UNAVAILABLE) { /* no device here: said, not passed */
      printf("driver %s: skipped: %s\n", *name, hd_status_message(opened));
      HD_CHECK(!driver);
      hd_status_free(opened);
      continue;
    }
    if (!HD_CHECK_OK(opened)) continue;
    HD_CHECK_STR(driver->vtable->name, *name);
    check_memory(driver);
    check_host_memory(driver);
    check_copies(driver);
    check_events(driver);
    check_launch(driver, false);
    check_launch(driver, true);
    check_images(driver);
    pthread_t threads[4];
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, from_thread, driver);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
    uint32_t caps = driver->vtable->caps;
    printf("driver %s:%s%s%s%s\n", *name, caps & HD_DRIVER_RUNS ? "" : " runs no functions",
           caps & HD_DRIVER_IMAGES ? " loads images" : "", caps & HD_DRIVER_QUEUES ? " has queues" : "",
           caps & HD_DRIVER_HOST_MEMORY ? "" : " has memory of its own");
    hd_driver_close(driver);
  }
  HD_CHECK_FAILS(hd_driver_open("abacus", &config, &driver), HD_NOT_FOUND,
                 "no driver 'abacus'; there are: cpu simt cuda opencl guarded null");
  hd_driver_close(NULL);
  hd_pool_free(pool);
  return HD_TEST_RESULT();
}
