/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts of tiles, shown: which thread and register, or which offset in shared memory, holds each element of a tensor.
 * Provided by libheddle.so. Thread-safe. */
#ifndef HEDDLE_LAYOUT_H_
#define HEDDLE_LAYOUT_H_

#include "heddle/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hd_layout_format { HD_LAYOUT_TEXT, HD_LAYOUT_JSON, HD_LAYOUT_SVG } hd_layout_format;

typedef struct hd_layout_options {
  size_t struct_size;
  const char *to; /* another layout, may be null: what it costs to bring a tile from |layout| there; a shared one:
                            what reading or writing it there costs */
  uint32_t element_bits; /* 8, 16, 32 or 64 */
} hd_layout_options;

#define HD_LAYOUT_OPTIONS_INIT {.struct_size = sizeof(hd_layout_options), .element_bits = 32}

/* Draws |layout|, a layout attribute as text (`#ttg.blocked<{...}>`), over a tensor of |shape| (`16x16`). |options| may
 * be null. INVALID_ARGUMENT names what was expected and got. */
HD_API hd_status hd_layout_show(const char *layout, const char *shape, const hd_layout_options *options,
                                hd_layout_format format, hd_message_sink sink, hd_blob *out_text) HD_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
