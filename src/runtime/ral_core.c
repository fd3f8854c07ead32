/* SPDX-License-Identifier: Apache-2.0 */
/* Built-in RAL APIs without tensors: memory, constants, launches, copies, errors. abi.h says what each does. */
#include <stdlib.h>
#include <string.h>

#include "runtime/objects.h"
#include "runtime/ral_api.h"

/* Compiled code gives -1 for what no memory holds. */
static void *alloc_in(hd_ral_context *ctx, int64_t bytes, int64_t place, bool host) {
  void *data = NULL;
  hd_status status = bytes < 0 ? hd_make_status(HD_INVALID_ARGUMENT, "a dim is negative, or a buffer is too large")
                               : hd_ral_take(ctx, (size_t)bytes, host, &data);
  if (!hd_is_ok(status)) hd_ral_fail_at(ctx, status, place);
  return data;
}

static void *alloc(hd_ral_context *ctx, int64_t bytes, int64_t place) { return alloc_in(ctx, bytes, place, false); }

static void *host_alloc(hd_ral_context *ctx, int64_t bytes, int64_t place) { return alloc_in(ctx, bytes, place, true); }

static void *alloc_output(hd_ral_context *ctx, int64_t index, int64_t bytes, int64_t place) {
  if (index < 0 || index >= (int64_t)ctx->executable->entry->output_count) {
    hd_ral_fail(ctx, hd_make_status(HD_INTERNAL, "buffer for output %lld, which is none", (long long)index));
    return NULL;
  }
  hd_buffer *own = ctx->outputs[index];
  /* The caller's memory is given out once at a time: a loop may hold two buffers for one output. */
  if (!own || ctx->sent[index] || ctx->lent[index] || bytes < 0 || (size_t)bytes > own->bytes || !own->bytes)
    return alloc(ctx, bytes, place);
  if (ctx->head.failed || hd_live_find(ctx, own->data) ||
      !hd_live_add(ctx, (hd_live){own->data, own->bytes, 1, (int32_t)index}))
    return alloc(ctx, bytes, place);
  ctx->lent[index] = true;
  return own->data;
}

/* May the program write over input |index|, of |bytes| bytes? Not where another input shows the same memory. */
static bool may_overwrite(hd_ral_context *ctx, int64_t index, int64_t bytes) {
  const hd_buffer *input = ctx->inputs[index];
  if (!ctx->options->donated || !ctx->options->donated[index] || ctx->executable->bound[index] || bytes <= 0 ||
      (size_t)bytes != input->bytes)
    return false;
  for (uint32_t i = 0; i < ctx->executable->entry->input_count; ++i) {
    const char *other = ctx->inputs[i]->data, *own = input->data;
    if (i != (uint32_t)index && other < own + bytes && own < other + ctx->inputs[i]->bytes) return false;
  }
  return true;
}

static void *alloc_donated(hd_ral_context *ctx, int64_t input, int64_t output, int64_t bytes, int64_t place) {
  if (input < 0 || input >= (int64_t)ctx->executable->entry->input_count) {
    hd_ral_fail(ctx, hd_make_status(HD_INTERNAL, "memory of input %lld, which is none", (long long)input));
    return NULL;
  }
  bool callers = output >= 0 && output < (int64_t)ctx->executable->entry->output_count && ctx->outputs[output];
  if (!callers && may_overwrite(ctx, input, bytes)) return ctx->inputs[input]->data;
  return output < 0 ? alloc(ctx, bytes, place) : alloc_output(ctx, output, bytes, place);
}

static void retain(hd_ral_context *ctx, void *data) {
  hd_live *entry = hd_live_find(ctx, data);
  if (entry) ++entry->references;
}

static void release(hd_ral_context *ctx, void *data) { hd_ral_give(ctx, data); }

static void host_free(hd_ral_context *ctx, void *data) { hd_ral_give(ctx, data); }

/* Null, with the run failed, when constant |index| is not what its name says. */
static hd_constant_slot *constant_slot(hd_ral_context *ctx, uint32_t index) {
  hd_constant_slot *slot;
  hd_status status = hd_loaded_constant(ctx->executable->loaded, index, &slot);
  if (hd_is_ok(status)) return slot;
  hd_ral_fail(ctx, status);
  return NULL;
}

static void *constant_at(hd_ral_context *ctx, int64_t index) {
  const hd_artifact_program *program = ctx->executable->loaded->program;
  if (index < 0 || index >= (int64_t)program->constant_count) {
    hd_ral_fail(ctx, hd_make_status(HD_INTERNAL, "constant %lld, expected below %u", (long long)index,
                                    program->constant_count));
    return NULL;
  }
  void *data = NULL;
  hd_status status = hd_loaded_constant_data(ctx->executable->loaded, (uint32_t)index, &data);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
  return data;
}

/* By its name, "HASH_TYPE", for |memory|. */
static hd_constant_slot *constant_named(hd_ral_context *ctx, const char *name, uint32_t memory) {
  const hd_artifact_program *program = ctx->executable->loaded->program;
  hd_hash128 hash;
  for (uint32_t i = 0; hd_hash128_from_hex(name, &hash) && i < program->constant_count; ++i) {
    const hd_artifact_constant *c = &program->constants[i];
    if (c->memory == memory && hd_hash128_equal(&hash, &c->hash) && name[32] == '_' && !strcmp(name + 33, c->type))
      return constant_slot(ctx, i);
  }
  hd_ral_fail(ctx, hd_make_status(HD_NOT_FOUND, "no constant '%.100s' of the %s in the artifact", name,
                                  memory == HD_CONSTANT_DEVICE ? "device" : "host"));
  return NULL;
}

static void *constant_host(hd_ral_context *ctx, void *name) {
  hd_constant_slot *slot = constant_named(ctx, name, HD_CONSTANT_HOST);
  return slot ? (void *)slot->constant->data : NULL;
}

static void *constant_device(hd_ral_context *ctx, void *name) {
  hd_constant_slot *slot = constant_named(ctx, name, HD_CONSTANT_DEVICE);
  void *data = NULL;
  if (!slot) return NULL;
  hd_status status = hd_constant_upload(&ctx->runtime->constants, ctx->runtime->driver, slot, &data);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
  return data;
}

/* The number of this rng in the run, which its bits depend on: 0, 1, ... */
static void rng_call(hd_ral_context *ctx, void *out) {
  uint64_t number = ctx->random_calls++;
  hd_ral_store(ctx, out, &number, sizeof number);
}

static void launch(hd_ral_context *ctx, void *stream, int64_t index, void *words, int64_t count, int64_t extent,
                   int64_t grain) {
  hd_kernel_fn kernel = hd_ral_kernel(ctx, index);
  if (!kernel || !hd_ral_go_on(ctx)) return;
  ++ctx->stats.launches;
  const hd_loaded *loaded = ctx->executable->loaded;
  hd_launch request = {.kernel = kernel,
                       .words = words,
                       .word_count = count,
                       .extent = extent,
                       .grain = grain < 1 ? 1 : grain,
                       .call = &ctx->call,
                       .serial = ctx->options->serial,
                       .name = loaded->kernel_names[index],
                       .source = loaded->kernel_sources[index],
                       .trace = hd_trace_is_on(ctx->runtime->trace) ? ctx->runtime->trace : NULL};
  int64_t start = request.trace ? hd_trace_now() : 0;
  hd_status status = hd_stream_launch(ctx->runtime->driver, stream ? stream : ctx->stream, &request);
  if (start) hd_trace_span(request.trace, "launch", request.name, request.source, extent, start, hd_trace_now());
  if (!hd_is_ok(status))
    hd_ral_fail(ctx, hd_status_annotate(status, "kernel '%s'", loaded->program->kernels[index].name));
  hd_ral_check_bounds(ctx, "kernel", loaded->program->kernels[index].name);
  if (ctx->call.stopped) hd_ral_go_on(ctx); /* what was left out fails the run */
}

static void copy(hd_ral_context *ctx, void *stream, void *destination, void *source, int64_t bytes) {
  if (bytes < 0) {
    hd_ral_fail(ctx, hd_make_status(HD_INVALID_ARGUMENT, "copy of %lld bytes", (long long)bytes));
    return;
  }
  if (!hd_ral_go_on(ctx) || destination == source) return; /* a donated input is where it has to be */
  ++ctx->stats.copies;
  int64_t start = hd_trace_is_on(ctx->runtime->trace) ? hd_trace_now() : 0;
  hd_driver *driver = ctx->runtime->driver;
  hd_stream *on = stream ? stream : ctx->stream;
  hd_status status = hd_stream_copy(driver, on, destination, source, (size_t)bytes);
  /* The program uses the host's memory without a wait. */
  if (ctx->work && hd_is_ok(status) && !hd_driver_owns(driver, destination)) status = hd_stream_wait(driver, on);
  if (start) hd_trace_span(ctx->runtime->trace, "copy", "copy", "", bytes, start, hd_trace_now());
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
  hd_ral_check_bounds(ctx, "copy", "");
}

static void error(hd_ral_context *ctx, int64_t message, void *values, int64_t count) {
  const char *format = hd_ral_message(ctx, message);
  if (!format) {
    hd_ral_fail(ctx, hd_make_status(HD_INTERNAL, "the program has no message %lld", (long long)message));
    return;
  }
  char *text = hd_format_message(format, values, values ? count : 0);
  hd_ral_fail(ctx, hd_make_status(HD_INVALID_ARGUMENT, "%s", text ? text : format));
  free(text);
}

/* A relation of sizes that only the run knows (hd_check_relation). */
static void check(hd_ral_context *ctx, int64_t relation, int64_t lhs, int64_t rhs, int64_t message) {
  int64_t product;
  bool holds = relation == HD_CHECK_EQUAL     ? lhs == rhs
               : relation == HD_CHECK_AT_MOST ? lhs <= rhs
               : relation == HD_CHECK_SPREADS ? lhs == 1 || lhs == rhs
                                              : !__builtin_mul_overflow(lhs, rhs, &product) &&
                                                    product >= -HD_MAX_EXTENT && product <= HD_MAX_EXTENT;
  if (!holds) error(ctx, message, (int64_t[]){lhs, rhs}, 2);
}

static void *stream_of(hd_ral_context *ctx) { return ctx->stream; }

static void go_on(hd_ral_context *ctx) { hd_ral_go_on(ctx); }

static int64_t stream_bytes(hd_ral_context *ctx) { return ctx->runtime->stream_bytes; }

HD_RAL_API("ral_alloc", alloc, pvoid, i64, i64)
HD_RAL_API("ral_alloc_output", alloc_output, pvoid, i64, i64, i64)
HD_RAL_API("ral_retain", retain, void, pvoid)
HD_RAL_API("ral_free", release, void, pvoid)
HD_RAL_API("ral_host_alloc", host_alloc, pvoid, i64, i64)
HD_RAL_API("ral_host_free", host_free, void, pvoid)
HD_RAL_API("ral_constant", constant_at, pvoid, i64)
HD_RAL_API("ral_constant_host", constant_host, pvoid, pvoid)
HD_RAL_API("ral_constant_device", constant_device, pvoid, pvoid)
HD_RAL_API("ral_launch", launch, void, pvoid, i64, pvoid, i64, i64, i64)
HD_RAL_API("ral_copy", copy, void, pvoid, pvoid, pvoid, i64)
HD_RAL_API("ral_error", error, void, i64, pvoid, i64)
HD_RAL_API("ral_check", check, void, i64, i64, i64, i64)
HD_RAL_API("ral_stream", stream_of, pvoid)
HD_RAL_API("ral_go_on", go_on, void)
HD_RAL_API("ral_stream_bytes", stream_bytes, i64)
HD_RAL_API("ral_alloc_donated", alloc_donated, pvoid, i64, i64, i64, i64)
HD_RAL_API("ral_rng_call", rng_call, void, pvoid)

HD_RAL_TABLE(core, alloc, host_alloc, host_free, alloc_output, retain, release, constant_at, constant_host,
             constant_device, launch, copy, error, check, stream_of, go_on, stream_bytes, alloc_donated, rng_call)
