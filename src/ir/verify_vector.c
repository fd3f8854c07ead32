/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of vector ops that take boxes, products and other views of vectors; loads and stores are in
 * verify_memory.c, positions, shuffles and masks in verify_vector_values.c. */
#include "ir/hooks.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/vector.h"

static bool same_element(hd_op *op, hd_type a, hd_type b) {
  return hd_type_element(a) == hd_type_element(b) ||
         hd_op_misfit_error(op, hd_type_element(a), hd_type_element(b),
                            "expects operands and result of one element type");
}

static bool one_count(hd_op *op, hd_name name, hd_attr list, size_t wanted) {
  size_t count = hd_attr_count(list);
  return count == wanted || hd_op_error(op, "expects %zu entries in '%s', got %zu", wanted, hd_name_text(name), count);
}

/* |taken| places, |stride| apart, from |offset| on are in a dim of |size|. */
static bool box_dim(hd_op *op, uint32_t dim, int64_t offset, int64_t taken, int64_t stride, int64_t size) {
  int64_t last;
  if (stride < 1) return hd_op_error(op, "expects strides of 1 or more, got %lld", (long long)stride);
  if (offset >= 0 && taken > 0 && !__builtin_mul_overflow(taken - 1, stride, &last) &&
      !__builtin_add_overflow(last, offset, &last) && last < size)
    return true;
  return hd_op_error(op, "expects a box inside of dim %u of size %lld, got %lld elements from %lld on", dim,
                     (long long)size, (long long)taken, (long long)offset);
}

bool hd_verify_extract_strided_slice(hd_op *op) {
  hd_type in = hd_operand_type(op, 0), out = hd_result_type(op, 0);
  hd_attr offsets = hd_strided_slice_like_offsets(op), sizes = hd_vector_extract_strided_slice_sizes(op);
  hd_attr strides = hd_strided_slice_like_strides(op);
  size_t listed = hd_attr_count(offsets);
  if (!same_element(op, in, out) || !one_count(op, HD_NAME_sizes, sizes, listed) ||
      !one_count(op, HD_NAME_strides, strides, listed))
    return false;
  if (listed > in->shaped.rank) return hd_op_error(op, "expects %u offsets at most, got %zu", in->shaped.rank, listed);
  if (in->shaped.rank != out->shaped.rank)
    return hd_op_error(op, "expects operand and result of one rank, got %u and %u", in->shaped.rank, out->shaped.rank);
  for (uint32_t i = 0; i < in->shaped.rank; ++i) {
    int64_t size = in->shaped.dims[i], taken = i < listed ? hd_attr_int_at(sizes, i) : size;
    if (i < listed && !box_dim(op, i, hd_attr_int_at(offsets, i), taken, hd_attr_int_at(strides, i), size))
      return false;
    if (out->shaped.dims[i] != taken)
      return hd_op_error(op, "expects result dim %u of size %lld, got %lld", i, (long long)taken,
                         (long long)out->shaped.dims[i]);
  }
  return true;
}

bool hd_verify_insert_strided_slice(hd_op *op) {
  hd_type part = hd_operand_type(op, 0), whole = hd_operand_type(op, 1);
  hd_attr offsets = hd_strided_slice_like_offsets(op), strides = hd_strided_slice_like_strides(op);
  uint32_t rank = whole->shaped.rank, small = part->shaped.rank;
  if (!same_element(op, part, whole)) return false;
  if (small > rank) return hd_op_error(op, "expects a box of rank %u at most, got rank %u", rank, small);
  if (!one_count(op, HD_NAME_offsets, offsets, rank) || !one_count(op, HD_NAME_strides, strides, small)) return false;
  for (uint32_t i = 0; i < rank; ++i) {
    bool own = i + small >= rank;
    int64_t taken = own ? part->shaped.dims[i + small - rank] : 1;
    int64_t stride = own ? hd_attr_int_at(strides, i + small - rank) : 1;
    if (!box_dim(op, i, hd_attr_int_at(offsets, i), taken, stride, whole->shaped.dims[i])) return false;
  }
  return true;
}

/* |wide| has |narrow|'s shape with the last dim twice as large. */
static bool twice(hd_op *op, hd_type narrow, hd_type wide) {
  uint32_t rank = narrow->shaped.rank;
  if (!same_element(op, narrow, wide)) return false;
  bool fits = rank && wide->shaped.rank == rank && wide->shaped.dims[rank - 1] % 2 == 0 &&
              wide->shaped.dims[rank - 1] / 2 == narrow->shaped.dims[rank - 1];
  for (uint32_t i = 0; fits && i + 1 < rank; ++i) fits = narrow->shaped.dims[i] == wide->shaped.dims[i];
  return fits || hd_op_misfit_error(op, narrow, wide, "expects one vector of twice the lanes in its last dim");
}

bool hd_verify_interleave(hd_op *op) { return twice(op, hd_operand_type(op, 0), hd_result_type(op, 0)); }
bool hd_verify_deinterleave(hd_op *op) { return twice(op, hd_result_type(op, 0), hd_operand_type(op, 0)); }

/* One instruction's forms: pairs of bf16 in as many bits as their sums. */
bool hd_verify_avx512_dot(hd_op *op) {
  hd_type sum = hd_operand_type(op, 0), pairs = hd_operand_type(op, 1);
  int64_t lanes = sum->shaped.rank == 1 ? sum->shaped.dims[0] : 0;
  if (hd_type_is_float(hd_type_element(sum), HD_F32) && hd_type_is_float(hd_type_element(pairs), HD_BF16) &&
      (lanes == 4 || lanes == 8 || lanes == 16) && pairs->shaped.rank == 1 && pairs->shaped.dims[0] == 2 * lanes)
    return true;
  return hd_op_misfit_error(op, pairs, sum, "expects 4, 8 or 16 sums of f32 and twice as many elements of bf16");
}

/* Three maps over the same dims, each a projection onto the dims of its operand; sizes agree. */
bool hd_verify_vector_contract(hd_op *op) {
  hd_attr maps = hd_vector_contract_indexing_maps(op);
  hd_type types[3] = {hd_operand_type(op, 0), hd_operand_type(op, 1), hd_result_type(op, 0)};
  int64_t sizes[32];
  if (hd_operand_type(op, 2) != types[2])
    return hd_op_type_error(op, types[2], hd_operand_type(op, 2), "expects the accumulator in the type of the result");
  if (hd_attr_count(maps) != 3) return hd_op_error(op, "expects 3 maps, got %zu", hd_attr_count(maps));
  for (uint32_t k = 0; k < 3; ++k) {
    hd_attr map = maps->array.items[k];
    uint32_t rank = hd_type_is(types[k], HD_TYPE_VECTOR) ? types[k]->shaped.rank : 0;
    if (!hd_attr_is(map, HD_ATTR_AFFINE_MAP) || map->affine.count != rank)
      return hd_op_error(op, "expects map #%u with %u results, one per dim of its vector, got %u", k, rank,
                         hd_attr_is(map, HD_ATTR_AFFINE_MAP) ? map->affine.count : 0);
    if (map->affine.dims != maps->array.items[0]->affine.dims || map->affine.dims > sizeof sizes / sizeof *sizes)
      return hd_op_error(op, "expects maps over the same dims, %zu at most, got %u and %u",
                         sizeof sizes / sizeof *sizes, maps->array.items[0]->affine.dims, map->affine.dims);
    for (uint32_t d = 0; k == 0 && d < map->affine.dims; ++d) sizes[d] = 0;
    for (uint32_t r = 0; r < rank; ++r) {
      hd_affine e = map->affine.results[r];
      if (e->kind != HD_AFFINE_DIM || e->value < 0 || e->value >= map->affine.dims)
        return hd_op_error(op, "expects map #%u to be a projection, got another expression as result #%u", k, r);
      int64_t *size = &sizes[e->value];
      if (*size && *size != types[k]->shaped.dims[r])
        return hd_op_error(op, "expects dim %lld of one size, got %lld and %lld", (long long)e->value, (long long)*size,
                           (long long)types[k]->shaped.dims[r]);
      *size = types[k]->shaped.dims[r];
    }
  }
  return true;
}

bool hd_verify_vector_outerproduct(hd_op *op) {
  hd_type lhs = hd_operand_type(op, 0), rhs = hd_operand_type(op, 1), out = hd_result_type(op, 0);
  bool wide = hd_type_is(rhs, HD_TYPE_VECTOR);
  if (!wide && hd_type_is_shaped(rhs)) return hd_op_misfit_error(op, rhs, NULL, "expects a scalar or a vector");
  if (!same_element(op, lhs, out) || !same_element(op, rhs, out)) return false;
  if (lhs->shaped.rank != 1 || (wide && rhs->shaped.rank != 1) || out->shaped.rank != 1u + wide ||
      out->shaped.dims[0] != lhs->shaped.dims[0] || (wide && out->shaped.dims[1] != rhs->shaped.dims[0]))
    return hd_op_misfit_error(op, lhs, out, "expects a result of the operands' lanes as rows and columns");
  return op->operand_count < 3 || hd_operand_type(op, 2) == out ||
         hd_op_type_error(op, out, hd_operand_type(op, 2), "expects the accumulator in the type of the result");
}

/* A masked op's values follow from its region; a second operand stands for one of them. */
bool hd_verify_vector_mask(hd_op *op) {
  if (op->operand_count < 2) return true;
  if (op->result_count != 1)
    return hd_op_error(op, "expects one result beside a pass-through value, got %u", op->result_count);
  hd_type mask = hd_operand_type(op, 0), out = hd_result_type(op, 0);
  if (hd_operand_type(op, 1) != out)
    return hd_op_type_error(op, out, hd_operand_type(op, 1),
                            "expects the pass-through value in the type of the result");
  return (hd_type_is(out, HD_TYPE_VECTOR) && hd_type_num_elements(out) == hd_type_num_elements(mask)) ||
         hd_op_misfit_error(op, mask, out, "expects a mask in the shape of the vector");
}

/* transfer_read and transfer_write: |base| is item |item|, its indices the next. */
static bool transfer(hd_op *op, size_t item, hd_type vector) {
  uint32_t start, count, indices;
  hd_op_operand_range(op, item, &start, &count);
  hd_type base = hd_operand_type(op, start);
  if (hd_type_is(base, HD_TYPE_VECTOR) || !hd_type_has_rank(base))
    return hd_op_misfit_error(op, base, NULL, "expects a ranked tensor or memref");
  hd_op_operand_range(op, item + 1, &start, &indices);
  if (indices != base->shaped.rank)
    return hd_op_error(op, "expects %u indices, one per dim, got %u", base->shaped.rank, indices);
  hd_attr map = hd_transfer_like_permutation_map(op);
  if (!hd_attr_is(map, HD_ATTR_AFFINE_MAP) || map->affine.dims != base->shaped.rank)
    return hd_op_error(op, "expects a permutation map of %u dims, got %u", base->shaped.rank,
                       hd_attr_is(map, HD_ATTR_AFFINE_MAP) ? map->affine.dims : 0);
  hd_type element = hd_type_element(base);
  return element == hd_type_element(vector) || hd_type_is(element, HD_TYPE_VECTOR) ||
         hd_op_misfit_error(op, element, vector, "expects buffer and vector of one element type");
}

bool hd_verify_transfer_read(hd_op *op) {
  hd_type vector = hd_result_type(op, 0), base = hd_operand_type(op, 0);
  if (!transfer(op, 0, vector)) return false;
  hd_type padding = hd_operand_type(op, 1 + base->shaped.rank);
  return padding == base->shaped.element ||
         hd_op_type_error(op, base->shaped.element, padding, "expects padding of the element type");
}
bool hd_verify_transfer_write(hd_op *op) { return transfer(op, 1, hd_operand_type(op, 0)); }

bool hd_verify_vector_type_cast(hd_op *op) {
  hd_type in = hd_operand_type(op, 0), out = hd_result_type(op, 0);
  hd_type vector = out->shaped.element;
  if (out->shaped.rank || !hd_type_is(vector, HD_TYPE_VECTOR))
    return hd_op_misfit_error(op, out, NULL, "expects a memref of one vector as result");
  return same_element(op, in->shaped.element, vector);
}

/* A box of lanes in memory that are dense there: a mask and values in the shape of |vector|, which has one dim. */
static bool packed(hd_op *op, hd_type vector) {
  hd_type base = hd_operand_type(op, 0);
  if (!hd_verify_indexed0(op)) return false;
  uint32_t rank = base->shaped.rank;
  if (!rank) return hd_op_misfit_error(op, base, NULL, "expects a memref of rank 1 or more");
  if (base->shaped.element != hd_type_element(vector))
    return hd_op_misfit_error(op, base->shaped.element, vector, "expects buffer and vector of one element type");
  if (hd_operand_type(op, 2 + rank) != vector)
    return hd_op_type_error(op, vector, hd_operand_type(op, 2 + rank),
                            "expects the pass-through value in the type of the result");
  hd_type mask = hd_operand_type(op, 1 + rank);
  return hd_type_num_elements(mask) == hd_type_num_elements(vector) ||
         hd_op_misfit_error(op, mask, vector, "expects a mask in the shape of the vector");
}
bool hd_verify_expandload(hd_op *op) { return packed(op, hd_result_type(op, 0)); }
bool hd_verify_compressstore(hd_op *op) { return packed(op, hd_operand_type(op, op->operand_count - 1)); }
