/* SPDX-License-Identifier: Apache-2.0 */
/* What the fields of encodings may be. */
#include "ir/linear_layouts/bases.h"

enum { MOST_DEPTH = 16 }; /* of parents */

static hd_status powers_of_two(const char *field, const int64_t *sizes, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (!hd_is_power_of_two(sizes[i]) || sizes[i] >> 31)
      return hd_make_status(HD_INVALID_ARGUMENT, "layout: expected powers of two below 2^31 in %s, got %lld", field,
                            (long long)sizes[i]);
  return HD_STATUS_OK;
}

static hd_status permutation(const int64_t *order, uint32_t rank) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < rank; ++i) {
    if (order[i] < 0 || order[i] >= rank || seen >> order[i] & 1)
      return hd_make_status(HD_INVALID_ARGUMENT,
                            "layout: expected order to be a permutation of %u dims, got %lld at %u", rank,
                            (long long)order[i], i);
    seen |= 1u << order[i];
  }
  return HD_STATUS_OK;
}

static hd_status bases(const hd_encoding_bases *part, uint32_t rank, const char *field) {
  if (part->count > HD_ENCODING_MAX_BASES)
    return hd_make_status(HD_INVALID_ARGUMENT, "layout: expected at most %d bases in %s, got %u", HD_ENCODING_MAX_BASES,
                          field, part->count);
  for (uint32_t i = 0; i < part->count; ++i)
    for (uint32_t d = 0; d < rank; ++d)
      if (part->at[i][d] < 0 || part->at[i][d] >> 31)
        return hd_make_status(HD_INVALID_ARGUMENT, "layout: expected bases of %s from 0 to 2^31 - 1, got %lld", field,
                              (long long)part->at[i][d]);
  return HD_STATUS_OK;
}

static hd_status blocked(const hd_encoding *e) {
  HD_TRY(powers_of_two("sizePerThread", e->size_per_thread, e->rank));
  HD_TRY(powers_of_two("threadsPerWarp", e->threads_per_warp, e->rank));
  HD_TRY(powers_of_two("warpsPerCTA", e->warps_per_cta, e->rank));
  return permutation(e->order, e->rank);
}

static hd_status nvidia_mma(const hd_encoding *e) {
  uint32_t wanted = e->version_major == 3 ? 3 : 2;
  if (e->version_major != 2 && e->version_major != 3)
    return hd_make_status(HD_UNIMPLEMENTED, "nvidia_mma: expected versionMajor 2 or 3, got %lld",
                          (long long)e->version_major);
  if (e->rank < 2 || e->rank > 3)
    return hd_make_status(HD_INVALID_ARGUMENT, "nvidia_mma: expected 2 or 3 dims, got %u", e->rank);
  if (e->instr_rank < wanted || e->instr_shape[0] != 16)
    return hd_make_status(
        HD_INVALID_ARGUMENT, "nvidia_mma: expected instrShape to be %s, got %lld sizes, the first %lld",
        wanted == 3 ? "16, n and k" : "16 and n", (long long)e->instr_rank, (long long)e->instr_shape[0]);
  if (!hd_is_power_of_two(e->instr_shape[1]) || e->instr_shape[1] < 8 || e->instr_shape[1] > 256)
    return hd_make_status(HD_INVALID_ARGUMENT, "nvidia_mma: expected n to be a power of two from 8 to 256, got %lld",
                          (long long)e->instr_shape[1]);
  return powers_of_two("warpsPerCTA", e->warps_per_cta, e->rank);
}

static hd_status dot_op(const hd_encoding *e) {
  const hd_encoding *parent = e->parent;
  if (e->op_idx != 0 && e->op_idx != 1)
    return hd_make_status(HD_INVALID_ARGUMENT, "dot_op: expected opIdx 0 or 1, got %lld", (long long)e->op_idx);
  if (parent->rank != e->rank || e->rank < 2)
    return hd_make_status(HD_INVALID_ARGUMENT, "dot_op: expected a parent of at least 2 dims, got %u", parent->rank);
  if (parent->kind == HD_ENCODING_BLOCKED) {
    if (!e->k_width) return HD_STATUS_OK;
    return hd_make_status(HD_INVALID_ARGUMENT, "dot_op: expected no kWidth with a blocked parent, got %lld",
                          (long long)e->k_width);
  }
  if (parent->kind != HD_ENCODING_NVIDIA_MMA)
    return hd_make_status(HD_INVALID_ARGUMENT, "dot_op: expected a blocked or nvidia_mma parent");
  if (parent->version_major == 3 && e->op_idx)
    return hd_make_status(HD_INVALID_ARGUMENT, "dot_op: expected opIdx 0 with wgmma, whose rhs is in shared memory");
  return powers_of_two("kWidth", &e->k_width, 1);
}

static hd_status nvmma_shared(const hd_encoding *e) {
  int64_t width = e->swizzling_byte_width;
  if (width && width != 32 && width != 64 && width != 128)
    return hd_make_status(HD_INVALID_ARGUMENT,
                          "nvmma_shared: expected swizzlingByteWidth to be 0, 32, 64 or 128, got %lld",
                          (long long)width);
  if (e->element_bits != 8 && e->element_bits != 16 && e->element_bits != 32)
    return hd_make_status(HD_INVALID_ARGUMENT, "nvmma_shared: expected elementBitWidth to be 8, 16 or 32, got %lld",
                          (long long)e->element_bits);
  if (e->fp4_padded) return hd_make_status(HD_UNIMPLEMENTED, "nvmma_shared: fp4Padded has no layout yet");
  if (width && e->rank < 2)
    return hd_make_status(HD_INVALID_ARGUMENT, "nvmma_shared: expected at least 2 dims with a swizzle, got %u",
                          e->rank);
  return HD_STATUS_OK;
}

static hd_status padded_shared(const hd_encoding *e) {
  if (!e->pads || e->pads > HD_LINEAR_DIMS)
    return hd_make_status(HD_INVALID_ARGUMENT, "padded_shared: expected 1 to %d paddings, got %u", HD_LINEAR_DIMS,
                          e->pads);
  HD_TRY(powers_of_two("the intervals", e->interval, e->pads));
  HD_TRY(powers_of_two("the paddings", e->padding, e->pads));
  HD_TRY(bases(&e->parts[HD_OFFSET], e->rank, "offset"));
  HD_TRY(bases(&e->parts[HD_SHARED_BLOCK], e->rank, "block"));
  return e->parts[HD_OFFSET].count ? HD_STATUS_OK : permutation(e->order, e->rank);
}

static hd_status verify(const hd_encoding *e, uint32_t depth);

static hd_status parented(const hd_encoding *e, uint32_t depth) {
  if (!e->parent || depth == MOST_DEPTH)
    return hd_make_status(HD_INVALID_ARGUMENT, "layout: expected a parent, and at most %d of them", MOST_DEPTH);
  HD_TRY(verify(e->parent, depth + 1));
  if (hd_encoding_is_shared(e->parent))
    return hd_make_status(HD_INVALID_ARGUMENT, "layout: expected a distributed parent, got a shared one");
  if (e->kind == HD_ENCODING_DOT_OP) return dot_op(e);
  if (e->dim < 0 || e->dim >= e->parent->rank || e->rank + 1 != e->parent->rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "slice: expected a dim of its parent's %u, got %lld", e->parent->rank,
                          (long long)e->dim);
  return HD_STATUS_OK;
}

static hd_status verify(const hd_encoding *e, uint32_t depth) {
  static const char *const names[] = {"register", "lane", "warp", "block"};
  if (!e->rank || e->rank > HD_LINEAR_DIMS)
    return hd_make_status(HD_INVALID_ARGUMENT, "layout: expected 1 to %d dims, got %u", HD_LINEAR_DIMS, e->rank);
  HD_TRY(bases(&e->cga, e->rank, "CGALayout"));
  switch (e->kind) {
    case HD_ENCODING_BLOCKED:
      return blocked(e);
    case HD_ENCODING_NVIDIA_MMA:
      return nvidia_mma(e);
    case HD_ENCODING_SLICE:
    case HD_ENCODING_DOT_OP:
      return parented(e, depth);
    case HD_ENCODING_LINEAR:
      for (uint32_t p = 0; p < HD_HARDWARE_PARTS; ++p) HD_TRY(bases(&e->parts[p], e->rank, names[p]));
      return HD_STATUS_OK;
    case HD_ENCODING_SWIZZLED_SHARED:
      HD_TRY(powers_of_two("vec, perPhase and maxPhase", (int64_t[]){e->vec, e->per_phase, e->max_phase}, 3));
      return permutation(e->order, e->rank);
    case HD_ENCODING_NVMMA_SHARED:
      return nvmma_shared(e);
    case HD_ENCODING_SHARED_LINEAR:
      HD_TRY(powers_of_two("alignment", &e->alignment, 1));
      HD_TRY(bases(&e->parts[HD_OFFSET], e->rank, "offset"));
      return bases(&e->parts[HD_SHARED_BLOCK], e->rank, "block");
    case HD_ENCODING_PADDED_SHARED:
      return padded_shared(e);
  }
  return hd_make_status(HD_INVALID_ARGUMENT, "layout: unknown kind %d", (int)e->kind);
}

hd_status hd_encoding_verify(const hd_encoding *encoding) { return verify(encoding, 0); }
