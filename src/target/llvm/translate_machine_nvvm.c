/* SPDX-License-Identifier: Apache-2.0 */
/* nvvm's ops to LLVM's intrinsics of their names, where the architecture has the instruction: LLVM ends the process on
 * one that it has not. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "ir/ops/nvvm.h"
#include "ir/ops/structs.h"
#include "target/llvm/translate_machine.h"

enum { NAME = 128, ARGS = 16 };

/* An intrinsic, what it is overloaded on, and the first architecture that has it. */
typedef struct called {
  char name[NAME];
  LLVMTypeRef overload; /* null: nothing */
  int architecture;
  LLVMValueRef args[ARGS];
  unsigned count;
} called;

#define PREFIX "llvm.nvvm."

/* The intrinsic is llvm.nvvm.<text>. True. */
__attribute__((format(printf, 2, 3))) static bool say(called *c, const char *format, ...) {
  va_list arguments;
  memcpy(c->name, PREFIX, sizeof PREFIX);
  va_start(arguments, format);
  vsnprintf(c->name + sizeof PREFIX - 1, NAME - sizeof PREFIX + 1, format, arguments);
  va_end(arguments);
  return true;
}

static int architecture_of(const hd_machine_translation *t) {
  return t->machine->cpu && !strncmp(t->machine->cpu, "sm_", 3) ? atoi(t->machine->cpu + 3) : 0;
}

static bool take_operands(hd_machine_translation *t, hd_op *op, called *c) {
  for (uint32_t i = 0; i < op->operand_count && i < ARGS; ++i) c->args[c->count++] = hd_machine_operand_value(t, op, i);
  return true;
}

static bool is_register(const hd_op *op) { return !strncmp(op->info->name, "nvvm.read.ptx.sreg.", 19); }

static bool special(hd_op *op, called *c) {
  if (!strncmp(op->info->name + 19, "cluster", 7) || !strncmp(op->info->name + 19, "ncluster", 8)) c->architecture = 90;
  return say(c, "%s", op->info->name + 5);
}

static const char *case_of(int row, int64_t value, char *text) {
  hd_str name = hd_enum_case_name(row, value);
  snprintf(text, 32, "%.*s", (int)name.len, name.data);
  return text;
}

static bool is_double_word(hd_op *op, uint32_t operand) { return hd_type_bits(hd_operand_type(op, operand)) == 64; }

/* ---- exchanges ---- */

static bool shuffle(hd_op *op, called *c) {
  char kind[32];
  case_of(HD_ENUM_nvvm_shfl_kind, hd_nvvm_shfl_sync_kind(op), kind);
  const char *type = hd_type_is_float(hd_operand_type(op, 1), HD_F32) ? "f32" : "i32";
  return say(c, "shfl.sync.%s.%s%s", kind, type, hd_nvvm_shfl_sync_return_value_and_is_valid(op) ? "p" : "");
}

static bool vote(hd_op *op, called *c) {
  char kind[32];
  return say(c, "vote.%s.sync", case_of(HD_ENUM_nvvm_vote_sync_kind, hd_nvvm_vote_sync_kind(op), kind));
}

static bool reduce(hd_op *op, called *c) {
  char kind[32];
  c->architecture =
      hd_type_is_integer(hd_operand_type(op, 0), 32) ? 80 : INT32_MAX; /* of floats: by arch-specific targets alone */
  return say(c, "redux.sync.%s", case_of(HD_ENUM_nvvm_redux_kind, hd_nvvm_redux_sync_kind(op), kind));
}

static bool match(hd_op *op, called *c) {
  bool all = hd_nvvm_match_sync_kind(op) == HD_NVVM_MATCH_SYNC_KIND_ALL;
  c->architecture = 70;
  return say(c, "match.%s.sync.i%d%s", all ? "all" : "any", is_double_word(op, 1) ? 64 : 32, all ? "p" : "");
}

/* ---- barriers ---- */

static bool barrier(hd_machine_translation *t, hd_op *op, called *c) {
  uint32_t at[3], given[3] = {0};
  if (hd_op_is(op, HD_OP_nvvm_barrier))
    for (uint32_t k = 0; k < 3; ++k) hd_op_operand_range(op, k, &at[k], &given[k]);
  if (given[2]) return hd_machine_fail(t, op, "reduces at a barrier, which has no code here");
  say(c, "barrier.cta.sync.aligned.%s", given[1] ? "count" : "all");
  c->args[c->count++] = given[0] ? hd_machine_operand_value(t, op, at[0]) : LLVMConstInt(t->i32, 0, false);
  if (given[1]) c->args[c->count++] = hd_machine_operand_value(t, op, at[1]);
  return true;
}

static bool fence(hd_machine_translation *t, hd_op *op, called *c) {
  switch (hd_nvvm_memory_barrier_scope(op)) {
    case HD_NVVM_MEM_SCOPE_CTA:
      return say(c, "membar.cta");
    case HD_NVVM_MEM_SCOPE_GPU:
      return say(c, "membar.gl");
    case HD_NVVM_MEM_SCOPE_SYS:
      return say(c, "membar.sys");
    default:
      return hd_machine_fail(t, op, "orders memory of a cluster, which has no code here");
  }
}

/* ---- copies to shared memory ---- */

static bool is_pointer_to(LLVMValueRef value, unsigned space) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == space;
}

static bool copy(hd_machine_translation *t, hd_op *op, called *c) {
  int64_t size = hd_nvvm_cp_async_shared_global_size(op);
  hd_enum_nvvm_load_cache_modifier modifier = hd_nvvm_cp_async_shared_global_modifier(op);
  bool only_16 = modifier == HD_NVVM_LOAD_CACHE_MODIFIER_CG;
  take_operands(t, op, c);
  if ((!only_16 && modifier != HD_NVVM_LOAD_CACHE_MODIFIER_CA) || (size != 16 && (only_16 || (size != 4 && size != 8))))
    return hd_machine_fail(t, op, "copies in a way that has no instruction");
  if (!is_pointer_to(c->args[0], t->machine->spaces[3]) || !is_pointer_to(c->args[1], t->machine->spaces[1]))
    return hd_machine_fail(t, op, "copies from other than global to shared memory");
  say(c, "cp.async.%s.shared.global.%lld%s", only_16 ? "cg" : "ca", (long long)size, op->operand_count > 2 ? ".s" : "");
  c->architecture = 80;
  return true;
}

static bool commit_group(called *c) {
  c->architecture = 80;
  return say(c, "cp.async.commit.group");
}

static bool wait_group(hd_machine_translation *t, hd_op *op, called *c) {
  c->args[c->count++] = LLVMConstInt(t->i32, (uint64_t)hd_nvvm_cp_async_wait_group_n(op), false);
  c->architecture = 80;
  return say(c, "cp.async.wait.group");
}

/* ---- matrices ---- */

static bool matrix(hd_machine_translation *t, hd_op *op, called *c) {
  bool loads = hd_op_is(op, HD_OP_nvvm_ldmatrix);
  hd_attr shape = loads ? hd_nvvm_ldmatrix_shape(op) : hd_nvvm_stmatrix_shape(op);
  int64_t count = loads ? hd_nvvm_ldmatrix_num(op) : (int64_t)op->operand_count - 1;
  bool transposed = (loads ? hd_nvvm_ldmatrix_layout(op) : hd_nvvm_stmatrix_layout(op)) == HD_NVVM_MMA_LAYOUT_COL;
  if (hd_attr_nvvm_ld_st_matrix_shape_m(shape) != 8 || hd_attr_nvvm_ld_st_matrix_shape_n(shape) != 8 ||
      (loads ? hd_nvvm_ldmatrix_eltType(op) : hd_nvvm_stmatrix_eltType(op)) != HD_NVVM_LD_ST_MATRIX_ELT_TYPE_B16 ||
      (count != 1 && count != 2 && count != 4))
    return hd_machine_fail(t, op, "moves other than 1, 2 or 4 matrices of 8x8xb16");
  take_operands(t, op, c);
  c->overload = LLVMTypeOf(c->args[0]);
  if (!is_pointer_to(c->args[0], t->machine->spaces[3]))
    return hd_machine_fail(t, op, "moves matrices of other than shared memory");
  say(c, "%s.sync.aligned.m8n8.x%lld%s.b16", loads ? "ldmatrix" : "stmatrix", (long long)count,
      transposed ? ".trans" : "");
  c->architecture = loads ? 75 : 90;
  return true;
}

/* Shapes and types by PTX's table; LLVM has an intrinsic for each. */
static bool product(hd_machine_translation *t, hd_op *op, called *c) {
  hd_attr shape = hd_nvvm_mma_sync_shape(op);
  long long m = hd_attr_nvvm_shape_m(shape), k = hd_attr_nvvm_shape_k(shape);
  int64_t types[] = {hd_attr_int_or(hd_nvvm_mma_sync_multiplicandAPtxType_attr(op), -1),
                     hd_attr_int_or(hd_nvvm_mma_sync_multiplicandBPtxType_attr(op), -1)};
  char first[32], second[32], suffix[64];
  case_of(HD_ENUM_nvvm_mma_type, types[0], first);
  case_of(HD_ENUM_nvvm_mma_type, types[1], second);
  uint32_t at, count;
  hd_op_operand_range(op, 2, &at, &count);
  bool wide = count && hd_type_is_float(hd_type_element(hd_operand_type(op, at)), HD_F32);
  if (types[0] == HD_NVVM_MMA_TYPE_F16)
    snprintf(suffix, sizeof suffix, "%s", wide ? "f32.f32" : "f16.f16");
  else if (types[0] == types[1])
    snprintf(suffix, sizeof suffix, "%s", first);
  else
    snprintf(suffix, sizeof suffix, "%s.%s", first, second);
  bool saturates =
      hd_attr_int_or(hd_nvvm_mma_sync_intOverflowBehavior_attr(op), 0) == HD_NVVM_MMA_INT_OVERFLOW_SATFINITE;
  if (hd_nvvm_mma_sync_layoutA(op) != HD_NVVM_MMA_LAYOUT_ROW ||
      hd_nvvm_mma_sync_layoutB(op) != HD_NVVM_MMA_LAYOUT_COL || hd_nvvm_mma_sync_b1Op_attr(op) ||
      hd_attr_nvvm_shape_n(shape) != 8 || op->operand_count > ARGS)
    return hd_machine_fail(t, op, "has a shape or layouts that have no code here");
  take_operands(t, op, c);
  say(c, "mma.m%lldn8k%lld.row.col.%s%s", m, k, saturates ? "satfinite." : "", suffix);
  c->architecture = types[0] == HD_NVVM_MMA_TYPE_F16 && k == 8 ? 75 : 80;
  return true;
}

/* ---- one op ---- */

static bool describe(hd_machine_translation *t, hd_op *op, called *c) {
  if (is_register(op)) return special(op, c);
  switch (hd_opcode_get(op)) {
#define NVVM(opcode, call) \
  case HD_OP_##opcode:     \
    return call;
#include "target/llvm/machine.def"
    default:
      return hd_machine_fail(t, op, "has no code on a device");
  }
}

bool hd_machine_translate_nvvm(hd_machine_translation *t, hd_op *op) {
  called c = {0};
  int architecture = architecture_of(t);
  if (!architecture) return hd_machine_fail(t, op, "has no instruction on this machine");
  if (!describe(t, op, &c)) return false;
  if (architecture < c.architecture)
    return hd_machine_fail(
        t, op, "has no instruction on %s%s", t->machine->cpu,
        c.architecture == INT32_MAX ? "" : hd_arena_printf(t->arena, ", expected sm_%d or later", c.architecture));
  LLVMValueRef made = hd_machine_overloaded(t, c.name, c.overload, c.args, c.count);
  if (!made) return hd_machine_fail(t, op, "has no intrinsic %s", c.name);
  return !op->result_count || hd_machine_give(t, op, 0, made);
}
