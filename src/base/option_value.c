/* SPDX-License-Identifier: Apache-2.0 */
#include "base/option_value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool read_number(const char *text, uint64_t *out) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  *out = value;
  return *text >= '0' && *text <= '9' && !*end && !errno;
}

static hd_status refuse(const char *by, const char *expected, const char *text) {
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected %s, got '%s'", by, expected, text);
}

static hd_status read_bool(const char *by, const char *text, bool *out) {
  *out = !text || !strcmp(text, "true") || !strcmp(text, "1");
  if (*out || !strcmp(text, "false") || !strcmp(text, "0")) return HD_STATUS_OK;
  return refuse(by, "true or false", text);
}

static hd_status read_count(const char *by, const char *text, uint64_t most, uint64_t *out) {
  uint64_t value;
  bool good = read_number(text, &value) && value && (!most || value <= most);
  if (good) *out = value;
  if (good) return HD_STATUS_OK;
  if (!most) return refuse(by, "a positive number", text);
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected a positive number, at most %" PRIu64 ", got '%s'", by, most,
                        text);
}

static bool read_bytes(const char *text, uint64_t *out) {
  size_t n = strlen(text);
  const char *suffix = n ? strchr("KMG", text[n - 1] & ~32) : NULL;
  bool has_suffix = suffix && *suffix;
  char digits[32] = {0};
  uint64_t value = 0;
  if (n - has_suffix < sizeof digits) memcpy(digits, text, n - has_suffix);
  int shift = !has_suffix ? 0 : *suffix == 'K' ? 10 : *suffix == 'M' ? 20 : 30;
  if (!read_number(digits, &value) || !value || value > UINT64_MAX >> shift) return false;
  *out = value << shift;
  return true;
}

static bool read_positive(const char *text, double *out) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end || !(value > 0) || value > 1e9) return false;
  *out = value;
  return true;
}

hd_status hd_option_read(hd_option_kind kind, const char *by, const char *text, uint64_t most, void *field) {
  switch (kind) {
    case HD_OPTION_FLAG:
      *(bool *)field = true;
      return HD_STATUS_OK;
    case HD_OPTION_BOOL:
      return read_bool(by, text, field);
    case HD_OPTION_TEXT:
      *(const char **)field = text;
      return HD_STATUS_OK;
    case HD_OPTION_COUNT:
      return read_count(by, text, most, field);
    case HD_OPTION_INDEX:
      if (read_number(text, field) && *(uint64_t *)field <= INT32_MAX) return HD_STATUS_OK;
      return refuse(by, "a number from 0 on", text);
    case HD_OPTION_SEED:
      return read_number(text, field) ? HD_STATUS_OK : refuse(by, "a number", text);
    case HD_OPTION_BYTES:
      return read_bytes(text, field) ? HD_STATUS_OK : refuse(by, "a size such as 512M", text);
    case HD_OPTION_NUMBER:
      return read_positive(text, field) ? HD_STATUS_OK : refuse(by, "a positive number", text);
    default:
      HD_UNREACHABLE();
  }
}
