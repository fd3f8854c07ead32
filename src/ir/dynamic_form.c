/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/dynamic_form.h"

hd_opcode hd_opcode_dynamic_form(hd_opcode opcode) {
  switch (opcode) {
#define DYNAMIC_FORM(opcode, dynamic, ...) \
  case HD_OP_##opcode:                     \
    return HD_OP_##dynamic;
#include "ir/ops/dynamic_forms.def"
    default:
      return HD_OP_UNREGISTERED;
  }
}

const hd_name *hd_opcode_size_attrs(hd_opcode opcode) {
  switch (opcode) {
#define DYNAMIC_FORM(opcode, dynamic, ...)                                     \
  case HD_OP_##opcode: {                                                       \
    static const hd_name names[] = {__VA_ARGS__ __VA_OPT__(, ) HD_NAME_COUNT}; \
    return *names == HD_NAME_COUNT ? NULL : names;                             \
  }
#include "ir/ops/dynamic_forms.def"
    default:
      return NULL;
  }
}
