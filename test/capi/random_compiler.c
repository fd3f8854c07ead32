/* SPDX-License-Identifier: Apache-2.0 */
/* The doors of libheddle.so (heddle/compile.h, heddle/generalize.h) with random arguments: random_calls.h. */
#include <math.h>

#include "heddle/generalize.h"
#include "heddle/indexing_map.h"
#include "heddle/layout.h"
#include "random_calls.h"

static const char STATIC[] = "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n  return %a : tensor<3xf32>\n}\n";
static const char LARGER[] = "func.func @main(%a: tensor<5xf32>) -> tensor<5xf32> {\n  return %a : tensor<5xf32>\n}\n";

/* What a door is called with. */
typedef struct door {
  const char *program;
  size_t size;
  const char *name;
  hd_compile_options *options;
  hd_message_sink sink;
  hd_blob blob, *out;
} door;

static void hear(void *user, const char *severity, const char *rendered) {
  ++*(size_t *)user;
  if (!*severity || !rendered) abort();
}

static hd_compile_options *random_options(void) {
  static const char *levels[ENTRIES] = {"native", "x86-64-v3", "none", NULL, "native", "native", "native", "native"};
  static hd_arg_range ranges[ENTRIES] = {{0, 0}, {1, 0}, {0, 9}};
  static hd_named_dim dims[ENTRIES] = {{"d0", 3}, {"none", 1}, {NULL, 1}};
  static hd_blob constants;
  hd_blob_free(&constants);
  hd_compile_options o = HD_COMPILE_OPTIONS_INIT;
  if (once_in(3)) return NULL;
  if (once_in(4)) o.target = ONE_OF((const char *[]){"cpu", "cuda", "", "none"});
  if (once_in(4)) o.entry = ONE_OF((const char *[]){"main", "", "none"});
  if (once_in(4)) o.mcpu = OR_NULL(levels + below(4)), o.mcpu_count = below(3);
  if (once_in(4)) o.constant_args = OR_NULL(ranges), o.constant_arg_count = below(4);
  if (once_in(4)) o.fixed_dims = OR_NULL(dims + below(3)), o.fixed_dim_count = below(3);
  if (once_in(4)) o.threads = count_or_worse();
  if (once_in(8)) o.memory_limit = ONE_OF((size_t[]){1, 1 << 12, 1 << 20, SIZE_MAX});
  if (once_in(8)) o.timeout_s = ONE_OF((double[]){-1, 1e-9, 1e300, NAN});
  if (once_in(8)) o.cache_dir = OR_NULL(folder);
  if (once_in(8)) o.pass_pipeline = ONE_OF((const char *[]){"", "cse", "none", "cse(", ",", "cse{x=1}"});
  if (once_in(8))
    o.pass_options = ONE_OF(
        (const char *[]){"", "cse", "cse{x=1}", "disc-dot-rewriter{align=8}", "none{", "disc-dot-rewriter{align=x}"});
  if (once_in(8)) o.platform_index = count_or_worse();
  if (once_in(8)) o.constants_file = ONE_OF((const char *[]){"c.hdc", ""});
  if (once_in(8)) o.metadata = "x";
  if (once_in(8)) o.grid[below(3)] = count_or_worse();
  o.no_graph_passes = once_in(8);
  o.library_products = once_in(8);
  if (once_in(8)) o.ptxas = ONE_OF((const char *[]){"", "/no/such/ptxas", "false"});
  if (once_in(8)) o.out_constants = OR_NULL(&constants);
  return cut_options(&o, sizeof o);
}

static door open_door(void) {
  static size_t heard;
  door d = {.program = PROGRAM, .size = sizeof PROGRAM - 1, .name = OR_NULL("x.mlir"), .options = random_options()};
  if (once_in(3)) d.program = STATIC, d.size = sizeof STATIC - 1;
  if (once_in(4)) d.size = below(d.size);
  if (once_in(8)) d.program = scratch, d.size = below(64);
  d.program = OR_NULL(d.program);
  if (once_in(2)) d.sink = (hd_message_sink){hear, &heard};
  return d;
}

static hd_blob *out_of(door *d) { return d->out = OR_NULL(&d->blob); }

static void close_door(door *d) {
  hd_blob_free(OR_NULL(&d->blob));
  hd_blob_free(&d->blob);
  free(d->options);
}

#define DOOR(name, ...)           \
  static void call_##name(void) { \
    door d = open_door();         \
    __VA_ARGS__                   \
    close_door(&d);               \
  }
#define GIVEN d.program, d.size, d.name

static const hd_host_tensor *random_tensors(void) {
  static const int64_t dims[ENTRIES] = {3, 3, 1, 0, -1};
  static hd_host_tensor tensors[ENTRIES];
  for (int i = 0; i < ENTRIES; ++i)
    tensors[i] = (hd_host_tensor){.type = once_in(6) ? (hd_element_type)count_or_worse() : HD_ELEMENT_F32,
                                  .dims = OR_NULL(dims + below(2)),
                                  .rank = below(3),
                                  .data = memory(),
                                  .size = once_in(3) ? below(64) : 12};
  return OR_NULL(tensors);
}

static bool sometimes(void *user, const char *program, size_t size) {
  (void)user;
  return program && size && once_in(2);
}

DOOR(compile, answer(hd_compile(GIVEN, d.options, d.sink, out_of(&d)));)
DOOR(signature, answer(hd_program_signature(GIVEN, d.options, d.sink, out_of(&d)));)
DOOR(writer, answer(hd_output_writer(GIVEN, d.options, (size_t)number(), d.sink, out_of(&d)));)
DOOR(explain, answer(hd_explain(GIVEN, d.options, (hd_explain_format)below(4), d.sink, out_of(&d)));)
DOOR(cost, hd_program_costs costs; answer(hd_program_cost(GIVEN, d.options, d.sink, OR_NULL(&costs)));)
DOOR(eval, hd_eval_results *results = NULL;
     answer(hd_eval(GIVEN, d.options, random_tensors(), below(4), d.sink, OR_NULL(&results)));
     for (size_t i = 0; i < hd_eval_results_count(results) + 2; ++i) hd_eval_results_get(results, i);
     hd_eval_results_free(results);)
DOOR(bisect, bool equal; hd_bisect_options own = {.tolerance = (double)number()};
     void *cut = once_in(3) ? NULL : cut_options(&own, sizeof own);
     answer(hd_bisect(GIVEN, d.options, cut, random_tensors(), below(4), d.sink, OR_NULL(&equal), out_of(&d)));
     free(cut);)
DOOR(reduce, hd_reduce_options own = {.timeout_s = 0.01, .entry = OR_NULL("main")};
     void *cut = cut_options(&own, sizeof own);
     answer(hd_reduce(GIVEN, cut, once_in(4) ? NULL : sometimes, NULL, d.sink, out_of(&d))); free(cut);)
DOOR(check, hd_check_counts counts;
     hd_check_options own = {.split_input_file = once_in(2), .inputs = random_tensors(), .input_count = below(4)};
     if (once_in(4)) own.target = ONE_OF((const char *[]){"eval", "cpu", "none", ""});
     void *cut = once_in(3) ? NULL : cut_options(&own, sizeof own);
     answer(hd_check(GIVEN, cut, d.options, d.sink, OR_NULL(&counts))); free(cut);)
DOOR(opt, const char *argv[ENTRIES] = {"opt", OR_NULL("--cse"),
                                       ONE_OF((const char *[]){"--none", "--canonicalize", "", "-"})};
     answer(hd_opt((int)below(4), OR_NULL(argv), d.program, d.size, d.name, d.sink, out_of(&d)));)
DOOR(layout,
     const char *text = ONE_OF((const char *[]){
         "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>",
         "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>", "#ttg.slice<{", ""});
     const char *shape = ONE_OF((const char *[]){"16x16", "16", "0x4", "1x-1", "99999999999x2", ""});
     hd_layout_options own = {.to = OR_NULL(text), .element_bits = (uint32_t)number()};
     void *cut = once_in(3) ? NULL : cut_options(&own, sizeof own);
     answer(hd_layout_show(OR_NULL(text), OR_NULL(shape), cut, (hd_layout_format)below(4), d.sink, out_of(&d)));
     free(cut);)
DOOR(map,
     const char *const maps[] = {"(d0, d1)[s0] -> (d0 * 4 + s0, d1), domain: d0 in [0, 9], d1 in [0, 3], s0 in [0, 3]",
                                 "(t)<n> -> (t mod n), domain: t in [0, 127], n in [1, 64]", "(d0) -> (", ""};
     hd_indexing_map_options own = {.then = OR_NULL(ONE_OF(maps)),
                                    .shape = OR_NULL(ONE_OF(((const char *[]){"4x4", "16", "0x4", "99999999999"}))),
                                    .thread = OR_NULL("d1"),
                                    .element_bits = (uint32_t)number(),
                                    .inverse = once_in(2),
                                    .json = once_in(2)};
     void *cut = once_in(3) ? NULL : cut_options(&own, sizeof own);
     answer(hd_indexing_map_show(OR_NULL(ONE_OF(maps)), cut, d.sink, out_of(&d))); free(cut);)
DOOR(help, answer(hd_opt_help(out_of(&d)));)

static void call_names(void) {
  static char text[40];
  memset(text, (int)below(256), below(sizeof text));
  hd_status_free(hd_target_check(OR_NULL(text)));
  hd_target_pipeline(OR_NULL(ONE_OF((const char *[]){"cpu", "none", ""})));
  if (!*hd_targets() || !*hd_compiler_version() || !hd_driver_of_target(OR_NULL("simt"))) abort();
  hd_blob_free(NULL);
}

static hd_shape_form *form_of(const char *program) {
  hd_shape_form *form = NULL;
  hd_compile_options *options = once_in(4) ? random_options() : NULL;
  answer(hd_shape_form_create(program, strlen(program), NULL, options, (hd_message_sink){0}, OR_NULL(&form)));
  free(options);
  return form;
}

static void call_forms(void) {
  hd_shape_form *forms[ENTRIES] = {form_of(STATIC), form_of(LARGER), form_of(PROGRAM)};
  hd_shape_rule *rule = NULL;
  hd_blob program = {0};
  answer(hd_generalize(OR_NULL((const hd_shape_form *const *)forms), below(4), (hd_message_sink){0}, OR_NULL(&program),
                       OR_NULL(&rule)));
  const hd_shape_form *form = OR_NULL(forms[below(3)]), *other = OR_NULL(forms[below(3)]);
  size_t rank;
  hd_shape_form_key(form);
  hd_shape_form_identity(form);
  hd_shape_form_argument(form, (size_t)number(), OR_NULL(&rank));
  hd_shape_form_unlike(form, other);
  hd_shape_rule_admits(OR_NULL(rule), form);
  hd_shape_rule_symbols(OR_NULL(rule));
  hd_shape_rule_lifted(OR_NULL(rule));
  if (rule && form && hd_shape_rule_admits(rule, form)) hd_shape_rule_feeds(rule, form, (size_t)number());
  hd_shape_rule_release(rule);
  hd_blob_free(&program);
  for (int i = 0; i < 3; ++i) hd_shape_form_release(forms[i]);
}

static void end(void) {
  state = 0;
  free(random_options()); /* and its constants */
}

int main(int argc, char **argv) {
  static void (*const calls[])(void) = {call_compile, call_signature, call_writer, call_explain, call_cost,
                                        call_eval,    call_bisect,    call_reduce, call_check,   call_opt,
                                        call_help,    call_names,     call_forms,  call_layout,  call_map};
  return run_calls(argc, argv, calls, sizeof calls / sizeof *calls, end);
}
