/* SPDX-License-Identifier: Apache-2.0 */
/* Which ops become one kernel: what may join what, by provably equal shapes, and never in a cycle. */
#include "ir/ops/hd.h"
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"
#include "passes/fuse/fuser.h"

uint32_t hd_fuser_find(hd_fuser *f, uint32_t i) {
  while (f->nodes[i].parent != i) i = f->nodes[i].parent = f->nodes[f->nodes[i].parent].parent;
  return i;
}

uint32_t hd_fuser_writer_of(hd_fuser *f, hd_value *buffer) {
  hd_map_entry *entry = hd_map_find(&f->writers, buffer);
  return entry && entry->value.i64 > 0 ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
}

/* The node of this block that defines |value|, an index that follows from elements of buffers or a buffer that control
 * flow gives; UINT32_MAX when there is none. */
static uint32_t loader_of(hd_fuser *f, hd_value *value) {
  bool buffer = hd_type_is(value->type, HD_TYPE_MEMREF);
  hd_op *def = hd_value_op(buffer ? hd_buffer_root(value) : value);
  if (!def || hd_op_is(def, HD_OP_memref_alloc)) return UINT32_MAX;
  hd_map_entry *entry = hd_map_find(&f->index, def);
  return entry && (buffer || f->nodes[entry->value.i64 - 1].loaded) ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
}

bool hd_fuser_for_sources(hd_fuser *f, hd_value *buffer, bool direct, hd_source_fn fn, void *user) {
  uint32_t w = hd_fuser_writer_of(f, buffer);
  if (w == UINT32_MAX) return true;
  if (f->nodes[w].class != HD_FUSE_INLINE) return fn(f, w, buffer, direct, user);
  hd_op *op = f->nodes[w].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i)
    if (!hd_fuser_for_sources(f, hd_operand(op, i), false, fn, user)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    uint32_t loader = loader_of(f, hd_operand(op, i));
    if (loader != UINT32_MAX && !fn(f, loader, buffer, false, user)) return false;
  }
  return true;
}

void hd_fuser_merge(hd_fuser *f, uint32_t into, uint32_t from, const hd_fuse_form *form) {
  hd_fuse_node *a = &f->nodes[into], *b = &f->nodes[from];
  HD_ASSERT(into != from && a->parent == into && b->parent == from);
  hd_fuser_place_merged(f, into, from);
  if (b->first < a->first) a->first = b->first;
  if (b->most > a->most) a->most = b->most;
  uint32_t stages = hd_fuser_stages(f, into, from);
  a->size += b->size;
  a->stages = stages;
  a->has_generated |= b->has_generated;
  a->has_columns |= b->has_columns;
  a->bytes += b->bytes;
  a->shared += b->shared;
  f->nodes[a->last].next = from;
  a->last = b->last;
  b->parent = into;
  a->kind = form->kind;
  a->shape = form->shape;
  a->first_reduced = form->first_reduced;
}

void hd_fuser_refuse(hd_fuser *f, uint32_t reader, uint32_t source, const char *why) {
  if (f->explain) hd_vec_push(f->arena, &f->refusals, ((hd_fuse_refusal){reader, source, why}));
}

static bool add_source(hd_fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user) {
  (void)buffer;
  hd_fuse_node *n = user;
  n->reads_through |= !direct;
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
  if (!writes && order->writer != UINT32_MAX)
    hd_fuser_refuse(f, x, order->writer, "its buffer is of an outer block or written more than once");
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
      hd_fuser_for_sources(f, buffer, true, add_source, &f->nodes[x]);
  }
}

/* Why node |x|, which is opaque, is computed with no other op. |its| buffer: "its" or "the reader's". */
static const char *why_opaque(hd_fuser *f, uint32_t x, const char *its) {
  hd_op *op = f->nodes[x].op;
  if (!op->info->derived_from) return "control flow or the host gives it";
  if (hd_buffer_opcode(op) == HD_OP_stablehlo_constant) return "it is a constant, which lies in memory";
  if (hd_fuser_classify(f, op) == HD_FUSE_OPAQUE)
    return hd_arena_printf(f->arena, "no kernel has this %s with other ops", hd_fuser_op_name(op));
  return hd_arena_printf(f->arena, "%s buffer is of an outer block or written more than once", its);
}

static bool join_source(hd_fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user) {
  (void)buffer, (void)direct;
  uint32_t x = *(uint32_t *)user, g = hd_fuser_find(f, source), own = hd_fuser_find(f, x);
  if (g == own) return true;
  if (f->nodes[source].class == HD_FUSE_OPAQUE) {
    hd_fuser_refuse(f, x, source, why_opaque(f, source, "its"));
    return true;
  }
  if (hd_placement_entries(f->nodes[source].op) != hd_placement_entries(f->nodes[x].op)) {
    hd_fuser_refuse(f, x, source, "one runs on the host, the other on the device");
    return true;
  }
  hd_fuse_form form = {.kind = HD_FUSE_LOOP};
  const char *why = hd_fuser_why_other_fusion(f, x, source);
  if (!why) why = hd_fuser_why_apart(f, x, own, g, &form);
  if (!why) why = hd_fuser_why_cycle(f, own, g, false);
  if (why) {
    hd_fuser_refuse(f, x, source, why);
    return true;
  }
  hd_fuser_merge(f, own, g, &form);
  return true;
}

/* |x|, a transpose, joins the product that it alone reads. Where too much stands around the two to be looked at it is a loop kernel. */
static void join_product(hd_fuser *f, uint32_t x) {
  uint32_t product = hd_fuser_find(f, hd_fuser_writer_of(f, hd_operand(f->nodes[x].op, 0)));
  hd_fuse_form form = {.kind = HD_FUSE_GEMM, .shape = f->nodes[x].shape};
  const char *why = hd_fuser_why_cycle(f, x, product, false);
  if (why)
    hd_fuser_refuse(f, x, product, why);
  else
    hd_fuser_merge(f, x, product, &form);
}

/* Why |x|, an op that starts a group or is in none, is apart from what it reads. */
static const char *why_in_memory(hd_fuser *f, uint32_t x) {
  const char *name = hd_fuser_op_name(f->nodes[x].op);
  switch (f->nodes[x].class) {
    case HD_FUSE_DOT:
      return "a product reads each element many times: it is computed once, into memory";
    case HD_FUSE_GENERATED:
      return hd_arena_printf(f->arena, "%s reads it at other indices than its own: it must be in memory", name);
    case HD_FUSE_INLINE:
      return hd_arena_printf(f->arena, "%s only moves elements, and reads them from memory", name);
    default:
      return why_opaque(f, x, "the reader's");
  }
}

static bool refuse_source(hd_fuser *f, uint32_t source, hd_value *buffer, bool direct, void *user) {
  (void)buffer, (void)direct;
  uint32_t x = *(uint32_t *)user;
  hd_fuser_refuse(f, x, source, why_in_memory(f, x));
  return true;
}

/* All that |x| reads is in memory. */
static void refuse_sources(hd_fuser *f, uint32_t x) {
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; f->explain && op->info->derived_from && i < hd_buffer_input_count(op); ++i)
    hd_fuser_for_sources(f, hd_operand(op, i), true, refuse_source, &x);
}

bool hd_is_check(const hd_op *op) {
  hd_str api = hd_op_is(op, HD_OP_hd_ral_call) ? hd_hd_ral_call_api(op) : HD_STR("");
  return hd_str_starts(api, "ral_check___") || hd_str_starts(api, "ral_print___");
}

/* The reduced dims of |op| as one number, to be compared. Those beyond the bits of one are neighbours (reduction.h). */
static uint32_t dims_number(const hd_op *op) {
  enum { BITS = 31 };
  uint32_t bits = 0, begin, end;
  for (uint32_t d = 0; d < hd_type_rank(hd_operand_type(op, 0)); ++d)
    if (hd_attr_find_int(hd_stablehlo_reduce_dimensions(op), d) >= 0) {
      if (d >= BITS && hd_is_column_reduction(op, &begin, &end)) return 1u << BITS | begin * HD_MAX_RANK | end;
      bits |= 1u << d;
    }
  return bits;
}

void hd_fuser_form_groups(hd_fuser *f) {
  uint32_t check = UINT32_MAX;
  for (uint32_t x = 0; x < f->count; ++x) {
    if (f->nodes[x].class != HD_FUSE_INLINE) find_sources(f, x);
    if (check != UINT32_MAX) add_source(f, check, NULL, false, &f->nodes[x]);
    if (hd_is_check(f->nodes[x].op)) check = x;
  }
  hd_fuser_open_order(f);
  for (uint32_t x = 0; f->target && x < f->count; ++x) hd_fuser_find_needs(f, x);
  for (uint32_t x = 0; x < f->count; ++x) {
    hd_fuse_node *n = &f->nodes[x];
    if (n->class == HD_FUSE_OPAQUE || n->class == HD_FUSE_INLINE) {
      refuse_sources(f, x);
      continue;
    }
    if (n->class == HD_FUSE_ROW_REDUCE) {
      n->kind = HD_FUSE_ROW;
      n->stages = 1;
      n->shape = hd_operand(n->op, 0);
      n->first_reduced = hd_type_rank(n->shape->type) - (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(n->op));
    } else if (n->class == HD_FUSE_COLUMN_REDUCE) {
      n->kind = HD_FUSE_COLUMN;
      n->shape = hd_operand(n->op, 0);
      n->first_reduced = dims_number(n->op);
    } else {
      n->kind = n->class == HD_FUSE_DOT ? HD_FUSE_GEMM : HD_FUSE_LOOP;
      n->shape = hd_fuser_result_of(f, x);
    }
    n->has_columns = n->class == HD_FUSE_COLUMN_REDUCE;
    n->has_generated = n->class == HD_FUSE_GENERATED || n->class == HD_FUSE_DOT;
    if (n->is_of_product) {
      join_product(f, x);
      continue;
    }
    if (n->class == HD_FUSE_GENERATED || n->class == HD_FUSE_DOT) { /* they start groups: their operands are buffers */
      refuse_sources(f, x);
      continue;
    }
    for (uint32_t i = hd_buffer_input_count(n->op); i-- > 0;)
      hd_fuser_for_sources(f, hd_operand(n->op, i), true, join_source, &x);
  }
}
