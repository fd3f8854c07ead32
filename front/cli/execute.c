/* SPDX-License-Identifier: Apache-2.0 */
#include "execute.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "watchdog.h"

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void hd_cli_release_outputs(hd_cli_program *program, hd_buffer **buffers) {
  for (int32_t i = 0; i < hd_executable_output_count(program->executable); ++i) {
    hd_buffer_release(buffers[i]);
    buffers[i] = NULL;
  }
}

static void print_text(void *user, const char *text) {
  (void)user;
  fputs(text, stdout);
}

/* Its elements where they are, or a copy on the arena of those of a device. */
static hd_status look_at(hd_arena *arena, hd_buffer *buffer, hd_cli_tensor *out) {
  size_t bytes = hd_buffer_bytes(buffer);
  void *data = hd_buffer_data(buffer);
  if (!data && bytes) {
    data = hd_arena_alloc(arena, bytes);
    HD_TRY(hd_buffer_read(buffer, data, bytes));
  }
  *out = (hd_cli_tensor){hd_buffer_type(buffer), hd_buffer_rank(buffer), hd_buffer_dims(buffer), data, bytes};
  return HD_STATUS_OK;
}

hd_status hd_cli_execute(hd_arena *arena, hd_cli_program *program, const hd_cli_options *options,
                         const hd_cli_tensor *inputs, const bool *constant, uint64_t repeat, hd_cli_timing *out_timing,
                         hd_buffer **out_buffers, hd_cli_tensor *outputs) {
  hd_executable *executable = program->executable;
  int32_t in_count = hd_executable_input_count(executable), out_count = hd_executable_output_count(executable);
  hd_buffer **buffers = hd_new_array(arena, hd_buffer *, in_count + 1);
  double *times = hd_new_array(arena, double, repeat);
  hd_execute_options execute = HD_INIT(hd_execute_options);
  execute.timeout_ns = (int64_t)(options->timeout * 1e9);
  execute.memory_limit = options->memory_limit;
  execute.print = print_text;
  execute.communicator = program->communicator;
  *out_timing = (hd_cli_timing){.runs = repeat};
  execute.out_stats = &out_timing->stats;
  hd_status status = HD_STATUS_OK;
  for (int32_t i = 0; i < in_count && hd_is_ok(status); ++i) {
    status = hd_buffer_wrap(program->runtime, inputs[i].type, inputs[i].rank, inputs[i].dims, NULL, inputs[i].data,
                            NULL, NULL, &buffers[i]);
    if (hd_is_ok(status) && constant[i]) {
      status = hd_executable_bind(executable, i, buffers[i]);
      hd_buffer_release(buffers[i]);
      buffers[i] = NULL;
    }
  }
  for (uint64_t run = 0; run < repeat && hd_is_ok(status); ++run) {
    if (run) hd_cli_release_outputs(program, out_buffers);
    hd_cli_watch_phase("execution");
    double start = hd_cli_now_ms();
    status = hd_executable_execute(executable, &execute, buffers, in_count, out_buffers, out_count);
    times[run] = (hd_cli_now_ms() - start) * 1e3;
  }
  hd_cli_watch_phase(NULL);
  for (int32_t i = 0; i < in_count; ++i) hd_buffer_release(buffers[i]);
  if (!hd_is_ok(status)) return status;
  for (int32_t i = 0; i < out_count; ++i) HD_TRY_MSG(look_at(arena, out_buffers[i], &outputs[i]), "output %d", i);
  out_timing->first_us = times[0];
  qsort(times, repeat, sizeof *times, compare_doubles);
  out_timing->min_us = times[0];
  out_timing->median_us = repeat % 2 ? times[repeat / 2] : (times[repeat / 2 - 1] + times[repeat / 2]) / 2;
  return HD_STATUS_OK;
}

hd_status hd_cli_write_profile(const hd_cli_program *program, const char *path) {
  char *json;
  size_t size;
  HD_TRY(hd_runtime_profile_json(program->runtime, &json, &size));
  hd_status status = hd_cli_write_file(path, json, size);
  free(json);
  return status;
}

uint64_t hd_cli_peak_rss(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (uint64_t)usage.ru_maxrss * 1024;
}

hd_status hd_cli_execute_for_figures(hd_arena *arena, hd_cli_program *program, const hd_cli_options *options,
                                     uint64_t repeat, hd_cli_signature *out_signature, hd_cli_tensor **out_inputs) {
  *out_signature = hd_cli_signature_of(arena, program->executable);
  hd_cli_tensor *inputs = *out_inputs = hd_new_array(arena, hd_cli_tensor, out_signature->arg_count + 1);
  int32_t count = hd_executable_output_count(program->executable);
  hd_buffer **buffers = hd_new_array(arena, hd_buffer *, count + 1);
  hd_cli_tensor *outputs = hd_new_array(arena, hd_cli_tensor, count + 1);
  bool *constant;
  hd_cli_timing timing;
  HD_TRY(hd_cli_constant_args(arena, options, out_signature->arg_count, &constant));
  HD_TRY(hd_cli_make_inputs(arena, options, out_signature, NULL, inputs));
  hd_status status = hd_cli_execute(arena, program, options, inputs, constant, repeat, &timing, buffers, outputs);
  hd_cli_release_outputs(program, buffers);
  return status;
}
