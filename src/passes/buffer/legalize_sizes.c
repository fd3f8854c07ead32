/* SPDX-License-Identifier: Apache-2.0 */
/* disc-hlo-legalize-to-lhlo: sizes as host arithmetic, and the buffers that are allocated by them. Equal sizes are one
 * value: in the entry block each is written once, in other blocks once a block. */
#include "ir/ops/stablehlo.h"
#include "passes/buffer/legalizer.h"

hd_type hd_legalize_memref(hd_type tensor) {
  return hd_type_memref(tensor->shaped.element, tensor->shaped.dims, tensor->shaped.rank, NULL, NULL);
}

hd_value *hd_legalize_load(hd_legalizer *ctx, hd_builder *b, hd_value *buffer, uint32_t i) {
  const void *key[3] = {buffer, b->block, (const void *)(uintptr_t)i};
  hd_map_entry *entry = hd_map_insert_bytes(&ctx->pass->arena, &ctx->loaded, key, sizeof key, NULL);
  if (entry->value.ptr) return entry->value.ptr;
  hd_type element = hd_type_element(buffer->type), index = hd_type_index(b->context);
  hd_value *operands[3] = {buffer, NULL, NULL};
  size_t count = 1;
  if (hd_type_rank(buffer->type) == 1) operands[count++] = hd_build_index(b, i);
  if (hd_type_rank(buffer->type) == 2) {
    operands[count++] = hd_build_index(b, i / 2);
    operands[count++] = hd_build_index(b, i % 2);
  }
  hd_value *loaded = hd_build_one_(b, HD_OP_memref_load, element, operands, count, NULL, 0);
  entry->value.ptr = loaded;
  if (element->kind == HD_TYPE_INDEX) return loaded;
  bool no_sign = element->integer.signedness == HD_UNSIGNED || element->integer.width == 1;
  entry->value.ptr = hd_build(b, no_sign ? HD_OP_arith_index_castui : HD_OP_arith_index_cast, index, loaded);
  return entry->value.ptr;
}

/* What is seen in the entry block is written once, before its current op; what reads an element of a buffer, or is a
 * dim of what a loop or a branch carries inside, where it is used: before |z->here|. */
static hd_value *symbol_value(void *user, const hd_atom *symbol) {
  hd_legalizer *ctx = user;
  const hd_symbol_origin *origin = symbol->origin;
  hd_value *buffer = hd_map_get(&ctx->buffers, origin->value);
  if (!buffer) return NULL;
  if (origin->kind == HD_SYMBOL_ELEMENT) return hd_legalize_load(ctx, ctx->here, buffer, origin->index);
  hd_builder *b = ctx->here && hd_value_block(origin->value) != ctx->entry ? ctx->here : ctx->host;
  hd_map_entry *entry = b == ctx->host ? hd_map_insert(&ctx->pass->arena, &ctx->dims, symbol, NULL) : NULL;
  if (entry && entry->value.ptr) return entry->value.ptr;
  hd_type index = hd_type_index(ctx->pass->context);
  hd_value *dim = hd_build(b, HD_OP_memref_dim, index, buffer, hd_build_index(b, origin->index));
  dim = hd_symbol_from_dim(b, origin, dim);
  if (entry) entry->value.ptr = dim;
  return dim;
}

typedef struct place {
  const hd_legalizer *ctx;
  bool local;
} place;

static void find_local(void *user, const hd_symbol_origin *origin) {
  place *p = user;
  p->local |= origin->kind == HD_SYMBOL_ELEMENT || hd_value_block(origin->value) != p->ctx->entry;
}

static hd_map *dims_of_block(hd_legalizer *ctx, hd_block *block) {
  hd_map_entry *entry = hd_map_insert(&ctx->pass->arena, &ctx->block_dims, block, NULL);
  if (!entry->value.ptr) entry->value.ptr = hd_new(&ctx->pass->arena, hd_map);
  return entry->value.ptr;
}

static hd_value *write_dim(hd_legalizer *ctx, hd_op *op, hd_dim dim) {
  hd_value *value = NULL;
  place at = {ctx, false};
  if (dim && dim->data_dependent) hd_dim_visit_symbols(dim, find_local, &at);
  if (at.local) {
    hd_builder here = hd_builder_before(op);
    ctx->here = &here;
    value = hd_dim_materialize(ctx->shapes, &here, dim, dims_of_block(ctx, op->block), symbol_value, ctx);
    ctx->here = NULL;
  } else if (dim) {
    value = hd_dim_materialize(ctx->shapes, ctx->host, dim, &ctx->dims, symbol_value, ctx);
  }
  if (!value) hd_op_error(op, "has a size that is computed after it is needed");
  return value;
}

/* The symbol that is dim |d| of |tensor|, the result of a concatenation along it, where the sum of its parts is more
 * than an expression holds; null otherwise. */
static const hd_atom *joined_dim(hd_value *tensor, uint32_t d, hd_dim dim) {
  hd_op *op = hd_value_op(tensor);
  if (!hd_op_is(op, HD_OP_stablehlo_concatenate) || hd_stablehlo_concatenate_dimension(op) != d) return NULL;
  const hd_atom *atom = dim && dim->term_count && dim->terms[0].atom_count ? dim->terms[0].atoms[0] : NULL;
  const hd_symbol_origin *origin = atom && atom->alone == dim && atom->kind == HD_ATOM_SYMBOL ? atom->origin : NULL;
  bool own = origin && origin->kind == HD_SYMBOL_DIM && origin->value == tensor && origin->index == d;
  return own ? atom : NULL;
}

/* That sum, added up before |op|; what asks for the symbol later gets it too, not a dim of the buffer, which no op that
 * is fused with this one could be allocated by. */
static hd_value *write_joined_dim(hd_legalizer *ctx, hd_op *op, uint32_t axis, const hd_atom *symbol) {
  hd_value *total = NULL;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *size = write_dim(ctx, op, hd_shapes_dim(ctx->shapes, hd_operand(op, i), axis));
    if (!size) return NULL;
    hd_builder here = hd_builder_before(op);
    total = total ? hd_build_binary(op->block == ctx->entry ? ctx->host : &here, HD_OP_arith_addi, total, size) : size;
  }
  hd_map_set(&ctx->pass->arena, op->block == ctx->entry ? &ctx->dims : dims_of_block(ctx, op->block), symbol, total);
  return total;
}

hd_value *hd_legalize_alloc(hd_legalizer *ctx, hd_builder *b, hd_value *tensor, hd_op *op) {
  return hd_legalize_alloc_like(ctx, b, hd_legalize_type(ctx, tensor), tensor, op);
}

hd_type hd_legalize_type(hd_legalizer *ctx, hd_value *tensor) {
  hd_type type = hd_legalize_memref(tensor->type);
  int64_t *dims = hd_new_array(&ctx->pass->arena, int64_t, hd_type_rank(type));
  for (uint32_t d = 0; d < hd_type_rank(type); ++d)
    if (!hd_dim_is_const(&ctx->shapes->table, hd_shapes_dim(ctx->shapes, tensor, d), &dims[d])) dims[d] = HD_DYNAMIC;
  return hd_type_with_dims(type, dims, hd_type_rank(type)); /* what was found constant becomes so */
}

hd_value *hd_legalize_alloc_like(hd_legalizer *ctx, hd_builder *b, hd_type type, hd_value *tensor, hd_op *op) {
  hd_value **sizes = hd_new_array(&ctx->pass->arena, hd_value *, hd_type_rank(type));
  size_t count = 0;
  for (uint32_t d = 0; d < hd_type_rank(type); ++d) {
    if (hd_type_dim(type, d) != HD_DYNAMIC) continue;
    hd_dim dim = hd_shapes_dim(ctx->shapes, tensor, d);
    const hd_atom *joined = joined_dim(tensor, d, dim);
    sizes[count] = joined ? write_joined_dim(ctx, hd_value_op(tensor), d, joined) : write_dim(ctx, op, dim);
    if (!sizes[count++]) return NULL;
  }
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes,
                          hd_attr_i32_array(b->context, (int32_t[]){(int32_t)count, 0}, 2)};
  return hd_build_one_(b, HD_OP_memref_alloc, type, sizes, count, &segments, 1);
}

hd_value *hd_legalize_buffer(hd_legalizer *ctx, hd_value *value) {
  return hd_type_is(value->type, HD_TYPE_MEMREF) ? value : hd_map_get(&ctx->buffers, value);
}

hd_value *hd_legalize_shape_element(hd_legalizer *ctx, hd_op *op, uint32_t operand, uint32_t i) {
  hd_dim known = hd_shapes_element(ctx->shapes, hd_operand(op, operand), i);
  hd_value *buffer = known ? NULL : hd_legalize_buffer(ctx, hd_operand(op, operand));
  if (!buffer) return write_dim(ctx, op, known);
  hd_builder here = hd_builder_before(op);
  return hd_legalize_load(ctx, &here, buffer, i);
}

/* Stores the index |value| as element |e| of an integer |buffer| of rank 0 or 1. */
static void store_integer(hd_builder *b, hd_value *buffer, uint32_t e, hd_value *value) {
  hd_type element = hd_type_element(buffer->type);
  hd_type signless =
      element->kind == HD_TYPE_INTEGER ? hd_type_integer(b->context, element->integer.width, HD_SIGNLESS) : element;
  if (element->kind != HD_TYPE_INDEX) value = hd_build(b, HD_OP_arith_index_cast, signless, value);
  if (element != signless) value = hd_build(b, HD_OP_builtin_unrealized_conversion_cast, element, value);
  hd_value *operands[3] = {value, buffer, NULL};
  size_t count = 2;
  if (hd_type_rank(buffer->type) == 1) operands[count++] = hd_build_index(b, e);
  hd_build_op(b, HD_OP_memref_store, operands, count, NULL, 0, NULL, 0, 0);
}

bool hd_legalize_dimension_size(hd_legalizer *ctx, hd_op *op) {
  hd_builder b = hd_builder_before(op);
  if (op->block == ctx->entry) *ctx->host = b;
  hd_value *from = hd_legalize_buffer(ctx, hd_operand(op, 0)),
           *buffer = hd_legalize_alloc(ctx, &b, hd_result(op, 0), op);
  if (!from) return hd_op_error(op, "has an operand that is no tensor, which has no compiled path");
  if (!buffer) return false;
  hd_value *at = hd_build_index(&b, hd_stablehlo_get_dimension_size_dimension(op));
  store_integer(&b, buffer, 0, hd_build(&b, HD_OP_memref_dim, hd_type_index(b.context), from, at));
  hd_map_set(&ctx->pass->arena, &ctx->buffers, hd_result(op, 0), buffer);
  return true;
}

bool hd_legalize_known(hd_legalizer *ctx, hd_op *op) {
  hd_builder b = hd_builder_before(op);
  if (op->block == ctx->entry) *ctx->host = b;
  hd_value *buffer = hd_legalize_alloc(ctx, &b, hd_result(op, 0), op);
  if (!buffer) return false;
  const hd_value_shape *shape = hd_shapes_get(ctx->shapes, hd_result(op, 0));
  for (uint32_t e = 0; e < shape->element_count; ++e) {
    hd_value *value = write_dim(ctx, op, hd_shapes_element(ctx->shapes, hd_result(op, 0), e));
    if (!value) return false;
    store_integer(&b, buffer, e, value);
  }
  hd_map_set(&ctx->pass->arena, &ctx->buffers, hd_result(op, 0), buffer);
  return true;
}
