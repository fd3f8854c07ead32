/* SPDX-License-Identifier: Apache-2.0 */
/* What a pass says of its decisions reaches who watches it, between before and after, and nobody else. */
#include "base/testing.h"
#include "pass/pass.h"
#include "text/text.h"

static char log_text[256];
static bool watching;

static void add(const char *text) { strncat(log_text, text, sizeof log_text - strlen(log_text) - 1); }

static bool decide(hd_pass *pass, hd_op *op) {
  (void)op;
  hd_pass_note(pass, "order=[%d]", 0);
  if (hd_pass_is_watched(pass)) add("(watched)");
  return true;
}

static const hd_pass_info decides = {.name = "decides", .level = HD_PASS_MODULE, .run = decide, .options = ""};

static void before(void *user, const hd_pass_info *info, hd_op *op) {
  (void)user, (void)info, (void)op;
  add("<");
}
static void after(void *user, const hd_pass_info *info, hd_op *op, bool changed, double seconds) {
  (void)user, (void)info, (void)op, (void)changed, (void)seconds;
  add(">");
}
static void note(void *user, const hd_pass_info *info, const char *text) {
  (void)user;
  add(info->name);
  add(": ");
  add(text);
}
static bool is_watched(void *user, const hd_pass_info *info) {
  (void)user, (void)info;
  return watching;
}

static void run(hd_context *context, const hd_pass_observer *observer) {
  hd_module *module = hd_module_create(context, NULL);
  hd_arena arena;
  hd_pipeline pipeline = {0};
  hd_arena_init(&arena, NULL);
  hd_vec_push(&arena, &pipeline.steps, (hd_pass_step){.info = &decides});
  log_text[0] = 0;
  HD_CHECK_OK(hd_pipeline_run(&pipeline, module, observer, NULL));
  hd_arena_free(&arena);
  hd_module_free(module);
}

int main(void) {
  hd_context *context;
  if (!HD_CHECK_OK(hd_context_create(0, &context))) return HD_TEST_RESULT();
  hd_pass_observer observer = {.before = before, .after = after, .note = note, .is_watched = is_watched};
  run(context, &observer);
  HD_CHECK_STR(log_text, "<>");
  watching = true;
  run(context, &observer);
  HD_CHECK_STR(log_text, "<decides: order=[0](watched)>");
  observer.is_watched = NULL;
  run(context, &observer);
  HD_CHECK_STR(log_text, "<decides: order=[0](watched)>");
  observer.note = NULL;
  run(context, &observer);
  HD_CHECK_STR(log_text, "<>");
  run(context, NULL);
  HD_CHECK_STR(log_text, "");
  hd_context_release(context);
  return HD_TEST_RESULT();
}
