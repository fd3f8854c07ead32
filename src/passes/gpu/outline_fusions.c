/* SPDX-License-Identifier: Apache-2.0 */
/* disc-outline-fusions: fusions of equal content become calls of one function, so that what follows lowers each once.
 *
 *   %t = memref.alloc(%s) : memref<?xf32>          func.call @fusion_0(%x, %y) : (memref<?xf32>, memref<?xf32>) -> ()
 *   "lmhlo.fusion"() ({                      ->    func.func private @fusion_0(%a: memref<?xf32> {hd.dims = ["s"]},
 *     "lmhlo.exponential"(%x, %t)                                              %b: memref<?xf32> {hd.dims = ["s"]}) {
 *     "lmhlo.negate"(%t, %y)                         %0 = memref.dim %a, %c0
 *   })                                               %t = memref.alloc(%0) : memref<?xf32>
 *                                                    "lmhlo.fusion"() ({ ... })
 * A buffer that nothing but this fusion reads is its own, the others are arguments. What the program knows of their
 * dims goes with them: names of symbols, and as hd.constraint their bounds, what a dim is of others and what divides
 * it. Where that cannot be said (a size that divides into symbols of which no argument is), and where no other fusion
 * is equal, it stays where it is. Numbers that it uses, the starts of a slice, go with it.
 *
 * Products that differ in static sizes alone, and are of unknown sizes anyhow, share a function that leaves those open
 * where tiles are whole in either (outline_products.c):
 *
 *   x: ?x768, w: 768x3072  and  x: ?x3072, w: 3072x768      ->      x: ?x?, w: ?x? with k % 128 == 0, n % 128 == 0
 *
 * `inline` brings the launches back once disc-gpu-kernel-outlining has made the kernels. */
#include "ir/content_hash.h"
#include "ir/ops/discardable.h"
#include "ir/ops/func.h"
#include "passes/analyses.h"
#include "passes/gpu/outliner.h"

typedef struct candidate {
  hd_op *fusion, *func;
  hd_captures captures;    /* the arguments of |func| */
  struct candidate *equal; /* the first of its content; itself where it is that */
  struct candidate *open;  /* of the first: the function for it and others that leaves sizes open; null: none */
  uint32_t count;          /* of the first: how many are equal; of an open one: how many such firsts there are */
} candidate;

typedef struct outliner {
  hd_lowering ctx; /* of the function that fusions are taken from */
  hd_symbol_table symbols;
  hd_map contents, open; /* hash -> the first candidate */
  hd_vec(candidate *) all;
} outliner;

typedef hd_vec(hd_value *) value_list;

static bool is_fusion(const hd_op *op) { return hd_op_is(op, HD_OP_lmhlo_fusion) && !hd_discardable_host(op); }

/* What the fusion uses from outside: what is its alone, buffers and numbers, and buffers that become
 * arguments. False where it uses anything else. */
static bool take_buffers(outliner *o, candidate *c, value_list *own) {
  hd_arena *arena = &o->ctx.pass->arena;
  hd_kernel_set set = {0};
  hd_captures used = {0};
  hd_kernel_collect(c->fusion, &o->ctx.pass->arena, &set);
  hd_captures_find(c->fusion, arena, &used);
  for (size_t i = 0; i < used.len; ++i) {
    hd_value *value = used.data[i];
    int64_t number;
    if (hd_value_constant_int(value, &number)) {
      hd_vec_push(arena, own, value);
      continue;
    }
    if (!hd_type_is(value->type, HD_TYPE_MEMREF) || !value->type->shaped.space) return false;
    if (!hd_map_get(&set.writers, value) || hd_kernel_has_output(&set, value))
      hd_vec_push(arena, &c->captures, value);
    else if (hd_op_is(hd_value_op(value), HD_OP_memref_alloc))
      hd_vec_push(arena, own, value);
    else
      return false;
  }
  return true;
}

/* ---- the function ------------------------------------------------------------------------------------------------ */

/* |text| in the function's own symbols; null where it names what no argument has. */
static hd_dim read_dim(hd_shapes *shapes, const char *text) {
  hd_dim dim = hd_dim_read(&shapes->table, &text);
  return *text ? NULL : dim;
}

/* An allocation in the function for |buffer|, or the constant that it is; |written| has the sizes that are there. */
static hd_value *own_value(hd_lowering *inner, outliner *o, hd_builder *b, hd_value *buffer, hd_op *before,
                           hd_map *written) {
  hd_value *sizes[HD_MAX_RANK];
  uint32_t count = 0;
  bool is_buffer = hd_type_is(buffer->type, HD_TYPE_MEMREF);
  for (uint32_t d = 0; is_buffer && d < hd_type_rank(buffer->type); ++d) {
    if (hd_type_dim(buffer->type, d) != HD_DYNAMIC) continue;
    hd_dim dim = read_dim(inner->shapes, hd_outline_dim_text(&o->ctx, hd_shapes_dim(o->ctx.shapes, buffer, d)));
    sizes[count] = dim ? hd_host_dim_once(inner, b, dim, before, written) : NULL;
    if (!sizes[count++]) return NULL;
  }
  hd_op *copy = hd_op_clone(o->ctx.pass->module, hd_value_op(buffer), &o->ctx.pass->arena, NULL);
  for (uint32_t i = 0; i < count; ++i) hd_op_set_operand(copy, i, sizes[i]);
  hd_op_insert_before(copy, before);
  return hd_result(copy, 0);
}

/* What is the fusion's alone: where it came from, why it ends there, and sizes that its function may leave open. */
static bool forget(hd_op *op, void *user) {
  const hd_open_sizes *open = user;
  hd_discardable_set_node_attr(op, NULL);
  hd_discardable_set_fusion_blockers(op, NULL);
  if (open) hd_discardable_set_dims(op, NULL);
  return true;
}

/* The function of |c|, or none where what it needs to know cannot be said. |open|:
 * sizes that it does not know; null: none. */
static void make_function(outliner *o, candidate *c, const value_list *own, const hd_open_sizes *open) {
  hd_pass *pass = o->ctx.pass;
  hd_type *ins = hd_new_array(&pass->arena, hd_type, c->captures.len + 1);
  for (size_t i = 0; i < c->captures.len; ++i) ins[i] = hd_outline_argument_type(&c->captures, open, i);
  hd_builder b = hd_builder_before(o->ctx.func);
  b.loc = c->fusion->loc;
  c->func = hd_build_func(&b, hd_ident_str(hd_symbol_table_unique(&o->symbols, pass->context, HD_STR("fusion"))),
                          hd_type_function(pass->context, ins, c->captures.len, NULL, 0), true);
  hd_discardable_set_placed_attr(c->func, hd_discardable_placed_attr(o->ctx.func));
  hd_outline_sizes sizes = {0};
  hd_outline_name_arguments(&o->ctx, c->func, &c->captures, open, &sizes);
  hd_block *body = hd_op_region(c->func, 0)->first;
  hd_lowering inner = {.pass = pass, .shapes = hd_shapes_of(c->func, &pass->arena), .func = c->func};
  hd_builder end = hd_builder_at_end(pass->module, body);
  end.loc = c->fusion->loc;
  hd_op *last = hd_build_op(&end, HD_OP_func_return, NULL, 0, NULL, 0, NULL, 0, 0);
  hd_builder before = hd_builder_before(last);
  before.loc = c->fusion->loc;
  hd_map map = {0}, written = {0};
  bool known = true;
  for (size_t i = 0; i < sizes.len; ++i) known &= read_dim(inner.shapes, sizes.data[i]) != NULL;
  for (size_t i = 0; i < c->captures.len; ++i) hd_map_set(&pass->arena, &map, c->captures.data[i], body->args[i]);
  for (size_t i = 0; i < own->len && known; ++i) {
    hd_value *inside = own_value(&inner, o, &before, own->data[i], last, &written);
    known = inside != NULL;
    hd_map_set(&pass->arena, &map, own->data[i], inside);
  }
  if (!known) {
    hd_op_erase(c->func);
    c->func = NULL;
    return;
  }
  hd_op *copy = hd_op_clone(pass->module, c->fusion, &pass->arena, &map);
  hd_walk_pre(copy, forget, (void *)open);
  hd_op_insert_before(copy, last);
}

/* The first of |all| with the content of |c|, whose function goes where that is not |c| itself. */
static candidate *share(outliner *o, hd_map *all, candidate *c) {
  hd_hash128 content = hd_content_hash(c->func);
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(&o->ctx.pass->arena, all, content.bytes, sizeof content.bytes, &is_new);
  if (is_new) {
    entry->value.ptr = c;
    hd_symbol_table_insert(&o->symbols, c->func);
  } else {
    hd_op_erase(c->func);
    c->func = NULL;
  }
  candidate *first = entry->value.ptr;
  ++first->count;
  return first;
}

static void add(outliner *o, hd_op *fusion) {
  hd_arena *arena = &o->ctx.pass->arena;
  candidate *c = hd_new(arena, candidate);
  c->fusion = fusion;
  value_list own = {0};
  if (take_buffers(o, c, &own)) make_function(o, c, &own, NULL);
  if (!c->func) return;
  c->equal = share(o, &o->contents, c);
  hd_vec_push(arena, &o->all, c);
}

static void add_open(outliner *o, candidate *c) {
  hd_open_sizes open;
  value_list own = {0};
  if (!hd_outline_open_sizes(c->fusion, &c->captures, &open)) return;
  candidate *general = hd_new(&o->ctx.pass->arena, candidate);
  *general = (candidate){.fusion = c->fusion, .captures = c->captures};
  make_function(o, general, &own, &open);
  if (general->func) c->open = share(o, &o->open, general);
}

/* The function that |c| calls; null: it stays. */
static hd_op *callee_of(const candidate *c) {
  const candidate *first = c->equal;
  if (first->open && first->open->count > 1) return first->open->func;
  return first->count > 1 ? first->func : NULL;
}

/* |c| becomes a call of |callee|. */
static void call(outliner *o, candidate *c, hd_op *callee) {
  hd_builder b = hd_builder_before(c->fusion);
  b.loc = c->fusion->loc;
  hd_value **operands = hd_new_array(&o->ctx.pass->arena, hd_value *, c->captures.len + 1);
  for (uint32_t i = 0; i < c->captures.len; ++i) {
    hd_value *value = c->captures.data[i];
    hd_type type = hd_op_region(callee, 0)->first->args[i]->type;
    operands[i] = value->type == type ? value : hd_build(&b, HD_OP_memref_cast, type, value);
  }
  hd_attr_arg name = {HD_NAME_callee, hd_attr_symbol(b.context, hd_symbol_name(callee), NULL, 0)};
  hd_build_op(&b, HD_OP_func_call, operands, c->captures.len, NULL, 0, &name, 1, 0);
  hd_op_erase(c->fusion);
  o->ctx.pass->changed = true;
}

static bool is_called(const candidate *c) { return c->open && c->open->count > 1 ? false : c->count > 1; }

static bool outline(hd_pass *pass, hd_op *func) {
  outliner o = {.ctx = {.pass = pass, .shapes = hd_pass_shapes(pass, func), .func = func}};
  hd_symbol_table_init(&o.symbols, &pass->arena, hd_op_parent(func));
  hd_op_list fusions = hd_ops_where(func, is_fusion, &pass->arena);
  for (size_t i = 0; i < fusions.len; ++i) add(&o, fusions.data[i]);
  for (size_t i = 0; i < o.all.len; ++i)
    if (o.all.data[i]->func) add_open(&o, o.all.data[i]);
  for (size_t i = 0; i < o.all.len; ++i) {
    hd_op *callee = callee_of(o.all.data[i]);
    if (callee) call(&o, o.all.data[i], callee);
  }
  for (size_t i = 0; i < o.all.len; ++i) {
    candidate *c = o.all.data[i], *open = c->open;
    if (c->func && !is_called(c)) hd_op_erase(c->func);
    if (open && open->func && open->count == 1) hd_op_erase(open->func);
  }
  return true;
}

bool hd_pass_outline_fusions(hd_pass *pass, hd_op *module) {
  hd_for_each_op_safe(op, hd_op_region(module, 0)->first)
    if (hd_op_is(op, HD_OP_func_func) && !hd_symbol_is_private(op) && hd_op_region(op, 0)->first && !outline(pass, op))
      return false;
  return true;
}
