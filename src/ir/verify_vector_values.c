/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of vector ops on values: broadcasts, shuffles, positions, casts, reductions, masks. */
#include "ir/infer.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/vector.h"

bool hd_verify_vector_broadcast(hd_op *op) {
  hd_type in = hd_operand_type(op, 0), out = hd_result_type(op, 0);
  if (hd_type_element(in) != out->shaped.element)
    return hd_op_misfit_error(op, hd_type_element(in), hd_type_element(out),
                              "expects operand and result of one element type");
  if (in->kind != HD_TYPE_VECTOR)
    return !hd_type_is_shaped(in) || hd_op_misfit_error(op, in, NULL, "expects a scalar or a vector");
  if (in->shaped.rank > out->shaped.rank)
    return hd_op_error(op, "expects a result of rank %u or more, got rank %u", in->shaped.rank, out->shaped.rank);
  uint32_t lead = out->shaped.rank - in->shaped.rank;
  for (uint32_t i = 0; i < in->shaped.rank; ++i)
    if (in->shaped.dims[i] != 1 && in->shaped.dims[i] != out->shaped.dims[lead + i])
      return hd_op_error(op, "dim of size %lld does not broadcast to one of size %lld", (long long)in->shaped.dims[i],
                         (long long)out->shaped.dims[lead + i]);
  return true;
}

bool hd_verify_vector_shuffle(hd_op *op) {
  hd_type a = hd_operand_type(op, 0), b = hd_operand_type(op, 1);
  hd_attr mask = hd_vector_shuffle_mask(op);
  if (a->shaped.rank != b->shaped.rank)
    return hd_op_error(op, "expects operands of one rank, got %u and %u", a->shaped.rank, b->shaped.rank);
  if (a->shaped.element != b->shaped.element)
    return hd_op_misfit_error(op, a->shaped.element, b->shaped.element, "expects operands of one element type");
  int64_t lanes = 2;
  if (a->shaped.rank && __builtin_add_overflow(a->shaped.dims[0], b->shaped.dims[0], &lanes))
    return hd_op_error(op, "expects operands of fewer than 2^63 lanes together, got %lld and %lld",
                       (long long)a->shaped.dims[0], (long long)b->shaped.dims[0]);
  if (!hd_attr_count(mask)) return hd_op_error(op, "expects a mask of one entry or more, got none");
  for (size_t i = 0; i < hd_attr_count(mask); ++i) {
    int64_t lane = hd_attr_int_at(mask, i);
    if (lane < -1 || lane >= lanes)
      return hd_op_error(op, "expects mask entries in [-1, %lld), got %lld", (long long)lanes, (long long)lane);
  }
  hd_type wanted = NULL;
  hd_value *operands[2];
  hd_type results[1];
  hd_op_state state = hd_op_as_state(op, operands, results, NULL);
  return hd_infer_vector_shuffle(&state, &wanted) &&
         (wanted == hd_result_type(op, 0) ||
          hd_op_type_error(op, wanted, hd_result_type(op, 0), "expects a result of one lane per mask entry"));
}

/* Position of extract and insert: item |item| holds the run-time entries, |whole| and |part| are the vectors. */
static bool position(hd_op *op, size_t item, hd_type whole, hd_type part) {
  hd_attr list = hd_positioned_static_position(op);
  size_t depth = hd_attr_count(list);
  uint32_t unknown = 0, rank = whole->shaped.rank, left = part->kind == HD_TYPE_VECTOR ? part->shaped.rank : 0;
  if (depth > rank) return hd_op_error(op, "expects a position of %u entries at most, got %zu", rank, depth);
  for (size_t i = 0; i < depth; ++i) {
    int64_t at = hd_attr_int_at(list, i);
    unknown += at == HD_DYNAMIC;
    if (at != HD_DYNAMIC && (at < -1 || at >= whole->shaped.dims[i]))
      return hd_op_error(op, "expects positions in [-1, %lld), got %lld", (long long)whole->shaped.dims[i],
                         (long long)at);
  }
  uint32_t first, given;
  hd_op_operand_range(op, item, &first, &given);
  if (unknown != given) return hd_op_error(op, "expects %u run-time positions, got %u", unknown, given);
  if (hd_type_element(part) != whole->shaped.element)
    return hd_op_misfit_error(op, whole->shaped.element, hd_type_element(part), "expects one element type");
  if (left != rank - depth && !(depth == rank && left <= 1))
    return hd_op_error(op, "expects a part of rank %zu, got rank %u", rank - depth, left);
  for (uint32_t i = 0; i < left && depth < rank; ++i)
    if (part->shaped.dims[i] != whole->shaped.dims[depth + i])
      return hd_op_misfit_error(op, whole, part, "expects a part in the shape of the inner dims");
  return true;
}
bool hd_verify_vector_extract(hd_op *op) { return position(op, 1, hd_operand_type(op, 0), hd_result_type(op, 0)); }
bool hd_verify_vector_insert(hd_op *op) { return position(op, 2, hd_operand_type(op, 1), hd_operand_type(op, 0)); }

bool hd_verify_vector_bits(hd_op *op) {
  hd_type in = hd_operand_type(op, 0), out = hd_result_type(op, 0);
  int64_t a = hd_type_num_elements(in), b = hd_type_num_elements(out);
  if (in->shaped.rank != out->shaped.rank)
    return hd_op_error(op, "expects operand and result of one rank, got %u and %u", in->shaped.rank, out->shaped.rank);
  if (a < 0 || b < 0) return hd_op_misfit_error(op, a < 0 ? in : out, NULL, "expects fewer than 2^63 elements");
  if ((__int128)a * hd_type_bits(in->shaped.element) == (__int128)b * hd_type_bits(out->shaped.element)) return true;
  return hd_op_misfit_error(op, in, out, "expects operand and result of as many bits");
}

bool hd_verify_vector_shape_cast(hd_op *op) {
  hd_type in = hd_operand_type(op, 0), out = hd_result_type(op, 0);
  if (in->shaped.element != out->shaped.element)
    return hd_op_misfit_error(op, hd_type_element(in), hd_type_element(out),
                              "expects operand and result of one element type");
  return hd_type_num_elements(in) == hd_type_num_elements(out) ||
         hd_op_misfit_error(op, in, out, "expects operand and result of as many elements");
}

bool hd_verify_vector_transpose(hd_op *op) {
  hd_type in = hd_operand_type(op, 0), out = hd_result_type(op, 0);
  hd_attr permutation = hd_vector_transpose_permutation(op);
  if (hd_attr_count(permutation) != in->shaped.rank || out->shaped.rank != in->shaped.rank)
    return hd_op_error(op, "expects a permutation of %u dims, got %zu", in->shaped.rank, hd_attr_count(permutation));
  uint64_t seen = 0;
  for (uint32_t i = 0; i < in->shaped.rank; ++i) {
    int64_t from = hd_attr_int_at(permutation, i);
    if (from < 0 || from >= in->shaped.rank || from >= 64 || seen >> from & 1)
      return hd_op_error(op, "expects a permutation, got %lld", (long long)from);
    seen |= 1ull << from;
    if (out->shaped.dims[i] != in->shaped.dims[from])
      return hd_op_error(op, "expects result dim %u of size %lld, got %lld", i, (long long)in->shaped.dims[from],
                         (long long)out->shaped.dims[i]);
  }
  return true;
}

bool hd_verify_vector_reduction(hd_op *op) {
  hd_type in = hd_operand_type(op, 0);
  if (in->shaped.rank > 1) return hd_op_error(op, "expects a vector of rank 1 at most, got rank %u", in->shaped.rank);
  return hd_result_type(op, 0) == in->shaped.element ||
         hd_op_type_error(op, in->shaped.element, hd_result_type(op, 0), "expects a result of the element type");
}

bool hd_verify_vector_multi_reduction(hd_op *op) {
  hd_type in = hd_operand_type(op, 0), out = hd_result_type(op, 0);
  hd_attr dims = hd_vector_multi_reduction_reduction_dims(op);
  uint64_t reduced = 0;
  for (size_t i = 0; i < hd_attr_count(dims); ++i) {
    int64_t at = hd_attr_int_at(dims, i);
    if (at < 0 || at >= in->shaped.rank || at >= 64)
      return hd_op_error(op, "expects reduction dims in [0, %u), got %lld", in->shaped.rank, (long long)at);
    reduced |= 1ull << at;
  }
  if (hd_type_element(out) != in->shaped.element)
    return hd_op_misfit_error(op, hd_type_element(in), hd_type_element(out),
                              "expects operand and result of one element type");
  uint32_t next = 0, rank = out->kind == HD_TYPE_VECTOR ? out->shaped.rank : 0;
  for (uint32_t i = 0; i < in->shaped.rank; ++i) {
    if (i < 64 && reduced >> i & 1) continue;
    if (next >= rank || out->shaped.dims[next++] != in->shaped.dims[i])
      return hd_op_misfit_error(op, in, out, "expects a result in the shape of the kept dims");
  }
  return next == rank || hd_op_error(op, "expects a result of rank %u, got rank %u", next, rank);
}

bool hd_verify_create_mask(hd_op *op) {
  uint32_t rank = hd_result_type(op, 0)->shaped.rank, wanted = rank ? rank : 1;
  return op->operand_count == wanted ||
         hd_op_error(op, "expects %u operands, one per dim of the mask, got %u", wanted, op->operand_count);
}
bool hd_verify_constant_mask(hd_op *op) {
  hd_type type = hd_result_type(op, 0);
  hd_attr sizes = hd_vector_constant_mask_mask_dim_sizes(op);
  if (hd_attr_count(sizes) != (type->shaped.rank ? type->shaped.rank : 1))
    return hd_op_error(op, "expects one mask size per dim of %u, got %zu", type->shaped.rank, hd_attr_count(sizes));
  for (uint32_t i = 0; i < type->shaped.rank; ++i) {
    int64_t size = hd_attr_int_at(sizes, i);
    if (size < 0 || size > type->shaped.dims[i])
      return hd_op_error(op, "expects mask sizes in [0, %lld], got %lld", (long long)type->shaped.dims[i],
                         (long long)size);
  }
  return true;
}

bool hd_verify_from_elements(hd_op *op) {
  int64_t count = hd_type_num_elements(hd_result_type(op, 0));
  hd_type element = hd_type_element(hd_result_type(op, 0));
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_operand_type(op, i) != element)
      return hd_op_type_error(op, element, hd_operand_type(op, i), "expects operand #%u of the element type", i);
  return op->operand_count == count ||
         hd_op_error(op, "expects %lld elements, got %u", (long long)count, op->operand_count);
}
bool hd_verify_to_elements(hd_op *op) {
  int64_t count = hd_type_num_elements(hd_operand_type(op, 0));
  return op->result_count == count ||
         hd_op_error(op, "expects %lld results, got %u", (long long)count, op->result_count);
}

bool hd_verify_step(hd_op *op) {
  return hd_result_type(op, 0)->shaped.rank == 1 ||
         hd_op_misfit_error(op, hd_result_type(op, 0), NULL, "expects a vector of rank 1");
}
