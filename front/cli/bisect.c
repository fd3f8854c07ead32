/* SPDX-License-Identifier: Apache-2.0 */
/* heddle bisect: a table of the stages that the compiler's door gives as JSON. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "commands.h"
#include "evaluate.h"
#include "program.h"
#include "watchdog.h"

static double number_of(const hd_json *stage, const char *name) {
  const hd_json *value = hd_json_get(stage, name);
  if (!value) return 0;
  return value->kind == HD_JSON_NUMBER ? value->number : strtod(value->text ? value->text : "nan", NULL);
}

static void print_element(const hd_json *where) {
  const hd_json *element = hd_json_get(where, "element");
  if (!element) return;
  printf(" element [");
  for (size_t i = 0; i < element->count; ++i) printf("%s%.0f", i ? ", " : "", element->items[i].number);
  printf("]: %.9g, expected %.9g", number_of(where, "got"), number_of(where, "expected"));
}

static void print_op(const hd_json *where, const char *op, const char *loc) {
  const char *name = hd_json_text(where, op, NULL), *place = hd_json_text(where, loc, "");
  if (name) printf("%s%s%s", name, *place ? " from " : "", place);
}

static void print_failure(const hd_json *stage) {
  const char *error = hd_json_text(stage, "error", NULL);
  const hd_json *first = hd_json_get(stage, "first");
  if (error) printf("    %s\n", error);
  if (hd_json_get(stage, "element")) {
    printf("    output %d,", (int)number_of(stage, "output"));
    print_element(stage);
    printf("\n");
  }
  if (hd_json_get(stage, "op")) {
    printf("    written by ");
    print_op(stage, "op", "loc");
    printf("\n");
  }
  if (!first) return;
  printf("    first wrong: ");
  print_op(first, "op", "loc");
  printf(",");
  print_element(first);
  printf("\n");
  const hd_json *operands = hd_json_get(first, "operands");
  for (size_t i = 0; operands && i < operands->count; ++i)
    printf("%s%s", i ? "; " : "    given: ", operands->items[i].text);
  if (operands) printf("\n");
  if (!hd_json_get(first, "value")) return;
  printf("    where the program has ");
  print_op(first, "value", "value_loc");
  printf("\n");
}

static hd_status print_table(hd_arena *arena, const hd_blob *text) {
  hd_json json;
  HD_TRY(hd_json_read(arena, (hd_str){text->data, text->size}, "bisect", &json));
  const hd_json *stages = hd_json_get(&json, "stages");
  for (size_t i = 0; stages && i < stages->count; ++i) {
    const hd_json *stage = &stages->items[i], *equal = hd_json_get(stage, "equal");
    bool same = equal && equal->boolean;
    const hd_json *changed = hd_json_get(stage, "changed");
    printf("  %-34s %s", hd_json_text(stage, "pass", ""),
           changed && !changed->boolean ? "unchanged"
           : same                       ? "equal"
                                        : "DIFFERS");
    if (hd_json_get(stage, "difference")) printf("  %.3g", number_of(stage, "difference"));
    printf("\n");
    if (!same) print_failure(stage);
  }
  return HD_STATUS_OK;
}

hd_status hd_cli_bisect(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  const hd_compiler *compiler;
  hd_compile_options compile;
  hd_bisect_options bisect = HD_BISECT_OPTIONS_INIT;
  hd_cli_signature signature;
  hd_blob bytes, *text = hd_cli_blob(arena);
  bool equal;
  HD_TRY(hd_cli_read_file(arena, options->file, &bytes));
  HD_TRY(hd_compiler_open(&compiler));
  HD_TRY(hd_cli_compile_options(arena, options, &compile));
  HD_TRY(hd_cli_ask_signature(arena, options, &bytes, &signature));
  hd_cli_tensor *inputs = hd_new_array(arena, hd_cli_tensor, signature.arg_count + 1);
  HD_TRY(hd_cli_make_inputs(arena, options, &signature, NULL, inputs));
  hd_host_tensor *list = hd_cli_host_tensors(arena, inputs, signature.arg_count);
  bisect.tolerance = options->tolerance > 0    ? options->tolerance
                     : options->tolerance == 0 ? DBL_MIN /* 0 is the default there */
                                               : HD_CLI_TOLERANCE;
  hd_cli_watch_pause(); /* each stage has its time */
  hd_status status = compiler->hd_bisect(bytes.data, bytes.size, options->name, &compile, &bisect, list,
                                         (size_t)signature.arg_count, hd_cli_sink(), &equal, text);
  hd_cli_watch_phase(NULL);
  HD_TRY(hd_cli_option_status(options, status));
  if (!equal) *out_exit = HD_EXIT_DIFFERS;
  if (!options->json) return print_table(arena, text);
  fwrite(text->data, 1, text->size, stdout);
  return HD_STATUS_OK;
}
