/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs, continued: ops with other operands, which are constants, so that what is computed stays a sum of
 * elements. */
#ifndef HD_EVAL_RANDOM_OPERANDS_H_
#define HD_EVAL_RANDOM_OPERANDS_H_

#include <stddef.h>

#include "eval/random_moves.h"

static void put_constant(maker *m, const char *name, const int64_t *dims, uint32_t rank, int value) {
  hd_strbuf_printf(&m->text, "  %%%s%u = stablehlo.constant dense<%d> : ", name, m->values, value);
  put_type(m, dims, rank);
  hd_strbuf_putc(&m->text, '\n');
}

/* ", <name>" of the constant, then ": (types) -> type". */
static void finish_binary(maker *m, const int64_t *other, uint32_t other_rank, const int64_t *to, uint32_t rank,
                          bool other_first) {
  hd_strbuf_puts(&m->text, " : (");
  put_type(m, other_first ? other : m->dims, other_first ? other_rank : m->rank);
  hd_strbuf_puts(&m->text, ", ");
  put_type(m, other_first ? m->dims : other, other_first ? m->rank : other_rank);
  hd_strbuf_puts(&m->text, ") -> ");
  put_type(m, to, rank);
  hd_strbuf_putc(&m->text, '\n');
  memmove(m->dims, to, rank * sizeof *to);
  m->rank = rank;
  ++m->values;
}

/* A product with ones: a random part of the dims is contracted, another one is a batch. */
static bool add_dot(maker *m) {
  int64_t other[MAX_RANK], to[MAX_RANK], batch[2][MAX_RANK], contract[2][MAX_RANK];
  uint32_t rank = 0, batches = 0, contracted = 0, result = 0;
  bool swap = below(2);
  if (m->unknown || m->rank > 3) return false;
  uint32_t parts[MAX_RANK];
  for (uint32_t d = 0; d < m->rank; ++d) parts[d] = below(3);
  if (below(2)) other[rank++] = 1 + below(3); /* free dims of the other side, before and after */
  for (uint32_t d = 0; d < m->rank; ++d) {
    if (parts[d] == 0) batch[0][batches] = d, batch[1][batches++] = rank, other[rank++] = m->dims[d];
    if (parts[d] == 1) contract[0][contracted] = d, contract[1][contracted++] = rank, other[rank++] = m->dims[d];
  }
  for (uint32_t i = 0; i < batches; ++i) to[result++] = m->dims[batch[0][i]];
  for (int side = 0; side < 2; ++side) {
    if (side == swap)
      for (uint32_t d = 0; d < m->rank; ++d) {
        if (parts[d] == 2) to[result++] = m->dims[d];
      }
    else if (rank > batches + contracted)
      to[result++] = other[0];
  }
  if (elements(to, result) > MAX_ELEMENTS) return false;
  put_constant(m, "ones", other, rank, 1);
  hd_strbuf_printf(&m->text, "  %%%u = stablehlo.dot_general ", m->values + 1);
  hd_strbuf_printf(&m->text, swap ? "%%ones%u, %%%u" : "%%%u, %%ones%u", m->values, m->values);
  hd_strbuf_puts(&m->text, ", batching_dims = ");
  put_list(m, batch[swap], batches);
  hd_strbuf_puts(&m->text, " x ");
  put_list(m, batch[!swap], batches);
  hd_strbuf_puts(&m->text, ", contracting_dims = ");
  put_list(m, contract[swap], contracted);
  hd_strbuf_puts(&m->text, " x ");
  put_list(m, contract[!swap], contracted);
  finish_binary(m, other, rank, to, result, swap);
  return true;
}

typedef struct moving {
  int64_t size, stride, base, dilation, low, high;
} moving;

/* A window over |size| elements, and at how many places it is; 0: at none. Its own size, where it is 0, is made up.
 */
static int64_t random_window(int64_t size, moving *w) {
  *w = (moving){w->size ? w->size : 1 + below(3),
                1 + below(3),
                1 + below(2),
                1 + below(2),
                (int64_t)below(4) - 1,
                (int64_t)below(4) - 1};
  int64_t all = (size - 1) * w->base + 1 + w->low + w->high, need = (w->size - 1) * w->dilation + 1;
  return all < need ? 0 : (all - need) / w->stride + 1;
}

static void put_window_list(maker *m, const char *name, const moving *w, uint32_t rank, size_t offset) {
  hd_strbuf_printf(&m->text, "%s = array<i64: ", name);
  for (uint32_t d = 0; d < rank; ++d)
    hd_strbuf_printf(&m->text, "%s%lld", d ? ", " : "", (long long)*(const int64_t *)((const char *)&w[d] + offset));
  hd_strbuf_puts(&m->text, ">, ");
}

static void put_padding(maker *m, const moving *w, uint32_t rank) {
  hd_strbuf_puts(&m->text, "padding = dense<[");
  for (uint32_t d = 0; d < rank; ++d)
    hd_strbuf_printf(&m->text, "%s[%lld, %lld]", d ? ", " : "", (long long)w[d].low, (long long)w[d].high);
  hd_strbuf_printf(&m->text, "]> : tensor<%ux2xi64>", rank);
}

static bool add_window(maker *m) {
  moving w[MAX_RANK] = {0};
  int64_t to[MAX_RANK];
  if (m->unknown || !m->rank) return false;
  for (uint32_t d = 0; d < m->rank; ++d)
    if (!(to[d] = random_window(m->dims[d], &w[d]))) return false;
  if (elements(to, m->rank) > MAX_ELEMENTS) return false;
  hd_strbuf_printf(&m->text, "  %%%u = \"stablehlo.reduce_window\"(%%%u, %%zero) <{", m->values + 1, m->values);
  put_window_list(m, hd_name_text(HD_NAME_window_dimensions), w, m->rank, offsetof(moving, size));
  put_window_list(m, hd_name_text(HD_NAME_window_strides), w, m->rank, offsetof(moving, stride));
  put_window_list(m, hd_name_text(HD_NAME_base_dilations), w, m->rank, offsetof(moving, base));
  put_window_list(m, hd_name_text(HD_NAME_window_dilations), w, m->rank, offsetof(moving, dilation));
  put_padding(m, w, m->rank);
  hd_strbuf_puts(&m->text,
                 "}> ({\n  ^bb0(%x: tensor<i64>, %y: tensor<i64>):\n    %z = stablehlo.add %x, %y : tensor<i64>\n"
                 "    stablehlo.return %z : tensor<i64>\n  })");
  int64_t none = 0;
  finish_binary(m, &none, 0, to, m->rank, false);
  return true;
}

/* A convolution of the value with a kernel of ones, or of ones with the value as the kernel. */
static bool add_convolution(maker *m) {
  if (m->unknown || m->rank < 3 || m->rank > 4) return false;
  uint32_t space = m->rank - 2;
  bool is_kernel = below(2);
  moving w[MAX_RANK];
  int64_t order[3][MAX_RANK], sides[2][MAX_RANK], to[MAX_RANK], groups = 1, batch_groups = 1;
  for (int side = 0; side < 3; ++side)
    for (uint32_t d = 0; d < m->rank; ++d) {
      uint32_t other = below(d + 1);
      order[side][d] = order[side][other];
      order[side][other] = d;
    }
  /* Of each side: batch (kernel: input feature), feature (kernel: output feature), space. */
  memcpy(sides[is_kernel], m->dims, sizeof to);
  if (is_kernel) {
    int64_t outputs = sides[1][order[1][1]];
    if (below(2)) *(below(2) ? &groups : &batch_groups) = outputs;
    sides[0][order[0][0]] = batch_groups * (1 + below(2));
    sides[0][order[0][1]] = sides[1][order[1][0]] * groups;
  } else {
    int64_t batch = sides[0][order[0][0]], features = sides[0][order[0][1]];
    if (below(2)) *(below(2) ? &groups : &batch_groups) = groups == 1 ? features : batch;
    if (groups == 1 && batch_groups > 1) batch_groups = batch;
    sides[1][order[1][0]] = features / groups;
    sides[1][order[1][1]] = groups * batch_groups * (1 + below(2));
  }
  to[order[2][0]] = sides[0][order[0][0]] / batch_groups;
  to[order[2][1]] = sides[1][order[1][1]];
  for (uint32_t i = 0; i < space; ++i) {
    if (is_kernel) sides[0][order[0][2 + i]] = 1 + below(4);
    w[i].size = is_kernel ? sides[1][order[1][2 + i]] : 0;
    to[order[2][2 + i]] = random_window(sides[0][order[0][2 + i]], &w[i]);
    if (!to[order[2][2 + i]]) return false;
    sides[1][order[1][2 + i]] = w[i].size;
  }
  const int64_t *other = sides[!is_kernel];
  if (elements(to, m->rank) > MAX_ELEMENTS || elements(other, m->rank) > MAX_ELEMENTS) return false;
  put_constant(m, "ones", other, m->rank, 1);
  hd_strbuf_printf(&m->text, "  %%%u = \"stablehlo.convolution\"(", m->values + 1);
  hd_strbuf_printf(&m->text, is_kernel ? "%%ones%u, %%%u" : "%%%u, %%ones%u", m->values, m->values);
  hd_strbuf_puts(&m->text, ") <{");
  put_window_list(m, hd_name_text(HD_NAME_window_strides), w, space, offsetof(moving, stride));
  put_window_list(m, hd_name_text(HD_NAME_lhs_dilation), w, space, offsetof(moving, base));
  put_window_list(m, hd_name_text(HD_NAME_rhs_dilation), w, space, offsetof(moving, dilation));
  put_padding(m, w, space);
  hd_strbuf_puts(&m->text, ", window_reversal = array<i1: ");
  for (uint32_t i = 0; i < space; ++i) hd_strbuf_printf(&m->text, "%s%s", i ? ", " : "", below(2) ? "true" : "false");
  hd_strbuf_printf(&m->text,
                   ">, feature_group_count = %lld : i64, batch_group_count = %lld : i64, dimension_numbers = "
                   "#stablehlo.conv<raw input_batch_dimension = %lld, input_feature_dimension = %lld, "
                   "input_spatial_dimensions = ",
                   (long long)groups, (long long)batch_groups, (long long)order[0][0], (long long)order[0][1]);
  put_list(m, order[0] + 2, space);
  hd_strbuf_printf(&m->text,
                   ", kernel_input_feature_dimension = %lld, kernel_output_feature_dimension = %lld, "
                   "kernel_spatial_dimensions = ",
                   (long long)order[1][0], (long long)order[1][1]);
  put_list(m, order[1] + 2, space);
  hd_strbuf_printf(&m->text,
                   ", output_batch_dimension = %lld, output_feature_dimension = %lld, output_spatial_dimensions = ",
                   (long long)order[2][0], (long long)order[2][1]);
  put_list(m, order[2] + 2, space);
  hd_strbuf_puts(&m->text, ">}>");
  finish_binary(m, other, m->rank, to, m->rank, is_kernel);
  return true;
}

static void put_indices(maker *m, int64_t count, int64_t components, int64_t most, bool flip) {
  hd_strbuf_printf(&m->text, "  %%at%u = stablehlo.constant dense<[", m->values);
  for (int64_t i = 0; i < (flip ? components : count); ++i) {
    hd_strbuf_puts(&m->text, i ? ", [" : "[");
    for (int64_t k = 0; k < (flip ? count : components); ++k)
      hd_strbuf_printf(&m->text, "%s%d", k ? ", " : "", (int)below((uint32_t)most + 4) - 2);
    hd_strbuf_putc(&m->text, ']');
  }
  hd_strbuf_printf(&m->text, "]> : tensor<%lldx%lldxi32>\n", (long long)(flip ? components : count),
                   (long long)(flip ? count : components));
}

/* Dims of slices and updates: which are dropped, which an index vector has, in a random order. */
typedef struct picking {
  bool flip; /* the index vectors are columns */
  int64_t count, dropped[MAX_RANK], starts[MAX_RANK], offsets[MAX_RANK];
  uint32_t drops, start_count, offset_count;
} picking;

static void random_picking(maker *m, picking *p) {
  *p = (picking){.flip = below(2), .count = 1 + below(3)};
  for (uint32_t d = 0; d < m->rank; ++d) {
    if (!below(3)) p->dropped[p->drops++] = d;
    if (!below(2) || (d + 1 == m->rank && !p->start_count)) {
      uint32_t other = below(++p->start_count);
      p->starts[p->start_count - 1] = p->starts[other];
      p->starts[other] = d;
    }
  }
}

static void put_numbers(maker *m, const picking *p, const char *const names[3]) {
  hd_strbuf_printf(&m->text, "%s = ", names[0]);
  put_list(m, p->offsets, p->offset_count);
  hd_strbuf_printf(&m->text, ", %s = ", names[1]);
  put_list(m, p->dropped, p->drops);
  hd_strbuf_printf(&m->text, ", %s = ", names[2]);
  put_list(m, p->starts, p->start_count);
  hd_strbuf_printf(&m->text, ", index_vector_dim = %d>", p->flip ? 0 : 1);
}

static bool add_gather(maker *m) {
  picking p;
  int64_t sizes[MAX_RANK], to[MAX_RANK] = {0};
  if (m->unknown || !m->rank || m->rank >= MAX_RANK) return false;
  random_picking(m, &p);
  uint32_t kept = m->rank - p.drops, batch_at = below(kept + 1);
  for (uint32_t d = 0; d < m->rank; ++d) sizes[d] = 1 + below((uint32_t)m->dims[d]);
  for (uint32_t i = 0; i < p.drops; ++i) sizes[p.dropped[i]] = 1;
  for (uint32_t d = 0, at = 0, drop = 0; d < m->rank; ++d) {
    if (drop < p.drops && p.dropped[drop] == d) {
      ++drop;
      continue;
    }
    if (at == batch_at) ++at;
    p.offsets[p.offset_count++] = at;
    to[at++] = sizes[d];
  }
  to[batch_at] = p.count;
  if (elements(to, kept + 1) > MAX_ELEMENTS) return false;
  put_indices(m, p.count, p.start_count, 4, p.flip);
  hd_strbuf_printf(&m->text, "  %%%u = \"stablehlo.gather\"(%%%u, %%at%u) <{dimension_numbers = #stablehlo.gather<",
                   m->values + 1, m->values, m->values);
  put_numbers(m, &p,
              (const char *const[]){hd_name_text(HD_NAME_offset_dims), hd_name_text(HD_NAME_collapsed_slice_dims),
                                    hd_name_text(HD_NAME_start_index_map)});
  hd_strbuf_puts(&m->text, ", slice_sizes = array<i64: ");
  for (uint32_t d = 0; d < m->rank; ++d) hd_strbuf_printf(&m->text, "%s%lld", d ? ", " : "", (long long)sizes[d]);
  hd_strbuf_puts(&m->text, ">}> : (");
  put_type(m, m->dims, m->rank);
  hd_strbuf_printf(&m->text, ", tensor<%lldx%lldxi32>) -> ", (long long)(p.flip ? p.start_count : p.count),
                   (long long)(p.flip ? p.count : p.start_count));
  put_type(m, to, kept + 1);
  hd_strbuf_putc(&m->text, '\n');
  memcpy(m->dims, to, sizeof to);
  m->rank = kept + 1;
  ++m->values;
  return true;
}

/* The value so far as updates of zeros: its first dim goes with the indices. */
static bool add_scatter(maker *m) {
  picking p = {.flip = below(2)};
  int64_t to[MAX_RANK];
  uint32_t rank = 0;
  if (m->unknown || !m->rank) return false;
  p.count = m->dims[0];
  for (uint32_t d = 1; d < m->rank || !rank; ++d) {
    if (rank + (d < m->rank ? m->rank - d : 0) < MAX_RANK && (below(3) == 0 || d >= m->rank)) {
      p.dropped[p.drops++] = rank;
      to[rank++] = 1 + below(4);
    }
    if (d >= m->rank) break;
    p.offsets[p.offset_count++] = d;
    to[rank++] = m->dims[d] + below(3);
  }
  for (uint32_t d = 0; d < rank; ++d)
    if (below(2) || (d + 1 == rank && !p.start_count)) p.starts[p.start_count++] = d;
  if (elements(to, rank) > MAX_ELEMENTS) return false;
  put_constant(m, "into", to, rank, 0);
  put_indices(m, p.count, p.start_count, 4, p.flip);
  hd_strbuf_printf(
      &m->text,
      "  %%%u = \"stablehlo.scatter\"(%%into%u, %%at%u, %%%u) <{scatter_dimension_numbers = #stablehlo.scatter<",
      m->values + 1, m->values, m->values, m->values);
  put_numbers(
      m, &p,
      (const char *const[]){hd_name_text(HD_NAME_update_window_dims), hd_name_text(HD_NAME_inserted_window_dims),
                            hd_name_text(HD_NAME_scatter_dims_to_operand_dims)});
  hd_strbuf_puts(&m->text,
                 "}> ({\n  ^bb0(%x: tensor<i64>, %y: tensor<i64>):\n    %z = stablehlo.add %x, %y : tensor<i64>\n"
                 "    stablehlo.return %z : tensor<i64>\n  }) : (");
  put_type(m, to, rank);
  hd_strbuf_printf(&m->text, ", tensor<%lldx%lldxi32>, ", (long long)(p.flip ? p.start_count : p.count),
                   (long long)(p.flip ? p.count : p.start_count));
  put_type(m, m->dims, m->rank);
  hd_strbuf_puts(&m->text, ") -> ");
  return end(m, to, rank);
}

/* The value so far as the update of zeros. */
static bool add_update(maker *m) {
  int64_t to[MAX_RANK];
  if (m->unknown || !m->rank) return false;
  for (uint32_t d = 0; d < m->rank; ++d) to[d] = m->dims[d] + below(4);
  if (elements(to, m->rank) > MAX_ELEMENTS) return false;
  for (uint32_t d = 0; d < m->rank; ++d)
    hd_strbuf_printf(&m->text, "  %%u%u_%u = stablehlo.constant dense<%d> : tensor<i32>\n", m->values, d,
                     (int)below(7) - 2);
  put_constant(m, "into", to, m->rank, 0);
  hd_strbuf_printf(&m->text, "  %%%u = stablehlo.dynamic_update_slice %%into%u, %%%u", m->values + 1, m->values,
                   m->values);
  for (uint32_t d = 0; d < m->rank; ++d) hd_strbuf_printf(&m->text, ", %%u%u_%u", m->values, d);
  hd_strbuf_puts(&m->text, " : (");
  put_type(m, to, m->rank);
  hd_strbuf_puts(&m->text, ", ");
  put_type(m, m->dims, m->rank);
  for (uint32_t d = 0; d < m->rank; ++d) hd_strbuf_puts(&m->text, ", tensor<i32>");
  hd_strbuf_puts(&m->text, ") -> ");
  return end(m, to, m->rank);
}

#endif
