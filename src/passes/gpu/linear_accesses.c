/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/gpu/linear_accesses.h"

#include "analysis/indexing/of_value.h"
#include "ir/builder.h"

typedef struct linearizer {
  hd_shapes *shapes;
  hd_op *loop;
  hd_arena *arena;
  hd_map views; /* buffer -> its flat view */
} linearizer;

static bool is_constant(hd_value *value, int64_t expected) {
  int64_t known;
  return hd_value_constant_int(value, &known) && known == expected;
}

/* The number of |index| among the dims of a parallel loop, -1: it is none. */
static int64_t parallel_dim(hd_value *index) {
  hd_op *loop = index->is_block_arg ? hd_block_parent_op(index->owner.block) : NULL;
  if (!hd_op_is(loop, HD_OP_scf_parallel)) return -1;
  for (uint32_t d = 0; d < index->owner.block->arg_count; ++d)
    if (index->owner.block->args[d] == index) return d;
  return -1;
}

/* The end of the range [0, end) that |index| runs over for each value of |before|, the index to its left: of the next
 * dim of a parallel loop, of an scf.for, of a remainder. Null when nothing tells. */
static hd_value *range_of(hd_value *index, hd_value *before) {
  hd_op *op = hd_value_op(index);
  if (op) return hd_op_is(op, HD_OP_arith_remui) ? hd_operand(op, 1) : NULL;
  hd_block *block = index->owner.block;
  hd_op *loop = hd_block_parent_op(block);
  if (hd_op_is(loop, HD_OP_scf_for)) return index == block->args[0] ? hd_operand(loop, 1) : NULL;
  int64_t d = parallel_dim(index);
  bool next = d > 0 && block->args[d - 1] == before;
  return next ? hd_operand(loop, block->arg_count + (uint32_t)d) : NULL;
}

/* Has dim |d| of |buffer| one element? */
static bool is_unit(linearizer *l, hd_value *buffer, uint32_t d) {
  int64_t one;
  return hd_dim_is_const(&l->shapes->table, hd_shapes_dim(l->shapes, buffer, d), &one) && one == 1;
}

static hd_value *view_of(linearizer *l, hd_value *buffer) {
  hd_value *view = hd_map_get(&l->views, buffer);
  if (view) return view;
  hd_builder b = hd_builder_at_start(l->loop->module, hd_op_region(l->loop, 0)->first);
  b.loc = l->loop->loc;
  uint32_t rank = hd_type_rank(buffer->type);
  hd_attr *dims = hd_new_array(l->arena, hd_attr, rank);
  int64_t elements = hd_type_num_elements(buffer->type);
  if (elements < 0) elements = HD_DYNAMIC;
  for (uint32_t d = 0; d < rank; ++d) dims[d] = hd_attr_i64(b.context, d);
  hd_attr group = hd_attr_array(b.context, dims, rank);
  hd_attr_arg groups = {HD_NAME_reassociation, hd_attr_array(b.context, &group, 1)};
  hd_type type = hd_type_memref(buffer->type->shaped.element, &elements, 1, NULL, buffer->type->shaped.space);
  view = hd_build_one_(&b, HD_OP_memref_collapse_shape, type, &buffer, 1, &groups, 1);
  hd_map_set(l->arena, &l->views, buffer, view);
  return view;
}

/* The operands of |op| from |buffer_at| on are a buffer and indices. */
static void linearize(linearizer *l, hd_op *op, uint32_t buffer_at) {
  hd_value *buffer = hd_operand(op, buffer_at), *sizes[HD_MAX_RANK];
  uint32_t rank = hd_type_rank(buffer->type), runs = 0;
  hd_op *maker = hd_value_op(buffer);
  if (rank < 2 || rank > HD_MAX_RANK || buffer->type->shaped.layout || (maker && hd_op_is_ancestor(l->loop, maker)))
    return;
  for (uint32_t d = 1; d < rank; ++d) {
    hd_value *index = hd_operand(op, buffer_at + 1 + d);
    if (!(sizes[d] = range_of(index, hd_operand(op, buffer_at + d)))) {
      if (!is_constant(index, 0) || !is_unit(l, buffer, d)) return;
      continue;
    }
    hd_dim size = hd_shapes_index(l->shapes, sizes[d]);
    if (!hd_dim_equal(&l->shapes->table, size, hd_shapes_dim(l->shapes, buffer, d))) return;
    ++runs;
  }
  if (!runs) return;
  hd_builder b = hd_builder_before(op);
  hd_value *at = hd_operand(op, buffer_at + 1);
  for (uint32_t d = 1; d < rank; ++d) {
    if (!sizes[d]) continue;
    hd_value *index = hd_operand(op, buffer_at + 1 + d);
    if (is_constant(sizes[d], 1)) continue; /* an index of one iteration is 0 */
    if (is_constant(at, 0))
      at = index;
    else
      at = hd_build(&b, HD_OP_arith_addi, at->type, hd_build(&b, HD_OP_arith_muli, at->type, at, sizes[d]), index);
  }
  hd_value *operands[3];
  uint32_t count = 0;
  for (uint32_t i = 0; i < buffer_at; ++i) operands[count++] = hd_operand(op, i);
  operands[count++] = view_of(l, buffer);
  operands[count++] = at;
  hd_op_set_operands(op, operands, count);
}

static bool is_access(const hd_op *op) { return hd_op_is(op, HD_OP_memref_load) || hd_op_is(op, HD_OP_memref_store); }

void hd_linearize_accesses(hd_shapes *shapes, hd_op *loop, hd_arena *arena) {
  linearizer l = {.shapes = shapes, .loop = loop, .arena = arena};
  hd_op_list accesses = hd_ops_where(loop, is_access, arena);
  for (size_t i = 0; i < accesses.len; ++i)
    linearize(&l, accesses.data[i], hd_op_is(accesses.data[i], HD_OP_memref_store));
}

/* ---- positions ---- */

static bool is_arithmetic(const hd_op *op) {
  return hd_op_is(op, HD_OP_arith_addi) || hd_op_is(op, HD_OP_arith_muli) || hd_op_is(op, HD_OP_arith_remui) ||
         hd_op_is(op, HD_OP_arith_divui);
}

bool hd_fold_positions(hd_op *loop, hd_arena *arena) {
  bool changed = false;
  hd_op_list ops = hd_ops_where(loop, is_arithmetic, arena);
  hd_index_values *values = hd_index_values_create(loop, arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *op = ops.data[i];
    hd_value *whole = hd_op_is(op, HD_OP_arith_addi) ? hd_index_equal_value(values, hd_result(op, 0)) : NULL;
    if (!whole) continue;
    hd_value_replace_uses(hd_result(op, 0), whole);
    changed = true;
  }
  if (changed)
    for (size_t i = ops.len; i-- > 0;)
      if (!hd_value_has_uses(hd_result(ops.data[i], 0))) hd_op_erase(ops.data[i]);
  return changed;
}
