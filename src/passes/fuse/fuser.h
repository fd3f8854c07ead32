/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of disc-fusion: the state of one block, shared by its files: fusion.c (what an op can be part of, the pass),
 * producers.c (what is computed where it is read), products.c (what products write and read in another order or shape), groups.c (which ops become one kernel), joins.c (what may join what,
 * and why not), siblings.c (which kernels read the same), cycles.c (what must run between), limits.c (how large it may be), order.c (the block's order
 * afterwards). */
#ifndef HD_PASSES_FUSE_FUSER_H_
#define HD_PASSES_FUSE_FUSER_H_

#include "analysis/buffer_deps.h"
#include "analysis/buffer_op.h"
#include "analysis/indexing/of_op.h"
#include "codegen/emit/gpu/schedules.h"
#include "codegen/emit/kernels.h"
#include "codegen/emit/reduction.h"
#include "passes/passes.h"

typedef enum hd_fuse_kind { HD_FUSE_LOOP, HD_FUSE_ROW, HD_FUSE_GEMM, HD_FUSE_COLUMN } hd_fuse_kind;
typedef enum hd_fuse_class {
  HD_FUSE_OPAQUE,
  HD_FUSE_INLINE,
  HD_FUSE_ELEMENTWISE,
  HD_FUSE_ROW_REDUCE,
  HD_FUSE_COLUMN_REDUCE,
  HD_FUSE_GENERATED,
  HD_FUSE_DOT
} hd_fuse_class;

typedef struct hd_fuse_node {
  hd_op *op;
  hd_fuse_class class;
  uint32_t parent; /* union-find over groups */
  uint32_t first;  /* smallest member, at the root */
  uint32_t most;   /* largest member, at the root */
  uint32_t size;
  hd_fuse_kind kind;
  hd_value *shape;        /* of full shape */
  uint32_t first_reduced; /* rows reduce dims [first_reduced, rank); of columns a number that tells their dims */
  uint32_t next, last;    /* members as a list, from |first_member| at the root; UINT32_MAX ends it */
  uint32_t *sources;      /* nodes that are no inline ops and whose results it reads, through inline ops too */
  uint32_t *users;        /* the nodes whose sources it is among */
  uint32_t source_count, user_count;
  uint64_t label; /* of a group: its place in the order of groups (cycles.c), between those of its neighbours */
  uint32_t before, behind;
  bool has_generated; /* a member computes its elements by other means than elementwise */
  bool has_columns;   /* a member is a column reduction */
  bool reads_through; /* some of its sources through ops that move elements */
  bool reads_inline;  /* an opaque op whose kernel computes what it reads through inline ops: a scatter */
  bool is_of_product; /* a transpose that the product which it reads writes (products.c) */
  bool loaded;        /* its results follow from elements of buffers, so it waits for their writers */
  int64_t fusion;     /* the number of the program's own fusion that it is of; 0: of none (program_fusions.c) */
  uint32_t mark;
  uint32_t stages;       /* of a group: at most so many row reductions lie one under the other */
  uint32_t depth;        /* the same of a member, while stages are counted */
  int64_t bytes, shared; /* of a group: at most so many of parameters, and of shared memory */
} hd_fuse_node;

/* A join that was refused: op |reader| stays apart from the group of |source|, which it reads or which reads the same. */
typedef struct hd_fuse_refusal {
  uint32_t reader, source;
  const char *why;
} hd_fuse_refusal;

typedef hd_vec(uint32_t) hd_fuse_groups;

typedef struct hd_fuser {
  hd_pass *pass;
  hd_shapes *shapes;
  hd_arena *arena;
  hd_fuse_node *nodes;
  uint32_t count;
  hd_map index;   /* op -> index + 1 */
  hd_map writers; /* buffer -> index + 1 of its only writer in this block; -1: written more than once, or outside too */
  hd_map orders;  /* buffer of the latter kind -> buffer_order */
  hd_indexing *indexing; /* null until it is asked */
  hd_map moves;          /* op -> the map of its first operand, or null (joins.c) */
  uint32_t mark;
  hd_fuse_groups behind, ahead; /* of the last search for what runs between two groups: what both ends have come to */
  bool moves_back;              /* the second had nothing left; else the first */
  bool columns;                 /* reductions of leading dims make kernels with their producers */
  bool products_alone;          /* nothing joins a dot */
  bool has_fusions;             /* the program has fusions of its own, which are kept */
  bool explain;                 /* keep refusals */
  const hd_gpu_target
      *target; /* whose kernels must have parameters and shared memory; null: the CPU, which has no limits */
  hd_vec(hd_fuse_refusal) refusals;
} hd_fuser;

/* A check of sizes or a print (disc-hlo-legalize-to-lhlo): nothing that stands behind it may run before it. */
bool hd_is_check(const hd_op *op);
/* The root of the group that node |i| is in. */
uint32_t hd_fuser_find(hd_fuser *f, uint32_t i);
/* The node that alone writes |buffer| in this block, or UINT32_MAX. */
uint32_t hd_fuser_writer_of(hd_fuser *f, hd_value *buffer);
hd_value *hd_fuser_result_of(hd_fuser *f, uint32_t x);
/* Sets the fusions of nodes, where the program has its own; what one gives to another is in memory. */
void hd_fuser_find_program_fusions(hd_fuser *f);
/* With |products_alone|: what stands around products becomes part of them, or of no kernel. */
void hd_fuser_place_products(hd_fuser *f);
/* Why nodes |x| and |y| are apart by the program's fusions; null when they are not. */
const char *hd_fuser_why_other_fusion(const hd_fuser *f, uint32_t x, uint32_t y);
/* What |op| can be part of, by itself. */
hd_fuse_class hd_fuser_classify(const hd_fuser *f, hd_op *op);
/* "add" of lmhlo.add. */
const char *hd_fuser_op_name(const hd_op *op);

/* Visits the ops that compute |buffer|, looking through inline ops, and those that compute their index operands from
 * elements. |direct|: without an inline op between. Ends, with false, where |fn| gives false. */
typedef bool (*hd_source_fn)(hd_fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user);
bool hd_fuser_for_sources(hd_fuser *f, hd_value *buffer, bool direct, hd_source_fn fn, void *user);

/* What a kernel of several groups is. */
typedef struct hd_fuse_form {
  hd_fuse_kind kind;
  uint32_t first_reduced;
  hd_value *shape;
} hd_fuse_form;

/* Why |x|, an elementwise op or a reduction in group |own|, may not join group |g|, cycles apart; null when it may, as
 * |*form|. Without |explain| a reason may be "". */
const char *hd_fuser_why_apart(hd_fuser *f, uint32_t x, uint32_t own, uint32_t g, hd_fuse_form *form);
/* Why groups |a| and |b|, each of more than one op or a reduction, are no one kernel by what they are. */
const char *hd_fuser_why_kinds_differ(hd_fuser *f, uint32_t a, uint32_t b);
/* Starts the order of groups, when all sources are known. */
void hd_fuser_open_order(hd_fuser *f);
/* Must something run between groups |a| and |b|? Null, or what is known about it; where that is too far to tell, too.
 * With |directly|, what one reads of the other counts. There is a way from one to the other at most. */
const char *hd_fuser_why_cycle(hd_fuser *f, uint32_t a, uint32_t b, bool directly);
/* Group |into| takes the place of both in the order of groups, right after hd_fuser_why_cycle gave null for them. */
void hd_fuser_place_merged(hd_fuser *f, uint32_t into, uint32_t from);
/* Groups |into| and |from|, by their roots, become |into|, of |form|, right after hd_fuser_why_cycle gave null. */
void hd_fuser_merge(hd_fuser *f, uint32_t into, uint32_t from, const hd_fuse_form *form);
/* With |explain|, keeps why |reader| is apart from |source|. */
void hd_fuser_refuse(hd_fuser *f, uint32_t reader, uint32_t source, const char *why);
/* What node |x| needs by itself: all that it reads, through inline ops too, and writes. Nodes in the order of the
 * block. */
void hd_fuser_find_needs(hd_fuser *f, uint32_t x);
/* The stages of a kernel of groups |a| and |b|, which may be one: exact where their sum is more than a kernel has. */
uint32_t hd_fuser_stages(hd_fuser *f, uint32_t a, uint32_t b);
/* Why a kernel of groups |a| and |b| would be too large, for the target too; null when it would not. */
const char *hd_fuser_why_too_large(hd_fuser *f, uint32_t a, uint32_t b);
/* Elementwise ops that are to be computed where an op that moves elements reads them become inline ones. */
void hd_fuser_inline_producers(hd_fuser *f);
/* Joins the nodes into groups; classes and writers are set. With |explain|, each join that was refused is kept with its
 * reason. */
void hd_fuser_form_groups(hd_fuser *f);
/* Joins groups that read the same elements, after hd_fuser_form_groups. */
void hd_fuser_join_siblings(hd_fuser *f);
/* Puts the ops of |block| into an order that keeps, for every buffer, the old order of a write and any other access.
 * Ops stay where they are unless a fusion, which stands at its last member's place, must come earlier than a reader. */
void hd_fuser_reorder(hd_fuser *f, hd_block *block);

#endif
