/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a program, text or bytecode, all the way to an artifact; what compiles loads. */
#include <stdlib.h>

#include "heddle/compile.h"
#include "heddle/runtime.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void drop(void *user, const char *severity, const char *rendered) { (void)user, (void)severity, (void)rendered; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static hd_runtime *runtime;
  hd_runtime_options runtime_options = HD_INIT(hd_runtime_options);
  runtime_options.threads = 1;
  if (!runtime && hd_runtime_create(&runtime_options, &runtime)) abort();
  hd_compile_options options = HD_COMPILE_OPTIONS_INIT;
  options.memory_limit = 256u << 20;
  options.timeout_s = 5;
  options.threads = 1;
  hd_blob artifact;
  hd_status status = hd_compile(data, size, "fuzz", &options, (hd_message_sink){drop, NULL}, &artifact);
  if (hd_status_code_of(status) == HD_INTERNAL) abort(); /* a fault of the compiler's own */
  hd_executable *executable = NULL;
  if (!status && hd_executable_load(runtime, artifact.data, artifact.size, NULL, &executable)) abort();
  hd_status_free(status);
  hd_executable_release(executable);
  hd_blob_free(&artifact);
  return 0;
}
