/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a device's allocations, by address: what launches may reach and copies touch. Thread-safe: who looks
 * things up holds the lock shared as long as it uses what it found. */
#ifndef HD_RUNTIME_DRIVERS_SIMT_RANGES_H_
#define HD_RUNTIME_DRIVERS_SIMT_RANGES_H_

#include <pthread.h>

#include "base/fork.h"
#include "runtime/drivers/simt/interpreter.h"

typedef struct hd_simt_ranges {
  pthread_rwlock_t lock;
  hd_fork_guard guard;       /* a forked child finds the table whole and the lock free */
  hd_simt_allocation *items; /* sorted; not null */
  size_t count, room;
} hd_simt_ranges;

/* False when memory is short. It stays where it is until it is freed. */
bool hd_simt_ranges_init(hd_simt_ranges *ranges);
void hd_simt_ranges_free(hd_simt_ranges *ranges);
/* False when memory is short. It is apart from the others. */
bool hd_simt_ranges_add(hd_simt_ranges *ranges, hd_simt_allocation added);
/* The one that begins at |address|, which the table has no longer; zeros where there is none. */
hd_simt_allocation hd_simt_ranges_remove(hd_simt_ranges *ranges, const void *address);
/* The one that |address| is in; null. The caller holds the lock. */
const hd_simt_allocation *hd_simt_ranges_at(const hd_simt_ranges *ranges, const void *address);
/* Is |address| in one? Takes the lock. */
bool hd_simt_ranges_has(hd_simt_ranges *ranges, const void *address);

#endif
