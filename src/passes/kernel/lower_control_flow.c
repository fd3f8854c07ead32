/* SPDX-License-Identifier: Apache-2.0 */
/* Structured control flow: lmhlo.while, if and case become scf ops on host loads. */
#include "passes/kernel/lowering.h"

static void move_region(hd_op *from, uint32_t r, hd_op *to, uint32_t t) {
  hd_region_clear(hd_op_region(to, t));
  hd_region_take(hd_op_region(to, t), hd_op_region(from, r));
}

bool hd_lower_while(hd_lowering *z, hd_op *op) {
  for (uint32_t r = 0; r < 2; ++r)
    if (!hd_lower_buffer_block(z, hd_op_region(op, r)->first)) return false;
  hd_builder b = hd_builder_before(op);
  hd_op *loop = hd_build_op(&b, HD_OP_scf_while, NULL, 0, NULL, 0, NULL, 0, 2);
  for (uint32_t r = 0; r < 2; ++r) {
    move_region(op, r, loop, r);
    hd_block *block = hd_op_region(loop, r)->first;
    hd_op_erase(block->last);
    hd_builder end = hd_builder_at_end(z->pass->module, block);
    end.loc = op->loc;
    if (r == 0) {
      hd_value *predicate = hd_build_one_(&end, HD_OP_memref_load, hd_i1(b.context),
                                          (hd_value *[]){hd_operand(op, op->operand_count - 1)}, 1, NULL, 0);
      hd_build_op(&end, HD_OP_scf_condition, &predicate, 1, NULL, 0, NULL, 0, 0);
    } else {
      hd_build_yield(&end, NULL, 0);
    }
  }
  hd_op_erase(op);
  return true;
}

bool hd_lower_branches(hd_lowering *z, hd_op *op) {
  for (uint32_t r = 0; r < op->region_count; ++r)
    if (!hd_lower_buffer_block(z, hd_op_region(op, r)->first)) return false;
  hd_builder b = hd_builder_before(op);
  hd_value *selector = hd_build_one_(&b, HD_OP_memref_load, hd_type_element(hd_operand_type(op, 0)),
                                     (hd_value *[]){hd_operand(op, 0)}, 1, NULL, 0);
  hd_op *branch;
  if (hd_op_is(op, HD_OP_lmhlo_if)) {
    branch = hd_build_op(&b, HD_OP_scf_if, &selector, 1, NULL, 0, NULL, 0, 2);
    move_region(op, 0, branch, 0);
    move_region(op, 1, branch, 1);
  } else { /* an index out of range takes the last branch */
    uint32_t last = op->region_count - 1;
    hd_value *index = hd_build(&b, HD_OP_arith_index_cast, hd_type_index(b.context), selector);
    int64_t *cases = hd_new_array(&z->pass->arena, int64_t, last + 1);
    for (uint32_t i = 0; i < last; ++i) cases[i] = i;
    branch = hd_build_op(&b, HD_OP_scf_index_switch, &index, 1, NULL, 0,
                         &(hd_attr_arg){"cases", hd_attr_i64_array(b.context, cases, last)}, 1, op->region_count);
    move_region(op, last, branch, 0);
    for (uint32_t i = 0; i < last; ++i) move_region(op, i, branch, 1 + i);
  }
  for (uint32_t r = 0; r < branch->region_count; ++r) {
    hd_block *block = hd_op_region(branch, r)->first;
    hd_op_erase(block->last);
    hd_builder end = hd_builder_at_end(z->pass->module, block);
    end.loc = op->loc;
    hd_build_yield(&end, NULL, 0);
  }
  hd_op_erase(op);
  return true;
}
