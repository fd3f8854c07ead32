/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/eval/program.h"

#include <string.h>

/* |tensor| in memory of its own that the program may not write or free. */
static hd_status lend(hd_eval_frame *frame, hd_type type, const hd_tensor *tensor, hd_op *origin, hd_tensor *out) {
  if (!hd_type_is(type, HD_TYPE_MEMREF) || !hd_tensor_is_tensor(tensor) ||
      type->shaped.rank != hd_tensor_rank(tensor) ||
      hd_type_element_bytes(type->shaped.element) != hd_tensor_element_bytes(tensor))
    return hd_make_status(HD_INVALID_ARGUMENT, "an argument does not fit its buffer");
  HD_TRY(hd_memref_allocate(frame, type, hd_tensor_dims(tensor), origin, false, out));
  hd_storage *storage = hd_memref_of(out)->storage;
  memcpy(storage->data, hd_tensor_data(tensor), tensor->buffer->size);
  storage->lent = true;
  return HD_STATUS_OK;
}

hd_status hd_program_input(hd_eval_frame *frame, int64_t index, hd_op *op, hd_tensor *out) {
  hd_program_io *io = hd_frame_io(frame);
  if (index < 0 || (uint64_t)index >= io->input_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "there is no input %lld", (long long)index);
  return lend(frame, hd_result_type(op, 0), &io->inputs[index], op, out);
}

hd_status hd_program_output(hd_eval_frame *frame, int64_t index, const hd_tensor *memref) {
  hd_program_io *io = hd_frame_io(frame);
  if (index < 0 || (uint64_t)index >= io->output_count || !hd_is_memref(memref))
    return hd_make_status(HD_INVALID_ARGUMENT, "there is no output %lld", (long long)index);
  if (io->outputs[index].type)
    return hd_make_status(HD_INVALID_ARGUMENT, "output %lld is sent twice", (long long)index);
  io->writers[index] = hd_memref_of(memref)->storage->writer;
  return hd_memref_read(frame, memref, &io->outputs[index]);
}

/* Buffers that the program allocated and did not free. */
static hd_status check_freed(hd_eval_frame *frame, hd_op *entry) {
  hd_memory *memory = hd_frame_memory(frame);
  size_t left = 0;
  for (size_t i = 0; i < memory->storages.len; ++i) left += !memory->storages.data[i]->lent;
  if (!left) return HD_STATUS_OK;
  (void)entry;
  return hd_make_status(HD_FAILED_PRECONDITION, "the program leaves %zu buffers unfreed", left);
}

/* An argument as the entry has it: of a quantized type it is the storage itself, once a pass has said so. */
static hd_tensor argument_as(hd_type declared, const hd_tensor *arg) {
  hd_tensor own = hd_tensor_retain(*arg);
  bool stored = hd_tensor_is_tensor(arg) && hd_type_is(hd_tensor_element(arg), HD_TYPE_QUANT) &&
                hd_type_is_tensor(declared) && hd_type_is(declared->shaped.element, HD_TYPE_INTEGER);
  if (stored) own.type = hd_type_with_element(own.type, declared->shaped.element);
  return own;
}

hd_status hd_eval_program(hd_eval_frame *frame, hd_op *entry, const hd_tensor *args, size_t arg_count,
                          hd_tensor *results, size_t result_count) {
  hd_attr attr = hd_op_attr_get(entry, "function_type");
  if (!hd_attr_is(attr, HD_ATTR_TYPE)) return hd_make_status(HD_INVALID_ARGUMENT, "the entry has no function type");
  hd_type type = attr->type_value;
  hd_program_io *io = hd_frame_io(frame);
  *io = (hd_program_io){args, arg_count, results, hd_new_array(hd_frame_arena(frame), hd_op *, result_count + 1),
                        result_count};
  if (hd_op_attr_get(entry, "hd.host")) {
    HD_TRY(hd_eval_call(frame, entry, NULL, 0, NULL));
    for (size_t i = 0; i < result_count; ++i)
      if (!results[i].type) return hd_make_status(HD_INVALID_ARGUMENT, "output %zu was not sent", i);
    return check_freed(frame, entry);
  }
  if (type->function.in_count != arg_count || type->function.out_count != result_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %u arguments and %u results, got %zu and %zu",
                          type->function.in_count, type->function.out_count, arg_count, result_count);
  hd_tensor *own, *given;
  HD_TRY(hd_eval_temp(frame, arg_count + 1, sizeof *own, &own));
  HD_TRY(hd_eval_temp(frame, result_count + 1, sizeof *given, &given));
  for (size_t i = 0; i < arg_count; ++i) {
    if (hd_type_is(type->function.ins[i], HD_TYPE_MEMREF))
      HD_TRY(lend(frame, type->function.ins[i], &args[i], entry, &own[i]));
    else
      own[i] = argument_as(type->function.ins[i], &args[i]);
  }
  HD_TRY(hd_eval_call(frame, entry, own, arg_count, given));
  for (size_t i = 0; i < result_count; ++i) {
    if (hd_is_memref(&given[i])) {
      io->writers[i] = hd_memref_of(&given[i])->storage->writer;
      HD_TRY(hd_memref_read(frame, &given[i], &results[i]));
    } else {
      results[i] = hd_tensor_retain(given[i]);
    }
  }
  return HD_STATUS_OK;
}
