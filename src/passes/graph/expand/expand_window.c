/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_window of unknown or long windows:
 *   -> dynamic_pad for what is not known of padding and base dilation, one reduce_window over dims whose window is
 *      known, and for each other dim a loop that doubles what an element stands for:
 *
 *        sum = init, part = x, offset = 0, span = dilation
 *        while (size) {              # part[i] = f(x[i], x[i + dilation], ...), span / dilation elements
 *          if (size odd) sum[i] = f(sum[i], part[i + offset]), offset += span
 *          part[i] = f(part[i], part[i + span]), span *= 2, size /= 2
 *        }
 *      so n elements cost n * log(size) steps, where the window alone would cost n * size. f and init are taken to
 *      be a monoid, as reduce_window's are; the order of elements is kept.
 *
 * mhlo.associative_scan is such a window as long as its dim (expand-scans, for targets without kernels for it). */
#include "passes/graph/expand/expand_window.h"

#include "codegen/widen.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/passes.h"

enum { MAX_INPUTS = HD_WINDOW_MAX_INPUTS };

typedef hd_window_dim window;
typedef hd_windows windows;

static void pad(windows *w, hd_value **x) {
  hd_builder *b = w->b;
  hd_value *low[HD_MAX_RANK], *high[HD_MAX_RANK], *interior[HD_MAX_RANK];
  bool any = false;
  for (uint32_t d = 0; d < w->rank; ++d) {
    window *at = &w->dims[d];
    hd_value *zero = hd_hlo_size(b, 0);
    low[d] = at->pads ? at->low : zero;
    high[d] = at->pads ? at->high : zero;
    interior[d] = at->pads ? hd_hlo_size_op(b, HD_OP_stablehlo_subtract, at->base, hd_hlo_size(b, 1)) : zero;
    any |= at->pads;
  }
  if (!any) return;
  hd_value *shapes[] = {hd_hlo_shape(b, low, w->rank), hd_hlo_shape(b, high, w->rank),
                        hd_hlo_shape(b, interior, w->rank)};
  for (uint32_t i = 0; i < w->inputs; ++i)
    x[i] = hd_stablehlo_dynamic_pad(b, x[i], w->init[i], shapes[0], shapes[1], shapes[2]);
}

void hd_expand_give_body(hd_builder *b, hd_block *body, hd_op *op) {
  hd_map map = {0};
  hd_region_clone_into(b->module, body->region, hd_op_region(op, 0), &b->module->arena, &map);
  hd_op *end = hd_op_region(op, 0)->first->last;
  hd_builder at = hd_builder_before(end);
  hd_value *values[MAX_INPUTS];
  for (uint32_t i = 0; i < end->operand_count; ++i) values[i] = hd_operand(end, i);
  hd_build_op(&at, HD_OP_stablehlo_return, values, end->operand_count, NULL, 0, NULL, 0, 0);
  hd_op_erase(end);
}

/* One reduce_window over the dims whose window is known. */
static void reduce_known(windows *w, hd_value **x) {
  hd_builder *b = w->b;
  int64_t lists[4][HD_MAX_RANK], padding[2 * HD_MAX_RANK], dims[HD_MAX_RANK];
  bool any = false;
  for (uint32_t d = 0; d < w->rank; ++d) {
    const window *at = &w->dims[d];
    int64_t size = at->loops ? 1 : hd_hlo_known_size(at->size), stride = at->loops ? 1 : hd_hlo_known_size(at->stride),
            dilation = at->loops ? 1 : hd_hlo_known_size(at->dilation),
            base = at->pads ? 1 : hd_hlo_known_size(at->base), low = at->pads ? 0 : hd_hlo_known_size(at->low),
            high = at->pads ? 0 : hd_hlo_known_size(at->high), dim = hd_type_dim(x[0]->type, d);
    lists[0][d] = size;
    lists[1][d] = stride;
    lists[2][d] = base;
    lists[3][d] = dilation;
    padding[2 * d] = low;
    padding[2 * d + 1] = high;
    any |= size != 1 || stride != 1 || base != 1 || low || high;
    int64_t whole = (dim ? (dim - 1) * base + 1 : 0) + low + high, reach = (size - 1) * dilation + 1;
    dims[d] = dim == HD_DYNAMIC ? HD_DYNAMIC : whole < reach ? 0 : (whole - reach) / stride + 1;
  }
  if (!any) return;
  hd_type pairs = hd_type_tensor(hd_i64(b->context), (int64_t[]){w->rank, 2}, 2, NULL);
  hd_attr_arg attrs[] = {{HD_NAME_window_dimensions, hd_attr_i64_array(b->context, lists[0], w->rank)},
                         {HD_NAME_window_strides, hd_attr_i64_array(b->context, lists[1], w->rank)},
                         {HD_NAME_base_dilations, hd_attr_i64_array(b->context, lists[2], w->rank)},
                         {HD_NAME_window_dilations, hd_attr_i64_array(b->context, lists[3], w->rank)},
                         {HD_NAME_padding, hd_attr_dense(pairs, padding, 16 * (size_t)w->rank, false)}};
  hd_value *operands[2 * MAX_INPUTS];
  hd_type types[MAX_INPUTS];
  for (uint32_t i = 0; i < w->inputs; ++i) {
    operands[i] = x[i];
    operands[w->inputs + i] = w->init[i];
    types[i] = hd_type_with_dims(x[i]->type, dims, w->rank);
  }
  hd_op *made = hd_build_op(b, HD_OP_stablehlo_reduce_window, operands, 2 * w->inputs, types, w->inputs, attrs, 5, 1);
  hd_expand_give_body(b, w->body, made);
  for (uint32_t i = 0; i < w->inputs; ++i) x[i] = hd_result(made, i);
}

/* Element i + |by| of |x| along |axis| at i, |init| after the end. Its dims are those of |x|, whatever |by| is. */
static hd_value *moved(hd_builder *b, hd_value *x, hd_value *init, uint32_t axis, hd_value *by) {
  hd_value *length = hd_hlo_size_of(b, x, axis);
  hd_type line = hd_type_tensor(hd_i32(b->context), (int64_t[]){HD_DYNAMIC}, 1, NULL);
  hd_value *index = hd_stablehlo_dynamic_iota(b, line, 0, length);
  hd_value *scalars[] = {hd_hlo_reshape_to(b, by, NULL, 0), hd_hlo_reshape_to(b, length, NULL, 0)};
  index = hd_stablehlo_add(b, index, hd_hlo_broadcast_like(b, scalars[0], index, NULL));
  hd_value *inside =
      hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LT, index, hd_hlo_broadcast_like(b, scalars[1], index, NULL));
  hd_value *taken = hd_stablehlo_torch_index_select(b, axis, 0, x, index);
  int64_t axes[] = {axis};
  inside = hd_hlo_broadcast_like(b, inside, x, axes);
  return hd_stablehlo_select(b, inside, taken, hd_hlo_broadcast_like(b, init, x, NULL));
}

/* f(a, b) on whole tensors. */
static bool combined(windows *w, hd_builder *b, hd_value *const *lhs, hd_value *const *rhs, hd_value **out) {
  hd_value *all[2 * MAX_INPUTS];
  for (uint32_t i = 0; i < w->inputs; ++i) {
    all[i] = lhs[i];
    all[w->inputs + i] = rhs[i];
  }
  return hd_hlo_apply(b, w->body, all, out, w->inputs);
}

static bool loop(windows *w, uint32_t axis, hd_value **x) {
  hd_builder *b = w->b;
  const window *at = &w->dims[axis];
  hd_value *starts[3 + 2 * MAX_INPUTS] = {at->size, hd_hlo_size(b, 0), at->dilation};
  uint32_t n = w->inputs, count = 3 + 2 * n;
  hd_type types[3 + 2 * MAX_INPUTS];
  for (uint32_t i = 0; i < n; ++i) {
    starts[3 + i] = hd_hlo_broadcast_like(b, w->init[i], x[i], NULL);
    starts[3 + n + i] = x[i];
  }
  for (uint32_t i = 0; i < count; ++i) types[i] = starts[i]->type;
  hd_op *op = hd_build_op(b, HD_OP_stablehlo_while, starts, count, types, count, NULL, 0, 2);
  hd_builder in = hd_hlo_open_region(b, op, 0, types, count);
  hd_value *more = hd_stablehlo_compare(&in, HD_STABLEHLO_COMPARE_GT, in.block->args[0], hd_hlo_size(&in, 0));
  more = hd_hlo_reshape_to(&in, more, NULL, 0);
  hd_build0(&in, HD_OP_stablehlo_return, more);
  in = hd_hlo_open_region(b, op, 1, types, count);
  hd_value **args = in.block->args, *next[3 + 2 * MAX_INPUTS], *side[MAX_INPUTS];
  hd_value *two = hd_hlo_size(&in, 2);
  hd_value *odd = hd_stablehlo_remainder(&in, args[0], two);
  next[0] = hd_stablehlo_divide(&in, args[0], two);
  next[1] = hd_stablehlo_add(&in, args[1], hd_stablehlo_multiply(&in, odd, args[2]));
  next[2] = hd_stablehlo_multiply(&in, args[2], two);
  hd_value *taken =
      hd_hlo_reshape_to(&in, hd_stablehlo_compare(&in, HD_STABLEHLO_COMPARE_NE, odd, hd_hlo_size(&in, 0)), NULL, 0);
  for (uint32_t i = 0; i < n; ++i) side[i] = moved(&in, args[3 + n + i], w->init[i], axis, args[1]);
  if (!combined(w, &in, &args[3], side, &next[3])) return false;
  for (uint32_t i = 0; i < n; ++i)
    next[3 + i] =
        hd_stablehlo_select(&in, hd_hlo_broadcast_like(&in, taken, args[3 + i], NULL), next[3 + i], args[3 + i]);
  for (uint32_t i = 0; i < n; ++i) side[i] = moved(&in, args[3 + n + i], w->init[i], axis, args[2]);
  if (!combined(w, &in, &args[3 + n], side, &next[3 + n])) return false;
  hd_build_op(&in, HD_OP_stablehlo_return, next, count, NULL, 0, NULL, 0, 0);
  /* Windows that begin at multiples of the stride and end inside: elements up to length - (size - 1) * dilation. */
  hd_value *one = hd_hlo_size(b, 1), *limits[HD_MAX_RANK], *from[HD_MAX_RANK], *step[HD_MAX_RANK];
  hd_value *reach = hd_hlo_size_op(b, HD_OP_stablehlo_multiply,
                                   hd_hlo_size_op(b, HD_OP_stablehlo_subtract, at->size, one), at->dilation);
  for (uint32_t d = 0; d < w->rank; ++d) {
    limits[d] = hd_hlo_size_of(b, x[0], d);
    if (d == axis) {
      limits[d] = hd_hlo_size_op(b, HD_OP_stablehlo_subtract, limits[d], reach);
      limits[d] = hd_stablehlo_maximum(b, limits[d], hd_hlo_size(b, 0));
    }
    from[d] = hd_hlo_size(b, 0);
    step[d] = d == axis ? at->stride : one;
  }
  hd_value *shapes[] = {hd_hlo_shape(b, from, w->rank), hd_hlo_shape(b, limits, w->rank),
                        hd_hlo_shape(b, step, w->rank)};
  for (uint32_t i = 0; i < n; ++i)
    x[i] = hd_stablehlo_real_dynamic_slice(b, hd_result(op, 3 + i), shapes[0], shapes[1], shapes[2]);
  return true;
}

bool hd_expand_windows(hd_windows *w, hd_value **x) {
  pad(w, x);
  reduce_known(w, x);
  for (uint32_t d = 0; d < w->rank; ++d)
    if (w->dims[d].loops && !loop(w, d, x)) return false;
  return true;
}

/* A window as long as a dim costs the square of that: from some length on the loop is faster, though it goes through
 * the whole tensor twice for each bit of the length. */
static bool is_long(const hd_op *op, uint32_t d) {
  enum { LEAST = 256, PASS = 16 };
  int64_t size = hd_attr_int_at_or(hd_window_like_window_dimensions(op), d, 1);
  int64_t base = hd_attr_int_at_or(hd_stablehlo_reduce_window_base_dilations(op), d, 1);
  int64_t dim = hd_type_dim(hd_operand_type(op, 0), d), out = hd_type_dim(hd_result_type(op, 0), d);
  hd_attr padding = hd_window_like_padding(op);
  if (size < LEAST || dim == HD_DYNAMIC || out == HD_DYNAMIC) return false;
  double padded = (double)dim * (double)base + (double)hd_attr_int_at_or(padding, 2 * (size_t)d, 0) +
                  (double)hd_attr_int_at_or(padding, 2 * (size_t)d + 1, 0);
  int bits = 64 - __builtin_clzll((unsigned long long)size);
  return (double)out * (double)size >= PASS * bits * padded && padded < INT32_MAX;
}

bool hd_expand_long_window(hd_builder *b, hd_op *op, hd_value **results) {
  static const hd_name names[] = {HD_NAME_window_dimensions, HD_NAME_window_strides, HD_NAME_base_dilations,
                                  HD_NAME_window_dilations};
  windows w = {.b = b, .op = op, .body = hd_op_region(op, 0)->first, .inputs = op->result_count};
  hd_value *x[MAX_INPUTS];
  bool any = false;
  results[0] = NULL;
  w.rank = hd_type_rank(hd_operand_type(op, 0));
  if (w.inputs > MAX_INPUTS || w.rank > HD_MAX_RANK || hd_regions_round(op)) return true;
  for (uint32_t i = 0; i < w.inputs; ++i) {
    x[i] = hd_operand(op, i);
    w.init[i] = hd_operand(op, w.inputs + i);
    hd_type element = hd_type_element(x[i]->type);
    if (hd_type_element(w.init[i]->type) != element || hd_type_element(hd_result_type(op, i)) != element ||
        hd_type_element(w.body->args[i]->type) != element ||
        hd_type_element(hd_operand_type(w.body->last, i)) != element)
      return true; /* sums of wider elements than those that come and go */
  }
  for (uint32_t d = 0; d < w.rank; ++d) any |= w.dims[d].loops = w.dims[d].pads = is_long(op, d);
  if (!any) return true;
  for (uint32_t d = 0; d < w.rank; ++d) {
    window *at = &w.dims[d];
    hd_value **fields[] = {&at->size, &at->stride, &at->base, &at->dilation};
    for (uint32_t k = 0; k < 4; ++k) *fields[k] = hd_hlo_size(b, hd_attr_int_at_or(hd_op_attr_get(op, names[k]), d, 1));
    at->low = hd_hlo_size(b, hd_attr_int_at_or(hd_window_like_padding(op), 2 * (size_t)d, 0));
    at->high = hd_hlo_size(b, hd_attr_int_at_or(hd_window_like_padding(op), 2 * (size_t)d + 1, 0));
  }
  if (!hd_expand_windows(&w, x)) return false;
  for (uint32_t i = 0; i < w.inputs; ++i) results[i] = hd_hlo_retype(b, x[i], hd_result_type(op, i));
  return true;
}

/* The window over all elements up to each, or from each on. */
static bool expand_scan(hd_builder *b, hd_op *op, hd_value **results) {
  windows w = {.b = b,
               .op = op,
               .body = hd_op_region(op, 0)->first,
               .inputs = op->result_count,
               .rank = hd_type_rank(hd_operand_type(op, 0))};
  hd_value *x[MAX_INPUTS];
  if (w.inputs > MAX_INPUTS || w.rank > HD_MAX_RANK)
    return hd_op_error(op, "expects up to %d inputs of rank %d at most", MAX_INPUTS, HD_MAX_RANK);
  uint32_t axis = (uint32_t)hd_scan_like_dimension(op);
  bool reverse = hd_scan_like_is_reverse(op);
  for (uint32_t i = 0; i < w.inputs; ++i) {
    x[i] = hd_operand(op, i);
    w.init[i] = hd_operand(op, w.inputs + i);
  }
  hd_value *one = hd_hlo_size(b, 1), *zero = hd_hlo_size(b, 0);
  for (uint32_t d = 0; d < w.rank; ++d) w.dims[d] = (window){one, one, one, one, zero, zero, d == axis, d == axis};
  window *along = &w.dims[axis];
  along->size = hd_hlo_size_of(b, x[0], axis);
  hd_value *others = hd_hlo_size_op(b, HD_OP_stablehlo_subtract, along->size, one);
  *(reverse ? &along->high : &along->low) = others;
  if (!hd_expand_windows(&w, x)) return false;
  for (uint32_t i = 0; i < w.inputs; ++i) results[i] = hd_hlo_retype(b, x[i], hd_result_type(op, i));
  return true;
}

static bool collect_scan(hd_op *op, void *user) {
  if (hd_op_is(op, HD_OP_mhlo_associative_scan)) *(hd_op **)user = op;
  return true;
}

bool hd_pass_expand_scans(hd_pass *pass, hd_op *func) {
  for (hd_op *op = NULL;; op = NULL) {
    hd_walk_pre(func, collect_scan, &op);
    if (!op) return true;
    hd_builder b = hd_builder_before(op);
    b.loc = op->loc;
    hd_value *results[MAX_INPUTS];
    if (!expand_scan(&b, op, results)) return false;
    hd_op_replace(op, results);
    pass->changed = true;
  }
}
