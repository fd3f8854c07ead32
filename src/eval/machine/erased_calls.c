/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the runtime with erased types (runtime/abi.h) and the few LLVM ops around them:
 *
 *   %args = llvm.alloca 3 x !llvm.ptr         llvm.store, llvm.getelementptr: the slots of the arguments
 *   llvm.call @ral_api_call(%ctx, %name, %args)   ->   hd.ral_call of that name on what the slots hold
 *
 * A struct, which is a memref's descriptor or a complex number, is its bytes as they are in memory. Types follow from
 * the name alone, as for the runtime; so what is stored under another type than the name says comes out wrong here too.
 */

#include <string.h>

#include "eval/machine/call_memory.h"
#include "eval/machine/memory.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "runtime/ral_names.h"

static bool is_row(hd_type type, int row) { return hd_type_is(type, HD_TYPE_DIALECT) && (int)type->dialect.row == row; }

/* ---- descriptors ---- */

/* { allocated, aligned, offset, sizes, strides } */
static hd_status memref_of_words(hd_eval_frame *frame, hd_type type, const char *data, size_t bytes, hd_tensor *out) {
  uint32_t rank = type->shaped.rank;
  uint64_t aligned;
  int64_t offset, dims[2 * HD_MAX_RANK];
  if (rank > HD_MAX_RANK || bytes != 24 + 16 * (size_t)rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "makes a memref of %zu bytes, which are no descriptor of its rank",
                          bytes);
  memcpy(&aligned, data + 8, 8);
  memcpy(&offset, data + 16, 8);
  memcpy(dims, data + 24, 16 * (size_t)rank);
  hd_storage *storage = hd_storage_find(frame, aligned);
  if (!storage) return hd_make_status(HD_INVALID_ARGUMENT, "uses an address that is in no live buffer");
  char *base = storage->data + (aligned - (uint64_t)(uintptr_t)storage->data);
  return hd_memref_create(frame, type, storage, base, offset, dims, dims + rank, out);
}

static hd_status words_of_memref(hd_eval_frame *frame, const hd_tensor *memref, hd_type type, hd_tensor *out) {
  const hd_memref *m = hd_memref_of(memref);
  uint32_t rank = memref->type->shaped.rank;
  uint64_t words[3 + 2 * HD_MAX_RANK] = {(uint64_t)(uintptr_t)m->base, (uint64_t)(uintptr_t)m->base,
                                         (uint64_t)m->offset};
  size_t align, bytes = 24 + 16 * (size_t)rank;
  if (rank > HD_MAX_RANK || hd_size_in_memory(type, &align) != bytes)
    return hd_make_status(HD_INVALID_ARGUMENT, "makes of a memref of rank %u what is no descriptor of it", rank);
  memcpy(words + 3, m->dims, 16 * (size_t)rank);
  return hd_value_of_bytes(frame, type, words, bytes, out);
}

static bool is_struct(hd_type type) { return is_row(type, HD_TYPE_ROW_llvm_struct); }

static hd_status struct_cast(hd_eval_frame *frame, const hd_tensor *in, hd_type type, hd_tensor *out) {
  if (hd_is_memref(in)) return words_of_memref(frame, in, type, out);
  size_t align, bytes = in->buffer->size;
  if (hd_type_is(type, HD_TYPE_MEMREF)) return memref_of_words(frame, type, hd_tensor_data(in), bytes, out);
  if (hd_size_in_memory(type, &align) != bytes)
    return hd_make_status(HD_UNIMPLEMENTED, "source and result differ in size");
  return hd_value_of_bytes(frame, type, hd_tensor_data(in), bytes, out);
}

/* ---- calls ---- */

/* The type of a value that the name says; null when the evaluator has none. */
static hd_type type_of(hd_context *context, const hd_ral_type *type) {
  int64_t dims[HD_MAX_RANK];
  hd_type element;
  switch (type->kind) {
    case HD_RAL_POINTER:
      return hd_type_dialect(context, HD_TYPE_ROW_llvm_ptr, (hd_attr[]){NULL}, 1);
    case HD_RAL_SCALAR:
      return hd_call_element(context, type->element);
    case HD_RAL_MEMREF:
      if (type->rank > HD_MAX_RANK) return NULL;
      for (int32_t i = 0; i < type->rank; ++i) dims[i] = HD_DYNAMIC;
      element = hd_call_element(context, type->element);
      return element ? hd_type_memref(element, dims, (uint32_t)type->rank, NULL, NULL) : NULL;
    default:
      return NULL;
  }
}

/* What slot |address| holds. */
static hd_status slot_value(hd_eval_frame *frame, const hd_ral_type *type, uint64_t address, hd_tensor *out) {
  hd_type as = type_of(hd_frame_context(frame), type);
  if (!as) return hd_make_status(HD_UNIMPLEMENTED, "has an argument of a type that the evaluator does not know");
  if (type->kind != HD_RAL_MEMREF) return hd_call_load(frame, as, address, out);
  size_t bytes = 24 + 16 * (size_t)type->rank;
  char *data;
  HD_TRY(hd_call_bytes(frame, address, bytes, &data));
  return memref_of_words(frame, as, data, bytes, out);
}

/* |call| as hd.ral_call |api|. It is beside its block, so that it finds its function, and stays: buffers know it as
 * what made them. */
static hd_op *typed_call(hd_eval_frame *frame, hd_op *call, const char *api, const hd_ral_signature *signature) {
  hd_map *made = &hd_frame_memory(frame)->typed_calls;
  hd_op *known = hd_map_get(made, call);
  if (known && hd_str_is(hd_hd_ral_call_api(known), api)) return known;
  hd_context *context = hd_op_context(call);
  hd_block *operands = hd_block_create(call->module); /* its arguments stand for the operands; never run */
  hd_value *values[HD_RAL_MAX_ARGS];
  hd_type result = type_of(context, &signature->result);
  for (size_t i = 1; i < signature->arg_count; ++i) {
    hd_type type = type_of(context, &signature->args[i]);
    if (!type) return NULL;
    values[i - 1] = hd_block_add_arg(call->module, operands, type);
  }
  if (!result && signature->result.kind != HD_RAL_VOID) return NULL;
  hd_op_attr attr = {hd_name_ident(context, HD_NAME_api), hd_attr_cstring(context, api), true};
  hd_op *op = hd_op_create(call->module, &(hd_op_state){.context = context,
                                                        .loc = call->loc,
                                                        .opcode = HD_OP_hd_ral_call,
                                                        .name = hd_ident_cstr(context, "hd.ral_call"),
                                                        .operands = values,
                                                        .operand_count = signature->arg_count - 1,
                                                        .result_types = &result,
                                                        .result_count = result ? 1 : 0,
                                                        .attrs = &attr,
                                                        .attr_count = 1});
  op->block = call->block;
  hd_map_set(hd_frame_arena(frame), made, call, op);
  return op;
}

static hd_status address_at(hd_eval_frame *frame, uint64_t args, size_t i, uint64_t *out) {
  char *data;
  HD_TRY(hd_call_bytes(frame, args + 8 * i, 8, &data));
  memcpy(out, data, 8);
  return HD_STATUS_OK;
}

static hd_status run(hd_eval_frame *frame, hd_op *call, const char *api, uint64_t args, hd_tensor *values,
                     hd_tensor *result) {
  hd_ral_signature signature;
  uint64_t slot;
  HD_TRY(hd_ral_decode(api, &signature));
  hd_op *typed = typed_call(frame, call, api, &signature);
  if (!typed) return hd_make_status(HD_UNIMPLEMENTED, "calls '%s', whose types the evaluator does not know", api);
  for (size_t i = 1; i < signature.arg_count; ++i) {
    HD_TRY(address_at(frame, args, i, &slot));
    HD_TRY(slot_value(frame, &signature.args[i], slot, &values[i - 1]));
  }
  HD_TRY(hd_eval_hd_ral_call(frame, typed, values, result));
  if (!typed->result_count) return HD_STATUS_OK;
  HD_TRY(address_at(frame, args, signature.arg_count, &slot));
  if (signature.result.kind != HD_RAL_MEMREF) return hd_call_store(frame, result, slot);
  uint64_t words[3 + 2 * HD_MAX_RANK] = {(uint64_t)(uintptr_t)hd_memref_of(result)->base,
                                         (uint64_t)(uintptr_t)hd_memref_of(result)->base,
                                         (uint64_t)hd_memref_of(result)->offset};
  size_t bytes = 24 + 16 * (size_t)signature.result.rank;
  char *data;
  memcpy(words + 3, hd_memref_of(result)->dims, bytes - 24);
  HD_TRY(hd_call_bytes_to(frame, slot, bytes, &data));
  memcpy(data, words, bytes);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(llvm_call) {
  hd_str callee = hd_attr_text(hd_call_like_callee(op)), name;
  hd_op *function = hd_symbol_resolve(op, hd_call_like_callee(op));
  if (hd_op_is(function, HD_OP_llvm_func) && hd_op_region(function, 0)->first) {
    if (hd_function_result_count(function) != op->result_count)
      return hd_make_status(HD_INVALID_ARGUMENT, "takes %u results of a function of another number", op->result_count);
    return hd_eval_call(frame, function, in, op->operand_count, out);
  }
  if (!hd_str_is(callee, "ral_api_call") || op->operand_count != 3 || op->result_count)
    return hd_make_status(HD_UNIMPLEMENTED, "calls '%.*s', which the evaluator does not know", (int)callee.len,
                          callee.data);
  HD_TRY(hd_call_text(frame, &in[1], &name));
  hd_tensor *values, result = {0};
  HD_TRY(hd_eval_temp(frame, HD_RAL_MAX_ARGS, sizeof *values, &values));
  hd_status status = run(frame, op, name.data, hd_call_address(&in[2]), values, &result);
  for (size_t i = 0; i < HD_RAL_MAX_ARGS; ++i) hd_tensor_release(&values[i]);
  hd_tensor_release(&result);
  return status;
}

/* Between types that share their form in memory: i8 and ui8, bf16 and i16, a memref and its pointer type. */
HD_EVAL_HOOK(unrealized_conversion_cast) {
  if (op->operand_count != 1 || op->result_count != 1)
    return hd_make_status(HD_UNIMPLEMENTED, "expected one operand and one result");
  hd_type type = hd_result_type(op, 0), from = in[0].type;
  bool both =
      hd_class_of(hd_type_element(type)) != HD_CLASS_NONE && hd_class_of(hd_type_element(from)) != HD_CLASS_NONE;
  if (is_struct(type) || is_struct(from)) return struct_cast(frame, &in[0], type, out);
  if (type->kind == HD_TYPE_MEMREF) return hd_memref_cast_to(&in[0], type, out);
  if (type == from || (hd_is_pointer(type) && (hd_is_memref(&in[0]) || hd_is_pointer(from)))) {
    *out = hd_tensor_retain(in[0]);
    out->type = type;
    return HD_STATUS_OK;
  }
  if (!both || hd_is_memref(&in[0]))
    return hd_make_status(HD_UNIMPLEMENTED, "casts between types that the evaluator keeps apart");
  HD_TRY(hd_eval_value_like(frame, op, 0, &in[0], out));
  hd_type element = hd_type_element(type);
  size_t bytes = hd_type_element_bytes(element);
  if (out->buffer->size != in[0].buffer->size || bytes != hd_type_element_bytes(hd_type_element(from)))
    return hd_make_status(HD_UNIMPLEMENTED, "source and result differ in size");
  if (hd_class_of(element) != HD_CLASS_INT || hd_class_of(hd_type_element(from)) != HD_CLASS_INT) {
    memcpy(hd_tensor_data(out), hd_tensor_data(&in[0]), out->buffer->size);
    return HD_STATUS_OK;
  }
  for (size_t at = 0; at < out->buffer->size; at += bytes)
    hd_element_store(element, (char *)hd_tensor_data(out) + at,
                     hd_element_load(hd_type_element(from), (char *)hd_tensor_data(&in[0]) + at));
  return HD_STATUS_OK;
}
