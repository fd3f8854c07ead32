/* SPDX-License-Identifier: Apache-2.0 */
/* The floating-point environment that programs are compiled, evaluated and run in, whatever the caller's is: rounding
 * to nearest, ties to even; subnormal numbers kept; no traps. Threads start with that of the thread that makes them. */
#ifndef HD_BASE_FLOAT_ENV_H
#define HD_BASE_FLOAT_ENV_H

#if defined(__x86_64__)

enum { HD_MXCSR_FLAGS = 0x3f, HD_MXCSR_DEFAULT = 0x1f80 };

/* Makes it this thread's, and gives what was there. A few cycles when it is so already. */
static inline unsigned hd_float_env_enter(void) {
  unsigned former = __builtin_ia32_stmxcsr();
  if ((former & ~(unsigned)HD_MXCSR_FLAGS) != HD_MXCSR_DEFAULT) __builtin_ia32_ldmxcsr(HD_MXCSR_DEFAULT);
  return former;
}

/* Gives back what enter found. */
static inline void hd_float_env_leave(unsigned former) {
  if ((former & ~(unsigned)HD_MXCSR_FLAGS) != HD_MXCSR_DEFAULT) __builtin_ia32_ldmxcsr(former);
}

#else
#include <fenv.h>

static inline unsigned hd_float_env_enter(void) {
  int former = fegetround();
  if (former != FE_TONEAREST) (void)fesetround(FE_TONEAREST);
  return (unsigned)former;
}

static inline void hd_float_env_leave(unsigned former) {
  if ((int)former != FE_TONEAREST) (void)fesetround((int)former);
}

#endif
#endif
