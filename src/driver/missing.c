/* SPDX-License-Identifier: Apache-2.0 */
/* Doors that this build does not have yet: they say so. */
#include "base/status.h"
#include "heddle/compile.h"

hd_status hd_eval(const void *program, size_t size, const char *name, const hd_compile_options *options,
                  const hd_host_tensor *inputs, size_t input_count, hd_message_sink sink,
                  hd_eval_results **out_results) {
  (void)program, (void)size, (void)options, (void)inputs, (void)input_count, (void)sink;
  *out_results = NULL;
  return hd_make_status(HD_UNIMPLEMENTED, "%s: this build has no evaluator", name);
}

size_t hd_eval_results_count(const hd_eval_results *results) {
  (void)results;
  return 0;
}

hd_host_tensor hd_eval_results_get(const hd_eval_results *results, size_t index) {
  (void)results, (void)index;
  return (hd_host_tensor){0};
}

void hd_eval_results_free(hd_eval_results *results) { (void)results; }

hd_status hd_program_signature(const void *program, size_t size, const char *name, const hd_compile_options *options,
                       hd_message_sink sink, hd_blob *out_json) {
  (void)program, (void)size, (void)options, (void)sink;
  *out_json = (hd_blob){0};
  return hd_make_status(HD_UNIMPLEMENTED, "%s: this build has no compiler", name);
}

hd_status hd_check(const void *program, size_t size, const char *name, const hd_check_options *options,
                   const hd_compile_options *compile_options, hd_message_sink sink, hd_check_counts *out_counts) {
  (void)program, (void)size, (void)options, (void)compile_options, (void)sink;
  *out_counts = (hd_check_counts){0};
  return hd_make_status(HD_UNIMPLEMENTED, "%s: this build has no evaluator", name);
}

hd_status hd_explain(const void *program, size_t size, const char *name, const hd_compile_options *options,
                     hd_explain_format format, hd_message_sink sink, hd_blob *out_text) {
  (void)program, (void)size, (void)options, (void)format, (void)sink;
  *out_text = (hd_blob){0};
  return hd_make_status(HD_UNIMPLEMENTED, "%s: this build has no compiler", name);
}
