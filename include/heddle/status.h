/* SPDX-License-Identifier: Apache-2.0 */
/* A must-use, one-word result for everything that input or the machine can make fail.
 *
 * OK is the null word and costs nothing; a failure owns a small heap object with a code, a message and the
 * place in Heddle's source where it was raised. Whoever receives a status owns it: return it on, or
 * hd_status_free it. Thread-safe: a status may move between threads; one status is used by one thread at a time. */
#ifndef HEDDLE_STATUS_H_
#define HEDDLE_STATUS_H_

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HD_MUST_USE __attribute__((warn_unused_result))
#define HD_PRINTF(format_index, first_arg) __attribute__((format(printf, format_index, first_arg)))
#else
#define HD_MUST_USE
#define HD_PRINTF(format_index, first_arg)
#endif

#if defined(HD_BUILDING_LIBRARY)
#define HD_API __attribute__((visibility("default")))
#else
#define HD_API
#endif

/* The codes of absl::Status, which PJRT_Error_Code shares, so a door maps them 1:1. */
typedef enum hd_status_code {
  HD_OK = 0,
  HD_CANCELLED = 1,
  HD_UNKNOWN = 2,
  HD_INVALID_ARGUMENT = 3,
  HD_DEADLINE_EXCEEDED = 4,
  HD_NOT_FOUND = 5,
  HD_ALREADY_EXISTS = 6,
  HD_PERMISSION_DENIED = 7,
  HD_RESOURCE_EXHAUSTED = 8,
  HD_FAILED_PRECONDITION = 9,
  HD_ABORTED = 10,
  HD_OUT_OF_RANGE = 11,
  HD_UNIMPLEMENTED = 12,
  HD_INTERNAL = 13,
  HD_UNAVAILABLE = 14,
  HD_DATA_LOSS = 15,
  HD_UNAUTHENTICATED = 16,
} hd_status_code;

/* Null is OK. */
typedef struct hd_status_object *hd_status;

#define HD_STATUS_OK ((hd_status)0)

static inline bool hd_is_ok(hd_status status) { return status == HD_STATUS_OK; }

/* A failure for functions of the embedder that answer with one; |message| is copied. OK for HD_OK. */
HD_API hd_status hd_status_create(hd_status_code code, const char *message) HD_MUST_USE;

/* The code of |status|; borrows it. */
HD_API hd_status_code hd_status_code_of(hd_status status);

/* The message of |status|, "" when OK; lives as long as |status|. Several joined causes are separated by "; ". */
HD_API const char *hd_status_message(hd_status status);

/* The upper-case name of |code|, such as "INVALID_ARGUMENT"; static. */
HD_API const char *hd_status_code_name(hd_status_code code);

/* Frees |status|; OK is allowed. */
HD_API void hd_status_free(hd_status status);

#ifdef __cplusplus
}
#endif
#endif
