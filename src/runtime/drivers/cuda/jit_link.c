/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/drivers/cuda/jit_link.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/library.h"

typedef struct hd_nv_jit_link *jit_link;
enum { PTX = 2 }; /* of the kinds of input */

static struct {
#define JL(name, symbol, parameters) int(*name) parameters;
#include "runtime/drivers/cuda/jit_link.def"
} api;
static char failure[256];

static const char *const names[] = {"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so", NULL};
static const hd_library_function functions[] = {
#define JL(name, symbol, parameters) {symbol, (void **)(void *)&api.name},
#include "runtime/drivers/cuda/jit_link.def"
};

static void open_library(void) {
  hd_library_open("nvJitLink", names, functions, sizeof functions / sizeof *functions, "12.0", failure, sizeof failure);
}

hd_status hd_jit_link_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return *failure ? hd_make_status(HD_UNAVAILABLE, "%s", failure) : HD_STATUS_OK;
}

/* What |size_of| and |get| give, malloc'ed and ended by NUL; null where there is none. */
static char *text_of(jit_link link, int (*size_of)(jit_link, size_t *), int (*get)(jit_link, char *)) {
  size_t size = 0;
  char *text = size_of(link, &size) || !size ? NULL : calloc(1, size + 1);
  if (text && get(link, text)) text[0] = 0;
  return text;
}

static hd_status refused(jit_link link, uint32_t architecture, int code) {
  char *errors = link ? text_of(link, api.errors_size, api.errors) : NULL;
  hd_status status = hd_make_status(HD_INTERNAL, "nvJitLink: sm_%u: %.*s (%d)", architecture,
                                    errors ? (int)strcspn(errors, "\n") : 0, errors ? errors : "", code);
  free(errors);
  return status;
}

static hd_status take(jit_link link, bool log, hd_jit_linked *out) {
  int code = api.cubin_size(link, &out->size);
  if (code || !out->size) return hd_make_status(HD_INTERNAL, "nvJitLink: gives no machine code (%d)", code);
  if (!(out->cubin = malloc(out->size))) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  if ((code = api.cubin(link, out->cubin)))
    return hd_make_status(HD_INTERNAL, "nvJitLink: gives no machine code (%d)", code);
  if (log) out->log = text_of(link, api.log_size, api.log);
  return HD_STATUS_OK;
}

hd_status hd_jit_link(const void *ptx, size_t size, uint32_t architecture, bool log, hd_jit_linked *out) {
  *out = (hd_jit_linked){0};
  HD_TRY(hd_jit_link_open());
  char option[32];
  snprintf(option, sizeof option, "-arch=sm_%u", architecture);
  const char *options[] = {option, "-Xptxas=-v"};
  jit_link link = NULL;
  int code = api.create(&link, log ? 2 : 1, options);
  if (!code) code = api.add(link, PTX, ptx, size, "kernels.ptx");
  if (!code) code = api.complete(link);
  hd_status status = code ? refused(link, architecture, code) : take(link, log, out);
  if (link) api.destroy(&link);
  if (!hd_is_ok(status)) hd_jit_linked_free(out);
  return status;
}

void hd_jit_linked_free(hd_jit_linked *linked) {
  free(linked->cubin);
  free(linked->log);
  *linked = (hd_jit_linked){0};
}
