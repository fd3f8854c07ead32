/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/types.h"

#include <string.h>

#include "ir/unique.h"

/* Begins a key for |kind|. */
#define START(context, kind) \
  hd_key key;                \
  hd_key_init(&key, (context), (kind))

/* Returns the type from the enclosing function when it is there already. */
#define RETURN_FOUND()                                    \
  do {                                                    \
    void *found = hd_key_find(&key, &key.context->types); \
    if (found) return found;                              \
  } while (0)

/* Makes |storage| the type of |key|; arrays in it are in the context's arena already. */
static hd_type finish(hd_key *key, struct hd_type_storage storage) {
  struct hd_type_storage *made = hd_arena_alloc(&key->context->arena, sizeof *made);
  *made = storage;
  made->kind = (hd_type_kind)key->kind;
  made->context = key->context;
  hd_key_add(key, &key->context->types, made);
  return made;
}

hd_type hd_type_none(hd_context *context) {
  START(context, HD_TYPE_NONE);
  RETURN_FOUND();
  return finish(&key, (struct hd_type_storage){0});
}

hd_type hd_type_index(hd_context *context) {
  START(context, HD_TYPE_INDEX);
  RETURN_FOUND();
  return finish(&key, (struct hd_type_storage){0});
}

hd_type hd_type_integer(hd_context *context, uint32_t width, hd_signedness signedness) {
  START(context, HD_TYPE_INTEGER);
  hd_key_u64(&key, width);
  hd_key_u64(&key, signedness);
  RETURN_FOUND();
  return finish(&key, (struct hd_type_storage){.integer = {width, signedness}});
}

hd_type hd_type_float(hd_context *context, hd_float_kind kind) {
  START(context, HD_TYPE_FLOAT);
  hd_key_u64(&key, kind);
  RETURN_FOUND();
  return finish(&key, (struct hd_type_storage){.float_kind = kind});
}

hd_type hd_type_function(hd_context *context, const hd_type *ins, size_t in_count, const hd_type *outs,
                         size_t out_count) {
  START(context, HD_TYPE_FUNCTION);
  hd_key_u64(&key, in_count);
  hd_key_put(&key, ins, in_count * sizeof *ins);
  hd_key_put(&key, outs, out_count * sizeof *outs);
  RETURN_FOUND();
  return finish(&key, (struct hd_type_storage){.function = {(uint32_t)in_count, (uint32_t)out_count,
                                                            hd_key_copy(&key, ins, in_count * sizeof *ins),
                                                            hd_key_copy(&key, outs, out_count * sizeof *outs)}});
}

hd_type hd_type_tuple(hd_context *context, const hd_type *elements, size_t count) {
  START(context, HD_TYPE_TUPLE);
  hd_key_put(&key, elements, count * sizeof *elements);
  RETURN_FOUND();
  return finish(&key,
                (struct hd_type_storage){
                    .function = {(uint32_t)count, 0, hd_key_copy(&key, elements, count * sizeof *elements), NULL}});
}

static hd_type shaped(hd_type_kind kind, hd_type element, const int64_t *dims, size_t rank, const bool *scalable,
                      hd_attr encoding, hd_attr layout, hd_attr space) {
  START(element->context, kind);
  bool any_scalable = false;
  for (size_t i = 0; scalable && i < rank; ++i) any_scalable |= scalable[i];
  hd_key_ptr(&key, element);
  hd_key_ptr(&key, encoding);
  hd_key_ptr(&key, layout);
  hd_key_ptr(&key, space);
  hd_key_u64(&key, any_scalable);
  hd_key_put(&key, dims, rank * sizeof *dims);
  if (any_scalable) hd_key_put(&key, scalable, rank);
  RETURN_FOUND();
  return finish(&key, (struct hd_type_storage){.shaped = {
                                                   .element = element,
                                                   .rank = (uint32_t)rank,
                                                   .dims = hd_key_copy(&key, dims, rank * sizeof *dims),
                                                   .scalable = any_scalable ? hd_key_copy(&key, scalable, rank) : NULL,
                                                   .encoding = encoding,
                                                   .layout = layout,
                                                   .space = space,
                                               }});
}

hd_type hd_type_complex(hd_type element) { return shaped(HD_TYPE_COMPLEX, element, NULL, 0, NULL, NULL, NULL, NULL); }
hd_type hd_type_vector(hd_type element, const int64_t *dims, size_t rank, const bool *scalable) {
  return shaped(HD_TYPE_VECTOR, element, dims, rank, scalable, NULL, NULL, NULL);
}
hd_type hd_type_tensor(hd_type element, const int64_t *dims, size_t rank, hd_attr encoding) {
  return shaped(HD_TYPE_TENSOR, element, dims, rank, NULL, encoding, NULL, NULL);
}
hd_type hd_type_unranked_tensor(hd_type element) {
  return shaped(HD_TYPE_UNRANKED_TENSOR, element, NULL, 0, NULL, NULL, NULL, NULL);
}
hd_type hd_type_memref(hd_type element, const int64_t *dims, size_t rank, hd_attr layout, hd_attr space) {
  return shaped(HD_TYPE_MEMREF, element, dims, rank, NULL, NULL, layout, space);
}
hd_type hd_type_unranked_memref(hd_type element, hd_attr space) {
  return shaped(HD_TYPE_UNRANKED_MEMREF, element, NULL, 0, NULL, NULL, NULL, space);
}

hd_type hd_type_quant(hd_context *context, const struct hd_type_storage *storage) {
  START(context, HD_TYPE_QUANT);
  struct hd_type_storage made = *storage;
  hd_key_u64(&key, made.quant.is_signed);
  hd_key_u64(&key, made.quant.per_axis);
  hd_key_ptr(&key, made.quant.storage);
  hd_key_ptr(&key, made.quant.expressed);
  hd_key_u64(&key, (uint64_t)made.quant.storage_min);
  hd_key_u64(&key, (uint64_t)made.quant.storage_max);
  hd_key_u64(&key, (uint64_t)(int64_t)made.quant.axis);
  hd_key_u64(&key, made.quant.count);
  hd_key_u64(&key, made.quant.block_rank);
  hd_key_u64(&key, made.quant.scale_rank);
  size_t count = made.quant.count, blocks = made.quant.block_rank, scale_rank = made.quant.scale_rank;
  hd_key_put(&key, made.quant.scales, count * sizeof(double));
  hd_key_put(&key, made.quant.zero_points, count * sizeof(int64_t));
  hd_key_put(&key, made.quant.block_axes, blocks * sizeof(int64_t));
  hd_key_put(&key, made.quant.block_sizes, blocks * sizeof(int64_t));
  hd_key_put(&key, made.quant.scale_dims, scale_rank * sizeof(int64_t));
  RETURN_FOUND();
  made.quant.scales = hd_key_copy(&key, made.quant.scales, count * sizeof(double));
  made.quant.zero_points = hd_key_copy(&key, made.quant.zero_points, count * sizeof(int64_t));
  made.quant.block_axes = hd_key_copy(&key, made.quant.block_axes, blocks * sizeof(int64_t));
  made.quant.block_sizes = hd_key_copy(&key, made.quant.block_sizes, blocks * sizeof(int64_t));
  made.quant.scale_dims = hd_key_copy(&key, made.quant.scale_dims, scale_rank * sizeof(int64_t));
  return finish(&key, made);
}

hd_type hd_type_dialect(hd_context *context, int row, const hd_attr *params, size_t count) {
  START(context, HD_TYPE_DIALECT);
  hd_key_u64(&key, (uint64_t)row);
  hd_key_put(&key, params, count * sizeof *params);
  RETURN_FOUND();
  return finish(&key, (struct hd_type_storage){
                          .dialect = {row, (uint32_t)count, hd_key_copy(&key, params, count * sizeof *params)}});
}

hd_type hd_type_opaque(hd_context *context, hd_str dialect, hd_str text) {
  START(context, HD_TYPE_OPAQUE);
  hd_ident d = hd_ident_get(context, dialect), t = hd_ident_get(context, text);
  hd_key_ptr(&key, d);
  hd_key_ptr(&key, t);
  RETURN_FOUND();
  return finish(&key, (struct hd_type_storage){.opaque = {d, t}});
}

bool hd_type_is_shaped(hd_type type) {
  return type && (type->kind == HD_TYPE_TENSOR || type->kind == HD_TYPE_MEMREF || type->kind == HD_TYPE_VECTOR ||
                  type->kind == HD_TYPE_UNRANKED_TENSOR || type->kind == HD_TYPE_UNRANKED_MEMREF);
}

bool hd_type_has_rank(hd_type type) {
  return type && (type->kind == HD_TYPE_TENSOR || type->kind == HD_TYPE_MEMREF || type->kind == HD_TYPE_VECTOR);
}

hd_type hd_type_element(hd_type type) { return hd_type_is_shaped(type) ? type->shaped.element : type; }

bool hd_type_is_static(hd_type type) {
  if (!hd_type_has_rank(type)) return false;
  for (uint32_t i = 0; i < type->shaped.rank; ++i)
    if (type->shaped.dims[i] == HD_DYNAMIC) return false;
  return true;
}

int64_t hd_type_num_elements(hd_type type) {
  if (!hd_type_is_static(type)) return -1;
  int64_t count = 1;
  bool zero = false, overflow = false;
  for (uint32_t i = 0; i < type->shaped.rank; ++i) {
    zero |= type->shaped.dims[i] == 0;
    overflow |= __builtin_mul_overflow(count, type->shaped.dims[i], &count);
  }
  if (zero) return 0;
  return overflow ? -1 : count;
}

hd_type hd_type_with_dims(hd_type type, const int64_t *dims, size_t rank) {
  HD_ASSERT(hd_type_is_shaped(type));
  hd_type_kind kind = type->kind == HD_TYPE_UNRANKED_TENSOR   ? HD_TYPE_TENSOR
                      : type->kind == HD_TYPE_UNRANKED_MEMREF ? HD_TYPE_MEMREF
                                                              : type->kind;
  return shaped(kind, type->shaped.element, dims, rank, rank == type->shaped.rank ? type->shaped.scalable : NULL,
                type->shaped.encoding, type->shaped.layout, type->shaped.space);
}

uint32_t hd_type_leaves(hd_type type, hd_type *out) {
  if (!hd_type_is(type, HD_TYPE_TUPLE)) {
    if (out) *out = type;
    return 1;
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < type->function.in_count; ++i)
    count += hd_type_leaves(type->function.ins[i], out ? out + count : NULL);
  return count;
}

hd_type hd_type_with_element(hd_type type, hd_type element) {
  if (!hd_type_is_shaped(type)) return element;
  return shaped(type->kind, element, type->shaped.dims, type->shaped.rank, type->shaped.scalable, type->shaped.encoding,
                type->shaped.layout, type->shaped.space);
}

uint32_t hd_type_bits(hd_type element) {
  switch (element->kind) {
    case HD_TYPE_INTEGER:
      return element->integer.width;
    case HD_TYPE_INDEX:
      return 64;
    case HD_TYPE_FLOAT:
      return (uint32_t)hd_float_formats[element->float_kind].bits;
    case HD_TYPE_COMPLEX:
      return 2 * hd_type_bits(element->shaped.element);
    case HD_TYPE_QUANT:
      return hd_type_bits(element->quant.storage);
    default:
      return 0;
  }
}
