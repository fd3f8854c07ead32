/* SPDX-License-Identifier: Apache-2.0 */
/* Frees on every path through the blocks of a region, for disc-buffer-deallocation. */
#ifndef HD_PASSES_BUFFER_FREE_ON_PATHS_H_
#define HD_PASSES_BUFFER_FREE_ON_PATHS_H_

#include "passes/passes.h"

/* Frees the |count| buffers |owned|, all defined in blocks of |region|, and the block arguments that take them over.
 * False with a diagnostic at a jump where only the run tells whether a buffer is to be freed. */
bool hd_free_on_paths(hd_pass *pass, hd_region *region, hd_value *const *owned, size_t count);

#endif
