/* SPDX-License-Identifier: Apache-2.0 */
/* Dims as text, written and read:
 *   expression = ["-"] term {("+" | "-") term}     term = factor {"*" factor}
 *   factor = number | symbol | ("floordiv" | "mod" | "min" | "max") "(" expression "," expression ")"
 * A symbol is a word, or any name between quotes, in which a backslash is before quotes and backslashes. */
#include <stdlib.h>
#include <string.h>

#include "shape/dim.h"

/* The length of the word at |at|. */
static size_t word(const char *at) {
  size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
  return n && !(*at >= '0' && *at <= '9') ? n : 0;
}

static void print_symbol(hd_strbuf *out, const char *name) {
  size_t n = word(name);
  if (n && !name[n]) {
    hd_strbuf_puts(out, name);
    return;
  }
  hd_strbuf_putc(out, '"');
  for (; *name; ++name) {
    if (*name == '"' || *name == '\\') hd_strbuf_putc(out, '\\');
    hd_strbuf_putc(out, *name);
  }
  hd_strbuf_putc(out, '"');
}

static void print_atom(hd_strbuf *out, const hd_atom *atom) {
  static const char *const names[] = {"", "floordiv", "mod", "min", "max"};
  if (atom->kind == HD_ATOM_SYMBOL) {
    print_symbol(out, atom->name);
    return;
  }
  hd_strbuf_printf(out, "%s(", names[atom->kind]);
  hd_dim_print(out, atom->lhs);
  hd_strbuf_puts(out, ", ");
  hd_dim_print(out, atom->rhs);
  hd_strbuf_putc(out, ')');
}

static unsigned long long magnitude(int64_t value) {
  return value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
}

void hd_dim_print(hd_strbuf *out, hd_dim dim) {
  if (!dim) {
    hd_strbuf_putc(out, '?');
    return;
  }
  for (uint32_t i = 0; i < dim->term_count; ++i) {
    int64_t c = dim->terms[i].coefficient;
    hd_strbuf_puts(out, i ? (c < 0 ? " - " : " + ") : c < 0 ? "-" : "");
    if (magnitude(c) != 1) hd_strbuf_printf(out, "%llu*", magnitude(c));
    for (uint32_t j = 0; j < dim->terms[i].atom_count; ++j) {
      if (j) hd_strbuf_putc(out, '*');
      print_atom(out, dim->terms[i].atoms[j]);
    }
  }
  if (!dim->term_count)
    hd_strbuf_printf(out, "%lld", (long long)dim->constant);
  else if (dim->constant)
    hd_strbuf_printf(out, dim->constant < 0 ? " - %llu" : " + %llu", magnitude(dim->constant));
}

enum { MAX_DEPTH = 64 };

typedef struct reader {
  hd_dim_table *table;
  const char *at;
  int depth;
} reader;

static void space(reader *r) { r->at += strspn(r->at, " "); }

static bool take(reader *r, char c) {
  space(r);
  if (*r->at != c) return false;
  ++r->at;
  return true;
}

/* Symbols are few where text is read; the last one of a name counts. */
static hd_dim symbol_named(reader *r, const char *name, size_t n) {
  for (size_t i = r->table->atoms.len; i-- > 0;) {
    hd_atom *atom = r->table->atoms.data[i];
    if (atom->kind == HD_ATOM_SYMBOL && strlen(atom->name) == n && !memcmp(atom->name, name, n))
      return hd_dim_of_symbol(r->table, atom);
  }
  return NULL;
}

/* The symbol whose name is between quotes. */
static hd_dim quoted_symbol(reader *r) {
  hd_strbuf name;
  hd_strbuf_init(&name, r->table->arena);
  const char *at = r->at + 1;
  for (; *at && *at != '"'; ++at) {
    if (*at == '\\' && at[1]) ++at;
    hd_strbuf_putc(&name, *at);
  }
  hd_dim symbol = *at ? symbol_named(r, hd_strbuf_text(&name), name.len) : NULL;
  if (symbol) r->at = at + 1;
  return symbol;
}

static hd_dim expression(reader *r);

static hd_dim factor(reader *r) {
  static const struct {
    const char *name;
    hd_dim (*make)(hd_dim_table *table, hd_dim a, hd_dim b);
  } functions[] = {{"floordiv", hd_dim_floordiv}, {"mod", hd_dim_mod}, {"min", hd_dim_min}, {"max", hd_dim_max}};
  space(r);
  if (*r->at >= '0' && *r->at <= '9') {
    char *end;
    long long value = strtoll(r->at, &end, 10);
    r->at = end;
    return hd_dim_const(r->table, value);
  }
  if (*r->at == '"') return quoted_symbol(r);
  size_t n = word(r->at);
  if (!n) return NULL;
  const char *name = r->at;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    if (strlen(functions[i].name) != n || memcmp(functions[i].name, name, n) || name[n] != '(') continue;
    r->at += n + 1;
    hd_dim a = expression(r), b = a && take(r, ',') ? expression(r) : NULL;
    return b && take(r, ')') ? functions[i].make(r->table, a, b) : NULL;
  }
  hd_dim symbol = symbol_named(r, name, n);
  if (symbol) r->at += n;
  return symbol;
}

static hd_dim expression(reader *r) {
  if (++r->depth > MAX_DEPTH) return NULL;
  hd_dim sum = hd_dim_const(r->table, 0);
  bool negative = take(r, '-');
  do {
    hd_dim product = factor(r);
    while (product && take(r, '*')) product = hd_dim_mul(r->table, product, factor(r));
    if (!product) return NULL;
    sum = negative ? hd_dim_sub(r->table, sum, product) : hd_dim_add(r->table, sum, product);
    space(r);
    negative = *r->at == '-';
  } while (sum && (*r->at == '+' || *r->at == '-') && ++r->at);
  --r->depth;
  return sum;
}

hd_dim hd_dim_read(hd_dim_table *table, const char **at) {
  reader r = {table, *at, 0};
  hd_dim dim = expression(&r);
  *at = r.at;
  return dim;
}
