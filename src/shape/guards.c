/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold: the guards of ops, and what the program asserts and the function says of its symbols. What holds from
 * there on is assumed. */
#include <string.h>

#include "ir/computation.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "shape/infer.h"
#include "shape/place.h"

/* What hd.dims says of a dim of an argument, "" when nothing. */
static const char *given_name(hd_shapes *s, hd_value *value, uint32_t index) {
  hd_attr attrs = hd_function_like_arg_attrs(s->func);
  if (!value->is_block_arg || value->owner.block != hd_op_region(s->func, 0)->first || !attrs ||
      value->index >= attrs->array.count)
    return "";
  hd_attr names = hd_dict_get(attrs->array.items[value->index], HD_NAME_hd_dims);
  hd_attr name = hd_attr_is(names, HD_ATTR_ARRAY) && index < names->array.count ? names->array.items[index] : NULL;
  return hd_attr_is(name, HD_ATTR_STRING) ? name->string->text : "";
}

/* dim + |offset| is a multiple of |divisor|: the symbol of that dim is divisor * quotient - offset from here on, with a
 * new symbol for the quotient, which takes its name from an argument's dim "2*n+1". A dim with a name keeps it. */
static void assume_multiple(hd_shapes *s, hd_dim sum, int64_t divisor) {
  if (!sum || sum->term_count != 1 || sum->terms[0].coefficient != 1 || sum->terms[0].atom_count != 1 || divisor < 2)
    return;
  hd_atom *atom = sum->terms[0].atoms[0];
  hd_symbol_origin *from = atom->kind == HD_ATOM_SYMBOL ? atom->origin : NULL;
  if (!from || from->kind != HD_SYMBOL_DIM) return;
  const char *name = given_name(s, from->value, from->index), *star = strchr(name, '*');
  if (*name && !star) return;
  if (star) name = hd_arena_copy(s->arena, star + 1, strcspn(star + 1, "+-"));
  int64_t least = hd_dim_lower(sum), lower = least / divisor + (least > 0 && least % divisor);
  hd_dim quotient = hd_shapes_new_symbol(s, HD_SYMBOL_QUOTIENT, from->value, from->index, name, lower);
  hd_symbol_origin *origin = quotient->terms[0].atoms[0]->origin;
  origin->offset = sum->constant;
  origin->divisor = divisor;
  hd_dim product = hd_dim_mul(&s->table, quotient, hd_dim_const(&s->table, divisor));
  hd_dim_assume_equal(&s->table, hd_dim_sub(&s->table, sum, hd_dim_const(&s->table, sum->constant)),
                      hd_dim_sub(&s->table, product, hd_dim_const(&s->table, sum->constant)));
}

/* a == b where one says that a remainder is 0, or that x + r is divisor * floor((x + r) / divisor). */
static void assume_divisible(hd_shapes *s, hd_dim a, hd_dim b) {
  int64_t zero, divisor;
  hd_dim difference = hd_dim_sub(&s->table, a, b);
  for (uint32_t i = 0; difference && i < difference->term_count; ++i) {
    const hd_dim_term *term = &difference->terms[i];
    const hd_atom *atom = term->atoms[0];
    if (term->atom_count != 1 || (atom->kind != HD_ATOM_MOD && atom->kind != HD_ATOM_FLOORDIV) ||
        !hd_dim_is_const(&s->table, atom->rhs, &divisor))
      continue;
    bool remainder = atom->kind == HD_ATOM_MOD && difference->term_count == 1 && !difference->constant;
    hd_dim rest = difference; /* what is left without the term: +- (x + r) */
    hd_dim multiple = hd_dim_mul(&s->table, hd_dim_floordiv(&s->table, atom->lhs, atom->rhs), atom->rhs);
    rest = term->coefficient < 0 ? hd_dim_add(&s->table, rest, multiple) : hd_dim_sub(&s->table, rest, multiple);
    hd_dim whole =
        term->coefficient < 0 ? hd_dim_sub(&s->table, rest, atom->lhs) : hd_dim_add(&s->table, rest, atom->lhs);
    bool exact = atom->kind == HD_ATOM_FLOORDIV && hd_dim_is_const(&s->table, whole, &zero) && !zero;
    if (!remainder && !exact) continue;
    assume_multiple(s, atom->lhs, divisor);
    return;
  }
}

static void assume_equal(hd_shapes *s, hd_dim a, hd_dim b) {
  a = hd_dim_resolve(&s->table, a);
  b = hd_dim_resolve(&s->table, b);
  if (!hd_dim_assume_equal(&s->table, a, b)) assume_divisible(s, a, b);
}

static bool proven(hd_shapes *s, hd_shape_relation relation, hd_dim a, hd_dim b) {
  int64_t one;
  switch (relation) {
    case HD_SHAPE_EQUAL:
      return hd_dim_equal(&s->table, a, b);
    case HD_SHAPE_AT_MOST:
      return hd_dim_at_most(&s->table, a, b);
    case HD_SHAPE_SPREADS:
      return hd_dim_equal(&s->table, a, b) || (hd_dim_is_const(&s->table, a, &one) && one == 1);
  }
  return false;
}

void hd_shapes_constrain(hd_shapes *s, hd_op *op, hd_shape_relation relation, hd_dim a, hd_shape_place a_is, hd_dim b,
                         hd_shape_place b_is) {
  if (!a || !b || proven(s, relation, a, b)) return;
  a = hd_dim_resolve(&s->table, a);
  b = hd_dim_resolve(&s->table, b);
  bool is_new = true;
  uint32_t key[3] = {relation, a->id, b->id};
  if (!s->conditional) hd_map_insert_bytes(s->arena, &s->guarded, key, sizeof key, &is_new);
  if (is_new)
    hd_vec_push(s->arena, &s->guards,
                ((hd_shape_guard){.relation = relation,
                                  .lhs = a,
                                  .rhs = b,
                                  .op = op,
                                  .lhs_is = a_is,
                                  .rhs_is = b_is,
                                  .conditional = s->conditional > 0,
                                  .around = s->around,
                                  .each = hd_computation_of(s->around, 0).elements}));
  if (relation == HD_SHAPE_EQUAL && !s->conditional) assume_equal(s, a, b);
}

void hd_shapes_constrain_counts(hd_shapes *s, hd_op *op, hd_dim a, hd_value *a_of, hd_dim b, hd_value *b_of) {
  int32_t operand = hd_value_op(b_of) == op ? -1 : 0;
  hd_vec_push(s->arena, &s->guards,
              ((hd_shape_guard){.op = op,
                                .lhs = a,
                                .rhs = b,
                                .lhs_is = {"elements", 0, 0},
                                .rhs_is = {"elements", operand, 0},
                                .counted = {a_of, b_of},
                                .conditional = s->conditional > 0,
                                .around = s->around,
                                .each = hd_computation_of(s->around, 0).elements}));
}

static bool cannot_fail(hd_op *op, void *user) {
  hd_shapes *s = user;
  if (hd_map_get(&s->demanding, op)) return false;
  return !hd_op_has_trait(op, HD_TRAIT(EXPANDED)) || hd_op_has_known_dims(op);
}

bool hd_shapes_may_fail(hd_shapes *s, hd_op *op) {
  bool asked = s->demanding.len > 0;
  for (size_t i = 0; !asked && i < s->guards.len; ++i) {
    hd_op *guarded = s->guards.data[i].op;
    hd_map_set(s->arena, &s->demanding, guarded, guarded);
  }
  return !hd_walk_pre(op, cannot_fail, s);
}

bool hd_shapes_guard_is_proven(hd_shapes *s, const hd_shape_guard *guard) {
  return guard->lhs && guard->rhs && proven(s, guard->relation, guard->lhs, guard->rhs);
}

bool hd_shapes_guard_is_early(const hd_shape_guard *guard) {
  return !guard->conditional && guard->lhs && guard->rhs && !guard->lhs->data_dependent && !guard->rhs->data_dependent;
}

/* What follows a place: the expression, "" for a number and for what only the run knows, whose names say
 * nothing. */
static const char *name_of(hd_dim dim, hd_arena *arena) {
  if (!dim || !dim->term_count || dim->data_dependent) return "";
  hd_strbuf out;
  hd_strbuf_init(&out, arena);
  hd_dim_print(&out, dim);
  return hd_strbuf_text(&out);
}

void hd_shape_place_print(hd_strbuf *out, hd_loc loc) {
  while (loc && (loc->kind == HD_ATTR_LOC_NAME || loc->kind == HD_ATTR_LOC_CALLSITE || loc->kind == HD_ATTR_LOC_FUSED))
    loc = loc->loc.count ? loc->loc.children[0] : NULL;
  if (loc && loc->kind == HD_ATTR_LOC_FILE)
    hd_strbuf_printf(out, "%s:%u:%u", loc->loc.name->text, loc->loc.line, loc->loc.column);
}

static void print_demand(hd_strbuf *out, const hd_shape_guard *guard, hd_arena *arena) {
  if (guard->says) {
    hd_strbuf_puts(out, guard->says);
    return;
  }
  hd_shape_side sides[] = {{guard->lhs_is, name_of(guard->lhs, arena), "{0}"},
                           {guard->rhs_is, name_of(guard->rhs, arena), "{1}"}};
  hd_strbuf_printf(out, "%s: ", guard->op->name->text);
  hd_shape_requirement_print(out, guard->relation, &sides[0], &sides[1]);
}

const char *hd_shapes_guard_message(const hd_shape_guard *guard, hd_arena *arena) {
  hd_strbuf out;
  hd_strbuf_init(&out, arena);
  hd_shape_place_print(&out, guard->op->loc);
  if (out.len) hd_strbuf_puts(&out, ": ");
  print_demand(&out, guard, arena);
  return hd_strbuf_text(&out);
}

const char *hd_shapes_guard_constraint(const hd_shape_guard *guard, hd_arena *arena) {
  hd_strbuf out;
  hd_strbuf_init(&out, arena);
  print_demand(&out, guard, arena);
  return hd_strbuf_text(&out);
}

/* What the program says when |op| fails, with {0} and {1} where the message has the sides of the guard and expressions
 * for its other values. */
static const char *message_of(hd_shapes *s, hd_op *op, const hd_shape_guard *guard) {
  hd_attr message = hd_discardable_error_message(op);
  hd_strbuf out;
  hd_strbuf_init(&out, s->arena);
  for (const char *p = hd_attr_is(message, HD_ATTR_STRING) ? message->string->text : ""; *p; ++p) {
    hd_dim value =
        p[0] == '{' && p[1] >= '0' && p[1] <= '9' && p[2] == '}' && (uint32_t)(p[1] - '0') + 1 < op->operand_count
            ? hd_shapes_element(s, hd_operand(op, (uint32_t)(p[1] - '0') + 1), 0)
            : NULL;
    if (value && (value == guard->lhs || value == guard->rhs))
      hd_strbuf_puts(&out, value == guard->lhs ? "{0}" : "{1}");
    else if (value)
      hd_dim_print(&out, value);
    else
      hd_strbuf_putc(&out, *p);
    if (value) p += 2;
  }
  return hd_strbuf_text(&out);
}

/* An assertion about what only the run knows, or in what may not run, is a guard with a message of its own. */
static bool guard_assertion(hd_shapes *s, hd_op *op, hd_enum_stablehlo_comparison_direction direction, hd_dim a,
                            hd_dim b) {
  bool swap = direction == HD_STABLEHLO_COMPARE_GE || direction == HD_STABLEHLO_COMPARE_GT,
       equal = direction == HD_STABLEHLO_COMPARE_EQ;
  bool strict = direction == HD_STABLEHLO_COMPARE_GT || direction == HD_STABLEHLO_COMPARE_LT;
  if (!a || !b || (!s->conditional && !a->data_dependent && !b->data_dependent) || direction == HD_STABLEHLO_COMPARE_NE)
    return false;
  hd_dim lhs = hd_dim_resolve(&s->table, swap ? b : a), rhs = hd_dim_resolve(&s->table, swap ? a : b);
  size_t before = s->guards.len;
  hd_shape_guard sides = {.lhs = lhs, .rhs = rhs};
  const char *says = message_of(s, op, &sides);
  hd_shapes_constrain(s, op, equal ? HD_SHAPE_EQUAL : HD_SHAPE_AT_MOST,
                      hd_dim_add(&s->table, lhs, hd_dim_const(&s->table, strict)), hd_place_number(), rhs,
                      hd_place_number());
  if (s->guards.len > before) hd_vec_last(&s->guards).says = says;
  return true;
}

void hd_shapes_assume_assertion(hd_shapes *s, hd_op *op) {
  hd_op *condition = op->operand_count ? hd_value_op(hd_operand(op, 0)) : NULL;
  if (hd_op_is(condition, HD_OP_stablehlo_compare) &&
      guard_assertion(s, op, hd_stablehlo_compare_comparison_direction(condition),
                      hd_shapes_element(s, hd_operand(condition, 0), 0),
                      hd_shapes_element(s, hd_operand(condition, 1), 0)))
    return;
  hd_shape_assertion made = {.op = op, .values = hd_new_array(s->arena, hd_dim, op->operand_count)};
  for (uint32_t i = 1; i < op->operand_count; ++i) made.values[i - 1] = hd_shapes_element(s, hd_operand(op, i), 0);
  hd_vec_push(s->arena, &s->assertions, made);
  if (op->operand_count) hd_shapes_require_fit(s, hd_operand(op, 0));
  if (!hd_op_is(condition, HD_OP_stablehlo_compare)) return;
  hd_enum_stablehlo_comparison_direction direction = hd_stablehlo_compare_comparison_direction(condition);
  hd_dim a = hd_shapes_element(s, hd_operand(condition, 0), 0), b = hd_shapes_element(s, hd_operand(condition, 1), 0);
  if (!a || !b) return;
  int64_t bound;
  if (direction == HD_STABLEHLO_COMPARE_EQ && !hd_dim_equal(&s->table, a, b)) {
    hd_vec_last(&s->assertions).lhs = hd_dim_resolve(&s->table, a);
    hd_vec_last(&s->assertions).rhs = hd_dim_resolve(&s->table, b);
    assume_equal(s, a, b);
  }
  if (direction == HD_STABLEHLO_COMPARE_GE && hd_dim_is_const(&s->table, b, &bound))
    hd_dim_assume_at_least(&s->table, a, bound);
  if (direction == HD_STABLEHLO_COMPARE_LE && hd_dim_is_const(&s->table, a, &bound))
    hd_dim_assume_at_least(&s->table, b, bound);
}

bool hd_shapes_read_constraint(hd_shapes *s, const char *text, hd_dim *out_lhs, hd_dim *out_rhs) {
  const char *at = text;
  hd_dim lhs = hd_dim_read(&s->table, &at), rhs = NULL;
  at += strspn(at, " ");
  char kind = *at;
  if (!lhs || (kind != '=' && kind != '%' && kind != '>')) return false;
  at += kind == '%' ? 1 : 2;
  rhs = at[-1] == '=' || kind == '%' ? hd_dim_read(&s->table, &at) : NULL;
  at += strspn(at, " ");
  if (!rhs) return false;
  if (kind == '%') {
    if (strcmp(at, "== 0") != 0) return false;
    lhs = hd_dim_mod(&s->table, lhs, rhs);
    rhs = hd_dim_const(&s->table, 0);
    at += strlen(at);
  } else if (kind == '>') {
    hd_dim bound = rhs;
    rhs = lhs;
    lhs = hd_dim_max(&s->table, lhs, bound);
  }
  *out_lhs = lhs;
  *out_rhs = rhs;
  return lhs && rhs && !*at;
}

bool hd_shapes_check_constraints(hd_shapes *s) {
  hd_attr all = hd_discardable_constraint(s->func);
  if (!all) return true;
  if (!hd_attr_is(all, HD_ATTR_ARRAY)) return hd_op_error(s->func, "expected hd.constraint as an array of strings");
  for (uint32_t i = 0; i < all->array.count; ++i) {
    hd_attr text = all->array.items[i];
    hd_dim lhs, rhs;
    const char *what = hd_attr_is(text, HD_ATTR_STRING) ? text->string->text : "";
    if (!hd_shapes_read_constraint(s, what, &lhs, &rhs))
      return hd_op_error(
          s->func, "constraint '%s' cannot be read: expected a == b, a %% n == 0 or a >= n over known symbols", what);
    if (hd_dim_known_different(&s->table, lhs, rhs))
      return hd_op_error(s->func, "constraint '%s' contradicts the program", what);
  }
  return true;
}

void hd_shapes_assume_constraints(hd_shapes *s, bool *done) {
  hd_attr all = hd_discardable_constraint(s->func);
  if (!hd_attr_is(all, HD_ATTR_ARRAY)) return;
  for (uint32_t i = 0; i < all->array.count; ++i) {
    hd_dim lhs, rhs;
    int64_t bound;
    hd_attr text = all->array.items[i];
    if (done[i] || !hd_attr_is(text, HD_ATTR_STRING)) continue;
    done[i] = hd_shapes_read_constraint(s, text->string->text, &lhs, &rhs);
    if (!done[i] || hd_dim_known_different(&s->table, lhs, rhs)) continue;
    hd_shapes_constrain(s, s->func, HD_SHAPE_EQUAL, lhs, hd_place_number(), rhs, hd_place_number());
    const hd_atom *most = lhs->term_count == 1 && lhs->terms[0].atom_count == 1 ? lhs->terms[0].atoms[0] : NULL;
    if (!most || most->kind != HD_ATOM_MAX) continue;
    if (hd_dim_is_const(&s->table, most->rhs, &bound)) hd_dim_assume_at_least(&s->table, rhs, bound);
    if (hd_dim_is_const(&s->table, most->lhs, &bound)) hd_dim_assume_at_least(&s->table, rhs, bound);
  }
}
