/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target of the bytecode reader: any bytes give a module or a diagnostic. A module that verifies is printed,
 * written and read back. The first byte chooses whether unregistered ops are accepted. */
#include "bytecode/bytecode.h"
#include "ir/fuzzing.h"
#include "text/text.h"

static hd_status run(hd_fuzz_job *in) {
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

static void prepare(hd_fuzz_job *in) {
  hd_text_install(in->context);
  in->context->allow_unregistered = in->size > 5 && in->data[5] & 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return size ? hd_fuzz_in_context(data, size, prepare, run) : 0;
}
