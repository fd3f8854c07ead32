/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of targets agrees with their rows, and every pipeline can be read and goes from tensors to buffers. */
#include "driver/targets.h"

#include "base/testing.h"
#include "driver/passes.h"

/* Is |name| one of the comma-separated |names|? */
static bool is_named(const char *names, const char *name) {
  size_t n = strlen(name);
  for (const char *at = names; at; at = strchr(at, ' '), at += at != NULL)
    if (!strncmp(at, name, n) && (!at[n] || at[n] == ',')) return true;
  return false;
}

static void check_row(const char *name) {
  const hd_target *target = hd_target_find(name);
  if (!HD_CHECK(target)) return;
  HD_CHECK_STR(target->name, name);
  HD_CHECK(is_named(hd_target_names(), name));
  HD_CHECK(is_named(hd_targets(), name) == target->compiles);
  HD_CHECK(is_named(hd_targets_here(), name) == target->runs_here);
  HD_CHECK(hd_target_runs_here(name) == target->runs_here);
  HD_CHECK_STR(hd_target_pipeline(name), target->pipeline);
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

int main(void) {
#define TARGET(name, compiles, runs_here, is_host, passes) check_row(name);
#include "driver/targets.def"
  HD_CHECK_STR(hd_target_find(NULL)->name, "cpu");
  HD_CHECK(hd_target_find(NULL)->compiles && hd_target_find(NULL)->runs_here);
  HD_CHECK(!hd_target_find("abacus") && !hd_target_runs_here("abacus") && !hd_target_pipeline("abacus"));
  HD_CHECK_FAILS(hd_target_unknown("abacus"), HD_INVALID_ARGUMENT,
                 "target: unknown target 'abacus', expected one of: ");
  return HD_TEST_RESULT();
}
