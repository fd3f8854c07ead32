/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code of PTX by the program ptxas of CUDA's toolkit, or by its library
 * nvJitLink, where there is one. Thread-safe. */
#ifndef HD_TARGET_CUDA_PTXAS_H_
#define HD_TARGET_CUDA_PTXAS_H_

#include "base/arena.h"
#include "base/status.h"
#include "base/strbuf.h"

/* What it says of a kernel. */
typedef struct hd_ptxas_kernel {
  hd_str name;
  uint32_t registers, spill_bytes;
} hd_ptxas_kernel;

typedef struct hd_ptxas_result {
  hd_str cubin;
  const hd_ptxas_kernel *kernels;
  size_t kernel_count;
} hd_ptxas_result;

/* Runs |program| (a path, or a name that is looked up in PATH) on |ptx| for sm_|architecture|; all that it gives is on
 * |arena|. "nvJitLink" is the library, which also does it where |program| is "ptxas" and PATH has none. NOT_FOUND when
 * there is no such program (and no such library), INTERNAL with its first line when it refuses the text. */
hd_status hd_ptxas(const char *program, hd_str ptx, uint32_t architecture, hd_arena *arena,
                   hd_ptxas_result *out_result) HD_MUST_USE;

#endif
