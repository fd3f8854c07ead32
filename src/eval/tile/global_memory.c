/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers, and loads, stores and atomics by them. Every access is checked against the buffer that it goes to. */
#include <string.h>

#include "eval/machine/arith_ops.h"
#include "eval/tile/memory.h"
#include "ir/ops/tt.h"

uint64_t hd_pointer_at(const hd_tensor *value, size_t lane) {
  uint64_t address;
  memcpy(&address, (const char *)hd_tensor_data(value) + 8 * lane, 8);
  return address;
}

const hd_tensor *hd_optional_operand(hd_op *op, const hd_tensor *in, size_t item) {
  uint32_t first, count;
  hd_op_operand_range(op, item, &first, &count);
  return count ? &in[first] : NULL;
}

/* Is element |lane| of |mask|, which may be null, set? */
static bool mask_at(const hd_tensor *mask, size_t lane) {
  return !mask || ((const char *)hd_tensor_data(mask))[hd_type_is_shaped(mask->type) ? lane : 0];
}

enum { PATTERN = 0xC9 };

void hd_undefined_elements(hd_type element, char *to, size_t count) {
  memset(to, hd_is_bool(element) ? 1 : PATTERN, count * hd_type_element_bytes(element));
}

/* Says how far |address| is beyond the buffer below it. */
static hd_status in_no_buffer(const hd_global_access *a, uint64_t address, size_t lane) {
  const hd_memory *memory = hd_frame_memory(a->frame);
  const hd_storage *below = NULL;
  for (size_t i = 0; i < memory->storages.len; ++i) {
    const hd_storage *s = memory->storages.data[i];
    if ((uint64_t)(uintptr_t)s->data <= address && (!below || s->data > below->data)) below = s;
  }
  if (below && address - (uint64_t)(uintptr_t)below->data < (1ull << 32))
    return hd_make_status(HD_INVALID_ARGUMENT, "%s element %zu at byte %llu of a buffer of %zu", a->verb, lane,
                          (unsigned long long)(address - (uint64_t)(uintptr_t)below->data), below->size);
  return hd_make_status(HD_INVALID_ARGUMENT, "%s element %zu by an address that is in no buffer", a->verb, lane);
}

hd_status hd_global_address(hd_global_access *a, uint64_t address, size_t lane, char **out) {
  *out = NULL;
  if (!address) return hd_make_status(HD_INVALID_ARGUMENT, "%s element %zu by a null pointer", a->verb, lane);
  hd_storage *s = a->last;
  uint64_t start = s ? (uint64_t)(uintptr_t)s->data : 0;
  if (!s || address < start || address - start >= s->size) {
    s = hd_storage_find(a->frame, address);
    if (!s || address - (uint64_t)(uintptr_t)s->data >= s->size) return in_no_buffer(a, address, lane);
    if (a->writes) HD_TRY(hd_storage_write(a->frame, s));
    a->last = s;
    start = (uint64_t)(uintptr_t)s->data;
  }
  if (a->bytes > s->size - (address - start)) return in_no_buffer(a, address, lane);
  if (address % a->bytes)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s element %zu at byte %llu of a buffer, no multiple of its %zu bytes",
                          a->verb, lane, (unsigned long long)(address - start), a->bytes);
  *out = s->data + (address - start);
  return HD_STATUS_OK;
}

hd_status hd_global_load(hd_eval_frame *frame, const hd_tensor *pointers, const hd_tensor *mask, const hd_tensor *other,
                         hd_type element, char *to) {
  size_t count = hd_lanes_of(pointers->type), bytes = hd_type_element_bytes(element);
  hd_global_access access = {.frame = frame, .verb = "loads", .bytes = bytes};
  for (size_t i = 0; i < count; ++i, to += bytes) {
    if (!mask_at(mask, i)) {
      if (other)
        memcpy(to, (const char *)hd_tensor_data(other) + (hd_type_is_shaped(other->type) ? i * bytes : 0), bytes);
      else
        hd_undefined_elements(element, to, 1);
      continue;
    }
    char *from;
    HD_TRY(hd_global_address(&access, hd_pointer_at(pointers, i), i, &from));
    memcpy(to, from, bytes);
  }
  return HD_STATUS_OK;
}

/* Pointers to whole tensors are not followed. */
static hd_status check_pointers(const hd_tensor *pointers) {
  hd_type pointee = hd_type_pointee(pointers->type);
  if (pointee && hd_type_element_bytes(hd_type_element(pointee)) &&
      (hd_type_is_shaped(pointers->type) || !hd_type_is_shaped(pointee)))
    return HD_STATUS_OK;
  return hd_make_status(HD_UNIMPLEMENTED, "is by pointers that the evaluator does not follow");
}

HD_EVAL_HOOK(tt_load) {
  HD_TRY(check_pointers(&in[0]));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  return hd_global_load(frame, &in[0], hd_optional_operand(op, in, 1), hd_optional_operand(op, in, 2),
                        hd_type_element(out->type), hd_tensor_data(out));
}

HD_EVAL_HOOK(tt_store) {
  HD_TRY(check_pointers(&in[0]));
  const hd_tensor *mask = op->operand_count > 2 ? &in[2] : NULL;
  size_t count = hd_lanes_of(in[0].type), bytes = hd_type_element_bytes(hd_type_element(in[1].type));
  hd_global_access access = {.frame = frame, .verb = "stores", .bytes = bytes, .writes = true};
  for (size_t i = 0; i < count; ++i) {
    char *to;
    if (!mask_at(mask, i)) continue;
    HD_TRY(hd_global_address(&access, hd_pointer_at(&in[0], i), i, &to));
    memcpy(to, (const char *)hd_tensor_data(&in[1]) + i * bytes, bytes);
  }
  return HD_STATUS_OK;
}

/* ---- atomics: programs run one after the other, so each is one step ---- */

/* UNREGISTERED: it replaces. */
static hd_opcode combination_of(hd_enum_tt_atomic_rmw kind) {
  switch (kind) {
#define CASE(kind, op)          \
  case HD_TT_ATOMIC_RMW_##kind: \
    return HD_OP_arith_##op;
    CASE(AND, andi)
    CASE(OR, ori)
    CASE(XOR, xori)
    CASE(ADD, addi)
    CASE(FADD, addf)
    CASE(MAX, maxsi)
    CASE(MIN, minsi)
    CASE(UMAX, maxui)
    CASE(UMIN, minui)
#undef CASE
    case HD_TT_ATOMIC_RMW_EXCH:
      break;
  }
  return HD_OP_UNREGISTERED;
}

HD_EVAL_HOOK(tt_atomic_rmw) {
  HD_TRY(check_pointers(&in[0]));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  const hd_tensor *mask = op->operand_count > 2 ? &in[2] : NULL;
  hd_type element = hd_type_element(out->type);
  size_t count = hd_lanes_of(in[0].type), bytes = hd_type_element_bytes(element);
  hd_opcode combination = combination_of(hd_tt_atomic_rmw_atomic_rmw_op(op));
  hd_global_access access = {.frame = frame, .verb = "changes", .bytes = bytes, .writes = true};
  for (size_t i = 0; i < count; ++i) {
    char *at, *before = (char *)hd_tensor_data(out) + i * bytes;
    const char *value = (const char *)hd_tensor_data(&in[1]) + i * bytes;
    if (!mask_at(mask, i)) {
      hd_undefined_elements(element, before, 1);
      continue;
    }
    HD_TRY(hd_global_address(&access, hd_pointer_at(&in[0], i), i, &at));
    memcpy(before, at, bytes);
    if (combination != HD_OP_UNREGISTERED)
      HD_TRY(hd_eval_combine(combination, element, before, value, at));
    else
      memcpy(at, value, bytes);
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(tt_atomic_cas) {
  HD_TRY(check_pointers(&in[0]));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  size_t count = hd_lanes_of(in[0].type), bytes = hd_type_element_bytes(hd_type_element(out->type));
  hd_global_access access = {.frame = frame, .verb = "changes", .bytes = bytes, .writes = true};
  for (size_t i = 0; i < count; ++i) {
    char *at, *before = (char *)hd_tensor_data(out) + i * bytes;
    HD_TRY(hd_global_address(&access, hd_pointer_at(&in[0], i), i, &at));
    memcpy(before, at, bytes);
    if (!memcmp(at, (const char *)hd_tensor_data(&in[1]) + i * bytes, bytes))
      memcpy(at, (const char *)hd_tensor_data(&in[2]) + i * bytes, bytes);
  }
  return HD_STATUS_OK;
}

/* ---- addresses ---- */

HD_EVAL_HOOK(tt_addptr) {
  hd_type pointee = hd_type_pointee(in[0].type), offset = hd_type_element(in[1].type);
  uint64_t step = pointee ? hd_type_element_bytes(hd_type_element(pointee)) : 0;
  size_t count = hd_lanes_of(in[0].type), bytes = hd_type_element_bytes(offset);
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  if (!step || hd_lanes_of(in[1].type) != count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected pointers to numbers and as many offsets");
  for (size_t i = 0; i < count; ++i) {
    int64_t by = hd_element_load(offset, (const char *)hd_tensor_data(&in[1]) + i * bytes);
    uint64_t address = hd_pointer_at(&in[0], i) + (uint64_t)by * step;
    memcpy((char *)hd_tensor_data(out) + 8 * i, &address, 8);
  }
  return HD_STATUS_OK;
}

/* The same bits as another type; pointers and i64 alike are 8 bytes. */
static hd_status same_bits(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  if (out->buffer->size != in[0].buffer->size)
    return hd_make_status(HD_INVALID_ARGUMENT, "source and result differ in size");
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[0]), out->buffer->size);
  return HD_STATUS_OK;
}
HD_EVAL_HOOK(tt_bitcast) { return same_bits(frame, op, in, out); }
HD_EVAL_HOOK(tt_int_to_ptr) { return same_bits(frame, op, in, out); }
HD_EVAL_HOOK(tt_ptr_to_int) { return same_bits(frame, op, in, out); }
