/* SPDX-License-Identifier: Apache-2.0 */
/* Running images of simt (image.h), a warp of 32 lanes at a time.
 *
 * Programs are read-only once loaded: any number of threads may launch from one. A
 * launch ends before hd_simt_run returns. */
#ifndef HD_RUNTIME_DRIVERS_SIMT_INTERPRETER_H_
#define HD_RUNTIME_DRIVERS_SIMT_INTERPRETER_H_

#include <stdbool.h>

#include "heddle/runtime.h"
#include "runtime/drivers/simt/image.h"
#include "runtime/threads.h"

typedef struct hd_simt_program hd_simt_program;

/* |bytes| may go afterwards. */
hd_status hd_simt_program_load(const void *bytes, size_t size, hd_simt_program **out_program) HD_MUST_USE;
void hd_simt_program_free(hd_simt_program *program); /* null is nothing */
const hd_simt_module *hd_simt_program_module(const hd_simt_program *program);
/* NOT_FOUND. */
hd_status hd_simt_program_find(const hd_simt_program *program, const char *name, uint32_t *out_index) HD_MUST_USE;

/* Memory that kernels may reach. */
typedef struct hd_simt_allocation {
  uint64_t address, size; /* as kernels see it */
  void *data;             /* where its first byte is for the host; null: at |address| */
  uint8_t
      *written; /* a byte per byte, 0 until it was written; null: all of it was. Checked launches read and write it */
} hd_simt_allocation;

typedef enum hd_simt_finding_kind {
  HD_SIMT_RACE,
  HD_SIMT_OUT_OF_BOUNDS,
  HD_SIMT_UNINITIALISED,
  HD_SIMT_DIVERGENT_BARRIER,
  HD_SIMT_INACTIVE_LANE,
  HD_SIMT_MISALIGNED,
  HD_SIMT_UNREACHABLE,
  HD_SIMT_UNDEFINED,
  HD_SIMT_FINDING_KINDS
} hd_simt_finding_kind;

/* "data race" */
const char *hd_simt_finding_name(hd_simt_finding_kind kind);

typedef struct hd_simt_finding {
  hd_simt_finding_kind kind;
  const char *kernel, *source;  /* the program's: "file:line:column: op name" */
  uint32_t block[3], thread[3]; /* of the first that was found */
  uint64_t count;               /* of this kind at this op */
  char text[200];
} hd_simt_finding;

typedef hd_kernel_counters hd_simt_counters;
_Static_assert((int)HD_SIMT_CLASSES == (int)HD_KERNEL_CLASSES, "classes of instructions are those of heddle/runtime.h");

/* Counters and findings are added to. One finding per kind and op; those that have no room are counted. */
typedef struct hd_simt_report {
  hd_simt_counters counters;
  hd_simt_finding *findings; /* the caller's */
  uint32_t capacity, count;
  uint64_t lost;
} hd_simt_report;

typedef struct hd_simt_launch {
  uint32_t grid[3], block[3];
  uint32_t dynamic_shared; /* bytes after the kernel's own */
  uint32_t subgroup;       /* threads of a warp, at most 32; 0: 32 */
  const uint64_t *words;
  uint32_t word_count;
  hd_pool *pool; /* blocks are spread over its threads; null: this thread */
  bool checks;   /* races, uninitialised reads, alignment, lanes, undefined values; and all of |report|'s counters */
  /* Sorted by address, apart from each other. Null: every address is taken as the
   * host's, unseen; checked launches need them. */
  const hd_simt_allocation *allocations;
  size_t allocation_count;
  hd_simt_report *report;            /* may be null */
  hd_simt_counters *counters;        /* added to; may be null */
  bool (*stopped)(const void *user); /* asked now and then; true ends the launch. May be null */
  const void *user;
} hd_simt_launch;

/* OK when the launch ran to its end, which findings other than DIVERGENT_BARRIER, UNREACHABLE and, without checks,
 * OUT_OF_BOUNDS do not hinder; those are INVALID_ARGUMENT with kernel, block, thread and source. Without a report any
 * first finding is. INVALID_ARGUMENT for a launch that does not fit the kernel, CANCELLED when stopped. Thread-safe. */
hd_status hd_simt_run(const hd_simt_program *program, uint32_t index, const hd_simt_launch *launch) HD_MUST_USE;

#endif
