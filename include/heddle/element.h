/* SPDX-License-Identifier: Apache-2.0 */
/* Element types as programs, artifacts and buffers name them. The numbers are part of the artifact format: never
 * reuse or renumber. In memory: i1 is one byte 0/1, other types under 8 bits take one byte each,
 * complex is interleaved (real, imaginary), all little-endian. */
#ifndef HEDDLE_ELEMENT_H_
#define HEDDLE_ELEMENT_H_

#include <stddef.h>
#include <stdint.h>

#include "heddle/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(id, number, text as MLIR prints it, name in RAL encodings, bytes in memory)
 * si/i: "i" is signless in MLIR text; "si" and "ui" say the sign. index is i64 everywhere outside the compiler. */
#define HD_ELEMENT_TYPES(X)                                 \
  X(I1, 1, "i1", "i1", 1)                                   \
  X(I2, 2, "i2", "i2", 1)                                   \
  X(I4, 3, "i4", "i4", 1)                                   \
  X(I8, 4, "i8", "i8", 1)                                   \
  X(I16, 5, "i16", "i16", 2)                                \
  X(I32, 6, "i32", "i32", 4)                                \
  X(I64, 7, "i64", "i64", 8)                                \
  X(UI2, 8, "ui2", "ui2", 1)                                \
  X(UI4, 9, "ui4", "ui4", 1)                                \
  X(UI8, 10, "ui8", "ui8", 1)                               \
  X(UI16, 11, "ui16", "ui16", 2)                            \
  X(UI32, 12, "ui32", "ui32", 4)                            \
  X(UI64, 13, "ui64", "ui64", 8)                            \
  X(SI2, 14, "si2", "si2", 1)                               \
  X(SI4, 15, "si4", "si4", 1)                               \
  X(SI8, 16, "si8", "si8", 1)                               \
  X(SI16, 17, "si16", "si16", 2)                            \
  X(SI32, 18, "si32", "si32", 4)                            \
  X(SI64, 19, "si64", "si64", 8)                            \
  X(F16, 20, "f16", "f16", 2)                               \
  X(BF16, 21, "bf16", "bf16", 2)                            \
  X(F32, 22, "f32", "f32", 4)                               \
  X(F64, 23, "f64", "f64", 8)                               \
  X(C64, 24, "complex<f32>", "cf32", 8)                     \
  X(C128, 25, "complex<f64>", "cf64", 16)                   \
  X(F4E2M1FN, 26, "f4E2M1FN", "f4E2M1FN", 1)                \
  X(F6E2M3FN, 27, "f6E2M3FN", "f6E2M3FN", 1)                \
  X(F6E3M2FN, 28, "f6E3M2FN", "f6E3M2FN", 1)                \
  X(F8E3M4, 29, "f8E3M4", "f8E3M4", 1)                      \
  X(F8E4M3, 30, "f8E4M3", "f8E4M3", 1)                      \
  X(F8E4M3FN, 31, "f8E4M3FN", "f8E4M3FN", 1)                \
  X(F8E4M3FNUZ, 32, "f8E4M3FNUZ", "f8E4M3FNUZ", 1)          \
  X(F8E4M3B11FNUZ, 33, "f8E4M3B11FNUZ", "f8E4M3B11FNUZ", 1) \
  X(F8E5M2, 34, "f8E5M2", "f8E5M2", 1)                      \
  X(F8E5M2FNUZ, 35, "f8E5M2FNUZ", "f8E5M2FNUZ", 1)          \
  X(F8E8M0FNU, 36, "f8E8M0FNU", "f8E8M0FNU", 1)             \
  X(TOKEN, 37, "!stablehlo.token", "token", 0)

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
