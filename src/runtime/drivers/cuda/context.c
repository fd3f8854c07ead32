/* SPDX-License-Identifier: Apache-2.0 */
/* The context, current and lost. */
#include <stdio.h>

#include "runtime/drivers/cuda/cuda.h"

static hd_status lost(hd_cuda_driver *driver) {
  pthread_mutex_lock(&driver->lock);
  hd_status first = driver->lost,
            status = hd_is_ok(first) ? first : hd_make_status(hd_status_code_of(first), "%s", hd_status_message(first));
  pthread_mutex_unlock(&driver->lock);
  return status;
}

hd_status hd_cuda_enter(hd_cuda_driver *driver) {
  HD_TRY(lost(driver));
  return hd_cuda_status(driver->cu, driver->cu->context_push(driver->context), "enter the context");
}

/* " kernel 'a' of stablehlo.add": the first launch of each stream that is not done. The caller holds the lock. */
static void name_unfinished(const hd_cuda_driver *driver, char *out, size_t size) {
  size_t used = 0;
  *out = 0;
  for (const hd_stream *s = driver->streams; s && used < size; s = s->next) {
    uint32_t done = *s->done, launched = s->launched, at = done % HD_CUDA_LAUNCHES;
    if (done == launched) continue;
    const char *source = s->sources[at] && *s->sources[at] ? s->sources[at] : "unknown ops";
    used += (size_t)snprintf(out + used, size - used, "%s", used ? " or" : "");
    if (used >= size) break;
    if (launched - done >= HD_CUDA_LAUNCHES || !s->names[at])
      used += (size_t)snprintf(out + used, size - used, " a kernel");
    else
      used += (size_t)snprintf(out + used, size - used, " kernel '%s' of %.500s", s->names[at], source);
  }
}

/* Does the context answer nothing any more? */
static bool is_lost(hd_cuda_driver *driver, int code) {
  return code && code != CU_OUT_OF_MEMORY && code != CU_NOT_READY && driver->cu->context_wait() != 0;
}

static hd_status lose(hd_cuda_driver *driver, hd_status cause) {
  char names[1200];
  pthread_mutex_lock(&driver->lock);
  name_unfinished(driver, names, sizeof names);
  if (hd_is_ok(driver->lost))
    driver->lost = hd_make_status(hd_status_code_of(cause), "%s:%s: the device's context is lost with it",
                                  hd_status_message(cause), *names ? names : " no kernel was running");
  pthread_mutex_unlock(&driver->lock);
  hd_status_free(cause);
  return lost(driver);
}

hd_status hd_cuda_leave(hd_cuda_driver *driver, int code, const char *what) {
  cu_context popped;
  hd_status status = hd_cuda_status(driver->cu, code, what);
  if (is_lost(driver, code)) status = lose(driver, status);
  driver->cu->context_pop(&popped);
  return status;
}
