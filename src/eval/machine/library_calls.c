/* SPDX-License-Identifier: Apache-2.0 */
/* Library calls that are one graph op: the op is made again from the call's facts and its hook is run on what lies in
 * memory. */
#include <string.h>

#include "eval/graph/process.h"
#include "eval/machine/call_memory.h"
#include "ir/builder.h"
#include "runtime/collectives_abi.h"

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
  hd_op *twin = hd_op_create(op->module, &(hd_op_state){.context = hd_frame_context(frame),
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
  HD_TRY(hd_eval_run_twin(frame, twin, in, out));
  for (uint32_t i = 0; i < r->out_count; ++i) {
    char *to;
    HD_TRY(hd_call_bytes_to(frame, r->out_at[i], out[i].buffer->size, &to));
    if (to) memcpy(to, hd_tensor_data(&out[i]), out[i].buffer->size);
    hd_tensor_release(&out[i]);
  }
  for (uint32_t i = 0; i < r->in_count; ++i) hd_tensor_release(&in[i]);
  return HD_STATUS_OK;
}

/* ---- (stream, a, b, out, element type, facts, fact count) ---- */

static hd_status facts_of(hd_eval_frame *frame, const hd_tensor *in, int64_t expected, int64_t *facts,
                          hd_type *out_element) {
  char *at;
  if (hd_eval_int(&in[6]) != expected)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %lld facts, expected %lld", (long long)hd_eval_int(&in[6]),
                          (long long)expected);
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[5]), (size_t)expected * 8, &at));
  memcpy(facts, at, (size_t)expected * 8);
  *out_element = hd_call_element(hd_frame_context(frame), hd_eval_int(&in[4]));
  hd_number_class class = *out_element ? hd_class_of(*out_element) : HD_CLASS_NONE;
  if (class != HD_CLASS_FLOAT && class != HD_CLASS_COMPLEX)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected floats or complex numbers");
  for (int64_t i = 0; i < expected; ++i)
    if (facts[i] < 0) return hd_make_status(HD_INVALID_ARGUMENT, "has a negative fact");
  return HD_STATUS_OK;
}

static hd_type tensor(hd_type element, const int64_t *dims, uint32_t rank) {
  return hd_type_tensor(element, dims, rank, NULL);
}

hd_status hd_call_cholesky(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)out;
  int64_t f[3];
  hd_type element;
  HD_TRY(facts_of(frame, in, 3, f, &element));
  hd_type type = tensor(element, (int64_t[]){f[0], f[1], f[1]}, 3);
  hd_attr_arg attrs[] = {{HD_NAME_lower, hd_attr_bool(hd_frame_context(frame), f[2] != 0)}};
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
  int64_t f[8];
  hd_type element;
  hd_context *context = hd_frame_context(frame);
  HD_TRY(facts_of(frame, in, 8, f, &element));
  if (f[7] > 2) return hd_make_status(HD_INVALID_ARGUMENT, "has no such transpose");
  hd_type a = tensor(element, (int64_t[]){f[0], f[1], f[1]}, 3), b = tensor(element, (int64_t[]){f[0], f[2], f[3]}, 3);
  hd_attr_arg attrs[] = {{HD_NAME_left_side, hd_attr_bool(context, f[4] != 0)},
                         {HD_NAME_lower, hd_attr_bool(context, f[5] != 0)},
                         {HD_NAME_unit_diagonal, hd_attr_bool(context, f[6] != 0)},
                         {HD_NAME_transpose_a, enum_case(context, HD_ENUM_stablehlo_transpose, transposes[f[7]])}};
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
  int64_t f[6], from[4], to[4];
  hd_type element;
  hd_context *context = hd_frame_context(frame);
  HD_TRY(facts_of(frame, in, 6, f, &element));
  if (f[0] > 3 || f[1] < 1 || f[1] > 3 || hd_class_of(element) != HD_CLASS_COMPLEX)
    return hd_make_status(HD_INVALID_ARGUMENT, "has no such transform");
  uint32_t axes = (uint32_t)f[1];
  from[0] = to[0] = f[2];
  memcpy(from + 1, f + 3, axes * sizeof *f);
  memcpy(to + 1, f + 3, axes * sizeof *f);
  if (f[0] == 2) to[axes] = to[axes] ? to[axes] / 2 + 1 : 0;
  if (f[0] == 3) from[axes] = from[axes] ? from[axes] / 2 + 1 : 0;
  hd_type real = element->shaped.element;
  hd_attr_arg attrs[] = {{HD_NAME_fft_type, enum_case(context, HD_ENUM_stablehlo_fft_type, kinds[f[0]])},
                         {HD_NAME_fft_length, hd_attr_i64_array(context, f + 3, axes)}};
  remade r = {HD_OP_stablehlo_fft,
              {tensor(f[0] == 2 ? real : element, from, axes + 1)},
              {tensor(f[0] == 3 ? real : element, to, axes + 1)},
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

/* (stream, words, word count), the words as in runtime/custom_call.c */
hd_status hd_call_custom_call(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)out;
  enum { HEAD = 4 };
  int64_t count = hd_eval_int(&in[2]), head[HEAD];
  char *at;
  if (count < HEAD || count > INT32_MAX) return hd_make_status(HD_INVALID_ARGUMENT, "gives too few words");
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[1]), (size_t)count * 8, &at));
  memcpy(head, at, sizeof head);
  if (head[0] < 0 || head[1] < 0 || head[0] > MAX_TENSORS || head[1] > MAX_TENSORS || head[2] < 0 || head[2] > 1024 ||
      head[3] < 0 || head[3] > 8 * count)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives words that say nothing");
  int64_t next = HEAD + (head[2] + 7) / 8 + (head[3] + 7) / 8;
  if (next > count) return hd_make_status(HD_INVALID_ARGUMENT, "gives too few words");
  hd_context *context = hd_frame_context(frame);
  remade r = {.opcode = HD_OP_stablehlo_custom_call, .in_count = (uint32_t)head[0], .out_count = (uint32_t)head[1]};
  for (int64_t i = 0; i < head[0] + head[1]; ++i) {
    int64_t w[3], dims[HD_MAX_RANK];
    if (next + 3 > count) return hd_make_status(HD_INVALID_ARGUMENT, "gives too few words");
    memcpy(w, at + 8 * next, sizeof w);
    hd_type element = hd_call_element(context, w[1]);
    if (!element || w[2] < 0 || w[2] > HD_MAX_RANK || next + 3 + w[2] > count)
      return hd_make_status(HD_INVALID_ARGUMENT, "gives words that say nothing");
    memcpy(dims, at + 8 * (next + 3), (size_t)w[2] * 8);
    for (int64_t d = 0; d < w[2]; ++d)
      if (dims[d] < 0) return hd_make_status(HD_INVALID_ARGUMENT, "gives a dim of %lld", (long long)dims[d]);
    next += 3 + w[2];
    bool input = i < head[0];
    *(input ? &r.in[i] : &r.out[i - head[0]]) = tensor(element, dims, (uint32_t)w[2]);
    *(input ? &r.in_at[i] : &r.out_at[i - head[0]]) = (uint64_t)w[0];
  }
  hd_str name = {at + 8 * HEAD, (size_t)head[2]};
  uint32_t entries = 0; /* of the attributes, which are gone from the program */
  if (head[3] >= 4) memcpy(&entries, at + 8 * (HEAD + (head[2] + 7) / 8), sizeof entries);
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

/* (stream, in, out, facts, fact count), with process 0 alone: it gives what it takes, where it is named. */
hd_status hd_call_collective(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)op, (void)out;
  int64_t count = hd_eval_int(&in[4]), fact[HD_COLLECTIVE_IDS];
  char *facts, *from, *to;
  HD_TRY(expect_alone(frame));
  if (count < HD_COLLECTIVE_IDS || count > INT32_MAX)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %lld facts", (long long)count);
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[3]), (size_t)count * 8, &facts));
  memcpy(fact, facts, sizeof fact);
  int64_t bytes = fact[HD_COLLECTIVE_BYTES], kind = fact[HD_COLLECTIVE_KIND];
  if (bytes < 0 || fact[HD_COLLECTIVE_MEMBERS] > 1)
    return hd_make_status(HD_INVALID_ARGUMENT, "expects a group of %lld processes, and the program runs alone",
                          (long long)fact[HD_COLLECTIVE_MEMBERS]);
  bool given = kind == HD_COLLECTIVE_GATHER || kind == HD_COLLECTIVE_EXCHANGE ||
               (kind != HD_COLLECTIVE_PERMUTE && !fact[HD_COLLECTIVE_ROWS]);
  for (int64_t i = HD_COLLECTIVE_IDS; i < count && !given; ++i) {
    int64_t id;
    memcpy(&id, facts + 8 * i, sizeof id);
    bool target = kind != HD_COLLECTIVE_PERMUTE || (i - HD_COLLECTIVE_IDS) % 2;
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

/* (out, partitions, is partition) */
hd_status hd_call_process_id(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)op, (void)out;
  uint32_t id = 0;
  char *to;
  HD_TRY(expect_alone(frame));
  HD_TRY(hd_call_bytes_to(frame, hd_call_address(&in[0]), sizeof id, &to));
  memcpy(to, &id, sizeof id);
  return HD_STATUS_OK;
}
