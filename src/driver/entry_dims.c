/* SPDX-License-Identifier: Apache-2.0 */
/* Dims as programs of the artifact's entry, in postfix, over the dims of its arguments. */
#include "driver/entry_describer.h"

void hd_entry_word(hd_entry_describer *d, hd_entry_words *w, int64_t value) { hd_vec_push(d->arena, w, value); }

/* A dim of an argument, or a quotient of one? */
bool hd_entry_is_argument_dim(const hd_entry_describer *d, const hd_symbol_origin *origin) {
  return origin && origin->kind != HD_SYMBOL_ELEMENT && origin->value->is_block_arg &&
         origin->value->owner.block == d->entry;
}

void hd_entry_write_origin(hd_entry_describer *d, hd_entry_words *w, const hd_symbol_origin *origin) {
  hd_entry_word(d, w, HD_DIM_INPUT);
  hd_entry_word(d, w, origin->value->index);
  hd_entry_word(d, w, origin->index);
  if (origin->kind != HD_SYMBOL_QUOTIENT) return;
  hd_entry_word(d, w, HD_DIM_CONST);
  hd_entry_word(d, w, origin->offset);
  hd_entry_word(d, w, HD_DIM_ADD);
  hd_entry_word(d, w, HD_DIM_CONST);
  hd_entry_word(d, w, origin->divisor);
  hd_entry_word(d, w, HD_DIM_FLOORDIV);
}

static bool write_atom(hd_entry_describer *d, hd_entry_words *w, const hd_atom *atom) {
  if (atom->kind == HD_ATOM_SYMBOL) {
    const hd_symbol_origin *origin = atom->origin;
    if (d->raw && hd_entry_is_argument_dim(d, origin)) {
      hd_entry_write_origin(d, w, origin);
      return true;
    }
    if (atom->replacement) return hd_entry_write_dim(d, w, atom->replacement);
    hd_map_entry *entry = hd_map_find(&d->index, atom);
    if (!entry) return false;
    hd_entry_word(d, w, HD_DIM_SYMBOL);
    hd_entry_word(d, w, entry->value.i64 - 1);
    return true;
  }
  static const int64_t ops[] = {[HD_ATOM_FLOORDIV] = HD_DIM_FLOORDIV,
                                [HD_ATOM_MOD] = HD_DIM_MOD,
                                [HD_ATOM_MIN] = HD_DIM_MIN,
                                [HD_ATOM_MAX] = HD_DIM_MAX};
  if (!hd_entry_write_dim(d, w, atom->lhs) || !hd_entry_write_dim(d, w, atom->rhs)) return false;
  hd_entry_word(d, w, ops[atom->kind]);
  return true;
}

enum { MAX_WORDS = 4096 };

/* Postfix; false when the value is not known before the run, or takes too long a program. */
bool hd_entry_write_dim(hd_entry_describer *d, hd_entry_words *w, hd_dim dim) {
  if (w->len > MAX_WORDS) return false;
  if (!d->raw) dim = hd_dim_resolve(&d->shapes->table, dim);
  if (!dim) return false;
  bool any = dim->constant || !dim->term_count;
  if (any) {
    hd_entry_word(d, w, HD_DIM_CONST);
    hd_entry_word(d, w, dim->constant);
  }
  for (uint32_t i = 0; i < dim->term_count; ++i) {
    const hd_dim_term *term = &dim->terms[i];
    bool scaled = term->coefficient != 1;
    if (scaled) {
      hd_entry_word(d, w, HD_DIM_CONST);
      hd_entry_word(d, w, term->coefficient);
    }
    for (uint32_t j = 0; j < term->atom_count; ++j) {
      if (!write_atom(d, w, term->atoms[j])) return false;
      if (j || scaled) hd_entry_word(d, w, HD_DIM_MUL);
    }
    if (any) hd_entry_word(d, w, HD_DIM_ADD);
    any = true;
  }
  return true;
}

/* Can the runtime's stack hold what a program keeps on it? */
bool hd_entry_fits_stack(const hd_entry_words *w) {
  int depth = 0;
  for (size_t at = 0; at < w->len; at += hd_dim_op_words(w->data[at])) {
    switch (w->data[at]) {
#define X(id, number, immediate_words, taken, left) \
  case number:                                      \
    depth += left - taken;                          \
    break;
      HD_DIM_OPS(X)
#undef X
    }
    if (depth > HD_DIM_STACK) return false;
  }
  return true;
}

hd_dim_program hd_entry_program_of(hd_entry_describer *d, hd_dim dim) {
  hd_entry_words w = {0};
  if (!hd_entry_write_dim(d, &w, dim) || !hd_entry_fits_stack(&w)) return (hd_dim_program){0};
  return (hd_dim_program){w.data, (uint32_t)w.len};
}

const char *hd_entry_dim_text(hd_entry_describer *d, hd_dim dim) {
  hd_strbuf text;
  hd_strbuf_init(&text, d->arena);
  hd_dim_print(&text, dim);
  return hd_strbuf_text(&text);
}
