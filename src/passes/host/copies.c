/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/host/copies.h"

#include "analysis/captures.h"
#include "ir/placement.h"
#include "passes/host/host_work.h"

typedef struct copier {
  hd_pass *pass;
  hd_map copies[3]; /* per destination: value -> its copy */
} copier;

/* |value| at |to|; one copy of a value serves all its uses. Constants are made again instead. */
static hd_value *moved(copier *p, hd_value *value, hd_placement to) {
  hd_value *copy = hd_map_get(&p->copies[to], value);
  if (copy) return copy;
  hd_op *op = hd_value_op(value);
  hd_attr entry = hd_placement_attr(p->pass->context, to);
  hd_attr entries = hd_attr_array(p->pass->context, &entry, 1);
  if (op && hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE))) {
    hd_op *again = hd_op_clone(p->pass->module, op, &p->pass->arena, NULL);
    hd_op_insert_after(again, op);
    hd_placement_set_entries(again, entries);
    copy = hd_result(again, 0);
  } else {
    hd_builder b = op ? hd_builder_after(op) : hd_builder_at_start(p->pass->module, hd_value_block(value));
    b.loc = hd_value_loc(value);
    copy = hd_build_one_(&b, HD_OP_mhlo_copy, value->type, &value, 1, &(hd_attr_arg){HD_NAME_hd_placement, entries}, 1);
  }
  hd_map_set(&p->pass->arena, &p->copies[to], value, copy);
  return copy;
}

static hd_placement where(hd_value *value) {
  return hd_type_is_tensor(value->type) ? hd_placement_of(value) : HD_PLACEMENT_NONE;
}

/* Where |op| reads operand |i|; NONE: it takes it where it is. */
static hd_placement wanted(hd_op *op, uint32_t i) {
  if (hd_placement_is_host_operand(op, i)) return HD_PLACEMENT_HOST;
  if (hd_reads_types_only(op) || hd_op_is(op, HD_OP_stablehlo_tuple) || hd_op_is(op, HD_OP_mhlo_copy))
    return HD_PLACEMENT_NONE;
  hd_op *parent = hd_op_parent(op);
  if (hd_op_is(op, HD_OP_func_return)) return hd_placement_of_function_result(parent, i);
  if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR)))
    return hd_placement_enters(parent) && i < parent->result_count ? where(hd_result(parent, i)) : HD_PLACEMENT_NONE;
  if (hd_op_is(op, HD_OP_stablehlo_while)) return where(hd_result(op, i));
  return op->result_count ? where(hd_result(op, 0)) : HD_PLACEMENT_DEVICE;
}

typedef struct renaming {
  hd_value *from, *to;
} renaming;

static bool rename_use(hd_op *inner, void *user) {
  renaming *r = user;
  for (uint32_t i = 0; i < inner->operand_count; ++i)
    if (hd_operand(inner, i) == r->from) hd_op_set_operand(inner, i, r->to);
  return true;
}

/* What a reducer or comparator uses by name is where its op runs. */
static void copy_captures(copier *p, hd_op *op) {
  hd_captures used = {0};
  hd_captures_find(op, &p->pass->arena, &used);
  for (size_t i = 0; i < used.len; ++i) {
    hd_value *value = used.data[i];
    hd_placement to = op->result_count ? where(hd_result(op, 0)) : HD_PLACEMENT_DEVICE, at = where(value);
    if (to == HD_PLACEMENT_NONE || at == HD_PLACEMENT_NONE || to == at) continue;
    renaming r = {value, moved(p, value, to)};
    for (uint32_t g = 0; g < op->region_count; ++g)
      hd_for_each_block(block, hd_op_region(op, g))
        hd_for_each_op(inner, block) hd_walk_pre(inner, rename_use, &r);
    p->pass->changed = true;
  }
}

static void copy_block(copier *p, hd_block *block) {
  hd_for_each_op(op, block) {
    if (hd_has_element_regions(op)) copy_captures(p, op);
    for (uint32_t i = 0; i < op->operand_count; ++i) {
      hd_value *value = hd_operand(op, i);
      hd_placement to = wanted(op, i), at = where(value);
      if (to == HD_PLACEMENT_NONE || at == HD_PLACEMENT_NONE || to == at) continue;
      hd_op_set_operand(op, i, moved(p, value, to));
      p->pass->changed = true;
    }
    if (!hd_placement_enters(op)) continue;
    for (uint32_t r = 0; r < op->region_count; ++r)
      if (hd_op_region(op, r)->first) copy_block(p, hd_op_region(op, r)->first);
  }
}

void hd_insert_copies(hd_pass *pass, hd_op *func) {
  copier p = {.pass = pass};
  hd_for_each_block(block, hd_op_region(func, 0)) copy_block(&p, block);
}
