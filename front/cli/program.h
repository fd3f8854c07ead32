/* SPDX-License-Identifier: Apache-2.0 */
/* From a file to something that runs: an artifact as it is, a program through the cache or the compiler. */
#ifndef HD_FRONT_CLI_PROGRAM_H_
#define HD_FRONT_CLI_PROGRAM_H_

#include "base/arena.h"
#include "compiler.h"
#include "heddle/runtime.h"
#include "inputs.h"
#include "options.h"

typedef enum hd_cli_source { HD_CLI_COMPILED, HD_CLI_CACHED, HD_CLI_ARTIFACT } hd_cli_source;

typedef struct hd_cli_program {
  const char *name; /* the file */
  hd_blob bytes;    /* its content */
  hd_runtime *runtime;
  hd_executable *executable;
  hd_cli_source source;
  double compile_ms; /* from bytes to ready: compiling or looking up, and loading */
} hd_cli_program;

/* The whole of |path| ("-": standard input), malloc'ed; hd_cli_free_bytes frees it. */
hd_status hd_cli_read_file(const char *path, hd_blob *out) HD_MUST_USE;
/* Writes |path| ("-": standard output) as a whole. */
hd_status hd_cli_write_file(const char *path, const void *data, size_t size) HD_MUST_USE;

/* The compiler's options from the command line's. Lives on |arena|. */
hd_status hd_cli_compile_options(hd_arena *arena, const hd_cli_options *options, hd_compile_options *out) HD_MUST_USE;

/* A sink that writes diagnostics to standard error, coloured on a terminal. */
hd_message_sink hd_cli_sink(void);

/* Reads options->file, makes it ready to run and binds nothing. Release with hd_cli_unload, on failure too. */
hd_status hd_cli_load(hd_arena *arena, const hd_cli_options *options, hd_cli_program *out) HD_MUST_USE;
void hd_cli_unload(hd_cli_program *program);

/* The signature of a loaded program, on |arena|. */
hd_cli_signature hd_cli_signature_of(hd_arena *arena, hd_executable *executable);

/* The arguments of --constant-args that |count| arguments have, as flags; all false when not given. */
hd_status hd_cli_constant_args(hd_arena *arena, const hd_cli_options *options, int32_t count, bool **out) HD_MUST_USE;

double hd_cli_now_ms(void);
bool hd_cli_is_terminal(FILE *file);

#endif
