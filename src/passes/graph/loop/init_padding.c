/* SPDX-License-Identifier: Apache-2.0 */
/* A window that reaches into padding combines the initial value once more for each padded position; a scan combines it
 * once. The two agree where the combiner takes two initial values to one. */
#include "eval/fold.h"
#include "passes/graph/loop/recognize_scans.h"

enum { MOST_DEPTH = 8, MOST_RESULTS = 16 };

/* What |value| is: a constant, or what folds from constants; null otherwise. */
static hd_attr constant_of(hd_arena *scratch, hd_map *known, hd_value *value, int depth);

static bool fold_op(hd_arena *scratch, hd_map *known, hd_op *op, int depth) {
  if (!hd_op_is_pure(op) || op->region_count || op->result_count > MOST_RESULTS) return false;
  hd_attr *operands = hd_new_array(scratch, hd_attr, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    operands[i] = constant_of(scratch, known, hd_operand(op, i), depth - 1);
  hd_fold_result folded[MOST_RESULTS] = {{0}};
  if (!hd_op_fold_with(op, operands, scratch, folded)) return false;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_attr attr = folded[i].attr ? folded[i].attr : constant_of(scratch, known, folded[i].value, depth - 1);
    if (!attr) return false;
    hd_map_set(scratch, known, hd_result(op, i), (void *)attr);
  }
  return true;
}

static hd_attr constant_of(hd_arena *scratch, hd_map *known, hd_value *value, int depth) {
  hd_attr attr = hd_map_get(known, value);
  if (attr) return attr;
  if ((attr = hd_value_constant(value))) return attr;
  hd_op *op = hd_value_op(value);
  return op && depth > 0 && fold_op(scratch, known, op, depth) ? hd_map_get(known, value) : NULL;
}

/* Does one op say it for every value: is |body| x where both arguments are x? */
static bool is_idempotent(const hd_block *body) {
  const hd_op *op = body->first;
  if (body->arg_count != 2 || op->next != body->last || op->result_count != 1 || op->operand_count != 2 ||
      hd_operand(body->last, 0) != hd_result(op, 0))
    return false;
  return hd_op_has_trait(op, HD_TRAIT(IDEMPOTENT)) &&
         ((hd_operand(op, 0) == body->args[0] && hd_operand(op, 1) == body->args[1]) ||
          (hd_operand(op, 0) == body->args[1] && hd_operand(op, 1) == body->args[0]));
}

bool hd_init_absorbs_padding(hd_arena *scratch, hd_value *const *inits, uint32_t count, const hd_block *body) {
  if (body->arg_count != 2 * count || !body->last || body->last->operand_count != count) return false;
  if (is_idempotent(body)) return true;
  hd_map known = {0};
  hd_attr *init = hd_new_array(scratch, hd_attr, count);
  for (uint32_t i = 0; i < count; ++i) {
    init[i] = constant_of(scratch, &known, inits[i], MOST_DEPTH);
    if (!init[i]) return false;
    hd_map_set(scratch, &known, body->args[i], (void *)init[i]);
    hd_map_set(scratch, &known, body->args[count + i], (void *)init[i]);
  }
  for (hd_op *op = body->first; op != body->last; op = op->next)
    if ((!op->result_count || !hd_value_constant(hd_result(op, 0))) && !fold_op(scratch, &known, op, MOST_DEPTH))
      return false;
  for (uint32_t i = 0; i < count; ++i)
    if (constant_of(scratch, &known, hd_operand(body->last, i), MOST_DEPTH) != init[i]) return false;
  return true;
}
