/* SPDX-License-Identifier: Apache-2.0 */
#include "hlo/rows.h"

#include "hlo/import.h"
#include "hlo/print.h"

#define NO_ATTRS {.name = NULL}
#define A(kind_, name_, attr_) {.name = name_, .kind = HD_HLO_##kind_, .attr = HD_NAME_##attr_, .param = -1}
#define ALWAYS(kind_, name_, attr_) \
  {.name = name_, .kind = HD_HLO_##kind_, .attr = HD_NAME_##attr_, .always = true, .param = -1}
#define PART(kind_, name_, attr_, struct_, param_) \
  {.name = name_, .kind = HD_HLO_##kind_, .attr = HD_NAME_##attr_, .row = HD_STRUCT_##struct_, .param = param_}
#define E(name_, attr_, enum_, prefix_) \
  {.name = name_, .kind = HD_HLO_ENUM, .attr = HD_NAME_##attr_, .row = HD_ENUM_##enum_, .param = -1, .prefix = prefix_}
#define OTHER(name_) {.name = name_, .kind = HD_HLO_OTHER, .param = -1}
#define DROPPED(name_) {.name = name_, .kind = HD_HLO_DROPPED, .param = -1}
#define LIST(...)                 \
  (const hd_hlo_attr_row[]) {     \
    __VA_ARGS__, { .name = NULL } \
  }

static const hd_hlo_row rows[] = {
#define HLO_OP(name_, op_, hook_, ...) \
  {name_, HD_OP_##op_, LIST(__VA_ARGS__), hd_hlo_import_##hook_, hd_hlo_print_##hook_},
#define HLO_READ(name_, hook_, ...) {name_, HD_OP_UNREGISTERED, LIST(__VA_ARGS__), hd_hlo_import_##hook_, NULL},
#define PRINT_ONLY(name_, op_, hook_, ...) {name_, HD_OP_##op_, LIST(__VA_ARGS__), NULL, hd_hlo_print_##hook_},
#include "hlo/hlo_ops.def"
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

const hd_hlo_row *hd_hlo_row_of(hd_str opcode) {
  for (size_t i = 0; i < ROW_COUNT; ++i)
    if (rows[i].import && rows[i].name[0] == opcode.data[0] && hd_str_is(opcode, rows[i].name)) return &rows[i];
  return NULL;
}

const hd_hlo_row *hd_hlo_row_of_op(hd_opcode opcode) {
  for (size_t i = 0; i < ROW_COUNT; ++i)
    if (opcode && rows[i].print && rows[i].opcode == opcode) return &rows[i];
  return NULL;
}
