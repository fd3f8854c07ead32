/* SPDX-License-Identifier: Apache-2.0 */
/* Which results take the memory of which argument.
 *
 *   %b = memref.alloc()                           %b = memref.alloc() {hd.donor = 0}
 *   "lmhlo.subtract"(%arg0, %g, %b)        ->     "lmhlo.subtract"(%arg0, %g, %b)
 *   return %b                                     return %b
 *
 * A kernel may write over what it reads when each element that it writes depends on that element of the argument alone.
 * So the ops between the argument and the outputs of a fusion must all be elementwise on the whole shape, and the
 * kernel must read before it stores: loop kernels and epilogues of products do, element by element (codegen/emit).
 *
 * A row kernel may reduce the argument's rows as well: one item reads a row and writes it, and goes over the row once
 * more for each stage. What it writes over is read in the last of them, or earlier and never again: the emitter sees to
 * it that nothing else is kept there meanwhile. */
#include "passes/buffer/donors.h"

#include "analysis/buffer_op.h"
#include "codegen/emit/kernels.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

bool hd_has_no_views(const hd_value *value) {
  hd_for_each_use(use, value) {
    if (hd_op_is(use->owner, HD_OP_scf_while) || hd_op_has_trait(use->owner, HD_TRAIT(TERMINATOR))) continue;
    for (uint32_t r = 0; r < use->owner->result_count; ++r)
      if (hd_type_is(hd_result_type(use->owner, r), HD_TYPE_MEMREF)) return false;
  }
  return true;
}

bool hd_used_only(const hd_value *value, hd_op *at, bool after, bool but_terminator) {
  hd_for_each_use(use, value) {
    hd_op *other = hd_block_ancestor_op(at->block, use->owner);
    if (other == at || (but_terminator && other == at->block->last && use->owner == other)) continue;
    if (!other || (after ? !hd_op_is_before(at, other) : !hd_op_is_before(other, at))) return false;
  }
  return true;
}

/* The entry block, null where the function has several. */
static hd_block *only_block(hd_op *func) {
  hd_region *body = hd_op_region(func, 0);
  return body->first->next ? NULL : body->first;
}

static hd_attr argument_attr(const hd_op *func, uint32_t index, hd_name name) {
  hd_attr attrs = hd_function_like_arg_attrs(func);
  return attrs && index < attrs->array.count ? hd_dict_get(attrs->array.items[index], name) : NULL;
}

bool hd_is_donor(hd_op *func, const hd_value *value) {
  if (!value->is_block_arg || hd_value_block(value) != only_block(func)) return false;
  return argument_attr(func, value->index, HD_NAME_tf_aliasing_output) ||
         argument_attr(func, value->index, HD_NAME_jax_buffer_donor);
}

static void mark(hd_value *to, uint32_t donor) {
  hd_op *alloc = hd_value_op(to);
  hd_discardable_set_donor(alloc, donor);
}

bool hd_mark_donor(hd_op *func, hd_op *op, hd_value *from, hd_value *to) {
  if (!hd_is_donor(func, from) || !hd_is_allocation(to) || hd_value_block(to) != op->block ||
      hd_value_block(from) != op->block || from->type != to->type || !hd_has_no_views(from) || !hd_has_no_views(to) ||
      !hd_used_only(from, op, false, false) || !hd_used_only(to, op, true, false))
    return false;
  mark(to, from->index);
  return true;
}

/* ---- results -------------------------------------------------------------------------------------------------- */

static bool same_dims(hd_type a, hd_type b) {
  if (hd_type_rank(a) != hd_type_rank(b)) return false;
  for (uint32_t d = 0; d < hd_type_rank(a); ++d)
    if (hd_type_dim(a, d) != hd_type_dim(b, d)) return false;
  return true;
}

/* Does |kernel| read before it stores, element by element, if its ops are elementwise? */
static bool stores_last(const hd_op *kernel) {
  if (!hd_op_is(kernel, HD_OP_lmhlo_fusion)) return kernel->info->derived_from != 0;
  hd_enum_kind kind = hd_discardable_kind(kernel);
  return kind == HD_KIND_LOOP || kind == HD_KIND_GEMM;
}

/* A fusion of reductions of rows for the host; schedules of devices give a row to many threads. */
static bool is_row_kernel(const hd_op *kernel, const hd_value *from) {
  return hd_op_is(kernel, HD_OP_lmhlo_fusion) && hd_discardable_kind(kernel) == HD_KIND_ROW &&
         !from->type->shaped.space;
}

/* Does |kernel| read |from| only at the index that it writes, or in the row? What follows from |from| is used by
 * elementwise ops, and by reductions of a row kernel, all of which go over rows of one shape: that of |to|, which
 * follows from |from| too. */
static bool reads_where_it_writes(hd_op *kernel, hd_value *from, hd_value *to, hd_arena *arena) {
  hd_vec(hd_value *) values = {0};
  hd_map seen = {0};
  bool rows = is_row_kernel(kernel, from), reads = false;
  hd_vec_push(arena, &values, from);
  for (size_t i = 0; i < values.len; ++i)
    hd_for_each_use(use, values.data[i]) {
      hd_op *op = use->owner;
      if (!hd_op_is_ancestor(kernel, op) || (i && use->index >= hd_buffer_input_count(op))) continue;
      if (op != kernel && hd_block_parent_op(op->block) != kernel) return false;
      reads = true;
      if (rows && !use->index && hd_is_row_reduction(op)) continue;
      if (!(rows || stores_last(kernel)) || !op->info->derived_from || !hd_is_elementwise(op)) return false;
      hd_value *out = hd_buffer_output(op, 0);
      if (!same_dims(values.data[i]->type, out->type)) return false;
      bool is_new;
      hd_map_insert(arena, &seen, out, &is_new);
      if (is_new) hd_vec_push(arena, &values, out);
    }
  return !rows || !reads || hd_map_find(&seen, to);
}

static hd_op *first_op_on(hd_value *value, hd_block *block) {
  hd_op *first = NULL;
  hd_for_each_use(use, value) {
    hd_op *op = hd_block_ancestor_op(block, use->owner);
    if (op && (!first || hd_op_is_before(op, first))) first = op;
  }
  return first;
}

bool hd_donate_to_results(hd_op *func, hd_arena *arena) {
  hd_block *block = only_block(func);
  if (!block || !hd_function_like_arg_attrs(func)) return false;
  bool *taken = hd_new_array(arena, bool, block->arg_count + 1), changed = false;
  hd_for_each_op(op, block) {
    int64_t donor = hd_discardable_donor(op);
    if (donor >= 0 && donor < block->arg_count) taken[donor] = true;
  }
  hd_op *ret = block->last;
  for (uint32_t any = 0; any < 2; ++any)
    for (uint32_t k = 0; k < ret->operand_count; ++k) {
      hd_value *to = hd_operand(ret, k);
      if (!hd_is_allocation(to) || hd_value_block(to) != block || hd_discardable_donor_attr(hd_value_op(to)) ||
          !hd_has_no_views(to))
        continue;
      hd_op *kernel = first_op_on(to, block);
      for (uint32_t i = 0; i < block->arg_count; ++i) {
        hd_value *from = block->args[i];
        hd_attr named = argument_attr(func, i, HD_NAME_tf_aliasing_output);
        if (taken[i] || from->type != to->type || !hd_is_donor(func, from)) continue;
        if (!any && !(hd_attr_is(named, HD_ATTR_INTEGER) && named->integer == k)) continue;
        if (!hd_has_no_views(from) || !hd_used_only(from, kernel, false, false) ||
            !reads_where_it_writes(kernel, from, to, arena))
          continue;
        mark(to, i);
        taken[i] = changed = true;
        break;
      }
    }
  return changed;
}
