/* SPDX-License-Identifier: Apache-2.0 */
/* disc-split-large-ops: no op takes more parameters than a kernel of the target may have.
 *
 *   %o = stablehlo.concatenate %0, ..., %n   ->   %a = concatenate %0, ..., %k
 *                                                 %b = concatenate %k+1, ..., %n
 *                                                 %o = concatenate %a, %b
 *   reduce, reduce_window, scatter, sort     ->   several, each of some of the tensors (split_lanes.c)
 *
 * A kernel gets each tensor as a pointer and its unknown sizes. All of them may take `max-param-bytes` (0: any number),
 * which is what a kernel of `target` has unless it is said. `max-operands` bounds the operands of a concatenate (0: any
 * number). The CPU has no limit of bytes, but each element of a concatenate asks each operand whether it is the one:
 * eight are asked quickly. Groups are as large as the limit allows, neighbours stay neighbours, and groups are joined
 * in turn, so the depth is the logarithm of the number.
 *
 * What cannot be divided so, since one result needs too many tensors, is an error at the op. Ops that are no kernels
 * (control flow, calls, tuples, calls of a library, barriers) are left; fusions count their parameters themselves. */
#include "base/vec.h"
#include "codegen/emit/gpu/schedules.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/hlo_build.h"
#include "passes/graph/simplify/split_lanes.h"
#include "passes/lowering/library.h"
#include "passes/passes.h"

typedef struct splitter {
  hd_pass *pass;
  int64_t max_bytes, max_operands;
  hd_vec(hd_op *) large;
} splitter;

static int64_t bytes_of(hd_op *op) {
  int64_t bytes = HD_GPU_SCALAR_BYTES;
  for (uint32_t i = 0; i < op->operand_count; ++i) bytes += hd_gpu_parameter_bound(hd_operand_type(op, i));
  for (uint32_t i = 0; i < op->result_count; ++i) bytes += hd_gpu_parameter_bound(hd_result_type(op, i));
  return bytes;
}

static bool fits(splitter *s, hd_op *op) {
  bool few = !s->max_operands || op->operand_count <= s->max_operands || !hd_op_is(op, HD_OP_stablehlo_concatenate);
  return few && (!s->max_bytes || bytes_of(op) <= s->max_bytes);
}

static bool is_kernel(hd_op *op) {
  if (hd_is_collective(op) || hd_is_library_op(op)) return false;
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_tuple:
    case HD_OP_stablehlo_get_tuple_element:
    case HD_OP_stablehlo_optimization_barrier:
    case HD_OP_stablehlo_after_all:
    case HD_OP_stablehlo_composite:
      return false;
    default:
      return hd_opcode_to_lmhlo(hd_opcode_get(op)) &&
             !hd_op_has_any_trait(op, HD_TRAIT(TERMINATOR) | HD_TRAIT(BRANCHES) | HD_TRAIT(WHILE));
  }
}

/* How many operands of this op's rank one concatenate may have. */
static int64_t group_size(splitter *s, hd_op *op) {
  int64_t each = hd_gpu_parameter_bound(hd_result_type(op, 0)), most = INT64_MAX;
  if (s->max_bytes) most = (s->max_bytes - HD_GPU_SCALAR_BYTES) / each - 1;
  return s->max_operands && s->max_operands < most ? s->max_operands : most;
}

static bool split_concatenate(splitter *s, hd_op *op) {
  int64_t most = group_size(s, op);
  if (most < 2)
    return hd_op_error(op, "disc-split-large-ops: two operands do not fit: expected at least %lld bytes, got %lld",
                       (long long)(HD_GPU_SCALAR_BYTES + 3 * hd_gpu_parameter_bound(hd_result_type(op, 0))),
                       (long long)s->max_bytes);
  hd_builder b = hd_builder_before(op);
  uint32_t count = op->operand_count;
  hd_value **values = hd_new_array(&s->pass->arena, hd_value *, count + 1);
  for (uint32_t i = 0; i < count; ++i) values[i] = hd_operand(op, i);
  while (count > most) {
    uint32_t groups = (uint32_t)((count + most - 1) / most), made = 0, at = 0;
    for (uint32_t g = 0; g < groups; ++g) {
      uint32_t n = count / groups + (g < count % groups); /* even groups */
      values[made++] =
          n == 1 ? values[at] : hd_stablehlo_concatenate(&b, hd_stablehlo_concatenate_dimension(op), values + at, n);
      at += n;
    }
    count = made;
  }
  hd_op_set_operands(op, values, count);
  s->pass->changed = true;
  return true;
}

static bool collect(hd_op *op, void *user) {
  splitter *s = user;
  if (is_kernel(op) && !fits(s, op)) hd_vec_push(&s->pass->arena, &s->large, op);
  return true;
}

static bool split(splitter *s, hd_op *op) {
  if (hd_op_is(op, HD_OP_stablehlo_concatenate)) return split_concatenate(s, op);
  if (hd_has_lanes(op) && hd_op_region(op, 0)->first) return hd_split_lanes(s->pass, op, s->max_bytes);
  return hd_op_error(op,
                     "takes %lld bytes of parameters for %u operands, expected at most %lld, and it cannot be divided",
                     (long long)bytes_of(op), op->operand_count, (long long)s->max_bytes);
}

bool hd_pass_split_large_ops(hd_pass *pass, hd_op *func) {
  const hd_gpu_target *target = pass->target->gpu;
  splitter s = {.pass = pass,
                .max_bytes = hd_option_given(pass, "max-param-bytes") ? hd_option_int(pass, "max-param-bytes")
                             : target                                 ? target->parameter_bytes
                                                                      : 0,
                .max_operands = hd_option_int(pass, "max-operands")};
  if (s.max_operands < 0 || s.max_operands == 1)
    return hd_op_error(func, "disc-split-large-ops: max-operands must be 0 or at least 2, got %lld",
                       (long long)s.max_operands);
  if (s.max_bytes < 0)
    return hd_op_error(func, "disc-split-large-ops: max-param-bytes must be at least 0, got %lld",
                       (long long)s.max_bytes);
  hd_walk_post(func, collect, &s); /* what is in a region before its op, which may be copied */
  for (size_t i = 0; i < s.large.len; ++i)
    if (!split(&s, s.large.data[i])) return false;
  return true;
}
