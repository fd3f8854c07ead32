/* SPDX-License-Identifier: Apache-2.0 */
/* Every pass that takes tensors, or buffers, refuses a program of the other form, and leaves it as it is. */
#include "driver/passes.h"

#include <string.h>

#include "base/testing.h"
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

int main(void) {
  const hd_pass_table *table = hd_passes();
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
