/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of threads, barriers, exchanges between lanes. */
#include "ir/grid_number.h"
#include "ir/ops/gpu.h"
#include "target/simt/encoder.h"

/* An index or a size of the grid: of 64 bits, of PTX's registers an i32. */
static bool grid_number(hd_simt_encoder *e, hd_op *op, hd_grid_number number) {
  static const struct {
    bool is_special; /* else a number that all devices of the kind share */
    uint16_t value;
  } numbers[HD_GRID_COUNT] = {
      [HD_GRID_BLOCK] = {true, HD_SIMT_BLOCK},
      [HD_GRID_THREAD] = {true, HD_SIMT_THREAD},
      [HD_GRID_GRID_DIM] = {true, HD_SIMT_GRID_DIM},
      [HD_GRID_BLOCK_DIM] = {true, HD_SIMT_BLOCK_DIM},
      [HD_GRID_GLOBAL] = {true, HD_SIMT_GLOBAL_ID},
      [HD_GRID_LANE] = {true, HD_SIMT_LANE},
      [HD_GRID_SUBGROUP] = {true, HD_SIMT_WARP},
      [HD_GRID_SUBGROUPS] = {true, HD_SIMT_WARPS},
      [HD_GRID_SUBGROUP_SIZE] = {false, HD_SIMT_LANES},
      [HD_GRID_CLUSTER_BLOCK] = {false, 0},
      [HD_GRID_CLUSTER_BLOCKS] = {false, 1},
  };
  bool is_index = hd_is_grid_index(op);
  uint16_t value = numbers[number.what].value;
  if (!is_index && !hd_type_is_integer(hd_result_type(op, 0), 32)) return hd_simt_fail(e, op, "gives other than i32");
  if (!numbers[number.what].is_special) return hd_simt_give_one(e, op, hd_simt_constant_of(e, is_index ? 2 : 1, value));
  int32_t made = hd_simt_emit_x(e, HD_SIMT_special, HD_SIMT_NO_REGISTER, value + number.dim);
  if (!is_index) made = hd_simt_emit(e, HD_SIMT_trunc64_32, made, HD_SIMT_NO_REGISTER, HD_SIMT_NO_REGISTER);
  return hd_simt_give_one(e, op, made);
}

static bool shuffle(hd_simt_encoder *e, hd_op *op) {
  hd_simt_scalar s;
  uint32_t count;
  if (!hd_simt_scalar_of(e, op, hd_operand_type(op, 0), &s, &count)) return false;
  if (count != 1) return hd_simt_fail(e, op, "exchanges more than a number of 64 bits");
  int32_t value = hd_simt_operand(e, op, 0)->at[0], lane = hd_simt_operand(e, op, 1)->at[0];
  int32_t width = hd_simt_operand(e, op, 2)->at[0];
  int32_t d = hd_simt_new_register(e, s.slots), valid = hd_simt_new_register(e, 1);
  hd_simt_draft *draft = hd_simt_add(e, HD_SIMT_shuffle);
  draft->d = d;
  draft->a = value;
  draft->b = lane;
  draft->c = width;
  draft->valid = valid;
  draft->x = (uint16_t)(s.slots << 4 | ((uint32_t)hd_gpu_shuffle_mode(op) & 3));
  hd_simt_parts *flag = hd_simt_new_parts(e, 1);
  flag->at[0] = valid;
  return hd_simt_give_one(e, op, d) && hd_simt_give(e, op, 1, flag);
}

int hd_simt_lower_threads(hd_simt_encoder *e, hd_op *op) {
  hd_grid_number number = hd_grid_number_of(op);
  if (number.what) return grid_number(e, op, number) ? 1 : -1;
  switch (hd_opcode_get(op)) {
#define THREAD(opcode, call) \
  case HD_OP_##opcode:       \
    return call ? 1 : -1;
#include "target/simt/lower.def"
    default:
      return 0;
  }
}
