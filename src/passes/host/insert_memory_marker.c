/* SPDX-License-Identifier: Apache-2.0 */
/* disc-insert-memory-marker: every buffer says in its type whether it lies in the memory of the host or of the device.
 *
 *   %b = memref.alloc() : memref<4xf32>
 *   "lmhlo.add"(%x, %x, %b) {hd.placement = ["device"]}
 *   %i = memref.alloc() : memref<i32>
 *   ->
 *   %b = memref.alloc() : memref<4xf32, #gpu.address_space<global>>
 *   "lmhlo.add"(%x, %x, %b)
 *   %i = memref.alloc() {hd.host} : memref<i32>
 *
 * The memory space is the marker: it is part of the type, so no pass can lose it. Host memory has none, so allocations
 * of it are marked, and disc-convert-memory-marker can tell those that were forgotten. It follows from hd.placement of
 * the ops that write a buffer, from arg_attrs and res_attrs of the function, and from host code that loads from a
 * buffer or stores to it; views, carried values and arguments of blocks lie where the buffer does that they stand for.
 * A buffer that nothing tells of is the host's; a space that is there stays. Requires hd.placed = "buffers", which
 * disc-placement-fixer gives. A buffer that would have to lie in both memories is an error at the op that wants the
 * second one. */
#include "base/vec.h"
#include "ir/placement.h"
#include "passes/passes.h"

typedef struct node {
  struct node *parent;
  hd_placement at;
} node;

typedef struct marker {
  hd_pass *pass;
  hd_map nodes; /* memref value -> node */
  hd_vec(hd_value *) values;
  bool ok;
} marker;

static node *root(node *n) {
  while (n->parent) {
    if (n->parent->parent) n->parent = n->parent->parent;
    n = n->parent;
  }
  return n;
}

static node *node_of(marker *m, hd_value *value) {
  node *n = hd_map_get(&m->nodes, value);
  if (n) return root(n);
  n = hd_new(&m->pass->arena, node);
  if (value->type->shaped.space) n->at = HD_PLACEMENT_DEVICE;
  hd_map_set(&m->pass->arena, &m->nodes, value, n);
  hd_vec_push(&m->pass->arena, &m->values, value);
  return n;
}

static bool is_buffer(const hd_value *value) { return hd_type_is(value->type, HD_TYPE_MEMREF); }

static void place(marker *m, hd_value *value, hd_placement at, hd_op *by) {
  if (!is_buffer(value) || at == HD_PLACEMENT_NONE) return;
  node *n = node_of(m, value);
  if (n->at == HD_PLACEMENT_NONE) n->at = at;
  if (n->at == at) return;
  m->ok =
      hd_op_error(by, "disc-insert-memory-marker: a buffer would lie on the host and on the device: expected a copy");
}

static void join(marker *m, hd_value *a, hd_value *b, hd_op *by) {
  if (!is_buffer(a) || !is_buffer(b)) return;
  node *to = node_of(m, a), *from = node_of(m, b);
  if (to == from) return;
  hd_placement at = from->at;
  from->parent = to;
  place(m, a, at, by);
}

static void join_all(marker *m, hd_op *from, uint32_t first, hd_value *const *to, uint32_t count) {
  for (uint32_t i = 0; i < count && first + i < from->operand_count; ++i)
    join(m, to[i], hd_operand(from, first + i), from);
}

/* The values that a region's op hands over: its results and the arguments of its regions. */
static void join_region_op(marker *m, hd_op *op) {
  uint32_t first = hd_op_is(op, HD_OP_scf_for) ? 3 : 0, skip = hd_op_is(op, HD_OP_scf_for) ? 1 : 0;
  bool loop = hd_op_is(op, HD_OP_scf_while) || hd_op_is(op, HD_OP_scf_for);
  for (uint32_t r = 0; r < op->region_count; ++r) hd_for_each_block(block, hd_op_region(op, r)) {
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

static void join_jump(marker *m, hd_op *op) {
  for (uint32_t i = 0; i < op->successor_count; ++i) {
    uint32_t start, count;
    hd_op_successor_operands(op, i, &start, &count);
    hd_block *to = op->successors[i];
    join_all(m, op, start, to->args, to->arg_count < count ? to->arg_count : count);
  }
}

static bool visit(hd_op *op, void *user) {
  marker *m = user;
  hd_attr entries = hd_op_attr_get(op, "hd.placement");
  if (op->info->derived_from) { /* one entry per buffer written, and those are the last ones */
    uint32_t count = 0, written = hd_attr_is(entries, HD_ATTR_ARRAY) ? entries->array.count : 0;
    for (uint32_t i = 0; i < op->operand_count; ++i) count += is_buffer(hd_operand(op, i));
    for (uint32_t i = 0, k = 0; i < op->operand_count; ++i) {
      if (!is_buffer(hd_operand(op, i))) continue;
      bool output = k + written >= count;
      if (output) place(m, hd_operand(op, i), hd_placement_of_attr(entries->array.items[k + written - count]), op);
      ++k;
    }
    return true;
  }
  if (hd_op_is(op, HD_OP_memref_alloca) && !hd_result_type(op, 0)->shaped.space)
    place(m, hd_result(op, 0), HD_PLACEMENT_HOST, op);
  if (hd_op_is(op, HD_OP_memref_load)) place(m, hd_operand(op, 0), HD_PLACEMENT_HOST, op);
  if (hd_op_is(op, HD_OP_memref_store)) place(m, hd_operand(op, 1), HD_PLACEMENT_HOST, op);
  if (hd_op_is(op, HD_OP_func_return))
    for (uint32_t i = 0; i < op->operand_count; ++i)
      place(m, hd_operand(op, i), hd_placement_of_function_result(hd_op_parent(op), i), op);
  if (op->successor_count) {
    join_jump(m, op);
  } else if (op->region_count) {
    if (!hd_op_is(op, HD_OP_func_func)) join_region_op(m, op);
  } else if (op->result_count == 1 && op->operand_count && is_buffer(hd_result(op, 0))) { /* views and selections */
    for (uint32_t i = 0; i < op->operand_count; ++i) join(m, hd_result(op, 0), hd_operand(op, i), op);
  }
  return true;
}

static bool mark_host(hd_op *op, void *user) {
  marker *m = user;
  if (!hd_op_is(op, HD_OP_memref_alloc) || hd_result_type(op, 0)->shaped.space || hd_op_attr_get(op, "hd.host"))
    return true;
  hd_op_attr_set(op, "hd.host", hd_attr_unit(m->pass->context));
  m->pass->changed = true;
  return true;
}

bool hd_pass_insert_memory_marker(hd_pass *pass, hd_op *func) {
  marker m = {.pass = pass, .ok = true};
  if (!hd_str_is(hd_op_string_attr(func, "hd.placed"), "buffers"))
    return hd_op_error(func,
                       "disc-insert-memory-marker: expected hd.placed = \"buffers\": run disc-placement-fixer first");
  hd_block *entry = hd_op_region(func, 0)->first;
  for (uint32_t i = 0; i < entry->arg_count; ++i) place(&m, entry->args[i], hd_placement_of(entry->args[i]), func);
  hd_walk_pre(func, visit, &m);
  if (!m.ok) return false;
  int64_t global = 0;
  if (!hd_enum_case_value(HD_ENUM_gpu_address_space, HD_STR("global"), &global))
    return hd_op_error(func, "disc-insert-memory-marker: there is no memory space 'global'");
  hd_attr space = hd_attr_enum(pass->context, HD_ENUM_gpu_address_space, global);
  for (size_t i = 0; i < m.values.len; ++i) {
    hd_value *value = m.values.data[i];
    if (node_of(&m, value)->at != HD_PLACEMENT_DEVICE || value->type->shaped.space) continue;
    hd_type t = value->type;
    value->type = hd_type_memref(t->shaped.element, t->shaped.dims, t->shaped.rank, t->shaped.layout, space);
    pass->changed = true;
  }
  hd_walk_pre(func, mark_host, &m);
  hd_type type = hd_op_attr_get(func, "function_type")->type_value;
  hd_type *ins = hd_new_array(&pass->arena, hd_type, entry->arg_count + 1),
          *outs = hd_new_array(&pass->arena, hd_type, type->function.out_count + 1);
  for (uint32_t i = 0; i < entry->arg_count; ++i) ins[i] = entry->args[i]->type;
  for (uint32_t i = 0; i < type->function.out_count; ++i) outs[i] = type->function.outs[i];
  hd_for_each_block(block, hd_op_region(func, 0)) {
    if (!hd_op_is(block->last, HD_OP_func_return)) continue;
    for (uint32_t i = 0; i < block->last->operand_count; ++i) outs[i] = hd_operand_type(block->last, i);
  }
  hd_op_attr_set(func, "function_type",
                 hd_attr_type(hd_type_function(pass->context, ins, entry->arg_count, outs, type->function.out_count)));
  return true;
}
