/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/grid_number.h"

#include "ir/ops/interfaces.h"

enum { X, Y, Z, NAMED, NONE = X };

const uint8_t hd_grid_whats[HD_OPCODE_COUNT] = {
#define NUMBER(opcode, what, dim) [HD_OP_##opcode] = HD_GRID_##what,
#include "ir/ops/grid_numbers.def"
};

static const uint8_t dims[HD_OPCODE_COUNT] = {
#define NUMBER(opcode, what, dim) [HD_OP_##opcode] = dim,
#include "ir/ops/grid_numbers.def"
};

hd_grid_number hd_grid_number_of(const hd_op *op) {
  hd_opcode opcode = hd_opcode_get(op);
  uint32_t dim = dims[opcode];
  if (dim == NAMED) {
    int64_t named = hd_attr_int_or(hd_launch_index_dimension_attr(op), 0);
    dim = named < 0 || named > 2 ? 0 : (uint32_t)named;
  }
  return (hd_grid_number){(hd_grid_what)hd_grid_whats[opcode], dim};
}

bool hd_grid_differs_in_block(hd_grid_what what) {
  return what == HD_GRID_THREAD || what == HD_GRID_GLOBAL || what == HD_GRID_LANE || what == HD_GRID_SUBGROUP;
}
