/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a program: read in bounded memory; what reads well prints in every form, and its generic form reads back
 * to the same text. */
#include "ir/fuzzing.h"
#include "text/text.h"

static void print(hd_op *op, bool generic, bool locations, hd_strbuf *out) {
  hd_text_print_options options = {.generic = generic, .locations = locations};
  hd_text_print(op, &options, out);
}

static hd_status run(hd_fuzz_job *j) {
  hd_module *module, *again;
  HD_TRY(hd_text_parse(j->context, hd_fuzz_text(j), "fuzz", &module));
  hd_strbuf custom, first, second;
  hd_strbuf_init(&custom, &j->context->arena);
  hd_strbuf_init(&first, &j->context->arena);
  hd_strbuf_init(&second, &j->context->arena);
  /* Custom forms of ops that are wrong may print anything, but must print. */
  print(module->op, false, true, &custom);
  print(module->op, true, true, &first);
  hd_verify(module->op);
  hd_module_free(module);
  HD_TRY(hd_text_parse(j->context, (hd_str){first.data, first.len}, "again", &again));
  print(again->op, true, true, &second);
  hd_module_free(again);
  if (first.len == second.len && memcmp(first.data, second.data, first.len) == 0) return HD_STATUS_OK;
  return hd_make_status(HD_INTERNAL, "reads back as another program");
}

static void prepare(hd_fuzz_job *j) {
  j->context->allow_unregistered = j->size % 2;
  hd_text_install(j->context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return hd_fuzz_in_context(data, size, prepare, run); }
