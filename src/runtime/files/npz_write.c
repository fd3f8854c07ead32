/* SPDX-License-Identifier: Apache-2.0 */
/* Writing npz: stored entries, zip64 where sizes or offsets need it. The archive grows in a file beside |path| and
 * takes its name when it is whole. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/limits.h"
#include "heddle/tensor_file.h"
#include "runtime/files/tensor_file.h"

struct hd_npz_writer {
  FILE *out;
  char *path, *part;
  bool in_place;
  uint64_t offset, count;
  char *directory; /* the central directory so far */
  size_t directory_size, directory_cap;
};

static hd_status put(hd_npz_writer *writer, const void *data, size_t size) {
  if (size && fwrite(data, 1, size, writer->out) != size) return hd_file_error(writer->path, "write");
  writer->offset += size;
  return HD_STATUS_OK;
}

hd_status hd_npz_create(const char *path, hd_npz_writer **out_writer) {
  HD_REQUIRE(out_writer);
  *out_writer = NULL;
  HD_REQUIRE(path);
  hd_npz_writer *writer = calloc(1, sizeof *writer);
  size_t size = strlen(path) + 32;
  if (writer) {
    writer->path = strdup(path);
    writer->part = malloc(size);
  }
  if (!writer || !writer->path || !writer->part) {
    hd_npz_abandon(writer);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "%s: out of memory", path);
  }
  /* A file is replaced when it is whole; what is no regular file (a device, a pipe, a link) is written in place. */
  struct stat info;
  writer->in_place = lstat(path, &info) == 0 && !S_ISREG(info.st_mode);
  if (writer->in_place)
    memcpy(writer->part, path, strlen(path) + 1);
  else
    snprintf(writer->part, size, "%s.%ld.part", path, (long)getpid());
  writer->out = fopen(writer->part, "wb");
  if (!writer->out) {
    hd_status status = hd_file_error(path, "write");
    hd_npz_abandon(writer);
    return status;
  }
  *out_writer = writer;
  return HD_STATUS_OK;
}

void hd_npz_abandon(hd_npz_writer *writer) {
  if (!writer) return;
  if (writer->out) {
    fclose(writer->out);
    if (!writer->in_place) unlink(writer->part);
  }
  free(writer->path);
  free(writer->part);
  free(writer->directory);
  free(writer);
}

/* Little-endian fields, one after the other. */
typedef struct record {
  uint8_t bytes[128];
  size_t size;
} record;

static void field(record *r, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) r->bytes[r->size++] = (uint8_t)(value >> (8 * i));
}

static uint64_t cap32(uint64_t value) { return value < UINT32_MAX ? value : UINT32_MAX; }

static hd_status keep(hd_npz_writer *writer, const void *data, size_t size) {
  if (writer->directory_cap - writer->directory_size < size) {
    size_t cap = writer->directory_cap * 2 + size + 256;
    char *grown = realloc(writer->directory, cap);
    if (!grown) return hd_make_status(HD_RESOURCE_EXHAUSTED, "%s: out of memory", writer->path);
    writer->directory = grown;
    writer->directory_cap = cap;
  }
  memcpy(writer->directory + writer->directory_size, data, size);
  writer->directory_size += size;
  return HD_STATUS_OK;
}

static uint32_t checksum(uint32_t crc, const void *data, size_t size) {
  const uint8_t *at = data;
  uLong sum = crc;
  for (size_t part; size; at += part, size -= part) {
    part = size > 1u << 30 ? 1u << 30 : size;
    sum = crc32(sum, at, (uInt)part);
  }
  return (uint32_t)sum;
}

/* The npy header, padded so that elements start at a multiple of 64 of the archive. */
static size_t npy_header(char *out, size_t capacity, const char *descr, int32_t rank, const int64_t *dims,
                         uint64_t at) {
  char text[2048];
  int n = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
  for (int32_t i = 0; i < rank; ++i)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s%" PRId64 "%s", i ? " " : "", dims[i],
                  i + 1 < rank || rank == 1 ? "," : "");
  n += snprintf(text + n, sizeof text - (size_t)n, "), }");
  size_t size = 10 + (size_t)n + 1, pad = (64 - (at + size) % 64) % 64, length = size - 10 + pad;
  if (size + pad > capacity) return 0;
  memcpy(out, "\x93NUMPY\1\0", 8);
  out[8] = (char)(length & 255);
  out[9] = (char)(length >> 8);
  memcpy(out + 10, text, (size_t)n);
  memset(out + 10 + n, ' ', pad);
  out[10 + (size_t)n + pad] = '\n';
  return size + pad;
}

hd_status hd_npz_add(hd_npz_writer *writer, const char *name, hd_element_type type, int32_t rank, const int64_t *dims,
                     const void *data) {
  HD_REQUIRE(writer);
  HD_REQUIRE(name);
  if (rank > 0) HD_REQUIRE(dims);
  hd_npy_descr descr = hd_npy_descr_of(type);
  if (!*descr.text)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: array '%s': elements of type %s cannot be written", writer->path,
                          name, hd_element_text(type));
  size_t name_size = strlen(name) + 4;
  if (name_size > 4096 || rank < 0 || rank > HD_MAX_RANK)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: array '%.64s': the name is too long, or rank %d is not 0 to %d",
                          writer->path, name, rank, (int)HD_MAX_RANK);
  uint64_t bytes = hd_element_bytes(type);
  for (int32_t i = 0; i < rank; ++i)
    if (dims[i] < 0 || __builtin_mul_overflow(bytes, (uint64_t)dims[i], &bytes))
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: array '%s': dim %d is %lld", writer->path, name, i,
                            (long long)dims[i]);
  if (bytes) HD_REQUIRE(data);
  /* Every entry has a zip64 field, so that its length does not depend on the size. */
  uint64_t start = writer->offset, at = start + 30 + name_size + 20;
  char header[2304];
  size_t header_size = npy_header(header, sizeof header, descr.text, rank, dims, at);
  uint64_t full = header_size + bytes;
  uint32_t crc = checksum(checksum(0, header, header_size), data, bytes);

  record local = {.size = 0};
  field(&local, 0x04034b50, 4);
  field(&local, 45, 2);         /* version needed: zip64 */
  field(&local, 0x800, 2);      /* names are UTF-8 */
  field(&local, 0, 2);          /* stored */
  field(&local, 0x00210000, 4); /* 1980-01-01: equal data gives equal files */
  field(&local, crc, 4);
  field(&local, UINT32_MAX, 4);
  field(&local, UINT32_MAX, 4);
  field(&local, name_size, 2);
  field(&local, 20, 2);
  record zip64 = {.size = 0};
  field(&zip64, 1, 2);
  field(&zip64, 16, 2);
  field(&zip64, full, 8);
  field(&zip64, full, 8);
  HD_TRY(put(writer, local.bytes, local.size));
  HD_TRY(put(writer, name, name_size - 4));
  HD_TRY(put(writer, ".npy", 4));
  HD_TRY(put(writer, zip64.bytes, zip64.size));
  HD_TRY(put(writer, header, header_size));
  HD_TRY(put(writer, data, bytes));

  bool wide = full >= UINT32_MAX || start >= UINT32_MAX;
  record central = {.size = 0};
  field(&central, 0x02014b50, 4);
  field(&central, 0x032d, 2); /* made on Unix, zip 4.5 */
  field(&central, 45, 2);
  field(&central, 0x800, 2);
  field(&central, 0, 2);
  field(&central, 0x00210000, 4);
  field(&central, crc, 4);
  field(&central, wide ? UINT32_MAX : full, 4);
  field(&central, wide ? UINT32_MAX : full, 4);
  field(&central, name_size, 2);
  field(&central, wide ? 28 : 0, 2);
  field(&central, 0, 6); /* comment, disk, internal attributes */
  field(&central, 0600u << 16, 4);
  field(&central, wide ? UINT32_MAX : start, 4);
  HD_TRY(keep(writer, central.bytes, central.size));
  HD_TRY(keep(writer, name, name_size - 4));
  HD_TRY(keep(writer, ".npy", 4));
  if (wide) {
    record extra = {.size = 0};
    field(&extra, 1, 2);
    field(&extra, 24, 2);
    field(&extra, full, 8);
    field(&extra, full, 8);
    field(&extra, start, 8);
    HD_TRY(keep(writer, extra.bytes, extra.size));
  }
  ++writer->count;
  return HD_STATUS_OK;
}

static hd_status finish(hd_npz_writer *writer) {
  uint64_t start = writer->offset, size = writer->directory_size, end = start + size;
  HD_TRY(put(writer, writer->directory, writer->directory_size));
  record tail = {.size = 0};
  if (writer->count >= UINT16_MAX || end >= UINT32_MAX) {
    field(&tail, 0x06064b50, 4);
    field(&tail, 44, 8);
    field(&tail, 0x032d, 2);
    field(&tail, 45, 2);
    field(&tail, 0, 8); /* disks */
    field(&tail, writer->count, 8);
    field(&tail, writer->count, 8);
    field(&tail, size, 8);
    field(&tail, start, 8);
    field(&tail, 0x07064b50, 4);
    field(&tail, 0, 4);
    field(&tail, end, 8);
    field(&tail, 1, 4);
  }
  uint64_t count = writer->count < UINT16_MAX ? writer->count : UINT16_MAX;
  field(&tail, 0x06054b50, 4);
  field(&tail, 0, 4);
  field(&tail, count, 2);
  field(&tail, count, 2);
  field(&tail, cap32(size), 4);
  field(&tail, cap32(start), 4);
  field(&tail, 0, 2);
  HD_TRY(put(writer, tail.bytes, tail.size));
  int failed = fclose(writer->out);
  writer->out = NULL;
  if (failed || (!writer->in_place && rename(writer->part, writer->path))) {
    hd_status status = hd_file_error(writer->path, "write");
    if (!writer->in_place) unlink(writer->part);
    return status;
  }
  return HD_STATUS_OK;
}

hd_status hd_npz_close(hd_npz_writer *writer) {
  HD_REQUIRE(writer);
  hd_status status = finish(writer);
  hd_npz_abandon(writer);
  return status;
}
