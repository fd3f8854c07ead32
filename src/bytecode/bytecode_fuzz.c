/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target of the bytecode reader: any bytes give a module or a diagnostic. A module that verifies is printed,
 * written and read back. The first byte chooses whether unregistered ops are accepted. */
#include "bytecode/bytecode.h"
#include "text/text.h"

static void drop(void *user, const hd_diagnostic *diagnostic) {
  (void)user;
  (void)diagnostic;
}

typedef struct input {
  hd_context *context;
  const uint8_t *data;
  size_t size;
} input;

static hd_status run(void *argument) {
  input *in = argument;
  hd_module *module, *again;
  HD_TRY(hd_bytecode_parse(in->context, in->data, in->size, "fuzz", &module));
  if (hd_verify(module->op)) {
    hd_strbuf out;
    hd_strbuf_init(&out, &module->arena);
    hd_text_print(module->op, NULL, &out);
    hd_strbuf_init(&out, &module->arena);
    hd_status status = hd_bytecode_write(module, NULL, &out);
    if (hd_is_ok(status)) status = hd_bytecode_parse(in->context, out.data, out.len, "again", &again);
    if (hd_is_ok(status)) hd_module_free(again);
    hd_status_ignore(status);
  }
  hd_module_free(module);
  return HD_STATUS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {.data = data, .size = size};
  if (!size || !hd_is_ok(hd_context_create(256u << 20, &in.context))) return 0;
  hd_text_install(in.context);
  in.context->sink = drop;
  in.context->allow_unregistered = size > 5 && data[5] & 1;
  hd_status_ignore(hd_guarded_call(run, &in));
  hd_context_release(in.context);
  return 0;
}
