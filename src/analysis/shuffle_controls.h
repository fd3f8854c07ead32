/* SPDX-License-Identifier: Apache-2.0 */
/* What a gpu.shuffle passes to PTX's shfl.sync, for all that make one of the other.
 *
 * The first |width| lanes of a warp take part, whatever |width| is: lane l of them reads lane s, by the mode, and is
 * valid where 0 <= s < width.
 * So shfl.sync gets the mask ~0 >> (32 - width), no bits of segments (a warp is one), and as the clamp the lane that s
 * may not go beyond: lane 0 for up, which only goes down, and lane width - 1 for the others. */
#ifndef HD_ANALYSIS_SHUFFLE_CONTROLS_H_
#define HD_ANALYSIS_SHUFFLE_CONTROLS_H_

#include "ir/ops/enums.h"

typedef struct hd_shuffle_controls {
  hd_enum_nvvm_shfl_kind kind;
  bool clamps_at_first; /* the clamp is 0, not width - 1 */
} hd_shuffle_controls;

static inline hd_shuffle_controls hd_shuffle_controls_of(hd_enum_gpu_shuffle_mode mode) {
  switch (mode) {
    case HD_GPU_SHUFFLE_MODE_UP:
      return (hd_shuffle_controls){HD_NVVM_SHFL_KIND_UP, true};
    case HD_GPU_SHUFFLE_MODE_DOWN:
      return (hd_shuffle_controls){HD_NVVM_SHFL_KIND_DOWN, false};
    case HD_GPU_SHUFFLE_MODE_IDX:
      return (hd_shuffle_controls){HD_NVVM_SHFL_KIND_IDX, false};
    default:
      return (hd_shuffle_controls){HD_NVVM_SHFL_KIND_BFLY, false};
  }
}

#endif
