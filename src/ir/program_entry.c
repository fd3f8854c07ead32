/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/program_entry.h"

#include "ir/ops/discardable.h"

static bool may_run(hd_op *op) { return hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE)) && !hd_discardable_kernel(op); }

hd_op *hd_program_entry(hd_module *module, hd_str name, size_t *out_public) {
  static const char *const names[] = {"main", "tao_main"};
  enum { NAMES = sizeof names / sizeof *names };
  hd_op *named[NAMES] = {NULL}, *only = NULL;
  size_t count = 0;
  hd_for_each_op(op, hd_module_body(module)) {
    if (!may_run(op)) continue;
    hd_str symbol = hd_symbol_name(op);
    if (name.len && hd_str_equal(symbol, name)) return op;
    for (size_t i = 0; i < NAMES; ++i)
      if (hd_str_is(symbol, names[i])) named[i] = op;
    if (hd_symbol_is_private(op)) continue;
    only = op;
    ++count;
  }
  if (out_public) *out_public = count;
  if (name.len) return NULL;
  for (size_t i = 0; i < NAMES; ++i)
    if (named[i]) return named[i];
  return count == 1 ? only : NULL;
}

void hd_program_put_public(hd_module *module, hd_strbuf *out) {
  enum { SHOWN = 16 };
  size_t count = 0;
  hd_for_each_op(op, hd_module_body(module)) {
    if (!may_run(op) || !hd_op_region(op, 0)->first || hd_symbol_is_private(op)) continue;
    hd_str name = hd_symbol_name(op);
    if (count < SHOWN) hd_strbuf_printf(out, "%s'%.*s'", count ? ", " : "", (int)name.len, name.data);
    ++count;
  }
  if (!count) hd_strbuf_puts(out, "none");
  if (count > SHOWN) hd_strbuf_printf(out, " and %zu more", count - SHOWN);
}
