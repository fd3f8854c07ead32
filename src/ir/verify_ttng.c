/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of ttng: barriers, transfers of blocks, products of tensor cores. */
#include <inttypes.h>

#include "ir/hooks.h"
#include "ir/layouts.h"
#include "ir/ops/discardable.h"
#include "ir/ops/enums.h"
#include "ir/ops/tt.h"
#include "ir/ops/ttng.h"
#include "ir/tile_types.h"

static int64_t blocks_around(hd_op *op) {
  while (hd_op_parent(op)) op = hd_op_parent(op);
  return hd_discardable_ttg_num_ctas(op);
}

/* A barrier is one i64 of a block, or of each of a cluster's. */
static bool check_barrier(hd_op *op, hd_type type) {
  hd_memdesc m = hd_memdesc_of(type);
  int64_t blocks = blocks_around(op);
  return (m.rank == 1 && hd_type_is_integer(m.element, 64) && m.dims[0] <= blocks) ||
         hd_op_misfit_error(op, type, NULL, "expects a barrier of 1 to %" PRId64 " i64", blocks);
}

bool hd_verify_ttng_barrier(hd_op *op) { return check_barrier(op, hd_operand_type(op, 0)); }

bool hd_verify_ttng_arrive_barrier(hd_op *op) {
  int64_t count = hd_ttng_arrive_barrier_count(op);
  return hd_verify_ttng_barrier(op) &&
         (count >= 1 || hd_op_error(op, "expects 'count' to be at least 1, got %" PRId64, count));
}

static int64_t count_of(hd_memdesc m) {
  int64_t count = 1;
  for (uint32_t d = 0; d < m.rank; ++d) count *= m.dims[d];
  return count;
}

/* |memory| has what a block of |descriptor| has, in its layout. */
static bool check_block_memory(hd_op *op, hd_type descriptor, hd_type memory, uint32_t coordinates) {
  hd_type block = hd_tensordesc_block(descriptor);
  hd_memdesc m = hd_memdesc_of(memory);
  if (coordinates != hd_type_rank(block))
    return hd_op_error(op, "expects %u coordinates, one for each dim of the block, got %u", hd_type_rank(block),
                       coordinates);
  if (hd_type_element(block) != m.element)
    return hd_op_type_error(op, hd_type_element(block), m.element, "expects memory of the descriptor's elements");
  if (hd_type_num_elements(block) != count_of(m))
    return hd_op_misfit_error(op, memory, block, "expects memory of as many elements as the descriptor's block");
  hd_attr layout = hd_type_layout(block);
  return !layout || layout == m.layout ||
         hd_op_misfit_error(op, memory, block, "expects memory in the layout of the descriptor's block");
}

bool hd_verify_ttng_tma_load(hd_op *op) {
  uint32_t start, coordinates;
  hd_op_operand_range(op, 1, &start, &coordinates);
  return check_barrier(op, hd_operand_type(op, start + coordinates)) &&
         check_block_memory(op, hd_operand_type(op, 0), hd_operand_type(op, start + coordinates + 1), coordinates);
}

bool hd_verify_ttng_tma_store(hd_op *op) {
  uint32_t start, coordinates;
  hd_op_operand_range(op, 1, &start, &coordinates);
  return check_block_memory(op, hd_operand_type(op, 0), hd_operand_type(op, start + coordinates), coordinates);
}

static bool within(hd_op *op, hd_name name, int64_t value, int64_t most) {
  return (value >= 0 && value <= most) ||
         hd_op_error(op, "expects '%s' between 0 and %" PRId64 ", got %" PRId64, hd_name_text(name), most, value);
}

bool hd_verify_ttng_tensormap_create(hd_op *op) {
  return within(op, HD_NAME_elem_type, hd_ttng_tensormap_create_elem_type(op), 15) &&
         within(op, HD_NAME_interleave_layout, hd_ttng_tensormap_create_interleave_layout(op), 2) &&
         within(op, HD_NAME_swizzle_mode, hd_ttng_tensormap_create_swizzle_mode(op), 3) &&
         within(op, HD_NAME_fill_mode, hd_ttng_tensormap_create_fill_mode(op), 1);
}

/* Sums of f16 and of 8-bit numbers may be f16, others are f32, those of integers i32. */
static bool check_sum(hd_op *op, hd_type of, hd_type sum) {
  bool known = hd_type_is_f8(of) || hd_type_is_integer(of, 8) || hd_type_is_float(of, HD_F16) ||
               hd_type_is_float(of, HD_BF16) || hd_type_is_float(of, HD_F32);
  if (!known) return hd_op_misfit_error(op, of, NULL, "expects elements that tensor cores multiply");
  bool narrow = hd_type_is_float(of, HD_F16) || hd_type_is_f8(of);
  bool fits = hd_type_is_integer(of, 8) ? hd_type_is_integer(sum, 32)
                                        : hd_type_is_float(sum, HD_F32) || (narrow && hd_type_is_float(sum, HD_F16));
  return fits || hd_op_misfit_error(op, of, sum, "expects memory of elements that sums of the operands' have");
}

bool hd_verify_ttng_tc_gen5_mma(hd_op *op) {
  hd_memdesc a = hd_memdesc_of(hd_operand_type(op, 0)), b = hd_memdesc_of(hd_operand_type(op, 1)),
             d = hd_memdesc_of(hd_operand_type(op, 2));
  bool fits = a.rank == 2 && b.rank == 2 && d.rank == 2 && a.dims[0] == d.dims[0] && b.dims[1] == d.dims[1] &&
              a.dims[1] == b.dims[0];
  if (!fits)
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_operand_type(op, 1),
                              "expects operands whose product has the shape of the memory that it is added to");
  return check_sum(op, a.element, d.element) && hd_verify_tile_mutable(op, hd_operand_type(op, 2));
}

/* Scales have elements of 8 bits, and no buffers of their own. */
bool hd_verify_ttng_tc_gen5_mma_scaled(hd_op *op) {
  uint32_t start, count;
  for (uint32_t i = 0; i < 3; ++i)
    if (hd_memdesc_of(hd_operand_type(op, i)).rank != 2)
      return hd_op_misfit_error(op, hd_operand_type(op, i), NULL, "expects operands of two dims");
  hd_memdesc a = hd_memdesc_of(hd_operand_type(op, 0)), b = hd_memdesc_of(hd_operand_type(op, 1)),
             d = hd_memdesc_of(hd_operand_type(op, 2));
  bool packed = hd_ttng_tc_gen5_mma_scaled_a_type(op) == HD_TT_SCALE_TYPE_E2M1 ||
                hd_ttng_tc_gen5_mma_scaled_b_type(op) == HD_TT_SCALE_TYPE_E2M1; /* along any dim */
  if (!packed && (a.dims[1] != b.dims[0] || a.dims[0] != d.dims[0] || b.dims[1] != d.dims[1]))
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_operand_type(op, 1),
                              "expects operands whose product has the shape of the memory that it is added to");
  hd_op_operand_range(op, 4, &start, &count);
  for (uint32_t i = start; i < start + 2 && i < op->operand_count; ++i) {
    hd_memdesc scale = hd_memdesc_of(hd_operand_type(op, i));
    bool in_tensor_memory =
        hd_attr_is_layout(scale.layout) && hd_layout_row(scale.layout) == HD_STRUCT_ttng_tensor_memory_scales_encoding;
    if (in_tensor_memory && scale.rank != 2)
      return hd_op_misfit_error(op, hd_operand_type(op, i), NULL, "expects scales of two dims, in no buffers");
    if (hd_type_bits(hd_memdesc_of(hd_operand_type(op, i)).element) != 8)
      return hd_op_misfit_error(op, hd_operand_type(op, i), NULL, "expects scales of 8 bits");
  }
  if (!hd_type_is_float(d.element, HD_F32))
    return hd_op_misfit_error(op, d.element, NULL, "expects memory of f32 for sums of scaled products");
  hd_attr layout = hd_memdesc_of(hd_operand_type(op, 2)).layout;
  if (hd_attr_is_layout(layout) && hd_layout_row(layout) == HD_STRUCT_ttng_tensor_memory_encoding &&
      hd_layout_tensor_memory(layout).block_m != 128)
    return hd_op_misfit_error(op, hd_operand_type(op, 2), NULL, "expects a 'blockM' of 128");
  return hd_verify_tile_mutable(op, hd_operand_type(op, 2));
}

/* Wgmma multiplies f16, bf16, tf32, numbers of 8 bits. */
static bool may_multiply(hd_type a, hd_type b) {
  if (hd_type_is_f8(a)) return hd_type_is_f8(b);
  bool known = hd_type_is_integer(a, 8) || hd_type_is_float(a, HD_F16) || hd_type_is_float(a, HD_BF16) ||
               hd_type_is_float(a, HD_F32);
  return known && a == b;
}

static hd_type element_of(hd_type type) {
  return hd_type_is_memdesc(type) ? hd_memdesc_of(type).element : hd_type_element(type);
}

static void shape_of(hd_type type, uint32_t *rank, const int64_t **dims) {
  bool memory = hd_type_is_memdesc(type);
  hd_memdesc m = memory ? hd_memdesc_of(type) : (hd_memdesc){0};
  *rank = memory ? m.rank : hd_type_rank(type);
  *dims = memory ? m.dims : type->shaped.dims;
}

bool hd_verify_ttng_warp_group_dot(hd_op *op) {
  uint32_t rank[3];
  const int64_t *dims[3];
  shape_of(hd_operand_type(op, 0), &rank[0], &dims[0]);
  shape_of(hd_operand_type(op, 1), &rank[1], &dims[1]);
  shape_of(hd_result_type(op, 0), &rank[2], &dims[2]);
  bool fits = rank[0] == 2 && rank[1] == 2 && rank[2] == 2 && dims[0][0] == dims[2][0] && dims[1][1] == dims[2][1] &&
              dims[0][1] == dims[1][0];
  if (!fits)
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_operand_type(op, 1),
                              "expects operands whose product has the result's shape");
  hd_attr layout = hd_type_layout(hd_result_type(op, 0));
  bool hopper =
      !layout || (hd_layout_row(layout) == HD_STRUCT_ttg_nvidia_mma && hd_layout_mma(layout).version_major == 3);
  if (!hopper)
    return hd_op_misfit_error(op, hd_result_type(op, 0), NULL, "expects a result with an mma layout of version 3");
  hd_type a = element_of(hd_operand_type(op, 0)), b = element_of(hd_operand_type(op, 1));
  if (!may_multiply(a, b)) return hd_op_misfit_error(op, a, b, "expects elements that wgmma multiplies");
  return dims[2][0] % 64 == 0 || hd_op_misfit_error(op, hd_result_type(op, 0), NULL, "expects a multiple of 64 rows");
}

bool hd_verify_ttng_tmem_store(hd_op *op) {
  uint32_t start, count;
  hd_op_operand_range(op, 2, &start, &count);
  hd_type memory = hd_operand_type(op, 0);
  return hd_verify_tile_mutable(op, memory) && hd_verify_tile_contents(op, hd_operand_type(op, start), memory);
}

bool hd_verify_ttng_tmem_subslice(hd_op *op) {
  hd_memdesc from = hd_memdesc_of(hd_operand_type(op, 0)), to = hd_memdesc_of(hd_result_type(op, 0));
  int64_t first = hd_ttng_tmem_subslice_N(op);
  bool fits = from.rank == 2 && to.rank == 2 && from.dims[0] == to.dims[0];
  if (!fits)
    return hd_op_misfit_error(op, hd_operand_type(op, 0), hd_result_type(op, 0), "expects columns of the same memory");
  if (first < 0 || first + to.dims[1] > from.dims[1])
    return hd_op_error(op, "expects columns within %" PRId64 ", got %" PRId64 " from %" PRId64 " on", from.dims[1],
                       to.dims[1], first);
  return from.element == to.element || hd_op_type_error(op, from.element, to.element, "expects one element type");
}
