/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/buffer_places.h"

#include "ir/placement.h"

typedef struct node {
  struct node *parent;
  hd_placement at;
} node;

static node *root(node *n) {
  while (n->parent) {
    if (n->parent->parent) n->parent = n->parent->parent;
    n = n->parent;
  }
  return n;
}

static node *node_of(hd_buffer_places *m, hd_value *value) {
  node *n = hd_map_get(&m->nodes, value);
  if (n) return root(n);
  n = hd_new(m->arena, node);
  if (value->type->shaped.space) n->at = HD_PLACEMENT_DEVICE;
  hd_map_set(m->arena, &m->nodes, value, n);
  hd_vec_push(m->arena, &m->values, value);
  return n;
}

static bool is_buffer(const hd_value *value) { return hd_type_is(value->type, HD_TYPE_MEMREF); }

void hd_buffer_place_set(hd_buffer_places *m, hd_value *value, hd_placement at, hd_op *by) {
  if (!is_buffer(value) || at == HD_PLACEMENT_NONE) return;
  node *n = node_of(m, value);
  if (n->at == HD_PLACEMENT_NONE || (m->device_wins && at == HD_PLACEMENT_DEVICE)) n->at = at;
  if (n->at == at || m->device_wins) return;
  hd_vec_push(m->arena, &m->conflicts, by);
}

static void join(hd_buffer_places *m, hd_value *a, hd_value *b, hd_op *by) {
  if (!is_buffer(a) || !is_buffer(b)) return;
  node *to = node_of(m, a), *from = node_of(m, b);
  if (to == from) return;
  hd_placement at = from->at;
  from->parent = to;
  hd_buffer_place_set(m, a, at, by);
}

static void join_all(hd_buffer_places *m, hd_op *from, uint32_t first, hd_value *const *to, uint32_t count) {
  for (uint32_t i = 0; i < count && first + i < from->operand_count; ++i)
    join(m, to[i], hd_operand(from, first + i), from);
}

/* The values that a region's op hands over: its results and the arguments of its regions. */
static void join_region_op(hd_buffer_places *m, hd_op *op) {
  uint32_t first = hd_op_is(op, HD_OP_scf_for) ? 3 : 0, skip = hd_op_is(op, HD_OP_scf_for) ? 1 : 0;
  bool loop = hd_op_is(op, HD_OP_scf_while) || hd_op_is(op, HD_OP_scf_for);
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r)) {
      if (loop && block->arg_count > skip && r == 0)
        join_all(m, op, first, block->args + skip, block->arg_count - skip);
      hd_op *end = block->last;
      uint32_t from = hd_op_is(end, HD_OP_scf_condition) ? 1 : 0;
      bool back = hd_op_is(op, HD_OP_scf_while) && r == 1;
      for (uint32_t i = 0; hd_op_has_trait(end, HD_TRAIT(RETURN_LIKE)) && from + i < end->operand_count; ++i) {
        hd_value *value = hd_operand(end, from + i);
        hd_block *head = hd_op_region(op, 0)->first, *body = op->region_count > 1 ? hd_op_region(op, 1)->first : NULL;
        if (back) {
          join(m, head->args[i], value, end);
          continue;
        }
        if (i < op->result_count) join(m, hd_result(op, i), value, end);
        if (hd_op_is(op, HD_OP_scf_for)) join(m, head->args[1 + i], value, end);
        if (from && body && i < body->arg_count) join(m, body->args[i], value, end);
      }
    }
}

static void join_jump(hd_buffer_places *m, hd_op *op) {
  for (uint32_t i = 0; i < op->successor_count; ++i) {
    uint32_t start, count;
    hd_op_successor_operands(op, i, &start, &count);
    hd_block *to = op->successors[i];
    join_all(m, op, start, to->args, to->arg_count < count ? to->arg_count : count);
  }
}

static bool visit(hd_op *op, void *user) {
  hd_buffer_places *m = user;
  hd_attr entries = hd_placement_entries(op);
  if (op->info->derived_from) { /* one entry per buffer written, and those are the last ones */
    uint32_t count = 0, written = hd_attr_is(entries, HD_ATTR_ARRAY) ? entries->array.count : 0;
    for (uint32_t i = 0; i < op->operand_count; ++i) count += is_buffer(hd_operand(op, i));
    for (uint32_t i = 0, k = 0; i < op->operand_count; ++i) {
      if (!is_buffer(hd_operand(op, i))) continue;
      bool output = k + written >= count;
      if (output)
        hd_buffer_place_set(m, hd_operand(op, i), hd_placement_of_attr(entries->array.items[k + written - count]), op);
      ++k;
    }
    return true;
  }
  if (hd_op_is(op, HD_OP_memref_alloca) && !hd_result_type(op, 0)->shaped.space)
    hd_buffer_place_set(m, hd_result(op, 0), HD_PLACEMENT_HOST, op);
  if (hd_op_is(op, HD_OP_memref_load)) hd_buffer_place_set(m, hd_operand(op, 0), HD_PLACEMENT_HOST, op);
  if (hd_op_is(op, HD_OP_memref_store)) hd_buffer_place_set(m, hd_operand(op, 1), HD_PLACEMENT_HOST, op);
  if (hd_op_is(op, HD_OP_func_return))
    for (uint32_t i = 0; i < op->operand_count; ++i)
      hd_buffer_place_set(m, hd_operand(op, i), hd_placement_of_function_result(hd_op_parent(op), i), op);
  if (op->successor_count) {
    join_jump(m, op);
  } else if (op->region_count) {
    if (!hd_op_is(op, HD_OP_func_func)) join_region_op(m, op);
  } else if (op->result_count == 1 && op->operand_count && is_buffer(hd_result(op, 0))) { /* views and selections */
    for (uint32_t i = 0; i < op->operand_count; ++i) join(m, hd_result(op, 0), hd_operand(op, i), op);
  }
  return true;
}

static hd_buffer_places *find(hd_op *func, hd_arena *arena, bool device_wins) {
  hd_buffer_places *m = hd_new(arena, hd_buffer_places);
  *m = (hd_buffer_places){.arena = arena, .func = func, .device_wins = device_wins};
  hd_block *entry = hd_op_region(func, 0)->first;
  for (uint32_t i = 0; i < entry->arg_count; ++i)
    hd_buffer_place_set(m, entry->args[i], hd_placement_of(entry->args[i]), func);
  hd_walk_pre(func, visit, m);
  return m;
}

hd_buffer_places *hd_buffer_places_of(hd_op *func, hd_arena *arena) { return find(func, arena, false); }

hd_buffer_places *hd_buffer_places_of_launches(hd_op *func, hd_arena *arena) { return find(func, arena, true); }

hd_placement hd_buffer_place(hd_buffer_places *m, hd_value *buffer) {
  return is_buffer(buffer) ? node_of(m, buffer)->at : HD_PLACEMENT_NONE;
}

typedef struct print_state {
  hd_buffer_places *places;
  hd_strbuf *out;
} print_state;

static void print_value(print_state *p, hd_value *value) {
  static const char *const names[] = {" nowhere", " host", " device"};
  if (is_buffer(value)) hd_strbuf_puts(p->out, names[hd_buffer_place(p->places, value)]);
}

static bool print_op(hd_op *op, void *user) {
  print_state *p = user;
  hd_strbuf_puts(p->out, op->name->text);
  for (uint32_t i = 0; i < op->result_count; ++i) print_value(p, hd_result(op, i));
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r))
      for (uint32_t i = 0; i < block->arg_count; ++i) print_value(p, block->args[i]);
  hd_strbuf_putc(p->out, '\n');
  return true;
}

void hd_buffer_places_print(hd_buffer_places *places, hd_strbuf *out) {
  hd_walk_pre(places->func, print_op, &(print_state){places, out});
}
