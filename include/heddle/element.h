/* SPDX-License-Identifier: Apache-2.0 */
/* Element types as programs, artifacts and buffers name them. The numbers are part of the artifact format: never
 * reuse or renumber. In memory: i1 is one byte 0/1, other types under 8 bits take one byte each,
 * complex is interleaved (real, imaginary), all little-endian. */
#ifndef HEDDLE_ELEMENT_H_
#define HEDDLE_ELEMENT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Complex numbers as functions of heddle/ral.h take them by value. */
typedef struct hd_ral_cf32 {
  float re, im;
} hd_ral_cf32;
typedef struct hd_ral_cf64 {
  double re, im;
} hd_ral_cf64;

/* X(id, number, class, bits, name in MLIR, name in RAL encodings, name in XLA, C type of one as an argument or a
 * result) In memory a type takes its bits rounded up to bytes. XLA: PrimitiveType's names, which PJRT, its FFI and (in
 * lower case) HLO text have too; INVALID: it has none. index is i64 everywhere outside the compiler. */
/* clang-format off */
#define HD_ELEMENT_TYPES(X)                                                                                            \
  X(I1,            1,  BOOL,     1,   "i1",               i1,            PRED,          bool)                          \
  X(I2,            2,  SIGNLESS, 2,   "i2",               i2,            S2,            int8_t)                        \
  X(I4,            3,  SIGNLESS, 4,   "i4",               i4,            S4,            int8_t)                        \
  X(I8,            4,  SIGNLESS, 8,   "i8",               i8,            S8,            int8_t)                        \
  X(I16,           5,  SIGNLESS, 16,  "i16",              i16,           S16,           int16_t)                       \
  X(I32,           6,  SIGNLESS, 32,  "i32",              i32,           S32,           int32_t)                       \
  X(I64,           7,  SIGNLESS, 64,  "i64",              i64,           S64,           int64_t)                       \
  X(UI2,           8,  UNSIGNED, 2,   "ui2",              ui2,           U2,            uint8_t)                       \
  X(UI4,           9,  UNSIGNED, 4,   "ui4",              ui4,           U4,            uint8_t)                       \
  X(UI8,           10, UNSIGNED, 8,   "ui8",              ui8,           U8,            uint8_t)                       \
  X(UI16,          11, UNSIGNED, 16,  "ui16",             ui16,          U16,           uint16_t)                      \
  X(UI32,          12, UNSIGNED, 32,  "ui32",             ui32,          U32,           uint32_t)                      \
  X(UI64,          13, UNSIGNED, 64,  "ui64",             ui64,          U64,           uint64_t)                      \
  X(SI2,           14, SIGNED,   2,   "si2",              si2,           S2,            int8_t)                        \
  X(SI4,           15, SIGNED,   4,   "si4",              si4,           S4,            int8_t)                        \
  X(SI8,           16, SIGNED,   8,   "si8",              si8,           S8,            int8_t)                        \
  X(SI16,          17, SIGNED,   16,  "si16",             si16,          S16,           int16_t)                       \
  X(SI32,          18, SIGNED,   32,  "si32",             si32,          S32,           int32_t)                       \
  X(SI64,          19, SIGNED,   64,  "si64",             si64,          S64,           int64_t)                       \
  X(F16,           20, FLOAT,    16,  "f16",              f16,           F16,           uint16_t)                      \
  X(BF16,          21, FLOAT,    16,  "bf16",             bf16,          BF16,          uint16_t)                      \
  X(F32,           22, FLOAT,    32,  "f32",              f32,           F32,           float)                         \
  X(F64,           23, FLOAT,    64,  "f64",              f64,           F64,           double)                        \
  X(C64,           24, COMPLEX,  64,  "complex<f32>",     cf32,          C64,           hd_ral_cf32)                   \
  X(C128,          25, COMPLEX,  128, "complex<f64>",     cf64,          C128,          hd_ral_cf64)                   \
  X(F4E2M1FN,      26, FLOAT,    4,   "f4E2M1FN",         f4E2M1FN,      F4E2M1FN,      uint8_t)                       \
  X(F6E2M3FN,      27, FLOAT,    6,   "f6E2M3FN",         f6E2M3FN,      INVALID,       uint8_t)                       \
  X(F6E3M2FN,      28, FLOAT,    6,   "f6E3M2FN",         f6E3M2FN,      INVALID,       uint8_t)                       \
  X(F8E3M4,        29, FLOAT,    8,   "f8E3M4",           f8E3M4,        F8E3M4,        uint8_t)                       \
  X(F8E4M3,        30, FLOAT,    8,   "f8E4M3",           f8E4M3,        F8E4M3,        uint8_t)                       \
  X(F8E4M3FN,      31, FLOAT,    8,   "f8E4M3FN",         f8E4M3FN,      F8E4M3FN,      uint8_t)                       \
  X(F8E4M3FNUZ,    32, FLOAT,    8,   "f8E4M3FNUZ",       f8E4M3FNUZ,    F8E4M3FNUZ,    uint8_t)                       \
  X(F8E4M3B11FNUZ, 33, FLOAT,    8,   "f8E4M3B11FNUZ",    f8E4M3B11FNUZ, F8E4M3B11FNUZ, uint8_t)                       \
  X(F8E5M2,        34, FLOAT,    8,   "f8E5M2",           f8E5M2,        F8E5M2,        uint8_t)                       \
  X(F8E5M2FNUZ,    35, FLOAT,    8,   "f8E5M2FNUZ",       f8E5M2FNUZ,    F8E5M2FNUZ,    uint8_t)                       \
  X(F8E8M0FNU,     36, FLOAT,    8,   "f8E8M0FNU",        f8E8M0FNU,     F8E8M0FNU,     uint8_t)                       \
  X(TOKEN,         37, TOKEN,    0,   "!stablehlo.token", token,         TOKEN,         struct hd_ral_token_element *)
/* clang-format on */

typedef enum hd_element_type {
  HD_ELEMENT_INVALID = 0,
#define X(id, number, ...) HD_ELEMENT_##id = number,
  HD_ELEMENT_TYPES(X)
#undef X
      HD_ELEMENT_TYPE_LIMIT = 38
} hd_element_type;

/* Bytes of one element in memory; 0 for tokens and what is no element type. */
HD_API size_t hd_element_bytes(hd_element_type type);
/* As MLIR prints it, "?" for what is no element type; static. */
HD_API const char *hd_element_text(hd_element_type type);
/* The type that MLIR prints as |text| ("index" is i64), or HD_ELEMENT_INVALID. */
HD_API hd_element_type hd_element_from_text(const char *text);

#ifdef __cplusplus
}
#endif
#endif
