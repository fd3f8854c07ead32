/* SPDX-License-Identifier: Apache-2.0 */
/* map and reduce whose computation no kernel can hold (a sort, a loop over tensors) become a loop of the program, one
 * element a step:
 *
 *   "stablehlo.map"(%x) ({ f })           ->    %flat = reshape %x : [n]
 *                                               while (i < n) { out[i] = f(flat[i]), i += 1 }
 *   "stablehlo.reduce"(%x, %z) ({ f })    ->    %flat = reshape (transpose %x) : [kept * reduced], out = broadcast %z
 *                                               while (i < n) { k = i / reduced, out[k] = f(out[k], flat[i]), i += 1 }
 *
 * Slow, and right for whatever the program can compute. Other computations stay (codegen/emit/generate_region.c). */
#include "passes/graph/expand_hlo.h"

enum { MAX_VALUES = 16 };

static bool is_scalar(hd_type type) { return hd_type_has_rank(type) && hd_type_rank(type) == 0; }

/* Can a kernel compute |op| as part of a region on elements? */
static bool fits_kernel(hd_op *op, void *user) {
  (void)user;
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_while:
    case HD_OP_stablehlo_if:
    case HD_OP_stablehlo_case:
    case HD_OP_stablehlo_optimization_barrier:
      for (uint32_t i = 0; i < op->operand_count; ++i)
        if (!is_scalar(hd_operand_type(op, i))) return false;
      for (uint32_t i = 0; i < op->result_count; ++i)
        if (!is_scalar(hd_result_type(op, i))) return false;
      return true;
    case HD_OP_stablehlo_constant:
    case HD_OP_stablehlo_iota:
    case HD_OP_stablehlo_broadcast_in_dim:
    case HD_OP_stablehlo_reshape:
    case HD_OP_stablehlo_transpose:
    case HD_OP_stablehlo_slice:
    case HD_OP_stablehlo_dynamic_slice:
    case HD_OP_stablehlo_dynamic_update_slice:
    case HD_OP_stablehlo_reverse:
    case HD_OP_stablehlo_pad:
    case HD_OP_stablehlo_concatenate:
    case HD_OP_stablehlo_gather:
    case HD_OP_stablehlo_reduce:
    case HD_OP_stablehlo_reduce_window:
    case HD_OP_stablehlo_map:
    case HD_OP_stablehlo_dot:
    case HD_OP_stablehlo_dot_general:
    case HD_OP_stablehlo_convolution:
    case HD_OP_stablehlo_select:
    case HD_OP_stablehlo_clamp:
    case HD_OP_stablehlo_get_dimension_size:
      return true;
    default:
      return hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) || hd_op_has_trait(op, HD_TRAIT(TERMINATOR)) ||
             hd_str_starts(hd_ident_str(op->name), "chlo.");
  }
}

static bool body_fits_kernel(hd_block *body) {
  hd_for_each_op(op, body) if (!hd_walk_pre(op, fits_kernel, NULL)) return false;
  return true;
}

typedef struct element_loop {
  hd_builder *b;
  hd_block *body; /* the computation */
  uint32_t inputs, outputs;
  hd_value *flat[MAX_VALUES];   /* [count] each */
  hd_value *start[MAX_VALUES];  /* what each output starts with */
  hd_value *count, *per_output; /* tensor<1xi32>; |per_output| elements go to one output, null: one, anew */
} element_loop;

static hd_value *scalar(hd_builder *b, hd_value *size) { return hd_hlo_reshape_to(b, size, NULL, 0); }

/* x[at] as the scalar |type|. */
static hd_value *element_at(hd_builder *b, hd_value *x, hd_value *at, hd_type type) {
  int64_t one = 1;
  hd_attr_arg sizes = {"slice_sizes", hd_attr_i64_array(b->context, &one, 1)};
  hd_value *slice = hd_build_one_(b, HD_OP_stablehlo_dynamic_slice, hd_type_with_dims(x->type, &one, 1),
                                  (hd_value *[]){x, at}, 2, &sizes, 1);
  return hd_hlo_convert(b, hd_hlo_reshape_to(b, slice, NULL, 0), hd_type_element(type));
}

/* One loop of the program; the values of |out| behind it go to |results|. */
static bool build_loop(element_loop *l, hd_value **results) {
  hd_builder *b = l->b;
  hd_arena *arena = &b->module->arena;
  uint32_t n = l->outputs + 1;
  hd_value *starts[MAX_VALUES + 1] = {scalar(b, hd_hlo_size(b, 0))}, *next[MAX_VALUES + 1];
  hd_type types[MAX_VALUES + 1];
  for (uint32_t i = 0; i < l->outputs; ++i) starts[1 + i] = l->start[i];
  for (uint32_t i = 0; i < n; ++i) types[i] = starts[i]->type;
  hd_attr_arg mark = {HD_ELEMENT_LOOP, hd_attr_unit(b->context)};
  hd_op *loop = hd_build_op(b, HD_OP_stablehlo_while, starts, n, types, n, &mark, 1, 2);
  hd_builder in = hd_hlo_open_region(b, loop, 0, types, n);
  hd_build0(&in, HD_OP_stablehlo_return, hd_hlo_compare(&in, "LT", in.block->args[0], scalar(&in, l->count)));
  in = hd_hlo_open_region(b, loop, 1, types, n);
  hd_value **args = in.block->args, *at = args[0], *to = at;
  if (l->per_output) to = hd_build(&in, HD_OP_stablehlo_divide, at->type, at, scalar(&in, l->per_output));
  hd_map map = {0};
  uint32_t taken = 0;
  for (uint32_t i = 0; l->per_output && i < l->outputs; ++i, ++taken)
    hd_map_set(arena, &map, l->body->args[taken], element_at(&in, args[1 + i], to, l->body->args[taken]->type));
  for (uint32_t i = 0; i < l->inputs; ++i, ++taken)
    hd_map_set(arena, &map, l->body->args[taken], element_at(&in, l->flat[i], at, l->body->args[taken]->type));
  hd_for_each_op(op, l->body) {
    if (op != l->body->last) hd_op_append(hd_op_clone(b->module, op, arena, &map), in.block);
  }
  next[0] = hd_build(&in, HD_OP_stablehlo_add, at->type, at, scalar(&in, hd_hlo_size(&in, 1)));
  for (uint32_t i = 0; i < l->outputs; ++i) {
    hd_value *given = hd_operand(l->body->last, i), *made = hd_map_get(&map, given);
    int64_t one = 1;
    made = hd_hlo_convert(&in, made ? made : given, hd_type_element(types[1 + i]));
    made = hd_hlo_reshape_to(&in, made, &one, 1);
    next[1 + i] = hd_build(&in, HD_OP_stablehlo_dynamic_update_slice, types[1 + i], args[1 + i], made, to);
  }
  hd_build_op(&in, HD_OP_stablehlo_return, next, n, NULL, 0, NULL, 0, 0);
  for (uint32_t i = 0; i < l->outputs; ++i) results[i] = hd_result(loop, 1 + i);
  return true;
}

/* The product of |sizes|. */
static hd_value *product(hd_builder *b, hd_value *const *sizes, uint32_t count) {
  hd_value *all = hd_hlo_size(b, 1);
  for (uint32_t i = 0; i < count; ++i) all = hd_hlo_size_op(b, HD_OP_stablehlo_multiply, all, sizes[i]);
  return all;
}

/* |x| of elements |element| in one dim of |size| elements. */
static hd_value *spread(hd_builder *b, hd_value *x, hd_value *size) {
  int64_t dim = hd_hlo_known_size(size);
  hd_type type = hd_type_tensor(hd_type_element(x->type), &dim, 1, NULL);
  return hd_hlo_broadcast(b, x, type, NULL, size);
}

bool hd_expand_map_by_element(hd_builder *b, hd_op *op, hd_value **results) {
  element_loop l = {.b = b, .body = hd_op_region(op, 0)->first, .inputs = op->operand_count, .outputs = 1};
  results[0] = NULL;
  if (body_fits_kernel(l.body)) return true;
  if (l.inputs > MAX_VALUES || !l.inputs) return hd_op_error(op, "expects 1 to %d operands", MAX_VALUES);
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0));
  hd_value **sizes = hd_new_array(&b->module->arena, hd_value *, rank + 1);
  hd_hlo_sizes_of(b, hd_operand(op, 0), sizes);
  l.count = product(b, sizes, rank);
  for (uint32_t i = 0; i < l.inputs; ++i) l.flat[i] = hd_hlo_reshape(b, hd_operand(op, i), &l.count, 1);
  l.start[0] = spread(b, hd_hlo_zero(b, hd_type_element(hd_result_type(op, 0))), l.count);
  if (!build_loop(&l, results)) return false;
  results[0] = hd_hlo_retype(b, hd_hlo_reshape(b, results[0], sizes, rank), hd_result_type(op, 0));
  return true;
}

bool hd_expand_reduce(hd_builder *b, hd_op *op, hd_value **results) {
  element_loop l = {
      .b = b, .body = hd_op_region(op, 0)->first, .inputs = op->operand_count / 2, .outputs = op->result_count};
  results[0] = NULL;
  if (body_fits_kernel(l.body)) return true;
  hd_type type = hd_operand_type(op, 0);
  if (l.inputs > MAX_VALUES || l.inputs != l.outputs)
    return hd_op_error(op, "reduces more than %d operands", MAX_VALUES);
  hd_attr dims = hd_op_attr_get(op, "dimensions");
  uint32_t rank = hd_type_rank(type), reduced = (uint32_t)hd_attr_count(dims), kept = 0;
  hd_arena *arena = &b->module->arena;
  int64_t *order = hd_new_array(arena, int64_t, rank + 1);
  hd_value **sizes = hd_new_array(arena, hd_value *, rank + 1);
  for (uint32_t d = 0; d < rank; ++d)
    if (hd_attr_find_int(dims, d) < 0) order[kept++] = d;
  for (uint32_t d = 0, at = kept; d < rank; ++d)
    if (hd_attr_find_int(dims, d) >= 0) order[at++] = d;
  for (uint32_t d = 0; d < rank; ++d) sizes[d] = hd_hlo_size_of(b, hd_operand(op, 0), (uint32_t)order[d]);
  hd_value *outputs = product(b, sizes, kept);
  l.per_output = product(b, sizes + kept, reduced);
  l.count = hd_hlo_size_op(b, HD_OP_stablehlo_multiply, outputs, l.per_output);
  for (uint32_t i = 0; i < l.inputs; ++i) {
    l.flat[i] = hd_hlo_reshape(b, hd_hlo_transpose(b, hd_operand(op, i), order), &l.count, 1);
    hd_type element = hd_type_element(hd_result_type(op, i));
    l.start[i] = spread(b, hd_hlo_convert(b, hd_operand(op, l.inputs + i), element), outputs);
  }
  if (!build_loop(&l, results)) return false;
  for (uint32_t i = 0; i < l.outputs; ++i)
    results[i] = hd_hlo_retype(b, hd_hlo_reshape(b, results[i], sizes, kept), hd_result_type(op, i));
  return true;
}
