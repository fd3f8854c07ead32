/* SPDX-License-Identifier: Apache-2.0 */
/* The file:
 *
 *   {"seed": 0, "tolerance": 1e-05,
 *    "scales": [one per argument, for --random-scale], "limits": [one per argument: --random-max, 0 for none],
 *    "cases": [{"dims": {"b": 1, "s": 16}, "flops": 1e9, "scales": [...],
 *               "outputs": [{"type": "f32", "dims": [1, 16, 768], "max": 3.1, "l2": 99.0, "samples": [...]}]}]}
 *
 * |max| is the largest magnitude, |l2| the Euclidean norm. The samples are all elements when there are at most
 * EXPECT_SAMPLES; else sample k is element (h(0, 4294967296 + output, k) >> 32) * count >> 32 with h as in
 * heddle/tensor_file.h. Errors are relative to |max|, that of l2 to itself. */
#include "expect.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "execute.h"
#include "heddle/tensor_file.h"
#include "values.h"

enum { EXPECT_SAMPLES = 256 };

/* The elements that are sampled of |count|, by the random integers of the format. */
static hd_status sample_positions(int32_t output, size_t count, uint32_t *out) {
  if (count > UINT32_MAX) return hd_make_status(HD_UNIMPLEMENTED, "it has more elements than samples can name");
  if (count > EXPECT_SAMPLES)
    return hd_random_fill(HD_ELEMENT_UI32, 0, 4294967296u + (uint64_t)output, (uint32_t)count, EXPECT_SAMPLES, out);
  for (uint32_t i = 0; i < count; ++i) out[i] = i;
  return HD_STATUS_OK;
}

/* The error of |got| against what the file says of output |i|. */
static hd_status output_error(const hd_json *want, const hd_cli_tensor *got, int32_t i, double *out_error) {
  const hd_json *dims = hd_json_get(want, "dims"), *samples = hd_json_get(want, "samples");
  size_t count = hd_cli_count(got), sampled = count < EXPECT_SAMPLES ? count : EXPECT_SAMPLES;
  const char *type = hd_json_text(want, "type", "?");
  *out_error = INFINITY;
  if (!dims || dims->kind != HD_JSON_ARRAY || !samples || samples->kind != HD_JSON_ARRAY || samples->count != sampled ||
      strcmp(type, hd_element_text(got->type)))
    return hd_make_status(HD_DATA_LOSS, "expected %zu elements of %s, got %zu of %s", samples ? samples->count : 0,
                          type, sampled, hd_element_text(got->type));
  for (size_t k = 0; k < sampled; ++k)
    if (samples->items[k].kind != HD_JSON_NUMBER)
      return hd_make_status(HD_DATA_LOSS, "samples: element %zu is no number", k);
  bool same = dims->count == (size_t)got->rank;
  for (int32_t k = 0; same && k < got->rank; ++k) {
    int64_t dim;
    same = hd_json_integer(&dims->items[k], 0, INT64_MAX, &dim) && dim == got->dims[k];
  }
  if (!same) return HD_STATUS_OK;
  uint32_t positions[EXPECT_SAMPLES];
  HD_TRY(sample_positions(i, count, positions));
  hd_cli_summary summary = hd_cli_summarise(got);
  double max = hd_json_number(want, "max", 0), l2 = hd_json_number(want, "l2", 0);
  double error = hd_cli_distance(summary.magnitude, max);
  for (size_t k = 0; k < sampled; ++k)
    error = fmax(error, hd_cli_distance(hd_cli_element(got, positions[k]), samples->items[k].number));
  error = !error ? 0 : max ? error / max : INFINITY;
  double norm = hd_cli_distance(summary.l2, l2);
  *out_error = fmax(error, !norm ? 0 : l2 ? norm / l2 : INFINITY);
  return HD_STATUS_OK;
}

/* |list| as one number per argument; null where it is missing. */
static hd_status read_scales(hd_arena *arena, const hd_json *list, int32_t count, const double **out) {
  *out = NULL;
  if (!list) return HD_STATUS_OK;
  double *scales = hd_new_array(arena, double, count + 1);
  bool good = list->kind == HD_JSON_ARRAY && list->count == (size_t)count;
  for (int32_t i = 0; good && i < count; ++i) {
    good = list->items[i].kind == HD_JSON_NUMBER;
    scales[i] = list->items[i].number;
  }
  if (!good) return hd_make_status(HD_DATA_LOSS, "scales: expected one number for each of %d arguments", count);
  *out = scales;
  return HD_STATUS_OK;
}

static hd_status read_limits(hd_arena *arena, const hd_json *list, int32_t count, const uint32_t **out) {
  *out = NULL;
  if (!list) return HD_STATUS_OK;
  uint32_t *limits = hd_new_array(arena, uint32_t, count + 1);
  bool good = list->kind == HD_JSON_ARRAY && list->count == (size_t)count;
  for (int32_t i = 0; good && i < count; ++i) {
    int64_t limit;
    good = hd_json_integer(&list->items[i], 0, UINT32_MAX, &limit);
    limits[i] = (uint32_t)limit;
  }
  if (!good)
    return hd_make_status(HD_DATA_LOSS, "limits: expected one number, 0 to %" PRIu32 ", for each of %d arguments",
                          UINT32_MAX, count);
  *out = limits;
  return HD_STATUS_OK;
}

/* {"b": 1, "s": 16} into |out|, and as "b=1 s=16". */
static hd_status read_dims(hd_arena *arena, const hd_json *dims, hd_cli_variation *out, hd_strbuf *shape) {
  if (!dims || dims->kind != HD_JSON_OBJECT)
    return hd_make_status(HD_DATA_LOSS, "dims: expected an object such as {\"b\": 1}");
  hd_named_dim *list = hd_new_array(arena, hd_named_dim, dims->count + 1);
  for (size_t i = 0; i < dims->count; ++i) {
    list[i].name = dims->keys[i];
    if (!hd_json_integer(&dims->items[i], 0, INT64_MAX, &list[i].size))
      return hd_make_status(HD_DATA_LOSS, "dims: '%s': expected a whole number, 0 or more", dims->keys[i]);
    hd_strbuf_printf(shape, "%s%s=%" PRId64, i ? " " : "", dims->keys[i], list[i].size);
  }
  if (!dims->count) hd_strbuf_puts(shape, "fixed");
  out->dims = list;
  out->dim_count = dims->count;
  return HD_STATUS_OK;
}

typedef struct case_result {
  hd_strbuf shape;
  hd_cli_timing timing;
  double error, excess, flops; /* |excess|: how many times the tolerance, at most, is an output's error */
} case_result;

typedef struct case_call {
  hd_arena arena; /* of this case: its inputs end with it */
  const hd_cli_options *options;
  hd_cli_program *program;
  const hd_json *file, *test;
  double tolerance; /* below 0: that of each output's elements */
  const bool *constant;
  hd_buffer **buffers; /* released by the caller */
  case_result *out;
} case_call;

static hd_status run_case(void *argument) {
  case_call *call = argument;
  hd_arena *arena = &call->arena;
  case_result *out = call->out;
  hd_cli_options options = *call->options;
  hd_executable *executable = call->program->executable;
  hd_cli_signature signature = hd_cli_signature_of(arena, executable);
  int32_t args = signature.arg_count, count = hd_executable_output_count(executable);
  const hd_json *outputs = hd_json_get(call->test, "outputs"), *scales = hd_json_get(call->test, "scales");
  const hd_json *seed_item = hd_json_get(call->file, "seed");
  hd_cli_variation variation = {.by = options.expect};
  int64_t seed = 0;
  if (seed_item && !hd_json_integer(seed_item, 0, INT64_MAX, &seed))
    return hd_make_status(HD_DATA_LOSS, "seed: expected a whole number, 0 or more");
  options.random = "";
  options.seed = (uint64_t)seed;
  HD_TRY(read_dims(arena, hd_json_get(call->test, "dims"), &variation, &out->shape));
  HD_TRY(read_scales(arena, scales ? scales : hd_json_get(call->file, "scales"), args, &variation.scales));
  HD_TRY(read_limits(arena, hd_json_get(call->file, "limits"), args, &variation.limits));
  if (!outputs || outputs->kind != HD_JSON_ARRAY || outputs->count != (size_t)count)
    return hd_make_status(HD_DATA_LOSS, "expected %d outputs, got %zu", count, outputs ? outputs->count : 0);
  out->flops = hd_json_number(call->test, "flops", 0);

  hd_cli_tensor *inputs = hd_new_array(arena, hd_cli_tensor, args + 1);
  hd_cli_tensor *results = hd_new_array(arena, hd_cli_tensor, count + 1);
  HD_TRY(hd_cli_make_inputs(arena, &options, &signature, &variation, inputs));
  HD_TRY(hd_cli_execute(arena, call->program, &options, inputs, call->constant, options.repeat ? options.repeat : 10,
                        &out->timing, call->buffers, results));
  for (int32_t i = 0; i < count; ++i) {
    double error;
    HD_TRY_MSG(output_error(&outputs->items[i], &results[i], i, &error), "output %d", i);
    out->error = fmax(out->error, error);
    double tolerance = call->tolerance >= 0 ? call->tolerance : hd_cli_tolerance_of(results[i].type);
    out->excess = fmax(out->excess, hd_cli_excess(error, tolerance));
  }
  return HD_STATUS_OK;
}

/* What the caller says, else the file; below 0 where neither does. */
static double tolerance_of(const hd_cli_options *options, const hd_json *file) {
  return options->tolerance >= 0 ? options->tolerance : hd_json_number(file, "tolerance", -1);
}

/* Case |i| of |file|, with an arena of its own. */
static hd_status run_case_alone(hd_arena *arena, const hd_cli_options *options, hd_cli_program *program,
                                const hd_json *file, size_t i, case_result *out) {
  hd_executable *executable = program->executable;
  int32_t args = hd_executable_input_count(executable);
  bool *constant;
  HD_TRY(hd_cli_constant_args(arena, options, args, &constant));
  case_call call = {.options = options,
                    .program = program,
                    .file = file,
                    .tolerance = tolerance_of(options, file),
                    .test = &hd_json_get(file, "cases")->items[i],
                    .constant = constant,
                    .buffers = hd_new_array(arena, hd_buffer *, hd_executable_output_count(executable) + 1),
                    .out = out};
  *out = (case_result){0};
  hd_strbuf_init(&out->shape, arena);
  hd_arena_init(&call.arena, NULL);
  hd_status status = hd_guarded_call(run_case, &call);
  for (int32_t k = 0; k < args; ++k) /* the buffer of a bound argument outlives the tensor's memory */
    if (constant[k]) status = hd_status_join(status, hd_executable_bind(executable, k, NULL));
  hd_cli_release_outputs(program, call.buffers);
  hd_arena_free(&call.arena);
  return hd_is_ok(status) ? status : hd_status_annotate(status, "%s: case %zu", options->expect, i);
}

static void print_header(const hd_cli_program *program, size_t cases) {
  hd_cli_print_program(program);
  printf(", %zu case%s\n\n", cases, cases == 1 ? "" : "s");
  printf("  %-16s %12s %12s %10s %10s\n", "shape", "first run", "median", "GFLOP/s", "error");
}

/* One object of "cases". */
static void put_case(hd_strbuf *json, const case_result *r, double speed, bool good) {
  hd_strbuf_puts(json, "{\"shape\": ");
  hd_strbuf_put_json(json, hd_strbuf_text(&r->shape));
  hd_strbuf_printf(json,
                   ", \"first_run_us\": %.1f, \"median_us\": %.1f, \"min_us\": %.1f, \"gflops\": ", r->timing.first_us,
                   r->timing.median_us, r->timing.min_us);
  hd_strbuf_put_json_number(json, speed);
  hd_strbuf_puts(json, ", \"error\": ");
  hd_strbuf_put_json_number(json, r->error);
  hd_strbuf_printf(json, ", \"ok\": %s}", good ? "true" : "false");
}

/* JSON is printed when it is whole, the table line by line. */
static hd_status run_cases(hd_arena *arena, const hd_cli_options *options, hd_cli_program *program, const hd_json *file,
                           int *out_exit) {
  const hd_json *cases = hd_json_get(file, "cases");
  double said = tolerance_of(options, file), tolerance = said >= 0 ? said : HD_CLI_TOLERANCE;
  size_t bad = 0;
  hd_strbuf json;
  hd_strbuf_init(&json, arena);
  if (!cases || cases->kind != HD_JSON_ARRAY || !cases->count)
    return hd_make_status(HD_DATA_LOSS, "%s: expected cases", options->expect);
  hd_strbuf_printf(&json, "{\"compile_ms\": %.3f, \"cases\": [", program->compile_ms);
  bool table = !options->json && (!program->communicator || !hd_communicator_rank(program->communicator));
  if (table) print_header(program, cases->count);
  for (size_t i = 0; i < cases->count; ++i) {
    case_result r;
    HD_TRY(run_case_alone(arena, options, program, file, i, &r));
    bool good = r.excess <= 1;
    double speed = r.flops / (r.timing.median_us * 1e3);
    bad += !good;
    if (i) hd_strbuf_puts(&json, ", ");
    put_case(&json, &r, speed, good);
    if (!table) continue;
    printf("  %-16s %9.3f ms %9.3f ms %10.2f %10.2g  %s\n", hd_strbuf_text(&r.shape), r.timing.first_us / 1e3,
           r.timing.median_us / 1e3, speed, r.error, good ? "ok" : "WRONG");
    fflush(stdout);
  }
  hd_strbuf_printf(&json, "], \"peak_rss_bytes\": %" PRIu64 ", \"kernels\": %d}\n", hd_cli_peak_rss(),
                   hd_executable_kernel_count(program->executable));
  if (options->json) fputs(hd_strbuf_text(&json), stdout);
  if (bad) {
    *out_exit = HD_EXIT_DIFFERS;
    fprintf(stderr, "heddle: error: %zu of %zu cases differ from %s by more than %.3g\n", bad, cases->count,
            options->expect, tolerance);
  } else if (table) {
    printf("\n  all within %.3g of %s\n", tolerance, hd_json_text(file, "oracle", "the expected results"));
  }
  return HD_STATUS_OK;
}

hd_status hd_cli_run_cases(hd_arena *arena, const hd_cli_options *options, hd_communicator *communicator,
                           int *out_exit) {
  hd_blob text;
  hd_json file;
  hd_cli_program *program;
  HD_TRY(hd_cli_read_file(arena, options->expect, &text));
  HD_TRY(hd_json_read(arena, (hd_str){text.data, text.size}, options->expect, &file));
  HD_TRY(hd_cli_load(arena, options, &program));
  if (communicator)
    HD_TRY(hd_communicator_create_on_device(communicator, program->runtime, NULL, 0, &program->communicator));
  hd_status status = run_cases(arena, options, program, &file, out_exit);
  hd_communicator_release(program->communicator);
  HD_TRY(status);
  return options->profile ? hd_cli_write_profile(program, options->profile) : HD_STATUS_OK;
}
