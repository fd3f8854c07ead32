/* SPDX-License-Identifier: Apache-2.0 */
/* The few fields of a framework's compile options that mean something here, read from their protocol buffer form:
 * CompileOptionsProto { ExecutableBuildOptionsProto executable_build_options = 3 { int64 device_ordinal = 1,
 * num_replicas = 4, num_partitions = 5; DeviceAssignmentProto device_assignment = 9 { int32 replica_count = 1,
 * computation_count = 2; repeated ComputationDevice computation_devices = 3 { repeated int64 replica_device_ids = 1 }
 * } }; map<string, OptionOverrideProto> env_option_overrides = 7 { oneof { string = 1, bool = 2, int64 = 3, double = 4
 * } } }. Unknown fields are skipped, as the encoding intends; unknown names among the overrides are errors. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
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

/* ---- named options: what a user gives as compiler_options ------------------------------------------------------ */

typedef enum option_kind { BOOL, BYTES, SECONDS, TEXT, PASS_OPTIONS, MATH } option_kind;

static const struct {
  const char *name;
  option_kind kind;
  size_t offset;
} named[] = {
#define AT(field) offsetof(hd_pjrt_options, field)
    {"heddle_no_contract", BOOL, AT(code.numerics.no_contract)},
    {"heddle_no_excess_precision", BOOL, AT(code.numerics.no_excess_precision)},
    {"heddle_tf32", BOOL, AT(code.numerics.tf32)},
    {"heddle_deterministic", BOOL, AT(code.numerics.deterministic)},
    {"heddle_math", MATH, AT(code.exact_math)},
    {"heddle_pass_options", PASS_OPTIONS, AT(code.pass_options)},
    {"heddle_no_graph_passes", BOOL, AT(code.no_graph_passes)},
    {"heddle_library_products", BOOL, AT(code.library_products)},
    {"heddle_alone", BOOL, AT(alone)},
    {"heddle_timeout", SECONDS, AT(timeout_s)},
    {"heddle_memory_limit", BYTES, AT(memory_limit)},
    {"heddle_dump_to", TEXT, AT(dump_to)},
#undef AT
};
enum { NAMED = sizeof named / sizeof *named };

/* A value as it was given: text, or a number and what kind it was. */
typedef struct value {
  hd_str text;
  bool is_text, is_bool;
  double number;
} value;

static bool number_of(hd_str text, double *out) {
  char copy[64], *end;
  if (!text.len || text.len >= sizeof copy || memchr(text.data, 0, text.len)) return false;
  memcpy(copy, text.data, text.len);
  copy[text.len] = 0;
  errno = 0;
  *out = strtod(copy, &end);
  return !*end && !errno;
}

static hd_status refuse(const char *name, const char *expected, const value *v) {
  if (v->is_text)
    return hd_make_status(HD_INVALID_ARGUMENT, "compile option '%s': expected %s, got '%.*s'", name, expected,
                          (int)(v->text.len < 256 ? v->text.len : 256), v->text.len ? v->text.data : "");
  if (v->is_bool)
    return hd_make_status(HD_INVALID_ARGUMENT, "compile option '%s': expected %s, got %s", name, expected,
                          v->number != 0 ? "true" : "false");
  return hd_make_status(HD_INVALID_ARGUMENT, "compile option '%s': expected %s, got %.17g", name, expected, v->number);
}

static hd_status set_named(int i, value v, hd_pjrt_options *out) {
  char *field = (char *)out + named[i].offset;
  double number = v.number;
  char limit[64];
  bool is_number = v.is_text ? number_of(v.text, &number) : !v.is_bool;
  switch (named[i].kind) {
    case BOOL:
      if (v.is_text && (hd_str_is(v.text, "true") || hd_str_is(v.text, "True")))
        number = 1;
      else if (v.is_text && (hd_str_is(v.text, "false") || hd_str_is(v.text, "False")))
        number = 0;
      else if (!v.is_bool && !(is_number && (number == 0 || number == 1)))
        return refuse(named[i].name, "true or false", &v);
      *(bool *)field = number != 0;
      return HD_STATUS_OK;
    case SECONDS:
      if (!is_number || !(number >= 0) || number > 1e9) return refuse(named[i].name, "seconds, 0 for no limit", &v);
      *(double *)field = number;
      return HD_STATUS_OK;
    case BYTES:
      if (!is_number || !(number >= 0) || number > 1e15 || number != (double)(size_t)number)
        return refuse(named[i].name, "a number of bytes, 0 for no limit", &v);
      *(size_t *)field = (size_t)number;
      return HD_STATUS_OK;
    case MATH:
      if (!v.is_text || !(hd_str_is(v.text, "exact") || hd_str_is(v.text, "fast")))
        return refuse(named[i].name, "exact or fast", &v);
      *(bool *)field = hd_str_is(v.text, "exact");
      return HD_STATUS_OK;
    case PASS_OPTIONS:
      if (!v.is_text || v.text.len >= HD_PJRT_PASS_OPTIONS || memchr(v.text.data, 0, v.text.len)) {
        snprintf(limit, sizeof limit, "text of less than %d bytes", HD_PJRT_PASS_OPTIONS);
        return refuse(named[i].name, limit, &v);
      }
      memset(field, 0, HD_PJRT_PASS_OPTIONS);
      memcpy(field, v.text.data, v.text.len);
      return HD_STATUS_OK;
    case TEXT:
      if (!v.is_text || !v.text.len || memchr(v.text.data, 0, v.text.len)) return refuse(named[i].name, "text", &v);
      free(*(char **)field);
      *(char **)field = strndup(v.text.data, v.text.len);
      return *(char **)field ? HD_STATUS_OK : hd_pjrt_out_of_memory();
  }
  HD_UNREACHABLE();
}

/* XLA's own options are hints to another compiler and have no effect here. What nobody knows is an error, in the words
 * that frameworks look for. */
static hd_status set_option(hd_str name, value v, hd_pjrt_options *out) {
  for (int i = 0; i < NAMED; ++i)
    if (hd_str_is(name, named[i].name)) return set_named(i, v, out);
  if (hd_str_starts(name, "xla_") && name.len > 4) {
    ++out->foreign;
    return HD_STATUS_OK;
  }
  char known[512];
  size_t at = 0;
  for (int i = 0; i < NAMED; ++i)
    at += (size_t)snprintf(known + at, sizeof known - at, "%s%s", i ? ", " : "", named[i].name);
  return hd_make_status(HD_INVALID_ARGUMENT, "No such compile option: '%.*s'; expected one of %s", (int)name.len,
                        name.data, known);
}

static hd_status read_override(hd_proto_reader r, hd_pjrt_options *out, bool *bad) {
  hd_proto_field f, g;
  hd_str name = {0};
  value v = {0};
  while (hd_proto_next(&r, &f, bad)) {
    if (f.wire != 2) continue;
    if (f.number == 1) name = (hd_str){(const char *)f.bytes.at, (size_t)(f.bytes.end - f.bytes.at)};
    if (f.number != 2) continue;
    hd_proto_reader of = f.bytes;
    while (hd_proto_next(&of, &g, bad)) {
      v = (value){.is_text = g.number == 1 && g.wire == 2, .is_bool = g.number == 2 && g.wire == 0};
      if (v.is_text) v.text = (hd_str){(const char *)g.bytes.at, (size_t)(g.bytes.end - g.bytes.at)};
      if (v.is_bool) v.number = g.value != 0;
      if (g.number == 3 && g.wire == 0) v.number = (double)(int64_t)g.value;
      if (g.number == 4 && g.wire == 1) memcpy(&v.number, g.bytes.at, sizeof v.number);
    }
  }
  return *bad ? HD_STATUS_OK : set_option(name, v, out);
}

void hd_pjrt_options_free(hd_pjrt_options *options) {
  free(options->device_ids);
  free(options->dump_to);
  options->device_ids = NULL;
  options->dump_to = NULL;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static hd_status read_all(hd_proto_reader r, hd_pjrt_options *out, ids *list, bool *bad) {
  hd_proto_field f;
  while (!*bad && hd_proto_next(&r, &f, bad)) {
    if (f.number == 3 && f.wire == 2 && !read_build_options(f.bytes, out, list, bad)) return hd_pjrt_out_of_memory();
    if (f.number == 7 && f.wire == 2 && !*bad) HD_TRY(read_override(f.bytes, out, bad));
  }
  return HD_STATUS_OK;
}

hd_status hd_pjrt_options_read(const char *bytes, size_t size, hd_pjrt_options *out) {
  *out = (hd_pjrt_options){.replicas = 1, .partitions = 1, .device_ordinal = -1};
  if (!bytes && size)
    return hd_make_status(HD_INVALID_ARGUMENT, "the compile options are null, expected %zu bytes", size);
  hd_proto_reader r = {(const uint8_t *)bytes, (const uint8_t *)bytes + size};
  ids list = {0};
  bool bad = false;
  hd_status status = read_all(r, out, &list, &bad);
  if (!hd_is_ok(status)) {
    free(list.data);
    return status;
  }
  if (bad)
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
