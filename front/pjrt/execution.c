/* SPDX-License-Identifier: Apache-2.0 */
/* Its outputs are buffers at once, their promises are kept when it has run. It runs here, when its inputs are there and
 * its last run took less time than handing it to another thread would win; else on its device's queue, in the order of
 * the calls, after a wait for inputs that other devices still make. A failed input fails the execution with the same
 * status; a failed execution fails all its outputs, and the call where it ran here. */
#include "execution.h"

#include <stdlib.h>
#include <string.h>

static hd_execution *execution_create(hd_pjrt_program *program) {
  size_t ins = (size_t)program->input_count, outs = (size_t)program->output_count, dims = 0;
  size_t lifted = program->fit.lifted_count;
  for (size_t i = 0; i < outs; ++i) dims += program->output_ranks[i];
  hd_execution *x = calloc(1, sizeof *x + (2 * (ins + outs) + lifted) * sizeof(void *) + dims * sizeof *x->dims +
                                  (2 * ins + lifted) * sizeof(bool));
  if (!x) return NULL;
  x->program = hd_pjrt_program_retain(program);
  x->inputs = (hd_promise **)(x + 1);
  x->outputs = x->inputs + ins;
  x->values = (hd_buffer **)(x->outputs + outs);
  x->dims = (int64_t *)(x->values + ins + lifted + outs);
  x->donated = (bool *)(x->dims + dims);
  if (dims) memcpy(x->dims, program->output_dims, dims * sizeof *x->dims);
  if (lifted) memcpy(x->values + ins, program->lifted, lifted * sizeof *x->values);
  return x;
}

/* How many inputs the code has. */
static int32_t code_inputs(const hd_pjrt_program *program) {
  return program->input_count + (int32_t)program->fit.lifted_count;
}

void hd_execution_free(hd_execution *x) {
  for (int32_t i = 0; i < x->program->input_count; ++i) hd_promise_release(x->inputs[i]);
  for (int32_t i = 0; i < x->program->output_count; ++i) hd_promise_release(x->outputs[i]);
  hd_promise_release(x->end);
  if (x->communicator) hd_communicator_release(x->communicator);
  hd_pjrt_program_release(x->program);
  free(x);
}

/* The others of the program will not meet |x| any more. */
static void give_up(hd_execution *x, const char *reason) {
  if (x->communicator) hd_communicator_abort(x->communicator, reason);
}

static hd_status wait_for_inputs(hd_execution *x) {
  for (int32_t i = 0; i < x->program->input_count; ++i) {
    hd_promise_wait(x->inputs[i]);
    HD_TRY(hd_pjrt_status_copy(x->inputs[i]->outcome));
    x->values[i] = x->inputs[i]->value;
  }
  return HD_STATUS_OK;
}

/* |donates|: programs may write what was donated. */
static hd_status run(hd_execution *x, bool donates) {
  hd_pjrt_program *p = x->program;
  hd_status ready = wait_for_inputs(x);
  if (!hd_is_ok(ready)) {
    give_up(x, hd_status_message(ready));
    return ready;
  }
  /* Memory that anyone else may still read is not written: who made it and who reads it held it until now. */
  bool any_donated = false;
  for (int32_t i = 0; i < p->input_count; ++i) {
    x->donated[i] = donates && x->donated[i] && hd_promise_is_sole(x->inputs[i]);
    any_donated |= x->donated[i];
  }
  hd_run_stats stats;
  hd_execute_options options = HD_INIT(hd_execute_options);
  options.out_stats = &stats;
  options.communicator = x->communicator;
  options.donated = any_donated ? x->donated : NULL;
  hd_status status = hd_executable_execute(p->code->executable, &options, x->values, code_inputs(p),
                                           x->values + code_inputs(p), p->output_count);
  atomic_store_explicit(&p->code->last_ns, stats.nanoseconds + 1, memory_order_relaxed);
  if ((int64_t)stats.bytes_peak > atomic_load_explicit(&p->code->temp_bytes, memory_order_relaxed))
    atomic_store_explicit(&p->code->temp_bytes, (int64_t)stats.bytes_peak, memory_order_relaxed);
  return status;
}

/* Runs |argument| and keeps its promises. */
static void run_execution(void *argument) {
  hd_execution *x = argument;
  hd_pjrt_program *p = x->program;
  hd_status status = run(x, true);
  /* Inputs first: who waits for the end may count on their memory. */
  for (int32_t i = 0; i < p->input_count; ++i) {
    hd_promise_release(x->inputs[i]);
    x->inputs[i] = NULL;
  }
  for (int32_t i = 0; i < p->output_count; ++i)
    hd_promise_keep(x->outputs[i], hd_pjrt_status_copy(status),
                    hd_is_ok(status) ? x->values[code_inputs(p) + i] : NULL);
  hd_promise_keep(x->end, status, NULL);
  hd_execution_free(x);
}

static bool is_listed(const int64_t *list, size_t count, int64_t i) {
  for (size_t k = 0; k < count; ++k)
    if (list[k] == i) return true;
  return false;
}

/* Code may fit other dims than the program's: those that were promised are looked at here. */
static hd_status check_argument(const hd_pjrt_program *p, int32_t i, const PJRT_Buffer *argument) {
  if (!argument) return hd_make_status(HD_INVALID_ARGUMENT, "argument %d is null", i);
  hd_tensor_info info = hd_executable_input(p->code->executable, i);
  int32_t rank = info.rank;
  if (hd_pjrt_element(argument->type) != info.type)
    return hd_make_status(HD_INVALID_ARGUMENT, "argument %d: expected elements of %s, got %s", i,
                          hd_element_text(info.type), hd_element_text(hd_pjrt_element(argument->type)));
  if (argument->rank != (size_t)rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "argument %d: expected rank %d, got %zu", i, rank, argument->rank);
  for (int32_t k = 0; k < rank; ++k) {
    int64_t d = p->input_orders[i] ? p->input_orders[i][k] : k, at = hd_pjrt_buffer_dim_at(argument, (size_t)k);
    if (p->input_dims[i][k] != HD_DIM_UNKNOWN && p->input_dims[i][k] != argument->dims[d])
      return hd_make_status(HD_INVALID_ARGUMENT, "argument %d: dim %lld is %lld, expected %lld", i, (long long)d,
                            (long long)argument->dims[d], (long long)p->input_dims[i][k]);
    if (at != d)
      return hd_make_status(
          HD_INVALID_ARGUMENT,
          "argument %d has its dims in another order than the program was compiled for: dim %lld where dim "
          "%lld is expected, from the major one",
          i, (long long)at, (long long)d);
  }
  return HD_STATUS_OK;
}

/* What was donated goes back, and the reason is said: one buffer may have been given twice. */
static hd_status give_back(hd_execution *x, PJRT_Buffer *const *arguments, const bool *taken, int32_t failed,
                           hd_status status) {
  for (int32_t i = 0; i < failed; ++i) {
    if (!taken[i]) continue;
    if (arguments[i] == arguments[failed]) {
      hd_status_free(status);
      status = hd_make_status(
          HD_INVALID_ARGUMENT,
          "argument %d is donated and is argument %d too: a buffer that is donated can be given once", i, failed);
    }
    hd_pjrt_buffer_restore(arguments[i], x->inputs[i]);
    x->inputs[i] = NULL;
  }
  return status;
}

static hd_status take_inputs(hd_execution *x, PJRT_Buffer *const *arguments, const PJRT_ExecuteOptions *options) {
  bool *taken = x->donated + code_inputs(x->program);
  for (int32_t i = 0; i < x->program->input_count; ++i) {
    taken[i] = x->program->donatable[i] && !(options && is_listed(options->non_donatable_input_indices,
                                                                  options->num_non_donatable_input_indices, i));
    x->reads_host |= arguments[i]->borrowed;
    hd_status status = taken[i] ? hd_pjrt_buffer_donate(arguments[i], &x->inputs[i], &x->donated[i])
                                : hd_pjrt_buffer_promise(arguments[i], &x->inputs[i]);
    if (!hd_is_ok(status)) HD_TRY_MSG(give_back(x, arguments, taken, i, status), "argument %d", i);
  }
  return HD_STATUS_OK;
}

/* The dims of the outputs of a program with unknown dims, for these arguments. */
static hd_status find_dims(hd_execution *x, PJRT_Buffer *const *arguments) {
  const hd_pjrt_program *p = x->program;
  size_t ins = (size_t)code_inputs(p), outs = (size_t)p->output_count;
  const int64_t **input_dims = malloc((ins + outs + 1) * sizeof *input_dims);
  if (!input_dims) return hd_pjrt_out_of_memory();
  int64_t **output_dims = (int64_t **)(input_dims + ins), *at = x->dims;
  for (size_t i = 0; i < ins; ++i) input_dims[i] = i < (size_t)p->input_count ? arguments[i]->dims : p->input_dims[i];
  for (size_t i = 0; i < outs; at += p->output_ranks[i++]) output_dims[i] = at;
  hd_status status = hd_executable_output_shapes(p->code->executable, input_dims, output_dims);
  free(input_dims);
  HD_TRY(status);
  for (const int64_t *dim = x->dims; dim < at; ++dim) x->dynamic |= *dim == HD_DIM_UNKNOWN;
  if (x->dynamic && p->device_count > 1)
    return hd_make_status(HD_UNIMPLEMENTED, "results whose sizes only a run tells, in a program of several devices");
  return HD_STATUS_OK;
}

static hd_status make_outputs(hd_execution *x, PJRT_Buffer **outputs) {
  const hd_pjrt_program *p = x->program;
  const int64_t *dims = x->dims;
  for (int32_t i = 0; i < p->output_count; ++i) {
    if (!(x->outputs[i] = hd_promise_create())) return hd_pjrt_out_of_memory();
    PJRT_Memory *memory = &x->device->memories[p->output_memories[i]];
    HD_TRY(hd_pjrt_buffer_make(memory, p->output_types[i], p->output_ranks[i], dims, x->outputs[i], &outputs[i]));
    hd_pjrt_buffer_set_order(outputs[i], p->output_orders[i]);
    dims += p->output_ranks[i];
  }
  return HD_STATUS_OK;
}

/* Outputs whose dims only the run tells: it runs here, and they are made from what it gave. */
static hd_status run_dynamic(hd_execution *x, PJRT_Buffer **outputs) {
  hd_pjrt_program *p = x->program;
  HD_TRY(run(x, false));
  hd_status status = HD_STATUS_OK;
  for (int32_t i = 0; i < p->output_count; ++i) {
    hd_buffer *value = x->values[code_inputs(p) + i];
    hd_promise *promise = hd_is_ok(status) ? hd_promise_create_done(HD_STATUS_OK, hd_buffer_retain(value)) : NULL;
    if (hd_is_ok(status) && !promise) status = hd_pjrt_out_of_memory();
    if (promise)
      status = hd_pjrt_buffer_make(&x->device->memories[p->output_memories[i]], p->output_types[i],
                                   (size_t)hd_buffer_rank(value), hd_buffer_dims(value), promise, &outputs[i]);
    hd_promise_release(promise);
    hd_buffer_release(value);
  }
  if (hd_is_ok(status)) hd_promise_keep(x->end, HD_STATUS_OK, NULL);
  return status;
}

enum { SHORT_NS = 60000, SHORT_CALLING_OUT_NS = 2000000, SMALL_BYTES = 64 << 10 };

/* Functions of the process are what fails in a run: a small program with such runs here the first time too, so that its
 * caller hears of it. Memory of the host that a program copies is the host's again when the call returns, as
 * jax.numpy.array promises, which is such a program. */
static bool runs_here(const hd_execution *x) {
  const hd_pjrt_program *p = x->program;
  if (x->communicator) return false;
  for (int32_t i = 0; i < p->input_count; ++i)
    if (!hd_promise_is_done(x->inputs[i])) return false;
  if (x->reads_host && p->code->copies) return true;
  int64_t last = atomic_load_explicit(&p->code->last_ns, memory_order_relaxed);
  if (p->code->calls_out && p->input_bytes + p->output_bytes <= SMALL_BYTES) return last < SHORT_CALLING_OUT_NS;
  return last && last < SHORT_NS;
}

hd_status hd_execution_prepare(PJRT_Device *device, hd_pjrt_program *program, const PJRT_ExecuteOptions *options,
                               PJRT_Buffer *const *arguments, PJRT_Buffer **outputs, hd_execution **out) {
  hd_execution *x = *out = execution_create(program);
  if (!x) return hd_pjrt_out_of_memory();
  x->device = device;
  if (!(x->end = hd_promise_create())) return hd_pjrt_out_of_memory();
  for (int32_t i = 0; i < program->input_count; ++i) HD_TRY(check_argument(program, i, arguments[i]));
  if (program->dynamic) HD_TRY(find_dims(x, arguments));
  HD_TRY(take_inputs(x, arguments, options));
  return x->dynamic ? HD_STATUS_OK : make_outputs(x, outputs);
}

hd_status hd_execution_start(hd_execution *x, PJRT_Buffer **outputs) {
  if (x->dynamic) {
    hd_status status = run_dynamic(x, outputs);
    hd_execution_free(x);
    return status;
  }
  if (runs_here(x)) {
    hd_promise *end = hd_promise_retain(x->end);
    run_execution(x);
    hd_status status = hd_pjrt_status_copy(end->outcome);
    hd_promise_release(end);
    return status;
  }
  for (int32_t i = 0; i < x->program->output_count; ++i) hd_promise_leave_to_thread(x->outputs[i]);
  hd_promise_leave_to_thread(x->end);
  hd_status status = hd_queue_push(x->device->queue, run_execution, x);
  if (hd_is_ok(status)) return status;
  give_up(x, "a device could not start");
  hd_execution_free(x);
  return status;
}
