/* SPDX-License-Identifier: Apache-2.0 */
/* heddle compile, check and explain: thin over the compiler's doors. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "program.h"

/* "dir/model.mlir" with |suffix| -> "model.hdl" in this folder. */
static const char *default_output(hd_arena *arena, const char *path, const char *suffix) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  int len = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
  if (!strcmp(path, "-")) base = "a", len = 1;
  return hd_arena_printf(arena, "%.*s%s", len, base, suffix);
}

hd_status hd_cli_compile(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  (void)out_exit;
  const hd_compiler *compiler;
  hd_compile_options compile;
  hd_blob bytes, artifact;
  HD_TRY(hd_compiler_open(&compiler));
  HD_TRY(hd_cli_read_file(options->file, &bytes));
  HD_TRY(hd_cli_compile_options(arena, options, &compile));
  double start = hd_cli_now_ms();
  HD_TRY(compiler->hd_compile(bytes.data, bytes.size, options->file, &compile, hd_cli_sink(), &artifact));
  const char *path = options->output ? options->output : default_output(arena, options->file, ".hdl");
  double ms = hd_cli_now_ms() - start;
  hd_status status = hd_cli_write_file(path, artifact.data, artifact.size);
  if (hd_is_ok(status) && strcmp(path, "-")) printf("%s: %zu bytes, compiled in %.1f ms\n", path, artifact.size, ms);
  compiler->hd_blob_free(&artifact);
  free(bytes.data);
  return status;
}

hd_status hd_cli_check(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  const hd_compiler *compiler;
  hd_compile_options compile;
  hd_check_options check = HD_CHECK_OPTIONS_INIT;
  hd_check_counts counts;
  hd_blob bytes;
  HD_TRY(hd_compiler_open(&compiler));
  HD_TRY(hd_cli_read_file(options->file, &bytes));
  HD_TRY(hd_cli_compile_options(arena, options, &compile));
  compile.target = NULL;
  check.split_input_file = options->split_input_file;
  check.target = options->target;
  hd_status status =
      compiler->hd_check(bytes.data, bytes.size, options->file, &check, &compile, hd_cli_sink(), &counts);
  free(bytes.data);
  if (!hd_is_ok(status)) return status;
  printf("%" PRIu64 " passed, %" PRIu64 " failed", counts.passed, counts.failed);
  if (counts.skipped) printf(", %" PRIu64 " skipped", counts.skipped);
  printf("\n");
  if (counts.failed) *out_exit = HD_EXIT_DIFFERS;
  return HD_STATUS_OK;
}

hd_status hd_cli_explain(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  (void)out_exit;
  const hd_compiler *compiler;
  hd_compile_options compile;
  hd_blob bytes, text;
  if (options->json && options->html) return hd_make_status(HD_INVALID_ARGUMENT, "expected --json or --html, got both");
  hd_explain_format format = options->json ? HD_EXPLAIN_JSON : options->html ? HD_EXPLAIN_HTML : HD_EXPLAIN_TEXT;
  HD_TRY(hd_compiler_open(&compiler));
  HD_TRY(hd_cli_read_file(options->file, &bytes));
  HD_TRY(hd_cli_compile_options(arena, options, &compile));
  HD_TRY(compiler->hd_explain(bytes.data, bytes.size, options->file, &compile, format, hd_cli_sink(), &text));
  const char *path = options->output ? options->output
                     : options->html ? default_output(arena, options->file, ".html")
                                     : "-";
  hd_status status = hd_cli_write_file(path, text.data, text.size);
  if (hd_is_ok(status) && strcmp(path, "-")) printf("%s: %zu bytes\n", path, text.size);
  compiler->hd_blob_free(&text);
  free(bytes.data);
  return status;
}
