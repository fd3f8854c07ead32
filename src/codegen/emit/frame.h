/* SPDX-License-Identifier: Apache-2.0 */
/* What loop and row kernels share: the function, the iteration dims, the vector loop with its masked tail. */
#ifndef HD_CODEGEN_EMIT_FRAME_H_
#define HD_CODEGEN_EMIT_FRAME_H_

#include "codegen/emit/kernels.h"

typedef struct hd_frame {
  hd_generator g;
  const hd_kernel_ops *ops;
  hd_builder entry; /* the body of the function */
  hd_value *begin, *end;
} hd_frame;

/* A function with the range alone; operands come as the generator asks for them. */
void hd_frame_open(hd_frame *f, hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena);
/* Ends the function and fills |out| but for extent and grain. False, with an error at the kernel's ops, when the
 * generator was asked for a size that no expression gives. */
bool hd_frame_close(hd_frame *f, hd_kernel_launch *out);

/* About how many elements of the shape that is walked a microsecond is enough for, |ops| being done once for each. Of a
 * kernel that reduces |reduced| only ops of its elements are, reductions too: others are done once a row. With null
 * reductions read many elements for one. */
int64_t hd_grain_elements(hd_shapes *shapes, const hd_kernel_ops *ops, hd_value *reduced);

/* Before the loops: there are |items| of |elements| each, |per_grain| of which are about a microsecond of work, which
 * a launch calls a grain. Fills |out|'s extent and grain: items of less than that are several to a grain; one of more
 * is counted as several parts, the last item as one: no thread helps with it. An item belongs to the range that its
 * first part is in. So a launch says how much work there is for several threads; |f->begin| and |f->end| are items
 * after it. */
void hd_frame_divide(hd_frame *f, hd_dim items, hd_dim elements, int64_t per_grain, hd_kernel_launch *out);

/* Before the loops: whole vectors of |ops|' outputs are stored past the caches when the launch moves more than
 * those hold. |full| is a buffer of the shape that is walked; what is counted are the inputs and outputs of as
 * many elements. Not for outputs that the kernel reads again, and not for more outputs than the machine can
 * gather lines of at once (about ten): a line that is written in parts costs more than one in the cache.
 * |interleaved|: inputs are read between the stores, which leave the machine's own prefetchers too little room:
 * those of |full|'s shape are prefetched with the stores. */
void hd_frame_stream(hd_frame *f, const hd_kernel_ops *ops, hd_value *full, bool interleaved);

/* Which neighbouring dims of |root|'s shape may be walked as one: out[d] is true when d and d + 1 always appear
 * together, in order and whole, in every access of the ops. */
void hd_merge_dims(hd_generator *g, hd_value *const *roots, size_t root_count, uint32_t rank, bool *out);

/* The indices of dims [from, to) at linear position |linear|: a merged run gets its position in its last dim and 0
 * before, which is the same address. */
void hd_delinearize(hd_generator *g, hd_value *root, const bool *merged, uint32_t from, uint32_t to, hd_value *linear,
                    hd_lane_index *out);

/* for (i = lower; i < upper; i += HD_LANES): |body| once with full vectors, once more with a mask for what is left.
 * Where |g->wide| is set and nothing is carried, vectors of so many lanes go first.
 * |size|, null when unknown: the range is [0, size), or a part of it that starts at a multiple of HD_LANES and ends at
 * one or at |size|. What of the two bodies that rules out is not made,
 * and a long one is made once, masked, for all.
 * |values| are carried through. With |join|, which puts |others| into |values|, all being partial
 * results that started from the same neutral ones, a short body first runs on several vectors at
 * once, so that it need not wait for itself. */
typedef bool (*hd_vector_body)(hd_generator *g, void *user, hd_lane_index i, hd_value **values);
typedef bool (*hd_vector_join)(hd_generator *g, void *user, hd_value **values, hd_value *const *others);
bool hd_vector_loop(hd_generator *g, hd_value *lower, hd_value *upper, hd_dim size, hd_value **values,
                    uint32_t value_count, hd_vector_body body, hd_vector_join join, void *user);

#endif
