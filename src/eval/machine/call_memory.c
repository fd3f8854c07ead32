/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/machine/call_memory.h"

#include <stdio.h>
#include <string.h>

#include "heddle/element.h"
#include "ir/element_types.h"
#include "ir/number.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

uint64_t hd_call_address(const hd_tensor *value) {
  if (hd_is_memref(value)) {
    const hd_memref *m = hd_memref_of(value);
    return (uint64_t)(uintptr_t)(m->base + m->offset * (int64_t)hd_type_element_bytes(value->type->shaped.element));
  }
  uint64_t address = 0;
  memcpy(&address, hd_tensor_data(value), value->buffer->size < 8 ? value->buffer->size : 8);
  return address;
}

hd_status hd_call_bytes(hd_eval_frame *frame, uint64_t address, size_t count, char **out) {
  *out = NULL;
  if (!count) return HD_STATUS_OK;
  hd_storage *storage = hd_storage_find(frame, address);
  if (!storage) return hd_make_status(HD_INVALID_ARGUMENT, "uses an address that is in no live buffer");
  uint64_t offset = address - (uint64_t)(uintptr_t)storage->data;
  if (count > storage->size - offset)
    return hd_make_status(HD_INVALID_ARGUMENT, "reaches %zu bytes into a buffer of %zu", (size_t)offset + count,
                          storage->size);
  *out = storage->data + offset;
  return HD_STATUS_OK;
}

hd_status hd_call_bytes_to(hd_eval_frame *frame, uint64_t address, size_t count, char **out) {
  HD_TRY(hd_call_bytes(frame, address, count, out));
  return count ? hd_storage_write(frame, hd_storage_find(frame, address)) : HD_STATUS_OK;
}

hd_status hd_call_text(hd_eval_frame *frame, const hd_tensor *pointer, hd_str *out) {
  uint64_t address = hd_call_address(pointer);
  hd_storage *storage = hd_storage_find(frame, address);
  const char *text = storage ? storage->data + (address - (uint64_t)(uintptr_t)storage->data) : NULL;
  const char *end = text ? memchr(text, 0, storage->size - (size_t)(text - storage->data)) : NULL;
  if (!end) return hd_make_status(HD_INVALID_ARGUMENT, "expected the address of a name");
  *out = (hd_str){text, (size_t)(end - text)};
  return HD_STATUS_OK;
}

hd_type hd_call_element(hd_context *context, int64_t number) {
  return number < 0 || number > HD_ELEMENT_TYPE_LIMIT ? NULL : hd_type_of_element(context, (hd_element_type)number);
}

hd_op *hd_kernel_at(hd_op *from, int64_t index) {
  hd_op *module = from;
  while (hd_op_parent(module)) module = hd_op_parent(module);
  hd_for_each_op(op, hd_op_region(module, 0)->first)
    if (hd_discardable_kernel(op) && index-- == 0) return op;
  return NULL;
}

hd_status hd_kernel_word(hd_eval_frame *frame, hd_type type, uint64_t word, hd_tensor *out) {
  if (hd_type_is(type, HD_TYPE_MEMREF)) return hd_memref_at(frame, type, word, NULL, out);
  HD_TRY(hd_eval_value(frame, type, out));
  memcpy(hd_tensor_data(out), &word, out->buffer->size < 8 ? out->buffer->size : 8);
  return HD_STATUS_OK;
}

hd_status hd_kernel_operand(hd_eval_frame *frame, hd_type type, const hd_tensor *value, hd_tensor *out) {
  if (value->type == type) {
    *out = hd_tensor_retain(*value);
    return HD_STATUS_OK;
  }
  if (!hd_type_is(type, HD_TYPE_MEMREF) || !hd_is_memref(value))
    return hd_kernel_word(frame, type, hd_call_address(value), out);
  const hd_memref *m = hd_memref_of(value);
  if (type->shaped.rank == value->type->shaped.rank && type->shaped.rank != 1)
    return hd_memref_create(frame, type, m->storage, m->base, m->offset, m->dims, hd_memref_strides(value), out);
  return hd_memref_at(frame, type, hd_call_address(value), NULL, out);
}

hd_status hd_kernel_type(hd_op *function, hd_type *out) {
  hd_attr type = function ? hd_function_like_function_type(function) : NULL;
  if (!hd_attr_is(type, HD_ATTR_TYPE) || !hd_type_is(type->type_value, HD_TYPE_FUNCTION))
    return hd_make_status(HD_NOT_FOUND, "there is no such kernel");
  *out = type->type_value;
  return HD_STATUS_OK;
}

hd_status hd_kernel_run(hd_eval_frame *frame, hd_op *kernel, hd_type type, hd_tensor *args, int64_t begin,
                        int64_t end) {
  uint32_t n = type->function.in_count;
  HD_TRY(hd_kernel_word(frame, type->function.ins[n - 2], (uint64_t)begin, &args[n - 2]));
  HD_TRY(hd_kernel_word(frame, type->function.ins[n - 1], (uint64_t)end, &args[n - 1]));
  hd_status status = hd_eval_call(frame, kernel, args, n, NULL);
  hd_tensor_release(&args[n - 2]);
  hd_tensor_release(&args[n - 1]);
  return status;
}
