/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a program: read in bounded memory; what reads well prints in every form, and its generic form reads back
 * to the same text. */
#include <stdlib.h>

#include "text/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *user, const hd_diagnostic *diagnostic) { (void)user, (void)diagnostic; }

typedef struct job {
  hd_context *context;
  hd_str source;
} job;

static void print(hd_op *op, bool generic, bool locations, hd_strbuf *out) {
  hd_text_print_options options = {.generic = generic, .locations = locations};
  hd_text_print(op, &options, out);
}

static hd_status run(void *argument) {
  job *j = argument;
  hd_module *module, *again;
  HD_TRY(hd_text_parse(j->context, j->source, "fuzz", &module));
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  job j = {.source = {(const char *)data, size}};
  hd_status status = hd_context_create(256u << 20, &j.context);
  if (status) {
    hd_status_free(status);
    return 0;
  }
  j.context->sink = ignore;
  j.context->allow_unregistered = size % 2;
  hd_text_install(j.context);
  status = hd_guarded_call(run, &j);
  if (hd_status_code_of(status) == HD_INTERNAL) abort();
  hd_status_free(status);
  hd_context_release(j.context);
  return 0;
}
