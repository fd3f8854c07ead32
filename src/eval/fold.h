/* SPDX-License-Identifier: Apache-2.0 */
/* Folding one op: to constants, or to values that exist. The row's hook (ir/fold.h has the requirements) comes first;
 * a pure graph op that it leaves is evaluated when all operands are constants, so folding agrees with the reference by
 * construction. Thread-compatible. */
#ifndef HD_EVAL_FOLD_H_
#define HD_EVAL_FOLD_H_

#include "ir/builder.h"

enum { HD_FOLD_MAX_ELEMENTS = 65536 }; /* of operands and results of what is evaluated */

/* Fills |out| (op->result_count entries) and returns true when every result folds. */
bool hd_op_fold(hd_op *op, hd_arena *scratch, hd_fold_result *out);
/* The same with what the caller knows of the operands: |operands|, op->operand_count entries, null where not constant.
 */
bool hd_op_fold_with(hd_op *op, const hd_attr *operands, hd_arena *scratch, hd_fold_result *out);
/* Folds |op|, replaces its results (constants are made before it) and erases it; false when it does not fold. */
bool hd_op_fold_replace(hd_op *op, hd_arena *scratch);
/* A constant at |b| that stands for result |result| of |like|, as its dialect writes it: tensors of graph ops and
 * functions are stablehlo.constant, with the placement of that result, all else arith.constant. */
hd_value *hd_fold_materialise(hd_builder *b, const hd_op *like, uint32_t result, hd_attr attr);

/* Folds |op| by evaluating it: true and an attribute per result when every operand is a constant (|operands|, as fold
 * hooks get them), the op is pure and has an evaluator, the results are static tensors, and operands and results stay
 * within |max_elements| elements each. Nothing is reported when it does not fold. */
bool hd_eval_fold(hd_op *op, const hd_attr *operands, size_t max_elements, hd_attr *out_results);

#endif
