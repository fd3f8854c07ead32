/* SPDX-License-Identifier: Apache-2.0 */
/* The profiler: what the runtimes' timelines record between start and stop, as the XSpace message that frameworks merge
 * into their own: XSpace { planes = 1 } > XPlane { name = 2, lines = 3, event_metadata = 4, stat_metadata = 5 } > XLine
 * { id = 1, name = 2, timestamp_ns = 3, events = 4 } > XEvent { metadata_id = 1, offset_ps = 2, duration_ps = 3,
 * stats = 4 } > XStat { metadata_id = 1, int64_value = 4, str_value = 5 }. One plane, a line per thread, an event per
 * execution, kernel and library call. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fork.h"
#include "plugin.h"
#include "protobuf.h"

/* ---- clients and sessions -------------------------------------------------------------------------------------- */

static hd_fork_mutex lock = HD_FORK_MUTEX_INIT;
static PJRT_Client *clients;
static int sessions; /* that run */

typedef struct event {
  int64_t thread, start, end, items;
  int32_t worker;
  uint32_t name, category, detail; /* in the names of the profiler; 0: none */
} event;

/* Events end up at the one profiler that collects them; frameworks have one at a time. */
struct PLUGIN_Profiler {
  bool running, collected, failed;
  int64_t start_ns;
  event *events;
  size_t count, room;
  char **names; /* from 1 on */
  size_t name_count, name_room;
  hd_proto_message space;
};

static PLUGIN_Profiler *current; /* takes the events of clients that end */

static void take_events(PLUGIN_Profiler *profiler, PJRT_Client *client);

static void switch_all(bool on) {
  for (PJRT_Client *c = clients; c; c = c->next_client) hd_runtime_profile(c->runtime, on);
}

void hd_pjrt_profiler_add(PJRT_Client *client) {
  hd_fork_mutex_lock(&lock);
  client->next_client = clients;
  clients = client;
  if (sessions) hd_runtime_profile(client->runtime, true);
  hd_fork_mutex_unlock(&lock);
}

void hd_pjrt_profiler_remove(PJRT_Client *client) {
  hd_fork_mutex_lock(&lock);
  for (PJRT_Client **at = &clients; *at; at = &(*at)->next_client)
    if (*at == client) {
      *at = client->next_client;
      if (current) take_events(current, client);
      break;
    }
  hd_fork_mutex_unlock(&lock);
}

void hd_pjrt_each_client(void (*visit)(PJRT_Client *client, void *user), void *user) {
  hd_fork_mutex_lock(&lock);
  for (PJRT_Client *c = clients; c; c = c->next_client) visit(c, user);
  hd_fork_mutex_unlock(&lock);
}

/* ---- events ---------------------------------------------------------------------------------------------------- */

static uint32_t intern(PLUGIN_Profiler *p, const char *name) {
  if (!*name) return 0;
  for (size_t i = 0; i < p->name_count; ++i)
    if (!strcmp(p->names[i], name)) return (uint32_t)i + 1;
  if (p->name_count == p->name_room) {
    size_t room = p->name_room ? 2 * p->name_room : 64;
    char **names = realloc(p->names, room * sizeof *names);
    if (!names) return 0;
    p->names = names;
    p->name_room = room;
  }
  char *copy = strdup(name);
  if (!copy) return 0;
  p->names[p->name_count++] = copy;
  return (uint32_t)p->name_count;
}

static void add_event(void *user, const hd_profile_span *span) {
  PLUGIN_Profiler *p = user;
  if (span->start_ns < p->start_ns) return; /* of an earlier session */
  if (p->count == p->room) {
    size_t room = p->room ? 2 * p->room : 1024;
    event *events = realloc(p->events, room * sizeof *events);
    if (!events) {
      p->failed = true;
      return;
    }
    p->events = events;
    p->room = room;
  }
  p->events[p->count++] = (event){.thread = span->thread,
                                  .start = span->start_ns,
                                  .end = span->end_ns,
                                  .items = span->items,
                                  .worker = span->worker,
                                  .name = intern(p, span->name),
                                  .category = intern(p, span->category),
                                  .detail = intern(p, span->detail)};
}

static void take_events(PLUGIN_Profiler *profiler, PJRT_Client *client) {
  hd_runtime_profile_take(client->runtime, add_event, profiler);
}

/* ---- the message ----------------------------------------------------------------------------------------------- */

static int64_t now_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

enum { STAT_CATEGORY = 1, STAT_OPS, STAT_ITEMS };
static const char *const stat_names[] = {"", "category", "ops", "items"};

static void put_stat(hd_proto_message *to, uint64_t id, const char *text, int64_t number) {
  hd_proto_message stat = {0};
  hd_proto_put_number(&stat, 1, id);
  if (text)
    hd_proto_put_text(&stat, 5, text);
  else
    hd_proto_put_number(&stat, 4, (uint64_t)number);
  hd_proto_put_message(to, 4, &stat);
}

static void put_event(hd_proto_message *line, const PLUGIN_Profiler *p, const event *e, int64_t origin) {
  hd_proto_message out = {0};
  hd_proto_put_number(&out, 1, e->name);
  hd_proto_put_number(&out, 2, (uint64_t)(e->start - origin) * 1000);
  hd_proto_put_number(&out, 3, (uint64_t)(e->end - e->start) * 1000);
  if (e->category) put_stat(&out, STAT_CATEGORY, p->names[e->category - 1], 0);
  if (e->detail) put_stat(&out, STAT_OPS, p->names[e->detail - 1], 0);
  if (e->items >= 0) put_stat(&out, STAT_ITEMS, NULL, e->items);
  hd_proto_put_message(line, 4, &out);
}

/* By thread, then by start; what contains another comes first. */
static int compare_events(const void *a, const void *b) {
  const event *x = a, *y = b;
  if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  return x->end == y->end ? 0 : x->end > y->end ? -1 : 1;
}

/* An entry of a map from numbers to messages with an id and a name. */
static void put_metadata(hd_proto_message *plane, uint32_t field, uint64_t id, const char *name) {
  hd_proto_message value = {0}, entry = {0};
  hd_proto_put_number(&value, 1, id);
  hd_proto_put_text(&value, 2, name);
  hd_proto_put_number(&entry, 1, id);
  hd_proto_put_message(&entry, 2, &value);
  hd_proto_put_message(plane, field, &entry);
}

static void write_space(PLUGIN_Profiler *p) {
  hd_proto_message plane = {0};
  int64_t epoch = now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC);
  hd_proto_put_number(&plane, 1, 1);
  hd_proto_put_text(&plane, 2, "/device:CUSTOM:Heddle");
  if (p->count) qsort(p->events, p->count, sizeof *p->events, compare_events);
  for (size_t i = 0; i < p->count;) {
    hd_proto_message line = {0};
    int64_t thread = p->events[i].thread;
    char name[64];
    snprintf(name, sizeof name, "%s %d (thread %" PRId64 ")", p->events[i].worker ? "worker" : "caller",
             p->events[i].worker, thread);
    hd_proto_put_number(&line, 1, (uint64_t)thread);
    hd_proto_put_text(&line, 2, name);
    hd_proto_put_number(&line, 3, (uint64_t)(p->start_ns + epoch));
    for (; i < p->count && p->events[i].thread == thread; ++i) put_event(&line, p, &p->events[i], p->start_ns);
    hd_proto_put_message(&plane, 3, &line);
  }
  for (size_t i = 0; i < p->name_count; ++i) put_metadata(&plane, 4, i + 1, p->names[i]);
  for (uint64_t i = STAT_CATEGORY; i <= STAT_ITEMS; ++i) put_metadata(&plane, 5, i, stat_names[i]);
  hd_proto_put_message(&p->space, 1, &plane);
}

/* ---- the interface --------------------------------------------------------------------------------------------- */

static PLUGIN_Profiler_Error *error_of(hd_status status) { return (PLUGIN_Profiler_Error *)status; }

static void error_destroy(PLUGIN_Profiler_Error_Destroy_Args *args) { hd_status_free((hd_status)args->error); }

static void error_message(PLUGIN_Profiler_Error_Message_Args *args) {
  args->message = hd_status_message((hd_status)(uintptr_t)args->error);
  args->message_size = strlen(args->message);
}

static PLUGIN_Profiler_Error *error_get_code(PLUGIN_Profiler_Error_GetCode_Args *args) {
  args->code = (int)hd_status_code_of((hd_status)(uintptr_t)args->error);
  return NULL;
}

static PLUGIN_Profiler_Error *create(PLUGIN_Profiler_Create_Args *args) {
  if (!args) return error_of(hd_make_status(HD_INVALID_ARGUMENT, "no arguments"));
  args->profiler = calloc(1, sizeof *args->profiler);
  return args->profiler ? NULL : error_of(hd_pjrt_out_of_memory());
}

/* With the lock held. */
static void end_session(PLUGIN_Profiler *p) {
  if (!p->running) return;
  p->running = false;
  if (!--sessions) switch_all(false);
  for (PJRT_Client *c = clients; c; c = c->next_client) take_events(p, c);
  if (current == p) current = NULL;
}

static PLUGIN_Profiler_Error *no_profiler(void) {
  return error_of(hd_make_status(HD_INVALID_ARGUMENT, "the profiler is null"));
}

static PLUGIN_Profiler_Error *start(PLUGIN_Profiler_Start_Args *args) {
  if (!args || !args->profiler) return no_profiler();
  PLUGIN_Profiler *p = args->profiler;
  hd_fork_mutex_lock(&lock);
  if (!p->running && !p->collected) {
    p->start_ns = now_ns(CLOCK_MONOTONIC);
    p->running = true;
    current = p;
    if (!sessions++) switch_all(true);
  }
  hd_fork_mutex_unlock(&lock);
  return NULL;
}

static PLUGIN_Profiler_Error *stop(PLUGIN_Profiler_Stop_Args *args) {
  if (!args || !args->profiler) return no_profiler();
  hd_fork_mutex_lock(&lock);
  end_session(args->profiler);
  hd_fork_mutex_unlock(&lock);
  return NULL;
}

static PLUGIN_Profiler_Error *collect_data(PLUGIN_Profiler_CollectData_Args *args) {
  if (!args || !args->profiler) return no_profiler();
  PLUGIN_Profiler *p = args->profiler;
  hd_fork_mutex_lock(&lock);
  end_session(p);
  if (!p->collected) write_space(p);
  p->collected = true;
  hd_fork_mutex_unlock(&lock);
  if (p->failed || p->space.failed) return error_of(hd_pjrt_out_of_memory());
  if (args->buffer)
    memcpy(args->buffer, p->space.data, p->space.size);
  else
    args->buffer = p->space.data;
  args->buffer_size_in_bytes = p->space.size;
  return NULL;
}

static PLUGIN_Profiler_Error *destroy(PLUGIN_Profiler_Destroy_Args *args) {
  PLUGIN_Profiler *p = args ? args->profiler : NULL;
  if (!p) return NULL;
  hd_fork_mutex_lock(&lock);
  end_session(p);
  hd_fork_mutex_unlock(&lock);
  for (size_t i = 0; i < p->name_count; ++i) free(p->names[i]);
  free(p->names);
  free(p->events);
  hd_proto_free(&p->space);
  free(p);
  return NULL;
}

static PLUGIN_Profiler_Api profiler_api = {
    .struct_size = sizeof(PLUGIN_Profiler_Api),
    .error_destroy = error_destroy,
    .error_message = error_message,
    .error_get_code = error_get_code,
    .create = create,
    .destroy = destroy,
    .start = start,
    .stop = stop,
    .collect_data = collect_data,
};

PJRT_Profiler_Extension hd_pjrt_profiler_extension = {
    .base = {.struct_size = sizeof(PJRT_Profiler_Extension), .type = PJRT_Extension_Type_Profiler},
    .profiler_api = &profiler_api,
};
