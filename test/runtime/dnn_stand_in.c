/* SPDX-License-Identifier: Apache-2.0 */
/* A libcudnn.so for tests, on the libcuda.so.1 that stands in for CUDA's: convolutions and their gradients as graphs
 * of one op, which are work of its streams, done as late as the API allows. It holds the caller to a current context,
 * to descriptors that live, are finished once and given back, to attributes of the kind, type and number that cuDNN
 * has, to padding that gives the output its size, and to a workspace. HEDDLE_STAND_IN_DNN: "old" is of a version
 * before 8.5, "start" does not start, "none" knows no engine, "fails" fails at the convolution, "tensor_core" rounds
 * f32 to TF32, "winograd" computes by transforms, "random" adds in any order, "compiles" compiles its kernels; "large"
 * wants too much memory for its first engine. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))
enum { SUCCESS = 0, NOT_INITIALIZED = 1001, BAD_PARAM = 2000, NOT_SUPPORTED = 3000, FAILED = 5000 };
enum { ALIVE = 0x600d, WORKSPACE = 4096, ATTRIBUTES = 10, ELEMENTS = 16 };
enum { F32 = 0, F64 = 1, F16 = 2, BF16 = 9 };
enum { CONVOLUTION = 1, ENGINE, CONFIG, HEURISTICS, PLAN, FORWARD = 10, FILTER, DATA, GRAPH = 15, ARGUMENTS, TENSOR };

/* Of the stand-in for CUDA's driver. */
int standInCurrent(void);
int standInEnqueue(void *stream, void (*run)(void *argument), void *argument);
char *standInPlace(uint64_t address, uint64_t bytes);

typedef struct attribute {
  int name, type;
  int64_t count;
  uint64_t values[ELEMENTS];
} attribute;
typedef struct descriptor {
  int state, kind;
  bool finished;
  int users; /* descriptors that have it as a value */
  int count;
  attribute attributes[ATTRIBUTES];
} descriptor;
typedef struct handle {
  int state;
  void *stream;
} handle;

static int alive;

__attribute__((noreturn)) static void misuse(const char *what, int number) {
  fprintf(stderr, "cuDNN stand-in: misuse: %s (%d)\n", what, number);
  abort();
}
__attribute__((destructor)) static void end(void) {
  if (alive) misuse("something that nobody ended", alive);
}
static bool told(const char *what) {
  const char *setting = getenv("HEDDLE_STAND_IN_DNN");
  return setting && !strcmp(setting, what);
}

/* Which attributes each kind of descriptor must have when it is finished: kind, name,
 * type, how many, 0: as many as it wants. */
static const int must[][4] = {{TENSOR, 901, 1, 1},      {TENSOR, 902, 3, 0},      {TENSOR, 903, 3, 0},
                              {TENSOR, 906, 3, 1},      {TENSOR, 900, 3, 1},      {CONVOLUTION, 100, 1, 1},
                              {CONVOLUTION, 101, 7, 1}, {CONVOLUTION, 102, 3, 0}, {CONVOLUTION, 103, 3, 0},
                              {CONVOLUTION, 104, 3, 0}, {CONVOLUTION, 105, 3, 0}, {CONVOLUTION, 106, 3, 1},
                              {GRAPH, 800, 0, 1},       {GRAPH, 801, 15, 1},      {HEURISTICS, 200, 8, 1},
                              {HEURISTICS, 201, 15, 1}, {PLAN, 400, 0, 1},        {PLAN, 401, 15, 1},
                              {ARGUMENTS, 1000, 3, 3},  {ARGUMENTS, 1001, 6, 3},  {ARGUMENTS, 1003, 6, 1}};
static int first_of(int kind) { return kind == FORWARD ? 700 : kind == DATA ? 706 : kind == FILTER ? 712 : 0; }
static size_t size_of_type(int type) { return type == 1 || type == 7 || type == 8 || type == 4 ? 4 : 8; }

static descriptor *live(void *d, const char *what) {
  if (!d || ((descriptor *)d)->state != ALIVE) misuse(what, 0);
  return d;
}
static const attribute *look(const descriptor *d, int name) {
  for (int i = 0; i < d->count; ++i)
    if (d->attributes[i].name == name) return &d->attributes[i];
  return NULL;
}
static const attribute *get(const descriptor *d, int name) {
  const attribute *found = look(d, name);
  return found ? found : (misuse("an attribute is missing", name), NULL);
}
static int64_t number(const descriptor *d, int name, int i) {
  const attribute *a = get(d, name);
  if (i >= a->count) misuse("an attribute has too few values", name);
  return size_of_type(a->type) == 4 ? (int64_t)(int32_t)a->values[i] : (int64_t)a->values[i];
}
static descriptor *part(const descriptor *d, int name) {
  return live((void *)(uintptr_t)get(d, name)->values[0], "a descriptor that is not alive");
}

API size_t cudnnGetVersion(void) { return told("old") ? 7605 : 92000; }
API const char *cudnnGetErrorString(int status) {
  return status == FAILED ? "CUDNN_STATUS_EXECUTION_FAILED" : "CUDNN_STATUS";
}
API int cudnnCreate(handle **out) {
  if (!standInCurrent()) misuse("cudnnCreate: no context is current", 0);
  if (told("start")) return NOT_INITIALIZED;
  *out = calloc(1, sizeof **out);
  (*out)->state = ALIVE;
  ++alive;
  return SUCCESS;
}
API int cudnnDestroy(handle *h) {
  if (!standInCurrent() || h->state != ALIVE) misuse("cudnnDestroy", 0);
  --alive;
  free(h);
  return SUCCESS;
}
API int cudnnSetStream(handle *h, void *stream) { return h->stream = stream, SUCCESS; }

API int cudnnBackendCreateDescriptor(int kind, descriptor **out) {
  *out = calloc(1, sizeof **out);
  (*out)->state = ALIVE;
  (*out)->kind = kind;
  __atomic_add_fetch(&alive, 1, __ATOMIC_RELAXED);
  return SUCCESS;
}

static void use(descriptor *d, int by) {
  for (int i = 0; i < d->count; ++i)
    for (int64_t k = 0; k < d->attributes[i].count && d->attributes[i].type == 15; ++k)
      live((void *)(uintptr_t)d->attributes[i].values[k], "uses what is not alive")->users += by;
}

API int cudnnBackendDestroyDescriptor(descriptor *d) {
  live(d, "ends what is not alive");
  if (d->users) misuse("ends what others use", d->kind);
  if (d->finished) use(d, -1);
  d->state = 0;
  free(d);
  __atomic_sub_fetch(&alive, 1, __ATOMIC_RELAXED);
  return SUCCESS;
}

API int cudnnBackendSetAttribute(descriptor *d, int name, int type, int64_t count, const void *values) {
  live(d, "sets what is not alive");
  int first = first_of(d->kind), wanted = -1, number_of = 0;
  for (size_t i = 0; i < sizeof must / sizeof *must; ++i)
    if (must[i][0] == d->kind && must[i][1] == name) wanted = must[i][2], number_of = must[i][3];
  if (first && name >= first && name < first + 2) wanted = type == 5 ? 5 : 4, number_of = 1;
  if (first && name >= first + 2 && name < first + 6) wanted = 15, number_of = 1;
  if (d->finished || type != wanted || count < 1 || count > ELEMENTS || (number_of && count != number_of) ||
      d->count == ATTRIBUTES || look(d, name))
    misuse("sets an attribute that it has not, of another type, or twice", name);
  attribute *a = &d->attributes[d->count++];
  *a = (attribute){.name = name, .type = type, .count = count};
  for (int64_t i = 0; i < count; ++i)
    memcpy(&a->values[i], (const char *)values + (size_t)i * size_of_type(type), size_of_type(type));
  return SUCCESS;
}

/* The output's size follows from the padding, and features and groups agree. */
static bool agrees(const descriptor *op) {
  int first = first_of(op->kind);
  const descriptor *c = part(op, first + 2), *w = part(op, first + 3), *x = part(op, first + 4),
                   *y = part(op, first + 5);
  int64_t spatial = number(c, 106, 0);
  if (spatial < 2 || spatial > 3) return false;
  for (int i = 102; i < 106; ++i)
    if (get(c, i)->count != spatial) misuse("an attribute of a convolution has not its dims", i);
  const descriptor *tensors[] = {w, x, y};
  for (int i = 0; i < 3; ++i)
    if (get(tensors[i], 902)->count != 2 + spatial || get(tensors[i], 903)->count != 2 + spatial ||
        number(tensors[i], 901, 0) != number(w, 901, 0))
      return false;
  for (int i = 0; i < spatial; ++i) {
    int64_t extent = (number(w, 902, 2 + i) - 1) * number(c, 102, i) + 1;
    int64_t room = number(x, 902, 2 + i) + number(c, 104, i) + number(c, 105, i) - extent;
    if (number(c, 104, i) < 0 || number(c, 105, i) < 0 || room < 0 ||
        room / number(c, 103, i) + 1 != number(y, 902, 2 + i))
      return false;
  }
  return number(x, 902, 0) == number(y, 902, 0) && number(w, 902, 0) == number(y, 902, 1) &&
         number(x, 902, 1) % number(w, 902, 1) == 0 && number(y, 902, 1) % (number(x, 902, 1) / number(w, 902, 1)) == 0;
}

API int cudnnBackendFinalize(descriptor *d) {
  live(d, "finishes what is not alive");
  int first = first_of(d->kind);
  if (d->finished) misuse("finished twice", d->kind);
  for (size_t i = 0; i < sizeof must / sizeof *must; ++i)
    if (must[i][0] == d->kind) get(d, must[i][1]);
  for (int i = 0; first && i < 6; ++i) get(d, first + i);
  for (int i = 0; i < d->count; ++i)
    if (d->attributes[i].type == 15 && d->kind != CONFIG && !part(d, d->attributes[i].name)->finished)
      misuse("uses what is not finished", d->kind);
  if (first && !agrees(d)) return BAD_PARAM;
  if (d->kind == HEURISTICS) fprintf(stderr, "cuDNN stand-in: asked\n");
  d->finished = true;
  use(d, 1);
  return SUCCESS;
}

/* A second engine is what cuDNN's fallback has: plain. */
static bool is_plain(const descriptor *engine) { return engine->count; }

API int cudnnBackendGetAttribute(descriptor *d, int name, int type, int64_t wanted, int64_t *count, void *out) {
  live(d, "gets of what is not alive");
  *count = 0;
  if (d->kind == HEURISTICS && name == 202 && type == 15 && d->finished) {
    bool fallback = number(d, 200, 0) == 2;
    if (number(d, 200, 0) != 2 && number(d, 200, 0) != 3) return NOT_SUPPORTED;
    if (told("none")) return SUCCESS;
    if (wanted < 1) misuse("room for no config", 0);
    descriptor *config = live(((descriptor **)out)[0], "a config that is not alive");
    if (config->kind != CONFIG) misuse("a config of another kind", config->kind);
    config->attributes[0] = (attribute){301, 15, 1, {(uint64_t)get(d, 201)->values[0]}};
    config->attributes[1] = (attribute){302, 3, 1, {fallback}};
    config->count = 2;
    config->finished = true;
    use(config, 1);
    return *count = 1, SUCCESS;
  }
  if (d->kind == CONFIG && name == 300 && type == 15) {
    descriptor *engine = live(*(descriptor **)out, "an engine that is not alive");
    if (engine->kind != ENGINE || !d->finished) misuse("an engine of another kind", engine->kind);
    engine->count = (int)number(d, 302, 0);
    engine->attributes[0] = (attribute){1, 3, 1, {0}};
    return *count = 1, SUCCESS;
  }
  if (d->kind == ENGINE && ((name == 1303 && type == 11) || (name == 1305 && type == 19))) {
    bool numbers = name == 1303;
    int32_t note = numbers && told("tensor_core") ? 0
                   : numbers && told("winograd")  ? 5
                   : numbers && told("random")    ? 4
                   : !numbers && told("compiles") ? 0
                                                  : -1;
    if (note < 0 || is_plain(d)) return SUCCESS;
    *(int32_t *)out = note;
    return *count = 1, SUCCESS;
  }
  if (d->kind == PLAN && name == 402 && type == 3 && d->finished) {
    *(int64_t *)out = told("large") && !number(part(d, 401), 302, 0) ? 1ll << 40 : WORKSPACE;
    return *count = 1, SUCCESS;
  }
  misuse("gets an attribute that it has not", name);
}

/* ---- what it computes ---- */

typedef struct tensor {
  uint64_t at;
  int type;
  int64_t dims[5], steps[5];
} tensor;
typedef struct work {
  int kind, spatial;
  bool reversed;
  tensor w, x, y;
  int64_t strides[3], dilations[3], pre[3];
  uint64_t workspace;
} work;

static tensor tensor_of(const descriptor *d, const descriptor *arguments) {
  tensor t = {.type = (int)number(d, 901, 0)};
  for (int i = 0; i < get(d, 902)->count; ++i) t.dims[i] = number(d, 902, i), t.steps[i] = number(d, 903, i);
  for (int i = 0; i < 3; ++i)
    if (number(arguments, 1000, i) == number(d, 906, 0)) t.at = (uint64_t)number(arguments, 1001, i);
  if (!t.at || t.at % (uint64_t)number(d, 900, 0))
    misuse("a tensor without memory, or aligned less than it was said to be", 0);
  return t;
}

static int64_t bytes_of(int type) { return type == F64 ? 8 : type == F32 ? 4 : 2; }
static char *place(const tensor *t, const int64_t *index, int spatial) {
  int64_t at = 0;
  for (int i = 0; i < 2 + spatial; ++i) at += index[i] * t->steps[i];
  char *found = standInPlace(t->at + (uint64_t)(at * bytes_of(t->type)), (uint64_t)bytes_of(t->type));
  return found ? found : (misuse("a convolution beside an allocation", 0), NULL);
}
static double load(const tensor *t, const int64_t *index, int spatial) {
  const void *at = place(t, index, spatial);
  if (t->type == F32) return (double)*(const float *)at;
  if (t->type == F64) return *(const double *)at;
  if (t->type == F16) return (double)*(const _Float16 *)at;
  uint32_t bits = (uint32_t)*(const uint16_t *)at << 16;
  float wide;
  memcpy(&wide, &bits, 4);
  return (double)wide;
}
static void store(const tensor *t, const int64_t *index, int spatial, double value) {
  void *at = place(t, index, spatial);
  if (t->type == F32)
    *(float *)at = (float)value;
  else if (t->type == F64)
    *(double *)at = value;
  else if (t->type == F16)
    *(_Float16 *)at = (_Float16)value;
  else {
    float wide = (float)value;
    uint32_t bits;
    memcpy(&bits, &wide, 4);
    bits += 0x7fff + (bits >> 16 & 1);
    *(uint16_t *)at = (uint16_t)(bits >> 16);
  }
}

static bool next(int64_t *index, const int64_t *dims, int rank) {
  for (int i = rank - 1; i >= 0; --i) {
    if (++index[i] < dims[i]) return true;
    index[i] = 0;
  }
  return false;
}
static int64_t count_of(const tensor *t, int rank) {
  int64_t count = 1;
  for (int i = 0; i < rank; ++i) count *= t->dims[i];
  return count;
}
static int64_t flat(const tensor *t, const int64_t *index, int rank) {
  int64_t at = 0;
  for (int i = 0; i < rank; ++i) at = at * t->dims[i] + index[i];
  return at;
}

/* In the stream: every product of the one sum that the three ops share goes to the element that it is of. */
static void convolve(void *argument) {
  work *z = argument;
  int s = z->spatial, rank = 2 + s;
  const tensor *out = z->kind == FORWARD ? &z->y : z->kind == DATA ? &z->x : &z->w;
  double *sums = calloc((size_t)count_of(out, rank), sizeof *sums);
  memset(standInPlace(z->workspace, WORKSPACE), 0x77, WORKSPACE);
  int64_t y[5] = {0}, per_group = z->y.dims[1] / (z->x.dims[1] / z->w.dims[1]);
  do {
    int64_t w[5] = {y[1]};
    do {
      int64_t x[5] = {y[0], y[1] / per_group * z->w.dims[1] + w[1]}, read[5] = {w[0], w[1]};
      bool inside = w[0] == y[1];
      for (int i = 0; i < s; ++i) {
        x[2 + i] = y[2 + i] * z->strides[i] - z->pre[i] + w[2 + i] * z->dilations[i];
        inside &= x[2 + i] >= 0 && x[2 + i] < z->x.dims[2 + i];
        read[2 + i] = z->reversed ? z->w.dims[2 + i] - 1 - w[2 + i] : w[2 + i];
      }
      if (!inside) continue;
      if (z->kind == FORWARD) sums[flat(out, y, rank)] += load(&z->x, x, s) * load(&z->w, read, s);
      if (z->kind == DATA) sums[flat(out, x, rank)] += load(&z->y, y, s) * load(&z->w, read, s);
      if (z->kind == FILTER) sums[flat(out, read, rank)] += load(&z->x, x, s) * load(&z->y, y, s);
    } while (next(w + 1, z->w.dims + 1, rank - 1));
  } while (next(y, z->y.dims, rank));
  int64_t index[5] = {0};
  do store(out, index, s, sums[flat(out, index, rank)]);
  while (next(index, out->dims, rank));
  free(sums);
  free(z);
}

API int cudnnBackendExecute(handle *h, descriptor *plan, descriptor *arguments) {
  if (!standInCurrent() || !h || h->state != ALIVE) misuse("cudnnBackendExecute: no context, or no handle", 0);
  if (!live(plan, "executes what is not alive")->finished || plan->kind != PLAN ||
      !live(arguments, "arguments that are not alive")->finished || arguments->kind != ARGUMENTS)
    misuse("cudnnBackendExecute: not finished", 0);
  if (told("fails")) return FAILED;
  const descriptor *op = part(part(part(plan, 401), 301), 801);
  int first = first_of(op->kind);
  const descriptor *c = part(op, first + 2);
  if (!number(arguments, 1003, 0)) misuse("cudnnBackendExecute: no workspace", 0);
  bool wide = number(c, 100, 0) == F64;
  for (int i = 0; i < 2; ++i) {
    const attribute *factor = get(op, first + i);
    float narrow;
    double value;
    memcpy(&narrow, &factor->values[0], 4);
    memcpy(&value, &factor->values[0], 8);
    if (factor->type != (wide ? 5 : 4) || (wide ? value : (double)narrow) != 1 - i) misuse("a factor", i);
  }
  work *z = malloc(sizeof *z);
  *z = (work){.kind = op->kind,
              .spatial = (int)number(c, 106, 0),
              .reversed = number(c, 101, 0) == 0,
              .w = tensor_of(part(op, first + 3), arguments),
              .x = tensor_of(part(op, first + 4), arguments),
              .y = tensor_of(part(op, first + 5), arguments),
              .workspace = (uint64_t)number(arguments, 1003, 0)};
  for (int i = 0; i < z->spatial; ++i)
    z->strides[i] = number(c, 103, i), z->dilations[i] = number(c, 102, i), z->pre[i] = number(c, 105, i);
  fprintf(stderr, "cuDNN stand-in: %s\n", op->kind == FORWARD ? "forward" : op->kind == DATA ? "data" : "filter");
  return standInEnqueue(h->stream, convolve, z) ? FAILED : SUCCESS;
}
