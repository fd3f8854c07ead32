/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a block whose ops have become fusions. */
#include "passes/fuse/fuser.h"

typedef struct order_entry {
  hd_op *op;
  hd_vec(uint32_t) after; /* ops that must wait for this one */
  uint32_t waits;
} order_entry;

static void depend(hd_fuser *f, order_entry *e, uint32_t first, uint32_t second) {
  if (first == second) return;
  hd_vec_push(f->arena, &e[first].after, second);
  ++e[second].waits;
}

/* Values that |op|, or an op inside it, uses and that ops of its block define. */
typedef struct definitions {
  hd_fuser *f;
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

/* Ready ops, the smallest number on top. */
typedef hd_vec(uint32_t) ready_heap;

static void swap_ready(ready_heap *h, size_t a, size_t b) {
  uint32_t kept = h->data[a];
  h->data[a] = h->data[b];
  h->data[b] = kept;
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

void hd_fuser_reorder(hd_fuser *f, hd_block *block) {
  uint32_t n = 0;
  hd_for_each_op(op, block) ++n;
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
    bool writes, frees;
    bool own; /* what a fusion's copy of an inline op writes: it must not be freed yet */
  } touch;
  typedef hd_vec(touch) touches;
  hd_map buffers = {0};
  for (uint32_t i = 0; i < n; ++i) {
    hd_op *op = e[i].op;
    hd_walk_pre(op, wait_for_definitions, &(definitions){f, e, &position, i});
    if (hd_op_is(op, HD_OP_memref_alloc)) continue;
    /* Accesses, by the old position of the op that makes them. A fusion's copies of inline ops, and what they write,
     * are its own. One that was there before is an op as any other. */
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
        hd_map_entry *entry = hd_map_insert(f->arena, &buffers, accesses.data[a].buffer, NULL);
        if (!entry->value.ptr) entry->value.ptr = hd_new(f->arena, touches);
        touches *list = entry->value.ptr;
        /* A copy reads what its op would: a value with one writer. */
        hd_vec_push(f->arena, list,
                    ((touch){i, old ? old->value.i64 : -1, accesses.data[a].writes, accesses.data[a].frees,
                             hd_map_get(&own, accesses.data[a].buffer) != NULL}));
      }
    }
  }
  for (size_t b = 0; b < buffers.len; ++b) {
    touches *list = buffers.entries[b].value.ptr;
    for (size_t x = 0; x < list->len; ++x) {
      if (!list->data[x].writes || list->data[x].own) continue;
      for (size_t y = 0; y < list->len; ++y) {
        touch w = list->data[x], o = list->data[y];
        if (w.op == o.op || (o.own ? !w.frees : o.writes && y < x)) continue;
        bool copy = o.order < 0; /* of an inline op: reads the value, which has one writer */
        if (w.frees && o.order <= w.order)
          depend(f, e, o.op, w.op);
        else if (copy || w.order < o.order)
          depend(f, e, w.op, o.op);
        else
          depend(f, e, o.op, w.op);
      }
    }
  }
  /* What stands behind a check runs after it. */
  for (uint32_t i = 0, check = n; i < n; ++i) {
    if (check < n) depend(f, e, check, i);
    if (hd_is_check(e[i].op)) check = i;
  }
  /* Kahn, always the first ready op in the old order. */
  ready_heap ready = {0};
  for (uint32_t i = 0; i < n; ++i)
    if (!e[i].waits) push_ready(f, &ready, i);
  hd_op **sorted = hd_new_array(f->arena, hd_op *, n);
  uint32_t done = 0;
  while (ready.len) {
    uint32_t i = pop_ready(&ready);
    sorted[done++] = e[i].op;
    for (size_t a = 0; a < e[i].after.len; ++a)
      if (!--e[e[i].after.data[a]].waits) push_ready(f, &ready, e[i].after.data[a]);
  }
  HD_ASSERT(done == n); /* groups make no cycle: makes_cycle sees every dependence */
  hd_op *terminator = block->last;
  for (uint32_t i = 0; i < done; ++i) f->pass->changed |= sorted[i] != e[i].op;
  for (uint32_t i = 0; i < done; ++i) hd_op_unlink(sorted[i]);
  for (uint32_t i = 0; i < done; ++i)
    if (sorted[i] != terminator) hd_op_append(sorted[i], block);
  hd_op_append(terminator, block);
}
