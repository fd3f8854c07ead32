/* SPDX-License-Identifier: Apache-2.0 */
/* From a file to something that runs: an artifact as it is, a program through the cache or the compiler. */
#ifndef HD_FRONT_CLI_PROGRAM_H_
#define HD_FRONT_CLI_PROGRAM_H_

#include "../compiler/compiler.h"
#include "base/arena.h"
#include "files.h"
#include "heddle/runtime.h"
#include "inputs.h"
#include "options.h"

typedef enum hd_cli_source { HD_CLI_COMPILED, HD_CLI_CACHED, HD_CLI_ARTIFACT } hd_cli_source;

typedef struct hd_cli_program {
  const char *name; /* the file */
  hd_blob bytes;    /* its content, on the arena; none for an artifact in a file, which is mapped */
  hd_runtime *runtime;
  hd_executable *executable;
  hd_cli_source source;
  struct hd_communicator *communicator; /* null: the only process */
  double compile_ms;                    /* from bytes to ready: compiling or looking up, and loading */
} hd_cli_program;

/* The compiler's options from the command line's, whose target and CPUs are known ones. Lives on |arena|. */
hd_status hd_cli_compile_options(hd_arena *arena, const hd_cli_options *options, hd_compile_options *out) HD_MUST_USE;

/* Where compiled code is kept, as the options and the environment say; null: nowhere. */
const char *hd_cli_cache_directory(hd_arena *arena, const hd_cli_options *options);

/* hd_compile on |bytes| of options->file with |compile|, hd_cli_compile_options' own; a crash inside leaves the
 * program. Release with hd_compiler_free. */
hd_status hd_cli_compile_bytes(const hd_cli_options *options, const hd_blob *bytes, const hd_compile_options *compile,
                               hd_blob *out_artifact) HD_MUST_USE;

/* What a door of the compiler or the loader answered (taken), with the command line's name for an option in front where
 * the door names a field of its own options: what is wrong is the option's fault. */
hd_status hd_cli_option_status(const hd_cli_options *options, hd_status status) HD_MUST_USE;

/* A program of the file |name| with nothing in it; what it has got is released when |arena| is freed. */
hd_cli_program *hd_cli_program_create(hd_arena *arena, const char *name);
/* Reads options->file, makes it ready to run and binds nothing. Lives as long as |arena|. */
hd_status hd_cli_load(hd_arena *arena, const hd_cli_options *options, hd_cli_program **out) HD_MUST_USE;

/* By source: the word in JSON, and what a person reads. */
typedef struct hd_cli_source_name {
  const char *name, *text;
} hd_cli_source_name;
extern const hd_cli_source_name hd_cli_source_names[];
/* "gelu.mlir: compiled in 52.1 ms: 1 kernel, x86-64-v4, 2 threads" on standard output, without an end of line. */
void hd_cli_print_program(const hd_cli_program *program);

/* The signature of a loaded program, on |arena|. */
hd_cli_signature hd_cli_signature_of(hd_arena *arena, hd_executable *executable);

/* The arguments of --constant-args that |count| arguments have, as flags; all false when not given. */
hd_status hd_cli_constant_args(hd_arena *arena, const hd_cli_options *options, int32_t count, bool **out) HD_MUST_USE;

#endif
