/* SPDX-License-Identifier: Apache-2.0 */
/* Host code: RAL calls and launches by runtime/abi.h, memrefs from pointers, and the few llvm ops that code here uses.
 *
 * Each API that is called gets one function of the object, which takes the arguments' parts in registers, lays them out
 * as the ABI wants (a pointer to each argument and to the result), calls through hd_ral_table and gives the result's
 * parts. So a call costs the host code one call instruction and a test of the context's first i32; a model has hundreds
 * of calls. */
#include "ir/element_types.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/llvm.h"
#include "runtime/ral_names.h"
#include "target/llvm/translate.h"

void hd_lower_check_failed(hd_lower *l) {
  LLVMBasicBlockRef at = LLVMGetInsertBlock(l->builder);
  if (!l->failed_block) {
    l->failed_block = hd_lower_block(l, "failed");
    LLVMPositionBuilderAtEnd(l->builder, l->failed_block);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(l->function));
    if (result == l->void_type)
      LLVMBuildRetVoid(l->builder);
    else
      LLVMBuildRet(l->builder, LLVMConstNull(result));
    LLVMPositionBuilderAtEnd(l->builder, at);
  }
  LLVMBasicBlockRef next = hd_lower_block(l, "ok");
  LLVMValueRef code = LLVMBuildLoad2(l->builder, l->i32, l->ral_context, "");
  LLVMValueRef failed = LLVMBuildICmp(l->builder, LLVMIntNE, code, LLVMConstInt(l->i32, 0, false), "");
  LLVMBuildCondBr(l->builder, failed, l->failed_block, next);
  LLVMPositionBuilderAtEnd(l->builder, next);
}

/* The address of word |index| of the area: the words of a launch, or a descriptor that a call gives. All calls of the
 * function share it. */
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
    case LLVMIntegerTypeKind:
      return (LLVMGetIntTypeWidth(type) + 7) / 8;
    case LLVMHalfTypeKind:
      return 2;
    case LLVMFloatTypeKind:
      return 4;
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
      return 8;
    default:
      return 0;
  }
}

typedef hd_vec(LLVMValueRef) value_list;

/* The parts of operand |value| as its API takes them, added to |out|. */
static bool argument_parts(hd_lower *l, hd_op *op, hd_value *value, const hd_ral_type *want, uint32_t i,
                           value_list *out) {
  hd_parts *parts = hd_lower_parts(l, value);
  hd_type type = value->type;
  switch (want->kind) {
    case HD_RAL_POINTER: {
      LLVMValueRef pointer = as_pointer(l, op, value);
      if (pointer) hd_vec_push(l->arena, out, pointer);
      return pointer != NULL;
    }
    case HD_RAL_SCALAR: {
      LLVMValueRef scalar = parts->count == 1 ? hd_lower_to_storage(l, type, parts->at[0]) : NULL;
      if (!scalar || storage_bytes(LLVMTypeOf(scalar)) != hd_element_bytes(want->element) ||
          LLVMGetTypeKind(LLVMTypeOf(scalar)) == LLVMPointerTypeKind)
        return hd_lower_fail(l, op, "operand %u does not fit %s of its API", i, hd_element_text(want->element));
      hd_vec_push(l->arena, out, scalar);
      return true;
    }
    case HD_RAL_MEMREF:
      if (type->kind != HD_TYPE_MEMREF || (int32_t)type->shaped.rank != want->rank ||
          hd_element_type_of(type->shaped.element) != want->element)
        return hd_lower_fail(l, op, "operand %u is no memref of rank %d of %s", i, want->rank,
                             hd_element_text(want->element));
      hd_vec_append(l->arena, out, parts->at, parts->count);
      return true;
    default:
      return hd_lower_fail(l, op, "operand %u has no RAL type", i);
  }
}

static uint64_t words_of(const hd_ral_type *type) {
  return type->kind == HD_RAL_VOID ? 0 : type->kind == HD_RAL_MEMREF ? 3 + 2 * (uint64_t)type->rank : 1;
}

/* The function of API |name|: parameters are the context and |args|'s types. A scalar result is its own, of type
 * |result|; a memref is written to the last argument. */
static LLVMValueRef api_function(hd_lower *l, const char *name, const hd_ral_signature *signature,
                                 const value_list *args, LLVMTypeRef result) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(l->arena, &l->apis, name, strlen(name), &is_new);
  if (!is_new) return entry->value.ptr;
  LLVMTypeRef *params = hd_new_array(l->arena, LLVMTypeRef, args->len + 1);
  params[0] = l->ptr;
  for (size_t i = 0; i < args->len; ++i) params[i + 1] = LLVMTypeOf(args->data[i]);
  LLVMValueRef function = LLVMAddFunction(
      l->module, name, LLVMFunctionType(result ? result : l->void_type, params, (unsigned)args->len + 1, false));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  entry->value.ptr = function;
  if (!l->ral_table) {
    l->ral_table = LLVMAddGlobal(l->module, LLVMArrayType2(l->ptr, 0), "hd_ral_table");
    LLVMSetVisibility(l->ral_table, LLVMHiddenVisibility);
    LLVMSetGlobalConstant(l->ral_table, true);
  }

  LLVMBuilderRef b = l->builder;
  LLVMBasicBlockRef back = LLVMGetInsertBlock(b);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(l->context, function, "entry"));
  uint64_t pointers = signature->arg_count + 1, words = pointers;
  for (size_t i = 1; i < signature->arg_count; ++i) words += words_of(&signature->args[i]);
  uint64_t result_at = words;
  if (result) ++words;
  LLVMValueRef area = LLVMBuildAlloca(b, LLVMArrayType2(l->i64, words), "");
#define AT(word) hd_lower_offset(l, l->i64, area, hd_lower_i64(l, (int64_t)(word)))
  LLVMBuildStore(b, LLVMConstNull(l->ptr), AT(0));
  uint64_t at = pointers;
  unsigned param = 1;
  for (size_t i = 1; i < signature->arg_count; ++i) {
    const hd_ral_type *type = &signature->args[i];
    uint64_t count = words_of(type);
    LLVMBuildStore(b, AT(at), AT(i));
    if (type->kind == HD_RAL_MEMREF)
      LLVMBuildStore(b, LLVMGetParam(function, param), AT(at)); /* allocated, then aligned, .. */
    for (uint64_t w = type->kind == HD_RAL_MEMREF; w < count; ++w)
      LLVMBuildStore(b, LLVMGetParam(function, param++), AT(at + w));
    at += count;
  }
  if (result)
    LLVMBuildStore(b, AT(result_at), AT(signature->arg_count));
  else if (signature->result.kind == HD_RAL_MEMREF)
    LLVMBuildStore(b, LLVMGetParam(function, param), AT(signature->arg_count));
  LLVMValueRef slot = hd_lower_offset(l, l->ptr, l->ral_table, hd_lower_i64(l, name_index(l, name)));
  LLVMValueRef target = LLVMBuildLoad2(b, l->ptr, slot, "");
  LLVMTypeRef ral_params[] = {l->ptr, l->ptr};
  LLVMValueRef ral_args[] = {LLVMGetParam(function, 0), area};
  LLVMBuildCall2(b, LLVMFunctionType(l->void_type, ral_params, 2, false), target, ral_args, 2, "");
  if (result)
    LLVMBuildRet(b, LLVMBuildLoad2(b, result, AT(result_at), ""));
  else
    LLVMBuildRetVoid(b);
#undef AT
  LLVMPositionBuilderAtEnd(b, back);
  return function;
}

/* Calls |name|. Null after an error. */
static LLVMValueRef call_api(hd_lower *l, hd_op *op, const char *name, const hd_ral_signature *signature,
                             const value_list *args, LLVMTypeRef result) {
  LLVMValueRef function = api_function(l, name, signature, args, result);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  value_list all = {0};
  hd_vec_push(l->arena, &all, l->ral_context);
  hd_vec_append(l->arena, &all, args->data, args->len);
  for (size_t i = 0; i < all.len; ++i)
    if (LLVMTypeOf(all.data[i]) != LLVMTypeOf(LLVMGetParam(function, (unsigned)i))) {
      hd_lower_fail(l, op, "gives its API other types than an earlier call");
      return NULL;
    }
  LLVMValueRef call = LLVMBuildCall2(l->builder, type, function, all.data, (unsigned)all.len, "");
  hd_lower_check_failed(l);
  return call;
}

/* The storage type of a scalar or pointer result; null after an error. */
static LLVMTypeRef scalar_result(hd_lower *l, hd_op *op, const hd_ral_type *have) {
  hd_type type = hd_result_type(op, 0);
  LLVMTypeRef storage =
      type->kind == HD_TYPE_MEMREF || type->kind == HD_TYPE_COMPLEX ? NULL : hd_lower_storage(l, op, type);
  unsigned bytes = have->kind == HD_RAL_POINTER ? 8 : (unsigned)hd_element_bytes(have->element);
  if (storage && (storage == l->ptr) == (have->kind == HD_RAL_POINTER) && storage_bytes(storage) == bytes)
    return storage;
  hd_lower_fail(l, op, "has a result type that its API does not give; make memrefs of pointers by hd.memref");
  return NULL;
}

/* The descriptor in the area becomes the result's parts. Parts that nobody uses are loads that the code generator
 * skips. */
static bool read_memref(hd_lower *l, hd_op *op) {
  hd_type type = hd_result_type(op, 0);
  uint32_t count = 2 + 2 * type->shaped.rank;
  hd_parts *out = hd_lower_new_parts(l, count);
  for (uint32_t p = 0; p < count; ++p)
    out->at[p] = LLVMBuildLoad2(l->builder, p ? l->i64 : l->ptr, word_address(l, 1 + p), "");
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
  hd_str api = hd_hd_ral_call_api(op);
  const char *name = hd_arena_copy(l->arena, api.data, api.len);
  hd_status status = hd_ral_decode(name, &signature);
  if (!hd_is_ok(status)) {
    hd_lower_fail(l, op, "names no API: %s", hd_status_message(status));
    hd_status_free(status);
    return false;
  }
  bool has_result = signature.result.kind != HD_RAL_VOID;
  if (op->operand_count + 1 != signature.arg_count || op->result_count != has_result)
    return hd_lower_fail(l, op, "has %u operands and %u results; %s takes %zu and gives %d", op->operand_count,
                         op->result_count, name, signature.arg_count - 1, has_result);
  value_list args = {0};
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!argument_parts(l, op, hd_operand(op, i), &signature.args[i + 1], i, &args)) return false;
  LLVMTypeRef result = NULL;
  bool memref = signature.result.kind == HD_RAL_MEMREF;
  if (memref) {
    hd_type type = hd_result_type(op, 0);
    if (type->kind != HD_TYPE_MEMREF || (int32_t)type->shaped.rank != signature.result.rank ||
        hd_element_type_of(type->shaped.element) != signature.result.element)
      return hd_lower_fail(l, op, "expected a result memref of rank %d of %s", signature.result.rank,
                           hd_element_text(signature.result.element));
    word_address(l, words_of(&signature.result) - 1);
    hd_vec_push(l->arena, &args, word_address(l, 0));
  } else if (has_result && !(result = scalar_result(l, op, &signature.result))) {
    return false;
  }
  LLVMValueRef call = call_api(l, op, name, &signature, &args, result);
  if (!call) return false;
  if (memref) return read_memref(l, op);
  return !result || hd_lower_result(l, op, hd_lower_from_storage(l, hd_result_type(op, 0), call));
}

/* The number of the kernel that |op| names. */
static bool kernel_number(hd_lower *l, hd_op *op, uint32_t *out) {
  hd_str name = hd_attr_text(hd_launch_like_kernel(op));
  if (!need_host(l, op)) return false;
  if (!l->kernel_numbers.len) {
    for (size_t i = 0; i < l->kernels->count; ++i) {
      hd_str each = l->kernels->names[i];
      hd_map_insert_bytes(l->arena, &l->kernel_numbers, each.data, each.len, NULL)->value.i64 = (int64_t)i;
    }
  }
  hd_map_entry *entry = hd_map_find_bytes(&l->kernel_numbers, name.data, name.len);
  if (!entry) return hd_lower_fail(l, op, "launches unknown kernel %.*s", (int)name.len, name.data);
  *out = l->kernels->indices ? l->kernels->indices[entry->value.i64] : (uint32_t)entry->value.i64;
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
  LLVMBuilderRef b = l->builder;
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *value = hd_operand(op, i + 2);
    hd_parts *parts = hd_lower_parts(l, value);
    LLVMTypeRef type = LLVMTypeOf(parts->at[0]);
    LLVMValueRef word = parts->at[0];
    if (value->type->kind == HD_TYPE_MEMREF)
      word = as_pointer(l, op, value);
    else if (parts->count != 1 || hd_lower_lanes(type))
      return hd_lower_fail(l, op, "argument %u does not fit a launch word", i);
    if (!word) return false;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(word));
    if (kind == LLVMHalfTypeKind) word = LLVMBuildZExt(b, LLVMBuildBitCast(b, word, l->i16, ""), l->i64, "");
    if (kind == LLVMFloatTypeKind) word = LLVMBuildZExt(b, LLVMBuildBitCast(b, word, l->i32, ""), l->i64, "");
    if (kind == LLVMIntegerTypeKind && type != l->i64) word = LLVMBuildZExt(b, word, l->i64, "");
    LLVMBuildStore(b, word, word_address(l, i));
  }
  value_list args = {0};
  hd_vec_push(l->arena, &args, LLVMConstNull(l->ptr)); /* the stream */
  hd_vec_push(l->arena, &args, hd_lower_i64(l, index));
  hd_vec_push(l->arena, &args, word_address(l, 0));
  hd_vec_push(l->arena, &args, hd_lower_i64(l, count));
  hd_vec_push(l->arena, &args, hd_lower_operand(l, op, 0));
  hd_vec_push(l->arena, &args, hd_lower_operand(l, op, 1));
  static const char name[] = "ral_launch___pvoid_pvoid_i64_pvoid_i64_i64_i64___void";
  hd_ral_signature signature;
  hd_status status = hd_ral_decode(name, &signature);
  if (!hd_is_ok(status)) {
    hd_status_free(status);
    return hd_lower_fail(l, op, "cannot name its API");
  }
  return call_api(l, op, name, &signature, &args, NULL) != NULL;
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
    if (hd_lower_part_type(l, op, to, p) != LLVMTypeOf(parts->at[p]))
      return hd_lower_fail(l, op, "is between types of different machine forms");
  hd_lower_set(l, hd_result(op, 0), parts);
  return true;
}

/* llvm ops. code: 0 zero, 1 undef, 2 poison */
static bool lower_llvm_nothing(hd_lower *l, hd_op *op, const hd_handler *self) {
  LLVMTypeRef type = hd_lower_part_type(l, op, hd_result_type(op, 0), 0);
  if (!type) return false;
  return hd_lower_result(l, op,
                         self->code == 0   ? LLVMConstNull(type)
                         : self->code == 1 ? LLVMGetUndef(type)
                                           : LLVMGetPoison(type));
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

/* Text that calls of the runtime are given: the names of kernels and constants. */
static bool lower_address_of(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  if (!need_host(l, op)) return false;
  hd_op *global = hd_symbol_resolve(op, hd_llvm_mlir_addressof_global_name(op));
  hd_attr value = hd_op_is(global, HD_OP_llvm_mlir_global) ? hd_llvm_mlir_global_value(global) : NULL;
  if (!hd_attr_is(value, HD_ATTR_STRING)) return hd_lower_fail(l, op, "expected the address of a text");
  LLVMValueRef table = hd_map_get(&l->globals, global);
  if (!table) {
    hd_str text = hd_attr_text(value);
    LLVMValueRef data = LLVMConstStringInContext2(l->context, text.data, text.len, true);
    table = LLVMAddGlobal(l->module, LLVMTypeOf(data), "text");
    LLVMSetInitializer(table, data);
    LLVMSetGlobalConstant(table, true);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    hd_map_set(l->arena, &l->globals, global, table);
  }
  return hd_lower_result(l, op, table);
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
    {"llvm.mlir.addressof", lower_address_of, 0, NULL},
    {"llvm.ptrtoint", lower_llvm_cast, LLVMPtrToInt, NULL},
    {"llvm.inttoptr", lower_llvm_cast, LLVMIntToPtr, NULL},
    {NULL, NULL, 0, NULL},
};
