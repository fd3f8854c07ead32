/* SPDX-License-Identifier: Apache-2.0 */
/* A result is computed once, for as long as every pass that changes something preserves it; a pass that claims to
 * preserve what it changes is found out, and so are one that reads what another did not preserve and one that hides
 * what it changed. The analysis of the test counts the ops of a function. */
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

/* What a pass may change, each of them once, and say nothing of it. */
static hd_op *first_of(hd_op *func) { return hd_op_region(func, 0)->first->first; }

static bool hide_erased(hd_pass *pass, hd_op *func) {
  (void)pass;
  hd_op_erase(first_of(func));
  return true;
}

static bool hide_moved(hd_pass *pass, hd_op *func) {
  (void)pass;
  hd_op_move_before(first_of(func)->next, first_of(func));
  return true;
}

static bool hide_attribute(hd_pass *pass, hd_op *func) {
  hd_op_attr_set(first_of(func), HD_NAME_value, hd_attr_i32(pass->context, 3));
  return true;
}

static bool hide_discardable(hd_pass *pass, hd_op *func) {
  hd_op_attr_set(first_of(func), HD_NAME_hd_name, hd_attr_i32(pass->context, 3));
  return true;
}

static bool hide_type(hd_pass *pass, hd_op *func) {
  hd_result(first_of(func), 0)->type = hd_i1(pass->context);
  return true;
}

static bool hide_operand(hd_pass *pass, hd_op *func) {
  (void)pass;
  hd_op *first = first_of(func);
  hd_op_set_operand(first->next->next, 1, hd_result(first, 0));
  return true;
}

static bool hide_argument(hd_pass *pass, hd_op *func) {
  hd_block_add_arg(pass->module, hd_op_region(func, 0)->first, hd_i32(pass->context));
  return true;
}

/* A function beside its own. */
static bool hide_beside(hd_pass *pass, hd_op *func) {
  hd_op_insert_after(hd_op_clone(pass->module, func, &pass->arena, NULL), func);
  return true;
}

/* It is back where it was, and its text was never another. */
static bool change_and_undo(hd_pass *pass, hd_op *func) { return hide_moved(pass, func) && hide_moved(pass, func); }

static const hd_pass_info asks = {.name = "asks", .level = HD_PASS_FUNCTION, .run = ask, .options = ""},
                          keeps = {"keeps", "", HD_PASS_FUNCTION, HD_PASS_ANY, false, COUNTS, ask_and_say_changed,
                                   "",      ""},
                          drops = {"drops", "", HD_PASS_FUNCTION, HD_PASS_ANY, false, 0, erase, "", ""},
                          renews = {.name = "renews", .level = HD_PASS_FUNCTION, .run = ask_again, .options = ""},
                          keeps_it = {.name = "keeps", .level = HD_PASS_FUNCTION, .run = keep, .options = ""},
                          reads_it = {.name = "reads", .level = HD_PASS_FUNCTION, .run = read_kept, .options = ""},
                          lies = {"lies", "", HD_PASS_FUNCTION, HD_PASS_ANY, false, COUNTS, erase, "", ""},
                          undoes = {.name = "undoes", .level = HD_PASS_FUNCTION, .run = change_and_undo, .options = ""};

/* Runs the passes of a null-terminated list on two functions of two constants, their sum and a return. */
static hd_status run(hd_context *context, const hd_pass_observer *observer, const hd_pass_info *const *passes) {
  static const char text[] =
      "func.func @f() {\n  %a = arith.constant 1 : i32\n  %b = arith.constant 2 : i32\n  %c = arith.addi %b, %b : "
      "i32\n  return\n}\n"
      "func.func @g() {\n  %a = arith.constant 1 : i32\n  %b = arith.constant 2 : i32\n  %c = arith.addi %b, %b : "
      "i32\n  return\n}\n";
  hd_module *module;
  HD_TRY(hd_text_parse(context, hd_str_of(text), "test", &module));
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_pipeline pipeline = {0};
  for (; *passes; ++passes) hd_vec_push(&arena, &pipeline.steps, (hd_pass_step){.info = *passes});
  computed = 0;
  hd_status status = hd_pipeline_run(&pipeline, module, observer, NULL);
  hd_arena_free(&arena);
  hd_module_free(module);
  return status;
}

#define RUN(context, verify, ...) \
  run((context), &(hd_pass_observer){.verify_preserved = (verify)}, (const hd_pass_info *const[]){__VA_ARGS__, NULL})

/* |hide|'s pass says that it changed nothing: found out by either check, at the function, and by none otherwise. */
static void check_hidden(hd_context *context, bool (*hide)(hd_pass *pass, hd_op *op)) {
  hd_pass_info hides = {.name = "hides", .level = HD_PASS_FUNCTION, .run = hide, .options = ""};
  const hd_pass_info *const passes[] = {&hides, NULL};
  HD_CHECK_OK(run(context, NULL, passes));
  HD_CHECK_OK(run(context, &(hd_pass_observer){0}, passes));
  const hd_pass_observer observers[] = {{.verify_each = true}, {.verify_preserved = true}};
  for (size_t i = 0; i < sizeof observers / sizeof *observers; ++i) {
    context->collected.len = 0;
    hd_status status = run(context, &observers[i], passes);
    HD_CHECK(!hd_is_ok(status));
    HD_CHECK(strstr(hd_strbuf_text(&context->collected),
                    "test:1:1: error: 'func.func' op is not what it was before pass 'hides', which says that it "
                    "changed nothing"));
    hd_status_free(status);
  }
}

int main(void) {
  hd_context *context;
  if (!HD_CHECK_OK(hd_context_create(0, &context))) return HD_TEST_RESULT();
  hd_text_install(context);
  HD_CHECK_OK(RUN(context, false, &asks, &asks, &keeps, &asks));
  HD_CHECK_INT(computed, 2); /* once a function */
  HD_CHECK_OK(RUN(context, false, &asks, &drops, &asks, &asks));
  HD_CHECK_INT(computed, 5); /* @f and @g, @g again after what changed @f, and both after what changed @g */
  HD_CHECK_OK(RUN(context, true, &asks, &keeps, &drops, &asks));
  HD_CHECK_OK(RUN(context, false, &asks, &renews, &asks));
  HD_CHECK_OK(RUN(context, true, &keeps_it, &drops, &reads_it));
  hd_status status = RUN(context, true, &asks, &lies, &asks);
  HD_CHECK(!hd_is_ok(status));
  HD_CHECK(strstr(hd_strbuf_text(&context->collected),
                  "pass 'lies' says that it preserves the analysis 'counts', which differs after it"));
  hd_status_free(status);
  check_hidden(context, hide_erased);
  check_hidden(context, hide_moved);
  check_hidden(context, hide_attribute);
  check_hidden(context, hide_discardable);
  check_hidden(context, hide_type);
  check_hidden(context, hide_operand);
  check_hidden(context, hide_argument);
  check_hidden(context, hide_beside);
  HD_CHECK_OK(RUN(context, true, &undoes));
  hd_context_release(context);
  return HD_TEST_RESULT();
}
