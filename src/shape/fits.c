/* SPDX-License-Identifier: Apache-2.0 */
/* Shape arithmetic of 32 bits wraps where the expressions that follow it do not.
 *
 *   %0 = multiply %b, %s : i32       b*s            right modulo 2^32
 *   %1 = divide %0, %s : i32         floordiv(b*s, s)   right only if b*s fits i32
 *   dynamic_reshape %x, [%1]         right only if that fits too
 *
 * Sums and products are right modulo 2^32 whatever wraps on the way; anything else needs operands that fit. What a
 * shape needs to fit is collected here, for the host to check before the run; what only data need and nothing checks is
 * computed by the ops themselves. */
#include "shape/infer.h"

typedef enum use_kind { EXACT, MODULO, FIRST, NONE, BY_RESULT, BY_OPERAND, BY_REDUCER } use_kind;

static bool wraps_at_32(hd_type type) {
  hd_type element = hd_type_element(type);
  return element->kind == HD_TYPE_INTEGER && element->integer.width == 32;
}

static void range_of(hd_type type, int64_t *lower, int64_t *upper) {
  bool no_sign = hd_type_element(type)->integer.signedness == HD_UNSIGNED;
  *lower = no_sign ? 0 : INT32_MIN;
  *upper = no_sign ? UINT32_MAX : INT32_MAX;
}

bool hd_shape_fit_is_proven(hd_shapes *s, const hd_shape_fit *fit) {
  hd_dim value = hd_dim_resolve(&s->table, fit->value);
  return hd_dim_lower(value) >= fit->lower && hd_dim_upper(value) <= fit->upper;
}

/* The column |operands| of elements.def. */
static use_kind use_of(hd_opcode opcode) {
  switch (opcode) {
#define ARITHMETIC(row, operands, expression) \
  case HD_OP_##row:                           \
    return operands;
#define ELEMENTS(row, operands, call) ARITHMETIC(row, operands, call)
#include "shape/elements.def"
    default:
      return EXACT;
  }
}

/* How |op| uses operand |i|, for a result that is wanted modulo 2^32: EXACT or MODULO; false when it does not look at
 * the elements. */
static bool operand_use(hd_op *op, uint32_t i, use_kind *use) {
  bool modulo = false;
  switch (use_of(hd_opcode_get(op))) {
    case EXACT:
      break;
    case MODULO:
      modulo = true;
      break;
    case FIRST:
      if (i) return false;
      modulo = true;
      break;
    case NONE:
      return false;
    case BY_RESULT:
      modulo = wraps_at_32(hd_result_type(op, 0));
      break;
    case BY_OPERAND: /* select: its condition */
      modulo = i != 0;
      break;
    case BY_REDUCER: {
      hd_op *inner = hd_op_reducer(op);
      modulo = hd_op_is(inner, HD_OP_stablehlo_add) || hd_op_is(inner, HD_OP_stablehlo_multiply);
    }
  }
  *use = modulo ? MODULO : EXACT;
  return true;
}

typedef hd_vec(hd_value *) worklist;

/* What computed |value|, after reshapes. */
static hd_op *origin_of(hd_value *value) {
  hd_op *op = hd_value_op(value);
  while (hd_op_is(op, HD_OP_stablehlo_reshape) && hd_value_op(hd_operand(op, 0))) op = hd_value_op(hd_operand(op, 0));
  return op;
}

/* Notes what elements of |value| may not fit. What only the run tells is not known before it. */
static void note_fits(hd_shapes *s, hd_value *value) {
  if (!wraps_at_32(value->type)) return;
  const hd_value_shape *shape = hd_shapes_get(s, value);
  for (uint32_t e = 0; e < shape->element_count; ++e) {
    hd_shape_fit fit = {.value = hd_shapes_element(s, value, e), .op = origin_of(value)};
    range_of(value->type, &fit.lower, &fit.upper);
    if (!fit.value || !fit.op || fit.value->data_dependent || hd_shape_fit_is_proven(s, &fit)) continue;
    const void *key[2] = {fit.value, (const void *)(uintptr_t)fit.upper};
    bool is_new;
    hd_map_insert_bytes(s->arena, &s->fitted, key, sizeof key, &is_new);
    if (is_new) hd_vec_push(s->arena, &s->fits, fit);
  }
}

/* Walks back from |value|, whose elements are used in full. */
void hd_shapes_require_fit(hd_shapes *s, hd_value *value) {
  worklist list = {0};
  bool is_new;
  note_fits(s, value);
  hd_map_insert(s->arena, &s->walked, value, &is_new);
  if (is_new) hd_vec_push(s->arena, &list, value);
  while (list.len) {
    hd_op *op = hd_value_op(hd_vec_pop(&list));
    for (uint32_t i = 0; op && i < op->operand_count; ++i) {
      hd_value *operand = hd_operand(op, i);
      use_kind use;
      if (!hd_shapes_get(s, operand)->element_count || !operand_use(op, i, &use)) continue;
      if (use == EXACT) note_fits(s, operand);
      hd_map_insert(s->arena, &s->walked, operand, &is_new);
      if (is_new) hd_vec_push(s->arena, &list, operand);
    }
  }
}

static bool fits(hd_shapes *s, hd_value *value) {
  if (!wraps_at_32(value->type)) return true;
  const hd_value_shape *shape = hd_shapes_get(s, value);
  for (uint32_t e = 0; e < shape->element_count; ++e) {
    hd_shape_fit fit = {.value = hd_shapes_element(s, value, e)};
    range_of(value->type, &fit.lower, &fit.upper);
    const void *key[2] = {fit.value, (const void *)(uintptr_t)fit.upper};
    if (!fit.value || (!hd_shape_fit_is_proven(s, &fit) && !hd_map_find_bytes(&s->fitted, key, sizeof key)))
      return false;
  }
  return true;
}

static bool find_wrapping(hd_op *op, void *user) {
  hd_shapes *s = user;
  bool wraps = false;
  if (op->result_count != 1 || !hd_shapes_followed_elements(hd_result_type(op, 0))) return true;
  for (uint32_t i = 0; i < op->operand_count && !wraps; ++i) {
    use_kind use;
    if (!hd_shapes_followed_elements(hd_operand_type(op, i)) || !operand_use(op, i, &use)) continue;
    wraps = hd_map_find(&s->wrapping, hd_operand(op, i)) || (use == EXACT && !fits(s, hd_operand(op, i)));
  }
  if (wraps) hd_map_insert(s->arena, &s->wrapping, hd_result(op, 0), NULL);
  return true;
}

void hd_shapes_find_wrapping(hd_shapes *s) {
  s->fitted = (hd_map){0}; /* equalities that were learnt since give the expressions another form */
  for (size_t i = 0; i < s->fits.len; ++i) {
    const void *key[2] = {hd_dim_resolve(&s->table, s->fits.data[i].value),
                          (const void *)(uintptr_t)s->fits.data[i].upper};
    hd_map_insert_bytes(s->arena, &s->fitted, key, sizeof key, NULL);
  }
  hd_walk_pre(s->func, find_wrapping, s);
}

bool hd_shapes_may_wrap(hd_shapes *s, hd_value *value) { return hd_map_find(&s->wrapping, value) != NULL; }
