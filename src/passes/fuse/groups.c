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

/* The node of this block that defines |value|, an index that follows from elements of buffers or a buffer that control
 * flow gives; UINT32_MAX when there is none. */
static uint32_t loader_of(hd_fuser *f, hd_value *value) {
  bool buffer = hd_type_is(value->type, HD_TYPE_MEMREF);
  hd_op *def = hd_value_op(buffer ? hd_buffer_root(value) : value);
  if (!def || hd_op_is(def, HD_OP_memref_alloc)) return UINT32_MAX;
  hd_map_entry *entry = hd_map_find(&f->index, def);
  return entry && (buffer || f->nodes[entry->value.i64 - 1].loaded) ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
}

bool hd_fuser_for_each_producer(hd_fuser *f, hd_value *buffer, bool direct, hd_producer_fn fn, void *user) {
  uint32_t w = hd_fuser_writer_of(f, buffer);
  if (w == UINT32_MAX) return true;
  if (f->nodes[w].class != HD_FUSE_INLINE) return fn(f, w, buffer, direct, user);
  hd_op *op = f->nodes[w].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i)
    if (!hd_fuser_for_each_producer(f, hd_operand(op, i), false, fn, user)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    uint32_t loader = loader_of(f, hd_operand(op, i));
    if (loader != UINT32_MAX && !fn(f, loader, buffer, false, user)) return false;
  }
  return true;
}

void hd_fuser_merge(hd_fuser *f, uint32_t into, uint32_t from, const hd_fuse_kernel *kernel) {
  hd_fuse_node *a = &f->nodes[into], *b = &f->nodes[from];
  HD_ASSERT(into != from && a->parent == into && b->parent == from);
  hd_fuser_order_merged(f, into, from);
  if (b->first_index < a->first_index) a->first_index = b->first_index;
  if (b->last_index > a->last_index) a->last_index = b->last_index;
  uint32_t stages = hd_fuser_stages(f, into, from);
  a->size += b->size;
  a->stages = stages;
  a->has_generated |= b->has_generated;
  a->has_columns |= b->has_columns;
  a->bytes += b->bytes;
  a->shared += b->shared;
  f->nodes[a->last_member].next_member = from;
  a->last_member = b->last_member;
  b->parent = into;
  a->kind = kernel->kind;
  a->shape = kernel->shape;
  a->first_reduced = kernel->first_reduced;
}

void hd_fuser_note_blocker(hd_fuser *f, uint32_t reader, uint32_t producer, const char *reason) {
  if (f->explain) hd_vec_push(f->arena, &f->blockers, ((hd_fuse_blocker){reader, producer, reason}));
}

static bool add_producer(hd_fuser *f, uint32_t producer, hd_value *buffer, bool direct, void *user) {
  (void)buffer;
  hd_fuse_node *n = user;
  n->reads_through |= !direct;
  for (uint32_t i = 0; i < n->producer_count; ++i)
    if (n->producers[i] == producer) return true;
  if (!(n->producer_count & (n->producer_count - 1))) { /* grows by doubling */
    uint32_t *grown = hd_new_array(f->arena, uint32_t, n->producer_count ? 2 * n->producer_count : 4);
    for (uint32_t i = 0; i < n->producer_count; ++i) grown[i] = n->producers[i];
    n->producers = grown;
  }
  n->producers[n->producer_count++] = producer;
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
  if (order->writer != UINT32_MAX && order->writer != x) add_producer(f, order->writer, buffer, false, &f->nodes[x]);
  if (!writes && order->writer != UINT32_MAX)
    hd_fuser_note_blocker(f, x, order->writer, "its buffer is of an outer block or written more than once");
  if (!writes) {
    hd_vec_push(f->arena, &order->readers, x);
    return;
  }
  for (size_t i = 0; i < order->readers.len; ++i)
    if (order->readers.data[i] != x) add_producer(f, order->readers.data[i], buffer, false, &f->nodes[x]);
  order->readers.len = 0;
  order->writer = x;
}

typedef struct producer_walk {
  hd_fuser *f;
  uint32_t node;
} producer_walk;

static bool add_loaders(hd_op *op, void *user) {
  producer_walk *w = user;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    uint32_t loader = loader_of(w->f, hd_operand(op, i));
    if (loader != UINT32_MAX) add_producer(w->f, loader, NULL, false, &w->f->nodes[w->node]);
  }
  return true;
}

/* What must run before node |x|. Nodes are visited in the order of the block. */
static void find_producers(hd_fuser *f, uint32_t x) {
  hd_accesses accesses = {0};
  hd_op *op = f->nodes[x].op;
  if (hd_op_is(op, HD_OP_memref_alloc)) return;
  hd_walk_pre(op, add_loaders, &(producer_walk){f, x});
  f->nodes[x].loaded = hd_op_is(op, HD_OP_memref_load) || (!op->info->derived_from && f->nodes[x].producer_count);
  hd_buffer_accesses(op, f->arena, &accesses);
  for (size_t i = 0; i < accesses.len; ++i) {
    hd_value *buffer = accesses.data[i].buffer;
    hd_map_entry *entry = hd_map_find(&f->writers, buffer);
    if (entry && entry->value.i64 < 0)
      wait_in_order(f, x, buffer, accesses.data[i].writes);
    else if (!accesses.data[i].writes)
      hd_fuser_for_each_producer(f, buffer, true, add_producer, &f->nodes[x]);
  }
}

/* Why node |x|, which is opaque, is computed with no other op. |its| buffer: "its" or "the reader's". */
static const char *opaque_blocker(hd_fuser *f, uint32_t x, const char *its) {
  hd_op *op = f->nodes[x].op;
  if (!op->info->derived_from) return "control flow or the host gives it";
  if (hd_buffer_opcode(op) == HD_OP_stablehlo_constant) return "it is a constant, which is in memory";
  if (hd_fuser_classify(f, op) == HD_FUSE_OPAQUE)
    return hd_arena_printf(f->arena, "no kernel has this %s with other ops", hd_fuser_op_name(op));
  return hd_arena_printf(f->arena, "%s buffer is of an outer block or written more than once", its);
}

static bool join_producer(hd_fuser *f, uint32_t producer, hd_value *buffer, bool direct, void *user) {
  (void)buffer, (void)direct;
  uint32_t x = *(uint32_t *)user, g = hd_fuser_find(f, producer), own = hd_fuser_find(f, x);
  if (g == own) return true;
  if (f->nodes[producer].class == HD_FUSE_OPAQUE) {
    hd_fuser_note_blocker(f, x, producer, opaque_blocker(f, producer, "its"));
    return true;
  }
  if (hd_placement_entries(f->nodes[producer].op) != hd_placement_entries(f->nodes[x].op)) {
    hd_fuser_note_blocker(f, x, producer, "one runs on the host, the other on the device");
    return true;
  }
  hd_fuse_kernel kernel = {.kind = HD_FUSE_LOOP};
  const char *reason = hd_fuser_program_blocker(f, x, producer);
  if (!reason) reason = hd_fuser_join_blocker(f, x, own, g, &kernel);
  if (!reason) reason = hd_fuser_cycle_blocker(f, own, g, false);
  if (reason) {
    hd_fuser_note_blocker(f, x, producer, reason);
    return true;
  }
  hd_fuser_merge(f, own, g, &kernel);
  return true;
}

/* |x|, a transpose, joins the product that it alone reads. Where too much is around the two to be looked at it is a
 * loop kernel. */
static void join_product(hd_fuser *f, uint32_t x) {
  uint32_t product = hd_fuser_find(f, hd_fuser_writer_of(f, hd_operand(f->nodes[x].op, 0)));
  hd_fuse_kernel kernel = {.kind = HD_FUSE_GEMM, .shape = f->nodes[x].shape};
  const char *reason = hd_fuser_cycle_blocker(f, x, product, false);
  if (reason)
    hd_fuser_note_blocker(f, x, product, reason);
  else
    hd_fuser_merge(f, x, product, &kernel);
}

/* For |x|, an op that starts a group or is in none, and its producers. */
static const char *in_memory_blocker(hd_fuser *f, uint32_t x) {
  const char *name = hd_fuser_op_name(f->nodes[x].op);
  switch (f->nodes[x].class) {
    case HD_FUSE_DOT:
      return "a product reads each element many times: it is computed once, into memory";
    case HD_FUSE_GENERATED:
      return hd_arena_printf(f->arena, "%s reads it at other indices than its own: it must be in memory", name);
    case HD_FUSE_INLINE:
      return hd_arena_printf(f->arena, "%s only moves elements, and reads them from memory", name);
    default:
      return opaque_blocker(f, x, "the reader's");
  }
}

static bool note_in_memory_producer(hd_fuser *f, uint32_t producer, hd_value *buffer, bool direct, void *user) {
  (void)buffer, (void)direct;
  uint32_t x = *(uint32_t *)user;
  hd_fuser_note_blocker(f, x, producer, in_memory_blocker(f, x));
  return true;
}

/* Blockers of |x|, whose operands are all read from memory. */
static void note_in_memory_producers(hd_fuser *f, uint32_t x) {
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; f->explain && op->info->derived_from && i < hd_buffer_input_count(op); ++i)
    hd_fuser_for_each_producer(f, hd_operand(op, i), true, note_in_memory_producer, &x);
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
    if (f->nodes[x].class != HD_FUSE_INLINE) find_producers(f, x);
    if (check != UINT32_MAX) add_producer(f, check, NULL, false, &f->nodes[x]);
    if (hd_is_check(f->nodes[x].op)) check = x;
  }
  hd_fuser_init_group_order(f);
  for (uint32_t x = 0; f->target && x < f->count; ++x) hd_fuser_bound_resources(f, x);
  for (uint32_t x = 0; x < f->count; ++x) {
    hd_fuse_node *n = &f->nodes[x];
    if (n->class == HD_FUSE_OPAQUE || n->class == HD_FUSE_INLINE) {
      note_in_memory_producers(f, x);
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
      note_in_memory_producers(f, x);
      continue;
    }
    for (uint32_t i = hd_buffer_input_count(n->op); i-- > 0;)
      hd_fuser_for_each_producer(f, hd_operand(n->op, i), true, join_producer, &x);
  }
}
