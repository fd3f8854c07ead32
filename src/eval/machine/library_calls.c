/* SPDX-License-Identifier: Apache-2.0 */
/* Library calls that are one graph op: the op is made again from the call's descriptor and its hook is run on what is
 * in memory. */
#include <string.h>

#include "eval/graph/process.h"
#include "eval/machine/call_memory.h"
#include "ir/builder.h"
#include "runtime/collectives_abi.h"
#include "runtime/custom_call_abi.h"
#include "runtime/libraries/linalg_abi.h"

enum { MAX_TENSORS = 16 };

/* A graph op in no block. */
typedef struct remade {
  hd_opcode opcode;
  hd_type in[MAX_TENSORS], out[MAX_TENSORS];
  uint64_t in_at[MAX_TENSORS], out_at[MAX_TENSORS];
  uint32_t in_count, out_count;
  const hd_attr_arg *attrs;
  size_t attr_count;
} remade;

static hd_status run(hd_eval_frame *frame, hd_op *op, const remade *r) {
  hd_tensor in[MAX_TENSORS] = {0}, out[MAX_TENSORS] = {0};
  hd_block *block = hd_block_create(op->module); /* its arguments stand for the operands; never run */
  hd_value *operands[MAX_TENSORS];
  hd_op_attr attrs[8];
  HD_ASSERT(r->attr_count <= 8);
  for (uint32_t i = 0; i < r->in_count; ++i) operands[i] = hd_block_add_arg(op->module, block, r->in[i]);
  for (size_t i = 0; i < r->attr_count; ++i)
    attrs[i] = (hd_op_attr){hd_name_ident(hd_frame_context(frame), r->attrs[i].name), r->attrs[i].value};
  const char *name = hd_op_info_of(r->opcode)->name;
  hd_op *graph_op = hd_op_create(op->module, &(hd_op_state){.context = hd_frame_context(frame),
                                                            .loc = op->loc,
                                                            .opcode = r->opcode,
                                                            .name = hd_ident_cstr(hd_frame_context(frame), name),
                                                            .operands = operands,
                                                            .operand_count = r->in_count,
                                                            .result_types = r->out,
                                                            .result_count = r->out_count,
                                                            .attrs = attrs,
                                                            .attr_count = r->attr_count});
  for (uint32_t i = 0; i < r->in_count; ++i) {
    char *from;
    HD_TRY(hd_tensor_create(hd_frame_heap(frame), r->in[i], &in[i]));
    HD_TRY(hd_call_bytes(frame, r->in_at[i], in[i].buffer->size, &from));
    if (from) memcpy(hd_tensor_data(&in[i]), from, in[i].buffer->size);
  }
  HD_TRY(hd_eval_run_graph_op(frame, graph_op, in, out));
  for (uint32_t i = 0; i < r->out_count; ++i) {
    char *to;
    HD_TRY(hd_call_bytes_to(frame, r->out_at[i], out[i].buffer->size, &to));
    if (to) memcpy(to, hd_tensor_data(&out[i]), out[i].buffer->size);
    hd_tensor_release(&out[i]);
  }
  for (uint32_t i = 0; i < r->in_count; ++i) hd_tensor_release(&in[i]);
  return HD_STATUS_OK;
}

/* ---- (stream, a, b, out, element type, descriptor, its words) ---- */

/* |descriptor| is a struct of |expected| words. */
static hd_status descriptor_of(hd_eval_frame *frame, const hd_tensor *in, uint32_t expected, void *descriptor,
                               hd_type *out_element) {
  char *at;
  if (hd_eval_int(&in[6]) != expected)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives a descriptor of %lld words, expected %u",
                          (long long)hd_eval_int(&in[6]), expected);
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[5]), (size_t)expected * 8, &at));
  memcpy(descriptor, at, (size_t)expected * 8);
  *out_element = hd_call_element(hd_frame_context(frame), hd_eval_int(&in[4]));
  hd_number_class class = *out_element ? hd_class_of(*out_element) : HD_CLASS_NONE;
  if (class != HD_CLASS_FLOAT && class != HD_CLASS_COMPLEX)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected floats or complex numbers");
  for (uint32_t i = 0; i < expected; ++i)
    if (((const int64_t *)descriptor)[i] < 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "has a negative word in its descriptor");
  return HD_STATUS_OK;
}

static hd_type tensor(hd_type element, const int64_t *dims, uint32_t rank) {
  return hd_type_tensor(element, dims, rank, NULL);
}

hd_status hd_call_cholesky(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)out;
  hd_cholesky_descriptor f;
  hd_type element;
  HD_TRY(descriptor_of(frame, in, HD_WORDS(hd_cholesky_descriptor), &f, &element));
  hd_type type = tensor(element, (int64_t[]){f.batch, f.n, f.n}, 3);
  hd_attr_arg attrs[] = {{HD_NAME_lower, hd_attr_bool(hd_frame_context(frame), f.lower != 0)}};
  remade r = {
      HD_OP_stablehlo_cholesky, {type}, {type}, {hd_call_address(&in[1])}, {hd_call_address(&in[3])}, 1, 1, attrs, 1};
  return run(frame, op, &r);
}

static hd_attr enum_case(hd_context *context, int row, const char *name) {
  int64_t value = 0;
  hd_enum_case_value(row, hd_str_of(name), &value);
  return hd_attr_enum(context, row, value);
}

hd_status hd_call_triangular_solve(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)out;
  static const char *const transposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  hd_triangular_solve_descriptor f;
  hd_type element;
  hd_context *context = hd_frame_context(frame);
  HD_TRY(descriptor_of(frame, in, HD_WORDS(hd_triangular_solve_descriptor), &f, &element));
  if (f.transpose_a > HD_SOLVE_ADJOINT) return hd_make_status(HD_INVALID_ARGUMENT, "has no such transpose");
  hd_type a = tensor(element, (int64_t[]){f.batch, f.n, f.n}, 3),
          b = tensor(element, (int64_t[]){f.batch, f.rows, f.columns}, 3);
  hd_attr_arg attrs[] = {
      {HD_NAME_left_side, hd_attr_bool(context, f.left_side != 0)},
      {HD_NAME_lower, hd_attr_bool(context, f.lower != 0)},
      {HD_NAME_unit_diagonal, hd_attr_bool(context, f.unit_diagonal != 0)},
      {HD_NAME_transpose_a, enum_case(context, HD_ENUM_stablehlo_transpose, transposes[f.transpose_a])}};
  remade r = {HD_OP_stablehlo_triangular_solve,
              {a, b},
              {b},
              {hd_call_address(&in[1]), hd_call_address(&in[2])},
              {hd_call_address(&in[3])},
              2,
              1,
              attrs,
              4};
  return run(frame, op, &r);
}

hd_status hd_call_fft(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)out;
  static const char *const kinds[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  hd_fft_descriptor f;
  int64_t from[1 + HD_FFT_MAX_AXES], to[1 + HD_FFT_MAX_AXES];
  hd_type element;
  hd_context *context = hd_frame_context(frame);
  HD_TRY(descriptor_of(frame, in, HD_WORDS(hd_fft_descriptor), &f, &element));
  if (f.kind > HD_FFT_REAL_INVERSE || f.axes < 1 || f.axes > HD_FFT_MAX_AXES ||
      hd_class_of(element) != HD_CLASS_COMPLEX)
    return hd_make_status(HD_INVALID_ARGUMENT, "has no such transform");
  uint32_t axes = (uint32_t)f.axes;
  from[0] = to[0] = f.batch;
  memcpy(from + 1, f.lengths, axes * sizeof *f.lengths);
  memcpy(to + 1, f.lengths, axes * sizeof *f.lengths);
  if (f.kind == HD_FFT_REAL_FORWARD) to[axes] = to[axes] ? to[axes] / 2 + 1 : 0;
  if (f.kind == HD_FFT_REAL_INVERSE) from[axes] = from[axes] ? from[axes] / 2 + 1 : 0;
  hd_type real = element->shaped.element;
  hd_attr_arg attrs[] = {{HD_NAME_fft_type, enum_case(context, HD_ENUM_stablehlo_fft_type, kinds[f.kind])},
                         {HD_NAME_fft_length, hd_attr_i64_array(context, f.lengths, axes)}};
  remade r = {HD_OP_stablehlo_fft,
              {tensor(f.kind == HD_FFT_REAL_FORWARD ? real : element, from, axes + 1)},
              {tensor(f.kind == HD_FFT_REAL_INVERSE ? real : element, to, axes + 1)},
              {hd_call_address(&in[1])},
              {hd_call_address(&in[3])},
              1,
              1,
              attrs,
              2};
  return run(frame, op, &r);
}

/* ---- others ---- */

/* (out): the number of this random call */
hd_status hd_call_rng_call(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)op, (void)out;
  uint64_t number = hd_eval_next_call(frame);
  char *to;
  HD_TRY(hd_call_bytes_to(frame, hd_call_address(&in[0]), sizeof number, &to));
  memcpy(to, &number, sizeof number);
  return HD_STATUS_OK;
}

/* (stream, words, word count), as in custom_call_abi.h */
hd_status hd_call_custom_call(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)out;
  const int64_t words = HD_WORDS(hd_custom_call_descriptor), tensor_words = HD_WORDS(hd_custom_call_tensor);
  int64_t count = hd_eval_int(&in[2]);
  hd_custom_call_descriptor f;
  char *at;
  if (count < words || count > INT32_MAX) return hd_make_status(HD_INVALID_ARGUMENT, "gives too few words");
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[1]), (size_t)count * 8, &at));
  memcpy(&f, at, sizeof f);
  if (f.inputs < 0 || f.outputs < 0 || f.inputs > MAX_TENSORS || f.outputs > MAX_TENSORS || f.name_bytes < 0 ||
      f.name_bytes > 1024 || f.attribute_bytes < 0 || f.attribute_bytes > 8 * count)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives words that say nothing");
  int64_t attributes_at = words + (f.name_bytes + 7) / 8, next = attributes_at + (f.attribute_bytes + 7) / 8;
  if (next > count) return hd_make_status(HD_INVALID_ARGUMENT, "gives too few words");
  hd_context *context = hd_frame_context(frame);
  remade r = {.opcode = HD_OP_stablehlo_custom_call, .in_count = (uint32_t)f.inputs, .out_count = (uint32_t)f.outputs};
  for (int64_t i = 0; i < f.inputs + f.outputs; ++i) {
    hd_custom_call_tensor t;
    int64_t dims[HD_MAX_RANK];
    if (next + tensor_words > count) return hd_make_status(HD_INVALID_ARGUMENT, "gives too few words");
    memcpy(&t, at + 8 * next, sizeof t);
    hd_type element = hd_call_element(context, t.type);
    next += tensor_words;
    if (!element || t.rank < 0 || t.rank > HD_MAX_RANK || next + t.rank > count)
      return hd_make_status(HD_INVALID_ARGUMENT, "gives words that say nothing");
    memcpy(dims, at + 8 * next, (size_t)t.rank * 8);
    for (int64_t d = 0; d < t.rank; ++d)
      if (dims[d] < 0) return hd_make_status(HD_INVALID_ARGUMENT, "gives a dim of %lld", (long long)dims[d]);
    next += t.rank;
    bool input = i < f.inputs;
    *(input ? &r.in[i] : &r.out[i - f.inputs]) = tensor(element, dims, (uint32_t)t.rank);
    *(input ? &r.in_at[i] : &r.out_at[i - f.inputs]) = (uint64_t)t.address;
  }
  hd_str name = {at + sizeof f, (size_t)f.name_bytes};
  uint32_t entries = 0; /* of the attributes, which are gone from the program */
  if (f.attribute_bytes >= 4) memcpy(&entries, at + 8 * attributes_at, sizeof entries);
  if (entries) return hd_make_status(HD_UNIMPLEMENTED, "calls '%.*s' with attributes", (int)name.len, name.data);
  hd_attr_arg attrs[] = {{HD_NAME_call_target_name, hd_attr_string(context, name)}};
  r.attrs = attrs;
  r.attr_count = 1;
  return run(frame, op, &r);
}

static hd_status expect_alone(hd_eval_frame *frame) {
  if (!hd_frame_process(frame)->group) return HD_STATUS_OK;
  return hd_make_status(HD_UNIMPLEMENTED, "meets other processes, which the evaluator takes at the graph level alone");
}

/* (stream, in, out, descriptor, its words), with process 0 alone: it gives what it takes, where it is named. */
hd_status hd_call_collective(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)op, (void)out;
  const int64_t words = HD_WORDS(hd_collective_descriptor);
  int64_t count = hd_eval_int(&in[4]);
  hd_collective_descriptor f;
  char *descriptor, *from, *to;
  HD_TRY(expect_alone(frame));
  if (count < words || count > INT32_MAX)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives a descriptor of %lld words", (long long)count);
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[3]), (size_t)count * 8, &descriptor));
  memcpy(&f, descriptor, sizeof f);
  int64_t bytes = f.bytes, kind = f.kind;
  if (bytes < 0 || f.members > 1)
    return hd_make_status(HD_INVALID_ARGUMENT, "expects a group of %lld processes, and the program runs alone",
                          (long long)f.members);
  bool given =
      kind == HD_COLLECTIVE_GATHER || kind == HD_COLLECTIVE_EXCHANGE || (kind != HD_COLLECTIVE_PERMUTE && !f.rows);
  for (int64_t i = words; i < count && !given; ++i) {
    int64_t id;
    memcpy(&id, descriptor + 8 * i, sizeof id);
    bool target = kind != HD_COLLECTIVE_PERMUTE || (i - words) % 2;
    given = id == 0 && target;
  }
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[1]), (size_t)bytes, &from));
  HD_TRY(hd_call_bytes_to(frame, hd_call_address(&in[2]), (size_t)bytes, &to));
  if (given && bytes)
    memmove(to, from, (size_t)bytes);
  else if (bytes)
    memset(to, 0, (size_t)bytes);
  return HD_STATUS_OK;
}

/* (out, partitions, is partition, place) */
hd_status hd_call_process_id(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)op, (void)out;
  uint32_t id = 0;
  char *to;
  HD_TRY(expect_alone(frame));
  HD_TRY(hd_call_bytes_to(frame, hd_call_address(&in[0]), sizeof id, &to));
  memcpy(to, &id, sizeof id);
  return HD_STATUS_OK;
}
