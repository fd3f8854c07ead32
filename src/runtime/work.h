/* SPDX-License-Identifier: Apache-2.0 */
/* Work on a device: what one execution has put in its stream, until it is done. Of drivers with queues; others have
 * none, and null stands for work that is done.
 *
 *   begin ── copies, launches in hd_work_stream ── wait                     the execution waits for its end, or
 *                                               └─ later ... wait           its results do
 *
 * Counted; thread-safe but for the stream, which is the execution's thread's until hd_work_later. */
#ifndef HD_RUNTIME_WORK_H_
#define HD_RUNTIME_WORK_H_

#include "runtime/driver.h"

typedef struct hd_works hd_works; /* those of a runtime: idle streams, and what is under way */
typedef struct hd_work hd_work;

enum { HD_MOST_PENDING = 32 };

/* Null, which is fine for all below, for a driver without queues. */
hd_status hd_works_create(hd_driver *driver, hd_works **out_works) HD_MUST_USE;
/* All work has ended. */
void hd_works_free(hd_works *works);
/* Ends what is done, and frees what it kept. */
void hd_works_reap(hd_works *works);
/* Waits for all that goes on by itself; false where nothing did. Outcomes are its own. */
bool hd_works_wait(hd_works *works);

hd_status hd_work_begin(hd_works *works, hd_work **out_work) HD_MUST_USE;
hd_work *hd_work_retain(hd_work *work);
/* Work that was begun is waited for before its last reference goes. */
void hd_work_release(hd_work *work);
hd_stream *hd_work_stream(hd_work *work); /* null for null */
/* What |work| does from here on comes after |other|, whose failure is its own too. */
hd_status hd_work_follow(hd_work *work, hd_work *other) HD_MUST_USE;
/* The same for all that goes on by itself. */
hd_status hd_work_follow_all(hd_work *work) HD_MUST_USE;
/* |release|(|data|) when the work has ended, on the thread that ends it; now when memory is short, after a wait. */
void hd_work_keep(hd_work *work, void (*release)(void *data), void *data);
/* From here on it goes on by itself. Where much does (HD_MOST_PENDING), the oldest is waited for first: what goes on
 * holds its temporary memory, so the host may not run ahead without bound. */
hd_status hd_work_later(hd_work *work) HD_MUST_USE;
/* Waits for its end and gives the outcome, a new status each time: a failure of what it followed, else of its own;
 * ABORTED in a child that was forked before the end. */
hd_status hd_work_wait(hd_work *work) HD_MUST_USE;
/* Looks; waits for nothing and frees nothing. */
bool hd_work_is_done(hd_work *work);

#endif
