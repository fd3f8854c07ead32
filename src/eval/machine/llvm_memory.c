/* SPDX-License-Identifier: Apache-2.0 */
/* The llvm dialect's ops on memory and pointers. Every access is checked against the storage that it goes to. */
#include <string.h>

#include "eval/core/run.h"
#include "eval/machine/arith_ops.h"
#include "eval/machine/call_memory.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/llvm.h"

static bool is_row(hd_type type, int row) { return hd_type_is(type, HD_TYPE_DIALECT) && (int)type->dialect.row == row; }

size_t hd_size_in_memory(hd_type type, size_t *out_align) {
  size_t bytes = 0, align = 1;
  if (hd_is_pointer(type)) {
    bytes = 8;
  } else if (is_row(type, HD_TYPE_ROW_llvm_array)) {
    int64_t count = type->dialect.params[0]->integer;
    size_t each = hd_size_in_memory(type->dialect.params[1]->type_value, &align);
    if (count < 0 || __builtin_mul_overflow(each, (size_t)count, &bytes)) bytes = 0;
    *out_align = align;
    return bytes;
  } else if (is_row(type, HD_TYPE_ROW_llvm_struct)) {
    hd_attr body = type->dialect.params[2];
    for (uint32_t i = 0; hd_attr_is(body, HD_ATTR_ARRAY) && i < body->array.count; ++i) {
      size_t own, each = hd_size_in_memory(body->array.items[i]->type_value, &own);
      if (!each) return 0;
      bytes = (bytes + own - 1) / own * own + each;
      if (own > align) align = own;
    }
    *out_align = align;
    return (bytes + align - 1) / align * align;
  } else if (hd_type_is(type, HD_TYPE_VECTOR) && hd_type_is_static(type)) {
    bytes = (size_t)hd_type_num_elements(type) * hd_type_element_bytes(type->shaped.element);
  } else if (hd_class_of(type) != HD_CLASS_NONE) {
    bytes = hd_type_element_bytes(type);
  }
  *out_align = bytes ? bytes : 1;
  return bytes;
}

static hd_status unknown_size(void) {
  return hd_make_status(HD_UNIMPLEMENTED, "is of a type whose size in memory the evaluator does not know");
}

hd_status hd_value_of_bytes(hd_eval_frame *frame, hd_type type, const void *data, size_t bytes, hd_tensor *out) {
  HD_TRY(hd_tensor_buffer_create(hd_frame_heap(frame), bytes, &out->buffer));
  memcpy(out->buffer->data, data, bytes);
  out->type = type;
  return HD_STATUS_OK;
}

/* An address that is no multiple of |alignment| is what a device refuses. */
static hd_status check_alignment(hd_op *op, uint64_t address) {
  int64_t alignment = hd_attr_int_or(hd_with_alignment_alignment_if_any(op), 1);
  if (alignment < 1 || address % (uint64_t)alignment == 0) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "accesses an address that is no multiple of its alignment of %lld",
                        (long long)alignment);
}

hd_status hd_call_store(hd_eval_frame *frame, const hd_tensor *value, uint64_t address) {
  size_t align, bytes = hd_size_in_memory(value->type, &align);
  char *data;
  if (!bytes || value->buffer->size < bytes) return unknown_size();
  HD_TRY(hd_call_bytes_to(frame, address, bytes, &data));
  memcpy(data, hd_tensor_data(value), bytes);
  return HD_STATUS_OK;
}

hd_status hd_call_load(hd_eval_frame *frame, hd_type type, uint64_t address, hd_tensor *out) {
  size_t align, bytes = hd_size_in_memory(type, &align);
  char *data;
  if (!bytes) return unknown_size();
  HD_TRY(hd_call_bytes(frame, address, bytes, &data));
  return hd_value_of_bytes(frame, type, data, bytes, out);
}

HD_EVAL_HOOK(llvm_load) {
  HD_TRY(check_alignment(op, hd_call_address(&in[0])));
  return hd_call_load(frame, hd_result_type(op, 0), hd_call_address(&in[0]), out);
}

HD_EVAL_HOOK(llvm_store) {
  HD_TRY(check_alignment(op, hd_call_address(&in[1])));
  return hd_call_store(frame, &in[0], hd_call_address(&in[1]));
}

static hd_status pointer_result(hd_eval_frame *frame, hd_op *op, uint64_t address, hd_tensor *out) {
  if (!hd_is_pointer(hd_result_type(op, 0)))
    return hd_make_status(HD_INVALID_ARGUMENT, "gives a pointer for another type");
  return hd_eval_pointer(frame, hd_result_type(op, 0), address, out);
}

HD_EVAL_HOOK(llvm_alloca) {
  size_t align, bytes = hd_size_in_memory(hd_llvm_alloca_elem_type(op)->type_value, &align);
  int64_t count = hd_eval_int(&in[0]);
  hd_storage *storage;
  if (!bytes) return unknown_size();
  if (count < 0 || (uint64_t)count > INT32_MAX / bytes)
    return hd_make_status(HD_INVALID_ARGUMENT, "takes %lld of %zu bytes from the stack", (long long)count, bytes);
  HD_TRY(hd_storage_create(frame, bytes * (size_t)count, op, true, &storage));
  return pointer_result(frame, op, (uint64_t)(uintptr_t)storage->data, out);
}

/* One index, a number of the row or an operand. */
HD_EVAL_HOOK(llvm_getelementptr) {
  hd_attr indices = hd_llvm_getelementptr_rawConstantIndices(op);
  size_t align, bytes = hd_size_in_memory(hd_llvm_getelementptr_elem_type(op)->type_value, &align);
  if (op->operand_count > 2 || hd_attr_count(indices) != 1 || !hd_is_pointer(in[0].type))
    return hd_make_status(HD_UNIMPLEMENTED, "goes into an element, which the evaluator does not follow");
  if (!bytes) return unknown_size();
  int64_t index = op->operand_count == 2 ? hd_eval_int(&in[1]) : hd_attr_int_at(indices, 0);
  return pointer_result(frame, op, hd_call_address(&in[0]) + (uint64_t)index * bytes, out);
}

HD_EVAL_HOOK(llvm_inttoptr) {
  if (hd_class_of(in[0].type) != HD_CLASS_INT) return hd_make_status(HD_INVALID_ARGUMENT, "expected one integer");
  return pointer_result(frame, op, (uint64_t)hd_eval_int(&in[0]), out);
}

HD_EVAL_HOOK(llvm_ptrtoint) {
  if (!hd_is_pointer(in[0].type) || hd_class_of(hd_result_type(op, 0)) != HD_CLASS_INT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected one pointer and one integer");
  return hd_eval_int_result(frame, op, 0, (int64_t)hd_call_address(&in[0]), out);
}

/* All spaces are one memory here. */
HD_EVAL_HOOK(llvm_addrspacecast) {
  if (!hd_is_pointer(in[0].type)) return hd_make_status(HD_INVALID_ARGUMENT, "expected a pointer");
  return pointer_result(frame, op, hd_call_address(&in[0]), out);
}

/* ---- atomic ops: threads run one after the other, so each is one step ---- */

static hd_opcode combination_of(hd_enum_llvm_atomic_bin_op kind) {
  switch (kind) {
#define CASE(kind, op)               \
  case HD_LLVM_ATOMIC_BIN_OP_##kind: \
    return HD_OP_arith_##op;
    CASE(ADD, addi)
    CASE(AND, andi)
    CASE(OR, ori)
    CASE(XOR, xori)
    CASE(MAX, maxsi)
    CASE(MIN, minsi)
    CASE(UMAX, maxui)
    CASE(UMIN, minui)
    CASE(FADD, addf)
    CASE(FMAX, maxnumf)
    CASE(FMIN, minnumf)
    CASE(FMAXIMUM, maximumf)
    CASE(FMINIMUM, minimumf)
#undef CASE
    default:
      return HD_OP_UNREGISTERED;
  }
}

HD_EVAL_HOOK(llvm_atomicrmw) {
  hd_type type = in[1].type;
  size_t align, bytes = hd_size_in_memory(type, &align);
  char *at;
  if (!bytes || hd_type_is_shaped(type)) return unknown_size();
  HD_TRY(hd_call_bytes_to(frame, hd_call_address(&in[0]), bytes, &at));
  HD_TRY(hd_value_of_bytes(frame, type, at, bytes, out));
  hd_enum_llvm_atomic_bin_op kind = hd_llvm_atomicrmw_bin_op(op);
  hd_opcode combination = combination_of(kind);
  if (kind == HD_LLVM_ATOMIC_BIN_OP_XCHG) {
    memcpy(at, hd_tensor_data(&in[1]), bytes);
    return HD_STATUS_OK;
  }
  if (combination == HD_OP_UNREGISTERED)
    return hd_make_status(HD_UNIMPLEMENTED, "does '%s', which the evaluator does not",
                          hd_enum_case_name(HD_ENUM_llvm_atomic_bin_op, kind).data);
  return hd_eval_combine(combination, type, hd_tensor_data(out), hd_tensor_data(&in[1]), at);
}

/* { what lay there, whether it was exchanged }: a struct is its bytes. */
HD_EVAL_HOOK(llvm_cmpxchg) {
  size_t align, bytes = hd_size_in_memory(in[1].type, &align), all = hd_size_in_memory(hd_result_type(op, 0), &align);
  char *at, result[32] = {0};
  if (!bytes || bytes > 16 || all <= bytes || all > sizeof result || in[2].buffer->size < bytes) return unknown_size();
  HD_TRY(hd_call_bytes_to(frame, hd_call_address(&in[0]), bytes, &at));
  bool equal = !memcmp(at, hd_tensor_data(&in[1]), bytes);
  memcpy(result, at, bytes);
  result[bytes] = equal;
  if (equal) memcpy(at, hd_tensor_data(&in[2]), bytes);
  return hd_value_of_bytes(frame, hd_result_type(op, 0), result, all, out);
}
