/* SPDX-License-Identifier: Apache-2.0 */
/* The safetensors format: <u64 length> {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...} data
 * Offsets count from the end of the header. "__metadata__" is skipped. */
#include <string.h>

#include "runtime/files/tensor_file.h"

enum { MAX_DEPTH = 32 };

typedef struct reader {
  hd_tensor_file *file;
  const char *at, *end;
} reader;

#define BAD(what) hd_make_status(HD_DATA_LOSS, "%s: safetensors header: " what, r->file->name)

static void skip_space(reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r')) ++r->at;
}

static bool take(reader *r, char c) {
  skip_space(r);
  if (r->at == r->end || *r->at != c) return false;
  ++r->at;
  return true;
}

static void put_utf8(char **out, uint32_t code) {
  char *at = *out;
  if (code < 0x80) {
    *at++ = (char)code;
  } else if (code < 0x800) {
    *at++ = (char)(0xc0 | code >> 6);
    *at++ = (char)(0x80 | (code & 63));
  } else {
    *at++ = (char)(0xe0 | code >> 12);
    *at++ = (char)(0x80 | (code >> 6 & 63));
    *at++ = (char)(0x80 | (code & 63));
  }
  *out = at;
}

/* A JSON string with its escapes resolved. */
static hd_status take_string(reader *r, hd_str *out) {
  if (!take(r, '"')) return BAD("expected a string");
  const char *start = r->at;
  while (r->at < r->end && *r->at != '"') r->at += *r->at == '\\' && r->end - r->at > 1 ? 2 : 1;
  if (r->at >= r->end) return BAD("a string does not end");
  char *text = hd_arena_alloc(&r->file->arena, (size_t)(r->at - start) + 1), *to = text;
  for (const char *from = start; from < r->at;) {
    if (*from != '\\') {
      *to++ = *from++;
      continue;
    }
    static const char escapes[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    char kind = from[1];
    from += 2;
    if (kind == 'u') {
      uint32_t code = 0;
      if (r->at - from < 4) return BAD("bad \\u escape");
      for (int i = 0; i < 4; ++i) {
        char c = *from++;
        int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
        if (digit < 0) return BAD("bad \\u escape");
        code = code << 4 | (uint32_t)digit;
      }
      if (!code) return BAD("a string holds a zero byte");
      put_utf8(&to, code);
      continue;
    }
    size_t i = 0;
    while (i < sizeof escapes - 1 && escapes[i] != kind) i += 2;
    if (i >= sizeof escapes - 1) return BAD("unknown escape in a string");
    *to++ = escapes[i + 1];
  }
  *out = (hd_str){text, (size_t)(to - text)};
  if (memchr(text, 0, out->len)) return BAD("a string holds a zero byte");
  ++r->at;
  return HD_STATUS_OK;
}

static hd_status take_numbers(reader *r, int64_t *out, size_t capacity, size_t *count) {
  *count = 0;
  if (!take(r, '[')) return BAD("expected an array of numbers");
  if (take(r, ']')) return HD_STATUS_OK;
  do {
    if (*count == capacity) return BAD("an array is too long");
    skip_space(r);
    const char *start = r->at;
    int64_t value = 0;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *r->at++ - '0', &value))
        return BAD("a number is too large");
    if (r->at == start) return BAD("expected a number");
    out[(*count)++] = value;
  } while (take(r, ','));
  return take(r, ']') ? HD_STATUS_OK : BAD("expected ',' or ']'");
}

/* Passes over an object or array of any content, strings understood. */
static hd_status skip_value(reader *r) {
  int depth = 0;
  hd_str text;
  do {
    if (take(r, '{') || take(r, '[')) {
      if (++depth > MAX_DEPTH) return BAD("nested too deeply");
    } else if (take(r, '}') || take(r, ']')) {
      --depth;
    } else if (r->at < r->end && *r->at == '"') {
      HD_TRY(take_string(r, &text));
    } else if (r->at < r->end) { /* a number, a word, ',' or ':' */
      do ++r->at;
      while (r->at < r->end && !strchr(",:[]{}\" \n\t\r", *r->at));
    } else {
      return BAD("it does not end");
    }
  } while (depth > 0);
  return HD_STATUS_OK;
}

static const struct {
  const char *name;
  hd_element_type type;
} dtypes[] = {
    {"BOOL", HD_ELEMENT_I1},           {"I8", HD_ELEMENT_I8},
    {"I16", HD_ELEMENT_I16},           {"I32", HD_ELEMENT_I32},
    {"I64", HD_ELEMENT_I64},           {"U8", HD_ELEMENT_UI8},
    {"U16", HD_ELEMENT_UI16},          {"U32", HD_ELEMENT_UI32},
    {"U64", HD_ELEMENT_UI64},          {"F16", HD_ELEMENT_F16},
    {"BF16", HD_ELEMENT_BF16},         {"F32", HD_ELEMENT_F32},
    {"F64", HD_ELEMENT_F64},           {"F8_E4M3", HD_ELEMENT_F8E4M3FN},
    {"F8_E5M2", HD_ELEMENT_F8E5M2},    {"C64", HD_ELEMENT_C64},
    {"F8_E8M0", HD_ELEMENT_F8E8M0FNU},
};

static hd_status read_tensor(reader *r, hd_str name, const uint8_t *data, size_t data_size) {
  hd_file_entry entry = {0};
  int64_t dims[HD_FILE_MAX_RANK], offsets[2] = {0, 0};
  size_t rank = 0, offset_count = 0;
  bool has_shape = false;
  if (!take(r, '{')) return BAD("expected an object for each tensor");
  do {
    hd_str key, value;
    HD_TRY(take_string(r, &key));
    if (!take(r, ':')) return BAD("expected ':'");
    if (hd_str_is(key, "dtype")) {
      HD_TRY(take_string(r, &value));
      for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i)
        if (hd_str_is(value, dtypes[i].name)) entry.tensor.type = dtypes[i].type;
      if (!entry.tensor.type)
        return hd_make_status(HD_INVALID_ARGUMENT, "%s: array '%.*s': elements of type '%.*s' are not supported",
                              HD_IN_ARRAY(r->file, name), (int)value.len, value.data);
    } else if (hd_str_is(key, "shape")) {
      HD_TRY(take_numbers(r, dims, HD_FILE_MAX_RANK, &rank));
      has_shape = true;
    } else if (hd_str_is(key, "data_offsets")) {
      HD_TRY(take_numbers(r, offsets, 2, &offset_count));
    } else {
      HD_TRY(skip_value(r));
    }
  } while (take(r, ','));
  if (!take(r, '}')) return BAD("expected ',' or '}'");
  if (!entry.tensor.type || !has_shape || offset_count != 2) return BAD("a tensor lacks dtype, shape or data_offsets");
  entry.tensor.element_bytes = hd_element_bytes(entry.tensor.type);
  HD_TRY(hd_file_set_dims(r->file, name, dims, rank, &entry.tensor));
  if (offsets[0] > offsets[1] || (uint64_t)offsets[1] > data_size ||
      (uint64_t)(offsets[1] - offsets[0]) != entry.tensor.bytes)
    return hd_make_status(HD_DATA_LOSS, "%s: array '%.*s': expected %zu bytes in the file, got offsets %lld to %lld",
                          HD_IN_ARRAY(r->file, name), entry.tensor.bytes, (long long)offsets[0], (long long)offsets[1]);
  entry.data = data + offsets[0];
  entry.stored = entry.tensor.bytes;
  return hd_tensor_file_add(r->file, name, &entry);
}

hd_status hd_safetensors_read(hd_tensor_file *file) {
  uint64_t length = hd_load_le(file->data, 8);
  reader *r = &(reader){.file = file};
  if (length > file->size - 8 || length > 100u << 20) return BAD("it is cut off or too long");
  r->at = (const char *)file->data + 8;
  r->end = r->at + length;
  const uint8_t *data = (const uint8_t *)r->end;
  if (!take(r, '{')) return BAD("expected '{'");
  if (take(r, '}')) return HD_STATUS_OK;
  do {
    hd_str name;
    HD_TRY(take_string(r, &name));
    if (!take(r, ':')) return BAD("expected ':'");
    if (hd_str_is(name, "__metadata__"))
      HD_TRY(skip_value(r));
    else
      HD_TRY(read_tensor(r, name, data, file->size - 8 - length));
  } while (take(r, ','));
  return take(r, '}') ? HD_STATUS_OK : BAD("expected ',' or '}'");
}
