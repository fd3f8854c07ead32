/* SPDX-License-Identifier: Apache-2.0 */
/* Names and parameters of Triton's older programs, in types and attributes. */
#include <string.h>

#include "ir/layouts.h"
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
  if (value->kind != HD_ATTR_ARRAY) return false;
  bool order = hd_str_is(name, "CTAOrder");
  for (size_t i = 0; i < hd_attr_count(value); ++i)
    if (!order && hd_attr_int_at(value, i) != 1) return false;
  return true;
}

bool hd_upgrade_knows(int row, hd_str name) {
  static const char *const known[] = {"CTAsPerCGA", "CTASplitNum", "CTAOrder", "hasLeadingOffset"};
  for (size_t i = 0; i < 4; ++i)
    if (hd_str_is(name, known[i])) return hd_attr_row_info_of(row)->alias != NULL;
  return false;
}

bool hd_upgrade_param(hd_parser *p, int row, hd_str name, hd_attr value, bool *out_leading_offset) {
  if (hd_str_is(name, "hasLeadingOffset") && row == HD_STRUCT_ttg_swizzled_shared &&
      hd_attr_is(value, HD_ATTR_INTEGER)) {
    *out_leading_offset = hd_attr_bool_or(value, false);
    return true;
  }
  return is_trivial(name, value) ||
         hd_parser_error(p, name.data, "'%.*s' of older programs is read where it says one block, got something else",
                         (int)name.len, name.data);
}

hd_attr hd_upgrade_missing(hd_context *context, int row, const hd_attr *params, size_t index) {
  static const int32_t instruction[] = {16, 8};
  if (row != HD_STRUCT_ttg_nvidia_mma || index != 4 || hd_attr_int_or(params[0], 0) != 2) return NULL;
  return hd_attr_i32_array(context, instruction, 2);
}

/* An atom of a vector of 16 bytes, whose phases tell how wide the swizzle is: 128, 64 or 32 bytes. */
hd_attr hd_upgrade_leading_offset(hd_parser *p, const char *at, hd_attr layout) {
  hd_swizzled_layout old = hd_layout_swizzled(layout);
  bool swizzled = old.vector > 1 && old.vector <= 16 && old.per_phase * old.max_phase == 8 && old.max_phase > 1;
  if (!swizzled || old.rank != 2) {
    hd_parser_error(
        p, at,
        "a leading offset is read with vectors of 16 bytes in two dims and 8 lines of phases, got vec = %d, "
        "perPhase = %d, maxPhase = %d",
        old.vector, old.per_phase, old.max_phase);
    return NULL;
  }
  hd_nvmma_shared_layout today = {.rank = 2,
                                  .swizzle_bytes = 16 * old.max_phase,
                                  .transposed = old.order[0] == 0,
                                  .element_bits = 128 / old.vector};
  return hd_attr_nvmma_shared(p->context, &today);
}
