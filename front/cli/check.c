/* SPDX-License-Identifier: Apache-2.0 */
/* heddle check: the functions of a program with check ops, and its entry where inputs are given. */
#include <inttypes.h>
#include <string.h>

#include "commands.h"
#include "evaluate.h"
#include "program.h"
#include "watchdog.h"

/* The inputs of the entry, when the options give some. */
static hd_status make_inputs(hd_arena *arena, const hd_cli_options *options, const hd_blob *bytes,
                             hd_cli_signature *out_signature, hd_cli_tensor **out_inputs, hd_check_options *check) {
  *out_signature = (hd_cli_signature){0};
  if (!hd_cli_has_inputs(options)) return HD_STATUS_OK;
  HD_TRY(hd_cli_ask_signature(arena, options, bytes, out_signature));
  *out_inputs = hd_new_array(arena, hd_cli_tensor, out_signature->arg_count + 1);
  HD_TRY(hd_cli_make_inputs(arena, options, out_signature, NULL, *out_inputs));
  check->inputs = hd_cli_host_tensors(arena, *out_inputs, out_signature->arg_count);
  check->input_count = (size_t)out_signature->arg_count;
  return HD_STATUS_OK;
}

static hd_status check_bytes(hd_arena *arena, const hd_cli_options *options, const hd_blob *bytes,
                             hd_check_counts *out_counts) {
  const hd_compiler *compiler;
  hd_compile_options compile;
  hd_check_options check = HD_CHECK_OPTIONS_INIT;
  hd_cli_options plain = *options; /* the evaluator is no target of the compiler */
  hd_cli_signature signature;
  hd_cli_tensor *inputs = NULL;
  plain.target = NULL;
  check.target = options->target;
  check.split_input_file = options->split_input_file;
  HD_TRY(hd_compiler_open(&compiler));
  HD_TRY(hd_cli_compile_options(arena, &plain, &compile));
  HD_TRY(make_inputs(arena, &plain, bytes, &signature, &inputs, &check));
  hd_cli_watch_pause(); /* each function has its time */
  hd_status status =
      compiler->hd_check(bytes->data, bytes->size, options->name, &check, &compile, hd_cli_sink(), out_counts);
  hd_cli_watch_phase(NULL);
  HD_TRY(hd_cli_option_status(options, status));
  /* The sink has reported what failed; shapes that contradict each other are no expectation that failed. */
  const char *why = out_counts->failed && check.input_count ? hd_cli_contradiction(arena, &signature, inputs) : NULL;
  return why ? hd_make_status(HD_INVALID_ARGUMENT, "%s: %s", options->name, why) : HD_STATUS_OK;
}

hd_status hd_cli_check(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  hd_check_counts counts = {0};
  hd_blob bytes;
  HD_TRY(hd_cli_read_file(arena, options->file, &bytes));
  HD_TRY(check_bytes(arena, options, &bytes, &counts));
  if (counts.skipped) printf("%" PRIu64 " skipped: their functions take arguments\n", counts.skipped);
  printf("%" PRIu64 " passed, %" PRIu64 " failed\n", counts.passed, counts.failed);
  *out_exit = counts.unread    ? HD_EXIT_FAILED
              : counts.limited ? HD_EXIT_LIMIT
              : counts.failed  ? HD_EXIT_DIFFERS
                               : HD_EXIT_OK;
  return HD_STATUS_OK;
}
