/* SPDX-License-Identifier: Apache-2.0 */
/* Which ops become one kernel: what may join what, by provably equal shapes, and never in a cycle. */
#include "passes/fuse/fuser.h"

enum { MAX_SEARCH = 4096 };

uint32_t hd_fuser_find(hd_fuser *f, uint32_t i) {
  while (f->nodes[i].parent != i) i = f->nodes[i].parent = f->nodes[f->nodes[i].parent].parent;
  return i;
}

uint32_t hd_fuser_writer_of(hd_fuser *f, hd_value *buffer) {
  hd_map_entry *entry = hd_map_find(&f->writers, buffer);
  return entry && entry->value.i64 > 0 ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
}

/* Visits the ops that compute |buffer|, looking through inline ops, and those that compute their index operands from
 * elements. */
typedef bool (*source_fn)(hd_fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user);

/* The node of this block that defines |value|, an index that follows from elements of buffers or a buffer that control
 * flow gives; UINT32_MAX when there is none. */
static uint32_t loader_of(hd_fuser *f, hd_value *value) {
  bool buffer = hd_type_is(value->type, HD_TYPE_MEMREF);
  hd_op *def = hd_value_op(buffer ? hd_buffer_root(value) : value);
  if (!def || hd_op_is(def, HD_OP_memref_alloc)) return UINT32_MAX;
  hd_map_entry *entry = hd_map_find(&f->index, def);
  return entry && (buffer || f->nodes[entry->value.i64 - 1].loaded) ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
}

static bool for_sources(hd_fuser *f, hd_value *buffer, bool direct, source_fn fn, void *user) {
  uint32_t w = hd_fuser_writer_of(f, buffer);
  if (w == UINT32_MAX) return true;
  if (f->nodes[w].class != HD_FUSE_INLINE) return fn(f, w, buffer, direct, user);
  hd_op *op = f->nodes[w].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i)
    if (!for_sources(f, hd_operand(op, i), false, fn, user)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    uint32_t loader = loader_of(f, hd_operand(op, i));
    if (loader != UINT32_MAX && !fn(f, loader, buffer, false, user)) return false;
  }
  return true;
}

static bool dim_is_one(hd_fuser *f, hd_value *buffer, uint32_t d) {
  int64_t one;
  return hd_dim_is_const(&f->shapes->table, hd_shapes_dim(f->shapes, buffer, d), &one) && one == 1;
}

/* Is |buffer| one number per row of |full|: the leading dims, then ones? */
static bool is_row_shaped(hd_fuser *f, hd_value *buffer, hd_value *full, uint32_t first_reduced) {
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
static uint32_t row_source(hd_fuser *f, hd_value *buffer, hd_value *full, uint32_t first_reduced) {
  for (;;) {
    uint32_t w = hd_fuser_writer_of(f, buffer);
    if (w == UINT32_MAX || f->nodes[w].class != HD_FUSE_INLINE) return w;
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

/* Notes that a group which begins at node |first| ends at |most|. */
static void extend_reach(hd_fuser *f, uint32_t first, uint32_t most) {
  for (uint32_t i = first + 1; i <= f->count; i += i & -i)
    if (f->reach[i] < most) f->reach[i] = most;
}

/* The largest node that runs with one of [0, at]: what these depend on lies there or before. */
static uint32_t reach_of(hd_fuser *f, uint32_t at) {
  uint32_t most = at;
  for (uint32_t i = at + 1; i; i -= i & -i)
    if (f->reach[i] > most) most = f->reach[i];
  return most;
}

/* Does node |at|, or the group that it runs with, depend on |group|? Searched backwards from what they read, bounded.
 */
typedef struct search {
  uint32_t group, low, steps;
} search;

static bool depends_on(hd_fuser *f, uint32_t at, search *s) {
  if (f->nodes[at].mark == f->mark || (at < s->low && reach_of(f, at) < s->low)) return false;
  if (++s->steps > MAX_SEARCH) return true; /* too far to tell: assume the worst */
  for (uint32_t m = hd_fuser_find(f, at); m != UINT32_MAX; m = f->nodes[m].next) {
    f->nodes[m].mark = f->mark;
    for (uint32_t i = 0; i < f->nodes[m].source_count; ++i) {
      uint32_t source = f->nodes[m].sources[i];
      if (hd_fuser_find(f, source) == s->group) return true;
      if (hd_fuser_find(f, source) != hd_fuser_find(f, at) && depends_on(f, source, s)) return true;
    }
  }
  return false;
}

/* Would a kernel of groups |a| and |b| need a value that itself needs the kernel? */
static bool makes_cycle(hd_fuser *f, uint32_t a, uint32_t b) {
  uint32_t both[2] = {a, b};
  for (int from = 0; from < 2; ++from)
    for (int to = 0; to < 2; ++to) {
      search s = {both[to], f->nodes[both[to]].first, 0};
      ++f->mark;
      for (uint32_t m = both[from]; m != UINT32_MAX; m = f->nodes[m].next)
        for (uint32_t i = 0; i < f->nodes[m].source_count; ++i) {
          uint32_t source = f->nodes[m].sources[i], root = hd_fuser_find(f, source);
          if (root != a && root != b && depends_on(f, source, &s)) return true;
        }
    }
  return false;
}

static void merge(hd_fuser *f, uint32_t into, uint32_t from) {
  into = hd_fuser_find(f, into);
  from = hd_fuser_find(f, from);
  if (into == from) return;
  hd_fuse_node *a = &f->nodes[into], *b = &f->nodes[from];
  if (b->first < a->first) a->first = b->first;
  if (b->most > a->most) a->most = b->most;
  extend_reach(f, a->first, a->most);
  a->size += b->size;
  a->has_generated |= b->has_generated;
  a->bytes += b->bytes;
  a->shared += b->shared;
  f->nodes[a->last].next = from;
  a->last = b->last;
  b->parent = into;
}

/* How |x| would read group |g|: directly with the group's full shape, by rows, or not so that it can join. */
static bool reads_directly(hd_fuser *f, uint32_t x, uint32_t g) {
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) {
    uint32_t w = hd_fuser_writer_of(f, hd_operand(op, i));
    if (w != UINT32_MAX && f->nodes[w].class != HD_FUSE_INLINE && hd_fuser_find(f, w) == g) return true;
  }
  return false;
}

typedef struct all_reads {
  uint32_t group;
  bool ok;
} all_reads;

static bool check_direct(hd_fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user) {
  (void)buffer;
  all_reads *r = user;
  if (hd_fuser_find(f, source) == r->group && !direct) r->ok = false;
  return true;
}

/* No operand of |x| reaches the group through an op that changes indices. */
static bool only_direct(hd_fuser *f, uint32_t x, uint32_t g) {
  all_reads r = {g, true};
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) for_sources(f, hd_operand(op, i), true, check_direct, &r);
  return r.ok;
}

/* Every way from |x| to the group keeps rows; direct reads of full-shaped values too. */
static bool only_by_rows(hd_fuser *f, uint32_t x, uint32_t g, hd_value *full, uint32_t first_reduced) {
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) {
    hd_value *operand = hd_operand(op, i);
    all_reads r = {g, true};
    for_sources(f, operand, true, check_direct, &r);
    if (r.ok) continue; /* not through an inline op */
    uint32_t w = row_source(f, operand, full, first_reduced);
    if (w == UINT32_MAX || hd_fuser_find(f, w) != g) return false;
  }
  return true;
}

hd_value *hd_fuser_result_of(hd_fuser *f, uint32_t x) { return hd_buffer_output(f->nodes[x].op, 0); }

static bool try_join_row(hd_fuser *f, uint32_t x, uint32_t g, hd_value *full, uint32_t first_reduced) {
  hd_value *out = hd_fuser_result_of(f, x);
  if (f->nodes[x].class == HD_FUSE_GENERATED || f->nodes[x].class == HD_FUSE_DOT ||
      f->nodes[x].class == HD_FUSE_COLUMN_REDUCE)
    return false;
  if (!only_by_rows(f, x, g, full, first_reduced)) return false;
  if (f->nodes[x].class == HD_FUSE_ROW_REDUCE) {
    hd_op *op = f->nodes[x].op;
    uint32_t reduced = hd_type_rank(full->type) - (uint32_t)hd_attr_count(hd_op_attr_get(op, "dimensions"));
    return hd_shapes_same(f->shapes, hd_operand(op, 0), full) && reduced == first_reduced;
  }
  return hd_shapes_same(f->shapes, out, full) || is_row_shaped(f, out, full, first_reduced);
}

/* Can |x| join group |g|, and as what? */
static bool can_join(hd_fuser *f, uint32_t x, uint32_t g, hd_fuse_kind *kind, uint32_t *first_reduced) {
  hd_fuse_node *group = &f->nodes[g];
  *kind = group->kind;
  *first_reduced = group->first_reduced;
  if (group->kind == HD_FUSE_GEMM && f->products_alone) return false;
  if (group->kind == HD_FUSE_ROW) return try_join_row(f, x, g, group->shape, group->first_reduced);
  if (f->nodes[x].class == HD_FUSE_ROW_REDUCE) {
    if (group->kind != HD_FUSE_LOOP || group->has_generated || !reads_directly(f, x, g)) return false;
    hd_op *op = f->nodes[x].op;
    if (!hd_shapes_same(f->shapes, hd_operand(op, 0), group->shape) || !only_direct(f, x, g)) return false;
    *kind = HD_FUSE_ROW;
    *first_reduced = hd_type_rank(group->shape->type) - (uint32_t)hd_attr_count(hd_op_attr_get(op, "dimensions"));
    return true;
  }
  if (f->nodes[x].class == HD_FUSE_COLUMN_REDUCE) {
    uint32_t reduced = f->nodes[x].first_reduced;
    if (group->kind == HD_FUSE_GEMM || group->has_generated || !reads_directly(f, x, g)) return false;
    if (group->kind == HD_FUSE_COLUMN && group->first_reduced != reduced) return false;
    *kind = HD_FUSE_COLUMN;
    *first_reduced = reduced;
    return hd_shapes_same(f->shapes, hd_operand(f->nodes[x].op, 0), group->shape) && only_direct(f, x, g);
  }
  if (f->nodes[x].class != HD_FUSE_ELEMENTWISE) return false;
  return hd_shapes_same(f->shapes, hd_fuser_result_of(f, x), group->shape) && reads_directly(f, x, g) &&
         only_direct(f, x, g);
}

/* Does the member of |group| that computes its elements by other means (a dot, a gather) read a result of |other|? It
 * reads them at other indices, so they must be in memory before the kernel starts. */
static bool generated_reads(hd_fuser *f, uint32_t group, uint32_t other) {
  if (!f->nodes[group].has_generated) return false;
  for (uint32_t m = group; m != UINT32_MAX; m = f->nodes[m].next) {
    if (f->nodes[m].class != HD_FUSE_GENERATED && f->nodes[m].class != HD_FUSE_DOT) continue;
    for (uint32_t i = 0; i < f->nodes[m].source_count; ++i)
      if (hd_fuser_find(f, f->nodes[m].sources[i]) == other) return true;
  }
  return false;
}

/* What a kernel of several groups is. */
typedef struct group_form {
  hd_fuse_kind kind;
  uint32_t first_reduced;
  hd_value *shape;
} group_form;

/* Does a member of |group| read a result of |other| through an op that changes indices? A kernel of |form| has the
 * elements of its own place at hand, and those of its row in a row kernel. */
static bool reads_elsewhere(hd_fuser *f, uint32_t group, uint32_t other, const group_form *form) {
  for (uint32_t m = group; m != UINT32_MAX; m = f->nodes[m].next)
    if (form->kind == HD_FUSE_ROW ? !only_by_rows(f, m, other, form->shape, form->first_reduced)
                                  : !only_direct(f, m, other))
      return true;
  return false;
}

static bool kinds_agree(hd_fuser *f, uint32_t a, uint32_t b) {
  hd_fuse_node *x = &f->nodes[a], *y = &f->nodes[b];
  if (x->kind == HD_FUSE_GEMM || y->kind == HD_FUSE_GEMM)
    return x->kind != HD_FUSE_ROW && y->kind != HD_FUSE_ROW && !(x->kind == HD_FUSE_GEMM && y->kind == HD_FUSE_GEMM) &&
           !(x->has_generated && y->has_generated);
  if (x->kind == HD_FUSE_COLUMN || y->kind == HD_FUSE_COLUMN) {
    bool both = x->kind == y->kind;
    if (x->kind == HD_FUSE_ROW || y->kind == HD_FUSE_ROW || x->has_generated || y->has_generated) return false;
    return hd_shapes_same(f->shapes, x->shape, y->shape) && (!both || x->first_reduced == y->first_reduced);
  }
  if (x->kind == HD_FUSE_ROW && y->kind == HD_FUSE_ROW)
    return x->first_reduced == y->first_reduced && hd_shapes_same(f->shapes, x->shape, y->shape);
  if (x->kind == HD_FUSE_ROW || y->kind == HD_FUSE_ROW) {
    hd_fuse_node *row = x->kind == HD_FUSE_ROW ? x : y, *loop = x->kind == HD_FUSE_ROW ? y : x;
    return !loop->has_generated && (hd_shapes_same(f->shapes, row->shape, loop->shape) ||
                                    is_row_shaped(f, loop->shape, row->shape, row->first_reduced));
  }
  return hd_shapes_same(f->shapes, x->shape, y->shape) && !(x->has_generated && y->has_generated);
}

static bool add_source(hd_fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user) {
  (void)buffer, (void)direct;
  hd_fuse_node *n = user;
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

static void wait_in_order(hd_fuser *f, uint32_t x, hd_value *buffer, bool writes) {
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
  hd_fuser *f;
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
static void find_sources(hd_fuser *f, uint32_t x) {
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

/* ---- reasons ---- */

static const char *shape_text(hd_fuser *f, hd_value *buffer) {
  hd_strbuf text;
  hd_strbuf_init(&text, f->arena);
  hd_strbuf_putc(&text, '[');
  for (uint32_t d = 0; d < hd_type_rank(buffer->type); ++d) {
    if (d) hd_strbuf_puts(&text, ", ");
    hd_dim_print(&text, hd_shapes_dim(f->shapes, buffer, d));
  }
  hd_strbuf_putc(&text, ']');
  return hd_strbuf_text(&text);
}

static const char *other_shapes(hd_fuser *f, hd_value *a, hd_value *b) {
  return hd_arena_printf(f->arena, "shapes %s and %s are not provably equal", shape_text(f, a), shape_text(f, b));
}

/* What can_join found wrong; the same questions in the same order. */
static const char *why_not_join(hd_fuser *f, uint32_t x, uint32_t g) {
  hd_fuse_node *group = &f->nodes[g], *own = &f->nodes[x];
  hd_value *operand = hd_buffer_input_count(own->op) ? hd_operand(own->op, 0) : NULL;
  if (group->kind == HD_FUSE_ROW) {
    if (!only_by_rows(f, x, g, group->shape, group->first_reduced))
      return "it reads other rows than the one that a reduction has at hand";
    if (own->class == HD_FUSE_ROW_REDUCE && !hd_shapes_same(f->shapes, operand, group->shape))
      return hd_arena_printf(f->arena, "it reduces %s, the kernel %s", shape_text(f, operand),
                             shape_text(f, group->shape));
    if (own->class == HD_FUSE_ROW_REDUCE) return "it reduces other dims";
    return hd_arena_printf(f->arena, "its shape %s is neither that of the rows %s nor one value for each",
                           shape_text(f, hd_fuser_result_of(f, x)), shape_text(f, group->shape));
  }
  if (own->class == HD_FUSE_ROW_REDUCE) {
    if (group->kind == HD_FUSE_GEMM) return "a reduction needs whole rows, a tile of the product has part of each";
    if (group->has_generated)
      return "what it reduces is gathered or padded, which a reduction would do again for each use";
    if (!hd_shapes_same(f->shapes, operand, group->shape)) return other_shapes(f, operand, group->shape);
    return "the reduction reads it through an op that changes indices";
  }
  if (!hd_shapes_same(f->shapes, hd_fuser_result_of(f, x), group->shape))
    return other_shapes(f, hd_fuser_result_of(f, x), group->shape);
  return "it reads elements at other indices than its own";
}

static void refuse(hd_fuser *f, uint32_t reader, uint32_t source, const char *why) {
  if (f->explain) hd_vec_push(f->arena, &f->refusals, ((hd_fuse_refusal){reader, source, why}));
}

/* Why |x|, which is in group |own|, may not join group |g|; null when it may, as |*form|. */
static const char *why_apart(hd_fuser *f, uint32_t x, uint32_t own, uint32_t g, group_form *form) {
  const hd_fuse_node *mine = &f->nodes[own];
  bool alone = mine->size == 1;
  if (!can_join(f, x, g, &form->kind, &form->first_reduced)) return f->explain ? why_not_join(f, x, g) : "";
  form->shape = f->nodes[g].shape;
  if (!alone && !kinds_agree(f, own, g))
    return "what it is in already is another kind of kernel: rows, tiles or elements of other shapes";
  if (!alone && form->kind == HD_FUSE_ROW && f->nodes[g].kind != HD_FUSE_ROW && mine->kind != HD_FUSE_ROW)
    return "a reduction would join two loops that have no rows yet";
  if (generated_reads(f, own, g) || generated_reads(f, g, own))
    return "a product, gather or window in the kernel reads it at other indices: it must be in memory before";
  if (mine->kind == HD_FUSE_ROW && !alone) *form = (group_form){HD_FUSE_ROW, mine->first_reduced, mine->shape};
  if (mine->kind == HD_FUSE_GEMM) form->kind = HD_FUSE_GEMM;
  if (mine->kind == HD_FUSE_COLUMN) form->kind = HD_FUSE_COLUMN, form->first_reduced = mine->first_reduced;
  if (!alone && (reads_elsewhere(f, own, g, form) || reads_elsewhere(f, g, own, form)))
    return "what it is in already reads it at other indices than its own, or is read so";
  const char *why = hd_fuser_why_too_large(f, own, g);
  if (why) return why;
  return makes_cycle(f, own, g) ? "a value between them needs the kernel and is needed by it" : NULL;
}

static bool join_source(hd_fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user) {
  (void)buffer, (void)direct;
  uint32_t x = *(uint32_t *)user, g = hd_fuser_find(f, source), own = hd_fuser_find(f, x);
  if (g == own) return true;
  if (f->nodes[source].class == HD_FUSE_OPAQUE) {
    refuse(f, x, source, "it has a kernel or a library call of its own");
    return true;
  }
  if (hd_op_attr_get(f->nodes[source].op, "hd.placement") != hd_op_attr_get(f->nodes[x].op, "hd.placement")) {
    refuse(f, x, source, "one runs on the host, the other on the device");
    return true;
  }
  group_form form = {.kind = HD_FUSE_LOOP};
  const char *why = why_apart(f, x, own, g, &form);
  if (why) {
    refuse(f, x, source, why);
    return true;
  }
  merge(f, own, g);
  f->nodes[own].kind = form.kind;
  f->nodes[own].shape = form.shape;
  f->nodes[own].first_reduced = form.first_reduced;
  return true;
}

/* Of ops that start groups: what they read is in memory. */
static bool refuse_source(hd_fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user) {
  (void)buffer, (void)direct;
  uint32_t x = *(uint32_t *)user;
  hd_fuse_class class = f->nodes[x].class;
  refuse(f, x, source,
         class == HD_FUSE_DOT         ? "a product reads each element many times: it is computed once, into memory"
         : class == HD_FUSE_GENERATED ? "a gather, window or the like reads it at other indices: it must be in memory"
                                      : "the reader has a kernel or a library call of its own");
  return true;
}

bool hd_is_check(const hd_op *op) {
  return hd_op_is(op, HD_OP_hd_ral_call) && hd_str_starts(hd_op_string_attr(op, "api"), "ral_check___");
}

void hd_fuser_form_groups(hd_fuser *f) {
  f->reach = hd_new_array(f->arena, uint32_t, (size_t)f->count + 1);
  uint32_t check = UINT32_MAX;
  for (uint32_t x = 0; x < f->count; ++x) {
    if (f->nodes[x].class != HD_FUSE_INLINE) find_sources(f, x);
    if (check != UINT32_MAX) add_source(f, check, NULL, false, &f->nodes[x]);
    if (hd_is_check(f->nodes[x].op)) check = x;
  }
  for (uint32_t x = 0; f->target && x < f->count; ++x) hd_fuser_find_needs(f, x);
  for (uint32_t x = 0; x < f->count; ++x) {
    hd_fuse_node *n = &f->nodes[x];
    if (n->class == HD_FUSE_OPAQUE || n->class == HD_FUSE_INLINE) {
      for (uint32_t i = 0;
           f->explain && n->class == HD_FUSE_OPAQUE && n->op->info->derived_from && i < hd_buffer_input_count(n->op);
           ++i)
        for_sources(f, hd_operand(n->op, i), true, refuse_source, &x);
      continue;
    }
    if (n->class == HD_FUSE_ROW_REDUCE) {
      n->kind = HD_FUSE_ROW;
      n->shape = hd_operand(n->op, 0);
      n->first_reduced = hd_type_rank(n->shape->type) - (uint32_t)hd_attr_count(hd_op_attr_get(n->op, "dimensions"));
    } else if (n->class == HD_FUSE_COLUMN_REDUCE) {
      n->kind = HD_FUSE_COLUMN; /* dims [0, first_reduced) */
      n->shape = hd_operand(n->op, 0);
      n->first_reduced = (uint32_t)hd_attr_count(hd_op_attr_get(n->op, "dimensions"));
    } else {
      n->kind = n->class == HD_FUSE_DOT ? HD_FUSE_GEMM : HD_FUSE_LOOP;
      n->shape = hd_fuser_result_of(f, x);
    }
    n->has_generated = n->class == HD_FUSE_GENERATED || n->class == HD_FUSE_DOT;
    if (n->class == HD_FUSE_GENERATED || n->class == HD_FUSE_DOT) { /* they start groups: their operands are buffers */
      for (uint32_t i = 0; f->explain && i < hd_buffer_input_count(n->op); ++i)
        for_sources(f, hd_operand(n->op, i), true, refuse_source, &x);
      continue;
    }
    for (uint32_t i = hd_buffer_input_count(n->op); i-- > 0;)
      for_sources(f, hd_operand(n->op, i), true, join_source, &x);
  }
}
