/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/machine/program.h"

#include <string.h>

#include "base/vec.h"
#include "ir/ops/discardable.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "ir/tile_types.h"

static hd_program_io *io_of(hd_eval_frame *frame) { return &frame->evaluator->io; }

/* ---- what a caller gives and gets ---- */

static hd_type index_as_i64(hd_type element) {
  return hd_type_is(element, HD_TYPE_INDEX) ? hd_i64(element->context) : element;
}

/* The tensor type that a caller has for a value of |type|; null: there is none. */
static hd_type port_of(hd_type type) {
  int64_t none = 0;
  hd_type element = hd_type_element(type);
  if (hd_type_is_token(type)) return hd_type_tensor(hd_i1(type->context), &none, 1, NULL);
  if (hd_type_is_pointer(type)) { /* a buffer of any size */
    int64_t any = HD_DYNAMIC;
    return hd_type_bits(hd_type_pointee(type)) ? hd_type_tensor(hd_type_pointee(type), &any, 1, NULL) : NULL;
  }
  if (hd_type_is(type, HD_TYPE_UNRANKED_TENSOR)) return hd_type_with_element(type, index_as_i64(element));
  if (hd_type_has_rank(type))
    return hd_type_tensor(index_as_i64(element), type->shaped.dims, type->shaped.rank,
                          hd_type_is(type, HD_TYPE_TENSOR) ? type->shaped.encoding : NULL);
  return element == type && hd_type_bits(type) ? hd_type_tensor(index_as_i64(type), NULL, 0, NULL) : NULL;
}

typedef struct port_list {
  hd_arena *arena;
  hd_vec(hd_type) types;
} port_list;

static void add_port(port_list *l, hd_type type, uint32_t at) {
  while (l->types.len <= at) hd_vec_push(l->arena, &l->types, NULL);
  l->types.data[at] = port_of(type);
}

typedef struct host_ports {
  port_list list;
  const char *call; /* whose first operand is the number of the input or output */
} host_ports;

static bool find_ports(hd_op *op, void *user) {
  host_ports *p = user;
  if (!hd_op_is(op, HD_OP_hd_ral_call) || !hd_str_starts(hd_hd_ral_call_api(op), p->call)) return true;
  int64_t at = op->operand_count ? hd_attr_int_or(hd_value_constant(hd_operand(op, 0)), -1) : -1;
  hd_type type = op->result_count        ? hd_result_type(op, 0)
                 : op->operand_count > 1 ? hd_operand_type(op, op->operand_count - 1)
                                         : NULL;
  if (type && at >= 0 && at < UINT16_MAX) add_port(&p->list, type, (uint32_t)at);
  return true;
}

/* Is an argument of |type| memory of the caller's? */
static bool is_memory(hd_type type) { return hd_type_is(type, HD_TYPE_MEMREF) || hd_type_is_pointer(type); }

/* A function that returns memrefs gives its results in them; the memory that another one takes is its result too. */
static bool gives_arguments(hd_type function) {
  for (uint32_t i = 0; i < function->function.out_count; ++i)
    if (hd_type_is(function->function.outs[i], HD_TYPE_MEMREF)) return false;
  return true;
}

uint32_t hd_program_ports(hd_op *entry, bool results, bool buffers_are_results, hd_arena *arena, hd_type **out_types) {
  hd_attr attr = hd_function_like_function_type(entry);
  hd_type function = hd_attr_is(attr, HD_ATTR_TYPE) ? attr->type_value : NULL;
  host_ports p = {{.arena = arena}, results ? "ral_send_output" : "ral_recv_input"};
  if (hd_discardable_host(entry)) {
    hd_walk_pre(entry, find_ports, &p);
  } else if (hd_type_is(function, HD_TYPE_FUNCTION)) {
    uint32_t count = results ? function->function.out_count : function->function.in_count;
    for (uint32_t i = 0; i < count; ++i) {
      hd_type type = results ? function->function.outs[i] : function->function.ins[i];
      hd_type *leaves = hd_new_array(arena, hd_type, hd_type_leaves(type, NULL) + 1);
      uint32_t n = hd_type_leaves(type, leaves);
      for (uint32_t k = 0; k < n; ++k) add_port(&p.list, leaves[k], (uint32_t)p.list.types.len);
    }
    bool more = results && buffers_are_results && gives_arguments(function);
    for (uint32_t i = 0; more && i < function->function.in_count; ++i)
      if (is_memory(function->function.ins[i]))
        add_port(&p.list, function->function.ins[i], (uint32_t)p.list.types.len);
  }
  *out_types = p.list.types.data;
  return (uint32_t)p.list.types.len;
}

/* |tensor| in memory of its own that the program may not free. */
static hd_status lend(hd_eval_frame *frame, hd_type type, const hd_tensor *tensor, hd_op *origin, bool writable,
                      hd_tensor *out) {
  if (!hd_type_is(type, HD_TYPE_MEMREF) || !hd_tensor_is_tensor(tensor) ||
      type->shaped.rank != hd_tensor_rank(tensor) ||
      hd_type_element_bytes(type->shaped.element) != hd_tensor_element_bytes(tensor))
    return hd_make_status(HD_INVALID_ARGUMENT, "an argument does not fit its buffer");
  HD_TRY(hd_memref_allocate(frame, type, hd_tensor_dims(tensor), origin, false, out));
  hd_storage *storage = hd_memref_of(out)->storage;
  memcpy(storage->data, hd_tensor_data(tensor), tensor->buffer->size);
  storage->lent = true;
  storage->writable = writable;
  return HD_STATUS_OK;
}

/* A pointer of |type| to |tensor|, in memory of its own that the program may write. */
static hd_status lend_pointer(hd_eval_frame *frame, hd_type type, const hd_tensor *tensor, hd_op *origin,
                              hd_tensor *out) {
  hd_storage *storage;
  if (!hd_tensor_is_tensor(tensor) || hd_tensor_element(tensor) != hd_type_pointee(type))
    return hd_make_status(HD_INVALID_ARGUMENT, "an argument does not fit its pointer");
  HD_TRY(hd_storage_create(frame, tensor->buffer->size, origin, false, &storage));
  memcpy(storage->data, hd_tensor_data(tensor), tensor->buffer->size);
  storage->lent = storage->writable = true;
  storage->shape = tensor->type;
  return hd_eval_pointer(frame, type, (uint64_t)(uintptr_t)storage->data, out);
}

hd_status hd_program_input(hd_eval_frame *frame, int64_t index, hd_op *op, hd_tensor *out) {
  hd_program_io *io = io_of(frame);
  if (index < 0 || (uint64_t)index >= io->input_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "there is no input %lld", (long long)index);
  return lend(frame, hd_result_type(op, 0), &io->inputs[index], op, false, out);
}

hd_status hd_program_output(hd_eval_frame *frame, int64_t index, const hd_tensor *memref) {
  hd_program_io *io = io_of(frame);
  if (index < 0 || (uint64_t)index >= io->output_count || !hd_is_memref(memref))
    return hd_make_status(HD_INVALID_ARGUMENT, "there is no output %lld", (long long)index);
  if (io->outputs[index].type)
    return hd_make_status(HD_INVALID_ARGUMENT, "output %lld is sent twice", (long long)index);
  io->writers[index] = hd_memref_of(memref)->storage->writer;
  return hd_memref_read(frame, memref, &io->outputs[index]);
}

/* Buffers that are the program's to free. */
static size_t owned_buffers(hd_eval_frame *frame) {
  hd_memory *memory = hd_frame_memory(frame);
  size_t owned = 0;
  for (size_t i = 0; i < memory->storages.len; ++i) owned += !memory->storages.data[i]->lent;
  return owned;
}

/* |arg| as a value of |declared|: of a quantized type it is the storage itself, once a pass has said so; what is index
 * to the program is i64 to its caller; scalars and vectors have the same bytes as tensors. */
static hd_tensor argument_as(hd_type declared, const hd_tensor *arg) {
  hd_tensor own = hd_tensor_retain(*arg);
  hd_type element = hd_type_element(declared);
  bool stored = hd_type_is(hd_tensor_element(arg), HD_TYPE_QUANT) && hd_type_is(element, HD_TYPE_INTEGER);
  if (!stored && index_as_i64(element) != hd_tensor_element(arg)) return own; /* refused when it is bound */
  own.type = hd_type_is_tensor(declared) ? hd_type_with_element(own.type, element) : declared;
  return own;
}

/* What the caller has given and not been taken yet; what it gets. */
typedef struct hand_over {
  hd_op *entry;
  bool writable; /* memrefs that the program takes */
  const hd_tensor *next;
  hd_tensor *results;
  hd_op **writers;
} hand_over;

static hd_status take(hd_eval_frame *frame, hd_type declared, hand_over *h, hd_tensor *out) {
  if (hd_type_is(declared, HD_TYPE_TUPLE)) {
    hd_tensor *elements;
    uint32_t count = declared->function.in_count;
    HD_TRY(hd_eval_temp(frame, count + 1, sizeof *elements, &elements));
    for (uint32_t i = 0; i < count; ++i) HD_TRY(take(frame, declared->function.ins[i], h, &elements[i]));
    return hd_tensor_create_tuple(hd_frame_heap(frame), declared, elements, count, out);
  }
  const hd_tensor *arg = h->next++;
  if (hd_type_is_token(declared))
    *out = (hd_tensor){.type = declared};
  else if (hd_type_is(declared, HD_TYPE_MEMREF))
    return lend(frame, declared, arg, h->entry, h->writable, out);
  else if (hd_type_is_pointer(declared))
    return lend_pointer(frame, declared, arg, h->entry, out);
  else
    *out = argument_as(declared, arg);
  return HD_STATUS_OK;
}

static hd_status give(hd_eval_frame *frame, const hd_tensor *value, hand_over *h) {
  if (hd_type_is(value->type, HD_TYPE_TUPLE)) {
    for (uint32_t i = 0; i < value->type->function.in_count; ++i) HD_TRY(give(frame, hd_tuple_get(value, i), h));
    return HD_STATUS_OK;
  }
  hd_tensor *out = h->results++;
  hd_op **writer = h->writers++;
  hd_type port = port_of(value->type);
  if (hd_type_is_token(value->type)) return hd_tensor_create(hd_frame_heap(frame), port, out);
  if (hd_is_memref(value)) {
    *writer = hd_memref_of(value)->storage->writer;
    HD_TRY(hd_memref_read(frame, value, out));
  } else if (hd_type_is_pointer(value->type)) {
    hd_storage *storage = hd_storage_find(frame, (uint64_t)hd_element_load(value->type, hd_tensor_data(value)));
    if (!storage || !storage->shape) return hd_make_status(HD_UNIMPLEMENTED, "a result is a pointer");
    HD_TRY(hd_tensor_create(hd_frame_heap(frame), storage->shape, out));
    memcpy(hd_tensor_data(out), storage->data, out->buffer->size);
    return HD_STATUS_OK;
  } else {
    *out = hd_tensor_retain(*value);
  }
  if (!port) return hd_make_status(HD_UNIMPLEMENTED, "a result is no tensor");
  if (!hd_tensor_is_tensor(out) || hd_type_is(hd_tensor_element(out), HD_TYPE_INDEX))
    out->type = hd_tensor_is_tensor(out) ? port_of(out->type) : port;
  return HD_STATUS_OK;
}

/* |entry| once per program of the grid, one after the other, the first index innermost. */
static hd_status run_programs(hd_eval_frame *frame, hd_op *entry, const hd_tensor *args, uint32_t count) {
  const int64_t *grid = hd_frame_options(frame)->grid;
  hd_thread thread = {.threads = {1, 1, 1}};
  const hd_thread *outer = frame->thread;
  hd_status status = HD_STATUS_OK;
  for (int i = 0; i < 3; ++i) {
    thread.blocks[i] = grid[i] ? grid[i] : 1;
    if (thread.blocks[i] < 1 || thread.blocks[i] > INT32_MAX)
      return hd_make_status(HD_INVALID_ARGUMENT, "a grid of %lld programs along dim %d", (long long)grid[i], i);
  }
  if (hd_function_result_count(entry))
    return hd_make_status(HD_INVALID_ARGUMENT, "gives results, which a program of a grid does not");
  frame->thread = &thread;
  do {
    status = hd_eval_call(frame, entry, args, count, NULL);
    if (hd_is_ok(status)) status = hd_eval_poll(frame);
    for (int i = 0; i < 3; ++i) {
      if (++thread.block[i] < thread.blocks[i]) break;
      thread.block[i] = i == 2 ? -1 : 0;
    }
  } while (hd_is_ok(status) && thread.block[2] >= 0);
  frame->thread = outer;
  return status;
}

hd_status hd_eval_program(hd_eval_frame *frame, hd_op *entry, const hd_tensor *args, size_t arg_count,
                          hd_tensor *results, size_t result_count) {
  hd_attr attr = hd_function_like_function_type(entry);
  if (!hd_attr_is(attr, HD_ATTR_TYPE)) return hd_make_status(HD_INVALID_ARGUMENT, "the entry has no function type");
  hd_type type = attr->type_value, *ports;
  hd_program_io *io = io_of(frame);
  hd_arena *arena = hd_frame_arena(frame);
  *io = (hd_program_io){args, arg_count, results, hd_new_array(arena, hd_op *, result_count + 1), result_count};
  if (hd_discardable_host(entry)) {
    hd_tensor context = {0}; /* silent, or the first argument once types are erased */
    uint32_t given = type->function.in_count;
    if (given > 1 || (given && !hd_is_pointer(type->function.ins[0])))
      return hd_make_status(HD_INVALID_ARGUMENT, "the entry has %u arguments, expected the context alone", given);
    if (given) HD_TRY(hd_eval_pointer(frame, type->function.ins[0], 0, &context));
    size_t before = owned_buffers(frame); /* of programs that failed */
    hd_status status = hd_eval_call(frame, entry, &context, given, NULL);
    hd_tensor_release(&context);
    HD_TRY(status);
    for (size_t i = 0; i < result_count; ++i)
      if (!results[i].type) return hd_make_status(HD_INVALID_ARGUMENT, "output %zu was not sent", i);
    size_t left = owned_buffers(frame) - before;
    return left ? hd_make_status(HD_FAILED_PRECONDITION, "the program leaves %zu buffers unfreed", left) : HD_STATUS_OK;
  }
  bool own_buffers = hd_frame_options(frame)->buffers_are_results && gives_arguments(type);
  uint32_t in_count = hd_program_ports(entry, false, own_buffers, arena, &ports),
           out_count = hd_program_ports(entry, true, own_buffers, arena, &ports);
  if (in_count != arg_count || out_count != result_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %u arguments and %u results, got %zu and %zu", in_count,
                          out_count, arg_count, result_count);
  hd_tensor *own, *given;
  HD_TRY(hd_eval_temp(frame, type->function.in_count + 1, sizeof *own, &own));
  HD_TRY(hd_eval_temp(frame, type->function.out_count + 1, sizeof *given, &given));
  hand_over h = {entry, own_buffers, args, results, io->writers};
  for (uint32_t i = 0; i < type->function.in_count; ++i) HD_TRY(take(frame, type->function.ins[i], &h, &own[i]));
  if (hd_op_is(entry, HD_OP_tt_func))
    HD_TRY(run_programs(frame, entry, own, type->function.in_count));
  else
    HD_TRY(hd_eval_call(frame, entry, own, type->function.in_count, given));
  for (uint32_t i = 0; i < type->function.out_count; ++i) HD_TRY(give(frame, &given[i], &h));
  for (uint32_t i = 0; own_buffers && i < type->function.in_count; ++i)
    if (is_memory(own[i].type)) HD_TRY(give(frame, &own[i], &h));
  return HD_STATUS_OK;
}
