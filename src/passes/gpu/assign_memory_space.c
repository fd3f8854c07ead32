/* SPDX-License-Identifier: Apache-2.0 */
/* disc-assign-memory-space: every buffer's type says where it lies.
 *
 *   func.func @main(%x: memref<?xf32>)              func.func @main(%x: memref<?xf32, #gpu.address_space<global>>)
 *     %t = memref.alloc(%n) : memref<?xf32>   ->      %t = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
 *     %i = memref.alloc() : memref<i32>               %i = memref.alloc() {hd.host} : memref<i32>
 *     %c = memref.load %i[]                           %c = memref.load %i[]
 *
 * A buffer lies on the host, which is no space, when host code loads or stores its elements, or an op that writes it
 * has the placement "host" (ir/placement.h), or an argument's attributes say so; and so do all names of one buffer:
 * what loops carry and branches give, casts and views. All else is the device's. The seed's markers are this pass and
 * disc-convert-memory-marker: a type is a marker that no pass can lose. Buffers that have a space keep it; host
 * allocations are marked as such, so that one that was forgotten can be told. */
#include "ir/placement.h"
#include "passes/passes.h"

typedef struct name {
  struct name *parent;
  bool host;
} name;

typedef struct assigner {
  hd_pass *pass;
  hd_map names; /* value -> name */
  hd_attr space;
} assigner;

static name *find(name *n) {
  while (n->parent) n = n->parent;
  return n;
}

static name *name_of(assigner *a, hd_value *value) {
  hd_map_entry *entry = hd_map_insert(&a->pass->arena, &a->names, value, NULL);
  if (!entry->value.ptr) entry->value.ptr = hd_new(&a->pass->arena, name);
  return find(entry->value.ptr);
}

static bool is_buffer(hd_type type) { return hd_type_is(type, HD_TYPE_MEMREF); }

static void unite(assigner *a, hd_value *x, hd_value *y) {
  if (!is_buffer(x->type) || !is_buffer(y->type)) return;
  name *p = name_of(a, x), *q = name_of(a, y);
  if (p == q) return;
  q->parent = p;
  p->host |= q->host;
}

static void unite_yield(assigner *a, hd_op *op, uint32_t region, uint32_t skip) {
  hd_block *block = hd_op_region(op, region)->first;
  hd_op *last = block ? block->last : NULL;
  for (uint32_t i = skip; last && i < last->operand_count && i - skip < op->result_count; ++i)
    unite(a, hd_operand(last, i), hd_result(op, i - skip));
}

/* All ways in which a value of |op| is another one's memory. */
static void unite_names(assigner *a, hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_scf_while: {
      hd_block *before = hd_op_region(op, 0)->first, *after = hd_op_region(op, 1)->first;
      for (uint32_t i = 0; i < op->operand_count && i < before->arg_count; ++i) {
        unite(a, hd_operand(op, i), before->args[i]);
        if (i < after->last->operand_count) unite(a, hd_operand(after->last, i), before->args[i]);
      }
      for (uint32_t i = 0; i < after->arg_count && i < op->result_count; ++i)
        unite(a, after->args[i], hd_result(op, i));
      unite_yield(a, op, 0, 1);
      break;
    }
    case HD_OP_scf_for: {
      hd_block *body = hd_op_region(op, 0)->first;
      for (uint32_t i = 0; i < op->result_count && 3 + i < op->operand_count && 1 + i < body->arg_count; ++i) {
        unite(a, hd_operand(op, 3 + i), hd_result(op, i));
        unite(a, body->args[1 + i], hd_result(op, i));
      }
      unite_yield(a, op, 0, 0);
      break;
    }
    case HD_OP_scf_if:
    case HD_OP_scf_index_switch:
      for (uint32_t r = 0; r < op->region_count; ++r) unite_yield(a, op, r, 0);
      break;
    case HD_OP_memref_reinterpret_cast:
    case HD_OP_memref_cast:
    case HD_OP_memref_subview:
    case HD_OP_memref_collapse_shape:
    case HD_OP_memref_expand_shape:
    case HD_OP_memref_view:
    case HD_OP_memref_transpose:
      unite(a, hd_operand(op, 0), hd_result(op, 0));
      break;
    case HD_OP_arith_select:
      unite(a, hd_operand(op, 1), hd_result(op, 0));
      unite(a, hd_operand(op, 2), hd_result(op, 0));
      break;
    default:
      break;
  }
}

static void mark_host(assigner *a, hd_value *value) { name_of(a, value)->host = true; }

static void mark_placed(assigner *a, hd_op *op) {
  hd_attr entries = hd_op_attr_get(op, "hd.placement");
  if (!op->info->derived_from || !hd_attr_is(entries, HD_ATTR_ARRAY)) return;
  uint32_t buffers = 0;
  while (buffers < op->operand_count && is_buffer(hd_operand_type(op, buffers))) ++buffers;
  if (entries->array.count > buffers) return;
  uint32_t first = buffers - (uint32_t)entries->array.count;
  for (size_t i = 0; i < entries->array.count; ++i)
    if (hd_placement_of_attr(entries->array.items[i]) == HD_PLACEMENT_HOST)
      mark_host(a, hd_operand(op, first + (uint32_t)i));
}

static bool gather(hd_op *op, void *user) {
  assigner *a = user;
  unite_names(a, op);
  if (hd_op_is(op, HD_OP_memref_load)) mark_host(a, hd_operand(op, 0));
  if (hd_op_is(op, HD_OP_memref_store)) mark_host(a, hd_operand(op, 1));
  if (hd_op_is(op, HD_OP_memref_alloca)) mark_host(a, hd_result(op, 0));
  mark_placed(a, op);
  return true;
}

static void place(assigner *a, hd_value *value) {
  if (!is_buffer(value->type) || value->type->shaped.space || name_of(a, value)->host) return;
  hd_type t = value->type;
  value->type = hd_type_memref(t->shaped.element, t->shaped.dims, t->shaped.rank, t->shaped.layout, a->space);
  a->pass->changed = true;
}

static bool retype(hd_op *op, void *user) {
  assigner *a = user;
  for (uint32_t i = 0; i < op->result_count; ++i) place(a, hd_result(op, i));
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r)) for (uint32_t i = 0; i < block->arg_count; ++i)
        place(a, block->args[i]);
  if (hd_op_is(op, HD_OP_memref_alloc) && !hd_result_type(op, 0)->shaped.space)
    hd_op_attr_set(op, "hd.host", hd_attr_unit(a->pass->context));
  return true;
}

bool hd_pass_assign_memory_space(hd_pass *pass, hd_op *func) {
  int64_t global = 0;
  hd_enum_case_value(HD_ENUM_gpu_address_space, HD_STR("global"), &global);
  assigner a = {.pass = pass, .space = hd_attr_enum(pass->context, HD_ENUM_gpu_address_space, global)};
  hd_block *entry = hd_op_region(func, 0)->first;
  for (uint32_t i = 0; i < entry->arg_count; ++i)
    if (is_buffer(entry->args[i]->type) && hd_placement_of(entry->args[i]) == HD_PLACEMENT_HOST)
      mark_host(&a, entry->args[i]);
  hd_op *ret = entry->last;
  for (uint32_t i = 0; hd_op_is(ret, HD_OP_func_return) && i < ret->operand_count; ++i)
    if (is_buffer(hd_operand_type(ret, i)) && hd_placement_of_function_result(func, i) == HD_PLACEMENT_HOST)
      mark_host(&a, hd_operand(ret, i));
  hd_walk_pre(func, gather, &a);
  hd_walk_pre(func, retype, &a);
  hd_type *ins = hd_new_array(&pass->arena, hd_type, entry->arg_count),
          *outs = hd_new_array(&pass->arena, hd_type, ret->operand_count);
  for (uint32_t i = 0; i < entry->arg_count; ++i) ins[i] = entry->args[i]->type;
  for (uint32_t i = 0; i < ret->operand_count; ++i) outs[i] = hd_operand_type(ret, i);
  if (hd_op_is(ret, HD_OP_func_return))
    hd_op_attr_set(func, "function_type",
                   hd_attr_type(hd_type_function(pass->context, ins, entry->arg_count, outs, ret->operand_count)));
  return true;
}
