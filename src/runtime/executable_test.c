/* SPDX-License-Identifier: Apache-2.0 */
/* Loading: files, damaged artifacts, names that are missing, the variant for the machine. */
#define _GNU_SOURCE
#include "runtime/testing.h"

static void check_loading(hd_runtime *runtime, const hd_test_program *program) {
  hd_artifact_program changes = program->program;
  const void *data = program->data;
  size_t size = program->size;
  const char *folder = program->folder;
  hd_executable *exe;
  char path[100];
  snprintf(path, sizeof path, "%s/p.hdl", folder);
  unlink(path);
  HD_CHECK_FAILS(hd_executable_load_file(runtime, path, NULL, &exe), HD_NOT_FOUND, path);
  FILE *file = fopen(path, "w");
  HD_CHECK_FAILS(hd_executable_load_file(runtime, path, NULL, &exe), HD_DATA_LOSS, "empty file");
  fwrite(data, 1, size, file);
  fclose(file);
  HD_CHECK_FAILS(hd_executable_load_file(runtime, folder, NULL, &exe), HD_INVALID_ARGUMENT, "not a regular file");
  hd_load_options options = HD_INIT(hd_load_options);
  options.entry = "main";
  if (HD_CHECK_OK(hd_executable_load_file(runtime, path, &options, &exe))) {
    HD_CHECK_STR(hd_executable_name(exe), "main");
    hd_buffer *x = hd_test_input(runtime, 17, 333), *y = NULL;
    if (HD_CHECK_OK(hd_executable_execute(exe, NULL, &x, 1, &y, 1))) HD_CHECK_INT(hd_test_wrong_results(y, 2, 7), 0);
    hd_buffer_release(x);
    hd_buffer_release(y);
    hd_executable_release(exe);
  }
  HD_CHECK_FAILS(hd_executable_load(runtime, data, size - 1, NULL, &exe), HD_DATA_LOSS, "damaged artifact");
  HD_CHECK_FAILS(hd_executable_load(runtime, "", 0, NULL, &exe), HD_DATA_LOSS, "not an artifact");

  void *changed;
  size_t changed_size;
  const char *names[RAL_COUNT];
  memcpy(names, ral_names, sizeof names);
  names[2] = "ral_aloc___pvoid_i64___pvoid";
  changes.ral_names = names;
  HD_CHECK_OK(hd_test_write(&changes, "cpu", &changed, &changed_size));
  HD_CHECK_FAILS(
      hd_executable_load(runtime, changed, changed_size, NULL, &exe), HD_NOT_FOUND,
      "no ral api 'ral_aloc___pvoid_i64___pvoid' in this runtime; the nearest is 'ral_alloc___pvoid_i64_i64___pvoid'");
  free(changed);
  changes.ral_names = ral_names;
  hd_artifact_kernel bad_kernel = {"k_missing", "x", ""};
  changes.kernels = &bad_kernel;
  changes.kernel_count = 1;
  HD_CHECK_OK(hd_test_write(&changes, "cpu", &changed, &changed_size));
  HD_CHECK_FAILS(hd_executable_load(runtime, changed, changed_size, NULL, &exe), HD_FAILED_PRECONDITION,
                 "symbol 'k_missing'");
  free(changed);
  changes.kernels = kernels;
  changes.kernel_count = 2;
  hd_artifact_variant variant = changes.variants[0], *variants = &variant;
  variant.features = 1ull << 50;
  variant.target = "z80";
  changes.variants = variants;
  HD_CHECK_OK(hd_test_write(&changes, "cpu", &changed, &changed_size));
  HD_CHECK_FAILS(hd_executable_load(runtime, changed, changed_size, NULL, &exe), HD_FAILED_PRECONDITION, "'z80' needs");
  free(changed);
}

/* The variant with the most features that the machine may use. */
static void check_variants(hd_artifact_program changes) {
  hd_artifact_variant variants[3] = {changes.variants[0], changes.variants[0], changes.variants[0]};
  uint64_t have = hd_cpu_features();
  variants[0].target = "some";
  variants[0].features = have & 3;
  variants[1].target = "all";
  variants[1].features = have;
  variants[2].target = "more";
  variants[2].features = have | 1ull << 60;
  changes.variants = variants;
  changes.variant_count = 3;
  void *data;
  size_t size;
  if (!HD_CHECK_OK(hd_test_write(&changes, "cpu", &data, &size))) return;
  for (int all = 0; all < 2; ++all) {
    hd_runtime_options options = HD_INIT(hd_runtime_options);
    options.cpu_features = all ? 0 : have & 3;
    hd_runtime *runtime;
    hd_executable *exe;
    HD_CHECK_OK(hd_runtime_create(&options, &runtime));
    if (HD_CHECK_OK(hd_executable_load(runtime, data, size, NULL, &exe))) {
      HD_CHECK_STR(hd_executable_target(exe), all && have != (have & 3) ? "all" : "some");
      hd_executable_release(exe);
    }
    hd_runtime_release(runtime);
  }
  free(data);
}

int main(void) {
  hd_test_program program;
  if (!hd_test_program_open(&program)) return HD_TEST_RESULT();
  hd_runtime *runtime;
  if (HD_CHECK_OK(hd_runtime_create(NULL, &runtime))) {
    check_loading(runtime, &program);
    hd_runtime_release(runtime);
  }
  check_variants(program.program);
  hd_test_program_close(&program);
  return HD_TEST_RESULT();
}
