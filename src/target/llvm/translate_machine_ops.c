/* SPDX-License-Identifier: Apache-2.0 */
/* llvm ops on values and memory to the instructions of their names. */
#include "ir/ops/interfaces.h"
#include "ir/ops/llvm.h"
#include "target/llvm/predicates.h"
#include "target/llvm/translate_machine.h"

/* llvm's flags are LLVM's in another order: nnan ninf nsz arcp contract afn reassoc. */
static LLVMFastMathFlags flags_of(hd_op *op) {
  static const LLVMFastMathFlags flags[] = {
      LLVMFastMathNoNaNs,        LLVMFastMathNoInfs,     LLVMFastMathNoSignedZeros, LLVMFastMathAllowReciprocal,
      LLVMFastMathAllowContract, LLVMFastMathApproxFunc, LLVMFastMathAllowReassoc};
  int64_t bits = hd_attr_int_or(hd_with_llvm_fastmath_fastmathFlags_if_any(op), 0);
  LLVMFastMathFlags out = 0;
  for (int i = 0; i < 7; ++i)
    if (bits >> i & 1) out |= flags[i];
  return out;
}

static bool give(hd_machine_translation *t, hd_op *op, LLVMValueRef value) { return hd_machine_give(t, op, 0, value); }

/* The C API asserts that an instruction can have flags. */
static bool give_flagged(hd_machine_translation *t, hd_op *op, LLVMValueRef value) {
  LLVMFastMathFlags flags = flags_of(op);
  if (flags && LLVMIsAInstruction(value) && LLVMCanValueUseFastMathFlags(value)) LLVMSetFastMathFlags(value, flags);
  return give(t, op, value);
}

static hd_machine_code code_of(const hd_op *op) {
  switch (hd_opcode_get(op)) {
#define CODE(opcode, ...) \
  case HD_OP_##opcode:    \
    return (hd_machine_code){__VA_ARGS__};
#define BINARY(opcode, code) CODE(opcode, .binary = LLVM##code)
#define CAST(opcode, code) CODE(opcode, .cast = LLVM##code)
#define INTRINSIC(opcode, name, last) CODE(opcode, .intrinsic = "llvm." #name, .poison = HD_NAME_##last)
#include "target/llvm/machine.def"
#undef CODE
    default:
      return (hd_machine_code){0};
  }
}

/* Functions are the machine's instructions, or there is no code for them: LLVM would call a library, or end the
 * process. */
static bool is_function(const hd_op *op) {
  return hd_op_is(op, HD_OP_llvm_intr_exp2) || hd_op_is(op, HD_OP_llvm_intr_tanh);
}

static bool has_function(const hd_machine_translation *t, hd_op *op) {
  hd_type type = hd_type_element(hd_operand_type(op, 0));
  return t->machine->approximate && flags_of(op) & LLVMFastMathApproxFunc && hd_type_is_float(type, HD_F32);
}

static LLVMValueRef real(LLVMTypeRef type, double value) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return LLVMConstReal(type, value);
  LLVMValueRef items[16];
  unsigned count = LLVMGetVectorSize(type);
  for (unsigned i = 0; i < count; ++i) items[i] = LLVMConstReal(LLVMGetElementType(type), value);
  return LLVMConstVector(items, count);
}

static LLVMValueRef approximate(LLVMValueRef value) {
  if (LLVMIsAInstruction(value) && LLVMCanValueUseFastMathFlags(value))
    LLVMSetFastMathFlags(value, LLVMFastMathApproxFunc);
  return value;
}

/* tanh where the machine has exp2 alone: t = 2^(-2 log2(e) |x|), then (1 - t) / (1 + t), below 0.4 x - x^3 / 3 + 2 x^5
 * / 15: within 2^-12 of the result. */
static LLVMValueRef tanh_of_exp2(hd_machine_translation *t, LLVMValueRef x) {
  LLVMBuilderRef b = t->builder;
  LLVMTypeRef type = LLVMTypeOf(x);
#define CONSTANT(value) real(type, value)
#define FLAGGED(value) approximate(value)
  LLVMValueRef magnitude = hd_machine_overloaded(t, "llvm.fabs", type, &x, 1);
  LLVMValueRef scaled = LLVMBuildFMul(b, magnitude, CONSTANT(-0x1.715476p1), "");
  LLVMValueRef power = FLAGGED(hd_machine_overloaded(t, "llvm.exp2", type, &scaled, 1));
  LLVMValueRef rest = FLAGGED(LLVMBuildFDiv(b, CONSTANT(1), LLVMBuildFAdd(b, power, CONSTANT(1), ""), ""));
  LLVMValueRef large = LLVMBuildFMul(b, LLVMBuildFSub(b, CONSTANT(1), power, ""), rest, "");
  LLVMValueRef u = LLVMBuildFMul(b, x, x, "");
  LLVMValueRef p = LLVMBuildFAdd(b, LLVMBuildFMul(b, u, CONSTANT(2.0 / 15), ""), CONSTANT(-1.0 / 3), "");
  LLVMValueRef small = LLVMBuildFAdd(b, x, LLVMBuildFMul(b, x, LLVMBuildFMul(b, u, p, ""), ""), "");
  LLVMValueRef is_small = LLVMBuildFCmp(b, LLVMRealOLT, magnitude, CONSTANT(0.4), "");
  return LLVMBuildSelect(b, is_small, small,
                         hd_machine_overloaded(t, "llvm.copysign", type, (LLVMValueRef[]){large, x}, 2), "");
#undef CONSTANT
#undef FLAGGED
}

static bool intrinsic(hd_machine_translation *t, hd_op *op, hd_machine_code code) {
  LLVMValueRef args[4];
  unsigned count = 0;
  LLVMTypeRef type = hd_machine_llvm_type(t, op, hd_result_type(op, 0));
  if (!type || op->operand_count > 3) return hd_machine_fail(t, op, "takes too many operands");
  for (; count < op->operand_count; ++count) args[count] = hd_machine_operand_value(t, op, count);
  if (is_function(op) && !has_function(t, op))
    return hd_machine_fail(t, op, "is a function that the machine has no instruction for: expected expand-math before");
  if (hd_op_is(op, HD_OP_llvm_intr_tanh) && !t->machine->tanh) return give(t, op, tanh_of_exp2(t, args[0]));
  bool maximum = hd_op_is(op, HD_OP_llvm_intr_maximum);
  if (t->machine->opencl && (maximum || hd_op_is(op, HD_OP_llvm_intr_minimum)))
    return give(t, op, hd_machine_opencl_extremum(t, args[0], args[1], maximum));
  if (code.poison) args[count++] = LLVMConstInt(t->i1, hd_attr_bool_or(hd_op_attr_get(op, code.poison), false), false);
  return give_flagged(t, op, hd_machine_overloaded(t, code.intrinsic, type, args, count));
}

LLVMValueRef hd_machine_splat(LLVMTypeRef type, uint64_t value) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return LLVMConstInt(type, value, false);
  LLVMValueRef items[16];
  unsigned count = LLVMGetVectorSize(type);
  for (unsigned i = 0; i < count; ++i) items[i] = LLVMConstInt(LLVMGetElementType(type), value, false);
  return LLVMConstVector(items, count);
}

static LLVMValueRef number(hd_machine_translation *t, LLVMTypeRef type, const void *data, size_t bytes) {
  uint64_t bits = 0;
  memcpy(&bits, data, bytes < 8 ? bytes : 8);
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind) return LLVMConstInt(type, bits, false);
  LLVMTypeRef pattern = LLVMIntTypeInContext(t->context, (unsigned)bytes * 8);
  return LLVMConstBitCast(LLVMConstInt(pattern, bits, false), type);
}

static bool constant(hd_machine_translation *t, hd_op *op) {
  hd_attr value = hd_constant_like_value(op);
  hd_type type = hd_result_type(op, 0);
  LLVMTypeRef made = hd_machine_llvm_type(t, op, type);
  if (!made) return false;
  if (hd_attr_is(value, HD_ATTR_INTEGER) && !hd_type_is_shaped(type))
    return give(t, op, hd_machine_settle(t, type, LLVMConstInt(made, (uint64_t)value->integer, true)));
  if (hd_attr_is(value, HD_ATTR_FLOAT) && !hd_type_is_shaped(type))
    return give(t, op, number(t, made, &value->floating.bits, hd_type_element_bytes(type)));
  if (!hd_attr_is(value, HD_ATTR_DENSE) || type->kind != HD_TYPE_VECTOR)
    return hd_machine_fail(t, op, "expected a number or a dense vector");
  unsigned lanes = (unsigned)hd_type_num_elements(type);
  LLVMValueRef *items = hd_new_array(t->arena, LLVMValueRef, lanes);
  for (unsigned i = 0; i < lanes; ++i)
    items[i] = number(t, LLVMGetElementType(made), hd_attr_element_data(value, i),
                      hd_type_element_bytes(type->shaped.element));
  return give(t, op, hd_machine_settle(t, type, LLVMConstVector(items, lanes)));
}

static bool compare(hd_machine_translation *t, hd_op *op) {
  int64_t predicate = hd_attr_int_or(hd_with_predicate_predicate(op), -1);
  LLVMValueRef x = hd_machine_operand_value(t, op, 0), y = hd_machine_operand_value(t, op, 1);
  LLVMIntPredicate of_ints;
  LLVMRealPredicate of_reals;
  bool is_int = hd_op_is(op, HD_OP_llvm_icmp);
  if (is_int ? !hd_llvm_int_predicate(predicate, &of_ints) : !hd_llvm_real_predicate(predicate, &of_reals))
    return hd_machine_fail(t, op, "has no such predicate");
  if (!is_int) return give_flagged(t, op, LLVMBuildFCmp(t->builder, of_reals, x, y, ""));
  if (predicate >= HD_LLVM_ICMP_ULT) {
    x = hd_machine_unsigned(t, op, 0);
    y = hd_machine_unsigned(t, op, 1);
  }
  return give(t, op, LLVMBuildICmp(t->builder, of_ints, x, y, ""));
}

/* Without a promise an address is a multiple of the element's size. */
static LLVMValueRef align(hd_op *op, LLVMValueRef access, hd_type type) {
  int64_t alignment = hd_attr_int_or(hd_with_alignment_alignment_if_any(op), 0);
  bool fits = alignment > 0 && alignment <= 4096 && !(alignment & (alignment - 1));
  size_t natural = type->kind == HD_TYPE_DIALECT ? 8 : hd_type_element_bytes(hd_type_element(type));
  LLVMSetAlignment(access, fits ? (unsigned)alignment : natural ? (unsigned)natural : 1);
  return access;
}

enum { NUW = 2 };

/* |base| and |at| elements. A sum that does not wrap is added part by part: OpenCL's compilers tell neighbours of
 * neighbouring threads by what is added last to an address, and see through no sum of fewer bits. */
static LLVMValueRef add_to_address(hd_machine_translation *t, LLVMTypeRef element, LLVMValueRef base, hd_value *at,
                                   int64_t wrap) {
  hd_op *widens = at->is_block_arg ? NULL : hd_value_op(at);
  hd_value *narrow = hd_op_is(widens, HD_OP_llvm_zext) ? hd_operand(widens, 0) : at;
  hd_op *sum = narrow->is_block_arg ? NULL : hd_value_op(narrow);
  if (t->machine->opencl && hd_op_is(sum, HD_OP_llvm_add) && hd_attr_int_or(hd_llvm_add_overflowFlags(sum), 0) & NUW) {
    base = add_to_address(t, element, base, hd_operand(sum, 0), wrap);
    return add_to_address(t, element, base, hd_operand(sum, 1), wrap);
  }
  bool counts =
      hd_op_is(sum, HD_OP_arith_index_castui) && t->machine->opencl; /* threads: less than 2^31, of 64 bits here */
  LLVMValueRef index = hd_map_get(&t->values, counts ? hd_operand(sum, 0) : narrow);
  if (LLVMTypeOf(index) != t->i64) index = LLVMBuildZExt(t->builder, index, t->i64, "");
  LLVMValueRef made = LLVMBuildGEP2(t->builder, element, base, &index, 1, "");
  if (LLVMIsAGetElementPtrInst(made)) LLVMGEPSetNoWrapFlags(made, (LLVMGEPNoWrapFlags)(wrap & 7)); /* as LLVM's */
  return made;
}

static bool getelementptr(hd_machine_translation *t, hd_op *op) {
  hd_attr indices = hd_llvm_getelementptr_rawConstantIndices(op);
  LLVMTypeRef element = hd_machine_llvm_type(t, op, hd_llvm_getelementptr_elem_type(op)->type_value);
  if (!element) return false;
  if (hd_attr_count(indices) != 1 || op->operand_count > 2) return hd_machine_fail(t, op, "goes into an element");
  int64_t wrap = hd_attr_int_or(hd_llvm_getelementptr_noWrapFlags(op), 0); /* inbounds 1, nusw 2, nuw 4 */
  if (op->operand_count == 2 && wrap & 4)
    return give(t, op, add_to_address(t, element, hd_machine_operand_value(t, op, 0), hd_operand(op, 1), wrap));
  LLVMValueRef at = op->operand_count == 2 ? hd_machine_operand_value(t, op, 1)
                                           : LLVMConstInt(t->i64, (uint64_t)hd_attr_int_at(indices, 0), true);
  LLVMValueRef made = LLVMBuildGEP2(t->builder, element, hd_machine_operand_value(t, op, 0), &at, 1, "");
  if (LLVMIsAGetElementPtrInst(made)) LLVMGEPSetNoWrapFlags(made, (LLVMGEPNoWrapFlags)(wrap & 7));
  return give(t, op, made);
}

/* llvm's number of an ordering of atomic ops; -1: of none. */
static int64_t ordering_of(int64_t ordering) {
  bool known = ordering >= LLVMAtomicOrderingMonotonic && ordering <= LLVMAtomicOrderingSequentiallyConsistent;
  return known && ordering != 3 ? ordering : -1;
}

static bool atomic(hd_machine_translation *t, hd_op *op) {
  static const int kinds[] = {LLVMAtomicRMWBinOpXchg,     LLVMAtomicRMWBinOpAdd,      LLVMAtomicRMWBinOpSub,
                              LLVMAtomicRMWBinOpAnd,      LLVMAtomicRMWBinOpNand,     LLVMAtomicRMWBinOpOr,
                              LLVMAtomicRMWBinOpXor,      LLVMAtomicRMWBinOpMax,      LLVMAtomicRMWBinOpMin,
                              LLVMAtomicRMWBinOpUMax,     LLVMAtomicRMWBinOpUMin,     LLVMAtomicRMWBinOpFAdd,
                              LLVMAtomicRMWBinOpFSub,     LLVMAtomicRMWBinOpFMax,     LLVMAtomicRMWBinOpFMin,
                              LLVMAtomicRMWBinOpUIncWrap, LLVMAtomicRMWBinOpUDecWrap, LLVMAtomicRMWBinOpUSubCond,
                              LLVMAtomicRMWBinOpUSubSat,  LLVMAtomicRMWBinOpFMaximum, LLVMAtomicRMWBinOpFMinimum};
  int64_t kind = hd_attr_int_or(hd_llvm_atomicrmw_bin_op_attr(op), -1),
          ordering = ordering_of(hd_llvm_atomicrmw_ordering(op));
  if (kind < 0 || kind >= (int64_t)(sizeof kinds / sizeof *kinds))
    return hd_machine_fail(t, op, "is of a kind without code");
  if (ordering < 0) return hd_machine_fail(t, op, "has no ordering of an atomic op");
  if (t->machine->opencl && LLVMGetTypeKind(LLVMTypeOf(hd_machine_operand_value(t, op, 1))) != LLVMIntegerTypeKind) {
    LLVMValueRef old = hd_machine_opencl_float_atomic(t, op, (LLVMAtomicRMWBinOp)kinds[kind]);
    return old && give(t, op, old);
  }
  if (t->machine->opencl && LLVMGetIntTypeWidth(LLVMTypeOf(hd_machine_operand_value(t, op, 1))) < 32)
    return hd_machine_fail(t, op, "is on fewer bits than OpenCL exchanges, expected 32 or 64");
  if (t->machine->opencl && (kinds[kind] == LLVMAtomicRMWBinOpNand || kinds[kind] > LLVMAtomicRMWBinOpUMin))
    return hd_machine_fail(t, op, "is of a kind that OpenCL does not have");
  hd_str scope = hd_llvm_atomicrmw_syncscope(op);
  unsigned id = LLVMGetSyncScopeID(t->context, scope.data ? scope.data : "", scope.len);
  return give(
      t, op,
      LLVMBuildAtomicRMWSyncScope(t->builder, (LLVMAtomicRMWBinOp)kinds[kind], hd_machine_operand_value(t, op, 0),
                                  hd_machine_operand_value(t, op, 1), (LLVMAtomicOrdering)ordering, id));
}

static bool compare_exchange(hd_machine_translation *t, hd_op *op) {
  int64_t success = ordering_of(hd_llvm_cmpxchg_success_ordering(op)),
          failure = ordering_of(hd_llvm_cmpxchg_failure_ordering(op));
  if (success < 0 || failure < 0 || failure == LLVMAtomicOrderingRelease || failure == LLVMAtomicOrderingAcquireRelease)
    return hd_machine_fail(t, op, "has no ordering of an atomic op");
  hd_str scope = hd_llvm_cmpxchg_syncscope(op);
  hd_type type = hd_operand_type(op, 1);
  uint32_t bits = type->kind == HD_TYPE_INTEGER ? type->integer.width : 0;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return hd_machine_fail(t, op, "exchanges no integer of 8, 16, 32 or 64 bits");
  hd_machine_exchange x = {.at = hd_machine_operand_value(t, op, 0),
                           .expected = hd_machine_operand_value(t, op, 1),
                           .desired = hd_machine_operand_value(t, op, 2),
                           .success = (LLVMAtomicOrdering)success,
                           .failure = (LLVMAtomicOrdering)failure,
                           .scope = LLVMGetSyncScopeID(t->context, scope.data ? scope.data : "", scope.len)};
  return give(
      t, op,
      t->machine->opencl && bits < 32 ? hd_machine_opencl_exchange_part(t, &x) : hd_machine_exchange_word(t, &x));
}

LLVMValueRef hd_machine_exchange_word(hd_machine_translation *t, const hd_machine_exchange *x) {
  return LLVMBuildAtomicCmpXchgSyncScope(t->builder, x->at, x->expected, x->desired, x->success, x->failure, x->scope);
}

/* At the function's start, so that loops do not grow the stack. */
static bool alloca_op(hd_machine_translation *t, hd_op *op) {
  LLVMTypeRef type = hd_machine_llvm_type(t, op, hd_llvm_alloca_elem_type(op)->type_value);
  LLVMTypeRef pointer = hd_machine_llvm_type(t, op, hd_result_type(op, 0));
  if (!type || !pointer) return false;
  LLVMValueRef count = hd_machine_operand_value(t, op, 0);
  if (!LLVMIsAConstantInt(count))
    return hd_machine_fail(t, op, "takes as much memory as only the run knows, expected a constant number");
  LLVMBasicBlockRef here = LLVMGetInsertBlock(t->builder);
  LLVMBasicBlockRef start = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
  LLVMValueRef first = LLVMGetFirstInstruction(start);
  if (first) LLVMPositionBuilderBefore(t->builder, first);
  LLVMValueRef made = LLVMBuildAlloca(t->builder, LLVMArrayType2(type, LLVMConstIntGetZExtValue(count)), "");
  LLVMPositionBuilderAtEnd(t->builder, here);
  if (LLVMTypeOf(made) != pointer) made = LLVMBuildAddrSpaceCast(t->builder, made, pointer, "");
  return give(t, op, made);
}

static bool call(hd_machine_translation *t, hd_op *op) {
  hd_op *callee = hd_symbol_resolve(op, hd_call_like_callee(op));
  LLVMValueRef function = callee ? hd_map_get(&t->symbols, callee) : NULL;
  if (!function || LLVMCountParams(function) != op->operand_count)
    return hd_machine_fail(t, op, "calls what is no function here");
  LLVMValueRef *args = hd_new_array(t->arena, LLVMValueRef, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) args[i] = hd_machine_operand_value(t, op, i);
  LLVMValueRef made =
      LLVMBuildCall2(t->builder, LLVMGlobalGetValueType(function), function, args, op->operand_count, "");
  LLVMSetInstructionCallConv(made, LLVMGetFunctionCallConv(function));
  return !op->result_count || give(t, op, made);
}

static bool address_of(hd_machine_translation *t, hd_op *op) {
  hd_op *global = hd_symbol_resolve(op, hd_llvm_mlir_addressof_global_name(op));
  LLVMValueRef address = global ? hd_map_get(&t->symbols, global) : NULL;
  return address ? give(t, op, address) : hd_machine_fail(t, op, "is the address of nothing here");
}

static bool extract_value(hd_machine_translation *t, hd_op *op) {
  hd_attr position = hd_llvm_extractvalue_position(op);
  int64_t at = hd_attr_count(position) == 1 ? hd_attr_int_at(position, 0) : -1;
  LLVMValueRef whole = hd_machine_operand_value(t, op, 0);
  LLVMTypeRef type = LLVMTypeOf(whole);
  if (at < 0 || LLVMGetTypeKind(type) != LLVMStructTypeKind || at >= LLVMCountStructElementTypes(type))
    return hd_machine_fail(t, op, "takes no member of a struct");
  return give(t, op, LLVMBuildExtractValue(t->builder, whole, (unsigned)at, ""));
}

static bool has_code(hd_machine_code code) { return code.binary || code.cast || code.intrinsic; }

static bool is_bf16(hd_type type) { return hd_type_is_float(hd_type_element(type), HD_BF16); }

/* To and from bf16 where that is i16; false: another conversion. */
static bool converts_bf16(hd_machine_translation *t, hd_op *op, LLVMTypeRef type, bool *ok) {
  bool extends = hd_op_is(op, HD_OP_llvm_fpext) && is_bf16(hd_operand_type(op, 0));
  bool truncates = hd_op_is(op, HD_OP_llvm_fptrunc) && is_bf16(hd_result_type(op, 0));
  if (!t->machine->opencl || (!extends && !truncates)) return false;
  LLVMValueRef value = hd_machine_operand_value(t, op, 0);
  hd_type wide = hd_type_element(extends ? hd_result_type(op, 0) : hd_operand_type(op, 0));
  if (truncates && !hd_type_is_float(wide, HD_F32) && !hd_type_is_float(wide, HD_F64))
    *ok = hd_machine_fail(t, op, "rounds to bf16 from other than f32 and f64");
  else
    *ok = give(t, op, extends ? hd_machine_opencl_from_bf16(t, value, type) : hd_machine_opencl_to_bf16(t, value));
  return true;
}

/* What computes on bf16 where that is i16: bf16-to-gpu left none. */
static bool computes_bf16(const hd_machine_translation *t, const hd_op *op) {
  if (!t->machine->opencl || !(has_code(code_of(op)) || hd_op_is(op, HD_OP_llvm_fneg) ||
                               hd_op_is(op, HD_OP_llvm_fcmp) || hd_op_is(op, HD_OP_llvm_atomicrmw)))
    return false;
  if (hd_op_is(op, HD_OP_llvm_bitcast)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (is_bf16(hd_operand_type(op, i))) return true;
  return op->result_count && is_bf16(hd_result_type(op, 0));
}

/* What LLVM's SPIR-V generator ends the process on. */
static bool lacks_on_i1(const hd_op *op) {
  return hd_op_is(op, HD_OP_llvm_fptosi) || hd_op_is(op, HD_OP_llvm_fptoui) || hd_op_is(op, HD_OP_llvm_intr_abs) ||
         hd_op_is(op, HD_OP_llvm_intr_ctlz) || hd_op_is(op, HD_OP_llvm_intr_cttz);
}

bool hd_machine_translate_op(hd_machine_translation *t, hd_op *op) {
  LLVMTypeRef type = op->result_count ? hd_machine_llvm_type(t, op, hd_result_type(op, 0)) : NULL;
  if (op->result_count && !type) return false;
  bool ok;
  if (converts_bf16(t, op, type, &ok)) return ok;
  if (computes_bf16(t, op)) return hd_machine_fail(t, op, "computes on bf16, which the machine does not have");
  if (t->machine->opencl && lacks_on_i1(op) && hd_type_bits(hd_type_element(hd_result_type(op, 0))) == 1)
    return hd_machine_fail(t, op, "has no code on i1");
  hd_machine_code code = code_of(op);
  if (has_code(code) && hd_machine_touches_narrow(t, op)) return hd_machine_translate_narrow(t, op, code, type);
#define IN(i) hd_machine_operand_value(t, op, i)
  if (code.binary) return give_flagged(t, op, LLVMBuildBinOp(t->builder, (LLVMOpcode)code.binary, IN(0), IN(1), ""));
  if (code.cast) return give(t, op, LLVMBuildCast(t->builder, (LLVMOpcode)code.cast, IN(0), type, ""));
  if (code.intrinsic) return intrinsic(t, op, code);
  switch (hd_opcode_get(op)) {
#define VALUE(opcode, value) CALL(opcode, give(t, op, value))
#define CALL(opcode, call) \
  case HD_OP_##opcode:     \
    return call;
#include "target/llvm/machine.def"
    default:
      return hd_machine_fail(t, op, "has no code on a device");
  }
#undef IN
}
