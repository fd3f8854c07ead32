/* SPDX-License-Identifier: Apache-2.0 */
/* What the runtime checks before a run: the program's assertions, what its ops require of dims, and bounds of types. */
#include <limits.h>
#include <stdlib.h>

#include "driver/entry_describer.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

/* A scalar condition as a program: comparisons and logic over known elements. */
static bool write_condition(hd_entry_describer *d, hd_entry_words *w, hd_value *value, uint32_t depth) {
  hd_dim known = hd_shapes_element(d->shapes, value, 0);
  if (known) return hd_entry_write_dim(d, w, known);
  hd_op *op = hd_value_op(value);
  if (!op || depth > 32) return false;
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_compare: {
      /* a > b is b < a */
      static const struct {
        int64_t code;
        bool swap;
      } codes[] = {[HD_STABLEHLO_COMPARE_EQ] = {HD_DIM_EQ, false}, [HD_STABLEHLO_COMPARE_NE] = {HD_DIM_NE, false},
                   [HD_STABLEHLO_COMPARE_GE] = {HD_DIM_LE, true},  [HD_STABLEHLO_COMPARE_GT] = {HD_DIM_LT, true},
                   [HD_STABLEHLO_COMPARE_LE] = {HD_DIM_LE, false}, [HD_STABLEHLO_COMPARE_LT] = {HD_DIM_LT, false}};
      hd_enum_stablehlo_comparison_direction direction = hd_stablehlo_compare_comparison_direction(op);
      bool swap = codes[direction].swap;
      hd_dim a = hd_shapes_element(d->shapes, hd_operand(op, swap ? 1 : 0), 0),
             b = hd_shapes_element(d->shapes, hd_operand(op, swap ? 0 : 1), 0);
      if (!hd_entry_write_dim(d, w, a) || !hd_entry_write_dim(d, w, b)) return false;
      hd_entry_word(d, w, codes[direction].code);
      return true;
    }
    case HD_OP_stablehlo_and:
    case HD_OP_stablehlo_or:
      if (!write_condition(d, w, hd_operand(op, 0), depth + 1) || !write_condition(d, w, hd_operand(op, 1), depth + 1))
        return false;
      hd_entry_word(d, w, hd_opcode_get(op) == HD_OP_stablehlo_and ? HD_DIM_AND : HD_DIM_OR);
      return true;
    case HD_OP_stablehlo_not:
      if (!write_condition(d, w, hd_operand(op, 0), depth + 1)) return false;
      hd_entry_word(d, w, HD_DIM_NOT);
      return true;
    case HD_OP_stablehlo_reshape:
    case HD_OP_stablehlo_convert:
      return write_condition(d, w, hd_operand(op, 0), depth + 1);
    default:
      return false;
  }
}

/* What the program says when |op| fails. */
static const char *message_of(hd_entry_describer *d, hd_op *op) {
  hd_attr message = hd_discardable_error_message(op), config = NULL;
  if (hd_op_is(op, HD_OP_stablehlo_custom_call)) config = hd_stablehlo_custom_call_backend_config(op);
  if (!message && hd_attr_is(config, HD_ATTR_DICT)) message = hd_dict_get(config, HD_NAME_error_message);
  return hd_attr_is(message, HD_ATTR_STRING) ? hd_arena_copy(d->arena, message->string->text, message->string->len)
                                             : "the program's shape assertion does not hold";
}

/* |message| with the texts of |values| in place of {k}: a number where it is known, else an expression over dims. */
static const char *filled_message(hd_entry_describer *d, const char *message, const hd_dim *values, uint32_t count) {
  hd_strbuf text;
  hd_strbuf_init(&text, d->arena);
  for (const char *at = message; *at;) {
    char *end;
    unsigned long k = *at == '{' && at[1] >= '0' && at[1] <= '9' ? strtoul(at + 1, &end, 10) : ULONG_MAX;
    bool names = k < count && *end == '}' && values[k];
    if (names)
      hd_strbuf_puts(&text, hd_entry_dim_text(d, values[k]));
    else
      hd_strbuf_putc(&text, *at);
    at = names ? end + 1 : at + 1;
  }
  return hd_strbuf_text(&text);
}

static bool never_true(hd_entry_describer *d, const hd_shape_assertion *assertion, const char *message) {
  hd_op *op = assertion->op;
  return hd_op_error(op, "is never true: %s", filled_message(d, message, assertion->values, op->operand_count - 1));
}

/* "lhs == rhs" of a comparison, "" of anything else. */
static const char *relation_of(hd_entry_describer *d, hd_op *op, const hd_shape_assertion *assertion) {
  if (assertion->lhs)
    return hd_arena_printf(d->arena, "%s == %s", hd_entry_dim_text(d, assertion->lhs),
                           hd_entry_dim_text(d, assertion->rhs));
  hd_op *compare = hd_value_op(hd_operand(op, 0));
  if (!hd_op_is(compare, HD_OP_stablehlo_compare)) return "";
  static const char *const signs[] = {[HD_STABLEHLO_COMPARE_EQ] = "==", [HD_STABLEHLO_COMPARE_NE] = "!=",
                                      [HD_STABLEHLO_COMPARE_GE] = ">=", [HD_STABLEHLO_COMPARE_GT] = ">",
                                      [HD_STABLEHLO_COMPARE_LE] = "<=", [HD_STABLEHLO_COMPARE_LT] = "<"};
  const char *sign = signs[hd_stablehlo_compare_comparison_direction(compare)];
  hd_dim a = hd_shapes_element(d->shapes, hd_operand(compare, 0), 0),
         b = hd_shapes_element(d->shapes, hd_operand(compare, 1), 0);
  return a && b ? hd_arena_printf(d->arena, "%s %s %s", hd_entry_dim_text(d, a), sign, hd_entry_dim_text(d, b)) : "";
}

/* Which dim of an argument the op at |word| reads, false when it is no such op. */
static bool dim_read(const hd_entry_describer *d, const int64_t *at, int64_t out[2]) {
  if (at[0] != HD_DIM_INPUT && at[0] != HD_DIM_SYMBOL) return false;
  const hd_artifact_symbol *symbol = at[0] == HD_DIM_SYMBOL ? &d->symbols.data[at[1]] : NULL;
  out[0] = symbol ? symbol->argument : at[1];
  out[1] = symbol ? symbol->dim : at[2];
  return true;
}

/* The message, then what it is about: " (argument 1: dim 0 is {2}, argument 0: dim 0 is {3}; expected d2 == b)". The
 * dims that |condition| reads become values after the program's own. */
static void finish_message(hd_entry_describer *d, hd_artifact_constraint *c, const char *relation) {
  hd_strbuf text;
  hd_strbuf_init(&text, d->arena);
  hd_strbuf_puts(&text, c->message);
  hd_vec(hd_dim_program) values = {0};
  for (uint32_t i = 0; i < c->value_count; ++i) hd_vec_push(d->arena, &values, c->values[i]);
  for (uint32_t at = 0; at < c->condition.len; at += hd_dim_op_words(c->condition.words[at])) {
    int64_t input[2];
    bool seen = !dim_read(d, &c->condition.words[at], input);
    for (size_t k = c->value_count; !seen && k < values.len; ++k)
      seen |= values.data[k].words[1] == input[0] && values.data[k].words[2] == input[1];
    if (seen) continue;
    hd_strbuf_printf(&text, "%sargument %d: dim %d is {%zu}", values.len > c->value_count ? ", " : " (", (int)input[0],
                     (int)input[1], values.len);
    hd_entry_words w = {0};
    hd_entry_word(d, &w, HD_DIM_INPUT);
    hd_entry_word(d, &w, input[0]);
    hd_entry_word(d, &w, input[1]);
    hd_vec_push(d->arena, &values, ((hd_dim_program){w.data, 3}));
  }
  if (values.len == c->value_count) return;
  hd_strbuf_printf(&text, "%s%s)", *relation ? "; expected " : "", relation);
  c->message = hd_strbuf_text(&text);
  c->values = values.data;
  c->value_count = (uint32_t)values.len;
}

/* What the program asserts of its dims becomes a condition over the dims as they come, because equalities are facts of
 * the shapes by now. */
bool hd_entry_describe_assertion(hd_entry_describer *d, const hd_shape_assertion *assertion) {
  hd_op *op = assertion->op;
  hd_artifact_constraint c = {.message = message_of(d, op)};
  hd_entry_words w = {0};
  if (assertion->lhs && !assertion->lhs->term_count && !assertion->rhs->term_count)
    return never_true(d, assertion, c.message);
  d->raw = true;
  if (assertion->lhs) {
    if (!hd_entry_write_dim(d, &w, assertion->lhs) || !hd_entry_write_dim(d, &w, assertion->rhs)) {
      d->raw = false;
      return true; /* about elements: the dims that follow from it are checked */
    }
    hd_entry_word(d, &w, HD_DIM_EQ);
  } else if (!write_condition(d, &w, hd_operand(op, 0), 0)) {
    return hd_op_error(op, "asserts something that is not known before the run, which has no compiled path");
  }
  if (w.len == 2 && w.data[0] == HD_DIM_CONST) {
    d->raw = false;
    if (w.data[1]) return true; /* proven */
    return never_true(d, assertion, c.message);
  }
  c.condition = (hd_dim_program){w.data, (uint32_t)w.len};
  hd_dim_program *values = hd_new_array(d->arena, hd_dim_program, op->operand_count);
  for (uint32_t i = 1; i < op->operand_count; ++i) {
    values[i - 1] = hd_entry_program_of(d, assertion->values[i - 1]);
    if (!values[i - 1].len)
      return hd_op_error(op, "reports a value that the run computes: expected a function of dims and constants");
  }
  c.value_count = op->operand_count - 1;
  c.values = values;
  d->raw = false;
  finish_message(d, &c, relation_of(d, op, assertion));
  hd_vec_push(d->arena, &d->constraints, c);
  return true;
}

/* An equality that became a fact is checked with the arguments' dims. */
bool hd_entry_describe_guard(hd_entry_describer *d, const hd_shape_guard *guard) {
  if (!hd_shapes_guard_is_early(guard) || hd_shapes_guard_is_proven(d->shapes, guard)) return true;
  hd_entry_words w = {0}, side[2] = {{0}};
  if (!hd_entry_write_dim(d, &side[0], guard->lhs) || !hd_entry_write_dim(d, &side[1], guard->rhs))
    return hd_op_error(guard->op, "requires a relation of dims that is too large to be checked before the run");
  hd_vec_append(d->arena, &w, side[0].data, side[0].len);
  if (guard->relation == HD_SHAPE_SPREADS) {
    hd_entry_word(d, &w, HD_DIM_CONST);
    hd_entry_word(d, &w, 1);
    hd_entry_word(d, &w, HD_DIM_EQ);
    hd_vec_append(d->arena, &w, side[0].data, side[0].len);
  }
  hd_vec_append(d->arena, &w, side[1].data, side[1].len);
  hd_entry_word(d, &w, guard->relation == HD_SHAPE_AT_MOST ? HD_DIM_LE : HD_DIM_EQ);
  if (guard->relation == HD_SHAPE_SPREADS) hd_entry_word(d, &w, HD_DIM_OR);
  if (!hd_entry_fits_stack(&w))
    return hd_op_error(guard->op, "requires a relation of dims that is too large to be checked before the run");
  hd_dim_program *values = hd_new_array(d->arena, hd_dim_program, 2);
  for (int i = 0; i < 2; ++i) values[i] = (hd_dim_program){side[i].data, (uint32_t)side[i].len};
  hd_artifact_constraint c = {.condition = {w.data, (uint32_t)w.len}, .value_count = 2, .values = values};
  c.message = hd_shapes_guard_message(guard, d->arena);
  finish_message(d, &c, "");
  hd_vec_push(d->arena, &d->constraints, c);
  return true;
}

/* "stablehlo.multiply: b*s does not fit 32 bits (b is 65536, s is 65536)" */
bool hd_entry_describe_fit(hd_entry_describer *d, const hd_shape_fit *fit) {
  hd_entry_words w = {0};
  if (hd_shape_fit_is_proven(d->shapes, fit)) return true;
  hd_dim value = hd_dim_resolve(&d->shapes->table, fit->value);
  bool above = hd_dim_upper(value) > fit->upper, below = hd_dim_lower(value) < fit->lower;
  bool written = true;
  if (above) {
    written &= hd_entry_write_dim(d, &w, value);
    hd_entry_word(d, &w, HD_DIM_CONST);
    hd_entry_word(d, &w, fit->upper);
    hd_entry_word(d, &w, HD_DIM_LE);
  }
  if (below) {
    hd_entry_word(d, &w, HD_DIM_CONST);
    hd_entry_word(d, &w, fit->lower);
    written &= hd_entry_write_dim(d, &w, value);
    hd_entry_word(d, &w, HD_DIM_LE);
    if (above) hd_entry_word(d, &w, HD_DIM_AND);
  }
  if (!written || !hd_entry_fits_stack(&w))
    return hd_op_error(fit->op, "gives a size whose expression is too large to be checked before the run");
  hd_strbuf text;
  hd_strbuf_init(&text, d->arena);
  hd_strbuf_printf(&text, "%s: %s does not fit 32 bits", fit->op->name->text, hd_entry_dim_text(d, value));
  hd_vec(hd_dim_program) values = {0};
  for (size_t at = 0; at < w.len; at += hd_dim_op_words(w.data[at])) {
    bool seen = w.data[at] != HD_DIM_SYMBOL;
    for (size_t k = 0; k < values.len && !seen; ++k) seen = values.data[k].words[1] == w.data[at + 1];
    if (seen) continue;
    hd_strbuf_printf(&text, "%s%s is {%zu}", values.len ? ", " : " (", d->symbols.data[w.data[at + 1]].name,
                     values.len);
    hd_vec_push(d->arena, &values, ((hd_dim_program){w.data + at, 2}));
  }
  if (values.len) hd_strbuf_putc(&text, ')');
  hd_artifact_constraint c = {.message = hd_strbuf_text(&text),
                              .condition = {w.data, (uint32_t)w.len},
                              .value_count = (uint32_t)values.len,
                              .values = values.data};
  hd_vec_push(d->arena, &d->constraints, c);
  return true;
}

/* "a dim is beyond the bound of its type (argument 0: dim 0 is 9; expected at most 8)" */
void hd_entry_describe_bounds(hd_entry_describer *d, uint32_t input, hd_type type) {
  for (uint32_t i = 0; i < hd_type_rank(type); ++i) {
    int64_t bound = hd_bound_of_dim(type, i);
    if (bound < 0) continue;
    hd_entry_words w = {0};
    int64_t condition[] = {HD_DIM_INPUT, input, i, HD_DIM_CONST, bound, HD_DIM_LE};
    hd_vec_append(d->arena, &w, condition, sizeof condition / sizeof *condition);
    hd_artifact_constraint c = {.message = "a dim is beyond the bound of its type",
                                .condition = {w.data, (uint32_t)w.len}};
    finish_message(d, &c, hd_arena_printf(d->arena, "at most %lld", (long long)bound));
    hd_vec_push(d->arena, &d->constraints, c);
  }
}
