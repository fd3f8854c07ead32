/* SPDX-License-Identifier: Apache-2.0 */
/* The monotonic clock, the one that durations and deadlines are measured with. */
#ifndef HD_BASE_CLOCK_H
#define HD_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since an arbitrary point that does not change while the process lives. Any thread. */
static inline int64_t hd_clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The same in seconds. */
static inline double hd_clock_seconds(void) { return 1e-9 * (double)hd_clock_ns(); }

#endif
