/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code of PTX by nvJitLink, a library of CUDA's toolkit: in the place of ptxas where that is missing, and of
 * the driver's own compiler where that refuses the version of the text. Thread-safe. */
#ifndef HD_RUNTIME_DRIVERS_CUDA_JIT_LINK_H_
#define HD_RUNTIME_DRIVERS_CUDA_JIT_LINK_H_

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct hd_jit_linked {
  void *cubin;
  size_t size;
  char *log; /* what ptxas says with -v; null unless asked for */
} hd_jit_linked;

/* UNAVAILABLE, with the loader's message, where the library is missing or too old. */
hd_status hd_jit_link_open(void) HD_MUST_USE;
/* |size| bytes of PTX for sm_|architecture|. INTERNAL with the first line of what it says where it refuses the text. */
hd_status hd_jit_link(const void *ptx, size_t size, uint32_t architecture, bool log, hd_jit_linked *out) HD_MUST_USE;
void hd_jit_linked_free(hd_jit_linked *linked);

#endif
