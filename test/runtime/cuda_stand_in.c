/* SPDX-License-Identifier: Apache-2.0 */
/* A libcuda.so.1 for tests on machines without a GPU: the part of the driver API that
 * drivers/cuda uses, on memory of the host.
 *
 * It shows that the driver keeps to the API: a context is current in every call, handles live, arguments have the
 * layout of the PTX, nothing is released that work in a queue uses, and all is given back with the context. Work is
 * done as late as the API allows, when somebody waits, so a missing wait shows; device addresses are mapped for nobody,
 * so a dereference by the host does. Kernels are run by simt, checked, from an artifact of the same program for it
 * (HEDDLE_STAND_IN_ARTIFACT). What it does not show: that PTX computes what simt does, that CUDA's driver takes it,
 * times, and what real concurrency does. Misuse ends the process with a line. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/artifact.h"
#include "runtime/drivers/simt/ranges.h"

#define API __attribute__((visibility("default")))
enum {
  INVALID = 1,
  OUT_OF_MEMORY = 2,
  NO_DEVICE = 100,
  BAD_PTX = 218,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700,
  LAUNCH_FAILED = 719
};
enum { ALIVE = 0x600d, DEAD = 0xdead, DEFAULT_SHARED = 49152, SHARED_LIMIT = 232448, WORDS = 256 };

typedef struct stream stream;
typedef struct event {
  int state;
  stream *of;        /* null: never recorded */
  uint64_t position; /* tasks of it before and with the record */
} event;
typedef struct module {
  int state;
  char *ptx;
} module;
typedef struct function {
  int state;
  module *of;
  char name[256];
  uint32_t kernel, count, bytes[WORDS], allowed; /* of each parameter; dynamic shared memory */
} function;

typedef enum { COPY, FILL, LAUNCH, WRITE, WAIT, RELEASE, RECORD, CALL } task_kind;
typedef struct task {
  struct task *next;
  task_kind kind;
  uint64_t to, from, bytes; /* addresses as the caller has them */
  void *staged;             /* what pageable memory had */
  uint32_t value;
  stream *awaited;
  uint64_t position;
  function *f;
  uint32_t grid[3], block[3];
  uint64_t words[WORDS];
  void (*run)(void *argument); /* of a library that stands in for another one of CUDA's */
  void *argument;
  struct task *origin; /* of an executable graph: the node of the graph that it was made of */
} task;
struct stream {
  int state;
  stream *next;
  task *first, **last;
  uint64_t issued, done;
  struct graph *captures; /* null: what is put in is done */
};
typedef struct graph {
  int state;
  struct graph *next; /* of those that are alive */
  task *first, **last;
} graph;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct hd_cu {
  int unused;
} the_context;
static __thread int depth; /* of current contexts */
static int retained, lost;
static int64_t streams_alive, events_alive, modules_alive, pinned_alive;
static uint64_t bytes_alive;
static stream *streams;
static graph *graphs;
static hd_simt_ranges memory, pinned;
static hd_simt_program *program; /* null: no kernel runs */

__attribute__((format(printf, 1, 2), noreturn)) static void misuse(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "cuda stand-in: misuse: ");
  vfprintf(stderr, format, list);
  fprintf(stderr, "\n");
  va_end(list);
  abort();
}

static void *must(void *p) { return p ? p : (misuse("out of memory"), NULL); }
static uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 0) : otherwise;
}

#define ENTER(what)                                   \
  pthread_mutex_lock(&lock);                          \
  if (!depth) misuse(what ": no context is current"); \
  if (lost) return leave(lost);
static int leave(int code) {
  pthread_mutex_unlock(&lock);
  return code;
}
#define LIVE(handle, what) \
  if (!(handle) || (handle)->state != ALIVE) misuse("%s: a handle that is not alive", what)

/* ---- work ---- */

/* Where the host finds |bytes| at |address|; null where the address is no whole piece of an allocation. */
static char *place(uint64_t address, uint64_t bytes, bool *on_device) {
  const hd_simt_allocation *in = hd_simt_ranges_at(&memory, (void *)(uintptr_t)address);
  *on_device = in != NULL;
  if (!in) return (char *)(uintptr_t)address;
  uint64_t at = address - in->address;
  return bytes <= in->size - at ? (char *)in->data + at : NULL;
}

static bool is_pinned(uint64_t address) { return hd_simt_ranges_at(&pinned, (void *)(uintptr_t)address) != NULL; }

static void lose(int code, const char *why) {
  fprintf(stderr, "cuda stand-in: %s\n", why);
  lost = code;
}

static void run_kernel(const task *t) {
  const char *fails = getenv("HEDDLE_STAND_IN_FAILS");
  if (fails && strstr(t->f->name, fails)) {
    lose(ILLEGAL_ADDRESS, "a kernel fails as it was told to");
    return;
  }
  if (!program && !t->f->count) return; /* it can have no effect */
  hd_simt_launch launch = {.words = t->words, .word_count = t->f->count, .checks = true, .dynamic_shared = t->value};
  memcpy(launch.grid, t->grid, sizeof launch.grid);
  memcpy(launch.block, t->block, sizeof launch.block);
  launch.allocations = memory.items;
  launch.allocation_count = memory.count;
  if (!program)
    misuse("a launch of '%s' without HEDDLE_STAND_IN_ARTIFACT, or one without kernels for simt", t->f->name);
  hd_status status = hd_simt_run(program, t->f->kernel, &launch);
  if (!hd_is_ok(status))
    lose(strstr(hd_status_message(status), "out of bounds") ? ILLEGAL_ADDRESS : LAUNCH_FAILED,
         hd_status_message(status));
  hd_status_free(status);
}

static void unmap(uint64_t address) {
  hd_simt_allocation gone = hd_simt_ranges_remove(&memory, (void *)(uintptr_t)address);
  munmap(gone.data, gone.size);
  bytes_alive -= gone.size;
}

static void run_until(stream *s, uint64_t position);

static void run_task(task *t) {
  bool on_device;
  char *to = t->kind == COPY || t->kind == FILL ? place(t->to, t->bytes, &on_device) : NULL;
  if ((t->kind == COPY || t->kind == FILL) && !to) misuse("work on memory that was released");
  if (t->kind == COPY) memcpy(to, t->staged ? t->staged : place(t->from, t->bytes, &on_device), t->bytes);
  if (t->kind == FILL) memset(to, (int)t->value, t->bytes);
  if (t->kind == WRITE) *(uint32_t *)(uintptr_t)t->to = t->value;
  if (t->kind == LAUNCH) run_kernel(t);
  if (t->kind == WAIT) run_until(t->awaited, t->position);
  if (t->kind == RELEASE) unmap(t->to);
  if (t->kind == CALL) t->run(t->argument);
}

static void run_until(stream *s, uint64_t position) {
  while (s->first && s->done < position && !lost) {
    task *t = s->first;
    s->first = t->next;
    if (!s->first) s->last = &s->first;
    run_task(t);
    if (!lost) ++s->done;
    free(t->staged);
    free(t);
  }
}

static void run_all(void) {
  for (stream *s = streams; s; s = s->next) run_until(s, UINT64_MAX);
}

static task *enqueue(stream *s, task_kind kind) {
  task *t = must(calloc(1, sizeof *t));
  t->kind = kind;
  task ***last = s->captures ? &s->captures->last : &s->last;
  **last = t;
  *last = &t->next;
  s->issued += !s->captures;
  return t;
}

static bool touches(uint64_t address, uint64_t bytes, uint64_t from, uint64_t size) {
  return address < from + size && from < address + (bytes ? bytes : 1);
}

/* What is in a queue of another stream than |own| must not use [from, from + size). */
static void check_unused(const stream *own, uint64_t from, uint64_t size, const char *what) {
  for (const stream *s = streams; s; s = s->next)
    for (const task *t = s == own ? NULL : s->first; t; t = t->next) {
      bool uses = (t->kind == COPY &&
                   ((!t->staged && touches(t->from, t->bytes, from, size)) || touches(t->to, t->bytes, from, size))) ||
                  ((t->kind == FILL || t->kind == WRITE) && touches(t->to, t->bytes, from, size));
      for (uint32_t i = 0; t->kind == LAUNCH && i < t->f->count; ++i)
        uses |= t->f->bytes[i] == 8 && touches(t->words[i], 1, from, size);
      if (uses) misuse("%s: work that was not done uses it", what);
    }
}

/* ---- the device ---- */

static void load_program(void) {
  const char *path = getenv("HEDDLE_STAND_IN_ARTIFACT");
  if (!path) return;
  FILE *file = fopen(path, "rb");
  if (!file) misuse("no artifact %s", path);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  void *bytes = must(aligned_alloc(64, (size + 63) / 64 * 64));
  if (fread(bytes, 1, size, file) != size) misuse("a short artifact");
  fclose(file);
  hd_arena arena;
  hd_artifact artifact;
  hd_arena_init(&arena, NULL);
  hd_status status = hd_artifact_read(bytes, size, true, &arena, &artifact);
  if (!hd_is_ok(status)) misuse("%s", hd_status_message(status));
  for (uint32_t p = 0; p < artifact.program_count; ++p)
    for (uint32_t i = 0; i < artifact.programs[p].image_count; ++i) {
      const hd_artifact_image *image = &artifact.programs[p].images[i];
      if (!strcmp(image->driver, "simt")) status = hd_simt_program_load(image->data, image->size, &program);
    }
  if (!hd_is_ok(status)) misuse("%s", hd_status_message(status));
}

API int cuInit(unsigned flags) {
  if (flags) misuse("cuInit: flags");
  if (!memory.items && (!hd_simt_ranges_init(&memory) || !hd_simt_ranges_init(&pinned))) misuse("out of memory");
  if (!program) load_program();
  return 0;
}

API int cuDriverGetVersion(int *version) { return *version = 13000, 0; }

API int cuGetErrorName(int code, const char **out) {
  static const struct {
    int code;
    const char *name;
  } names[] = {{INVALID, "CUDA_ERROR_INVALID_VALUE"},       {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
               {NO_DEVICE, "CUDA_ERROR_NO_DEVICE"},         {BAD_PTX, "CUDA_ERROR_INVALID_PTX"},
               {221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND"},  {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
               {NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},         {NOT_READY, "CUDA_ERROR_NOT_READY"},
               {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"}, {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
               {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (names[i].code == code) return *out = names[i].name, 0;
  return *out = NULL, INVALID;
}

/* Several share one context. */
static bool is_device(int device) { return device >= 7 && device < 7 + (int)setting("HEDDLE_STAND_IN_DEVICES", 1); }
API int cuDeviceGetCount(int *count) { return *count = (int)setting("HEDDLE_STAND_IN_DEVICES", 1), 0; }
API int cuDeviceGet(int *device, int ordinal) {
  if (ordinal < 0 || ordinal >= (int)setting("HEDDLE_STAND_IN_DEVICES", 1)) return 101;
  return *device = 7 + ordinal, 0;
}
API int cuDeviceGetName(char *name, int size, int device) {
  if (!is_device(device)) misuse("cuDeviceGetName: no such device");
  snprintf(name, (size_t)size, device == 7 ? "stand-in" : "stand-in %d", device - 7);
  return 0;
}
API int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  return *bytes = setting("HEDDLE_STAND_IN_MEMORY", 1 << 30), !is_device(device);
}

API int cuDeviceGetAttribute(int *value, int attribute, int device) {
  static const int info[][2] = {{1, 1024}, {5, 2147483647}, {6, 65535}, {7, 65535},         {10, 32},
                                {41, 1},   {75, 9},         {76, 0},    {97, SHARED_LIMIT}, {115, 1}};
  if (!is_device(device)) misuse("cuDeviceGetAttribute: no such device");
  for (size_t i = 0; i < sizeof info / sizeof *info; ++i)
    if (info[i][0] == attribute)
      return *value = attribute == 97 ? (int)setting("HEDDLE_STAND_IN_SHARED", SHARED_LIMIT) : info[i][1], 0;
  misuse("cuDeviceGetAttribute: %d is not known here", attribute);
}

/* ---- contexts ---- */

API int cuDevicePrimaryCtxRetain(struct hd_cu **context, int device) {
  if (!is_device(device)) misuse("cuDevicePrimaryCtxRetain: no such device");
  pthread_mutex_lock(&lock);
  ++retained;
  *context = &the_context;
  return leave(0);
}

API int cuDevicePrimaryCtxRelease_v2(int device) {
  pthread_mutex_lock(&lock);
  if (!is_device(device) || retained < 1) misuse("cuDevicePrimaryCtxRelease: was not retained");
  if (depth) misuse("cuDevicePrimaryCtxRelease: it is current");
  if (!--retained && !lost) {
    run_all();
    if (graphs) misuse("the context ends with a graph");
    if (memory.count || streams_alive || events_alive || modules_alive || pinned_alive)
      misuse("the context ends with %zu allocations, %lld streams, %lld events, %lld modules, %lld pinned allocations",
             memory.count, (long long)streams_alive, (long long)events_alive, (long long)modules_alive,
             (long long)pinned_alive);
  }
  return leave(0);
}

API int cuCtxPushCurrent_v2(struct hd_cu *context) {
  if (context != &the_context || !retained) misuse("cuCtxPushCurrent: no such context");
  return ++depth, 0;
}
API int cuCtxPopCurrent_v2(struct hd_cu **context) {
  if (!depth) misuse("cuCtxPopCurrent: none is current");
  --depth;
  return *context = &the_context, 0;
}
API int cuCtxSynchronize(void) {
  ENTER("cuCtxSynchronize");
  run_all();
  return leave(lost);
}

/* ---- modules ---- */

API int cuModuleLoadDataEx(module **out, const void *image, unsigned count, const int *options, void **values) {
  ENTER("cuModuleLoadDataEx");
  bool is_code = !memcmp(image, "\177ELF", 4); /* as the library that stands in for nvJitLink makes it */
  const char *text = (const char *)image + 4 * is_code, *target = strstr(text, ".target sm_");
  if (!is_code && getenv("HEDDLE_STAND_IN_JIT")) return leave((int)setting("HEDDLE_STAND_IN_JIT", 0));
  if (strncmp(text, "//", 2) || !strstr(text, ".version") || !target) {
    for (unsigned i = 0; i + 1 < count; ++i)
      if (options[i] == 5 && options[i + 1] == 6)
        snprintf(values[i], (size_t)(uintptr_t)values[i + 1], "ptxas fatal   : Ptx assembly aborted\nmore");
    return leave(BAD_PTX);
  }
  if (atoi(target + 11) > 90) return leave(209);
  *out = must(calloc(1, sizeof **out));
  **out = (module){ALIVE, must(strdup(text))};
  ++modules_alive;
  return leave(0);
}

API int cuModuleUnload(module *m) {
  ENTER("cuModuleUnload");
  LIVE(m, "cuModuleUnload");
  for (const stream *s = streams; s; s = s->next)
    for (const task *t = s->first; t; t = t->next)
      if (t->kind == LAUNCH && t->f->of == m) misuse("cuModuleUnload: a launch of it was not done");
  for (const graph *g = graphs; g; g = g->next)
    for (const task *t = g->first; t; t = t->next)
      if (t->kind == LAUNCH && t->f->of == m) misuse("cuModuleUnload: a graph has a launch of it");
  m->state = DEAD;
  --modules_alive;
  return leave(0);
}

/* Bytes of the parameters of |name|: ".param .u64 .ptr .global .align 1 k_param_0". */
static bool read_parameters(const char *ptx, function *f) {
  char entry[300];
  snprintf(entry, sizeof entry, ".entry %s(", f->name);
  const char *at = strstr(ptx, entry), *end = at ? strchr(at, ')') : NULL;
  if (!end) return false;
  for (at += strlen(entry); (at = strstr(at, ".param .")) && at < end; at += 8) {
    int bits = 0;
    if (f->count == WORDS || sscanf(at + 8, "%*[a-z]%d", &bits) != 1 || bits % 8)
      misuse("'%s': a parameter of a kind that is not known here", f->name);
    f->bytes[f->count++] = (uint32_t)bits / 8;
  }
  return true;
}

API int cuModuleGetFunction(function **out, module *m, const char *name) {
  ENTER("cuModuleGetFunction");
  LIVE(m, "cuModuleGetFunction");
  function *f = must(calloc(1, sizeof *f));
  f->of = m;
  f->state = ALIVE;
  f->allowed = 0;
  snprintf(f->name, sizeof f->name, "%s", name);
  if (!read_parameters(m->ptx, f)) return leave(NOT_FOUND);
  if (program) {
    hd_status status = hd_simt_program_find(program, name, &f->kernel);
    if (!hd_is_ok(status)) misuse("%s", hd_status_message(status));
    const hd_simt_kernel *k = &hd_simt_program_module(program)->kernels[f->kernel];
    if (k->argument_count != f->count)
      misuse("'%s': PTX has %u parameters, simt %u", name, f->count, k->argument_count);
    for (uint32_t i = 0; i < f->count; ++i)
      if (f->bytes[i] != (k->arguments[i].bits + 7) / 8)
        misuse("'%s': parameter %u has %u bytes in PTX, %u bits on simt", name, i, f->bytes[i], k->arguments[i].bits);
  }
  *out = f;
  return leave(0);
}

API int cuFuncSetAttribute(function *f, int attribute, int value) {
  ENTER("cuFuncSetAttribute");
  LIVE(f, "cuFuncSetAttribute");
  if (attribute != 8) misuse("cuFuncSetAttribute: %d is not known here", attribute);
  if (value < 0 || value > SHARED_LIMIT) return leave(INVALID);
  f->allowed = (uint32_t)value;
  return leave(0);
}

typedef struct kernel_node {
  function *f;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra, *kernel, *context;
} kernel_node;

static int check_launch(const kernel_node *k) {
  LIVE(k->f, "a launch");
  LIVE(k->f->of, "a launch");
  const unsigned *g = k->grid, *b = k->block;
  if (k->extra || !g[0] || !g[1] || !g[2] || g[0] > INT32_MAX || g[1] > 65535 || g[2] > 65535 ||
      (uint64_t)b[0] * b[1] * b[2] > 1024 || !b[0] || !b[1] || !b[2])
    return INVALID;
  if (k->shared > (k->f->allowed ? k->f->allowed : DEFAULT_SHARED)) return INVALID;
  return 0;
}

static void describe_launch(task *t, const kernel_node *k) {
  t->f = k->f;
  t->value = k->shared;
  memcpy(t->grid, k->grid, sizeof t->grid);
  memcpy(t->block, k->block, sizeof t->block);
  for (uint32_t i = 0; i < k->f->count; ++i) memcpy(&t->words[i], k->parameters[i], k->f->bytes[i]);
}

API int cuLaunchKernel(function *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                       unsigned shared, stream *s, void **parameters, void **extra) {
  ENTER("cuLaunchKernel");
  LIVE(s, "cuLaunchKernel");
  kernel_node k = {f, {gx, gy, gz}, {bx, by, bz}, shared, parameters, extra, NULL, NULL};
  int code = check_launch(&k);
  if (code) return leave(code);
  if (getenv("HEDDLE_STAND_IN_LAUNCH")) return leave((int)setting("HEDDLE_STAND_IN_LAUNCH", 0));
  describe_launch(enqueue(s, LAUNCH), &k);
  return leave(0);
}

/* ---- streams and events ---- */

API int cuStreamCreate(stream **out, unsigned flags) {
  ENTER("cuStreamCreate");
  if (flags != 1) misuse("cuStreamCreate: a stream that waits for the default one");
  stream *s = must(calloc(1, sizeof *s));
  *s = (stream){.state = ALIVE, .next = streams};
  s->last = &s->first;
  streams = s;
  ++streams_alive;
  *out = s;
  return leave(0);
}

API int cuStreamDestroy_v2(stream *s) {
  ENTER("cuStreamDestroy");
  LIVE(s, "cuStreamDestroy");
  if (s->first) misuse("cuStreamDestroy: its work was not waited for");
  s->state = DEAD;
  --streams_alive;
  return leave(0);
}

API int cuStreamSynchronize(stream *s) {
  ENTER("cuStreamSynchronize");
  LIVE(s, "cuStreamSynchronize");
  run_until(s, UINT64_MAX);
  return leave(lost);
}

API int cuStreamWaitEvent(stream *s, event *e, unsigned flags) {
  ENTER("cuStreamWaitEvent");
  LIVE(s, "cuStreamWaitEvent");
  LIVE(e, "cuStreamWaitEvent");
  if (flags) misuse("cuStreamWaitEvent: flags");
  if (!e->of) return leave(0);
  task *t = enqueue(s, WAIT);
  t->awaited = e->of;
  t->position = e->position;
  return leave(0);
}

API int cuStreamWriteValue32_v2(stream *s, uint64_t address, uint32_t value, unsigned flags) {
  ENTER("cuStreamWriteValue32");
  LIVE(s, "cuStreamWriteValue32");
  if (flags || address % 4 || !is_pinned(address)) misuse("cuStreamWriteValue32: expected a word of pinned memory");
  static uint64_t writes;
  if (++writes == setting("HEDDLE_STAND_IN_REFUSED_WRITE", 0)) return leave(OUT_OF_MEMORY);
  task *t = enqueue(s, WRITE);
  t->to = address;
  t->bytes = 4;
  t->value = value;
  return leave(0);
}

API int cuEventCreate(event **out, unsigned flags) {
  ENTER("cuEventCreate");
  if (flags & ~2u) misuse("cuEventCreate: flags");
  *out = must(calloc(1, sizeof **out));
  (*out)->state = ALIVE;
  ++events_alive;
  return leave(0);
}
API int cuEventDestroy_v2(event *e) {
  ENTER("cuEventDestroy");
  LIVE(e, "cuEventDestroy");
  e->state = DEAD;
  --events_alive;
  return leave(0);
}
API int cuEventRecord(event *e, stream *s) {
  ENTER("cuEventRecord");
  LIVE(e, "cuEventRecord");
  LIVE(s, "cuEventRecord");
  enqueue(s, RECORD);
  e->of = s;
  e->position = s->issued;
  return leave(0);
}
API int cuEventSynchronize(event *e) {
  ENTER("cuEventSynchronize");
  LIVE(e, "cuEventSynchronize");
  if (e->of) run_until(e->of, e->position);
  return leave(lost);
}
/* One step of the stream's work is done for each time it is asked. */
API int cuEventQuery(event *e) {
  ENTER("cuEventQuery");
  LIVE(e, "cuEventQuery");
  if (!e->of || e->of->done >= e->position) return leave(0);
  run_until(e->of, e->of->done + 1);
  return leave(lost ? lost : e->of->done >= e->position ? 0 : NOT_READY);
}
API int cuEventElapsedTime(float *ms, event *from, event *to) {
  ENTER("cuEventElapsedTime");
  LIVE(from, "cuEventElapsedTime");
  LIVE(to, "cuEventElapsedTime");
  if (!from->of || !to->of || to->of->done < to->position) return leave(NOT_READY);
  *ms = 0.25f;
  return leave(0);
}

/* ---- memory ---- */

API int cuMemAllocAsync(uint64_t *out, size_t bytes, stream *s) {
  ENTER("cuMemAllocAsync");
  LIVE(s, "cuMemAllocAsync");
  if (!bytes) return leave(INVALID);
  size_t span = (bytes + 8191) / 4096 * 4096;
  if (bytes_alive + bytes > setting("HEDDLE_STAND_IN_MEMORY", 1 << 30)) {
    run_until(s, UINT64_MAX); /* what was released comes back */
    if (bytes_alive + bytes > setting("HEDDLE_STAND_IN_MEMORY", 1 << 30)) return leave(OUT_OF_MEMORY);
  }
  char *nobodys =
      mmap(NULL, span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0); /* never given again */
  char *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (nobodys == MAP_FAILED || data == MAP_FAILED) return leave(OUT_OF_MEMORY);
  memset(data, 0xa5, bytes);
  if (!hd_simt_ranges_add(&memory, (hd_simt_allocation){(uint64_t)(uintptr_t)nobodys, bytes, data, NULL}))
    misuse("out of memory");
  bytes_alive += bytes;
  *out = (uint64_t)(uintptr_t)nobodys;
  return leave(0);
}

API int cuMemFreeAsync(uint64_t address, stream *s) {
  ENTER("cuMemFreeAsync");
  LIVE(s, "cuMemFreeAsync");
  const hd_simt_allocation *in = hd_simt_ranges_at(&memory, (void *)(uintptr_t)address);
  if (!in || in->address != address) misuse("cuMemFreeAsync: no allocation begins there");
  for (const task *t = s->first; t; t = t->next)
    if (t->kind == RELEASE && t->to == address) misuse("cuMemFreeAsync: released twice");
  check_unused(s, address, in->size, "cuMemFreeAsync");
  enqueue(s, RELEASE)->to = address;
  return leave(0);
}

API int cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
  ENTER("cuMemHostAlloc");
  if (flags != 1) misuse("cuMemHostAlloc: flags");
  if (bytes > 1ull << 40 || !(*out = aligned_alloc(64, (bytes + 63) / 64 * 64))) return leave(OUT_OF_MEMORY);
  if (!hd_simt_ranges_add(&pinned, (hd_simt_allocation){(uint64_t)(uintptr_t)*out, bytes, *out, NULL}))
    misuse("out of memory");
  ++pinned_alive;
  return leave(0);
}

API int cuMemFreeHost(void *data) {
  ENTER("cuMemFreeHost");
  hd_simt_allocation gone = hd_simt_ranges_remove(&pinned, data);
  if (!gone.size) misuse("cuMemFreeHost: no pinned allocation begins there");
  check_unused(NULL, gone.address, gone.size, "cuMemFreeHost");
  --pinned_alive;
  free(data);
  return leave(0);
}

/* Pageable memory is read before the call returns, and written by a call that
 * waits; two places on the host wait too. */
API int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, stream *s) {
  ENTER("cuMemcpyAsync");
  LIVE(s, "cuMemcpyAsync");
  bool to_device, from_device;
  if (!place(to, bytes, &to_device) || !place(from, bytes, &from_device)) return leave(INVALID);
  task *t = enqueue(s, COPY);
  *t = (task){.kind = COPY, .to = to, .from = from, .bytes = bytes};
  if (!from_device && !is_pinned(from)) t->staged = memcpy(must(malloc(bytes)), (void *)(uintptr_t)from, bytes);
  if (!to_device && !is_pinned(to)) run_until(s, UINT64_MAX);
  return leave(lost);
}

API int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, stream *s) {
  ENTER("cuMemsetD8Async");
  LIVE(s, "cuMemsetD8Async");
  bool on_device;
  if (!place(to, bytes, &on_device) || !on_device) return leave(INVALID);
  task *t = enqueue(s, FILL);
  t->to = to;
  t->bytes = bytes;
  t->value = value;
  return leave(0);
}

/* ---- graphs: of launches and words that are written ---- */

API int cuModuleLoadData(module **out, const void *image) { return cuModuleLoadDataEx(out, image, 0, NULL, NULL); }
static graph *make_graph(void) {
  graph *g = must(calloc(1, sizeof *g));
  *g = (graph){.state = ALIVE, .next = graphs};
  g->last = &g->first;
  return graphs = g;
}
static task *add_to(graph *g) {
  task *t = must(calloc(1, sizeof *t));
  *g->last = t;
  g->last = &t->next;
  return t;
}
static int end_graph(graph *g, const char *what) {
  pthread_mutex_lock(&lock);
  LIVE(g, what);
  graph **at = &graphs;
  while (*at != g) at = &(*at)->next;
  *at = g->next;
  g->state = DEAD;
  for (task *t = g->first, *next; t; t = next) {
    next = t->next;
    free(t);
  }
  return leave(0);
}

API int cuStreamBeginCapture_v2(stream *s, int mode) {
  ENTER("cuStreamBeginCapture");
  LIVE(s, "cuStreamBeginCapture");
  if (s->captures || mode < 0 || mode > 2) misuse("cuStreamBeginCapture: it captures already, or no such mode");
  s->captures = make_graph();
  return leave(0);
}
API int cuStreamEndCapture(stream *s, graph **out) {
  ENTER("cuStreamEndCapture");
  LIVE(s, "cuStreamEndCapture");
  if (!s->captures) misuse("cuStreamEndCapture: it captures nothing");
  *out = s->captures;
  s->captures = NULL;
  return leave(0);
}
API int cuGraphCreate(graph **out, unsigned flags) {
  ENTER("cuGraphCreate");
  if (flags) misuse("cuGraphCreate: flags");
  if (getenv("HEDDLE_STAND_IN_NO_GRAPHS")) {
    if (getenv("HEDDLE_STAND_IN_SAYS")) fprintf(stderr, "cuda stand-in: no graph\n");
    return leave(OUT_OF_MEMORY);
  }
  *out = make_graph();
  return leave(0);
}
/* Nodes are a chain, each behind the last. */
API int cuGraphAddKernelNode_v2(task **out, graph *g, task *const *behind, size_t count, const kernel_node *k) {
  ENTER("cuGraphAddKernelNode");
  LIVE(g, "cuGraphAddKernelNode");
  task *last = g->first;
  while (last && last->next) last = last->next;
  if (count != (last != NULL) || (last && behind[0] != last)) misuse("cuGraphAddKernelNode: not behind the last node");
  int code = check_launch(k);
  if (code) return leave(code);
  *out = add_to(g);
  (*out)->kind = LAUNCH;
  describe_launch(*out, k);
  return leave(0);
}
API int cuGraphInstantiateWithFlags(graph **out, graph *g, unsigned long long flags) {
  ENTER("cuGraphInstantiate");
  LIVE(g, "cuGraphInstantiate");
  if (flags) misuse("cuGraphInstantiate: flags");
  *out = make_graph();
  for (task *each = g->first; each; each = each->next) {
    task *t = add_to(*out);
    *t = *each;
    t->next = NULL;
    t->origin = each;
  }
  return leave(0);
}
API int cuGraphExecKernelNodeSetParams_v2(graph *g, task *node, const kernel_node *k) {
  ENTER("cuGraphExecKernelNodeSetParams");
  LIVE(g, "cuGraphExecKernelNodeSetParams");
  task *t = g->first;
  while (t && t->origin != node) t = t->next;
  if (!t) misuse("cuGraphExecKernelNodeSetParams: a node of another graph");
  int code = check_launch(k);
  if (code) return leave(code);
  describe_launch(t, k);
  if (getenv("HEDDLE_STAND_IN_SAYS")) fprintf(stderr, "cuda stand-in: a node is set\n");
  return leave(0);
}
API int cuGraphLaunch(graph *g, stream *s) {
  ENTER("cuGraphLaunch");
  LIVE(g, "cuGraphLaunch");
  LIVE(s, "cuGraphLaunch");
  int count = 0;
  for (const task *each = g->first; each; each = each->next, ++count) {
    if (each->kind != LAUNCH && each->kind != WRITE) misuse("cuGraphLaunch: a node of a kind that is not known here");
    if (each->kind == LAUNCH) LIVE(each->f->of, "cuGraphLaunch");
    task *t = enqueue(s, each->kind), *next = t->next;
    *t = *each;
    t->next = next;
  }
  if (getenv("HEDDLE_STAND_IN_SAYS")) fprintf(stderr, "cuda stand-in: a graph of %d\n", count);
  return leave(0);
}
API int cuGraphExecDestroy(graph *g) { return end_graph(g, "cuGraphExecDestroy"); }
API int cuGraphDestroy(graph *g) { return end_graph(g, "cuGraphDestroy"); }

/* ---- for libraries that stand in beside this one ---- */

API int standInCurrent(void) { return depth; }
API int standInEnqueue(stream *s, void (*run)(void *argument), void *argument) {
  ENTER("standInEnqueue");
  LIVE(s, "standInEnqueue");
  task *t = enqueue(s, CALL);
  t->run = run;
  t->argument = argument;
  return leave(0);
}
/* In |run|: where the host finds memory of the device; null where it is no whole piece of an allocation. */
API char *standInPlace(uint64_t address, uint64_t bytes) {
  bool on_device;
  char *found = place(address, bytes, &on_device);
  return on_device ? found : NULL;
}
/* Until all work of |s| is done. */
API int standInWait(stream *s) { return cuStreamSynchronize(s); }
