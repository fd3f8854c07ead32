/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/ral_names.h"

#include <stdio.h>
#include <string.h>

#include "base/element_types.h"
#include "runtime/abi.h"

static hd_status refuse(const char *name, const char *expected, const char *at) {
  return hd_make_status(HD_INVALID_ARGUMENT, "ral name '%.*s': expected %s, got '%.40s' at position %zu",
                        HD_RAL_MAX_NAME, name, expected, at, (size_t)(at - name));
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool hd_ral_encode_type(const hd_ral_type *type, char *out, size_t size) {
  if (size) *out = 0;
  if (type->kind == HD_RAL_VOID || type->kind == HD_RAL_POINTER) {
    const char *text = type->kind == HD_RAL_VOID ? "void" : "pvoid";
    return (size_t)snprintf(out, size, "%s", text) < size;
  }
  const char *element = hd_element_info_of(type->element)->ral_name;
  if (!element) return false;
  if (type->kind == HD_RAL_SCALAR) return (size_t)snprintf(out, size, "%s", element) < size;
  if (type->rank < 0 || type->rank > HD_MAX_RANK) return false;
  return (size_t)snprintf(out, size, "m%dd%s", (int)type->rank, element) < size;
}

static hd_element_type element_at(const char *text, size_t size) {
  for (int type = 1; type < HD_ELEMENT_TYPE_LIMIT; ++type) {
    const char *name = hd_element_infos[type].ral_name;
    if (name && strlen(name) == size && !memcmp(name, text, size)) return (hd_element_type)type;
  }
  return HD_ELEMENT_INVALID;
}

/* The type in text[0, size). */
static bool type_at(const char *text, size_t size, hd_ral_type *out) {
  *out = (hd_ral_type){0};
  if (size == 4 && !memcmp(text, "void", 4)) return true;
  if (size == 5 && !memcmp(text, "pvoid", 5)) {
    out->kind = HD_RAL_POINTER;
    return true;
  }
  size_t at = 0;
  out->kind = HD_RAL_SCALAR;
  if (size >= 4 && text[0] == 'm' && is_digit(text[1])) {
    out->kind = HD_RAL_MEMREF;
    for (at = 1; at < size && is_digit(text[at]); ++at) {
      if (at > 1 && text[1] == '0') return false;
      out->rank = out->rank * 10 + (text[at] - '0');
      if (out->rank > HD_MAX_RANK) return false;
    }
    if (at >= size || text[at++] != 'd') return false;
  }
  out->element = element_at(text + at, size - at);
  return out->element != HD_ELEMENT_INVALID;
}

hd_status hd_ral_decode(const char *name, hd_ral_signature *out_signature) {
  memset(out_signature, 0, sizeof *out_signature);
  size_t size = strnlen(name, HD_RAL_MAX_NAME + 1);
  if (size > HD_RAL_MAX_NAME)
    return hd_make_status(HD_INVALID_ARGUMENT, "ral name '%.40s...': longer than %d bytes", name, HD_RAL_MAX_NAME);
  const char *at = strstr(name, "___");
  if (!is_letter(*name)) return refuse(name, "a letter", name);
  if (!at) return refuse(name, "'___' after the prefix", name + size);
  for (const char *p = name; p < at; ++p)
    if (!is_letter(*p) && !is_digit(*p) && *p != '_') return refuse(name, "a letter, digit or '_'", p);
  size_t prefix = (size_t)(at - name);
  if (prefix >= sizeof out_signature->prefix) return refuse(name, "a shorter prefix", name);
  memcpy(out_signature->prefix, name, prefix);
  at += 3;
  for (;;) {
    size_t length = strcspn(at, "_");
    if (out_signature->arg_count == HD_RAL_MAX_ARGS) return refuse(name, "fewer arguments", at);
    hd_ral_type *type = &out_signature->args[out_signature->arg_count];
    if (!type_at(at, length, type) || type->kind == HD_RAL_VOID) return refuse(name, "an argument type", at);
    if (!out_signature->arg_count++ && type->kind != HD_RAL_POINTER) return refuse(name, "'pvoid' (the context)", at);
    at += length;
    if (!strncmp(at, "___", 3)) break;
    if (*at != '_') return refuse(name, "'_' or '___'", at);
    ++at;
  }
  at += 3;
  if (!type_at(at, strlen(at), &out_signature->result)) return refuse(name, "a result type", at);
  return HD_STATUS_OK;
}

bool hd_ral_name_matches(const char *pattern, const char *name) {
  for (; *pattern; ++pattern) {
    if (*pattern != '*') {
      if (*pattern != *name++) return false;
      continue;
    }
    size_t length = strcspn(name, "_");
    if (element_at(name, length) == HD_ELEMENT_INVALID) return false;
    name += length;
  }
  return !*name;
}

size_t hd_ral_name_distance(const char *a, const char *b) {
  enum { LIMIT = HD_RAL_MAX_NAME };
  size_t na = strnlen(a, LIMIT + 1), nb = strnlen(b, LIMIT + 1);
  if (na > LIMIT || nb > LIMIT) return SIZE_MAX;
  uint16_t row[LIMIT + 1];
  for (size_t j = 0; j <= nb; ++j) row[j] = (uint16_t)j;
  for (size_t i = 1; i <= na; ++i) {
    uint16_t diagonal = row[0];
    row[0] = (uint16_t)i;
    for (size_t j = 1; j <= nb; ++j) {
      uint16_t above = row[j];
      uint16_t best = (uint16_t)(diagonal + (a[i - 1] != b[j - 1]));
      if (above + 1 < best) best = (uint16_t)(above + 1);
      if (row[j - 1] + 1 < best) best = (uint16_t)(row[j - 1] + 1);
      diagonal = above;
      row[j] = best;
    }
  }
  return row[nb];
}
