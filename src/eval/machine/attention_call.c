/* SPDX-License-Identifier: Apache-2.0 */
/* ral_attention by its definition: a product, a kernel over all rows, a product, with scores and weights in memory. */
#include <string.h>

#include "eval/machine/library_calls.h"
#include "runtime/libraries/gemm_abi.h"
#include "runtime/libraries/product_abi.h"

/* The operands of the call. */
enum {
  STREAM,
  QUERIES,
  KEYS,
  VALUES,
  OUT,
  DESCRIPTOR,
  FACT_COUNT,
  EPILOGUE,
  WORDS,
  WORD_COUNT,
  ROW,
  ROW_WORDS,
  ROW_WORD_COUNT
};

typedef struct attention {
  hd_attention_descriptor f;
  int64_t rows, keys;
  hd_tensor scores, weights; /* memrefs */
} attention;

static hd_status refuse(const char *what) { return hd_make_status(HD_INVALID_ARGUMENT, "attention: %s", what); }

static hd_status read_descriptor(hd_eval_frame *frame, const hd_tensor *in, attention *a) {
  char *at;
  hd_dot_dim dim;
  int64_t count = hd_eval_int(&in[FACT_COUNT]);
  *a = (attention){.rows = 1, .keys = 1};
  if (count < HD_WORDS(hd_attention_descriptor)) return refuse("too short a descriptor");
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[DESCRIPTOR]), (size_t)count * 8, &at));
  memcpy(&a->f, at, sizeof a->f);
  const hd_attention_descriptor *f = &a->f;
  if (f->row_dims < 0 || f->first_dims < f->row_dims || f->first_dims > 2 * HD_MAX_RANK ||
      f->second_dims < f->row_dims || f->second_dims > 2 * HD_MAX_RANK ||
      count != HD_WORDS(hd_attention_descriptor) + (f->first_dims + f->second_dims) * HD_WORDS(hd_dot_dim))
    return refuse("wrong descriptor");
  for (int64_t i = 0; i < f->first_dims; ++i) {
    memcpy(&dim, at + sizeof a->f + (size_t)i * sizeof dim, sizeof dim);
    bool row = dim.role == HD_GEMM_BATCH || dim.role == HD_GEMM_M;
    if (row != (i < f->row_dims) || dim.size < 0) return refuse("wrong dims");
    if (row && __builtin_mul_overflow(a->rows, dim.size, &a->rows)) return refuse("sizes overflow");
    if (dim.role == HD_GEMM_N && __builtin_mul_overflow(a->keys, dim.size, &a->keys)) return refuse("sizes overflow");
  }
  return HD_STATUS_OK;
}

static hd_status allocate(hd_eval_frame *frame, hd_op *op, const attention *a, hd_type element, hd_tensor *out) {
  int64_t size;
  if (!element) return refuse("no such element type");
  if (__builtin_mul_overflow(a->rows, a->keys, &size) || size > INT64_MAX / 16)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "attention: the scores are too large");
  return hd_memref_allocate(frame, hd_type_memref(element, (int64_t[]){HD_DYNAMIC}, 1, NULL, NULL), &size, op, true,
                            out);
}

static hd_status number(hd_eval_frame *frame, int64_t value, hd_tensor *out) {
  return hd_kernel_word(frame, hd_type_integer(hd_frame_context(frame), 64, HD_SIGNLESS), (uint64_t)value, out);
}

/* ral_dot_general of the |count| dims after |before| others. */
static hd_status product(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, const hd_tensor *const *operands,
                         int64_t types, int64_t before, int64_t count, bool has_epilogue) {
  uint64_t dims =
      hd_call_address(&in[DESCRIPTOR]) + sizeof(hd_attention_descriptor) + (uint64_t)before * sizeof(hd_dot_dim);
  hd_tensor made[4], none, words[10];
  HD_TRY(number(frame, types, &made[0]));
  HD_TRY(hd_eval_pointer(frame, in[STREAM].type, dims, &made[1]));
  HD_TRY(number(frame, count, &made[2]));
  HD_TRY(number(frame, -1, &made[3]));
  HD_TRY(number(frame, 0, &none));
  const hd_tensor *given[] = {&in[STREAM], operands[0],
                              operands[1], operands[2],
                              &made[0],    &made[1],
                              &made[2],    has_epilogue ? &in[EPILOGUE] : &made[3],
                              &in[WORDS],  has_epilogue ? &in[WORD_COUNT] : &none};
  for (int i = 0; i < 10; ++i) words[i] = *given[i]; /* lent */
  hd_status status = hd_call_dot_general(frame, op, words, NULL);
  for (int i = 0; i < 4; ++i) hd_tensor_release(&made[i]);
  hd_tensor_release(&none);
  return status;
}

/* The kernel over all rows, of which all keys count. */
static hd_status run_rows(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, const attention *a) {
  hd_op *kernel = hd_kernel_at(op, hd_eval_int(&in[ROW]));
  hd_type type;
  hd_tensor *args;
  char *at;
  const uint32_t own = HD_WORDS(hd_attention_row_descriptor), keys = HD_WORD(hd_attention_row_descriptor, keys);
  int64_t count = hd_eval_int(&in[ROW_WORD_COUNT]);
  HD_TRY(hd_kernel_type(kernel, &type));
  uint32_t arg_count = type->function.in_count;
  if (count < 0 || arg_count != own + (uint64_t)count + HD_KERNEL_RANGE_ARGS)
    return refuse("wrong words of the kernel over rows");
  HD_TRY(hd_eval_temp(frame, arg_count, sizeof *args, &args));
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[ROW_WORDS]), (size_t)count * 8, &at));
  HD_TRY(hd_kernel_word(frame, type->function.ins[keys], (uint64_t)a->keys, &args[keys]));
  for (int64_t i = 0; i < count; ++i) {
    hd_type to = type->function.ins[own + i];
    uint64_t word;
    memcpy(&word, at + 8 * i, 8);
    if (i == a->f.row_scores || i == a->f.row_weights)
      HD_TRY(hd_kernel_operand(frame, to, i == a->f.row_scores ? &a->scores : &a->weights, &args[own + i]));
    else
      HD_TRY(hd_kernel_word(frame, to, word, &args[own + i]));
  }
  HD_TRY(hd_kernel_run(frame, kernel, type, args, 0, a->rows));
  for (uint32_t i = 0; i < arg_count; ++i) hd_tensor_release(&args[i]);
  return HD_STATUS_OK;
}

static hd_status release(hd_eval_frame *frame, hd_tensor *memory) {
  hd_storage *storage = hd_memref_of(memory)->storage;
  hd_tensor_release(memory);
  return hd_storage_free(frame, storage);
}

/* (stream, queries, keys, values, out, descriptor, descriptor_words, epilogue, words, word_count, row, row_words,
 * row_word_count) */
hd_status hd_call_attention(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)out;
  attention a;
  char *at;
  hd_context *context = hd_frame_context(frame);
  HD_TRY(read_descriptor(frame, in, &a));
  HD_TRY(allocate(frame, op, &a, hd_call_element(context, a.f.scores_type), &a.scores));
  HD_TRY(allocate(frame, op, &a, hd_call_element(context, hd_product_types_of(a.f.second_types).lhs), &a.weights));
  uint64_t scores = hd_call_address(&a.scores);
  if (hd_eval_int(&in[EPILOGUE]) >= 0) {
    if (a.f.epilogue_scores < 0 || a.f.epilogue_scores >= hd_eval_int(&in[WORD_COUNT])) return refuse("wrong words");
    HD_TRY(hd_call_bytes_to(frame, hd_call_address(&in[WORDS]) + (uint64_t)a.f.epilogue_scores * 8, 8, &at));
    memcpy(at, &scores, 8);
  }
  HD_TRY(product(frame, op, in, (const hd_tensor *[]){&in[QUERIES], &in[KEYS], &a.scores}, a.f.first_types, 0,
                 a.f.first_dims, true));
  HD_TRY(run_rows(frame, op, in, &a));
  HD_TRY(product(frame, op, in, (const hd_tensor *[]){&a.weights, &in[VALUES], &in[OUT]}, a.f.second_types,
                 a.f.first_dims, a.f.second_dims, false));
  HD_TRY(release(frame, &a.scores));
  return release(frame, &a.weights);
}
