/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of the analysis; what each op does to dims is in infer.c, to elements in elements.c, loops and branches in
 * control.c. */
#include "shape/shapes.h"

#include <stdio.h>
#include <string.h>

#include "shape/infer.h"

enum { MAX_ELEMENTS = 64 };

uint32_t hd_shapes_followed_elements(hd_type type) {
  hd_type element = hd_type_element(type);
  if (element->kind != HD_TYPE_INTEGER && element->kind != HD_TYPE_INDEX) return 0;
  if (!hd_type_is_shaped(type)) return 1;
  if (type->kind != HD_TYPE_TENSOR) return 0;
  int64_t count = hd_type_num_elements(type);
  return count >= 0 && count <= MAX_ELEMENTS ? (uint32_t)count : 0;
}

hd_dim hd_shapes_new_symbol(hd_shapes *s, hd_symbol_kind kind, hd_value *value, uint32_t index, const char *name,
                            int64_t lower) {
  hd_symbol_origin *origin = hd_new(s->arena, hd_symbol_origin);
  *origin = (hd_symbol_origin){.kind = kind, .value = value, .index = index};
  char text[24];
  if (!name || !*name) {
    do snprintf(text, sizeof text, "d%u", s->unnamed++);
    while (hd_map_find_bytes(&s->names, text, strlen(text)));
    name = text;
  }
  hd_map_insert_bytes(s->arena, &s->names, name, strlen(name), NULL);
  bool argument = value->is_block_arg && value->owner.block == hd_op_region(s->func, 0)->first;
  hd_dim symbol = hd_dim_symbol(&s->table, name, lower, INT64_MAX, origin, !argument || kind == HD_SYMBOL_ELEMENT);
  symbol->terms[0].atoms[0]->stays = kind == HD_SYMBOL_DIM && hd_shapes_is_of_control_flow(s, value);
  return symbol;
}

hd_dim hd_shapes_new_element(hd_shapes *s, hd_value *value, uint32_t index) {
  hd_type element = hd_type_element(value->type);
  bool positive = element->kind == HD_TYPE_INTEGER && element->integer.width < 64 &&
                  (element->integer.signedness == HD_UNSIGNED || element->integer.width == 1);
  return hd_shapes_new_symbol(s, HD_SYMBOL_ELEMENT, value, index, NULL, positive ? 0 : INT64_MIN);
}

/* A shape whose known dims come from the type; unknown ones are null until they are filled. */
static hd_value_shape *blank(hd_shapes *s, hd_value *value) {
  hd_value_shape *shape = hd_new(s->arena, hd_value_shape);
  if (hd_type_has_rank(value->type)) {
    shape->rank = hd_type_rank(value->type);
    shape->dims = hd_new_array(s->arena, hd_dim, shape->rank);
    for (uint32_t i = 0; i < shape->rank; ++i)
      if (hd_type_dim(value->type, i) != HD_DYNAMIC)
        shape->dims[i] = hd_dim_const(&s->table, hd_type_dim(value->type, i));
  }
  shape->element_count = hd_shapes_followed_elements(value->type);
  shape->elements = hd_new_array(s->arena, hd_dim, shape->element_count);
  return shape;
}

/* Unknown dims become symbols of their own. */
static void complete(hd_shapes *s, hd_value *value, hd_value_shape *shape) {
  for (uint32_t i = 0; i < shape->rank; ++i)
    if (!shape->dims[i]) shape->dims[i] = hd_shapes_new_symbol(s, HD_SYMBOL_DIM, value, i, NULL, 0);
}

hd_value_shape *hd_shapes_entry(hd_shapes *s, hd_value *value) {
  hd_value_shape *shape = hd_map_get(&s->values, value);
  if (shape) return shape;
  shape = blank(s, value);
  hd_map_set(s->arena, &s->values, value, shape);
  return shape;
}

const hd_value_shape *hd_shapes_get(hd_shapes *s, hd_value *value) {
  hd_value_shape *shape = hd_shapes_entry(s, value);
  complete(s, value, shape);
  return shape;
}

hd_dim hd_shapes_dim(hd_shapes *s, hd_value *value, uint32_t i) {
  return hd_dim_resolve(&s->table, hd_shapes_get(s, value)->dims[i]);
}

hd_dim hd_shapes_element(hd_shapes *s, hd_value *value, uint32_t i) {
  const hd_value_shape *shape = hd_shapes_get(s, value);
  return i < shape->element_count ? hd_dim_resolve(&s->table, shape->elements[i]) : NULL;
}

hd_dim hd_shapes_index(hd_shapes *s, hd_value *value) {
  hd_value_shape *shape = hd_shapes_entry(s, value);
  if (!shape->element_count) return NULL;
  if (!shape->elements[0]) shape->elements[0] = hd_shapes_new_symbol(s, HD_SYMBOL_ELEMENT, value, 0, NULL, INT64_MIN);
  return hd_dim_resolve(&s->table, shape->elements[0]);
}

void hd_shapes_set_dims(hd_shapes *s, hd_value *value, const hd_dim *dims, uint32_t rank) {
  hd_value_shape *shape = blank(s, value);
  shape->rank = rank;
  shape->dims = hd_new_array(s->arena, hd_dim, rank);
  for (uint32_t i = 0; i < rank; ++i) shape->dims[i] = dims[i];
  hd_map_set(s->arena, &s->values, value, shape);
}

hd_dim hd_shapes_num_elements(hd_shapes *s, hd_value *value) {
  const hd_value_shape *shape = hd_shapes_get(s, value);
  hd_dim count = hd_dim_const(&s->table, 1);
  for (uint32_t i = 0; i < shape->rank; ++i)
    count = hd_dim_mul(&s->table, count, hd_dim_resolve(&s->table, shape->dims[i]));
  return count;
}

bool hd_shapes_same(hd_shapes *s, hd_value *a, hd_value *b) {
  const hd_value_shape *sa = hd_shapes_get(s, a), *sb = hd_shapes_get(s, b);
  if (sa->rank != sb->rank) return false;
  for (uint32_t i = 0; i < sa->rank; ++i)
    if (!hd_dim_equal(&s->table, sa->dims[i], sb->dims[i])) return false;
  return true;
}

/* What hd.dims says of a dim of an argument, "" when nothing. */
static const char *given_name(hd_shapes *s, hd_value *value, uint32_t index) {
  hd_attr attrs = hd_op_attr_get(s->func, "arg_attrs");
  if (!value->is_block_arg || value->owner.block != hd_op_region(s->func, 0)->first || !attrs ||
      value->index >= attrs->array.count)
    return "";
  hd_attr names = hd_dict_get(attrs->array.items[value->index], "hd.dims");
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

void hd_shapes_demand(hd_shapes *s, hd_op *op, hd_shape_relation relation, hd_dim a, hd_shape_place a_is, hd_dim b,
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
                                  .conditional = s->conditional > 0}));
  if (relation == HD_SHAPE_EQUAL && !s->conditional) assume_equal(s, a, b);
}

bool hd_shapes_guard_is_proven(hd_shapes *s, const hd_shape_guard *guard) {
  return guard->lhs && guard->rhs && proven(s, guard->relation, guard->lhs, guard->rhs);
}

bool hd_shapes_guard_is_early(const hd_shape_guard *guard) {
  return !guard->conditional && guard->lhs && guard->rhs && !guard->lhs->late && !guard->rhs->late;
}

static void print_place(hd_strbuf *out, const hd_shape_place *place, hd_dim dim) {
  hd_strbuf_printf(out, place->what && !strcmp(place->what, "elements") ? "the elements of " : "%s %u of ",
                   place->what ? place->what : "dim", place->dim);
  if (place->operand < 0)
    hd_strbuf_puts(out, "the result");
  else
    hd_strbuf_printf(out, "operand %d", place->operand);
  if (!dim || !dim->term_count || dim->late) return; /* names of what only the run knows say nothing */
  hd_strbuf_puts(out, " (");
  hd_dim_print(out, dim);
  hd_strbuf_putc(out, ')');
}

static void print_line(hd_strbuf *out, hd_loc loc) {
  while (loc && (loc->kind == HD_ATTR_LOC_NAME || loc->kind == HD_ATTR_LOC_CALLSITE || loc->kind == HD_ATTR_LOC_FUSED))
    loc = loc->loc.count ? loc->loc.children[0] : NULL;
  if (loc && loc->kind == HD_ATTR_LOC_FILE)
    hd_strbuf_printf(out, "%s:%u:%u: ", loc->loc.name->text, loc->loc.line, loc->loc.column);
}

const char *hd_shapes_guard_message(const hd_shape_guard *guard, hd_arena *arena) {
  static const char *const relations[] = {"", "at most ", "1 or "};
  hd_strbuf out;
  hd_strbuf_init(&out, arena);
  print_line(&out, guard->op->loc);
  if (guard->says) {
    hd_strbuf_puts(&out, guard->says);
    return hd_strbuf_text(&out);
  }
  hd_strbuf_printf(&out, "%s: ", guard->op->name->text);
  bool number_left = guard->lhs_is.what && !*guard->lhs_is.what,
       number_right = guard->rhs_is.what && !*guard->rhs_is.what;
  if (number_left && number_right) {
    hd_strbuf_puts(&out, "dims differ: ");
    hd_dim_print(&out, guard->lhs);
    hd_strbuf_puts(&out, " is {0}, ");
    hd_dim_print(&out, guard->rhs);
    hd_strbuf_puts(&out, " is {1}");
    return hd_strbuf_text(&out);
  }
  if (number_left) {
    print_place(&out, &guard->rhs_is, guard->rhs);
    hd_strbuf_printf(&out, " is {1}, expected %s{0}", guard->relation == HD_SHAPE_AT_MOST ? "at least " : "");
    return hd_strbuf_text(&out);
  }
  print_place(&out, &guard->lhs_is, guard->lhs);
  hd_strbuf_printf(&out, " is {0}, expected %s", relations[guard->relation]);
  if (number_right) {
    hd_strbuf_puts(&out, "{1}");
  } else {
    print_place(&out, &guard->rhs_is, guard->rhs);
    hd_strbuf_puts(&out, ", which is {1}");
  }
  return hd_strbuf_text(&out);
}

hd_dim hd_shapes_read_element(hd_shapes *s, hd_value *value, uint32_t i) {
  hd_dim known = hd_shapes_element(s, value, i);
  hd_value_shape *shape = hd_shapes_entry(s, value);
  if (known || i >= shape->element_count) return known;
  return shape->elements[i] = hd_shapes_new_element(s, value, i);
}

/* What the program says when |op| fails, with {0} and {1} where the message has the sides of the guard and expressions
 * for its other values. */
static const char *message_of(hd_shapes *s, hd_op *op, const hd_shape_guard *guard) {
  hd_attr message = hd_op_attr_get(op, "error_message");
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

/* An assertion about what only the run knows is a guard with a message of its own. */
static bool guard_assertion(hd_shapes *s, hd_op *op, hd_str direction, hd_dim a, hd_dim b) {
  bool swap = hd_str_is(direction, "GE") || hd_str_is(direction, "GT"), equal = hd_str_is(direction, "EQ");
  bool strict = hd_str_is(direction, "GT") || hd_str_is(direction, "LT");
  if (!a || !b || (!a->late && !b->late) || hd_str_is(direction, "NE")) return false;
  hd_dim lhs = hd_dim_resolve(&s->table, swap ? b : a), rhs = hd_dim_resolve(&s->table, swap ? a : b);
  size_t before = s->guards.len;
  hd_shape_guard sides = {.lhs = lhs, .rhs = rhs};
  const char *says = message_of(s, op, &sides);
  hd_shapes_demand(s, op, equal ? HD_SHAPE_EQUAL : HD_SHAPE_AT_MOST,
                   hd_dim_add(&s->table, lhs, hd_dim_const(&s->table, strict)), hd_place_number(), rhs,
                   hd_place_number());
  if (s->guards.len > before) hd_vec_last(&s->guards).says = says;
  return true;
}

/* custom_call @shape_assertion(%pred, ...): what it asserts holds from here on. */
static void assume_assertion(hd_shapes *s, hd_op *op) {
  hd_op *condition = op->operand_count ? hd_value_op(hd_operand(op, 0)) : NULL;
  if (hd_op_is(condition, HD_OP_stablehlo_compare) &&
      guard_assertion(s, op,
                      hd_enum_case_name(HD_ENUM_stablehlo_comparison_direction,
                                        hd_op_int_attr(condition, "comparison_direction", -1)),
                      hd_shapes_element(s, hd_operand(condition, 0), 0),
                      hd_shapes_element(s, hd_operand(condition, 1), 0)))
    return;
  hd_shape_assertion made = {.op = op, .values = hd_new_array(s->arena, hd_dim, op->operand_count)};
  for (uint32_t i = 1; i < op->operand_count; ++i) made.values[i - 1] = hd_shapes_element(s, hd_operand(op, i), 0);
  hd_vec_push(s->arena, &s->assertions, made);
  if (op->operand_count) hd_shapes_require_fit(s, hd_operand(op, 0));
  hd_op *compare = op->operand_count ? hd_value_op(hd_operand(op, 0)) : NULL;
  if (!hd_op_is(compare, HD_OP_stablehlo_compare)) return;
  int64_t direction = hd_op_int_attr(compare, "comparison_direction", -1);
  hd_dim a = hd_shapes_element(s, hd_operand(compare, 0), 0), b = hd_shapes_element(s, hd_operand(compare, 1), 0);
  if (!a || !b) return;
  int64_t bound;
  hd_str name = hd_enum_case_name(HD_ENUM_stablehlo_comparison_direction, direction);
  if (hd_str_is(name, "EQ") && !hd_dim_equal(&s->table, a, b)) {
    hd_vec_last(&s->assertions).lhs = hd_dim_resolve(&s->table, a);
    hd_vec_last(&s->assertions).rhs = hd_dim_resolve(&s->table, b);
    assume_equal(s, a, b);
  }
  if (hd_str_is(name, "GE") && hd_dim_is_const(&s->table, b, &bound)) hd_dim_assume_at_least(&s->table, a, bound);
  if (hd_str_is(name, "LE") && hd_dim_is_const(&s->table, a, &bound)) hd_dim_assume_at_least(&s->table, b, bound);
}

static void analyse_op(hd_shapes *s, hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_while:
    case HD_OP_scf_while:
      hd_shapes_analyse_loop(s, op);
      return;
    case HD_OP_stablehlo_if:
    case HD_OP_stablehlo_case:
    case HD_OP_scf_if:
    case HD_OP_scf_index_switch:
      hd_shapes_analyse_branches(s, op);
      return;
    case HD_OP_stablehlo_custom_call:
      if (hd_str_is(hd_op_string_attr(op, "call_target_name"), "shape_assertion")) assume_assertion(s, op);
      break;
    default:
      break;
  }
  for (uint32_t i = 0; i < op->result_count; ++i) hd_shapes_entry(s, hd_result(op, i));
  hd_shapes_infer_op(s, op);
  hd_shapes_demand_op(s, op);
  for (uint32_t i = 0; i < op->result_count; ++i) complete(s, hd_result(op, i), hd_shapes_entry(s, hd_result(op, i)));
  hd_shapes_infer_elements(s, op);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_op_is_shape_operand(op, i)) hd_shapes_require_fit(s, hd_operand(op, i));
  hd_shapes_share_captures(s, op);
  /* Regions of scalars (reducers, comparators) and of fusions. */
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r)) hd_shapes_analyse_block(s, block);
}

void hd_shapes_analyse_block(hd_shapes *s, hd_block *block) { hd_for_each_op(op, block) analyse_op(s, op); }

/* Names come from hd.dims on the argument: ["b", "s", 768]. */
static void analyse_arguments(hd_shapes *s, hd_op *func) {
  hd_attr arg_attrs = hd_op_attr_get(func, "arg_attrs");
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_map names = {0};
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    hd_value *arg = entry->args[i];
    hd_value_shape *shape = hd_shapes_entry(s, arg);
    hd_attr named = arg_attrs && i < arg_attrs->array.count ? hd_dict_get(arg_attrs->array.items[i], "hd.dims") : NULL;
    for (uint32_t d = 0; d < shape->rank; ++d) {
      if (shape->dims[d]) continue;
      hd_attr name = hd_attr_is(named, HD_ATTR_ARRAY) && d < named->array.count ? named->array.items[d] : NULL;
      const char *text = hd_attr_is(name, HD_ATTR_STRING) ? name->string->text : NULL;
      if (text && strchr(text, '*')) text = NULL; /* names a quotient: see assume_multiple */
      hd_map_entry *seen = text && *text ? hd_map_insert_bytes(s->arena, &names, text, name->string->len, NULL) : NULL;
      shape->dims[d] = hd_shapes_new_symbol(s, HD_SYMBOL_DIM, arg, d, seen && !seen->value.ptr ? text : NULL, 0);
      if (seen) seen->value.ptr = shape;
    }
    for (uint32_t e = 0; e < shape->element_count; ++e) shape->elements[e] = hd_shapes_new_element(s, arg, e);
  }
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

/* What the function says of its symbols; what names symbols of later ops is read again behind them. |done| says which
 * ones were read. */
static void assume_constraints(hd_shapes *s, bool *done) {
  hd_attr all = hd_op_attr_get(s->func, "hd.constraint");
  if (!hd_attr_is(all, HD_ATTR_ARRAY)) return;
  for (uint32_t i = 0; i < all->array.count; ++i) {
    hd_dim lhs, rhs;
    int64_t bound;
    hd_attr text = all->array.items[i];
    if (done[i] || !hd_attr_is(text, HD_ATTR_STRING)) continue;
    done[i] = hd_shapes_read_constraint(s, text->string->text, &lhs, &rhs);
    if (!done[i] || hd_dim_known_different(&s->table, lhs, rhs)) continue;
    hd_shapes_demand(s, s->func, HD_SHAPE_EQUAL, lhs, hd_place_number(), rhs, hd_place_number());
    const hd_atom *most = lhs->term_count == 1 && lhs->terms[0].atom_count == 1 ? lhs->terms[0].atoms[0] : NULL;
    if (!most || most->kind != HD_ATOM_MAX) continue;
    if (hd_dim_is_const(&s->table, most->rhs, &bound)) hd_dim_assume_at_least(&s->table, rhs, bound);
    if (hd_dim_is_const(&s->table, most->lhs, &bound)) hd_dim_assume_at_least(&s->table, rhs, bound);
  }
}

hd_shapes *hd_shapes_of(hd_op *func, hd_arena *arena) {
  hd_shapes *s = hd_new(arena, hd_shapes);
  s->arena = arena;
  s->context = hd_op_context(func);
  s->func = func;
  hd_dim_table_init(&s->table, arena);
  if (!hd_op_region(func, 0)->first) return s;
  hd_attr constraints = hd_op_attr_get(func, "hd.constraint");
  bool *done = hd_new_array(arena, bool, (hd_attr_is(constraints, HD_ATTR_ARRAY) ? constraints->array.count : 0) + 1);
  analyse_arguments(s, func);
  assume_constraints(s, done);
  hd_for_each_block(block, hd_op_region(func, 0)) hd_shapes_analyse_block(s, block);
  assume_constraints(s, done);
  hd_shapes_find_wrapping(s);
  return s;
}

static hd_value *materialize(hd_shapes *s, hd_builder *b, hd_dim dim, hd_map *cache, hd_symbol_value symbol,
                             void *user);

static hd_value *materialize_atom(hd_shapes *s, hd_builder *b, const hd_atom *atom, hd_map *cache,
                                  hd_symbol_value symbol, void *user) {
  if (atom->kind == HD_ATOM_SYMBOL && (s->raw || !atom->replacement)) return symbol(user, atom);
  if (atom->kind == HD_ATOM_SYMBOL)
    return materialize(s, b, hd_dim_resolve(&s->table, atom->replacement), cache, symbol, user);
  hd_value *found = hd_map_get(cache, atom);
  if (found) return found;
  hd_value *lhs = materialize(s, b, atom->lhs, cache, symbol, user),
           *rhs = materialize(s, b, atom->rhs, cache, symbol, user);
  if (!lhs || !rhs) return NULL;
  hd_opcode opcode = atom->kind == HD_ATOM_FLOORDIV ? HD_OP_arith_floordivsi
                     : atom->kind == HD_ATOM_MIN    ? HD_OP_arith_minsi
                     : atom->kind == HD_ATOM_MAX    ? HD_OP_arith_maxsi
                                                    : HD_OP_arith_remsi;
  hd_type index = hd_type_index(b->context);
  hd_value *value;
  if (atom->kind == HD_ATOM_MOD && hd_dim_lower(atom->lhs) < 0) { /* the sign of the divisor: ((a % b) + b) % b */
    value = hd_build(b, HD_OP_arith_remsi, index, lhs, rhs);
    value = hd_build(b, HD_OP_arith_addi, index, value, rhs);
    value = hd_build(b, HD_OP_arith_remsi, index, value, rhs);
  } else if (atom->kind == HD_ATOM_FLOORDIV && hd_dim_lower(atom->lhs) >= 0) {
    value = hd_build(b, HD_OP_arith_divui, index, lhs, rhs);
  } else {
    value = hd_build(b, opcode, index, lhs, rhs);
  }
  hd_map_set(s->arena, cache, atom, value);
  return value;
}

static hd_value *materialize(hd_shapes *s, hd_builder *b, hd_dim dim, hd_map *cache, hd_symbol_value symbol,
                             void *user) {
  hd_value *found = hd_map_get(cache, dim);
  if (found) return found;
  hd_type index = hd_type_index(b->context);
  hd_value *total = NULL;
  for (uint32_t i = 0; i < dim->term_count; ++i) {
    hd_value *product = NULL;
    for (uint32_t j = 0; j < dim->terms[i].atom_count; ++j) {
      hd_value *factor = materialize_atom(s, b, dim->terms[i].atoms[j], cache, symbol, user);
      if (!factor) return NULL;
      product = product ? hd_build(b, HD_OP_arith_muli, index, product, factor) : factor;
    }
    if (dim->terms[i].coefficient != 1)
      product = hd_build(b, HD_OP_arith_muli, index, product, hd_build_index(b, dim->terms[i].coefficient));
    total = total ? hd_build(b, HD_OP_arith_addi, index, total, product) : product;
  }
  if (!total)
    total = hd_build_index(b, dim->constant);
  else if (dim->constant)
    total = hd_build(b, HD_OP_arith_addi, index, total, hd_build_index(b, dim->constant));
  hd_map_set(s->arena, cache, dim, total);
  return total;
}

hd_value *hd_symbol_from_dim(hd_builder *b, const hd_symbol_origin *origin, hd_value *dim) {
  if (origin->kind != HD_SYMBOL_QUOTIENT) return dim;
  hd_type index = hd_type_index(b->context);
  if (origin->offset) dim = hd_build(b, HD_OP_arith_addi, index, dim, hd_build_index(b, origin->offset));
  return hd_build(b, HD_OP_arith_floordivsi, index, dim, hd_build_index(b, origin->divisor));
}

hd_value *hd_dim_materialize(hd_shapes *s, hd_builder *b, hd_dim dim, hd_map *cache, hd_symbol_value symbol,
                             void *user) {
  dim = hd_dim_resolve(&s->table, dim);
  return dim ? materialize(s, b, dim, cache, symbol, user) : NULL;
}

hd_value *hd_dim_materialize_raw(hd_shapes *s, hd_builder *b, hd_dim dim, hd_map *cache, hd_symbol_value symbol,
                                 void *user) {
  s->raw = true;
  hd_value *value = materialize(s, b, dim, cache, symbol, user);
  s->raw = false;
  return value;
}

static void visit_atom(const hd_atom *atom, hd_origin_fn visit, void *user) {
  if (atom->kind != HD_ATOM_SYMBOL) {
    hd_dim_visit_symbols(atom->lhs, visit, user);
    hd_dim_visit_symbols(atom->rhs, visit, user);
  } else if (atom->replacement) {
    hd_dim_visit_symbols(atom->replacement, visit, user);
  } else {
    visit(user, atom->origin);
  }
}

void hd_dim_visit_symbols(hd_dim dim, hd_origin_fn visit, void *user) {
  for (uint32_t i = 0; dim && i < dim->term_count; ++i)
    for (uint32_t j = 0; j < dim->terms[i].atom_count; ++j) visit_atom(dim->terms[i].atoms[j], visit, user);
}

static void found(void *user, const hd_symbol_origin *origin) { *(bool *)user |= origin->kind == HD_SYMBOL_ELEMENT; }

bool hd_dim_reads_elements(hd_dim dim) {
  bool any = false;
  if (!dim || !dim->late) return false;
  hd_dim_visit_symbols(dim, found, &any);
  return any;
}

typedef struct print_state {
  hd_shapes *shapes;
  hd_strbuf *out;
} print_state;

static bool print_op(hd_op *op, void *user) {
  print_state *p = user;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    const hd_value_shape *shape = hd_shapes_get(p->shapes, hd_result(op, i));
    hd_strbuf_printf(p->out, "%s#%u: [", op->name->text, i);
    for (uint32_t d = 0; d < shape->rank; ++d) {
      if (d) hd_strbuf_puts(p->out, ", ");
      hd_dim_print(p->out, hd_shapes_dim(p->shapes, hd_result(op, i), d));
    }
    hd_strbuf_putc(p->out, ']');
    if (shape->element_count) {
      hd_strbuf_puts(p->out, " = (");
      for (uint32_t e = 0; e < shape->element_count; ++e) {
        if (e) hd_strbuf_puts(p->out, ", ");
        hd_dim_print(p->out, hd_shapes_element(p->shapes, hd_result(op, i), e));
      }
      hd_strbuf_putc(p->out, ')');
    }
    hd_strbuf_putc(p->out, '\n');
  }
  return true;
}

void hd_shapes_print(hd_shapes *s, hd_strbuf *out) {
  static const char *const relations[] = {" == ", " <= ", " spreads to "};
  hd_walk_pre(s->func, print_op, &(print_state){s, out});
  for (size_t i = 0; i < s->guards.len; ++i) {
    hd_strbuf_puts(out, "guard: ");
    hd_dim_print(out, s->guards.data[i].lhs);
    hd_strbuf_puts(out, relations[s->guards.data[i].relation]);
    hd_dim_print(out, s->guards.data[i].rhs);
    hd_strbuf_putc(out, '\n');
  }
}
