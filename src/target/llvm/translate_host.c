/* SPDX-License-Identifier: Apache-2.0 */
/* Host code: RAL calls and launches by runtime/abi.h, memrefs from pointers, and the few llvm ops that code here uses.
 *
 * Arguments of RAL calls are laid out in one area of the frame, shared by all calls of the function:
 *   [pointer to each argument and to the result] [the arguments themselves] [the result]
 * After each call the first i32 of the context is tested; when it is set the function returns. */
#include "runtime/ral_names.h"
#include "target/llvm/translate.h"

void hd_lower_check_failed(hd_lower *l) {
  LLVMBasicBlockRef at = LLVMGetInsertBlock(l->builder);
  if (!l->failed_block) {
    l->failed_block = hd_lower_block(l, "failed");
    LLVMPositionBuilderAtEnd(l->builder, l->failed_block);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(l->function));
    if (result == l->void_type) LLVMBuildRetVoid(l->builder);
    else LLVMBuildRet(l->builder, LLVMConstNull(result));
    LLVMPositionBuilderAtEnd(l->builder, at);
  }
  LLVMBasicBlockRef next = hd_lower_block(l, "ok");
  LLVMValueRef code = LLVMBuildLoad2(l->builder, l->i32, l->ral_context, "");
  LLVMValueRef failed = LLVMBuildICmp(l->builder, LLVMIntNE, code, LLVMConstInt(l->i32, 0, false), "");
  LLVMBuildCondBr(l->builder, failed, l->failed_block, next);
  LLVMPositionBuilderAtEnd(l->builder, next);
}

/* The address of word |index| of the area. */
static LLVMValueRef word_address(hd_lower *l, uint64_t index) {
  if (!l->ral_area) {
    LLVMBasicBlockRef at = LLVMGetInsertBlock(l->builder);
    LLVMPositionBuilderAtEnd(l->builder, l->entry);
    l->ral_area = LLVMBuildAlloca(l->builder, l->i64, "");
    LLVMPositionBuilderAtEnd(l->builder, at);
  }
  if (index >= l->ral_words) l->ral_words = index + 1;
  return hd_lower_offset(l, l->i64, l->ral_area, hd_lower_i64(l, (int64_t)index));
}

static uint32_t name_index(hd_lower *l, const char *name) {
  hd_cpu_names *names = l->names;
  for (size_t i = 0; i < names->len; ++i)
    if (strcmp(names->data[i], name) == 0) return (uint32_t)i;
  hd_vec_push(l->names_arena, names, hd_arena_copy(l->names_arena, name, strlen(name)));
  return (uint32_t)names->len - 1;
}

/* Calls slot |name| of hd_ral_table with the area as its arguments. */
static void call_table(hd_lower *l, const char *name) {
  if (!l->ral_table) {
    l->ral_table = LLVMAddGlobal(l->module, LLVMArrayType2(l->ptr, 0), "hd_ral_table");
    LLVMSetVisibility(l->ral_table, LLVMHiddenVisibility);
    LLVMSetGlobalConstant(l->ral_table, true);
  }
  LLVMValueRef slot = hd_lower_offset(l, l->ptr, l->ral_table, hd_lower_i64(l, name_index(l, name)));
  LLVMValueRef function = LLVMBuildLoad2(l->builder, l->ptr, slot, "");
  LLVMTypeRef params[] = {l->ptr, l->ptr};
  LLVMValueRef args[] = {l->ral_context, word_address(l, 0)};
  LLVMBuildCall2(l->builder, LLVMFunctionType(l->void_type, params, 2, false), function, args, 2, "");
}

/* A memref or pointer value as one pointer: the address of its first element. */
static LLVMValueRef as_pointer(hd_lower *l, hd_op *op, hd_value *value) {
  hd_parts *parts = hd_lower_parts(l, value);
  if (value->type->kind == HD_TYPE_MEMREF && parts->count > 1) {
    LLVMTypeRef storage = hd_lower_storage(l, op, value->type->shaped.element);
    return storage ? hd_lower_offset(l, storage, parts->at[0], parts->at[1]) : NULL;
  }
  if (LLVMGetTypeKind(LLVMTypeOf(parts->at[0])) == LLVMPointerTypeKind) return parts->at[0];
  hd_lower_fail(l, op, "expected a pointer or a memref");
  return NULL;
}

static unsigned storage_bytes(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: return (LLVMGetIntTypeWidth(type) + 7) / 8;
    case LLVMHalfTypeKind: return 2;
    case LLVMFloatTypeKind: return 4;
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind: return 8;
    default: return 0;
  }
}

/* Writes operand |value| at word |at|; returns the words it took, 0 after an error. */
static uint64_t write_argument(hd_lower *l, hd_op *op, hd_value *value, const hd_ral_type *want, uint32_t i, uint64_t at) {
  hd_parts *parts = hd_lower_parts(l, value);
  hd_type type = value->type;
  switch (want->kind) {
    case HD_RAL_POINTER: {
      LLVMValueRef pointer = as_pointer(l, op, value);
      if (!pointer) return 0;
      LLVMBuildStore(l->builder, pointer, word_address(l, at));
      return 1;
    }
    case HD_RAL_SCALAR: {
      hd_type element = type;
      LLVMValueRef scalar = parts->count == 1 ? hd_lower_to_storage(l, element, parts->at[0]) : NULL;
      if (!scalar || storage_bytes(LLVMTypeOf(scalar)) != hd_element_bytes(want->element) ||
          LLVMGetTypeKind(LLVMTypeOf(scalar)) == LLVMPointerTypeKind) {
        hd_lower_fail(l, op, "operand %u does not fit %s of its API", i, hd_element_text(want->element));
        return 0;
      }
      LLVMBuildStore(l->builder, scalar, word_address(l, at));
      return 1;
    }
    case HD_RAL_MEMREF: {
      if (type->kind != HD_TYPE_MEMREF || (int32_t)type->shaped.rank != want->rank ||
          hd_type_element_bytes(type->shaped.element) != hd_element_bytes(want->element)) {
        hd_lower_fail(l, op, "operand %u is no memref of rank %d of %s", i, want->rank, hd_element_text(want->element));
        return 0;
      }
      LLVMBuildStore(l->builder, parts->at[0], word_address(l, at));
      for (uint32_t p = 0; p < parts->count; ++p) LLVMBuildStore(l->builder, parts->at[p], word_address(l, at + 1 + p));
      return 1 + parts->count;
    }
    default: hd_lower_fail(l, op, "operand %u has no RAL type", i); return 0;
  }
}

static bool read_result(hd_lower *l, hd_op *op, const hd_ral_type *have, uint64_t at) {
  hd_type type = hd_result_type(op, 0);
  uint32_t count = hd_lower_part_count(l, op, type);
  hd_parts *out = hd_lower_new_parts(l, count);
  if (have->kind == HD_RAL_MEMREF) {
    if (type->kind != HD_TYPE_MEMREF || (int32_t)type->shaped.rank != have->rank ||
        hd_type_element_bytes(type->shaped.element) != hd_element_bytes(have->element))
      return hd_lower_fail(l, op, "expected a result memref of rank %d of %s", have->rank, hd_element_text(have->element));
    for (uint32_t p = 0; p < count; ++p)
      out->at[p] = LLVMBuildLoad2(l->builder, p ? l->i64 : l->ptr, word_address(l, at + 1 + p), "");
  } else {
    LLVMTypeRef storage = type->kind == HD_TYPE_MEMREF ? NULL : hd_lower_storage(l, op, type);
    bool pointer = storage == l->ptr;
    unsigned bytes = have->kind == HD_RAL_POINTER ? 8 : (unsigned)hd_element_bytes(have->element);
    if (!storage || count != 1 || pointer != (have->kind == HD_RAL_POINTER) || storage_bytes(storage) != bytes)
      return hd_lower_fail(l, op, "has a result type that its API does not give; make memrefs of pointers by hd.memref");
    out->at[0] = hd_lower_from_storage(l, type, LLVMBuildLoad2(l->builder, storage, word_address(l, at), ""));
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool need_host(hd_lower *l, hd_op *op) {
  return (l->host && l->names) || hd_lower_fail(l, op, "is for host code");
}

static bool lower_ral_call(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_ral_signature signature;
  if (!need_host(l, op)) return false;
  hd_str api = hd_op_string_attr(op, "api");
  const char *name = hd_arena_copy(l->arena, api.data, api.len);
  hd_status status = hd_ral_decode(name, &signature);
  if (!hd_is_ok(status)) {
    hd_lower_fail(l, op, "names no API: %s", hd_status_message(status));
    hd_status_free(status);
    return false;
  }
  bool has_result = signature.result.kind != HD_RAL_VOID;
  if (op->operand_count + 1 != signature.arg_count || op->result_count != has_result)
    return hd_lower_fail(l, op, "has %u operands and %u results; %s takes %zu and gives %d", op->operand_count, op->result_count,
                         name, signature.arg_count - 1, has_result);
  uint64_t at = signature.arg_count + 1;
  LLVMBuildStore(l->builder, LLVMConstNull(l->ptr), word_address(l, 0));
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    uint64_t words = write_argument(l, op, hd_operand(op, i), &signature.args[i + 1], i, at);
    if (!words) return false;
    LLVMBuildStore(l->builder, word_address(l, at), word_address(l, i + 1));
    at += words;
  }
  if (has_result) {
    uint64_t words = signature.result.kind == HD_RAL_MEMREF ? 3 + 2 * (uint64_t)signature.result.rank : 1;
    word_address(l, at + words - 1);
    LLVMBuildStore(l->builder, word_address(l, at), word_address(l, signature.arg_count));
  }
  call_table(l, name);
  hd_lower_check_failed(l);
  return !has_result || read_result(l, op, &signature.result, at);
}

/* The number of the kernel that |op| names. */
static bool kernel_number(hd_lower *l, hd_op *op, uint32_t *out) {
  hd_str name = hd_op_string_attr(op, "kernel");
  size_t kernel = 0;
  if (!need_host(l, op)) return false;
  while (kernel < l->kernels->count && !hd_str_equal(l->kernels->names[kernel], name)) ++kernel;
  if (kernel == l->kernels->count) return hd_lower_fail(l, op, "launches unknown kernel %.*s", (int)name.len, name.data);
  *out = l->kernels->indices ? l->kernels->indices[kernel] : (uint32_t)kernel;
  return true;
}

static bool lower_kernel_index(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  uint32_t index;
  return kernel_number(l, op, &index) && hd_lower_result(l, op, hd_lower_i64(l, index));
}

/* ral_launch(ctx, stream, kernel index, words, word count, extent, grain) */
static bool lower_launch(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  uint32_t index;
  if (!kernel_number(l, op, &index)) return false;
  uint32_t count = op->operand_count - 2;
  enum { ARGS = 7 }; /* with the context */
  uint64_t words = ARGS + ARGS;
  LLVMBuilderRef b = l->builder;
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *value = hd_operand(op, i + 2);
    hd_parts *parts = hd_lower_parts(l, value);
    LLVMTypeRef type = LLVMTypeOf(parts->at[0]);
    LLVMValueRef word = parts->at[0];
    if (value->type->kind == HD_TYPE_MEMREF) word = as_pointer(l, op, value);
    else if (parts->count != 1 || hd_lower_lanes(type)) return hd_lower_fail(l, op, "argument %u does not fit a launch word", i);
    if (!word) return false;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(word));
    if (kind == LLVMHalfTypeKind) word = LLVMBuildZExt(b, LLVMBuildBitCast(b, word, l->i16, ""), l->i64, "");
    if (kind == LLVMFloatTypeKind) word = LLVMBuildZExt(b, LLVMBuildBitCast(b, word, l->i32, ""), l->i64, "");
    if (kind == LLVMIntegerTypeKind && type != l->i64) word = LLVMBuildZExt(b, word, l->i64, "");
    LLVMBuildStore(b, word, word_address(l, words + i));
  }
  LLVMValueRef args[] = {LLVMConstNull(l->ptr), /* the context */
                         LLVMConstNull(l->ptr), /* the stream */
                         hd_lower_i64(l, index),
                         word_address(l, words),
                         hd_lower_i64(l, count),
                         hd_lower_operand(l, op, 0),
                         hd_lower_operand(l, op, 1)};
  for (uint32_t i = 0; i < ARGS; ++i) {
    LLVMBuildStore(b, args[i], word_address(l, ARGS + i));
    LLVMBuildStore(b, word_address(l, ARGS + i), word_address(l, i));
  }
  call_table(l, "ral_launch___pvoid_pvoid_i64_pvoid_i64_i64_i64___void");
  hd_lower_check_failed(l);
  return true;
}

/* pointer, one size per unknown dim -> a dense row-major memref */
static bool lower_memref(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type type = hd_result_type(op, 0);
  uint32_t rank = type->shaped.rank, next = 1;
  LLVMValueRef pointer = as_pointer(l, op, hd_operand(op, 0));
  if (!pointer) return false;
  if (!l->host) {
    hd_lower_set_one(l, hd_result(op, 0), pointer);
    return true;
  }
  hd_parts *parts = hd_lower_new_parts(l, 2 + 2 * rank);
  parts->at[0] = pointer;
  parts->at[1] = hd_lower_i64(l, 0);
  for (uint32_t i = 0; i < rank; ++i) {
    bool known = type->shaped.dims[i] >= 0;
    if (!known && next >= op->operand_count) return hd_lower_fail(l, op, "expected one size per unknown dim");
    parts->at[2 + i] = known ? hd_lower_i64(l, type->shaped.dims[i]) : hd_lower_operand(l, op, next++);
  }
  if (next != op->operand_count) return hd_lower_fail(l, op, "expected one size per unknown dim");
  LLVMValueRef stride = hd_lower_i64(l, 1);
  for (uint32_t i = rank; i-- > 0;) {
    parts->at[2 + rank + i] = stride;
    if (i) stride = LLVMBuildMul(l->builder, stride, parts->at[2 + i], "");
  }
  hd_lower_set(l, hd_result(op, 0), parts);
  return true;
}

/* Between types with the same machine form: index and i64, signless and signed, pointer and the pointer of a memref. */
static bool lower_unrealized_cast(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  if (op->operand_count != 1 || op->result_count != 1) return hd_lower_fail(l, op, "is not one value to one value");
  hd_parts *parts = hd_lower_parts(l, hd_operand(op, 0));
  hd_type to = hd_result_type(op, 0);
  if (hd_type_is_pointer(to) && hd_operand_type(op, 0)->kind == HD_TYPE_MEMREF) {
    LLVMValueRef pointer = as_pointer(l, op, hd_operand(op, 0));
    return pointer && hd_lower_result(l, op, pointer);
  }
  uint32_t count = hd_lower_part_count(l, op, to);
  if (count != parts->count) return hd_lower_fail(l, op, "is between types of different machine forms");
  for (uint32_t p = 0; p < count; ++p)
    if (hd_lower_part_type(l, op, to, p) != LLVMTypeOf(parts->at[p])) return hd_lower_fail(l, op, "is between types of different machine forms");
  hd_lower_set(l, hd_result(op, 0), parts);
  return true;
}

/* llvm ops. code: 0 zero, 1 undef, 2 poison */
static bool lower_llvm_nothing(hd_lower *l, hd_op *op, const hd_handler *self) {
  LLVMTypeRef type = hd_lower_part_type(l, op, hd_result_type(op, 0), 0);
  if (!type) return false;
  return hd_lower_result(l, op, self->code == 0 ? LLVMConstNull(type) : self->code == 1 ? LLVMGetUndef(type) : LLVMGetPoison(type));
}

static bool lower_llvm_cast(hd_lower *l, hd_op *op, const hd_handler *self) {
  LLVMTypeRef type = hd_lower_part_type(l, op, hd_result_type(op, 0), 0);
  LLVMValueRef value = hd_lower_operand(l, op, 0);
  LLVMTypeKind from = LLVMGetTypeKind(LLVMTypeOf(value));
  if (!type) return false;
  if (self->code == LLVMPtrToInt ? from != LLVMPointerTypeKind || LLVMGetTypeKind(type) != LLVMIntegerTypeKind
                                 : from != LLVMIntegerTypeKind || LLVMGetTypeKind(type) != LLVMPointerTypeKind)
    return hd_lower_fail(l, op, "expected a pointer and an integer");
  return hd_lower_result(l, op, LLVMBuildCast(l->builder, (LLVMOpcode)self->code, value, type, ""));
}

const hd_handler hd_handlers_host[] = {
    {"hd.ral_call", lower_ral_call, 0, NULL},
    {"hd.launch", lower_launch, 0, NULL},
    {"hd.kernel_index", lower_kernel_index, 0, NULL},
    {"hd.memref", lower_memref, 0, NULL},
    {"builtin.unrealized_conversion_cast", lower_unrealized_cast, 0, NULL},
    {"llvm.mlir.zero", lower_llvm_nothing, 0, NULL},
    {"llvm.mlir.undef", lower_llvm_nothing, 1, NULL},
    {"llvm.mlir.poison", lower_llvm_nothing, 2, NULL},
    {"llvm.ptrtoint", lower_llvm_cast, LLVMPtrToInt, NULL},
    {"llvm.inttoptr", lower_llvm_cast, LLVMIntToPtr, NULL},
    {NULL, NULL, 0, NULL},
};
