/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks with a device each: parts in the device's memory go from device to device by NCCL, on the stream of the run, as
 * one group of sends and receives; all else goes by the group that it was made of, which is also how the ranks agree.
 * Before anything is put into a stream the members of an exchange meet there and compare sizes: a rank that failed or
 * has other sizes then shows as ever, and no device waits for what does not come. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/library.h"
#include "runtime/communicator.h"
#include "runtime/drivers/cuda/cuda.h"
#include "runtime/objects.h"

typedef struct hd_nccl_group *nccl_group;
typedef struct nccl_id {
  char bytes[128];
} nccl_id;
enum { BYTES = 0 /* the type of elements */, OLDEST = 2700, CHANNEL = INT32_MAX };

static struct {
#define NCCL(name, symbol, parameters) int(*name) parameters;
#include "runtime/communicators/nccl.def"
} api;
static char failure[256];

static const char *const names[] = {"libnccl.so.2", "libnccl.so", NULL};
static const hd_library_function functions[] = {
#define NCCL(name, symbol, parameters) {symbol, (void **)(void *)&api.name},
#include "runtime/communicators/nccl.def"
};

static void open_library(void) {
  int version = 0;
  if (!hd_library_open("NCCL", names, functions, sizeof functions / sizeof *functions, "2.7", failure, sizeof failure))
    return;
  if (api.version(&version) || version < OLDEST)
    snprintf(failure, sizeof failure, "NCCL is of version %d, expected 2.7 or later", version);
}

static hd_status open_nccl(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return *failure ? hd_make_status(HD_UNAVAILABLE, "%s", failure) : HD_STATUS_OK;
}

typedef struct on_device {
  hd_communicator base;
  hd_communicator *group; /* retained */
  hd_runtime *runtime;    /* retained: the context lives as long */
  pthread_mutex_t lock;   /* of what follows */
  pthread_cond_t left;
  nccl_group nccl; /* null: given up */
  uint32_t inside; /* exchanges that use it now */
} on_device;

enum { PATIENCE_MS = 1000 };

static hd_cuda_driver *driver_of(const on_device *self) { return hd_cuda_of(self->runtime->driver); }

/* With the context current. */
static hd_status call(on_device *self, int code, const char *what) {
  hd_status left = hd_cuda_leave(driver_of(self), 0, what);
  if (!code) return left;
  hd_status_free(left);
  return hd_make_status(HD_UNAVAILABLE, "NCCL: %s: error %d", what, code);
}

static void destroy(hd_communicator *base) {
  on_device *self = (on_device *)base;
  nccl_group nccl = self->nccl;
  hd_status status = nccl ? hd_cuda_enter(driver_of(self)) : HD_STATUS_OK;
  if (nccl && hd_is_ok(status)) status = call(self, api.leave(nccl), "leave");
  hd_status_free(status);
  pthread_cond_destroy(&self->left);
  pthread_mutex_destroy(&self->lock);
  hd_communicator_release(self->group);
  hd_runtime_release(self->runtime);
  free(self);
}

/* Null where it was given up; else NCCL's group may be used until |leave_use|. */
static nccl_group enter_use(on_device *self) {
  pthread_mutex_lock(&self->lock);
  nccl_group nccl = self->nccl;
  self->inside += nccl != NULL;
  pthread_mutex_unlock(&self->lock);
  return nccl;
}

static void leave_use(on_device *self) {
  pthread_mutex_lock(&self->lock);
  if (!--self->inside) pthread_cond_broadcast(&self->left);
  pthread_mutex_unlock(&self->lock);
}

/* Takes NCCL's group away, from the first who comes. What frees it must not meet an exchange that puts work
 * into streams, which takes microseconds: it waits for that. But one may wait in NCCL for a rank that does not
 * come, and nothing but the abort ends that. */
static nccl_group take_away(on_device *self) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += PATIENCE_MS / 1000;
  pthread_mutex_lock(&self->lock);
  nccl_group nccl = self->nccl;
  self->nccl = NULL;
  while (nccl && self->inside && !pthread_cond_timedwait(&self->left, &self->lock, &end)) {
  }
  pthread_mutex_unlock(&self->lock);
  return nccl;
}

static void abort_group(hd_communicator *base, const char *reason) {
  on_device *self = (on_device *)base;
  self->group->vtable->abort(self->group, reason);
  nccl_group nccl = take_away(self);
  hd_status status = nccl ? hd_cuda_enter(driver_of(self)) : HD_STATUS_OK;
  if (nccl && hd_is_ok(status)) status = call(self, api.abort(nccl), "abort");
  hd_status_free(status);
}

static int enqueue(nccl_group nccl, const hd_exchange *x, cu_stream stream) {
  int code = api.begin();
  for (uint32_t i = 0; i < x->count && !code; ++i) {
    if (i == x->self) continue;
    if (x->sends[i].bytes)
      code = api.send(x->sends[i].data, x->sends[i].bytes, BYTES, (int)x->members[i], nccl, stream);
    if (!code && x->receives[i].bytes)
      code = api.receive(x->receives[i].data, x->receives[i].bytes, BYTES, (int)x->members[i], nccl, stream);
  }
  int ended = api.end();
  return code ? code : ended;
}

/* Every member gives every other a number, through the group. */
static hd_status meet(on_device *self, const hd_exchange *x, const uint64_t *numbers, uint64_t *out_numbers) {
  hd_exchange_part *sends = calloc(2 * (size_t)x->count, sizeof *sends), *receives = sends + x->count;
  if (!sends) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_exchange exchange = *x;
  exchange.sends = sends, exchange.receives = receives, exchange.stream = NULL;
  for (uint32_t i = 0; i < x->count; ++i) {
    sends[i] = (hd_exchange_part){(void *)(uintptr_t)&numbers[i], sizeof *numbers};
    receives[i] = (hd_exchange_part){&out_numbers[i], sizeof *numbers};
  }
  hd_status status = self->group->vtable->exchange(self->group, &exchange);
  free(sends);
  return status;
}

/* Once to compare how much is sent with how much is taken, once to say that it agrees: who is not
 * concerned would wait on its device for who is. */
static hd_status compare_sizes(on_device *self, const hd_exchange *x) {
  uint64_t *sent = calloc(2 * (size_t)x->count, sizeof *sent), *told = sent + x->count;
  if (!sent) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  for (uint32_t i = 0; i < x->count; ++i) sent[i] = x->sends[i].bytes;
  hd_status status = meet(self, x, sent, told), differs = HD_STATUS_OK;
  for (uint32_t i = 0; i < x->count && hd_is_ok(status) && hd_is_ok(differs); ++i)
    if (i != x->self && told[i] != x->receives[i].bytes)
      differs = hd_make_status(HD_INVALID_ARGUMENT, "process %u sends %llu bytes where process %u takes %zu",
                               x->members[i], (unsigned long long)told[i], x->members[x->self], x->receives[i].bytes);
  for (uint32_t i = 0; i < x->count; ++i) sent[i] = hd_is_ok(differs);
  if (hd_is_ok(status)) status = meet(self, x, sent, told);
  status = hd_status_join(differs, status);
  for (uint32_t i = 0; i < x->count && hd_is_ok(status); ++i)
    if (i != x->self && !told[i])
      status = hd_make_status(HD_ABORTED, "collective given up: process %u has other sizes", x->members[i]);
  free(sent);
  return status;
}

static hd_status exchange(hd_communicator *base, const hd_exchange *x) {
  on_device *self = (on_device *)base;
  if (!x->stream) return self->group->vtable->exchange(self->group, x);
  HD_TRY(compare_sizes(self, x));
  nccl_group nccl = enter_use(self);
  if (!nccl) return hd_make_status(HD_ABORTED, "collective given up");
  hd_stream *stream = x->stream;
  hd_status status = hd_cuda_enter_stream(driver_of(self), &stream);
  if (hd_is_ok(status)) status = call(self, enqueue(nccl, x, stream->stream), "exchange");
  leave_use(self);
  return status;
}

static hd_status send_message(hd_communicator *base, const hd_message *x) {
  hd_communicator *group = ((on_device *)base)->group;
  return group->vtable->send(group, x);
}

static hd_status receive_message(hd_communicator *base, const hd_message *x) {
  hd_communicator *group = ((on_device *)base)->group;
  return group->vtable->receive(group, x);
}

static bool takes_device(hd_communicator *base, const hd_driver *driver) {
  return ((on_device *)base)->runtime->driver == driver;
}

static const hd_communicator_vtable vtable = {.destroy = destroy,
                                              .exchange = exchange,
                                              .abort = abort_group,
                                              .send = send_message,
                                              .receive = receive_message,
                                              .takes_device = takes_device};

/* ---- making one ---- */

/* Are all ranks |fine|? |id|: of the first, to all. */
static hd_status agree(hd_communicator *group, bool *fine, nccl_id *id) {
  struct told {
    uint64_t fine;
    nccl_id id;
  };
  uint32_t count = (uint32_t)group->size, self = (uint32_t)group->rank;
  struct told *all = calloc(2 * (size_t)count, sizeof *all + sizeof(hd_exchange_part) + sizeof(uint32_t));
  if (!all) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_exchange_part *sends = (hd_exchange_part *)(all + 2 * (size_t)count), *receives = sends + count;
  uint32_t *members = (uint32_t *)(receives + count);
  for (uint32_t i = 0; i < count; ++i) {
    members[i] = i;
    all[i] = (struct told){*fine, *id};
    sends[i] = (hd_exchange_part){&all[i], sizeof *all};
    receives[i] = (hd_exchange_part){&all[count + i], sizeof *all};
  }
  hd_exchange x = {
      .members = members, .count = count, .self = self, .sends = sends, .receives = receives, .channel = CHANNEL};
  hd_status status = hd_communicator_exchange(group, &x);
  for (uint32_t i = 0; i < count && hd_is_ok(status); ++i) *fine &= all[count + i].fine != 0;
  if (hd_is_ok(status)) *id = all[count].id;
  free(all);
  return status;
}

static bool is_cuda(const hd_runtime *runtime) { return !strcmp(runtime->driver->vtable->name, "cuda"); }

static void say(char *out, size_t size, hd_status why) {
  if (out && size && !hd_is_ok(why) && !*out) snprintf(out, size, "%s", hd_status_message(why));
  hd_status_free(why);
}

/* All ranks come here; |*out_nccl| is null where one of them cannot. */
static hd_status join(hd_communicator *group, hd_runtime *runtime, char *why, size_t size, nccl_group *out_nccl) {
  hd_cuda_driver *driver = hd_cuda_of(runtime->driver);
  nccl_id id = {{0}};
  nccl_group nccl = NULL;
  hd_status here = open_nccl();
  if (hd_is_ok(here)) here = hd_cuda_enter(driver); /* a lost device says so before the others wait for it */
  if (hd_is_ok(here)) here = hd_cuda_leave(driver, 0, "join");
  bool fine = hd_is_ok(here);
  say(why, size, here);
  int code = fine && !group->rank ? api.new_id(&id) : 0;
  if (code) say(why, size, hd_make_status(HD_UNAVAILABLE, "NCCL: new id: error %d", code));
  fine &= !code;
  HD_TRY(agree(group, &fine, &id));
  if (!fine) return HD_STATUS_OK;
  here = hd_cuda_enter(driver);
  if (hd_is_ok(here)) {
    code = api.join(&nccl, group->size, id, group->rank);
    here = hd_cuda_leave(driver, 0, "join");
    if (hd_is_ok(here) && code) here = hd_make_status(HD_UNAVAILABLE, "NCCL: join: error %d", code);
  }
  fine = hd_is_ok(here);
  say(why, size, here);
  hd_status status = agree(group, &fine, &id);
  if (hd_is_ok(status) && fine) {
    *out_nccl = nccl;
    return status;
  }
  if (nccl && hd_is_ok(here = hd_cuda_enter(driver))) {
    api.abort(nccl);
    here = hd_cuda_leave(driver, 0, "leave");
    hd_status_free(here);
  }
  return status;
}

hd_status hd_communicator_create_on_device(hd_communicator *group, struct hd_runtime *runtime, char *why,
                                           size_t why_size, hd_communicator **out_communicator) {
  HD_REQUIRE(group);
  HD_REQUIRE(runtime);
  HD_REQUIRE(out_communicator);
  *out_communicator = NULL;
  if (why && why_size) *why = 0;
  nccl_group nccl = NULL;
  on_device *self = calloc(1, sizeof *self);
  if (!self) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_status status = group->size > 1 && is_cuda(runtime) ? join(group, runtime, why, why_size, &nccl) : HD_STATUS_OK;
  if (!nccl) {
    free(self);
    HD_TRY(status);
    if (why && why_size && !*why)
      snprintf(why, why_size, "%s",
               !is_cuda(runtime) ? "the device is not CUDA's"
               : group->size > 1 ? "another process cannot"
                                 : "there is one process");
    *out_communicator = hd_communicator_retain(group);
    return HD_STATUS_OK;
  }
  self->base = (hd_communicator){.vtable = &vtable, .rank = group->rank, .size = group->size};
  atomic_store(&self->base.references, 1);
  self->nccl = nccl;
  pthread_mutex_init(&self->lock, NULL);
  pthread_cond_init(&self->left, NULL);
  self->group = hd_communicator_retain(group);
  self->runtime = hd_runtime_retain(runtime);
  *out_communicator = &self->base;
  return HD_STATUS_OK;
}
