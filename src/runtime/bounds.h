/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers between guards, for runtimes that check bounds: generated code has no checks of
 * its own, and a sanitizer does not see it.
 *
 *   | no access | red zone ........ | data | red zone < 64 bytes | no access |
 *   '-- page ---'                                                '-- page ---'
 *
 * What reaches further than the red zones faults where it happens; a write into a red zone is found when they are
 * looked at, which the runtime does after every launch, copy and library call. Memory begins as bytes that make a read
 * of what was not written show, and is unmapped when it is given back.
 *
 * A buffer belongs to the execution that claimed it, and what is written beside it is reported to that one. Constants,
 * packed weights, bound arguments and what the caller has are shared: what is written beside them is reported to every
 * execution that is under way, since any may have done it. Thread-safe; a forked child has them whole. */
#ifndef HD_RUNTIME_BOUNDS_H_
#define HD_RUNTIME_BOUNDS_H_

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct hd_bounds hd_bounds;

/* An execution, from hd_bounds_begin to hd_bounds_end. */
typedef struct hd_bounds_run {
  hd_status broken; /* the first write beside a buffer of its own since the last check */
  uint64_t seen;    /* writes beside shared buffers, and wrong gives, reported to it */
} hd_bounds_run;

hd_status hd_bounds_create(hd_bounds **out_bounds) HD_MUST_USE;
/* Everything must have been given back. */
void hd_bounds_free(hd_bounds *bounds);
/* |bytes| bytes, aligned to 64, that end less than 64 bytes before a page without access; shared. */
hd_status hd_bounds_take(hd_bounds *bounds, size_t bytes, void **out_data) HD_MUST_USE;
/* What is no buffer, or was given back before, is reported to every execution that is under way, and left alone. */
void hd_bounds_give(hd_bounds *bounds, void *data);
void hd_bounds_begin(hd_bounds *bounds, hd_bounds_run *run);
/* The buffer that begins at |data|, if there is one, is |run|'s until it ends. */
void hd_bounds_claim(hd_bounds *bounds, hd_bounds_run *run, const void *data);
/* INTERNAL for a red zone that was written to since the last call, of a buffer that was given back meanwhile too. */
hd_status hd_bounds_check(hd_bounds *bounds, hd_bounds_run *run) HD_MUST_USE;
/* Checks once more; what is left of |run|'s is shared. */
hd_status hd_bounds_end(hd_bounds *bounds, hd_bounds_run *run) HD_MUST_USE;

#endif
