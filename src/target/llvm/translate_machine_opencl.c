/* SPDX-License-Identifier: Apache-2.0 */
/* What OpenCL's SPIR-V names and lacks. Numbers of threads, barriers and exchanges are calls of OpenCL's functions
 * under the names that its C++ has for them, which LLVM's SPIR-V code generator knows; bf16 is an i16 that is widened
 * by a shift. */
#include "target/llvm/translate_machine.h"

enum { FENCES = 3 /* of local and of global memory */ };
/* Execution modes of SPIR-V. */
enum { CONTRACTION_OFF = 31, DENORM_PRESERVE = 4459 };

static LLVMValueRef call(hd_machine_translation *t, const char *name, LLVMTypeRef result, LLVMValueRef *args,
                         unsigned count) {
  LLVMTypeRef types[2];
  for (unsigned i = 0; i < count; ++i) types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
  LLVMValueRef function = LLVMGetNamedFunction(t->module, name);
  if (!function) {
    function = LLVMAddFunction(t->module, name, type);
    LLVMSetFunctionCallConv(function, t->machine->function_convention);
    static const char *const attributes[] = {"nounwind", "convergent"};
    for (int i = 0; i < 2; ++i) {
      unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
      LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(t->context, kind, 0));
    }
  }
  LLVMValueRef made = LLVMBuildCall2(t->builder, type, function, args, count, "");
  LLVMSetInstructionCallConv(made, t->machine->function_convention);
  return made;
}

LLVMValueRef hd_machine_opencl_lane(hd_machine_translation *t) {
  return call(t, "_Z22get_sub_group_local_idv", t->i32, NULL, 0);
}

LLVMValueRef hd_machine_opencl_number(hd_machine_translation *t, hd_grid_number number) {
  static const char *const of_dim[HD_GRID_COUNT] = {[HD_GRID_THREAD] = "_Z12get_local_idj",
                                                    [HD_GRID_BLOCK] = "_Z12get_group_idj",
                                                    [HD_GRID_BLOCK_DIM] = "_Z14get_local_sizej",
                                                    [HD_GRID_GRID_DIM] = "_Z14get_num_groupsj"};
  LLVMValueRef dim = LLVMConstInt(t->i32, number.dim, false);
  if (of_dim[number.what]) return call(t, of_dim[number.what], t->i64, &dim, 1);
  if (number.what == HD_GRID_LANE) return hd_machine_opencl_lane(t);
  return number.what == HD_GRID_SUBGROUP ? call(t, "_Z16get_sub_group_idv", t->i32, NULL, 0) : NULL;
}

bool hd_machine_opencl_barrier(hd_machine_translation *t) {
  LLVMValueRef fences = LLVMConstInt(t->i32, FENCES, false);
  return call(t, "_Z7barrierj", LLVMVoidTypeInContext(t->context), &fences, 1) != NULL;
}

LLVMValueRef hd_machine_opencl_exchange(hd_machine_translation *t, LLVMValueRef value, LLVMValueRef source) {
  LLVMValueRef args[] = {value, source};
  return call(t, "_Z23intel_sub_group_shuffleij", t->i32, args, 2);
}

/* |type|, or a vector of as many as |like| has. */
static LLVMTypeRef type_like(LLVMTypeRef type, LLVMTypeRef like) {
  return LLVMGetTypeKind(like) == LLVMVectorTypeKind ? LLVMVectorType(type, LLVMGetVectorSize(like)) : type;
}

static unsigned float_bits(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) type = LLVMGetElementType(type);
  return LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? 64 : LLVMGetTypeKind(type) == LLVMFloatTypeKind ? 32 : 16;
}

LLVMValueRef hd_machine_opencl_extremum(hd_machine_translation *t, LLVMValueRef x, LLVMValueRef y, bool maximum) {
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMTypeRef bits = type_like(LLVMIntTypeInContext(t->context, float_bits(type)), type);
  LLVMValueRef a = LLVMBuildBitCast(t->builder, x, bits, ""), b = LLVMBuildBitCast(t->builder, y, bits, "");
  /* Equal numbers differ in the sign of zero alone. */
  LLVMValueRef equal = maximum ? LLVMBuildAnd(t->builder, a, b, "") : LLVMBuildOr(t->builder, a, b, "");
  equal = LLVMBuildBitCast(t->builder, equal, type, "");
  LLVMValueRef first = LLVMBuildFCmp(t->builder, maximum ? LLVMRealOGT : LLVMRealOLT, x, y, "");
  LLVMValueRef made = LLVMBuildSelect(t->builder, first, x, y, "");
  made = LLVMBuildSelect(t->builder, LLVMBuildFCmp(t->builder, LLVMRealOEQ, x, y, ""), equal, made, "");
  LLVMValueRef nan = LLVMBuildFAdd(t->builder, x, y, "");
  return LLVMBuildSelect(t->builder, LLVMBuildFCmp(t->builder, LLVMRealUNO, x, y, ""), nan, made, "");
}

LLVMValueRef hd_machine_opencl_from_bf16(hd_machine_translation *t, LLVMValueRef value, LLVMTypeRef type) {
  LLVMTypeRef words = type_like(t->i32, type), f32 = type_like(LLVMFloatTypeInContext(t->context), type);
  LLVMValueRef wide =
      LLVMBuildShl(t->builder, LLVMBuildZExt(t->builder, value, words, ""), hd_machine_splat(words, 16), "");
  wide = LLVMBuildBitCast(t->builder, wide, f32, "");
  return type == f32 ? wide : LLVMBuildFPExt(t->builder, wide, type, "");
}

/* The bits of f64 |value| as an f32 that is rounded to odd: rounded again to fewer bits it is as rounded once. */
static LLVMValueRef bits_to_odd(hd_machine_translation *t, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), words = type_like(t->i32, type);
  LLVMTypeRef f32 = type_like(LLVMFloatTypeInContext(t->context), type);
  LLVMValueRef near = LLVMBuildFPTrunc(t->builder, value, f32, "");
  LLVMValueRef back = LLVMBuildFPExt(t->builder, near, type, ""), bits = LLVMBuildBitCast(t->builder, near, words, "");
  LLVMValueRef inexact = LLVMBuildFCmp(t->builder, LLVMRealONE, back, value, "");
  LLVMValueRef away = LLVMBuildFCmp(t->builder, LLVMRealOGT, hd_machine_overloaded(t, "llvm.fabs", type, &back, 1),
                                    hd_machine_overloaded(t, "llvm.fabs", type, &value, 1), "");
  bits = LLVMBuildSub(t->builder, bits, LLVMBuildZExt(t->builder, away, words, ""), "");
  return LLVMBuildOr(t->builder, bits, LLVMBuildZExt(t->builder, inexact, words, ""), "");
}

/* To the nearest, to even where two are; a NaN is quiet and keeps the high bits of its payload. */
LLVMValueRef hd_machine_opencl_to_bf16(hd_machine_translation *t, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), words = type_like(t->i32, type);
  LLVMTypeRef narrow = type_like(LLVMInt16TypeInContext(t->context), type);
  bool wide = float_bits(type) == 64;
  LLVMValueRef bits = wide ? bits_to_odd(t, value) : LLVMBuildBitCast(t->builder, value, words, "");
  LLVMValueRef shift = hd_machine_splat(words, 16);
  LLVMValueRef high = LLVMBuildLShr(t->builder, bits, shift, "");
  LLVMValueRef odd = LLVMBuildAnd(t->builder, high, hd_machine_splat(words, 1), "");
  LLVMValueRef sum =
      LLVMBuildAdd(t->builder, bits, LLVMBuildAdd(t->builder, odd, hd_machine_splat(words, 0x7fff), ""), "");
  LLVMValueRef rounded = LLVMBuildLShr(t->builder, sum, shift, "");
  LLVMValueRef is_nan = LLVMBuildFCmp(t->builder, LLVMRealUNO, value, value, "");
  LLVMValueRef quiet = LLVMBuildOr(t->builder, high, hd_machine_splat(words, 0x40), "");
  return LLVMBuildTrunc(t->builder, LLVMBuildSelect(t->builder, is_nan, quiet, rounded, ""), narrow, "");
}

static LLVMMetadataRef number_of(hd_machine_translation *t, uint64_t number) {
  return LLVMValueAsMetadata(LLVMConstInt(t->i32, number, false));
}

/* LLVM names its metadata as the rows of llvm.func name the attributes. */
static void set_metadata(hd_machine_translation *t, LLVMValueRef function, hd_name which, const int64_t *numbers,
                         size_t count) {
  LLVMMetadataRef items[3];
  const char *name = hd_name_text(which);
  for (size_t i = 0; i < count; ++i) items[i] = number_of(t, (uint64_t)numbers[i]);
  LLVMGlobalSetMetadata(function, LLVMGetMDKindIDInContext(t->context, name, (unsigned)strlen(name)),
                        LLVMMDNodeInContext2(t->context, items, count));
}

static void ask(hd_machine_translation *t, LLVMValueRef function, uint64_t mode, uint64_t bits) {
  LLVMMetadataRef items[] = {LLVMValueAsMetadata(function), number_of(t, mode), number_of(t, bits)};
  LLVMMetadataRef node = LLVMMDNodeInContext2(t->context, items, bits ? 3 : 2);
  LLVMAddNamedMetadataOperand(t->module, "spirv.ExecutionMode", LLVMMetadataAsValue(t->context, node));
}

static bool finds_lanes(hd_op *op, void *user) {
  bool *found = user;
  *found |= hd_op_has_trait(op, HD_TRAIT(BY_LANES));
  return !*found;
}

/* Does anything in |kernels| depend on how many lanes a subgroup has? */
static bool uses_lanes(hd_op *kernels) {
  bool found = false;
  hd_walk_pre(kernels, finds_lanes, &found);
  return found;
}

typedef struct widest {
  int64_t lanes;
  hd_type element;
} widest;

static bool find_widest(hd_op *op, void *user) {
  widest *w = user;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type type = hd_result_type(op, i);
    if (type->kind != HD_TYPE_VECTOR || type->shaped.element->kind != HD_TYPE_FLOAT) continue;
    int64_t lanes = hd_type_num_elements(type);
    if (lanes > w->lanes) *w = (widest){lanes, type->shaped.element};
  }
  return true;
}

/* A kernel that computes on whole vectors says so: a CPU's compiler then leaves threads apart, and does not look for
 * vectors across them, of which each element would be one of a vector that is taken apart. */
static void hint_vectors(hd_machine_translation *t, hd_op *kernels, LLVMValueRef function) {
  enum { VEC_TYPE_HINT = 30, WHOLE = 8, F16 = 4, F32 = 5, F64 = 6 };
  widest w = {0};
  hd_walk_pre(kernels, find_widest, &w);
  if (w.lanes < WHOLE) return;
  int bits = hd_type_bits(w.element);
  ask(t, function, VEC_TYPE_HINT, (uint64_t)w.lanes << 16 | (bits == 64 ? F64 : bits == 32 ? F32 : F16));
}

bool hd_machine_opencl_kernel(hd_machine_translation *t, hd_op *func, LLVMValueRef function, const int64_t *block) {
  int64_t subgroup = t->machine->subgroup;
  bool by_lanes = uses_lanes(hd_block_parent_op(func->block));
  if (by_lanes && block && block[1] * block[2] != 1)
    return hd_machine_fail(
        t, func, "goes by lanes in blocks of %lldx%lldx%lld threads: OpenCL has an order of lanes along x alone",
        (long long)block[0], (long long)block[1], (long long)block[2]);
  if (block) set_metadata(t, function, HD_NAME_reqd_work_group_size, block, 3);
  if (by_lanes)
    set_metadata(t, function, HD_NAME_intel_reqd_sub_group_size, &subgroup, 1);
  else
    hint_vectors(t, hd_block_parent_op(func->block), function);
  ask(t, function, CONTRACTION_OFF, 0);
  ask(t, function, DENORM_PRESERVE, 32);
  return true;
}
