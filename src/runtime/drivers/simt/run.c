/* SPDX-License-Identifier: Apache-2.0 */
/* Launches: blocks over the threads of a pool, warps of a block from barrier to barrier. */
#include <stdlib.h>
#include <string.h>

#include "base/float_env.h"
#include "runtime/drivers/simt/warp.h"

enum { SHARED_LIMIT = 1 << 28 };

/* ---- machines: what a thread of the host needs to run a block ---- */

static void *zeroed(size_t bytes, bool *ok) {
  size_t rounded = (bytes + HD_SIMT_SLOT_BYTES - 1) / HD_SIMT_SLOT_BYTES * HD_SIMT_SLOT_BYTES;
  void *made = aligned_alloc(HD_SIMT_SLOT_BYTES, rounded ? rounded : HD_SIMT_SLOT_BYTES);
  if (made) memset(made, 0, rounded);
  *ok &= made != NULL;
  return made;
}

static void free_machine(hd_simt_machine *m) {
  if (!m) return;
  free(m->warps);
  free(m->slots);
  free(m->undefined);
  free(m->shared);
  free(m->private_memory);
  free(m->shared_shadow);
  free(m->private_written);
  free(m);
}

static void fill(char *slots, uint32_t slot, uint32_t count, uint64_t bits) {
  char *at = slots + (size_t)slot * HD_SIMT_SLOT_BYTES;
  for (int l = 0; l < HD_SIMT_LANES; ++l) memcpy(at + (size_t)l * 4 * count, &bits, 4 * count); /* little-endian */
}

/* Arguments and constants, which no instruction writes. |undefined| may be null. */
static void fill_fixed(const hd_simt_grid *grid, char *slots, uint32_t *undefined) {
  const hd_simt_kernel *k = grid->kernel;
  for (uint32_t i = 0; undefined && i < k->constant_count; ++i)
    undefined[k->constants[i].slot] = k->constants[i].undefined ? UINT32_MAX : 0;
  for (uint32_t i = 0; i < k->constant_count; ++i)
    fill(slots, k->constants[i].slot, k->constants[i].slots, k->constants[i].bits);
  for (uint32_t i = 0; i < k->argument_count; ++i) {
    const hd_simt_argument *a = &k->arguments[i];
    uint64_t word = grid->launch->words[i];
    fill(slots, a->slot, a->slots, a->bits == 64 ? word : word & ((1ull << a->bits) - 1));
  }
}

static hd_simt_machine *create_machine(hd_simt_grid *grid) {
  const hd_simt_kernel *k = grid->kernel;
  bool ok = true, checks = grid->launch->checks;
  size_t slots = (size_t)k->slots * HD_SIMT_SLOT_BYTES, copies = grid->has_barrier ? grid->warps : 1;
  hd_simt_machine *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  *m = (hd_simt_machine){.grid = grid, .kernel = k, .checks = checks};
  m->warps = zeroed(grid->warps * sizeof *m->warps, &ok);
  m->slots = zeroed(slots * copies, &ok);
  m->shared = zeroed(grid->shared_bytes, &ok);
  m->private_memory = zeroed((size_t)k->private_bytes * grid->threads, &ok);
  if (checks) m->undefined = zeroed(k->slots * sizeof *m->undefined * copies, &ok);
  if (checks) m->shared_shadow = zeroed(hd_simt_shared_shadow_bytes(grid->shared_bytes), &ok);
  if (checks) m->private_written = zeroed((size_t)k->private_bytes * grid->threads, &ok);
  if (!ok) {
    free_machine(m);
    return NULL;
  }
  for (size_t i = 0; i < copies; ++i)
    fill_fixed(grid, m->slots + i * slots, checks ? m->undefined + i * k->slots : NULL);
  for (uint32_t i = 0; i < grid->warps; ++i) {
    uint32_t left = grid->threads - i * grid->subgroup, lanes = left < grid->subgroup ? left : grid->subgroup;
    m->warps[i].first = i * grid->subgroup;
    m->warps[i].valid = lanes == HD_SIMT_LANES ? UINT32_MAX : (1u << lanes) - 1;
    m->warps[i].slots = m->slots + (copies > 1 ? i * slots : 0);
    if (checks) m->warps[i].undefined = m->undefined + (copies > 1 ? (size_t)i * k->slots : 0);
  }
  return m;
}

static void fail(hd_simt_grid *grid, hd_status status) {
  pthread_mutex_lock(&grid->lock);
  grid->status = hd_status_join(grid->status, status);
  pthread_mutex_unlock(&grid->lock);
}

/* One that no thread uses; null after an error. */
static hd_simt_machine *take_machine(hd_simt_grid *grid) {
  pthread_mutex_lock(&grid->lock);
  hd_simt_machine *m = grid->idle;
  bool ok = hd_is_ok(grid->status);
  if (m && ok) grid->idle = m->next;
  pthread_mutex_unlock(&grid->lock);
  if (!ok) return NULL;
  if (!m && !(m = create_machine(grid)))
    fail(grid,
         hd_make_status(HD_RESOURCE_EXHAUSTED, "simt: out of memory for a block of kernel '%s'", grid->kernel->name));
  return m;
}

static void give_machine(hd_simt_grid *grid, hd_simt_machine *m) {
  pthread_mutex_lock(&grid->lock);
  m->next = grid->idle;
  grid->idle = m;
  pthread_mutex_unlock(&grid->lock);
}

bool hd_simt_poll(hd_simt_machine *m) {
  hd_simt_grid *grid = m->grid;
  m->steps = 0;
  pthread_mutex_lock(&grid->lock);
  bool stop = !hd_is_ok(grid->status);
  if (!stop && grid->launch->stopped && grid->launch->stopped(grid->launch->user)) {
    grid->status = hd_make_status(HD_CANCELLED, "simt: kernel '%s' was stopped", grid->kernel->name);
    stop = true;
  }
  pthread_mutex_unlock(&grid->lock);
  m->failed |= stop;
  return stop;
}

/* ---- a block ---- */

static hd_simt_stop run_warp(hd_simt_machine *m, hd_simt_warp *w) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    return hd_simt_warp_run_v3(m, w);
#endif
  return hd_simt_warp_run(m, w);
}

/* Have all threads of the block come to one barrier? If not, says who has. */
static bool check_barrier(hd_simt_machine *m) {
  uint32_t came = 0, lane = 0;
  const hd_simt_warp *first = NULL;
  for (uint32_t i = 0; i < m->grid->warps; ++i) {
    const hd_simt_warp *w = &m->warps[i];
    if (w->stop != HD_SIMT_AT_BARRIER || (first && w->way.pc != first->way.pc)) continue;
    if (!first) first = w;
    came += (uint32_t)__builtin_popcount(w->way.mask);
  }
  if (came == m->grid->threads || !first) return true;
  lane = (uint32_t)__builtin_ctz(first->way.mask);
  hd_simt_find(m, first, lane, first->way.pc - 1, HD_SIMT_DIVERGENT_BARRIER, true,
               "is reached by %u of the %u threads of its block", came, m->grid->threads);
  return false;
}

static void run_block(hd_simt_machine *m, uint64_t number) {
  const hd_simt_grid *grid = m->grid;
  const uint32_t *n = grid->launch->grid;
  m->block_number = number;
  m->block[0] = (uint32_t)(number % n[0]);
  m->block[1] = (uint32_t)(number / n[0] % n[1]);
  m->block[2] = (uint32_t)(number / n[0] / n[1]);
  if (m->checks) hd_simt_begin_block_checks(m);
  for (uint32_t i = 0; i < grid->warps; ++i) {
    hd_simt_warp *w = &m->warps[i];
    w->way = (hd_simt_way){0, HD_SIMT_NOWHERE, w->valid};
    w->depth = w->exited = 0;
    w->stop = HD_SIMT_AT_BARRIER;
  }
  for (bool waiting = true; waiting && !m->failed;) {
    waiting = false;
    for (uint32_t i = 0; i < grid->warps && !m->failed; ++i) {
      hd_simt_warp *w = &m->warps[i];
      if (w->stop == HD_SIMT_AT_BARRIER) w->stop = run_warp(m, w);
      waiting |= w->stop == HD_SIMT_AT_BARRIER;
    }
    if (!waiting || m->failed || !check_barrier(m)) return;
    ++m->counters.barriers;
    ++m->epoch;
  }
}

static void run_blocks(void *argument, int64_t begin, int64_t end) {
  hd_simt_grid *grid = argument;
  hd_simt_machine *m = take_machine(grid);
  if (!m) return;
  unsigned former = hd_float_env_enter();
  for (int64_t b = begin; b < end && !m->failed; ++b) {
    run_block(m, (uint64_t)b);
    if (++m->steps >= HD_SIMT_POLL) hd_simt_poll(m);
  }
  hd_float_env_leave(former);
  give_machine(grid, m);
}

/* ---- a launch ---- */

static hd_status check_launch(const hd_simt_kernel *k, const hd_simt_launch *launch) {
  uint64_t threads = 1, blocks = 1;
  for (int i = 0; i < 3; ++i) {
    threads *= launch->block[i];
    if (!launch->grid[i] || !launch->block[i] || launch->block[i] > HD_SIMT_BLOCK_LIMIT ||
        threads > HD_SIMT_BLOCK_LIMIT || __builtin_mul_overflow(blocks, launch->grid[i], &blocks) || blocks > INT64_MAX)
      return hd_make_status(
          HD_INVALID_ARGUMENT,
          "simt: kernel '%s' is launched on %u blocks of %u threads along dim %d, expected 1 to %d threads a block",
          k->name, launch->grid[i], launch->block[i], i, HD_SIMT_BLOCK_LIMIT);
    if (k->block[i] && k->block[i] != launch->block[i])
      return hd_make_status(HD_INVALID_ARGUMENT, "simt: kernel '%s' expected blocks of %u threads along dim %d, got %u",
                            k->name, k->block[i], i, launch->block[i]);
  }
  if (launch->word_count != k->argument_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "simt: kernel '%s' expected %u words, got %u", k->name,
                          k->argument_count, launch->word_count);
  if (launch->dynamic_shared > SHARED_LIMIT - k->shared_bytes)
    return hd_make_status(HD_INVALID_ARGUMENT, "simt: kernel '%s' needs %u bytes of shared memory, expected at most %u",
                          k->name, launch->dynamic_shared, SHARED_LIMIT - k->shared_bytes);
  if (launch->checks && !launch->allocations)
    return hd_make_status(HD_INVALID_ARGUMENT, "simt: a checked launch of kernel '%s' expected a list of allocations",
                          k->name);
  return HD_STATUS_OK;
}

static void add_counters(hd_simt_counters *to, const hd_simt_counters *from) {
  uint64_t *sums = (uint64_t *)to;
  const uint64_t *more = (const uint64_t *)from;
  for (size_t i = 0; i < sizeof *to / sizeof *sums; ++i) sums[i] += more[i];
}

static bool has_barrier(const hd_simt_kernel *k) {
  for (uint32_t i = 0; i < k->code_count; ++i)
    if (k->code[i].op == HD_SIMT_barrier) return true;
  return false;
}

hd_status hd_simt_run(const hd_simt_program *program, uint32_t index, const hd_simt_launch *launch) {
  const hd_simt_module *module = hd_simt_program_module(program);
  if (index >= module->kernel_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "simt: expected one of %u kernels, got %u", module->kernel_count, index);
  const hd_simt_kernel *k = &module->kernels[index];
  HD_TRY(check_launch(k, launch));
  hd_simt_finding first;
  hd_simt_report own = {.findings = &first, .capacity = 1};
  hd_simt_grid grid = {.kernel = k,
                       .launch = launch,
                       .threads = launch->block[0] * launch->block[1] * launch->block[2],
                       .shared_bytes = k->shared_bytes + launch->dynamic_shared,
                       .has_barrier = has_barrier(k),
                       .lock = PTHREAD_MUTEX_INITIALIZER,
                       .status = HD_STATUS_OK,
                       .report = launch->report ? launch->report : &own};
  grid.subgroup = launch->subgroup ? launch->subgroup : HD_SIMT_LANES;
  grid.warps = (grid.threads + grid.subgroup - 1) / grid.subgroup;
  if (launch->checks) grid.status = hd_simt_create_shadows(&grid);
  int64_t blocks = (int64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  if (!hd_is_ok(grid.status))
    ;
  else if (launch->pool)
    hd_pool_for(launch->pool, NULL, blocks, 1, run_blocks, &grid);
  else
    run_blocks(&grid, 0, blocks);
  for (hd_simt_machine *m = grid.idle, *next; m; m = next) {
    next = m->next;
    add_counters(&grid.report->counters, &m->counters);
    free_machine(m);
  }
  if (launch->counters) add_counters(launch->counters, &grid.report->counters);
  hd_simt_free_shadows(&grid);
  if (hd_is_ok(grid.status) && own.count)
    return hd_make_status(HD_INVALID_ARGUMENT, "simt: %s: kernel '%s', block (%u, %u, %u), thread (%u, %u, %u): %s: %s",
                          first.source, first.kernel, first.block[0], first.block[1], first.block[2], first.thread[0],
                          first.thread[1], first.thread[2], hd_simt_finding_name(first.kind), first.text);
  return grid.status;
}
