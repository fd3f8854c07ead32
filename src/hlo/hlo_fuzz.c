/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as HLO text: read in bounded memory; what verifies and prints as HLO text reads back to the same program.
 */
#include "hlo/hlo.h"
#include "ir/fuzzing.h"
#include "text/text.h"

static void print(hd_module *module, hd_strbuf *out) {
  hd_text_print_options options = {.generic = true};
  hd_text_print(module->op, &options, out);
}

static hd_status check(hd_context *context, hd_module *module) {
  hd_module *again;
  hd_strbuf hlo, first, second;
  hd_strbuf_init(&hlo, &context->arena);
  hd_strbuf_init(&first, &context->arena);
  hd_strbuf_init(&second, &context->arena);
  print(module, &first);
  if (!hd_verify(module->op)) return HD_STATUS_OK;
  HD_TRY(hd_hlo_print(module, &hlo));
  hd_status status = hd_hlo_parse(context, (hd_str){hlo.data, hlo.len}, "again", &again);
  if (hd_status_code_of(status) == HD_INVALID_ARGUMENT) {
    hd_status_free(status);
    return hd_make_status(HD_INTERNAL, "what was printed does not read");
  }
  HD_TRY(status);
  print(again, &second);
  hd_module_free(again);
  if (first.len == second.len && memcmp(first.data, second.data, first.len) == 0) return HD_STATUS_OK;
  return hd_make_status(HD_INTERNAL, "reads back as another program");
}

static hd_status run(hd_fuzz_job *j) {
  hd_module *module;
  HD_TRY(hd_hlo_parse(j->context, hd_fuzz_text(j), "fuzz", &module));
  hd_status status = check(j->context, module);
  hd_module_free(module);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return hd_fuzz_in_context(data, size, NULL, run); }
