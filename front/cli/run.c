/* SPDX-License-Identifier: Apache-2.0 */
/* heddle run */
#include <inttypes.h>
#include <string.h>

#include "../compiler/compiler.h"
#include "base/strbuf.h"
#include "commands.h"
#include "evaluate.h"
#include "execute.h"
#include "expect.h"
#include "processes.h"
#include "values.h"
#include "watchdog.h"

static const char *shape_text(hd_arena *arena, const hd_cli_tensor *tensor) {
  hd_strbuf text;
  hd_strbuf_init(&text, arena);
  for (int32_t i = 0; i < tensor->rank; ++i) hd_strbuf_printf(&text, "%" PRId64 "x", tensor->dims[i]);
  hd_strbuf_puts(&text, hd_element_text(tensor->type));
  return hd_strbuf_text(&text);
}

static void print_json(hd_arena *arena, const hd_cli_program *program, const hd_cli_timing *timing,
                       const double *difference) {
  hd_strbuf text;
  hd_strbuf_init(&text, arena);
  hd_strbuf_printf(
      &text,
      "{\"compile_ms\": %.3f, \"source\": \"%s\", \"first_run_us\": %.1f, \"median_us\": %.1f, \"min_us\": %.1f, "
      "\"runs\": %" PRIu64 ", \"peak_rss_bytes\": %" PRIu64 ", \"kernels\": %d, \"launches\": %" PRId64
      ", \"library_calls\": %" PRId64 ", \"allocations\": %" PRId64 ", \"copies\": %" PRId64
      ", \"buffer_bytes_peak\": %" PRIu64 ", \"threads\": %d, \"target\": ",
      program->compile_ms, hd_cli_source_names[program->source].name, timing->first_us, timing->median_us,
      timing->min_us, timing->runs, hd_cli_peak_rss(), hd_executable_kernel_count(program->executable),
      timing->stats.launches, timing->stats.library_calls, timing->stats.allocations, timing->stats.copies,
      timing->stats.bytes_peak, hd_runtime_threads(program->runtime));
  hd_strbuf_put_json(&text, hd_executable_target(program->executable));
  hd_strbuf_puts(&text, ", \"driver\": ");
  hd_strbuf_put_json(&text, hd_executable_driver(program->executable));
  if (difference) {
    hd_strbuf_puts(&text, ", \"difference\": ");
    hd_strbuf_put_json_number(&text, *difference);
  }
  printf("%s}\n", hd_strbuf_text(&text));
}

static void print_table(hd_arena *arena, const hd_cli_program *program, const hd_cli_timing *timing,
                        const hd_cli_tensor *outputs) {
  int32_t count = hd_executable_output_count(program->executable);
  hd_cli_print_program(program);
  printf("\n");
  int width = 8;
  for (int32_t i = 0; i < count; ++i) {
    int n = (int)strlen(shape_text(arena, &outputs[i]));
    if (n > width) width = n;
  }
  printf("\n  %-6s %-*s %12s %12s %12s\n", "", width, "shape", "min", "max", "mean");
  for (int32_t i = 0; i < count; ++i) {
    hd_cli_summary s = hd_cli_summarise(&outputs[i]);
    char name[16];
    snprintf(name, sizeof name, "out%d", i);
    printf("  %-6s %-*s ", name, width, shape_text(arena, &outputs[i]));
    if (s.min > s.max)
      printf("%12s %12s %12s", "-", "-", "-");
    else
      printf("%12s %12s %12.5g", hd_cli_real_text(&outputs[i], s.min_at, 5).text,
             hd_cli_real_text(&outputs[i], s.max_at, 5).text, s.mean);
    if (s.nan) printf("  %zu nan", s.nan);
    if (s.inf) printf("  %zu inf", s.inf);
    printf("\n");
  }
  printf("\n  first run %.1f us", timing->first_us);
  if (timing->runs > 1)
    printf(", then median %.1f us, min %.1f us of %" PRIu64 " runs", timing->median_us, timing->min_us, timing->runs);
  int64_t launches = timing->stats.launches, calls = timing->stats.library_calls;
  printf("; %" PRId64 " launch%s, %" PRId64 " library call%s\n", launches, launches == 1 ? "" : "es", calls,
         calls == 1 ? "" : "s");
}

/* "out0[3, 14]: 0.25, expected 0.5, written by row_softmax_2 from model.mlir:14:10": the element that differs most. */
static hd_status describe_worst(hd_arena *arena, const hd_cli_options *options, const hd_cli_program *program,
                                int32_t output, const hd_cli_tensor *got, const hd_cli_tensor *want,
                                const char **out_text) {
  const hd_compiler *compiler;
  hd_compile_options compile;
  hd_blob *writer = hd_cli_blob(arena);
  hd_strbuf text;
  size_t at = hd_cli_worst_element(got, want), rest = at;
  int64_t *index = hd_new_array(arena, int64_t, got->rank + 1);
  for (int32_t k = got->rank; k-- > 0;) {
    index[k] = (int64_t)(rest % (size_t)got->dims[k]);
    rest /= (size_t)got->dims[k];
  }
  hd_strbuf_init(&text, arena);
  hd_strbuf_printf(&text, "out%d[", output);
  for (int32_t k = 0; k < got->rank; ++k) hd_strbuf_printf(&text, "%s%" PRId64, k ? ", " : "", index[k]);
  hd_strbuf_printf(&text, "]: %s, expected %s", hd_cli_real_text(got, at, 9).text, hd_cli_real_text(want, at, 9).text);
  HD_TRY(hd_compiler_open(&compiler));
  HD_TRY(hd_cli_compile_options(arena, options, &compile));
  HD_TRY(compiler->hd_output_writer(program->bytes.data, program->bytes.size, options->name, &compile, (size_t)output,
                                    hd_cli_sink(), writer));
  if (writer->size) hd_strbuf_printf(&text, ", written by %s", writer->data);
  *out_text = hd_strbuf_text(&text);
  return HD_STATUS_OK;
}

/* The result that is the furthest from the evaluator's, by its own tolerance. */
typedef struct comparison {
  double difference, tolerance;
  const char *worst; /* which element, "" where all are equal */
} comparison;

static hd_status compare_with_evaluator(hd_arena *arena, const hd_cli_options *options, const hd_cli_program *program,
                                        const hd_cli_tensor *inputs, const hd_cli_tensor *outputs, comparison *out) {
  hd_cli_tensor *want;
  int32_t worst = 0;
  int32_t count;
  *out = (comparison){.tolerance = options->tolerance >= 0 ? options->tolerance : HD_CLI_TOLERANCE, .worst = ""};
  hd_cli_options evaluation = *options;
  evaluation.excess_precision = !options->no_excess_precision;
  evaluation.target = NULL; /* the evaluator runs kernels itself */
  HD_TRY(hd_cli_evaluate(arena, &evaluation, &program->bytes, inputs, hd_executable_input_count(program->executable),
                         &want, &count));
  if (count != hd_executable_output_count(program->executable))
    return hd_make_status(HD_INTERNAL, "the evaluator gives %d results, the compiled program %d", count,
                          hd_executable_output_count(program->executable));
  for (int32_t i = 0; i < count; ++i) {
    bool same = want[i].type == outputs[i].type && want[i].rank == outputs[i].rank &&
                !memcmp(want[i].dims, outputs[i].dims, (size_t)want[i].rank * sizeof *want[i].dims);
    if (!same)
      return hd_make_status(HD_INTERNAL, "output %d: the evaluator gives %s, the compiled program %s", i,
                            shape_text(arena, &want[i]), shape_text(arena, &outputs[i]));
    double d = hd_cli_difference(&outputs[i], &want[i]);
    double tolerance = options->tolerance >= 0 ? options->tolerance : hd_cli_tolerance_of(outputs[i].type);
    if (i && hd_cli_excess(d, tolerance) <= hd_cli_excess(out->difference, out->tolerance)) continue;
    out->difference = d;
    out->tolerance = tolerance;
    worst = i;
  }
  if (out->difference == 0) return HD_STATUS_OK;
  return describe_worst(arena, options, program, worst, &outputs[worst], &want[worst], &out->worst);
}

static hd_status run_loaded(hd_arena *arena, const hd_cli_options *options, hd_cli_program *program,
                            hd_buffer **buffers, hd_cli_tensor *outputs, int *out_exit) {
  hd_cli_signature signature = hd_cli_signature_of(arena, program->executable);
  hd_cli_tensor *inputs = hd_new_array(arena, hd_cli_tensor, signature.arg_count + 1);
  int32_t count = hd_executable_output_count(program->executable);
  bool *constant;
  hd_cli_timing timing;
  HD_TRY(hd_cli_constant_args(arena, options, signature.arg_count, &constant));
  HD_TRY(hd_cli_make_inputs(arena, options, &signature, NULL, inputs));
  HD_TRY(hd_cli_execute(arena, program, options, inputs, constant, options->repeat ? options->repeat : 1, &timing,
                        buffers, outputs));
  comparison compared = {0};
  if (options->reference) HD_TRY(compare_with_evaluator(arena, options, program, inputs, outputs, &compared));
  hd_cli_watch_phase("writing the results");
  if (options->outputs) HD_TRY(hd_cli_write_outputs(options->outputs, outputs, count));
  if (options->profile) HD_TRY(hd_cli_write_profile(program, options->profile));
  if (options->json)
    print_json(arena, program, &timing, options->reference ? &compared.difference : NULL);
  else if (!program->communicator || !hd_communicator_rank(program->communicator))
    print_table(arena, program, &timing, outputs);
  if (options->reference) {
    bool close = compared.difference <= compared.tolerance;
    if (!options->json && compared.difference == 0)
      printf("  equals the evaluator (tolerance %.3g)\n", compared.tolerance);
    else if (!options->json || !close)
      fprintf(close ? stdout : stderr,
              "  %sdiffers from the evaluator by %.3g of the largest magnitude (tolerance %.3g)\n",
              close ? "" : "heddle: error: ", compared.difference, compared.tolerance);
    if (*compared.worst && (!options->json || !close))
      fprintf(close ? stdout : stderr, "  worst element: %s\n", compared.worst);
    if (!close) *out_exit = HD_EXIT_DIFFERS;
  }
  return HD_STATUS_OK;
}

static hd_status run_program(hd_arena *arena, const hd_cli_options *options, hd_communicator *communicator,
                             int *out_exit) {
  hd_cli_program *program;
  HD_TRY(hd_cli_load(arena, options, &program));
  if (communicator)
    HD_TRY(hd_communicator_create_on_device(communicator, program->runtime, NULL, 0, &program->communicator));
  int32_t count = hd_executable_output_count(program->executable);
  hd_buffer **buffers = hd_new_array(arena, hd_buffer *, count + 1);
  hd_cli_tensor *outputs = hd_new_array(arena, hd_cli_tensor, count + 1);
  hd_status status = run_loaded(arena, options, program, buffers, outputs, out_exit);
  hd_cli_release_outputs(program, buffers);
  hd_communicator_release(program->communicator);
  return status;
}

hd_status hd_cli_run(hd_arena *arena, const hd_cli_options *given, int *out_exit) {
  if (given->reference && strcmp(given->reference, "eval"))
    return hd_make_status(HD_INVALID_ARGUMENT, "--reference: expected eval, got '%s'", given->reference);
  hd_cli_options options;
  hd_communicator *communicator;
  HD_TRY(hd_cli_join_processes(arena, given, &options, &communicator));
  hd_status status = given->expect ? hd_cli_run_cases(arena, &options, communicator, out_exit)
                                   : run_program(arena, &options, communicator, out_exit);
  if (communicator && !hd_is_ok(status)) hd_communicator_abort(communicator, hd_status_message(status));
  hd_communicator_release(communicator);
  return status;
}
