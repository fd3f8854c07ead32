/* SPDX-License-Identifier: Apache-2.0 */
/* read_text_bench FILE: how long the text of a program takes to read, the best of several rounds in one context each. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "text/text.h"

enum { ROUNDS = 20, MAX_BYTES = 64 << 20 };

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
  HD_TRY(hd_text_parse(j->context, j->source, j->name, &module));
  double seconds = hd_clock_seconds() - start;
  if (seconds < j->best) j->best = seconds;
  hd_module_free(module);
  return HD_STATUS_OK;
}

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  char *bytes = file ? malloc(MAX_BYTES) : NULL;
  if (!bytes) return fprintf(stderr, "read_text_bench FILE: expected a file\n"), 1;
  job j = {.source = {bytes, fread(bytes, 1, MAX_BYTES, file)}, .name = argv[1], .best = 1e9};
  fclose(file);
  for (int round = 0; round < ROUNDS; ++round) {
    hd_status status = hd_context_create(0, &j.context);
    if (!status) status = hd_guarded_call(measure, &j);
    if (status) return fprintf(stderr, "%s\n", hd_status_message(status)), 1;
    hd_context_release(j.context);
  }
  printf("%s: %zu bytes read in %.2f ms\n", argv[1], j.source.len, j.best * 1e3);
  free(bytes);
  return 0;
}
