/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of indexing maps: sizes, substitution, values. */
#include "analysis/indexing/map.h"

hd_indexing *hd_indexing_create(hd_arena *arena, hd_context *context, hd_shapes *shapes) {
  hd_indexing *in = hd_new(arena, hd_indexing);
  in->arena = arena;
  in->context = context;
  in->shapes = shapes;
  in->table = shapes ? &shapes->table : hd_new(arena, hd_dim_table);
  if (!shapes) hd_dim_table_init(in->table, arena);
  return in;
}

hd_affine hd_index_add(hd_indexing *in, hd_affine a, hd_affine b) {
  return a && b ? hd_affine_binary(in->context, HD_AFFINE_ADD, a, b) : NULL;
}
hd_affine hd_index_scale(hd_indexing *in, hd_affine a, int64_t factor) {
  return a ? hd_affine_binary(in->context, HD_AFFINE_MUL, a, hd_affine_const(in->context, factor)) : NULL;
}
hd_affine hd_index_offset(hd_indexing *in, hd_affine a, int64_t offset) {
  return hd_index_add(in, a, hd_affine_const(in->context, offset));
}

/* ---- sizes ---- */

static hd_affine size_of_atom(hd_indexing *in, const hd_atom *atom) {
  if (atom->kind == HD_ATOM_FLOORDIV || atom->kind == HD_ATOM_MOD) {
    hd_affine lhs = hd_index_of_dim(in, atom->lhs), rhs = hd_index_of_dim(in, atom->rhs);
    hd_affine_kind kind = atom->kind == HD_ATOM_MOD ? HD_AFFINE_MOD : HD_AFFINE_FLOORDIV;
    return lhs && rhs ? hd_affine_binary(in->context, kind, lhs, rhs) : NULL;
  }
  bool is_new;
  hd_map_entry *entry = hd_map_insert(in->arena, &in->size_numbers, atom, &is_new);
  if (is_new) {
    hd_vec_push(in->arena, &in->sizes, atom);
    entry->value.i64 = (int64_t)in->sizes.len;
  }
  return hd_affine_symbol(in->context, HD_INDEX_SIZE + entry->value.i64 - 1);
}

hd_affine hd_index_of_dim(hd_indexing *in, hd_dim dim) {
  dim = hd_dim_resolve(in->table, dim);
  if (!dim) return NULL;
  hd_affine sum = NULL;
  for (uint32_t i = 0; i < dim->term_count; ++i) {
    const hd_dim_term *term = &dim->terms[i];
    hd_affine product = size_of_atom(in, term->atoms[0]);
    for (uint32_t k = 1; product && k < term->atom_count; ++k) {
      hd_affine factor = size_of_atom(in, term->atoms[k]);
      product = factor ? hd_affine_binary(in->context, HD_AFFINE_MUL, product, factor) : NULL;
    }
    product = hd_index_scale(in, product, term->coefficient);
    if (!product) return NULL;
    sum = sum ? hd_index_add(in, sum, product) : product;
  }
  return sum ? hd_index_offset(in, sum, dim->constant) : hd_affine_const(in->context, dim->constant);
}

hd_dim hd_index_to_dim(hd_indexing *in, hd_affine expr) {
  if (expr->kind == HD_AFFINE_CONST) return hd_dim_const(in->table, expr->value);
  if (expr->kind == HD_AFFINE_DIM) return NULL;
  if (expr->kind == HD_AFFINE_SYMBOL) {
    uint64_t i = (uint64_t)expr->value - HD_INDEX_SIZE;
    if (i >= in->sizes.len) return NULL;
    return hd_dim_resolve(in->table, hd_dim_of_symbol(in->table, (hd_atom *)in->sizes.data[i]));
  }
  hd_dim lhs = hd_index_to_dim(in, expr->lhs), rhs = lhs ? hd_index_to_dim(in, expr->rhs) : NULL;
  if (!rhs) return NULL;
  static hd_dim (*const make[])(hd_dim_table *, hd_dim, hd_dim) = {
      [HD_AFFINE_ADD] = hd_dim_add,           [HD_AFFINE_MUL] = hd_dim_mul,         [HD_AFFINE_MOD] = hd_dim_mod,
      [HD_AFFINE_FLOORDIV] = hd_dim_floordiv, [HD_AFFINE_CEILDIV] = hd_dim_ceildiv,
  };
  return make[expr->kind](in->table, lhs, rhs);
}

/* ---- substitution ---- */

typedef struct substitution {
  hd_indexing *in;
  hd_arena arena;
  const hd_affine *dims, *symbols;
  hd_map sizes, exprs; /* expression -> parts that it will have; expression -> what it becomes */
} substitution;

static hd_affine replacement(const substitution *s, hd_affine expr) {
  if (expr->kind == HD_AFFINE_DIM && s->dims) return s->dims[expr->value];
  if (expr->kind == HD_AFFINE_SYMBOL && s->symbols && expr->value < HD_INDEX_SIZE) return s->symbols[expr->value];
  return expr;
}

static uint32_t count_parts(substitution *s, hd_affine expr) {
  hd_affine to = s->in ? replacement(s, expr) : expr;
  if (!expr->lhs && to == expr) return 1;
  bool is_new;
  hd_map_entry *entry = hd_map_insert(&s->arena, &s->sizes, expr, &is_new);
  if (!is_new) return (uint32_t)entry->value.i64;
  uint32_t parts = expr->lhs ? 1 + count_parts(s, expr->lhs) + count_parts(s, expr->rhs) : to ? hd_index_parts(to) : 1;
  if (parts > HD_INDEX_MAX_PARTS) parts = HD_INDEX_MAX_PARTS + 1;
  hd_map_insert(&s->arena, &s->sizes, expr, NULL)->value.i64 = parts;
  return parts;
}

uint32_t hd_index_parts(hd_affine expr) {
  if (!expr->lhs) return 1;
  substitution s = {0};
  hd_arena_init(&s.arena, NULL);
  uint32_t parts = count_parts(&s, expr);
  hd_arena_free(&s.arena);
  return parts;
}

static hd_affine replace(substitution *s, hd_affine expr) {
  if (!expr->lhs) return replacement(s, expr);
  hd_affine known = hd_map_get(&s->exprs, expr);
  if (known) return known;
  hd_affine lhs = replace(s, expr->lhs), rhs = replace(s, expr->rhs);
  hd_affine made = !lhs || !rhs                           ? NULL
                   : lhs == expr->lhs && rhs == expr->rhs ? expr
                                                          : hd_affine_binary(s->in->context, expr->kind, lhs, rhs);
  hd_map_set(&s->arena, &s->exprs, expr, (void *)made);
  return made;
}

hd_affine hd_index_substitute(hd_indexing *in, hd_affine expr, const hd_affine *dims, const hd_affine *symbols) {
  if (!expr) return NULL;
  substitution s = {.in = in, .dims = dims, .symbols = symbols};
  if (!expr->lhs) return replacement(&s, expr);
  hd_arena_init(&s.arena, NULL);
  hd_affine made = count_parts(&s, expr) <= HD_INDEX_MAX_PARTS ? replace(&s, expr) : NULL;
  hd_arena_free(&s.arena);
  return made;
}

/* ---- values ---- */

static bool apply(hd_affine_kind kind, int64_t a, int64_t b, int64_t *out) {
  if (kind == HD_AFFINE_ADD) return !__builtin_add_overflow(a, b, out);
  if (kind == HD_AFFINE_MUL) return !__builtin_mul_overflow(a, b, out);
  if (b < 1) return false;
  int64_t quotient = a / b, rest = a % b;
  if (rest < 0) --quotient, rest += b;
  *out = kind == HD_AFFINE_MOD ? rest : kind == HD_AFFINE_FLOORDIV ? quotient : quotient + (rest != 0);
  return true;
}

bool hd_index_eval(const hd_indexing *in, hd_affine expr, const int64_t *dims, const int64_t *symbols,
                   const int64_t *sizes, int64_t *out) {
  int64_t a, b;
  switch (expr->kind) {
    case HD_AFFINE_CONST:
      *out = expr->value;
      return true;
    case HD_AFFINE_DIM:
      *out = dims[expr->value];
      return true;
    case HD_AFFINE_SYMBOL:
      *out = expr->value < HD_INDEX_SIZE ? symbols[expr->value] : sizes[expr->value - HD_INDEX_SIZE];
      return true;
    default:
      return hd_index_eval(in, expr->lhs, dims, symbols, sizes, &a) &&
             hd_index_eval(in, expr->rhs, dims, symbols, sizes, &b) && apply(expr->kind, a, b, out);
  }
}
