/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: the exported wrappers of kernels and host entries, bodies, and the dispatch of ops to the dialects' files.
 *
 *   void hd_kernel_3(ptr words, i64 begin, i64 end)      exported: loads the words and calls
 *   internal void body(ptr noalias a, i64 n, ..., i64 begin, i64 end)
 *
 * The body is a function of its own since noalias is said of parameters. It is not inlined: the call costs a few
 * nanoseconds a chunk, the inliner's scoped metadata more compile time than that is worth. */
#include "target/llvm/translate.h"

#include <pthread.h>

#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

enum { LONGEST_SHOWN = 1000 }; /* bytes of a function's name in the object */

/* One table by opcode, made once from the dialects' tables, which name ops as text does. */
static const hd_handler *handlers[HD_OPCODE_COUNT];
static pthread_once_t handlers_once = PTHREAD_ONCE_INIT;

static void fill_handlers(void) {
  static const hd_handler *const tables[] = {hd_handlers_arith,  hd_handlers_float,   hd_handlers_float_casts,
                                             hd_handlers_vector, hd_handlers_shuffle, hd_handlers_access,
                                             hd_handlers_memory, hd_handlers_complex, hd_handlers_control,
                                             hd_handlers_cfg,    hd_handlers_host};
  /* Names to opcodes by a small hash, since both lists are long. */
  enum { SLOTS = 4096 };
  static const hd_handler *slots[SLOTS];
  for (size_t t = 0; t < sizeof tables / sizeof *tables; ++t)
    for (const hd_handler *handler = tables[t]; handler->name; ++handler) {
      uint64_t slot = hd_hash_bytes(handler->name, strlen(handler->name), 0) % SLOTS;
      while (slots[slot]) slot = (slot + 1) % SLOTS;
      slots[slot] = handler;
    }
  for (int opcode = 1; opcode < HD_OPCODE_COUNT; ++opcode) {
    const char *name = hd_op_info_of((hd_opcode)opcode)->name;
    if (!name) continue;
    for (uint64_t slot = hd_hash_bytes(name, strlen(name), 0) % SLOTS; slots[slot]; slot = (slot + 1) % SLOTS)
      if (strcmp(slots[slot]->name, name) == 0) handlers[opcode] = slots[slot];
  }
}

void hd_lower_init(hd_lower *l) {
  pthread_once(&handlers_once, fill_handlers);
  LLVMContextRef c = l->context;
  l->i1 = LLVMInt1TypeInContext(c);
  l->i8 = LLVMInt8TypeInContext(c);
  l->i16 = LLVMInt16TypeInContext(c);
  l->i32 = LLVMInt32TypeInContext(c);
  l->i64 = LLVMInt64TypeInContext(c);
  l->f16 = LLVMHalfTypeInContext(c);
  l->f32 = LLVMFloatTypeInContext(c);
  l->f64 = LLVMDoubleTypeInContext(c);
  l->ptr = LLVMPointerTypeInContext(c, 0);
  l->void_type = LLVMVoidTypeInContext(c);
}

bool hd_lower_op(hd_lower *l, hd_op *op) {
  const hd_handler *handler = handlers[hd_opcode_get(op)];
  if (!handler) {
    if (strncmp(op->name->text, "math.", 5) == 0)
      return hd_lower_fail(l, op, "must be expanded before code generation (pass expand-math)");
    return hd_lower_fail(l, op, "has no machine code on the CPU");
  }
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!hd_lower_parts(l, hd_operand(op, i))) return hd_lower_fail(l, op, "uses operand #%u before it is defined", i);
  return handler->lower(l, op, handler);
}

LLVMBasicBlockRef hd_lower_block(hd_lower *l, const char *name) {
  return LLVMAppendBasicBlockInContext(l->context, l->function, name);
}

/* Functions */

static LLVMValueRef add_function(hd_lower *l, const char *name, LLVMTypeRef type, LLVMLinkage linkage) {
  LLVMValueRef function = LLVMAddFunction(l->module, name, type);
  LLVMSetLinkage(function, linkage);
  LLVMAttributeRef nounwind = LLVMCreateEnumAttribute(l->context, LLVMGetEnumAttributeKindForName("nounwind", 8), 0);
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, nounwind);
  if (l->target->vector_bits >= 512) {
    LLVMAttributeRef width = LLVMCreateStringAttribute(l->context, "prefer-vector-width", 19, "512", 3);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, width);
  }
  return function;
}

static void add_argument_attribute(hd_lower *l, LLVMValueRef function, unsigned argument, const char *name,
                                   uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, argument + 1, LLVMCreateEnumAttribute(l->context, kind, value));
}

/* Of a function without effects, which may be called once for equal arguments, and ahead of time. */
static void add_attribute(hd_lower *l, LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(l->context, kind, 0));
}

static void add_pure_attributes(hd_lower *l, LLVMValueRef function) {
  static const char *const names[] = {"memory" /* 0: none */, "willreturn", "nosync", "nofree"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) add_attribute(l, function, names[i]);
}

/* The attributes of argument |i| of |func|, put on parameter |parameter|. */
static void argument_attributes(hd_lower *l, hd_op *func, uint32_t i, LLVMValueRef function, unsigned parameter) {
  add_argument_attribute(l, function, parameter, "noundef", 0);
  hd_attr all = hd_function_like_arg_attrs(func);
  if (!hd_attr_is(all, HD_ATTR_ARRAY) || i >= all->array.count) return;
  hd_attr dict = all->array.items[i];
  if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, parameter))) != LLVMPointerTypeKind) return;
  if (hd_dict_get(dict, HD_NAME_llvm_noalias)) add_argument_attribute(l, function, parameter, "noalias", 0);
  if (hd_dict_get(dict, HD_NAME_llvm_readonly)) add_argument_attribute(l, function, parameter, "readonly", 0);
  hd_attr align = hd_dict_get(dict, HD_NAME_llvm_align), bytes = hd_dict_get(dict, HD_NAME_llvm_dereferenceable);
  if (hd_attr_is(align, HD_ATTR_INTEGER) && align->integer > 0 && !(align->integer & (align->integer - 1)) &&
      align->integer <= 4096)
    add_argument_attribute(l, function, parameter, "align", (uint64_t)align->integer);
  if (hd_attr_is(bytes, HD_ATTR_INTEGER) && bytes->integer > 0)
    add_argument_attribute(l, function, parameter, "dereferenceable", (uint64_t)bytes->integer);
}

typedef hd_vec(LLVMTypeRef) type_list;

static bool flatten_types(hd_lower *l, hd_op *op, const hd_type *types, uint32_t count, type_list *out) {
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t parts = hd_lower_part_count(l, op, types[i]);
    for (uint32_t p = 0; p < parts; ++p) {
      LLVMTypeRef type = hd_lower_part_type(l, op, types[i], p);
      if (!type) return false;
      hd_vec_push(l->arena, out, type);
    }
    if (!parts) return false;
  }
  return true;
}

static bool is_host(const hd_op *func) { return hd_discardable_host(func); }

static hd_type function_type(const hd_op *func) {
  hd_attr attr = hd_function_like_function_type(func);
  return hd_attr_is(attr, HD_ATTR_TYPE) && hd_type_is(attr->type_value, HD_TYPE_FUNCTION) ? attr->type_value : NULL;
}

LLVMValueRef hd_lower_declare(hd_lower *l, hd_op *func) {
  LLVMValueRef known = hd_map_get(&l->functions, func);
  if (known) return known;
  hd_type type = function_type(func);
  bool host = l->host;
  if (!type || is_host(func) != host) {
    hd_lower_fail(l, func, "is called across kernel and host code, or has no function type");
    return NULL;
  }
  type_list ins = {0}, outs = {0};
  if (host) hd_vec_push(l->arena, &ins, l->ptr);
  if (!flatten_types(l, func, type->function.ins, type->function.in_count, &ins) ||
      !flatten_types(l, func, type->function.outs, type->function.out_count, &outs))
    return NULL;
  LLVMTypeRef result = outs.len == 0   ? l->void_type
                       : outs.len == 1 ? outs.data[0]
                                       : LLVMStructTypeInContext(l->context, outs.data, (unsigned)outs.len, false);
  LLVMTypeRef function_type = LLVMFunctionType(result, ins.data, (unsigned)ins.len, false);
  bool external = !hd_op_region(func, 0)->first;
  /* Local, but what profilers show; the prefix keeps it apart from names that LLVM knows. The loader takes names of
   * some thousand bytes: a longer one is cut, and LLVM keeps those that begin alike apart. */
  hd_str symbol = hd_symbol_name(func);
  int shown = symbol.len < LONGEST_SHOWN ? (int)symbol.len : LONGEST_SHOWN;
  const char *apart = l->apart ? hd_map_get(l->apart, func) : NULL;
  const char *name = apart      ? apart
                     : external ? symbol.data
                                : hd_arena_printf(l->arena, "body.%.*s", shown, symbol.data);
  external |= apart != NULL;
  LLVMValueRef function = add_function(l, name, function_type, external ? LLVMExternalLinkage : LLVMInternalLinkage);
  unsigned parameter = host ? 1 : 0;
  for (uint32_t i = 0; i < type->function.in_count; ++i) {
    argument_attributes(l, func, i, function, parameter);
    parameter += hd_lower_part_count(l, func, type->function.ins[i]);
  }
  hd_map_set(l->arena, &l->functions, func, function);
  if (apart) add_pure_attributes(l, function);
  if (!external) hd_vec_push(l->arena, &l->pending, func);
  return function;
}

bool hd_lower_return(hd_lower *l, LLVMValueRef *values, size_t count, LLVMTypeRef *types) {
  (void)types;
  if (l->streams) hd_lower_intrinsic1(l, "llvm.x86.sse.sfence", NULL, NULL, NULL, NULL);
  if (count == 0)
    LLVMBuildRetVoid(l->builder);
  else if (count == 1)
    LLVMBuildRet(l->builder, values[0]);
  else
    LLVMBuildAggregateRet(l->builder, values, (unsigned)count);
  return true;
}

static bool find_nontemporal(hd_op *op, void *user) {
  hd_attr attr = hd_with_nontemporal_nontemporal_if_any(op);
  bool set = attr && (attr->kind != HD_ATTR_INTEGER || attr->integer);
  if (set && op->result_count == 0) *(bool *)user = true;
  return !*(bool *)user;
}

/* Writes the body of |func| into |function|, whose block |entry| may have begun; |args| are its arguments' parts. */
static bool lower_body(hd_lower *l, hd_op *func, LLVMValueRef function, LLVMBasicBlockRef entry, LLVMValueRef *args) {
  l->func = func;
  l->function = function;
  l->entry = entry;
  l->host = is_host(func);
  l->fast = l->host || hd_discardable_compact(func);
  l->stack_bytes = l->ral_words = 0;
  l->failed_block = NULL;
  l->ral_area = NULL;
  l->streams = false;
  hd_walk_pre(func, find_nontemporal, &l->streams);
  LLVMBasicBlockRef first = hd_lower_block(l, "body");
  LLVMPositionBuilderAtEnd(l->builder, first);
  hd_region *region = hd_op_region(func, 0);
  if (l->host) l->ral_context = *args++;
  for (uint32_t i = 0; i < region->first->arg_count; ++i) {
    hd_value *arg = region->first->args[i];
    uint32_t count = hd_lower_part_count(l, func, arg->type);
    hd_parts *parts = hd_lower_new_parts(l, count);
    for (uint32_t p = 0; p < count; ++p) parts->at[p] = *args++;
    hd_lower_set(l, arg, parts);
  }
  if (!hd_lower_cfg(l, region)) return false;
  LLVMPositionBuilderAtEnd(l->builder, l->entry);
  if (l->ral_area) {
    LLVMValueRef area = LLVMBuildAlloca(l->builder, LLVMArrayType2(l->i64, l->ral_words), "ral");
    LLVMReplaceAllUsesWith(l->ral_area, area);
    LLVMInstructionEraseFromParent(l->ral_area);
    l->stack_bytes += l->ral_words * 8;
  }
  LLVMBuildBr(l->builder, first);
  if (l->stack_bytes > HD_CPU_STACK_LIMIT)
    return hd_lower_fail(l, func, "needs %llu bytes of stack; expected at most %d", (unsigned long long)l->stack_bytes,
                         HD_CPU_STACK_LIMIT);
  return true;
}

/* Translates the bodies of functions that were called. */
static bool translate_called(hd_lower *l) {
  while (l->pending.len) {
    hd_op *func = hd_vec_pop(&l->pending);
    l->function = hd_map_get(&l->functions, func);
    LLVMValueRef *args = hd_new_array(l->arena, LLVMValueRef, LLVMCountParams(l->function) + 1);
    LLVMGetParams(l->function, args);
    if (!lower_body(l, func, l->function, hd_lower_block(l, "entry"), args)) return false;
  }
  return true;
}

/* A launch word as a parameter of |type|. */
static LLVMValueRef unpack_word(hd_lower *l, LLVMValueRef words, uint32_t index, LLVMTypeRef type) {
  LLVMValueRef address = hd_lower_offset(l, l->i64, words, hd_lower_i64(l, index));
  switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
      return LLVMBuildLoad2(l->builder, l->ptr, address, "");
    case LLVMIntegerTypeKind: {
      LLVMValueRef word = LLVMBuildLoad2(l->builder, l->i64, address, "");
      return type == l->i64 ? word : LLVMBuildTrunc(l->builder, word, type, "");
    }
    default:
      return LLVMBuildLoad2(l->builder, type, address, ""); /* floats: the low end of the word */
  }
}

/* The body is a function that is inlined, since its parameters are what says that no two arguments' memory overlaps. A
 * compact kernel's code generator does not ask: its body is written where it has to be. */
bool hd_lower_kernel(hd_lower *l, hd_op *func, const char *symbol) {
  l->host = false;
  hd_type type = function_type(func);
  uint32_t count = type ? type->function.in_count : 0;
  if (count < 2 || type->function.out_count || !hd_op_region(func, 0)->first)
    return hd_lower_fail(l, func, "is no kernel; expected a body, no results, and the range as the last two arguments");
  for (uint32_t i = 0; i < count; ++i) {
    hd_type in = type->function.ins[i];
    bool range = i + 2 >= count;
    bool fits = in->kind == HD_TYPE_INDEX || (!range && (in->kind == HD_TYPE_INTEGER || in->kind == HD_TYPE_FLOAT ||
                                                         in->kind == HD_TYPE_MEMREF || hd_type_is_pointer(in)));
    if (!fits) return hd_lower_fail(l, func, "argument %u does not fit a launch word", i);
  }
  LLVMTypeRef params[] = {l->ptr, l->i64, l->i64};
  LLVMValueRef wrapper = add_function(l, symbol, LLVMFunctionType(l->void_type, params, 3, false), LLVMExternalLinkage);
  l->function = wrapper;
  LLVMBasicBlockRef entry = hd_lower_block(l, "entry");
  LLVMPositionBuilderAtEnd(l->builder, entry);
  type_list types = {0};
  if (!flatten_types(l, func, type->function.ins, count, &types)) return false;
  LLVMValueRef *args = hd_new_array(l->arena, LLVMValueRef, count);
  for (uint32_t i = 0; i < count; ++i)
    args[i] = i + 2 >= count ? LLVMGetParam(wrapper, i + 3 - count)
                             : unpack_word(l, LLVMGetParam(wrapper, 0), i, types.data[i]);
  if (hd_discardable_compact(func)) return lower_body(l, func, wrapper, entry, args) && translate_called(l);
  LLVMValueRef body = hd_lower_declare(l, func);
  if (!body) return false;
  add_attribute(l, body, "alwaysinline");
  LLVMBuildCall2(l->builder, LLVMGlobalGetValueType(body), body, args, count, "");
  LLVMBuildRetVoid(l->builder);
  return translate_called(l);
}

bool hd_lower_function(hd_lower *l, hd_op *func, const char *symbol) {
  l->host = false;
  LLVMValueRef body = hd_lower_declare(l, func);
  if (!body) return false;
  LLVMSetValueName2(body, symbol, strlen(symbol));
  LLVMSetLinkage(body, LLVMExternalLinkage);
  return translate_called(l);
}

bool hd_lower_host(hd_lower *l, hd_op *func, const char *symbol) {
  l->host = true;
  hd_type type = function_type(func);
  if (!type || type->function.in_count || type->function.out_count || !hd_op_region(func, 0)->first || !is_host(func))
    return hd_lower_fail(l, func, "is no host entry; expected hd.host, a body, no arguments and no results");
  LLVMValueRef body = hd_lower_declare(l, func);
  if (!body) return false;
  LLVMTypeRef params[] = {l->ptr};
  l->function = add_function(l, symbol, LLVMFunctionType(l->void_type, params, 1, false), LLVMExternalLinkage);
  LLVMPositionBuilderAtEnd(l->builder, hd_lower_block(l, "entry"));
  LLVMValueRef args[] = {LLVMGetParam(l->function, 0)};
  LLVMBuildCall2(l->builder, LLVMGlobalGetValueType(body), body, args, 1, "");
  LLVMBuildRetVoid(l->builder);
  return translate_called(l);
}
