/* SPDX-License-Identifier: Apache-2.0 */
/* disc-hlo-legalize-to-lhlo: tensors become memrefs, graph ops buffer ops that write their results.
 *
 *   %2 = stablehlo.add %0, %1 : tensor<?x8xf32>
 *   ->
 *   %b = memref.dim %0, 0
 *   %2 = memref.alloc(%b) : memref<?x8xf32>
 *   "lmhlo.add"(%0, %1, %2)
 *
 * Requires one function of one block, without calls. Dims are written as host arithmetic on the arguments' dims, equal
 * dims as one value. Ops that only compute shapes are gone with the operands that they gave; slices and pads with
 * run-time bounds get them as index operands after the buffers. Constants that are no splats stay lmhlo.constant.
 * An op's own form is analysis/buffer_form.h's. Control flow becomes scf (legalize_control_flow.c). Shape assertions
 * are dropped here: the entry's constraints hold them (driver/entry.c), as they hold what ops demand of the arguments'
 * dims, and hd.constraint says what follows from them; other demands become checks (legalize_checks.c). */
#include <inttypes.h>
#include <string.h>

#include "analysis/buffer_form.h"
#include "base/limits.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"
#include "passes/analyses.h"
#include "passes/buffer/legalizer.h"
#include "shape/annotate.h"

static hd_type memref_of(hd_type tensor) {
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

static bool is_assertion(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_custom_call) &&
         hd_str_is(hd_stablehlo_custom_call_call_target_name(op), "shape_assertion");
}

static bool is_on_device(const hd_op *op) {
  hd_attr places = hd_placement_entries(op);
  return hd_attr_is(places, HD_ATTR_ARRAY) && places->array.count &&
         hd_placement_of_attr(places->array.items[0]) == HD_PLACEMENT_DEVICE;
}

/* Integers that follow from dims: they are written from their expressions, by the host, so not
 * into memory of the device. */
static bool is_known(hd_legalizer *ctx, hd_op *op) {
  if (is_on_device(op)) return false;
  if (op->result_count != 1 || hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE)) || op->region_count) return false;
  if (!hd_type_has_rank(hd_result_type(op, 0)) || hd_type_rank(hd_result_type(op, 0)) > 1) return false;
  if (hd_shapes_may_wrap(ctx->shapes, hd_result(op, 0))) return false;
  const hd_value_shape *shape = hd_shapes_get(ctx->shapes, hd_result(op, 0));
  bool symbolic = false;
  for (uint32_t e = 0; e < shape->element_count; ++e) {
    hd_dim element = hd_shapes_element(ctx->shapes, hd_result(op, 0), e);
    bool reads = hd_dim_reads_elements(element) && !hd_op_is(op, HD_OP_stablehlo_get_dimension_size);
    if (!element || reads) return false;
    symbolic = true;
  }
  return symbolic;
}

/* Are all elements of a shape operand known as expressions? */
static bool elements_known(hd_legalizer *ctx, hd_value *value) {
  const hd_value_shape *shape = hd_shapes_get(ctx->shapes, value);
  for (uint32_t e = 0; e < shape->element_count; ++e)
    if (!hd_shapes_element(ctx->shapes, value, e)) return false;
  return shape->element_count > 0 || hd_type_num_elements(value->type) == 0;
}

typedef struct needed_ops {
  hd_legalizer *ctx;
  hd_vec(hd_op *) pending;
} needed_ops;

static void push_needed_op(needed_ops *needed, hd_op *op) {
  hd_legalizer *ctx = needed->ctx;
  if (!op || hd_map_get(&ctx->needed, op)) return;
  hd_map_set(&ctx->pass->arena, &ctx->needed, op, op);
  hd_vec_push(&ctx->pass->arena, &needed->pending, op);
}

static void push_needed(void *user, hd_value *value) { push_needed_op(user, hd_value_op(value)); }

static void push_needed_origin(void *user, const hd_symbol_origin *origin) { push_needed(user, origin->value); }

/* The elements of |value| are written from their expressions; what those read must be in memory. */
static void push_needed_elements(needed_ops *needed, hd_value *value) {
  hd_shapes *shapes = needed->ctx->shapes;
  uint32_t count = hd_shapes_get(shapes, value)->element_count;
  for (uint32_t e = 0; e < count; ++e)
    hd_dim_visit_symbols(hd_shapes_element(shapes, value, e), push_needed_origin, needed);
}

/* Marks |op| and what it is computed from. A stack of our own: chains are as long as the program. */
static void need_op(hd_legalizer *ctx, hd_op *first) {
  needed_ops needed = {.ctx = ctx};
  push_needed_op(&needed, first);
  while (needed.pending.len) {
    hd_op *op = needed.pending.data[--needed.pending.len];
    if (is_known(ctx, op)) {
      push_needed_elements(&needed, hd_result(op, 0));
      continue;
    }
    for (uint32_t i = 0; i < op->operand_count; ++i)
      if (hd_op_is_shape_operand(op, i) && elements_known(ctx, hd_operand(op, i)))
        push_needed_elements(&needed, hd_operand(op, i));
      else
        push_needed(&needed, hd_operand(op, i));
    if (hd_has_element_regions(op)) {
      hd_captures captures = {0};
      hd_captures_find(op, &ctx->pass->arena, &captures);
      for (size_t i = 0; i < captures.len; ++i) push_needed(&needed, captures.data[i]);
      continue;
    }
    for (uint32_t r = 0; r < op->region_count; ++r)
      hd_for_each_block(block, hd_op_region(op, r))
        hd_for_each_op(inner, block) {
          bool root = hd_op_has_trait(inner, HD_TRAIT(TERMINATOR)) || !hd_op_is_pure(inner);
          if (!root || is_assertion(inner)) continue;
          push_needed_op(&needed, inner);
        }
  }
}

static void need(hd_legalizer *ctx, hd_value *value) { need_op(ctx, hd_value_op(value)); }

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
  hd_type type = memref_of(tensor->type);
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

/* A terminator's operand is its buffer already once the block is lowered. */
hd_value *hd_legalize_buffer(hd_legalizer *ctx, hd_value *value) {
  return hd_type_is(value->type, HD_TYPE_MEMREF) ? value : hd_map_get(&ctx->buffers, value);
}

/* Element |i| of shape operand |operand| as a host index. */
static hd_value *shape_element(hd_legalizer *ctx, hd_op *op, uint32_t operand, uint32_t i) {
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

/* A dim that only the run tells is read from the buffer. */
static bool lower_dimension_size(hd_legalizer *ctx, hd_op *op) {
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

/* Integers that follow from dims: host arithmetic, stored. */
static bool lower_known(hd_legalizer *ctx, hd_op *op) {
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

static bool add_scalars(hd_legalizer *ctx, hd_op *op, uint32_t first, uint32_t last, uint32_t each, hd_value **operands,
                        size_t *count) {
  for (uint32_t o = first; o <= last; ++o)
    for (uint32_t i = 0; i < each; ++i) {
      hd_value *value = shape_element(ctx, op, o, i);
      if (!value) return false;
      operands[(*count)++] = value;
    }
  return true;
}

/* What should have run before: the pass that leaves no such op. */
static bool has_no_buffer_form(hd_op *op) {
  hd_str name = hd_ident_str(op->name);
  if (hd_op_is(op, HD_OP_chlo_minimum_broadcast_shapes)) return hd_op_error(op, "has no compiled path");
  const char *pass = hd_op_has_trait(op, HD_TRAIT(CALL_LIKE)) || hd_op_is(op, HD_OP_stablehlo_composite) ? "inline"
                     : hd_str_starts(name, "chlo.")      ? "chlo-legalize-to-stablehlo"
                     : hd_str_starts(name, "stablehlo.") ? "hlo-expand"
                     : hd_op_is(op, HD_OP_mhlo_fusion)   ? "hlo-expand"
                                                         : NULL;
  if (!pass) return hd_op_error(op, "has no buffer form: disc-hlo-legalize-to-lhlo takes graph ops on tensors");
  return hd_op_error(op, "has no buffer form: run %s before disc-hlo-legalize-to-lhlo", pass);
}

/* "4x?x8". */
static const char *dims_text(hd_arena *arena, hd_type type) {
  hd_strbuf text;
  hd_strbuf_init(&text, arena);
  for (uint32_t d = 0; d < type->shaped.rank; ++d)
    if (type->shaped.dims[d] == HD_DYNAMIC)
      hd_strbuf_puts(&text, d ? "x?" : "?");
    else
      hd_strbuf_printf(&text, "%s%" PRId64, d ? "x" : "", type->shaped.dims[d]);
  return hd_strbuf_text(&text);
}

/* May a tensor of |type| be walked: is its rank what kernels have, and can it are in memory (HD_MAX_EXTENT)? A
 * kernel that reads more without memory would not end. A tensor without elements is anywhere, but its strides are
 * computed too. */
static bool check_extent(hd_arena *scratch, hd_op *op, const char *what, uint32_t i, hd_type type) {
  if (!hd_type_has_rank(type)) return true;
  if (type->shaped.rank > HD_MAX_RANK)
    return hd_op_error(op, "%s #%u has rank %u, expected %d at most", what, i, type->shaped.rank, (int)HD_MAX_RANK);
  int64_t count = 1, bytes = (int64_t)hd_type_element_bytes(hd_type_element(type));
  bool fits = true, empty = false;
  for (uint32_t d = 0; d < type->shaped.rank; ++d) {
    int64_t size = type->shaped.dims[d];
    empty |= size == 0;
    if (size > 0 && fits) fits = !__builtin_mul_overflow(count, size, &count);
  }
  if (fits && empty) return true;
  if (!fits && empty)
    return hd_op_error(op, "%s #%u has more than 2^63 elements, dims of 0 left out: %s", what, i,
                       dims_text(scratch, type));
  return (fits && !__builtin_mul_overflow(count, bytes, &bytes) && bytes <= HD_MAX_EXTENT) ||
         hd_op_error(op, "%s #%u has more than 2^%d bytes: %s", what, i, HD_ADDRESS_BITS, dims_text(scratch, type));
}

static bool lower_op(hd_legalizer *ctx, hd_op *op) {
  hd_opcode opcode = hd_opcode_get(op);
  hd_buffer_form form;
  if (!hd_buffer_form_of(op, &ctx->pass->arena, &form)) return has_no_buffer_form(op);
  if (hd_op_broadcasts_implicitly(op))
    return hd_op_error(op, "broadcasts implicitly: run disc-broadcast-simplifier before disc-hlo-legalize-to-lhlo");
  hd_builder b = hd_builder_before(op);
  if (op->block == ctx->entry) *ctx->host = b;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_type_is(hd_result_type(op, i), HD_TYPE_TUPLE))
      return hd_op_error(op, "has a tuple as its result: run hlo-expand before disc-hlo-legalize-to-lhlo");
    else if (hd_result_type(op, i)->kind != HD_TYPE_TENSOR)
      return hd_op_error(op, "has a result that is no ranked tensor, which has no compiled path");
    else if (!check_extent(&ctx->pass->arena, op, "result", i, hd_result_type(op, i)))
      return false;
  uint32_t rank =
      op->operand_count && hd_type_has_rank(hd_operand_type(op, 0)) ? hd_type_rank(hd_operand_type(op, 0)) : 0;
  size_t input_count = form.inputs.len, first_capture = input_count - form.captures.len, count = 0;
  hd_value **operands =
      hd_new_array(&ctx->pass->arena, hd_value *, input_count + op->result_count + 3 * (size_t)rank + 16);
  for (size_t i = 0; i < input_count; ++i) {
    operands[count] = hd_legalize_buffer(ctx, form.inputs.data[i]);
    if (operands[count++]) continue;
    return hd_op_error(op, i < first_capture ? "has an operand that is no tensor, which has no compiled path"
                                             : "uses a value that is no tensor, which has no compiled path");
  }
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *buffer = hd_legalize_alloc(ctx, &b, hd_result(op, i), op);
    if (!buffer) return false;
    hd_map_set(&ctx->pass->arena, &ctx->buffers, hd_result(op, i), buffer);
    operands[count++] = buffer;
  }
  if (opcode == HD_OP_stablehlo_real_dynamic_slice) { /* starts, then strides */
    if (!add_scalars(ctx, op, 1, 1, rank, operands, &count) || !add_scalars(ctx, op, 3, 3, rank, operands, &count))
      return false;
  } else if (opcode == HD_OP_stablehlo_dynamic_pad) {
    if (!add_scalars(ctx, op, 2, 4, rank, operands, &count)) return false;
  } else if (opcode == HD_OP_stablehlo_dynamic_conv && rank > 2) {
    if (!add_scalars(ctx, op, 2, 2, 2 * (rank - 2), operands, &count)) return false;
  }
  hd_buffer_form_build(&form, &b, op, &ctx->pass->arena, operands, count);
  return true;
}

/* What this pass writes: a program has no such ops before, for they would be taken as they are, and read and write any
 * memory. */
static bool is_host(const hd_op *op) {
  hd_str name = hd_ident_str(op->name);
  return hd_str_starts(name, "memref.") || hd_str_starts(name, "arith.") || hd_str_starts(name, "scf.") ||
         hd_str_is(name, "hd.ral_call");
}

static bool check_no_host(const hd_legalizer *ctx) {
  bool ok = true;
  for (size_t i = 0; i < ctx->needed.len; ++i) {
    hd_op *op = ctx->needed.entries[i].value.ptr;
    if (is_host(op)) ok = has_no_buffer_form(op);
  }
  return ok;
}

static bool is_branch(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_if) || hd_op_is(op, HD_OP_stablehlo_case);
}

bool hd_legalize_block(hd_legalizer *ctx, hd_block *block) {
  for (hd_op *op = block->first, *next; op; op = next) {
    next = op->next;
    if (!hd_legalize_checks(ctx, op)) return false;
    if (op->info->derived_from || hd_op_has_trait(op, HD_TRAIT(TERMINATOR)) || !hd_map_get(&ctx->needed, op)) continue;
    if (is_host(op)) continue;
    bool known = is_known(ctx, op);
    bool reads_dim = hd_op_is(op, HD_OP_stablehlo_get_dimension_size) && !is_on_device(op);
    bool ok = known                                   ? lower_known(ctx, op)
              : reads_dim                             ? lower_dimension_size(ctx, op)
              : hd_op_is(op, HD_OP_stablehlo_while)   ? hd_legalize_while(ctx, op)
              : is_branch(op)                         ? hd_legalize_branches(ctx, op)
              : hd_op_is(op, HD_OP_interpreter_print) ? hd_legalize_print(ctx, op)
                                                      : lower_op(ctx, op);
    if (!ok) return false;
  }
  /* The graph ops are gone from the last to the first. */
  for (hd_op *op = block->last, *previous; op; op = previous) {
    previous = op->prev;
    if (op->info->derived_from || hd_op_has_trait(op, HD_TRAIT(TERMINATOR)) || is_host(op)) continue;
    bool used = false;
    for (uint32_t i = 0; i < op->result_count; ++i) {
      hd_for_each_use(use, hd_result(op, i))
        used |= !hd_op_has_trait(use->owner, HD_TRAIT(TERMINATOR)) && use->owner->block;
    }
    if (used) continue;
    for (uint32_t i = 0; i < op->result_count; ++i) {
      hd_value *buffer = hd_legalize_buffer(ctx, hd_result(op, i));
      if (buffer) hd_value_replace_uses(hd_result(op, i), buffer);
    }
    hd_op_erase(op);
  }
  return true;
}

/* What the program asserts of the arguments' dims, which nothing says any more once the assertions are gone. */
static void keep_asserted(hd_shapes *shapes) {
  if (!shapes->assertions.len) return;
  hd_shapes_name_arguments(shapes);
  (void)hd_shapes_write_constraints(shapes, true);
}

bool hd_pass_hlo_legalize_to_lhlo(hd_pass *pass, hd_op *func) {
  hd_region *region = hd_op_region(func, 0);
  if (region->first->next)
    return hd_op_error(func, "has more than one block: disc-hlo-legalize-to-lhlo expects structured control flow");
  if (!hd_placement_is_complete(func)) return false;
  hd_builder host;
  hd_legalizer ctx = {
      .pass = pass, .shapes = hd_pass_shapes(pass, func), .func = func, .entry = region->first, .host = &host};
  hd_messages_begin(&ctx.messages, pass, func);
  if (!hd_shapes_check_constraints(ctx.shapes)) return false;
  hd_block *entry = region->first;
  host = hd_builder_at_start(pass->module, entry);
  hd_op *ret = entry->last;
  for (uint32_t i = 0; i < ret->operand_count; ++i) need(&ctx, hd_operand(ret, i));
  hd_legalize_find_checks(&ctx, need);
  hd_for_each_op(op, entry) {
    if (hd_op_is_pure(op) || is_assertion(op) || op == ret) continue;
    need_op(&ctx, op);
  }
  if (!check_no_host(&ctx)) return false;
  for (uint32_t i = 0; i < entry->arg_count; ++i)
    if (!check_extent(&pass->arena, func, "argument", i, entry->args[i]->type)) return false;
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    if (hd_type_is(entry->args[i]->type, HD_TYPE_MEMREF))
      return hd_op_error(func, "argument #%u is a buffer: disc-hlo-legalize-to-lhlo expects tensors", i);
    if (entry->args[i]->type->kind != HD_TYPE_TENSOR)
      return hd_op_error(func, "argument %u is no ranked tensor, which has no compiled path", i);
    hd_map_set(&pass->arena, &ctx.buffers, entry->args[i], entry->args[i]);
  }
  /* Arguments change their types last, since shapes are asked by tensor; their memrefs are the same values. */
  hd_type *ins = hd_new_array(&pass->arena, hd_type, entry->arg_count),
          *outs = hd_new_array(&pass->arena, hd_type, ret->operand_count);
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    ins[i] = memref_of(entry->args[i]->type);
    hd_shapes_get(ctx.shapes, entry->args[i]);
    entry->args[i]->type = ins[i];
  }
  keep_asserted(ctx.shapes);
  if (!hd_legalize_block(&ctx, entry)) return false;
  for (uint32_t i = 0; i < ret->operand_count; ++i) outs[i] = hd_operand_type(ret, i);
  hd_function_like_set_function_type(
      func, hd_attr_type(hd_type_function(pass->context, ins, entry->arg_count, outs, ret->operand_count)));
  hd_messages_end(&ctx.messages);
  pass->changed = true;
  return true;
}
