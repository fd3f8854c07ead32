/* SPDX-License-Identifier: Apache-2.0 */
/* Ops on several tensors side by side, each of which is a lane: an operand, its initial value or update, the arguments
 * of the region for its elements, and a result.
 *
 *   %0:3 = reduce(%x, %y, %z) { a + b, c * d, max(e, f) }   ->   %0:2 = reduce(%x, %y) { a + b, c * d }
 *                                                                %1 = reduce(%z) { max(e, f) }
 *   %0:3 = sort(%k, %x, %y) { k0 < k1 }                     ->   %0:2 = sort(%k, %x) { k0 < k1 } {is_stable}
 *                                                                %1:2 = sort(%k, %y) { k0 < k1 } {is_stable}
 *
 * A lane needs those that its value in the region is computed from, and what they need; a lane of a sort those that the
 * comparator reads. What several parts need is computed in each: reductions and scatters run through their elements in
 * one order, and sorts become stable, so that all parts give the same. */
#include "passes/graph/simplify/split_lanes.h"

#include <string.h>

#include "base/vec.h"
#include "codegen/emit/gpu/schedules.h"
#include "ir/builder.h"
#include "ir/ops/stablehlo.h"

enum { WORD_BITS = 64 };

typedef struct lanes {
  hd_arena *arena;
  hd_op *op;
  hd_block *body;
  uint32_t count, words;
  bool sort, scatter;
  hd_map sets;      /* value of the region -> the set of lanes that it is computed from */
  uint64_t **needs; /* of each lane: itself and all that it is computed from */
} lanes;

bool hd_has_lanes(const hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_stablehlo_reduce:
    case HD_OP_stablehlo_reduce_window:
    case HD_OP_stablehlo_scatter:
    case HD_OP_stablehlo_sort:
      return true;
    default:
      return false;
  }
}

/* ---- sets of lanes ---- */

static bool has(const uint64_t *set, uint32_t lane) { return set[lane / WORD_BITS] >> lane % WORD_BITS & 1; }

static void add(uint64_t *set, uint32_t lane) { set[lane / WORD_BITS] |= 1ull << lane % WORD_BITS; }

/* Did |to| grow? */
static bool join(const lanes *l, uint64_t *to, const uint64_t *from) {
  bool grew = false;
  for (uint32_t w = 0; from && w < l->words; ++w) {
    grew |= (from[w] & ~to[w]) != 0;
    to[w] |= from[w];
  }
  return grew;
}

static uint64_t *new_set(const lanes *l) { return hd_new_array(l->arena, uint64_t, l->words); }

/* ---- what a lane needs ---- */

static uint32_t lane_of_argument(const lanes *l, uint32_t i) { return l->sort ? i / 2 : i % l->count; }

typedef struct reads {
  lanes *l;
  uint64_t *set;
} reads;

/* With what ops inside of it read. */
static bool add_reads(hd_op *op, void *user) {
  reads *r = user;
  for (uint32_t i = 0; i < op->operand_count; ++i) join(r->l, r->set, hd_map_get(&r->l->sets, hd_operand(op, i)));
  return true;
}

static void find_needs(lanes *l) {
  uint64_t *always = new_set(l); /* what an effect reads */
  for (uint32_t i = 0; i < l->body->arg_count; ++i) {
    uint64_t *own = new_set(l);
    add(own, lane_of_argument(l, i));
    hd_map_set(l->arena, &l->sets, l->body->args[i], own);
  }
  hd_for_each_op(op, l->body) {
    if (op == l->body->last) break;
    reads r = {l, new_set(l)};
    hd_walk_pre(op, add_reads, &r);
    for (uint32_t i = 0; i < op->result_count; ++i) hd_map_set(l->arena, &l->sets, hd_result(op, i), r.set);
    if (!hd_op_is_pure(op)) join(l, always, r.set);
  }
  l->needs = hd_new_array(l->arena, uint64_t *, l->count);
  for (uint32_t i = 0; i < l->count; ++i) {
    l->needs[i] = new_set(l);
    add(l->needs[i], i);
    join(l, l->needs[i], always);
    join(l, l->needs[i], hd_map_get(&l->sets, hd_operand(l->body->last, l->sort ? 0 : i)));
  }
  if (l->sort) return; /* an order: the keys need nobody else */
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < l->count; ++i)
      for (uint32_t k = 0; k < l->count; ++k)
        if (k != i && has(l->needs[i], k)) more |= join(l, l->needs[i], l->needs[k]);
  }
}

/* ---- what a part takes ---- */

/* The operands of lane |i|: |out| has room for two. */
static uint32_t operands_of(const lanes *l, uint32_t i, uint32_t out[2]) {
  out[0] = i;
  if (l->sort) return 1;
  out[1] = l->count + l->scatter + i;
  return 2;
}

static int64_t bytes_of(const lanes *l, const uint64_t *set) {
  /* A sort numbers its places besides. */
  int64_t bytes = HD_GPU_SCALAR_BYTES + (l->sort ? hd_gpu_parameter_bound(hd_operand_type(l->op, 0)) : 0);
  if (l->scatter) bytes += hd_gpu_parameter_bound(hd_operand_type(l->op, l->count));
  for (uint32_t i = 0; i < l->count; ++i) {
    if (!has(set, i)) continue;
    uint32_t at[2], n = operands_of(l, i, at);
    for (uint32_t k = 0; k < n; ++k) bytes += hd_gpu_parameter_bound(hd_operand_type(l->op, at[k]));
    bytes += hd_gpu_parameter_bound(hd_result_type(l->op, i));
  }
  return bytes;
}

/* ---- parts ---- */

/* The region of |part|: a copy that gives and takes the lanes of |set|. */
static void keep_lanes(const lanes *l, hd_op *part, const uint64_t *set) {
  hd_map map = {0};
  hd_region_clone_into(part->module, hd_op_region(l->op, 0), hd_op_region(part, 0), l->arena, &map);
  hd_block *body = hd_op_region(part, 0)->first;
  if (!l->sort) {
    hd_value **values = hd_new_array(l->arena, hd_value *, l->count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->count; ++i)
      if (has(set, i)) values[count++] = hd_operand(body->last, i);
    hd_op_set_operands(body->last, values, count);
  }
  hd_block_erase_dead(body);
  for (uint32_t i = body->arg_count; i-- > 0;)
    if (!has(set, lane_of_argument(l, i))) hd_block_erase_arg(body, i);
}

static hd_op *build_part(const lanes *l, const uint64_t *set) {
  hd_op *op = l->op;
  hd_value **operands = hd_new_array(l->arena, hd_value *, op->operand_count);
  hd_type *types = hd_new_array(l->arena, hd_type, l->count);
  uint32_t count = 0, results = 0;
  for (uint32_t k = 0; k < (l->sort ? 1u : 2u); ++k) {
    if (k && l->scatter) operands[count++] = hd_operand(op, l->count);
    for (uint32_t i = 0; i < l->count; ++i) {
      uint32_t at[2];
      operands_of(l, i, at);
      if (has(set, i)) operands[count++] = hd_operand(op, at[k]);
    }
  }
  for (uint32_t i = 0; i < l->count; ++i)
    if (has(set, i)) types[results++] = hd_result_type(op, i);
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_op *part = hd_build_state(&b, &(hd_op_state){.opcode = hd_opcode_get(op),
                                                  .name = op->name,
                                                  .loc = op->loc,
                                                  .operands = operands,
                                                  .operand_count = count,
                                                  .result_types = types,
                                                  .result_count = results,
                                                  .properties = op->properties,
                                                  .attrs = op->attrs,
                                                  .attr_count = op->attr_count,
                                                  .region_count = 1});
  keep_lanes(l, part, set);
  if (l->sort) hd_stablehlo_sort_set_is_stable(part, hd_attr_bool(b.context, true));
  return part;
}

bool hd_split_lanes(hd_pass *pass, hd_op *op, int64_t max_bytes) {
  lanes l = {.arena = &pass->arena,
             .op = op,
             .body = hd_op_region(op, 0)->first,
             .count = op->result_count,
             .words = (op->result_count + WORD_BITS - 1) / WORD_BITS,
             .sort = hd_op_is(op, HD_OP_stablehlo_sort),
             .scatter = hd_op_is(op, HD_OP_stablehlo_scatter)};
  find_needs(&l);
  hd_vec(uint64_t *) parts = {0};
  uint32_t *part_of = hd_new_array(l.arena, uint32_t, l.count);
  uint64_t *open = NULL, *done = new_set(&l), *wider = new_set(&l);
  for (uint32_t i = 0; i < l.count; ++i) {
    if (has(done, i)) continue;
    if (open) {
      memcpy(wider, open, l.words * sizeof *wider);
      join(&l, wider, l.needs[i]);
    }
    if (!open || bytes_of(&l, wider) > max_bytes) {
      int64_t bytes = bytes_of(&l, l.needs[i]);
      uint32_t together = 0;
      for (uint32_t k = 0; k < l.count; ++k) together += has(l.needs[i], k);
      if (bytes > max_bytes)
        return hd_op_error(op,
                           "cannot be divided: result %u depends on %u of its tensors, which take %lld bytes of "
                           "parameters, expected at most %lld",
                           i, together, (long long)bytes, (long long)max_bytes);
      open = new_set(&l);
      hd_vec_push(l.arena, &parts, open);
    }
    join(&l, open, l.needs[i]);
    for (uint32_t k = 0; k < l.count; ++k) {
      if (!has(open, k) || has(done, k)) continue;
      add(done, k);
      part_of[k] = (uint32_t)parts.len - 1;
    }
  }
  hd_value **results = hd_new_array(l.arena, hd_value *, l.count);
  for (size_t p = 0; p < parts.len; ++p) {
    hd_op *part = build_part(&l, parts.data[p]);
    for (uint32_t i = 0, at = 0; i < l.count; ++i) {
      if (!has(parts.data[p], i)) continue;
      if (part_of[i] == p) results[i] = hd_result(part, at);
      ++at;
    }
  }
  hd_op_replace(op, results);
  pass->changed = true;
  return true;
}
