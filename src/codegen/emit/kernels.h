/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of fused buffer ops for the CPU: functions in the form of target/cpu/cpu.h, one range of items per call.
 *
 *   loop kernel   every output element by itself: outputs of one shape; items are (row, block of the innermost dims)
 *   row kernel    reductions of the innermost dims with their producers and consumers: an item is a row; each stage
 *                 is a loop over the row, the reductions of a stage feed the next (softmax, layer norm)
 *
 * Numbers of items and grains are symbolic dims of the host function. */
#ifndef HD_CODEGEN_EMIT_KERNELS_H_
#define HD_CODEGEN_EMIT_KERNELS_H_

#include "codegen/emit/generator.h"

/* Elements per vector; the back end splits it where registers are narrower. */
enum { HD_LANES = 16 };

typedef struct hd_kernel_ops {
  hd_op *const *ops; /* buffer ops in order, region-free but for reducers */
  size_t count;
  hd_value *const *outputs; /* buffers that live on after the kernel */
  size_t output_count;
  bool compact; /* little code counts more than speed: the program has many kernels */
} hd_kernel_ops;

typedef struct hd_kernel_launch {
  hd_op *func;
  hd_value *const *operands; /* host values, or null where |dims| has an expression; null in both: the stream bytes */
  const hd_dim *dims;
  size_t operand_count;
  hd_dim extent, grain;
} hd_kernel_launch;

/* The argument of |shapes->func| in whose memory |output| of a kernel may be
 * (`hd.donor` of its allocation), or null. */
hd_value *hd_kernel_donor(const hd_shapes *shapes, const hd_value *output);

/* Adds the kernel function |name| at the end of the module of |shapes->func|. False with errors reported. */
bool hd_emit_loop_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                         hd_kernel_launch *out);
bool hd_emit_row_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                        hd_kernel_launch *out);
/* The same with the word of hd_attention_row_descriptor in front: how many elements of each row count,
 * all or a multiple of HD_LANES; the others are neither read nor written. Rows are as far apart as they
 * are long. Its outputs stay in the caches. */
bool hd_emit_limited_row_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                                hd_kernel_launch *out);
/* False when the dims that the rows of |ops| reduce are read in an order that no single walk has: a comparison with a
 * vector that is spread over rows, reduced to a scalar. A loop kernel does it then, one result after the other. */
bool hd_row_kernel_fits(hd_shapes *shapes, const hd_kernel_ops *ops, hd_arena *arena);

/* A dynamic_update_slice, the last of |ops|, whose one output holds the operand already; the others make the update. */
bool hd_emit_update_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                           hd_kernel_launch *out);

/* The epilogue of a dot (runtime/libraries/gemm_abi.h): |dot|'s result is in a tile, the other ops use it elementwise.
 * An output may also be a transpose of a value of the dot's shape that keeps the last dim. extent and grain are null.
 */
bool hd_emit_epilogue_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, hd_op *dot, const char *name, hd_arena *arena,
                             hd_kernel_launch *out);

/* A scatter, whose outputs hold copies of the operands already. */
bool hd_emit_scatter_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                            hd_kernel_launch *out);

/* A select_and_scatter; its output needs nothing in it. */
bool hd_emit_select_and_scatter_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                                       hd_kernel_launch *out);

/* A sort of rank 1 or more, whose outputs hold copies of the operands already; as many scratch buffers of the outputs'
 * types follow the outputs. */
bool hd_emit_sort_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                         hd_kernel_launch *out);

/* True when |op| reduces trailing dims by one arithmetic op, which a row kernel can do. */
bool hd_is_row_reduction(const hd_op *op);

#endif
