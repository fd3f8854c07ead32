/* SPDX-License-Identifier: Apache-2.0 */
/* The layout encodings of tiles (Triton's ttg dialect) as plain data, and each as a linear map.
 *
 * A distributed encoding says which thread holds which elements: its map goes from (register, lane, warp, block) to the
 * tensor's index. A shared encoding says where an element is: its map goes from (offset, block) to the tensor's
 * index, the offset in elements. Indices of tensors are row-major, hardware's have their first part lowest.
 *
 * A tensor larger than what an encoding covers is covered again by more registers, the fastest dim first; of a smaller
 * one, several threads or registers hold the same element (their columns are 0).
 *
 * Definitions: Triton's TritonGPUAttrDefs.td; mma fragments: the PTX ISA, "Matrix fragments for mma.m16n8k16" and
 * "Register fragments for wgmma.mma_async". Thread-safe. */
#ifndef HD_IR_LINEAR_LAYOUTS_ENCODING_H_
#define HD_IR_LINEAR_LAYOUTS_ENCODING_H_

#include "base/status.h"
#include "ir/linear_layouts/linear_layout.h"

typedef enum hd_encoding_kind {
  HD_ENCODING_BLOCKED,
  HD_ENCODING_SLICE,
  HD_ENCODING_DOT_OP,
  HD_ENCODING_NVIDIA_MMA,
  HD_ENCODING_LINEAR,
  HD_ENCODING_SWIZZLED_SHARED, /* from here on: shared */
  HD_ENCODING_NVMMA_SHARED,
  HD_ENCODING_SHARED_LINEAR,
  HD_ENCODING_PADDED_SHARED,
} hd_encoding_kind;

/* The parts of a packed hardware index. */
enum { HD_REGISTER, HD_LANE, HD_WARP, HD_BLOCK, HD_HARDWARE_PARTS };
enum { HD_OFFSET, HD_SHARED_BLOCK, HD_SHARED_PARTS };
enum { HD_ENCODING_MAX_BASES = 32 };

/* What the single bits of one input part give: |count| indices. */
typedef struct hd_encoding_bases {
  uint32_t count;
  int64_t at[HD_ENCODING_MAX_BASES][HD_LINEAR_DIMS];
} hd_encoding_bases;

/* The fields of a kind are those of its attribute; the others are 0. */
typedef struct hd_encoding {
  hd_encoding_kind kind;
  uint32_t rank;
  /* blocked; warps_per_cta: nvidia_mma too; order: swizzled_shared too, and padded_shared without bases */
  int64_t size_per_thread[HD_LINEAR_DIMS], threads_per_warp[HD_LINEAR_DIMS], warps_per_cta[HD_LINEAR_DIMS];
  int64_t order[HD_LINEAR_DIMS];              /* the fastest dim first */
  const struct hd_encoding *parent;           /* slice, dot_op; of the caller */
  int64_t dim;                                /* slice: the parent's dim that is left out */
  int64_t op_idx, k_width;                    /* dot_op: 0 lhs, 1 rhs; k_width 0 of a blocked parent */
  int64_t version_major, version_minor;       /* nvidia_mma: 2 (mma.sync) or 3 (wgmma) */
  int64_t instr_rank, instr_shape[3];         /* v2: m n; v3: m n k */
  int64_t vec, per_phase, max_phase;          /* swizzled_shared */
  int64_t swizzling_byte_width, element_bits; /* nvmma_shared: 0, 32, 64 or 128 */
  bool transposed, fp4_padded;                /* nvmma_shared */
  hd_encoding_bases parts[HD_HARDWARE_PARTS]; /* linear; shared_linear and padded_shared: offset and block */
  hd_encoding_bases cga;                      /* CGALayout: the other kinds' block bases */
  int64_t alignment;                          /* shared_linear: in bytes */
  uint32_t pads;                              /* padded_shared: after each |interval| elements, |padding| more */
  int64_t interval[HD_LINEAR_DIMS], padding[HD_LINEAR_DIMS];
} hd_encoding;

static inline bool hd_encoding_is_shared(const hd_encoding *encoding) {
  return encoding->kind >= HD_ENCODING_SWIZZLED_SHARED;
}

/* The map of |encoding| over a tensor of |shape|, which has its rank. INVALID_ARGUMENT, with what was expected and got:
 * sizes that are no powers of two, fields that contradict, too many bits. Of padded_shared, the map before padding. */
hd_status hd_encoding_linear(const hd_encoding *encoding, const int64_t *shape, hd_linear_layout *out) HD_MUST_USE;
/* The field's rules alone, without a shape. */
hd_status hd_encoding_verify(const hd_encoding *encoding) HD_MUST_USE;
/* Where the element at |offset| of the map of a padded_shared encoding is, padding counted. Other kinds: |offset|. */
int64_t hd_encoding_padded_offset(const hd_encoding *encoding, int64_t offset);

#endif
