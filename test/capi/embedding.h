/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of an embedder share: `PROGRAM CASE` runs one case; it prints what is wrong and exits 1, else
 * "CASE: fine". */
#ifndef HD_TEST_CAPI_EMBEDDING_H_
#define HD_TEST_CAPI_EMBEDDING_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/compile.h"
#include "heddle/runtime.h"

__attribute__((unused)) static void must(hd_status status, const char *doing) {
  if (hd_is_ok(status)) return;
  printf("%s: %s: %s\n", doing, hd_status_code_name(hd_status_code_of(status)), hd_status_message(status));
  exit(1);
}

__attribute__((unused)) static void expect(bool holds, const char *what) {
  if (holds) return;
  printf("expected: %s\n", what);
  exit(1);
}

__attribute__((unused)) static void expect_code(hd_status status, hd_status_code code, const char *text,
                                                const char *doing) {
  if (hd_status_code_of(status) != code || !strstr(hd_status_message(status), text)) {
    printf("%s: expected %s with '%s', got %s: %s\n", doing, hd_status_code_name(code), text,
           hd_status_code_name(hd_status_code_of(status)), hd_status_message(status));
    exit(1);
  }
  hd_status_free(status);
}

__attribute__((unused)) static hd_executable *load(hd_runtime *runtime, const char *program) {
  hd_blob artifact;
  hd_executable *executable;
  must(hd_compile(program, strlen(program), "program.mlir", NULL, (hd_message_sink){0}, &artifact), "compiling");
  must(hd_executable_load(runtime, artifact.data, artifact.size, NULL, &executable), "loading");
  hd_blob_free(&artifact);
  return executable;
}

__attribute__((unused)) static hd_buffer *wrap(hd_runtime *runtime, float *data, int64_t count) {
  hd_buffer *buffer;
  must(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 1, &count, NULL, data, NULL, NULL, &buffer), "wrapping");
  return buffer;
}

typedef struct embedding_case {
  const char *name;
  void (*run)(void);
} embedding_case;

static int run_cases(const embedding_case *cases, size_t count, int argc, char **argv) {
  for (size_t i = 0; i < count; ++i) {
    if (argc > 1 && strcmp(argv[1], cases[i].name)) continue;
    cases[i].run();
    printf("%s: fine\n", cases[i].name);
  }
  return 0;
}

#endif
