/* SPDX-License-Identifier: Apache-2.0 */
/* Every pass that takes tensors, or buffers, refuses a program of the other form, and leaves it as it is. A pass is
 * found by each name that the pipeline's description has for it. */
#include "driver/passes.h"

#include <string.h>

#include "base/testing.h"
#include "passes/host/host_work.h"
#include "text/text.h"

static const char *const programs[] = {
    [HD_PASS_TENSORS] =
        "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %0 = stablehlo.add %x, %x : tensor<4xf32>\n"
        "  return %0 : tensor<4xf32>\n}\n",
    [HD_PASS_BUFFERS] =
        "func.func @f(%x: memref<4xf32>) -> memref<4xf32> {\n"
        "  %0 = memref.alloc() : memref<4xf32>\n"
        "  \"lmhlo.add\"(%x, %x, %0) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()\n"
        "  return %0 : memref<4xf32>\n}\n",
};

static void put(hd_module *module, hd_strbuf *out) {
  hd_text_print_options options = {0};
  hd_text_print(module->op, &options, out);
}

/* |info| alone on the program of |form|, as a user runs it. */
static void expect(const hd_pass_info *info, hd_pass_takes form, bool refused) {
  hd_context *c;
  if (!HD_CHECK_OK(hd_context_create(0, &c))) return;
  hd_text_install(c);
  hd_module *module;
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  if (HD_CHECK_OK(hd_text_parse(c, hd_str_of(programs[form]), "test", &module))) {
    hd_strbuf before, after;
    hd_strbuf_init(&before, &arena);
    hd_strbuf_init(&after, &arena);
    put(module, &before);
    hd_pipeline pipeline = {0};
    hd_vec_push(&arena, &pipeline.steps, (hd_pass_step){.info = info});
    hd_status status = hd_pipeline_run(&pipeline, module, &(hd_pass_observer){.check_takes = true}, NULL);
    const char *said = hd_strbuf_text(&c->collected),
               *found = strstr(said, form == HD_PASS_TENSORS ? "'stablehlo.add' op is on tensors, but"
                                                             : "'memref.alloc' op is on buffers, but");
    hd_test_check_((found != NULL) == refused && (!refused || (!hd_is_ok(status) && strstr(found, info->name))),
                   __FILE__, __LINE__, "%s: %s", info->name, said);
    hd_status_free(status);
    put(module, &after);
    if (refused) HD_CHECK(!strcmp(hd_strbuf_text(&before), hd_strbuf_text(&after)));
    hd_module_free(module);
  }
  hd_arena_free(&arena);
  hd_context_release(c);
}

/* The names of the description of the pipeline from dynamic-shape HLO to an executable. */
static const char *const described[][2] = {
    {"inliner", "inline"},
    {"unused-function-removal", "disc-unused-function-removal"},
    {"dhlo-loop-invariant", "disc-loop-invariant"},
    {"dhlo-broadcast-simplifier", "disc-broadcast-simplifier"},
    {"dhlo-bace-gemm", "disc-dot-rewriter"},
    {"dhlo-conv-rewriter", "disc-conv-rewriter"},
    {"dhlo-gpu-conv-padding-legalization", "disc-gpu-conv-padding-legalization"},
    {"dhlo-canonicalize-reduction", "disc-canonicalize-reduction"},
    {"dhlo-split-large-ops", "disc-split-large-ops"},
    {"dhlo-placer", "disc-placer"},
    {"dhlo-element-type-converter", "disc-element-type-converter"},
    {"dhlo-legalize-to-lhlo", "disc-hlo-legalize-to-lhlo"},
    {"placement-fixer", "disc-placement-fixer"},
    {"dhlo-fuse-on-buffer", "disc-fusion"},
    {"dhlo-lower-to-buffer-alias", "disc-lower-to-buffer-alias"},
    {"dhlo-localize-small-cpu-buffer", "disc-localize-small-cpu-buffer"},
    {"dhlo-buffer-optimization", "disc-buffer-deallocation"},
    {"dhlo-specialize-fusion-with-speculation", "disc-specialize-fusion-with-speculation"},
    {"legalize-lhlo-control-flow", "legalize-lhlo-control-flow"},
    {"insert-memory-marker", "disc-insert-memory-marker"},
    {"dhlo-inject-execution-context", "disc-inject-execution-context"},
    {"lower-to-library-calls-v2", "disc-lower-to-library-calls"},
    {"convert-const-to-tao-ral", "disc-const-to-ral"},
    {"lhlo-legalize-to-loop", "disc-lhlo-legalize-to-loop"},
    {"input-inline-fusion", "disc-input-inline-fusion"},
    {"dhlo-remove-dead-buffer", "disc-remove-dead-buffer"},
    {"dead-temp-buffer-removal", "dead-temp-buffer-removal"},
    {"loop-split", "disc-parallel-loop-split"},
    {"revise-gpu-kernel-outlining", "disc-revise-gpu-kernel-outlining"},
    {"convert-memory-marker-v2", "disc-convert-memory-marker"},
    {"gpu-launch-func-to-tao-ral", "disc-gpu-launch-to-ral"},
    {"rewrite-ral-api", "disc-rewrite-ral-api"},
    /* shorter ones of older pipelines */
    {"disc-fuse-on-buffer", "disc-fusion"},
    {"disc-buffer-optimization", "disc-buffer-deallocation"},
    {"const-to-ral", "disc-const-to-ral"},
    {"lower-to-library-calls", "disc-lower-to-library-calls"},
    {"gpu-launch-to-ral", "disc-gpu-launch-to-ral"},
    {"parallel-loop-split", "disc-parallel-loop-split"},
    {"loop-coalescing", "disc-loop-coalescing"},
    {"gpu-kernel-outlining", "disc-gpu-kernel-outlining"},
    {"convert-memory-marker", "disc-convert-memory-marker"},
};

static void find_all_names(const hd_pass_table *table) {
  for (size_t i = 0; i < sizeof described / sizeof *described; ++i) {
    const hd_pass_info *found = hd_pass_find(table, hd_str_of(described[i][0]));
    hd_test_check_(found && !strcmp(found->name, described[i][1]), __FILE__, __LINE__, "%s: %s", described[i][0],
                   found ? found->name : "not found");
  }
  for (size_t i = 0; i < table->count; ++i)
    HD_CHECK(hd_pass_find(table, hd_str_of(table->rows[i].name)) == &table->rows[i]);
  HD_CHECK(!hd_pass_find(table, hd_str_of("")) && !hd_pass_find(table, hd_str_of("dhlo-fuse")) &&
           !hd_pass_find(table, hd_str_of("disc-fuse-on-buffer dhlo-fuse-on-buffer")));
}

/* Every default of a row is a value of its option's type, and what the pass reads when nothing is given. */
static void check_defaults(const hd_pass_table *table) {
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  size_t count = 0;
  for (size_t i = 0; i < table->count; ++i) {
    const hd_pass pass = {.info = &table->rows[i]};
    char name[64], type[16], value[64], text[256];
    int read = 0;
    for (const char *at = pass.info->options; *at; at += read + strspn(at + read, ", ")) {
      if (sscanf(at, "%63[^:]: %15[a-z?] = %63[^,]%n", name, type, value, &read) != 3) {
        HD_CHECK(sscanf(at, "%63[^:]: %15[a-z?]%n", name, type, &read) == 2);
        HD_CHECK(!hd_option_given(&pass, name) && !hd_option_string(&pass, name).len);
        continue;
      }
      ++count;
      HD_CHECK(hd_str_is(hd_option_string(&pass, name), value) && !hd_option_given(&pass, name));
      snprintf(text, sizeof text, "%s{%s=%s}", pass.info->name, name, value);
      hd_pipeline pipeline = {0};
      HD_CHECK_OK(hd_pipeline_parse(table, hd_str_of(text), &arena, &pipeline));
    }
  }
  HD_CHECK(count > 20);
  const hd_pass_info *rewriter = hd_pass_find(table, HD_STR("disc-dot-rewriter"));
  const hd_pass_option options[] = {{HD_STR("merge"), HD_STR("")}, {HD_STR("align"), HD_STR("010")}};
  const hd_pass given = {.info = rewriter, .options = options, .option_count = 2}, none = {.info = rewriter};
  HD_CHECK(hd_option_bool(&given, "merge") && !hd_option_bool(&none, "merge"));
  HD_CHECK_INT(hd_option_int(&given, "align"), 10);
  HD_CHECK_INT(hd_option_int(&none, "align"), 0);
  HD_CHECK_INT(hd_option_int(&given, "min-size"), 16777216);
  /* What disc-placer puts on the host, disc-placement-fixer leaves there. */
  const hd_pass placer = {.info = hd_pass_find(table, HD_STR("disc-placer"))};
  HD_CHECK_INT(hd_option_int(&placer, "max-elements"), HD_HOST_MAX_ELEMENTS);
  hd_arena_free(&arena);
}

int main(void) {
  const hd_pass_table *table = hd_passes();
  check_defaults(table);
  find_all_names(table);
  size_t counts[3] = {0};
  for (size_t i = 0; i < table->count; ++i) {
    const hd_pass_info *info = &table->rows[i];
    ++counts[info->takes];
    expect(info, HD_PASS_TENSORS, info->takes == HD_PASS_BUFFERS);
    expect(info, HD_PASS_BUFFERS, info->takes == HD_PASS_TENSORS);
  }
  HD_CHECK(counts[HD_PASS_ANY] && counts[HD_PASS_TENSORS] && counts[HD_PASS_BUFFERS]);
  return HD_TEST_RESULT();
}
