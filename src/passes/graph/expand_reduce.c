/* SPDX-License-Identifier: Apache-2.0 */
/* A reduction of all dims is one of the inner dims, whose rows run in parallel, and one of what that leaves. How a sum
 * is divided depends on shapes alone, so it is the same for any number of threads. */
#include "ir/number.h"
#include "passes/graph/expand_hlo.h"

enum { MAX_RANK = 64, SMALL = 8192, ROW = 512 };

/* The op of a reducer that does nothing else; null otherwise. */
static hd_op *sole_op(hd_op *reduce) {
  hd_block *block = hd_op_region(reduce, 0)->first;
  hd_op *op = block->first;
  if (reduce->operand_count != 2 || !op || op->next != block->last || op->operand_count != 2 || op->result_count != 1)
    return NULL;
  if (block->last->operand_count != 1 || hd_operand(block->last, 0) != hd_result(op, 0)) return NULL;
  bool straight = hd_operand(op, 0) == block->args[0] && hd_operand(op, 1) == block->args[1];
  bool crossed = hd_operand(op, 1) == block->args[0] && hd_operand(op, 0) == block->args[1];
  return straight || crossed ? op : NULL;
}

/* What the first step starts from: the initial value where taking it twice changes nothing, else the op's identity. */
static hd_value *first_start(hd_builder *b, hd_op *op, hd_value *init) {
  hd_type element = hd_type_element(init->type);
  bool truth = hd_type_is_integer(element, 1);
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_add:
      if (truth) return init;
      return element->kind == HD_TYPE_FLOAT ? hd_hlo_float_like(b, init, -0.0) : hd_hlo_int_like(b, init, 0);
    case HD_OP_stablehlo_maximum:
    case HD_OP_stablehlo_minimum:
    case HD_OP_stablehlo_and:
    case HD_OP_stablehlo_or:
      return init;
    default:
      return NULL;
  }
}

static hd_value *reduced(hd_builder *b, hd_op *like, hd_value *x, hd_value *init, uint32_t from, uint32_t to) {
  int64_t axes[MAX_RANK], dims[MAX_RANK];
  uint32_t count = 0, kept = 0;
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d)
    if (d >= from && d < to)
      axes[count++] = d;
    else
      dims[kept++] = hd_type_dim(x->type, d);
  hd_type type = hd_type_with_dims(x->type, dims, kept);
  hd_attr_arg attr = {"dimensions", hd_attr_i64_array(b->context, axes, count)};
  hd_op *op = hd_build_op(b, HD_OP_stablehlo_reduce, (hd_value *[]){x, init}, 2, &type, 1, &attr, 1, 1);
  hd_map map = {0};
  hd_region_clone_into(b->module, hd_op_region(like, 0), hd_op_region(op, 0), &b->module->arena, &map);
  return hd_result(op, 0);
}

bool hd_expand_reduce(hd_builder *b, hd_op *op, hd_value **results) {
  results[0] = NULL;
  hd_op *reducer = sole_op(op);
  if (!reducer) return true;
  hd_value *x = hd_operand(op, 0), *init = hd_operand(op, 1);
  hd_type element = hd_type_element(x->type);
  uint32_t rank = hd_type_rank(x->type), split = rank;
  /* What is rounded between the steps must be what sums are kept in. */
  bool exact =
      element->kind == HD_TYPE_INTEGER || hd_type_is_float(element, HD_F32) || hd_type_is_float(element, HD_F64);
  if (!exact || rank < 2 || rank > MAX_RANK || hd_type_rank(hd_result_type(op, 0)) ||
      hd_type_element(init->type) != element || hd_type_element(hd_result_type(op, 0)) != element)
    return true;
  if (hd_type_is_static(x->type) && hd_type_num_elements(x->type) < SMALL) return true;
  /* A row of some hundred elements: unknown dims count as such. */
  for (int64_t row = 1; split > 1 && row < ROW;) {
    int64_t dim = hd_type_dim(x->type, --split);
    row *= dim == HD_DYNAMIC ? ROW : dim ? dim : 1;
  }
  hd_value *start = first_start(b, reducer, init);
  if (!start) return true;
  hd_value *rows = reduced(b, op, x, start, split, rank);
  results[0] = reduced(b, op, rows, init, 0, split);
  return true;
}
