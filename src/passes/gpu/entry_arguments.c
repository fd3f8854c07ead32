/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/gpu/entry_arguments.h"

#include "analysis/buffer_deps.h"
#include "analysis/buffer_op.h"
#include "ir/builder.h"
#include "ir/launch_items.h"
#include "ir/ops/interfaces.h"

/* ---- does the program write a buffer? -------------------------------------------------------------------------- */

/* Values that may be one buffer, followed from definitions to uses. */
typedef struct flow {
  hd_arena *arena;
  hd_map seen;
  hd_vec(hd_value *) queue;
} flow;

static void follow(flow *f, hd_value *value) {
  if (!hd_type_is(value->type, HD_TYPE_MEMREF) || hd_map_get(&f->seen, value)) return;
  hd_map_set(f->arena, &f->seen, value, value);
  hd_vec_push(f->arena, &f->queue, value);
}

static void follow_argument(flow *f, hd_block *block, uint32_t i) {
  if (block && i < block->arg_count) follow(f, block->args[i]);
}

/* Operand |i| of |loop|, which its first turn starts with; without a turn it is the result of scf.for. */
static void follow_start(flow *f, hd_op *loop, uint32_t i) {
  bool is_for = hd_op_is(loop, HD_OP_scf_for);
  follow_argument(f, hd_op_region(loop, 0)->first, is_for ? i - 2 : i);
  if (is_for && i - 3 < loop->result_count) follow(f, hd_result(loop, i - 3));
}

/* Operand |i| of |end|, which ends a region. */
static void follow_yield(flow *f, hd_op *end, uint32_t i) {
  hd_op *op = hd_op_parent(end);
  bool is_while = hd_op_is(op, HD_OP_scf_while), decides = hd_op_is(end, HD_OP_scf_condition);
  if (decides) --i;
  if ((decides || !is_while) && i < op->result_count) follow(f, hd_result(op, i));
  if (is_while) follow_argument(f, hd_op_region(op, decides ? 1 : 0)->first, i);
  if (hd_op_is(op, HD_OP_scf_for)) follow_argument(f, hd_op_region(op, 0)->first, 1 + i);
}

static void follow_jump(flow *f, hd_op *op, uint32_t operand) {
  for (uint32_t s = 0; s < op->successor_count; ++s) {
    uint32_t first, count;
    hd_op_successor_operands(op, s, &first, &count);
    if (operand >= first && operand < first + count) follow_argument(f, op->successors[s], operand - first);
  }
}

/* False: into a function that is not known. */
static bool follow_call(flow *f, hd_op *op, uint32_t operand) {
  uint32_t first = 0, count;
  bool is_launch = hd_op_is(op, HD_OP_gpu_launch_func);
  if (is_launch) hd_op_operand_range(op, HD_LAUNCH_ARGUMENTS, &first, &count);
  hd_op *callee = hd_symbol_resolve(op, is_launch ? hd_launch_like_kernel(op) : hd_call_like_callee(op));
  if (!callee || !callee->region_count || !hd_op_region(callee, 0)->first || operand < first) return false;
  follow_argument(f, hd_op_region(callee, 0)->first, operand - first);
  return true;
}

/* May |op| write the buffer that is operand |i|, itself or where the address goes? */
static bool writes(flow *f, hd_op *op, uint32_t i) {
  if (hd_op_is(op, HD_OP_gpu_launch_func) || hd_op_is(op, HD_OP_func_call)) return !follow_call(f, op, i);
  if (hd_op_is(op, HD_OP_scf_for) || hd_op_is(op, HD_OP_scf_while)) {
    follow_start(f, op, i);
    return false;
  }
  if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) {
    op->successor_count ? follow_jump(f, op, i) : follow_yield(f, op, i);
    return false;
  }
  if (op->info->derived_from) return i >= hd_buffer_input_count(op);
  if (hd_op_is(op, HD_OP_memref_copy)) return i == 1;
  if (hd_op_is(op, HD_OP_gpu_memcpy)) return i + 2 == op->operand_count;
  if (hd_op_has_trait(op, HD_TRAIT(FREES))) return false;                      /* they all go */
  for (uint32_t r = 0; r < op->result_count; ++r) follow(f, hd_result(op, r)); /* views and selections */
  return hd_op_has_trait(op, HD_TRAIT(WRITES)) || hd_op_is(op, HD_OP_memref_extract_aligned_pointer_as_index);
}

/* An op that may write |buffer|; null: none does. */
static hd_op *writer_of(hd_pass *pass, hd_value *buffer) {
  flow f = {.arena = &pass->arena};
  follow(&f, buffer);
  while (f.queue.len) {
    hd_value *value = hd_vec_pop(&f.queue);
    hd_for_each_use(use, value)
      if (writes(&f, use->owner, use->index)) return use->owner;
  }
  return NULL;
}

/* ---- copies ---------------------------------------------------------------------------------------------------- */

/* |argument| in memory of the program's own, in its place everywhere. */
static hd_value *copy_of(hd_pass *pass, hd_op *func, hd_value *argument) {
  hd_builder b = hd_builder_at_start(pass->module, hd_op_region(func, 0)->first);
  b.loc = func->loc;
  hd_type type = argument->type;
  hd_vec(hd_use *) uses = {0};
  hd_for_each_use(use, argument) hd_vec_push(&pass->arena, &uses, use);
  hd_value **sizes = hd_new_array(&pass->arena, hd_value *, type->shaped.rank + 1);
  uint32_t count = 0;
  for (uint32_t d = 0; d < type->shaped.rank; ++d)
    if (type->shaped.dims[d] == HD_DYNAMIC)
      sizes[count++] = hd_build(&b, HD_OP_memref_dim, hd_type_index(pass->context), argument, hd_build_index(&b, d));
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes,
                          hd_attr_i32_array(pass->context, (int32_t[]){(int32_t)count, 0}, 2)};
  hd_value *copy = hd_build_one_(&b, HD_OP_memref_alloc, type, sizes, count, &segments, 1);
  hd_build0(&b, HD_OP_lmhlo_copy, argument, copy);
  for (size_t i = 0; i < uses.len; ++i) hd_op_set_operand(uses.data[i]->owner, uses.data[i]->index, copy);
  return copy;
}

static bool is_return(const hd_op *op) { return hd_op_is(op, HD_OP_func_return); }

static void return_too(hd_pass *pass, hd_op *func, hd_value *buffer) {
  hd_op_list returns = hd_ops_where(func, is_return, &pass->arena);
  for (size_t r = 0; r < returns.len; ++r) {
    uint32_t count = returns.data[r]->operand_count;
    hd_value **operands = hd_new_array(&pass->arena, hd_value *, count + 1);
    for (uint32_t i = 0; i < count; ++i) operands[i] = hd_operand(returns.data[r], i);
    operands[count] = buffer;
    hd_op_set_operands(returns.data[r], operands, count + 1);
  }
}

bool hd_own_arguments(hd_pass *pass, hd_op *func) {
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_type type = hd_function_like_function_type(func)->type_value;
  bool returns_buffers = false;
  for (uint32_t i = 0; i < type->function.out_count; ++i)
    returns_buffers |= hd_type_is(type->function.outs[i], HD_TYPE_MEMREF);
  for (uint32_t i = 0; i < type->function.in_count; ++i) {
    hd_value *argument = entry->args[i];
    hd_type taken = type->function.ins[i];
    if (!hd_type_is(taken, HD_TYPE_MEMREF) || !hd_type_has_rank(taken)) continue;
    hd_op *writer = writer_of(pass, argument);
    if (writer && returns_buffers)
      return hd_op_error(writer, "writes to argument %u of '%s', which returns its results: expected a write to a copy",
                         i, hd_symbol_name(func).data);
    if (returns_buffers) continue;
    return_too(pass, func, writer ? copy_of(pass, func, argument) : argument);
    hd_op_attr_set(func, HD_NAME_res_attrs, NULL); /* of numbers alone, and their count is another one */
  }
  return true;
}
