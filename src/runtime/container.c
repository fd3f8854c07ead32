/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/container.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION_AT = 8, ABI_AT = 12, TOTAL_AT = 16, HASH_SIZE = 16 };

bool hd_container_is(const hd_container_format *format, const void *data, size_t size) {
  return data && size >= sizeof format->magic && !memcmp(data, format->magic, sizeof format->magic);
}

static void hash_header(const hd_container_format *format, const uint8_t *bytes, const void *fields, uint64_t length,
                        hd_hash128_state *state) {
  hd_hash128_init(state);
  hd_hash128_add(state, bytes, format->hash_at);
  hd_hash128_add(state, fields, length);
}

hd_status hd_container_begin(const hd_container_format *format, const void *fields, size_t length, uint64_t total,
                             uint8_t **out_bytes, hd_hash128_state *state) {
  uint8_t *bytes = *out_bytes = calloc(1, total);
  if (!bytes)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory for %s of %llu bytes", format->a_name,
                          (unsigned long long)total);
  memcpy(bytes, format->magic, sizeof format->magic);
  hd_bytes_set(bytes + VERSION_AT, 4, format->version);
  hd_bytes_set(bytes + ABI_AT, 4, format->abi);
  hd_bytes_set(bytes + TOTAL_AT, 8, total);
  if (format->start_at) hd_bytes_set(bytes + format->start_at, 8, HD_CONTAINER_HEADER);
  hd_bytes_set(bytes + format->length_at, 8, length);
  if (length) memcpy(bytes + HD_CONTAINER_HEADER, fields, length);
  hash_header(format, bytes, fields, length, state);
  return HD_STATUS_OK;
}

void hd_container_end(const hd_container_format *format, uint8_t *bytes, hd_hash128_state *state) {
  hd_hash128 hash = hd_hash128_finish(state);
  memcpy(bytes + format->hash_at, hash.bytes, HASH_SIZE);
}

static hd_status check_version(const hd_container_format *format, const uint8_t *bytes) {
  uint32_t version = (uint32_t)hd_bytes_get(bytes + VERSION_AT, 4), abi = (uint32_t)hd_bytes_get(bytes + ABI_AT, 4);
  if (version == format->version && (!format->abi || abi == format->abi)) return HD_STATUS_OK;
  if (!format->abi)
    return hd_make_status(HD_FAILED_PRECONDITION, "%s of format %u: this runtime reads format %u", format->name,
                          version, format->version);
  return hd_make_status(HD_FAILED_PRECONDITION, "%s of format %u, ABI %u: this runtime reads format %u, ABI %u",
                        format->name, version, abi, format->version, format->abi);
}

hd_status hd_container_open(const hd_container_format *format, const void *data, size_t size, hd_arena *arena,
                            hd_fields *out_fields, hd_hash128_state *state) {
  const uint8_t *bytes = data;
  if (!hd_container_is(format, data, size))
    return hd_make_status(HD_DATA_LOSS, "not %s: no %s magic", format->a_name, format->suffix);
  if (size < HD_CONTAINER_HEADER)
    return hd_make_status(HD_DATA_LOSS, "damaged %s: %zu bytes, shorter than its header", format->name, size);
  HD_TRY(check_version(format, bytes));
  uint64_t total = hd_bytes_get(bytes + TOTAL_AT, 8), length = hd_bytes_get(bytes + format->length_at, 8);
  uint64_t start = format->start_at ? hd_bytes_get(bytes + format->start_at, 8) : HD_CONTAINER_HEADER;
  if (total != size)
    return hd_make_status(HD_DATA_LOSS, "damaged %s: %zu bytes, expected %llu", format->name, size,
                          (unsigned long long)total);
  if (start != HD_CONTAINER_HEADER || length > total - start)
    return hd_make_status(HD_DATA_LOSS, "damaged %s: %s out of range", format->name, format->fields);
  const uint8_t *at = bytes + start;
  *out_fields =
      (hd_fields){.reading = true, .arena = arena, .at = at, .end = at + length, .file = bytes, .file_size = total};
  hash_header(format, bytes, at, length, state);
  return HD_STATUS_OK;
}

hd_status hd_container_check_fields(const hd_container_format *format, const hd_fields *fields) {
  if (!fields->damaged && fields->at == fields->end) return HD_STATUS_OK;
  return hd_make_status(HD_DATA_LOSS, "damaged %s: %s ends too early or late", format->name, format->fields);
}

bool hd_container_check_hash(const hd_container_format *format, const void *data, hd_hash128_state *state,
                             hd_hash128 *out_hash) {
  *out_hash = hd_hash128_finish(state);
  return !memcmp(out_hash->bytes, (const uint8_t *)data + format->hash_at, HASH_SIZE);
}
