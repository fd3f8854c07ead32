/* SPDX-License-Identifier: Apache-2.0 */
/* heddle compile and explain: thin over the compiler's doors. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "commands.h"
#include "driver/targets.h"
#include "heddle/constants.h"
#include "inputs.h"
#include "kernels.h"
#include "program.h"
#include "slow.h"

/* "dir/model.mlir" with |suffix| -> "model.hdl" in this folder. */
static const char *default_output(hd_arena *arena, const char *path, const char *suffix) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  int len = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
  if (!strcmp(path, "-")) base = "a", len = 1;
  return hd_arena_printf(arena, "%.*s%s", len, base, suffix);
}

/* A file in memory with |constants|, for loading: its descriptor, and its path. */
static hd_status hold_constants(hd_arena *arena, const hd_blob *constants, int *out_file, const char **out_path) {
  *out_file = memfd_create("constants", MFD_CLOEXEC);
  *out_path = hd_arena_printf(arena, "/proc/self/fd/%d", *out_file);
  bool good = *out_file >= 0 && hd_file_put(*out_file, constants->data, constants->size);
  return good ? HD_STATUS_OK : hd_file_error("constants", "hold");
}

/* Would the artifact take the inputs that the options give? The same checks as a run makes, without one. |constants|:
 * those that are not in it. */
static hd_status check_inputs(hd_arena *arena, const hd_cli_options *options, const hd_blob *artifact,
                              const hd_blob *constants) {
  hd_cli_program *program = hd_cli_program_create(arena, options->name);
  hd_load_options load = HD_INIT(hd_load_options);
  load.entry = options->entry;
  int file = -1;
  hd_runtime_options runtime = HD_INIT(hd_runtime_options);
  hd_status status = constants->size ? hold_constants(arena, constants, &file, &load.constants) : HD_STATUS_OK;
  if (hd_is_ok(status))
    status = hd_executable_open(&runtime, NULL, artifact->data, artifact->size, &load, &program->runtime,
                                &program->executable);
  if (hd_is_ok(status)) {
    hd_cli_options random = *options; /* dims and shapes alone say no values: any will do */
    if (!random.inputs.len && !random.random) random.random = "0";
    hd_cli_signature signature = hd_cli_signature_of(arena, program->executable);
    hd_cli_tensor *inputs = hd_new_array(arena, hd_cli_tensor, signature.arg_count + 1);
    const int64_t **dims = hd_new_array(arena, const int64_t *, signature.arg_count + 1);
    int64_t *symbols = hd_new_array(arena, int64_t, signature.symbol_count + 1);
    status = hd_cli_make_inputs(arena, &random, &signature, NULL, inputs);
    for (int32_t i = 0; i < signature.arg_count; ++i) dims[i] = inputs[i].dims;
    if (hd_is_ok(status)) status = hd_executable_symbol_values(program->executable, dims, symbols);
  }
  if (file >= 0) close(file);
  return status;
}

/* The real path of |path|, a file that need not be there in a folder that must. */
static hd_status real_path(hd_arena *arena, const char *path, const char **out) {
  char folder[PATH_MAX], real[PATH_MAX];
  const char *slash = strrchr(path, '/');
  int len = slash ? (int)(slash - path) : 0;
  snprintf(folder, sizeof folder, "%.*s", slash && !len ? 1 : len, slash ? path : "");
  if (!realpath(*folder ? folder : ".", real))
    return hd_make_status(HD_NOT_FOUND, "%s: cannot write: %s", path, strerror(errno));
  *out = hd_arena_printf(arena, "%s/%s", strcmp(real, "/") ? real : "", slash ? slash + 1 : path);
  return HD_STATUS_OK;
}

/* |to| as it is called from the folder of |from|, so that the two files may move together. */
static hd_status relative_path(hd_arena *arena, const char *from, const char *to, const char **out) {
  size_t same = 0;
  HD_TRY(real_path(arena, from, &from));
  HD_TRY(real_path(arena, to, &to));
  for (size_t i = 0; from[i] && from[i] == to[i]; ++i)
    if (from[i] == '/') same = i + 1;
  hd_strbuf text;
  hd_strbuf_init(&text, arena);
  for (const char *slash = strchr(from + same, '/'); slash; slash = strchr(slash + 1, '/'))
    hd_strbuf_puts(&text, "../");
  hd_strbuf_puts(&text, to + same);
  *out = hd_strbuf_text(&text);
  return HD_STATUS_OK;
}

/* Adds the program's constants to the file of --constants, and says so unless the artifact goes to standard output. */
static hd_status write_constants(const char *path, const hd_blob *constants, bool quiet) {
  hd_constants_stats stats;
  if (!constants->size) {
    if (!quiet) printf("%s: the program has no constants\n", path);
    return HD_STATUS_OK;
  }
  HD_TRY(hd_constants_update(path, constants->data, constants->size, &stats));
  if (!quiet)
    printf("%s: %" PRIu64 " bytes, %" PRIu32 " constants, %" PRIu32 " of them new\n", path, stats.bytes,
           stats.constants, stats.added);
  return HD_STATUS_OK;
}

hd_status hd_cli_compile(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  (void)out_exit;
  hd_compile_options compile;
  hd_blob bytes, *artifact = hd_cli_blob(arena), *constants = hd_cli_blob(arena);
  const char *path = options->output ? options->output : default_output(arena, options->file, ".hdl");
  HD_TRY(hd_cli_read_file(arena, options->file, &bytes));
  HD_TRY(hd_cli_compile_options(arena, options, &compile));
  if (options->constants) {
    HD_TRY(relative_path(arena, path, options->constants, &compile.constants_file));
    compile.out_constants = constants;
  }
  hd_blob *ptx = hd_cli_blob(arena);
  if (options->emit_ptx) compile.out_ptx = ptx;
  double start = hd_cli_now_ms();
  HD_TRY(hd_cli_compile_bytes(options, &bytes, &compile, artifact));
  double ms = hd_cli_now_ms() - start;
  if (hd_cli_has_inputs(options)) HD_TRY(check_inputs(arena, options, artifact, constants));
  if (options->constants) HD_TRY(write_constants(options->constants, constants, !strcmp(path, "-")));
  if (options->emit_ptx) HD_TRY(hd_cli_write_file(options->emit_ptx, ptx->data, ptx->size));
  HD_TRY(hd_cli_write_file(path, artifact->data, artifact->size));
  if (strcmp(path, "-")) printf("%s: %zu bytes, compiled in %.1f ms\n", path, artifact->size, ms);
  return HD_STATUS_OK;
}

/* The kernels of a device after what |text| says, or as a member of its object. */
static hd_status add_kernels(hd_arena *arena, const hd_cli_options *options, const hd_blob *text, hd_blob *out_shown) {
  hd_strbuf out;
  size_t kept = options->json ? text->size - strlen("}\n") : text->size;
  hd_strbuf_init(&out, arena);
  hd_strbuf_printf(&out, "%.*s", (int)kept, text->data);
  HD_TRY(hd_cli_has_inputs(options) ? hd_cli_count_kernels(arena, options, &out)
                                    : hd_cli_show_kernels(arena, options, &out));
  if (options->json) hd_strbuf_puts(&out, "}\n");
  *out_shown = (hd_blob){.data = out.data, .size = out.len};
  return HD_STATUS_OK;
}

/* In place of what |text| says as JSON. */
static hd_status show_slow(hd_arena *arena, const hd_cli_options *options, const hd_blob *text, hd_blob *out_shown) {
  hd_strbuf out;
  hd_strbuf_init(&out, arena);
  HD_TRY(hd_cli_explain_slow(arena, options, (hd_str){text->data, text->size}, &out));
  *out_shown = (hd_blob){.data = out.data, .size = out.len};
  return HD_STATUS_OK;
}

hd_status hd_cli_explain(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  (void)out_exit;
  if (options->slow && !hd_cli_has_inputs(options))
    return hd_make_status(HD_INVALID_ARGUMENT, "--slow: expected inputs to run with: --inputs, or --random and --dims");
  if (options->slow && options->target && !hd_target_is(options->target, hd_default_target()))
    return hd_make_status(HD_INVALID_ARGUMENT,
                          "--slow: expected the target %s, got '%s': kernels are compared with what this machine's "
                          "cores allow",
                          hd_default_target(), options->target);
  const hd_compiler *compiler;
  hd_compile_options compile;
  hd_blob bytes, *text = hd_cli_blob(arena);
  hd_explain_format format = options->json || options->slow ? HD_EXPLAIN_JSON
                             : options->html                ? HD_EXPLAIN_HTML
                                                            : HD_EXPLAIN_TEXT;
  HD_TRY(hd_compiler_open(&compiler));
  HD_TRY(hd_cli_read_file(arena, options->file, &bytes));
  HD_TRY(hd_cli_compile_options(arena, options, &compile));
  HD_TRY(hd_cli_option_status(
      options, compiler->hd_explain(bytes.data, bytes.size, options->name, &compile, format, hd_cli_sink(), text)));
  hd_blob shown = *text;
  if (options->slow)
    HD_TRY(show_slow(arena, options, text, &shown));
  else if ((hd_cli_has_inputs(options) || options->ptxas) && !options->html)
    HD_TRY(add_kernels(arena, options, text, &shown));
  const char *path = options->output ? options->output
                     : options->html ? default_output(arena, options->file, ".html")
                                     : "-";
  HD_TRY(hd_cli_write_file(path, shown.data, shown.size));
  if (strcmp(path, "-")) printf("%s: %zu bytes\n", path, shown.size);
  return HD_STATUS_OK;
}
