/* SPDX-License-Identifier: Apache-2.0 */
/* read_text_bench [FILE]: how long the text of a program takes to read, MLIR or HLO, the best of several rounds in one
 * context each; without a file that of 10 MB of HLO text as XLA prints it. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "hlo/hlo.h"
#include "text/text.h"

enum { ROUNDS = 20, MAX_BYTES = 64 << 20, GENERATED = 10 * 1000 * 1000 };

typedef struct job {
  hd_context *context;
  hd_str source;
  const char *name;
  double best;
} job;

static hd_status measure(void *argument) {
  job *j = argument;
  hd_module *module;
  double start = hd_clock_seconds();
  HD_TRY((hd_hlo_is(j->source) ? hd_hlo_parse : hd_text_parse)(j->context, j->source, j->name, &module));
  double seconds = hd_clock_seconds() - start;
  if (seconds < j->best) j->best = seconds;
  hd_module_free(module);
  return HD_STATUS_OK;
}

/* A chain of elementwise ops with metadata. */
static size_t generate(char *bytes) {
  static const char *const opcodes[] = {"add", "multiply", "maximum", "subtract"};
  size_t at = (size_t)sprintf(bytes, "HloModule generated\n\nENTRY %%e {\n  %%op.0 = f32[128,256]{1,0} parameter(0)\n");
  for (int i = 1; at < GENERATED; ++i)
    at += (size_t)sprintf(bytes + at,
                          "  %%op.%d = f32[128,256]{1,0} %s(%%op.%d, %%op.0), metadata={op_type=\"%s\" "
                          "op_name=\"jit(main)/layer_%d\" source_file=\"model.py\" source_line=%d}\n",
                          i, opcodes[i % 4], i - 1, opcodes[i % 4], i / 16, i % 900);
  return at + (size_t)sprintf(bytes + at, "}\n");
}

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  char *bytes = file || argc == 1 ? malloc(MAX_BYTES) : NULL;
  if (!bytes) return fprintf(stderr, "read_text_bench [FILE]: expected a file\n"), 1;
  job j = {.source = {bytes, 0}, .name = file ? argv[1] : "generated.hlo", .best = 1e9};
  j.source.len = file ? fread(bytes, 1, MAX_BYTES, file) : generate(bytes);
  if (file) fclose(file);
  for (int round = 0; round < ROUNDS; ++round) {
    hd_status status = hd_context_create(0, &j.context);
    if (!status) status = hd_guarded_call(measure, &j);
    if (status) return fprintf(stderr, "%s\n", hd_status_message(status)), 1;
    hd_context_release(j.context);
  }
  printf("%s: %zu bytes read in %.2f ms\n", j.name, j.source.len, j.best * 1e3);
  free(bytes);
  return 0;
}
