/* SPDX-License-Identifier: Apache-2.0 */
/* Scans that are written as a tree of slices, as jax.lax.associative_scan writes them: neighbours are combined, the
 * pairs are scanned (the same again), and what is between the pairs' results follows from one more step.
 *
 *   %p = op(slice %x [0:n-1:2], slice %x [1:n:2])
 *   %o = scan of %p                                             odd places
 *   %e = concatenate(slice %x [0:1], op(slice %o [...], slice %x [2:n:2]))
 *   add(pad %e, pad %o)                                         even and odd places side by side, with zeros between
 *
 * The form is not matched op by op. Along the scanned dim an element of each tensor stands for the elements
 * [first, last] of %x that are combined in it, or is a zero of a pad: slices, concatenates and pads move those, an op
 * joins neighbouring ones, and a sum with zeros puts them side by side. The last sum is a scan where its element i
 * stands for [0, i].
 *
 * Sums with zeros make 0 of -0: a scan of floats does the same, by 0 as its start or one more sum in its
 * body. The error of a sum or product of floats grows with log n in a tree and with n in a scan, so only short ones
 * become scans, and such of less than f32 only with excess precision, where a scan carries f32 (docs/numerics.md). */
#include <math.h>

#include "base/vec.h"
#include "ir/ops/stablehlo.h"
#include "passes/analyses.h"
#include "passes/graph/loop/recognize_scans.h"

enum {
  LEAST = 16,
  MOST_ROUNDED = 4096,
  MOST_DEPTH = 256,
  BUDGET = 1 << 24 /* elements of all tensors that are looked at */
};

typedef struct span {
  int64_t first, last; /* of x; first < 0: a zero */
} span;

typedef struct spans {
  span *items;
  int64_t count;
} spans;

typedef struct scan_tree {
  hd_arena *arena;
  hd_shapes *shapes;
  int64_t *budget;
  hd_op *root;
  hd_value *x;
  uint32_t axis;
  hd_opcode opcode; /* what combines; 0: not met yet */
  hd_map known;     /* value -> spans */
} scan_tree;

static const spans *spans_of(scan_tree *t, hd_value *value, uint32_t depth);

static spans *new_spans(scan_tree *t, hd_value *value) {
  int64_t count = hd_type_dim(value->type, t->axis);
  if (count == HD_DYNAMIC || count >= *t->budget) return NULL;
  *t->budget -= count + 1;
  spans *s = hd_new(t->arena, spans);
  *s = (spans){hd_new_array(t->arena, span, (size_t)count + 1), count};
  return s;
}

static bool same_dim(const scan_tree *t, hd_value *a, hd_value *b, uint32_t d) {
  return hd_dim_equal(&t->shapes->table, hd_shapes_dim(t->shapes, a, d), hd_shapes_dim(t->shapes, b, d));
}

/* Element |d| of a slice's starts (|strides|: of its strides), where it is known. */
static bool slice_number(const scan_tree *t, hd_op *op, bool strides, uint32_t d, int64_t *out) {
  if (hd_op_is(op, HD_OP_stablehlo_slice)) {
    *out = hd_attr_int_at(strides ? hd_stablehlo_slice_strides(op) : hd_stablehlo_slice_start_indices(op), d);
    return true;
  }
  hd_dim dim = hd_shapes_element(t->shapes, hd_operand(op, strides ? 3 : 1), d);
  return dim && hd_dim_is_const(&t->shapes->table, dim, out);
}

/* |op| takes elements |*out_start| + i * |*out_stride| of its operand's scanned dim, and all of the others. */
static bool slices_axis(const scan_tree *t, hd_op *op, int64_t *out_start, int64_t *out_stride) {
  for (uint32_t d = 0; d < hd_type_rank(hd_result_type(op, 0)); ++d) {
    int64_t start, stride;
    if (!slice_number(t, op, false, d, &start) || !slice_number(t, op, true, d, &stride)) return false;
    if (d == t->axis) {
      *out_start = start;
      *out_stride = stride;
    } else if (start != 0 || stride != 1 || !same_dim(t, hd_result(op, 0), hd_operand(op, 0), d)) {
      return false;
    }
  }
  return true;
}

static const spans *of_slice(scan_tree *t, hd_op *op, uint32_t depth) {
  int64_t start = 0, stride = 1;
  const spans *x = slices_axis(t, op, &start, &stride) ? spans_of(t, hd_operand(op, 0), depth) : NULL;
  spans *s = x ? new_spans(t, hd_result(op, 0)) : NULL;
  for (int64_t i = 0; s && i < s->count; ++i) {
    int64_t at = start + i * stride;
    if (at < 0 || at >= x->count) return NULL;
    s->items[i] = x->items[at];
  }
  return s;
}

static const spans *of_concatenate(scan_tree *t, hd_op *op, uint32_t depth) {
  if (hd_stablehlo_concatenate_dimension(op) != t->axis) return NULL;
  spans *s = new_spans(t, hd_result(op, 0));
  int64_t at = 0;
  for (uint32_t k = 0; s && k < op->operand_count; ++k) {
    const spans *x = spans_of(t, hd_operand(op, k), depth);
    if (!x || at + x->count > s->count) return NULL;
    for (int64_t i = 0; i < x->count; ++i) s->items[at++] = x->items[i];
  }
  return s && at == s->count ? s : NULL;
}

/* Is the padding zeros, inside and around the elements of the scanned dim alone? */
static bool pads_axis(hd_op *op, uint32_t axis) {
  hd_attr fill = hd_value_constant(hd_operand(op, 1));
  if (!hd_attr_is(fill, HD_ATTR_DENSE)) return false;
  const char *bytes = fill->dense.data;
  for (size_t i = 0; i < hd_type_element_bytes(hd_type_element(hd_operand_type(op, 1))); ++i)
    if (bytes[i]) return false;
  for (uint32_t d = 0; d < hd_type_rank(hd_result_type(op, 0)); ++d) {
    int64_t low = hd_attr_int_at(hd_stablehlo_pad_edge_padding_low(op), d),
            high = hd_attr_int_at(hd_stablehlo_pad_edge_padding_high(op), d),
            inside = hd_attr_int_at(hd_stablehlo_pad_interior_padding(op), d);
    if (d == axis ? low < 0 || high < 0 : low || high || inside) return false;
  }
  return true;
}

static const spans *of_pad(scan_tree *t, hd_op *op, uint32_t depth) {
  const spans *x = pads_axis(op, t->axis) ? spans_of(t, hd_operand(op, 0), depth) : NULL;
  spans *s = x ? new_spans(t, hd_result(op, 0)) : NULL;
  if (!s) return NULL;
  int64_t low = hd_attr_int_at(hd_stablehlo_pad_edge_padding_low(op), t->axis),
          step = 1 + hd_attr_int_at(hd_stablehlo_pad_interior_padding(op), t->axis);
  for (int64_t i = 0; i < s->count; ++i) s->items[i].first = -1;
  for (int64_t i = 0; i < x->count && low + i * step < s->count; ++i) s->items[low + i * step] = x->items[i];
  return s;
}

static bool adds(hd_opcode opcode) { return opcode == HD_OP_stablehlo_add || opcode == HD_OP_stablehlo_or; }

static const spans *of_pair(scan_tree *t, hd_op *op, uint32_t depth) {
  const spans *a = spans_of(t, hd_operand(op, 0), depth), *b = a ? spans_of(t, hd_operand(op, 1), depth) : NULL;
  spans *s = b && b->count == a->count ? new_spans(t, hd_result(op, 0)) : NULL;
  hd_opcode opcode = hd_opcode_get(op);
  for (int64_t i = 0; s && i < s->count; ++i) {
    span x = a->items[i], y = b->items[i];
    if (x.first < 0 || y.first < 0) {
      if (!adds(opcode)) return NULL;
      s->items[i] = x.first < 0 ? y : x;
      continue;
    }
    if (!t->opcode) t->opcode = opcode;
    bool in_order = x.last + 1 == y.first;
    if (t->opcode != opcode || (!in_order && y.last + 1 != x.first)) return NULL;
    s->items[i] = in_order ? (span){x.first, y.last} : (span){y.first, x.last};
  }
  return s;
}

static const spans *spans_of(scan_tree *t, hd_value *value, uint32_t depth) {
  static const struct {
    hd_opcode opcode;
    const spans *(*rule)(scan_tree *t, hd_op *op, uint32_t depth);
  } rules[] = {{HD_OP_stablehlo_slice, of_slice},
               {HD_OP_stablehlo_real_dynamic_slice, of_slice},
               {HD_OP_stablehlo_concatenate, of_concatenate},
               {HD_OP_stablehlo_pad, of_pad},
               {HD_OP_stablehlo_add, of_pair},
               {HD_OP_stablehlo_multiply, of_pair},
               {HD_OP_stablehlo_maximum, of_pair},
               {HD_OP_stablehlo_minimum, of_pair},
               {HD_OP_stablehlo_and, of_pair},
               {HD_OP_stablehlo_or, of_pair},
               {HD_OP_stablehlo_xor, of_pair}};
  const spans *found = hd_map_get(&t->known, value);
  hd_op *op = hd_value_op(value);
  if (found || !op || depth >= MOST_DEPTH) return found;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (hd_op_is(op, rules[i].opcode)) found = rules[i].rule(t, op, depth + 1);
  if (found) hd_map_set(t->arena, &t->known, value, (void *)found);
  return found;
}

/* The tensor whose first element is the first of |value|, through pads and concatenates, by a slice. */
static hd_value *scanned_of(hd_value *value) {
  hd_op *op = hd_value_op(value);
  if (hd_op_is(op, HD_OP_stablehlo_pad)) op = hd_value_op(hd_operand(op, 0));
  if (hd_op_is(op, HD_OP_stablehlo_concatenate)) op = hd_value_op(hd_operand(op, 0));
  bool slice = hd_op_is(op, HD_OP_stablehlo_slice) || hd_op_is(op, HD_OP_stablehlo_real_dynamic_slice);
  return slice ? hd_operand(op, 0) : NULL;
}

/* Are the results of |op| a scan of t->x along t->axis? */
static bool is_scan(scan_tree *t, hd_op *op) {
  int64_t n = hd_type_dim(hd_result_type(op, 0), t->axis);
  if (!t->x || hd_type_rank(t->x->type) != hd_type_rank(hd_result_type(op, 0)) || n < LEAST ||
      hd_type_dim(t->x->type, t->axis) != n)
    return false;
  hd_type element = hd_type_element(t->x->type);
  if (element->kind != HD_TYPE_FLOAT && element->kind != HD_TYPE_INTEGER) return false;
  spans *x = new_spans(t, t->x);
  if (!x) return false;
  for (int64_t i = 0; i < n; ++i) x->items[i] = (span){i, i};
  hd_map_set(t->arena, &t->known, t->x, x);
  const spans *s = spans_of(t, hd_result(op, 0), 0);
  for (int64_t i = 0; s && i < n; ++i)
    if (s->items[i].first != 0 || s->items[i].last != i) return false;
  for (uint32_t d = 0; s && d < hd_type_rank(t->x->type); ++d)
    if (!same_dim(t, t->x, hd_result(op, 0), d)) return false;
  return s && t->opcode;
}

/* The dim along which |op| is a sum of a tensor's elements with zeros between them; -1: there is none. */
static int64_t interleaved_dim(const hd_op *op) {
  if (!adds(hd_opcode_get(op))) return -1;
  for (uint32_t k = 0; k < 2; ++k) {
    hd_op *pad = hd_value_op(hd_operand(op, k));
    if (!hd_op_is(pad, HD_OP_stablehlo_pad)) return -1;
    for (uint32_t d = 0; k && d < hd_type_rank(hd_result_type(op, 0)); ++d)
      if (hd_attr_int_at(hd_stablehlo_pad_interior_padding(pad), d) == 1) return d;
  }
  return -1;
}

static bool may_be_tree(const hd_op *op) { return interleaved_dim(op) >= 0; }

/* The scalar from which a scan by |opcode| starts: it changes no element but -0, which a sum of floats makes 0. */
static hd_value *start_of(hd_builder *b, hd_type element, hd_opcode opcode) {
  hd_value *zero = hd_hlo_zero(b, element);
  bool is_float = element->kind == HD_TYPE_FLOAT, least = opcode == HD_OP_stablehlo_maximum;
  if (opcode == HD_OP_stablehlo_multiply) return is_float ? hd_hlo_float_like(b, zero, 1) : hd_hlo_int_like(b, zero, 1);
  if (!least && opcode != HD_OP_stablehlo_minimum)
    return opcode == HD_OP_stablehlo_and ? hd_hlo_int_like(b, zero, hd_type_bits(element) == 1 ? 1 : -1) : zero;
  if (is_float) return hd_hlo_float_like(b, zero, least ? -INFINITY : INFINITY);
  uint32_t width = hd_type_bits(element);
  if (width == 1 || element->integer.signedness == HD_UNSIGNED)
    return hd_hlo_int_like(b, zero, least ? 0 : width == 1 ? 1 : -1);
  int64_t lowest = width >= 64 ? INT64_MIN : -(INT64_C(1) << (width - 1));
  return hd_hlo_int_like(b, zero, least ? lowest : -(lowest + 1));
}

/* Does the scan round about as the tree does? */
static bool rounds_alike(const scan_tree *t, bool excess_precision) {
  hd_type element = hd_type_element(t->x->type);
  bool rounds = t->opcode == HD_OP_stablehlo_add || t->opcode == HD_OP_stablehlo_multiply;
  if (element->kind != HD_TYPE_FLOAT || !rounds) return true;
  return hd_type_dim(t->x->type, t->axis) <= MOST_ROUNDED && (excess_precision || hd_type_bits(element) >= 32);
}

static bool rewrite(scan_tree *t) {
  hd_op *op = t->root;
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_type element = hd_type_element(t->x->type), scalar = hd_type_tensor(element, NULL, 0, NULL);
  hd_value *operands[] = {t->x, start_of(&b, element, t->opcode)};
  hd_op *holder = hd_build_op(&b, HD_OP_stablehlo_reduce, NULL, 0, NULL, 0, NULL, 0, 1);
  hd_builder in = hd_hlo_open_region(&b, holder, 0, (hd_type[]){scalar, scalar}, 2);
  hd_value *value = hd_build(&in, t->opcode, scalar, in.block->args[0], in.block->args[1]);
  if (element->kind == HD_TYPE_FLOAT && t->opcode != HD_OP_stablehlo_add)
    value = hd_stablehlo_add(&in, value, hd_hlo_zero(&in, element));
  hd_build0(&in, HD_OP_stablehlo_return, value);
  hd_op *scan = hd_build_associative_scan(&b, operands, 1, in.block, t->axis, false);
  hd_op_erase(holder);
  if (!scan) return false;
  hd_value_replace_uses(hd_result(op, 0), hd_hlo_retype(&b, hd_result(scan, 0), hd_result_type(op, 0)));
  return true;
}

bool hd_recognize_scan_trees(hd_pass *pass, hd_op *func) {
  hd_op_list ops = hd_ops_where(func, may_be_tree, &pass->arena);
  hd_vec(scan_tree *) found = {0};
  hd_map inside = {0};
  int64_t budget = BUDGET;
  for (size_t i = ops.len; i-- > 0;) { /* the whole before its parts, which come before it */
    hd_op *op = ops.data[i];
    if (hd_map_find(&inside, hd_result(op, 0))) continue;
    scan_tree *t = hd_new(&pass->arena, scan_tree);
    *t = (scan_tree){.arena = &pass->arena, .shapes = hd_pass_shapes(pass, func), .budget = &budget, .root = op};
    t->axis = (uint32_t)interleaved_dim(op);
    t->x = scanned_of(hd_operand(op, 0));
    if (!is_scan(t, op) || !rounds_alike(t, hd_option_bool(pass, "excess-precision"))) continue;
    hd_vec_push(&pass->arena, &found, t);
    hd_map_remove(&t->known, t->x); /* may be a scan of its own */
    for (size_t k = 0; k < t->known.len; ++k)
      if (!t->known.entries[k].dead) hd_map_insert(&pass->arena, &inside, t->known.entries[k].key, NULL);
  }
  bool changed = false;
  for (size_t i = 0; i < found.len; ++i) changed |= rewrite(found.data[i]);
  if (changed) hd_op_erase_dead_inside(func);
  return changed;
}
