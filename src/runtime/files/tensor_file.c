/* SPDX-License-Identifier: Apache-2.0 */
/* Open tensor files: mapping, telling the kind, and giving elements as row-major little-endian bytes. */
#include "runtime/files/tensor_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/element_types.h"
#include "base/file.h"

static hd_status read_kind(void *argument) {
  hd_tensor_file *file = argument;
  if (file->size >= 6 && !memcmp(file->data, "\x93NUMPY", 6)) return hd_npy_read(file);
  if (file->size >= 4 && (!memcmp(file->data, "PK\3\4", 4) || !memcmp(file->data, "PK\5\6", 4)))
    return hd_npz_read(file);
  if (file->size >= 9 && file->data[8] == '{') return hd_safetensors_read(file);
  return hd_make_status(HD_DATA_LOSS, "%s: expected an npz, npy or safetensors file, got %zu bytes of another kind",
                        file->name, file->size);
}

static hd_status open_bytes(const void *data, size_t size, const char *name, bool mapped, hd_tensor_file **out_file) {
  hd_tensor_file *file = calloc(1, sizeof *file);
  char *copy = strdup(name);
  if (!file || !copy) {
    free(file);
    free(copy);
    if (mapped) munmap((void *)data, size);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "%s: out of memory", name);
  }
  *file = (hd_tensor_file){.name = copy, .data = data, .size = size, .mapped = mapped};
  hd_arena_init(&file->arena, NULL);
  hd_status status = hd_guarded_call(read_kind, file);
  if (!hd_is_ok(status)) {
    hd_tensor_file_close(file);
    return status;
  }
  *out_file = file;
  return HD_STATUS_OK;
}

hd_status hd_tensor_file_open_memory(const void *data, size_t size, const char *name, hd_tensor_file **out_file) {
  HD_REQUIRE(out_file);
  *out_file = NULL;
  if (size) HD_REQUIRE(data);
  if (!name) name = "memory";
  return open_bytes(data, size, name, false, out_file);
}

hd_status hd_tensor_file_open(const char *path, hd_tensor_file **out_file) {
  HD_REQUIRE(out_file);
  *out_file = NULL;
  HD_REQUIRE(path);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return hd_file_error(path, "read");
  struct stat info;
  if (fstat(fd, &info) || !S_ISREG(info.st_mode)) {
    close(fd);
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected a regular file", path);
  }
  if (!info.st_size) {
    close(fd);
    return hd_make_status(HD_DATA_LOSS, "%s: expected an npz, npy or safetensors file, got an empty one", path);
  }
  void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  hd_status status = data == MAP_FAILED ? hd_file_error(path, "map") : HD_STATUS_OK;
  close(fd);
  if (!hd_is_ok(status)) return status;
  return open_bytes(data, (size_t)info.st_size, path, true, out_file);
}

void hd_tensor_file_close(hd_tensor_file *file) {
  if (!file) return;
  if (file->mapped) munmap((void *)file->data, file->size);
  hd_arena_free(&file->arena);
  free((void *)file->name);
  free(file);
}

hd_status hd_tensor_file_add(hd_tensor_file *file, hd_str name, const hd_file_entry *entry) {
  bool is_new;
  hd_map_entry *slot = hd_map_insert_bytes(&file->arena, &file->by_name, name.data, name.len, &is_new);
  if (!is_new)
    return hd_make_status(HD_DATA_LOSS, "%s: two arrays are called '%.*s'", file->name, (int)name.len, name.data);
  hd_file_entry *kept = hd_new(&file->arena, hd_file_entry);
  *kept = *entry;
  kept->file = file;
  kept->tensor.name = hd_arena_copy(&file->arena, name.data, name.len);
  slot->value.ptr = kept;
  hd_vec_push(&file->arena, &file->entries, kept);
  return HD_STATUS_OK;
}

hd_status hd_file_set_dims(hd_tensor_file *file, hd_str name, const int64_t *dims, size_t rank,
                           hd_file_tensor *tensor) {
  size_t bytes = tensor->element_bytes;
  bool empty = false;
  for (size_t i = 0; i < rank; ++i) {
    if (dims[i] < 0) return hd_make_status(HD_DATA_LOSS, HD_ARRAY ": negative dim", HD_IN_ARRAY(file, name));
    empty |= !dims[i];
  }
  for (size_t i = 0; i < rank && !empty; ++i)
    if (__builtin_mul_overflow(bytes, (size_t)dims[i], &bytes) || bytes > (size_t)INT64_MAX)
      return hd_make_status(HD_DATA_LOSS, HD_ARRAY ": more bytes than memory can address", HD_IN_ARRAY(file, name));
  int64_t *copy = hd_new_array(&file->arena, int64_t, rank ? rank : 1);
  if (rank) memcpy(copy, dims, rank * sizeof *dims);
  tensor->rank = (int32_t)rank;
  tensor->dims = copy;
  tensor->bytes = empty ? 0 : bytes;
  return HD_STATUS_OK;
}

size_t hd_tensor_file_count(const hd_tensor_file *file) { return file ? file->entries.len : 0; }

const hd_file_tensor *hd_tensor_file_get(const hd_tensor_file *file, size_t index) {
  return file && index < file->entries.len ? &file->entries.data[index]->tensor : NULL;
}

const hd_file_tensor *hd_tensor_file_find(const hd_tensor_file *file, const char *name) {
  if (!file || !name) return NULL;
  hd_map_entry *slot = hd_map_find_bytes(&file->by_name, name, strlen(name));
  return slot ? &((hd_file_entry *)slot->value.ptr)->tensor : NULL;
}

bool hd_file_tensor_is(const hd_file_tensor *tensor, hd_element_type type) {
  if (!tensor) return false;
  if (tensor->type == type) return true;
  switch (type) {
    case HD_ELEMENT_SI8:
      return tensor->type == HD_ELEMENT_I8;
    case HD_ELEMENT_SI16:
      return tensor->type == HD_ELEMENT_I16;
    case HD_ELEMENT_SI32:
      return tensor->type == HD_ELEMENT_I32;
    case HD_ELEMENT_SI64:
      return tensor->type == HD_ELEMENT_I64;
    case HD_ELEMENT_I1:
    case HD_ELEMENT_I8:
    case HD_ELEMENT_I16:
    case HD_ELEMENT_UI8:
    case HD_ELEMENT_UI16:
    case HD_ELEMENT_F16:
    case HD_ELEMENT_TOKEN:
    case HD_ELEMENT_INVALID:
      return false;
    default:
      break; /* what numpy has no type for */
  }
  return tensor->type == HD_ELEMENT_INVALID && tensor->element_bytes == hd_element_bytes(type);
}

/* Fortran order to row major: |out| is walked in order, |in| by strides. */
static void reorder(const hd_file_tensor *tensor, const uint8_t *in, uint8_t *out) {
  int64_t index[HD_MAX_RANK] = {0};
  size_t stride[HD_MAX_RANK], step = tensor->element_bytes, at = 0;
  for (int32_t i = 0; i < tensor->rank; ++i) {
    stride[i] = step;
    step *= (size_t)tensor->dims[i];
  }
  for (size_t done = 0; done < tensor->bytes; done += tensor->element_bytes) {
    memcpy(out + done, in + at, tensor->element_bytes);
    for (int32_t i = tensor->rank - 1; i >= 0; --i) {
      at += stride[i];
      if (++index[i] < tensor->dims[i]) break;
      at -= stride[i] * (size_t)index[i];
      index[i] = 0;
    }
  }
}

static void swap_bytes(const hd_file_tensor *tensor, uint8_t *data) {
  size_t word = tensor->element_bytes;
  if (hd_element_part(tensor->type) != tensor->type) word /= 2;
  for (uint8_t *at = data, *end = data + tensor->bytes; word > 1 && at < end; at += word)
    for (size_t i = 0; i < word / 2; ++i) {
      uint8_t byte = at[i];
      at[i] = at[word - 1 - i];
      at[word - 1 - i] = byte;
    }
}

static hd_status bad_data(const hd_file_entry *entry, const char *what) {
  return hd_make_status(HD_DATA_LOSS, HD_ARRAY ": %s", HD_IN_ARRAY(entry->file, hd_str_of(entry->tensor.name)), what);
}

/* Inflates header and elements, the latter into |out|, and compares size and checksum. */
static hd_status inflate_into(const hd_file_entry *entry, uint8_t *out) {
  z_stream stream = {.next_in = (Bytef *)entry->data};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return bad_data(entry, "out of memory");
  uint8_t *header = malloc(entry->header + 1);
  if (!header) {
    inflateEnd(&stream);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "%s: out of memory", entry->file->name);
  }
  uint8_t extra;
  struct {
    uint8_t *at;
    size_t size;
  } parts[] = {{header, entry->header}, {out, entry->tensor.bytes}, {&extra, 1}};
  size_t left_in = entry->stored, got[3] = {0};
  uLong crc = crc32(0, NULL, 0);
  int code = Z_OK;
  for (int part = 0; part < 3 && code == Z_OK; ++part) {
    while (got[part] < parts[part].size && code == Z_OK) {
      if (!stream.avail_in) {
        stream.avail_in = left_in > 1u << 30 ? 1u << 30 : (uInt)left_in;
        left_in -= stream.avail_in;
      }
      size_t want = parts[part].size - got[part];
      uInt room = want > 1u << 30 ? 1u << 30 : (uInt)want;
      stream.next_out = parts[part].at + got[part];
      stream.avail_out = room;
      code = inflate(&stream, Z_NO_FLUSH);
      size_t made = room - stream.avail_out;
      crc = crc32(crc, parts[part].at + got[part], (uInt)made);
      got[part] += made;
      if (code == Z_BUF_ERROR && !made) break;
      if (code == Z_BUF_ERROR) code = Z_OK;
    }
  }
  inflateEnd(&stream);
  free(header);
  if (code != Z_STREAM_END || got[0] != entry->header || got[1] != entry->tensor.bytes || got[2])
    return bad_data(entry, "compressed data is damaged or has another size than its header says");
  if (entry->has_crc && (uint32_t)crc != entry->crc) return bad_data(entry, "checksum differs: the file is damaged");
  return HD_STATUS_OK;
}

static uint32_t checksum(const uint8_t *data, size_t size) {
  uLong crc = crc32(0, NULL, 0);
  while (size) {
    uInt part = size > 1u << 30 ? 1u << 30 : (uInt)size;
    crc = crc32(crc, data, part);
    data += part;
    size -= part;
  }
  return (uint32_t)crc;
}

hd_status hd_file_tensor_read(const hd_file_tensor *tensor, void *out) {
  HD_REQUIRE(tensor);
  if (tensor->bytes) HD_REQUIRE(out);
  const hd_file_entry *entry = (const hd_file_entry *)tensor;
  uint8_t *bytes = out, *scratch = NULL;
  if (tensor->fortran_order && tensor->rank > 1 && tensor->bytes) {
    scratch = malloc(tensor->bytes);
    if (!scratch)
      return hd_make_status(HD_RESOURCE_EXHAUSTED, HD_ARRAY ": out of memory",
                            HD_IN_ARRAY(entry->file, hd_str_of(tensor->name)));
    bytes = scratch;
  }
  hd_status status = HD_STATUS_OK;
  if (entry->deflated) {
    status = inflate_into(entry, bytes);
  } else if (entry->has_crc && checksum(entry->data, entry->stored) != entry->crc) {
    status = bad_data(entry, "checksum differs: the file is damaged");
  } else if (tensor->bytes) {
    memcpy(bytes, entry->data + entry->header, tensor->bytes);
  }
  if (hd_is_ok(status) && scratch) reorder(tensor, scratch, out);
  free(scratch);
  if (hd_is_ok(status) && tensor->big_endian) swap_bytes(tensor, out);
  return status;
}

const void *hd_file_tensor_map(const hd_file_tensor *tensor) {
  if (!tensor) return NULL;
  const hd_file_entry *entry = (const hd_file_entry *)tensor;
  const uint8_t *data = entry->data + entry->header;
  if (entry->deflated || (tensor->fortran_order && tensor->rank > 1) || tensor->big_endian) return NULL;
  if (tensor->element_bytes && (uintptr_t)data % tensor->element_bytes) return NULL;
  return data;
}
