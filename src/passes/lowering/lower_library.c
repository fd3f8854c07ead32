/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that a library of the runtime computes whole: one call with addresses and a descriptor.
 *
 *   lmhlo.cholesky, triangular_solve, fft     ->   hd.ral_call "ral_cholesky...", ... (runtime/libraries)
 *   lmhlo.custom_call @heddle.rng_call        ->   hd.ral_call "ral_rng_call..." (runtime/ral_core.c) */
#include <stdio.h>

#include "ir/element_types.h"
#include "ir/ops/stablehlo.h"
#include "passes/lowering/library.h"
#include "passes/lowering/ral_call.h"
#include "runtime/libraries/linalg_abi.h"

enum { MAX_DESCRIPTOR = 8 };

typedef struct library_call {
  const char *api;
  hd_value *in[2];
  hd_type element;
  hd_dim descriptor[MAX_DESCRIPTOR];
  uint32_t count;
} library_call;

static hd_dim number(hd_lowering *ctx, int64_t value) { return hd_dim_const(&ctx->shapes->table, value); }

/* The product of the dims of |buffer| but the last |left|. */
static hd_dim batch_of(hd_lowering *ctx, hd_value *buffer, uint32_t left) {
  hd_dim product = number(ctx, 1);
  for (uint32_t d = 0; d + left < hd_type_rank(buffer->type); ++d)
    product = hd_dim_mul(&ctx->shapes->table, product, hd_shapes_dim(ctx->shapes, buffer, d));
  return product;
}

static hd_dim dim_from_last(hd_lowering *ctx, hd_value *buffer, uint32_t i) {
  return hd_shapes_dim(ctx->shapes, buffer, hd_type_rank(buffer->type) - i);
}

static bool emit_call(hd_lowering *ctx, hd_op *op, library_call *call) {
  hd_builder b = hd_builder_before(op);
  hd_type i64 = hd_i64(b.context);
  hd_value *descriptor = hd_host_table(ctx, &b, call->descriptor, NULL, call->count, op);
  if (!descriptor) return false;
  hd_element_type type = hd_element_type_of(call->element);
  if (type != HD_ELEMENT_F32 && type != HD_ELEMENT_F64 && type != HD_ELEMENT_C64 && type != HD_ELEMENT_C128)
    return hd_op_error(op, "has no compiled path for its element type");
  hd_value *stream = hd_lower_stream(ctx, &b);
  hd_value *operands[] = {stream,
                          call->in[0],
                          call->in[1] ? call->in[1] : call->in[0],
                          hd_buffer_output(op, 0),
                          hd_build_int(&b, i64, type),
                          descriptor,
                          hd_build_int(&b, i64, call->count)};
  char name[96];
  snprintf(name, sizeof name, "%s___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64___void", call->api);
  hd_build_ral_call(&b, name, NULL, operands, 7);
  hd_op_erase(op);
  return true;
}

static bool lower_cholesky(hd_lowering *ctx, hd_op *op) {
  hd_value *a = hd_operand(op, 0);
  library_call call = {"ral_cholesky",
                       {a},
                       hd_type_element(a->type),
                       {[HD_WORD(hd_cholesky_descriptor, batch)] = batch_of(ctx, a, 2),
                        [HD_WORD(hd_cholesky_descriptor, n)] = dim_from_last(ctx, a, 1),
                        [HD_WORD(hd_cholesky_descriptor, lower)] = number(ctx, hd_stablehlo_cholesky_lower(op))},
                       HD_WORDS(hd_cholesky_descriptor)};
  return emit_call(ctx, op, &call);
}

static bool lower_triangular_solve(hd_lowering *ctx, hd_op *op) {
  hd_value *a = hd_operand(op, 0), *b = hd_operand(op, 1);
  hd_enum_stablehlo_transpose transpose = hd_stablehlo_triangular_solve_transpose_a(op);
  hd_solve_transpose kind = transpose == HD_STABLEHLO_TRANSPOSE_ADJOINT     ? HD_SOLVE_ADJOINT
                            : transpose == HD_STABLEHLO_TRANSPOSE_TRANSPOSE ? HD_SOLVE_TRANSPOSE
                                                                            : HD_SOLVE_PLAIN;
  library_call call = {
      "ral_triangular_solve",
      {a, b},
      hd_type_element(a->type),
      {[HD_WORD(hd_triangular_solve_descriptor, batch)] = batch_of(ctx, b, 2),
       [HD_WORD(hd_triangular_solve_descriptor, n)] = dim_from_last(ctx, a, 1),
       [HD_WORD(hd_triangular_solve_descriptor, rows)] = dim_from_last(ctx, b, 2),
       [HD_WORD(hd_triangular_solve_descriptor, columns)] = dim_from_last(ctx, b, 1),
       [HD_WORD(hd_triangular_solve_descriptor, left_side)] = number(ctx, hd_stablehlo_triangular_solve_left_side(op)),
       [HD_WORD(hd_triangular_solve_descriptor, lower)] = number(ctx, hd_stablehlo_triangular_solve_lower(op)),
       [HD_WORD(hd_triangular_solve_descriptor, unit_diagonal)] =
           number(ctx, hd_stablehlo_triangular_solve_unit_diagonal(op)),
       [HD_WORD(hd_triangular_solve_descriptor, transpose_a)] = number(ctx, kind)},
      HD_WORDS(hd_triangular_solve_descriptor)};
  return emit_call(ctx, op, &call);
}

_Static_assert((int)HD_STABLEHLO_FFT_TYPE_FFT == HD_FFT_FORWARD && (int)HD_STABLEHLO_FFT_TYPE_IFFT == HD_FFT_INVERSE &&
                   (int)HD_STABLEHLO_FFT_TYPE_RFFT == HD_FFT_REAL_FORWARD &&
                   (int)HD_STABLEHLO_FFT_TYPE_IRFFT == HD_FFT_REAL_INVERSE,
               "the runtime's kinds of transforms are the cases of fft_type");

static bool lower_fft(hd_lowering *ctx, hd_op *op) {
  hd_value *in = hd_operand(op, 0), *out = hd_buffer_output(op, 0);
  hd_enum_stablehlo_fft_type kind = hd_stablehlo_fft_fft_type(op); /* the cases of hd_fft_kind */
  hd_attr lengths = hd_stablehlo_fft_fft_length(op);
  uint32_t axes = (uint32_t)hd_attr_count(lengths);
  if (axes < 1 || axes > HD_FFT_MAX_AXES)
    return hd_op_error(op, "expects a transform of 1 to %d dims, got %u", HD_FFT_MAX_AXES, axes);
  hd_value *complex = kind == HD_STABLEHLO_FFT_TYPE_RFFT ? out : in;
  library_call call = {"ral_fft",
                       {in},
                       hd_type_element(complex->type),
                       {[HD_WORD(hd_fft_descriptor, kind)] = number(ctx, kind),
                        [HD_WORD(hd_fft_descriptor, axes)] = number(ctx, axes),
                        [HD_WORD(hd_fft_descriptor, batch)] = batch_of(ctx, in, axes)},
                       HD_WORDS(hd_fft_descriptor)};
  for (uint32_t i = 0; i < HD_FFT_MAX_AXES; ++i)
    call.descriptor[HD_WORD(hd_fft_descriptor, lengths) + i] = number(ctx, i < axes ? hd_attr_int_at(lengths, i) : 1);
  return emit_call(ctx, op, &call);
}

static bool lower_rng_call(hd_op *op) {
  hd_builder b = hd_builder_before(op);
  hd_value *out = hd_buffer_output(op, 0);
  hd_build_ral_call(&b, "ral_rng_call___pvoid_pvoid___void", NULL, &out, 1);
  hd_op_erase(op);
  return true;
}

static bool is_rng_call(const hd_op *op) {
  return hd_buffer_opcode(op) == HD_OP_stablehlo_custom_call &&
         hd_str_is(hd_stablehlo_custom_call_call_target_name(op), "heddle.rng_call");
}

static bool lower_call(hd_lowering *ctx, hd_op *op) {
  return is_rng_call(op) ? lower_rng_call(op) : hd_lower_custom_call(ctx, op);
}

static const struct {
  hd_opcode opcode;
  bool (*lower)(hd_lowering *ctx, hd_op *op);
} rows[] = {
    {HD_OP_stablehlo_cholesky, lower_cholesky},
    {HD_OP_stablehlo_triangular_solve, lower_triangular_solve},
    {HD_OP_stablehlo_fft, lower_fft},
    {HD_OP_stablehlo_custom_call, lower_call},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

static size_t row_of(const hd_op *op) {
  size_t i = 0;
  while (i < ROW_COUNT && rows[i].opcode != hd_buffer_opcode(op)) ++i;
  return i;
}

bool hd_is_library_op(const hd_op *op) { return row_of(op) < ROW_COUNT; }

bool hd_lower_library_op(hd_lowering *ctx, hd_op *op) { return rows[row_of(op)].lower(ctx, op); }
