/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of floats, f4 to f128: the one place that knows how they are written. Pure and thread-safe. */
#ifndef HD_BASE_FLOAT_FORMAT_H_
#define HD_BASE_FLOAT_FORMAT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* name in MLIR, storage bits, exponent bits, mantissa bits (explicit), bias, flags below */
#define HD_FLOAT_KINDS(X)                                       \
  X(F4E2M1FN, "f4E2M1FN", 4, 2, 1, 1, HD_FLOAT_FINITE_NO_NAN)   \
  X(F6E2M3FN, "f6E2M3FN", 6, 2, 3, 1, HD_FLOAT_FINITE_NO_NAN)   \
  X(F6E3M2FN, "f6E3M2FN", 6, 3, 2, 3, HD_FLOAT_FINITE_NO_NAN)   \
  X(F8E3M4, "f8E3M4", 8, 3, 4, 3, HD_FLOAT_IEEE)                \
  X(F8E4M3, "f8E4M3", 8, 4, 3, 7, HD_FLOAT_IEEE)                \
  X(F8E4M3FN, "f8E4M3FN", 8, 4, 3, 7, HD_FLOAT_FN)              \
  X(F8E4M3FNUZ, "f8E4M3FNUZ", 8, 4, 3, 8, HD_FLOAT_FNUZ)        \
  X(F8E4M3B11FNUZ, "f8E4M3B11FNUZ", 8, 4, 3, 11, HD_FLOAT_FNUZ) \
  X(F8E5M2, "f8E5M2", 8, 5, 2, 15, HD_FLOAT_IEEE)               \
  X(F8E5M2FNUZ, "f8E5M2FNUZ", 8, 5, 2, 16, HD_FLOAT_FNUZ)       \
  X(F8E8M0FNU, "f8E8M0FNU", 8, 8, 0, 127, HD_FLOAT_E8M0)        \
  X(BF16, "bf16", 16, 8, 7, 127, HD_FLOAT_IEEE)                 \
  X(F16, "f16", 16, 5, 10, 15, HD_FLOAT_IEEE)                   \
  X(TF32, "tf32", 19, 8, 10, 127, HD_FLOAT_IEEE)                \
  X(F32, "f32", 32, 8, 23, 127, HD_FLOAT_IEEE)                  \
  X(F64, "f64", 64, 11, 52, 1023, HD_FLOAT_IEEE)                \
  X(F80, "f80", 80, 15, 63, 16383, HD_FLOAT_IEEE)               \
  X(F128, "f128", 128, 15, 112, 16383, HD_FLOAT_IEEE)

typedef enum hd_float_kind {
#define X(kind, ...) HD_##kind,
  HD_FLOAT_KINDS(X)
#undef X
      HD_FLOAT_KIND_COUNT
} hd_float_kind;

typedef enum hd_float_special {
  HD_FLOAT_IEEE,          /* infinities and NaNs */
  HD_FLOAT_FN,            /* no infinity, NaN is all ones, both signs */
  HD_FLOAT_FNUZ,          /* no infinity, one NaN (the pattern of -0), no negative zero */
  HD_FLOAT_FINITE_NO_NAN, /* no infinity, no NaN */
  HD_FLOAT_E8M0,          /* unsigned powers of two, 0xFF is NaN, no zero */
} hd_float_special;

typedef struct hd_float_format {
  const char *name;
  int bits, exponent_bits, mantissa_bits, bias;
  hd_float_special special;
} hd_float_format;

extern const hd_float_format hd_float_formats[HD_FLOAT_KIND_COUNT];

/* The format that MLIR prints as the |size| characters at |name|; HD_FLOAT_KIND_COUNT for what is none. */
hd_float_kind hd_float_kind_of(const char *name, size_t size);

/* Of formats of at most 64 bits. The pattern of |value| rounded to nearest, ties to even. Overflow gives infinity where
 * the format has one, else NaN (FN, FNUZ, E8M0), else the largest finite value (f6, f4). */
uint64_t hd_float_encode(hd_float_kind kind, double value);
/* The value of a pattern; exact, as every format but f64 is a subset of f64. */
double hd_float_decode(hd_float_kind kind, uint64_t bits);
bool hd_float_bits_are_nan(hd_float_kind kind, uint64_t bits);

#endif
