/* SPDX-License-Identifier: Apache-2.0 */
/* Maps through many ops: from an element of the last value back to those before, op by op, each value's maps once. */
#include "analysis/indexing/of_op.h"

enum { MAX_MAPS = 64 /* of a value: where it is read in more ways, it is unknown how */ };

/* How a value is read. */
typedef struct reading {
  hd_index_maps maps;
  bool is_unknown;
} reading;

typedef struct tracer {
  hd_indexing *in;
  hd_map readings; /* hd_value -> reading */
} tracer;

static reading *reading_of(tracer *t, hd_value *value) {
  hd_map_entry *entry = hd_map_insert(t->in->arena, &t->readings, value, NULL);
  if (!entry->value.ptr) entry->value.ptr = hd_new(t->in->arena, reading);
  return entry->value.ptr;
}

static void add(tracer *t, reading *r, hd_index_map *map) {
  for (size_t i = 0; i < r->maps.len; ++i)
    if (hd_index_map_equal(r->maps.data[i], map)) return;
  r->is_unknown |= !map || r->maps.len == MAX_MAPS;
  if (!r->is_unknown) hd_vec_push(t->in->arena, &r->maps, map);
}

/* The operands of |op|, whose result |result| is read like |how|. */
static void trace_result(tracer *t, hd_op *op, uint32_t result, const reading *how) {
  hd_index_maps *inputs = hd_new_array(t->in->arena, hd_index_maps, op->operand_count);
  bool known = !how->is_unknown && hd_index_output_to_input(t->in, op, result, inputs);
  /* What is read where it is written, all of it: indices of the result are in its shape. */
  const hd_index_map *whole = hd_index_map_identity(t->in, hd_result(op, result));
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    reading *to = reading_of(t, hd_operand(op, i));
    to->is_unknown |= !known;
    for (size_t k = 0; known && k < inputs[i].len && !to->is_unknown; ++k) {
      bool same = inputs[i].data[k] == whole;
      for (size_t m = 0; m < how->maps.len && !to->is_unknown; ++m)
        add(t, to, same ? how->maps.data[m] : hd_index_map_compose(how->maps.data[m], inputs[i].data[k]));
    }
  }
}

/* Every value of |root|'s block that |root| is computed from. */
static void trace(tracer *t, hd_value *root) {
  reading *first = reading_of(t, root);
  add(t, first, hd_index_map_identity(t->in, root));
  for (hd_op *op = hd_value_op(root); op; op = op->prev)
    for (uint32_t r = 0; r < op->result_count; ++r) {
      const reading *how = hd_map_get(&t->readings, hd_result(op, r));
      if (how) trace_result(t, op, r, how);
    }
}

bool hd_index_between(hd_indexing *in, hd_value *value, hd_value *leaf, hd_index_maps *out) {
  tracer t = {.in = in};
  trace(&t, value);
  const reading *how = hd_map_get(&t.readings, leaf);
  *out = how ? how->maps : (hd_index_maps){0};
  return !how || !how->is_unknown;
}

bool hd_index_of_fusion(hd_op_maps *m) {
  hd_block *block = hd_op_region(m->op, 0)->first;
  hd_op *end = block ? hd_block_terminator(block) : NULL;
  if (!end || m->result >= end->operand_count || block->arg_count != m->input_count) return false;
  tracer t = {.in = m->in};
  trace(&t, hd_operand(end, m->result));
  for (uint32_t i = 0; i < m->input_count; ++i) {
    const reading *how = hd_map_get(&t.readings, block->args[i]);
    if (how && how->is_unknown) return false;
    if (how) m->inputs[i] = how->maps;
  }
  return true;
}
