/* SPDX-License-Identifier: Apache-2.0 */
/* The few fields of a framework's compile options that mean something here, read from their protocol buffer form:
 * CompileOptionsProto { ExecutableBuildOptionsProto executable_build_options = 3 { int64 device_ordinal = 1,
 * num_replicas = 4, num_partitions = 5; DeviceAssignmentProto device_assignment = 9 { int32 replica_count = 1,
 * computation_count = 2; repeated ComputationDevice computation_devices = 3 { repeated int64 replica_device_ids = 1 }
 * } } }. Unknown fields are skipped, as the encoding intends. */
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

typedef struct reader {
  const uint8_t *at, *end;
} reader;

static bool read_varint(reader *r, uint64_t *out) {
  *out = 0;
  for (unsigned shift = 0; r->at < r->end && shift < 70; shift += 7) {
    uint8_t byte = *r->at++;
    if (shift < 64) *out |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return true;
  }
  return false;
}

typedef struct field {
  uint64_t number;
  unsigned wire;
  uint64_t value; /* of a varint */
  reader bytes;   /* of a length-delimited field */
} field;

/* The next field; false at the end, and with |*bad| when the bytes are no message. */
static bool next_field(reader *r, field *out, bool *bad) {
  if (r->at == r->end) return false;
  uint64_t key, size = 0;
  *bad = true;
  if (!read_varint(r, &key)) return false;
  *out = (field){.number = key >> 3, .wire = key & 7};
  if (out->wire == 0) {
    if (!read_varint(r, &out->value)) return false;
  } else {
    if (out->wire == 2) {
      if (!read_varint(r, &size)) return false;
    } else if (out->wire == 1) {
      size = 8;
    } else if (out->wire == 5) {
      size = 4;
    } else {
      return false;
    }
    if (size > (uint64_t)(r->end - r->at)) return false;
    out->bytes = (reader){r->at, r->at + size};
    r->at += size;
  }
  *bad = false;
  return true;
}

typedef struct ids {
  int64_t *data;
  size_t count, capacity;
} ids;

static bool push_id(ids *list, int64_t id) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 8;
    int64_t *grown = realloc(list->data, capacity * sizeof *grown);
    if (!grown) return false;
    list->data = grown;
    list->capacity = capacity;
  }
  list->data[list->count++] = id;
  return true;
}

/* Ids in the order of computations, each with its replicas. */
static bool read_assignment(reader r, ids *list, bool *bad) {
  field f, g;
  while (next_field(&r, &f, bad)) {
    if (f.number != 3 || f.wire != 2) continue;
    reader devices = f.bytes;
    while (next_field(&devices, &g, bad)) {
      if (g.number != 1) continue;
      uint64_t id;
      if (g.wire == 0 && !push_id(list, (int64_t)g.value)) return false;
      while (g.wire == 2 && g.bytes.at < g.bytes.end) {
        if (!read_varint(&g.bytes, &id)) *bad = true;
        if (*bad || !push_id(list, (int64_t)id)) return !*bad;
      }
    }
  }
  return true;
}

static bool read_build_options(reader r, hd_pjrt_options *out, ids *list, bool *bad) {
  field f;
  while (next_field(&r, &f, bad)) {
    if (f.number == 1 && f.wire == 0) out->device_ordinal = (int64_t)f.value;
    if (f.number == 4 && f.wire == 0) out->replicas = (int64_t)f.value;
    if (f.number == 5 && f.wire == 0) out->partitions = (int64_t)f.value;
    if (f.number == 9 && f.wire == 2 && !read_assignment(f.bytes, list, bad)) return false;
  }
  return true;
}

hd_status hd_pjrt_options_read(const char *bytes, size_t size, hd_pjrt_options *out) {
  *out = (hd_pjrt_options){.replicas = 1, .partitions = 1, .device_ordinal = -1};
  reader r = {(const uint8_t *)bytes, (const uint8_t *)bytes + size};
  ids list = {0};
  bool bad = false, memory = true;
  field f;
  while (memory && !bad && next_field(&r, &f, &bad))
    if (f.number == 3 && f.wire == 2) memory = read_build_options(f.bytes, out, &list, &bad);
  hd_status status = HD_STATUS_OK;
  if (!memory)
    status = hd_pjrt_out_of_memory();
  else if (bad)
    status = hd_make_status(HD_INVALID_ARGUMENT, "the compile options are no CompileOptionsProto");
  else if (out->replicas < 1 || out->partitions < 1 || out->replicas > 4096 || out->partitions > 4096)
    status = hd_make_status(HD_INVALID_ARGUMENT, "%lld replicas of %lld partitions", (long long)out->replicas,
                            (long long)out->partitions);
  else if (list.count && list.count != (size_t)(out->replicas * out->partitions))
    status = hd_make_status(HD_INVALID_ARGUMENT, "%zu devices are assigned, expected %lld", list.count,
                            (long long)(out->replicas * out->partitions));
  if (hd_is_ok(status) && list.count) {
    out->device_ids = list.data;
    return HD_STATUS_OK;
  }
  free(list.data);
  return status;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static char *put_varint(char *at, uint64_t value) {
  for (; value > 0x7f; value >>= 7) *at++ = (char)(value | 0x80);
  *at++ = (char)value;
  return at;
}

char *hd_pjrt_assignment_write(const hd_pjrt_options *options, size_t *out_size) {
  size_t replicas = (size_t)options->replicas, partitions = (size_t)options->partitions;
  char *bytes = malloc(32 + partitions * (12 + replicas * 11)), *at = bytes;
  char *row = malloc(replicas * 11 + 1);
  if (!bytes || !row) {
    free(bytes);
    free(row);
    return NULL;
  }
  at = put_varint(put_varint(at, 1 << 3), replicas);
  at = put_varint(put_varint(at, 2 << 3), partitions);
  for (size_t p = 0; p < partitions; ++p) {
    char *end = row;
    for (size_t r = 0; r < replicas; ++r) {
      int64_t id = options->device_ids ? options->device_ids[p * replicas + r] : (int64_t)(p * replicas + r);
      end = put_varint(put_varint(end, 1 << 3), (uint64_t)id);
    }
    at = put_varint(put_varint(at, 3 << 3 | 2), (uint64_t)(end - row));
    memcpy(at, row, (size_t)(end - row));
    at += end - row;
  }
  free(row);
  *out_size = (size_t)(at - bytes);
  return bytes;
}
