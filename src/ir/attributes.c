/* SPDX-License-Identifier: Apache-2.0 */
/* Construction of attributes and locations, each of which exists once in its context. What they hold is read by
 * attribute_values.c. */
#include "ir/attributes.h"

#include <stdlib.h>
#include <string.h>

#include "ir/number.h"
#include "ir/unique.h"
#include "ir/wide.h"

#define START(context, kind) \
  hd_key key;                \
  hd_key_init(&key, (context), (kind))

#define RETURN_FOUND()                                    \
  do {                                                    \
    void *found = hd_key_find(&key, &key.context->attrs); \
    if (found) return found;                              \
  } while (0)

static hd_attr finish(hd_key *key, struct hd_attr_storage storage) {
  struct hd_attr_storage *made = hd_arena_alloc(&key->context->arena, sizeof *made);
  *made = storage;
  made->kind = (hd_attr_kind)key->kind;
  made->context = key->context;
  hd_key_add(key, &key->context->attrs, made);
  return made;
}

hd_attr hd_attr_unit(hd_context *context) {
  START(context, HD_ATTR_UNIT);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){0});
}

hd_attr hd_attr_bool(hd_context *context, bool value) { return hd_attr_integer(hd_i1(context), value); }

hd_attr hd_attr_wide(hd_type type, const char *pattern) {
  size_t bytes = hd_type_element_bytes(type);
  bool is_integer = type->kind == HD_TYPE_INTEGER, exact;
  START(type->context, is_integer ? HD_ATTR_INTEGER : HD_ATTR_FLOAT);
  hd_key_ptr(&key, type);
  hd_key_put(&key, pattern, bytes);
  RETURN_FOUND();
  struct hd_attr_storage made = {.type = type, .wide = hd_key_copy(&key, pattern, bytes)};
  if (is_integer)
    made.integer = hd_wide_integer_nearest(type, pattern);
  else
    made.floating.value = hd_wide_float_decode(type->float_kind, pattern, &exact);
  return finish(&key, made);
}

/* What one word says of a wide integer. */
static hd_attr widened(hd_type type, int64_t value) {
  char few[64], *pattern = few;
  size_t bytes = hd_type_element_bytes(type);
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  if (bytes > sizeof few) pattern = hd_arena_alloc(&scratch, bytes);
  hd_element_store(type, pattern, value);
  hd_attr made = hd_attr_wide(type, pattern);
  hd_arena_free(&scratch);
  return made;
}

hd_attr hd_attr_integer(hd_type type, int64_t value) {
  if (hd_type_is_wide(type)) return widened(type, value);
  value = hd_integer_wrap(type, value);
  START(type->context, HD_ATTR_INTEGER);
  hd_key_ptr(&key, type);
  hd_key_u64(&key, (uint64_t)value);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){.type = type, .integer = value});
}

hd_attr hd_attr_float_bits(hd_type type, uint64_t bits) {
  START(type->context, HD_ATTR_FLOAT);
  hd_key_ptr(&key, type);
  hd_key_u64(&key, bits);
  RETURN_FOUND();
  return finish(&key,
                (struct hd_attr_storage){.type = type, .floating = {hd_float_decode(type->float_kind, bits), bits}});
}

hd_attr hd_attr_float(hd_type type, double value) {
  if (hd_type_is_wide(type)) {
    char pattern[16];
    hd_wide_float_encode(type->float_kind, value, pattern);
    return hd_attr_wide(type, pattern);
  }
  return hd_attr_float_bits(type, hd_float_encode(type->float_kind, value));
}

static hd_attr string_attr(hd_context *context, hd_str text, hd_type type) {
  hd_ident ident = hd_ident_get(context, text);
  START(context, HD_ATTR_STRING);
  hd_key_ptr(&key, ident);
  hd_key_ptr(&key, type);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){.type = type, .string = ident});
}

hd_attr hd_attr_string(hd_context *context, hd_str text) { return string_attr(context, text, NULL); }
hd_attr hd_attr_cstring(hd_context *context, const char *text) { return string_attr(context, hd_str_of(text), NULL); }
hd_attr hd_attr_typed_string(hd_str text, hd_type type) { return string_attr(type->context, text, type); }

hd_attr hd_attr_type(hd_type type) {
  START(type->context, HD_ATTR_TYPE);
  hd_key_ptr(&key, type);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){.type_value = type});
}

hd_attr hd_attr_symbol(hd_context *context, hd_str root, const hd_ident *nested, size_t count) {
  hd_ident ident = hd_ident_get(context, root);
  START(context, HD_ATTR_SYMBOL);
  hd_key_ptr(&key, ident);
  hd_key_put(&key, nested, count * sizeof *nested);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){
                          .symbol = {ident, (uint32_t)count, hd_key_copy(&key, nested, count * sizeof *nested)}});
}

hd_attr hd_attr_array(hd_context *context, const hd_attr *items, size_t count) {
  START(context, HD_ATTR_ARRAY);
  hd_key_put(&key, items, count * sizeof *items);
  RETURN_FOUND();
  return finish(&key,
                (struct hd_attr_storage){.array = {(uint32_t)count, hd_key_copy(&key, items, count * sizeof *items)}});
}

static int compare_names(const void *a, const void *b) {
  return strcmp(((const hd_named_attr *)a)->name->text, ((const hd_named_attr *)b)->name->text);
}

hd_attr hd_attr_dict(hd_context *context, const hd_named_attr *items, size_t count) {
  hd_named_attr few[16], *sorted = few;
  if (count > 16) sorted = hd_new_array(&context->arena, hd_named_attr, count);
  /* Insertion keeps the last of equal names; long dictionaries are sorted first and are unique in practice. */
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    size_t at = 0;
    if (count <= 16)
      for (; at < kept && sorted[at].name != items[i].name; ++at) {
      }
    else
      at = kept;
    sorted[at] = items[i];
    if (at == kept) ++kept;
  }
  if (kept > 1) qsort(sorted, kept, sizeof *sorted, compare_names);
  if (count > 16) {
    size_t unique = 0;
    for (size_t i = 0; i < kept; ++i)
      if (unique && sorted[unique - 1].name == sorted[i].name)
        sorted[unique - 1] = sorted[i];
      else
        sorted[unique++] = sorted[i];
    kept = unique;
  }
  START(context, HD_ATTR_DICT);
  hd_key_put(&key, sorted, kept * sizeof *sorted);
  RETURN_FOUND();
  return finish(&key,
                (struct hd_attr_storage){.dict = {(uint32_t)kept, hd_key_copy(&key, sorted, kept * sizeof *sorted)}});
}

static bool all_same(const char *data, size_t size, size_t element) {
  for (size_t i = element; i < size; i += element)
    if (memcmp(data, data + i, element) != 0) return false;
  return true;
}

hd_attr hd_attr_dense(hd_type type, const void *data, size_t size, bool splat) {
  size_t element = hd_type_element_bytes(hd_type_element(type));
  if (!splat && element && size > 0 && all_same(data, size, element)) {
    splat = true;
    size = element;
  }
  START(type->context, HD_ATTR_DENSE);
  hd_key_ptr(&key, type);
  hd_key_u64(&key, splat);
  if (size <= 4096) {
    hd_key_put(&key, data, size);
  } else {
    /* Big constants are told apart by 128 bits of hash, so that the key holds no second copy of them. */
    hd_key_u64(&key, size);
    hd_key_u64(&key, hd_hash_bytes(data, size, 1));
    hd_key_u64(&key, hd_hash_bytes(data, size, 0x517cc1b727220a95ull));
  }
  RETURN_FOUND();
  return finish(
      &key, (struct hd_attr_storage){.type = type,
                                     .dense = {.splat = splat, .size = size, .data = hd_key_copy(&key, data, size)}});
}

hd_attr hd_attr_dense_strings(hd_type type, const hd_attr *strings, size_t count) {
  START(type->context, HD_ATTR_DENSE_STRINGS);
  hd_key_ptr(&key, type);
  hd_key_put(&key, strings, count * sizeof *strings);
  RETURN_FOUND();
  return finish(
      &key, (struct hd_attr_storage){.type = type,
                                     .array = {(uint32_t)count, hd_key_copy(&key, strings, count * sizeof *strings)}});
}

hd_attr hd_attr_dense_resource(hd_type type, hd_str name) {
  hd_ident ident = hd_ident_get(type->context, name);
  START(type->context, HD_ATTR_DENSE_RESOURCE);
  hd_key_ptr(&key, type);
  hd_key_ptr(&key, ident);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){.type = type, .resource = ident});
}

hd_attr hd_attr_sparse(hd_type type, hd_attr indices, hd_attr values) {
  START(type->context, HD_ATTR_SPARSE);
  hd_key_ptr(&key, type);
  hd_key_ptr(&key, indices);
  hd_key_ptr(&key, values);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){.type = type, .sparse = {indices, values}});
}

hd_attr hd_attr_dense_array(hd_type element, const void *data, size_t count) {
  size_t size = count * hd_type_element_bytes(element);
  START(element->context, HD_ATTR_DENSE_ARRAY);
  hd_key_ptr(&key, element);
  hd_key_put(&key, data, size);
  RETURN_FOUND();
  return finish(
      &key, (struct hd_attr_storage){
                .dense = {.size = size, .data = hd_key_copy(&key, data, size), .element = element, .count = count}});
}

hd_attr hd_attr_i64_array(hd_context *context, const int64_t *values, size_t count) {
  return hd_attr_dense_array(hd_i64(context), values, count);
}
hd_attr hd_attr_i32_array(hd_context *context, const int32_t *values, size_t count) {
  return hd_attr_dense_array(hd_i32(context), values, count);
}
hd_attr hd_attr_bool_array(hd_context *context, const bool *values, size_t count) {
  return hd_attr_dense_array(hd_i1(context), values, count);
}

static hd_attr affine_attr(hd_context *context, hd_attr_kind kind, uint32_t dims, uint32_t symbols,
                           const hd_affine *results, size_t count, const bool *equality) {
  START(context, kind);
  hd_key_u64(&key, dims);
  hd_key_u64(&key, symbols);
  hd_key_put(&key, results, count * sizeof *results);
  if (equality) hd_key_put(&key, equality, count);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){.affine = {dims, symbols, (uint32_t)count,
                                                          hd_key_copy(&key, results, count * sizeof *results),
                                                          equality ? hd_key_copy(&key, equality, count) : NULL}});
}

hd_attr hd_attr_affine_map(hd_context *context, uint32_t dims, uint32_t symbols, const hd_affine *results,
                           size_t count) {
  return affine_attr(context, HD_ATTR_AFFINE_MAP, dims, symbols, results, count, NULL);
}
hd_attr hd_attr_affine_set(hd_context *context, uint32_t dims, uint32_t symbols, const hd_affine *constraints,
                           const bool *equality, size_t count) {
  return affine_attr(context, HD_ATTR_AFFINE_SET, dims, symbols, constraints, count, equality);
}

hd_attr hd_attr_strided(hd_context *context, int64_t offset, const int64_t *strides, size_t rank) {
  START(context, HD_ATTR_STRIDED);
  hd_key_u64(&key, (uint64_t)offset);
  hd_key_put(&key, strides, rank * sizeof *strides);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){
                          .strided = {offset, (uint32_t)rank, hd_key_copy(&key, strides, rank * sizeof *strides)}});
}

hd_attr hd_attr_enum(hd_context *context, int row, int64_t value) {
  START(context, HD_ATTR_ENUM);
  hd_key_u64(&key, (uint64_t)row);
  hd_key_u64(&key, (uint64_t)value);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){.enumerant = {row, value}});
}

hd_attr hd_attr_struct(hd_context *context, int row, const hd_attr *params, size_t count) {
  START(context, HD_ATTR_STRUCT);
  hd_key_u64(&key, (uint64_t)row);
  hd_key_put(&key, params, count * sizeof *params);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){
                          .structure = {row, (uint32_t)count, hd_key_copy(&key, params, count * sizeof *params)}});
}

hd_attr hd_attr_opaque(hd_context *context, hd_str dialect, hd_str text) {
  hd_ident d = hd_ident_get(context, dialect), t = hd_ident_get(context, text);
  START(context, HD_ATTR_OPAQUE);
  hd_key_ptr(&key, d);
  hd_key_ptr(&key, t);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){.opaque = {d, t}});
}

hd_attr hd_attr_distinct(hd_context *context, int64_t id, hd_attr inner) {
  START(context, HD_ATTR_DISTINCT);
  hd_key_u64(&key, (uint64_t)id);
  hd_key_ptr(&key, inner);
  RETURN_FOUND();
  return finish(&key, (struct hd_attr_storage){.distinct = {id, inner}});
}

static hd_attr loc_attr(hd_context *context, hd_attr_kind kind, hd_ident name, const uint32_t place[4],
                        const hd_loc *children, size_t count, hd_attr metadata) {
  START(context, kind);
  hd_key_ptr(&key, name);
  hd_key_ptr(&key, metadata);
  hd_key_put(&key, place, 4 * sizeof *place);
  hd_key_put(&key, children, count * sizeof *children);
  RETURN_FOUND();
  return finish(&key,
                (struct hd_attr_storage){.loc = {name, place[0], place[1], place[2], place[3], (uint32_t)count,
                                                 hd_key_copy(&key, children, count * sizeof *children), metadata}});
}

static const uint32_t nowhere[4];

hd_loc hd_loc_unknown(hd_context *context) {
  return loc_attr(context, HD_ATTR_LOC_UNKNOWN, NULL, nowhere, NULL, 0, NULL);
}
hd_loc hd_loc_file(hd_context *context, hd_str file, uint32_t line, uint32_t column) {
  return hd_loc_file_range(context, file, line, column, 0, 0);
}
hd_loc hd_loc_file_range(hd_context *context, hd_str file, uint32_t line, uint32_t column, uint32_t end_line,
                         uint32_t end_column) {
  return loc_attr(context, HD_ATTR_LOC_FILE, hd_ident_get(context, file),
                  (uint32_t[4]){line, column, end_line, end_column}, NULL, 0, NULL);
}
hd_loc hd_loc_name(hd_context *context, hd_str name, hd_loc child) {
  return loc_attr(context, HD_ATTR_LOC_NAME, hd_ident_get(context, name), nowhere, &child, child ? 1 : 0, NULL);
}
hd_loc hd_loc_callsite(hd_loc callee, hd_loc caller) {
  return loc_attr(callee->context, HD_ATTR_LOC_CALLSITE, NULL, nowhere, (hd_loc[]){callee, caller}, 2, NULL);
}
hd_loc hd_loc_fuse(hd_context *context, const hd_loc *parts, size_t count, hd_attr metadata) {
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_map seen = {0};
  for (size_t i = 0; i < count; ++i) {
    bool opens = parts[i]->kind == HD_ATTR_LOC_FUSED && (!parts[i]->loc.metadata || parts[i]->loc.metadata == metadata);
    if (!opens && parts[i]->kind != HD_ATTR_LOC_UNKNOWN) hd_map_insert(&scratch, &seen, parts[i], NULL);
    for (uint32_t k = 0; opens && k < parts[i]->loc.count; ++k)
      hd_map_insert(&scratch, &seen, parts[i]->loc.children[k], NULL);
  }
  hd_loc *kept = hd_new_array(&scratch, hd_loc, seen.len + 1);
  for (size_t i = 0; i < seen.len; ++i) kept[i] = seen.entries[i].key;
  count = seen.len;
  if (!count) kept[count++] = hd_loc_unknown(context);
  hd_loc made = count == 1 && !metadata ? kept[0] : hd_loc_fused(context, kept, count, metadata);
  hd_arena_free(&scratch);
  return made;
}

hd_loc hd_loc_fused(hd_context *context, const hd_loc *parts, size_t count, hd_attr metadata) {
  return loc_attr(context, HD_ATTR_LOC_FUSED, NULL, nowhere, parts, count, metadata);
}
