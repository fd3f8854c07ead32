/* SPDX-License-Identifier: Apache-2.0 */
/* disc-rewrite-ral-api: calls of the runtime become calls of one function with erased types.
 *
 *   func.func @main() {                                        func.func @main(%ctx: !llvm.ptr) {
 *     hd.ral_call "ral_gemm___pvoid_..._i1___void"(%s, %a...)    %args = llvm.alloca 7 x !llvm.ptr
 *                                                        ->      args[k] = address of a slot that holds argument k
 *                                                                llvm.call @ral_api_call(%ctx, "ral_gemm___...", %args)
 *
 * The layout is runtime/abi.h's: args[0] stands for the context and is null, args[n] is the result's slot;
 * types of less than a byte take one, an index is an i64, a memref the strided descriptor, or its first
 * element's address where the name says pvoid.
 * Slots are on the stack of the entry block, so that loops do not grow it. The context becomes the first argument of
 * every function that calls the runtime, and of what such functions call or are called by. A call whose operands do
 * not fit its name is an error. */
#include "base/vec.h"
#include "ir/element_types.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "passes/lowering/ral_call.h"
#include "passes/passes.h"
#include "runtime/ral_names.h"
#include "text/text.h"

typedef struct rewriter {
  hd_pass *pass;
  hd_symbol_table *symbols;
  hd_value *context, *one;
  hd_op *slots; /* the last op of those that make slots, at the start of the entry block */
} rewriter;

static hd_type ptr(rewriter *r) { return hd_pointer_type(r->pass->context); }

/* On the stack: |count| of |type|. */
static hd_value *slot(rewriter *r, hd_type type, int64_t count) {
  hd_builder b = hd_builder_after(r->slots);
  hd_value *n = count == 1 ? r->one : hd_build_int(&b, hd_i64(r->pass->context), count);
  hd_attr_arg element = {HD_NAME_elem_type, hd_attr_type(type)};
  hd_value *made = hd_build_one_(&b, HD_OP_llvm_alloca, ptr(r), &n, 1, &element, 1);
  r->slots = hd_value_op(made);
  return made;
}

static void store(hd_builder *b, hd_value *value, hd_value *address) { hd_build0(b, HD_OP_llvm_store, value, address); }

/* { allocated, aligned, offset, sizes, strides } */
static hd_type descriptor(rewriter *r, uint32_t rank) {
  const char *text =
      rank ? hd_arena_printf(&r->pass->arena, "!llvm.struct<(ptr, ptr, i64, array<%u x i64>, array<%u x i64>)>", rank,
                             rank)
           : "!llvm.struct<(ptr, ptr, i64)>";
  return hd_text_parse_type(r->pass->context, hd_str_of(text));
}

static bool is_machine_float(hd_type type) {
  return hd_type_is_float(type, HD_F16) || hd_type_is_float(type, HD_BF16) || hd_type_is_float(type, HD_F32) ||
         hd_type_is_float(type, HD_F64);
}

static hd_type bits_of(hd_type type) { return hd_type_integer(type->context, hd_type_bits(type), HD_SIGNLESS); }

static bool is_signed(hd_type type) { return type->integer.width > 1 && type->integer.signedness != HD_UNSIGNED; }

/* What is in the slot of a value: small integers and floats take a byte, complex numbers are structs. */
static hd_type slot_type(rewriter *r, hd_type type) {
  hd_context *context = r->pass->context;
  switch (type->kind) {
    case HD_TYPE_MEMREF:
      return descriptor(r, hd_type_rank(type));
    case HD_TYPE_INDEX:
      return hd_i64(context);
    case HD_TYPE_COMPLEX:
      return hd_text_parse_type(context, hd_type_is_float(type->shaped.element, HD_F32)
                                             ? HD_STR("!llvm.struct<(f32, f32)>")
                                             : HD_STR("!llvm.struct<(f64, f64)>"));
    case HD_TYPE_INTEGER:
    case HD_TYPE_FLOAT:
      if (type->kind == HD_TYPE_FLOAT && is_machine_float(type)) return type;
      return hd_type_bits(type) < 8 ? hd_type_integer(context, 8, HD_SIGNLESS) : bits_of(type);
    default:
      return type;
  }
}

/* Does |type| say what |as| of the name does? */
static bool fits(rewriter *r, hd_type type, const hd_ral_type *as) {
  switch (as->kind) {
    case HD_RAL_POINTER:
      return type == ptr(r);
    case HD_RAL_MEMREF:
      return type->kind == HD_TYPE_MEMREF && (int32_t)hd_type_rank(type) == as->rank &&
             hd_element_type_of(hd_type_element(type)) == as->element;
    case HD_RAL_SCALAR:
      return type->kind != HD_TYPE_MEMREF && hd_element_type_of(type) == as->element;
    default:
      return false;
  }
}

/* The address of the first element: a view's offset counts. */
static hd_value *first_element(rewriter *r, hd_builder *b, hd_value *buffer) {
  hd_context *context = r->pass->context;
  hd_type type = buffer->type, index = hd_type_index(context);
  hd_value *address = hd_build(b, HD_OP_memref_extract_aligned_pointer_as_index, index, buffer);
  if (type->shaped.layout) {
    uint32_t count = 2 + 2 * hd_type_rank(type);
    hd_type *types = hd_new_array(&r->pass->arena, hd_type, count);
    types[0] = hd_type_memref(hd_type_element(type), NULL, 0, NULL, type->shaped.space);
    for (uint32_t i = 1; i < count; ++i) types[i] = index;
    hd_op *parts = hd_build_op(b, HD_OP_memref_extract_strided_metadata, &buffer, 1, types, count, NULL, 0, 0);
    hd_value *bytes = hd_build_index(b, (int64_t)hd_type_element_bytes(hd_type_element(type)));
    address =
        hd_build(b, HD_OP_arith_addi, index, address, hd_build(b, HD_OP_arith_muli, index, hd_result(parts, 1), bytes));
  }
  return hd_build(b, HD_OP_llvm_inttoptr, ptr(r), hd_build(b, HD_OP_arith_index_cast, hd_i64(context), address));
}

/* The value as it is in its slot; null when it is not of type |as|. A buffer may be passed as its address. */
static hd_value *erased(rewriter *r, hd_builder *b, hd_value *value, const hd_ral_type *as) {
  hd_type type = value->type;
  if (as->kind == HD_RAL_POINTER && type->kind == HD_TYPE_MEMREF) return first_element(r, b, value);
  if (!fits(r, type, as)) return NULL;
  hd_type slot = slot_type(r, type);
  if (type == slot) return value;
  if (type->kind == HD_TYPE_INDEX) return hd_build(b, HD_OP_arith_index_cast, slot, value);
  if (type->kind == HD_TYPE_FLOAT) {
    value = hd_build(b, HD_OP_arith_bitcast, bits_of(type), value);
    return value->type == slot ? value : hd_build(b, HD_OP_arith_extui, slot, value);
  }
  if (type->kind != HD_TYPE_INTEGER) return hd_build(b, HD_OP_builtin_unrealized_conversion_cast, slot, value);
  if (type != bits_of(type)) value = hd_build(b, HD_OP_builtin_unrealized_conversion_cast, bits_of(type), value);
  if (value->type == slot) return value;
  return hd_build(b, is_signed(type) ? HD_OP_arith_extsi : HD_OP_arith_extui, slot, value);
}

static hd_value *element_address(rewriter *r, hd_builder *b, hd_value *array, int32_t at) {
  hd_attr_arg attrs[] = {{HD_NAME_rawConstantIndices, hd_attr_i32_array(r->pass->context, &at, 1)},
                         {HD_NAME_elem_type, hd_attr_type(ptr(r))}};
  return hd_build_one_(b, HD_OP_llvm_getelementptr, ptr(r), &array, 1, attrs, 2);
}

/* What the result's slot holds, as the op's result. */
static hd_value *result_of(rewriter *r, hd_builder *b, hd_value *address, hd_type type) {
  hd_value *value = hd_build(b, HD_OP_llvm_load, slot_type(r, type), address);
  if (value->type == type) return value;
  if (type->kind == HD_TYPE_INDEX) return hd_build(b, HD_OP_arith_index_cast, type, value);
  if (type->kind != HD_TYPE_INTEGER && type->kind != HD_TYPE_FLOAT)
    return hd_build(b, HD_OP_builtin_unrealized_conversion_cast, type, value);
  if (value->type != bits_of(type)) value = hd_build(b, HD_OP_arith_trunci, bits_of(type), value);
  if (type->kind == HD_TYPE_FLOAT) return hd_build(b, HD_OP_arith_bitcast, type, value);
  return value->type == type ? value : hd_build(b, HD_OP_builtin_unrealized_conversion_cast, type, value);
}

static bool rewrite(rewriter *r, hd_op *op) {
  hd_arena *arena = &r->pass->arena;
  hd_str api = hd_hd_ral_call_api(op);
  hd_ral_signature *signature = hd_new(arena, hd_ral_signature);
  hd_status status = hd_ral_decode(hd_arena_copy(arena, api.data, api.len), signature);
  if (!hd_is_ok(status)) {
    hd_op_error(op, "has a name outside of the grammar: %s", hd_status_message(status));
    hd_status_free(status);
    return false;
  }
  bool result = signature->result.kind != HD_RAL_VOID;
  if (signature->arg_count != op->operand_count + 1 || op->result_count != (result ? 1u : 0u))
    return hd_op_error(op, "has %u operands and %u results, expected %zu and %d by its name", op->operand_count,
                       op->result_count, signature->arg_count - 1, result);
  if (result && !fits(r, hd_result_type(op, 0), &signature->result))
    return hd_op_error(op, "expects a result of the type that its name encodes, got another one");
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  size_t count = signature->arg_count + (result ? 1 : 0);
  hd_value *args = slot(r, ptr(r), (int64_t)count), *out = NULL;
  store(&b, hd_build_one_(&b, HD_OP_llvm_mlir_zero, ptr(r), NULL, 0, NULL, 0), args);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *value = erased(r, &b, hd_operand(op, i), &signature->args[1 + i]);
    if (!value) return hd_op_error(op, "expects operand #%u of the type that its name encodes, got another one", i);
    hd_value *at = slot(r, value->type, 1);
    store(&b, value, at);
    store(&b, at, element_address(r, &b, args, (int32_t)i + 1));
  }
  if (result) {
    out = slot(r, slot_type(r, hd_result_type(op, 0)), 1);
    store(&b, out, element_address(r, &b, args, (int32_t)count - 1));
  }
  hd_value *operands[3] = {r->context, hd_build_c_string(&b, r->symbols, "hd_api_", api), args};
  hd_attr_arg attrs[] = {{HD_NAME_callee, hd_attr_symbol(b.context, HD_STR("ral_api_call"), NULL, 0)},
                         {HD_NAME_op_bundle_sizes, hd_attr_i32_array(b.context, NULL, 0)},
                         {HD_NAME_operandSegmentSizes, hd_attr_i32_array(b.context, (int32_t[]){3, 0}, 2)}};
  hd_build_op(&b, HD_OP_llvm_call, operands, 3, NULL, 0, attrs, 3, 0);
  hd_value *value = result ? result_of(r, &b, out, hd_result_type(op, 0)) : NULL;
  if (value)
    hd_op_replace(op, &value);
  else
    hd_op_erase(op);
  return true;
}

static void declare(hd_pass *pass) {
  if (hd_symbol_lookup(pass->module->op, HD_STR("ral_api_call"))) return;
  hd_type type = hd_text_parse_type(pass->context, HD_STR("!llvm.func<void (ptr, ptr, ptr)>"));
  hd_builder end = hd_builder_at_end(pass->module, hd_module_body(pass->module));
  hd_attr_arg attrs[] = {{HD_NAME_sym_name, hd_attr_cstring(pass->context, "ral_api_call")},
                         {HD_NAME_function_type, hd_attr_type(type)}};
  hd_build_op(&end, HD_OP_llvm_func, NULL, 0, NULL, 0, attrs, 2, 1);
}

/* The calls of one function. */
typedef struct calls {
  hd_op *func;
  hd_arena *arena;
  hd_vec(hd_op *) ral, functions;
  bool with_context;
} calls;

static bool collect(hd_op *op, void *user) {
  calls *c = user;
  if (hd_op_is(op, HD_OP_hd_ral_call)) hd_vec_push(c->arena, &c->ral, op);
  if (hd_op_is(op, HD_OP_func_call)) hd_vec_push(c->arena, &c->functions, op);
  return true;
}

/* The calls of the function that |call| names; null when it has no body here. */
static calls *callee_of(hd_map *all, hd_op *call) {
  return hd_map_get(all, hd_symbol_resolve(call, hd_call_like_callee(call)));
}

static void add_context(rewriter *r, hd_op *func) {
  hd_context *context = r->pass->context;
  hd_block *entry = hd_op_region(func, 0)->first;
  r->context = hd_block_insert_arg(r->pass->module, entry, 0, ptr(r));
  hd_builder b = hd_builder_at_start(r->pass->module, entry);
  b.loc = func->loc;
  r->one = hd_build_int(&b, hd_i64(context), 1);
  r->slots = hd_value_op(r->one);
  hd_type old = hd_function_like_function_type(func)->type_value;
  hd_type *ins = hd_new_array(&r->pass->arena, hd_type, entry->arg_count);
  for (uint32_t i = 0; i < entry->arg_count; ++i) ins[i] = entry->args[i]->type;
  hd_function_like_set_function_type(func, hd_attr_type(hd_type_function(context, ins, entry->arg_count,
                                                                         old->function.outs, old->function.out_count)));
  hd_attr attrs = hd_function_like_arg_attrs(func);
  if (!hd_attr_is(attrs, HD_ATTR_ARRAY)) return;
  hd_attr *all = hd_new_array(&r->pass->arena, hd_attr, entry->arg_count);
  all[0] = hd_attr_dict(context, NULL, 0);
  for (uint32_t i = 1; i < entry->arg_count; ++i) all[i] = attrs->array.items[i - 1];
  hd_function_like_set_arg_attrs(func, hd_attr_array(context, all, entry->arg_count));
}

static void pass_context(rewriter *r, hd_op *call) {
  hd_value **operands = hd_new_array(&r->pass->arena, hd_value *, call->operand_count + 1);
  operands[0] = r->context;
  for (uint32_t i = 0; i < call->operand_count; ++i) operands[1 + i] = hd_operand(call, i);
  hd_op_set_operands(call, operands, call->operand_count + 1);
}

bool hd_pass_rewrite_ral_api(hd_pass *pass, hd_op *module) {
  hd_vec(calls *) all = {0};
  hd_map by_function = {0};
  hd_for_each_op(op, hd_op_region(module, 0)->first) {
    if (!hd_op_is(op, HD_OP_func_func) || !hd_op_region(op, 0)->first) continue;
    calls *c = hd_new(&pass->arena, calls);
    *c = (calls){.func = op, .arena = &pass->arena};
    hd_walk_pre(op, collect, c);
    c->with_context = c->ral.len > 0;
    hd_vec_push(&pass->arena, &all, c);
    hd_map_set(&pass->arena, &by_function, op, c);
  }
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < all.len; ++i)
      for (size_t k = 0; k < all.data[i]->functions.len; ++k) {
        calls *caller = all.data[i], *callee = callee_of(&by_function, caller->functions.data[k]);
        if (!callee || caller->with_context == callee->with_context) continue;
        more = caller->with_context = callee->with_context = true;
      }
  }
  hd_symbol_table symbols;
  hd_symbol_table_init(&symbols, &pass->arena, pass->module->op);
  for (size_t i = 0; i < all.len; ++i) {
    calls *c = all.data[i];
    if (!c->with_context) continue;
    rewriter r = {.pass = pass, .symbols = &symbols};
    add_context(&r, c->func);
    for (size_t k = 0; k < c->ral.len; ++k)
      if (!rewrite(&r, c->ral.data[k])) return false;
    for (size_t k = 0; k < c->functions.len; ++k) {
      calls *callee = callee_of(&by_function, c->functions.data[k]);
      if (callee && callee->with_context) pass_context(&r, c->functions.data[k]);
    }
    declare(pass);
    pass->changed = true;
  }
  return true;
}
