/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices that the lanes of a warp hold in parts: ldmatrix, stmatrix and mma.sync as PTX defines their fragments.
 *
 * A register of 32 bits holds p elements (f64: one, of two registers), side by side. Lane l is of group g = l / 4,
 * place t = l % 4 in it.
 *
 *   A (m x k)   register r: row g + 8 (r % 2), columns t p .. after column 4 p (r / 2); of m = 8 all registers have
 *               row g
 *   B (k x n)   register r: column g, rows t p .. after row 4 p r
 *   C (m x n)   elements 2 r and 2 r + 1: row g + 8 r, columns 2 t and 2 t + 1
 *
 * Products are added exactly as far as a double goes, and rounded once: PTX leaves the order of sums open. */
#include <math.h>

#include "eval/machine/call_memory.h"
#include "eval/machine/convergence.h"
#include "ir/ops/nvvm.h"
#include "ir/ops/structs.h"

enum { LANES = HD_SUBGROUP_SIZE, MAX_M = 16, MAX_N = 8, MAX_K = 32, ROW_BYTES = 16 };

/* The members of the warp of member |first|, which must have all lanes. */
static hd_status warp_of(const hd_convergence *m, uint32_t first, uint32_t lanes[LANES]) {
  int64_t thread = hd_member_thread(m, first) / LANES * LANES;
  for (uint32_t l = 0; l < LANES; ++l) {
    lanes[l] = hd_member_at(m, thread + l);
    if (lanes[l] == UINT32_MAX)
      return hd_make_status(HD_INVALID_ARGUMENT, "is of all lanes of a warp, and thread %lld has not come to it",
                            (long long)(thread + l));
  }
  return HD_STATUS_OK;
}

/* The result is |count| values of |register_type| as a struct, one alone for ldmatrix as itself. */
static hd_status check_result(const hd_convergence *m, hd_type register_type, uint32_t count) {
  hd_attr body[4], params[3] = {NULL};
  for (uint32_t i = 0; i < count; ++i) body[i] = hd_attr_type(register_type);
  params[2] = hd_attr_array(register_type->context, body, count);
  hd_type whole = hd_type_dialect(register_type->context, HD_TYPE_ROW_llvm_struct, params, 3);
  bool alone = count == 1 && hd_op_is(m->op, HD_OP_nvvm_ldmatrix);
  if (hd_result_type(m->op, 0) == (alone ? register_type : whole)) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "gives a value of another type than its %u registers", count);
}

static hd_status give_words(const hd_convergence *m, uint32_t member, const void *words, size_t bytes) {
  hd_type type = hd_result_type(m->op, 0);
  return hd_value_of_bytes(m->frame, type, words, bytes, hd_member_result(m, member, 0));
}

/* ---- ldmatrix and stmatrix: 8 x 8 elements of 16 bits, a row of which is at the address that a lane has ---- */

static hd_status row_at(const hd_convergence *m, uint32_t member, bool writes, char **out) {
  uint64_t address = hd_call_address(hd_member_operand(m, member, 0));
  if (address % ROW_BYTES)
    return hd_make_status(HD_INVALID_ARGUMENT, "has a row at an address that is no multiple of %d", ROW_BYTES);
  return writes ? hd_call_bytes_to(m->frame, address, ROW_BYTES, out)
                : hd_call_bytes(m->frame, address, ROW_BYTES, out);
}

static hd_status move_matrices(const hd_convergence *m, const uint32_t lanes[LANES], uint32_t count, bool transposed,
                               bool writes) {
  uint32_t words[LANES][4] = {{0}};
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t r = 0; r < 8; ++r) {
      char *row;
      HD_TRY(row_at(m, lanes[8 * i + r], writes, &row));
      for (uint32_t c = 0; c < 8; ++c) {
        uint32_t lane = transposed ? 4 * c + r / 2 : 4 * r + c / 2, half = transposed ? r % 2 : c % 2;
        uint16_t element;
        if (writes) {
          element = (uint16_t)((uint32_t)hd_eval_int(hd_member_operand(m, lanes[lane], 1 + i)) >> 16 * half);
          memcpy(row + 2 * c, &element, 2);
        } else {
          memcpy(&element, row + 2 * c, 2);
          words[lane][i] |= (uint32_t)element << 16 * half;
        }
      }
    }
  for (uint32_t l = 0; l < LANES && !writes; ++l) HD_TRY(give_words(m, lanes[l], words[l], 4 * count));
  return HD_STATUS_OK;
}

static hd_status matrices(const hd_convergence *m, const uint32_t lanes[LANES]) {
  bool writes = hd_op_is(m->op, HD_OP_nvvm_stmatrix);
  hd_attr shape = writes ? hd_nvvm_stmatrix_shape(m->op) : hd_nvvm_ldmatrix_shape(m->op);
  int64_t count = writes ? (int64_t)m->op->operand_count - 1 : hd_nvvm_ldmatrix_num(m->op);
  if (hd_attr_nvvm_ld_st_matrix_shape_m(shape) != 8 || hd_attr_nvvm_ld_st_matrix_shape_n(shape) != 8 ||
      (writes ? hd_nvvm_stmatrix_eltType(m->op) : hd_nvvm_ldmatrix_eltType(m->op)) !=
          HD_NVVM_LD_ST_MATRIX_ELT_TYPE_B16 ||
      (count != 1 && count != 2 && count != 4))
    return hd_make_status(HD_UNIMPLEMENTED, "moves other than 1, 2 or 4 matrices of 8x8xb16");
  if (!writes) HD_TRY(check_result(m, hd_i32(hd_frame_context(m->frame)), (uint32_t)count));
  bool transposed =
      (writes ? hd_nvvm_stmatrix_layout(m->op) : hd_nvvm_ldmatrix_layout(m->op)) == HD_NVVM_MMA_LAYOUT_COL;
  return move_matrices(m, lanes, (uint32_t)count, transposed, writes);
}

/* ---- mma.sync ---- */

typedef struct product {
  int64_t m, n, k;
  int type;        /* of A and B */
  int b_type;      /* s8 and u8 may meet */
  uint32_t packed; /* elements of a register */
  uint32_t word;   /* bytes of a register */
  hd_type total;   /* of C and D */
  uint32_t at[3];  /* of A, B and C: the first operand */
  uint32_t count[3];
  double a[MAX_M][MAX_K], b[MAX_K][MAX_N], c[MAX_M][MAX_N];
} product;

static hd_status describe(const hd_convergence *m, product *p) {
  hd_attr shape = hd_nvvm_mma_sync_shape(m->op);
  p->m = hd_attr_nvvm_shape_m(shape);
  p->n = hd_attr_nvvm_shape_n(shape);
  p->k = hd_attr_nvvm_shape_k(shape);
  p->type = (int)hd_attr_int_or(hd_nvvm_mma_sync_multiplicandAPtxType_attr(m->op), -1);
  p->b_type = (int)hd_attr_int_or(hd_nvvm_mma_sync_multiplicandBPtxType_attr(m->op), -1);
  for (uint32_t i = 0; i < 3; ++i) hd_op_operand_range(m->op, i, &p->at[i], &p->count[i]);
  bool is_int = p->type == HD_NVVM_MMA_TYPE_S8 || p->type == HD_NVVM_MMA_TYPE_U8,
       is_f64 = p->type == HD_NVVM_MMA_TYPE_F64;
  bool is_half = p->type == HD_NVVM_MMA_TYPE_F16 || p->type == HD_NVVM_MMA_TYPE_BF16;
  bool is_tf32 = p->type == HD_NVVM_MMA_TYPE_TF32;
  bool types = is_int ? p->b_type == HD_NVVM_MMA_TYPE_S8 || p->b_type == HD_NVVM_MMA_TYPE_U8 : p->b_type == p->type;
  bool shapes = is_f64    ? p->m == 8 && p->k == 4
                : is_half ? p->m == 16 && (p->k == 8 || p->k == 16)
                : is_tf32 ? p->m == 16 && (p->k == 4 || p->k == 8)
                          : is_int && ((p->m == 8 && p->k == 16) || (p->m == 16 && (p->k == 16 || p->k == 32)));
  bool layouts = hd_nvvm_mma_sync_layoutA(m->op) == HD_NVVM_MMA_LAYOUT_ROW &&
                 hd_nvvm_mma_sync_layoutB(m->op) == HD_NVVM_MMA_LAYOUT_COL;
  if (!types || !shapes || p->n != 8 || !layouts || hd_nvvm_mma_sync_b1Op_attr(m->op))
    return hd_make_status(HD_UNIMPLEMENTED, "has a shape or types that the evaluator does not multiply");
  p->packed = is_int ? 4 : is_half ? 2 : 1;
  p->word = is_f64 ? 8 : 4;
  uint32_t steps = (uint32_t)p->k / (4 * p->packed), rows = (uint32_t)p->m / 8;
  if (!p->count[2]) return hd_make_status(HD_INVALID_ARGUMENT, "has no third matrix");
  p->total = hd_type_element(hd_operand_type(m->op, p->at[2]));
  size_t each = hd_type_element_bytes(p->total);
  uint32_t held = each == 2 ? 2 : 1; /* elements of an operand of C */
  bool totals = is_int   ? hd_type_is_integer(p->total, 32)
                : is_f64 ? hd_type_is_float(p->total, HD_F64)
                         : hd_type_is_float(p->total, HD_F32) ||
                               (p->type == HD_NVVM_MMA_TYPE_F16 && hd_type_is_float(p->total, HD_F16));
  if (!totals || p->count[0] != rows * steps || p->count[1] != steps || p->count[2] != 2 * rows / held)
    return hd_make_status(HD_INVALID_ARGUMENT, "has %u, %u and %u registers of a lane, expected %u, %u and %u",
                          p->count[0], p->count[1], p->count[2], rows * steps, steps, 2 * rows / held);
  return check_result(m, hd_operand_type(m->op, p->at[2]), p->count[2]);
}

/* Element |i| of a register. */
static double element_of(int type, const void *word, uint32_t i) {
  uint32_t bits;
  double wide;
  float single;
  memcpy(&bits, word, 4);
  switch (type) {
    case HD_NVVM_MMA_TYPE_F64:
      memcpy(&wide, word, 8);
      return wide;
    case HD_NVVM_MMA_TYPE_TF32: /* 10 bits of the fraction count */
      bits &= ~0x1fffu;
      memcpy(&single, &bits, 4);
      return single;
    case HD_NVVM_MMA_TYPE_BF16:
      bits = bits >> 16 * i << 16;
      memcpy(&single, &bits, 4);
      return single;
    case HD_NVVM_MMA_TYPE_F16: {
      uint32_t half = bits >> 16 * i & 0xffff, exponent = half >> 10 & 31, fraction = half & 1023;
      double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                    : exponent     ? ldexp(1024 + fraction, (int)exponent - 25)
                                   : ldexp(fraction, -24);
      return half >> 15 ? -size : size;
    }
    case HD_NVVM_MMA_TYPE_S8:
      return (int8_t)(bits >> 8 * i);
    default:
      return (uint8_t)(bits >> 8 * i);
  }
}

static hd_status operand_word(const hd_convergence *m, const product *p, uint32_t member, uint32_t operand,
                              const void **out) {
  const hd_tensor *value = hd_member_operand(m, member, operand);
  *out = hd_tensor_data(value);
  if (value->buffer->size < p->word)
    return hd_make_status(HD_INVALID_ARGUMENT, "has an operand of less than %u bytes", p->word);
  return HD_STATUS_OK;
}

static hd_status gather(const hd_convergence *m, const uint32_t lanes[LANES], product *p) {
  uint32_t rows = (uint32_t)p->m / 8, span = 4 * p->packed;
  for (uint32_t l = 0; l < LANES; ++l) {
    uint32_t group = l / 4, place = l % 4;
    const void *word;
    for (uint32_t r = 0; r < p->count[0]; ++r) {
      HD_TRY(operand_word(m, p, lanes[l], p->at[0] + r, &word));
      for (uint32_t i = 0; i < p->packed; ++i)
        p->a[group + 8 * (r % rows)][r / rows * span + place * p->packed + i] = element_of(p->type, word, i);
    }
    for (uint32_t r = 0; r < p->count[1]; ++r) {
      HD_TRY(operand_word(m, p, lanes[l], p->at[1] + r, &word));
      for (uint32_t i = 0; i < p->packed; ++i)
        p->b[r * span + place * p->packed + i][group] = element_of(p->b_type, word, i);
    }
    uint32_t held = 2 * rows / p->count[2];
    for (uint32_t e = 0; e < 2 * rows; ++e) {
      const hd_tensor *value = hd_member_operand(m, lanes[l], p->at[2] + e / held);
      const char *at = (const char *)hd_tensor_data(value) + e % held * hd_type_element_bytes(p->total);
      double *to = &p->c[group + 8 * (e / 2)][2 * place + e % 2];
      int64_t integer;
      if (hd_class_of(p->total) == HD_CLASS_INT) {
        hd_load_ints(p->total, at, 1, &integer);
        *to = (double)integer;
      } else {
        hd_load_doubles(p->total, at, 1, to);
      }
    }
  }
  return HD_STATUS_OK;
}

/* Sums of integers stay far below what a double holds; f64 is fused, step by step. */
static double total_of(const product *p, uint32_t row, uint32_t column) {
  double sum = p->c[row][column];
  for (int64_t k = 0; k < p->k; ++k) sum = fma(p->a[row][k], p->b[k][column], sum);
  return sum;
}

static hd_status multiply(const hd_convergence *m, const uint32_t lanes[LANES]) {
  product *p;
  HD_TRY(hd_eval_temp(m->frame, 1, sizeof *p, &p));
  HD_TRY(describe(m, p));
  HD_TRY(gather(m, lanes, p));
  bool saturates =
      hd_attr_int_or(hd_nvvm_mma_sync_intOverflowBehavior_attr(m->op), 0) == HD_NVVM_MMA_INT_OVERFLOW_SATFINITE;
  uint32_t count = (uint32_t)p->m / 4;
  size_t each = hd_type_element_bytes(p->total);
  for (uint32_t l = 0; l < LANES; ++l) {
    char words[32];
    for (uint32_t e = 0; e < count; ++e) {
      double sum = total_of(p, l / 4 + 8 * (e / 2), 2 * (l % 4) + e % 2);
      if (hd_class_of(p->total) == HD_CLASS_INT) {
        int64_t integer = (int64_t)sum;
        if (saturates) integer = integer > INT32_MAX ? INT32_MAX : integer < INT32_MIN ? INT32_MIN : integer;
        integer = (int32_t)(uint32_t)integer;
        hd_store_ints(p->total, words + e * each, 1, &integer);
      } else {
        hd_store_doubles(p->total, words + e * each, 1, &sum);
      }
    }
    HD_TRY(give_words(m, lanes[l], words, count * each));
  }
  return HD_STATUS_OK;
}

hd_status hd_together_warp_matrix(const hd_convergence *m) {
  for (uint32_t i = 0; i < m->count; ++i) {
    uint32_t lanes[LANES];
    HD_TRY(warp_of(m, i, lanes));
    if (lanes[0] != i) continue; /* done with the first of its warp */
    HD_TRY(hd_op_is(m->op, HD_OP_nvvm_mma_sync) ? multiply(m, lanes) : matrices(m, lanes));
  }
  return HD_STATUS_OK;
}
