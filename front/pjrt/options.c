/* SPDX-License-Identifier: Apache-2.0 */
/* The few fields of a framework's compile options that mean something here, read from their protocol buffer form:
 * CompileOptionsProto { ExecutableBuildOptionsProto executable_build_options = 3 { int64 device_ordinal = 1,
 * num_replicas = 4, num_partitions = 5; DeviceAssignmentProto device_assignment = 9 { int32 replica_count = 1,
 * computation_count = 2; repeated ComputationDevice computation_devices = 3 { repeated int64 replica_device_ids = 1 }
 * } }; map<string, OptionOverrideProto> env_option_overrides = 7 }. Unknown fields are skipped, as the encoding
 * intends.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin.h"
#include "protobuf.h"

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
static bool read_assignment(hd_proto_reader r, ids *list, bool *bad) {
  hd_proto_field f, g;
  while (hd_proto_next(&r, &f, bad)) {
    if (f.number != 3 || f.wire != 2) continue;
    hd_proto_reader devices = f.bytes;
    while (hd_proto_next(&devices, &g, bad)) {
      if (g.number != 1) continue;
      uint64_t id;
      if (g.wire == 0 && !push_id(list, (int64_t)g.value)) return false;
      while (g.wire == 2 && g.bytes.at < g.bytes.end) {
        if (!hd_proto_number(&g.bytes, &id)) *bad = true;
        if (*bad || !push_id(list, (int64_t)id)) return !*bad;
      }
    }
  }
  return true;
}

static bool read_build_options(hd_proto_reader r, hd_pjrt_options *out, ids *list, bool *bad) {
  hd_proto_field f;
  while (hd_proto_next(&r, &f, bad)) {
    if (f.number == 1 && f.wire == 0) out->device_ordinal = (int64_t)f.value;
    if (f.number == 4 && f.wire == 0) out->replicas = (int64_t)f.value;
    if (f.number == 5 && f.wire == 0) out->partitions = (int64_t)f.value;
    if (f.number == 9 && f.wire == 2 && !read_assignment(f.bytes, list, bad)) return false;
  }
  return true;
}

/* What jax.jit(compiler_options=...) names. Options of XLA, known by their prefix, are hints that a program gives for
 * every platform and mean nothing here; any other name is a mistake. */
static hd_status check_override(hd_proto_reader entry, bool *bad) {
  static const char prefix[] = "xla_";
  hd_proto_field f, key = {0};
  while (hd_proto_next(&entry, &f, bad))
    if (f.number == 1 && f.wire == 2) key = f;
  if (*bad) return HD_STATUS_OK;
  size_t size = key.bytes.at ? (size_t)(key.bytes.end - key.bytes.at) : 0;
  if (size >= sizeof prefix && !memcmp(key.bytes.at, prefix, sizeof prefix - 1)) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "No such compile option: '%.*s'", (int)size,
                        size ? (const char *)key.bytes.at : "");
}

hd_status hd_pjrt_options_read(const char *bytes, size_t size, hd_pjrt_options *out) {
  *out = (hd_pjrt_options){.replicas = 1, .partitions = 1, .device_ordinal = -1};
  hd_proto_reader r = {(const uint8_t *)bytes, (const uint8_t *)bytes + size};
  ids list = {0};
  bool bad = false, memory = true;
  hd_proto_field f;
  hd_status status = HD_STATUS_OK;
  while (memory && !bad && hd_is_ok(status) && hd_proto_next(&r, &f, &bad)) {
    if (f.number == 3 && f.wire == 2) memory = read_build_options(f.bytes, out, &list, &bad);
    if (f.number == 7 && f.wire == 2) status = check_override(f.bytes, &bad);
  }
  if (!hd_is_ok(status)) {
    free(list.data);
    return status;
  }
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

char *hd_pjrt_assignment_write(const hd_pjrt_options *options, size_t *out_size) {
  size_t replicas = (size_t)options->replicas, partitions = (size_t)options->partitions;
  hd_proto_message all = {0}, row = {0};
  hd_proto_put_number(&all, 1, replicas);
  hd_proto_put_number(&all, 2, partitions);
  for (size_t p = 0; p < partitions; ++p) {
    for (size_t r = 0; r < replicas; ++r) {
      size_t i = p * replicas + r;
      hd_proto_put_number(&row, 1, options->device_ids ? (uint64_t)options->device_ids[i] : r * partitions + p);
    }
    hd_proto_put_message(&all, 3, &row);
  }
  *out_size = all.size;
  if (!all.failed) return (char *)all.data;
  hd_proto_free(&all);
  return NULL;
}
