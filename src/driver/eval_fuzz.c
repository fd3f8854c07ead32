/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a program; what verifies runs on the evaluator, each function on arguments of small numbers, in bounded
 * steps, memory and time. Text is mutated by words as well as by bytes: a number, an element type or a name becomes
 * another, so that many programs still read and disagree with themselves about types, sizes and places. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "driver/session.h"
#include "eval/core/frame.h"
#include "eval/eval.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { UNKNOWN_DIM = 3, MOST_ARGS = 16 };

static void drop(void *user, const char *severity, const char *rendered) { (void)user, (void)severity, (void)rendered; }

/* ---- running ---- */

/* A tensor of |type| whose bytes count up from 0. */
static hd_status argument(hd_evaluator *evaluator, hd_type type, hd_tensor *out) {
  int64_t dims[HD_MAX_RANK];
  if (!hd_type_is(type, HD_TYPE_TENSOR) || type->shaped.rank > HD_MAX_RANK)
    return hd_make_status(HD_UNIMPLEMENTED, "expected a ranked tensor");
  for (uint32_t i = 0; i < type->shaped.rank; ++i)
    dims[i] = type->shaped.dims[i] == HD_DYNAMIC ? UNKNOWN_DIM : type->shaped.dims[i];
  HD_TRY(hd_tensor_create(hd_evaluator_heap(evaluator),
                          hd_type_tensor(type->shaped.element, dims, type->shaped.rank, NULL), out));
  bool narrow = hd_tensor_element_bytes(out) == 1; /* an i1 is 0 or 1 */
  for (size_t i = 0; i < out->buffer->size; ++i) ((uint8_t *)hd_tensor_data(out))[i] = narrow ? i % 2 : (uint8_t)i;
  return HD_STATUS_OK;
}

static hd_status run_function(hd_evaluator *evaluator, hd_module *module, hd_op *function) {
  const hd_block *body = hd_op_region(function, 0)->first;
  size_t count = hd_function_result_count(function);
  hd_tensor args[MOST_ARGS] = {0}, *results = hd_new_array(&module->arena, hd_tensor, count + 1);
  hd_status status = HD_STATUS_OK;
  if (body->arg_count > MOST_ARGS) return status;
  for (uint32_t i = 0; i < body->arg_count && hd_is_ok(status); ++i)
    status = argument(evaluator, body->args[i]->type, &args[i]);
  if (hd_is_ok(status)) {
    status = hd_evaluator_call(evaluator, function, args, body->arg_count, results);
    for (size_t i = 0; i < count && hd_is_ok(status); ++i) hd_tensor_release(&results[i]);
  }
  for (uint32_t i = 0; i < body->arg_count; ++i) hd_tensor_release(&args[i]);
  return status;
}

typedef struct job {
  hd_session session;
  const uint8_t *data;
  size_t size;
  const hd_compile_options *options;
  hd_module *module;
  hd_evaluator *evaluator;
} job;

static hd_status run(void *user) {
  job *j = user;
  HD_TRY(hd_session_load_entry(&j->session, j->data, j->size, "fuzz", j->options, &j->module));
  hd_eval_options options = {.memory_limit = 64u << 20, .step_limit = 20000, .depth_limit = 100, .timeout_s = 1};
  HD_TRY(hd_evaluator_create(j->module, &options, &j->evaluator));
  hd_for_each_op(op, hd_module_body(j->module)) {
    if (!hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE)) || !op->region_count || !hd_op_region(op, 0)->first) continue;
    hd_status status = run_function(j->evaluator, j->module, op);
    bool spent = hd_status_code_of(status) == HD_DEADLINE_EXCEEDED;
    hd_status_ignore(status);
    if (spent) break;
  }
  return HD_STATUS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hd_compile_options options = HD_COMPILE_OPTIONS_INIT;
  options.memory_limit = 256u << 20;
  options.timeout_s = 5;
  job j = {.data = data, .size = size, .options = &options};
  hd_status status = hd_session_open(&j.session, &options, (hd_message_sink){drop, NULL});
  if (status) {
    hd_status_free(status);
    return 0;
  }
  hd_status_ignore(hd_guarded_call(run, &j));
  hd_evaluator_free(j.evaluator);
  if (j.module) hd_module_free(j.module);
  hd_session_close(&j.session);
  return 0;
}

/* ---- mutating ---- */

static const char *const numbers[] = {"0",
                                      "1",
                                      "2",
                                      "3",
                                      "5",
                                      "8",
                                      "17",
                                      "-1",
                                      "-2",
                                      "33",
                                      "64",
                                      "1000",
                                      "65536",
                                      "4000000",
                                      "?",
                                      "1.0",
                                      "-0.5",
                                      "false",
                                      "4294967296",
                                      "9223372036854775807",
                                      "4611686018427387904"};
static const char *const elements[] = {"f32",   "f64",          "f16",          "bf16",         "i1",  "i4",
                                       "i8",    "i16",          "i32",          "i64",          "ui8", "ui32",
                                       "index", "complex<f32>", "f8E4M3FN",     "f8E8M0FNU",    "f80", "i128",
                                       "f128",  "none",         "complex<f64>", "vector<4xf32>"};

static bool in_word(uint8_t c) { return isalnum(c) || c == '_' || c == '.' || c == '%' || c == '@' || c == '-'; }

/* The word at or after a random place: [*start, return). A shape is a word per dim: an 'x' between them ends one. */
static size_t word_at(const uint8_t *data, size_t size, size_t from, size_t *start) {
  while (from < size && !in_word(data[from])) ++from;
  while (from > 0 && from < size && in_word(data[from - 1]) && data[from - 1] != 'x') --from;
  size_t end = from;
  bool number = from < size && (isdigit(data[from]) || data[from] == '-');
  while (end < size && in_word(data[end]) && (!number || data[end] != 'x')) ++end;
  *start = from;
  return end;
}

static bool is_element(const uint8_t *word, size_t length) {
  for (size_t i = 0; i < sizeof elements / sizeof *elements; ++i)
    if (strlen(elements[i]) == length && !memcmp(elements[i], word, length)) return true;
  return false;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
#define NEXT(limit) ((state = state * 6364136223846793005u + 1442695040888963407u) >> 33) % (limit)
  if (!size || NEXT(8) == 0) return LLVMFuzzerMutate(data, size, max_size);
  for (uint64_t times = 1 + NEXT(3); times--;) {
    size_t start, other, end = word_at(data, size, NEXT(size), &start), length = end - start;
    if (!length) continue;
    const char *word;
    char copy[64];
    size_t take;
    if (isdigit(data[start]) || (data[start] == '-' && length > 1)) {
      word = numbers[NEXT(sizeof numbers / sizeof *numbers)];
      take = strlen(word);
    } else if (is_element(data + start, length)) {
      word = elements[NEXT(sizeof elements / sizeof *elements)];
      take = strlen(word);
    } else { /* a name of the same kind from the same text */
      size_t other_end = word_at(data, size, NEXT(size), &other);
      take = other_end - other;
      if (!take || take > sizeof copy || data[other] != data[start]) continue;
      memcpy(copy, data + other, take);
      word = copy;
    }
    if (size - length + take > max_size) continue;
    memmove(data + start + take, data + end, size - end);
    memcpy(data + start, word, take);
    size = size - length + take;
  }
  return size;
#undef NEXT
}
