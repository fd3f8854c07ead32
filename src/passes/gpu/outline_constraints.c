/* SPDX-License-Identifier: Apache-2.0 */
/* What an outlined function says of its arguments' dims: names as hd.dims, and as hd.constraint what the program knows
 * of them. Equal fusions get equal text, so that they become one function (outline_fusions.c). */
#include <inttypes.h>
#include <string.h>

#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "passes/gpu/outliner.h"

typedef struct builder {
  hd_lowering *ctx; /* of the function that the fusion is taken from */
  hd_op *func;
  const hd_captures *captures;
  const hd_open_sizes *open;                                /* null: none */
  const char *opened[HD_PRODUCT_BUFFERS * HD_MAX_RANK + 1]; /* names of open sizes */
  hd_map named;                                             /* names of symbols that are dims of arguments */
  hd_outline_sizes *sizes;
  uint32_t unnamed;
  hd_vec(hd_attr) constraints;
} builder;

const char *hd_outline_dim_text(hd_lowering *ctx, hd_dim dim) {
  hd_strbuf text;
  hd_strbuf_init(&text, &ctx->pass->arena);
  hd_dim_print(&text, dim);
  return hd_strbuf_text(&text);
}

static bool is_symbol(hd_dim dim) {
  bool alone =
      dim && dim->term_count == 1 && !dim->constant && dim->terms[0].coefficient == 1 && dim->terms[0].atom_count == 1;
  return alone && dim->terms[0].atoms[0]->kind == HD_ATOM_SYMBOL;
}

static void constrain(builder *f, const char *text) {
  hd_vec_push(&f->ctx->pass->arena, &f->constraints, hd_attr_cstring(f->ctx->pass->context, text));
}

static const char *new_name(builder *f) {
  const char *name;
  do name = hd_arena_printf(&f->ctx->pass->arena, "size_%u", f->unnamed++);
  while (hd_map_find_bytes(&f->ctx->shapes->names, name, strlen(name))); /* the program's own */
  return name;
}

/* A name for a dim that has open size |number|. */
static const char *name_open(builder *f, uint32_t number) {
  hd_arena *arena = &f->ctx->pass->arena;
  const char *name = new_name(f), *first = f->opened[number];
  if (first) {
    constrain(f, hd_arena_printf(arena, "%s == %s", name, first));
  } else {
    f->opened[number] = name;
    constrain(f, hd_arena_printf(arena, "%s >= %d", name, HD_OPEN_SIZES_MULTIPLE));
    constrain(f, hd_arena_printf(arena, "%s %% %d == 0", name, HD_OPEN_SIZES_MULTIPLE));
  }
  return name;
}

/* A name for a dim of an argument: its symbol's where that is the first, else a new one, which hd.constraint says the
 * size of. */
static const char *name_dim(builder *f, hd_dim dim) {
  hd_arena *arena = &f->ctx->pass->arena;
  const char *text = hd_outline_dim_text(f->ctx, dim);
  bool is_new = false;
  if (is_symbol(dim)) hd_map_insert_bytes(arena, &f->named, text, strlen(text), &is_new);
  if (is_new) {
    if (hd_dim_lower(dim) > 0) constrain(f, hd_arena_printf(arena, "%s >= %" PRId64, text, hd_dim_lower(dim)));
    return dim->terms[0].atoms[0]->name;
  }
  const char *name = new_name(f);
  hd_vec_push(arena, f->sizes, text);
  constrain(f, hd_arena_printf(arena, "%s == %s", name, text));
  return name;
}

/* What the program's own hd.constraint says of the names that arguments have: that a dim is divisible, say. */
static void keep_constraints(builder *f) {
  hd_attr all = hd_discardable_constraint(f->ctx->func);
  if (!hd_attr_is(all, HD_ATTR_ARRAY)) return;
  hd_shapes *shapes = NULL;
  for (uint32_t i = 0; i < all->array.count; ++i) {
    hd_dim lhs, rhs;
    hd_attr text = all->array.items[i];
    bool said = !hd_attr_is(text, HD_ATTR_STRING);
    for (size_t k = 0; k < f->constraints.len; ++k) said |= f->constraints.data[k] == text;
    if (said) continue;
    if (!shapes) shapes = hd_shapes_of(f->func, &f->ctx->pass->arena);
    if (hd_shapes_read_constraint(shapes, text->string->text, &lhs, &rhs))
      hd_vec_push(&f->ctx->pass->arena, &f->constraints, text);
  }
}

static const char *name_argument_dim(builder *f, size_t i, uint32_t d) {
  hd_value *value = f->captures->data[i];
  if (f->open && f->open->size[i][d]) return name_open(f, f->open->size[i][d]);
  return hd_type_dim(value->type, d) != HD_DYNAMIC ? "" : name_dim(f, hd_shapes_dim(f->ctx->shapes, value, d));
}

void hd_outline_name_arguments(hd_lowering *ctx, hd_op *func, const hd_captures *captures, const hd_open_sizes *open,
                               hd_outline_sizes *out) {
  builder all = {.ctx = ctx, .func = func, .captures = captures, .open = open, .sizes = out}, *f = &all;
  hd_pass *pass = ctx->pass;
  hd_attr *attrs = hd_new_array(&pass->arena, hd_attr, f->captures->len + 1);
  for (size_t i = 0; i < f->captures->len; ++i) {
    hd_type type = hd_outline_argument_type(f->captures, f->open, i);
    uint32_t rank = hd_type_rank(type);
    hd_attr *names = hd_new_array(&pass->arena, hd_attr, rank + 1);
    for (uint32_t d = 0; d < rank; ++d) names[d] = hd_attr_cstring(pass->context, name_argument_dim(f, i, d));
    hd_named_attr dims = {hd_name_ident(pass->context, HD_NAME_hd_dims), hd_attr_array(pass->context, names, rank)};
    attrs[i] = hd_attr_dict(pass->context, &dims, hd_type_is_static(type) ? 0 : 1);
  }
  hd_function_like_set_arg_attrs(f->func, hd_attr_array(pass->context, attrs, f->captures->len));
  keep_constraints(f);
  if (f->constraints.len)
    hd_discardable_set_constraint(f->func, hd_attr_array(pass->context, f->constraints.data, f->constraints.len));
}
