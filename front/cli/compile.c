/* SPDX-License-Identifier: Apache-2.0 */
/* heddle compile and explain: thin over the compiler's doors. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "inputs.h"
#include "program.h"

/* "dir/model.mlir" with |suffix| -> "model.hdl" in this folder. */
static const char *default_output(hd_arena *arena, const char *path, const char *suffix) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  int len = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
  if (!strcmp(path, "-")) base = "a", len = 1;
  return hd_arena_printf(arena, "%.*s%s", len, base, suffix);
}

/* Would the artifact take the inputs that the options give? The same checks as a run makes, without one. */
static hd_status check_inputs(hd_arena *arena, const hd_cli_options *options, const hd_blob *artifact) {
  hd_cli_program program = {.name = options->file};
  hd_load_options load = HD_INIT(hd_load_options);
  load.entry = options->entry;
  HD_TRY(hd_runtime_create(NULL, &program.runtime));
  hd_status status = hd_executable_load(program.runtime, artifact->data, artifact->size, &load, &program.executable);
  if (hd_is_ok(status)) {
    hd_cli_options random = *options; /* dims and shapes alone say no values: any will do */
    if (!random.inputs.len && !random.random) random.random = "0";
    hd_cli_signature signature = hd_cli_signature_of(arena, program.executable);
    hd_cli_tensor *inputs = hd_new_array(arena, hd_cli_tensor, signature.arg_count + 1);
    const int64_t **dims = hd_new_array(arena, const int64_t *, signature.arg_count + 1);
    int64_t *symbols = hd_new_array(arena, int64_t, signature.symbol_count + 1);
    status = hd_cli_make_inputs(arena, &random, &signature, NULL, inputs);
    for (int32_t i = 0; i < signature.arg_count; ++i) dims[i] = inputs[i].dims;
    if (hd_is_ok(status)) status = hd_executable_symbol_values(program.executable, dims, symbols);
  }
  hd_cli_unload(&program);
  return status;
}

hd_status hd_cli_compile(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  (void)out_exit;
  hd_blob bytes, artifact;
  HD_TRY(hd_cli_read_file(options->file, &bytes));
  double start = hd_cli_now_ms();
  hd_status status = hd_cli_compile_bytes(arena, options, &bytes, &artifact);
  free(bytes.data);
  HD_TRY(status);
  const char *path = options->output ? options->output : default_output(arena, options->file, ".hdl");
  double ms = hd_cli_now_ms() - start;
  if (hd_cli_has_inputs(options)) status = check_inputs(arena, options, &artifact);
  if (hd_is_ok(status)) status = hd_cli_write_file(path, artifact.data, artifact.size);
  if (hd_is_ok(status) && strcmp(path, "-")) printf("%s: %zu bytes, compiled in %.1f ms\n", path, artifact.size, ms);
  hd_compiler_free(&artifact);
  return status;
}

hd_status hd_cli_explain(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  (void)out_exit;
  const hd_compiler *compiler;
  hd_compile_options compile;
  hd_blob bytes, text;
  if (options->json && options->html)
    return hd_make_status(HD_INVALID_ARGUMENT, "--html: expected --json or --html, got both");
  hd_explain_format format = options->json ? HD_EXPLAIN_JSON : options->html ? HD_EXPLAIN_HTML : HD_EXPLAIN_TEXT;
  HD_TRY(hd_compiler_open(&compiler));
  HD_TRY(hd_cli_read_file(options->file, &bytes));
  HD_TRY(hd_cli_compile_options(arena, options, &compile));
  HD_TRY(hd_cli_entry_status(
      options, compiler->hd_explain(bytes.data, bytes.size, options->file, &compile, format, hd_cli_sink(), &text)));
  const char *path = options->output ? options->output
                     : options->html ? default_output(arena, options->file, ".html")
                                     : "-";
  hd_status status = hd_cli_write_file(path, text.data, text.size);
  if (hd_is_ok(status) && strcmp(path, "-")) printf("%s: %zu bytes\n", path, text.size);
  compiler->hd_blob_free(&text);
  free(bytes.data);
  return status;
}
