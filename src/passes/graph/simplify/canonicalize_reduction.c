/* SPDX-License-Identifier: Apache-2.0 */
/* disc-canonicalize-reduction: reductions in the forms that a target's kernels have.
 *
 * `rank-2` (on): every stablehlo.reduce is of rank 2, along its rows or its columns.
 *
 *   reduce [a, b, c] across [0]        ->  reshape [a, b*c], reduce across [0], reshape [b, c]     column
 *   reduce [a, b, c] across [2]        ->  reshape [a*b, c], reduce across [1], reshape [a, b]     row
 *   reduce [a, b, c] across [0, 1, 2]  ->  reshape [a*b*c, 1], reduce across [0], reshape []       scalar
 *   reduce [a, b, c] across [1]        ->  transpose [a, c, b], then as a row                      others
 *
 * Dims may be unknown; all operands of a reduction of several (argmax's pairs) go the same way, and the body stays.
 * What has the form already, or reduces no dim, is left. The elements that one result takes keep their order, so even
 * floats come out the same.
 *
 * Of dims that are known to have one element nothing is reduced, so other ops can be computed where that is read:
 *
 *   reduce [a, b, 1] across [2]        ->  reshape [a, b], the op on the initial value and that
 *
 * `two-steps`: a large reduction runs in parallel.
 *
 *   reduce [a, b, c] across [0, 1, 2]  ->  reduce across [1, 2], then the a results across [0]. Not with full=false:
 *                                          where a schedule divides all elements as they lie, rows would be read from
 *                                          their own begin on
 *
 *   reduce [a, b, c, d] across [0, 2, 3]  ->  reduce across [2, 3], then across [0]: rows, then columns; the other
 *                                             way round where the rows are short
 *
 * Of plain sums, products, extrema and bits only. What is between the steps is kept in f32 at least; floats are
 * summed in another order, which depends on shapes alone.
 *
 * Requires ranked operands of one shape, as the verifier ensures. */
#include "base/vec.h"
#include "ir/number.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_hlo.h"
#include "passes/passes.h"

enum { SMALL = 8192, LONG_ROW = 512, SHORT_ROW = 64 };

typedef enum form { DONE, COLUMN, ROW, SCALAR, OTHERS } form;

static form form_of(hd_op *op) {
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0)), count = (uint32_t)hd_attr_count(dims);
  if (!count) return DONE;
  if (rank == 2 && count == 1) return DONE;
  if (count == rank) return SCALAR;
  bool leading = true, trailing = true;
  for (uint32_t d = 0; d < count; ++d) {
    leading &= hd_attr_find_int(dims, d) >= 0;
    trailing &= hd_attr_find_int(dims, rank - 1 - d) >= 0;
  }
  return leading ? COLUMN : trailing ? ROW : OTHERS;
}

static hd_value *product(hd_builder *b, hd_value *const *sizes, uint32_t from, uint32_t to) {
  hd_value *all = hd_hlo_size(b, 1);
  for (uint32_t i = from; i < to; ++i) all = hd_hlo_size_op(b, HD_OP_stablehlo_multiply, all, sizes[i]);
  return all;
}

static void canonicalize(hd_pass *pass, hd_op *op, form f) {
  hd_arena *arena = &pass->arena;
  hd_builder b = hd_builder_before(op);
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  uint32_t n = op->operand_count / 2, rank = hd_type_rank(hd_operand_type(op, 0));
  uint32_t reduced = (uint32_t)hd_attr_count(dims), kept = rank - reduced;
  int64_t *permutation = hd_new_array(arena, int64_t, rank + 1);
  if (f == OTHERS) { /* kept dims first, then the reduced ones: a row reduction */
    for (uint32_t d = 0, k = 0, r = kept; d < rank; ++d) permutation[hd_attr_find_int(dims, d) >= 0 ? r++ : k++] = d;
  }
  hd_value **sizes = hd_new_array(arena, hd_value *, rank + 1), **operands = hd_new_array(arena, hd_value *, 2 * n + 1);
  hd_type *types = hd_new_array(arena, hd_type, n + 1);
  hd_value *flat[2] = {0};
  for (uint32_t i = 0; i < n; ++i) {
    hd_value *x = hd_operand(op, i);
    if (f == OTHERS) x = hd_hlo_transpose(&b, x, permutation);
    if (!flat[0]) {
      hd_hlo_sizes_of(&b, x, sizes);
      uint32_t cut = f == COLUMN ? reduced : f == SCALAR ? rank : kept;
      flat[0] = product(&b, sizes, 0, cut);
      flat[1] = product(&b, sizes, cut, rank);
    }
    operands[i] = hd_hlo_reshape(&b, x, flat, 2);
    operands[n + i] = hd_operand(op, n + i);
    int64_t size = hd_hlo_known_size(flat[f == COLUMN || f == SCALAR ? 1 : 0]);
    types[i] = hd_type_tensor(hd_type_element(hd_result_type(op, i)), &size, 1, NULL);
  }
  int64_t axis = f == COLUMN || f == SCALAR ? 0 : 1;
  hd_op_attr_list attrs = hd_op_all_attrs(op, arena);
  for (size_t i = 0; i < attrs.len; ++i)
    if (attrs.data[i].value == dims) attrs.data[i].value = hd_attr_i64_array(b.context, &axis, 1);
  hd_value *const *out_sizes = f == COLUMN ? sizes + reduced : sizes;
  hd_region *regions[1] = {hd_op_region(op, 0)};
  hd_op *flat_op = hd_build_state(&b, &(hd_op_state){.opcode = HD_OP_stablehlo_reduce,
                                                     .name = op->name,
                                                     .loc = op->loc,
                                                     .operands = operands,
                                                     .operand_count = 2 * n,
                                                     .result_types = types,
                                                     .result_count = n,
                                                     .attrs = attrs.data,
                                                     .attr_count = attrs.len,
                                                     .region_count = 1,
                                                     .regions = regions});
  hd_value **results = hd_new_array(arena, hd_value *, n + 1);
  for (uint32_t i = 0; i < n; ++i) {
    results[i] = hd_hlo_reshape(&b, hd_result(flat_op, i), out_sizes, kept);
    if (results[i]->type != hd_result_type(op, i)) results[i] = hd_hlo_retype(&b, results[i], hd_result_type(op, i));
  }
  hd_op_replace(op, results);
  pass->changed = true;
}

/* What the first step starts from: the initial value where taking it twice changes nothing, else the op's identity. */
static hd_value *first_start(hd_builder *b, hd_op *op, hd_value *init) {
  hd_type element = hd_type_element(init->type);
  bool truth = hd_type_is_integer(element, 1);
  if (hd_op_has_trait(op, HD_TRAIT(IDEMPOTENT))) return init;
  bool adds = hd_op_is(op, HD_OP_stablehlo_add);
  if (!adds && !hd_op_is(op, HD_OP_stablehlo_multiply)) return NULL;
  if (truth) return init;
  return element->kind == HD_TYPE_FLOAT ? hd_hlo_float_like(b, init, adds ? -0.0 : 1)
                                        : hd_hlo_int_like(b, init, adds ? 0 : 1);
}

/* Where every reduced dim has one element: by one op, of those whose operands may change places. */
static bool combine_one(hd_op *op) {
  hd_op *reducer = op->operand_count == 2 ? hd_op_reducer(op) : NULL;
  hd_attr reduced = hd_stablehlo_reduce_dimensions(op);
  hd_value *x = hd_operand(op, 0), *init = hd_operand(op, 1), *sizes[HD_MAX_RANK];
  hd_type type = hd_result_type(op, 0), element = hd_type_element(type);
  uint32_t kept = 0, rank = hd_type_rank(x->type);
  if (!reducer || !hd_attr_count(reduced) || rank > HD_MAX_RANK || hd_type_element(x->type) != element ||
      hd_type_element(init->type) != element)
    return false;
  if (!hd_op_has_trait(reducer, HD_TRAIT(IDEMPOTENT)) && !hd_op_is(reducer, HD_OP_stablehlo_add) &&
      !hd_op_is(reducer, HD_OP_stablehlo_multiply))
    return false;
  for (uint32_t d = 0; d < rank; ++d)
    if (hd_attr_find_int(reduced, d) >= 0 && hd_type_dim(x->type, d) != 1) return false;
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_hlo_sizes_of(&b, x, sizes);
  for (uint32_t d = 0; d < rank; ++d)
    if (hd_attr_find_int(reduced, d) < 0) sizes[kept++] = sizes[d];
  hd_value *one = hd_hlo_reshape(&b, x, sizes, kept);
  hd_value *all = hd_build(&b, hd_opcode_get(reducer), one->type, hd_hlo_broadcast_like(&b, init, one, NULL), one);
  if (all->type != type) all = hd_hlo_retype(&b, all, type);
  hd_op_replace(op, &all);
  return true;
}

/* |x| reduced as |op| does, over the dims that |gone| says. */
static hd_op *reduced(hd_builder *b, hd_op *op, hd_value *x, hd_value *init, const bool *gone) {
  int64_t axes[HD_MAX_RANK], dims[HD_MAX_RANK];
  uint32_t count = 0, kept = 0;
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d)
    if (gone[d])
      axes[count++] = d;
    else
      dims[kept++] = hd_type_dim(x->type, d);
  hd_type type = hd_type_with_dims(x->type, dims, kept);
  hd_attr_arg attr = {HD_NAME_dimensions, hd_attr_i64_array(b->context, axes, count)};
  hd_op *step = hd_build_op(b, HD_OP_stablehlo_reduce, (hd_value *[]){x, init}, 2, &type, 1, &attr, 1, 1);
  hd_type scalar = hd_type_tensor(hd_type_element(x->type), NULL, 0, NULL);
  hd_builder in = hd_hlo_open_region(b, step, 0, (hd_type[]){scalar, scalar}, 2);
  hd_build0(&in, HD_OP_stablehlo_return,
            hd_build(&in, hd_opcode_get(hd_op_reducer(op)), scalar, in.block->args[0], in.block->args[1]));
  return step;
}

/* Two reductions instead of |op|, the dims of |first| first. Returns the second, or null where |op| stays. */
static hd_op *in_two_steps(hd_op *op, const bool *first) {
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_value *x = hd_operand(op, 0), *init = hd_operand(op, 1);
  hd_type element = hd_type_element(x->type);
  if (element->kind == HD_TYPE_FLOAT && hd_type_bits(element) < 32) { /* a kernel sums in f32 */
    x = hd_hlo_convert(&b, x, hd_f32(b.context));
    init = hd_hlo_convert(&b, init, hd_f32(b.context));
  }
  hd_value *start = first_start(&b, hd_op_reducer(op), init);
  if (!start) return NULL;
  bool rest[HD_MAX_RANK];
  uint32_t left = 0;
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d)
    if (!first[d]) rest[left++] = hd_attr_find_int(hd_stablehlo_reduce_dimensions(op), d) >= 0;
  hd_op *inner = reduced(&b, op, x, start, first), *second = reduced(&b, op, hd_result(inner, 0), init, rest);
  hd_value *all = hd_hlo_convert(&b, hd_result(second, 0), hd_type_element(hd_result_type(op, 0)));
  if (all->type != hd_result_type(op, 0)) all = hd_hlo_retype(&b, all, hd_result_type(op, 0));
  hd_op_replace(op, &all);
  return second;
}

/* Reductions of one operand, by one op, of more than a few elements. */
static bool may_divide(const hd_op *op) {
  hd_op *reducer = op->operand_count == 2 ? hd_op_reducer(op) : NULL;
  if (!reducer) return false;
  hd_type x = hd_operand_type(op, 0), element = hd_type_element(x);
  if (element->kind != HD_TYPE_INTEGER && element->kind != HD_TYPE_FLOAT) return false;
  if (hd_type_rank(x) < 2 || hd_type_rank(x) > HD_MAX_RANK || hd_type_element(hd_operand_type(op, 1)) != element ||
      hd_type_element(hd_result_type(op, 0)) != element)
    return false;
  return !hd_type_is_static(x) || hd_type_num_elements(x) >= SMALL;
}

static bool all_in_two_steps(hd_op *op) {
  hd_type x = hd_operand_type(op, 0), element = hd_type_element(x);
  bool narrow = element->kind == HD_TYPE_FLOAT && hd_type_bits(element) < 32, first[HD_MAX_RANK] = {false};
  if (hd_type_rank(hd_result_type(op, 0)) || narrow) return false;
  /* A row of some hundred elements: unknown dims count as such. */
  uint32_t split = hd_type_rank(x);
  for (int64_t row = 1; split > 1 && row < LONG_ROW;) {
    int64_t dim = hd_type_dim(x, --split);
    first[split] = true;
    row *= dim == HD_DYNAMIC ? LONG_ROW : dim ? dim : 1;
  }
  return in_two_steps(op, first) != NULL;
}

/* The last run of reduced dims before |end|: [*begin, returned end); both are 0 where there is none. */
static uint32_t last_run(hd_attr dims, uint32_t end, uint32_t *begin) {
  while (end && hd_attr_find_int(dims, end - 1) < 0) --end;
  for (*begin = end; *begin && hd_attr_find_int(dims, *begin - 1) >= 0;) --*begin;
  return end;
}

/* Where dims that are kept are between those that are reduced. */
static hd_op *by_runs(hd_op *op) {
  hd_type x = hd_operand_type(op, 0);
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  uint32_t begin, before, end = last_run(dims, hd_type_rank(x), &begin), earlier = last_run(dims, begin, &before);
  if (!earlier) return NULL;
  int64_t row = 1;
  for (uint32_t d = begin; d < end && row; ++d)
    row = hd_type_dim(x, d) == HD_DYNAMIC || row > SHORT_ROW ? 0 : row * hd_type_dim(x, d);
  bool first[HD_MAX_RANK] = {false}, is_short = row && row <= SHORT_ROW && end == hd_type_rank(x);
  for (uint32_t d = is_short ? before : begin; d < (is_short ? earlier : end); ++d) first[d] = true;
  return in_two_steps(op, first);
}

static bool two_steps(hd_op *op, bool full) {
  if (!may_divide(op)) return false;
  if (full && all_in_two_steps(op)) return true;
  bool changed = false;
  while ((op = by_runs(op))) changed = true;
  return changed;
}

static bool is_of_program(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_reduce) && hd_holds_program(hd_op_parent(op));
}

bool hd_pass_canonicalize_reduction(hd_pass *pass, hd_op *func) {
  hd_op_list ops = hd_ops_where(func, is_of_program, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) pass->changed |= combine_one(ops.data[i]);
  ops = hd_ops_where(func, is_of_program, &pass->arena);
  if (hd_option_bool(pass, "two-steps"))
    for (size_t i = 0; i < ops.len; ++i) pass->changed |= two_steps(ops.data[i], hd_option_bool(pass, "full"));
  if (!hd_option_bool(pass, "rank-2")) return true;
  ops = hd_ops_where(func, is_of_program, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) {
    form of = form_of(ops.data[i]);
    if (of != DONE) canonicalize(pass, ops.data[i], of);
  }
  return true;
}
