/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/call_graph.h"

#include "base/vec.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

enum { SIZE_MOST = 2 * HD_PROGRAM_MOST_OPS };

typedef struct node {
  hd_op *function;
  hd_vec(struct node *) callers, callees;
  uint32_t open; /* edges that were not taken away yet */
  uint64_t size; /* once finite: of its ops, with those of the calls in place of these; at most SIZE_MOST */
  bool finite;   /* its calls end */
  bool may_stay; /* a composite names it, which an op may stand for: its size is not known ahead */
} node;

typedef hd_vec(node *) nodes;

typedef struct builder {
  const hd_call_graph *graph;
  hd_arena *arena;
  node *caller;
} builder;

static hd_op *callee_of(hd_op *op) {
  if (hd_op_is(op, HD_OP_stablehlo_composite)) return hd_symbol_resolve(op, hd_stablehlo_composite_decomposition(op));
  return hd_op_has_trait(op, HD_TRAIT(CALL_LIKE)) ? hd_symbol_resolve(op, hd_call_like_callee(op)) : NULL;
}

static node *node_of(const hd_call_graph *graph, hd_op *function) {
  return function ? hd_map_get(&graph->functions, function) : NULL;
}

static bool add_edge(hd_op *op, void *user) {
  builder *b = user;
  ++b->caller->size;
  node *callee = node_of(b->graph, callee_of(op));
  if (!callee) return true;
  callee->may_stay |= hd_op_is(op, HD_OP_stablehlo_composite);
  hd_vec_push(b->arena, &callee->callers, b->caller);
  hd_vec_push(b->arena, &b->caller->callees, callee);
  return true;
}

/* Callees are finite before their callers. */
static void add_sizes(node *n) {
  for (size_t i = 0; i < n->callees.len && n->size < SIZE_MOST; ++i)
    n->size += n->callees.data[i]->may_stay ? 1 : n->callees.data[i]->size;
  if (n->size > SIZE_MOST) n->size = SIZE_MOST;
}

/* Takes away functions that call none of those left; or, |backwards|, those that none of those left calls. */
static void take_away(const nodes *all, bool backwards, hd_arena *arena) {
  nodes queue = {0};
  for (size_t i = 0; i < all->len; ++i) {
    node *n = all->data[i];
    if (n->finite) continue;
    n->open = 0;
    size_t edges = backwards ? n->callers.len : n->callees.len;
    for (size_t e = 0; e < edges; ++e) n->open += !(backwards ? n->callers : n->callees).data[e]->finite;
    if (!n->open) hd_vec_push(arena, &queue, n);
  }
  while (queue.len) {
    node *n = hd_vec_pop(&queue);
    n->finite = true;
    if (!backwards) add_sizes(n);
    size_t edges = backwards ? n->callees.len : n->callers.len;
    for (size_t e = 0; e < edges; ++e) {
      node *other = (backwards ? n->callees : n->callers).data[e];
      if (!other->finite && !--other->open) hd_vec_push(arena, &queue, other);
    }
  }
}

/* What neither way takes away are cycles and what is between two of them. */
void hd_call_graph_init(hd_call_graph *graph, hd_op *module, hd_arena *arena) {
  nodes all = {0};
  *graph = (hd_call_graph){0};
  hd_for_each_op(op, hd_op_region(module, 0)->first) {
    if (!hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE))) continue;
    node *n = hd_new(arena, node);
    n->function = op;
    hd_map_set(arena, &graph->functions, op, n);
    hd_vec_push(arena, &all, n);
  }
  for (size_t i = 0; i < all.len; ++i)
    hd_walk_pre(all.data[i]->function, add_edge, &(builder){graph, arena, all.data[i]});
  take_away(&all, false, arena);
  take_away(&all, true, arena);
}

bool hd_call_graph_ends(const hd_call_graph *graph, hd_op *function) {
  node *n = node_of(graph, function);
  return n && n->finite;
}

typedef struct size_check {
  const hd_call_graph *graph;
  uint64_t size;
} size_check;

static bool add_call(hd_op *op, void *user) {
  size_check *check = user;
  if (hd_op_is(op, HD_OP_stablehlo_composite)) return true;
  node *n = node_of(check->graph, callee_of(op));
  if (n && n->finite) check->size += n->size;
  return check->size <= HD_PROGRAM_MOST_OPS ||
         hd_op_error(op, "makes a program of more ops than expected, at most %d", HD_PROGRAM_MOST_OPS);
}

bool hd_call_graph_check_size(const hd_call_graph *graph, hd_op *function, uint64_t written) {
  return hd_walk_pre(function, add_call, &(size_check){graph, written});
}
