/* SPDX-License-Identifier: Apache-2.0 */
/* Constants files: their bytes, sharing, uploading, and adding to them. */
#define _GNU_SOURCE
#include "runtime/constants.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fork_testing.h"

static char folder[] = "/tmp/heddle-constants-XXXXXX";
static char path[64];

static const float ramp[] = {0, 1, 2, 3}, other[] = {5, 6};

static hd_artifact_constant constant(const void *data, size_t size, const char *type, hd_constant_memory memory) {
  return (hd_artifact_constant){hd_hash128_of(data, size), data, size, type, memory};
}

enum { SAMPLES = 6 };
static void samples(hd_artifact_constant out[SAMPLES]) {
  out[0] = constant(ramp, sizeof ramp, "f32_4", HD_CONSTANT_DEVICE);
  out[1] = constant(ramp, sizeof ramp, "f32_4", HD_CONSTANT_HOST);
  out[2] = constant(ramp, sizeof ramp, "f32_2x2", HD_CONSTANT_HOST); /* the same bytes as another type */
  out[3] = constant(other, sizeof other, "i64", HD_CONSTANT_HOST);
  out[4] = constant(NULL, 0, "f32_0", HD_CONSTANT_HOST);
  out[5] = out[1]; /* twice */
}

/* An own copy, exactly as long, so that a sanitizer sees each byte read too much. */
static hd_status read_copy(const void *data, size_t size, hd_arena *arena, hd_constants *out, void **copy) {
  *copy = aligned_alloc(64, (size + 64) / 64 * 64);
  memcpy(*copy, data, size);
  return hd_constants_read(*copy, size, arena, out);
}

static void check_round_trip(const uint8_t *data, size_t size) {
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_constants c;
  void *copy, *again;
  size_t again_size;
  if (HD_CHECK_OK(read_copy(data, size, &arena, &c, &copy)) && HD_CHECK_INT(c.count, 5)) {
    const char *device = c.items[4].data, *host_end = copy;
    for (uint32_t i = 0; i < 5; ++i) {
      hd_constant_slot slot = {.constant = &c.items[i]};
      HD_CHECK_OK(hd_constant_check(&slot));
      HD_CHECK((uintptr_t)c.items[i].data % 64 == 0);
      HD_CHECK(!i || hd_constant_order(&c.items[i - 1], &c.items[i]) < 0);
      HD_CHECK_INT(c.items[i].memory, i == 4);
      const char *end = (const char *)c.items[i].data + c.items[i].size;
      if (i < 4 && end > host_end) host_end = end;
    }
    HD_CHECK(device >= host_end && (device - (const char *)copy) % 4096 == 0); /* host and device apart */
    int shared = 0;
    for (uint32_t i = 1; i < 4; ++i)
      shared += c.items[i].size && c.items[i - 1].size && c.items[i].data == c.items[i - 1].data;
    HD_CHECK_INT(shared, 1);
    HD_CHECK_OK(hd_constants_write(c.items, c.count, &again, &again_size));
    HD_CHECK(again_size == size && !memcmp(again, data, size));
    free(again);
  }
  free(copy);
  hd_arena_free(&arena);
}

/* Every cut and every changed byte is seen: when reading, or by the hash of the constant that it is in; or it is
 * padding. */
static void check_damage(const uint8_t *data, size_t size, size_t used) {
  uint8_t *changed = malloc(size);
  size_t unseen = 0;
  for (size_t i = 0; i < size; ++i) {
    hd_arena arena;
    hd_arena_init(&arena, NULL);
    hd_constants c;
    void *copy;
    memcpy(changed, data, size);
    changed[i] ^= (uint8_t)(1 + i % 255);
    hd_status status = read_copy(changed, size, &arena, &c, &copy);
    bool seen = !hd_is_ok(status);
    for (uint32_t k = 0; !seen && k < c.count; ++k) {
      hd_constant_slot slot = {.constant = &c.items[k]};
      hd_status bad = hd_constant_check(&slot);
      seen = !hd_is_ok(bad);
      hd_status_free(bad);
    }
    unseen += !seen;
    hd_status_free(status);
    free(copy);
    status = read_copy(data, i, &arena, &c, &copy);
    HD_CHECK(!hd_is_ok(status));
    hd_status_free(status);
    free(copy);
    hd_arena_free(&arena);
  }
  HD_CHECK_INT(unseen, size - used);
  free(changed);
}

/* ---- open files ---- */

static void write_file(const void *data, size_t size) {
  FILE *file = fopen(path, "w");
  HD_CHECK(fwrite(data, 1, size, file) == size);
  fclose(file);
}

static hd_driver_vtable table; /* the null driver's, whose memory the host cannot see */
static int allocations, copies;
static const hd_driver_vtable *real;
static hd_status count_allocate(hd_driver *driver, size_t bytes, void **out) {
  ++allocations;
  return real->allocate(driver, bytes, out);
}
static void count_release(hd_driver *driver, void *data, size_t bytes) {
  --allocations;
  real->release(driver, data, bytes);
}
static hd_status count_copy(hd_driver *driver, hd_stream *stream, void *to, const void *from, size_t bytes) {
  ++copies;
  return real->copy(driver, stream, to, from, bytes);
}

static void check_open(const hd_artifact_constant *all) {
  hd_constants_list list = {0};
  HD_CHECK_OK(hd_constants_list_init(&list));
  hd_constants_file *a, *b;
  hd_constant_slot *slot, *again;
  hd_driver_config config = {0};
  hd_driver *driver;
  HD_CHECK_OK(hd_driver_open("null", &config, &driver));
  real = driver->vtable;
  table = *real;
  table.caps &= ~(uint32_t)HD_DRIVER_HOST_MEMORY;
  table.allocate = count_allocate, table.release = count_release, table.copy = count_copy;
  driver->vtable = &table;
  if (!HD_CHECK_OK(hd_constants_open(&list, path, &a)) || !HD_CHECK_OK(hd_constants_open(&list, path, &b))) return;
  HD_CHECK(a == b); /* one mapping and one state for all executables of a runtime */
  for (int i = 0; i < SAMPLES; ++i)
    if (HD_CHECK_OK(hd_constants_find(a, &all[i], &slot)))
      HD_CHECK(!all[i].size || !memcmp(slot->constant->data, all[i].data, all[i].size));
  hd_artifact_constant wrong = all[3];
  wrong.type = "f64";
  HD_CHECK_FAILS(hd_constants_find(a, &wrong, &slot), HD_DATA_LOSS, "_f64: the file has this content as i64");
  wrong = all[3];
  wrong.memory = HD_CONSTANT_DEVICE;
  HD_CHECK_FAILS(hd_constants_find(a, &wrong, &slot), HD_DATA_LOSS, "the file has it for the host alone");
  wrong = all[3];
  wrong.size = 16;
  HD_CHECK_FAILS(hd_constants_find(a, &wrong, &slot), HD_DATA_LOSS, "has 8 bytes, expected 16");
  wrong = constant("?", 1, "i8", HD_CONSTANT_HOST);
  HD_CHECK_FAILS(hd_constants_find(a, &wrong, &slot), HD_NOT_FOUND, "_i8 of the host is not among the 5 of the file");

  HD_CHECK_OK(hd_constants_find(a, &all[0], &slot));
  HD_CHECK_OK(hd_constants_find(b, &all[0], &again));
  void *first, *second;
  HD_CHECK_OK(hd_constant_upload(&list, driver, slot, &first));
  HD_CHECK_OK(hd_constant_upload(&list, driver, again, &second));
  HD_CHECK(first && first == second && first != slot->constant->data && !memcmp(first, ramp, sizeof ramp));
  HD_CHECK_INT(copies, 1);
  hd_constants_close(&list, driver, a);
  HD_CHECK_INT(allocations, 1);
  hd_constants_close(&list, driver, b);
  HD_CHECK_INT(allocations, 0);
  HD_CHECK(!list.files);
  driver->vtable = real;
  hd_constant_slot host = {.constant = &all[0]};
  HD_CHECK_OK(hd_constant_upload(&list, driver, &host, &first)); /* the device's memory is the host's */
  HD_CHECK(first == (void *)ramp);
  hd_driver_close(driver);
  HD_CHECK_FAILS(hd_constants_open(&list, "/nowhere/x.hdc", &a), HD_NOT_FOUND,
                 "/nowhere/x.hdc: cannot read: No such file");
  hd_constants_list_free(&list);
}

/* A forked child opens and uploads whatever the parent's thread did with the locks at the fork. */
static hd_constants_list shared;
static hd_driver *device;

static bool use_list(void) {
  hd_constants_file *file;
  hd_constant_slot slot = {0};
  void *data;
  hd_artifact_constant ramp_of_device = constant(ramp, sizeof ramp, "f32_4", HD_CONSTANT_DEVICE);
  slot.constant = &ramp_of_device;
  if (!hd_is_ok(hd_constants_open(&shared, path, &file))) return false;
  bool good = hd_is_ok(hd_constant_upload(&shared, device, &slot, &data));
  if (good) hd_constant_unload(device, &slot);
  hd_constants_close(&shared, device, file);
  return good;
}

static void keep_using(void *unused) {
  (void)unused;
  use_list();
}

static bool child_uses(void *unused) {
  (void)unused;
  return use_list();
}

static void check_forks(void) {
  hd_driver_config config = {0};
  HD_CHECK_OK(hd_constants_list_init(&shared));
  HD_CHECK_OK(hd_driver_open("null", &config, &device));
  real = device->vtable;
  table = *real;
  table.caps &= ~(uint32_t)HD_DRIVER_HOST_MEMORY;
  device->vtable = &table;
  hd_test_forks(200, keep_using, child_uses, NULL);
  device->vtable = real;
  hd_driver_close(device);
  hd_constants_list_free(&shared);
}

/* ---- adding ---- */

static hd_status add(const hd_artifact_constant *constants, size_t count, hd_constants_stats *stats) {
  void *data;
  size_t size;
  hd_status status = hd_constants_write(constants, count, &data, &size);
  if (!hd_is_ok(status)) return status;
  status = hd_constants_update(path, data, size, stats);
  free(data);
  return status;
}

static void check_update(const hd_artifact_constant *all, const uint8_t *whole, size_t whole_size) {
  hd_constants_stats stats;
  struct stat before, after;
  unlink(path);
  HD_CHECK_OK(add(all, 2, &stats));
  HD_CHECK(stats.constants == 2 && stats.added == 2);
  HD_CHECK_OK(add(all + 1, 4, &stats));
  HD_CHECK(stats.constants == 5 && stats.added == 3 && stats.bytes == whole_size);
  /* The same set in another order of adding: the same bytes. Nothing new: the file stays. */
  stat(path, &before);
  HD_CHECK_OK(add(all, SAMPLES, &stats));
  HD_CHECK(stats.constants == 5 && !stats.added && stats.bytes == whole_size);
  stat(path, &after);
  HD_CHECK(before.st_ino == after.st_ino);
  HD_CHECK_INT(before.st_mode & 0777, 0644);
  uint8_t *bytes = malloc(whole_size + 1);
  FILE *file = fopen(path, "r");
  HD_CHECK(fread(bytes, 1, whole_size + 1, file) == whole_size && !memcmp(bytes, whole, whole_size));
  fclose(file);
  /* A damaged constant is made good by a program that has it. */
  bytes[whole_size - 1] ^= 1;
  write_file(bytes, whole_size);
  HD_CHECK_OK(add(all, 1, &stats));
  file = fopen(path, "r");
  HD_CHECK(fread(bytes, 1, whole_size + 1, file) == whole_size && !memcmp(bytes, whole, whole_size));
  fclose(file);
  /* What is no constants file is not overwritten; damaged data is not added. */
  HD_CHECK_FAILS(hd_constants_update(path, whole, whole_size - 1, &stats), HD_DATA_LOSS, "damaged constants file");
  bytes[whole_size - 1] ^= 1;
  HD_CHECK_FAILS(hd_constants_update(path, bytes, whole_size, &stats), HD_DATA_LOSS, "its content has another hash");
  write_file("precious", 8);
  HD_CHECK_FAILS(add(all, 1, &stats), HD_DATA_LOSS, "not a constants file");
  write_file("", 0);
  HD_CHECK_FAILS(add(all, 1, &stats), HD_DATA_LOSS, "empty file");
  HD_CHECK_FAILS(hd_constants_update("/nowhere/x.hdc", whole, whole_size, NULL), HD_NOT_FOUND, "cannot write");
  free(bytes);
}

/* Processes that add at the same time lose nothing. */
static void check_processes(void) {
  enum { PROCESSES = 6, EACH = 8 };
  unlink(path);
  for (int p = 0; p < PROCESSES; ++p) {
    if (fork()) continue;
    int failed = 0;
    for (int i = 0; i < EACH; ++i) {
      int64_t value = p * EACH + i;
      hd_artifact_constant one = constant(&value, sizeof value, "i64", HD_CONSTANT_HOST);
      hd_status status = add(&one, 1, NULL);
      failed |= !hd_is_ok(status);
      hd_status_free(status);
    }
    _exit(failed);
  }
  int code, failed = 0;
  while (wait(&code) > 0) failed |= code;
  HD_CHECK_INT(failed, 0);
  hd_constants_stats stats;
  int64_t value = 0;
  hd_artifact_constant one = constant(&value, sizeof value, "i64", HD_CONSTANT_HOST);
  HD_CHECK_OK(add(&one, 1, &stats));
  HD_CHECK(stats.constants == PROCESSES * EACH && !stats.added);
}

int main(void) {
  HD_CHECK(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/w.hdc", folder);
  hd_artifact_constant all[SAMPLES];
  samples(all);
  void *data, *none;
  size_t size, none_size;
  umask(022);
  if (!HD_CHECK_OK(hd_constants_write(all, SAMPLES, &data, &size))) return HD_TEST_RESULT();
  check_round_trip(data, size);
  size_t index = 4, bytes = sizeof ramp * 2 + sizeof other;
  for (int i = 0; i < 5; ++i) index += 16 + 4 + strlen(all[i].type) + 4 + 8 + 8;
  check_damage(data, size, 64 + index + bytes);
  if (HD_CHECK_OK(hd_constants_write(NULL, 0, &none, &none_size))) {
    hd_arena arena;
    hd_arena_init(&arena, NULL);
    hd_constants c;
    HD_CHECK_OK(hd_constants_read(none, none_size, &arena, &c));
    HD_CHECK_INT(c.count, 0);
    hd_arena_free(&arena);
    free(none);
  }
  write_file(data, size);
  check_open(all);
  check_forks();
  check_update(all, data, size);
  check_processes();
  free(data);
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  HD_CHECK_INT(system(command), 0);
  return HD_TEST_RESULT();
}
