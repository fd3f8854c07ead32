/* SPDX-License-Identifier: Apache-2.0 */
/* Constants files: the constants of compiled programs in a file of their own, which any number of artifacts share. The
 * compiler gives the bytes of one (hd_compile_options.out_constants); an artifact names its file, and loading maps it
 * (heddle/runtime.h). A constant is found by the hash of its content and its type, so the same weight in two programs
 * is stored once, and no file can be mistaken for another one. Needs no compiler. */
#ifndef HEDDLE_CONSTANTS_H_
#define HEDDLE_CONSTANTS_H_

#include <stddef.h>
#include <stdint.h>

#include "heddle/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_constants_stats {
  uint32_t constants; /* in the file now */
  uint32_t added;     /* of those, by this call */
  uint64_t bytes;     /* of the file */
} hd_constants_stats;

/* Adds the constants of |data|, the bytes of a constants file, to the file |path|, which is made if there is none. What
 * is in the file stays, unless its content is damaged and |data| has it; the file is replaced as a whole, so processes
 * that have it open keep what they have, and left alone if nothing is new. Callers in several processes take turns.
 * |out_stats| may be null. Errors name the file: DATA_LOSS for what is no constants file or is damaged. Thread-safe. */
HD_API hd_status hd_constants_update(const char *path, const void *data, size_t size,
                                     hd_constants_stats *out_stats) HD_MUST_USE;

#ifdef __cplusplus
}
#endif
#endif
