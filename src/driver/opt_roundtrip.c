/* SPDX-License-Identifier: Apache-2.0 */
/* --verify-roundtrip: text in both forms, bytecode and, of a program that came as such, HLO text. */
#include <string.h>

#include "driver/opt.h"
#include "hlo/hlo.h"

/* The line of |text| in which |at| is. */
static hd_str line_at(const hd_strbuf *text, size_t at) {
  size_t start = at < text->len ? at : text->len;
  while (start && text->data[start - 1] != '\n') --start;
  hd_str rest = {text->data + start, text->len - start};
  const char *stop = memchr(rest.data, '\n', rest.len);
  if (stop) rest.len = (size_t)(stop - rest.data);
  return rest;
}

static hd_status expect_same(const hd_strbuf *first, const hd_strbuf *second, const char *what) {
  size_t at = 0;
  while (at < first->len && at < second->len && first->data[at] == second->data[at]) ++at;
  if (at == first->len && at == second->len) return HD_STATUS_OK;
  hd_str one = line_at(first, at), two = line_at(second, at);
  return hd_make_status(HD_INTERNAL, "the %s reads back as another program:\n  %.*s\n  %.*s", what, (int)one.len,
                        one.data, (int)two.len, two.data);
}

static hd_status check_text_roundtrip(hd_opt_state *o, const hd_text_print_options *options) {
  const char *what = options->generic ? "generic form" : "custom form";
  hd_strbuf first, second;
  hd_strbuf_init(&first, &o->context->arena);
  hd_strbuf_init(&second, &o->context->arena);
  hd_text_print(o->module->op, options, &first);
  hd_module *again;
  HD_TRY_MSG(hd_text_parse(o->context, (hd_str){first.data, first.len}, "<roundtrip>", &again), "reading back the %s",
             what);
  hd_text_print(again->op, options, &second);
  hd_module_free(again);
  /* Custom forms write fewer locations than there are: what is left out is where the op is. */
  return options->generic || !options->locations ? expect_same(&first, &second, what) : HD_STATUS_OK;
}

static hd_status check_bytecode_roundtrip(hd_opt_state *o) {
  hd_text_print_options options = {.generic = true, .locations = true};
  hd_strbuf bytes, first, second;
  hd_strbuf_init(&bytes, &o->context->arena);
  hd_strbuf_init(&first, &o->context->arena);
  hd_strbuf_init(&second, &o->context->arena);
  hd_text_print(o->module->op, &options, &first);
  HD_TRY(hd_bytecode_write(o->module, &(hd_bytecode_options){.plain = true}, &bytes));
  hd_module *again;
  HD_TRY_MSG(hd_bytecode_parse(o->context, bytes.data, bytes.len, "<roundtrip>", &again), "reading back the bytecode");
  hd_text_print(again->op, &options, &second);
  hd_module_free(again);
  return expect_same(&first, &second, "bytecode");
}

/* Of a program that came as HLO text. Locations are places in that text. */
static hd_status check_hlo_roundtrip(hd_opt_state *o) {
  hd_text_print_options options = {.generic = true};
  hd_strbuf hlo, first, second;
  hd_strbuf_init(&hlo, &o->context->arena);
  hd_strbuf_init(&first, &o->context->arena);
  hd_strbuf_init(&second, &o->context->arena);
  hd_text_print(o->module->op, &options, &first);
  HD_TRY(hd_hlo_print(o->module, &hlo));
  hd_module *again;
  HD_TRY_MSG(hd_hlo_parse(o->context, (hd_str){hlo.data, hlo.len}, "<roundtrip>", &again), "reading back the HLO text");
  hd_text_print(again->op, &options, &second);
  hd_module_free(again);
  return expect_same(&first, &second, "HLO text");
}

hd_status hd_opt_check_roundtrip(hd_opt_state *o) {
  if (hd_hlo_is(o->source)) HD_TRY(check_hlo_roundtrip(o));
  for (int i = 0; i < 4; ++i)
    HD_TRY(check_text_roundtrip(o, &(hd_text_print_options){.generic = i & 1, .locations = i >> 1}));
  return check_bytecode_roundtrip(o);
}
