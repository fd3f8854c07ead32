/* SPDX-License-Identifier: Apache-2.0 */
/* Plans: what running a function needs to know of it, made when it is first called.
 *
 *   function -> every value inside gets a slot
 *   block    -> a list of steps: the op, slots of its operands, slot of its first result, slots that die after it */
#ifndef HD_EVAL_CORE_PLAN_H_
#define HD_EVAL_CORE_PLAN_H_

#include "base/map.h"
#include "ir/op.h"

enum { HD_NO_SLOT = UINT32_MAX };

typedef struct hd_step {
  hd_op *op;
  uint32_t *operands; /* HD_NO_SLOT: a value of no function */
  uint32_t result;    /* results have consecutive slots */
  uint32_t death_count;
  uint32_t *deaths;
  bool expressed; /* computes on the expressed types of quantized values */
  bool unit;      /* a kernel or a call as a whole: what it writes is its */
  bool
      /* the threads of a block do it together (a point of convergence): barriers, shuffles, shared memory, what holds
       * one */
      converges;
} hd_step;

typedef struct hd_block_plan {
  hd_step *steps;
  size_t step_count;
  uint32_t first_arg;
} hd_block_plan;

/* The slots of the values inside an op. */
typedef struct hd_slot_range {
  uint32_t first, count;
} hd_slot_range;

typedef struct hd_plans {
  hd_arena *arena;
  hd_map functions; /* hd_op -> hd_slot_range */
  hd_map blocks;    /* hd_block -> hd_block_plan */
  hd_map slots;     /* hd_value -> slot */
  hd_map ranges;    /* an op whose region threads run -> hd_slot_range */
  hd_map graph_ops; /* buffer op -> its graph op (buffer_ops.h) */
  hd_map wides;     /* graph op -> its widened copy (wide.h), where |widens| */
  bool widens;
} hd_plans;

hd_slot_range hd_plan_function(hd_plans *plans, hd_op *function);
/* The slots inside of |op|, a launch or a parallel loop, of a planned function. */
hd_slot_range hd_plan_inside(const hd_plans *plans, const hd_op *op);
/* |block| is in a planned function. */
hd_block_plan *hd_plan_block(hd_plans *plans, hd_block *block);
/* Do threads of a block converge in |region|? */
bool hd_region_converges(hd_region *region);

/* True when the evaluator brings |op|'s values to their expressed types and back: some value is quantized, and the op
 * is not one that passes, casts or converts stored integers itself. */
bool hd_eval_computes_expressed(const hd_op *op);

#endif
