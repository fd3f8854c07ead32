/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the kernels of the GEMM library at build time.
 *
 *   gemm_generate v3|v4|v4_bf16 FOLDER        writes FOLDER/NAME.o per kernel and their paths to FOLDER/objects */
#include <stdio.h>
#include <string.h>

#include "codegen/library/gemm_kernels.h"
#include "target/cpu/cpu.h"

static hd_status generate(const char *isa, const char *folder) {
  hd_cpu_target target;
  const char *cpu = !strcmp(isa, "v4_bf16") ? "x86-64-v4+bf16" : !strcmp(isa, "v4") ? "x86-64-v4" : "x86-64-v3";
  HD_TRY(hd_cpu_target_of(cpu, &target));
  hd_context *context;
  HD_TRY(hd_context_create(0, &context));
  hd_module *module = hd_module_create(context, hd_loc_unknown(context));
  if (!hd_gemm_kernels_emit(module, isa))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected v3, v4 or v4_bf16, got %s", isa);
  if (!hd_verify(module->op)) return hd_failed(context);
  char path[4096];
  snprintf(path, sizeof path, "%s/objects", folder);
  FILE *list = fopen(path, "w");
  if (!list) return hd_make_status(HD_UNAVAILABLE, "cannot write %s", path);
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_status status = NULL;
  for (hd_op *func = hd_module_body(module)->first; func && hd_is_ok(status); func = func->next) {
    char name[128];
    hd_str symbol = hd_symbol_name(func);
    snprintf(name, sizeof name, "%.*s", (int)symbol.len, symbol.data);
    hd_cpu_object object;
    status = hd_cpu_compile_kernel(func, name, &target, NULL, &arena, &object);
    if (!hd_is_ok(status)) break;
    snprintf(path, sizeof path, "%s/%s.o", folder, name);
    FILE *out = fopen(path, "wb");
    bool written = out && fwrite(object.data, 1, object.size, out) == object.size;
    if (out && fclose(out)) written = false;
    if (!written || fprintf(list, "%s\n", path) < 0) status = hd_make_status(HD_UNAVAILABLE, "cannot write %s", path);
    hd_arena_free(&arena);
  }
  hd_arena_free(&arena);
  if (fclose(list))
    status = hd_status_join(status, hd_make_status(HD_UNAVAILABLE, "cannot write the list in %s", folder));
  hd_module_free(module);
  hd_context_release(context);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: gemm_generate v3|v4|v4_bf16 FOLDER\n");
    return 2;
  }
  hd_status status = generate(argv[1], argv[2]);
  if (hd_is_ok(status)) return 0;
  fprintf(stderr, "gemm_generate: %s\n", hd_status_message(status));
  hd_status_free(status);
  return 1;
}
