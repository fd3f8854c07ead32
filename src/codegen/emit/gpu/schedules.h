/* SPDX-License-Identifier: Apache-2.0 */
/* GPU schedules: frames of parallel loops around the element generator, in the function of the buffers itself.
 *
 *   loop          one thread per element (or |vector| of them) of the roots' shape
 *   row, two      a block per row: each thread adds up every |threads|-th element, a round of shuffles in each warp,
 *                 the warps' results through shared memory, a second round
 *   row, one      a warp per row: one round of shuffles
 *                 the same in the order of elements where the reducer is any function (argmax)
 *   parts         reductions of other dims than the last ones, and of few long rows: blocks have parts of the elements,
 *                 which atomic operations or a second kernel bring together (parts_schedule.c)
 *   product       tiles of dots and convolutions, from strips of the operands in shared memory (product_schedule.c)
 *   transpose     tiles through shared memory, where a transpose moves the last dim (transpose_schedule.c)
 *
 * and three for ops that are no roots of fusions, since they write what they read or elements of others: scatter, sort,
 * select_and_scatter (in their files).
 *
 * A schedule gives scf.parallel loops with attributes that later passes read:
 *   hd.threads  the block size that the schedule wants     hd.kernel_name  what the kernel is called
 *   hd.host     in place of both: the host runs it, for its buffers are there
 *   hd.vector   elements that one thread does together     hd.vector_of    what is a multiple of that
 * Only roots (what lives on, and reductions) are expanded; their operands are loaded from the buffers of
 * their producers, which input-inline-fusion computes in place. Rows that fit have rooms in shared memory,
 * which disc-keep-rows fills. Every reduction's result is stored, also where nothing else needs it in
 * memory: the store tells what its loads are. */
#ifndef HD_CODEGEN_EMIT_GPU_SCHEDULES_H_
#define HD_CODEGEN_EMIT_GPU_SCHEDULES_H_

#include "codegen/emit/generate_products.h"
#include "codegen/emit/kernels.h"
#include "ir/ops/discardable.h"
#include "pass/target.h"

typedef enum hd_gpu_schedule {
  HD_GPU_LOOP,
  HD_GPU_ROW_TWO_ROUNDS,
  HD_GPU_ROW_ONE_ROUND,
  HD_GPU_ORDERED_TWO_ROUNDS,
  HD_GPU_ORDERED_ONE_ROUND,
  HD_GPU_PARTS,
  HD_GPU_TRANSPOSE,
  HD_GPU_PRODUCT
} hd_gpu_schedule;

/* Parameters of a kernel, in bytes. A value is a word, a buffer its pointer and its unknown sizes.
 * Before schedules are chosen: at most, since a size may come with its buffer and once more as a
 * loop's; with them the scalars of a launch. */
enum { HD_GPU_SCALAR_BYTES = 128 };
int64_t hd_gpu_parameter_bytes(hd_type type);
int64_t hd_gpu_parameter_bound(hd_type type);

typedef struct hd_gpu_frame {
  hd_generator g; /* direct; its builder is where the loops go */
  const hd_gpu_target *target;
  const hd_kernel_ops *ops;
  int64_t threads;      /* of a block */
  int64_t row_limit;    /* in the row schedules: no row has more elements; INT64_MAX: not known */
  int64_t vector;       /* elements that a thread has together: in the loop schedule, along rows */
  hd_enum_vector_of of; /* what is a multiple of |vector|: the last dim's elements or all */
  bool host;            /* the loops stay on the host */
  const char *name;
} hd_gpu_frame;

/* Each adds its loops at the builder; false with an error reported. Which reductions it takes:
 * rows: hd_is_row_reduction, and hd_is_atomic_reduction on the same operands' shape; parts: hd_is_simple_reduction of
 * one shape and the same dims, or one reduction by any function whose last dim stays. */
bool hd_gpu_emit_loop(hd_gpu_frame *f);
/* A dynamic_update_slice whose output holds the operand already: a thread per element of the update. */
bool hd_gpu_emit_update(hd_gpu_frame *f, hd_op *update);
bool hd_gpu_emit_rows(hd_gpu_frame *f, bool two_rounds);
/* |reduce| alone, whose results are the only roots. */
bool hd_gpu_emit_ordered_rows(hd_gpu_frame *f, hd_op *reduce, bool two_rounds);
/* |deterministic|: no atomic operations. */
bool hd_gpu_emit_parts(hd_gpu_frame *f, bool deterministic);
/* The transposes of a loop kernel that move the last dim, all from dim |dim| of the result, whose shape the roots have.
 * False: there are none, or the tiles of one kernel cannot do all of them. */
enum { HD_GPU_MAX_TRANSPOSES = 4 };
typedef struct hd_gpu_transposes {
  uint32_t count, dim;
  /* Of the dims up to |dim|, and up to the last one, that neighbour each other in the operands too: they count as one.
   */
  uint32_t first_p, first_q;
  hd_value *buffers[HD_GPU_MAX_TRANSPOSES]; /* their results */
  hd_attr orders[HD_GPU_MAX_TRANSPOSES];
} hd_gpu_transposes;
bool hd_gpu_find_transposes(hd_shapes *shapes, const hd_kernel_ops *ops, hd_arena *arena, hd_gpu_transposes *out);
/* The dims of a side of the tiles, as one. */
hd_dim hd_gpu_transposed_size(hd_shapes *shapes, hd_value *root, uint32_t first, uint32_t last);
bool hd_gpu_emit_transposes(hd_gpu_frame *f, const hd_gpu_transposes *transposes);
/* Does |op|, a reduction, reduce the last dim of its operand that has more than one element? */
bool hd_gpu_reduces_rows(hd_shapes *shapes, const hd_op *op);
/* Few enough to be added up where their sum is used: a kernel of their own has no use for its threads. */
enum { HD_GPU_FEW_ELEMENTS = 16 };
/* The elements that each result of |op|, a reduction, takes; null: not known. */
hd_dim hd_gpu_reduced_size(hd_shapes *shapes, const hd_op *op);
/* A reduction for the schedule of parts or by atomics beside rows: of other dims than the last ones. */
bool hd_gpu_is_parts_reduction(hd_shapes *shapes, const hd_op *op);

/* The tile of a schedule: of any but those of thin and large tiles the small one. No tile of
 * TILE_LARGE_WHOLE is cut off along columns and terms. */
const hd_gpu_tile *hd_gpu_tile_of(const hd_gpu_target *target, hd_enum_schedule schedule);
/* Has |op| a kernel of tiles: is it a product of numbers that are not complex, and of more than bits? */
bool hd_gpu_tiles_product(hd_op *op);
/* Is a thread for each of its results enough: small matrices, or few features in each of several groups? */
bool hd_gpu_is_small_product(hd_shapes *shapes, hd_op *op);
/* Its rows or columns (of a group); null: not known. */
hd_dim hd_gpu_product_size(hd_shapes *shapes, const hd_product *p, bool rows);
/* The terms of a sum; null: not known. */
hd_dim hd_gpu_product_terms(hd_shapes *shapes, const hd_product *p);
/* |p|, a product of such numbers, whose result or a transpose of it is the only output. |writers|: memref -> op of the
 * fusion. f->threads are those of the tile that |schedule| names. */
bool hd_gpu_emit_product(hd_gpu_frame *f, const hd_product *p, const hd_map *writers, hd_enum_schedule schedule);

/* Does |op| reduce trailing dims in a way that hd_is_row_reduction leaves: several operands, complex numbers, any
 * function? */
bool hd_gpu_is_ordered_reduction(const hd_op *op);

/* Of single ops, whose operands are all in memory. |deterministic|: no updates in any order. */
bool hd_gpu_emit_scatter(hd_gpu_frame *f, hd_op *op, bool deterministic);
bool hd_gpu_emit_sort(hd_gpu_frame *f, hd_op *op);
bool hd_gpu_emit_window_scatter(hd_gpu_frame *f, hd_op *op);
/* True for these ops. */
bool hd_gpu_has_schedule(const hd_op *op);

/* The kind of memref.atomic_rmw that does what the region of |op| (a reduce, a scatter of one operand) does, where the
 * hardware has it: add, minimum, maximum, and, or of signless 32- and 64-bit elements; null else. */
int hd_gpu_atomic_kind(const hd_op *op);
/* A column reduction with such a combination. */
bool hd_is_atomic_reduction(const hd_op *op);

/* Between the schedules. */
/* scf.parallel over [0, extents[i]) with |count| dims; the builder of its body. */
hd_builder hd_gpu_parallel(hd_gpu_frame *f, hd_value *const *extents, uint32_t count, const char *suffix);
/* The same over all elements of |buffer|, of a rank that kernels have; |*out_at|: the element's indices. */
hd_builder hd_gpu_over_elements(hd_gpu_frame *f, hd_value *buffer, const char *suffix, hd_index_tuple **out_at);
/* |value| of the lane |offset| away (exclusive or). Lanes exchange words of 32 and 64 bits: shorter integers travel as
 * i32. */
hd_value *hd_gpu_shuffle(hd_builder *b, hd_value *value, int64_t offset, int64_t width);
/* Shared memory for |count| values of |type|; a store and a load of one. */
hd_value *hd_gpu_shared(hd_builder *b, hd_type type, int64_t count);
void hd_gpu_store_shared(hd_builder *b, hd_value *value, hd_value *memory, hd_value *at);
hd_value *hd_gpu_load_shared(hd_builder *b, hd_value *memory, hd_value *at, hd_type type);
/* Marks a loop over elements for disc-vectorize-loops, if the frame has a vector width. */
void hd_gpu_mark_vector(hd_gpu_frame *f, hd_op *loop);
/* The loop that writes the initial value of an atomic reduction. */
bool hd_gpu_emit_initialiser(hd_gpu_frame *f, hd_op *reduce);
/* The loop that copies |from| into |to|; none where they are one. */
bool hd_gpu_emit_copy(hd_gpu_frame *f, hd_value *from, hd_value *to);
/* Combines |value| into the element of |buffer| at |at| by an atomic operation of that kind. */
void hd_gpu_emit_atomic_at(hd_gpu_frame *f, int kind, hd_value *buffer, const hd_index_tuple *at, hd_element value);
/* Combines |value| into the result of |reduce| at the kept dims of |at|, which indexes its operand. */
void hd_gpu_emit_atomic(hd_gpu_frame *f, hd_op *reduce, const hd_index_tuple *at, hd_element value);
/* Is dim |d| of |buffer| known to be 1? */
bool hd_gpu_is_unit(hd_shapes *shapes, hd_value *buffer, uint32_t d);
/* The index of position |linear| in dims |dims| of |buffer|, the last innermost, into those of |out|. */
void hd_gpu_place(hd_gpu_frame *f, hd_value *buffer, const uint32_t *dims, uint32_t count, hd_value *linear,
                  hd_index_tuple *out);
/* The index of position |linear| in the dims [from, to) of |root|, into |out|[from..to). */
void hd_gpu_delinearize(hd_gpu_frame *f, hd_value *root, uint32_t from, uint32_t to, hd_value *linear,
                        hd_lane_index *out);

#endif
