/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/entry.h"

#include <stdio.h>
#include <string.h>

#include "ir/element_types.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/program_entry.h"

hd_op *hd_entry_function(hd_module *module) {
  hd_op *entry = hd_program_entry(module, HD_STR(""), NULL);
  if (hd_op_is(entry, HD_OP_func_func)) return entry;
  /* the one that is left of those that an option named */
  hd_for_each_op(op, hd_module_body(module)) {
    if (hd_op_is(op, HD_OP_func_func) && !hd_discardable_kernel(op)) return op;
  }
  return NULL;
}

typedef hd_vec(int64_t) words;

typedef struct describer {
  hd_shapes *shapes;
  hd_arena *arena;
  hd_block *entry;
  hd_vec(hd_artifact_symbol) symbols;
  hd_map index; /* atom -> symbol + 1 */
  bool raw;     /* dims of arguments are read as they came, equal ones apart */
  hd_vec(hd_artifact_constraint) constraints;
} describer;

static void word(describer *d, words *w, int64_t value) { hd_vec_push(d->arena, w, value); }

static bool write_dim(describer *d, words *w, hd_dim dim);

/* A dim of an argument, or a quotient of one? */
static bool is_argument_dim(const describer *d, const hd_symbol_origin *origin) {
  return origin && origin->kind != HD_SYMBOL_ELEMENT && origin->value->is_block_arg &&
         origin->value->owner.block == d->entry;
}

static void write_origin(describer *d, words *w, const hd_symbol_origin *origin) {
  word(d, w, HD_DIM_INPUT);
  word(d, w, origin->value->index);
  word(d, w, origin->index);
  if (origin->kind != HD_SYMBOL_QUOTIENT) return;
  word(d, w, HD_DIM_CONST);
  word(d, w, origin->offset);
  word(d, w, HD_DIM_ADD);
  word(d, w, HD_DIM_CONST);
  word(d, w, origin->divisor);
  word(d, w, HD_DIM_FLOORDIV);
}

static bool write_atom(describer *d, words *w, const hd_atom *atom) {
  if (atom->kind == HD_ATOM_SYMBOL) {
    const hd_symbol_origin *origin = atom->origin;
    if (d->raw && is_argument_dim(d, origin)) {
      write_origin(d, w, origin);
      return true;
    }
    if (atom->replacement) return write_dim(d, w, atom->replacement);
    hd_map_entry *entry = hd_map_find(&d->index, atom);
    if (!entry) return false;
    word(d, w, HD_DIM_SYMBOL);
    word(d, w, entry->value.i64 - 1);
    return true;
  }
  static const int64_t ops[] = {[HD_ATOM_FLOORDIV] = HD_DIM_FLOORDIV,
                                [HD_ATOM_MOD] = HD_DIM_MOD,
                                [HD_ATOM_MIN] = HD_DIM_MIN,
                                [HD_ATOM_MAX] = HD_DIM_MAX};
  if (!write_dim(d, w, atom->lhs) || !write_dim(d, w, atom->rhs)) return false;
  word(d, w, ops[atom->kind]);
  return true;
}

enum { MAX_WORDS = 4096 };

/* Postfix; false when the value is not known before the run, or takes too long a program. */
static bool write_dim(describer *d, words *w, hd_dim dim) {
  if (w->len > MAX_WORDS) return false;
  if (!d->raw) dim = hd_dim_resolve(&d->shapes->table, dim);
  if (!dim) return false;
  bool any = dim->constant || !dim->term_count;
  if (any) {
    word(d, w, HD_DIM_CONST);
    word(d, w, dim->constant);
  }
  for (uint32_t i = 0; i < dim->term_count; ++i) {
    const hd_dim_term *term = &dim->terms[i];
    bool scaled = term->coefficient != 1;
    if (scaled) {
      word(d, w, HD_DIM_CONST);
      word(d, w, term->coefficient);
    }
    for (uint32_t j = 0; j < term->atom_count; ++j) {
      if (!write_atom(d, w, term->atoms[j])) return false;
      if (j || scaled) word(d, w, HD_DIM_MUL);
    }
    if (any) word(d, w, HD_DIM_ADD);
    any = true;
  }
  return true;
}

/* Can the runtime's stack hold what a program keeps on it? */
static bool fits_stack(const words *w) {
  int depth = 0;
  for (size_t at = 0; at < w->len; at += hd_dim_op_words(w->data[at])) {
    switch (w->data[at]) {
#define X(id, number, immediate_words, taken, left) \
  case number:                                      \
    depth += left - taken;                          \
    break;
      HD_DIM_OPS(X)
#undef X
    }
    if (depth > HD_DIM_STACK) return false;
  }
  return true;
}

static hd_dim_program program_of(describer *d, hd_dim dim) {
  words w = {0};
  if (!write_dim(d, &w, dim) || !fits_stack(&w)) return (hd_dim_program){0};
  return (hd_dim_program){w.data, (uint32_t)w.len};
}

static const char *text_of(describer *d, hd_dim dim) {
  hd_strbuf text;
  hd_strbuf_init(&text, d->arena);
  hd_dim_print(&text, dim);
  return hd_strbuf_text(&text);
}

static bool describe_tensor(describer *d, hd_op *func, hd_value *value, hd_artifact_tensor *out) {
  bool is_buffer = value->type->kind == HD_TYPE_MEMREF && hd_type_has_rank(value->type) && !value->type->shaped.layout;
  if (value->type->kind != HD_TYPE_TENSOR && !is_buffer)
    return hd_op_error(
        func, "has an argument or result that is no ranked tensor or dense buffer, which has no compiled path");
  out->name = "";
  out->type = hd_element_type_of(value->type->shaped.element);
  if (out->type == HD_ELEMENT_INVALID)
    return hd_op_error(func, "has an argument or result of an element type that the runtime does not know");
  out->rank = hd_type_rank(value->type);
  out->alias = HD_NO_INPUT;
  hd_artifact_dim *dims = hd_new_array(d->arena, hd_artifact_dim, out->rank);
  const hd_value_shape *shape = hd_shapes_get(d->shapes, value);
  for (uint32_t i = 0; i < out->rank; ++i) {
    hd_dim dim = hd_dim_resolve(&d->shapes->table, shape->dims[i]);
    dims[i].program = program_of(d, dim);
    dims[i].text = dims[i].program.len ? text_of(d, dim) : "?";
  }
  out->dims = dims;
  return true;
}

static void collect_symbols(describer *d) {
  for (size_t i = 0; i < d->shapes->table.atoms.len; ++i) {
    hd_atom *atom = d->shapes->table.atoms.data[i];
    const hd_symbol_origin *origin = atom->origin;
    if (atom->kind != HD_ATOM_SYMBOL || atom->replacement || !is_argument_dim(d, origin)) continue;
    words w = {0};
    write_origin(d, &w, origin);
    hd_artifact_symbol symbol = {
        atom->name, (int32_t)origin->value->index, (int32_t)origin->index, {w.data, (uint32_t)w.len}};
    hd_vec_push(d->arena, &d->symbols, symbol);
    hd_map_insert(d->arena, &d->index, atom, NULL)->value.i64 = (int64_t)d->symbols.len;
  }
}

/* A scalar condition as a program: comparisons and logic over known elements. */
static bool write_condition(describer *d, words *w, hd_value *value, uint32_t depth) {
  hd_dim known = hd_shapes_element(d->shapes, value, 0);
  if (known) return write_dim(d, w, known);
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
      if (!write_dim(d, w, a) || !write_dim(d, w, b)) return false;
      word(d, w, codes[direction].code);
      return true;
    }
    case HD_OP_stablehlo_and:
    case HD_OP_stablehlo_or:
      if (!write_condition(d, w, hd_operand(op, 0), depth + 1) || !write_condition(d, w, hd_operand(op, 1), depth + 1))
        return false;
      word(d, w, hd_opcode_get(op) == HD_OP_stablehlo_and ? HD_DIM_AND : HD_DIM_OR);
      return true;
    case HD_OP_stablehlo_not:
      if (!write_condition(d, w, hd_operand(op, 0), depth + 1)) return false;
      word(d, w, HD_DIM_NOT);
      return true;
    case HD_OP_stablehlo_reshape:
    case HD_OP_stablehlo_convert:
      return write_condition(d, w, hd_operand(op, 0), depth + 1);
    default:
      return false;
  }
}

/* What the program says when |op| fails. */
static const char *message_of(describer *d, hd_op *op) {
  hd_attr message = hd_discardable_error_message(op), config = NULL;
  if (hd_op_is(op, HD_OP_stablehlo_custom_call)) config = hd_stablehlo_custom_call_backend_config(op);
  if (!message && hd_attr_is(config, HD_ATTR_DICT)) message = hd_dict_get(config, HD_NAME_error_message);
  return hd_attr_is(message, HD_ATTR_STRING) ? hd_arena_copy(d->arena, message->string->text, message->string->len)
                                             : "the program's shape assertion does not hold";
}

/* "lhs == rhs" of a comparison, "" of anything else. */
static const char *relation_of(describer *d, hd_op *op, const hd_shape_assertion *assertion) {
  if (assertion->lhs)
    return hd_arena_printf(d->arena, "%s == %s", text_of(d, assertion->lhs), text_of(d, assertion->rhs));
  hd_op *compare = hd_value_op(hd_operand(op, 0));
  if (!hd_op_is(compare, HD_OP_stablehlo_compare)) return "";
  static const char *const signs[] = {[HD_STABLEHLO_COMPARE_EQ] = "==", [HD_STABLEHLO_COMPARE_NE] = "!=",
                                      [HD_STABLEHLO_COMPARE_GE] = ">=", [HD_STABLEHLO_COMPARE_GT] = ">",
                                      [HD_STABLEHLO_COMPARE_LE] = "<=", [HD_STABLEHLO_COMPARE_LT] = "<"};
  const char *sign = signs[hd_stablehlo_compare_comparison_direction(compare)];
  hd_dim a = hd_shapes_element(d->shapes, hd_operand(compare, 0), 0),
         b = hd_shapes_element(d->shapes, hd_operand(compare, 1), 0);
  return a && b ? hd_arena_printf(d->arena, "%s %s %s", text_of(d, a), sign, text_of(d, b)) : "";
}

/* Which dim of an argument the op at |word| reads, false when it is no such op. */
static bool dim_read(const describer *d, const int64_t *word, int64_t out[2]) {
  if (word[0] != HD_DIM_INPUT && word[0] != HD_DIM_SYMBOL) return false;
  const hd_artifact_symbol *symbol = word[0] == HD_DIM_SYMBOL ? &d->symbols.data[word[1]] : NULL;
  out[0] = symbol ? symbol->argument : word[1];
  out[1] = symbol ? symbol->dim : word[2];
  return true;
}

/* The message, then what it is about: " (argument 1: dim 0 is {2}, argument 0: dim 0 is {3}; expected d2 == b)". The
 * dims that |condition| reads become values behind the program's own. */
static void finish_message(describer *d, hd_artifact_constraint *c, const char *relation) {
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
    words w = {0};
    word(d, &w, HD_DIM_INPUT);
    word(d, &w, input[0]);
    word(d, &w, input[1]);
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
static bool describe_assertion(describer *d, const hd_shape_assertion *assertion) {
  hd_op *op = assertion->op;
  hd_artifact_constraint c = {.message = message_of(d, op)};
  words w = {0};
  if (assertion->lhs && !assertion->lhs->term_count && !assertion->rhs->term_count)
    return hd_op_error(op, "is never true: %s", c.message);
  d->raw = true;
  if (assertion->lhs) {
    if (!write_dim(d, &w, assertion->lhs) || !write_dim(d, &w, assertion->rhs)) {
      d->raw = false;
      return true; /* about elements: the dims that follow from it are checked */
    }
    word(d, &w, HD_DIM_EQ);
  } else if (!write_condition(d, &w, hd_operand(op, 0), 0)) {
    return hd_op_error(op, "asserts something that is not known before the run, which has no compiled path");
  }
  if (w.len == 2 && w.data[0] == HD_DIM_CONST) {
    d->raw = false;
    if (w.data[1]) return true; /* proven */
    return hd_op_error(op, "is never true: %s", c.message);
  }
  c.condition = (hd_dim_program){w.data, (uint32_t)w.len};
  hd_dim_program *values = hd_new_array(d->arena, hd_dim_program, op->operand_count);
  for (uint32_t i = 1; i < op->operand_count; ++i) {
    values[i - 1] = program_of(d, assertion->values[i - 1]);
    if (!values[i - 1].len) return hd_op_error(op, "reports a value that is not known before the run");
  }
  c.value_count = op->operand_count - 1;
  c.values = values;
  d->raw = false;
  finish_message(d, &c, relation_of(d, op, assertion));
  hd_vec_push(d->arena, &d->constraints, c);
  return true;
}

/* An equality that became a fact is checked with the arguments' dims. */
static bool describe_guard(describer *d, const hd_shape_guard *guard) {
  if (!hd_shapes_guard_is_early(guard) || hd_shapes_guard_is_proven(d->shapes, guard)) return true;
  words w = {0}, side[2] = {{0}};
  if (!write_dim(d, &side[0], guard->lhs) || !write_dim(d, &side[1], guard->rhs))
    return hd_op_error(guard->op, "demands a relation of dims that is too large to be checked");
  hd_vec_append(d->arena, &w, side[0].data, side[0].len);
  if (guard->relation == HD_SHAPE_SPREADS) {
    word(d, &w, HD_DIM_CONST);
    word(d, &w, 1);
    word(d, &w, HD_DIM_EQ);
    hd_vec_append(d->arena, &w, side[0].data, side[0].len);
  }
  hd_vec_append(d->arena, &w, side[1].data, side[1].len);
  word(d, &w, guard->relation == HD_SHAPE_AT_MOST ? HD_DIM_LE : HD_DIM_EQ);
  if (guard->relation == HD_SHAPE_SPREADS) word(d, &w, HD_DIM_OR);
  if (!fits_stack(&w)) return hd_op_error(guard->op, "demands a relation of dims that is too large to be checked");
  hd_dim_program *values = hd_new_array(d->arena, hd_dim_program, 2);
  for (int i = 0; i < 2; ++i) values[i] = (hd_dim_program){side[i].data, (uint32_t)side[i].len};
  hd_artifact_constraint c = {.condition = {w.data, (uint32_t)w.len}, .value_count = 2, .values = values};
  c.message = hd_shapes_guard_message(guard, d->arena);
  finish_message(d, &c, "");
  hd_vec_push(d->arena, &d->constraints, c);
  return true;
}

/* "stablehlo.multiply: b*s does not fit 32 bits (b is 65536, s is 65536)" */
static bool describe_fit(describer *d, const hd_shape_fit *fit) {
  words w = {0};
  if (hd_shape_fit_is_proven(d->shapes, fit)) return true;
  hd_dim value = hd_dim_resolve(&d->shapes->table, fit->value);
  bool above = hd_dim_upper(value) > fit->upper, below = hd_dim_lower(value) < fit->lower;
  bool written = true;
  if (above) {
    written &= write_dim(d, &w, value);
    word(d, &w, HD_DIM_CONST);
    word(d, &w, fit->upper);
    word(d, &w, HD_DIM_LE);
  }
  if (below) {
    word(d, &w, HD_DIM_CONST);
    word(d, &w, fit->lower);
    written &= write_dim(d, &w, value);
    word(d, &w, HD_DIM_LE);
    if (above) word(d, &w, HD_DIM_AND);
  }
  if (!written || !fits_stack(&w))
    return hd_op_error(fit->op, "gives a size that is too large an expression to be checked");
  hd_strbuf text;
  hd_strbuf_init(&text, d->arena);
  hd_strbuf_printf(&text, "%s: %s does not fit 32 bits", fit->op->name->text, text_of(d, value));
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

int64_t hd_bound_of_dim(hd_type type, uint32_t dim) {
  hd_attr encoding = type->shaped.encoding;
  bool is_bounds =
      hd_attr_is(encoding, HD_ATTR_STRUCT) && (encoding->structure.row == HD_STRUCT_stablehlo_bounds ||
                                               encoding->structure.row == HD_STRUCT_stablehlo_type_extensions);
  return is_bounds && hd_type_dim(type, dim) == HD_DYNAMIC
             ? hd_attr_int_at_or(encoding->structure.params[0], dim, HD_DYNAMIC)
             : HD_DYNAMIC;
}

/* "a dim is beyond the bound of its type (argument 0: dim 0 is 9; expected at most 8)" */
static void describe_bounds(describer *d, uint32_t input, hd_type type) {
  for (uint32_t i = 0; i < hd_type_rank(type); ++i) {
    int64_t bound = hd_bound_of_dim(type, i);
    if (bound < 0) continue;
    words w = {0};
    int64_t condition[] = {HD_DIM_INPUT, input, i, HD_DIM_CONST, bound, HD_DIM_LE};
    hd_vec_append(d->arena, &w, condition, sizeof condition / sizeof *condition);
    hd_artifact_constraint c = {.message = "a dim is beyond the bound of its type",
                                .condition = {w.data, (uint32_t)w.len}};
    finish_message(d, &c, hd_arena_printf(d->arena, "at most %lld", (long long)bound));
    hd_vec_push(d->arena, &d->constraints, c);
  }
}

static bool same_shape(describer *d, const hd_value *a, const hd_value *b) {
  if (a->type->shaped.element != b->type->shaped.element || hd_type_rank(a->type) != hd_type_rank(b->type))
    return false;
  for (uint32_t i = 0; i < hd_type_rank(a->type); ++i)
    if (!hd_dim_equal(&d->shapes->table, hd_shapes_dim(d->shapes, (hd_value *)a, i),
                      hd_shapes_dim(d->shapes, (hd_value *)b, i)))
      return false;
  return true;
}

static bool same_bytes(describer *d, hd_value *a, hd_value *b) {
  hd_dim_table *t = &d->shapes->table;
  hd_value *values[] = {a, b};
  hd_dim bytes[2];
  for (int i = 0; i < 2; ++i) {
    hd_dim each = hd_dim_const(t, (int64_t)hd_type_element_bytes(values[i]->type->shaped.element));
    hd_dim elements = hd_shapes_num_elements(d->shapes, values[i]);
    if (!elements) return false;
    bytes[i] = hd_dim_mul(t, each, elements);
  }
  return hd_dim_equal(t, bytes[0], bytes[1]);
}

/* Arguments marked for donation: tf.aliasing_output names the result, jax.buffer_donor leaves the choice to us, which
 * is the first result of the same type and dims that no other argument has. Where there is none, it is given up for one
 * of as many bytes, whose memory is its own all the same: a caller that counts on the donation expects no more. */
static void describe_aliases(describer *d, hd_op *func, hd_op *ret, hd_artifact_tensor *inputs,
                             hd_artifact_tensor *outputs) {
  hd_attr attrs = hd_function_like_arg_attrs(func);
  bool *matched = hd_new_array(d->arena, bool, ret->operand_count + 1u);
  enum { NAMED, SAME_SHAPE, SAME_BYTES, PASSES };
  for (int pass = 0; attrs && pass < PASSES; ++pass)
    for (uint32_t i = 0; i < d->entry->arg_count && i < attrs->array.count; ++i) {
      hd_attr named = hd_dict_get(attrs->array.items[i], pass ? HD_NAME_jax_buffer_donor : HD_NAME_tf_aliasing_output);
      if (pass == NAMED && hd_attr_is(named, HD_ATTR_INTEGER)) {
        int64_t k = named->integer;
        if (k >= 0 && k < (int64_t)ret->operand_count &&
            same_shape(d, d->entry->args[i], hd_operand(ret, (uint32_t)k))) {
          outputs[k].alias = (int32_t)i;
          matched[k] = true;
        }
      }
      for (uint32_t k = 0; pass != NAMED && named && inputs[i].alias != (int32_t)i && k < ret->operand_count; ++k) {
        hd_value *result = hd_operand(ret, k);
        if (matched[k] ||
            !(pass == SAME_SHAPE ? same_shape(d, d->entry->args[i], result) : same_bytes(d, d->entry->args[i], result)))
          continue;
        matched[k] = true;
        inputs[i].alias = (int32_t)i;
        if (pass == SAME_SHAPE) outputs[k].alias = (int32_t)i;
      }
    }
}

/* A framework may ask for an order of dims in memory, minor to major as "{1,0}" (mhlo.layout_mode). There is one. */
static bool check_layout(hd_op *func, hd_name list, const char *what, uint32_t index, uint32_t rank) {
  hd_attr attrs = hd_op_attr_get(func, list);
  hd_attr mode =
      attrs && index < attrs->array.count ? hd_dict_get(attrs->array.items[index], HD_NAME_mhlo_layout_mode) : NULL;
  if (!hd_attr_is(mode, HD_ATTR_STRING) || mode->string->text[0] != '{') return true; /* "default", "auto" */
  char expected[4 * HD_MAX_RANK + 2];
  size_t used = 0;
  expected[used++] = '{';
  for (uint32_t d = rank; d-- > 0;)
    used += (size_t)snprintf(expected + used, sizeof expected - used, d ? "%u," : "%u", d);
  expected[used++] = '}';
  expected[used] = 0;
  return !strcmp(mode->string->text, expected) ||
         hd_op_error(func, "has %s %u laid out as %s, dims from minor to major; expected row major, %s", what, index,
                     mode->string->text, expected);
}

/* Of a function on buffers, which may have several blocks: its returns give the same types. */
static hd_op *first_return(hd_op *func) {
  hd_for_each_block(block, hd_op_region(func, 0))
    if (hd_op_is(block->last, HD_OP_func_return)) return block->last;
  return NULL;
}

bool hd_entry_describe(hd_op *func, hd_arena *arena, hd_artifact_entry *out) {
  /* A caller's own pipeline may not have looked. */
  if (!hd_op_region(func, 0)->first) return hd_op_error(func, "is the entry and has no body");
  describer d = {.shapes = hd_shapes_of(func, arena), .arena = arena, .entry = hd_op_region(func, 0)->first};
  hd_op *ret = first_return(func);
  if (!ret) return hd_op_error(func, "is the entry and returns nowhere");
  collect_symbols(&d);
  hd_artifact_tensor *inputs = hd_new_array(arena, hd_artifact_tensor, d.entry->arg_count),
                     *outputs = hd_new_array(arena, hd_artifact_tensor, ret->operand_count);
  for (uint32_t i = 0; i < d.entry->arg_count; ++i)
    if (!describe_tensor(&d, func, d.entry->args[i], &inputs[i]) ||
        !check_layout(func, HD_NAME_arg_attrs, "argument", i, inputs[i].rank))
      return false;
  for (uint32_t i = 0; i < d.entry->arg_count; ++i) describe_bounds(&d, i, d.entry->args[i]->type);
  for (uint32_t i = 0; i < ret->operand_count; ++i)
    if (!describe_tensor(&d, func, hd_operand(ret, i), &outputs[i]) ||
        !check_layout(func, HD_NAME_res_attrs, "result", i, outputs[i].rank))
      return false;
  describe_aliases(&d, func, ret, inputs, outputs);
  for (size_t i = 0; i < d.shapes->assertions.len; ++i)
    if (!describe_assertion(&d, &d.shapes->assertions.data[i])) return false;
  for (size_t i = 0; i < d.shapes->fits.len; ++i)
    if (!describe_fit(&d, &d.shapes->fits.data[i])) return false;
  for (size_t i = 0; i < d.shapes->guards.len; ++i)
    if (!describe_guard(&d, &d.shapes->guards.data[i])) return false;
  hd_str name = hd_symbol_name(func);
  *out = (hd_artifact_entry){.name = hd_arena_copy(arena, name.data, name.len),
                             .input_count = d.entry->arg_count,
                             .output_count = ret->operand_count,
                             .symbol_count = (uint32_t)d.symbols.len,
                             .constraint_count = (uint32_t)d.constraints.len,
                             .inputs = inputs,
                             .outputs = outputs,
                             .symbols = d.symbols.data,
                             .constraints = d.constraints.data};
  return true;
}
