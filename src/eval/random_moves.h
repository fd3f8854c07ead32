/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs that move elements of one tensor and add them up, for tests: ops with no other operands. */
#ifndef HD_EVAL_RANDOM_MOVES_H_
#define HD_EVAL_RANDOM_MOVES_H_

#include "base/strbuf.h"
#include "base/testing.h"

enum { MAX_ELEMENTS = 96, MAX_RANK = 5 };

static uint64_t seed = 3;
static uint32_t below(uint32_t n) { return (uint32_t)(hd_test_random(&seed) % n); }

typedef struct maker {
  hd_strbuf text;
  uint32_t values, rank;
  int64_t dims[MAX_RANK];
  bool unknown; /* types with unknown dims */
} maker;

static int64_t elements(const int64_t *dims, uint32_t rank) {
  int64_t n = 1;
  for (uint32_t d = 0; d < rank; ++d) n *= dims[d];
  return n;
}

static void put_type(maker *m, const int64_t *dims, uint32_t rank) {
  hd_strbuf_puts(&m->text, "tensor<");
  for (uint32_t d = 0; d < rank; ++d) {
    if (m->unknown && dims[d] != 1)
      hd_strbuf_puts(&m->text, "?x");
    else
      hd_strbuf_printf(&m->text, "%lldx", (long long)dims[d]);
  }
  hd_strbuf_puts(&m->text, "i64>");
}

static void put_list(maker *m, const int64_t *items, uint32_t count) {
  hd_strbuf_putc(&m->text, '[');
  for (uint32_t i = 0; i < count; ++i) hd_strbuf_printf(&m->text, "%s%lld", i ? ", " : "", (long long)items[i]);
  hd_strbuf_putc(&m->text, ']');
}

/* ": (the type so far) -> to", which becomes the type so far. */
static void finish(maker *m, const int64_t *to, uint32_t rank) {
  hd_strbuf_puts(&m->text, " : (");
  put_type(m, m->dims, m->rank);
  hd_strbuf_puts(&m->text, ") -> ");
  put_type(m, to, rank);
  hd_strbuf_putc(&m->text, '\n');
  memmove(m->dims, to, rank * sizeof *to);
  m->rank = rank;
  ++m->values;
}

static void begin(maker *m, const char *op) {
  hd_strbuf_printf(&m->text, "  %%%u = stablehlo.%s %%%u", m->values + 1, op, m->values);
}

/* The type of the result, which is the value from now on. Always true. */
static bool end(maker *m, const int64_t *to, uint32_t rank) {
  put_type(m, to, rank);
  hd_strbuf_putc(&m->text, '\n');
  memcpy(m->dims, to, rank * sizeof *to);
  m->rank = rank;
  ++m->values;
  return true;
}

static bool add_transpose(maker *m) {
  int64_t permutation[MAX_RANK], to[MAX_RANK];
  for (uint32_t d = 0; d < m->rank; ++d) permutation[d] = d;
  for (uint32_t d = m->rank; d > 1; --d) {
    uint32_t other = below(d);
    int64_t swap = permutation[d - 1];
    permutation[d - 1] = permutation[other];
    permutation[other] = swap;
  }
  for (uint32_t d = 0; d < m->rank; ++d) to[d] = m->dims[permutation[d]];
  begin(m, "transpose");
  hd_strbuf_puts(&m->text, ", dims = ");
  put_list(m, permutation, m->rank);
  finish(m, to, m->rank);
  return true;
}

/* A random way to write the number of elements as dims. */
static bool add_reshape(maker *m) {
  int64_t left = elements(m->dims, m->rank), to[MAX_RANK];
  uint32_t rank = 0;
  if (m->unknown) return false;
  while (rank < MAX_RANK - 1 && left > 1 && below(5)) {
    int64_t part = 1 + below((uint32_t)left);
    while (left % part) --part;
    to[rank++] = part;
    left /= part;
  }
  to[rank++] = left;
  begin(m, "reshape");
  finish(m, to, rank);
  return true;
}

static bool add_broadcast(maker *m) {
  int64_t along[MAX_RANK], to[MAX_RANK];
  uint32_t rank = 0, d = 0;
  if (m->unknown) return false;
  while (rank < MAX_RANK && (d < m->rank || !below(3))) {
    if (d < m->rank && (below(3) || MAX_RANK - rank == m->rank - d)) {
      along[d] = rank;
      to[rank++] = m->dims[d] == 1 ? 1 + below(3) : m->dims[d];
      ++d;
    } else {
      to[rank++] = 1 + below(3);
    }
  }
  if (elements(to, rank) > MAX_ELEMENTS) return false;
  begin(m, "broadcast_in_dim");
  hd_strbuf_puts(&m->text, ", dims = ");
  put_list(m, along, m->rank);
  finish(m, to, rank);
  return true;
}

static bool add_slice(maker *m) {
  int64_t to[MAX_RANK];
  if (m->unknown || !m->rank) return false;
  begin(m, "slice");
  hd_strbuf_puts(&m->text, " [");
  for (uint32_t d = 0; d < m->rank; ++d) {
    int64_t from = below((uint32_t)m->dims[d]), stride = 1 + below(3),
            limit = from + 1 + below((uint32_t)(m->dims[d] - from));
    to[d] = (limit - from + stride - 1) / stride;
    hd_strbuf_printf(&m->text, "%s%lld:%lld:%lld", d ? ", " : "", (long long)from, (long long)limit, (long long)stride);
  }
  hd_strbuf_puts(&m->text, "]");
  finish(m, to, m->rank);
  return true;
}

static bool add_reverse(maker *m) {
  int64_t dims[MAX_RANK];
  uint32_t count = 0;
  for (uint32_t d = 0; d < m->rank; ++d)
    if (below(2)) dims[count++] = d;
  begin(m, "reverse");
  hd_strbuf_puts(&m->text, ", dims = ");
  put_list(m, dims, count);
  hd_strbuf_puts(&m->text, " : ");
  put_type(m, m->dims, m->rank);
  hd_strbuf_putc(&m->text, '\n');
  ++m->values;
  return true;
}

static bool add_pad(maker *m) {
  int64_t low[MAX_RANK], high[MAX_RANK], interior[MAX_RANK], to[MAX_RANK];
  for (uint32_t d = 0; d < m->rank; ++d) {
    bool open = m->unknown && m->dims[d] != 1;
    low[d] = (int64_t)below(4) - (open ? 0 : 1);
    interior[d] = below(3) ? 0 : below(3);
    high[d] = (int64_t)below(3) - (open ? 0 : 1);
    to[d] = m->dims[d] + low[d] + high[d] + (m->dims[d] - 1) * interior[d];
    if (to[d] < 1) return false;
    if (m->unknown && (to[d] == 1) != (m->dims[d] == 1)) return false;
  }
  if (elements(to, m->rank) > MAX_ELEMENTS) return false;
  hd_strbuf_printf(&m->text, "  %%%u = stablehlo.pad %%%u, %%zero, low = ", m->values + 1, m->values);
  put_list(m, low, m->rank);
  hd_strbuf_puts(&m->text, ", high = ");
  put_list(m, high, m->rank);
  hd_strbuf_puts(&m->text, ", interior = ");
  put_list(m, interior, m->rank);
  hd_strbuf_puts(&m->text, " : (");
  put_type(m, m->dims, m->rank);
  hd_strbuf_puts(&m->text, ", tensor<i64>) -> ");
  return end(m, to, m->rank);
}

static bool add_concatenate(maker *m) {
  int64_t to[MAX_RANK];
  if (!m->rank || 2 * elements(m->dims, m->rank) > MAX_ELEMENTS) return false;
  uint32_t d = below(m->rank);
  if (m->unknown && m->dims[d] == 1) return false;
  memcpy(to, m->dims, sizeof to);
  to[d] *= 2;
  begin(m, "concatenate");
  hd_strbuf_printf(&m->text, ", %%%u, dim = %u : (", m->values, d);
  put_type(m, m->dims, m->rank);
  hd_strbuf_puts(&m->text, ", ");
  put_type(m, m->dims, m->rank);
  hd_strbuf_puts(&m->text, ") -> ");
  return end(m, to, m->rank);
}

static bool add_reduce(maker *m) {
  int64_t dims[MAX_RANK], to[MAX_RANK];
  uint32_t count = 0, kept = 0;
  for (uint32_t d = 0; d < m->rank; ++d) {
    if (below(3))
      to[kept++] = m->dims[d];
    else
      dims[count++] = d;
  }
  hd_strbuf_printf(&m->text, "  %%%u = stablehlo.reduce(%%%u init: %%zero) applies stablehlo.add across dimensions = ",
                   m->values + 1, m->values);
  put_list(m, dims, count);
  hd_strbuf_puts(&m->text, " : (");
  put_type(m, m->dims, m->rank);
  hd_strbuf_puts(&m->text, ", tensor<i64>) -> ");
  return end(m, to, kept);
}

/* x + reverse(x): two ways to one value. */
static bool add_diamond(maker *m) {
  uint32_t x = m->values;
  if (!add_reverse(m)) return false;
  hd_strbuf_printf(&m->text, "  %%%u = stablehlo.add %%%u, %%%u : ", m->values + 1, m->values, x);
  put_type(m, m->dims, m->rank);
  hd_strbuf_putc(&m->text, '\n');
  ++m->values;
  return true;
}

static bool add_dynamic_slice(maker *m) {
  int64_t to[MAX_RANK];
  if (m->unknown || !m->rank) return false;
  for (uint32_t d = 0; d < m->rank; ++d) {
    to[d] = 1 + below((uint32_t)m->dims[d]);
    hd_strbuf_printf(&m->text, "  %%i%u_%u = stablehlo.constant dense<%d> : tensor<i32>\n", m->values, d,
                     (int)below(7) - 2);
  }
  begin(m, "dynamic_slice");
  for (uint32_t d = 0; d < m->rank; ++d) hd_strbuf_printf(&m->text, ", %%i%u_%u", m->values, d);
  hd_strbuf_puts(&m->text, ", sizes = ");
  put_list(m, to, m->rank);
  hd_strbuf_puts(&m->text, " : (");
  put_type(m, m->dims, m->rank);
  for (uint32_t d = 0; d < m->rank; ++d) hd_strbuf_puts(&m->text, ", tensor<i32>");
  hd_strbuf_puts(&m->text, ") -> ");
  return end(m, to, m->rank);
}

/* Joins the first two dims, whose sizes only the run may tell. */
static bool add_collapse(maker *m) {
  uint32_t v = m->values;
  if (!m->unknown || m->rank < 2 || m->dims[0] == 1 || m->dims[1] == 1) return false;
  for (uint32_t d = 0; d < m->rank; ++d) {
    hd_strbuf_printf(&m->text, "  %%n%u_%u = stablehlo.get_dimension_size %%%u, dim = %u : (", v, d, v, d);
    put_type(m, m->dims, m->rank);
    hd_strbuf_puts(&m->text, ") -> tensor<i32>\n");
  }
  hd_strbuf_printf(&m->text, "  %%p%u = stablehlo.multiply %%n%u_0, %%n%u_1 : tensor<i32>\n", v, v, v);
  for (uint32_t d = 1; d < m->rank; ++d)
    hd_strbuf_printf(&m->text, "  %%r%u_%u = stablehlo.reshape %%%c%u%s : (tensor<i32>) -> tensor<1xi32>\n", v, d,
                     d == 1 ? 'p' : 'n', v, d == 1 ? "" : hd_arena_printf(m->text.arena, "_%u", d));
  hd_strbuf_printf(&m->text, "  %%s%u = stablehlo.concatenate ", v);
  for (uint32_t d = 1; d < m->rank; ++d) hd_strbuf_printf(&m->text, "%s%%r%u_%u", d > 1 ? ", " : "", v, d);
  hd_strbuf_puts(&m->text, ", dim = 0 : (");
  for (uint32_t d = 1; d < m->rank; ++d) hd_strbuf_puts(&m->text, d > 1 ? ", tensor<1xi32>" : "tensor<1xi32>");
  hd_strbuf_printf(&m->text, ") -> tensor<%uxi32>\n  %%%u = stablehlo.dynamic_reshape %%%u, %%s%u : (", m->rank - 1,
                   v + 1, v, v);
  put_type(m, m->dims, m->rank);
  hd_strbuf_printf(&m->text, ", tensor<%uxi32>) -> ", m->rank - 1);
  m->dims[1] *= m->dims[0];
  memmove(m->dims, m->dims + 1, --m->rank * sizeof *m->dims);
  put_type(m, m->dims, m->rank);
  hd_strbuf_putc(&m->text, '\n');
  ++m->values;
  return true;
}

#endif
