/* SPDX-License-Identifier: Apache-2.0 */
/* One execution: check the inputs, run the entry, hand out the outputs, clean up. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/float_env.h"
#include "base/options.h"
#include "heddle/communicator.h"
#include "runtime/objects.h"
#include "runtime/ral_api.h"

/* What one execution needs beside its context, in one allocation. */
typedef struct scratch {
  hd_buffer **inputs;   /* with bound and densified ones */
  hd_buffer **dense;    /* per input: made here, to be released */
  const int64_t **dims; /* per input */
  hd_buffer **outputs;  /* as in the context */
  int64_t *symbols;
  bool *sent, *lent;
} scratch;

static void *scratch_create(const hd_artifact_entry *entry, scratch *s) {
  size_t ins = entry->input_count, outs = entry->output_count;
  char *at = calloc(1, (3 * ins + outs) * sizeof(void *) + entry->symbol_count * sizeof(int64_t) + 2 * outs + 1);
  void *block = at;
  if (!at) return NULL;
  s->inputs = (hd_buffer **)at, at += ins * sizeof(void *);
  s->dense = (hd_buffer **)at, at += ins * sizeof(void *);
  s->dims = (const int64_t **)at, at += ins * sizeof(void *);
  s->outputs = (hd_buffer **)at, at += outs * sizeof(void *);
  s->symbols = (int64_t *)at, at += entry->symbol_count * sizeof(int64_t);
  s->sent = (bool *)at, at += outs;
  s->lent = (bool *)at;
  return block;
}

static hd_status check_tensor(const char *what, uint32_t i, const hd_artifact_tensor *want, const hd_buffer *got) {
  if (got->type != want->type)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s %u: expected %s, got %s", what, i, hd_element_text(want->type),
                          hd_element_text(got->type));
  if ((uint32_t)got->rank != want->rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s %u: expected rank %u, got rank %d", what, i, want->rank, got->rank);
  return HD_STATUS_OK;
}

static hd_status take_inputs(hd_executable *executable, hd_buffer *const *inputs, int32_t count, scratch *s) {
  const hd_artifact_entry *entry = executable->entry;
  if (count < 0 || (uint32_t)count != entry->input_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %u arguments, got %d", entry->input_count, count);
  if (count && !inputs)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %u arguments, got no array", entry->input_count);
  for (uint32_t i = 0; i < entry->input_count; ++i) {
    hd_buffer *input = inputs[i];
    if (executable->bound[i] && input)
      return hd_make_status(HD_INVALID_ARGUMENT, "argument %u is bound: expected null", i);
    if (!input) input = executable->bound[i];
    if (!input) return hd_make_status(HD_INVALID_ARGUMENT, "argument %u is null and not bound", i);
    HD_TRY(check_tensor("argument", i, &entry->inputs[i], input));
    s->dims[i] = input->dims;
    s->inputs[i] = input;
  }
  return HD_STATUS_OK;
}

static bool is_device(const hd_runtime *runtime) { return runtime->driver->vtable->caps & HD_DRIVER_IMAGES; }

/* Is input |i|, |input|, read where the caller has it? A device has memory of its own. Where bounds are checked an
 * execution has copies of its own, but of what is bound, which is known by its address, and of what is donated, which
 * nobody else has. */
static bool read_in_place(const hd_executable *executable, const hd_execute_options *options, const hd_buffer *input,
                          uint32_t i) {
  if (is_device(executable->loaded->runtime)) return hd_buffer_is_of_driver(input, executable->loaded->runtime);
  return !executable->loaded->runtime->bounds || executable->bound[i] || (options->donated && options->donated[i]);
}

/* Programs read dense row-major inputs; others are copied once. */
static hd_status densify(hd_executable *executable, const hd_execute_options *options, hd_work *work, scratch *s) {
  for (uint32_t i = 0; i < executable->entry->input_count; ++i) {
    hd_buffer *input = s->inputs[i];
    if (input->runtime != executable->loaded->runtime && hd_buffer_is_on_device(input))
      return hd_make_status(HD_INVALID_ARGUMENT, "argument %u is on the device of another runtime: read and write it",
                            i);
    HD_TRY_MSG(hd_work_follow(work, input->work), "argument %u", i);
    if (hd_buffer_is_dense(input) && read_in_place(executable, options, input, i)) continue;
    HD_TRY_MSG(
        hd_buffer_create_for(executable->loaded->runtime, work, input->type, input->rank, input->dims, &s->dense[i]),
        "argument %u", i);
    HD_TRY_MSG(hd_buffer_copy_dense(s->dense[i], input, work), "argument %u", i);
    s->inputs[i] = s->dense[i];
  }
  return HD_STATUS_OK;
}

static hd_status check_outputs(hd_executable *executable, hd_buffer *const *outputs, int32_t count,
                               const int64_t *symbols) {
  const hd_artifact_entry *entry = executable->entry;
  if (count < 0 || (uint32_t)count != entry->output_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %u outputs, got %d", entry->output_count, count);
  for (uint32_t i = 0; i < entry->output_count; ++i) {
    if (!outputs[i]) continue;
    int64_t dims[HD_MAX_RANK];
    HD_TRY(check_tensor("output", i, &entry->outputs[i], outputs[i]));
    if (!hd_buffer_is_dense(outputs[i]))
      return hd_make_status(HD_INVALID_ARGUMENT, "output %u: the caller's buffer must be dense", i);
    HD_TRY_MSG(hd_signature_dims(entry, &entry->outputs[i], symbols, dims), "output %u", i);
    for (uint32_t d = 0; d < entry->outputs[i].rank; ++d)
      if (dims[d] != HD_DIM_UNKNOWN && dims[d] != outputs[i]->dims[d])
        return hd_make_status(HD_INVALID_ARGUMENT,
                              "output %u: dim %u of the caller's buffer is %" PRId64 ", but %s is %" PRId64, i, d,
                              outputs[i]->dims[d], entry->outputs[i].dims[d].text, dims[d]);
  }
  return HD_STATUS_OK;
}

/* Code may write an output while it still reads inputs, and takes them for different memory. So an output in an input's
 * memory is made elsewhere (null in |s->outputs|) and moved by move_outputs; outputs in one place cannot both be right.
 */
static hd_status take_outputs(const hd_artifact_entry *entry, hd_buffer *const *outputs, scratch *s) {
  for (uint32_t i = 0; i < entry->output_count; ++i) {
    s->outputs[i] = outputs[i];
    for (uint32_t k = 0; outputs[i] && k < i; ++k)
      if (outputs[k] && hd_buffer_shares_memory(outputs[k], outputs[i]->data, outputs[i]->bytes))
        return hd_make_status(HD_INVALID_ARGUMENT, "output %u: the caller's buffer overlaps that of output %u", i, k);
    for (uint32_t k = 0; outputs[i] && k < entry->input_count; ++k)
      if (hd_buffer_shares_memory(s->inputs[k], outputs[i]->data, outputs[i]->bytes)) s->outputs[i] = NULL;
  }
  return HD_STATUS_OK;
}

static hd_status move_outputs(hd_ral_context *ctx, hd_buffer *const *outputs, scratch *s) {
  for (uint32_t i = 0; i < ctx->executable->entry->output_count; ++i) {
    hd_buffer *made = s->outputs[i], *own = outputs[i];
    if (!own || made == own) continue;
    if (made->rank && memcmp(made->dims, own->dims, (size_t)made->rank * sizeof *made->dims))
      return hd_make_status(HD_INVALID_ARGUMENT, "output %u: the caller's buffer has other dims than the result", i);
    ++ctx->stats.copies;
    HD_TRY_MSG(hd_stream_copy(ctx->runtime->driver, ctx->stream, own->data, made->data, made->bytes), "output %u", i);
  }
  return HD_STATUS_OK;
}

/* Starts and ends a run over a context that is filled but for its own state. */
static void begin(hd_ral_context *ctx) {
  ctx->live = ctx->live_inline;
  ctx->live_room = HD_LIVE_INLINE;
  int64_t last = atomic_load_explicit(&ctx->executable->last_grains, memory_order_relaxed);
  if (!ctx->options->serial) hd_pool_begin(ctx->runtime->pool, &ctx->call, last);
  if (ctx->runtime->bounds) {
    hd_bounds_begin(ctx->runtime->bounds, &ctx->written);
    for (uint32_t i = 0; ctx->inputs && i < ctx->executable->entry->input_count; ++i)
      if (!ctx->executable->bound[i]) hd_bounds_claim(ctx->runtime->bounds, &ctx->written, ctx->inputs[i]->data);
  }
  if ((ctx->deadline || ctx->has_cancel) && !ctx->goes_on) {
    ctx->call.stopped = hd_ral_is_stopped;
    ctx->call.user = ctx;
  }
}

static void end_run(hd_ral_context *ctx) {
  if (ctx->runtime->bounds) {
    hd_status status = hd_bounds_end(ctx->runtime->bounds, &ctx->written);
    if (!hd_is_ok(status)) hd_ral_fail(ctx, hd_status_annotate(status, "host code"));
  }
  if (!ctx->options->serial) {
    hd_pool_end(ctx->runtime->pool, &ctx->call);
    atomic_store_explicit(&ctx->executable->last_grains, ctx->call.grains, memory_order_relaxed);
  }
  for (size_t i = 0; ctx->live_count && i < ctx->live_room; ++i)
    if (ctx->live[i].data && ctx->live[i].output < 0) hd_live_release(ctx, &ctx->live[i]);
  if (ctx->live != ctx->live_inline) free(ctx->live);
  free(ctx->views);
}

static hd_status run(hd_ral_context *ctx) {
  hd_executable *executable = ctx->executable;
  hd_runtime *runtime = ctx->runtime;
  int64_t start = hd_trace_now();
  if (ctx->options->timeout_ns > 0 && __builtin_add_overflow(start, ctx->options->timeout_ns, &ctx->deadline))
    ctx->deadline = 0;
  begin(ctx);
  if (hd_ral_go_on(ctx)) executable->run(ctx);
  end_run(ctx);
  for (uint32_t i = 0; !ctx->head.failed && i < executable->entry->output_count; ++i)
    if (!ctx->sent[i]) hd_ral_fail(ctx, hd_make_status(HD_INTERNAL, "the program sent no output %u", i));
  int64_t end = hd_trace_now();
  if (hd_trace_is_on(runtime->trace))
    hd_trace_span(runtime->trace, "execute", executable->trace_name, "", -1, start, end);
  ctx->stats.nanoseconds = end - start;
  return ctx->error;
}

/* Is anything left to wait for? Results that the runtime makes carry the work's end. */
static bool may_go_on(const hd_execute_options *options, hd_work *work, hd_buffer *const *outputs, int32_t count) {
  bool made = work && options->results_later && count;
  for (int32_t i = 0; i < count; ++i) made &= !outputs[i];
  return made;
}

static void release_buffer(void *buffer) { hd_buffer_release(buffer); }
static void release_executable(void *executable) { hd_executable_release(executable); }

/* What the work still uses stays until its end. */
static hd_status leave(hd_ral_context *ctx, scratch *s) {
  const hd_artifact_entry *entry = ctx->executable->entry;
  for (uint32_t i = 0; i < entry->input_count; ++i)
    hd_work_keep(ctx->work, release_buffer, hd_buffer_retain(s->inputs[i]));
  hd_work_keep(ctx->work, release_executable, hd_executable_retain(ctx->executable));
  HD_TRY(hd_work_later(ctx->work));
  for (uint32_t i = 0; i < entry->output_count; ++i) s->outputs[i]->work = hd_work_retain(ctx->work);
  return HD_STATUS_OK;
}

/* Runs the program over a context that is filled, and waits for its end or sees that its results carry it. */
static hd_status run_to_end(hd_ral_context *ctx, hd_buffer *const *outputs, scratch *s) {
  hd_status status = run(ctx);
  if (hd_is_ok(status)) status = move_outputs(ctx, outputs, s);
  if (hd_is_ok(status) && ctx->goes_on && hd_is_ok(status = leave(ctx, s))) return status;
  return hd_status_join(status, ctx->work ? hd_work_wait(ctx->work) : hd_stream_wait(ctx->runtime->driver, NULL));
}

static hd_status execute(hd_executable *executable, const hd_execute_options *options, hd_buffer *const *inputs,
                         int32_t input_count, hd_buffer **outputs, int32_t output_count, const int32_t *event_cancel,
                         hd_work *work, scratch *s) {
  HD_TRY(take_inputs(executable, inputs, input_count, s));
  HD_TRY(hd_check_shapes(executable->entry, s->dims, s->symbols));
  HD_TRY(check_outputs(executable, outputs, output_count, s->symbols));
  if (options->donated) HD_TRY(hd_work_follow_all(work)); /* some of it may read what is written over */
  HD_TRY(densify(executable, options, work, s));
  HD_TRY(take_outputs(executable->entry, outputs, s));
  hd_runtime *runtime = executable->loaded->runtime;
  for (uint32_t i = 0; i < executable->entry->output_count; ++i) /* made between guards or on the device, and moved */
    if (runtime->bounds || (is_device(runtime) && outputs[i] && !hd_buffer_is_of_driver(outputs[i], runtime)))
      s->outputs[i] = NULL;
  hd_ral_context ctx;
  memset(&ctx, 0, sizeof ctx);
  ctx.executable = executable;
  ctx.runtime = runtime;
  ctx.work = work;
  ctx.stream = hd_work_stream(work);
  ctx.goes_on = may_go_on(options, work, outputs, output_count);
  ctx.options = options;
  ctx.inputs = s->inputs;
  ctx.outputs = s->outputs;
  ctx.sent = s->sent;
  ctx.lent = s->lent;
  ctx.symbols = s->symbols;
  ctx.event_cancel = event_cancel;
  ctx.has_cancel = event_cancel || options->cancel;
  hd_status status = run_to_end(&ctx, outputs, s);
  if (options->out_stats) *options->out_stats = ctx.stats;
  for (int32_t i = 0; i < output_count; ++i) {
    if (outputs[i] && s->outputs[i] == outputs[i]) continue;
    if (!outputs[i] && hd_is_ok(status))
      outputs[i] = s->outputs[i];
    else
      hd_buffer_release(s->outputs[i]);
  }
  return status;
}

/* In work of its own, which has ended or goes on by itself when this returns. */
static hd_status execute_in_work(hd_executable *executable, const hd_execute_options *options, hd_buffer *const *inputs,
                                 int32_t input_count, hd_buffer **outputs, int32_t output_count,
                                 const int32_t *event_cancel, scratch *s) {
  hd_works *works = executable->loaded->runtime->works;
  if (!works) return execute(executable, options, inputs, input_count, outputs, output_count, event_cancel, NULL, s);
  hd_work *work;
  hd_works_reap(works);
  HD_TRY(hd_work_begin(works, &work));
  hd_status status = execute(executable, options, inputs, input_count, outputs, output_count, event_cancel, work, s);
  if (!hd_is_ok(status)) hd_status_ignore(hd_work_wait(work)); /* where it failed before anything ran */
  hd_work_release(work);
  return status;
}

hd_status hd_execute_now(hd_executable *executable, const hd_execute_options *options, hd_buffer *const *inputs,
                         int32_t input_count, hd_buffer **outputs, int32_t output_count, const int32_t *event_cancel) {
  if (options->out_stats) *options->out_stats = (hd_run_stats){0};
  scratch s;
  void *block = scratch_create(executable->entry, &s);
  if (!block) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  unsigned float_env = hd_float_env_enter();
  pthread_rwlock_rdlock(&executable->lock);
  hd_status status = execute_in_work(executable, options, inputs, input_count, outputs, output_count, event_cancel, &s);
  pthread_rwlock_unlock(&executable->lock);
  hd_float_env_leave(float_env);
  for (uint32_t i = 0; i < executable->entry->input_count; ++i) hd_buffer_release(s.dense[i]);
  free(block);
  if (!hd_is_ok(status) && options->communicator)
    hd_communicator_abort(options->communicator, hd_status_message(status));
  return status;
}

hd_status hd_ral_call_alone(hd_executable *executable, const char *name, void **args) {
  static const hd_execute_options options;
  hd_ral_fn function;
  HD_TRY(hd_ral_resolve(executable->loaded->runtime->driver->vtable->name, &name, 1, &function));
  hd_ral_context ctx;
  memset(&ctx, 0, sizeof ctx);
  ctx.executable = executable;
  ctx.runtime = executable->loaded->runtime;
  ctx.options = &options;
  HD_TRY(hd_work_begin(ctx.runtime->works, &ctx.work));
  ctx.stream = hd_work_stream(ctx.work);
  unsigned float_env = hd_float_env_enter();
  begin(&ctx);
  function(&ctx, args);
  end_run(&ctx);
  hd_float_env_leave(float_env);
  ctx.error = hd_status_join(ctx.error, hd_work_wait(ctx.work));
  hd_work_release(ctx.work);
  return ctx.error;
}

hd_status hd_executable_execute(hd_executable *executable, const hd_execute_options *given, hd_buffer *const *inputs,
                                int32_t input_count, hd_buffer **outputs, int32_t output_count) {
  HD_REQUIRE(executable);
  if (input_count) HD_REQUIRE(inputs);
  if (output_count) HD_REQUIRE(outputs);
  hd_execute_options options;
  HD_TRY(hd_options_read("hd_execute_options", given, &options, sizeof options));
  hd_runtime *runtime = executable->loaded->runtime;
  HD_TRY(hd_execution_begin(runtime));
  hd_status status = hd_execute_now(executable, &options, inputs, input_count, outputs, output_count, NULL);
  hd_execution_end(runtime);
  return status;
}
