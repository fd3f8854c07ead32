/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers in shared memory: a phase ends when all arrivals and bytes that it expects have come. What comes is there at
 * once, so a wait for a phase that has not ended would never end: an error. */
#include <string.h>

#include "eval/tile/memory.h"
#include "ir/ops/ttng.h"

/* The 8 bytes of a barrier. */
typedef struct barrier {
  uint16_t count;   /* arrivals of a phase */
  uint16_t pending; /* those that are still to come */
  int32_t bytes : 31;
  uint32_t phase : 1;
} barrier;
_Static_assert(sizeof(barrier) == 8, "a barrier is an i64");

static hd_status load(const hd_tensor *view, barrier *out, char **place) {
  hd_memdesc m = hd_memdesc_of(view->type);
  HD_TRY(hd_shared_place(view, place));
  if (hd_type_element_bytes(m.element) != 8)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a barrier of 8 bytes");
  memcpy(out, *place, sizeof *out);
  return HD_STATUS_OK;
}

/* A phase that is complete ends. */
static hd_status store(barrier *b, char *place) {
  if (!b->pending && !b->bytes) {
    b->pending = b->count;
    b->phase ^= 1;
  }
  memcpy(place, b, sizeof *b);
  return HD_STATUS_OK;
}

static hd_status arrive(const hd_tensor *view, int64_t count, int64_t bytes) {
  barrier b;
  char *place;
  HD_TRY(load(view, &b, &place));
  if (count > b.pending)
    return hd_make_status(HD_INVALID_ARGUMENT, "arrives %lld times at a barrier that expects %u", (long long)count,
                          b.pending);
  b.pending = (uint16_t)(b.pending - count);
  b.bytes = (int32_t)(b.bytes + bytes);
  return store(&b, place);
}

hd_status hd_barrier_arrive(const hd_tensor *view, int64_t count) { return arrive(view, count, 0); }
hd_status hd_barrier_bytes(const hd_tensor *view, int64_t bytes) { return arrive(view, 0, -bytes); }

HD_EVAL_HOOK(ttng_init_barrier) {
  barrier b;
  char *place;
  int64_t count = hd_ttng_init_barrier_count(op);
  HD_TRY(load(&in[0], &b, &place));
  if (count < 1 || count > UINT16_MAX)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a barrier of 1 to 65535 arrivals, got %lld", (long long)count);
  b = (barrier){.count = (uint16_t)count, .pending = (uint16_t)count};
  memcpy(place, &b, sizeof b);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(ttng_inval_barrier) {
  barrier b;
  char *place;
  HD_TRY(load(&in[0], &b, &place));
  hd_undefined_elements(hd_memdesc_of(in[0].type).element, place, 1);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(ttng_barrier_expect) {
  return hd_eval_int(&in[1]) ? arrive(&in[0], 1, hd_ttng_barrier_expect_size(op)) : HD_STATUS_OK;
}

HD_EVAL_HOOK(ttng_arrive_barrier) {
  if (op->operand_count > 1 && !hd_eval_int(&in[1])) return HD_STATUS_OK;
  return arrive(&in[0], hd_ttng_arrive_barrier_count(op), 0);
}

HD_EVAL_HOOK(ttng_wait_barrier) {
  const hd_tensor *predicate = hd_optional_operand(op, in, 2);
  barrier b;
  char *place;
  if (predicate && !hd_eval_int(predicate)) return HD_STATUS_OK;
  HD_TRY(load(&in[0], &b, &place));
  if (b.phase != ((uint64_t)hd_eval_int(&in[1]) & 1)) return HD_STATUS_OK;
  return hd_make_status(HD_FAILED_PRECONDITION,
                        "waits for a phase that never ends: %u arrivals and %d bytes are still to come", b.pending,
                        b.bytes);
}

/* What orders asynchronous units with each other has nothing to order here. */
HD_EVAL_HOOK(ttng_fence_async_shared) { return HD_STATUS_OK; }
HD_EVAL_HOOK(ttng_fence_mbarrier_init_release_cluster) { return HD_STATUS_OK; }
HD_EVAL_HOOK(ttng_async_tma_store_wait) { return HD_STATUS_OK; }
HD_EVAL_HOOK(ttng_tensormap_fenceproxy_acquire) { return HD_STATUS_OK; }
