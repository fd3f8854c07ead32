/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/short_dims.h"

#include "analysis/buffer_op.h"
#include "ir/ops/stablehlo.h"

enum {
  TERMS = 4,   /* of sums whose products are as large as may be */
  SIDE = 8,    /* rows, columns and sums of a small product */
  REDUCED = 8, /* elements of a short row: a vector of rows is read by shuffles */
  ROW = 4096,  /* multiply-adds of one row by a matrix, whose columns are side by side in lanes */
  FEW = 16     /* rows that fill no vector: each is reduced by lanes along it */
};

/* The product of dims of |type| that are not in |a| or |b| (may be null), or -1 when one is not known. */
static int64_t size_without(hd_type type, hd_attr a, hd_attr b) {
  int64_t size = 1;
  for (uint32_t d = 0; d < hd_type_rank(type); ++d) {
    if ((a && hd_attr_find_int(a, d) >= 0) || (b && hd_attr_find_int(b, d) >= 0)) continue;
    int64_t dim = hd_type_dim(type, d);
    if (dim == HD_DYNAMIC || dim > SIDE) return -1;
    size *= dim;
  }
  return size;
}

/* The product of all dims of |type|, or -1. */
static int64_t size_of(hd_type type) {
  int64_t size = 1;
  for (uint32_t d = 0; d < hd_type_rank(type); ++d) {
    int64_t dim = hd_type_dim(type, d);
    if (dim == HD_DYNAMIC || dim > ROW || (size *= dim) > ROW) return -1;
  }
  return size;
}

/* One row of |lhs| by a small matrix: a call of the library takes longer than its work. Columns are in the matrix's
 * last dim. */
static bool is_small_row(hd_type lhs, hd_type rhs, int64_t sums, hd_attr contracted) {
  uint32_t last = hd_type_rank(rhs) - 1;
  if (!hd_type_rank(rhs) || size_of(rhs) <= 0 || hd_type_dim(rhs, last) < SIDE) return false;
  return size_of(lhs) == sums && !(contracted && hd_attr_find_int(contracted, last) >= 0);
}

static bool is_small(int64_t size) { return size >= 0 && size <= SIDE; }

/* Sums of so few terms that a result takes longer to store than to compute. */
static bool is_few(int64_t terms) { return terms >= 0 && terms <= TERMS; }

/* Are columns of the result, which are in lanes, the rhs's last dim alone? Several dims would be walked one by one,
 * however small the last is. */
static bool has_one_dim_of_columns(hd_type rhs, hd_attr batching, hd_attr contracted) {
  size_t rank = hd_type_rank(rhs), others = hd_attr_count(batching) + hd_attr_count(contracted);
  int64_t last = (int64_t)rank - 1;
  return rank == others + 1 && hd_attr_find_int(batching, last) < 0 && hd_attr_find_int(contracted, last) < 0;
}

bool hd_is_small_product(hd_op *op) {
  hd_type lhs = hd_operand_type(op, 0), rhs = hd_operand_type(op, 1);
  if (hd_buffer_opcode(op) == HD_OP_stablehlo_dot) {
    int64_t terms = hd_type_rank(rhs) == 2 ? hd_type_dim(rhs, 0) : -1;
    if (hd_type_rank(rhs) == 2 && (is_few(terms) || is_small_row(lhs, rhs, terms, NULL))) return true;
    return size_without(lhs, NULL, NULL) >= 0 && size_without(rhs, NULL, NULL) >= 0;
  }
  if (hd_buffer_opcode(op) != HD_OP_stablehlo_dot_general) return false;
  hd_attr n = hd_stablehlo_dot_general_dot_dimension_numbers(op);
  hd_attr lb = hd_attr_stablehlo_dot_lhs_batching_dimensions(n), rb = hd_attr_stablehlo_dot_rhs_batching_dimensions(n);
  hd_attr lc = hd_attr_stablehlo_dot_lhs_contracting_dimensions(n),
          rc = hd_attr_stablehlo_dot_rhs_contracting_dimensions(n);
  int64_t sums = 1, terms = 1;
  for (size_t i = 0; i < hd_attr_count(lc); ++i) {
    int64_t dim = hd_type_dim(lhs, (uint32_t)hd_attr_int_at(lc, i));
    terms = dim == HD_DYNAMIC || terms < 0 || dim > ROW ? -1 : terms * dim;
  }
  if (!hd_attr_count(lb) && terms > 0 && is_small_row(lhs, rhs, terms, rc)) return true;
  for (size_t i = 0; i < hd_attr_count(lc); ++i) {
    int64_t dim = hd_type_dim(lhs, (uint32_t)hd_attr_int_at(lc, i));
    if (dim == HD_DYNAMIC || dim > SIDE) return false;
    sums *= dim;
  }
  if (is_few(sums) && has_one_dim_of_columns(rhs, rb, rc)) return true;
  return is_small(sums) && is_small(size_without(lhs, lb, lc)) && is_small(size_without(rhs, rb, rc));
}

bool hd_is_short_reduction(hd_op *op) {
  if (hd_buffer_opcode(op) != HD_OP_stablehlo_reduce) return false;
  hd_type type = hd_operand_type(op, 0);
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  int64_t size = 1, rows = 1;
  for (uint32_t d = 0; d < hd_type_rank(type); ++d)
    if (hd_attr_find_int(dims, d) < 0)
      rows = hd_type_dim(type, d) == HD_DYNAMIC || rows >= FEW ? FEW : rows * hd_type_dim(type, d);
  if (rows < FEW) return false;
  for (size_t i = 0; i < hd_attr_count(dims); ++i) {
    int64_t dim = hd_type_dim(type, (uint32_t)hd_attr_int_at(dims, i));
    if (dim == HD_DYNAMIC || dim > REDUCED) return false;
    size *= dim;
  }
  return size <= REDUCED;
}
