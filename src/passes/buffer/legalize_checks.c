/* SPDX-License-Identifier: Apache-2.0 */
/* Guards that the entry cannot check, since they are about sizes that only the run knows or ops that may not run,
 * become calls before their op:
 *
 *   stablehlo.real_dynamic_slice %x, %start, %limit, %stride   ->   %l = memref.load %limit[0], %d = memref.dim %x, 0
 *                                                                   hd.ral_call "ral_check..."(1, %l, %d, message)
 *
 * What a region on elements demands is checked before the op that it is a region of, when that has elements.
 *
 * A check that fails ends the run. Its messages are in hd.messages of the function. Sizes are read as they are, not
 * as the equalities that the guards themselves gave say. */
#include "ir/ops/arith.h"
#include "passes/buffer/legalizer.h"
#include "passes/lowering/ral_call.h"
#include "runtime/abi.h"

_Static_assert((int)HD_SHAPE_EQUAL == HD_CHECK_EQUAL && (int)HD_SHAPE_AT_MOST == HD_CHECK_AT_MOST &&
                   (int)HD_SHAPE_SPREADS == HD_CHECK_SPREADS,
               "one numbering");

typedef hd_vec(const hd_shape_guard *) guard_list;

typedef void (*need_fn)(hd_legalizer *ctx, hd_value *value);

/* The values whose elements or dims |dim| reads. */
static void need_symbols(hd_legalizer *ctx, hd_dim dim, need_fn need) {
  for (uint32_t i = 0; dim && i < dim->term_count; ++i)
    for (uint32_t j = 0; j < dim->terms[i].atom_count; ++j) {
      const hd_atom *atom = dim->terms[i].atoms[j];
      if (atom->kind == HD_ATOM_SYMBOL) {
        need(ctx, ((const hd_symbol_origin *)atom->origin)->value);
      } else {
        need_symbols(ctx, atom->lhs, need);
        need_symbols(ctx, atom->rhs, need);
      }
    }
}

void hd_legalize_find_checks(hd_legalizer *ctx, need_fn need) {
  for (size_t i = 0; i < ctx->shapes->guards.len; ++i) {
    const hd_shape_guard *guard = &ctx->shapes->guards.data[i];
    if (hd_shapes_guard_is_early(guard)) continue;
    hd_op *op = guard->op == ctx->func ? ctx->entry->last : guard->around ? guard->around : guard->op;
    hd_map_entry *entry = hd_map_insert(&ctx->pass->arena, &ctx->checks, op, NULL);
    if (!entry->value.ptr) entry->value.ptr = hd_new(&ctx->pass->arena, guard_list);
    guard_list *list = entry->value.ptr;
    hd_vec_push(&ctx->pass->arena, list, guard);
    need_symbols(ctx, guard->lhs, need);
    need_symbols(ctx, guard->rhs, need);
    for (int side = 0; side < 2; ++side)
      for (uint32_t d = 0; guard->counted[side] && d < hd_type_rank(guard->counted[side]->type); ++d)
        need_symbols(ctx, hd_shapes_dim(ctx->shapes, guard->counted[side], d), need);
    for (uint32_t d = 0; guard->each && d < hd_type_rank(guard->each->type); ++d)
      need_symbols(ctx, hd_shapes_dim(ctx->shapes, guard->each, d), need);
  }
}

static hd_value *symbol_as_it_is(void *user, const hd_atom *symbol) {
  hd_legalizer *ctx = user;
  const hd_symbol_origin *origin = symbol->origin;
  hd_value *buffer = hd_map_get(&ctx->buffers, origin->value);
  if (!buffer) return NULL;
  if (origin->kind == HD_SYMBOL_ELEMENT) return hd_legalize_load(ctx, ctx->here, buffer, origin->index);
  return hd_symbol_from_dim(ctx->here, origin,
                            hd_build(ctx->here, HD_OP_memref_dim, hd_type_index(ctx->pass->context), buffer,
                                     hd_build_index(ctx->here, origin->index)));
}

/* The count of elements, which no expression holds. */
static hd_value *product(hd_legalizer *ctx, hd_value *value) {
  hd_value *count = hd_build_index(ctx->here, 1);
  for (uint32_t d = 0; d < hd_type_rank(value->type); ++d) {
    hd_map cache = {0};
    hd_value *size =
        hd_dim_materialize(ctx->shapes, ctx->here, hd_shapes_dim(ctx->shapes, value, d), &cache, symbol_as_it_is, ctx);
    if (!size) return NULL;
    count = hd_build(ctx->here, HD_OP_arith_muli, hd_type_index(ctx->pass->context), count, size);
  }
  return count;
}

/* |lhs|, or without elements of |each| |rhs|, which is in every relation with itself. */
static hd_value *unless_empty(hd_legalizer *ctx, hd_value *each, hd_value *lhs, hd_value *rhs) {
  hd_value *count = product(ctx, each);
  if (!count) return NULL;
  hd_value *any = hd_arith_cmpi(ctx->here, HD_ARITH_CMPI_NE, count, hd_build_index(ctx->here, 0));
  return hd_build(ctx->here, HD_OP_arith_select, lhs->type, any, lhs, rhs);
}

bool hd_legalize_checks(hd_legalizer *ctx, hd_op *op) {
  guard_list *list = hd_map_get(&ctx->checks, op);
  if (!list) return true;
  hd_builder b = hd_builder_before(op);
  hd_map cache = {0};
  hd_type i64 = hd_i64(b.context);
  ctx->here = &b;
  for (size_t i = 0; i < list->len; ++i) {
    const hd_shape_guard *guard = list->data[i];
    hd_value *sides[2] = {0};
    for (int k = 0; k < 2; ++k) {
      hd_dim dim = k ? guard->rhs : guard->lhs;
      sides[k] = dim ? hd_dim_materialize_raw(ctx->shapes, &b, dim, &cache, symbol_as_it_is, ctx)
                     : product(ctx, guard->counted[k]);
      if (!sides[k]) break;
      sides[k] = hd_build(&b, HD_OP_arith_index_cast, i64, sides[k]);
    }
    if (sides[0] && sides[1] && guard->each) sides[0] = unless_empty(ctx, guard->each, sides[0], sides[1]);
    if (!sides[0] || !sides[1]) {
      ctx->here = NULL;
      return hd_op_error(op, "requires a relation of sizes that are computed after it is needed");
    }
    hd_value *operands[] = {
        hd_build_int(&b, i64, guard->relation), sides[0], sides[1],
        hd_build_int(&b, i64, hd_message_add(&ctx->messages, hd_shapes_guard_message(guard, &ctx->pass->arena)))};
    hd_build_ral_call(&b, "ral_check___pvoid_i64_i64_i64_i64___void", NULL, operands, 4);
  }
  ctx->here = NULL;
  return true;
}
