/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions as index arithmetic, and what their symbols stand for. */
#include "shape/shapes.h"

static hd_value *materialize(hd_shapes *s, hd_builder *b, hd_dim dim, hd_map *cache, hd_symbol_value symbol,
                             void *user);

static hd_value *materialize_atom(hd_shapes *s, hd_builder *b, const hd_atom *atom, hd_map *cache,
                                  hd_symbol_value symbol, void *user) {
  if (atom->kind == HD_ATOM_SYMBOL && (s->raw || !atom->replacement)) return symbol(user, atom);
  if (atom->kind == HD_ATOM_SYMBOL)
    return materialize(s, b, hd_dim_resolve(&s->table, atom->replacement), cache, symbol, user);
  hd_value *found = hd_map_get(cache, atom);
  if (found) return found;
  hd_value *lhs = materialize(s, b, atom->lhs, cache, symbol, user),
           *rhs = materialize(s, b, atom->rhs, cache, symbol, user);
  if (!lhs || !rhs) return NULL;
  hd_opcode opcode = atom->kind == HD_ATOM_FLOORDIV ? HD_OP_arith_floordivsi
                     : atom->kind == HD_ATOM_MIN    ? HD_OP_arith_minsi
                     : atom->kind == HD_ATOM_MAX    ? HD_OP_arith_maxsi
                                                    : HD_OP_arith_remsi;
  hd_type index = hd_type_index(b->context);
  hd_value *value;
  if (atom->kind == HD_ATOM_MOD && hd_dim_lower(atom->lhs) < 0) { /* the sign of the divisor: ((a % b) + b) % b */
    value = hd_build(b, HD_OP_arith_remsi, index, lhs, rhs);
    value = hd_build(b, HD_OP_arith_addi, index, value, rhs);
    value = hd_build(b, HD_OP_arith_remsi, index, value, rhs);
  } else if (atom->kind == HD_ATOM_FLOORDIV && hd_dim_lower(atom->lhs) >= 0) {
    value = hd_build(b, HD_OP_arith_divui, index, lhs, rhs);
  } else {
    value = hd_build(b, opcode, index, lhs, rhs);
  }
  hd_map_set(s->arena, cache, atom, value);
  return value;
}

static hd_value *materialize(hd_shapes *s, hd_builder *b, hd_dim dim, hd_map *cache, hd_symbol_value symbol,
                             void *user) {
  hd_value *found = hd_map_get(cache, dim);
  if (found) return found;
  hd_type index = hd_type_index(b->context);
  hd_value *total = NULL;
  for (uint32_t i = 0; i < dim->term_count; ++i) {
    hd_value *product = NULL;
    for (uint32_t j = 0; j < dim->terms[i].atom_count; ++j) {
      hd_value *factor = materialize_atom(s, b, dim->terms[i].atoms[j], cache, symbol, user);
      if (!factor) return NULL;
      product = product ? hd_build(b, HD_OP_arith_muli, index, product, factor) : factor;
    }
    if (dim->terms[i].coefficient != 1)
      product = hd_build(b, HD_OP_arith_muli, index, product, hd_build_index(b, dim->terms[i].coefficient));
    total = total ? hd_build(b, HD_OP_arith_addi, index, total, product) : product;
  }
  if (!total)
    total = hd_build_index(b, dim->constant);
  else if (dim->constant)
    total = hd_build(b, HD_OP_arith_addi, index, total, hd_build_index(b, dim->constant));
  hd_map_set(s->arena, cache, dim, total);
  return total;
}

hd_value *hd_symbol_from_dim(hd_builder *b, const hd_symbol_origin *origin, hd_value *dim) {
  if (origin->kind != HD_SYMBOL_QUOTIENT) return dim;
  hd_type index = hd_type_index(b->context);
  if (origin->offset) dim = hd_build(b, HD_OP_arith_addi, index, dim, hd_build_index(b, origin->offset));
  return hd_build(b, HD_OP_arith_floordivsi, index, dim, hd_build_index(b, origin->divisor));
}

hd_value *hd_dim_materialize(hd_shapes *s, hd_builder *b, hd_dim dim, hd_map *cache, hd_symbol_value symbol,
                             void *user) {
  dim = hd_dim_resolve(&s->table, dim);
  return dim ? materialize(s, b, dim, cache, symbol, user) : NULL;
}

hd_value *hd_dim_materialize_raw(hd_shapes *s, hd_builder *b, hd_dim dim, hd_map *cache, hd_symbol_value symbol,
                                 void *user) {
  s->raw = true;
  hd_value *value = materialize(s, b, dim, cache, symbol, user);
  s->raw = false;
  return value;
}

static void visit_atom(const hd_atom *atom, hd_origin_fn visit, void *user) {
  if (atom->kind != HD_ATOM_SYMBOL) {
    hd_dim_visit_symbols(atom->lhs, visit, user);
    hd_dim_visit_symbols(atom->rhs, visit, user);
  } else if (atom->replacement) {
    hd_dim_visit_symbols(atom->replacement, visit, user);
  } else {
    visit(user, atom->origin);
  }
}

void hd_dim_visit_symbols(hd_dim dim, hd_origin_fn visit, void *user) {
  for (uint32_t i = 0; dim && i < dim->term_count; ++i)
    for (uint32_t j = 0; j < dim->terms[i].atom_count; ++j) visit_atom(dim->terms[i].atoms[j], visit, user);
}

static void found(void *user, const hd_symbol_origin *origin) { *(bool *)user |= origin->kind == HD_SYMBOL_ELEMENT; }

bool hd_dim_reads_elements(hd_dim dim) {
  bool any = false;
  if (!dim || !dim->data_dependent) return false;
  hd_dim_visit_symbols(dim, found, &any);
  return any;
}
