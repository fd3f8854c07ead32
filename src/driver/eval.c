/* SPDX-License-Identifier: Apache-2.0 */
/* The door of the reference evaluator: host tensors in and out. */
#include "eval/eval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/entry.h"
#include "driver/eval_inputs.h"
#include "driver/session.h"
#include "driver/simt_kernels.h"
#include "eval/machine/program.h"
#include "ir/element_types.h"
#include "runtime/alignment.h"

struct hd_eval_results {
  size_t count;
  hd_host_tensor *tensors; /* each owns its dims and data */
};

size_t hd_eval_results_count(const hd_eval_results *results) { return results ? results->count : 0; }

hd_host_tensor hd_eval_results_get(const hd_eval_results *results, size_t index) {
  return results && index < results->count ? results->tensors[index] : (hd_host_tensor){0};
}

void hd_eval_results_free(hd_eval_results *results) {
  if (!results) return;
  for (size_t i = 0; i < results->count; ++i) {
    free((void *)(uintptr_t)results->tensors[i].dims);
    free((void *)(uintptr_t)results->tensors[i].data);
  }
  free(results->tensors);
  free(results);
}

/* Copies an input into the evaluator, checked against the tensor type that it is for. */
static hd_status take_input(hd_evaluator *evaluator, hd_type declared, const hd_host_tensor *input, size_t number,
                            hd_tensor *out) {
  if (!declared) return hd_make_status(HD_UNIMPLEMENTED, "argument %zu is no tensor", number);
  hd_type element = declared->shaped.element;
  hd_element_type want = hd_element_type_of(element);
  if (want == HD_ELEMENT_INVALID || want != input->type)
    return hd_make_status(HD_INVALID_ARGUMENT, "argument %zu: expected elements of %s, got %s", number,
                          hd_element_text(want), hd_element_text(input->type));
  if (hd_type_has_rank(declared) && declared->shaped.rank != input->rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "argument %zu: expected rank %u, got %zu", number, declared->shaped.rank,
                          input->rank);
  for (size_t i = 0; i < input->rank; ++i) {
    int64_t dim = hd_type_has_rank(declared) ? declared->shaped.dims[i] : HD_DYNAMIC;
    if (input->dims[i] < 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "argument %zu: dim %zu: expected 0 or more, got %lld", number, i,
                            (long long)input->dims[i]);
    if (dim != HD_DYNAMIC && dim != input->dims[i])
      return hd_make_status(HD_INVALID_ARGUMENT, "argument %zu: dim %zu is %lld, expected %lld", number, i,
                            (long long)input->dims[i], (long long)dim);
    int64_t bound = hd_type_has_rank(declared) ? hd_bound_of_dim(declared, (uint32_t)i) : HD_DYNAMIC;
    if (bound >= 0 && input->dims[i] > bound)
      return hd_make_status(HD_INVALID_ARGUMENT, "argument %zu: dim %zu is %lld, expected at most %lld", number, i,
                            (long long)input->dims[i], (long long)bound);
  }
  HD_TRY(hd_tensor_create(hd_evaluator_heap(evaluator), hd_type_tensor(element, input->dims, input->rank, NULL), out));
  if (out->buffer->size != input->size)
    return hd_make_status(HD_INVALID_ARGUMENT, "argument %zu: expected %zu bytes, got %zu", number, out->buffer->size,
                          input->size);
  if (input->size) memcpy(hd_tensor_data(out), input->data, input->size);
  return HD_STATUS_OK;
}

hd_status hd_check_host_tensors(const hd_host_tensor *tensors, size_t count) {
  if (count && !tensors) return hd_make_status(HD_INVALID_ARGUMENT, "expected %zu inputs, got null", count);
  for (size_t i = 0; i < count; ++i) {
    if ((tensors[i].rank && !tensors[i].dims) || (tensors[i].size && !tensors[i].data))
      return hd_make_status(HD_INVALID_ARGUMENT, "argument %zu: the dims or the data are null", i);
    if (tensors[i].size) HD_TRY_MSG(hd_check_aligned("data", tensors[i].type, tensors[i].data), "argument %zu", i);
  }
  return HD_STATUS_OK;
}

hd_status hd_eval_inputs(hd_evaluator *evaluator, hd_op *entry, const char *name, const hd_host_tensor *inputs,
                         size_t input_count, hd_arena *arena, hd_tensor **out_args) {
  hd_type *types;
  size_t count = hd_program_ports(entry, false, false, arena, &types);
  *out_args = hd_new_array(arena, hd_tensor, count + 1);
  for (size_t i = 0; i < count && i < input_count; ++i)
    HD_TRY(take_input(evaluator, types[i], &inputs[i], i, &(*out_args)[i]));
  if (count > input_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: argument %zu: no input is given", name, input_count);
  if (count < input_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected %zu inputs, got %zu", name, count, input_count);
  return HD_STATUS_OK;
}

static hd_status give_result(const hd_tensor *tensor, hd_eval_results *results) {
  size_t rank = hd_tensor_rank(tensor), size = tensor->buffer->size;
  int64_t *dims = malloc(rank ? rank * sizeof *dims : 1);
  void *data = malloc(size ? size : 1);
  if (!dims || !data) {
    free(dims);
    free(data);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  if (rank) memcpy(dims, hd_tensor_dims(tensor), rank * sizeof *dims);
  if (size) memcpy(data, hd_tensor_data(tensor), size);
  results->tensors[results->count++] =
      (hd_host_tensor){hd_element_type_of(hd_tensor_element(tensor)), dims, rank, data, size};
  return HD_STATUS_OK;
}

typedef struct eval_call {
  const void *program;
  size_t size;
  const char *name;
  const hd_compile_options *options;
  const hd_host_tensor *inputs;
  size_t input_count;
  hd_session session;
  hd_module *module;
  hd_evaluator *evaluator;
  hd_eval_results *results;
  hd_simt_kernels kernels;
} eval_call;

/* eval, simt or simt:N; the size of simt's subgroups, 0 for eval. */
static hd_status read_target(const char *target, uint32_t *out_subgroup) {
  *out_subgroup = 0;
  if (!target || !strcmp(target, "eval")) return HD_STATUS_OK;
  const char *size = strncmp(target, "simt", 4) ? "" : target + 4;
  for (uint32_t n = 1; n <= 32; n *= 2) {
    char text[8];
    snprintf(text, sizeof text, ":%u", n);
    if (!strcmp(size, text) || (n == 32 && !strcmp(target, "simt"))) *out_subgroup = n;
  }
  if (*out_subgroup) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT,
                        "target: expected eval or simt, or simt:N with subgroups of 1, 2, 4, 8, 16 or 32, got '%s'",
                        target);
}

static hd_status run(void *user) {
  eval_call *c = user;
  HD_TRY(hd_session_load_entry(&c->session, c->program, c->size, c->name, c->options, &c->module));
  hd_op *entry = hd_eval_entry(c->module, c->options->entry ? hd_str_of(c->options->entry) : HD_STR(""));
  if (!entry) return hd_failed(c->session.context);
  hd_eval_options options = {.memory_limit = c->options->memory_limit,
                             .timeout_s = c->options->timeout_s,
                             .buffers_are_results = true,
                             .excess_precision = c->options->excess_precision,
                             .grid = {c->options->grid[0], c->options->grid[1], c->options->grid[2]},
                             .print = hd_session_print,
                             .print_user = &c->session};
  if (c->kernels.subgroup) {
    c->kernels.module = c->module;
    options.kernel = hd_simt_kernels_launch;
    options.kernel_user = &c->kernels;
  }
  HD_TRY(hd_evaluator_create(c->module, &options, &c->evaluator));
  hd_arena *arena = &c->module->arena;
  hd_type *types;
  hd_tensor *args;
  uint32_t count = hd_program_ports(entry, true, true, arena, &types);
  hd_tensor *results = hd_new_array(arena, hd_tensor, count + 1);
  HD_TRY(hd_eval_inputs(c->evaluator, entry, c->name, c->inputs, c->input_count, arena, &args));
  HD_TRY(hd_evaluator_run(c->evaluator, entry, args, c->input_count, results, count));
  if (hd_evaluator_checks_failed(c->evaluator))
    return hd_make_status(HD_FAILED_PRECONDITION, "%s: %llu expectations of the check dialect do not hold", c->name,
                          (unsigned long long)hd_evaluator_checks_failed(c->evaluator));
  c->results = calloc(1, sizeof *c->results);
  if (!c->results || !(c->results->tensors = calloc(count + (size_t)1, sizeof *c->results->tensors)))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  for (uint32_t i = 0; i < count; ++i) HD_TRY(give_result(&results[i], c->results));
  return HD_STATUS_OK;
}

hd_status hd_eval(const void *program, size_t size, const char *name, const hd_compile_options *options,
                  const hd_host_tensor *inputs, size_t input_count, hd_message_sink sink,
                  hd_eval_results **out_results) {
  HD_REQUIRE(out_results);
  *out_results = NULL;
  if (size) HD_REQUIRE(program);
  HD_TRY(hd_check_host_tensors(inputs, input_count));
  if (!name) name = "program";
  hd_compile_options known;
  HD_TRY(hd_compile_options_read(options, &known));
  eval_call call = {program, size, name, &known, inputs, input_count, {0}, NULL, NULL, NULL, {0}};
  HD_TRY(read_target(known.target, &call.kernels.subgroup));
  HD_TRY(hd_session_open(&call.session, &known, sink));
  hd_status status = hd_guarded_call(run, &call);
  hd_evaluator_free(call.evaluator);
  hd_simt_kernels_free(&call.kernels);
  if (call.module) hd_module_free(call.module);
  hd_session_close(&call.session);
  if (hd_is_ok(status))
    *out_results = call.results;
  else
    hd_eval_results_free(call.results);
  return status;
}
