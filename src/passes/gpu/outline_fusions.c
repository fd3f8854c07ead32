/* SPDX-License-Identifier: Apache-2.0 */
/* disc-outline-fusions: fusions of equal content become calls of one function, so that what follows lowers each once.
 *
 *   %t = memref.alloc(%s) : memref<?xf32>             func.call @fusion_0(%x, %y) : (memref<?xf32>, memref<?xf32>) -> ()
 *   "lmhlo.fusion"() ({                         ->    func.func private @fusion_0(%a: memref<?xf32> {hd.dims = ["s"]},
 *     "lmhlo.exponential"(%x, %t)                                                 %b: memref<?xf32> {hd.dims = ["s"]}) {
 *     "lmhlo.negate"(%t, %y)                            %0 = memref.dim %a, %c0
 *   })                                                  %t = memref.alloc(%0) : memref<?xf32>
 *                                                       "lmhlo.fusion"() ({ ... })
 * A buffer that nothing but this fusion reads is its own, the others are arguments. What the program knows of their dims
 * goes with them: names of symbols, and as hd.constraint their bounds, what a dim is of others and what divides it. Where
 * that cannot be said (a size that divides into symbols of which no argument is), and where no other fusion is equal, it
 * stays where it is. Numbers that it uses, the starts of a slice, go with it. `inline` brings the launches back once disc-gpu-kernel-outlining has made the kernels. */
#include <inttypes.h>
#include <string.h>

#include "analysis/captures.h"
#include "ir/content_hash.h"
#include "ir/ops/discardable.h"
#include "ir/ops/func.h"
#include "ir/ops/interfaces.h"
#include "passes/analyses.h"
#include "passes/kernel/lowering.h"

typedef struct candidate {
  hd_op *fusion, *func;
  hd_captures captures;    /* the arguments of |func| */
  struct candidate *equal; /* the first of its content; itself where it is that */
  uint32_t count;          /* of the first: how many are equal */
} candidate;

typedef struct outliner {
  hd_lowering z; /* of the function that fusions are taken from */
  hd_symbol_table symbols;
  hd_map contents; /* hash -> the first candidate */
  hd_vec(candidate *) all;
} outliner;

typedef hd_vec(hd_value *) value_list;

static bool is_fusion(const hd_op *op) { return hd_op_is(op, HD_OP_lmhlo_fusion) && !hd_discardable_host(op); }

/* What the fusion uses from outside: what is its alone, buffers and numbers, and buffers that become arguments. False where it
 * uses anything else. */
static bool take_buffers(outliner *o, candidate *c, value_list *own) {
  hd_arena *arena = &o->z.pass->arena;
  hd_kernel_set set = {0};
  hd_captures used = {0};
  hd_kernel_collect(&o->z, c->fusion, &set);
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

/* ---- what is known of the dims of arguments ---------------------------------------------------------------------- */

typedef struct facts {
  outliner *o;
  hd_map named;               /* names of symbols that are dims of arguments */
  hd_vec(const char *) sizes; /* what the other dims are of these, as text */
  uint32_t unnamed;
  hd_vec(hd_attr) constraints;
} facts;

static const char *text_of(outliner *o, hd_dim dim) {
  hd_strbuf text;
  hd_strbuf_init(&text, &o->z.pass->arena);
  hd_dim_print(&text, dim);
  return hd_strbuf_text(&text);
}

static bool is_symbol(hd_dim dim) {
  bool alone =
      dim && dim->term_count == 1 && !dim->constant && dim->terms[0].coefficient == 1 && dim->terms[0].atom_count == 1;
  return alone && dim->terms[0].atoms[0]->kind == HD_ATOM_SYMBOL;
}

static void constrain(facts *f, const char *text) {
  hd_vec_push(&f->o->z.pass->arena, &f->constraints, hd_attr_cstring(f->o->z.pass->context, text));
}

/* A name for a dim of an argument: its symbol's where that is the first, else a new one, which hd.constraint says the
 * size of. */
static const char *name_dim(facts *f, hd_dim dim) {
  hd_arena *arena = &f->o->z.pass->arena;
  const char *text = text_of(f->o, dim);
  bool is_new = false;
  if (is_symbol(dim)) hd_map_insert_bytes(arena, &f->named, text, strlen(text), &is_new);
  if (is_new) {
    if (hd_dim_lower(dim) > 0) constrain(f, hd_arena_printf(arena, "%s >= %" PRId64, text, hd_dim_lower(dim)));
    return text;
  }
  const char *name;
  do name = hd_arena_printf(arena, "size_%u", f->unnamed++);
  while (hd_map_find_bytes(&f->o->z.shapes->names, name, strlen(name))); /* the program's own */
  hd_vec_push(arena, &f->sizes, text);
  constrain(f, hd_arena_printf(arena, "%s == %s", name, text));
  return name;
}

/* What the program's own hd.constraint says of the names that arguments have: that a dim is divisible, say. */
static void keep_constraints(facts *f, candidate *c) {
  hd_attr all = hd_discardable_constraint(f->o->z.func);
  if (!hd_attr_is(all, HD_ATTR_ARRAY)) return;
  hd_shapes *shapes = NULL;
  for (uint32_t i = 0; i < all->array.count; ++i) {
    hd_dim lhs, rhs;
    hd_attr text = all->array.items[i];
    bool said = !hd_attr_is(text, HD_ATTR_STRING);
    for (size_t k = 0; k < f->constraints.len; ++k) said |= f->constraints.data[k] == text;
    if (said) continue;
    if (!shapes) shapes = hd_shapes_of(c->func, &f->o->z.pass->arena);
    if (hd_shapes_read_constraint(shapes, text->string->text, &lhs, &rhs))
      hd_vec_push(&f->o->z.pass->arena, &f->constraints, text);
  }
}

static void name_arguments(facts *f, candidate *c) {
  hd_pass *pass = f->o->z.pass;
  hd_attr *attrs = hd_new_array(&pass->arena, hd_attr, c->captures.len + 1);
  for (size_t i = 0; i < c->captures.len; ++i) {
    hd_value *value = c->captures.data[i];
    uint32_t rank = hd_type_rank(value->type);
    hd_attr *names = hd_new_array(&pass->arena, hd_attr, rank + 1);
    for (uint32_t d = 0; d < rank; ++d)
      names[d] = hd_attr_cstring(pass->context, hd_type_dim(value->type, d) != HD_DYNAMIC
                                                    ? ""
                                                    : name_dim(f, hd_shapes_dim(f->o->z.shapes, value, d)));
    hd_named_attr dims = {hd_name_ident(pass->context, HD_NAME_hd_dims), hd_attr_array(pass->context, names, rank)};
    attrs[i] = hd_attr_dict(pass->context, &dims, hd_type_is_static(value->type) ? 0 : 1);
  }
  hd_function_like_set_arg_attrs(c->func, hd_attr_array(pass->context, attrs, c->captures.len));
  keep_constraints(f, c);
  if (f->constraints.len)
    hd_discardable_set_constraint(c->func, hd_attr_array(pass->context, f->constraints.data, f->constraints.len));
}

/* ---- the function -------------------------------------------------------------------------------------------------- */

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
    hd_dim dim = read_dim(inner->shapes, text_of(o, hd_shapes_dim(o->z.shapes, buffer, d)));
    sizes[count] = dim ? hd_host_dim_once(inner, b, dim, before, written) : NULL;
    if (!sizes[count++]) return NULL;
  }
  hd_op *copy = hd_op_clone(o->z.pass->module, hd_value_op(buffer), &o->z.pass->arena, NULL);
  for (uint32_t i = 0; i < count; ++i) hd_op_set_operand(copy, i, sizes[i]);
  hd_op_insert_before(copy, before);
  return hd_result(copy, 0);
}

static bool forget_node(hd_op *op, void *user) {
  (void)user;
  hd_discardable_set_node_attr(op, NULL);
  return true;
}

/* The function of |c|, or none where what it needs to know cannot be said. */
static void make_function(outliner *o, candidate *c, const value_list *own) {
  hd_pass *pass = o->z.pass;
  hd_type *ins = hd_new_array(&pass->arena, hd_type, c->captures.len + 1);
  for (size_t i = 0; i < c->captures.len; ++i) ins[i] = c->captures.data[i]->type;
  hd_builder b = hd_builder_before(o->z.func);
  b.loc = c->fusion->loc;
  c->func = hd_build_func(&b, hd_ident_str(hd_symbol_table_unique(&o->symbols, pass->context, HD_STR("fusion"))),
                          hd_type_function(pass->context, ins, c->captures.len, NULL, 0), true);
  hd_discardable_set_placed_attr(c->func, hd_discardable_placed_attr(o->z.func));
  facts f = {.o = o};
  name_arguments(&f, c);
  hd_block *body = hd_op_region(c->func, 0)->first;
  hd_lowering inner = {.pass = pass, .shapes = hd_shapes_of(c->func, &pass->arena), .func = c->func};
  hd_builder end = hd_builder_at_end(pass->module, body);
  end.loc = c->fusion->loc;
  hd_op *last = hd_build_op(&end, HD_OP_func_return, NULL, 0, NULL, 0, NULL, 0, 0);
  hd_builder before = hd_builder_before(last);
  before.loc = c->fusion->loc;
  hd_map map = {0}, written = {0};
  bool known = true;
  for (size_t i = 0; i < f.sizes.len; ++i) known &= read_dim(inner.shapes, f.sizes.data[i]) != NULL;
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
  hd_walk_pre(copy, forget_node, NULL);
  hd_op_insert_before(copy, last);
}

static void add(outliner *o, hd_op *fusion) {
  hd_arena *arena = &o->z.pass->arena;
  candidate *c = hd_new(arena, candidate);
  c->fusion = fusion;
  value_list own = {0};
  if (take_buffers(o, c, &own)) make_function(o, c, &own);
  if (!c->func) return;
  hd_hash128 content = hd_content_hash(c->func);
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(arena, &o->contents, content.bytes, sizeof content.bytes, &is_new);
  if (is_new) {
    entry->value.ptr = c;
    hd_symbol_table_insert(&o->symbols, c->func);
  } else {
    hd_op_erase(c->func);
    c->func = NULL;
  }
  c->equal = entry->value.ptr;
  ++c->equal->count;
  hd_vec_push(arena, &o->all, c);
}

/* |c| becomes a call of the function that it shares. */
static void call(outliner *o, candidate *c) {
  hd_builder b = hd_builder_before(c->fusion);
  b.loc = c->fusion->loc;
  hd_attr_arg callee = {HD_NAME_callee, hd_attr_symbol(b.context, hd_symbol_name(c->equal->func), NULL, 0)};
  hd_build_op(&b, HD_OP_func_call, c->captures.data, c->captures.len, NULL, 0, &callee, 1, 0);
  hd_op_erase(c->fusion);
  o->z.pass->changed = true;
}

static bool outline(hd_pass *pass, hd_op *func) {
  outliner o = {.z = {.pass = pass, .shapes = hd_pass_shapes(pass, func), .func = func}};
  hd_symbol_table_init(&o.symbols, &pass->arena, hd_op_parent(func));
  hd_op_list fusions = hd_ops_where(func, is_fusion, &pass->arena);
  for (size_t i = 0; i < fusions.len; ++i) add(&o, fusions.data[i]);
  for (size_t i = 0; i < o.all.len; ++i)
    if (o.all.data[i]->equal->count > 1) call(&o, o.all.data[i]);
  for (size_t i = 0; i < o.all.len; ++i) {
    candidate *c = o.all.data[i];
    if (c->func && c->count == 1) hd_op_erase(c->func);
  }
  return true;
}

bool hd_pass_outline_fusions(hd_pass *pass, hd_op *module) {
  hd_for_each_op_safe(op, hd_op_region(module, 0)->first) if (hd_op_is(op, HD_OP_func_func) &&
                                                              !hd_symbol_is_private(op) && hd_op_region(op, 0)->first &&
                                                              !outline(pass, op)) return false;
  return true;
}
