/* SPDX-License-Identifier: Apache-2.0 */
/* Maps as text, the way XLA writes them. */
#include <inttypes.h>

#include "analysis/indexing/map.h"

typedef struct printer {
  const hd_index_map *map;
  hd_strbuf *out;
} printer;

/* A size must not read as a variable: d0, s1, rt2. */
static bool looks_like_variable(const char *name) {
  size_t letters = *name == 'd' || *name == 's' ? 1 : !strncmp(name, "rt", 2) ? 2 : 0;
  return letters && name[letters] && strspn(name + letters, "0123456789") == strlen(name + letters);
}

static void put_size(const printer *p, int64_t i) {
  const hd_atom *atom = p->map->in->sizes.data[i];
  if (atom->kind != HD_ATOM_SYMBOL) {
    hd_dim_print(p->out, hd_dim_of_symbol(p->map->in->table, (hd_atom *)atom));
    return;
  }
  hd_strbuf_printf(p->out, looks_like_variable(atom->name) ? "size_%s" : "%s", atom->name);
}

static void put_variable(const printer *p, uint32_t i) {
  const hd_index_map *m = p->map;
  if (m->variables[i].name)
    hd_strbuf_puts(p->out, m->variables[i].name);
  else if (i < m->dim_count)
    hd_strbuf_printf(p->out, "d%u", i);
  else if (i < m->dim_count + m->range_count)
    hd_strbuf_printf(p->out, "s%u", i - m->dim_count);
  else
    hd_strbuf_printf(p->out, "rt%u", i - m->dim_count - m->range_count);
}

static void put_expr(const printer *p, hd_affine e, bool strong);

static void put_sum(const printer *p, hd_affine e) {
  hd_affine rhs = e->rhs;
  bool scaled = rhs->kind == HD_AFFINE_MUL && rhs->rhs->kind == HD_AFFINE_CONST && rhs->rhs->value < 0;
  put_expr(p, e->lhs, false);
  if (rhs->kind == HD_AFFINE_CONST && rhs->value < 0) {
    hd_strbuf_printf(p->out, " - %" PRIu64, 0 - (uint64_t)rhs->value);
  } else if (scaled) {
    hd_strbuf_puts(p->out, " - ");
    put_expr(p, rhs->lhs, rhs->rhs->value != -1 || rhs->lhs->kind == HD_AFFINE_ADD);
    if (rhs->rhs->value != -1) hd_strbuf_printf(p->out, " * %" PRIu64, 0 - (uint64_t)rhs->rhs->value);
  } else {
    hd_strbuf_puts(p->out, " + ");
    put_expr(p, rhs, false);
  }
}

static void put_expr(const printer *p, hd_affine e, bool strong) {
  static const char *const operators[] = {[HD_AFFINE_MUL] = " * ",
                                          [HD_AFFINE_MOD] = " mod ",
                                          [HD_AFFINE_FLOORDIV] = " floordiv ",
                                          [HD_AFFINE_CEILDIV] = " ceildiv "};
  if (e->kind == HD_AFFINE_CONST) {
    hd_strbuf_printf(p->out, "%" PRId64, e->value);
    return;
  }
  if (e->kind == HD_AFFINE_DIM || (e->kind == HD_AFFINE_SYMBOL && e->value < HD_INDEX_SIZE)) {
    put_variable(p, (uint32_t)e->value + (e->kind == HD_AFFINE_SYMBOL ? p->map->dim_count : 0));
    return;
  }
  if (e->kind == HD_AFFINE_SYMBOL) {
    put_size(p, e->value - HD_INDEX_SIZE);
    return;
  }
  if (strong) hd_strbuf_putc(p->out, '(');
  if (e->kind == HD_AFFINE_ADD) {
    put_sum(p, e);
  } else if (e->kind == HD_AFFINE_MUL && e->rhs->kind == HD_AFFINE_CONST && e->rhs->value == -1) {
    hd_strbuf_putc(p->out, '-');
    put_expr(p, e->lhs, true);
  } else {
    put_expr(p, e->lhs, true);
    hd_strbuf_puts(p->out, operators[e->kind]);
    put_expr(p, e->rhs, true);
  }
  if (strong) hd_strbuf_putc(p->out, ')');
}

static void put_group(const printer *p, const char *brackets, uint32_t from, uint32_t count, bool always) {
  if (!count && !always) return;
  hd_strbuf_putc(p->out, brackets[0]);
  for (uint32_t i = 0; i < count; ++i) {
    if (i) hd_strbuf_puts(p->out, ", ");
    put_variable(p, from + i);
  }
  hd_strbuf_putc(p->out, brackets[1]);
}

static void mark_sizes(hd_affine e, bool *used) {
  if (!e) return;
  if (e->lhs) {
    mark_sizes(e->lhs, used);
    mark_sizes(e->rhs, used);
  } else if (e->kind == HD_AFFINE_SYMBOL && e->value >= HD_INDEX_SIZE) {
    used[e->value - HD_INDEX_SIZE] = true;
  }
}

/* Which sizes the map has, by their number; null: it has none. */
static const bool *used_sizes(const hd_index_map *map) {
  size_t count = map->in->sizes.len;
  if (!count) return NULL;
  bool *used = hd_new_array(map->in->arena, bool, count);
  for (uint32_t i = 0; i < map->result_count; ++i) mark_sizes(map->results[i], used);
  for (uint32_t i = 0; i < map->constraint_count; ++i) mark_sizes(map->constraints[i].expr, used);
  for (uint32_t i = 0; i < hd_index_variable_count(map); ++i) mark_sizes(map->variables[i].limit, used);
  return memchr(used, true, count * sizeof *used) ? used : NULL;
}

static void put_bounds(const printer *p, hd_index_range range) {
  hd_strbuf_printf(p->out, " in [%" PRId64 ", %" PRId64 "]", range.lower, range.upper);
}

static void put_domain(const printer *p, const bool *sizes) {
  const hd_index_map *m = p->map;
  const char *before = ", domain: ";
  for (uint32_t i = 0; i < hd_index_variable_count(m); ++i, before = ", ") {
    const hd_index_variable *v = &m->variables[i];
    hd_strbuf_puts(p->out, before);
    put_variable(p, i);
    if (!v->limit) {
      put_bounds(p, v->range);
      continue;
    }
    hd_strbuf_printf(p->out, " in [%" PRId64 ", ", v->range.lower);
    put_expr(p, hd_index_offset(m->in, v->limit, -1), false);
    hd_strbuf_putc(p->out, ']');
  }
  for (size_t i = 0; sizes && i < m->in->sizes.len; ++i) {
    if (!sizes[i]) continue;
    hd_strbuf_puts(p->out, before);
    before = ", ";
    put_size(p, (int64_t)i);
    hd_dim dim = hd_dim_of_symbol(m->in->table, (hd_atom *)m->in->sizes.data[i]);
    put_bounds(p, (hd_index_range){hd_dim_lower(dim), hd_dim_upper(dim)});
  }
  for (uint32_t i = 0; i < m->constraint_count; ++i, before = ", ") {
    hd_strbuf_puts(p->out, before);
    put_expr(p, m->constraints[i].expr, false);
    put_bounds(p, m->constraints[i].range);
  }
}

void hd_index_map_print(const hd_index_map *map, hd_strbuf *out) {
  if (!map || map->is_empty) {
    hd_strbuf_puts(out, map ? "KNOWN EMPTY" : "unknown");
    return;
  }
  printer p = {map, out};
  const bool *sizes = used_sizes(map);
  put_group(&p, "()", 0, map->dim_count, true);
  put_group(&p, "[]", map->dim_count, map->range_count, false);
  put_group(&p, "{}", map->dim_count + map->range_count, map->runtime_count, false);
  bool first = true;
  for (size_t i = 0; sizes && i < map->in->sizes.len; ++i) {
    if (!sizes[i]) continue;
    hd_strbuf_puts(out, first ? "<" : ", ");
    first = false;
    put_size(&p, (int64_t)i);
  }
  hd_strbuf_puts(out, sizes ? "> -> (" : " -> (");
  for (uint32_t i = 0; i < map->result_count; ++i) {
    if (i) hd_strbuf_puts(out, ", ");
    put_expr(&p, map->results[i], false);
  }
  hd_strbuf_putc(out, ')');
  put_domain(&p, sizes);
}
