/* SPDX-License-Identifier: Apache-2.0 */
/* A libnccl.so.2 for tests, on the libcuda.so.1 that stands in for CUDA's: ranks are threads of one process with one
 * device, which NCCL itself would refuse. What is sent is read when the stream has come there, and written in the
 * stream. It holds the caller to a current context, to groups that are begun and ended, to sizes that agree at both
 * ends and to leaving. HEDDLE_STAND_IN_NCCL: "old" is of a version before 2.7, "id", "join" and "fails" fail there,
 * "slow" takes its time with an exchange, "stuck" fails but at rank 0, which waits for the others. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))
enum { SUCCESS = 0, INVALID_USAGE = 5, RANKS = 16 };

int standInCurrent(void);
int standInEnqueue(void *stream, void (*run)(void *argument), void *argument);
char *standInPlace(uint64_t address, uint64_t bytes);
int standInWait(void *stream);

typedef struct id {
  char bytes[128];
} id;
typedef struct message {
  struct message *next;
  size_t bytes;
  char data[];
} message;
typedef struct world {
  struct world *next;
  int number, size, joined, left, aborted;
  message *from_to[RANKS][RANKS];
} world;
typedef struct group {
  world *w;
  int rank, used; /* by sends and receives until their group ends */
  bool waits;     /* for what another rank sends */
  bool gone;      /* kept, so that a use shows */
} group;
typedef struct work {
  char *at;
  message *m;
  bool reads;
} work;
typedef struct call {
  bool sends;
  void *data;
  size_t bytes;
  int peer;
  group *g;
  void *stream;
} call;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static world *worlds;
static int numbers, alive, inside;
static __thread int depth, count;
static __thread call calls[64];

__attribute__((noreturn)) static void misuse(const char *what) {
  fprintf(stderr, "NCCL stand-in: misuse: %s\n", what);
  abort();
}
__attribute__((destructor)) static void end(void) {
  if (alive) misuse("ranks that did not leave");
}
static bool told(const char *what) {
  const char *setting = getenv("HEDDLE_STAND_IN_NCCL");
  return setting && !strcmp(setting, what);
}

API int ncclGetVersion(int *version) { return *version = told("old") ? 2408 : 22703, SUCCESS; }
API int ncclGetUniqueId(id *out) {
  memset(out, 0, sizeof *out);
  pthread_mutex_lock(&lock);
  snprintf(out->bytes, sizeof out->bytes, "world %d", ++numbers);
  pthread_mutex_unlock(&lock);
  return told("id") ? INVALID_USAGE : SUCCESS;
}

API int ncclCommInitRank(group **out, int size, id which, int rank) {
  int number = 0;
  if (!standInCurrent()) misuse("ncclCommInitRank: no context is current");
  if (sscanf(which.bytes, "world %d", &number) != 1 || rank < 0 || rank >= size || size > RANKS)
    misuse("ncclCommInitRank: a rank or an id");
  if (told("join")) return INVALID_USAGE;
  pthread_mutex_lock(&lock);
  world *w = worlds;
  while (w && w->number != number) w = w->next;
  if (!w) {
    w = calloc(1, sizeof *w);
    *w = (world){.next = worlds, .number = number, .size = size};
    worlds = w;
  }
  if (w->size != size) misuse("ncclCommInitRank: sizes differ");
  ++w->joined;
  ++alive;
  pthread_cond_broadcast(&changed);
  while (w->joined < size) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  *out = malloc(sizeof **out);
  **out = (group){.w = w, .rank = rank};
  fprintf(stderr, "NCCL stand-in: rank %d of %d\n", rank, size);
  return SUCCESS;
}

static int leave(group *g, bool aborts) {
  if (!standInCurrent()) misuse("leaving: no context is current");
  pthread_mutex_lock(&lock);
  if (g->used && !g->waits) misuse("leaving: a group that is in use");
  g->w->aborted |= aborts;
  ++g->w->left;
  --alive;
  g->gone = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return SUCCESS;
}
API int ncclCommDestroy(group *g) { return leave(g, false); }
API int ncclCommAbort(group *g) { return leave(g, true); }

/* How many exchanges came to their end so far. */
API int standInInside(void) { return __atomic_load_n(&inside, __ATOMIC_RELAXED); }

API int ncclGroupStart(void) { return ++depth, SUCCESS; }
static int add(bool sends, const void *data, size_t bytes, int type, int peer, group *g, void *stream) {
  if (!depth) misuse("a send or a receive outside of a group");
  if (type != 0 || !bytes || peer < 0 || peer >= g->w->size || peer == g->rank || count == 64)
    misuse("a send or a receive");
  pthread_mutex_lock(&lock);
  if (g->gone) misuse("a group that was left");
  ++g->used;
  pthread_mutex_unlock(&lock);
  calls[count++] = (call){sends, (void *)(uintptr_t)data, bytes, peer, g, stream};
  return SUCCESS;
}
API int ncclSend(const void *data, size_t bytes, int type, int peer, group *g, void *stream) {
  return add(true, data, bytes, type, peer, g, stream);
}
API int ncclRecv(void *data, size_t bytes, int type, int peer, group *g, void *stream) {
  return add(false, data, bytes, type, peer, g, stream);
}

/* In the stream. */
static void move(void *argument) {
  work *w = argument;
  char *place = standInPlace((uint64_t)(uintptr_t)w->at, w->m->bytes);
  if (!place) misuse("a part that is no whole piece of the device's memory");
  if (w->reads)
    memcpy(w->m->data, place, w->m->bytes);
  else {
    memcpy(place, w->m->data, w->m->bytes);
    free(w->m);
  }
  free(w);
}

static void enqueue(const call *c, message *m) {
  work *w = malloc(sizeof *w);
  *w = (work){c->data, m, c->sends};
  if (standInEnqueue(c->stream, move, w)) free(w);
}

static void post(const call *c) {
  message *m = malloc(sizeof *m + c->bytes), **at = &c->g->w->from_to[c->g->rank][c->peer];
  *m = (message){NULL, c->bytes};
  enqueue(c, m);
  if (standInWait(c->stream)) misuse("a stream that failed"); /* no test has that */
  pthread_mutex_lock(&lock);
  while (*at) at = &(*at)->next;
  *at = m;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static int take(const call *c) {
  world *w = c->g->w;
  pthread_mutex_lock(&lock);
  message **at = &w->from_to[c->peer][c->g->rank], *m;
  c->g->waits = true;
  while (!*at && !w->aborted) pthread_cond_wait(&changed, &lock);
  c->g->waits = false;
  m = *at;
  if (m) *at = m->next;
  pthread_mutex_unlock(&lock);
  if (!m) return INVALID_USAGE;
  if (m->bytes != c->bytes) misuse("sizes differ at the two ends, which would hang or overwrite");
  enqueue(c, m);
  return SUCCESS;
}

API int ncclGroupEnd(void) {
  int code = SUCCESS, n = count;
  if (!depth || --depth) misuse("ncclGroupEnd: no group, or one inside another");
  if (!standInCurrent()) misuse("ncclGroupEnd: no context is current");
  count = 0;
  __atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED);
  if (told("slow")) usleep(300000);
  if (told("fails") || (told("stuck") && n && calls[0].g->rank)) code = INVALID_USAGE;
  for (int i = 0; i < n && !code; ++i)
    if (calls[i].sends) post(&calls[i]);
  for (int i = 0; i < n && !code; ++i)
    if (!calls[i].sends) code = take(&calls[i]);
  pthread_mutex_lock(&lock);
  for (int i = 0; i < n; ++i) --calls[i].g->used;
  pthread_mutex_unlock(&lock);
  if (!code || told("stuck") || told("slow")) fprintf(stderr, "NCCL stand-in: exchange\n");
  return code;
}
