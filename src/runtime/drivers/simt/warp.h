/* SPDX-License-Identifier: Apache-2.0 */
/* A block of a launch while it runs, internal to drivers/simt: warps, their registers, the memory of the block.
 *
 * A warp runs by a stack of (where to, where its lanes meet the others, lanes). A branch whose lanes disagree leaves
 * where they meet on the stack, with all of them, and both ways above it; a way ends where the lanes meet. Each level
 * has fewer lanes than the one below, so 2 * 32 levels are enough. */
#ifndef HD_RUNTIME_DRIVERS_SIMT_WARP_H_
#define HD_RUNTIME_DRIVERS_SIMT_WARP_H_

#include <pthread.h>
#include <string.h>

#include "runtime/drivers/simt/interpreter.h"

enum { HD_SIMT_SLOT_BYTES = 128, HD_SIMT_DEPTH = 2 * HD_SIMT_LANES + 2, HD_SIMT_POLL = 1 << 14 };

typedef struct hd_simt_way {
  uint32_t pc, meet, mask;
} hd_simt_way;

typedef enum hd_simt_stop { HD_SIMT_DONE, HD_SIMT_AT_BARRIER, HD_SIMT_FAILED } hd_simt_stop;

typedef struct hd_simt_warp {
  hd_simt_way way;                 /* the one that runs */
  hd_simt_way ways[HD_SIMT_DEPTH]; /* those that wait */
  uint32_t depth, valid, exited;   /* lanes that exist, and of these, that are done */
  uint32_t first;                  /* thread of lane 0 in the block */
  hd_simt_stop stop;
  char *slots;
  uint32_t *
      undefined; /* per slot: lanes whose number is not defined, at the first slot of a register; null without checks */
} hd_simt_warp;

/* What threads of the host that run blocks of one launch share. */
typedef struct hd_simt_grid {
  const hd_simt_kernel *kernel;
  const hd_simt_launch *launch;
  uint32_t threads, warps; /* of a block */
  uint32_t subgroup;       /* threads of a warp but the last */
  uint32_t shared_bytes;
  bool has_barrier;
  struct hd_simt_global_shadow *shadows; /* one per allocation of a checked launch */
  pthread_mutex_t lock;                  /* of what follows */
  struct hd_simt_machine *idle;
  hd_status status;
  hd_simt_report *report;
} hd_simt_grid;

typedef struct hd_simt_machine {
  hd_simt_grid *grid;
  const hd_simt_kernel *kernel;
  struct hd_simt_machine *next;
  hd_simt_warp *warps;
  uint32_t block[3];
  uint64_t block_number;
  uint32_t epoch; /* barriers that the block passed */
  bool checks, failed;
  char *shared, *private_memory;
  struct hd_simt_shared_byte *shared_shadow;
  uint8_t *private_written;
  hd_simt_allocation near; /* the one that was used last */
  uint32_t near_index;
  uint32_t steps; /* since the launch was asked whether to stop */
  hd_simt_counters counters;
  char *slots;
  uint32_t *undefined; /* of all warps */
} hd_simt_machine;

/* Runs |warp| up to a barrier or its end: compiled for any x86-64 or other machine, and for AVX2. */
hd_simt_stop hd_simt_warp_run(hd_simt_machine *m, hd_simt_warp *warp);
hd_simt_stop hd_simt_warp_run_v3(hd_simt_machine *m, hd_simt_warp *warp);

/* An access of a warp: what lanes of |mask| reach, as the host sees it. */
typedef enum hd_simt_access_kind { HD_SIMT_READ, HD_SIMT_WRITE, HD_SIMT_UPDATE } hd_simt_access_kind;
typedef struct hd_simt_access {
  uint32_t pc, mask, bytes, space, alignment;
  hd_simt_access_kind kind;
  const uint64_t *addresses;
  char **places; /* null where there is none */
} hd_simt_access;

/* The allocation that holds |bytes| at |address|; false: none. */
bool hd_simt_find_allocation(hd_simt_machine *m, uint64_t address, uint32_t bytes);
/* The lanes of |access| that may go on: finds places, reports what is out of bounds and, checked, all else; counts. */
uint32_t hd_simt_reach(hd_simt_machine *m, const hd_simt_warp *warp, hd_simt_access *access);
/* Checks and counts of one that has its places (checks.c). */
void hd_simt_check_access(hd_simt_machine *m, const hd_simt_warp *warp, const hd_simt_access *access);
size_t hd_simt_shared_shadow_bytes(size_t shared_bytes);
void hd_simt_begin_block_checks(hd_simt_machine *m);
hd_status hd_simt_create_shadows(hd_simt_grid *grid);
void hd_simt_free_shadows(hd_simt_grid *grid);

/* Says a finding of |lane| at instruction |pc|. |fatal| ends the launch with it. */
void hd_simt_find(hd_simt_machine *m, const hd_simt_warp *warp, uint32_t lane, uint32_t pc, hd_simt_finding_kind kind,
                  bool fatal, const char *format, ...) HD_PRINTF(7, 8);
/* True when the launch is to end. */
bool hd_simt_poll(hd_simt_machine *m);

/* The number of |lane| in a register of |count| slots. */
static inline uint64_t hd_simt_lane_bits(const char *slot, uint32_t lane, uint32_t count) {
  uint64_t bits = 0;
  memcpy(&bits, slot + (size_t)lane * 4 * count, 4 * count); /* little-endian */
  return bits;
}
static inline void hd_simt_set_lane(char *slot, uint32_t lane, uint32_t count, uint64_t bits) {
  memcpy(slot + (size_t)lane * 4 * count, &bits, 4 * count);
}

/* Instructions that exchange between lanes (exchange.c), for lanes of |mask|. */
void hd_simt_shuffle(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask);
void hd_simt_exchange(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask);
void hd_simt_check_members(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask);
void hd_simt_vote(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask);
void hd_simt_redux(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask);
void hd_simt_match(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask);

/* Which lanes of results are undefined, and what undefined values do (undefined.c): called before |i| is run, in
 * checked launches. Exchanges say it themselves. */
void hd_simt_track(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask);
/* Of the lanes of |mask| in |slot| those of |undefined| are not defined. */
static inline void hd_simt_define(hd_simt_warp *w, uint32_t slot, uint32_t mask, uint32_t undefined) {
  w->undefined[slot] = (w->undefined[slot] & ~mask) | undefined;
}

/* One lane of an atomic instruction; what was there, as bits. Places are aligned. */
uint64_t hd_simt_atomic_update(uint32_t kind, uint32_t type, char *place, uint64_t value);
uint64_t hd_simt_compare_exchange(uint32_t bytes, char *place, uint64_t compared, uint64_t stored);

#endif
