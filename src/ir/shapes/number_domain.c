/* SPDX-License-Identifier: Apache-2.0 */
/* Extents as types have them: a number, or unknown with or without an upper bound. A bound of a result follows from
 * bounds of operands where the arithmetic only grows with them. */
#include <stdio.h>

#include "ir/shapes/shape_function.h"

static const hd_extent unknown_number = {.number = HD_DYNAMIC, .bound = HD_DYNAMIC, .place = {"", -1, 0}};

static hd_extent number(hd_shape_context *c, int64_t n) {
  (void)c;
  hd_extent e = unknown_number;
  e.number = n;
  return e;
}

static hd_extent unknown(hd_shape_context *c) {
  (void)c;
  return unknown_number;
}

static hd_extent dim_of_type(hd_shape_context *c, hd_type type, uint32_t d) {
  hd_extent e = number(c, type->shaped.dims[d]);
  hd_attr bounds = hd_type_bounds(type);
  if (!bounds) return e;
  if (!c->bounds) c->bounds = type->shaped.encoding->structure.row;
  if (e.number == HD_DYNAMIC && d < hd_attr_count(bounds)) e.bound = hd_attr_int_at(bounds, d);
  return e;
}

static hd_extent dim(hd_shape_context *c, uint32_t operand, uint32_t d) {
  hd_extent e = dim_of_type(c, hd_state_type(c->state, operand), d);
  e.place = hd_place_operand(operand, d);
  return e;
}

/* Where element |*i| of |value|, of rank 1 at most, comes from: looks through what joins vectors of known lengths. */
static const hd_value *source_of(const hd_value *value, uint32_t *i) {
  for (hd_op *op = hd_value_op(value); hd_op_is(op, HD_OP_stablehlo_concatenate); op = hd_value_op(value)) {
    uint32_t k = 0;
    int64_t length = 0;
    for (; k < op->operand_count; ++k, *i -= (uint32_t)length) {
      hd_type part = hd_operand_type(op, k);
      if (!hd_is_ranked(part) || part->shaped.rank != 1) return value;
      length = part->shaped.dims[0];
      if (length == HD_DYNAMIC || *i < length) break;
    }
    if (length == HD_DYNAMIC || k == op->operand_count) return value;
    value = hd_operand(op, k);
  }
  return value;
}

static hd_extent element(hd_shape_context *c, uint32_t operand, uint32_t i) {
  hd_extent e = unknown_number;
  e.place = (hd_shape_place){"element", (int32_t)operand, i};
  hd_attr value = hd_value_constant(source_of(c->state->operands[operand], &i));
  if (!hd_attr_is(value, HD_ATTR_DENSE) || i >= hd_attr_count(value)) return e;
  hd_type_kind kind = hd_type_element(value->type)->kind;
  if (kind == HD_TYPE_INTEGER || kind == HD_TYPE_INDEX) e.number = hd_attr_int_at(value, i);
  return e;
}

static hd_extent result_dim(hd_shape_context *c, uint32_t result, uint32_t d) {
  hd_extent e = unknown_number;
  hd_type types[] = {c->out[result], hd_state_hint(c->state, result)};
  for (int k = 0; k < 2 && e.number == HD_DYNAMIC; ++k)
    if (types[k] && hd_is_ranked(types[k]) && d < types[k]->shaped.rank) e = dim_of_type(c, types[k], d);
  e.place = hd_place_result(d);
  return e;
}

static hd_extent count(hd_shape_context *c, int32_t operand) {
  hd_type type = operand < 0 ? c->out[0] : hd_state_type(c->state, (size_t)operand);
  int64_t elements = hd_type_has_rank(type) ? hd_type_num_elements(type) : -1;
  hd_extent e = number(c, elements < 0 ? HD_DYNAMIC : elements);
  e.place = (hd_shape_place){"elements", operand, 0};
  return e;
}

static bool known(hd_shape_context *c, hd_extent e, int64_t *out) {
  (void)c;
  *out = e.number;
  return e.number != HD_DYNAMIC;
}

static int64_t floordiv(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* False when the result is larger than 64 bits. */
static bool compute(hd_extent_operator operator, int64_t a, int64_t b, int64_t *out) {
  switch (operator) {
    case HD_EXTENT_ADD:
      return !__builtin_add_overflow(a, b, out);
    case HD_EXTENT_SUB:
      return !__builtin_sub_overflow(a, b, out);
    case HD_EXTENT_MUL:
      return !__builtin_mul_overflow(a, b, out);
    case HD_EXTENT_FLOORDIV:
      return *out = floordiv(a, b), true;
    case HD_EXTENT_CEILDIV:
      return *out = floordiv(a, b) + (a % b != 0), true;
    case HD_EXTENT_MOD:
      return *out = a - floordiv(a, b) * b, true;
    case HD_EXTENT_MIN:
      return *out = a < b ? a : b, true;
    default:
      return *out = a > b ? a : b, true;
  }
}

static int64_t upper(hd_extent e) { return e.number != HD_DYNAMIC ? e.number : e.bound; }

static int64_t lower_bound_of_two(int64_t a, int64_t b) {
  return a == HD_DYNAMIC ? b : b == HD_DYNAMIC || a < b ? a : b;
}

/* The upper bound of what is not known, HD_DYNAMIC where none follows. */
static int64_t bound_of(hd_extent_operator operator, hd_extent a, hd_extent b) {
  int64_t x = upper(a), y = upper(b), bound;
  if (operator == HD_EXTENT_MIN) return lower_bound_of_two(x, y);
  if (x == HD_DYNAMIC || y == HD_DYNAMIC || operator == HD_EXTENT_MOD) return HD_DYNAMIC;
  if (operator == HD_EXTENT_SUB && b.number == HD_DYNAMIC) return HD_DYNAMIC;
  if (operator == HD_EXTENT_MUL && (x < 0 || y < 0)) return HD_DYNAMIC;
  return compute(operator, x, y, &bound) ? bound : HD_DYNAMIC;
}

static hd_extent meet(hd_extent a, hd_extent b) {
  if (a.number == HD_DYNAMIC && b.number == HD_DYNAMIC) {
    a.bound = lower_bound_of_two(a.bound, b.bound);
    return a;
  }
  return a.number != HD_DYNAMIC ? a : b;
}

static hd_extent broadcast(hd_extent a, hd_extent b) {
  if (a.number == 1) return b;
  return a.number == HD_DYNAMIC && b.number != HD_DYNAMIC && b.number != 1 ? b : a;
}

static hd_extent combine(hd_shape_context *c, hd_extent_operator operator, hd_extent a, hd_extent b) {
  (void)c;
  if (operator == HD_EXTENT_MEET) return meet(a, b);
  if (operator == HD_EXTENT_BROADCAST) return broadcast(a, b);
  hd_extent e = unknown_number;
  e.overflow = a.overflow || b.overflow;
  bool divides = operator == HD_EXTENT_FLOORDIV || operator == HD_EXTENT_CEILDIV || operator == HD_EXTENT_MOD;
  if (divides && (b.number == HD_DYNAMIC || b.number < 1)) return e;
  if (a.number == HD_DYNAMIC || b.number == HD_DYNAMIC) {
    e.bound = bound_of(operator, a, b);
  } else if (!compute(operator, a.number, b.number, &e.number)) {
    e.number = HD_DYNAMIC;
    e.overflow = true;
  }
  return e;
}

static bool is_broken(hd_shape_relation relation, hd_extent a, hd_extent b) {
  int64_t most = relation == HD_SHAPE_AT_MOST ? upper(b) : b.number;
  if (a.number == HD_DYNAMIC || most == HD_DYNAMIC) return false;
  if (relation == HD_SHAPE_AT_MOST) return a.number > most;
  return a.number != most && (relation == HD_SHAPE_EQUAL || a.number != 1);
}

static void require(hd_shape_context *c, hd_shape_relation relation, hd_extent a, hd_extent b) {
  if (a.overflow || b.overflow) {
    hd_shape_error(c, "expects sizes below 2^63");
    return;
  }
  if (!is_broken(relation, a, b)) return;
  char left[32], right[48];
  snprintf(left, sizeof left, "%lld", (long long)a.number);
  snprintf(right, sizeof right, "%s%lld", b.number == HD_DYNAMIC ? "at most " : "", (long long)upper(b));
  hd_shape_side sides[] = {{a.place, "", left}, {b.place, "", right}};
  hd_strbuf text;
  hd_strbuf_init(&text, &c->state->context->arena);
  hd_shape_requirement_print(&text, relation, &sides[0], &sides[1]);
  hd_shape_error(c, "%s", hd_strbuf_text(&text));
}

static void result(hd_shape_context *c, uint32_t at, hd_type element_type, const hd_extents *shape) {
  int64_t dims[HD_MAX_RANK], bounds[HD_MAX_RANK];
  for (uint32_t d = 0; d < shape->rank && !c->failed; ++d) {
    dims[d] = shape->at[d].number;
    bounds[d] = shape->at[d].bound;
    if (shape->at[d].overflow)
      hd_shape_error(c, "expects a result of fewer elements, dim %u overflows", d);
    else if (dims[d] != HD_DYNAMIC && dims[d] < 0)
      hd_shape_error(c, "dim %u of the result is %lld, expected at least 0", d, (long long)dims[d]);
  }
  if (!c->failed) c->out[at] = hd_type_bounded(element_type, dims, bounds, shape->rank, c->bounds);
}

static const hd_extent_domain numbers = {.number = number,
                                         .unknown = unknown,
                                         .dim = dim,
                                         .element = element,
                                         .result_dim = result_dim,
                                         .count = count,
                                         .combine = combine,
                                         .known = known,
                                         .require = require,
                                         .result = result};

bool hd_shape_function_types(const hd_op_state *state, hd_type *out) {
  hd_shape_context c = {.state = state, .domain = &numbers, .out = out};
  return hd_op_info_of(state->opcode)->hooks.shape(&c) && !c.failed;
}
