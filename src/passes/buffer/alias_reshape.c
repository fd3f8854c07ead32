/* SPDX-License-Identifier: Apache-2.0 */
/* A reshape that is another type of the same memory. */
#include "analysis/buffer_deps.h"
#include "analysis/buffer_op.h"
#include "ir/ops/interfaces.h"
#include "passes/buffer/aliasing.h"
#include "passes/buffer/donors.h"

bool hd_is_owned(hd_value *value, hd_block *block) {
  hd_op *op = hd_value_op(value);
  if (!op || op->block != block) return false;
  if (hd_op_is(op, HD_OP_memref_alloc)) return !hd_buffer_holds_constant(value);
  if (!hd_op_is(op, HD_OP_scf_while)) return false;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!hd_is_owned(hd_operand(op, i), block)) return false;
  return true;
}

void hd_buffer_become(hd_value *value, hd_value *other) {
  hd_op *alloc = hd_value_op(value);
  hd_value_replace_uses(value, other);
  hd_op_erase(alloc);
}

static bool leaves(hd_value *value) {
  hd_for_each_use(use, value)
    if (hd_op_has_trait(use->owner, HD_TRAIT(TERMINATOR)) || hd_op_is(use->owner, HD_OP_scf_while)) return true;
  return false;
}

static bool is_freed(hd_value *buffer) {
  hd_for_each_use(use, buffer)
    if (hd_op_has_trait(use->owner, HD_TRAIT(FREES))) return true;
  return false;
}

/* Is |buffer|, which has no views, written after |at|? In programs that others wrote buffers have several writers. */
static bool is_written_after(hd_value *buffer, hd_op *at, hd_arena *arena) {
  hd_for_each_use(use, buffer) {
    hd_op *other = hd_block_ancestor_op(at->block, use->owner);
    if (other == at || (other && hd_op_is_before(other, at))) continue;
    hd_accesses accesses = {0};
    hd_buffer_accesses(use->owner, arena, &accesses);
    for (size_t i = 0; i < accesses.len; ++i)
      if (accesses.data[i].buffer == buffer && accesses.data[i].writes && !accesses.data[i].frees) return true;
  }
  return false;
}

/* The size of dim |d| of an allocation, |*known| where it is a number. */
static hd_value *size_of(hd_value *buffer, uint32_t d, int64_t *known) {
  uint32_t at = 0;
  *known = hd_type_dim(buffer->type, d);
  for (uint32_t i = 0; i < d; ++i) at += hd_type_dim(buffer->type, i) == HD_DYNAMIC;
  return *known == HD_DYNAMIC ? hd_operand(hd_value_op(buffer), at) : NULL;
}

bool hd_keeps_elements(hd_op *op) {
  if (hd_is_reshape_like(op)) return true;
  if (!hd_is_broadcast_in_dim_like(op)) return false;
  hd_value *from = hd_operand(op, 0), *to = hd_buffer_output(op, 0);
  if (!hd_is_allocation(from) || !hd_is_allocation(to)) return false;
  hd_attr dims = hd_broadcast_in_dim_like_broadcast_dimensions(op);
  int64_t before = -1;
  for (uint32_t d = 0, next = 0; d < hd_type_rank(to->type); ++d) {
    int64_t size, own;
    hd_value *value = size_of(to, d, &size);
    if (hd_attr_find_int(dims, d) < 0) {
      if (size != 1) return false;
      continue;
    }
    if (hd_attr_find_int(dims, d) != next || before >= (int64_t)d) return false; /* in another order */
    before = d;
    if (size_of(from, next++, &own) != value || own != size) return false;
  }
  return true;
}

/* May the argument that |reshape| reads be read, or leave the program, by another name as well? What leaves is a copy
 * that the runtime makes, or the memory itself where the caller donates it: then nothing else may take it. */
static bool is_readable_argument(hd_aliasing *a, hd_op *reshape, hd_value *value, bool result_leaves) {
  if (!value->is_block_arg || hd_value_block(value) != reshape->block || hd_block_parent_op(reshape->block) != a->func)
    return false;
  if (hd_is_donor(a->func, value)) return result_leaves && hd_used_only(value, reshape, false, false);
  return !result_leaves || !hd_symbol_is_private(a->func);
}

bool hd_alias_reshape(hd_aliasing *a, hd_op *reshape) {
  hd_value *from = hd_operand(reshape, 0), *to = hd_buffer_output(reshape, 0);
  hd_op *alloc = hd_value_op(to);
  if (!hd_op_is(alloc, HD_OP_memref_alloc) || alloc->block != reshape->block || !hd_has_no_views(from) ||
      !hd_has_no_views(to) || is_freed(from) || is_freed(to))
    return false;
  bool is_in_reach =
      hd_is_owned(from, reshape->block) ? !leaves(from) : is_readable_argument(a, reshape, from, leaves(to));
  if (!is_in_reach || !hd_used_only(to, reshape, true, false) || is_written_after(from, reshape, &a->pass->arena) ||
      is_written_after(to, reshape, &a->pass->arena))
    return false;
  hd_for_each_use(use, to)
    if (hd_op_is(use->owner, HD_OP_scf_while)) return false;
  uint32_t rank = hd_type_rank(to->type), sizes = 0, strides = 0;
  hd_arena *arena = &a->pass->arena;
  hd_value **operands = hd_new_array(arena, hd_value *, 1 + 2 * (size_t)rank), **dims = operands + 1,
           **steps = hd_new_array(arena, hd_value *, rank), *step = NULL;
  int64_t *static_sizes = hd_new_array(arena, int64_t, rank), *static_strides = hd_new_array(arena, int64_t, rank),
          known = 1;
  hd_builder b = hd_builder_before(reshape);
  b.loc = reshape->loc;
  operands[0] = from;
  for (uint32_t d = 0; d < rank; ++d) {
    static_sizes[d] = hd_type_dim(to->type, d);
    if (static_sizes[d] == HD_DYNAMIC) dims[sizes] = hd_operand(alloc, sizes), ++sizes;
  }
  /* From the innermost dim outwards: |known| while all inner dims are, then |step|. */
  for (uint32_t d = rank, at = sizes; d-- > 0;) {
    static_strides[d] = step ? HD_DYNAMIC : known;
    steps[d] = step;
    hd_value *size = static_sizes[d] == HD_DYNAMIC ? dims[--at] : NULL;
    if (!size && !step) {
      known *= static_sizes[d];
      continue;
    }
    if (!size) size = hd_build_index(&b, static_sizes[d]);
    step = hd_build(&b, HD_OP_arith_muli, size->type, size, step ? step : hd_build_index(&b, known));
  }
  for (uint32_t d = 0; d < rank; ++d)
    if (steps[d]) dims[sizes + strides++] = steps[d];
  hd_attr_arg attrs[] = {{HD_NAME_static_offsets, hd_attr_i64_array(b.context, (int64_t[]){0}, 1)},
                         {HD_NAME_static_sizes, hd_attr_i64_array(b.context, static_sizes, rank)},
                         {HD_NAME_static_strides, hd_attr_i64_array(b.context, static_strides, rank)},
                         {HD_NAME_operandSegmentSizes,
                          hd_attr_i32_array(b.context, (int32_t[]){1, 0, (int32_t)sizes, (int32_t)strides}, 4)}};
  hd_value *view =
      hd_build_one_(&b, HD_OP_memref_reinterpret_cast, to->type, operands, 1 + (size_t)sizes + strides, attrs, 4);
  hd_op_erase(reshape);
  hd_buffer_become(to, view);
  a->pass->changed = true;
  return true;
}
