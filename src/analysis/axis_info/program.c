/* SPDX-License-Identifier: Apache-2.0 */
/* The walk: each function once in the order of the program, then the ops whose operands changed until none is left. An
 * op joins what its operands give into what is known of its results, so infos only lose, each value's a few times. What
 * has not been reached has no rank and counts for nothing. */
#include "analysis/axis_info/program.h"

#include "analysis/axis_info/of_op.h"
#include "base/vec.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/scf.h"

struct hd_axis_infos {
  hd_arena *arena;
  hd_map infos;            /* value -> hd_axis_info */
  hd_map called;           /* private functions that something calls */
  hd_map entered;          /* functions and other ops of the module that were walked */
  hd_vec(hd_op *) pending; /* ops to be visited again, without what their regions hold */
  hd_map visited;          /* op -> the op; what was not visited needs no second visit */
  hd_map is_pending;
  bool revisits;
  hd_axis_info unknown[HD_AXIS_MAX_RANK + 1]; /* by rank */
};

static hd_axis_info *slot(hd_axis_infos *x, hd_value *value) {
  hd_axis_info *info = hd_map_get(&x->infos, value);
  if (info) return info;
  info = hd_new(x->arena, hd_axis_info);
  hd_map_set(x->arena, &x->infos, value, info);
  return info;
}

static void add_pending(hd_axis_infos *x, hd_op *op) {
  if (!hd_map_find(&x->visited, op) || hd_map_get(&x->is_pending, op)) return;
  hd_map_set(x->arena, &x->is_pending, op, op);
  hd_vec_push(x->arena, &x->pending, op);
}

/* What a region's last op takes, the op around it gives. */
static void add_users(hd_axis_infos *x, hd_value *value) {
  hd_for_each_use(use, value) {
    add_pending(x, use->owner);
    hd_op *parent = use->owner->next ? NULL : hd_op_parent(use->owner);
    if (parent && !hd_op_has_trait(parent, HD_TRAIT(FUNCTION_LIKE))) add_pending(x, parent);
  }
}

/* |info| may be what |value| is. */
static void join(hd_axis_infos *x, hd_value *value, const hd_axis_info *info) {
  hd_axis_info *known = slot(x, value), joined = hd_axis_join(known, info);
  if (hd_axis_equal(known, &joined)) return;
  *known = joined;
  add_users(x, value);
}

static uint32_t rank_of(const hd_value *value) {
  uint32_t rank = hd_axis_rank(value->type);
  return rank <= HD_AXIS_MAX_RANK ? rank : 0;
}

static void join_unknown(hd_axis_infos *x, hd_value *value) {
  hd_axis_info unknown = hd_axis_unknown(rank_of(value));
  join(x, value, &unknown);
}

static void join_value(hd_axis_infos *x, hd_value *to, hd_value *from) { join(x, to, slot(x, from)); }

/* ---- control flow ---- */

static void visit_region(hd_axis_infos *x, hd_region *region);

/* What the region's last op gives, from its operand |first| on. */
static void join_yields(hd_axis_infos *x, hd_region *region, uint32_t first, hd_value *const *to, uint32_t count) {
  hd_op *end = region->first ? hd_block_terminator(region->first) : NULL;
  for (uint32_t i = 0; end && i < count && first + i < end->operand_count; ++i)
    join_value(x, to[i], hd_operand(end, first + i));
}

static hd_value **results_of(hd_axis_infos *x, hd_op *op) {
  hd_value **list = hd_new_array(x->arena, hd_value *, op->result_count + 1);
  for (uint32_t i = 0; i < op->result_count; ++i) list[i] = hd_result(op, i);
  return list;
}

/* The counter is a multiple of what divides its first value and the step. */
static hd_axis_info counter(hd_axis_infos *x, hd_op *loop) {
  const hd_axis_info *lower = slot(x, hd_operand(loop, 0)), *step = slot(x, hd_operand(loop, 2));
  hd_axis_info info = hd_axis_unknown(1), a = hd_axis_unknown(1), b = a;
  if (lower->rank != 1 || step->rank != 1) return info;
  a.divisibility[0] = lower->divisibility[0];
  b.divisibility[0] = step->divisibility[0];
  return hd_axis_join(&a, &b);
}

static void visit_for(hd_axis_infos *x, hd_op *op) {
  hd_block *body = hd_op_region(op, 0)->first;
  hd_axis_info info = counter(x, op);
  uint32_t count = op->result_count;
  hd_value **results = results_of(x, op);
  join(x, body->args[0], &info);
  for (uint32_t i = 0; i < count; ++i) {
    join_value(x, body->args[i + 1], hd_operand(op, i + 3));
    join_value(x, results[i], hd_operand(op, i + 3));
  }
  join_yields(x, hd_op_region(op, 0), 0, body->args + 1, count);
  visit_region(x, hd_op_region(op, 0));
  join_yields(x, hd_op_region(op, 0), 0, body->args + 1, count);
  join_yields(x, hd_op_region(op, 0), 0, results, count);
}

static void visit_while(hd_axis_infos *x, hd_op *op) {
  hd_region *before = hd_op_region(op, 0), *after = hd_op_region(op, 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) join_value(x, before->first->args[i], hd_operand(op, i));
  join_yields(x, after, 0, before->first->args, before->first->arg_count);
  visit_region(x, before);
  join_yields(x, before, 1, after->first->args, after->first->arg_count);
  join_yields(x, before, 1, results_of(x, op), op->result_count);
  visit_region(x, after);
}

/* Each region may be the one whose values the op gives. */
static void visit_branches(hd_axis_infos *x, hd_op *op) {
  hd_value **results = results_of(x, op);
  for (uint32_t i = 0; i < op->region_count; ++i) {
    visit_region(x, hd_op_region(op, i));
    join_yields(x, hd_op_region(op, i), 0, results, op->result_count);
  }
}

static void visit_call(hd_axis_infos *x, hd_op *op) {
  hd_op *callee = hd_symbol_resolve(op, hd_call_like_callee(op));
  hd_block *entry = callee && callee->region_count ? hd_op_region(callee, 0)->first : NULL;
  for (uint32_t i = 0; i < op->result_count; ++i) join_unknown(x, hd_result(op, i));
  if (!entry || !hd_map_find(&x->called, callee)) return;
  for (uint32_t i = 0; i < op->operand_count && i < entry->arg_count; ++i)
    if (slot(x, hd_operand(op, i))->rank == rank_of(entry->args[i]))
      join_value(x, entry->args[i], hd_operand(op, i));
    else
      join_unknown(x, entry->args[i]);
}

/* ---- ops ---- */

static void visit_simple(hd_axis_infos *x, hd_op *op) {
  if (!op->result_count) return;
  const hd_axis_info **operands = hd_new_array(x->arena, const hd_axis_info *, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    if (!slot(x, hd_operand(op, i))->rank) join_unknown(x, hd_operand(op, i));
    operands[i] = slot(x, hd_operand(op, i));
  }
  hd_axis_info info = hd_axis_of_op(op, operands);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (info.rank == rank_of(hd_result(op, i)))
      join(x, hd_result(op, i), &info);
    else
      join_unknown(x, hd_result(op, i));
}

/* Regions of other ops: their arguments are unknown. */
static void visit_regions(hd_axis_infos *x, hd_op *op) {
  for (uint32_t i = 0; i < op->region_count; ++i) {
    hd_block *entry = hd_op_region(op, i)->first;
    for (uint32_t k = 0; entry && k < entry->arg_count; ++k) join_unknown(x, entry->args[k]);
    visit_region(x, hd_op_region(op, i));
  }
}

static void visit(hd_axis_infos *x, hd_op *op) {
  if (!x->revisits) hd_map_set(x->arena, &x->visited, op, op);
  switch (hd_opcode_get(op)) {
    case HD_OP_scf_for:
      visit_for(x, op);
      break;
    case HD_OP_scf_while:
      visit_while(x, op);
      break;
    case HD_OP_scf_if:
    case HD_OP_scf_index_switch:
      visit_branches(x, op);
      break;
    default:
      if (hd_op_has_trait(op, HD_TRAIT(CALL_LIKE))) {
        visit_call(x, op);
        break;
      }
      visit_simple(x, op);
      visit_regions(x, op);
  }
}

/* Arguments of blocks that are jumped to are unknown. */
static void visit_region(hd_axis_infos *x, hd_region *region) {
  if (x->revisits) return;
  hd_for_each_block(block, region) {
    for (uint32_t i = 0; block != region->first && i < block->arg_count; ++i) join_unknown(x, block->args[i]);
    hd_for_each_op(op, block) visit(x, op);
  }
}

/* ---- functions ---- */

static bool note_callee(hd_op *op, void *user) {
  hd_axis_infos *x = user;
  hd_op *callee = hd_op_has_trait(op, HD_TRAIT(CALL_LIKE)) ? hd_symbol_resolve(op, hd_call_like_callee(op)) : NULL;
  if (callee && hd_symbol_is_private(callee)) hd_map_set(x->arena, &x->called, callee, callee);
  return true;
}

static hd_axis_info hinted(hd_op *func, uint32_t i, const hd_axis_info *otherwise) {
  hd_attr all = hd_function_like_arg_attrs(func);
  hd_attr dict = all && i < all->array.count ? all->array.items[i] : NULL;
  return hd_axis_with_hints(otherwise, hd_dict_get(dict, HD_NAME_tt_contiguity),
                            hd_dict_get(dict, HD_NAME_tt_divisibility), hd_dict_get(dict, HD_NAME_tt_constancy));
}

/* Of a function that is called, hints and callers bound what is known; until a caller is reached, it is left alone. */
static bool enter(hd_axis_infos *x, hd_op *func, bool even_so) {
  hd_block *entry = hd_op_region(func, 0)->first;
  bool is_called = hd_map_find(&x->called, func);
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    hd_value *arg = entry->args[i];
    if (is_called && !slot(x, arg)->rank && !even_so) return false;
    hd_axis_info base = is_called && slot(x, arg)->rank ? hd_axis_any(rank_of(arg)) : hd_axis_unknown(rank_of(arg));
    hd_axis_info info = hinted(func, i, &base);
    join(x, arg, &info);
  }
  return true;
}

/* Those that were not walked yet; false when there was none. */
static bool visit_functions(hd_axis_infos *x, hd_module *module, bool even_so) {
  bool any = false;
  hd_for_each_op(func, hd_module_body(module)) {
    if (!func->region_count || !hd_op_region(func, 0)->first || hd_map_find(&x->entered, func)) continue;
    bool is_function = hd_op_has_trait(func, HD_TRAIT(FUNCTION_LIKE));
    if (is_function && !enter(x, func, even_so)) continue;
    hd_map_set(x->arena, &x->entered, func, func);
    any = true;
    if (is_function)
      visit_region(x, hd_op_region(func, 0));
    else
      visit(x, func);
  }
  return any;
}

static void visit_pending(hd_axis_infos *x) {
  x->revisits = true;
  for (size_t i = 0; i < x->pending.len; ++i) {
    hd_op *op = x->pending.data[i];
    hd_map_set(x->arena, &x->is_pending, op, NULL);
    visit(x, op);
  }
  x->pending.len = 0;
  x->revisits = false;
}

/* The infos are on |arena|, and hold until the module is changed. */
static hd_axis_infos *infos_of(hd_module *module, hd_arena *arena) {
  hd_axis_infos *x = hd_new(arena, hd_axis_infos);
  x->arena = arena;
  for (uint32_t rank = 0; rank <= HD_AXIS_MAX_RANK; ++rank) x->unknown[rank] = hd_axis_unknown(rank);
  hd_walk_pre(module->op, note_callee, x);
  for (int even_so = 0; even_so < 2; ++even_so) /* at last functions that only dead ones call */
    while (visit_functions(x, module, even_so)) visit_pending(x);
  return x;
}

/* Never null; of a value that the analysis has not seen, nothing is known. */
static const hd_axis_info *info_of(hd_axis_infos *infos, hd_value *value) {
  const hd_axis_info *info = hd_map_get(&infos->infos, value);
  return info && info->rank ? info : &infos->unknown[rank_of(value)];
}

/* ---- printing ---- */

typedef struct listing {
  hd_axis_infos *infos;
  hd_strbuf *out;
} listing;

static bool put_op(hd_op *op, void *user) {
  const listing *l = user;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    const hd_axis_info *info = info_of(l->infos, hd_result(op, i));
    if (op->region_count)
      hd_strbuf_put(l->out, op->name->text, strlen(op->name->text));
    else
      hd_op_context(op)->print_op(l->out, op);
    if (op->result_count > 1) hd_strbuf_printf(l->out, " #%u", i);
    hd_strbuf_puts(l->out, " => ");
    hd_axis_print(info, l->out);
    hd_axis_print_stride(info, l->out);
    hd_strbuf_putc(l->out, '\n');
  }
  return true;
}

void hd_axis_print_ops(hd_module *module, hd_strbuf *out) {
  hd_arena arena;
  hd_scratch_init(&arena, NULL);
  listing l = {infos_of(module, &arena), out};
  hd_for_each_op(func, hd_module_body(module)) {
    if (!hd_op_has_trait(func, HD_TRAIT(FUNCTION_LIKE)) || !hd_op_region(func, 0)->first) continue;
    hd_str name = hd_symbol_name(func);
    hd_strbuf_printf(out, "@%.*s\n", (int)name.len, name.data);
    hd_walk_pre(func, put_op, &l);
  }
  hd_arena_free(&arena);
}
