/* SPDX-License-Identifier: Apache-2.0 */
/* The operands of gpu.launch_func, for hd_op_operand_range: items of its row in ops/gpu.def, in its order. gpu.launch
 * has those up to the dynamic shared memory. */
#ifndef HD_IR_LAUNCH_ITEMS_H_
#define HD_IR_LAUNCH_ITEMS_H_

enum {
  HD_LAUNCH_TOKENS = 0,
  HD_LAUNCH_GRID = 1,  /* x; y and z follow */
  HD_LAUNCH_BLOCK = 4, /* x; y and z follow */
  HD_LAUNCH_CLUSTER = 7,
  HD_LAUNCH_DYNAMIC_SHARED = 10,
  HD_LAUNCH_ARGUMENTS = 11,
  HD_LAUNCH_OBJECT = 12,
  HD_LAUNCH_ITEMS = 13,
};

#endif
