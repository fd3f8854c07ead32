/* SPDX-License-Identifier: Apache-2.0 */
/* Promises: what will be known (event.c). Thread-safe. */
#ifndef HD_FRONT_PJRT_PROMISE_H_
#define HD_FRONT_PJRT_PROMISE_H_

#include <stdatomic.h>

#include "abi.h"
#include "base/status.h"
#include "heddle/runtime.h"

/* The end of some work, with its outcome, and for a buffer's promise the memory that holds its value. PJRT_Event is
 * one reference to it, which looks at the outcome alone. */
typedef struct PJRT_Event hd_promise;

struct PJRT_Event {
  atomic_ullong references; /* all in the lower half, those of events in the upper one too */
  atomic_bool done;
  hd_status outcome; /* once done; kept */
  hd_buffer *value;  /* once done without failure; kept. May be null: an end without a value */
  struct hd_promise_callback *callbacks;
  struct PJRT_Event *next, **link; /* in the list of those that other threads keep */
};

/* One reference; null when memory is short. */
hd_promise *hd_promise_create(void);
/* A promise that is kept already: takes |outcome| and |value|. */
hd_promise *hd_promise_create_done(hd_status outcome, hd_buffer *value);
hd_promise *hd_promise_retain(hd_promise *promise);
void hd_promise_release(hd_promise *promise);
/* A reference becomes that of an event, and goes with it (PJRT_Event_Destroy). */
PJRT_Event *hd_promise_as_event(hd_promise *promise);
/* Is the caller the only one who may read the value? */
bool hd_promise_is_sole(hd_promise *promise);
/* Ends |promise| once; takes |outcome| and |value|. Callbacks run on this thread. */
void hd_promise_keep(hd_promise *promise, hd_status outcome, hd_buffer *value);
bool hd_promise_is_done(hd_promise *promise);
/* Another thread keeps |promise|. A forked child does not have it: there the promise is ABORTED when anything is asked
 * of promises. */
void hd_promise_leave_to_thread(hd_promise *promise);
void hd_promise_wait(hd_promise *promise);
/* |done|(user) once when |promise| is done, now when it is already. False when memory is short: not registered. */
bool hd_promise_on_done(hd_promise *promise, void (*done)(void *user), void *user) HD_MUST_USE;

#endif
