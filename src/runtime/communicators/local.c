/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks in one process. A rendezvous is a list of the members' exchanges: when the last has come, each copies what it
 * receives straight out of the senders' memory, and nobody leaves before all have copied.
 *
 *   come, post      all there        copy (outside the lock)      all done, leave
 *
 * Messages wait in a list until they are received. When all ranks that are left wait, none can go on: then the group
 * ends, as it does when a rank leaves whom a rendezvous waits for. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/communicator.h"

typedef struct rendezvous {
  struct rendezvous *next;
  int64_t channel;
  uint32_t count, arrived, copied, left;
  const uint32_t *members; /* of the first to come, who leaves no earlier than the others have compared */
  const hd_exchange **posts;
} rendezvous;

typedef struct message {
  struct message *next;
  int64_t channel;
  int32_t from, to; /* ranks; |to| is -1 for whoever receives */
  uint32_t count;
  size_t *bytes; /* of each part; their contents follow, one after the other */
} message;

typedef struct world {
  atomic_int references; /* one per rank */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  rendezvous *rendezvous_list; /* not complete yet */
  message *messages;           /* oldest first */
  uint32_t present;            /* ranks that have not left */
  int32_t gone;                /* the rank that has left last; -1: none */
  uint32_t waiting;            /* of these, who has found nothing to do since |generation| */
  uint64_t generation;         /* counts what those who wait may be waiting for */
  bool broken;
  char reason[256];
} world;

typedef struct local {
  hd_communicator base;
  world *world;
} local;

static void break_world(world *w, const char *reason) {
  if (w->broken) return;
  w->broken = true;
  snprintf(w->reason, sizeof w->reason, "%s", reason);
  pthread_cond_broadcast(&w->changed);
}

/* Nobody is left who could bring what is waited for: the same words whether the others left before the wait or in it.
 */
static void give_up_waiting(world *w) {
  char reason[64] = "every process waits for another";
  if (w->gone >= 0) snprintf(reason, sizeof reason, "process %d has left", w->gone);
  break_world(w, reason);
}

static void announce_change(world *w) {
  ++w->generation;
  w->waiting = 0;
  pthread_cond_broadcast(&w->changed);
}

/* Does a rendezvous wait for |rank|? */
static bool is_missed(const world *w, uint32_t rank) {
  for (const rendezvous *m = w->rendezvous_list; m; m = m->next)
    for (uint32_t i = 0; i < m->count; ++i)
      if (m->members[i] == rank && !m->posts[i]) return true;
  return false;
}

static void destroy(hd_communicator *base) {
  local *self = (local *)base;
  world *w = self->world;
  pthread_mutex_lock(&w->lock);
  --w->present;
  w->gone = base->rank;
  if (is_missed(w, (uint32_t)base->rank) || (w->present && w->waiting == w->present)) give_up_waiting(w);
  pthread_mutex_unlock(&w->lock);
  if (atomic_fetch_sub_explicit(&w->references, 1, memory_order_acq_rel) == 1) {
    while (w->messages) {
      message *next = w->messages->next;
      free(w->messages);
      w->messages = next;
    }
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
  }
  free(self);
}

static void abort_group(hd_communicator *base, const char *reason) {
  world *w = ((local *)base)->world;
  pthread_mutex_lock(&w->lock);
  break_world(w, reason);
  pthread_mutex_unlock(&w->lock);
}

static hd_status aborted(const world *w) { return hd_make_status(HD_ABORTED, "collective given up: %s", w->reason); }

/* With the lock held: waits until something may have changed; wakes now and then, to look at cancellation. |seen|, 0
 * before the first wait, is the generation that this rank was last counted in. */
static void wait_a_little(world *w, uint64_t *seen) {
  if (*seen != w->generation + 1) {
    *seen = w->generation + 1;
    if (++w->waiting == w->present) {
      give_up_waiting(w);
      return;
    }
  }
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 20 * 1000 * 1000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, ++until.tv_sec;
  pthread_cond_timedwait(&w->changed, &w->lock, &until);
}

static void unlink_rendezvous(world *w, rendezvous *m) {
  for (rendezvous **at = &w->rendezvous_list; *at; at = &(*at)->next)
    if (*at == m) {
      *at = m->next;
      return;
    }
}

static void free_rendezvous(rendezvous *m) {
  free(m->posts);
  free(m);
}

/* The rendezvous that |x| belongs to, made when it is the first. */
static rendezvous *join(world *w, const hd_exchange *x) {
  for (rendezvous *m = w->rendezvous_list; m; m = m->next)
    if (m->channel == x->channel && m->count == x->count && !m->posts[x->self] &&
        !memcmp(m->members, x->members, x->count * sizeof *x->members))
      return m;
  rendezvous *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->posts = calloc(x->count, sizeof(*m->posts));
  if (!m->posts) {
    free(m);
    return NULL;
  }
  m->channel = x->channel;
  m->count = x->count;
  m->members = x->members;
  m->next = w->rendezvous_list;
  w->rendezvous_list = m;
  return m;
}

static hd_status copy_parts(const rendezvous *m, const hd_exchange *x) {
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

static void look_at_cancellation(world *w, bool (*go_on)(void *user), void *user, int32_t rank) {
  if (w->broken || !go_on || go_on(user)) return;
  char reason[64];
  snprintf(reason, sizeof reason, "process %d has given up", rank);
  break_world(w, reason);
}

/* With the lock held. Who gives up before all are there takes the group along: the others could wait for ever. */
static hd_status wait_for_all(world *w, rendezvous *m, const hd_exchange *x, int32_t rank) {
  for (uint64_t seen = 0; m->arrived < m->count;) {
    look_at_cancellation(w, x->go_on, x->user, rank);
    if (w->broken) {
      hd_status status = aborted(w);
      unlink_rendezvous(w, m);
      /* The last who leaves an incomplete rendezvous frees it. */
      if (++m->left == m->arrived) free_rendezvous(m);
      return status;
    }
    wait_a_little(w, &seen);
  }
  return HD_STATUS_OK;
}

static hd_status exchange(hd_communicator *base, const hd_exchange *x) {
  world *w = ((local *)base)->world;
  pthread_mutex_lock(&w->lock);
  hd_status status = w->broken ? aborted(w) : HD_STATUS_OK;
  rendezvous *m = hd_is_ok(status) ? join(w, x) : NULL;
  if (hd_is_ok(status) && !m) status = hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  if (hd_is_ok(status)) {
    m->posts[x->self] = x;
    if (++m->arrived == m->count) {
      unlink_rendezvous(w, m);
      announce_change(w);
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
  if (++m->left == m->count) free_rendezvous(m);
  pthread_mutex_unlock(&w->lock);
  return status;
}

static hd_status send_message(hd_communicator *base, const hd_message *x) {
  world *w = ((local *)base)->world;
  size_t head = sizeof(message) + x->count * sizeof(size_t), total = head;
  for (uint32_t i = 0; i < x->count; ++i) total += x->parts[i].bytes;
  message *m = malloc(total);
  if (!m) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  *m = (message){NULL, x->channel, base->rank, x->peer, x->count, (size_t *)(m + 1)};
  char *at = (char *)m + head;
  for (uint32_t i = 0; i < x->count; ++i) {
    m->bytes[i] = x->parts[i].bytes;
    if (m->bytes[i]) memcpy(at, x->parts[i].data, m->bytes[i]);
    at += m->bytes[i];
  }
  pthread_mutex_lock(&w->lock);
  hd_status status = w->broken ? aborted(w) : HD_STATUS_OK;
  if (hd_is_ok(status)) {
    message **end = &w->messages;
    while (*end) end = &(*end)->next;
    *end = m;
    announce_change(w);
  }
  pthread_mutex_unlock(&w->lock);
  if (!hd_is_ok(status)) free(m);
  return status;
}

/* The oldest message of the channel for |self| from whom |x| says, taken out of the list. */
static message *take(world *w, const hd_message *x, int32_t self) {
  for (message **at = &w->messages; *at; at = &(*at)->next) {
    message *m = *at;
    if (m->channel != x->channel || (m->to >= 0 && m->to != self) || (x->peer >= 0 && m->from != x->peer)) continue;
    *at = m->next;
    return m;
  }
  return NULL;
}

static hd_status open_message(const message *m, const hd_message *x) {
  const char *at = (const char *)(m->bytes + m->count);
  if (m->count != x->count)
    return hd_make_status(HD_INVALID_ARGUMENT, "channel %lld: expected %u values, got %u", (long long)x->channel,
                          x->count, m->count);
  for (uint32_t i = 0; i < x->count; at += m->bytes[i++]) {
    if (m->bytes[i] != x->parts[i].bytes)
      return hd_make_status(HD_INVALID_ARGUMENT, "channel %lld: expected %zu bytes, got %zu", (long long)x->channel,
                            x->parts[i].bytes, m->bytes[i]);
    if (m->bytes[i]) memcpy(x->parts[i].data, at, m->bytes[i]);
  }
  return HD_STATUS_OK;
}

static hd_status receive_message(hd_communicator *base, const hd_message *x) {
  world *w = ((local *)base)->world;
  message *m = NULL;
  pthread_mutex_lock(&w->lock);
  for (uint64_t seen = 0; !w->broken && !(m = take(w, x, base->rank)); wait_a_little(w, &seen))
    look_at_cancellation(w, x->go_on, x->user, base->rank);
  hd_status status = m ? HD_STATUS_OK : aborted(w);
  pthread_mutex_unlock(&w->lock);
  if (m) status = open_message(m, x);
  free(m);
  return status;
}

static const hd_communicator_vtable vtable = {
    .destroy = destroy, .exchange = exchange, .abort = abort_group, .send = send_message, .receive = receive_message};

hd_status hd_communicator_create_local(int32_t count, hd_communicator **out_ranks) {
  HD_REQUIRE(out_ranks);
  if (count < 1 || count > 65536)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected 1 to 65536 processes, got %d", count);
  for (int32_t i = 0; i < count; ++i) out_ranks[i] = NULL;
  world *w = calloc(1, sizeof *w);
  if (!w) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  atomic_store(&w->references, count);
  w->present = (uint32_t)count;
  w->gone = -1;
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
