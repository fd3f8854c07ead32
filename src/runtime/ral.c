/* SPDX-License-Identifier: Apache-2.0 */
/* The run that generated code and library calls are of: failures, cancellation, threads, traces. */
#include "runtime/ral.h"

#include <stdarg.h>
#include <stdio.h>

#include "runtime/objects.h"

struct hd_runtime *hd_ral_runtime(hd_ral_context *ctx) { return ctx ? ctx->runtime : NULL; }

bool hd_ral_wait(hd_ral_context *ctx) {
  if (!ctx || ctx->head.failed) return false;
  hd_status status = hd_stream_wait(ctx->runtime->driver, ctx->stream);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
  return !ctx->head.failed;
}

void hd_ral_fail(hd_ral_context *ctx, hd_status status) {
  if (!ctx || ctx->head.failed || hd_is_ok(status)) {
    hd_status_free(status);
    return;
  }
  ctx->head.failed = (int32_t)hd_status_code_of(status);
  ctx->error = status;
}

const char *hd_ral_message(const hd_ral_context *ctx, int64_t number) {
  const hd_artifact_program *program = ctx->executable->loaded->program;
  return number >= 0 && number < (int64_t)program->message_count ? program->messages[number] : NULL;
}

void hd_ral_fail_at(hd_ral_context *ctx, hd_status status, int64_t place) {
  const char *text = hd_ral_message(ctx, place);
  hd_ral_fail(ctx, text ? hd_status_annotate(status, "%s", text) : status);
}

static bool is_cancelled(const hd_ral_context *ctx) {
  return ctx->has_cancel && ((ctx->options->cancel && __atomic_load_n(ctx->options->cancel, __ATOMIC_RELAXED)) ||
                             (ctx->event_cancel && __atomic_load_n(ctx->event_cancel, __ATOMIC_RELAXED)));
}

bool hd_ral_is_stopped(const void *ctx) {
  const hd_ral_context *run = ctx;
  return is_cancelled(run) || (run->deadline && hd_trace_now() > run->deadline);
}

bool hd_ral_go_on(hd_ral_context *ctx) {
  if (ctx->head.failed) return false;
  if (is_cancelled(ctx)) {
    hd_ral_fail(ctx, hd_make_status(HD_CANCELLED, "execution cancelled"));
    return false;
  }
  if (ctx->deadline && hd_trace_now() > ctx->deadline) {
    hd_ral_fail(ctx, hd_make_status(HD_DEADLINE_EXCEEDED, "execution took longer than %.3f s",
                                    (double)ctx->options->timeout_ns / 1e9));
    return false;
  }
  return true;
}

void hd_ral_for(hd_ral_context *ctx, int64_t extent, int64_t grain, hd_range_fn body, void *argument) {
  if (extent <= 0) return;
  if (ctx->options->serial)
    hd_pool_alone(&ctx->call, extent, grain, body, argument);
  else
    hd_pool_for(ctx->runtime->pool, &ctx->call, extent, grain, body, argument);
  if (ctx->call.stopped) hd_ral_go_on(ctx); /* what was left out fails the run */
}

int32_t hd_ral_threads(const hd_ral_context *ctx) {
  return ctx->options->serial ? 1 : hd_pool_threads(ctx->runtime->pool);
}

hd_kernel_fn hd_ral_kernel(hd_ral_context *ctx, int64_t index) {
  const hd_loaded *loaded = ctx->executable->loaded;
  if (index >= 0 && index < (int64_t)loaded->program->kernel_count) return loaded->kernels[index];
  hd_ral_fail(ctx, hd_make_status(HD_INTERNAL, "kernel %lld, expected below %u", (long long)index,
                                  loaded->program->kernel_count));
  return NULL;
}

uint64_t hd_ral_cpu_features(const hd_ral_context *ctx) { return ctx->runtime->cpu_features; }

int64_t hd_ral_library_begin(hd_ral_context *ctx) {
  if (!ctx) return 0;
  ++ctx->stats.library_calls;
  ctx->described = "";
  hd_ral_go_on(ctx);
  return hd_trace_is_on(ctx->runtime->trace) ? hd_trace_now() : 0;
}

void hd_ral_describe(hd_ral_context *ctx, int64_t kernel, const char *format, ...) {
  if (!hd_trace_is_on(ctx->runtime->trace)) return;
  const hd_loaded *loaded = ctx->executable->loaded;
  bool known = kernel >= 0 && kernel < (int64_t)loaded->program->kernel_count;
  char what[256], text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  snprintf(text, sizeof text, known ? "%.700s (%s)" : "%s%s", known ? loaded->kernel_sources[kernel] : "", what);
  ctx->described = hd_trace_intern(ctx->runtime->trace, text);
}

void hd_ral_check_bounds(hd_ral_context *ctx, const char *what, const char *name) {
  if (!ctx->runtime->bounds) return;
  hd_status status = hd_bounds_check(ctx->runtime->bounds, &ctx->written);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, hd_status_annotate(status, "%s%s%s", what, *name ? " " : "", name));
}

void hd_ral_library_end(hd_ral_context *ctx, const char *name, int64_t start) {
  if (!ctx || !name) return;
  hd_ral_end_views(ctx);
  hd_ral_check_bounds(ctx, "library call", name);
  if (start) hd_trace_span(ctx->runtime->trace, "library", name, ctx->described, -1, start, hd_trace_now());
}
