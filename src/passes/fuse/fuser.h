/* SPDX-License-Identifier: Apache-2.0 */
/* Internal header of disc-fusion: the state of one block, which the files of this folder share.
 *
 *   fusion.c           the pass: the steps below, in their order
 *   nodes.c            a node per op: its class, and the only writer of each buffer
 *   program_fusions.c  fusions that the program has already are kept as they are
 *   producers.c        elementwise ops that are computed where they are read
 *   products.c         transposes and reshapes around matrix products
 *   groups.c           a group per kernel: each op joins the groups of its producers where nothing blocks it
 *   siblings.c         groups that read the same elements become one
 *   joins.c            fusion blockers: why two groups are not one kernel; reads.c: how one reads the other
 *   cycles.c           the same for dependence cycles; limits.c: for the size of a kernel
 *   build.c            the lmhlo.fusion of each group
 *   order.c            a new order of the block that keeps every dependence */
#ifndef HD_PASSES_FUSE_FUSER_H_
#define HD_PASSES_FUSE_FUSER_H_

#include "analysis/buffer_deps.h"
#include "analysis/buffer_op.h"
#include "analysis/indexing/of_op.h"
#include "codegen/emit/gpu/schedules.h"
#include "codegen/emit/kernels.h"
#include "codegen/emit/reduction.h"
#include "passes/passes.h"

enum { HD_FUSE_MAX_INLINE = 256 }; /* inline ops that a reader computes to read one operand */

/* How a kernel is scheduled; fusion.c says what each may have in it. */
typedef enum hd_fuse_kind { HD_FUSE_LOOP, HD_FUSE_ROW, HD_FUSE_GEMM, HD_FUSE_COLUMN } hd_fuse_kind;

/* What an op can be part of, by itself. */
typedef enum hd_fuse_class {
  HD_FUSE_OPAQUE, /* no kernel */
  HD_FUSE_INLINE, /* every kernel that reads it computes it: ops that only move indices, splat constants */
  HD_FUSE_ELEMENTWISE,
  HD_FUSE_ROW_REDUCE,    /* a reduction of trailing dims */
  HD_FUSE_COLUMN_REDUCE, /* a reduction of other dims, where such kernels exist */
  HD_FUSE_GENERATED,     /* an element of it is no function of the elements at the same indices: a gather, a pad */
  HD_FUSE_DOT            /* a matrix product or convolution */
} hd_fuse_class;

/* An op of the block; and, at the root of the union-find, the group that it is in. Indices are of the block's order. */
typedef struct hd_fuse_node {
  hd_op *op;
  hd_fuse_class class;
  uint32_t *producers; /* nodes, inline ones excepted, whose results it reads, through inline ops too */
  uint32_t *users;     /* the nodes of which it is a producer */
  uint32_t producer_count, user_count;
  bool reads_through; /* some of its producers through ops that move elements */
  bool widens;        /* a conversion that groups which read it compute again (build.c) */
  bool reads_inline;  /* an opaque op whose kernel computes inline ops that it reads: a scatter */
  bool is_of_product; /* a transpose that the product which it reads writes (products.c) */
  bool loaded;        /* its results are functions of elements of buffers: it depends on their writers */
  int64_t fusion;     /* number of the program's own fusion that it belongs to; 0: none (program_fusions.c) */
  uint32_t depth;     /* row reductions on the longest path to it, while stages are counted */

  uint32_t parent; /* union-find over groups */
  /* Of a group: */
  uint32_t first_index, last_index; /* of its members in the block */
  uint32_t size;
  uint32_t next_member, last_member; /* a list of members that starts at the root; UINT32_MAX ends it */
  hd_fuse_kind kind;
  hd_value *shape;        /* a buffer of the shape that the kernel iterates over */
  uint32_t first_reduced; /* of rows: dims [first_reduced, rank) are reduced; of columns: a set of dims as a number */
  bool has_generated;     /* a member is HD_FUSE_GENERATED or HD_FUSE_DOT */
  bool has_columns;       /* a member is HD_FUSE_COLUMN_REDUCE */
  uint32_t stages;        /* bound of the row reductions that depend on each other */
  int64_t bytes, shared;  /* bounds of its parameters and of its shared memory */
  uint64_t label;         /* its position in the topological order of groups, which is a list (cycles.c) */
  uint32_t previous_group, next_group;
  uint32_t mark; /* of the last search that reached it */
} hd_fuse_node;

/* |reader| is not in the group of |producer|, which it reads or which reads the same buffer. */
typedef struct hd_fuse_blocker {
  uint32_t reader, producer;
  const char *reason;
} hd_fuse_blocker;

typedef hd_vec(uint32_t) hd_fuse_groups;

typedef struct hd_fuser {
  hd_pass *pass;
  hd_shapes *shapes;
  hd_arena *arena;
  const hd_gpu_target *target; /* its limits of parameters and shared memory hold; null: the CPU, which has none */
  bool columns;                /* reductions of leading dims make kernels with their producers */
  bool products_alone;         /* nothing joins a product */
  bool explain;                /* collect blockers */
  hd_fuse_node *nodes;
  uint32_t count;
  hd_map index;   /* op -> index + 1 */
  hd_map writers; /* buffer -> index + 1 of its only writer in this block; -1: written more than once, or outside too */
  hd_map orders;  /* buffer of the latter kind -> buffer_order (groups.c) */
  hd_indexing *indexing;            /* created on first use */
  hd_map moves;                     /* op -> the index map of its first operand, or null (reads.c) */
  bool has_fusions;                 /* the program has fusions of its own */
  uint32_t mark;                    /* of the last search for a cycle */
  hd_fuse_groups backward, forward; /* groups that it reached from the later and from the earlier of the two */
  bool backward_is_complete;        /* |backward| holds all that there is; else |forward| does */
  hd_vec(hd_fuse_blocker) blockers;
} hd_fuser;

/* nodes.c */

/* Sets |f->nodes|, |index|, |writers| and classes from the ops of |block|. */
void hd_fuser_init_nodes(hd_fuser *f, hd_block *block);
/* What |op| can be part of, by itself. */
hd_fuse_class hd_fuser_classify(const hd_fuser *f, hd_op *op);
/* The node that alone writes |buffer| in this block, or UINT32_MAX. */
uint32_t hd_fuser_writer_of(hd_fuser *f, hd_value *buffer);
hd_value *hd_fuser_result_of(hd_fuser *f, uint32_t x);
/* Is dim |d| of |buffer| one, provably? */
bool hd_fuser_dim_is_one(hd_fuser *f, hd_value *buffer, uint32_t d);
/* "add" of lmhlo.add. */
const char *hd_fuser_op_name(const hd_op *op);
/* A check of sizes or a print (disc-hlo-legalize-to-lhlo): no later op may run before it. */
bool hd_is_check(const hd_op *op);

/* Before groups are formed */

/* Sets the fusions of nodes, where the program has its own; values between two of them are in memory. */
void hd_fuser_find_program_fusions(hd_fuser *f);
/* Elementwise ops that are to be computed where an op that moves elements reads them become inline ones. */
void hd_fuser_inline_producers(hd_fuser *f);
/* With |products_alone|: transposes and reshapes next to products become part of them, or of no kernel. */
void hd_fuser_extend_products(hd_fuser *f);

/* Groups */

/* The root of the group that node |i| is in. */
uint32_t hd_fuser_find(hd_fuser *f, uint32_t i);
/* Joins the nodes into groups; classes and writers are set. */
void hd_fuser_form_groups(hd_fuser *f);
/* Joins groups that read the same elements, after hd_fuser_form_groups. */
void hd_fuser_join_siblings(hd_fuser *f);

/* Calls |fn| for the nodes that compute |buffer|, looking through inline ops, and for those that load the index
 * operands of these. |direct|: no inline op is in between. Stops, with false, where |fn| returns false. */
typedef bool (*hd_producer_fn)(hd_fuser *f, uint32_t producer, hd_value *buffer, bool direct, void *user);
bool hd_fuser_for_each_producer(hd_fuser *f, hd_value *buffer, bool direct, hd_producer_fn fn, void *user);

/* The kernel that several groups would be. */
typedef struct hd_fuse_kernel {
  hd_fuse_kind kind;
  uint32_t first_reduced;
  hd_value *shape;
} hd_fuse_kernel;

/* Merges groups |into| and |from|, by their roots, directly after hd_fuser_cycle_blocker returned null for them. */
void hd_fuser_merge(hd_fuser *f, uint32_t into, uint32_t from, const hd_fuse_kernel *kernel);
/* With |explain|, records why |reader| is not in the group of |producer|. */
void hd_fuser_note_blocker(hd_fuser *f, uint32_t reader, uint32_t producer, const char *reason);

/* Fusion blockers: the reason why a join is not possible, for a person to read; null where it is. Without |explain| a
 * reason may be "". */

/* For |x|, an elementwise op or a reduction in group |own|, with group |g|, cycles excepted. Null sets |*kernel|. */
const char *hd_fuser_join_blocker(hd_fuser *f, uint32_t x, uint32_t own, uint32_t g, hd_fuse_kernel *kernel);
/* For groups |a| and |b|, each of more than one op or a reduction, by their kinds and shapes. */
const char *hd_fuser_kind_blocker(hd_fuser *f, uint32_t a, uint32_t b);
/* For nodes |x| and |y|, by the program's own fusions. */
const char *hd_fuser_program_blocker(const hd_fuser *f, uint32_t x, uint32_t y);
/* For groups |a| and |b|, by the limits of a kernel, the target's too. */
const char *hd_fuser_size_blocker(hd_fuser *f, uint32_t a, uint32_t b);
/* For groups |a| and |b|, of which at most one depends on the other: a node outside of both that depends on one and on
 * which the other depends. With |directly|, a direct dependence of one on the other counts too. Gives up, with a
 * reason, after a bounded number of edges. */
const char *hd_fuser_cycle_blocker(hd_fuser *f, uint32_t a, uint32_t b, bool directly);

/* reads.c */

/* Is |buffer| one number per row of |full|: the leading dims, then ones? */
bool hd_fuser_is_row_shaped(hd_fuser *f, hd_value *buffer, hd_value *full, uint32_t first_reduced);
/* Does an operand of |x| come from group |g| without an inline op in between? */
bool hd_fuser_reads_directly(hd_fuser *f, uint32_t x, uint32_t g);
/* Does no operand of |x| come from group |g| through an inline op? */
bool hd_fuser_reads_only_directly(hd_fuser *f, uint32_t x, uint32_t g);
/* Does every operand of |x| that comes from |g| through inline ops read, in each row of |full|, that row's number
 * alone? */
bool hd_fuser_reads_only_by_rows(hd_fuser *f, uint32_t x, uint32_t g, hd_value *full, uint32_t first_reduced);
/* The member of |group| that is HD_FUSE_GENERATED or HD_FUSE_DOT and reads a result of |other|, which must then be in
 * memory before the kernel starts; UINT32_MAX: there is none. */
uint32_t hd_fuser_generated_reader(hd_fuser *f, uint32_t group, uint32_t other);
/* Has |group| a reduction whose initial value |other| computes? It must be in memory before the kernel starts. */
bool hd_fuser_starts_from(hd_fuser *f, uint32_t group, uint32_t other);
/* Does a member of |group| read a column reduction of |other|? Its value exists when all of the kernel has run. */
bool hd_fuser_reads_columns(hd_fuser *f, uint32_t group, uint32_t other);

/* cycles.c, limits.c */

/* Starts the topological order of groups, when all producers are known. */
void hd_fuser_init_group_order(hd_fuser *f);
/* Group |into| takes the place of both in the order, directly after hd_fuser_cycle_blocker returned null for them. */
void hd_fuser_order_merged(hd_fuser *f, uint32_t into, uint32_t from);
/* Sets |bytes| and |shared| of node |x|, a group of its own. Nodes in the order of the block. */
void hd_fuser_bound_resources(hd_fuser *f, uint32_t x);
/* The stages of a kernel of groups |a| and |b|, which may be one: exact where their sum is more than a kernel may have.
 */
uint32_t hd_fuser_stages(hd_fuser *f, uint32_t a, uint32_t b);

/* After groups are formed */

/* Makes a lmhlo.fusion of each group, with copies of the inline ops that it reads through, and erases inline ops that
 * nothing else reads. With the pass option "explain", sets hd.node and hd.fusion_blockers. */
void hd_fuser_build_fusions(hd_fuser *f);
/* Sorts the ops of |block| so that, for every buffer, a write and any other access keep their order. Ops stay where
 * they are unless a fusion, which is at the position of its last member, must come before a reader. */
void hd_fuser_reorder(hd_fuser *f, hd_block *block);

#endif
