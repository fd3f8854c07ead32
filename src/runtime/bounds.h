/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers between guards, for runtimes that check bounds: generated code has no checks of its own, and a sanitizer does not
 * see it.
 *
 *   | no access | red zone ........ | data | red zone < 64 bytes | no access |
 *   '-- page ---'                                                '-- page ---'
 *
 * What reaches further than the red zones faults where it happens; a write into a red zone is found when all are looked at,
 * which the runtime does behind every launch, copy and library call. Memory begins as bytes that make a read of what was not
 * written show, and is unmapped when it is given back. Needs external synchronisation (runtime/memory.c has it). */
#ifndef HD_RUNTIME_BOUNDS_H_
#define HD_RUNTIME_BOUNDS_H_

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct hd_bounds hd_bounds;

hd_status hd_bounds_create(hd_bounds **out_bounds) HD_MUST_USE;
/* Everything must have been given back. */
void hd_bounds_free(hd_bounds *bounds);
/* |bytes| bytes, aligned to 64, that end less than 64 bytes before a page without access. */
hd_status hd_bounds_take(hd_bounds *bounds, size_t bytes, void **out_data) HD_MUST_USE;
void hd_bounds_give(hd_bounds *bounds, void *data);
/* INTERNAL for a red zone that was written to since the last call, of a buffer that was given back meanwhile too. */
hd_status hd_bounds_check(hd_bounds *bounds) HD_MUST_USE;
/* True for memory that starts in a buffer of |bounds|. */
bool hd_bounds_has(const hd_bounds *bounds, const void *data);

#endif
