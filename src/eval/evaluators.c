/* SPDX-License-Identifier: Apache-2.0 */
/* The table of evaluators, from the rows: see evaluators.h. */
#include "eval/core/hooks.h"

#define HOOKS(...) {__VA_ARGS__}
#define EVAL(name) hd_eval_##name
#include "ir/ops/no_hooks.def"
static const struct {
  hd_eval_hook hook;
} evaluators[HD_OPCODE_COUNT] = {
#define OP(code, name, args, results, attrs, regions, traits, format, hooks, doc) [HD_OP_##code] = hooks,
#define HLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) \
  [HD_OP_stablehlo_##code] = hooks, [HD_OP_lmhlo_##code] = {EVAL(lmhlo)},
#define MHLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) \
  [HD_OP_mhlo_##code] = hooks, [HD_OP_lmhlo_##code] = {EVAL(lmhlo)},
#include "ir/ops/all_ops.def"
};

hd_eval_hook hd_eval_hook_of(hd_opcode opcode) {
  return (unsigned)opcode < HD_OPCODE_COUNT ? evaluators[opcode].hook : NULL;
}

/* Completeness. A row counts 1 when it names no evaluator. */
#undef HOOKS
#undef EVAL
#define HOOKS(...) __VA_ARGS__
#define EVAL(name) +1
enum {
#define OP(code, name, args, results, attrs, regions, traits, format, hooks, doc) LACKS_##code = !(0 hooks),
#define HLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) LACKS_stablehlo_##code = !(0 hooks),
#define MHLO(code, name, args, results, attrs, regions, traits, format, hooks, doc) LACKS_mhlo_##code = !(0 hooks),
#include "ir/ops/all_ops.def"
};
enum {
  LACKING = 0
#define OP(code, ...) +LACKS_##code
#define HLO(code, ...) +LACKS_stablehlo_##code
#define MHLO(code, ...) +LACKS_mhlo_##code
#include "ir/ops/all_ops.def"
  ,
  /* vhlo is read and written, never run; of llvm the evaluator runs what calls of the runtime need */
  PORTABLE_OR_LLVM = 0
#define OP(code, ...) +LACKS_##code
#include "ir/ops/llvm.def"
#include "ir/ops/vhlo.def"
#undef OP
  ,
  LISTED = 0
#define NO_EVALUATOR(code) +LACKS_##code
#include "eval/no_evaluator.def"
};
_Static_assert(LACKING == PORTABLE_OR_LLVM + LISTED,
               "a row names no EVAL hook: give it one or list it in no_evaluator.def");
#define NO_EVALUATOR(code) _Static_assert(LACKS_##code, "no_evaluator.def lists " #code ", which has an evaluator");
#include "eval/no_evaluator.def"
