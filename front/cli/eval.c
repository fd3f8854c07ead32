/* SPDX-License-Identifier: Apache-2.0 */
/* heddle eval: results of the reference evaluator, as text. */
#include <inttypes.h>

#include "base/element_types.h"
#include "commands.h"
#include "evaluate.h"
#include "files.h"
#include "values.h"

/* Up to a screen of elements, nested like the dims. */
static void print_elements(const hd_cli_tensor *t, int32_t dim, size_t *at) {
  if (dim == t->rank) {
    hd_cli_number real = hd_cli_real_text(t, *at, 7);
    if (hd_element_part(t->type) != t->type)
      printf("(%s,%.7g)", real.text, hd_cli_imaginary(t, *at));
    else
      printf("%s", real.text);
    ++*at;
    return;
  }
  printf("[");
  for (int64_t i = 0; i < t->dims[dim]; ++i) {
    if (i) printf(", ");
    print_elements(t, dim + 1, at);
  }
  printf("]");
}

static void print_result(int32_t i, const hd_cli_tensor *t) {
  enum { SCREEN = 64 };
  printf("out%d: tensor<", i);
  for (int32_t k = 0; k < t->rank; ++k) printf("%" PRId64 "x", t->dims[k]);
  printf("%s> ", hd_element_text(t->type));
  size_t at = 0;
  if (hd_cli_count(t) <= SCREEN) {
    print_elements(t, 0, &at);
    printf("\n");
  } else {
    hd_cli_summary s = hd_cli_summarise(t);
    if (s.min > s.max)
      printf("min -, max -, mean -\n");
    else
      printf("min %s, max %s, mean %.7g\n", hd_cli_real_text(t, s.min_at, 7).text,
             hd_cli_real_text(t, s.max_at, 7).text, s.mean);
  }
}

hd_status hd_cli_eval(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  (void)out_exit;
  hd_cli_signature signature;
  hd_blob bytes;
  hd_cli_tensor *results;
  int32_t count;
  HD_TRY(hd_cli_read_file(arena, options->file, &bytes));
  HD_TRY(hd_cli_ask_signature(arena, options, &bytes, &signature));
  hd_cli_tensor *inputs = hd_new_array(arena, hd_cli_tensor, signature.arg_count + 1);
  HD_TRY(hd_cli_make_inputs(arena, options, &signature, NULL, inputs));
  HD_TRY(
      hd_cli_explain_failure(arena, &signature, inputs,
                             hd_cli_evaluate(arena, options, &bytes, inputs, signature.arg_count, &results, &count)));
  for (int32_t i = 0; i < count; ++i) print_result(i, &results[i]);
  return options->outputs ? hd_cli_write_outputs(options->outputs, results, count) : HD_STATUS_OK;
}
