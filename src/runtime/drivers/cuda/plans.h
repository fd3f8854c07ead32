/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of a library of CUDA's that computes for the driver: its handle, and what it
 * said of each form that it was asked for. */
#ifndef HD_RUNTIME_DRIVERS_CUDA_PLANS_H_
#define HD_RUNTIME_DRIVERS_CUDA_PLANS_H_

#include "runtime/drivers/cuda/cuda.h"

typedef enum hd_cuda_plan_state { HD_CUDA_PLAN_UNKNOWN, HD_CUDA_PLAN_USABLE, HD_CUDA_PLAN_UNUSABLE } hd_cuda_plan_state;

/* At the start of every plan; its form follows. */
typedef struct hd_cuda_plan {
  hd_cuda_plan_state state;
  uint64_t used; /* 0: never */
  size_t workspace;
} hd_cuda_plan;

typedef struct hd_cuda_plan_sizes {
  uint32_t count;
  size_t plan, form;                     /* bytes; a form is whole words, all of which are set */
  void (*end)(hd_cuda_library *library); /* its handle and what its plans hold; the context is current */
} hd_cuda_plan_sizes;

struct hd_cuda_library {
  const void *api; /* its functions */
  const hd_cuda_plan_sizes *sizes;
  pthread_mutex_t lock; /* of what follows */
  void *handle;         /* null: not made yet */
  uint64_t uses;
  uint64_t plans[]; /* of |sizes| */
};

/* |*kept|, a field of |driver|'s, made by the first call. */
hd_status hd_cuda_library_create(hd_cuda_driver *driver, hd_cuda_library **kept, const void *api,
                                 const hd_cuda_plan_sizes *sizes, hd_cuda_library **out_library) HD_MUST_USE;
/* |*kept| with all that it holds, null then. The context is current, or |lost|, with which all its handles went. */
void hd_cuda_library_free(hd_cuda_library **kept, bool lost);
static inline void *hd_cuda_plan_at(hd_cuda_library *library, uint64_t i) {
  return (char *)library->plans + i * library->sizes->plan;
}
/* The plan of |form|, or where |!*out_known| one to make it in: unused, or of the form that was not asked for
 * the longest. The caller holds the lock. */
void *hd_cuda_plan_find(hd_cuda_library *library, const void *form, bool *out_known);
/* What |plan| was goes; it is of |form| then, and unusable until it says otherwise. */
void hd_cuda_plan_begin(const hd_cuda_library *library, void *plan, const void *form);
/* OK where |bytes| are what |plan| needs: it may have been made again since it was asked for. */
hd_status hd_cuda_plan_check(const hd_cuda_plan *plan, size_t bytes, const char *library) HD_MUST_USE;

#endif
