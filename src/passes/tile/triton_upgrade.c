/* SPDX-License-Identifier: Apache-2.0 */
/* triton-upgrade: a tensor in shared memory, a value in older programs, becomes a memdesc, and what worked on it what
 * works on memory today. Old names, keywords and layouts are read as today's (text/upgrade_tiles.c).
 *
 *   %a = ttg.alloc_tensor : tensor<2x16x64xf16, #shared>
 *   %b = ttg.insert_slice_async %p, %a, %i {axis = 0 : i32} : T -> tensor<2x16x64xf16, #shared>
 *   %c = ttg.extract_slice %b[%i, 0, 0] [1, 16, 64] [1, 1, 1] : ... to tensor<16x64xf16, #shared>
 *   %d = ttg.convert_layout %c : tensor<16x64xf16, #shared> -> tensor<16x64xf16, #blocked>
 * ->
 *   %a = ttg.local_alloc : () -> !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>
 *   %s = ttg.memdesc_index %a[%i]
 *   ttg.async_copy_global_to_local %p, %s                                   %b is %a
 *   %c = ttg.memdesc_index %a[%i]
 *   %d = ttg.local_load %c
 *
 * An insertion changes the tensor in place, as older compilers had it: what uses the tensor from before after it, or a
 * view of the changed buffer that was taken before, in the same block, is an error. Loops, branches and calls carry
 * memdescs, and are taken to carry views of other buffers than they change; what else takes such a tensor is an error.
 */
#include "ir/layouts.h"
#include "ir/ops/discardable.h"
#include "ir/ops/enums.h"
#include "ir/ops/tensor.h"
#include "ir/ops/tt.h"
#include "ir/ops/ttg.h"
#include "ir/tile_types.h"
#include "passes/passes.h"

typedef struct upgrade {
  hd_pass *pass;
  int64_t warps;
  bool failed;
} upgrade;

static bool is_shared_tensor(hd_type type) {
  hd_attr layout = type->kind == HD_TYPE_TENSOR ? hd_type_layout(type) : NULL;
  return layout && hd_layout_is_shared(layout);
}

static hd_type memory_of(hd_type type, const int64_t *allocated, uint32_t allocated_rank) {
  hd_memdesc m = {.rank = type->shaped.rank,
                  .dims = type->shaped.dims,
                  .allocated = allocated ? allocated : type->shaped.dims,
                  .allocated_rank = allocated ? allocated_rank : type->shaped.rank,
                  .element = type->shaped.element,
                  .layout = hd_type_layout(type),
                  .space = hd_attr_shared_memory(type->context),
                  .is_mutable = true};
  return hd_type_memdesc(&m);
}

/* |type| where tensors in shared memory are memory. */
static hd_type today(hd_type type) {
  if (is_shared_tensor(type)) return memory_of(type, NULL, 0);
  return type;
}

static bool touches_shared(const hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (is_shared_tensor(hd_operand_type(op, i))) return true;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (is_shared_tensor(hd_result_type(op, i))) return true;
  return false;
}

/* ---- the ops ---- */

static hd_value *alloc(hd_builder *b, hd_type type, hd_value *content) {
  return hd_build_one_(b, HD_OP_ttg_local_alloc, type, &content, content != NULL, NULL, 0);
}

static bool upgrade_alloc(upgrade *u, hd_builder *b, hd_op *op) {
  (void)u;
  hd_value *value = alloc(b, hd_result_type(op, 0), NULL);
  hd_op_replace(op, &value);
  return true;
}

static bool upgrade_dealloc(upgrade *u, hd_builder *b, hd_op *op) {
  (void)u;
  hd_build0(b, HD_OP_ttg_local_dealloc, hd_operand(op, 0));
  hd_op_erase(op);
  return true;
}

/* One of the buffers that the first dim of |memory| counts. */
static hd_value *buffer_at(hd_builder *b, hd_value *memory, hd_value *index) {
  hd_memdesc m = hd_memdesc_of(memory->type);
  --m.rank;
  ++m.dims;
  m.allocated = m.dims;
  m.allocated_rank = m.rank;
  hd_type i32 = hd_type_integer(b->context, 32, HD_SIGNLESS);
  if (index->type->kind == HD_TYPE_INDEX) index = hd_build(b, HD_OP_arith_index_cast, i32, index);
  return hd_build(b, HD_OP_ttg_memdesc_index, hd_type_memdesc(&m), memory, index);
}

/* Is |view| a part or another look of the tensor that it takes, and not of another buffer than |index| counts? */
static bool sees_buffer(const hd_op *view, hd_value *index) {
  int64_t changed, seen;
  if (hd_op_is(view, HD_OP_ttg_memdesc_index))
    return !hd_value_constant_int(index, &changed) || !hd_value_constant_int(hd_operand(view, 1), &seen) ||
           changed == seen;
  return hd_op_is(view, HD_OP_ttg_memdesc_subslice) || hd_op_is(view, HD_OP_ttg_memdesc_trans) ||
         hd_op_is(view, HD_OP_ttg_memdesc_reshape);
}

/* What uses |before|, of which |op| changes the buffer |index|, after |op|, itself or by a view from before it. */
static hd_op *later_user(hd_op *op, hd_value *before, hd_value *index) {
  for (hd_use *use = before->first_use; use; use = use->next) {
    hd_op *user = hd_block_ancestor_op(op->block, use->owner);
    bool later = user && user != op && hd_op_is_before(op, user);
    if (later && !hd_op_is(user, HD_OP_ttg_dealloc_tensor)) return use->owner;
    if (later || use->owner == op || !sees_buffer(use->owner, index)) continue;
    hd_op *of_view = later_user(op, hd_result(use->owner, 0), index);
    if (of_view) return of_view;
  }
  return NULL;
}

static bool upgrade_insert(upgrade *u, hd_builder *b, hd_op *op) {
  (void)u;
  uint32_t mask, masks, other, others;
  hd_op_operand_range(op, 3, &mask, &masks);
  hd_op_operand_range(op, 4, &other, &others);
  hd_value *memory = hd_operand(op, 1), *source = hd_operand(op, 0);
  bool async = hd_op_is(op, HD_OP_ttg_insert_slice_async);
  int64_t axis = async ? hd_ttg_insert_slice_async_axis(op) : hd_ttg_insert_slice_axis(op);
  if (axis != 0) return hd_op_error(op, "inserts along dim %lld, but the first dim counts buffers", (long long)axis);
  hd_op *user = later_user(op, memory, hd_operand(op, 2));
  if (user) return hd_op_error(user, "uses a tensor in shared memory that an insertion before it has changed");
  hd_value *slice = buffer_at(b, memory, hd_operand(op, 2));
  hd_value *operands[] = {source, slice, masks ? hd_operand(op, mask) : NULL, others ? hd_operand(op, other) : NULL};
  hd_attr_arg attrs[] = {
      {HD_NAME_cache, async ? hd_ttg_insert_slice_async_cache_attr(op) : hd_ttg_insert_slice_cache_attr(op)},
      {HD_NAME_evict, async ? hd_ttg_insert_slice_async_evict_attr(op) : hd_ttg_insert_slice_evict_attr(op)},
      {HD_NAME_isVolatile,
       async ? hd_ttg_insert_slice_async_isVolatile_attr(op) : hd_ttg_insert_slice_isVolatile_attr(op)},
      {HD_NAME_operandSegmentSizes, NULL}};
  if (async) {
    attrs[3].value = hd_attr_i32_array(b->context, (int32_t[]){1, 1, (int32_t)masks, (int32_t)others}, 4);
    hd_type token = hd_type_dialect(b->context, HD_TYPE_ROW_ttg_async_token, NULL, 0);
    hd_build_one_(b, HD_OP_ttg_async_copy_global_to_local, token, operands, 2 + masks + others, attrs, 4);
  } else {
    hd_value *loads[] = {source, operands[2], operands[3]};
    attrs[3].value = hd_attr_i32_array(b->context, (int32_t[]){1, (int32_t)masks, (int32_t)others}, 3);
    hd_value *loaded =
        hd_build_one_(b, HD_OP_tt_load, hd_type_pointee(source->type), loads, 1 + masks + others, attrs, 4);
    hd_build0(b, HD_OP_ttg_local_store, loaded, slice);
  }
  hd_op_replace(op, &memory);
  return true;
}

/* The part of |memory| of the shape of |type| from |offsets| on. */
static hd_value *part_at(hd_builder *b, hd_value *memory, const int64_t *offsets, hd_type type) {
  hd_memdesc from = hd_memdesc_of(memory->type), to = hd_memdesc_of(type);
  int32_t at[HD_LAYOUT_MAX_RANK + 1];
  bool whole = true;
  for (uint32_t d = 0; d < from.rank; ++d) {
    at[d] = (int32_t)offsets[d];
    whole &= !offsets[d] && to.dims[d] == from.dims[d];
  }
  if (whole) return memory;
  to.layout = from.layout;
  to.allocated = from.allocated;
  to.allocated_rank = from.allocated_rank;
  hd_attr_arg attr = {HD_NAME_offsets, hd_attr_i32_array(b->context, at, from.rank)};
  return hd_build_one_(b, HD_OP_ttg_memdesc_subslice, hd_type_memdesc(&to), &memory, 1, &attr, 1);
}

/* A part that says its offsets as |offsets|, HD_DYNAMIC where |values| has them, one after the other: the first may
 * count buffers, the others must be known. */
static bool upgrade_part(hd_builder *b, hd_op *op, const int64_t *offsets, hd_value *const *values) {
  hd_value *memory = hd_operand(op, 0);
  hd_memdesc from = hd_memdesc_of(memory->type), to = hd_memdesc_of(hd_result_type(op, 0));
  uint32_t first = from.rank - to.rank;
  if (first > 1) return hd_op_error(op, "takes buffers out of %u dims, expected one", first);
  for (uint32_t d = first; d < from.rank; ++d)
    if (offsets[d] == HD_DYNAMIC)
      return hd_op_error(
          op, "expects known offsets but that of a first dim that counts buffers, got an unknown one of dim %u", d);
  if (first) {
    hd_type i32 = hd_type_integer(b->context, 32, HD_SIGNLESS);
    memory = buffer_at(b, memory, offsets[0] == HD_DYNAMIC ? values[0] : hd_build_int(b, i32, offsets[0]));
  }
  memory = part_at(b, memory, offsets + first, hd_result_type(op, 0));
  hd_op_replace(op, &memory);
  return true;
}

static bool upgrade_extract(upgrade *u, hd_builder *b, hd_op *op) {
  (void)u;
  hd_attr list = hd_op_is(op, HD_OP_ttg_extract_slice) ? hd_ttg_extract_slice_static_offsets(op)
                                                       : hd_tensor_extract_slice_static_offsets(op);
  int64_t offsets[HD_LAYOUT_MAX_RANK + 1];
  hd_value *values[HD_LAYOUT_MAX_RANK + 1];
  uint32_t start, count;
  hd_op_operand_range(op, 1, &start, &count);
  for (size_t d = 0; d < hd_attr_count(list); ++d) offsets[d] = hd_attr_int_at(list, d);
  for (uint32_t i = 0; i < count; ++i) values[i] = hd_operand(op, start + i);
  return upgrade_part(b, op, offsets, values);
}

static bool upgrade_subview(upgrade *u, hd_builder *b, hd_op *op) {
  (void)u;
  int64_t offsets[HD_LAYOUT_MAX_RANK + 1];
  hd_value *first = hd_operand(op, 1);
  for (uint32_t d = 0; d + 1 < op->operand_count; ++d)
    if (!hd_value_constant_int(hd_operand(op, d + 1), &offsets[d])) offsets[d] = HD_DYNAMIC;
  return upgrade_part(b, op, offsets, &first);
}

/* A layout of registers for the tensor that |memory| holds: threads along its fastest dim first. */
static hd_type registers_for(upgrade *u, hd_type memory) {
  hd_memdesc m = hd_memdesc_of(memory);
  int32_t ones[HD_LAYOUT_MAX_RANK], threads[HD_LAYOUT_MAX_RANK], warps[HD_LAYOUT_MAX_RANK], order[HD_LAYOUT_MAX_RANK];
  int64_t left = 32;
  for (uint32_t i = 0; i < m.rank; ++i) {
    uint32_t d = m.rank - 1 - i;
    int64_t here = left;
    while (here > 1 && here > m.dims[d] && d) here /= 2;
    order[i] = (int32_t)d;
    ones[d] = 1;
    threads[d] = (int32_t)here;
    warps[d] = d ? 1 : (int32_t)u->warps;
    left /= here;
  }
  hd_blocked_layout layout = {
      .rank = m.rank, .size_per_thread = ones, .threads_per_warp = threads, .warps_per_block = warps, .order = order};
  return hd_type_tensor(m.element, m.dims, m.rank, hd_attr_blocked(memory->context, &layout));
}

static bool upgrade_convert(upgrade *u, hd_builder *b, hd_op *op) {
  hd_value *from = hd_operand(op, 0);
  hd_type to = hd_result_type(op, 0);
  hd_value *value = from;
  if (hd_type_is_memdesc(from->type))
    value = hd_build(b, HD_OP_ttg_local_load, hd_type_is_memdesc(to) ? registers_for(u, from->type) : to, from);
  if (hd_type_is_memdesc(to)) value = alloc(b, to, value);
  hd_op_replace(op, &value);
  return true;
}

static bool upgrade_trans(upgrade *u, hd_builder *b, hd_op *op) {
  (void)u;
  hd_attr_arg attr = {HD_NAME_order, hd_tt_trans_order(op)};
  hd_value *value = hd_operand(op, 0);
  value = hd_build_one_(b, HD_OP_ttg_memdesc_trans, hd_result_type(op, 0), &value, 1, &attr, 1);
  hd_op_replace(op, &value);
  return true;
}

static bool upgrade_reshape(upgrade *u, hd_builder *b, hd_op *op) {
  (void)u;
  hd_value *value = hd_build(b, HD_OP_ttg_memdesc_reshape, hd_result_type(op, 0), hd_operand(op, 0));
  hd_op_replace(op, &value);
  return true;
}

/* A product from shared memory. */
static bool upgrade_dot(upgrade *u, hd_builder *b, hd_op *op) {
  (void)u;
  if (!hd_type_is_memdesc(hd_operand_type(op, 1)) || hd_type_is_memdesc(hd_operand_type(op, 2)))
    return hd_op_error(op, "expects its second operand in shared memory, and its third not, if any is");
  hd_attr_arg attrs[] = {{HD_NAME_inputPrecision, hd_tt_dot_inputPrecision_attr(op)},
                         {HD_NAME_maxNumImpreciseAcc, hd_tt_dot_maxNumImpreciseAcc_attr(op)}};
  hd_value *operands[] = {hd_operand(op, 0), hd_operand(op, 1), hd_operand(op, 2)};
  hd_value *value = hd_build_one_(b, HD_OP_ttng_warp_group_dot, hd_result_type(op, 0), operands, 3, attrs, 2);
  hd_op_replace(op, &value);
  return true;
}

/* ---- which op becomes what ---- */

typedef bool (*rewrite)(upgrade *u, hd_builder *b, hd_op *op);

static const struct {
  hd_opcode opcode;
  rewrite run;
} table[] = {
    {HD_OP_ttg_alloc_tensor, upgrade_alloc},
    {HD_OP_ttg_dealloc_tensor, upgrade_dealloc},
    {HD_OP_ttg_insert_slice, upgrade_insert},
    {HD_OP_ttg_insert_slice_async, upgrade_insert},
    {HD_OP_ttg_extract_slice, upgrade_extract},
    {HD_OP_tensor_extract_slice, upgrade_extract},
    {HD_OP_ttg_memdesc_subview, upgrade_subview},
    {HD_OP_ttg_convert_layout, upgrade_convert},
    {HD_OP_tt_trans, upgrade_trans},
    {HD_OP_tt_reshape, upgrade_reshape},
    {HD_OP_tt_dot, upgrade_dot},
};

static rewrite rewrite_of(const hd_op *op) {
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (hd_op_is(op, table[i].opcode)) return table[i].run;
  return NULL;
}

/* What only hands values on: types are all that changes. */
static bool hands_on(const hd_op *op) {
  return hd_op_has_any_trait(op, HD_TRAIT(LOOP_LIKE) | HD_TRAIT(BRANCHES) | HD_TRAIT(RETURN_LIKE) |
                                     HD_TRAIT(HAS_SUCCESSORS) | HD_TRAIT(CALL_LIKE)) ||
         hd_op_is(op, HD_OP_arith_select);
}

static bool check(hd_op *op, void *user) {
  upgrade *u = user;
  if (!touches_shared(op) || rewrite_of(op) || hands_on(op)) return true;
  u->failed = true;
  return hd_op_error(op, "has no meaning for a tensor in shared memory");
}

/* Every value in its type of today; functions say so too. */
static bool retype(hd_op *op, void *user) {
  upgrade *u = user;
  for (uint32_t i = 0; i < op->result_count; ++i) hd_result(op, i)->type = today(hd_result_type(op, i));
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r))
      for (uint32_t i = 0; i < block->arg_count; ++i) block->args[i]->type = today(block->args[i]->type);
  if (!hd_op_is(op, HD_OP_tt_func)) return true;
  hd_type type = hd_tt_func_function_type(op)->type_value;
  uint32_t ins = type->function.in_count, outs = type->function.out_count;
  hd_type *types = hd_new_array(&u->pass->arena, hd_type, ins + outs + 1);
  for (uint32_t i = 0; i < ins; ++i) types[i] = today(type->function.ins[i]);
  for (uint32_t i = 0; i < outs; ++i) types[ins + i] = today(type->function.outs[i]);
  hd_op_attr_set(op, HD_NAME_function_type,
                 hd_attr_type(hd_type_function(u->pass->context, types, ins, types + ins, outs)));
  return true;
}

static bool is_older(const hd_op *op) {
  return touches_shared(op) || hd_op_is(op, HD_OP_ttg_memdesc_subview) || hd_op_is(op, HD_OP_ttg_dealloc_tensor);
}

static bool takes_memory(const hd_op *op) {
  if (hd_op_is(op, HD_OP_ttg_memdesc_subview)) return true;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_type_is_memdesc(hd_operand_type(op, i))) return true;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_type_is_memdesc(hd_result_type(op, i))) return true;
  return false;
}

static bool wanted(const hd_op *op) { return rewrite_of(op) && takes_memory(op); }

/* ttg.compute-capability = 80 : i32 -> ttg.target = "cuda:80" */
static void upgrade_target(hd_pass *pass, hd_op *module) {
  int64_t capability = hd_discardable_ttg_compute_capability(module);
  if (!capability) return;
  const char *target = hd_arena_printf(&pass->arena, "cuda:%lld", (long long)capability);
  hd_op_attr_set(module, HD_NAME_ttg_compute_capability, NULL);
  if (!hd_discardable_ttg_target_attr(module))
    hd_op_attr_set(module, HD_NAME_ttg_target, hd_attr_cstring(pass->context, target));
  pass->changed = true;
}

bool hd_pass_triton_upgrade(hd_pass *pass, hd_op *module) {
  upgrade u = {.pass = pass, .warps = hd_discardable_ttg_num_warps(module)};
  upgrade_target(pass, module);
  if (!hd_ops_where(module, is_older, &pass->arena).len) return true;
  hd_walk_pre(module, check, &u);
  if (u.failed) return false;
  pass->changed = true;
  hd_walk_pre(module, retype, &u);
  hd_op_list ops = hd_ops_where(module, wanted, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_builder b = hd_builder_before(ops.data[i]);
    b.loc = ops.data[i]->loc;
    if (!rewrite_of(ops.data[i])(&u, &b, ops.data[i])) return false;
  }
  return true;
}
