/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/drivers/cuda/plans.h"

#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

enum { WAYS = 8 }; /* places of a form, from that of its hash on */

hd_status hd_cuda_library_create(hd_cuda_driver *driver, hd_cuda_library **kept, const void *api,
                                 const hd_cuda_plan_sizes *sizes, hd_cuda_library **out) {
  pthread_mutex_lock(&driver->lock);
  hd_cuda_library *made = *kept ? NULL : calloc(1, sizeof *made + sizes->count * sizes->plan);
  if (made) {
    made->api = api;
    made->sizes = sizes;
    pthread_mutex_init(&made->lock, NULL);
    *kept = made;
  }
  *out = *kept;
  pthread_mutex_unlock(&driver->lock);
  return *out ? HD_STATUS_OK : hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
}

void hd_cuda_library_free(hd_cuda_library **kept, bool lost) {
  hd_cuda_library *library = *kept;
  if (!library) return;
  if (!lost) library->sizes->end(library);
  *kept = NULL;
  pthread_mutex_destroy(&library->lock);
  free(library);
}

void *hd_cuda_plan_find(hd_cuda_library *library, const void *form, bool *out_known) {
  uint64_t at = hd_mix_words(form, library->sizes->form);
  hd_cuda_plan *found = NULL;
  *out_known = false;
  for (int i = 0; i < WAYS && !*out_known; ++i) {
    hd_cuda_plan *p = hd_cuda_plan_at(library, (at + (uint64_t)i) % library->sizes->count);
    *out_known = p->state != HD_CUDA_PLAN_UNKNOWN && !memcmp(p + 1, form, library->sizes->form);
    if (*out_known || !found || p->used < found->used) found = p;
  }
  found->used = ++library->uses;
  return found;
}

/* By bytes: forms are compared by them, padding too. */
void hd_cuda_plan_begin(const hd_cuda_library *library, void *plan, const void *form) {
  hd_cuda_plan *p = plan;
  uint64_t used = p->used;
  memset(p, 0, library->sizes->plan);
  *p = (hd_cuda_plan){.state = HD_CUDA_PLAN_UNUSABLE, .used = used};
  memcpy(p + 1, form, library->sizes->form);
}

hd_status hd_cuda_plan_check(const hd_cuda_plan *plan, size_t bytes, const char *library) {
  if (plan->state != HD_CUDA_PLAN_USABLE) return hd_make_status(HD_UNIMPLEMENTED, "%s: takes no such form", library);
  if (bytes >= plan->workspace) return HD_STATUS_OK;
  return hd_make_status(HD_FAILED_PRECONDITION, "%s: a workspace of %zu bytes, expected %zu", library, bytes,
                        plan->workspace);
}
