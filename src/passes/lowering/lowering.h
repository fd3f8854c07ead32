/* SPDX-License-Identifier: Apache-2.0 */
/* What the passes share that lower buffer ops to kernels, launches and calls of the runtime:
 * disc-lower-to-kernels for the CPU (passes/kernel), disc-lower-to-library-calls and the schedules of devices
 * (passes/gpu). Here: sizes, words and tables as values of the host, kernels of equal ops, launches, scratch
 * and copies. Calls of libraries: library.h. */
#ifndef HD_PASSES_LOWERING_LOWERING_H_
#define HD_PASSES_LOWERING_LOWERING_H_

#include "analysis/views.h"
#include "base/vec.h"
#include "codegen/emit/kernels.h"
#include "codegen/kernel_set.h"
#include "ir/ops/discardable.h"
#include "passes/passes.h"

typedef struct hd_lowering {
  hd_pass *pass;
  hd_shapes *shapes;
  hd_op *func;
  hd_map made;        /* what a kernel follows from -> struct hd_made_kernel */
  hd_block *here;     /* the block whose ops are being lowered, from the first to the last */
  hd_map here_dims;   /* dim expression -> host value, written in |here| before the op that is being lowered */
  hd_map here_words;  /* host value -> the same as i64 */
  hd_map here_tables; /* what a table of words holds -> the table */
  hd_vec(hd_attr) constants;
  hd_map constant_index; /* attribute -> index + 1 */
  unsigned kernels;
  unsigned distinct;      /* kernels that were emitted */
  hd_value *stream_bytes; /* of the runtime (ral_stream_bytes), asked once where the function starts */
  bool device;      /* library calls get buffers of a device: no epilogues, what they cannot see in place is a fusion */
  hd_value *stream; /* of the device's calls, made with the first */
  bool tf32;        /* libraries may round factors to it */
  bool deterministic; /* libraries add in one order */
  bool asks;          /* products are to be asked for before they are called: */
  hd_value *ready;    /* the answer for the last one, an i1 */
} hd_lowering;

typedef bool (*hd_emit_fn)(hd_shapes *, const hd_kernel_ops *, const char *, hd_arena *, hd_kernel_launch *);

/* A dim as host arithmetic before |op|, that of an earlier op of the block where it was written there. */
hd_value *hd_host_dim(hd_lowering *ctx, hd_builder *b, hd_dim dim, hd_op *op);
/* The same with expressions that were written before at this place. */
hd_value *hd_host_dim_once(hd_lowering *ctx, hd_builder *b, hd_dim dim, hd_op *op, hd_map *cache);
/* A number as an index. */
hd_value *hd_host_index(hd_lowering *ctx, hd_builder *b, int64_t value);
/* |value|, an index, as an i64. */
hd_value *hd_host_as_word(hd_lowering *ctx, hd_builder *b, hd_value *value);
/* The operands of a launch as host values, from element 2 on; 0 and 1 are for extent and grain. */
hd_value **hd_launch_words(hd_lowering *ctx, hd_builder *b, const hd_kernel_launch *launch, hd_op *op);
bool hd_launch_kernel(hd_lowering *ctx, hd_builder *b, const hd_kernel_launch *launch, hd_op *op);
/* "loop_multiply_add_3": the kind, the names of up to three of |ops| that compute (where none does, that move
 * elements), a number. */
const char *hd_kernel_name(hd_lowering *ctx, const char *kind, hd_op *const *ops, size_t count);
/* Keeps the names of the kernel's source ops on its function, as hd.source: for profiles. */
void hd_kernel_say_source(hd_lowering *ctx, hd_op *func, hd_op *const *ops, size_t count);
/* The kernel of |ops| by |emit|: emitted, or the one of equal ops that is there. Its name is made of |kind| and |told|.
 */
bool hd_kernel_of(hd_lowering *ctx, hd_emit_fn emit, const hd_kernel_ops *ops, const char *kind, hd_op *const *told,
                  size_t told_count, hd_loc loc, hd_kernel_launch *out);
/* A fusion at |b| without ops; a fusion of |op| alone in its place. */
hd_op *hd_empty_fusion(hd_builder b, hd_enum_kind kind);
hd_op *hd_wrap_in_fusion(hd_op *op, hd_enum_kind kind);
/* One kernel for |op|, by |emit|. */
bool hd_lower_by(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set, const char *kind, hd_emit_fn emit);

/* The stream of library calls: null on the CPU. */
hd_value *hd_lower_stream(hd_lowering *ctx, hd_builder *b);
/* A table of |count| words on the stack of the host function, which nobody writes to: |values|[i] where it is set
 * (null: none is), else |dims|[i]. That of an earlier op of the block where there is an equal one. */
hd_value *hd_host_table(hd_lowering *ctx, hd_builder *b, const hd_dim *dims, hd_value *const *values, uint32_t count,
                        hd_op *op);
/* A buffer of |count| words on the stack of the host function: memref<count x i64>. */
hd_value *hd_words_area(hd_builder *b, int64_t count);
/* A buffer of these dims for the time of |op|: freed after it. */
hd_value *hd_scratch(hd_lowering *ctx, hd_op *op, hd_type element, const hd_dim *dims, uint32_t rank);
/* What partial results of an element type are kept in: nothing is rounded to less than f32 between kernels. */
hd_type hd_partial_type(hd_type element);
/* A buffer like |like| for the time of |op|: freed after it. */
hd_value *hd_scratch_like(hd_lowering *ctx, hd_op *op, hd_value *like);
/* Where |op| writes memory that it reads, it writes a scratch buffer, which is copied there. */
bool hd_part_own_reads(hd_lowering *ctx, hd_op *op);
bool hd_lower_build_copy(hd_lowering *ctx, hd_builder *b, hd_value *from, hd_value *to, hd_op *op);

#endif
