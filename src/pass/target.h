/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about targets: the rows of targets.def, for passes and code generation, which ask what a target has and not its
 * name.
 * A pass with an option of type target gets the row in hd_pass.target. Static, so thread-safe. */
#ifndef HD_PASS_TARGET_H_
#define HD_PASS_TARGET_H_

#include "base/strbuf.h"
#include "ir/types.h"

/* What it computes in. */
typedef struct hd_native_types {
  uint32_t floats; /* a bit per hd_float_kind */
  bool i1;         /* reduced as it is */
} hd_native_types;

/* The part of a product's result that a block of threads computes: columns * own_columns wide and rows * own_rows *
 * strips high. */
typedef struct hd_gpu_tile {
  int64_t columns,
      rows; /* threads along both: a block has columns * rows, a power of two, all of which load equally many terms */
  int64_t own_columns, own_rows; /* results that a thread has in registers */
  int64_t strips;                /* of own_rows, which a thread computes one after the other */
  int64_t depth;                 /* terms of the sums that are in shared memory at a time */
} hd_gpu_tile;

/* Blocks of threads. Counts and bytes, as targets.def says. */
typedef struct hd_gpu_target {
  int64_t warp, grid_limit, block_limit, parameter_bytes, shared_bytes;
  int64_t one_warp_below, block_small, large_from, block_large, rows_per_thread, vector_bytes;
  bool generated_products;
  hd_gpu_tile large, small, thin;
} hd_gpu_target;

typedef struct hd_target_info {
  const char *name;
  hd_native_types types;
  bool approximate;         /* has instructions for approximate functions */
  const hd_gpu_target *gpu; /* null: its kernels run where host code does */
  bool nvvm;                /* kernels in machine form may have its ops: neutral ones have the device's names then */
} hd_target_info;

/* A target's row; null when there is none. */
const hd_target_info *hd_target_info_of(hd_str name);
/* The names of all, or of those with blocks of threads, comma-separated. */
const char *hd_target_info_names(bool gpu);
/* Do kernels made for |a| run on |b| as they are? */
bool hd_target_info_equal(const hd_target_info *a, const hd_target_info *b);
/* What kernels compute in: what all targets have, so that all give the same bits. */
const hd_native_types *hd_kernel_types(void);

#endif
