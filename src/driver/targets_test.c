/* SPDX-License-Identifier: Apache-2.0 */
/* What the rows of targets say holds: code is made, runs where they say so, and every pipeline can be
 * read and goes from tensors to buffers. The lists of names are written here once more: a new row goes into them. */
#include "driver/targets.h"

#include <stdlib.h>

#include "base/testing.h"
#include "driver/passes.h"
#include "runtime/artifact.h"

static const char checked[] =
    "func.func @main() {\n"
    "  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>\n"
    "  %1 = stablehlo.add %0, %0 : tensor<2xi32>\n"
    "  check.expect_eq_const %1, dense<[2, 4]> : tensor<2xi32>\n"
    "  return\n"
    "}\n";

static const char added[] =
    "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
    "  %0 = stablehlo.exponential %x : tensor<?xf32>\n"
    "  return %0 : tensor<?xf32>\n"
    "}\n";

/* Of a device: one image, for the row's driver. */
static void check_compiles(const char *name) {
  hd_compile_options options = HD_COMPILE_OPTIONS_INIT;
  hd_blob bytes = {0};
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_artifact artifact;
  options.target = name;
  HD_CHECK_OK(hd_compile(added, sizeof added - 1, "program", &options, (hd_message_sink){0}, &bytes));
  void *aligned = aligned_alloc(64, (bytes.size + 63) / 64 * 64);
  memcpy(aligned, bytes.data, bytes.size);
  const hd_target *target = hd_target_find(name);
  if (HD_CHECK_OK(hd_artifact_read(aligned, bytes.size, true, &arena, &artifact))) {
    const hd_artifact_program *code = artifact.programs;
    HD_CHECK_STR(artifact.targets[0].name, target->name);
    HD_CHECK_STR(artifact.targets[0].driver, target->driver);
    HD_CHECK_INT(code->image_count, target->images != NULL);
    HD_CHECK_INT(code->device_kernel_count > 0, target->images != NULL);
    HD_CHECK_INT(code->kernel_count, target->images == NULL);
    if (target->images) HD_CHECK_STR(code->images[0].driver, target->driver);
  }
  hd_blob_free(&bytes);
  hd_arena_free(&arena);
  free(aligned);
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
  if (HD_CHECK_OK(hd_pipeline_for(&options, NULL, &arena, &pipeline))) {
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

static void check_row(const char *name, bool runs_here) {
  check_pipeline(name);
  check_compiles(name);
  check_runs(name, runs_here);
}

/* What the schedule of products counts on. */
static void check_tile(const hd_gpu_tile *t) {
  int64_t threads = t->columns * t->rows;
  HD_CHECK(threads >= 32 && (threads & (threads - 1)) == 0);
  HD_CHECK_INT(t->columns * t->own_columns * t->depth % threads, 0);
  HD_CHECK_INT(t->rows * t->own_rows * t->strips * t->depth % threads, 0);
}

static void check_tiles(void) {
  static const char *const names[] = {"cuda", "simt", "spirv"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const hd_target_info *info = hd_target_info_of(hd_str_of(names[i]));
    if (!HD_CHECK(info && info->gpu)) continue;
    check_tile(&info->gpu->large);
    check_tile(&info->gpu->small);
    check_tile(&info->gpu->thin);
  }
}

int main(void) {
#define TARGET(name, pipeline, runs_here, images, driver, floats, i1, approximate, gpu) \
  HD_IF_PIPELINE_##pipeline(check_row(name, runs_here);)
#include "pass/targets.def"
  HD_CHECK_STR(hd_target_names(), "cpu, cuda, simt, spirv");
  HD_CHECK_STR(hd_targets(), "cpu, cuda, simt, spirv");
  HD_CHECK_STR(hd_targets_here(), "cpu, simt");
  HD_CHECK_STR(hd_target_find(NULL)->name, "cpu");
  HD_CHECK(!hd_target_find("abacus") && !hd_target_driver("abacus") && !hd_target_pipeline("abacus"));
  HD_CHECK_FAILS(hd_target_check("abacus"), HD_INVALID_ARGUMENT,
                 "target: unknown target 'abacus', expected one of: cpu, cuda, simt");
  hd_target_list list;
  HD_CHECK_OK(hd_target_list_parse("cuda:80,90+simt", &list));
  const hd_architectures *architectures = &list.list[0].architectures;
  HD_CHECK(list.count == 2 && architectures->count == 2 && architectures->list[0] == 80 &&
           architectures->list[1] == 90);
  HD_CHECK(!list.list[1].architectures.count && !strcmp(list.list[1].target->name, "simt"));
  HD_CHECK_INT(list.program_count, 1);
  HD_CHECK_OK(hd_target_list_parse("cuda:80,90,80", &list));
  HD_CHECK_INT(list.list[0].architectures.count, 2);
  HD_CHECK_STR(hd_target_find("cuda:80+simt")->name, "cuda");
  HD_CHECK_OK(hd_target_list_parse("simt+cpu+cuda:080,90", &list));
  HD_CHECK(list.count == 3 && list.program_count == 2 && !list.list[0].program && list.list[1].program == 1 &&
           !list.list[2].program);
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  HD_CHECK_STR(hd_target_list_name(&list, 0, &arena), "simt");
  HD_CHECK_STR(hd_target_list_name(&list, 2, &arena), "cuda:80,90");
  hd_arena_free(&arena);
  HD_CHECK_OK(hd_target_list_parse(NULL, &list));
  HD_CHECK(list.count == 1 && list.list[0].target == hd_target_find(NULL));
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"cuda:", "expected architectures as in"},
      {"cuda:80,", "expected architectures as in"},
      {"cuda:x", "expected architectures as in"},
      {"cuda:-80", "expected architectures as in"},
      {"cuda:0", "expected architectures as in"},
      {"cuda:99999", "expected architectures as in"},
      {"cuda:80 90", "expected architectures as in"},
      {"cuda:80,+simt", "expected architectures as in cuda:80,90, got 'cuda:80,'"},
      {"cpu:80", "target: 'cpu' has no architectures, got 'cpu:80'"},
      {"", "target: unknown target ''"},
      {"simt+", "target: unknown target ''"},
      {"+simt", "target: unknown target ''"},
      {"simt+abacus", "target: unknown target 'abacus', expected one of: cpu, cuda, simt"},
      {"spirv:x", "target: expected architectures as in spirv:32,1, got 'spirv:x'"},
      {"spirv+spirv:1", "target: 'spirv' is given twice: expected its architectures as in spirv:32,1"},
      {"cpu+cpu", "target: 'cpu' is given twice, expected it once"},
      {"cuda:80+cuda:90", "target: 'cuda' is given twice: expected its architectures as in cuda:80,90"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    HD_CHECK_FAILS(hd_target_list_parse(bad[i].text, &list), HD_INVALID_ARGUMENT, bad[i].message);
  check_tiles();
  return HD_TEST_RESULT();
}
