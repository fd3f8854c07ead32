/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/placement.h"

#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

static const hd_name key = HD_NAME_hd_placement;

hd_placement hd_placement_of_attr(hd_attr attr) {
  if (!hd_attr_is(attr, HD_ATTR_STRING)) return HD_PLACEMENT_NONE;
  hd_str text = hd_ident_str(attr->string);
  return hd_str_is(text, "host")     ? HD_PLACEMENT_HOST
         : hd_str_is(text, "device") ? HD_PLACEMENT_DEVICE
                                     : HD_PLACEMENT_NONE;
}

hd_attr hd_placement_attr(hd_context *context, hd_placement placement) {
  return hd_attr_cstring(context, placement == HD_PLACEMENT_HOST ? "host" : "device");
}

hd_attr hd_placement_attr_of_type(hd_type type, hd_placement placement, hd_context *context, hd_arena *scratch) {
  if (!hd_type_is(type, HD_TYPE_TUPLE)) return hd_placement_attr(context, placement);
  hd_attr *all = hd_new_array(scratch, hd_attr, type->function.in_count + 1);
  for (uint32_t i = 0; i < type->function.in_count; ++i)
    all[i] = hd_placement_attr_of_type(type->function.ins[i], placement, context, scratch);
  return hd_attr_array(context, all, type->function.in_count);
}

/* Entry |i| of an array of dictionaries, "device" when it says nothing. */
static hd_placement declared(hd_attr dicts, uint32_t i) {
  hd_attr entry =
      hd_attr_is(dicts, HD_ATTR_ARRAY) && i < dicts->array.count ? hd_dict_get(dicts->array.items[i], key) : NULL;
  return entry ? hd_placement_of_attr(entry) : HD_PLACEMENT_DEVICE;
}

hd_placement hd_placement_of_function_result(const hd_op *func, uint32_t i) {
  return declared(hd_function_like_res_attrs(func), i);
}

static hd_placement of_result(const hd_op *op, uint32_t i) {
  hd_attr entries = hd_placement_entries(op);
  return hd_attr_is(entries, HD_ATTR_ARRAY) && i < entries->array.count ? hd_placement_of_attr(entries->array.items[i])
                                                                        : HD_PLACEMENT_NONE;
}

hd_placement hd_placement_of(const hd_value *value) {
  hd_op *op = hd_value_op(value);
  if (op) return of_result(op, value->index);
  hd_op *parent = hd_block_parent_op(hd_value_block(value));
  if (hd_op_is(parent, HD_OP_func_func) && hd_value_block(value) == hd_op_region(parent, 0)->first)
    return declared(hd_function_like_arg_attrs(parent), value->index);
  return hd_op_is(parent, HD_OP_stablehlo_while) ? of_result(parent, value->index) : HD_PLACEMENT_NONE;
}

bool hd_placement_is_host_operand(const hd_op *op, uint32_t i) {
  bool decides = hd_op_is(op, HD_OP_stablehlo_if) || hd_op_is(op, HD_OP_stablehlo_case);
  if (decides || hd_op_is(op, HD_OP_interpreter_print)) return true;
  if (hd_op_is(op, HD_OP_stablehlo_return)) {
    hd_op *parent = hd_op_parent(op);
    return hd_op_is(parent, HD_OP_stablehlo_while) && op->block->region == &parent->regions[0];
  }
  return hd_op_is_shape_operand(op, i);
}

bool hd_placement_enters(const hd_op *op) { return hd_is_control_flow(op); }

/* "host", or an array of such for a tuple of as many elements. */
static bool entry_fits(hd_attr entry, hd_type type) {
  if (!hd_type_is(type, HD_TYPE_TUPLE)) return hd_placement_of_attr(entry) != HD_PLACEMENT_NONE;
  if (!hd_attr_is(entry, HD_ATTR_ARRAY) || entry->array.count != type->function.in_count) return false;
  for (uint32_t i = 0; i < entry->array.count; ++i)
    if (!entry_fits(entry->array.items[i], type->function.ins[i])) return false;
  return true;
}

static bool is_graph_op(const hd_op *op) {
  return !op->info->derived_from && hd_opcode_to_lmhlo(hd_opcode_get(op)) && !hd_op_has_trait(op, HD_TRAIT(TERMINATOR));
}

static const char *const names[] = {"nowhere", "on the host", "on the device"};

/* Operands are where the op reads them. Copies move; sizes are read without the data. */
static bool operands_fit(hd_op *op) {
  hd_placement own = op->result_count ? of_result(op, 0) : HD_PLACEMENT_NONE;
  bool free = hd_op_is(op, HD_OP_mhlo_copy) || hd_op_is(op, HD_OP_stablehlo_get_dimension_size) ||
              hd_placement_enters(op) || op->result_count > 1 || hd_type_is(hd_result_type(op, 0), HD_TYPE_TUPLE) ||
              hd_op_is(op, HD_OP_stablehlo_get_tuple_element);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    bool host = hd_placement_is_host_operand(op, i);
    hd_placement at = hd_placement_of(hd_operand(op, i)), wanted = host ? HD_PLACEMENT_HOST : own;
    if (at == HD_PLACEMENT_NONE || (free && !host) || at == wanted) continue;
    return hd_op_error(op, "reads operand #%u %s, which is %s: expected a copy", i, names[wanted], names[at]);
  }
  return true;
}

typedef struct element_region {
  hd_op *op;
  bool ok;
} element_region;

static bool is_read_there(hd_op *inner, void *user) {
  element_region *region = user;
  hd_placement own = of_result(region->op, 0);
  for (uint32_t i = 0; i < inner->operand_count && inner != region->op; ++i) {
    hd_op *parent = hd_block_parent_op(hd_value_block(hd_operand(inner, i)));
    hd_placement at = hd_placement_of(hd_operand(inner, i));
    if (at == HD_PLACEMENT_NONE || at == own || (parent && hd_op_is_ancestor(region->op, parent))) continue;
    region->ok = hd_op_error(inner, "reads operand #%u %s, as '%s' around it runs there, and it is %s: expected a copy",
                             i, names[own], region->op->name->text, names[at]);
  }
  return true;
}

/* What a region on elements (a reducer, a comparator) uses from outside is where its op runs. */
static bool regions_fit(hd_op *op) {
  element_region region = {op, true};
  if (op->region_count && !hd_placement_enters(op) && of_result(op, 0) != HD_PLACEMENT_NONE)
    hd_walk_pre(op, is_read_there, &region);
  return region.ok;
}

typedef struct check {
  bool buffers, ok;
} check;

static void check_block(hd_block *block, check *c) {
  hd_for_each_op(op, block) {
    hd_attr entries = hd_placement_entries(op);
    uint32_t wanted = op->result_count;
    bool asked = is_graph_op(op) && wanted;
    if (c->buffers && op->info->derived_from && op->operand_count) {
      wanted = (uint32_t)hd_discardable_outputs(op);
      asked = true;
    }
    bool fits = hd_attr_is(entries, HD_ATTR_ARRAY) && entries->array.count == wanted;
    for (uint32_t i = 0; fits && i < op->result_count; ++i)
      fits = entry_fits(entries->array.items[i], hd_result_type(op, i));
    if (asked && !fits)
      c->ok =
          hd_op_error(op,
                      "has no placement of its results: expected hd.placement with %u entries 'host' or 'device': run "
                      "disc-placement-fixer first",
                      wanted);
    else if (asked && op->result_count) { /* both, for each says what it finds */
      bool operands = operands_fit(op), regions = regions_fit(op);
      c->ok &= operands && regions;
    }
    bool enters = hd_placement_enters(op) || (c->buffers && op->region_count && !op->info->derived_from);
    for (uint32_t r = 0; enters && r < op->region_count; ++r)
      hd_for_each_block(inner, hd_op_region(op, r)) check_block(inner, c);
  }
}

bool hd_placement_is_complete(hd_op *func) {
  hd_enum_placed placed = hd_discardable_placed(func);
  if (!placed) return true;
  check c = {.buffers = placed == HD_PLACED_BUFFERS, .ok = true};
  hd_for_each_block(block, hd_op_region(func, 0)) check_block(block, &c);
  return c.ok;
}

bool hd_placement_verify(hd_op *func) {
  return hd_discardable_placed(func) != HD_PLACED_BUFFERS || hd_placement_is_complete(func);
}
