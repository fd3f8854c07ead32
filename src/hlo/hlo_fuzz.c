/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as HLO text: read in bounded memory; what verifies and prints as HLO text reads back to the same program. */
#include <stdlib.h>

#include "hlo/hlo.h"
#include "text/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *user, const hd_diagnostic *diagnostic) { (void)user, (void)diagnostic; }

typedef struct job {
  hd_context *context;
  hd_str source;
} job;

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

static hd_status run(void *argument) {
  job *j = argument;
  hd_module *module;
  HD_TRY(hd_hlo_parse(j->context, j->source, "fuzz", &module));
  hd_status status = check(j->context, module);
  hd_module_free(module);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  job j = {.source = {(const char *)data, size}};
  hd_status status = hd_context_create(256u << 20, &j.context);
  if (status) {
    hd_status_free(status);
    return 0;
  }
  j.context->sink = ignore;
  status = hd_guarded_call(run, &j);
  if (hd_status_code_of(status) == HD_INTERNAL) abort();
  hd_status_free(status);
  hd_context_release(j.context);
  return 0;
}
