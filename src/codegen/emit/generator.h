/* SPDX-License-Identifier: Apache-2.0 */
/* The element generator: the value of a buffer at an index, computed where it is needed. A buffer that the kernel's ops
 * write is computed from their operands, back to the kernel's inputs, which are loaded; nothing in between is stored.
 * Values are made once per (buffer, index tuple), so diamonds stay linear.
 *
 * Buffers are written once (in-place updates are kernels of their own), so a memref names a value.
 *
 * Code goes into a kernel function of its own, whose arguments are made as they are needed, or (|direct|) into the
 * function of the buffers itself: they are then read in their own shape, and dims are host values. */
#ifndef HD_CODEGEN_EMIT_GENERATOR_H_
#define HD_CODEGEN_EMIT_GENERATOR_H_

#include "analysis/buffer_op.h"
#include "codegen/emit/elementwise.h"
#include "codegen/emit/lane_index.h"
#include "shape/shapes.h"

/* Gives the host value of a dim where the launch is, null (with an error reported) when it is not known there. */
typedef hd_value *(*hd_host_dim_fn)(void *user, hd_dim dim);

typedef struct hd_pieces hd_pieces; /* pieces.h */

typedef struct hd_generator {
  hd_arena *arena;
  hd_builder *b;               /* where code is made */
  hd_shapes *shapes;           /* of the host function */
  hd_op *kernel;               /* the func.func being filled; its last two arguments are the range */
  hd_map writers;              /* memref -> the op of this kernel that writes it */
  hd_map arguments;            /* memref -> kernel argument (flat memref) */
  hd_map scalars;              /* host index value, or dim -> kernel argument */
  hd_vec(hd_value *) operands; /* of the launch, in the order of the arguments; see hd_kernel_launch */
  hd_vec(hd_dim) dims;
  uint32_t wide;            /* lanes of the vectors of loops that HD_LANES of them end; 0: HD_LANES all the way */
  hd_map fixed;             /* memref -> hd_element: values that are there already (row results, a tile) */
  hd_map stored;            /* memref -> output whose memory holds its elements already */
  hd_map cache;             /* (memref, tuple, lanes) -> hd_element */
  hd_map columns;           /* (kernel argument, block, indices of rows) -> the columns of rows side by side */
  uint32_t lanes;           /* of the code being made; 0 is scalar code */
  hd_value *mask;           /* vector<lanes x i1> of lanes that count, null for all */
  hd_value *whole;          /* i1: all lanes of |mask| count; null: they mostly do not, or there is no mask */
  hd_value *stream;         /* i1, for the whole launch: whole vectors are stored past the caches; null: none is */
  hd_value *leader;         /* output at whose stores past the caches |ahead| is prefetched */
  hd_vec(hd_value *) ahead; /* inputs that are read where |leader| is written */
  bool compact;             /* loops are written once, masked, and on one row at a time */
  hd_pieces *pieces;        /* of the loop over the innermost dims; null: it is not divided */
  hd_host_dim_fn direct;    /* set: no kernel function, see above */
  void *direct_user;
  bool failed; /* |direct| has given null, or a size was asked for that no expression gives */
} hd_generator;

/* Prepares a generator for the ops of one kernel. |ops| in order. */
void hd_generator_init(hd_generator *g, hd_shapes *shapes, hd_builder *b, hd_op *kernel, hd_op *const *ops,
                       size_t count, hd_arena *arena);

/* A generator for code in the function of the buffers itself, in scalars. */
void hd_generator_init_direct(hd_generator *g, hd_shapes *shapes, hd_builder *b, hd_host_dim_fn dim, void *user,
                              hd_arena *arena);

/* One element of a buffer in its own shape, from memory type to compute type and back; scalar code. */
hd_element hd_load_element(hd_builder *b, hd_value *buffer, hd_value *const *indices, hd_arena *arena);
/* |value| as memory of |element| has it: rounded, parts together. */
hd_value *hd_stored_value(hd_builder *b, hd_type element, hd_element value);
void hd_store_element(hd_builder *b, hd_value *buffer, hd_value *const *indices, hd_element value, hd_arena *arena);

/* True for a buffer op whose result is computed element by element, at these types. */
bool hd_is_elementwise(const hd_op *op);
/* True when the generator can compute this op's result inside a consumer. */
bool hd_can_generate(hd_op *op);
/* True when it can compute every region of |op|, at any level, as a function of elements: a reducer, a comparator, the
 * computation of map. */
bool hd_can_generate_regions(const hd_op *op);

/* The element of |buffer| at |index| in the buffer's compute type; false with an error reported. */
bool hd_generate(hd_generator *g, hd_value *buffer, const hd_index_tuple *index, hd_element *out);
/* Stores one element per lane into the kernel's argument for |buffer|. */
bool hd_generate_store(hd_generator *g, hd_value *buffer, const hd_index_tuple *index, hd_element value);

/* Does |buffer| follow element by element from memory? Then an index may as well be the position of the element, in the
 * last dim: reshapes do not change it. */
bool hd_generate_by_position(hd_generator *g, hd_value *buffer);

/* Kernel values of a dim expression and of a host index value (made arguments of the kernel when not constant). */
hd_value *hd_generate_dim(hd_generator *g, hd_dim dim);
hd_value *hd_generate_scalar(hd_generator *g, hd_value *host);
/* The kernel argument with the bytes beyond which a launch stores past the caches (ral_stream_bytes). */
hd_value *hd_generate_stream_bytes(hd_generator *g);
hd_index_tuple *hd_new_tuple(hd_generator *g, uint32_t rank);
static inline hd_lanes hd_generator_lanes(hd_generator *g) { return (hd_lanes){g->b, g->lanes}; }
/* A value in every lane: broadcasts a scalar in vector code. */
hd_element hd_spread_element(hd_generator *g, hd_element value);

#endif
