/* SPDX-License-Identifier: Apache-2.0 */
/* What shape functions share, over any domain. */
#include "ir/shapes/shape_function.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool hd_shape_error(hd_shape_context *c, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  c->failed = true;
  if (c->domain->at_run_time) return false; /* of what was verified: its types do not tell */
  return hd_infer_error(c->state, "%s", text);
}

static void print_place(hd_strbuf *out, const hd_shape_side *side) {
  const char *what = side->place.what ? side->place.what : "dim";
  if (!strcmp(what, "elements"))
    hd_strbuf_puts(out, "the elements of ");
  else
    hd_strbuf_printf(out, "%s %u of ", what, side->place.dim);
  if (side->place.operand < 0)
    hd_strbuf_puts(out, "the result");
  else
    hd_strbuf_printf(out, "operand %d", side->place.operand);
  if (*side->name) hd_strbuf_printf(out, " (%s)", side->name);
}

static bool is_number(const hd_shape_side *side) { return side->place.what && !*side->place.what; }

void hd_shape_requirement_print(hd_strbuf *out, hd_shape_relation relation, const hd_shape_side *lhs,
                                const hd_shape_side *rhs) {
  static const char *const relations[] = {"", "at most ", "1 or "};
  if (is_number(lhs) && is_number(rhs)) {
    hd_strbuf_printf(out, "dims differ: %s is %s, %s is %s", lhs->name, lhs->value, rhs->name, rhs->value);
  } else if (is_number(lhs)) {
    print_place(out, rhs);
    hd_strbuf_printf(out, " is %s, expected %s%s", rhs->value, relation == HD_SHAPE_AT_MOST ? "at least " : "",
                     lhs->value);
  } else {
    print_place(out, lhs);
    hd_strbuf_printf(out, " is %s, expected %s", lhs->value, relations[relation]);
    if (!is_number(rhs)) {
      print_place(out, rhs);
      hd_strbuf_puts(out, ", which is ");
    }
    hd_strbuf_puts(out, rhs->value);
  }
}

bool hd_extents_of(hd_shape_context *c, uint32_t operand, hd_extents *out) {
  if (!hd_shape_is_ranked(c, operand)) return false;
  out->rank = hd_shape_rank_of(c, operand);
  if (out->rank > HD_MAX_RANK)
    return hd_shape_error(c, "expects tensors of rank %d at most, got rank %u", HD_MAX_RANK, out->rank);
  for (uint32_t d = 0; d < out->rank; ++d) out->at[d] = hd_extent_dim(c, operand, d);
  return true;
}

hd_extents hd_extents_unknown(hd_shape_context *c, uint32_t rank) {
  hd_extents shape;
  shape.rank = rank < HD_MAX_RANK ? rank : HD_MAX_RANK;
  for (uint32_t d = 0; d < shape.rank; ++d) shape.at[d] = hd_extent_unknown(c);
  return shape;
}

bool hd_extents_meet_operand(hd_shape_context *c, uint32_t operand, bool scalars, hd_extents *out) {
  if (!hd_shape_is_ranked(c, operand)) return true;
  uint32_t rank = hd_shape_rank_of(c, operand);
  if (scalars && rank == 0) return true;
  if (rank != out->rank)
    return hd_shape_error(c, "expects operand #%u of rank %u%s, got rank %u", operand, out->rank,
                          scalars ? " or 0" : "", rank);
  for (uint32_t d = 0; d < rank; ++d) {
    hd_extent other = hd_extent_dim(c, operand, d);
    hd_require_equal(c, out->at[d], other);
    out->at[d] = hd_extent_meet(c, out->at[d], other);
  }
  return !c->failed;
}

bool hd_extents_meet_operands(hd_shape_context *c, const char *what, uint32_t first, uint32_t end, hd_extents *out) {
  out->rank = UINT32_MAX;
  for (uint32_t i = first; i < end; ++i) {
    if (!hd_shape_is_ranked(c, i)) continue;
    if (out->rank == UINT32_MAX) {
      if (!hd_extents_of(c, i, out)) return false;
      continue;
    }
    if (hd_shape_rank_of(c, i) != out->rank)
      return hd_shape_error(c, "expects %s of one rank, got %u and %u", what, out->rank, hd_shape_rank_of(c, i));
    if (!hd_extents_meet_operand(c, i, false, out)) return false;
  }
  return true;
}

void hd_shape_result_like(hd_shape_context *c, uint32_t result, uint32_t operand, hd_type element) {
  if (c->failed) return;
  hd_type type = hd_state_type(c->state, operand);
  hd_extents shape;
  if (c->out)
    c->out[result] = element ? hd_type_with_element(type, element) : type;
  else if (hd_extents_of(c, operand, &shape))
    hd_shape_result(c, result, element ? element : hd_type_element(type), &shape);
}

bool hd_shape_result_unranked(hd_shape_context *c, uint32_t result, hd_type element) {
  if (c->out) c->out[result] = hd_type_unranked_tensor(element);
  return true;
}

bool hd_shape_result_declared(hd_shape_context *c, uint32_t result, hd_type element) {
  hd_type hint = hd_state_hint(c->state, result);
  if (!hint) return false;
  if (c->out) c->out[result] = hd_type_with_element(hint, element);
  return true;
}

bool hd_shape_check_scalars(hd_shape_context *c, const char *what, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; ++i)
    if (hd_shape_is_ranked(c, i) && hd_shape_rank_of(c, i))
      return hd_shape_error(c, "expects scalar %s, got rank %u for operand #%u", what, hd_shape_rank_of(c, i), i);
  return true;
}

hd_extent hd_extent_padded(hd_shape_context *c, hd_extent size, hd_extent low, hd_extent high, hd_extent interior) {
  hd_extent gaps = hd_extent_max(c, hd_extent_sub(c, size, hd_extent_number(c, 1)), hd_extent_number(c, 0));
  hd_extent ends = hd_extent_add(c, hd_extent_add(c, size, low), high);
  return hd_extent_add(c, ends, hd_extent_mul(c, gaps, interior));
}

hd_extent hd_extent_windows(hd_shape_context *c, hd_extent base, hd_extent window, hd_extent low, hd_extent high,
                            hd_window_numbers n) {
  hd_extent one = hd_extent_number(c, 1), zero = hd_extent_number(c, 0);
  base = hd_extent_max(c, hd_extent_padded(c, base, low, high, hd_extent_number(c, n.base_dilation - 1)), zero);
  /* A window without elements reaches over nothing; of a dim without elements there is no window. */
  hd_extent reach = hd_extent_padded(c, window, zero, zero, hd_extent_number(c, n.window_dilation - 1));
  hd_extent steps = hd_extent_floordiv(c, hd_extent_sub(c, base, reach), hd_extent_number(c, n.stride));
  hd_extent count = hd_extent_max(c, hd_extent_add(c, steps, one), zero);
  int64_t elements;
  bool nothing = hd_extent_known(c, window, &elements) && !elements;
  return nothing ? hd_extent_mul(c, count, hd_extent_min(c, base, one)) : count;
}

/* Each graph op's row names a shape function, or a hook of infer, unless it is listed here: its result types are
 * written out and nothing is required of its operands' dims, or it is expanded to ops of which that holds. */
/* clang-format off */
#define DECLARED(ROW)                                                                                            \
  ROW(stablehlo_iota) ROW(stablehlo_einsum) ROW(stablehlo_unary_einsum) ROW(stablehlo_return)                    \
  ROW(stablehlo_composite) ROW(stablehlo_custom_call)                                                             \
  ROW(stablehlo_infeed) ROW(stablehlo_recv) ROW(stablehlo_async_start) ROW(stablehlo_async_done)                 \
  ROW(mhlo_bitcast) ROW(mhlo_add_dependency) ROW(mhlo_trace) ROW(mhlo_fusion) ROW(mhlo_async_update)             \
  ROW(mhlo_minimum_broadcast_shapes)
/* clang-format on */
#define HOOKS(...) (0 __VA_ARGS__)
#define INFER(name) +1
#define SHAPE(name) +1
#include "ir/ops/no_hooks.def"
enum { /* how many rules a row has */
#define HLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) RULES_stablehlo_##code = hooks,
#define MHLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) RULES_mhlo_##code = hooks,
#include "ir/ops/hlo_ops.def"
};
#define HLO(code, ...) _Static_assert(RULES_stablehlo_##code <= 1, "a row names one rule for its result types");
#define MHLO(code, ...) _Static_assert(RULES_mhlo_##code <= 1, "a row names one rule for its result types");
#include "ir/ops/hlo_ops.def"
enum {
  ROWS_WITHOUT_RULE = 0
#define HLO(code, ...) +(RULES_stablehlo_##code == 0)
#define MHLO(code, ...) +(RULES_mhlo_##code == 0)
#include "ir/ops/hlo_ops.def"
};
#define IS_DECLARED(code) _Static_assert(RULES_##code == 0, "a row with a rule is not one without");
#define COUNTED(code) +1
DECLARED(IS_DECLARED)
_Static_assert(ROWS_WITHOUT_RULE == 0 DECLARED(COUNTED), "a graph op has no shape function and is not in DECLARED");
