/* SPDX-License-Identifier: Apache-2.0 */
/* Words of the host that a program hands to a library call. The compiler stores them one by one, the runtime and the
 * evaluator read them as a struct of int64_t: an *_abi.h header declares it, and all three name its fields.
 *
 *   descriptor[HD_WORD(hd_fft_descriptor, kind)] = ...;      the compiler: which word of the table a field is
 *   const hd_fft_descriptor *f = descriptor; ... f->kind     the runtime
 *
 * HD_ABI_LAYOUT pins the words of a struct: who adds or removes a field meets the assertion, and counts up
 * HD_ABI_VERSION (abi.h), by which the loader refuses artifacts of other layouts. */
#ifndef HD_RUNTIME_WORDS_ABI_H_
#define HD_RUNTIME_WORDS_ABI_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/abi.h"

#define HD_WORDS(type) ((uint32_t)(sizeof(type) / sizeof(int64_t)))
#define HD_WORD(type, field) ((uint32_t)(offsetof(type, field) / sizeof(int64_t)))

#define HD_ABI_LAYOUT(type, words, last)                                                                \
  _Static_assert(sizeof(type) == (words) * sizeof(int64_t), #type " changed: count up HD_ABI_VERSION"); \
  _Static_assert(offsetof(type, last) + sizeof(((type *)NULL)->last) == sizeof(type), #type ": " #last " is not last")

#endif
