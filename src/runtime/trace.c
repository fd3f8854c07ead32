/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "runtime/trace.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fork.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "runtime/threads.h"

enum { MOST_SPANS = 1 << 20, TEXT_LISTS = 1 << 10 };

typedef struct span {
  const char *category, *name, *detail;
  int64_t items, start, end;
} span;

typedef struct thread_spans {
  struct thread_spans *next;
  pthread_mutex_t mutex; /* of the spans: its thread adds, others read */
  long thread;
  int32_t worker;
  span *spans;
  size_t count, room;
  uint64_t dropped;
} thread_spans;

typedef struct text {
  struct text *next;
  char bytes[];
} text;

struct hd_trace {
  struct hd_trace_head head;
  uint64_t serial;       /* tells traces apart in the threads' own memory */
  pthread_mutex_t mutex; /* the threads' are taken under it, or alone */
  hd_fork_guard guard;
  thread_spans *threads;
  text *texts[TEXT_LISTS]; /* by hash */
};

static atomic_uint_least64_t serials = 1;
/* The list that this thread used last. */
static _Thread_local struct {
  uint64_t serial;
  thread_spans *mine;
} last;

static void lock_for_fork(void *user) {
  hd_trace *trace = user;
  pthread_mutex_lock(&trace->mutex);
  for (thread_spans *t = trace->threads; t; t = t->next) pthread_mutex_lock(&t->mutex);
}

static void unlock_after_fork(void *user) {
  hd_trace *trace = user;
  for (thread_spans *t = trace->threads; t; t = t->next) pthread_mutex_unlock(&t->mutex);
  pthread_mutex_unlock(&trace->mutex);
}

hd_status hd_trace_create(hd_trace **out_trace) {
  *out_trace = NULL;
  hd_trace *trace = calloc(1, sizeof *trace);
  if (!trace) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  trace->serial = atomic_fetch_add(&serials, 1);
  pthread_mutex_init(&trace->mutex, NULL);
  trace->guard = (hd_fork_guard){lock_for_fork, unlock_after_fork, unlock_after_fork, trace, HD_FORK_INNER, NULL, NULL};
  hd_status status = hd_fork_guard_add(&trace->guard);
  if (hd_is_ok(status))
    *out_trace = trace;
  else
    hd_trace_free(trace);
  return status;
}

void hd_trace_free(hd_trace *trace) {
  if (!trace) return;
  hd_fork_guard_remove(&trace->guard);
  for (thread_spans *t = trace->threads, *next; t; t = next) {
    next = t->next;
    pthread_mutex_destroy(&t->mutex);
    free(t->spans);
    free(t);
  }
  for (size_t i = 0; i < TEXT_LISTS; ++i)
    for (text *t = trace->texts[i], *next; t; t = next) {
      next = t->next;
      free(t);
    }
  pthread_mutex_destroy(&trace->mutex);
  free(trace);
}

void hd_trace_set(hd_trace *trace, bool on) { atomic_store(&trace->head.on, on); }

int64_t hd_trace_now(void) { return hd_clock_ns(); }

const char *hd_trace_intern(hd_trace *trace, const char *bytes) {
  if (!*bytes) return "";
  size_t size = strlen(bytes) + 1;
  text **texts = &trace->texts[hd_hash_bytes(bytes, size, 0) % TEXT_LISTS];
  pthread_mutex_lock(&trace->mutex);
  text *found = *texts;
  while (found && strcmp(found->bytes, bytes)) found = found->next;
  if (!found && (found = malloc(sizeof *found + size))) {
    memcpy(found->bytes, bytes, size);
    found->next = *texts;
    *texts = found;
  }
  pthread_mutex_unlock(&trace->mutex);
  return found ? found->bytes : "";
}

static thread_spans *my_spans(hd_trace *trace) {
  if (last.serial == trace->serial) return last.mine;
  long thread = syscall(SYS_gettid);
  pthread_mutex_lock(&trace->mutex);
  thread_spans *mine = trace->threads;
  while (mine && mine->thread != thread) mine = mine->next;
  if (!mine && (mine = calloc(1, sizeof *mine))) {
    pthread_mutex_init(&mine->mutex, NULL);
    mine->thread = thread;
    mine->worker = hd_pool_worker();
    mine->next = trace->threads;
    trace->threads = mine;
  }
  pthread_mutex_unlock(&trace->mutex);
  if (mine) {
    last.serial = trace->serial;
    last.mine = mine;
  }
  return mine;
}

static bool make_room(thread_spans *mine) {
  if (mine->count < mine->room) return true;
  size_t room = mine->room ? mine->room * 2 : 1024;
  span *spans = room > MOST_SPANS ? NULL : realloc(mine->spans, room * sizeof *spans);
  if (!spans) {
    ++mine->dropped;
    return false;
  }
  mine->spans = spans;
  mine->room = room;
  return true;
}

void hd_trace_span(hd_trace *trace, const char *category, const char *name, const char *detail, int64_t items,
                   int64_t start_ns, int64_t end_ns) {
  thread_spans *mine = my_spans(trace);
  if (!mine) return;
  pthread_mutex_lock(&mine->mutex);
  if (make_room(mine)) mine->spans[mine->count++] = (span){category, name, detail, items, start_ns, end_ns};
  pthread_mutex_unlock(&mine->mutex);
}

void hd_trace_take(hd_trace *trace, void (*visit)(void *user, const hd_profile_span *span), void *user) {
  pthread_mutex_lock(&trace->mutex);
  for (thread_spans *t = trace->threads; t; t = t->next) {
    pthread_mutex_lock(&t->mutex);
    for (size_t i = 0; i < t->count; ++i) {
      const span *s = &t->spans[i];
      visit(user, &(hd_profile_span){.category = s->category,
                                     .name = s->name,
                                     .detail = s->detail,
                                     .items = s->items,
                                     .start_ns = s->start,
                                     .end_ns = s->end,
                                     .thread = t->thread,
                                     .worker = t->worker});
    }
    t->count = 0;
    pthread_mutex_unlock(&t->mutex);
  }
  pthread_mutex_unlock(&trace->mutex);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static void put_string(FILE *out, const char *bytes) {
  char next[8];
  fputc('"', out);
  while (*bytes) {
    bytes = hd_json_escape(bytes, next);
    fputs(next, out);
  }
  fputc('"', out);
}

static void put_span(FILE *out, const thread_spans *t, const span *s, int64_t origin) {
  fprintf(out, ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%ld,\"ts\":%.3f,\"dur\":%.3f,\"cat\":\"%s\",\"name\":", t->thread,
          (double)(s->start - origin) / 1e3, (double)(s->end - s->start) / 1e3, s->category);
  put_string(out, s->name);
  fputs(",\"args\":{", out);
  if (*s->detail) {
    fputs("\"ops\":", out);
    put_string(out, s->detail);
  }
  if (s->items >= 0) fprintf(out, "%s\"items\":%lld", *s->detail ? "," : "", (long long)s->items);
  fputs("}}", out);
}

hd_status hd_trace_json(hd_trace *trace, char **out_json, size_t *out_size) {
  *out_json = NULL;
  *out_size = 0;
  char *json = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&json, &size);
  if (!out) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  pthread_mutex_lock(&trace->mutex);
  int64_t origin = INT64_MAX;
  uint64_t dropped = 0;
  for (thread_spans *t = trace->threads; t; t = t->next) {
    pthread_mutex_lock(&t->mutex);
    dropped += t->dropped;
    for (size_t i = 0; i < t->count; ++i)
      if (t->spans[i].start < origin) origin = t->spans[i].start;
    pthread_mutex_unlock(&t->mutex);
  }
  fprintf(out, "{\"displayTimeUnit\":\"ns\",\"droppedSpans\":%llu,\"traceEvents\":[\n", (unsigned long long)dropped);
  fputs("{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"heddle\"}}", out);
  for (thread_spans *t = trace->threads; t; t = t->next) {
    fprintf(out, ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%ld,\"name\":\"thread_name\",\"args\":{\"name\":\"%s %d\"}}",
            t->thread, t->worker ? "worker" : "caller", t->worker);
    pthread_mutex_lock(&t->mutex);
    for (size_t i = 0; i < t->count; ++i) put_span(out, t, &t->spans[i], origin);
    pthread_mutex_unlock(&t->mutex);
  }
  fputs("\n]}\n", out);
  pthread_mutex_unlock(&trace->mutex);
  bool failed = ferror(out);
  if (fclose(out) || failed || !json) {
    free(json);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory for the timeline");
  }
  *out_json = json;
  *out_size = size;
  return HD_STATUS_OK;
}
