/* SPDX-License-Identifier: Apache-2.0 */
/* The simt target: kernels in machine form in, an image for the interpreter out (runtime/drivers/simt). Thread-safe. */
#ifndef HD_TARGET_SIMT_SIMT_H_
#define HD_TARGET_SIMT_SIMT_H_

#include "ir/op.h"

/* All kernels of |module|'s gpu.modules, which must be in machine form (verify-machine-form), as one image in |arena|.
 * NOT_FOUND when there is no gpu.module; UNIMPLEMENTED names an op without code, located. */
hd_status hd_simt_image(hd_module *module, hd_arena *arena, hd_str *out_image) HD_MUST_USE;

#endif
