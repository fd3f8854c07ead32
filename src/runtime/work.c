/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/work.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/fork.h"

typedef struct lane {
  struct lane *next;
  hd_stream *stream;
  hd_device_event *event;
} lane;

struct hd_works {
  hd_driver *driver;
  pthread_mutex_t mutex;
  lane *idle;
  hd_work *pending; /* retained: what goes on by itself, the latest first */
  uint32_t pending_count;
  hd_work *all; /* that there is, for a forked child */
  hd_fork_guard guard;
};

typedef struct kept {
  struct kept *next;
  void (*release)(void *data);
  void *data;
} kept;

typedef struct followed {
  struct followed *next;
  hd_work *work; /* retained */
} followed;

struct hd_work {
  atomic_int references;
  hd_works *works;
  pthread_mutex_t mutex; /* of all below */
  atomic_bool done;
  bool recorded, listed;
  bool lost; /* it is the parent's, which forked meanwhile */
  lane *lane;
  hd_status outcome;
  kept *kept;
  followed *followed;
  hd_work *next; /* pending */
  hd_work *older, *newer;
};

/* ---- forks ---- */

static void lock_for_fork(void *user) { pthread_mutex_lock(&((hd_works *)user)->mutex); }
static void unlock_after_fork(void *user) { pthread_mutex_unlock(&((hd_works *)user)->mutex); }

/* The thread that held the mutex of a work is not here: what it protects is whole but for the lane, whose stream is the
 * driver's to make anew. */
static void lose(hd_works *works, hd_work *work) {
  pthread_mutex_init(&work->mutex, NULL);
  if (!work->lane) return;
  work->lost = true;
  work->lane->next = works->idle;
  works->idle = work->lane;
  work->lane = NULL;
  atomic_store_explicit(&work->done, true, memory_order_relaxed);
}

static void reset_after_fork(void *user) {
  hd_works *works = user;
  for (hd_work *work = works->all; work; work = work->older) lose(works, work);
  unlock_after_fork(works);
}

/* ---- of a runtime ---- */

hd_status hd_works_create(hd_driver *driver, hd_works **out_works) {
  *out_works = NULL;
  if (!(driver->vtable->caps & HD_DRIVER_QUEUES)) return HD_STATUS_OK;
  hd_works *works = calloc(1, sizeof *works);
  if (!works) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  works->driver = driver;
  pthread_mutex_init(&works->mutex, NULL);
  works->guard = (hd_fork_guard){lock_for_fork, unlock_after_fork, reset_after_fork, works, HD_FORK_OUTER, NULL, NULL};
  hd_status status = hd_fork_guard_add(&works->guard); /* the driver is asked under it */
  if (hd_is_ok(status))
    *out_works = works;
  else
    hd_works_free(works);
  return status;
}

static void free_lane(hd_works *works, lane *l) {
  hd_device_event_destroy(works->driver, l->event);
  hd_stream_destroy(works->driver, l->stream);
  free(l);
}

void hd_works_free(hd_works *works) {
  if (!works) return;
  hd_fork_guard_remove(&works->guard);
  for (lane *l = works->idle, *next; l; l = next) {
    next = l->next;
    free_lane(works, l);
  }
  pthread_mutex_destroy(&works->mutex);
  free(works);
}

static hd_status take_lane(hd_works *works, lane **out) {
  pthread_mutex_lock(&works->mutex);
  lane *l = works->idle;
  if (l) works->idle = l->next;
  pthread_mutex_unlock(&works->mutex);
  *out = l;
  if (l) return HD_STATUS_OK;
  if (!(l = calloc(1, sizeof *l))) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_status status = hd_stream_create(works->driver, &l->stream);
  if (hd_is_ok(status)) status = hd_device_event_create(works->driver, &l->event);
  if (hd_is_ok(status))
    *out = l;
  else
    free_lane(works, l);
  return status;
}

static void give_lane(hd_works *works, lane *l) {
  pthread_mutex_lock(&works->mutex);
  l->next = works->idle;
  works->idle = l;
  pthread_mutex_unlock(&works->mutex);
}

/* The oldest where more than |most| go on; retained. */
static hd_work *oldest_beyond(hd_works *works, uint32_t most) {
  pthread_mutex_lock(&works->mutex);
  hd_work *found = works->pending_count > most ? works->pending : NULL;
  while (found && found->next) found = found->next;
  hd_work_retain(found);
  pthread_mutex_unlock(&works->mutex);
  return found;
}

/* The first pending one, retained; |done|: only one that is. */
static hd_work *pending_one(hd_works *works, bool done) {
  pthread_mutex_lock(&works->mutex);
  hd_work *found = works->pending;
  while (found && done && !hd_work_is_done(found)) found = found->next;
  hd_work_retain(found);
  pthread_mutex_unlock(&works->mutex);
  return found;
}

static bool end_pending(hd_works *works, bool done) {
  hd_work *work;
  bool any = false;
  for (; works && (work = pending_one(works, done)); any = true) {
    hd_status_ignore(hd_work_wait(work));
    hd_work_release(work);
  }
  return any;
}

void hd_works_reap(hd_works *works) { end_pending(works, true); }
bool hd_works_wait(hd_works *works) { return end_pending(works, false); }

/* ---- one ---- */

hd_status hd_work_begin(hd_works *works, hd_work **out_work) {
  *out_work = NULL;
  if (!works) return HD_STATUS_OK;
  lane *l;
  HD_TRY(take_lane(works, &l));
  hd_work *work = calloc(1, sizeof *work);
  if (!work) {
    give_lane(works, l);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  atomic_init(&work->references, 1);
  work->works = works;
  work->lane = l;
  work->outcome = HD_STATUS_OK;
  pthread_mutex_init(&work->mutex, NULL);
  pthread_mutex_lock(&works->mutex);
  work->older = works->all;
  if (work->older) work->older->newer = work;
  works->all = work;
  pthread_mutex_unlock(&works->mutex);
  *out_work = work;
  return HD_STATUS_OK;
}

hd_work *hd_work_retain(hd_work *work) {
  if (work) atomic_fetch_add_explicit(&work->references, 1, memory_order_relaxed);
  return work;
}

void hd_work_release(hd_work *work) {
  if (!work || atomic_fetch_sub_explicit(&work->references, 1, memory_order_acq_rel) != 1) return;
  pthread_mutex_lock(&work->works->mutex);
  *(work->newer ? &work->newer->older : &work->works->all) = work->older;
  if (work->older) work->older->newer = work->newer;
  pthread_mutex_unlock(&work->works->mutex);
  hd_status_free(work->outcome);
  pthread_mutex_destroy(&work->mutex);
  free(work);
}

hd_stream *hd_work_stream(hd_work *work) { return work && work->lane ? work->lane->stream : NULL; }

hd_status hd_work_follow(hd_work *work, hd_work *other) {
  if (!work || !other) return HD_STATUS_OK;
  followed *link = malloc(sizeof *link);
  if (!link) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  *link = (followed){work->followed, hd_work_retain(other)};
  work->followed = link;
  pthread_mutex_lock(&other->mutex);
  hd_status status = HD_STATUS_OK;
  if (other->lane && other->recorded)
    status = hd_stream_wait_event(work->works->driver, work->lane->stream, other->lane->event);
  pthread_mutex_unlock(&other->mutex);
  return status;
}

hd_status hd_work_follow_all(hd_work *work) {
  if (!work) return HD_STATUS_OK;
  hd_works *works = work->works;
  followed *all = NULL;
  bool short_of_memory = false;
  pthread_mutex_lock(&works->mutex);
  for (hd_work *other = works->pending; other && !short_of_memory; other = other->next) {
    followed *link = malloc(sizeof *link);
    short_of_memory = !link;
    if (link) *link = (followed){all, hd_work_retain(other)}, all = link;
  }
  pthread_mutex_unlock(&works->mutex);
  hd_status status = short_of_memory ? hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory") : HD_STATUS_OK;
  for (followed *next; all; all = next) {
    next = all->next;
    if (hd_is_ok(status)) status = hd_work_follow(work, all->work);
    hd_work_release(all->work);
    free(all);
  }
  return status;
}

void hd_work_keep(hd_work *work, void (*release)(void *data), void *data) {
  kept *k = work ? malloc(sizeof *k) : NULL;
  if (!k) {
    if (work) work->outcome = hd_status_join(work->outcome, hd_stream_wait(work->works->driver, work->lane->stream));
    release(data);
    return;
  }
  *k = (kept){work->kept, release, data};
  work->kept = k;
}

hd_status hd_work_later(hd_work *work) {
  hd_works *works = work->works;
  pthread_mutex_lock(&work->mutex);
  hd_status status = hd_device_event_record(works->driver, work->lane->event, work->lane->stream);
  work->recorded = hd_is_ok(status);
  pthread_mutex_unlock(&work->mutex);
  if (!hd_is_ok(status)) return status;
  pthread_mutex_lock(&works->mutex);
  work->listed = true;
  work->next = works->pending;
  works->pending = hd_work_retain(work);
  ++works->pending_count;
  pthread_mutex_unlock(&works->mutex);
  for (hd_work *oldest; (oldest = oldest_beyond(works, HD_MOST_PENDING)); hd_work_release(oldest))
    hd_status_ignore(hd_work_wait(oldest));
  return HD_STATUS_OK;
}

static void unlist(hd_work *work) {
  hd_works *works = work->works;
  pthread_mutex_lock(&works->mutex);
  bool listed = work->listed;
  if (listed) {
    hd_work **at = &works->pending;
    while (*at != work) at = &(*at)->next;
    *at = work->next;
    --works->pending_count;
    work->listed = false;
  }
  pthread_mutex_unlock(&works->mutex);
  if (listed) hd_work_release(work);
}

static hd_status copy_of(hd_status status) {
  if (hd_is_ok(status)) return HD_STATUS_OK;
  return hd_make_status(hd_status_code_of(status), "%s", hd_status_message(status));
}

/* With the mutex: takes the first failure of what it followed where it has none. */
static void end_followed(hd_work *work) {
  for (followed *f; (f = work->followed);) {
    work->followed = f->next; /* first: a child that is forked meanwhile finds no link twice */
    hd_status other = hd_work_wait(f->work);
    hd_work_release(f->work);
    free(f);
    if (hd_is_ok(work->outcome))
      work->outcome = other;
    else
      hd_status_free(other);
  }
}

/* With the mutex: waits. */
static void end(hd_work *work) {
  hd_status last = hd_stream_wait(work->works->driver, work->lane->stream);
  hd_status own = hd_status_join(work->outcome, last);
  work->outcome = HD_STATUS_OK;
  end_followed(work);
  work->outcome = hd_status_join(work->outcome, own); /* which may come of wrong operands only */
  lane *l = work->lane;
  work->lane = NULL;
  give_lane(work->works, l);
  atomic_store_explicit(&work->done, true, memory_order_release);
}

hd_status hd_work_wait(hd_work *work) {
  if (!work) return HD_STATUS_OK;
  pthread_mutex_lock(&work->mutex);
  if (work->lane) end(work);
  if (work->lost) end_followed(work);
  kept *kept = work->kept;
  work->kept = NULL;
  hd_status outcome = work->lost ? hd_make_status(HD_ABORTED,
                                                  "this process was forked while its parent's execution was "
                                                  "under way, whose results are the parent's")
                                 : copy_of(work->outcome);
  pthread_mutex_unlock(&work->mutex);
  unlist(work);
  while (kept) {
    struct kept *next = kept->next;
    kept->release(kept->data);
    free(kept);
    kept = next;
  }
  return outcome;
}

bool hd_work_is_done(hd_work *work) {
  if (!work || atomic_load_explicit(&work->done, memory_order_acquire)) return true;
  if (pthread_mutex_trylock(&work->mutex)) return false; /* somebody waits for it */
  bool done = !work->lane || (work->recorded && hd_device_event_is_done(work->works->driver, work->lane->event));
  pthread_mutex_unlock(&work->mutex);
  return done;
}
