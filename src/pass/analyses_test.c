/* SPDX-License-Identifier: Apache-2.0 */
/* A result is computed once, for as long as every pass that changes something preserves it; a pass that claims to
 * preserve what it changes is found out, and so is one that reads what another did not preserve. The analysis of the test
 * counts the ops of a function. */
#include "pass/analyses.h"

#include "base/testing.h"
#include "text/text.h"

#define COUNTS 2u /* the bit of the test's analysis */

static int computed;

static int ops_of(hd_op *func) { return (int)hd_op_count(func); }

typedef struct counts {
  hd_op *func;
  int ops;
} counts;

static void *compute(hd_op *func, hd_arena *arena) {
  ++computed;
  counts *c = hd_new(arena, counts);
  *c = (counts){func, ops_of(func)};
  return c;
}

static void print(void *result, hd_strbuf *out) { hd_strbuf_printf(out, "%d", ((counts *)result)->ops); }

static const hd_analysis_info analysis = {"counts", COUNTS, compute, print};

static bool ask(hd_pass *pass, hd_op *func) {
  const counts *c = hd_pass_analysis(pass, &analysis, func);
  return HD_CHECK(c->func == func) && HD_CHECK_INT(c->ops, ops_of(func));
}

static bool ask_and_say_changed(hd_pass *pass, hd_op *func) {
  pass->changed = true;
  return ask(pass, func);
}

/* One op less. */
static bool erase(hd_pass *pass, hd_op *func) {
  hd_pass_analysis(pass, &analysis, func);
  hd_op_erase(hd_op_region(func, 0)->first->first);
  return pass->changed = true;
}

/* Asks once more after its change: what was cached before does not count any more. */
static bool ask_again(hd_pass *pass, hd_op *func) { return erase(pass, func) && ask(pass, func); }

static const counts *seen;

/* Keeps what is lent to it. */
static bool keep(hd_pass *pass, hd_op *func) {
  seen = hd_pass_analysis(pass, &analysis, func);
  return HD_CHECK(seen->func == func);
}

static bool read_kept(hd_pass *pass, hd_op *func) {
  (void)pass, (void)func;
  return HD_CHECK_INT(seen->ops, (int)0xdbdbdbdb);
}

static const hd_pass_info asks = {.name = "asks", .level = HD_PASS_FUNCTION, .run = ask, .options = ""},
                          keeps = {"keeps", "", HD_PASS_FUNCTION, HD_PASS_ANY, false, COUNTS, ask_and_say_changed,
                                   "",      ""},
                          drops = {"drops", "", HD_PASS_FUNCTION, HD_PASS_ANY, false, 0, erase, "", ""},
                          renews = {.name = "renews", .level = HD_PASS_FUNCTION, .run = ask_again, .options = ""},
                          keeps_it = {.name = "keeps", .level = HD_PASS_FUNCTION, .run = keep, .options = ""},
                          reads_it = {.name = "reads", .level = HD_PASS_FUNCTION, .run = read_kept, .options = ""},
                          lies = {"lies", "", HD_PASS_FUNCTION, HD_PASS_ANY, false, COUNTS, erase, "", ""};

/* Runs the passes of a null-terminated list on a function of two constants and a return. */
static hd_status run(hd_context *context, bool verify, const hd_pass_info *const *passes) {
  static const char text[] =
      "func.func @f() {\n  %a = arith.constant 1 : i32\n  %b = arith.constant 2 : i32\n  return\n}\n"
      "func.func @g() {\n  %a = arith.constant 1 : i32\n  %b = arith.constant 2 : i32\n  return\n}\n";
  hd_module *module;
  HD_TRY(hd_text_parse(context, hd_str_of(text), "test", &module));
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_pipeline pipeline = {0};
  for (; *passes; ++passes) hd_vec_push(&arena, &pipeline.steps, (hd_pass_step){.info = *passes});
  computed = 0;
  hd_status status = hd_pipeline_run(&pipeline, module, &(hd_pass_observer){.verify_preserved = verify}, NULL);
  hd_arena_free(&arena);
  hd_module_free(module);
  return status;
}

#define RUN(context, verify, ...) run((context), (verify), (const hd_pass_info *const[]){__VA_ARGS__, NULL})

int main(void) {
  hd_context *context;
  if (!HD_CHECK_OK(hd_context_create(0, &context))) return HD_TEST_RESULT();
  hd_text_install(context);
  HD_CHECK_OK(RUN(context, false, &asks, &asks, &keeps, &asks));
  HD_CHECK_INT(computed, 2); /* once a function */
  HD_CHECK_OK(RUN(context, false, &asks, &drops, &asks, &asks));
  HD_CHECK_INT(computed, 5); /* @f and @g, @g again behind what changed @f, and both behind what changed @g */
  HD_CHECK_OK(RUN(context, true, &asks, &keeps, &drops, &asks));
  HD_CHECK_OK(RUN(context, false, &asks, &renews, &asks));
  HD_CHECK_OK(RUN(context, true, &keeps_it, &drops, &reads_it));
  hd_status status = RUN(context, true, &asks, &lies, &asks);
  HD_CHECK(!hd_is_ok(status));
  HD_CHECK(strstr(hd_strbuf_text(&context->collected),
                  "pass 'lies' says that it preserves the analysis 'counts', which differs after it"));
  hd_status_free(status);
  hd_context_release(context);
  return HD_TEST_RESULT();
}
