/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts: the attributes that say where the elements of a tensor (its encoding) or of a memdesc are. Their rows are
 * the LAYOUT ones of ops/attributes.def; here are their fields, with what holds of each. Thread-safe; lists live as
 * long as the context.
 *
 * The reader and the verifier refuse a layout that hd_layout_holds does not accept, so fields may be used unchecked:
 * lists of one layout have its rank, sizes are powers of two between 1 and HD_LAYOUT_MAX_SIZE, orders are permutations.
 *
 * Triton's own meaning is meant (dims count from the outermost, `order` names the fastest dim first):
 *   distributed, of tensors:  blocked, slice, dot_op, nvidia_mma, linear
 *   shared, of memdescs:      swizzled_shared, nvmma_shared, shared_linear, padded_shared
 *   tensor memory:            tensor_memory_encoding, tensor_memory_scales_encoding */
#ifndef HD_IR_LAYOUTS_H_
#define HD_IR_LAYOUTS_H_

#include "base/strbuf.h"
#include "ir/op_info.h"

enum { HD_LAYOUT_MAX_SIZE = 1 << 20, HD_LAYOUT_MAX_RANK = 8, HD_LAYOUT_MAX_BASES = 30 };

typedef struct hd_sizes {
  uint32_t count;
  const int32_t *at;
} hd_sizes;

/* [[0, 1], [2, 0]]: what each bit of an index adds to the coordinates; read by hd_bases_at. */
typedef struct hd_bases {
  uint32_t count, rank; /* rank 0: there is no base to tell it */
  hd_attr list;         /* null: no bases */
} hd_bases;
int32_t hd_bases_at(const hd_bases *bases, uint32_t base, uint32_t dim);

typedef struct hd_blocked_layout {
  uint32_t rank;
  const int32_t *size_per_thread, *threads_per_warp, *warps_per_block, *order;
  hd_bases cga; /* which part of the tensor each block of a cluster has; none: one block */
} hd_blocked_layout;

typedef struct hd_slice_layout {
  uint32_t dim;
  hd_attr parent; /* a distributed layout of one rank more */
} hd_slice_layout;

typedef struct hd_dot_operand_layout {
  uint32_t operand; /* 0: a, 1: b */
  hd_attr parent;   /* that of the dot's result */
  int32_t k_width;  /* elements along k that a thread has side by side; 0: of a blocked parent */
} hd_dot_operand_layout;

typedef struct hd_mma_layout {
  uint32_t rank; /* 2 or 3 */
  int32_t version_major, version_minor;
  const int32_t *warps_per_block; /* rank */
  hd_sizes instruction_shape;     /* [m, n] or with a batch in front (version 2), [m, n, k] (version 3) */
  hd_bases cga;
} hd_mma_layout;

typedef struct hd_linear_layout_bases {
  uint32_t rank;
  hd_bases registers, lanes, warps, blocks;
} hd_linear_layout_bases;

typedef struct hd_swizzled_layout {
  uint32_t rank;
  int32_t vector, per_phase, max_phase;
  const int32_t *order;
  hd_bases cga;
} hd_swizzled_layout;

typedef struct hd_nvmma_shared_layout {
  uint32_t rank;
  int32_t swizzle_bytes; /* 0, 32, 64 or 128 */
  bool transposed, fp4_padded;
  int32_t element_bits;
  hd_bases cga;
} hd_nvmma_shared_layout;

typedef struct hd_shared_linear_layout {
  uint32_t rank;
  hd_bases offsets, blocks;
  int32_t alignment; /* bytes */
} hd_shared_linear_layout;

typedef struct hd_padded_layout {
  uint32_t rank;
  hd_sizes intervals, paddings; /* after every intervals[i] elements come paddings[i] unused ones */
  const int32_t *order, *shape; /* or, when null, the bases: */
  hd_bases offsets, blocks, cga;
} hd_padded_layout;

typedef struct hd_tensor_memory_layout {
  int32_t block_m, block_n, column_stride, cta_split_m, cta_split_n;
  bool two_ctas;
} hd_tensor_memory_layout;

/* Is |attr| a layout, of tensors or of memory in one block? A memory space is none. */
bool hd_attr_is_layout(hd_attr attr);
bool hd_layout_is_distributed(hd_attr layout);
bool hd_layout_is_shared(hd_attr layout);
/* The row, HD_STRUCT_ttg_blocked and so on. */
static inline int hd_layout_row(hd_attr layout) { return layout->structure.row; }
/* The encoding of a tensor, or of a memdesc, that is a layout; null when there is none. */
hd_attr hd_type_layout(hd_type type);
uint32_t hd_layout_rank(hd_attr layout);

/* How many threads of a warp, warps and blocks a distributed layout is of. */
typedef struct hd_layout_threads {
  int64_t lanes, warps, blocks;
} hd_layout_threads;
hd_layout_threads hd_layout_threads_of(hd_attr layout);

/* The blocks of a cluster that a layout of shared memory is spread over. */
int64_t hd_layout_blocks_of(hd_attr shared);

/* |layout| must be of that row. */
hd_blocked_layout hd_layout_blocked(hd_attr layout);
hd_slice_layout hd_layout_slice(hd_attr layout);
hd_dot_operand_layout hd_layout_dot_operand(hd_attr layout);
hd_mma_layout hd_layout_mma(hd_attr layout);
hd_linear_layout_bases hd_layout_linear(hd_attr layout);
hd_swizzled_layout hd_layout_swizzled(hd_attr layout);
hd_nvmma_shared_layout hd_layout_nvmma_shared(hd_attr layout);
hd_shared_linear_layout hd_layout_shared_linear(hd_attr layout);
hd_padded_layout hd_layout_padded(hd_attr layout);
hd_tensor_memory_layout hd_layout_tensor_memory(hd_attr layout);

/* The other way; lists are copied. */
hd_attr hd_attr_blocked(hd_context *context, const hd_blocked_layout *fields);
hd_attr hd_attr_slice(hd_attr parent, uint32_t dim);
hd_attr hd_attr_nvmma_shared(hd_context *context, const hd_nvmma_shared_layout *fields);
hd_attr hd_attr_shared_memory(hd_context *context);
/* May |to| be the layout of what has as dim i dim order[i] of what has |from|? Two blocked or swizzled_shared ones in
 * one block must be so; of all others, which Triton makes linear, this does not know. Either may be null. */
bool hd_layout_may_permute(hd_attr from, hd_attr order, hd_attr to);

/* Do its fields make sense? Otherwise |why| says what does not: "has 2 threadsPerWarp for 3 dims". True of what is no
 * layout. */
bool hd_layout_holds(hd_attr attr, hd_strbuf *why);
/* The same of the layout of a tensor or memdesc |type| with its shape, and of what Triton's other types are made of. */
bool hd_tile_type_holds(hd_type type, hd_strbuf *why);
bool hd_memdesc_holds(hd_type type, hd_strbuf *why); /* its part of memdescs */
/* Of every type that |op| brings in, and that an elementwise one has one layout; reports what is wrong at |op|. */
bool hd_verify_layouts(hd_op *op);
/* Its part of tensors that tt, ttg and ttng ops take and give: sizes, and threads as the program around them has them.
 */
bool hd_verify_tile_types(hd_op *op);

#endif
