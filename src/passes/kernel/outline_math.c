/* SPDX-License-Identifier: Apache-2.0 */
/* outline-math: kernels call a function for a math op that the program has many of.
 *
 *   %y = math.tanh %x : vector<16xf32>    ->    %y = func.call @math.tanh.f32x16(%x)
 *                                               func.func private @math.tanh.f32x16 {hd.math} { math.tanh; return }
 *
 * What expand-math makes of such an op is 20 to 200 instructions at each use: a program of thousands of them would
 * spend its compile time on copies of the same code. A call costs a few nanoseconds, since no vector register lives
 * across it:
 * so few uses stay as they are.
 *
 * Requires kernels (hd.kernel); other functions are left alone, as is an op with a constant operand, which its
 * expansion may know how to use. Comes before expand-math, which makes code of the functions. */
#include "base/map.h"
#include "codegen/math/expand.h"
#include "ir/ops/discardable.h"
#include "passes/kernel/math_function.h"
#include "passes/passes.h"

/* Uses of one function that are written out: in a kernel, in the program. A model of many kinds of layers has some
 * dozen; a step of a recurrent network has four of one function, each for full vectors and for what is left. */
enum { MOST_IN_KERNEL = 16, MOST_IN_PROGRAM = 128 };

static bool is_candidate(const hd_op *op) {
  hd_opcode opcode = hd_opcode_get(op);
  if (opcode == HD_OP_math_rsqrt || !hd_math_can_expand(opcode) || op->result_count != 1) return false;
  hd_type type = hd_result_type(op, 0);
  hd_type element = hd_type_element(type);
  if (element->kind != HD_TYPE_FLOAT || (element->float_kind != HD_F32 && element->float_kind != HD_F64) ||
      (hd_type_is_shaped(type) && type->kind != HD_TYPE_VECTOR))
    return false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_value_constant(hd_operand(op, i))) return false;
  return true;
}

/* How many of |ops| each function computes, added to |counts| by the function's name. */
static void count(hd_map *counts, hd_op_list ops, hd_arena *arena) {
  for (size_t i = 0; i < ops.len; ++i) {
    hd_str name = hd_math_function_name(ops.data[i], arena);
    ++hd_map_insert_bytes(arena, counts, name.data, name.len, NULL)->value.i64;
  }
}

static int64_t count_of(const hd_map *counts, hd_op *op, hd_arena *arena) {
  hd_str name = hd_math_function_name(op, arena);
  return hd_map_find_bytes(counts, name.data, name.len)->value.i64;
}

static void call_functions(hd_pass *pass, hd_symbol_table *symbols, const hd_map *in_program, hd_op_list ops) {
  hd_map in_kernel = {0};
  count(&in_kernel, ops, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *op = ops.data[i], *computed;
    if (count_of(&in_kernel, op, &pass->arena) <= MOST_IN_KERNEL &&
        count_of(in_program, op, &pass->arena) <= MOST_IN_PROGRAM)
      continue;
    if (!symbols->arena) hd_symbol_table_init(symbols, &pass->arena, pass->module->op);
    hd_builder b = hd_builder_before(op);
    b.loc = op->loc;
    hd_value *value;
    hd_math_function_call(&b, hd_math_function(pass->module, symbols, op, "", &computed), op, &value);
    hd_op_replace(op, &value);
    pass->changed = true;
  }
}

bool hd_pass_outline_math(hd_pass *pass, hd_op *module) {
  (void)module;
  hd_map in_program = {0};
  hd_vec(hd_op_list) kernels = {0};
  hd_for_each_op(func, hd_module_body(pass->module)) {
    if (!hd_discardable_kernel(func)) continue;
    hd_op_list ops = hd_ops_where(func, is_candidate, &pass->arena);
    count(&in_program, ops, &pass->arena);
    if (ops.len) hd_vec_push(&pass->arena, &kernels, ops);
  }
  hd_symbol_table symbols = {0};
  for (size_t k = 0; k < kernels.len; ++k) call_functions(pass, &symbols, &in_program, kernels.data[k]);
  return true;
}
