/* SPDX-License-Identifier: Apache-2.0 */
/* Names and parameters of Triton's older programs. */
#include <string.h>

#include "text/rows.h"
#include "text/upgrade.h"

static const struct {
  const char *old, *today;
} dialects[] = {{"triton_gpu", "ttg"}, {"triton_nvidia_gpu", "ttng"}};

static const struct {
  const char *dialect, *old, *today;
} renamed[] = {{"ttg", "shared", "swizzled_shared"}, {"ttg", "mma", "nvidia_mma"}};

hd_str hd_upgrade_dialect(hd_str dialect) {
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    if (hd_str_is(dialect, dialects[i].old)) return hd_str_of(dialects[i].today);
  return dialect;
}

hd_str hd_upgrade_row(hd_str dialect, hd_str name) {
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; ++i)
    if (hd_str_is(dialect, renamed[i].dialect) && hd_str_is(name, renamed[i].old)) return hd_str_of(renamed[i].today);
  return name;
}

hd_str hd_upgrade_name(hd_arena *scratch, hd_str name) {
  const char *dot = name.len && name.data[0] == 't' ? memchr(name.data, '.', name.len) : NULL;
  if (!dot) return name;
  hd_str dialect = {name.data, (size_t)(dot - name.data)}, today = hd_upgrade_dialect(dialect);
  if (today.data == dialect.data) return name;
  return hd_str_of(hd_arena_printf(scratch, "%s%.*s", today.data, (int)(name.len - dialect.len), dot));
}

static bool is_trivial(hd_str name, hd_attr value) {
  if (hd_str_is(name, "hasLeadingOffset")) return !hd_attr_bool_or(value, true);
  if (value->kind != HD_ATTR_ARRAY) return false;
  bool order = hd_str_is(name, "CTAOrder");
  for (size_t i = 0; i < hd_attr_count(value); ++i)
    if (!order && hd_attr_int_at(value, i) != 1) return false;
  return true;
}

bool hd_upgrade_param(hd_parser *p, int row, hd_str name, bool *out_known) {
  static const char *const known[] = {"CTAsPerCGA", "CTASplitNum", "CTAOrder", "hasLeadingOffset"};
  *out_known = false;
  for (size_t i = 0; i < 4; ++i) *out_known |= hd_str_is(name, known[i]);
  *out_known &= hd_attr_row_info_of(row)->alias != NULL;
  if (!*out_known) return true;
  const char *at = name.data;
  if (!hd_expect(p, TOK_EQUAL, "'='")) return false;
  hd_attr value = hd_parse_attr(p, NULL);
  if (!value) return false;
  return is_trivial(name, value) ||
         hd_parser_error(p, at,
                         "'%.*s' of older programs is read where it says one block or no offset, got something else",
                         (int)name.len, name.data);
}

hd_attr hd_upgrade_missing(hd_context *context, int row, const hd_attr *params, size_t index) {
  static const int32_t instruction[] = {16, 8};
  if (row != HD_STRUCT_ttg_nvidia_mma || index != 4 || hd_attr_int_or(params[0], 0) != 2) return NULL;
  return hd_attr_i32_array(context, instruction, 2);
}
