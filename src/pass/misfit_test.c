/* SPDX-License-Identifier: Apache-2.0 */
/* A pass that builds an op of operands that do not fit fails, with errors where it built it; what ran before stays. */
#include "base/testing.h"
#include "ir/ops/stablehlo.h"
#include "pass/pass.h"
#include "text/text.h"

static int reached;

static bool join_misfits(hd_pass *pass, hd_op *func) {
  (void)pass;
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_builder b = hd_builder_before(entry->last);
  hd_stablehlo_concatenate(&b, 0, entry->args, 2);
  ++reached;
  return true;
}

static const hd_pass_info joins = {.name = "joins", .level = HD_PASS_FUNCTION, .run = join_misfits, .options = ""};

static hd_status run(hd_context *context, const char *text) {
  hd_module *module;
  HD_TRY(hd_text_parse(context, hd_str_of(text), "test", &module));
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_pipeline pipeline = {0};
  hd_vec_push(&arena, &pipeline.steps, (hd_pass_step){.info = &joins});
  hd_status status = hd_pipeline_run(&pipeline, module, NULL, NULL);
  hd_arena_free(&arena);
  hd_module_free(module);
  return status;
}

int main(void) {
  hd_context *context;
  if (!HD_CHECK_OK(hd_context_create(0, &context))) return HD_TEST_RESULT();
  hd_text_install(context);
  HD_CHECK_OK(run(context, "func.func @f(%a: tensor<?x3xf32>, %b: tensor<4x3xf32>) {\n  return\n}\n"));
  HD_CHECK_INT(reached, 1);
  hd_status status = run(context, "func.func @f(%a: tensor<?x3xf32>, %b: tensor<4x5xf32>) {\n  return\n}\n");
  HD_CHECK_FAILS(status, HD_INTERNAL, "pass 'joins': internal error");
  const char *errors = hd_strbuf_text(&context->collected);
  HD_CHECK(strstr(errors, "test:2:3: error: 'stablehlo.concatenate' op "));
  HD_CHECK(
      strstr(errors, "test:2:3: error: internal error: 'stablehlo.concatenate' is built of operands that do not fit"));
  HD_CHECK_INT(reached, 1);
  hd_context_release(context);
  return HD_TEST_RESULT();
}
