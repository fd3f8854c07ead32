/* SPDX-License-Identifier: Apache-2.0 */
/* disc-placement-fixer: ops that a pass has added get the placement of their surroundings.
 *
 *   "lmhlo.copy"(%a, %b)                               "lmhlo.copy"(%a, %b) {hd.placement = ["device"]}
 *   "lmhlo.add"(%b, %b, %c) {["device"]}         ->    "lmhlo.add"(%b, %b, %c) {["device"]}
 *
 * Graph ops: on the host when they read sizes, or when all they read is there and they make a few integers, or when
 * only shape operands and host ops read them; else on the device. Copies are added where that needs them, and the
 * function is complete as hd.placed = "graph" (ir/placement.h) says. Buffer ops: per buffer that they write, what tells
 * first of where it is (buffer_places.h: memory spaces, other writers, host code, through loops and branches), an op
 * that reads it, what the op itself reads; else the device. hd.placed becomes "buffers". Placements that are there
 * stay. */
#include "analysis/captures.h"
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "passes/analyses.h"
#include "passes/host/copies.h"
#include "passes/host/host_work.h"
#include "passes/passes.h"

typedef struct fixer {
  hd_pass *pass;
  bool buffers;
  hd_buffer_places *places; /* of buffer programs */
  hd_vec(hd_op *) open;
} fixer;

static void set(fixer *f, hd_op *op, const hd_attr *entries, uint32_t count) {
  hd_placement_set_entries(op, hd_attr_array(f->pass->context, entries, count));
  f->pass->changed = true;
}

/* Graph -------------------------------------------------------------------------------------------------------------
 */

static bool is_on_host(hd_value *value) { return hd_placement_of(value) == HD_PLACEMENT_HOST; }

/* Does the device read |value|? */
static bool has_device_readers(hd_value *value) {
  hd_for_each_use(use, value) {
    hd_op *reader = use->owner;
    bool host =
        hd_placement_is_host_operand(reader, use->index) || (reader->result_count && is_on_host(hd_result(reader, 0)));
    if (!host) return true;
  }
  return false;
}

static hd_placement graph_placement(fixer *f, hd_op *op) {
  if (hd_reads_types_only(op)) return HD_PLACEMENT_HOST;
  if (!hd_host_may_compute(op, HD_HOST_MAX_ELEMENTS, true, &f->pass->arena)) return HD_PLACEMENT_DEVICE;
  bool all_read = true, used = false, for_device = false, ints = true;
  hd_captures read = {0};
  if (op->region_count) hd_captures_find(op, &f->pass->arena, &read);
  for (uint32_t i = 0; i < op->operand_count; ++i) hd_vec_push(&f->pass->arena, &read, hd_operand(op, i));
  for (size_t i = 0; i < read.len; ++i) all_read &= is_on_host(read.data[i]);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    used |= hd_value_has_uses(hd_result(op, i));
    for_device |= has_device_readers(hd_result(op, i));
    ints &= hd_host_may_hold(hd_result_type(op, i), HD_HOST_MAX_ELEMENTS, false);
  }
  /* Floats only between what is there. */
  bool for_host = used && !for_device, host = ints ? (read.len && all_read) || for_host : all_read && for_host;
  return host ? HD_PLACEMENT_HOST : HD_PLACEMENT_DEVICE;
}

/* What is written of |value|, a result or a carried value; null when nothing is. */
static hd_attr entry_of(hd_value *value) {
  hd_op *op = hd_value_op(value);
  if (!op) op = hd_block_parent_op(hd_value_block(value));
  hd_attr entries = hd_op_is(op, HD_OP_func_func) ? NULL : hd_placement_entries(op);
  return hd_attr_is(entries, HD_ATTR_ARRAY) && value->index < entries->array.count ? entries->array.items[value->index]
                                                                                   : NULL;
}

/* Of ops that make a tuple or take it apart: its elements are where they were. Null for other ops. */
static hd_attr tuple_entry(fixer *f, hd_op *op) {
  if (hd_op_is(op, HD_OP_stablehlo_tuple)) {
    hd_attr *all = hd_new_array(&f->pass->arena, hd_attr, op->operand_count + 1);
    for (uint32_t i = 0; i < op->operand_count; ++i) {
      hd_value *value = hd_operand(op, i);
      hd_placement at = hd_placement_of(value) == HD_PLACEMENT_HOST ? HD_PLACEMENT_HOST : HD_PLACEMENT_DEVICE;
      all[i] = entry_of(value);
      if (!all[i]) all[i] = hd_placement_attr_of_type(value->type, at, f->pass->context, &f->pass->arena);
    }
    return hd_attr_array(f->pass->context, all, op->operand_count);
  }
  if (!hd_op_is(op, HD_OP_stablehlo_get_tuple_element)) return NULL;
  hd_attr whole = entry_of(hd_operand(op, 0));
  int64_t index = hd_stablehlo_get_tuple_element_index(op);
  return hd_attr_is(whole, HD_ATTR_ARRAY) && index < (int64_t)whole->array.count ? whole->array.items[index] : NULL;
}

static void fix_graph_block(fixer *f, hd_block *block) {
  hd_for_each_op(op, block) {
    bool asked = !op->info->derived_from && hd_opcode_to_lmhlo(hd_opcode_get(op)) && op->result_count;
    if (asked && !hd_placement_entries(op)) {
      hd_attr *entries = hd_new_array(&f->pass->arena, hd_attr, op->result_count + 1);
      for (uint32_t i = 0; i < op->result_count; ++i) {
        hd_type type = hd_result_type(op, i);
        bool tuple = hd_type_is(type, HD_TYPE_TUPLE);
        entries[i] = tuple_entry(f, op);
        if (entries[i]) continue;
        entries[i] = hd_placement_attr_of_type(type, tuple ? HD_PLACEMENT_DEVICE : graph_placement(f, op),
                                               f->pass->context, &f->pass->arena);
      }
      set(f, op, entries, op->result_count);
    }
    for (uint32_t r = 0; hd_placement_enters(op) && r < op->region_count; ++r)
      if (hd_op_region(op, r)->first) fix_graph_block(f, hd_op_region(op, r)->first);
  }
}

/* Buffers -----------------------------------------------------------------------------------------------------------
 */

/* The buffers among the operands of a buffer op; the last |hd.outputs| of them are written. */
static uint32_t buffers_of(hd_op *op, hd_arena *arena, hd_value ***out, uint32_t *out_first_written) {
  uint32_t count = 0;
  *out = hd_new_array(arena, hd_value *, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_type_is(hd_operand_type(op, i), HD_TYPE_MEMREF)) (*out)[count++] = hd_operand(op, i);
  int64_t outputs = hd_discardable_outputs(op);
  *out_first_written = outputs >= 0 && outputs <= (int64_t)count ? count - (uint32_t)outputs : count;
  return count;
}

static bool gather(hd_op *op, void *user) {
  fixer *f = user;
  if (!op->info->derived_from) {
    f->buffers |= hd_op_is(op, HD_OP_memref_alloc);
    return true;
  }
  f->buffers = true;
  hd_attr entries = hd_placement_entries(op);
  hd_value **buffers;
  uint32_t first, count = buffers_of(op, &f->pass->arena, &buffers, &first);
  bool told = hd_attr_is(entries, HD_ATTR_ARRAY) && entries->array.count == count - first;
  if (!told && op->operand_count) hd_vec_push(&f->pass->arena, &f->open, op);
  return true;
}

/* From the ops that read |buffer|; NONE when none of them tells. */
static hd_placement of_readers(hd_value *buffer) {
  hd_for_each_use(use, buffer) {
    hd_attr entries = hd_placement_entries(use->owner);
    if (use->owner->info->derived_from && hd_attr_is(entries, HD_ATTR_ARRAY) && entries->array.count)
      return hd_placement_of_attr(entries->array.items[0]);
  }
  return HD_PLACEMENT_NONE;
}

static void fix_buffer_op(fixer *f, hd_op *op) {
  hd_value **buffers;
  uint32_t first, count = buffers_of(op, &f->pass->arena, &buffers, &first);
  hd_attr *entries = hd_new_array(&f->pass->arena, hd_attr, count + 1);
  hd_placement read = HD_PLACEMENT_NONE;
  for (uint32_t i = 0; i < first && read == HD_PLACEMENT_NONE; ++i) read = hd_buffer_place(f->places, buffers[i]);
  for (uint32_t i = first; i < count; ++i) {
    hd_placement at = hd_buffer_place(f->places, buffers[i]);
    if (at == HD_PLACEMENT_NONE) at = of_readers(buffers[i]);
    if (at == HD_PLACEMENT_NONE) at = read;
    if (at == HD_PLACEMENT_NONE) at = HD_PLACEMENT_DEVICE;
    entries[i - first] = hd_placement_attr(f->pass->context, at);
    hd_buffer_place_set(f->places, buffers[i], at, op);
  }
  set(f, op, entries, count - first);
}

bool hd_pass_placement_fixer(hd_pass *pass, hd_op *func) {
  fixer f = {.pass = pass};
  hd_block *entry = hd_op_region(func, 0)->first;
  for (uint32_t i = 0; i < entry->arg_count; ++i) f.buffers |= hd_type_is(entry->args[i]->type, HD_TYPE_MEMREF);
  hd_walk_pre(func, gather, &f);
  if (f.buffers) {
    f.places = hd_pass_places(pass, func);
    for (size_t i = 0; i < f.open.len; ++i) fix_buffer_op(&f, f.open.data[i]);
  } else {
    hd_for_each_block(block, hd_op_region(func, 0)) fix_graph_block(&f, block);
    hd_insert_copies(pass, func);
  }
  hd_enum_placed placed = f.buffers ? HD_PLACED_BUFFERS : HD_PLACED_GRAPH;
  pass->changed |= hd_discardable_placed(func) != placed;
  hd_discardable_set_placed(func, placed);
  return hd_placement_is_complete(func);
}
