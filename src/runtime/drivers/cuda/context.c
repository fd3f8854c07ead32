/* SPDX-License-Identifier: Apache-2.0 */
/* The context, current and lost. */
#include <stdio.h>
#include <string.h>

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

static size_t name_launch(const hd_stream *s, uint32_t number, char *out, size_t size) {
  uint32_t at = number % HD_CUDA_LAUNCHES;
  const char *source = s->sources[at] && *s->sources[at] ? s->sources[at] : "unknown ops";
  int used = snprintf(out, size, " kernel '%s' of %.300s", s->names[at] ? s->names[at] : "", source);
  return used < 0 ? 0 : (size_t)used < size ? (size_t)used : size - 1;
}

/* " kernel 'a' of stablehlo.add": the first launch of each stream that is not done, and the last where it may be one of
 * several between two marks. The caller holds the lock. */
static void name_unfinished(const hd_cuda_driver *driver, char *out, size_t size) {
  size_t used = 0;
  *out = 0;
  for (const hd_stream *s = driver->streams; s && used + 1 < size; s = s->next) {
    uint32_t done = *s->done, launched = s->launched, count = launched - done;
    if (!count) continue;
    int joined = snprintf(out + used, size - used, "%s", used ? " or" : "");
    used += joined > 0 ? (size_t)joined : 0;
    if (used + 1 >= size) break;
    if (count >= HD_CUDA_LAUNCHES) {
      snprintf(out + used, size - used, " a kernel");
      used = strlen(out);
      continue;
    }
    used += name_launch(s, done, out + used, size - used);
    if (count == 1 || driver->marks) continue; /* with marks it is the first */
    snprintf(out + used, size - used, ", or one of the %u launched after it, up to", count - 1);
    used = strlen(out);
    used += name_launch(s, launched - 1, out + used, size - used);
    snprintf(out + used, size - used, " (driver 'cuda:marks' says which)");
    used = strlen(out);
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

hd_status hd_cuda_enter_stream(hd_cuda_driver *driver, hd_stream **stream) {
  int code = 0;
  *stream = hd_cuda_stream(driver, *stream);
  HD_TRY(hd_cuda_enter(driver));
  const hd_grid_launch *failed = (*stream)->graphs ? hd_cuda_batch_send(driver, *stream, &code) : NULL;
  if (!failed) return HD_STATUS_OK;
  return hd_status_annotate(hd_cuda_leave(driver, code, "launch"), "kernel '%s' of %.500s", failed->name,
                            *failed->source ? failed->source : "unknown ops");
}

hd_status hd_cuda_enter_end(hd_cuda_driver *driver, hd_stream **stream) {
  HD_TRY(hd_cuda_enter_stream(driver, stream));
  int code = hd_cuda_mark(driver, *stream);
  return code ? hd_cuda_leave(driver, code, "mark a launch") : HD_STATUS_OK;
}
