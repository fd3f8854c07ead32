/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_window and select_and_scatter whose computation no kernel can hold become loops of the program
 * (element_loop.h):
 *
 *   "stablehlo.reduce_window"(%x, %z) ({ f })
 *     -> flat = x and z after it, out = broadcast z
 *        while (i < outputs * taps) { k = i / taps, out[k] = f(out[k], flat[what tap i % taps of window k sees]), ... }
 *   "stablehlo.select_and_scatter"(%x, %s, %z) ({ select }, { scatter })
 *     -> %at = the same of (x, its places) with select, where padding has no place; out = broadcast z
 *        while (i < sources) { out[at[i]] = scatter(out[at[i]], s[i]), i += 1 } */
#include "codegen/emit/generator.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/element_loop.h"
#include "passes/graph/expand/expand_hlo.h"
#include "passes/graph/shape/shape_values.h"

typedef struct windows {
  hd_op *op;
  uint32_t rank;
  int64_t *size, *stride, *base, *dilation, *low, *high;
  hd_value **sizes, **outputs, **taps; /* of the operand, of the result, of the window */
} windows;

static int64_t *read_list(hd_builder *b, hd_attr attr, uint32_t rank) {
  int64_t *list = hd_new_array(&b->module->arena, int64_t, rank + 1);
  for (uint32_t d = 0; d < rank; ++d) list[d] = attr && d < hd_attr_count(attr) ? hd_attr_int_at(attr, d) : 1;
  return list;
}

static hd_value *limited(hd_builder *b, hd_value *size, int64_t least) {
  int64_t known = hd_hlo_known_size(size);
  if (known != HD_DYNAMIC) return known < least ? hd_hlo_size(b, least) : size;
  return hd_stablehlo_maximum(b, size, hd_hlo_size(b, least));
}

/* The number of windows along dim |d|. */
static hd_value *output_size(hd_builder *b, const windows *w, uint32_t d) {
  int64_t known = hd_type_dim(hd_result_type(w->op, 0), d),
          reach = w->size[d] ? (w->size[d] - 1) * w->dilation[d] + 1 : 0;
  if (known != HD_DYNAMIC) return hd_hlo_size(b, known);
  hd_value *size = w->sizes[d];
  if (w->base[d] != 1) { /* holes between elements */
    size = hd_hlo_size_op(b, HD_OP_stablehlo_subtract, size, hd_hlo_size(b, 1));
    size = hd_hlo_size_op(b, HD_OP_stablehlo_multiply, size, hd_hlo_size(b, w->base[d]));
    size = limited(b, hd_hlo_size_op(b, HD_OP_stablehlo_add, size, hd_hlo_size(b, 1)), 0);
  }
  /* (padded - reach) / stride + 1, at least 0 */
  size = hd_hlo_size_op(b, HD_OP_stablehlo_add, size, hd_hlo_size(b, w->low[d] + w->high[d] - reach + w->stride[d]));
  return hd_hlo_size_op(b, HD_OP_stablehlo_divide, limited(b, size, 0), hd_hlo_size(b, w->stride[d]));
}

static windows read_windows(hd_builder *b, hd_op *op) {
  hd_arena *arena = &b->module->arena;
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0));
  windows w = {op,
               rank,
               read_list(b, hd_stablehlo_reduce_window_window_dimensions(op), rank),
               read_list(b, hd_stablehlo_reduce_window_window_strides(op), rank),
               read_list(b, hd_stablehlo_reduce_window_base_dilations(op), rank),
               read_list(b, hd_stablehlo_reduce_window_window_dilations(op), rank),
               hd_new_array(arena, int64_t, rank + 1),
               hd_new_array(arena, int64_t, rank + 1),
               hd_new_array(arena, hd_value *, rank + 1),
               hd_new_array(arena, hd_value *, rank + 1),
               hd_new_array(arena, hd_value *, rank + 1)};
  hd_attr padding = hd_window_like_padding(op);
  hd_hlo_sizes_of(b, hd_operand(op, 0), w.sizes);
  for (uint32_t d = 0; d < rank; ++d) {
    w.low[d] = padding ? hd_attr_int_at(padding, 2 * (size_t)d) : 0;
    w.high[d] = padding ? hd_attr_int_at(padding, 2 * (size_t)d + 1) : 0;
    w.taps[d] = hd_hlo_size(b, w.size[d]);
    w.outputs[d] = output_size(b, &w, d);
  }
  return w;
}

/* Step |at| is a tap of a window: it sees a place in the operand, or what follows it, for padding and holes. */
static void plan_window(hd_builder *b, const void *user, hd_value *at, hd_element_step *step) {
  const windows *w = user;
  hd_arena *arena = &b->module->arena;
  hd_value **index = hd_new_array(arena, hd_value *, w->rank + 1),
           **taps = hd_new_array(arena, hd_value *, w->rank + 1);
  hd_value *count = hd_element_number(b, hd_element_product(b, w->taps, w->rank)),
           *outside = hd_element_number(b, hd_element_product(b, w->sizes, w->rank));
  step->to = hd_stablehlo_divide(b, at, count);
  hd_element_index(b, step->to, w->outputs, w->rank, index);
  hd_element_index(b, hd_stablehlo_remainder(b, at, count), w->taps, w->rank, taps);
  hd_value *zero = hd_element_number(b, hd_hlo_size(b, 0)), *inside = NULL;
  for (uint32_t d = 0; d < w->rank; ++d) {
    hd_value *stride = hd_element_number(b, hd_hlo_size(b, w->stride[d])),
             *dilation = hd_element_number(b, hd_hlo_size(b, w->dilation[d])),
             *low = hd_element_number(b, hd_hlo_size(b, w->low[d])),
             *base = hd_element_number(b, hd_hlo_size(b, w->base[d])), *size = hd_element_number(b, w->sizes[d]);
    index[d] = hd_stablehlo_multiply(b, index[d], stride);
    taps[d] = hd_stablehlo_multiply(b, taps[d], dilation);
    index[d] = hd_stablehlo_add(b, index[d], taps[d]);
    index[d] = hd_stablehlo_subtract(b, index[d], low);
    inside = hd_hlo_and(b, inside, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_GE, index[d], zero));
    if (w->base[d] != 1) {
      hd_value *hole = hd_stablehlo_remainder(b, index[d], base);
      inside = hd_hlo_and(b, inside, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, hole, zero));
      index[d] = hd_stablehlo_divide(b, index[d], base);
    }
    inside = hd_hlo_and(b, inside, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LT, index[d], size));
  }
  step->from = hd_element_place(b, index, w->sizes, w->rank);
  if (inside) step->from = hd_stablehlo_select(b, inside, step->from, outside);
}

/* The steps of |outputs| windows of |taps| elements, which the loop counts in 32 bits: more are an error at the op, or
 * of the run where the sizes are not known. */
static hd_value *count_steps(hd_builder *b, hd_op *op, hd_value *outputs, hd_value *taps) {
  int64_t windows = hd_hlo_known_size(outputs), each = hd_hlo_known_size(taps), most = INT32_MAX;
  if (windows != HD_DYNAMIC && each != HD_DYNAMIC && each > 0 && windows > most / each) {
    hd_op_error(
        op, "has no compiled path for %lld windows of %lld elements with this computation, expected %lld steps at most",
        (long long)windows, (long long)each, (long long)most);
    return NULL;
  }
  if (windows == HD_DYNAMIC && each > 0) {
    hd_value *sides[] = {hd_element_number(b, outputs), hd_element_number(b, hd_hlo_size(b, most / each))};
    hd_strbuf says;
    hd_strbuf_init(&says, &b->module->arena);
    hd_strbuf_printf(&says, "%s: {0} windows of %lld elements with this computation, expected {1} windows at most",
                     op->name->text, (long long)each);
    hd_shape_assert_of(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LE, sides[0], sides[1]), sides, 2,
                       hd_str_of(hd_strbuf_text(&says)));
  }
  return hd_hlo_size_op(b, HD_OP_stablehlo_multiply, outputs, taps);
}

static bool windows_by_element(hd_builder *b, hd_op *op, hd_value **results) {
  uint32_t n = op->result_count;
  windows w = read_windows(b, op);
  hd_value **flat = hd_new_array(&b->module->arena, hd_value *, n);
  hd_value *outputs = hd_element_product(b, w.outputs, w.rank);
  hd_value *steps = count_steps(b, op, outputs, hd_element_product(b, w.taps, w.rank));
  if (!steps) return false;
  for (uint32_t i = 0; i < n; ++i) {
    hd_value *init = hd_operand(op, n + i);
    flat[i] = hd_element_flat_and(b, hd_operand(op, i), init);
    results[i] = hd_element_spread(b, hd_hlo_convert(b, init, hd_type_element(hd_result_type(op, i))), outputs);
  }
  hd_element_combine(b, hd_op_region(op, 0)->first, steps, flat, results, n, plan_window, &w);
  for (uint32_t i = 0; i < n; ++i) results[i] = hd_element_unflat(b, results[i], w.outputs, hd_result_type(op, i));
  return true;
}

bool hd_expand_reduce_window(hd_builder *b, hd_op *op, hd_value **results) {
  if (!hd_can_generate_regions(op)) return windows_by_element(b, op, results);
  return hd_expand_long_window(b, op, results);
}

/* (x, at), (y, to) -> the one that |select| keeps; what has no place (-1) is never kept. */
static void keep_selected(hd_builder *b, hd_block *select, hd_op *window, hd_type element) {
  hd_type x = hd_type_tensor(element, NULL, 0, NULL), place = hd_type_tensor(hd_i32(b->context), NULL, 0, NULL);
  hd_builder in = hd_hlo_open_region(b, window, 0, (hd_type[]){x, place, x, place}, 4);
  hd_value **args = in.block->args, *zero = hd_element_number(&in, hd_hlo_size(&in, 0)), *keeps;
  hd_value *first = hd_stablehlo_compare(&in, HD_STABLEHLO_COMPARE_GE, args[1], zero),
           *second = hd_stablehlo_compare(&in, HD_STABLEHLO_COMPARE_GE, args[3], zero);
  hd_value *both = hd_hlo_and(&in, first, second),
           *alone = hd_stablehlo_compare(&in, HD_STABLEHLO_COMPARE_LT, args[3], zero);
  hd_value *compared[] = {hd_hlo_convert(&in, args[0], hd_type_element(select->args[0]->type)),
                          hd_hlo_convert(&in, args[2], hd_type_element(select->args[1]->type))};
  hd_element_apply_if(&in, both, select, compared, &alone, &keeps);
  hd_value *kept[] = {hd_stablehlo_select(&in, keeps, args[0], args[2]),
                      hd_stablehlo_select(&in, keeps, args[1], args[3])};
  hd_build_op(&in, HD_OP_stablehlo_return, kept, 2, NULL, 0, NULL, 0, 0);
}

/* Source |at| goes to the place that its window has chosen (|user|: they, flat), if it has. */
static void plan_source(hd_builder *b, const void *user, hd_value *at, hd_element_step *step) {
  hd_value **chosen = (hd_value **)(uintptr_t)user;
  hd_value *place = hd_element_get(b, chosen[0], at, at->type), *end = hd_element_number(b, chosen[1]);
  step->inside = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_GE, place, hd_element_number(b, hd_hlo_size(b, 0)));
  step->to = hd_stablehlo_select(b, step->inside, place, end);
}

bool hd_expand_select_and_scatter(hd_builder *b, hd_op *op, hd_value **results) {
  hd_value *x = hd_operand(op, 0), *source = hd_operand(op, 1), *init = hd_operand(op, 2);
  hd_type element = hd_type_element(x->type), i32 = hd_i32(b->context);
  uint32_t rank = hd_type_rank(x->type);
  hd_value **sizes = hd_new_array(&b->module->arena, hd_value *, rank + 1);
  hd_hlo_sizes_of(b, x, sizes);
  hd_value *count = hd_element_product(b, sizes, rank);
  int64_t known = hd_hlo_known_size(count);
  hd_value *places = hd_hlo_iota(b, hd_type_tensor(i32, &known, 1, NULL), hd_element_flat(b, x), 0);
  hd_value *operands[] = {x, hd_hlo_reshape(b, places, sizes, rank), hd_hlo_zero(b, element),
                          hd_element_number(b, hd_hlo_size(b, -1))};
  hd_type types[] = {hd_type_with_element(source->type, element), hd_type_with_element(source->type, i32)};
  static const hd_name names[] = {HD_NAME_window_dimensions, HD_NAME_window_strides, HD_NAME_padding};
  hd_attr_arg attrs[3];
  size_t attr_count = 0;
  for (size_t i = 0; i < 3; ++i) {
    hd_attr attr = hd_op_attr_get(op, names[i]);
    if (attr) attrs[attr_count++] = (hd_attr_arg){names[i], attr};
  }
  hd_op *window = hd_build_op(b, HD_OP_stablehlo_reduce_window, operands, 4, types, 2, attrs, attr_count, 1);
  keep_selected(b, hd_op_region(op, 0)->first, window, element);
  hd_value *chosen[2];
  bool done = windows_by_element(b, window, chosen);
  hd_op_erase(window);
  if (!done) return false;
  hd_value *places_and_end[] = {hd_element_flat(b, chosen[1]), count}, *updates = hd_element_flat(b, source);
  init = hd_hlo_convert(b, init, hd_type_element(hd_result_type(op, 0)));
  hd_value *out = hd_element_spread(b, init, hd_hlo_size_op(b, HD_OP_stablehlo_add, count, hd_hlo_size(b, 1)));
  hd_value **source_sizes = hd_new_array(&b->module->arena, hd_value *, rank + 1);
  hd_hlo_sizes_of(b, source, source_sizes);
  hd_element_combine(b, hd_op_region(op, 1)->first, hd_element_product(b, source_sizes, rank), &updates, &out, 1,
                     plan_source, places_and_end);
  results[0] = hd_element_unflat(b, out, sizes, hd_result_type(op, 0));
  return true;
}
