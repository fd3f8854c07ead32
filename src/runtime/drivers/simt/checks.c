/* SPDX-License-Identifier: Apache-2.0 */
/* What a checked launch sees of each access: races, uninitialised reads, alignment, sectors, bank conflicts.
 *
 * Memory of the block has a record per byte: who wrote and who read it last, and at which barrier. Global memory
 * has records per 1 to 16 bytes, in pages that are made when they are first reached, as wide as the narrowest
 * access to the page. Two accesses of which one writes and not both are atomic are a race when they are of two
 * blocks, or of two threads of one block with no barrier between. A record knows the last plain write, and of
 * atomic updates and reads the last and whether there were others: what a later access in order takes the place of
 * is met by whoever meets the earlier one. */
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/drivers/simt/warp.h"

typedef struct record {
  uint32_t write_block, update_block, read_block; /* number + 1; 0: nobody */
  uint32_t write_epoch, update_epoch, read_epoch;
  uint16_t writer, updater, reader;
  bool updaters, update_blocks; /* others: threads of the block since the barrier, blocks */
  bool readers, read_blocks;
} record;

struct hd_simt_shared_byte {
  record record;
};

enum { PAGE_BITS = 12, PAGE_BYTES = 1 << PAGE_BITS, WIDEST = 4 };

typedef struct page {
  atomic_flag lock;
  uint32_t width; /* log2 of the bytes of a record */
  record *records;
} page;

struct hd_simt_global_shadow {
  size_t count;
  _Atomic(page *) *pages;
};

/* Who accesses. */
typedef struct access_by {
  uint32_t block, epoch;
  uint16_t thread;
  hd_simt_access_kind kind;
} access_by;

static const char *const verbs[] = {"reads", "writes", "updates"};

typedef struct met {
  const char *what; /* null: nothing */
  uint32_t block;
  uint16_t thread;
} met;

/* Are |by| and the last access, of |thread| of |block|, and |more| threads of it, |blocks|, in no order? */
static bool apart(const access_by *by, uint32_t block, uint32_t epoch, uint16_t thread, bool more, bool blocks) {
  if (!block) return false;
  return blocks || block != by->block || (epoch == by->epoch && (more || thread != by->thread));
}

/* What |by| meets in |r|. */
static met race_of(const record *r, const access_by *by) {
  if (apart(by, r->write_block, r->write_epoch, r->writer, false, false))
    return (met){"wrote", r->write_block, r->writer};
  if (by->kind != HD_SIMT_UPDATE &&
      apart(by, r->update_block, r->update_epoch, r->updater, r->updaters, r->update_blocks))
    return (met){"updated", r->update_block, r->updater};
  if (by->kind != HD_SIMT_READ && apart(by, r->read_block, r->read_epoch, r->reader, r->readers, r->read_blocks))
    return (met){"read", r->read_block, r->reader};
  return (met){0};
}

/* |by| takes the place of the last access of its kind. */
static void replace(const access_by *by, uint32_t *block, uint32_t *epoch, uint16_t *thread, bool *more, bool *blocks) {
  bool same = *block == by->block;
  if (*block && !same) *blocks = true;
  *more = same && *epoch == by->epoch && (*more || *thread != by->thread);
  *block = by->block;
  *epoch = by->epoch;
  *thread = by->thread;
}

static void remember(record *r, const access_by *by) {
  bool more = false, blocks = false; /* plain writes of several are races, which were seen */
  if (by->kind == HD_SIMT_WRITE)
    replace(by, &r->write_block, &r->write_epoch, &r->writer, &more, &blocks);
  else if (by->kind == HD_SIMT_UPDATE)
    replace(by, &r->update_block, &r->update_epoch, &r->updater, &r->updaters, &r->update_blocks);
  else
    replace(by, &r->read_block, &r->read_epoch, &r->reader, &r->readers, &r->read_blocks);
}

static void meet(record *r, const access_by *by, met *out) {
  if (!out->what) *out = race_of(r, by);
  remember(r, by);
}

static void report_race(hd_simt_machine *m, const hd_simt_warp *w, uint32_t lane, const hd_simt_access *access,
                        const met *found, const char *space) {
  hd_simt_find(m, w, lane, access->pc, HD_SIMT_RACE, false,
               "%s %s memory that thread %u of block %u %s without a barrier between", verbs[access->kind], space,
               found->thread, found->block - 1, found->what);
}

static access_by by_lane(const hd_simt_machine *m, const hd_simt_warp *w, uint32_t lane, hd_simt_access_kind kind) {
  return (access_by){(uint32_t)(m->block_number & 0x7fffffff) + 1, m->epoch, (uint16_t)(w->first + lane), kind};
}

/* ---- memory of the block and of the thread ---- */

static void check_shared(hd_simt_machine *m, const hd_simt_warp *w, uint32_t lane, const hd_simt_access *access) {
  struct hd_simt_shared_byte *bytes = &m->shared_shadow[access->places[lane] - m->shared];
  access_by by = by_lane(m, w, lane, access->kind);
  met found = {0};
  bool unwritten = false;
  for (uint32_t b = 0; b < access->bytes; ++b) {
    unwritten |= access->kind != HD_SIMT_WRITE && !bytes[b].record.write_block && !bytes[b].record.update_block;
    meet(&bytes[b].record, &by, &found);
  }
  if (found.what) report_race(m, w, lane, access, &found, "shared");
  if (unwritten)
    hd_simt_find(m, w, lane, access->pc, HD_SIMT_UNINITIALISED, false, "%s shared memory that nobody wrote",
                 verbs[access->kind]);
}

/* Marks or asks for |bytes| of |written|, which other threads mark and ask for too; false: some were not. */
static bool check_written(uint8_t *written, uint32_t bytes, hd_simt_access_kind kind) {
  bool all = true;
  for (uint32_t b = 0; b < bytes; ++b) {
    if (kind != HD_SIMT_WRITE) all &= __atomic_load_n(&written[b], __ATOMIC_RELAXED) != 0;
    if (kind != HD_SIMT_READ) __atomic_store_n(&written[b], 1, __ATOMIC_RELAXED);
  }
  return all;
}

/* ---- global memory ---- */

static page *page_at(hd_simt_machine *m, struct hd_simt_global_shadow *shadow, size_t number, uint32_t width) {
  page *found = atomic_load_explicit(&shadow->pages[number], memory_order_acquire);
  if (found) return found;
  page *made = calloc(1, sizeof *made);
  record *records = calloc(PAGE_BYTES >> width, sizeof *records);
  if (!made || !records) {
    free(made);
    free(records);
    pthread_mutex_lock(&m->grid->lock);
    if (hd_is_ok(m->grid->status))
      m->grid->status =
          hd_make_status(HD_RESOURCE_EXHAUSTED, "simt: out of memory for the records of a checked launch");
    pthread_mutex_unlock(&m->grid->lock);
    m->failed = true;
    return NULL;
  }
  atomic_flag_clear(&made->lock);
  made->width = width;
  made->records = records;
  if (atomic_compare_exchange_strong(&shadow->pages[number], &found, made)) return made;
  free(records);
  free(made);
  return found;
}

/* Records of half as many bytes, until they are of 1 << |width|. False: out of memory, nothing changed. */
static bool narrow(page *p, uint32_t width) {
  if (p->width <= width) return true;
  uint32_t count = PAGE_BYTES >> width, shift = p->width - width;
  record *records = malloc(count * sizeof *records);
  if (!records) return false;
  for (uint32_t i = 0; i < count; ++i) records[i] = p->records[i >> shift];
  free(p->records);
  p->records = records;
  p->width = width;
  return true;
}

static uint32_t width_of(uint64_t at, uint32_t bytes) {
  uint32_t width = (uint32_t)__builtin_ctzll(at | bytes | 1u << WIDEST);
  return width;
}

static void check_global(hd_simt_machine *m, const hd_simt_warp *w, uint32_t lane, const hd_simt_access *access) {
  uint64_t address = access->addresses[lane];
  if (!hd_simt_find_allocation(m, address, access->bytes)) return;
  uint64_t at = address - m->near.address;
  struct hd_simt_global_shadow *shadow = &m->grid->shadows[m->near_index];
  access_by by = by_lane(m, w, lane, access->kind);
  met found = {0};
  if (m->near.written && !check_written(m->near.written + at, access->bytes, access->kind))
    hd_simt_find(m, w, lane, access->pc, HD_SIMT_UNINITIALISED, false, "%s global memory that nobody wrote",
                 verbs[access->kind]);
  for (uint32_t done = 0; done < access->bytes;) {
    uint32_t inside = (uint32_t)(at & (PAGE_BYTES - 1)), here = PAGE_BYTES - inside;
    if (here > access->bytes - done) here = access->bytes - done;
    uint32_t width = width_of(inside, here);
    page *p = page_at(m, shadow, at >> PAGE_BITS, width);
    if (!p) return;
    while (atomic_flag_test_and_set_explicit(&p->lock, memory_order_acquire)) sched_yield();
    if (narrow(p, width))
      for (uint32_t r = inside >> p->width; r < (inside + here) >> p->width; ++r) meet(&p->records[r], &by, &found);
    atomic_flag_clear_explicit(&p->lock, memory_order_release);
    at += here;
    done += here;
  }
  if (found.what) report_race(m, w, lane, access, &found, "global");
}

/* ---- counters ---- */

static void count_sectors(hd_simt_machine *m, const hd_simt_access *access, uint32_t mask) {
  uint64_t seen[8 * HD_SIMT_LANES], highest = 0;
  uint32_t count = 0;
  bool any = false;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint64_t address = access->addresses[__builtin_ctz(rest)];
    for (uint64_t s = address >> 5; s <= (address + access->bytes - 1) >> 5; ++s) {
      bool is_new = !any || s > highest;
      if (!is_new && s != highest) {
        is_new = true;
        for (uint32_t k = 0; k < count && is_new; ++k) is_new = seen[k] != s;
      }
      if (!is_new || count == sizeof seen / sizeof *seen) continue;
      seen[count++] = s;
      if (!any || s > highest) highest = s;
      any = true;
    }
  }
  ++m->counters.global_requests;
  m->counters.global_sectors += count;
  m->counters.global_bytes += (uint64_t)__builtin_popcount(mask) * access->bytes;
}

/* Lanes are served in as many rounds as bytes of an access have words, each as often as a bank has different words. */
static void count_conflicts(hd_simt_machine *m, const hd_simt_access *access, uint32_t mask) {
  uint32_t words = access->bytes > 4 ? access->bytes / 4 : 1,
           lanes = HD_SIMT_LANES / (words > HD_SIMT_LANES ? HD_SIMT_LANES : words);
  ++m->counters.shared_requests;
  for (uint32_t first = 0; first < HD_SIMT_LANES; first += lanes) {
    uint64_t seen[32][HD_SIMT_LANES];
    uint32_t counts[32] = {0}, most = 0;
    for (uint32_t l = first; l < first + lanes && l < HD_SIMT_LANES; ++l) {
      if (!(mask >> l & 1)) continue;
      for (uint32_t k = 0; k < words; ++k) {
        uint64_t word = access->addresses[l] / 4 + k;
        uint32_t bank = word % 32, at = 0;
        while (at < counts[bank] && seen[bank][at] != word) ++at;
        if (at == counts[bank] && at < HD_SIMT_LANES) seen[bank][counts[bank]++] = word;
        if (counts[bank] > most) most = counts[bank];
      }
    }
    if (most) m->counters.bank_conflicts += most - 1;
  }
}

/* ---- doors ---- */

void hd_simt_check_access(hd_simt_machine *m, const hd_simt_warp *w, const hd_simt_access *access) {
  uint32_t global = 0, shared = 0;
  for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    uint64_t address = access->addresses[lane];
    if (address % access->alignment)
      hd_simt_find(m, w, lane, access->pc, HD_SIMT_MISALIGNED, false, "%s address 0x%llx, no multiple of %u",
                   verbs[access->kind], (unsigned long long)address, access->alignment);
    if (address - HD_SIMT_SHARED < 1ull << 32) {
      shared |= 1u << lane;
      check_shared(m, w, lane, access);
    } else if (address - HD_SIMT_PRIVATE < 1ull << 32) {
      if (!check_written(m->private_written + (access->places[lane] - m->private_memory), access->bytes, access->kind))
        hd_simt_find(m, w, lane, access->pc, HD_SIMT_UNINITIALISED, false, "%s private memory that it did not write",
                     verbs[access->kind]);
    } else {
      global |= 1u << lane;
      check_global(m, w, lane, access);
    }
  }
  if (global) count_sectors(m, access, global);
  if (shared) count_conflicts(m, access, shared);
}

void hd_simt_begin_block_checks(hd_simt_machine *m) {
  m->epoch = 0;
  memset(m->shared_shadow, 0, m->grid->shared_bytes * sizeof *m->shared_shadow);
  memset(m->private_written, 0, (size_t)m->kernel->private_bytes * m->grid->threads);
}

size_t hd_simt_shared_shadow_bytes(size_t shared_bytes) { return shared_bytes * sizeof(struct hd_simt_shared_byte); }

hd_status hd_simt_create_shadows(hd_simt_grid *grid) {
  const hd_simt_launch *launch = grid->launch;
  grid->shadows = calloc(launch->allocation_count + 1, sizeof *grid->shadows);
  bool ok = grid->shadows != NULL;
  for (size_t i = 0; ok && i < launch->allocation_count; ++i) {
    struct hd_simt_global_shadow *shadow = &grid->shadows[i];
    shadow->count = (launch->allocations[i].size >> PAGE_BITS) + 1;
    shadow->pages = calloc(shadow->count, sizeof *shadow->pages);
    ok = shadow->pages != NULL;
  }
  return ok ? HD_STATUS_OK
            : hd_make_status(HD_RESOURCE_EXHAUSTED, "simt: out of memory for the records of a checked launch");
}

void hd_simt_free_shadows(hd_simt_grid *grid) {
  for (size_t i = 0; grid->shadows && i < grid->launch->allocation_count; ++i) {
    struct hd_simt_global_shadow *shadow = &grid->shadows[i];
    for (size_t p = 0; shadow->pages && p < shadow->count; ++p) {
      page *found = atomic_load_explicit(&shadow->pages[p], memory_order_relaxed);
      if (found) free(found->records);
      free(found);
    }
    free(shadow->pages);
  }
  free(grid->shadows);
  grid->shadows = NULL;
}
