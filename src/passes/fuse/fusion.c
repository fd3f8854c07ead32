/* SPDX-License-Identifier: Apache-2.0 */
/* disc-fusion: groups buffer ops so that each group becomes one kernel.
 *
 *   "lmhlo.multiply"(%x, %y, %t)          "lmhlo.fusion"() ({
 *   "lmhlo.add"(%t, %z, %out)       ->      "lmhlo.multiply"(%x, %y, %t)
 *                                           "lmhlo.add"(%t, %z, %out)
 *                                           "lmhlo.terminator"()
 *                                         }) {hd.kind = "loop"}
 *
 * Kinds
 *   loop  all results have one shape, by provably equal dims; elementwise ops, and one op at most that computes its
 *         elements another way (a gather, a pad, a reduction of another kind) under them
 *   row   reductions of trailing dims with what makes their operands and what uses their results row by row
 *   gemm  a dot or a convolution with the elementwise ops on its result
 * Ops that only move indices (broadcast, reshape, slice, ...) and splat constants belong to no group: a copy of them
 * goes into every group that reads through them, and what no other op reads is not materialised.
 *
 * Groups grow in the order of the program: an op joins the groups of its operands when that makes no cycle (a path that
 * leaves the group and comes back), one shape, and a kernel within the parameter limit. Then the block is put into an
 * order that keeps every dependence through buffers. */
#include <stdio.h>

#include "analysis/buffer_deps.h"
#include "codegen/emit/kernels.h"
#include "passes/passes.h"

enum { MAX_GROUP_BUFFERS = 120, MAX_SEARCH = 4096 };

typedef enum group_kind { LOOP, ROW, GEMM } group_kind;
typedef enum op_class { OPAQUE, INLINE, ELEMENTWISE, ROW_REDUCE, GENERATED, DOT } op_class;

typedef struct node {
  hd_op *op;
  op_class class;
  uint32_t parent; /* union-find over groups */
  uint32_t first;  /* smallest member, at the root */
  uint32_t size;
  group_kind kind;
  hd_value *shape; /* of full shape */
  uint32_t first_reduced;
  uint32_t next, last; /* members as a list, from |first_member| at the root; UINT32_MAX ends it */
  uint32_t *sources;   /* nodes that are no inline ops and whose results it reads, through inline ops too */
  uint32_t source_count;
  bool has_generated; /* a member computes its elements by other means than elementwise */
  bool loaded;        /* its results follow from elements of buffers, so it waits for their writers */
  uint32_t mark;
} node;

typedef struct fuser {
  hd_pass *pass;
  hd_shapes *shapes;
  hd_arena *arena;
  node *nodes;
  uint32_t count;
  hd_map index;   /* op -> index + 1 */
  hd_map writers; /* buffer -> index + 1 of its only writer in this block; -1: written more than once, or outside too */
  hd_map orders;  /* buffer of the latter kind -> buffer_order */
  uint32_t mark;
} fuser;

static uint32_t find(fuser *f, uint32_t i) {
  while (f->nodes[i].parent != i) i = f->nodes[i].parent = f->nodes[f->nodes[i].parent].parent;
  return i;
}

/* Is the result of a convolution [batch, positions in order, features], which is how its tiles come? */
static bool keeps_positions(hd_op *op) {
  hd_attr n = hd_op_attr_get(op, "dimension_numbers"), space = hd_struct_get(n, "output_spatial_dimensions");
  size_t count = hd_attr_count(space);
  hd_attr batch = hd_struct_get(n, "output_batch_dimension"), feature = hd_struct_get(n, "output_feature_dimension");
  bool keeps = (!batch || batch->integer == 0) && feature && feature->integer == (int64_t)count + 1;
  for (size_t i = 0; i < count; ++i) keeps &= hd_attr_int_at(space, i) == (int64_t)i + 1;
  return keeps;
}

static op_class classify(hd_op *op) {
  if (!op->info->derived_from) return OPAQUE;
  switch (hd_buffer_opcode(op)) {
    case HD_OP_stablehlo_iota:
    case HD_OP_stablehlo_dynamic_iota:
    case HD_OP_stablehlo_broadcast_in_dim:
    case HD_OP_stablehlo_dynamic_broadcast_in_dim:
    case HD_OP_stablehlo_reshape:
    case HD_OP_stablehlo_dynamic_reshape:
    case HD_OP_stablehlo_transpose:
    case HD_OP_stablehlo_slice:
    case HD_OP_stablehlo_real_dynamic_slice:
    case HD_OP_stablehlo_dynamic_slice:
    case HD_OP_stablehlo_reverse:
      return INLINE;
    case HD_OP_stablehlo_constant:
      return hd_can_generate(op) ? INLINE : OPAQUE;
    case HD_OP_stablehlo_reduce:
      return hd_is_row_reduction(op) ? ROW_REDUCE : GENERATED;
    case HD_OP_stablehlo_dot:
    case HD_OP_stablehlo_dot_general:
      return DOT;
    case HD_OP_stablehlo_convolution:
      return keeps_positions(op) ? DOT : OPAQUE;
    case HD_OP_stablehlo_dynamic_conv:
      return OPAQUE;
    case HD_OP_mhlo_copy:
      return OPAQUE;
    default:
      break;
  }
  if (!hd_can_generate(op)) return OPAQUE;
  uint32_t typed =
      hd_buffer_opcode(op) == HD_OP_stablehlo_select || hd_buffer_opcode(op) == HD_OP_stablehlo_clamp ? 1 : 0;
  bool elementwise = hd_can_emit_elementwise(hd_buffer_opcode(op), hd_type_element(hd_operand_type(op, typed)),
                                             hd_type_element(hd_buffer_output(op, 0)->type));
  return elementwise ? ELEMENTWISE : GENERATED;
}

static uint32_t writer_of(fuser *f, hd_value *buffer) {
  hd_map_entry *entry = hd_map_find(&f->writers, buffer);
  return entry && entry->value.i64 > 0 ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
}

/* Visits the ops that compute |buffer|, looking through inline ops, and those that compute their index operands from
 * elements. */
typedef bool (*source_fn)(fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user);

/* The node of this block that defines |value|, an index that follows from elements of buffers or a buffer that control
 * flow gives; UINT32_MAX when there is none. */
static uint32_t loader_of(fuser *f, hd_value *value) {
  bool buffer = hd_type_is(value->type, HD_TYPE_MEMREF);
  hd_op *def = hd_value_op(buffer ? hd_buffer_root(value) : value);
  if (!def || hd_op_is(def, HD_OP_memref_alloc)) return UINT32_MAX;
  hd_map_entry *entry = hd_map_find(&f->index, def);
  return entry && (buffer || f->nodes[entry->value.i64 - 1].loaded) ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
}

static bool for_sources(fuser *f, hd_value *buffer, bool direct, source_fn fn, void *user) {
  uint32_t w = writer_of(f, buffer);
  if (w == UINT32_MAX) return true;
  if (f->nodes[w].class != INLINE) return fn(f, w, buffer, direct, user);
  hd_op *op = f->nodes[w].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i)
    if (!for_sources(f, hd_operand(op, i), false, fn, user)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    uint32_t loader = loader_of(f, hd_operand(op, i));
    if (loader != UINT32_MAX && !fn(f, loader, buffer, false, user)) return false;
  }
  return true;
}

static bool dim_is_one(fuser *f, hd_value *buffer, uint32_t d) {
  int64_t one;
  return hd_dim_is_const(&f->shapes->table, hd_shapes_dim(f->shapes, buffer, d), &one) && one == 1;
}

/* Is |buffer| one number per row of |full|: the leading dims, then ones? */
static bool is_row_shaped(fuser *f, hd_value *buffer, hd_value *full, uint32_t first_reduced) {
  uint32_t rank = hd_type_rank(buffer->type);
  if (rank < first_reduced) return false;
  for (uint32_t d = 0; d < rank; ++d) {
    if (d >= first_reduced
            ? !dim_is_one(f, buffer, d)
            : !hd_dim_equal(&f->shapes->table, hd_shapes_dim(f->shapes, buffer, d), hd_shapes_dim(f->shapes, full, d)))
      return false;
  }
  return true;
}

/* Reads |buffer| through inline ops, of which every one keeps a row's number in its row; the op at the end is returned.
 */
static uint32_t row_source(fuser *f, hd_value *buffer, hd_value *full, uint32_t first_reduced) {
  for (;;) {
    uint32_t w = writer_of(f, buffer);
    if (w == UINT32_MAX || f->nodes[w].class != INLINE) return w;
    hd_op *op = f->nodes[w].op;
    hd_opcode opcode = hd_buffer_opcode(op);
    hd_value *operand = hd_buffer_input_count(op) ? hd_operand(op, 0) : NULL;
    if (!operand || !is_row_shaped(f, operand, full, first_reduced)) return UINT32_MAX;
    if (opcode == HD_OP_stablehlo_broadcast_in_dim || opcode == HD_OP_stablehlo_dynamic_broadcast_in_dim) {
      hd_attr dims = hd_op_attr_get(op, "broadcast_dimensions");
      for (uint32_t d = 0; d < first_reduced; ++d)
        if (hd_attr_int_at(dims, d) != d) return UINT32_MAX;
    } else if (opcode != HD_OP_stablehlo_reshape && opcode != HD_OP_stablehlo_dynamic_reshape) {
      return UINT32_MAX;
    }
    if (!is_row_shaped(f, buffer, full, first_reduced) && !hd_shapes_same(f->shapes, buffer, full)) return UINT32_MAX;
    buffer = operand;
  }
}

/* Does node |at|, or the group that it runs with, depend on |group|? Searched backwards from what they read, bounded.
 */
typedef struct search {
  uint32_t group, low, steps;
} search;

static bool depends_on(fuser *f, uint32_t at, search *s) {
  if (at < s->low || f->nodes[at].mark == f->mark) return false;
  if (++s->steps > MAX_SEARCH) return true; /* too far to tell: assume the worst */
  for (uint32_t m = find(f, at); m != UINT32_MAX; m = f->nodes[m].next) {
    f->nodes[m].mark = f->mark;
    for (uint32_t i = 0; i < f->nodes[m].source_count; ++i) {
      uint32_t source = f->nodes[m].sources[i];
      if (find(f, source) == s->group) return true;
      if (find(f, source) != find(f, at) && depends_on(f, source, s)) return true;
    }
  }
  return false;
}

/* Would a kernel of groups |a| and |b| need a value that itself needs the kernel? */
static bool makes_cycle(fuser *f, uint32_t a, uint32_t b) {
  uint32_t both[2] = {a, b};
  for (int from = 0; from < 2; ++from)
    for (int to = 0; to < 2; ++to) {
      search s = {both[to], f->nodes[both[to]].first, 0};
      ++f->mark;
      for (uint32_t m = both[from]; m != UINT32_MAX; m = f->nodes[m].next)
        for (uint32_t i = 0; i < f->nodes[m].source_count; ++i) {
          uint32_t source = f->nodes[m].sources[i], root = find(f, source);
          if (root != a && root != b && depends_on(f, source, &s)) return true;
        }
    }
  return false;
}

static void merge(fuser *f, uint32_t into, uint32_t from) {
  into = find(f, into);
  from = find(f, from);
  if (into == from) return;
  node *a = &f->nodes[into], *b = &f->nodes[from];
  if (b->first < a->first) a->first = b->first;
  a->size += b->size;
  a->has_generated |= b->has_generated;
  f->nodes[a->last].next = from;
  a->last = b->last;
  b->parent = into;
}

/* How |x| would read group |g|: directly with the group's full shape, by rows, or not so that it can join. */
static bool reads_directly(fuser *f, uint32_t x, uint32_t g) {
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) {
    uint32_t w = writer_of(f, hd_operand(op, i));
    if (w != UINT32_MAX && f->nodes[w].class != INLINE && find(f, w) == g) return true;
  }
  return false;
}

typedef struct all_reads {
  uint32_t group;
  bool ok;
} all_reads;

static bool check_direct(fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user) {
  (void)buffer;
  all_reads *r = user;
  if (find(f, source) == r->group && !direct) r->ok = false;
  return true;
}

/* No operand of |x| reaches the group through an op that changes indices. */
static bool only_direct(fuser *f, uint32_t x, uint32_t g) {
  all_reads r = {g, true};
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) for_sources(f, hd_operand(op, i), true, check_direct, &r);
  return r.ok;
}

/* Every way from |x| to the group keeps rows; direct reads of full-shaped values too. */
static bool only_by_rows(fuser *f, uint32_t x, uint32_t g, hd_value *full, uint32_t first_reduced) {
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) {
    hd_value *operand = hd_operand(op, i);
    all_reads r = {g, true};
    for_sources(f, operand, true, check_direct, &r);
    if (r.ok) continue; /* not through an inline op */
    uint32_t w = row_source(f, operand, full, first_reduced);
    if (w == UINT32_MAX || find(f, w) != g) return false;
  }
  return true;
}

static hd_value *result_of(fuser *f, uint32_t x) { return hd_buffer_output(f->nodes[x].op, 0); }

static bool try_join_row(fuser *f, uint32_t x, uint32_t g, hd_value *full, uint32_t first_reduced) {
  hd_value *out = result_of(f, x);
  if (f->nodes[x].class == GENERATED || f->nodes[x].class == DOT) return false;
  if (!only_by_rows(f, x, g, full, first_reduced)) return false;
  if (f->nodes[x].class == ROW_REDUCE) {
    hd_op *op = f->nodes[x].op;
    uint32_t reduced = hd_type_rank(full->type) - (uint32_t)hd_attr_count(hd_op_attr_get(op, "dimensions"));
    return hd_shapes_same(f->shapes, hd_operand(op, 0), full) && reduced == first_reduced;
  }
  return hd_shapes_same(f->shapes, out, full) || is_row_shaped(f, out, full, first_reduced);
}

/* Can |x| join group |g|, and as what? */
static bool can_join(fuser *f, uint32_t x, uint32_t g, group_kind *kind, uint32_t *first_reduced) {
  node *group = &f->nodes[g];
  *kind = group->kind;
  *first_reduced = group->first_reduced;
  if (group->kind == ROW) return try_join_row(f, x, g, group->shape, group->first_reduced);
  if (f->nodes[x].class == ROW_REDUCE) {
    if (group->kind == GEMM || group->has_generated || !reads_directly(f, x, g)) return false;
    hd_op *op = f->nodes[x].op;
    if (!hd_shapes_same(f->shapes, hd_operand(op, 0), group->shape) || !only_direct(f, x, g)) return false;
    *kind = ROW;
    *first_reduced = hd_type_rank(group->shape->type) - (uint32_t)hd_attr_count(hd_op_attr_get(op, "dimensions"));
    return true;
  }
  if (f->nodes[x].class != ELEMENTWISE) return false;
  return hd_shapes_same(f->shapes, result_of(f, x), group->shape) && reads_directly(f, x, g) && only_direct(f, x, g);
}

/* Does the member of |group| that computes its elements by other means (a dot, a gather) read a result of |other|? It
 * reads them at other indices, so they must be in memory before the kernel starts. */
static bool generated_reads(fuser *f, uint32_t group, uint32_t other) {
  if (!f->nodes[group].has_generated) return false;
  for (uint32_t m = group; m != UINT32_MAX; m = f->nodes[m].next) {
    if (f->nodes[m].class != GENERATED && f->nodes[m].class != DOT) continue;
    for (uint32_t i = 0; i < f->nodes[m].source_count; ++i)
      if (find(f, f->nodes[m].sources[i]) == other) return true;
  }
  return false;
}

static bool kinds_agree(fuser *f, uint32_t a, uint32_t b) {
  node *x = &f->nodes[a], *y = &f->nodes[b];
  if (x->kind == GEMM || y->kind == GEMM)
    return x->kind != ROW && y->kind != ROW && !(x->kind == GEMM && y->kind == GEMM) &&
           !(x->has_generated && y->has_generated);
  if (x->kind == ROW && y->kind == ROW)
    return x->first_reduced == y->first_reduced && hd_shapes_same(f->shapes, x->shape, y->shape);
  if (x->kind == ROW || y->kind == ROW) {
    node *row = x->kind == ROW ? x : y, *loop = x->kind == ROW ? y : x;
    return !loop->has_generated && (hd_shapes_same(f->shapes, row->shape, loop->shape) ||
                                    is_row_shaped(f, loop->shape, row->shape, row->first_reduced));
  }
  return hd_shapes_same(f->shapes, x->shape, y->shape) && !(x->has_generated && y->has_generated);
}

static bool add_source(fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user) {
  (void)buffer, (void)direct;
  node *n = user;
  for (uint32_t i = 0; i < n->source_count; ++i)
    if (n->sources[i] == source) return true;
  if (!(n->source_count & (n->source_count - 1))) { /* grows by doubling */
    uint32_t *grown = hd_new_array(f->arena, uint32_t, n->source_count ? 2 * n->source_count : 4);
    for (uint32_t i = 0; i < n->source_count; ++i) grown[i] = n->sources[i];
    n->sources = grown;
  }
  n->sources[n->source_count++] = source;
  return true;
}

/* Who touched a buffer that has several writers: what comes next waits for them. */
typedef struct buffer_order {
  uint32_t writer;          /* the last one; UINT32_MAX: none */
  hd_vec(uint32_t) readers; /* since then */
} buffer_order;

static void wait_in_order(fuser *f, uint32_t x, hd_value *buffer, bool writes) {
  hd_map_entry *entry = hd_map_insert(f->arena, &f->orders, buffer, NULL);
  buffer_order *order = entry->value.ptr;
  if (!order) {
    entry->value.ptr = order = hd_new(f->arena, buffer_order);
    order->writer = UINT32_MAX;
  }
  if (order->writer != UINT32_MAX && order->writer != x) add_source(f, order->writer, buffer, false, &f->nodes[x]);
  if (!writes) {
    hd_vec_push(f->arena, &order->readers, x);
    return;
  }
  for (size_t i = 0; i < order->readers.len; ++i)
    if (order->readers.data[i] != x) add_source(f, order->readers.data[i], buffer, false, &f->nodes[x]);
  order->readers.len = 0;
  order->writer = x;
}

typedef struct source_walk {
  fuser *f;
  uint32_t node;
} source_walk;

static bool add_loaders(hd_op *op, void *user) {
  source_walk *w = user;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    uint32_t loader = loader_of(w->f, hd_operand(op, i));
    if (loader != UINT32_MAX) add_source(w->f, loader, NULL, false, &w->f->nodes[w->node]);
  }
  return true;
}

/* What must run before node |x|. Nodes are visited in the order of the block. */
static void find_sources(fuser *f, uint32_t x) {
  hd_accesses accesses = {0};
  hd_op *op = f->nodes[x].op;
  if (hd_op_is(op, HD_OP_memref_alloc)) return;
  hd_walk_pre(op, add_loaders, &(source_walk){f, x});
  f->nodes[x].loaded = hd_op_is(op, HD_OP_memref_load) || (!op->info->derived_from && f->nodes[x].source_count);
  hd_buffer_accesses(op, f->arena, &accesses);
  for (size_t i = 0; i < accesses.len; ++i) {
    hd_value *buffer = accesses.data[i].buffer;
    hd_map_entry *entry = hd_map_find(&f->writers, buffer);
    if (entry && entry->value.i64 < 0)
      wait_in_order(f, x, buffer, accesses.data[i].writes);
    else if (!accesses.data[i].writes)
      for_sources(f, buffer, true, add_source, &f->nodes[x]);
  }
}

static bool join_source(fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user) {
  (void)buffer, (void)direct;
  uint32_t x = *(uint32_t *)user, g = find(f, source), own = find(f, x);
  if (g == own || f->nodes[source].class == OPAQUE) return true;
  if (f->nodes[g].size + f->nodes[own].size > MAX_GROUP_BUFFERS) return true;
  group_kind kind;
  uint32_t first_reduced;
  bool alone = f->nodes[own].size == 1;
  if (!can_join(f, x, g, &kind, &first_reduced)) return true;
  if (!alone && !kinds_agree(f, own, g)) return true;
  if (!alone && kind == ROW && f->nodes[g].kind != ROW && f->nodes[own].kind != ROW) return true;
  if (generated_reads(f, own, g) || generated_reads(f, g, own) || makes_cycle(f, own, g)) return true;
  hd_value *shape = f->nodes[own].kind == ROW && !alone ? f->nodes[own].shape : f->nodes[g].shape;
  if (f->nodes[own].kind == ROW && !alone) kind = ROW, first_reduced = f->nodes[own].first_reduced;
  if (f->nodes[own].kind == GEMM) kind = GEMM;
  merge(f, own, g);
  f->nodes[own].kind = kind;
  f->nodes[own].shape = shape;
  f->nodes[own].first_reduced = first_reduced;
  return true;
}

static void form_groups(fuser *f) {
  for (uint32_t x = 0; x < f->count; ++x)
    if (f->nodes[x].class != INLINE) find_sources(f, x);
  for (uint32_t x = 0; x < f->count; ++x) {
    node *n = &f->nodes[x];
    if (n->class == OPAQUE || n->class == INLINE) continue;
    if (n->class == ROW_REDUCE) {
      n->kind = ROW;
      n->shape = hd_operand(n->op, 0);
      n->first_reduced = hd_type_rank(n->shape->type) - (uint32_t)hd_attr_count(hd_op_attr_get(n->op, "dimensions"));
    } else {
      n->kind = n->class == DOT ? GEMM : LOOP;
      n->shape = result_of(f, x);
    }
    n->has_generated = n->class == GENERATED || n->class == DOT;
    if (n->class == GENERATED || n->class == DOT) continue; /* they start groups: their operands are buffers */
    for (uint32_t i = hd_buffer_input_count(n->op); i-- > 0;)
      for_sources(f, hd_operand(n->op, i), true, join_source, &x);
  }
}

/* Adds copies of the inline ops that |buffer| is read through, before the readers, once each. */
static hd_value *import(fuser *f, hd_builder *b, hd_value *buffer, hd_map *copies) {
  uint32_t w = writer_of(f, buffer);
  if (w == UINT32_MAX || f->nodes[w].class != INLINE) return buffer;
  hd_op *op = f->nodes[w].op;
  hd_value *known = hd_map_get(copies, buffer);
  if (known) return known;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) import(f, b, hd_operand(op, i), copies);
  hd_op *copy = hd_op_clone(f->pass->module, op, f->arena, NULL);
  hd_op_attr_set(copy, "hd.inline", hd_attr_unit(b->context)); /* its value is for this kernel alone */
  hd_op_append(copy, b->block);
  hd_map_set(f->arena, copies, buffer, buffer);
  return buffer;
}

static const char *kind_name(group_kind kind) { return kind == ROW ? "row" : kind == GEMM ? "gemm" : "loop"; }

/* Moves the members of the group whose last op is |last| into a fusion before |last|. */
static void build_fusion(fuser *f, uint32_t root, const uint32_t *members, uint32_t count) {
  hd_op *last = f->nodes[members[count - 1]].op;
  hd_builder b = hd_builder_before(last);
  hd_loc *locs = hd_new_array(f->arena, hd_loc, count);
  for (uint32_t i = 0; i < count; ++i) locs[i] = f->nodes[members[i]].op->loc;
  b.loc = hd_loc_fused(b.context, locs, count < 32 ? count : 32, NULL);
  hd_op *fusion = hd_build_op(&b, HD_OP_lmhlo_fusion, NULL, 0, NULL, 0, NULL, 0, 1);
  hd_op_attr_set(fusion, "hd.kind", hd_attr_cstring(b.context, kind_name(f->nodes[root].kind)));
  hd_op_attr_set(fusion, "hd.outputs", hd_attr_i64(b.context, 0));
  hd_block *body = hd_block_create(f->pass->module);
  hd_region_append(hd_op_region(fusion, 0), body);
  hd_builder in = hd_builder_at_end(f->pass->module, body);
  hd_map copies = {0};
  for (uint32_t i = 0; i < count; ++i) {
    hd_op *op = f->nodes[members[i]].op;
    for (uint32_t o = 0; o < hd_buffer_input_count(op); ++o) import(f, &in, hd_operand(op, o), &copies);
    hd_op_unlink(op);
    hd_op_append(op, body);
  }
  hd_build_op(&in, HD_OP_lmhlo_terminator, NULL, 0, NULL, 0, NULL, 0, 0);
  f->pass->changed = true;
}

/* Puts the ops of |block| into an order that keeps, for every buffer, the old order of a write and any other access.
 * Ops stay where they are unless a fusion, which stands at its last member's place, must come earlier than a reader. */
typedef struct order_entry {
  hd_op *op;
  hd_vec(uint32_t) after; /* ops that must wait for this one */
  uint32_t waits;
} order_entry;

static void depend(fuser *f, order_entry *e, uint32_t first, uint32_t second) {
  if (first == second) return;
  hd_vec_push(f->arena, &e[first].after, second);
  ++e[second].waits;
}

/* Values that |op|, or an op inside it, uses and that ops of its block define. */
typedef struct definitions {
  fuser *f;
  order_entry *e;
  const hd_map *position;
  uint32_t user;
} definitions;

static bool wait_for_definitions(hd_op *op, void *user) {
  definitions *d = user;
  for (uint32_t o = 0; o < op->operand_count; ++o) {
    hd_op *def = hd_value_op(hd_operand(op, o));
    hd_map_entry *p = def ? hd_map_find(d->position, def) : NULL;
    if (p) depend(d->f, d->e, (uint32_t)p->value.i64 - 1, d->user);
  }
  return true;
}

static void reorder(fuser *f, hd_block *block) {
  uint32_t n = 0;
  hd_for_each_op(op, block)++ n;
  order_entry *e = hd_new_array(f->arena, order_entry, n);
  hd_map position = {0};
  uint32_t at = 0;
  hd_for_each_op(op, block) {
    e[at].op = op;
    hd_map_insert(f->arena, &position, op, NULL)->value.i64 = ++at;
  }
  typedef struct touch {
    uint32_t op;
    int64_t order;
    bool writes;
  } touch;
  typedef hd_vec(touch) touches;
  hd_map buffers = {0};
  for (uint32_t i = 0; i < n; ++i) {
    hd_op *op = e[i].op;
    hd_walk_pre(op, wait_for_definitions, &(definitions){f, e, &position, i});
    if (hd_op_is(op, HD_OP_memref_alloc)) continue;
    /* Accesses, by the old position of the op that makes them. A fusion's copies of inline ops, and what they write,
     * are its own. */
    bool fusion = hd_op_is(op, HD_OP_lmhlo_fusion);
    hd_op *first = fusion ? hd_op_region(op, 0)->first->first : op;
    hd_map own = {0};
    for (hd_op *inner = first; fusion && inner; inner = inner->next)
      if (inner->info->derived_from && !hd_map_find(&f->index, inner))
        hd_map_set(f->arena, &own, hd_buffer_output(inner, 0), inner);
    for (hd_op *inner = first; inner; inner = fusion ? inner->next : NULL) {
      hd_accesses accesses = {0};
      hd_buffer_accesses(inner, f->arena, &accesses);
      hd_map_entry *old = hd_map_find(&f->index, inner);
      for (size_t a = 0; a < accesses.len; ++a) {
        if (hd_map_get(&own, accesses.data[a].buffer)) continue;
        hd_map_entry *entry = hd_map_insert(f->arena, &buffers, accesses.data[a].buffer, NULL);
        if (!entry->value.ptr) entry->value.ptr = hd_new(f->arena, touches);
        touches *list = entry->value.ptr;
        /* A copy reads what its op would: a value with one writer. */
        hd_vec_push(f->arena, list, ((touch){i, old ? old->value.i64 : -1, accesses.data[a].writes}));
      }
    }
  }
  for (size_t b = 0; b < buffers.len; ++b) {
    touches *list = buffers.entries[b].value.ptr;
    for (size_t x = 0; x < list->len; ++x) {
      if (!list->data[x].writes) continue;
      for (size_t y = 0; y < list->len; ++y) {
        touch w = list->data[x], o = list->data[y];
        if (w.op == o.op || (o.writes && y < x)) continue;
        bool copy = o.order < 0; /* of an inline op: reads the value, which has one writer */
        if (copy || w.order < o.order)
          depend(f, e, w.op, o.op);
        else
          depend(f, e, o.op, w.op);
      }
    }
  }
  /* Kahn, always the first ready op in the old order. */
  hd_vec(uint32_t) ready = {0};
  for (uint32_t i = n; i-- > 0;)
    if (!e[i].waits) hd_vec_push(f->arena, &ready, i);
  hd_op **sorted = hd_new_array(f->arena, hd_op *, n);
  uint32_t done = 0;
  while (ready.len) {
    uint32_t i = hd_vec_pop(&ready);
    sorted[done++] = e[i].op;
    for (size_t a = 0; a < e[i].after.len; ++a) {
      uint32_t next = e[i].after.data[a];
      if (--e[next].waits) continue;
      hd_vec_push(f->arena, &ready, next);
      for (size_t s = ready.len - 1; s > 0 && ready.data[s - 1] < ready.data[s]; --s) {
        uint32_t swap = ready.data[s];
        ready.data[s] = ready.data[s - 1];
        ready.data[s - 1] = swap;
      }
    }
  }
  HD_ASSERT(done == n); /* groups make no cycle: makes_cycle sees every dependence */
  hd_op *terminator = block->last;
  for (uint32_t i = 0; i < done; ++i) hd_op_unlink(sorted[i]);
  for (uint32_t i = 0; i < done; ++i)
    if (sorted[i] != terminator) hd_op_append(sorted[i], block);
  hd_op_append(terminator, block);
}

/* Is |buffer| read by copies of its op alone, each inside of the fusion that reads it? */
static bool all_uses_inside(hd_value *buffer, const hd_op *writer) {
  hd_for_each_use(use, buffer) {
    if (use->owner == writer || hd_op_is(use->owner, HD_OP_memref_dealloc)) continue;
    if (!hd_op_is(hd_op_parent(use->owner), HD_OP_lmhlo_fusion)) return false;
    bool own = false;
    hd_for_each_op(op, use->owner->block) own |= hd_op_attr_get(op, "hd.inline") && hd_buffer_output(op, 0) == buffer;
    if (!own) return false;
  }
  return true;
}

/* Inline ops that only fusions read are not needed for themselves. */
static void drop_unread_inline(fuser *f) {
  for (uint32_t x = f->count; x-- > 0;)
    if (f->nodes[x].class == INLINE && all_uses_inside(result_of(f, x), f->nodes[x].op)) hd_op_erase(f->nodes[x].op);
}

static bool fuse_block(hd_pass *pass, hd_shapes *shapes, hd_block *block) {
  fuser f = {.pass = pass, .shapes = shapes, .arena = &pass->arena};
  hd_for_each_op(op, block) {
    for (uint32_t r = 0; !op->info->derived_from && r < op->region_count; ++r)
      if (!fuse_block(pass, shapes, hd_op_region(op, r)->first)) return false;
    ++f.count;
  }
  f.nodes = hd_new_array(f.arena, node, f.count);
  uint32_t i = 0;
  hd_for_each_op(op, block) {
    f.nodes[i] =
        (node){.op = op, .class = classify(op), .parent = i, .first = i, .size = 1, .next = UINT32_MAX, .last = i};
    hd_map_insert(f.arena, &f.index, op, NULL)->value.i64 = i + 1;
    hd_accesses accesses = {0};
    if (!hd_op_is(op, HD_OP_memref_alloc)) hd_buffer_accesses(op, f.arena, &accesses);
    for (size_t a = 0; a < accesses.len; ++a) {
      if (!accesses.data[a].writes) continue;
      bool is_new;
      hd_map_entry *entry = hd_map_insert(f.arena, &f.writers, accesses.data[a].buffer, &is_new);
      bool here = hd_value_block(accesses.data[a].buffer) == block;
      entry->value.i64 = is_new && here ? (int64_t)i + 1 : -1; /* written twice: no value of one op */
    }
    ++i;
  }
  /* What is written by more than one op is opaque to grouping. */
  for (uint32_t x = 0; x < f.count; ++x)
    if (f.nodes[x].class != OPAQUE)
      for (uint32_t o = 0; o < hd_buffer_output_count(f.nodes[x].op); ++o) {
        hd_value *out = hd_buffer_output(f.nodes[x].op, o);
        if (writer_of(&f, out) != x) f.nodes[x].class = OPAQUE;
      }
  /* An inline op on a buffer that is written more than once may not be moved to its readers. */
  for (uint32_t x = 0; x < f.count; ++x)
    for (uint32_t o = 0; f.nodes[x].class == INLINE && o < hd_buffer_input_count(f.nodes[x].op); ++o) {
      hd_map_entry *entry = hd_map_find(&f.writers, hd_buffer_root(hd_operand(f.nodes[x].op, o)));
      if (entry && entry->value.i64 < 0) f.nodes[x].class = OPAQUE;
    }
  form_groups(&f);
  uint32_t **members = hd_new_array(f.arena, uint32_t *, f.count);
  uint32_t *sizes = hd_new_array(f.arena, uint32_t, f.count);
  for (uint32_t x = 0; x < f.count; ++x) {
    if (f.nodes[x].class == OPAQUE || f.nodes[x].class == INLINE) continue;
    uint32_t root = find(&f, x);
    if (!members[root]) members[root] = hd_new_array(f.arena, uint32_t, f.nodes[root].size);
    members[root][sizes[root]++] = x;
  }
  for (uint32_t root = 0; root < f.count; ++root)
    if (sizes[root]) build_fusion(&f, root, members[root], sizes[root]);
  drop_unread_inline(&f);
  reorder(&f, block);
  return true;
}

bool hd_pass_fusion(hd_pass *pass, hd_op *func) {
  hd_shapes *shapes = hd_shapes_of(func, &pass->arena);
  hd_for_each_block(block, hd_op_region(func, 0)) if (!fuse_block(pass, shapes, block)) return false;
  return true;
}
