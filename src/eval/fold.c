/* SPDX-License-Identifier: Apache-2.0 */
/* The folding driver, see fold.h. */
#include "eval/fold.h"

#include <string.h>

#include "eval/core/evaluator.h"
#include "eval/core/hooks.h"
#include "eval/core/quantized.h"
#include "eval/core/run.h"
#include "ir/placement.h"
#include "ir/quantized.h"
#include "ir/tile_types.h"

typedef struct fold_args {
  hd_evaluator *evaluator;
  hd_op *op;
  const hd_attr *operands;
  size_t max_elements;
  hd_attr *results;
  bool folded;
} fold_args;

static hd_status run_guarded(void *user) {
  fold_args *a = user;
  hd_evaluator *e = a->evaluator;
  hd_op *op = a->op;
  hd_tensor in[16] = {0}, out[16] = {0};
  hd_eval_frame frame = {.evaluator = e};
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    HD_TRY(hd_tensor_from_attr(e->heap, a->operands[i], &in[i]));
    HD_TRY(hd_eval_as_stored(&frame, &in[i], hd_quantized_element(hd_operand_type(op, i))));
  }
  HD_TRY(hd_eval_run_op(&frame, op, hd_eval_computes_expressed(op), in, out));
  for (uint32_t i = 0; i < op->result_count; ++i) {
    if (!hd_tensor_is_tensor(&out[i]) || hd_tensor_count(&out[i]) > a->max_elements) return HD_STATUS_OK;
    a->results[i] = hd_attr_dense(out[i].type, hd_tensor_data(&out[i]), out[i].buffer->size, false);
  }
  a->folded = true;
  return HD_STATUS_OK;
}

bool hd_eval_fold(hd_op *op, const hd_attr *operands, size_t max_elements, hd_attr *out_results) {
  if (!hd_eval_hook_of(op->info->opcode) || op->region_count || op->operand_count > 16 || op->result_count > 16 ||
      !op->result_count || !hd_op_is_pure(op))
    return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    if (!operands[i] || !hd_attr_is(operands[i], HD_ATTR_DENSE) || !hd_type_is(operands[i]->type, HD_TYPE_TENSOR))
      return false;
    int64_t count = hd_type_num_elements(operands[i]->type);
    if (count < 0 || (uint64_t)count > max_elements) return false;
  }
  /* A static result tells its size ahead; an unknown one is bounded by the heap's limit. */
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type type = hd_result_type(op, i);
    if (!hd_type_is(type, HD_TYPE_TENSOR) || hd_type_is_pointer(type->shaped.element)) return false;
    int64_t count = hd_type_num_elements(type);
    if (hd_type_is_static(type) && (count < 0 || (uint64_t)count > max_elements)) return false;
  }
  hd_eval_options options = {.memory_limit = 4096 + 64 * max_elements * (op->operand_count + op->result_count + 2),
                             .timeout_s = 1};
  hd_evaluator *e;
  hd_status status = hd_evaluator_create(op->module, &options, &e);
  if (!hd_is_ok(status)) {
    hd_status_ignore(status);
    return false;
  }
  e->quiet = true;
  fold_args a = {e, op, operands, max_elements, out_results, false};
  hd_status_ignore(hd_guarded_call(run_guarded, &a));
  bool folded = a.folded;
  hd_evaluator_free(e);
  return folded;
}

/* What evaluating gives is kept unless it is big and new (rule 4 of ir/fold.h). */
static bool grows(hd_op *op, const hd_attr *operands, const hd_attr *results) {
  int64_t had = 64, has = 0;
  for (uint32_t i = 0; i < op->operand_count; ++i) had += hd_type_num_elements(operands[i]->type);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!(results[i]->kind == HD_ATTR_DENSE && results[i]->dense.splat)) has += hd_type_num_elements(results[i]->type);
  return has > had;
}

static bool evaluate(hd_op *op, const hd_attr *operands, hd_arena *scratch, hd_fold_result *out) {
  if (!op->operand_count) return false; /* iota and its like are better than their elements */
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!operands[i]) return false;
  hd_attr *results = hd_new_array(scratch, hd_attr, op->result_count + 1);
  if (!hd_eval_fold(op, operands, HD_FOLD_MAX_ELEMENTS, results) || grows(op, operands, results)) return false;
  for (uint32_t i = 0; i < op->result_count; ++i) out[i].attr = results[i];
  return true;
}

/* Rule 1 of ir/fold.h. */
static bool types_hold(hd_op *op, const hd_fold_result *out) {
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type type = out[i].value ? out[i].value->type : out[i].attr ? out[i].attr->type : NULL;
    if (type != hd_result_type(op, i) || out[i].value == hd_result(op, i)) return false;
  }
  return true;
}

bool hd_op_fold_with(hd_op *op, const hd_attr *operands, hd_arena *scratch, hd_fold_result *out) {
  if (!op->result_count || hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE))) return false;
  memset(out, 0, op->result_count * sizeof *out);
  if (op->info->hooks.fold && op->info->hooks.fold(op, operands, out) && types_hold(op, out)) return true;
  memset(out, 0, op->result_count * sizeof *out);
  return evaluate(op, operands, scratch, out) && types_hold(op, out);
}

bool hd_op_fold(hd_op *op, hd_arena *scratch, hd_fold_result *out) {
  hd_attr *operands = hd_new_array(scratch, hd_attr, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = hd_value_constant(hd_operand(op, i));
  return hd_op_fold_with(op, operands, scratch, out);
}

hd_value *hd_fold_materialise(hd_builder *b, const hd_op *like, uint32_t result, hd_attr attr) {
  static const char *const graph[] = {"stablehlo.", "mhlo.", "chlo.", "func."};
  const char *name = like->name->text;
  for (size_t i = 0; i < sizeof graph / sizeof *graph; ++i)
    if (strncmp(name, graph[i], strlen(graph[i])) == 0 && hd_type_is_tensor(attr->type)) {
      hd_value *constant = hd_build_hlo_constant(b, attr);
      hd_attr placement = hd_placement_entries(like);
      if (hd_attr_is(placement, HD_ATTR_ARRAY) && result < placement->array.count)
        hd_placement_set_entries(hd_value_op(constant), hd_attr_array(b->context, &placement->array.items[result], 1));
      return constant;
    }
  return hd_build_constant(b, attr);
}

bool hd_op_fold_replace(hd_op *op, hd_arena *scratch) {
  hd_fold_result *folded = hd_new_array(scratch, hd_fold_result, op->result_count + 1);
  if (!hd_op_fold(op, scratch, folded)) return false;
  hd_value **values = hd_new_array(scratch, hd_value *, op->result_count + 1);
  hd_builder b = hd_builder_before(op);
  for (uint32_t i = 0; i < op->result_count; ++i)
    values[i] = folded[i].value ? folded[i].value : hd_fold_materialise(&b, op, i, folded[i].attr);
  hd_op_replace(op, values);
  return true;
}
