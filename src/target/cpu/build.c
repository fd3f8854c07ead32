/* SPDX-License-Identifier: Apache-2.0 */
/* A program to an artifact: equal kernels are found by their hash, then all distinct kernels, the functions that they
 * share and the host module of every target are jobs that threads take in turn, the longest first. Threads write into
 * arenas of their own; the results are copied into the caller's at the end, in order, so that the artifact's bytes do
 * not depend on the number of threads. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "heddle/cache.h"
#include "heddle/cpu.h"
#include "ir/ops/discardable.h"
#include "target/cpu/kernels.h"
#include "target/device.h"
#include "target/llvm/codegen.h"

enum { MAX_THREADS = 64 };

typedef struct job {
  const hd_cpu_target *target;
  hd_op *const *funcs;        /* kernels; null: the host module */
  const char *const *symbols; /* name their content */
  size_t count;
  bool shared; /* the one function is what kernels call */
  /* Out; the object's bytes are in the arena of the thread that did it. */
  hd_cpu_object object;
  hd_cpu_names names;
  bool cached;
  hd_status status;
  size_t weight; /* about the microseconds that it takes */
} job;

typedef struct work {
  job *jobs;
  job **order; /* by weight */
  size_t job_count;
  atomic_size_t next;
  const hd_cpu_options *options;
  hd_cache *cache; /* may be null */
  /* Of the host module. */
  hd_op *const *entries;
  const char *const *symbols;
  size_t entry_count;
  const hd_cpu_kernel_table *kernels;
  const hd_map *shared; /* functions that kernels call, each an object of its own: func.func -> symbol */
} work;

typedef struct worker {
  work *work;
  hd_arena arena;
  pthread_t thread;
  bool started;
} worker;

/* Kernels are kept under their content, the variant, and the very file that this compiler is in: another build is
 * another compiler. */
static hd_hash128 cache_key(const job *j) {
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add_string(&state, "kernel");
  Dl_info info;
  struct stat file;
  if (dladdr((void *)(uintptr_t)hd_cpu_build, &info) && info.dli_fname && !stat(info.dli_fname, &file)) {
    int64_t identity[] = {(int64_t)file.st_size, (int64_t)file.st_mtim.tv_sec, (int64_t)file.st_mtim.tv_nsec,
                          (int64_t)file.st_ino};
    hd_hash128_add_string(&state, info.dli_fname);
    hd_hash128_add(&state, identity, sizeof identity);
  }
  for (size_t i = 0; i < j->count; ++i) hd_hash128_add_string(&state, j->symbols[i]);
  hd_hash128_add_string(&state, j->target->name);
  hd_hash128_add(&state, &j->target->features, sizeof j->target->features);
  hd_hash128_add(&state, &j->target->vector_bits, sizeof j->target->vector_bits);
  return hd_hash128_finish(&state);
}

typedef struct cached {
  hd_arena *arena;
  const void *data;
  size_t size;
  job *job;
} cached;

static hd_status copy_cached(void *user) {
  cached *c = user;
  c->job->object =
      (hd_cpu_object){.name = c->job->symbols[0], .data = hd_arena_copy(c->arena, c->data, c->size), .size = c->size};
  return HD_STATUS_OK;
}

static bool find_cached(work *w, job *j, const hd_hash128 *key, hd_arena *arena) {
  cached c = {.arena = arena, .job = j};
  hd_status status = hd_cache_get(w->cache, key->bytes, &c.data, &c.size);
  j->cached = hd_is_ok(status);
  hd_status_free(status);
  if (!j->cached) return false;
  status = hd_guarded_call(copy_cached, &c);
  hd_cache_unmap(c.data, c.size);
  j->cached = hd_is_ok(status);
  hd_status_free(status);
  return j->cached;
}

static void do_job(work *w, job *j, hd_codegen *codegen, hd_arena *arena) {
  hd_hash128 key;
  if (j->funcs && w->cache) {
    key = cache_key(j);
    if (find_cached(w, j, &key, arena)) return;
  }
  if (j->shared)
    j->status = hd_codegen_function(codegen, j->funcs[0], j->symbols[0], w->options, arena, &j->object);
  else if (j->funcs)
    j->status = hd_codegen_kernels(codegen, j->funcs, j->symbols, j->count, w->shared, w->options, arena, &j->object);
  else
    j->status = hd_codegen_host(codegen, w->entries, w->symbols, w->entry_count, w->kernels, &j->names, w->options,
                                arena, &j->object);
  if (j->funcs && w->cache && hd_is_ok(j->status))
    hd_status_ignore(hd_cache_put(w->cache, key.bytes, j->object.data, j->object.size));
}

static hd_status check_deadline(void *budget) {
  hd_budget_check_deadline(budget);
  return HD_STATUS_OK;
}

/* Takes jobs until there are none. One code generator at a time is kept, for the target of the last job. */
static void *work_on(void *user) {
  worker *self = user;
  work *w = self->work;
  hd_codegen *codegen = NULL;
  const hd_cpu_target *target = NULL;
  for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->job_count;) {
    job *j = w->order[i];
    if (w->options && w->options->deadline &&
        !hd_is_ok(j->status = hd_guarded_call(check_deadline, (void *)w->options->deadline)))
      continue;
    if (target != j->target) {
      hd_codegen_free(codegen);
      j->status = hd_codegen_create(j->target, &codegen);
      target = hd_is_ok(j->status) ? j->target : NULL;
      if (!target) continue;
    }
    do_job(w, j, codegen, &self->arena);
  }
  hd_codegen_free(codegen);
  return NULL;
}

/* Moves the results of all jobs into |arena|. */
static void collect(work *w, hd_arena *arena) {
  for (size_t i = 0; i < w->job_count; ++i) {
    job *j = &w->jobs[i];
    if (!j->object.data) continue;
    j->object.data = hd_arena_copy(arena, j->object.data, j->object.size);
    j->object.name = hd_arena_copy(arena, j->object.name, strlen(j->object.name));
    const char **names = hd_new_array(arena, const char *, j->names.len);
    for (size_t k = 0; k < j->names.len; ++k)
      names[k] = hd_arena_copy(arena, j->names.data[k], strlen(j->names.data[k]));
    j->names.data = names;
  }
}

typedef struct collection {
  work *work;
  hd_arena *arena;
} collection;

static hd_status collect_guarded(void *user) {
  collection *c = user;
  collect(c->work, c->arena);
  return HD_STATUS_OK;
}

/* Heaviest first; equal ones, and those of one target, as they are. */
static int by_weight(const void *a, const void *b) {
  const job *x = *(job *const *)a, *y = *(job *const *)b;
  if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
  return x < y ? -1 : x > y;
}

static void set_order(work *w, hd_arena *arena) {
  w->order = hd_new_array(arena, job *, w->job_count);
  for (size_t i = 0; i < w->job_count; ++i) {
    job *j = &w->jobs[i];
    w->order[i] = j;
    for (size_t k = 0; k < j->count; ++k) j->weight += 40 * hd_op_count(j->funcs[k]);
    if (!j->funcs)
      for (size_t e = 0; e < w->entry_count; ++e) j->weight += 7 * hd_op_count(w->entries[e]);
  }
  qsort(w->order, w->job_count, sizeof *w->order, by_weight);
}

/* Runs all jobs. The first failure, in the order of jobs, is the result. */
static hd_status run_jobs(work *w, hd_arena *arena) {
  int threads = w->options && w->options->threads > 0 ? w->options->threads : hd_cpu_count();
  if (threads > MAX_THREADS) threads = MAX_THREADS;
  if ((size_t)threads > w->job_count) threads = w->job_count ? (int)w->job_count : 1;
  set_order(w, arena);
  if (w->options && w->options->cache_dir && !w->options->dump_to)
    hd_status_ignore(hd_cache_open(w->options->cache_dir, 0, &w->cache));
  worker workers[MAX_THREADS];
  for (int i = 0; i < threads; ++i) {
    workers[i] = (worker){.work = w};
    hd_arena_init(&workers[i].arena, NULL);
  }
  /* A thread that cannot be started is one less: this one does all that is left. */
  for (int i = 1; i < threads; ++i)
    workers[i].started = pthread_create(&workers[i].thread, NULL, work_on, &workers[i]) == 0;
  work_on(&workers[0]);
  for (int i = 1; i < threads; ++i)
    if (workers[i].started) pthread_join(workers[i].thread, NULL);
  if (w->cache) hd_cache_close(w->cache);
  w->cache = NULL;
  hd_status status = HD_STATUS_OK;
  for (size_t i = 0; i < w->job_count; ++i) {
    if (hd_is_ok(status))
      status = w->jobs[i].status;
    else
      hd_status_free(w->jobs[i].status);
    w->jobs[i].status = HD_STATUS_OK;
  }
  collection c = {w, arena};
  if (hd_is_ok(status)) status = hd_guarded_call(collect_guarded, &c);
  for (int i = 0; i < threads; ++i) hd_arena_free(&workers[i].arena);
  return status;
}

static const char *text_of(hd_str text, hd_arena *arena) { return hd_arena_copy(arena, text.data, text.len); }

static const hd_artifact_kernel *describe_kernels(const hd_cpu_program *program, const hd_cpu_distinct *d,
                                                  hd_arena *arena) {
  hd_artifact_kernel *out = hd_new_array(arena, hd_artifact_kernel, d->count);
  for (size_t i = 0; i < d->count; ++i) {
    const hd_cpu_kernel *kernel = &program->kernels[d->first[i]];
    out[i].symbol = d->symbols[i];
    out[i].name = text_of(hd_symbol_name(kernel->func), arena);
    hd_str ops = hd_discardable_source(kernel->func);
    const char *place = hd_source_place(kernel->func->loc, arena);
    out[i].source = kernel->source ? kernel->source
                    : ops.len ? hd_arena_printf(arena, "%.*s%s%s", (int)ops.len, ops.data, *place ? " at " : "", place)
                              : place;
  }
  return out;
}

hd_status hd_cpu_build(const hd_cpu_program *program, const hd_cpu_target *targets, size_t target_count,
                       const hd_cpu_options *options, hd_arena *arena, hd_artifact_program *out_code,
                       hd_cpu_report *out_report) {
  *out_code = program->code;
  if (out_report) *out_report = (hd_cpu_report){0};
  double start = 1e3 * hd_clock_seconds();
  hd_cpu_distinct d;
  hd_cpu_find_distinct(program->kernels, program->kernel_count, arena, &d);

  hd_str *names = hd_new_array(arena, hd_str, program->kernel_count);
  for (size_t i = 0; i < program->kernel_count; ++i) names[i] = hd_symbol_name(program->kernels[i].func);
  hd_cpu_kernel_table table = {names, d.index, program->kernel_count};
  uint32_t entry_count = program->code.entry_count;
  const char **symbols = hd_new_array(arena, const char *, entry_count);
  hd_artifact_entry *entries = hd_new_array(arena, hd_artifact_entry, entry_count);
  for (uint32_t i = 0; i < entry_count; ++i) {
    entries[i] = program->code.entries[i];
    entries[i].symbol = symbols[i] = hd_arena_printf(arena, "hd_entry_%u", i);
  }

  hd_cpu_groups g;
  hd_cpu_group_kernels(program, &d, arena, &g);
  work w = {.options = options,
            .entries = program->entries,
            .symbols = symbols,
            .entry_count = entry_count,
            .kernels = &table};
  hd_cpu_shared shared;
  hd_cpu_find_shared(program, &d, arena, &shared);
  w.shared = &shared.all;
  size_t per_target = 1 + g.count + shared.distinct.len;
  w.job_count = per_target * target_count;
  w.jobs = hd_new_array(arena, job, w.job_count);
  for (size_t t = 0; t < target_count; ++t) {
    job *jobs = &w.jobs[t * per_target], *functions = jobs + 1 + g.count;
    jobs[0] = (job){.target = &targets[t]};
    for (size_t i = 0; i < g.count; ++i) {
      size_t first = g.first[i];
      jobs[1 + i] = (job){.target = &targets[t],
                          .funcs = g.funcs + first,
                          .symbols = g.symbols + first,
                          .count = g.first[i + 1] - first};
    }
    for (size_t i = 0; i < shared.distinct.len; ++i)
      functions[i] = (job){.target = &targets[t],
                           .funcs = &shared.distinct.data[i],
                           .symbols = &shared.symbols.data[i],
                           .count = 1,
                           .shared = true};
  }
  HD_TRY(run_jobs(&w, arena));

  hd_artifact_variant *variants = hd_new_array(arena, hd_artifact_variant, target_count);
  for (size_t t = 0; t < target_count; ++t) {
    hd_artifact_object *objects = hd_new_array(arena, hd_artifact_object, per_target);
    for (size_t i = 0; i < per_target; ++i) {
      const hd_cpu_object *object = &w.jobs[t * per_target + i].object;
      const job *j = &w.jobs[t * per_target + i];
      objects[i] = (hd_artifact_object){j->funcs ? text_of(hd_symbol_name(j->funcs[0]), arena) : "host", object->data,
                                        object->size};
      if (out_report) out_report->object_bytes += object->size;
      if (out_report && !t) out_report->cached_kernels += j->cached && !j->shared ? j->count : 0;
    }
    variants[t] = (hd_artifact_variant){text_of(hd_str_of(targets[t].name), arena), targets[t].features,
                                        (uint32_t)per_target, objects};
    if (w.jobs[t * per_target].names.len != w.jobs[0].names.len)
      return hd_make_status(HD_INTERNAL, "targets disagree about RAL names");
  }
  out_code->entries = entries;
  out_code->kernels = describe_kernels(program, &d, arena);
  out_code->kernel_count = (uint32_t)d.count;
  out_code->ral_names = w.jobs[0].names.data;
  out_code->ral_name_count = (uint32_t)w.jobs[0].names.len;
  out_code->variants = variants;
  out_code->variant_count = (uint32_t)target_count;
  if (!out_report) return HD_STATUS_OK;
  hd_cpu_object *objects = hd_new_array(arena, hd_cpu_object, per_target);
  for (size_t i = 0; i < per_target; ++i) objects[i] = w.jobs[(i + 1) % per_target].object;
  out_report->distinct_kernels = d.count;
  out_report->compile_wall_ms = 1e3 * hd_clock_seconds() - start;
  out_report->objects = objects;
  out_report->object_count = per_target;
  return HD_STATUS_OK;
}
