/* SPDX-License-Identifier: Apache-2.0 */
/* What the rows of targets say holds: code is made where they say so, runs where they say so, and every pipeline can be
 * read and goes from tensors to buffers. The lists of names are written here once more: a new row goes into them. */
#include "driver/targets.h"

#include "base/testing.h"
#include "driver/passes.h"

#define PROGRAM(expects)                                      \
  "func.func @main() -> tensor<2xi32> {\n"                    \
  "  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>\n" \
  "  %1 = stablehlo.add %0, %0 : tensor<2xi32>\n" expects     \
  "  return %1 : tensor<2xi32>\n"                             \
  "}\n"
static const char program[] = PROGRAM(""),
                  checked[] = PROGRAM("  check.expect_eq_const %1, dense<[2, 4]> : tensor<2xi32>\n");

static void check_compiles(const char *name, bool compiles) {
  hd_compile_options options = HD_COMPILE_OPTIONS_INIT;
  hd_blob artifact = {0};
  options.target = name;
  hd_status status = hd_compile(program, sizeof program - 1, "program", &options, (hd_message_sink){0}, &artifact);
  if (compiles)
    HD_CHECK_OK(status);
  else
    HD_CHECK_FAILS(status, HD_UNIMPLEMENTED, "has passes and no machine code here");
  hd_blob_free(&artifact);
}

static void check_runs(const char *name, bool runs_here) {
  hd_check_options check = HD_CHECK_OPTIONS_INIT;
  hd_compile_options options = HD_COMPILE_OPTIONS_INIT;
  hd_check_counts counts = {0};
  check.target = name;
  hd_status status = hd_check(checked, sizeof checked - 1, "program", &check, &options, (hd_message_sink){0}, &counts);
  if (runs_here)
    HD_CHECK_OK(status);
  else
    HD_CHECK_FAILS(status, HD_INVALID_ARGUMENT, "target: expected eval or ");
  HD_CHECK_INT(counts.passed, runs_here);
  HD_CHECK_INT(counts.failed, 0);
}

static void check_pipeline(const char *name) {
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_pipeline pipeline;
  hd_compile_options options = {.target = name};
  if (HD_CHECK_OK(hd_pipeline_for(&options, &arena, &pipeline))) {
    size_t split = hd_pipeline_find(&pipeline, HD_PASS_TO_BUFFERS);
    HD_CHECK(split > 0 && split < pipeline.steps.len);
    for (size_t i = 0; i < pipeline.steps.len; ++i) {
      hd_pass_takes takes = pipeline.steps.data[i].info->takes;
      hd_test_check_(takes != (i <= split ? HD_PASS_BUFFERS : HD_PASS_TENSORS), __FILE__, __LINE__, "%s: %s", name,
                     pipeline.steps.data[i].info->name);
    }
  }
  hd_arena_free(&arena);
}

static void check_row(const char *name, bool compiles, bool runs_here) {
  check_pipeline(name);
  check_compiles(name, compiles);
  check_runs(name, runs_here);
}

int main(void) {
#define TARGET(name, compiles, runs_here, is_host, passes) check_row(name, compiles, runs_here);
#include "driver/targets.def"
  HD_CHECK_STR(hd_target_names(), "cpu, gpu");
  HD_CHECK_STR(hd_targets(), "cpu");
  HD_CHECK_STR(hd_targets_here(), "cpu");
  HD_CHECK_STR(hd_target_find(NULL)->name, "cpu");
  HD_CHECK(!hd_target_find("abacus") && !hd_target_runs_here("abacus") && !hd_target_pipeline("abacus"));
  HD_CHECK_FAILS(hd_target_unknown("abacus", hd_targets()), HD_INVALID_ARGUMENT,
                 "target: unknown target 'abacus', expected one of: cpu");
  return HD_TEST_RESULT();
}
