/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers that are only another way to see a buffer: transposes, slices, reshapes and broadcasts as strides. */
#ifndef HD_ANALYSIS_VIEWS_H_
#define HD_ANALYSIS_VIEWS_H_

#include "shape/shapes.h"

typedef struct hd_view {
  hd_value *root; /* the buffer that holds the elements */
  hd_dim offset;  /* of element 0, in elements */
  uint32_t rank;
  hd_dim sizes[HD_COMPILED_MAX_RANK], strides[HD_COMPILED_MAX_RANK];
} hd_view;

/* Sees |buffer| through the ops in |writers| (memref -> buffer op); where one cannot be seen through, |root| is its
 * result. False when a size is unknown. */
bool hd_view_of(hd_shapes *shapes, const hd_map *writers, hd_value *buffer, hd_view *out);

#endif
