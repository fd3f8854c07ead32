/* SPDX-License-Identifier: Apache-2.0 */
/* Making, passing on and joining statuses inside Heddle. The public half is heddle/status.h. */
#ifndef HD_BASE_STATUS_H_
#define HD_BASE_STATUS_H_

#include "heddle/status.h"

/* A failure with a printf-formatted message: lower case, no full stop, expected and got. Never returns OK: when
 * memory is short it returns a static RESOURCE_EXHAUSTED status. */
#define hd_make_status(code, ...) hd_status_make_((code), __FILE__, __LINE__, __VA_ARGS__)
hd_status hd_status_make_(hd_status_code code, const char *file, int line, const char *format, ...)
    HD_PRINTF(4, 5) HD_MUST_USE;

/* Puts "context: " before the message of |status| (OK stays OK). Takes |status|. */
hd_status hd_status_annotate(hd_status status, const char *format, ...) HD_PRINTF(2, 3) HD_MUST_USE;

/* Both failures as one, |first|'s code winning, what both say said once; either may be OK. Takes both. */
hd_status hd_status_join(hd_status first, hd_status second) HD_MUST_USE;

/* Drops a status on purpose (a best-effort clean-up whose failure changes nothing). */
static inline void hd_status_ignore(hd_status status) { hd_status_free(status); }

/* Returns from the enclosing function when |expr| fails. */
#define HD_TRY(expr)                                      \
  do {                                                    \
    hd_status hd_try_status_ = (expr);                    \
    if (!hd_is_ok(hd_try_status_)) return hd_try_status_; \
  } while (0)

/* The same, with context put before the message. */
#define HD_TRY_MSG(expr, ...)                                                              \
  do {                                                                                     \
    hd_status hd_try_status_ = (expr);                                                     \
    if (!hd_is_ok(hd_try_status_)) return hd_status_annotate(hd_try_status_, __VA_ARGS__); \
  } while (0)

/* Returns INVALID_ARGUMENT from a public function whose caller gave a null pointer that its header does not allow. */
#define HD_REQUIRE(pointer)                                                                             \
  do {                                                                                                  \
    if (!(pointer)) return hd_make_status(HD_INVALID_ARGUMENT, "%s: '%s' is null", __func__, #pointer); \
  } while (0)

/* A broken invariant of Heddle itself, never of its input. Compiled out in release builds. */
#if defined(NDEBUG)
#define HD_ASSERT(cond) ((void)sizeof(!(cond)))
#define HD_UNREACHABLE() __builtin_unreachable()
#else
#include <assert.h>
#define HD_ASSERT(cond) assert(cond)
#define HD_UNREACHABLE() (assert(!"unreachable"), __builtin_unreachable())
#endif

#endif
