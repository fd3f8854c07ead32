/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/custom_calls.h"

#include <stddef.h>

const hd_custom_call_row hd_custom_call_rows[] = {
#define CUSTOM_CALL(target, kind, doc) {target, HD_CUSTOM_CALL_##kind, doc},
#include "custom_calls.def"
    {0}};

bool hd_custom_call_is_annotation(hd_str target) {
  for (const hd_custom_call_row *row = hd_custom_call_rows; row->target; ++row)
    if (row->kind == HD_CUSTOM_CALL_ANNOTATION && hd_str_is(target, row->target)) return true;
  return false;
}

bool hd_custom_call_is_compiled(hd_str target) {
  return hd_custom_call_is_annotation(target) || hd_str_is(target, "shape_assertion") ||
         hd_str_starts(target, "heddle.") || hd_str_starts(target, "check.");
}
