/* SPDX-License-Identifier: Apache-2.0 */
/* heddle run --expect: every case of an expectation file on one compiled program.
 *
 *   {"seed": 0, "tolerance": 1e-05,
 *    "scales": [one per argument, for --random-scale], "limits": [one per argument: --random-max, 0 for none],
 *    "cases": [{"dims": {"b": 1, "s": 16}, "flops": 1e9, "scales": [...],
 *               "outputs": [{"type": "f32", "dims": [1, 16, 768], "max": 3.1, "l2": 99.0, "samples": [...]}]}]}
 *
 * |max| is the largest magnitude, |l2| the Euclidean norm. The samples are all elements when there are at most
 * EXPECT_SAMPLES; else sample k is element (h(0, 4294967296 + output, k) >> 32) * count >> 32 with h as in
 * heddle/tensor_file.h. Errors are relative to |max|, that of l2 to itself. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/tensor_file.h"
#include "json.h"
#include "run.h"

enum { EXPECT_SAMPLES = 256 };

/* The elements that are sampled of |count|, by the random integers of the format. */
static hd_status sample_positions(int32_t output, size_t count, uint32_t *out) {
  if (count > UINT32_MAX)
    return hd_make_status(HD_UNIMPLEMENTED, "output %d has more elements than samples can name", output);
  if (count > EXPECT_SAMPLES)
    return hd_random_fill(HD_ELEMENT_UI32, 0, 4294967296u + (uint64_t)output, (uint32_t)count, EXPECT_SAMPLES, out);
  for (uint32_t i = 0; i < count; ++i) out[i] = i;
  return HD_STATUS_OK;
}

static double apart(double got, double want) {
  if (got == want || (isnan(got) && isnan(want))) return 0;
  double d = fabs(got - want);
  return isfinite(d) ? d : INFINITY;
}

/* The error of |got| against what the file says of output |i|. */
static hd_status output_error(const char *path, const hd_json *want, int32_t i, const hd_cli_tensor *got,
                              double *out_error) {
  const hd_json *dims = hd_json_get(want, "dims"), *samples = hd_json_get(want, "samples");
  size_t count = hd_cli_count(got), sampled = count < EXPECT_SAMPLES ? count : EXPECT_SAMPLES;
  *out_error = INFINITY;
  if (!dims || !samples || samples->count != sampled ||
      strcmp(hd_json_text(want, "type", ""), hd_element_text(got->type)))
    return hd_make_status(HD_DATA_LOSS, "%s: output %d: expected %zu elements of %s, got %zu of %s", path, i,
                          samples ? samples->count : 0, hd_json_text(want, "type", "?"), sampled,
                          hd_element_text(got->type));
  bool same = dims->count == (size_t)got->rank;
  for (int32_t k = 0; same && k < got->rank; ++k) same = (int64_t)dims->items[k].number == got->dims[k];
  if (!same) return HD_STATUS_OK;
  uint32_t positions[EXPECT_SAMPLES];
  HD_TRY(sample_positions(i, count, positions));
  hd_cli_summary summary = hd_cli_summarise(got);
  double max = hd_json_number(want, "max", 0), l2 = hd_json_number(want, "l2", 0);
  double error = apart(summary.magnitude, max);
  for (size_t k = 0; k < sampled; ++k)
    error = fmax(error, apart(hd_cli_element(got, positions[k]), samples->items[k].number));
  error = !error ? 0 : max ? error / max : INFINITY;
  double norm = apart(summary.l2, l2);
  *out_error = fmax(error, !norm ? 0 : l2 ? norm / l2 : INFINITY);
  return HD_STATUS_OK;
}

static double *read_numbers(hd_arena *arena, const hd_json *list, int32_t count) {
  if (!list || list->count != (size_t)count) return NULL;
  double *out = hd_new_array(arena, double, count + 1);
  for (int32_t i = 0; i < count; ++i) out[i] = list->items[i].number;
  return out;
}

typedef struct case_result {
  const char *shape;
  hd_cli_timing timing;
  double error, flops;
} case_result;

static hd_status run_case(hd_arena *arena, const hd_cli_options *given, hd_cli_program *program, const hd_json *file,
                          const hd_json *test, case_result *out) {
  hd_cli_options options = *given;
  hd_cli_signature signature = hd_cli_signature_of(arena, program->executable);
  int32_t args = signature.arg_count, count = hd_executable_output_count(program->executable);
  const hd_json *dims = hd_json_get(test, "dims"), *outputs = hd_json_get(test, "outputs");
  if (!dims || !outputs || outputs->count != (size_t)count)
    return hd_make_status(HD_DATA_LOSS, "%s: expected dims and %d outputs in each case", given->expect, count);
  hd_strbuf assigned, shape;
  hd_strbuf_init(&assigned, arena);
  hd_strbuf_init(&shape, arena);
  for (size_t i = 0; i < dims->count; ++i) {
    hd_strbuf_printf(&assigned, "%s%s=%" PRId64, i ? "," : "", dims->keys[i], (int64_t)dims->items[i].number);
    hd_strbuf_printf(&shape, "%s%s=%" PRId64, i ? " " : "", dims->keys[i], (int64_t)dims->items[i].number);
  }
  out->shape = dims->count ? hd_strbuf_text(&shape) : "fixed";
  out->flops = hd_json_number(test, "flops", 0);
  options.dims = (hd_cli_values){.data = {hd_strbuf_text(&assigned)}, .len = 1};
  options.random = "";
  options.seed = (uint64_t)hd_json_number(file, "seed", 0);

  double *limits = read_numbers(arena, hd_json_get(file, "limits"), args);
  hd_cli_variation variation = {.scales = read_numbers(arena, hd_json_get(test, "scales"), args)};
  if (!variation.scales) variation.scales = read_numbers(arena, hd_json_get(file, "scales"), args);
  uint32_t *whole = hd_new_array(arena, uint32_t, args + 1);
  for (int32_t i = 0; limits && i < args; ++i) whole[i] = (uint32_t)limits[i];
  variation.limits = whole;

  bool *constant;
  hd_cli_tensor *inputs = hd_new_array(arena, hd_cli_tensor, args + 1);
  hd_cli_tensor *results = hd_new_array(arena, hd_cli_tensor, count + 1);
  hd_buffer **buffers = hd_new_array(arena, hd_buffer *, count + 1);
  HD_TRY(hd_cli_constant_args(arena, given, args, &constant));
  HD_TRY(hd_cli_make_inputs(arena, &options, &signature, &variation, inputs));
  hd_status status = hd_cli_execute(arena, program, &options, inputs, constant, given->repeat ? given->repeat : 10,
                                    &out->timing, buffers, results);
  out->error = 0;
  for (int32_t i = 0; i < count && hd_is_ok(status); ++i) {
    double error;
    status = output_error(given->expect, &outputs->items[i], i, &results[i], &error);
    out->error = fmax(out->error, error);
  }
  for (int32_t i = 0; i < args && hd_is_ok(status);
       ++i) /* the buffer of a bound argument outlives the tensor's memory */
    if (constant[i]) status = hd_executable_bind(program->executable, i, NULL);
  hd_cli_release_outputs(program, buffers);
  hd_cli_free_inputs(); /* of this case */
  return status;
}

static void print_header(const hd_cli_program *program, size_t cases) {
  int32_t kernels = hd_executable_kernel_count(program->executable), threads = hd_runtime_threads(program->runtime);
  printf("%s: %s in %.1f ms: %d kernel%s, %s, %d thread%s, %zu case%s\n\n", program->name,
         program->source == HD_CLI_COMPILED ? "compiled once"
         : program->source == HD_CLI_CACHED ? "loaded from the cache"
                                            : "loaded",
         program->compile_ms, kernels, kernels == 1 ? "" : "s", hd_executable_target(program->executable), threads,
         threads == 1 ? "" : "s", cases, cases == 1 ? "" : "s");
  printf("  %-16s %12s %12s %10s %10s\n", "shape", "first run", "median", "GFLOP/s", "error");
}

static hd_status run_cases(hd_arena *arena, const hd_cli_options *options, hd_cli_program *program, const hd_json *file,
                           int *out_exit) {
  const hd_json *cases = hd_json_get(file, "cases");
  double tolerance = options->tolerance ? options->tolerance : hd_json_number(file, "tolerance", HD_CLI_TOLERANCE);
  size_t bad = 0;
  if (!cases || !cases->count) return hd_make_status(HD_DATA_LOSS, "%s: expected cases", options->expect);
  if (options->json)
    printf("{\"compile_ms\": %.3f, \"cases\": [", program->compile_ms);
  else
    print_header(program, cases->count);
  for (size_t i = 0; i < cases->count; ++i) {
    case_result r = {0};
    HD_TRY(run_case(arena, options, program, file, &cases->items[i], &r));
    bool good = r.error <= tolerance;
    double speed = r.flops / (r.timing.median_us * 1e3);
    bad += !good;
    if (options->json)
      printf(
          "%s{\"shape\": \"%s\", \"first_run_us\": %.1f, \"median_us\": %.1f, \"min_us\": %.1f, \"gflops\": %.2f, "
          "\"error\": %.4g, \"ok\": %s}",
          i ? ", " : "", r.shape, r.timing.first_us, r.timing.median_us, r.timing.min_us, speed, r.error,
          good ? "true" : "false");
    else
      printf("  %-16s %9.3f ms %9.3f ms %10.2f %10.2g  %s\n", r.shape, r.timing.first_us / 1e3,
             r.timing.median_us / 1e3, speed, r.error, good ? "ok" : "WRONG");
    fflush(stdout);
  }
  if (options->json)
    printf("], \"peak_rss_bytes\": %" PRIu64 ", \"kernels\": %d}\n", hd_cli_peak_rss(),
           hd_executable_kernel_count(program->executable));
  if (bad) {
    *out_exit = HD_EXIT_DIFFERS;
    fprintf(stderr, "heddle: error: %zu of %zu cases differ from %s by more than %.3g\n", bad, cases->count,
            options->expect, tolerance);
  } else if (!options->json) {
    printf("\n  all within %.3g of %s\n", tolerance, hd_json_text(file, "oracle", "the expected results"));
  }
  return HD_STATUS_OK;
}

/* The file gives the inputs and says what comes out: options that do so too would be passed over. */
static hd_status check_options(const hd_cli_options *o) {
  const char *given = o->inputs.len         ? "inputs"
                      : o->random           ? "random"
                      : o->random_scale.len ? "random-scale"
                      : o->dims.len         ? "dims"
                      : o->shape.len        ? "shape"
                      : o->outputs          ? "outputs"
                      : o->reference        ? "reference"
                                            : NULL;
  if (!given) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT,
                        "--%s: expected none with --expect, whose cases have their own inputs and results", given);
}

hd_status hd_cli_run_cases(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  hd_blob text;
  hd_json file;
  hd_cli_program program;
  HD_TRY(check_options(options));
  HD_TRY(hd_cli_read_file(options->expect, &text));
  hd_status status = hd_json_read(arena, (hd_str){text.data, text.size}, options->expect, &file);
  free(text.data);
  HD_TRY(status);
  status = hd_cli_load(arena, options, &program);
  if (hd_is_ok(status)) status = run_cases(arena, options, &program, &file, out_exit);
  if (hd_is_ok(status) && options->profile) status = hd_cli_write_profile(&program, options->profile);
  hd_cli_unload(&program);
  return status;
}
