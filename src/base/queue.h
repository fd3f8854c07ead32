/* SPDX-License-Identifier: Apache-2.0 */
/* Work for one thread, done in the order in which it came. The thread is started by the first piece and takes no
 * signals. After a fork the parent does what was queued, and the child's queue is empty and starts a thread of its own.
 * Thread-safe. */
#ifndef HD_BASE_QUEUE_H_
#define HD_BASE_QUEUE_H_

#include "base/status.h"

typedef struct hd_queue hd_queue;

hd_status hd_queue_create(hd_queue **out_queue) HD_MUST_USE;
/* Waits for what is queued; null is fine. Work may free its own queue when nothing is left in it: the thread ends with
 * that work. */
void hd_queue_free(hd_queue *queue);
/* Runs |work|(argument) on the queue's thread after what was queued before. RESOURCE_EXHAUSTED: it will not run. */
hd_status hd_queue_push(hd_queue *queue, void (*work)(void *argument), void *argument) HD_MUST_USE;

#endif
