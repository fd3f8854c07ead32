/* SPDX-License-Identifier: Apache-2.0 */
/* Open constants files, shared by the executables of a runtime. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/constants.h"
#include "runtime/map_file.h"

static void identify(const struct stat *info, uint64_t out[5]) {
  out[0] = (uint64_t)info->st_dev;
  out[1] = (uint64_t)info->st_ino;
  out[2] = (uint64_t)info->st_size;
  out[3] = (uint64_t)info->st_mtim.tv_sec * 1000000000u + (uint64_t)info->st_mtim.tv_nsec;
  out[4] = (uint64_t)info->st_ctim.tv_sec * 1000000000u + (uint64_t)info->st_ctim.tv_nsec;
}

static void destroy(hd_constants_file *file, hd_driver *driver) {
  for (uint32_t i = 0; driver && i < file->constants.count; ++i) hd_constant_unload(driver, &file->slots[i]);
  hd_arena_free(&file->arena);
  munmap(file->bytes, file->size);
  free(file);
}

static hd_status make_slots(void *argument) {
  hd_constants_file *file = argument;
  file->slots = hd_new_array(&file->arena, hd_constant_slot, file->constants.count + 1);
  for (uint32_t i = 0; i < file->constants.count; ++i) file->slots[i].constant = &file->constants.items[i];
  return HD_STATUS_OK;
}

/* Takes the mapping, also on failure. */
static hd_status make_file(const char *path, void *bytes, size_t size, const struct stat *info,
                           hd_constants_file **out) {
  hd_constants_file *file = calloc(1, sizeof *file);
  if (!file) {
    munmap(bytes, size);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  file->bytes = bytes;
  file->size = size;
  identify(info, file->identity);
  hd_arena_init(&file->arena, NULL);
  hd_status status = hd_constants_read(bytes, size, &file->arena, &file->constants);
  if (hd_is_ok(status)) status = hd_guarded_call(make_slots, file);
  if (!hd_is_ok(status)) {
    destroy(file, NULL);
    return hd_status_annotate(status, "%s", path);
  }
  *out = file;
  return HD_STATUS_OK;
}

static void lock_for_fork(void *user) {
  hd_constants_list *list = user;
  pthread_mutex_lock(&list->upload);
  pthread_mutex_lock(&list->lock);
}

static void unlock_after_fork(void *user) {
  hd_constants_list *list = user;
  pthread_mutex_unlock(&list->lock);
  pthread_mutex_unlock(&list->upload);
}

hd_status hd_constants_list_init(hd_constants_list *list) {
  pthread_mutex_init(&list->lock, NULL);
  pthread_mutex_init(&list->upload, NULL);
  list->guard = (hd_fork_guard){lock_for_fork, unlock_after_fork, unlock_after_fork, list, HD_FORK_OUTER, NULL, NULL};
  return hd_fork_guard_add(&list->guard); /* the driver copies under it */
}

void hd_constants_list_free(hd_constants_list *list) {
  hd_fork_guard_remove(&list->guard);
  pthread_mutex_destroy(&list->lock);
  pthread_mutex_destroy(&list->upload);
}

hd_status hd_constants_open(hd_constants_list *list, const char *path, hd_constants_file **out_file) {
  *out_file = NULL;
  void *bytes;
  size_t size;
  struct stat info;
  uint64_t identity[5];
  HD_TRY(hd_map_file(path, "a constants file", &bytes, &size, &info));
  identify(&info, identity);
  pthread_mutex_lock(&list->lock);
  hd_status status = HD_STATUS_OK;
  hd_constants_file *file = list->files;
  while (file && memcmp(file->identity, identity, sizeof identity)) file = file->next;
  if (file) {
    munmap(bytes, size);
  } else {
    status = make_file(path, bytes, size, &info, &file);
    if (hd_is_ok(status)) {
      file->next = list->files;
      list->files = file;
    }
  }
  if (hd_is_ok(status)) {
    ++file->references;
    *out_file = file;
  }
  pthread_mutex_unlock(&list->lock);
  return status;
}

void hd_constants_close(hd_constants_list *list, hd_driver *driver, hd_constants_file *file) {
  if (!file) return;
  pthread_mutex_lock(&list->lock);
  bool is_last = !--file->references;
  if (is_last) {
    hd_constants_file **link = &list->files;
    while (*link != file) link = &(*link)->next;
    *link = file->next;
  }
  pthread_mutex_unlock(&list->lock);
  if (is_last) destroy(file, driver);
}

static hd_status not_found(void *argument) {
  void **both = argument;
  const hd_constants_file *file = both[0];
  const hd_artifact_constant *wanted = both[1];
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  const char *name = hd_constant_name(&arena, wanted), *place = wanted->memory ? "device" : "host";
  hd_status status = HD_STATUS_OK;
  for (uint32_t i = 0; hd_is_ok(status) && i < file->constants.count; ++i) {
    const hd_artifact_constant *has = &file->constants.items[i];
    if (!hd_hash128_equal(&has->hash, &wanted->hash)) continue;
    if (strcmp(has->type, wanted->type))
      status = hd_make_status(HD_DATA_LOSS, "constant %s: the file has this content as %s", name, has->type);
    else if (has->memory != wanted->memory)
      status = hd_make_status(HD_DATA_LOSS, "constant %s of the %s: the file has it for the %s alone", name, place,
                              has->memory ? "device" : "host");
  }
  if (hd_is_ok(status))
    status = hd_make_status(HD_NOT_FOUND, "constant %s of the %s is not among the %u of the file", name, place,
                            file->constants.count);
  hd_arena_free(&arena);
  return status;
}

hd_status hd_constants_find(hd_constants_file *file, const hd_artifact_constant *wanted, hd_constant_slot **out_slot) {
  *out_slot = NULL;
  const hd_artifact_constant *found = hd_constants_search(&file->constants, wanted);
  if (!found) return hd_guarded_call(not_found, (void *[]){file, (void *)wanted});
  size_t at = (size_t)(found - file->constants.items);
  if (found->size != wanted->size)
    return hd_make_status(HD_DATA_LOSS, "constant %zu of the file has %llu bytes, expected %llu", at,
                          (unsigned long long)found->size, (unsigned long long)wanted->size);
  *out_slot = &file->slots[at];
  return HD_STATUS_OK;
}

hd_status hd_constant_check(hd_constant_slot *slot) {
  if (atomic_load_explicit(&slot->is_good, memory_order_acquire)) return HD_STATUS_OK;
  const hd_artifact_constant *c = slot->constant;
  hd_hash128 hash = hd_hash128_of(c->data, c->size);
  if (!hd_hash128_equal(&hash, &c->hash)) {
    char hex[33];
    hd_hash128_hex(&c->hash, hex);
    return hd_make_status(HD_DATA_LOSS, "constant %s_%s: its content has another hash", hex, c->type ? c->type : "");
  }
  atomic_store_explicit(&slot->is_good, true, memory_order_release);
  return HD_STATUS_OK;
}

static hd_status upload(hd_driver *driver, const hd_artifact_constant *c, void **out) {
  hd_stream *stream;
  HD_TRY(hd_driver_allocate(driver, c->size, out));
  hd_status status = hd_stream_create(driver, &stream);
  if (hd_is_ok(status)) {
    status = hd_stream_copy(driver, stream, *out, c->data, c->size);
    status = hd_status_join(status, hd_stream_wait(driver, stream));
    hd_stream_destroy(driver, stream);
  }
  if (hd_is_ok(status)) return status;
  hd_driver_release(driver, *out, c->size);
  *out = NULL;
  return status;
}

hd_status hd_constant_upload(hd_constants_list *list, hd_driver *driver, hd_constant_slot *slot, void **out_data) {
  *out_data = atomic_load_explicit(&slot->device, memory_order_acquire);
  if (*out_data) return HD_STATUS_OK;
  if (!(driver->vtable->caps & HD_DRIVER_IMAGES) && driver->vtable->caps & HD_DRIVER_HOST_MEMORY) {
    *out_data = (void *)slot->constant->data;
    return HD_STATUS_OK;
  }
  pthread_mutex_lock(&list->upload);
  *out_data = atomic_load_explicit(&slot->device, memory_order_relaxed);
  hd_status status = *out_data ? HD_STATUS_OK : upload(driver, slot->constant, out_data);
  if (hd_is_ok(status)) atomic_store_explicit(&slot->device, *out_data, memory_order_release);
  pthread_mutex_unlock(&list->upload);
  return status;
}

void hd_constant_unload(hd_driver *driver, hd_constant_slot *slot) {
  void *data = atomic_load_explicit(&slot->device, memory_order_relaxed);
  if (data) hd_driver_release(driver, data, slot->constant->size);
}
