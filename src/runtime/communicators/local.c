/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks in one process. A meeting is a list of the members' exchanges: when the last has come, each copies what it
 * receives straight out of the senders' memory, and nobody leaves before all have copied.
 *
 *   come, post      all there        copy (outside the lock)      all done, leave */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/communicator.h"

typedef struct meeting {
  struct meeting *next;
  int64_t channel;
  uint32_t count, arrived, copied, left;
  const uint32_t *members; /* of the first to come, who leaves no earlier than the others have compared */
  const hd_exchange **posts;
} meeting;

typedef struct world {
  atomic_int references; /* one per rank */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  meeting *meetings; /* not complete yet */
  bool broken;
  char reason[256];
} world;

typedef struct local {
  hd_communicator base;
  world *world;
} local;

static void destroy(hd_communicator *base) {
  local *self = (local *)base;
  world *w = self->world;
  pthread_mutex_lock(&w->lock);
  if (!w->broken && w->meetings) {
    w->broken = true;
    snprintf(w->reason, sizeof w->reason, "process %d has left", base->rank);
    pthread_cond_broadcast(&w->changed);
  }
  pthread_mutex_unlock(&w->lock);
  if (atomic_fetch_sub_explicit(&w->references, 1, memory_order_acq_rel) == 1) {
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
  }
  free(self);
}

static void break_world(world *w, const char *reason) {
  if (w->broken) return;
  w->broken = true;
  snprintf(w->reason, sizeof w->reason, "%s", reason);
  pthread_cond_broadcast(&w->changed);
}

static void abort_group(hd_communicator *base, const char *reason) {
  world *w = ((local *)base)->world;
  pthread_mutex_lock(&w->lock);
  break_world(w, reason);
  pthread_mutex_unlock(&w->lock);
}

static hd_status aborted(const world *w) { return hd_make_status(HD_ABORTED, "collective given up: %s", w->reason); }

/* With the lock held: wakes now and then, to look at cancellation. */
static void wait_a_little(world *w) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 20 * 1000 * 1000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, ++until.tv_sec;
  pthread_cond_timedwait(&w->changed, &w->lock, &until);
}

static void unlink_meeting(world *w, meeting *m) {
  for (meeting **at = &w->meetings; *at; at = &(*at)->next)
    if (*at == m) {
      *at = m->next;
      return;
    }
}

static void free_meeting(meeting *m) {
  free(m->posts);
  free(m);
}

/* The meeting that |x| belongs to, made when it is the first. */
static meeting *join(world *w, const hd_exchange *x) {
  for (meeting *m = w->meetings; m; m = m->next)
    if (m->channel == x->channel && m->count == x->count && !m->posts[x->self] &&
        !memcmp(m->members, x->members, x->count * sizeof *x->members))
      return m;
  meeting *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->posts = calloc(x->count, sizeof(*m->posts));
  if (!m->posts) {
    free(m);
    return NULL;
  }
  m->channel = x->channel;
  m->count = x->count;
  m->members = x->members;
  m->next = w->meetings;
  w->meetings = m;
  return m;
}

static hd_status copy_parts(const meeting *m, const hd_exchange *x) {
  for (uint32_t i = 0; i < x->count; ++i) {
    if (i == x->self) continue;
    const hd_exchange_part *from = &m->posts[i]->sends[x->self], *to = &x->receives[i];
    if (from->bytes != to->bytes)
      return hd_make_status(HD_INVALID_ARGUMENT, "process %u sends %zu bytes where process %u takes %zu", x->members[i],
                            from->bytes, x->members[x->self], to->bytes);
    if (to->bytes) memcpy(to->data, from->data, to->bytes);
  }
  return HD_STATUS_OK;
}

/* With the lock held. Who gives up before all are there takes the group along: the others could wait for ever. */
static hd_status wait_for_all(world *w, meeting *m, const hd_exchange *x, int32_t rank) {
  while (m->arrived < m->count) {
    if (!w->broken && x->go_on && !x->go_on(x->user)) {
      char reason[64];
      snprintf(reason, sizeof reason, "process %d has given up", rank);
      break_world(w, reason);
    }
    if (w->broken) {
      hd_status status = aborted(w);
      unlink_meeting(w, m);
      /* The last who leaves an incomplete meeting frees it. */
      if (++m->left == m->arrived) free_meeting(m);
      return status;
    }
    wait_a_little(w);
  }
  return HD_STATUS_OK;
}

static hd_status exchange(hd_communicator *base, const hd_exchange *x) {
  world *w = ((local *)base)->world;
  pthread_mutex_lock(&w->lock);
  hd_status status = w->broken ? aborted(w) : HD_STATUS_OK;
  meeting *m = hd_is_ok(status) ? join(w, x) : NULL;
  if (hd_is_ok(status) && !m) status = hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  if (hd_is_ok(status)) {
    m->posts[x->self] = x;
    if (++m->arrived == m->count) {
      unlink_meeting(w, m);
      pthread_cond_broadcast(&w->changed);
    }
    status = wait_for_all(w, m, x, base->rank);
  }
  if (!hd_is_ok(status)) {
    pthread_mutex_unlock(&w->lock);
    return status;
  }
  pthread_mutex_unlock(&w->lock);
  status = copy_parts(m, x);
  pthread_mutex_lock(&w->lock);
  if (++m->copied == m->count) pthread_cond_broadcast(&w->changed);
  while (m->copied < m->count) pthread_cond_wait(&w->changed, &w->lock);
  if (++m->left == m->count) free_meeting(m);
  pthread_mutex_unlock(&w->lock);
  return status;
}

static const hd_communicator_vtable vtable = {.destroy = destroy, .exchange = exchange, .abort = abort_group};

hd_status hd_communicator_create_local(int32_t count, hd_communicator **out_ranks) {
  if (count < 1 || count > 65536)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected 1 to 65536 processes, got %d", count);
  for (int32_t i = 0; i < count; ++i) out_ranks[i] = NULL;
  world *w = calloc(1, sizeof *w);
  if (!w) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  atomic_store(&w->references, count);
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->changed, NULL);
  for (int32_t i = 0; i < count; ++i) {
    local *rank = calloc(1, sizeof *rank);
    if (!rank) {
      for (int32_t k = 0; k < i; ++k) free(out_ranks[k]), out_ranks[k] = NULL;
      pthread_cond_destroy(&w->changed);
      pthread_mutex_destroy(&w->lock);
      free(w);
      return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
    }
    rank->base = (hd_communicator){.vtable = &vtable, .rank = i, .size = count};
    atomic_store(&rank->base.references, 1);
    rank->world = w;
    out_ranks[i] = &rank->base;
  }
  return HD_STATUS_OK;
}
