/* SPDX-License-Identifier: Apache-2.0 */
/* Launches as graphs of CUDA's. A run's launches wait in their stream until something else is put into it, or there
 * are LONGEST; then they go out together, a batch. A batch of the same kernels that comes again becomes a graph, a
 * chain of them, which is kept with its stream: from then on the batch is one launch of the graph, after an update
 * of the nodes of which grid, shared memory or words differ from what they had. So nothing has to be known of a
 * program, its shapes or what its words mean: host code runs as ever, and where memory comes back at the same
 * addresses for the same shapes nothing is updated.
 *
 * A graph that runs may be updated for its next run, and runs of one graph follow each other as work of one stream
 * does. A graph's kernels have no number each: a failure names the first and the last (context.c). So
 * "cuda:marks", which has one after each, makes none. */
#include <stdlib.h>
#include <string.h>

#include "base/library.h"
#include "base/mix.h"
#include "runtime/drivers/cuda/cuda.h"

enum { LONGEST = 64, SHORTEST = 4, GRAPHS = 8, SEEN = 16, WORDS = 64 * LONGEST };

typedef struct batch {
  hd_grid_launch launches[LONGEST]; /* whose words are among |words| */
  uint32_t count, used;
  uint64_t words[WORDS];
} batch;

typedef struct graph {
  batch params; /* of its nodes, as they were set last */
  cu_graph graph;
  cu_graph_runs runs; /* null: there is none */
  cu_graph_node nodes[LONGEST];
  uint64_t used;
} graph;

typedef struct seen_batch {
  uint64_t hash; /* 0: none */
  bool fails;    /* CUDA made no graph of it, or could not run it */
} seen_batch;

struct hd_cuda_graphs {
  pthread_mutex_t lock; /* images are unloaded by others than the stream's thread */
  batch waiting;
  hd_grid_launch failed;
  graph *graphs[GRAPHS];
  seen_batch seen[SEEN]; /* the last ones, in a ring */
  uint64_t seen_count, uses;
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

hd_status hd_cuda_graphs_create(hd_cuda_graphs **out) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_functions);
  if (*failure) return hd_make_status(HD_UNIMPLEMENTED, "graphs: %s", failure);
  hd_cuda_graphs *made = calloc(1, sizeof *made);
  if (!made) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  pthread_mutex_init(&made->lock, NULL);
  *out = made;
  return HD_STATUS_OK;
}

/* ---- graphs ---- */

static void end_graph(graph *g, bool lost) {
  if (g->runs && !lost) api.end_runs(g->runs);
  if (g->graph && !lost) api.end(g->graph);
  free(g);
}

static bool is_alike(const batch *a, const batch *b) {
  if (a->count != b->count || a->used != b->used) return false;
  for (uint32_t i = 0; i < a->count; ++i)
    if (a->launches[i].image != b->launches[i].image || a->launches[i].kernel != b->launches[i].kernel) return false;
  return true;
}

static uint64_t hash_of(const batch *b) {
  uint64_t hash = b->count;
  for (uint32_t i = 0; i < b->count; ++i)
    hash = hd_mix(hash + (uint64_t)(uintptr_t)b->launches[i].image + HD_MIX_STEP * (b->launches[i].kernel + 1));
  return hash ? hash : 1;
}

/* Of the same grid, block, shared memory and words? */
static bool has_same_params(const hd_grid_launch *a, const hd_grid_launch *b) {
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

static void copy_batch(batch *to, const batch *from) {
  *to = *from;
  for (uint32_t i = 0; i < to->count; ++i) to->launches[i].words = to->words + (from->launches[i].words - from->words);
}

static graph *make_graph(hd_cuda_driver *driver, const batch *b) {
  void *parameters[HD_CUDA_WORD_LIMIT];
  graph *g = calloc(1, sizeof *g);
  int code = g ? api.make(&g->graph, 0) : 1;
  for (uint32_t i = 0; i < b->count && !code; ++i) {
    cu_graph_kernel kernel;
    code = describe(driver, &b->launches[i], parameters, &kernel);
    if (!code) code = api.add(&g->nodes[i], g->graph, i ? &g->nodes[i - 1] : NULL, i != 0, &kernel);
  }
  if (!code) code = api.finish(&g->runs, g->graph, 0);
  if (!code) {
    copy_batch(&g->params, b);
    return g;
  }
  if (g) end_graph(g, false);
  return NULL;
}

/* Was |hash| seen before? It is from then on. */
static seen_batch *see(hd_cuda_graphs *kept, uint64_t hash, bool *out_before) {
  for (int i = 0; i < SEEN; ++i)
    if (kept->seen[i].hash == hash) return *out_before = true, &kept->seen[i];
  seen_batch *next = &kept->seen[kept->seen_count++ % SEEN];
  *next = (seen_batch){.hash = hash};
  return *out_before = false, next;
}

/* The graph of |b|, made when the batch comes for the second time; null: it goes out launch by launch. */
static graph *find_graph(hd_cuda_driver *driver, hd_cuda_graphs *kept, const batch *b) {
  int oldest = 0;
  bool before;
  for (int i = 0; i < GRAPHS; ++i) {
    if (kept->graphs[i] && is_alike(&kept->graphs[i]->params, b)) return kept->graphs[i];
    if (kept->graphs[oldest] && (!kept->graphs[i] || kept->graphs[i]->used < kept->graphs[oldest]->used)) oldest = i;
  }
  seen_batch *seen = see(kept, hash_of(b), &before);
  if (!before || seen->fails) return NULL;
  graph *made = make_graph(driver, b);
  seen->fails = !made;
  if (!made) return NULL;
  if (kept->graphs[oldest]) end_graph(kept->graphs[oldest], false);
  return kept->graphs[oldest] = made;
}

/* Sets what is new of |b| in the nodes. */
static int update(hd_cuda_driver *driver, graph *g, const batch *b) {
  void *parameters[HD_CUDA_WORD_LIMIT];
  int code = 0;
  for (uint32_t i = 0; i < b->count && !code; ++i) {
    cu_graph_kernel kernel;
    if (has_same_params(&g->params.launches[i], &b->launches[i])) continue;
    code = describe(driver, &b->launches[i], parameters, &kernel);
    if (!code) code = api.set(g->runs, g->nodes[i], &kernel);
  }
  if (!code) copy_batch(&g->params, b);
  return code;
}

/* Did a graph take all of |b|? Nothing of it was sent otherwise. */
static bool send_graph(hd_cuda_driver *driver, hd_stream *stream, const batch *b) {
  hd_cuda_graphs *kept = stream->graphs;
  bool before;
  if (b->count < SHORTEST) return false;
  graph *g = find_graph(driver, kept, b);
  if (!g) return false;
  g->used = ++kept->uses;
  if (!update(driver, g, b) && !api.run(g->runs, stream->stream)) {
    for (uint32_t i = 0; i < b->count; ++i) hd_cuda_count(stream, b->launches[i].name, b->launches[i].source);
    return true;
  }
  see(kept, hash_of(b), &before)->fails = true;
  for (int i = 0; i < GRAPHS; ++i)
    if (kept->graphs[i] == g) kept->graphs[i] = NULL;
  end_graph(g, false);
  return false;
}

const hd_grid_launch *hd_cuda_batch_send(hd_cuda_driver *driver, hd_stream *stream, int *out_code) {
  hd_cuda_graphs *kept = stream->graphs;
  batch *b = &kept->waiting;
  const hd_grid_launch *failed = NULL;
  if (!b->count) return NULL;
  pthread_mutex_lock(&kept->lock);
  uint32_t at = b->count - 1; /* the launch that a failure is of */
  if (send_graph(driver, stream, b))
    *out_code = hd_cuda_mark_due(driver, stream);
  else
    for (at = 0; at < b->count && !(*out_code = hd_cuda_send(driver, stream, &b->launches[at], NULL));) ++at;
  if (*out_code) kept->failed = b->launches[at], failed = &kept->failed;
  b->count = b->used = 0;
  pthread_mutex_unlock(&kept->lock);
  return failed;
}

hd_status hd_cuda_batch_add(hd_cuda_driver *driver, hd_stream *stream, const hd_grid_launch *launch) {
  batch *b = &stream->graphs->waiting;
  if (b->count == LONGEST || b->used + launch->word_count > WORDS) {
    HD_TRY(hd_cuda_enter_stream(driver, &stream));
    HD_TRY(hd_cuda_leave(driver, 0, "launch"));
  }
  hd_grid_launch *l = &b->launches[b->count++];
  *l = *launch;
  l->words = memcpy(b->words + b->used, launch->words, launch->word_count * sizeof *launch->words);
  b->used += launch->word_count;
  return HD_STATUS_OK;
}

void hd_cuda_graphs_free(hd_stream *stream, bool lost) {
  hd_cuda_graphs *kept = stream->graphs;
  if (!kept) return;
  for (int i = 0; i < GRAPHS; ++i)
    if (kept->graphs[i]) end_graph(kept->graphs[i], lost);
  pthread_mutex_destroy(&kept->lock);
  free(kept);
  stream->graphs = NULL;
}

static bool has_image(const batch *b, const hd_device_image *image) {
  for (uint32_t i = 0; i < b->count; ++i)
    if (b->launches[i].image == image) return true;
  return false;
}

void hd_cuda_graphs_forget(hd_cuda_driver *driver, const hd_device_image *image) {
  pthread_mutex_lock(&driver->lock);
  for (hd_stream *s = driver->streams; s; s = s->next) {
    hd_cuda_graphs *kept = s->graphs;
    if (!kept) continue;
    pthread_mutex_lock(&kept->lock);
    for (int i = 0; i < GRAPHS; ++i)
      if (kept->graphs[i] && has_image(&kept->graphs[i]->params, image)) {
        end_graph(kept->graphs[i], false);
        kept->graphs[i] = NULL;
      }
    memset(kept->seen, 0, sizeof kept->seen); /* another image may come to be where it did */
    pthread_mutex_unlock(&kept->lock);
  }
  pthread_mutex_unlock(&driver->lock);
}
