/* SPDX-License-Identifier: Apache-2.0 */
/* disc-fusion: sorts a block again, some of whose ops are now in fusions. */
#include "passes/fuse/fuser.h"

typedef struct order_entry {
  hd_op *op;
  hd_vec(uint32_t) successors; /* ops that depend on this one */
  uint32_t pending;            /* dependences that are not yet in the new order */
} order_entry;

/* An access to a buffer by entry |op|. */
typedef struct access {
  uint32_t op;
  int64_t order; /* the old position of the op that makes it; -1: a fusion's own copy of an inline op */
  bool writes, frees;
  bool own; /* what a fusion's copy of an inline op writes: it must not be freed yet */
} access;
typedef hd_vec(access) access_list;

typedef struct sorter {
  hd_fuser *f;
  order_entry *entries;
  uint32_t count;
  hd_map position; /* op -> index + 1 */
  hd_map buffers;  /* buffer -> access_list, in the order of entries */
} sorter;

static void depend(sorter *s, uint32_t first, uint32_t second) {
  if (first == second) return;
  hd_vec_push(s->f->arena, &s->entries[first].successors, second);
  ++s->entries[second].pending;
}

typedef struct definitions {
  sorter *s;
  uint32_t user;
} definitions;

/* Dependences on the ops of the block that define what |op|, or an op inside it, uses. */
static bool depend_on_definitions(hd_op *op, void *user) {
  definitions *d = user;
  for (uint32_t o = 0; o < op->operand_count; ++o) {
    hd_op *def = hd_value_op(hd_operand(op, o));
    hd_map_entry *p = def ? hd_map_find(&d->s->position, def) : NULL;
    if (p) depend(d->s, (uint32_t)p->value.i64 - 1, d->user);
  }
  return true;
}

/* Accesses of entry |i|, by the old positions of the ops that make them. A fusion's copies of inline ops, and what they
 * write, are its own; a fusion that was there before this pass is an op as any other. */
static void collect_accesses(sorter *s, uint32_t i) {
  hd_fuser *f = s->f;
  hd_op *op = s->entries[i].op;
  bool fusion = hd_op_is(op, HD_OP_lmhlo_fusion) && !hd_map_find(&f->index, op);
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
      hd_map_entry *entry = hd_map_insert(f->arena, &s->buffers, accesses.data[a].buffer, NULL);
      if (!entry->value.ptr) entry->value.ptr = hd_new(f->arena, access_list);
      access_list *list = entry->value.ptr;
      hd_vec_push(f->arena, list,
                  ((access){i, old ? old->value.i64 : -1, accesses.data[a].writes, accesses.data[a].frees,
                            hd_map_get(&own, accesses.data[a].buffer) != NULL}));
    }
  }
}

/* The dependences through one buffer: a write and any other access keep their order. */
static void depend_on_writes(sorter *s, const access_list *list) {
  for (size_t x = 0; x < list->len; ++x) {
    if (!list->data[x].writes || list->data[x].own) continue;
    for (size_t y = 0; y < list->len; ++y) {
      access w = list->data[x], o = list->data[y];
      if (w.op == o.op || (o.own ? !w.frees : o.writes && y < x)) continue;
      bool is_copy = o.order < 0; /* of an inline op: it reads a value that has one writer */
      if (w.frees && o.order <= w.order)
        depend(s, o.op, w.op);
      else if (is_copy || w.order < o.order)
        depend(s, w.op, o.op);
      else
        depend(s, o.op, w.op);
    }
  }
}

/* Ready ops, the smallest number on top. */
typedef hd_vec(uint32_t) ready_heap;

static void swap_ready(ready_heap *h, size_t a, size_t b) {
  uint32_t value = h->data[a];
  h->data[a] = h->data[b];
  h->data[b] = value;
}

static void push_ready(hd_fuser *f, ready_heap *h, uint32_t i) {
  hd_vec_push(f->arena, h, i);
  for (size_t at = h->len - 1; at && h->data[(at - 1) / 2] > h->data[at]; at = (at - 1) / 2)
    swap_ready(h, at, (at - 1) / 2);
}

static uint32_t pop_ready(ready_heap *h) {
  uint32_t top = h->data[0];
  h->data[0] = h->data[--h->len];
  for (size_t at = 0, child; (child = 2 * at + 1) < h->len; at = child) {
    if (child + 1 < h->len && h->data[child + 1] < h->data[child]) ++child;
    if (h->data[at] <= h->data[child]) break;
    swap_ready(h, at, child);
  }
  return top;
}

/* Kahn's algorithm, which always takes the first ready op in the old order. Writes count ops to |sorted|. */
static void sort(sorter *s, hd_op **sorted) {
  ready_heap ready = {0};
  for (uint32_t i = 0; i < s->count; ++i)
    if (!s->entries[i].pending) push_ready(s->f, &ready, i);
  uint32_t done = 0;
  while (ready.len) {
    order_entry *e = &s->entries[pop_ready(&ready)];
    sorted[done++] = e->op;
    for (size_t a = 0; a < e->successors.len; ++a)
      if (!--s->entries[e->successors.data[a]].pending) push_ready(s->f, &ready, e->successors.data[a]);
  }
  HD_ASSERT(done == s->count); /* hd_fuser_cycle_blocker sees every dependence */
}

void hd_fuser_reorder(hd_fuser *f, hd_block *block) {
  sorter s = {.f = f};
  hd_for_each_op(op, block) ++s.count;
  s.entries = hd_new_array(f->arena, order_entry, s.count);
  uint32_t at = 0;
  hd_for_each_op(op, block) {
    s.entries[at].op = op;
    hd_map_insert(f->arena, &s.position, op, NULL)->value.i64 = ++at;
  }
  for (uint32_t i = 0; i < s.count; ++i) {
    hd_walk_pre(s.entries[i].op, depend_on_definitions, &(definitions){&s, i});
    if (!hd_op_is(s.entries[i].op, HD_OP_memref_alloc)) collect_accesses(&s, i);
  }
  for (size_t b = 0; b < s.buffers.len; ++b) depend_on_writes(&s, s.buffers.entries[b].value.ptr);
  /* No op moves up over a check of sizes. */
  for (uint32_t i = 0, check = s.count; i < s.count; ++i) {
    if (check < s.count) depend(&s, check, i);
    if (hd_is_check(s.entries[i].op)) check = i;
  }
  hd_op **sorted = hd_new_array(f->arena, hd_op *, s.count);
  sort(&s, sorted);
  hd_op *terminator = block->last;
  for (uint32_t i = 0; i < s.count; ++i) {
    f->pass->changed |= sorted[i] != s.entries[i].op;
    hd_op_unlink(sorted[i]);
  }
  for (uint32_t i = 0; i < s.count; ++i)
    if (sorted[i] != terminator) hd_op_append(sorted[i], block);
  hd_op_append(terminator, block);
}
