/* SPDX-License-Identifier: Apache-2.0 */
/* The container: header, sections, strings, dialects and op names, resources, and the tables of what is read later. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bytecode/bytecode.h"
#include "bytecode/reader.h"
#include "text/text.h"

bool hd_bytecode_is(const void *data, size_t size) { return size >= 4 && !memcmp(data, "ML\xefR", 4); }

int hd_bc_report(hd_bc_reader *r, const uint8_t *at, const char *format, ...) {
  if (r->failed) return 0;
  r->failed = true;
  hd_strbuf text;
  hd_strbuf_init(&text, &r->scratch);
  va_list args;
  va_start(args, format);
  hd_strbuf_vprintf(&text, format, args);
  va_end(args);
  size_t offset = at ? (size_t)(at - r->data) : 0;
  uint32_t column = offset < UINT32_MAX - 1 ? (uint32_t)offset + 1 : UINT32_MAX;
  hd_error(r->context, hd_loc_file(r->context, hd_str_of(r->name), 1, column), "%s (at byte %zu of the bytecode)",
           hd_strbuf_text(&text), offset);
  return 0;
}

bool hd_bc_byte(hd_bc_reader *r, hd_bc_bytes *in, uint8_t *out) {
  if (in->at == in->end) return hd_bc_fail(r, in->at, "expected a byte, got the end of the section");
  *out = *in->at++;
  return true;
}

/* The number of low zero bits of the first byte tells how many bytes follow. */
bool hd_bc_varint(hd_bc_reader *r, hd_bc_bytes *in, uint64_t *out) {
  uint8_t first;
  *out = 0;
  if (!hd_bc_byte(r, in, &first)) return false;
  if (first & 1) {
    *out = first >> 1;
    return true;
  }
  size_t more = first ? (size_t)__builtin_ctz(first) : 8;
  if (hd_bc_left(in) < more)
    return hd_bc_fail(r, in->at, "expected %zu more bytes of an integer, got %zu", more, hd_bc_left(in));
  uint64_t value = 0;
  for (size_t i = 0; i < more; ++i) value |= (uint64_t)in->at[i] << (8 * i);
  in->at += more;
  *out = more == 8 ? value : (value << (7 - more)) | (first >> (more + 1));
  return true;
}

bool hd_bc_signed(hd_bc_reader *r, hd_bc_bytes *in, int64_t *out) {
  uint64_t value;
  if (!hd_bc_varint(r, in, &value)) return false;
  *out = (int64_t)((value >> 1) ^ (0 - (value & 1)));
  return true;
}

bool hd_bc_flagged(hd_bc_reader *r, hd_bc_bytes *in, uint64_t *out, bool *out_flag) {
  uint64_t value;
  if (!hd_bc_varint(r, in, &value)) return false;
  *out_flag = value & 1;
  *out = value >> 1;
  return true;
}

bool hd_bc_count(hd_bc_reader *r, hd_bc_bytes *in, size_t item_size, size_t *out) {
  uint64_t value;
  const uint8_t *where = in->at;
  *out = 0;
  if (!hd_bc_varint(r, in, &value)) return false;
  if (value > hd_bc_left(in) / item_size)
    return hd_bc_fail(r, where, "a count of %llu, but only %zu bytes are left", (unsigned long long)value,
                      hd_bc_left(in));
  *out = (size_t)value;
  return true;
}

bool hd_bc_take(hd_bc_reader *r, hd_bc_bytes *in, uint64_t size, hd_bc_bytes *out) {
  if (size > hd_bc_left(in))
    return hd_bc_fail(r, in->at, "expected %llu bytes, but only %zu are left", (unsigned long long)size,
                      hd_bc_left(in));
  *out = (hd_bc_bytes){in->at, in->at + size};
  in->at += size;
  return true;
}

bool hd_bc_expect_end(hd_bc_reader *r, const hd_bc_bytes *in, const char *what) {
  return in->at == in->end || hd_bc_fail(r, in->at, "%zu bytes too many after %s", hd_bc_left(in), what);
}

bool hd_bc_section_read(hd_bc_reader *r, hd_bc_bytes *in, uint8_t *out_id, hd_bc_bytes *out) {
  const uint8_t *where = in->at;
  uint8_t id;
  uint64_t size, alignment;
  if (!hd_bc_byte(r, in, &id) || !hd_bc_varint(r, in, &size)) return false;
  if ((id & 0x7f) >= HD_BC_SECTION_COUNT) return hd_bc_fail(r, where, "no section is numbered %d", id & 0x7f);
  if (id & HD_BC_ALIGNED) {
    if (!hd_bc_varint(r, in, &alignment)) return false;
    if (!alignment || (alignment & (alignment - 1)))
      return hd_bc_fail(r, where, "an alignment must be a power of two, got %llu", (unsigned long long)alignment);
    while ((size_t)(in->at - r->data) & (alignment - 1)) {
      uint8_t padding;
      if (!hd_bc_byte(r, in, &padding)) return false;
      if (padding != HD_BC_PADDING) return hd_bc_fail(r, in->at - 1, "expected a byte of padding, got 0x%02x", padding);
    }
  }
  *out_id = id & 0x7f;
  return hd_bc_take(r, in, size, out);
}

bool hd_bc_cstring(hd_bc_reader *r, hd_bc_bytes *in, hd_str *out) {
  const uint8_t *stop = hd_bc_left(in) ? memchr(in->at, 0, hd_bc_left(in)) : NULL;
  if (!stop) return hd_bc_fail(r, in->at, "expected a text that ends with a NUL");
  *out = (hd_str){(const char *)in->at, (size_t)(stop - in->at)};
  in->at = stop + 1;
  return true;
}

static bool string_at(hd_bc_reader *r, uint64_t index, const uint8_t *where, hd_str *out) {
  if (index >= r->string_count)
    return hd_bc_fail(r, where, "string %llu, but there are %zu", (unsigned long long)index, r->string_count);
  *out = r->strings[index];
  return true;
}

bool hd_bc_string(hd_bc_reader *r, hd_bc_bytes *in, hd_str *out) {
  const uint8_t *where = in->at;
  uint64_t index;
  return hd_bc_varint(r, in, &index) && string_at(r, index, where, out);
}

/* Lengths are in reverse, each counting the NUL; the texts follow in order. */
static bool read_strings(hd_bc_reader *r) {
  hd_bc_bytes in = r->sections[HD_BC_STRINGS];
  const uint8_t *end = in.end;
  if (!hd_bc_count(r, &in, 1, &r->string_count)) return false;
  r->strings = hd_new_array(&r->scratch, hd_str, r->string_count);
  for (size_t i = r->string_count; i-- > 0;) {
    uint64_t size;
    const uint8_t *where = in.at;
    if (!hd_bc_varint(r, &in, &size)) return false;
    if (!size || in.at > end || size > (uint64_t)(end - in.at))
      return hd_bc_fail(r, where, "a string of %llu bytes does not fit", (unsigned long long)size);
    end -= size;
    r->strings[i] = (hd_str){(const char *)end, (size_t)size - 1};
  }
  return in.at == end || hd_bc_fail(r, in.at, "bytes between the lengths of strings and their text");
}

static bool read_group(hd_bc_reader *r, hd_bc_bytes *in, const hd_bc_dialect **out_dialect, size_t *out_count) {
  const uint8_t *where = in->at;
  uint64_t index;
  if (!hd_bc_varint(r, in, &index)) return false;
  if (index >= r->dialect_count)
    return hd_bc_fail(r, where, "dialect %llu, but there are %zu", (unsigned long long)index, r->dialect_count);
  *out_dialect = &r->dialects[index];
  return hd_bc_count(r, in, 1, out_count);
}

static bool read_op_name(hd_bc_reader *r, hd_bc_bytes *in, const hd_bc_dialect *dialect) {
  const uint8_t *where = in->at;
  hd_bc_op_name name = {.dialect = dialect, .registered = true};
  uint64_t index;
  hd_str text;
  if (r->version < HD_BC_PROPERTIES ? !hd_bc_varint(r, in, &index) : !hd_bc_flagged(r, in, &index, &name.registered))
    return false;
  if (!string_at(r, index, where, &text)) return false;
  hd_strbuf full;
  hd_strbuf_init(&full, &r->scratch);
  hd_strbuf_put_str(&full, dialect->name);
  if (text.len) {
    hd_strbuf_putc(&full, '.');
    hd_strbuf_put_str(&full, text);
  }
  hd_str spelled = {hd_strbuf_text(&full), full.len};
  name.name = hd_ident_get(r->context, spelled);
  name.opcode = hd_opcode_of(r->context, spelled);
  hd_vec_push(&r->scratch, &r->op_names, name);
  return true;
}

static bool read_dialects(hd_bc_reader *r) {
  hd_bc_bytes in = r->sections[HD_BC_DIALECTS], skipped;
  if (!hd_bc_count(r, &in, 1, &r->dialect_count)) return false;
  r->dialects = hd_new_array(&r->scratch, hd_bc_dialect, r->dialect_count);
  for (size_t i = 0; i < r->dialect_count; ++i) {
    const uint8_t *where = in.at;
    uint64_t index;
    bool versioned = false;
    if (r->version < HD_BC_DIALECT_VERSIONS ? !hd_bc_varint(r, &in, &index)
                                            : !hd_bc_flagged(r, &in, &index, &versioned))
      return false;
    if (!string_at(r, index, where, &r->dialects[i].name)) return false;
    uint8_t id;
    if (versioned && !hd_bc_section_read(r, &in, &id, &skipped)) return false;
    if (versioned && id != HD_BC_DIALECT_VERSION)
      return hd_bc_fail(r, where, "expected the version of dialect '%.*s'", (int)r->dialects[i].name.len,
                        r->dialects[i].name.data);
  }
  uint64_t total;
  if (r->version >= HD_BC_SHORT_ARG_LOCS && !hd_bc_varint(r, &in, &total)) return false;
  while (in.at < in.end) {
    const hd_bc_dialect *dialect;
    size_t count;
    if (!read_group(r, &in, &dialect, &count)) return false;
    for (size_t i = 0; i < count; ++i)
      if (!read_op_name(r, &in, dialect)) return false;
  }
  return true;
}

static bool read_entries(hd_bc_reader *r, hd_bc_bytes *in, hd_bc_bytes *data, hd_bc_entry *entries, size_t count) {
  for (size_t i = 0; i < count;) {
    const hd_bc_dialect *dialect;
    size_t group;
    const uint8_t *where = in->at;
    if (!read_group(r, in, &dialect, &group)) return false;
    if (!group || group > count - i)
      return hd_bc_fail(r, where, "a group of %zu entries, but %zu are missing", group, count - i);
    for (size_t k = 0; k < group; ++k, ++i) {
      uint64_t size;
      entries[i].dialect = dialect;
      if (!hd_bc_flagged(r, in, &size, &entries[i].custom) || !hd_bc_take(r, data, size, &entries[i].bytes))
        return false;
    }
  }
  return true;
}

static bool read_attr_table(hd_bc_reader *r) {
  hd_bc_bytes in = r->sections[HD_BC_ATTR_OFFSETS], data = r->sections[HD_BC_ATTRS];
  size_t attrs, types;
  if (!hd_bc_count(r, &in, 1, &attrs) || !hd_bc_count(r, &in, 1, &types)) return false;
  r->attrs = hd_new_array(&r->scratch, hd_bc_entry, attrs);
  r->types = hd_new_array(&r->scratch, hd_bc_entry, types);
  r->attr_count = attrs;
  r->type_count = types;
  return read_entries(r, &in, &data, r->attrs, attrs) && read_entries(r, &in, &data, r->types, types) &&
         hd_bc_expect_end(r, &in, "the table of attributes and types");
}

static bool read_property_table(hd_bc_reader *r) {
  hd_bc_bytes in = r->sections[HD_BC_PROPERTY_TABLE];
  if (in.at == in.end) return true;
  if (!hd_bc_count(r, &in, 1, &r->property_count)) return false;
  r->properties = hd_new_array(&r->scratch, hd_bc_bytes, r->property_count);
  for (size_t i = 0; i < r->property_count; ++i) {
    uint64_t size;
    if (!hd_bc_varint(r, &in, &size) || !hd_bc_take(r, &in, size, &r->properties[i])) return false;
  }
  return hd_bc_expect_end(r, &in, "the table of properties");
}

/* A blob: alignment, size, padding, bytes. */
static bool read_blob(hd_bc_reader *r, hd_bc_bytes entry, hd_str name) {
  const uint8_t *where = entry.at;
  uint64_t alignment, size;
  hd_bc_bytes blob;
  if (!hd_bc_varint(r, &entry, &alignment) || !hd_bc_varint(r, &entry, &size)) return false;
  if (!alignment || (alignment & (alignment - 1))) return hd_bc_fail(r, where, "an alignment must be a power of two");
  /* The padding is what is neither number nor blob: the writer's alignment counts from the file's start. */
  if (size > hd_bc_left(&entry))
    return hd_bc_fail(r, where, "a resource of %llu bytes does not fit", (unsigned long long)size);
  blob = (hd_bc_bytes){entry.end - size, entry.end};
  hd_resource *resource = hd_new(&r->context->arena, hd_resource);
  *resource = (hd_resource){(size_t)alignment, (size_t)size, hd_arena_copy(&r->context->arena, blob.at, (size_t)size)};
  hd_map_insert_bytes(&r->context->arena, &r->context->resources, name.data, name.len, NULL)->value.ptr = resource;
  return true;
}

static bool read_resource_group(hd_bc_reader *r, hd_bc_bytes *in, hd_bc_bytes *data, bool of_dialect) {
  size_t count;
  if (!hd_bc_count(r, in, 3, &count)) return false;
  for (size_t i = 0; i < count; ++i) {
    hd_str key;
    uint64_t size;
    uint8_t kind;
    hd_bc_bytes entry;
    if (!hd_bc_string(r, in, &key) || !hd_bc_varint(r, in, &size) || !hd_bc_byte(r, in, &kind) ||
        !hd_bc_take(r, data, size, &entry))
      return false;
    if (!of_dialect) continue;
    hd_vec_push(&r->scratch, &r->resources, key);
    if (size && kind == HD_BC_RESOURCE_BLOB && !read_blob(r, entry, key)) return false;
  }
  return true;
}

static bool read_resources(hd_bc_reader *r) {
  if (r->has_section[HD_BC_RESOURCES] != r->has_section[HD_BC_RESOURCE_OFFSETS])
    return hd_bc_fail(r, r->data, "resources and their offsets come together or not at all");
  if (!r->has_section[HD_BC_RESOURCES]) return true;
  hd_bc_bytes in = r->sections[HD_BC_RESOURCE_OFFSETS], data = r->sections[HD_BC_RESOURCES];
  size_t external;
  hd_str key;
  if (!hd_bc_count(r, &in, 2, &external)) return false;
  for (size_t i = 0; i < external; ++i)
    if (!hd_bc_string(r, &in, &key) || !read_resource_group(r, &in, &data, false)) return false;
  while (in.at < in.end) {
    const uint8_t *where = in.at;
    uint64_t dialect;
    if (!hd_bc_varint(r, &in, &dialect)) return false;
    if (dialect >= r->dialect_count)
      return hd_bc_fail(r, where, "dialect %llu, but there are %zu", (unsigned long long)dialect, r->dialect_count);
    if (!read_resource_group(r, &in, &data, true)) return false;
  }
  return true;
}

static bool read_sections(hd_bc_reader *r) {
  hd_bc_bytes in = {r->data + 4, r->data + r->size};
  if (!hd_bc_varint(r, &in, &r->version)) return false;
  if (r->version > HD_BC_VERSION)
    return hd_bc_fail(r, r->data + 4, "bytecode version %llu is not known, expected 0 to %d",
                      (unsigned long long)r->version, HD_BC_VERSION);
  if (!hd_bc_cstring(r, &in, &r->producer)) return false;
  while (in.at < in.end) {
    const uint8_t *where = in.at;
    uint8_t id;
    hd_bc_bytes bytes;
    if (!hd_bc_section_read(r, &in, &id, &bytes)) return false;
    if (r->has_section[id]) return hd_bc_fail(r, where, "section %d appears twice", id);
    r->has_section[id] = true;
    r->sections[id] = bytes;
  }
  static const struct {
    hd_bc_section id;
    const char *name;
  } needed[] = {{HD_BC_STRINGS, "strings"},
                {HD_BC_DIALECTS, "dialects"},
                {HD_BC_ATTRS, "attributes"},
                {HD_BC_ATTR_OFFSETS, "offsets of attributes"},
                {HD_BC_IR, "ops"}};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i)
    if (!r->has_section[needed[i].id]) return hd_bc_fail(r, in.at, "the section of %s is missing", needed[i].name);
  return true;
}

static bool read_all(hd_bc_reader *r) {
  return read_sections(r) && read_strings(r) && read_property_table(r) && read_dialects(r) && read_resources(r) &&
         read_attr_table(r) && hd_bc_ir(r) && hd_bc_tidy(r);
}

static hd_status guarded(void *argument) {
  hd_bc_reader *r = argument;
  return read_all(r) ? HD_STATUS_OK : hd_failed(r->context);
}

hd_status hd_bytecode_parse(hd_context *context, const void *data, size_t size, const char *name,
                            hd_module **out_module) {
  hd_bc_reader r = {.context = context, .data = data, .size = size, .name = name};
  *out_module = NULL;
  hd_arena_init(&r.scratch, &context->budget);
  r.layouts = (hd_bc_layouts){.context = context, .arena = &r.scratch};
  if (!hd_bytecode_is(data, size))
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: this is not bytecode: it does not start with \"ML\\xefR\"", name);
  hd_status status = hd_guarded_call(guarded, &r);
  hd_arena_free(&r.scratch);
  if (hd_is_ok(status))
    *out_module = r.module;
  else if (r.module)
    hd_module_free(r.module);
  return status;
}
