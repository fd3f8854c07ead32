/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.modules in machine form to an LLVM module: globals, functions, blocks. Block arguments become phis. */
#include "target/llvm/translate_machine.h"

#include <llvm-c/Target.h>
#include <stdarg.h>
#include <stdio.h>

#include "analysis/kernel_sizes.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/llvm.h"

bool hd_machine_fail(hd_machine_translation *t, hd_op *op, const char *format, ...) {
  if (!hd_is_ok(t->status)) return false;
  va_list args;
  va_start(args, format);
  t->status = hd_op_unimplemented(op, format, args);
  va_end(args);
  return false;
}

/* ---- types ---- */

/* OpenCL has i1 and whole bytes, the sizes of its own types: LLVM makes others of these and forgets what is above. */
static bool has_width(const hd_machine_translation *t, uint32_t width) {
  return t->machine->opencl ? width == 1 || width == 8 || width == 16 || width == 32 || width == 64 : width <= 64;
}

static LLVMTypeRef number_type(hd_machine_translation *t, hd_type type) {
  LLVMContextRef c = t->context;
  if (type->kind == HD_TYPE_INDEX) return t->i64; /* what a number of threads gives */
  if (hd_machine_is_narrow(t, type)) return LLVMIntTypeInContext(c, 8);
  if (type->kind == HD_TYPE_INTEGER)
    return has_width(t, type->integer.width) ? LLVMIntTypeInContext(c, type->integer.width) : NULL;
  if (hd_type_is_float(type, HD_F16)) return LLVMHalfTypeInContext(c);
  if (hd_type_is_float(type, HD_BF16))
    return t->machine->opencl ? LLVMInt16TypeInContext(c) : LLVMBFloatTypeInContext(c);
  if (hd_type_is_float(type, HD_F32)) return LLVMFloatTypeInContext(c);
  return hd_type_is_float(type, HD_F64) ? LLVMDoubleTypeInContext(c) : NULL;
}

/* Vectors that code generators take: LLVM ends the process on some others. */
static LLVMTypeRef vector_type(hd_machine_translation *t, hd_type type) {
  LLVMTypeRef element = type->shaped.rank == 1 && !type->shaped.scalable ? number_type(t, type->shaped.element) : NULL;
  int64_t lanes = element ? type->shaped.dims[0] : 0;
  if (t->machine->opencl && lanes != 2 && lanes != 3 && lanes != 4 && lanes != 8 && lanes != 16) return NULL;
  return lanes >= 1 && lanes <= 16 ? LLVMVectorType(element, (unsigned)lanes) : NULL;
}

/* LLVM's number of a space of !llvm.ptr. False where the machine has none. */
static bool llvm_space(const hd_machine_translation *t, int64_t space, unsigned *out) {
  if (space < 0 || space >= (int64_t)(sizeof t->machine->spaces / sizeof *t->machine->spaces)) return false;
  *out = t->machine->spaces[space];
  return true;
}

/* What an op gives as several values. */
static LLVMTypeRef struct_type(hd_machine_translation *t, hd_op *op, hd_attr body) {
  LLVMTypeRef members[16];
  uint32_t count = hd_attr_is(body, HD_ATTR_ARRAY) ? body->array.count : 0;
  if (!count || count > 16) return NULL;
  for (uint32_t i = 0; i < count; ++i)
    if (!(members[i] = hd_machine_llvm_type(t, op, body->array.items[i]->type_value))) return NULL;
  return LLVMStructTypeInContext(t->context, members, count, false);
}

LLVMTypeRef hd_machine_llvm_type(hd_machine_translation *t, hd_op *op, hd_type type) {
  LLVMTypeRef made = NULL;
  if (type->kind == HD_TYPE_VECTOR) {
    made = vector_type(t, type);
  } else if (type->kind != HD_TYPE_DIALECT) {
    made = number_type(t, type);
  } else if (type->dialect.row == HD_TYPE_ROW_llvm_ptr) {
    unsigned space;
    if (llvm_space(t, hd_attr_int_or(type->dialect.params[0], 0), &space))
      made = LLVMPointerTypeInContext(t->context, space);
  } else if (type->dialect.row == HD_TYPE_ROW_llvm_array) {
    LLVMTypeRef element = hd_machine_llvm_type(t, op, type->dialect.params[1]->type_value);
    made = element ? LLVMArrayType2(element, (uint64_t)type->dialect.params[0]->integer) : NULL;
  } else if (type->dialect.row == HD_TYPE_ROW_llvm_struct) {
    made = struct_type(t, op, type->dialect.params[2]);
  }
  if (!made) hd_machine_fail(t, op, "has a type without a form on a device");
  return made;
}

/* ---- values ---- */

LLVMValueRef hd_machine_operand_value(hd_machine_translation *t, hd_op *op, uint32_t i) {
  LLVMValueRef value = hd_map_get(&t->values, hd_operand(op, i));
  HD_ASSERT(value); /* checked before an op is translated */
  return value;
}

bool hd_machine_give(hd_machine_translation *t, hd_op *op, uint32_t i, LLVMValueRef value) {
  hd_map_set(t->arena, &t->values, hd_result(op, i), value);
  return true;
}

LLVMValueRef hd_machine_overloaded(hd_machine_translation *t, const char *name, LLVMTypeRef type, LLVMValueRef *args,
                                   unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  size_t overloads = type ? 1 : 0;
  if (!id) return NULL;
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(t->module, id, &type, overloads);
  return LLVMBuildCall2(t->builder, LLVMIntrinsicGetType(t->context, id, &type, overloads), function, args, count, "");
}

LLVMValueRef hd_machine_intrinsic(hd_machine_translation *t, const char *name, LLVMValueRef *args, unsigned count) {
  return hd_machine_overloaded(t, name, NULL, args, count);
}

/* ---- blocks ---- */

/* The operands of |op| for successor |i| come to the phis of its block from the block that is being written. */
static void pass_operands(hd_machine_translation *t, hd_op *op, uint32_t i) {
  uint32_t first, count;
  LLVMBasicBlockRef from = LLVMGetInsertBlock(t->builder);
  hd_op_successor_operands(op, i, &first, &count);
  for (uint32_t k = 0; k < count; ++k) {
    LLVMValueRef value = hd_machine_operand_value(t, op, first + k);
    LLVMAddIncoming(hd_map_get(&t->values, op->successors[i]->args[k]), &value, &from, 1);
  }
}

static bool translate_branch(hd_machine_translation *t, hd_op *op) {
  LLVMBasicBlockRef to[2];
  if (op->successor_count > 2) return hd_machine_fail(t, op, "has no code on a device");
  for (uint32_t i = 0; i < op->successor_count; ++i) {
    to[i] = hd_map_get(&t->blocks, op->successors[i]);
    pass_operands(t, op, i);
  }
  if (op->successor_count == 1)
    LLVMBuildBr(t->builder, to[0]);
  else
    LLVMBuildCondBr(t->builder, hd_machine_operand_value(t, op, 0), to[0], to[1]);
  return true;
}

static bool translate_return(hd_machine_translation *t, hd_op *op) {
  if (op->operand_count)
    LLVMBuildRet(t->builder, hd_machine_operand_value(t, op, 0));
  else
    LLVMBuildRetVoid(t->builder);
  return true;
}

static bool translate_op(hd_machine_translation *t, hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!hd_map_get(&t->values, hd_operand(op, i)))
      return hd_machine_fail(t, op, "uses operand #%u before it is defined in the text", i);
  if (hd_op_is(op, HD_OP_llvm_br) || hd_op_is(op, HD_OP_llvm_cond_br)) return translate_branch(t, op);
  if (hd_op_is(op, HD_OP_llvm_return)) return translate_return(t, op);
  if (!strncmp(op->info->name, "nvvm.", 5)) return hd_machine_translate_nvvm(t, op);
  return !strncmp(op->info->name, "gpu.", 4) ? hd_machine_translate_gpu(t, op) : hd_machine_translate_op(t, op);
}

/* Parameter |i| of |function| as an argument of |type|: kernels may take words, whose low bits a number is. */
static LLVMValueRef argument(hd_machine_translation *t, LLVMValueRef function, uint32_t i, LLVMTypeRef type) {
  LLVMValueRef value = LLVMGetParam(function, i);
  if (LLVMTypeOf(value) == type) return value;
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  unsigned bits = kind == LLVMIntegerTypeKind  ? LLVMGetIntTypeWidth(type)
                  : kind == LLVMDoubleTypeKind ? 64
                  : kind == LLVMFloatTypeKind  ? 32
                                               : 16;
  LLVMValueRef low = LLVMBuildTrunc(t->builder, value, LLVMIntTypeInContext(t->context, bits), "");
  return LLVMBuildBitCast(t->builder, low, type, "");
}

static bool make_blocks(hd_machine_translation *t, hd_op *func, LLVMValueRef function) {
  hd_region *region = hd_op_region(func, 0);
  hd_for_each_block(block, region) {
    LLVMBasicBlockRef made = LLVMAppendBasicBlockInContext(t->context, function, "");
    hd_map_set(t->arena, &t->blocks, block, made);
    LLVMPositionBuilderAtEnd(t->builder, made);
    for (uint32_t i = 0; i < block->arg_count; ++i) {
      LLVMTypeRef type = hd_machine_llvm_type(t, func, block->args[i]->type);
      if (!type) return false;
      LLVMValueRef value = block == region->first ? argument(t, function, i, type) : LLVMBuildPhi(t->builder, type, "");
      hd_map_set(t->arena, &t->values, block->args[i], value);
    }
  }
  return true;
}

static bool translate_body(hd_machine_translation *t, hd_op *func) {
  if (!make_blocks(t, func, hd_map_get(&t->symbols, func))) return false;
  hd_for_each_block(block, hd_op_region(func, 0)) {
    LLVMPositionBuilderAtEnd(t->builder, hd_map_get(&t->blocks, block));
    hd_for_each_op(op, block)
      if (!translate_op(t, op)) return false;
  }
  return true;
}

/* ---- symbols ---- */

static void add_attribute(hd_machine_translation *t, LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(t->context, kind, 0));
}

static void say(hd_machine_translation *t, LLVMValueRef function, const char *name, const char *text, int length) {
  if (name)
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(t->context, name, (unsigned)strlen(name), text, (unsigned)length));
}

static bool shares_memory(hd_op *func) {
  enum { OF_BLOCK = 3 };
  hd_for_each_op(op, func->block) {
    bool is_global = hd_op_is(op, HD_OP_llvm_mlir_global);
    if (is_global && hd_llvm_mlir_global_addr_space(op) == OF_BLOCK) return true;
  }
  return false;
}

static bool counts_in_64_bits(hd_op *func) {
  hd_for_each_block(block, hd_op_region(func, 0)) {
    hd_for_each_op(op, block)
      if (hd_op_is(op, HD_OP_arith_index_castui) && hd_type_bits(hd_result_type(op, 0)) == 64) return true;
  }
  return false;
}

/* Is one block at once on a multiprocessor enough? The assembler else keeps registers few, at the price of spills where
 * indices take two. */
static bool may_run_alone(hd_op *func) { return shares_memory(func) || counts_in_64_bits(func); }

static bool mark_kernel(hd_machine_translation *t, hd_op *func, LLVMValueRef function) {
  LLVMSetFunctionCallConv(function, t->machine->kernel_convention);
  hd_attr size = hd_discardable_gpu_known_block_size(func);
  int64_t block[3];
  bool known = hd_attr_count(size) == 3;
  for (uint32_t d = 0; d < 3 && known; ++d) block[d] = hd_attr_int_at(size, d);
  if (t->machine->opencl && !hd_machine_opencl_kernel(t, func, function, known ? block : NULL)) return false;
  if (!known || !t->machine->block_size_name) return true;
  char text[64];
  int length =
      snprintf(text, sizeof text, "%lld,%lld,%lld", (long long)block[0], (long long)block[1], (long long)block[2]);
  say(t, function, t->machine->block_size_name, text, length);
  if (may_run_alone(func)) say(t, function, t->machine->least_blocks_name, "1", 1);
  return true;
}

static void add_argument_attribute(hd_machine_translation *t, LLVMValueRef function, unsigned i, const char *name,
                                   uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, i + 1, LLVMCreateEnumAttribute(t->context, kind, value));
}

/* What a kernel takes for granted of its arguments, which launches always give, and of the memory behind them. */
static void mark_arguments(hd_machine_translation *t, hd_op *func, LLVMValueRef function) {
  static const struct {
    hd_name name;
    const char *llvm;
  } facts[] = {{HD_NAME_llvm_noalias, "noalias"}, {HD_NAME_llvm_readonly, "readonly"}, {HD_NAME_llvm_align, "align"}};
  hd_attr all = hd_function_like_arg_attrs(func);
  for (unsigned i = 0; i < LLVMCountParams(function); ++i) add_argument_attribute(t, function, i, "noundef", 0);
  for (unsigned i = 0; i < hd_attr_count(all) && i < LLVMCountParams(function); ++i) {
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) != LLVMPointerTypeKind) continue;
    for (size_t k = 0; k < sizeof facts / sizeof *facts; ++k) {
      hd_attr fact = hd_dict_get(all->array.items[i], facts[k].name);
      if (fact) add_argument_attribute(t, function, i, facts[k].llvm, (uint64_t)hd_attr_int_or(fact, 0));
    }
  }
}

static bool declare_function(hd_machine_translation *t, hd_op *func) {
  hd_type type = hd_function_like_function_type(func)->type_value;
  hd_attr ins = type->dialect.params[1];
  hd_type result = type->dialect.params[0]->type_value;
  bool none = result->kind == HD_TYPE_DIALECT && result->dialect.row == HD_TYPE_ROW_llvm_void;
  bool is_kernel = hd_discardable_gpu_kernel(func);
  hd_str name = hd_symbol_name(func);
  if (!hd_op_region(func, 0)->first) return hd_machine_fail(t, func, "has no body");
  LLVMTypeRef *params = hd_new_array(t->arena, LLVMTypeRef, ins->array.count + 1);
  for (uint32_t i = 0; i < ins->array.count; ++i) {
    if (!(params[i] = hd_machine_llvm_type(t, func, ins->array.items[i]->type_value))) return false;
    bool word = is_kernel && t->machine->opencl && LLVMGetTypeKind(params[i]) != LLVMPointerTypeKind;
    if (word) params[i] = t->i64;
  }
  LLVMTypeRef given = none ? LLVMVoidTypeInContext(t->context) : hd_machine_llvm_type(t, func, result);
  if (!given) return false;
  LLVMTypeRef made = LLVMFunctionType(given, params, (unsigned)ins->array.count, false);
  /* The prefix keeps functions that kernels call apart from names that LLVM knows. */
  const char *symbol = hd_arena_printf(t->arena, is_kernel ? "%.*s" : "device.%.*s", (int)name.len, name.data);
  if (is_kernel && LLVMGetNamedFunction(t->module, symbol))
    return hd_machine_fail(t, func, "is a kernel of a name twice");
  LLVMValueRef function = LLVMAddFunction(t->module, symbol, made);
  add_attribute(t, function, "nounwind");
  if (is_kernel) {
    if (!mark_kernel(t, func, function)) return false;
    mark_arguments(t, func, function);
  } else {
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(function, t->machine->function_convention);
    add_attribute(t, function, "alwaysinline");
  }
  hd_map_set(t->arena, &t->symbols, func, function);
  return true;
}

static bool declare_global(hd_machine_translation *t, hd_op *global) {
  LLVMTypeRef type = hd_machine_llvm_type(t, global, hd_llvm_mlir_global_global_type(global)->type_value);
  int64_t space = hd_llvm_mlir_global_addr_space(global), alignment = hd_llvm_mlir_global_alignment(global);
  hd_str name = hd_symbol_name(global);
  if (!type) return false;
  if (space != 3 || hd_llvm_mlir_global_value(global) || hd_op_region(global, 0)->first)
    return hd_machine_fail(t, global, "is other than memory of the block without a value");
  bool dynamic = hd_is_dynamic_shared(global);
  if (dynamic && t->machine->opencl)
    return hd_machine_fail(t, global, "is memory whose size the launch gives, which OpenCL does not have");
  unsigned long long bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(t->module), type);
  if (bytes > t->machine->shared_limit)
    return hd_machine_fail(t, global, "has %llu bytes of shared memory, expected at most %u", bytes,
                           t->machine->shared_limit);
  LLVMValueRef made = LLVMAddGlobalInAddressSpace(
      t->module, type, hd_arena_printf(t->arena, "%.*s", (int)name.len, name.data), t->machine->spaces[space]);
  LLVMSetLinkage(made, dynamic ? LLVMExternalLinkage : LLVMInternalLinkage);
  if (!dynamic) LLVMSetInitializer(made, LLVMGetUndef(type));
  if (alignment > 0 && alignment <= 4096 && !(alignment & (alignment - 1))) LLVMSetAlignment(made, (unsigned)alignment);
  hd_map_set(t->arena, &t->symbols, global, made);
  return true;
}

bool hd_machine_translate_module(hd_machine_translation *t, hd_op *kernels) {
  hd_block *body = hd_op_region(kernels, 0)->first;
  hd_for_each_op(op, body) {
    bool ok = hd_op_is(op, HD_OP_llvm_func)          ? declare_function(t, op)
              : hd_op_is(op, HD_OP_llvm_mlir_global) ? declare_global(t, op)
                                                     : hd_machine_fail(t, op, "is not of the machine form");
    if (!ok) return false;
  }
  hd_for_each_op(op, body)
    if (hd_op_is(op, HD_OP_llvm_func) && !translate_body(t, op)) return false;
  return true;
}
