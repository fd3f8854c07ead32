/* SPDX-License-Identifier: Apache-2.0 */
/* Launches as graphs of CUDA's. A run's launches wait in their stream until something else is put into it, or there are BATCH; then they go out
 * together. A row of the same kernels that comes again becomes a graph, a chain of them, which is kept with its stream: from then on the row is one
 * launch of the graph, after the nodes of which grid, shared memory or words differ from what they had are told so. So nothing has to be
 * known of a program, its shapes or what its words mean: host code runs as ever, and where memory comes back at the same addresses for the same shapes
 * nothing is told.
 *
 * A graph that runs may be told what its next run is given, and runs of one graph follow each other as work of one stream does. A graph's kernels
 * have no number each: a failure names the first and the last (context.c). */
#include <stdlib.h>
#include <string.h>

#include "base/library.h"
#include "base/mix.h"
#include "runtime/drivers/cuda/cuda.h"

enum { BATCH = 64, SHORTEST = 4, GRAPHS = 8, SEEN = 16, WORDS = 64 * BATCH };

typedef struct row {
  hd_grid_launch launches[BATCH]; /* whose words are among |words| */
  uint32_t count, used;
  uint64_t words[WORDS];
} row;

typedef struct graph {
  row told; /* what its nodes were told last */
  cu_graph graph;
  cu_graph_runs runs; /* null: there is none */
  cu_graph_node nodes[BATCH];
  uint64_t used;
} graph;

struct hd_cuda_batch {
  pthread_mutex_t lock; /* images are unloaded by others than the stream's thread */
  row now;
  hd_grid_launch failed;
  graph *graphs[GRAPHS];
  uint64_t seen[SEEN], uses;
};

/* ---- CUDA's functions ---- */

static struct {
#define CU(name, symbol, parameters) int(*name) parameters;
#include "runtime/drivers/cuda/graphs.def"
} api;
static char failure[256];

static const char *const names[] = {"libcuda.so.1", NULL};
static const hd_library_function functions[] = {
#define CU(name, symbol, parameters) {symbol, (void **)(void *)&api.name},
#include "runtime/drivers/cuda/graphs.def"
};

static void open_functions(void) {
  hd_library_open("CUDA driver", names, functions, sizeof functions / sizeof *functions, "12.0", failure,
                  sizeof failure);
}

hd_status hd_cuda_batch_create(hd_cuda_batch **out) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_functions);
  if (*failure) return hd_make_status(HD_UNIMPLEMENTED, "graphs: %s", failure);
  hd_cuda_batch *batch = calloc(1, sizeof *batch);
  if (!batch) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  pthread_mutex_init(&batch->lock, NULL);
  *out = batch;
  return HD_STATUS_OK;
}

/* ---- graphs ---- */

static void end_graph(graph *g, bool lost) {
  if (g->runs && !lost) api.end_runs(g->runs);
  if (g->graph && !lost) api.end(g->graph);
  free(g);
}

static bool is_alike(const row *a, const row *b) {
  if (a->count != b->count || a->used != b->used) return false;
  for (uint32_t i = 0; i < a->count; ++i)
    if (a->launches[i].image != b->launches[i].image || a->launches[i].kernel != b->launches[i].kernel) return false;
  return true;
}

static uint64_t hash_of(const row *r) {
  uint64_t hash = r->count;
  for (uint32_t i = 0; i < r->count; ++i)
    hash = hd_mix(hash + (uint64_t)(uintptr_t)r->launches[i].image + HD_MIX_STEP * (r->launches[i].kernel + 1));
  return hash ? hash : 1;
}

/* The same grid, block, shared memory and words? */
static bool is_told(const hd_grid_launch *a, const hd_grid_launch *b) {
  return !memcmp(a->grid, b->grid, sizeof a->grid) && !memcmp(a->block, b->block, sizeof a->block) &&
         a->shared_bytes == b->shared_bytes && !memcmp(a->words, b->words, a->word_count * sizeof *a->words);
}

static int describe(hd_cuda_driver *driver, const hd_grid_launch *l, void **parameters, cu_graph_kernel *out) {
  for (uint32_t i = 0; i < l->word_count; ++i) parameters[i] = (void *)(uintptr_t)&l->words[i];
  *out = (cu_graph_kernel){
      .function = l->image->functions[l->kernel].function, .shared = l->shared_bytes, .parameters = parameters};
  memcpy(out->grid, l->grid, sizeof out->grid);
  memcpy(out->block, l->block, sizeof out->block);
  return hd_cuda_allow_shared(driver, l->image, l->kernel, l->shared_bytes);
}

static void copy_row(row *to, const row *from) {
  *to = *from;
  for (uint32_t i = 0; i < to->count; ++i) to->launches[i].words = to->words + (from->launches[i].words - from->words);
}

static graph *make_graph(hd_cuda_driver *driver, const row *r) {
  void *parameters[HD_CUDA_WORD_LIMIT];
  graph *g = calloc(1, sizeof *g);
  int code = g ? api.make(&g->graph, 0) : 1;
  for (uint32_t i = 0; i < r->count && !code; ++i) {
    cu_graph_kernel kernel;
    code = describe(driver, &r->launches[i], parameters, &kernel);
    if (!code) code = api.add(&g->nodes[i], g->graph, i ? &g->nodes[i - 1] : NULL, i != 0, &kernel);
  }
  if (!code) code = api.finish(&g->runs, g->graph, 0);
  if (!code) {
    copy_row(&g->told, r);
    return g;
  }
  if (g) end_graph(g, false);
  return NULL;
}

/* The graph of |r|, made when the row comes for the second time; null: it goes out launch by launch. */
static graph *find_graph(hd_cuda_driver *driver, hd_cuda_batch *b, const row *r) {
  int oldest = 0;
  for (int i = 0; i < GRAPHS; ++i) {
    if (b->graphs[i] && is_alike(&b->graphs[i]->told, r)) return b->graphs[i];
    if (b->graphs[oldest] && (!b->graphs[i] || b->graphs[i]->used < b->graphs[oldest]->used)) oldest = i;
  }
  uint64_t hash = hash_of(r), *seen = &b->seen[hash % SEEN];
  if (*seen != hash) return *seen = hash, NULL;
  if (b->graphs[oldest]) end_graph(b->graphs[oldest], false);
  return b->graphs[oldest] = make_graph(driver, r);
}

/* Tells the nodes what is new of |r|. */
static int tell(hd_cuda_driver *driver, graph *g, const row *r) {
  void *parameters[HD_CUDA_WORD_LIMIT];
  int code = 0;
  for (uint32_t i = 0; i < r->count && !code; ++i) {
    cu_graph_kernel kernel;
    if (is_told(&g->told.launches[i], &r->launches[i])) continue;
    code = describe(driver, &r->launches[i], parameters, &kernel);
    if (!code) code = api.set(g->runs, g->nodes[i], &kernel);
  }
  if (!code) copy_row(&g->told, r);
  return code;
}

/* Did a graph take all of |r|? Nothing of it was sent otherwise. */
static bool send_graph(hd_cuda_driver *driver, hd_stream *stream, row *r) {
  hd_cuda_batch *b = stream->batch;
  if (r->count < SHORTEST) return false;
  graph *g = find_graph(driver, b, r);
  if (!g) return false;
  g->used = ++b->uses;
  if (!tell(driver, g, r) && !api.run(g->runs, stream->stream)) return true;
  for (int i = 0; i < GRAPHS; ++i)
    if (b->graphs[i] == g) b->graphs[i] = NULL;
  end_graph(g, false);
  return false;
}

const hd_grid_launch *hd_cuda_batch_send(hd_cuda_driver *driver, hd_stream *stream, int *out_code) {
  hd_cuda_batch *b = stream->batch;
  row *r = &b->now;
  const hd_grid_launch *failed = NULL;
  if (!r->count) return NULL;
  pthread_mutex_lock(&b->lock);
  if (send_graph(driver, stream, r))
    for (uint32_t i = 0; i < r->count; ++i) hd_cuda_count(stream, r->launches[i].name, r->launches[i].source);
  else
    for (uint32_t i = 0; i < r->count && !failed; ++i)
      if ((*out_code = hd_cuda_send(driver, stream, &r->launches[i], NULL)))
        b->failed = r->launches[i], failed = &b->failed;
  r->count = r->used = 0;
  pthread_mutex_unlock(&b->lock);
  return failed;
}

hd_status hd_cuda_batch_add(hd_cuda_driver *driver, hd_stream *stream, const hd_grid_launch *launch) {
  row *r = &stream->batch->now;
  if (r->count == BATCH || r->used + launch->word_count > WORDS) {
    HD_TRY(hd_cuda_enter_stream(driver, &stream));
    HD_TRY(hd_cuda_leave(driver, 0, "launch"));
  }
  hd_grid_launch *l = &r->launches[r->count++];
  *l = *launch;
  l->words = memcpy(r->words + r->used, launch->words, launch->word_count * sizeof *launch->words);
  r->used += launch->word_count;
  return HD_STATUS_OK;
}

void hd_cuda_batch_free(hd_stream *stream, bool lost) {
  hd_cuda_batch *b = stream->batch;
  if (!b) return;
  for (int i = 0; i < GRAPHS; ++i)
    if (b->graphs[i]) end_graph(b->graphs[i], lost);
  pthread_mutex_destroy(&b->lock);
  free(b);
  stream->batch = NULL;
}

static bool has_image(const row *r, const hd_device_image *image) {
  for (uint32_t i = 0; i < r->count; ++i)
    if (r->launches[i].image == image) return true;
  return false;
}

void hd_cuda_batches_forget(hd_cuda_driver *driver, const hd_device_image *image) {
  pthread_mutex_lock(&driver->lock);
  for (hd_stream *s = driver->streams; s; s = s->next) {
    hd_cuda_batch *b = s->batch;
    if (!b) continue;
    pthread_mutex_lock(&b->lock);
    for (int i = 0; i < GRAPHS; ++i)
      if (b->graphs[i] && has_image(&b->graphs[i]->told, image)) {
        end_graph(b->graphs[i], false);
        b->graphs[i] = NULL;
      }
    pthread_mutex_unlock(&b->lock);
  }
  pthread_mutex_unlock(&driver->lock);
}
