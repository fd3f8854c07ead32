/* SPDX-License-Identifier: Apache-2.0 */
/* The npz format: a zip archive of npy files.
 *
 *   local header, name, extra, npy bytes (stored or deflate)   for each array
 *   central directory: one record per array
 *   [zip64 end record, zip64 locator]  end record, comment
 *
 * The central directory is what counts; of a local header only its length is used. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "runtime/files/tensor_file.h"

enum {
  END_SIZE = 22,
  LOCATOR_SIZE = 20,
  END64_SIZE = 56,
  CENTRAL_SIZE = 46,
  LOCAL_SIZE = 30,
  DEFLATE_RATIO = 1032, /* a byte of deflate stands for no more */
};
#define END_MAGIC 0x06054b50u
#define LOCATOR_MAGIC 0x07064b50u
#define END64_MAGIC 0x06064b50u
#define CENTRAL_MAGIC 0x02014b50u
#define LOCAL_MAGIC 0x04034b50u

#define BAD(what) hd_make_status(HD_DATA_LOSS, "%s: " what, file->name)

typedef struct directory {
  uint64_t count, offset, size;
} directory;

static hd_status find_directory(hd_tensor_file *file, directory *out) {
  const uint8_t *data = file->data;
  if (file->size < END_SIZE) return BAD("zip archive is cut off");
  size_t limit = file->size - END_SIZE > 65535 ? file->size - END_SIZE - 65535 : 0, at = file->size - END_SIZE;
  while (hd_load_le(data + at, 4) != END_MAGIC) {
    if (at == limit) return BAD("zip archive has no end record: it is cut off");
    --at;
  }
  *out = (directory){hd_load_le(data + at + 10, 2), hd_load_le(data + at + 16, 4), hd_load_le(data + at + 12, 4)};
  if (at >= LOCATOR_SIZE && hd_load_le(data + at - LOCATOR_SIZE, 4) == LOCATOR_MAGIC) {
    uint64_t end64 = hd_load_le(data + at - LOCATOR_SIZE + 8, 8);
    if (end64 > file->size || file->size - end64 < END64_SIZE || hd_load_le(data + end64, 4) != END64_MAGIC)
      return BAD("zip64 end record is damaged");
    *out = (directory){hd_load_le(data + end64 + 32, 8), hd_load_le(data + end64 + 48, 8),
                       hd_load_le(data + end64 + 40, 8)};
  }
  if (out->offset > file->size || out->size > file->size - out->offset) return BAD("zip directory is out of the file");
  return HD_STATUS_OK;
}

/* The zip64 extra field replaces, in this order, those of size, stored size and offset that are all ones. */
static bool read_zip64(const uint8_t *extra, size_t size, uint64_t *full, uint64_t *stored, uint64_t *offset) {
  uint64_t *fields[] = {full, stored, offset};
  while (size >= 4) {
    size_t id = hd_load_le(extra, 2), length = hd_load_le(extra + 2, 2);
    extra += 4;
    size -= 4;
    if (length > size) return false;
    if (id == 1) {
      for (int i = 0; i < 3; ++i)
        if (*fields[i] == UINT32_MAX) {
          if (length < 8) return false;
          *fields[i] = hd_load_le(extra, 8);
          extra += 8;
          length -= 8;
        }
      return true;
    }
    extra += length;
    size -= length;
  }
  return *full != UINT32_MAX && *stored != UINT32_MAX && *offset != UINT32_MAX;
}

/* Inflates up to |want| bytes of the start of an entry; the count that there were, 0 when damaged. */
static size_t inflate_start(const hd_file_entry *entry, uint8_t *out, size_t want) {
  z_stream stream = {.next_in = (Bytef *)entry->data,
                     .avail_in = entry->stored > 1u << 20 ? 1u << 20 : (uInt)entry->stored};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return 0;
  stream.next_out = out;
  stream.avail_out = (uInt)want;
  int code = inflate(&stream, Z_SYNC_FLUSH);
  inflateEnd(&stream);
  return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR ? want - stream.avail_out : 0;
}

/* Nearly every header fits the first try; a longer one says its length there. */
static hd_status parse_entry(hd_tensor_file *file, hd_str name, uint64_t full, hd_file_entry *entry) {
  if (!entry->deflated) return hd_npy_parse(file, name, entry->data, entry->stored, entry->stored, entry);
  if (full / DEFLATE_RATIO > entry->stored) return BAD("an array has more bytes than its compressed data can hold");
  uint8_t start[512];
  size_t got = inflate_start(entry, start, full < sizeof start ? full : sizeof start);
  size_t header = got >= 12 ? 12 + hd_load_le(start + 8, start[6] == 1 ? 2 : 4) : 0;
  if (header <= got || header > HD_NPY_HEADER_LIMIT) return hd_npy_parse(file, name, start, got, full, entry);
  uint8_t *all = hd_arena_alloc(&file->arena, header);
  got = inflate_start(entry, all, full < header ? full : header);
  return hd_npy_parse(file, name, all, got, full, entry);
}

hd_status hd_npz_read(hd_tensor_file *file) {
  directory dir = {0};
  HD_TRY(find_directory(file, &dir));
  const uint8_t *at = file->data + dir.offset, *end = at + dir.size;
  for (uint64_t i = 0; i < dir.count; ++i) {
    if (end - at < CENTRAL_SIZE || hd_load_le(at, 4) != CENTRAL_MAGIC) return BAD("zip directory is damaged");
    size_t flags = hd_load_le(at + 8, 2), method = hd_load_le(at + 10, 2);
    size_t name_size = hd_load_le(at + 28, 2), extra_size = hd_load_le(at + 30, 2),
           comment_size = hd_load_le(at + 32, 2);
    uint64_t stored = hd_load_le(at + 20, 4), full = hd_load_le(at + 24, 4), local = hd_load_le(at + 42, 4);
    hd_file_entry entry = {.has_crc = true, .crc = (uint32_t)hd_load_le(at + 16, 4), .deflated = method == 8};
    if ((size_t)(end - at) - CENTRAL_SIZE < name_size + extra_size + comment_size)
      return BAD("zip directory is damaged");
    hd_str name = {(const char *)at + CENTRAL_SIZE, name_size};
    if (!read_zip64(at + CENTRAL_SIZE + name_size, extra_size, &full, &stored, &local))
      return BAD("zip64 sizes are missing");
    at += CENTRAL_SIZE + name_size + extra_size + comment_size;
    if (name.len && name.data[name.len - 1] == '/') continue;
    if (flags & 1) return BAD("encrypted archives are not supported");
    if (method != 0 && method != 8)
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: '%.*s': expected stored or deflate, got zip method %zu",
                            file->name, (int)name.len, name.data, method);
    if (local > file->size || file->size - local < LOCAL_SIZE || hd_load_le(file->data + local, 4) != LOCAL_MAGIC)
      return BAD("zip directory points at no entry");
    uint64_t data =
        local + LOCAL_SIZE + hd_load_le(file->data + local + 26, 2) + hd_load_le(file->data + local + 28, 2);
    if (data > file->size || stored > file->size - data) return BAD("an entry is cut off");
    if (method == 0 && stored != full) return BAD("a stored entry has two sizes");
    entry.data = file->data + data;
    entry.stored = stored;
    if (name.len > 4 && !memcmp(name.data + name.len - 4, ".npy", 4)) name.len -= 4;
    if (memchr(name.data, 0, name.len)) return BAD("a name holds a zero byte");
    HD_TRY(parse_entry(file, name, full, &entry));
    HD_TRY(hd_tensor_file_add(file, name, &entry));
  }
  return HD_STATUS_OK;
}
