/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer pool: keeps freed device memory for reuse, best fit first. A block that is much larger than
 * what is asked for is divided; parts become one again when all of it is free. What it keeps is bounded:
 * blocks in use and kept together stay below 5/4 of the most that was ever in use, the longest unused going
 * first. What work on a device gives back is that work's until it is done, and others' afterwards: it is
 * used again in the order of a stream. Thread-safe. */
#ifndef HD_RUNTIME_MEMORY_H_
#define HD_RUNTIME_MEMORY_H_

#include "heddle/runtime.h"
#include "runtime/bounds.h"
#include "runtime/driver.h"
#include "runtime/work.h"

typedef struct hd_memory hd_memory;

/* |limit|: bytes in use and kept together, 0 for none. |driver| is lent. */
hd_status hd_memory_create(hd_driver *driver, size_t limit, hd_memory **out_memory) HD_MUST_USE;
/* Everything must have been given back. */
void hd_memory_free(hd_memory *memory);
/* From now on each buffer is between guards of |bounds|, which is lent, and nothing is kept for reuse. Before the first
 * is taken; for memory that the host may touch. */
void hd_memory_guard(hd_memory *memory, hd_bounds *bounds);
/* At least |bytes|, aligned to 64; |*out_capacity| is what it really has and what to give back. |work|: that uses it in
 * its stream alone, so far; null: anybody. */
hd_status hd_memory_take(hd_memory *memory, size_t bytes, hd_work *work, void **out_data,
                         size_t *out_capacity) HD_MUST_USE;
/* |work|: what is in its stream may still use it; null: nothing does. */
void hd_memory_give(hd_memory *memory, void *data, size_t capacity, hd_work *work);
/* Releases all that is kept. */
void hd_memory_trim(hd_memory *memory);
hd_memory_stats hd_memory_read(hd_memory *memory);

#endif
