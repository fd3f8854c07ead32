/* SPDX-License-Identifier: Apache-2.0 */
/* The table of evaluators, from the rows: see evaluators.h. */
#include "eval/evaluators.h"

#define HOOKS(...) {__VA_ARGS__}
#define VERIFY(name)
#define INFER(name)
#define FOLD(name)
#define EVAL(name) hd_eval_##name
static const struct {
  hd_eval_hook hook;
} evaluators[HD_OPCODE_COUNT] = {
#define OP(code, name, args, results, attrs, regions, traits, format, hooks, doc) [HD_OP_##code] = hooks,
#define HLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) \
  [HD_OP_stablehlo_##code] = hooks, [HD_OP_lmhlo_##code] = {hd_eval_lmhlo},
#define MHLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) \
  [HD_OP_mhlo_##code] = hooks, [HD_OP_lmhlo_##code] = {hd_eval_lmhlo},
#include "ir/ops/all_ops.def"
};

hd_eval_hook hd_eval_hook_of(hd_opcode opcode) {
  return (unsigned)opcode < HD_OPCODE_COUNT ? evaluators[opcode].hook : NULL;
}
