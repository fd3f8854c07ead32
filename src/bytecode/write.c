/* SPDX-License-Identifier: Apache-2.0 */
/* The container: numbering of what the ops refer to, and the sections. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bytecode/bytecode.h"
#include "bytecode/vhlo_wrap.h"
#include "bytecode/writer.h"
#include "text/text.h"

void hd_bw_fail(hd_bw *w, const char *format, ...) {
  if (w->problem) return;
  hd_strbuf text;
  hd_strbuf_init(&text, w->scratch);
  va_list args;
  va_start(args, format);
  hd_strbuf_vprintf(&text, format, args);
  va_end(args);
  w->problem = hd_strbuf_text(&text);
}

void hd_bw_varint(hd_strbuf *out, uint64_t value) {
  uint8_t bytes[9];
  for (size_t n = 1; n <= 8; ++n)
    if (value < 1ull << (7 * n) || (n == 8 && value < 1ull << 56)) {
      uint64_t packed = (value << 1 | 1) << (n - 1);
      for (size_t i = 0; i < n; ++i) bytes[i] = (uint8_t)(packed >> (8 * i));
      hd_strbuf_put(out, bytes, n);
      return;
    }
  bytes[0] = 0;
  for (size_t i = 0; i < 8; ++i) bytes[i + 1] = (uint8_t)(value >> (8 * i));
  hd_strbuf_put(out, bytes, 9);
}

void hd_bw_signed(hd_strbuf *out, int64_t value) {
  hd_bw_varint(out, ((uint64_t)value << 1) ^ (uint64_t)(value < 0 ? -1 : 0));
}
void hd_bw_flagged(hd_strbuf *out, uint64_t value, bool flag) { hd_bw_varint(out, value << 1 | flag); }

enum { LARGEST_ALIGNMENT = 4096 }; /* a program may ask for any; padding stays small */

static void pad(hd_strbuf *out, size_t alignment) {
  while (out->len & (alignment - 1)) hd_strbuf_putc(out, (char)HD_BC_PADDING);
}

void hd_bw_section(hd_strbuf *out, hd_bc_section id, const hd_strbuf *data, size_t alignment) {
  hd_strbuf_putc(out, (char)(id | (alignment > 1 ? HD_BC_ALIGNED : 0)));
  hd_bw_varint(out, data->len);
  if (alignment > 1) hd_bw_varint(out, alignment);
  pad(out, alignment);
  hd_strbuf_put(out, hd_strbuf_text(data), data->len);
}

static uint32_t number(hd_bw *w, hd_map *map, hd_str text, bool *out_new) {
  hd_map_entry *entry = hd_map_insert_bytes(w->scratch, map, text.len ? text.data : "", text.len, out_new);
  if (*out_new) entry->value.i64 = (int64_t)map->live - 1;
  return (uint32_t)entry->value.i64;
}

uint32_t hd_bw_string(hd_bw *w, hd_str text) {
  bool is_new;
  uint32_t at = number(w, &w->strings, text, &is_new);
  if (is_new) hd_vec_push(w->scratch, &w->string_list, text);
  return at;
}

uint32_t hd_bw_dialect(hd_bw *w, hd_str name) {
  bool is_new;
  uint32_t at = number(w, &w->dialects, name, &is_new);
  if (is_new) hd_vec_push(w->scratch, &w->dialect_list, name);
  return at;
}

uint32_t hd_bw_resource(hd_bw *w, hd_ident name) {
  bool is_new;
  uint32_t at = number(w, &w->resources, hd_ident_str(name), &is_new);
  if (is_new) hd_vec_push(w->scratch, &w->resource_list, name);
  return at;
}

void hd_bw_note_attr(hd_bw *w, hd_attr attr) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert(w->scratch, &w->attrs, attr, &is_new);
  if (!is_new) return;
  entry->value.i64 = (int64_t)w->attr_list.len;
  hd_vec_push(w->scratch, &w->attr_list, (hd_bw_entry){attr, NULL, hd_bw_dialect(w, hd_bw_attr_dialect(attr)), 0});
  hd_bw_encode_attr(w, attr, NULL);
}

void hd_bw_note_type(hd_bw *w, hd_type type) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert(w->scratch, &w->types, type, &is_new);
  if (!is_new) return;
  entry->value.i64 = (int64_t)w->type_list.len;
  hd_vec_push(w->scratch, &w->type_list, (hd_bw_entry){NULL, type, hd_bw_dialect(w, hd_bw_type_dialect(type)), 0});
  hd_bw_encode_type(w, type, NULL);
}

uint32_t hd_bw_attr(hd_bw *w, hd_attr attr) {
  return w->attr_list.data[hd_map_find(&w->attrs, attr)->value.i64].number;
}
uint32_t hd_bw_type(hd_bw *w, hd_type type) {
  return w->type_list.data[hd_map_find(&w->types, type)->value.i64].number;
}

/* Numbers entries by dialect, in the order in which they were noted. */
static void group_entries(hd_bw *w, hd_bw_entry *entries, size_t count, uint32_t *out_order) {
  uint32_t next = 0;
  for (uint32_t d = 0; d < w->dialect_list.len; ++d)
    for (size_t i = 0; i < count; ++i)
      if (entries[i].dialect == d) {
        out_order[next] = (uint32_t)i;
        entries[i].number = next++;
      }
}

static void write_entries(hd_bw *w, hd_bw_entry *entries, const uint32_t *order, size_t count, hd_strbuf *offsets,
                          hd_strbuf *data) {
  for (size_t i = 0; i < count;) {
    size_t end = i;
    while (end < count && entries[order[end]].dialect == entries[order[i]].dialect) ++end;
    hd_bw_varint(offsets, entries[order[i]].dialect);
    hd_bw_varint(offsets, end - i);
    for (; i < end; ++i) {
      hd_bw_entry *entry = &entries[order[i]];
      size_t before = data->len;
      bool custom = entry->type ? hd_bw_encode_type(w, entry->type, data) : hd_bw_encode_attr(w, entry->attr, data);
      if (!custom) {
        if (entry->type)
          hd_text_print_type(entry->type, data);
        else
          hd_text_print_attr(entry->attr, data);
        hd_strbuf_putc(data, 0);
      }
      hd_bw_flagged(offsets, data->len - before, custom);
    }
  }
}

static void write_dialects(hd_bw *w, hd_strbuf *out) {
  hd_bw_varint(out, w->dialect_list.len);
  for (size_t i = 0; i < w->dialect_list.len; ++i) {
    uint32_t name = hd_bw_string(w, w->dialect_list.data[i]);
    if (w->version < HD_BC_DIALECT_VERSIONS)
      hd_bw_varint(out, name);
    else
      hd_bw_flagged(out, name, false);
  }
  if (w->version >= HD_BC_SHORT_ARG_LOCS) hd_bw_varint(out, w->name_list.len);
  uint32_t next = 0;
  for (uint32_t d = 0; d < w->dialect_list.len; ++d) {
    size_t count = 0;
    for (size_t i = 0; i < w->name_list.len; ++i) count += w->name_list.data[i].dialect == d;
    if (!count) continue;
    hd_bw_varint(out, d);
    hd_bw_varint(out, count);
    for (size_t i = 0; i < w->name_list.len; ++i) {
      hd_bw_name *name = &w->name_list.data[i];
      if (name->dialect != d) continue;
      name->number = next++;
      uint32_t text = hd_bw_string(w, name->text);
      if (w->version < HD_BC_PROPERTIES)
        hd_bw_varint(out, text);
      else
        hd_bw_flagged(out, text, name->registered);
    }
  }
}

static void write_strings(hd_bw *w, hd_strbuf *out) {
  hd_bw_varint(out, w->string_list.len);
  for (size_t i = w->string_list.len; i-- > 0;) hd_bw_varint(out, w->string_list.data[i].len + 1);
  for (size_t i = 0; i < w->string_list.len; ++i) {
    hd_strbuf_put_str(out, w->string_list.data[i]);
    hd_strbuf_putc(out, 0);
  }
}

/* Blobs at their alignment, which is that of the section then. */
static void write_resources(hd_bw *w, hd_strbuf *offsets, hd_strbuf *data, size_t *out_alignment) {
  *out_alignment = 1;
  hd_bw_varint(offsets, 0);
  if (!w->resource_list.len) return;
  hd_bw_varint(offsets, hd_bw_dialect(w, HD_STR("builtin")));
  hd_bw_varint(offsets, w->resource_list.len);
  for (size_t i = 0; i < w->resource_list.len; ++i) {
    hd_str name = hd_ident_str(w->resource_list.data[i]);
    hd_map_entry *entry = hd_map_find_bytes(&w->context->resources, name.data, name.len);
    size_t before = data->len;
    if (entry) {
      const hd_resource *resource = entry->value.ptr;
      size_t alignment = resource->alignment ? resource->alignment : 1;
      if (alignment > LARGEST_ALIGNMENT) alignment = LARGEST_ALIGNMENT;
      hd_bw_varint(data, alignment);
      hd_bw_varint(data, resource->size);
      pad(data, alignment);
      hd_strbuf_put(data, resource->data, resource->size);
      if (alignment > *out_alignment) *out_alignment = alignment;
    }
    hd_bw_varint(offsets, hd_bw_string(w, name));
    hd_bw_varint(offsets, data->len - before);
    hd_strbuf_putc(offsets, HD_BC_RESOURCE_BLOB);
  }
}

static void write_properties(hd_bw *w, hd_strbuf *out) {
  hd_bw_varint(out, w->property_list.len);
  for (size_t i = 0; i < w->property_list.len; ++i) {
    hd_bw_varint(out, w->property_list.data[i].len);
    hd_strbuf_put_str(out, w->property_list.data[i]);
  }
}

static hd_status write_file(hd_bw *w, hd_op *op, const char *producer, hd_strbuf *out) {
  hd_bw_dialect(w, HD_STR("builtin"));
  hd_bw_note_op(w, op);
  uint32_t *attr_order = hd_new_array(w->scratch, uint32_t, w->attr_list.len + 1);
  uint32_t *type_order = hd_new_array(w->scratch, uint32_t, w->type_list.len + 1);
  group_entries(w, w->attr_list.data, w->attr_list.len, attr_order);
  group_entries(w, w->type_list.data, w->type_list.len, type_order);
  hd_strbuf parts[HD_BC_SECTION_COUNT];
  for (int i = 0; i < HD_BC_SECTION_COUNT; ++i) hd_strbuf_init(&parts[i], w->scratch);
  write_dialects(w, &parts[HD_BC_DIALECTS]);
  hd_bw_varint(&parts[HD_BC_ATTR_OFFSETS], w->attr_list.len);
  hd_bw_varint(&parts[HD_BC_ATTR_OFFSETS], w->type_list.len);
  write_entries(w, w->attr_list.data, attr_order, w->attr_list.len, &parts[HD_BC_ATTR_OFFSETS], &parts[HD_BC_ATTRS]);
  write_entries(w, w->type_list.data, type_order, w->type_list.len, &parts[HD_BC_ATTR_OFFSETS], &parts[HD_BC_ATTRS]);
  hd_bw_write_top(w, op, &parts[HD_BC_IR]);
  size_t alignment;
  write_resources(w, &parts[HD_BC_RESOURCE_OFFSETS], &parts[HD_BC_RESOURCES], &alignment);
  write_strings(w, &parts[HD_BC_STRINGS]);
  write_properties(w, &parts[HD_BC_PROPERTY_TABLE]);
  if (w->problem) return hd_make_status(HD_INVALID_ARGUMENT, "%s", w->problem);
  static const hd_bc_section order[] = {HD_BC_DIALECTS,         HD_BC_ATTR_OFFSETS, HD_BC_ATTRS,  HD_BC_IR,
                                        HD_BC_RESOURCE_OFFSETS, HD_BC_RESOURCES,    HD_BC_STRINGS};
  hd_strbuf_puts(out, "ML\xefR");
  hd_bw_varint(out, w->version);
  hd_strbuf_put(out, producer, strlen(producer) + 1);
  for (size_t i = 0; i < sizeof order / sizeof *order; ++i)
    hd_bw_section(out, order[i], &parts[order[i]], order[i] == HD_BC_RESOURCES ? alignment : 1);
  if (w->version >= HD_BC_PROPERTIES) hd_bw_section(out, HD_BC_PROPERTY_TABLE, &parts[HD_BC_PROPERTY_TABLE], 1);
  return HD_STATUS_OK;
}

/* The version of the format that a version of vhlo is written in. */
static uint64_t format_of(uint32_t version) {
  if (version < HD_VHLO_VERSION(0, 10, 0)) return 0;
  if (version < HD_VHLO_VERSION(0, 12, 0)) return 1;
  if (version < HD_VHLO_VERSION(0, 14, 0)) return 3;
  return version < HD_VHLO_VERSION(0, 15, 0) ? 4 : 6;
}

typedef struct job {
  hd_module *module, *copy;
  const hd_bytecode_options *options;
  hd_bw w;
  hd_strbuf *out;
} job;

static hd_status write_artifact(job *j) {
  const char *target = j->options->target_version;
  uint32_t version = HD_VHLO_CURRENT;
  if (target && !hd_vhlo_version_parse(target, &version))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a version such as 1.10.0, got '%s'", target);
  if (version < HD_VHLO_OLDEST || version > HD_VHLO_CURRENT)
    return hd_make_status(HD_INVALID_ARGUMENT, "version %s is not one of 0.9.0 to 1.20.0", target);
  j->w.version = format_of(version);
  char producer[64];
  snprintf(producer, sizeof producer, "StableHLO_v%u.%u.%u", version >> 20, version >> 10 & 1023, version & 1023);
  j->copy = hd_module_clone(j->module);
  /* Patches do not change the dialect. */
  if (!hd_vhlo_from_stablehlo(j->copy, j->w.scratch, version & ~1023u)) return hd_failed(j->module->context);
  return write_file(&j->w, j->copy->op, producer, j->out);
}

static hd_status guarded(void *argument) {
  job *j = argument;
  if (!j->options->plain && hd_vhlo_can_hold(j->module)) return write_artifact(j);
  if (j->options->target_version && !j->options->plain)
    return hd_make_status(HD_INVALID_ARGUMENT, "a target version needs a module of func and stablehlo ops only");
  return write_file(&j->w, j->module->op, "heddle", j->out);
}

hd_status hd_bytecode_write(hd_module *module, const hd_bytecode_options *options, hd_strbuf *out) {
  static const hd_bytecode_options defaults;
  hd_arena scratch;
  hd_arena_init(&scratch, &module->context->budget);
  job j = {.module = module,
           .options = options ? options : &defaults,
           .out = out,
           .w = {.context = module->context,
                 .scratch = &scratch,
                 .version = HD_BC_VERSION,
                 .layouts = {.context = module->context, .arena = &scratch}}};
  hd_status status = hd_guarded_call(guarded, &j);
  if (j.copy) hd_module_free(j.copy);
  hd_arena_free(&scratch);
  return status;
}
