/* SPDX-License-Identifier: Apache-2.0 */
/* Post-dominators: a node's is the first that all ways from it to the end of the kernel go through. By iteration over
 * the nodes in the order in which a walk from the end leaves them, as for dominators, on edges turned round. */
#include "target/simt/encoder.h"

/* Nodes are 0 to |end|, which all ways come to. */
typedef struct walk {
  const hd_simt_encoder *e;
  uint32_t end;
  hd_vec(uint32_t) * before; /* per node: those that go to it */
  uint32_t *number, *order;  /* by when the walk leaves a node; UINT32_MAX: never reached */
  uint32_t *meet;
} walk;

static uint32_t successors_of(const walk *w, uint32_t node, uint32_t out[2]) {
  const hd_simt_node *n = w->e->nodes.data[node];
  const hd_simt_draft *last = n->code.len ? &hd_vec_last(&n->code) : NULL;
  out[0] = w->end;
  if (!last || (last->op != HD_SIMT_branch && last->op != HD_SIMT_branch_if)) return 1;
  memcpy(out, last->targets, sizeof last->targets);
  return last->op == HD_SIMT_branch ? 1 : 2;
}

static uint32_t number_nodes(walk *w, hd_arena *arena) {
  typedef struct step {
    uint32_t node;
    size_t next;
  } step;
  hd_vec(step) stack = {0};
  uint32_t count = 0;
  for (uint32_t i = 0; i <= w->end; ++i) w->number[i] = UINT32_MAX;
  w->number[w->end] = UINT32_MAX - 1; /* reached */
  hd_vec_push(arena, &stack, (step){w->end, 0});
  while (stack.len) {
    step *top = &hd_vec_last(&stack);
    if (top->next == w->before[top->node].len) {
      w->order[count] = top->node;
      w->number[top->node] = count++;
      (void)hd_vec_pop(&stack);
      continue;
    }
    uint32_t before = w->before[top->node].data[top->next++];
    if (w->number[before] != UINT32_MAX) continue;
    w->number[before] = UINT32_MAX - 1;
    hd_vec_push(arena, &stack, (step){before, 0});
  }
  return count;
}

static uint32_t common(const walk *w, uint32_t a, uint32_t b) {
  while (a != b) {
    while (w->number[a] < w->number[b]) a = w->meet[a];
    while (w->number[b] < w->number[a]) b = w->meet[b];
  }
  return a;
}

void hd_simt_find_meets(hd_simt_encoder *e) {
  uint32_t count = (uint32_t)e->nodes.len, next[2];
  walk w = {.e = e, .end = count};
  w.before = hd_arena_calloc(e->arena, count + 1, sizeof *w.before);
  w.number = hd_new_array(e->arena, uint32_t, count + 1);
  w.order = hd_new_array(e->arena, uint32_t, count + 1);
  w.meet = hd_new_array(e->arena, uint32_t, count + 1);
  for (uint32_t n = 0; n < count; ++n) {
    uint32_t ways = successors_of(&w, n, next);
    for (uint32_t i = 0; i < ways; ++i) hd_vec_push(e->arena, &w.before[next[i]], n);
    w.meet[n] = UINT32_MAX;
  }
  w.meet[count] = count;
  uint32_t reached = number_nodes(&w, e->arena);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = reached - 1; k-- > 0;) { /* the end is the last */
      uint32_t n = w.order[k], meet = UINT32_MAX, ways = successors_of(&w, n, next);
      for (uint32_t i = 0; i < ways; ++i)
        if (w.number[next[i]] != UINT32_MAX && w.meet[next[i]] != UINT32_MAX)
          meet = meet == UINT32_MAX ? next[i] : common(&w, meet, next[i]);
      changed |= meet != w.meet[n];
      w.meet[n] = meet;
    }
  }
  for (uint32_t n = 0; n < count; ++n)
    e->nodes.data[n]->meet = w.number[n] == UINT32_MAX || w.meet[n] == count ? HD_SIMT_NOWHERE : w.meet[n];
}
