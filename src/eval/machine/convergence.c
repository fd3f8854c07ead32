/* SPDX-License-Identifier: Apache-2.0 */
/* The table of what threads do together, from the rows: see convergence.h. */
#include "eval/machine/convergence.h"

#define HOOKS(...) {__VA_ARGS__}
#define TOGETHER(name) hd_together_##name
#include "ir/ops/no_hooks.def"
static const struct {
  hd_together_hook hook;
} hooks_of[HD_OPCODE_COUNT] = {
#define OP(code, name, args, results, attrs, regions, traits, format, hooks, doc) [HD_OP_##code] = hooks,
#include "ir/ops/all_ops.def"
};

hd_together_hook hd_together_hook_of(hd_opcode opcode) { return hooks_of[opcode].hook; }
