/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hd_status_object {
  hd_status_code code;
  bool fixed;       /* not allocated: what there is when memory is out */
  int line;         /* in Heddle's source */
  const char *file; /* static */
  char message[];
};

/* Each library has one, and statuses cross between libraries: what is fixed is known by its flag, not its address. */
static struct hd_status_object out_of_memory = {.code = HD_RESOURCE_EXHAUSTED, .fixed = true, .file = __FILE__};

hd_status_code hd_status_code_of(hd_status status) { return status ? status->code : HD_OK; }

const char *hd_status_message(hd_status status) {
  if (!status) return "";
  return status->fixed ? "out of memory" : status->message;
}

const char *hd_status_code_name(hd_status_code code) {
  static const char *const names[] = {
      "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
      "DATA_LOSS", "UNAUTHENTICATED"};
  return (unsigned)code < sizeof names / sizeof *names ? names[code] : "UNKNOWN";
}

void hd_status_free(hd_status status) {
  if (status && !status->fixed) free(status);
}

static hd_status vmake(hd_status_code code, const char *file, int line, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  struct hd_status_object *status = length < 0 ? NULL : malloc(sizeof *status + (size_t)length + 1);
  if (!status) return &out_of_memory;
  status->code = code;
  status->fixed = false;
  status->file = file;
  status->line = line;
  vsnprintf(status->message, (size_t)length + 1, format, args);
  return status;
}

hd_status hd_status_make_(hd_status_code code, const char *file, int line, const char *format, ...) {
  va_list args;
  va_start(args, format);
  hd_status status = vmake(code, file, line, format, args);
  va_end(args);
  return status;
}

hd_status hd_status_annotate(hd_status status, const char *format, ...) {
  if (!status || status->fixed || !*status->message) return status;
  va_list args;
  va_start(args, format);
  hd_status context = vmake(status->code, status->file, status->line, format, args);
  va_end(args);
  if (context->fixed) return status;
  hd_status joined =
      hd_status_make_(status->code, status->file, status->line, "%s: %s", context->message, status->message);
  hd_status_free(context);
  hd_status_free(status);
  return joined;
}

hd_status hd_status_join(hd_status first, hd_status second) {
  if (!first) return second;
  if (!second) return first;
  if (!strcmp(hd_status_message(first), hd_status_message(second))) {
    hd_status_free(second);
    return first;
  }
  hd_status joined = hd_status_make_(hd_status_code_of(first), __FILE__, __LINE__, "%s; %s", hd_status_message(first),
                                     hd_status_message(second));
  hd_status_free(first);
  hd_status_free(second);
  return joined;
}

hd_status hd_status_create(hd_status_code code, const char *message) {
  if (code == HD_OK) return HD_STATUS_OK;
  return hd_make_status(code, "%s", message ? message : "");
}
