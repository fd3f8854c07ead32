/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor descriptors: a tensor in global memory, of which blocks are moved. Elements outside of the tensor are loaded
 * as padding and never stored. In memory a descriptor is the bytes of its value. */
#include <math.h>
#include <string.h>

#include "eval/machine/arith_ops.h"
#include "eval/tile/memory.h"
#include "ir/ops/tt.h"
#include "ir/ops/ttng.h"

enum { DIMS = 5, MAGIC = 0x7d5c };

typedef struct descriptor {
  uint32_t magic, rank;
  uint64_t base;
  int64_t padding;                   /* hd_enum_tt_padding_option */
  int64_t dims[DIMS], strides[DIMS]; /* strides in bytes */
} descriptor;
_Static_assert(sizeof(descriptor) <= 128, "a descriptor in memory has 128 bytes");

static hd_status value_of(hd_eval_frame *frame, hd_type type, const descriptor *d, hd_tensor *out) {
  HD_TRY(hd_tensor_buffer_create(hd_frame_heap(frame), sizeof *d, &out->buffer));
  memcpy(out->buffer->data, d, sizeof *d);
  out->type = type;
  return HD_STATUS_OK;
}

static const descriptor *descriptor_of(const hd_tensor *value) {
  return (const descriptor *)(const void *)value->buffer->data;
}

static hd_type element_of(const hd_tensor *value) { return hd_tensordesc_block(value->type)->shaped.element; }

HD_EVAL_HOOK(tt_make_tensor_descriptor) {
  hd_type type = hd_result_type(op, 0);
  uint32_t rank = (op->operand_count - 1) / 2;
  int64_t bytes = (int64_t)hd_type_element_bytes(hd_tensordesc_block(type)->shaped.element);
  descriptor d = {MAGIC, rank, hd_pointer_at(&in[0], 0), hd_tt_make_tensor_descriptor_padding(op), {0}, {0}};
  if (rank > DIMS) return hd_make_status(HD_INVALID_ARGUMENT, "expected at most %d dims, got %u", DIMS, rank);
  for (uint32_t i = 0; i < rank; ++i) {
    d.dims[i] = hd_eval_int(&in[1 + i]);
    if (__builtin_mul_overflow(hd_eval_int(&in[1 + rank + i]), bytes, &d.strides[i]))
      return hd_make_status(HD_INVALID_ARGUMENT, "stride %u overflows", i);
  }
  return value_of(frame, type, &d, out);
}

/* Sizes and strides of a descriptor in memory go from the innermost dim out; the innermost stride is an element. */
HD_EVAL_HOOK(ttng_tensormap_create) {
  hd_type pointee = hd_type_pointee(in[1].type);
  uint32_t first, rank, strides, stride_count;
  hd_op_operand_range(op, 3, &first, &rank);
  hd_op_operand_range(op, 4, &strides, &stride_count);
  if (!pointee || !rank || rank > DIMS || stride_count + 1 < rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected 1 to %d dims and a stride for all but one", DIMS);
  descriptor d = {MAGIC, rank, hd_pointer_at(&in[1], 0), 0, {0}, {0}};
  d.padding = hd_ttng_tensormap_create_fill_mode(op) ? HD_TT_PADDING_OPTION_NAN : HD_TT_PADDING_OPTION_ZERO;
  for (uint32_t i = 0; i < rank; ++i) {
    uint32_t dim = rank - 1 - i;
    d.dims[dim] = hd_eval_int(&in[first + i]);
    d.strides[dim] = i ? hd_eval_int(&in[strides + i - 1]) : (int64_t)hd_type_element_bytes(hd_type_element(pointee));
  }
  hd_global_access access = {.frame = frame, .verb = "writes", .bytes = 8, .writes = true};
  char *to;
  HD_TRY(hd_global_address(&access, hd_pointer_at(&in[0], 0) + 120, 0, &to)); /* all of its 128 bytes */
  HD_TRY(hd_global_address(&access, hd_pointer_at(&in[0], 0), 0, &to));
  memcpy(to, &d, sizeof d);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(ttng_reinterpret_tensor_descriptor) {
  hd_global_access access = {.frame = frame, .verb = "reads", .bytes = 8};
  descriptor d;
  char *from;
  HD_TRY(hd_global_address(&access, hd_pointer_at(&in[0], 0) + 120, 0, &from));
  HD_TRY(hd_global_address(&access, hd_pointer_at(&in[0], 0), 0, &from));
  memcpy(&d, from, sizeof d);
  if (d.magic != MAGIC || !d.rank || d.rank > DIMS)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected the address of a descriptor");
  return value_of(frame, hd_result_type(op, 0), &d, out);
}

/* ---- blocks ---- */

typedef struct block {
  hd_global_access access;
  const descriptor *d;
  hd_type element;
  uint32_t rank; /* of the block, whose dims are the descriptor's last */
  const int64_t *dims;
  int64_t start[DIMS];
  const hd_tensor *rows; /* indices of dim 0; null: from |start| on */
} block;

static hd_status block_of(hd_eval_frame *frame, const hd_tensor *desc, const hd_tensor *coordinates, uint32_t count,
                          hd_type moved, uint32_t rank, const int64_t *dims, const char *verb, block *out) {
  const descriptor *d = descriptor_of(desc);
  hd_type element = element_of(desc);
  *out = (block){
      .access = {.frame = frame, .verb = verb, .bytes = hd_type_element_bytes(element), .writes = verb[0] != 'l'},
      .d = d,
      .element = element,
      .rank = rank,
      .dims = dims};
  if (element != moved || hd_class_of(element) == HD_CLASS_NONE)
    return hd_make_status(HD_INVALID_ARGUMENT, "moves elements of another type than the tensor's");
  if (count != d->rank || rank > d->rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %u indices of a block of at most as many dims, got %u and %u",
                          d->rank, count, rank);
  for (uint32_t i = 0; i < count; ++i) out->start[i] = hd_eval_int(&coordinates[i]);
  return HD_STATUS_OK;
}

/* Rows of a matrix by their numbers. */
static hd_status rows_of(hd_eval_frame *frame, const hd_tensor *desc, const hd_tensor *rows, const hd_tensor *column,
                         hd_type moved, uint32_t rank, const int64_t *dims, const char *verb, block *out) {
  const hd_tensor zero_row[2] = {*column, *column};
  HD_TRY(block_of(frame, desc, zero_row, 2, moved, rank, dims, verb, out));
  if (rank != 2 || (int64_t)hd_lanes_of(rows->type) != dims[0])
    return hd_make_status(HD_INVALID_ARGUMENT, "expected as many row numbers as the block has rows");
  out->rows = rows;
  return HD_STATUS_OK;
}

/* The memory of element |index| of the block; null where the tensor has none. */
static hd_status element_at(block *b, const int64_t *index, size_t lane, char **out) {
  uint32_t lead = b->d->rank - b->rank;
  uint64_t address = b->d->base;
  *out = NULL;
  for (uint32_t i = 0; i < b->d->rank; ++i) {
    int64_t at = b->start[i] + (i < lead ? 0 : index[i - lead]);
    if (b->rows && i == 0)
      at = hd_element_load(hd_type_element(b->rows->type),
                           (const char *)hd_tensor_data(b->rows) +
                               (size_t)index[0] * hd_type_element_bytes(hd_type_element(b->rows->type)));
    if (at < 0 || at >= b->d->dims[i]) return HD_STATUS_OK;
    address += (uint64_t)at * (uint64_t)b->d->strides[i];
  }
  return hd_global_address(&b->access, address, lane, out);
}

static hd_status load_block(block *b, hd_tensor *out) {
  int64_t index[HD_MAX_RANK] = {0};
  size_t lane = 0, bytes = b->access.bytes;
  double missing = b->d->padding == HD_TT_PADDING_OPTION_NAN ? NAN : 0;
  do {
    char *from, *to = (char *)hd_tensor_data(out) + lane * bytes;
    HD_TRY(element_at(b, index, lane++, &from));
    if (from)
      memcpy(to, from, bytes);
    else if (hd_class_of(b->element) == HD_CLASS_FLOAT)
      hd_store_doubles(b->element, to, 1, &missing);
    else
      memset(to, 0, bytes);
  } while (hd_index_next(b->rank, b->dims, index));
  return HD_STATUS_OK;
}

/* |combination|: with what is there; UNREGISTERED: it is replaced. */
static hd_status store_block(block *b, const hd_tensor *value, hd_opcode combination) {
  int64_t index[HD_MAX_RANK] = {0};
  size_t lane = 0, bytes = b->access.bytes;
  do {
    char *to;
    const char *from = (const char *)hd_tensor_data(value) + lane * bytes;
    HD_TRY(element_at(b, index, lane++, &to));
    if (to && combination != HD_OP_UNREGISTERED)
      HD_TRY(hd_eval_combine(combination, b->element, to, from, to));
    else if (to)
      memcpy(to, from, bytes);
  } while (hd_index_next(b->rank, b->dims, index));
  return HD_STATUS_OK;
}

static hd_status combination_of(hd_enum_tt_descriptor_reduce_kind kind, hd_type element, hd_opcode *out) {
  bool real = hd_class_of(element) == HD_CLASS_FLOAT;
  switch (kind) {
#define CASE(kind, floats, ints)                             \
  case HD_TT_DESCRIPTOR_REDUCE_KIND_##kind:                  \
    *out = real ? HD_OP_arith_##floats : HD_OP_arith_##ints; \
    return HD_STATUS_OK;
    CASE(ADD, addf, addi)
    CASE(MIN, minnumf, minsi)
    CASE(MAX, maxnumf, maxsi)
    CASE(AND, andi, andi)
    CASE(OR, ori, ori)
    CASE(XOR, xori, xori)
#undef CASE
    case HD_TT_DESCRIPTOR_REDUCE_KIND_INC:
    case HD_TT_DESCRIPTOR_REDUCE_KIND_DEC:
      break;
  }
  return hd_make_status(HD_UNIMPLEMENTED, "counts in memory, which the evaluator does not");
}

HD_EVAL_HOOK(tt_descriptor_load) {
  block b;
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  HD_TRY(block_of(frame, &in[0], in + 1, op->operand_count - 1, hd_tensor_element(out), hd_tensor_rank(out),
                  hd_tensor_dims(out), "loads", &b));
  return load_block(&b, out);
}

static hd_status store_at(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_opcode combination) {
  block b;
  HD_TRY(block_of(frame, &in[0], in + 2, op->operand_count - 2, hd_tensor_element(&in[1]), hd_tensor_rank(&in[1]),
                  hd_tensor_dims(&in[1]), "stores", &b));
  return store_block(&b, &in[1], combination);
}

HD_EVAL_HOOK(tt_descriptor_store) { return store_at(frame, op, in, HD_OP_UNREGISTERED); }

HD_EVAL_HOOK(tt_descriptor_reduce) {
  hd_opcode combination;
  HD_TRY(combination_of(hd_tt_descriptor_reduce_kind(op), element_of(&in[0]), &combination));
  return store_at(frame, op, in, combination);
}

HD_EVAL_HOOK(tt_descriptor_gather) {
  block b;
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  HD_TRY(rows_of(frame, &in[0], &in[1], &in[2], hd_tensor_element(out), hd_tensor_rank(out), hd_tensor_dims(out),
                 "loads", &b));
  return load_block(&b, out);
}

HD_EVAL_HOOK(tt_descriptor_scatter) {
  block b;
  HD_TRY(rows_of(frame, &in[0], &in[1], &in[2], hd_tensor_element(&in[3]), hd_tensor_rank(&in[3]),
                 hd_tensor_dims(&in[3]), "stores", &b));
  return store_block(&b, &in[3], HD_OP_UNREGISTERED);
}

/* ---- the same between global and shared memory, done at once ---- */

/* Loads block |b| into |to| and counts its bytes for |barrier|. */
static hd_status load_shared(hd_eval_frame *frame, block *b, const hd_tensor *barrier, const hd_tensor *to) {
  hd_tensor loaded = {0};
  HD_TRY(hd_eval_tensor(frame, b->element, b->rank, b->dims, &loaded));
  hd_status status = load_block(b, &loaded);
  if (hd_is_ok(status)) status = hd_shared_write(to, &loaded);
  if (hd_is_ok(status)) status = hd_barrier_bytes(barrier, (int64_t)loaded.buffer->size);
  hd_tensor_release(&loaded);
  return status;
}

HD_EVAL_HOOK(ttng_async_tma_copy_global_to_local) {
  uint32_t count = op->operand_count - 4;
  const hd_tensor *barrier = &in[1 + count], *to = &in[2 + count];
  hd_memdesc m = hd_memdesc_of(to->type);
  block b;
  if (!hd_eval_int(&in[3 + count])) return HD_STATUS_OK;
  HD_TRY(block_of(frame, &in[0], in + 1, count, m.element, m.rank, m.dims, "loads", &b));
  return load_shared(frame, &b, barrier, to);
}

HD_EVAL_HOOK(ttng_async_tma_gather) {
  hd_memdesc m = hd_memdesc_of(in[4].type);
  block b;
  if (!hd_eval_int(&in[5])) return HD_STATUS_OK;
  HD_TRY(rows_of(frame, &in[0], &in[1], &in[2], m.element, m.rank, m.dims, "loads", &b));
  return load_shared(frame, &b, &in[3], &in[4]);
}

static hd_status store_shared(hd_eval_frame *frame, block *b, const hd_tensor *from, hd_opcode combination) {
  hd_tensor value = {0};
  HD_TRY(hd_shared_read(frame, from, &value));
  hd_status status = store_block(b, &value, combination);
  hd_tensor_release(&value);
  return status;
}

static hd_status copy_out(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_opcode combination) {
  const hd_tensor *from = &in[op->operand_count - 1];
  hd_memdesc m = hd_memdesc_of(from->type);
  block b;
  HD_TRY(block_of(frame, &in[0], in + 1, op->operand_count - 2, m.element, m.rank, m.dims, "stores", &b));
  return store_shared(frame, &b, from, combination);
}

HD_EVAL_HOOK(ttng_async_tma_copy_local_to_global) { return copy_out(frame, op, in, HD_OP_UNREGISTERED); }

HD_EVAL_HOOK(ttng_async_tma_reduce) {
  hd_opcode combination;
  HD_TRY(combination_of(hd_ttng_async_tma_reduce_kind(op), element_of(&in[0]), &combination));
  return copy_out(frame, op, in, combination);
}

HD_EVAL_HOOK(ttng_async_tma_scatter) {
  hd_memdesc m = hd_memdesc_of(in[3].type);
  block b;
  HD_TRY(rows_of(frame, &in[0], &in[1], &in[2], m.element, m.rank, m.dims, "stores", &b));
  return store_shared(frame, &b, &in[3], HD_OP_UNREGISTERED);
}
