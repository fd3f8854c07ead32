/* SPDX-License-Identifier: Apache-2.0 */
/* The npy format: a magic, a version, a header that is a Python dictionary, then the elements.
 *
 *   \x93NUMPY 1 0 <u16 length> {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n <elements> */
#include <stdio.h>
#include <string.h>

#include "base/element_types.h"
#include "runtime/files/tensor_file.h"

typedef struct cursor {
  const char *at, *end;
} cursor;

static void skip_space(cursor *c) {
  while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t')) ++c->at;
}

static bool take(cursor *c, const char *text) {
  skip_space(c);
  size_t n = strlen(text);
  if ((size_t)(c->end - c->at) < n || memcmp(c->at, text, n)) return false;
  c->at += n;
  return true;
}

static bool take_string(cursor *c, hd_str *out) {
  skip_space(c);
  if (c->at == c->end || (*c->at != '\'' && *c->at != '"')) return false;
  char quote = *c->at++;
  const char *start = c->at;
  while (c->at < c->end && *c->at != quote) ++c->at;
  if (c->at == c->end) return false;
  *out = (hd_str){start, (size_t)(c->at - start)};
  ++c->at;
  return true;
}

static bool take_number(cursor *c, int64_t *out) {
  skip_space(c);
  const char *start = c->at;
  int64_t value = 0;
  while (c->at < c->end && *c->at >= '0' && *c->at <= '9')
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *c->at++ - '0', &value))
      return false;
  *out = value;
  return c->at > start;
}

static bool take_shape(cursor *c, int64_t *dims, size_t *rank) {
  if (!take(c, "(")) return false;
  for (*rank = 0; !take(c, ")");) {
    if (*rank == HD_MAX_RANK || !take_number(c, &dims[(*rank)++])) return false;
    take(c, "L");
    if (take(c, ",")) continue;
    return take(c, ")");
  }
  return true;
}

/* What numpy calls elements of |type|: V, bytes without a meaning, where it has no type of its own. */
static char kind_of(hd_element_type type) {
  const hd_element_info *info = hd_element_info_of(type);
  switch (info->type_class) {
    case HD_ELEMENT_CLASS_BOOL:
      return 'b';
    case HD_ELEMENT_CLASS_SIGNLESS:
    case HD_ELEMENT_CLASS_SIGNED:
      return info->bits < 8 ? 'V' : 'i';
    case HD_ELEMENT_CLASS_UNSIGNED:
      return info->bits < 8 ? 'V' : 'u';
    case HD_ELEMENT_CLASS_FLOAT:
      return type == HD_ELEMENT_F16 || type == HD_ELEMENT_F32 || type == HD_ELEMENT_F64 ? 'f' : 'V';
    case HD_ELEMENT_CLASS_COMPLEX:
      return 'c';
    default:
      return 0;
  }
}

hd_npy_descr hd_npy_descr_of(hd_element_type type) {
  hd_npy_descr descr = {{0}};
  size_t bytes = hd_element_bytes(type);
  if (kind_of(type)) snprintf(descr.text, sizeof descr.text, "%c%c%zu", bytes == 1 ? '|' : '<', kind_of(type), bytes);
  return descr;
}

/* Void elements stay HD_ELEMENT_INVALID. */
static bool set_type(hd_str descr, hd_file_tensor *tensor) {
  if (!descr.len) return false;
  char order = descr.data[0];
  if (order == '<' || order == '>' || order == '|' || order == '=') ++descr.data, --descr.len;
  if (hd_str_is(descr, "V1") || hd_str_is(descr, "V2") || hd_str_is(descr, "f1")) { /* f1: ml_dtypes' float8_e5m2 */
    tensor->element_bytes = descr.data[1] == '2' ? 2 : 1;
    return true;
  }
  int type = 1;
  while (type < HD_ELEMENT_TYPE_LIMIT && !hd_str_is(descr, hd_npy_descr_of((hd_element_type)type).text + 1)) ++type;
  if (type == HD_ELEMENT_TYPE_LIMIT || !descr.len) return false;
  tensor->type = (hd_element_type)type;
  tensor->element_bytes = hd_element_bytes(tensor->type);
  tensor->big_endian = order == '>' && tensor->element_bytes > 1;
  return true;
}

hd_status hd_npy_parse(hd_tensor_file *file, hd_str name, const uint8_t *bytes, size_t size, size_t total,
                       hd_file_entry *entry) {
#define BAD(what) hd_make_status(HD_DATA_LOSS, HD_ARRAY ": " what, HD_IN_ARRAY(file, name))
  if (size < 10 || memcmp(bytes, "\x93NUMPY", 6)) return BAD("expected an npy header");
  int major = bytes[6], prefix = major == 1 ? 10 : 12;
  if (major < 1 || major > 3) return BAD("unknown npy version");
  if (size < (size_t)prefix) return BAD("npy header is cut off");
  uint64_t length = hd_load_le(bytes + 8, prefix - 8);
  if (length > HD_NPY_HEADER_LIMIT - 12 || length > size - (size_t)prefix)
    return BAD("npy header is cut off or too long");
  cursor c = {(const char *)bytes + prefix, (const char *)bytes + prefix + length};
  bool has_descr = false, has_order = false, has_shape = false;
  int64_t dims[HD_MAX_RANK];
  size_t rank = 0;
  hd_file_tensor *tensor = &entry->tensor;
  hd_str descr = {0};
  if (!take(&c, "{")) return BAD("npy header: expected '{'");
  while (!take(&c, "}")) {
    hd_str key;
    if (!take_string(&c, &key) || !take(&c, ":")) return BAD("npy header: expected a key and ':'");
    if (hd_str_is(key, "descr")) {
      if (!(has_descr = take_string(&c, &descr))) return BAD("structured elements are not supported");
    } else if (hd_str_is(key, "fortran_order")) {
      tensor->fortran_order = take(&c, "True");
      if (!(has_order = tensor->fortran_order || take(&c, "False"))) return BAD("npy header: expected True or False");
    } else if (hd_str_is(key, "shape")) {
      if (!(has_shape = take_shape(&c, dims, &rank))) return BAD("npy header: expected a shape of at most 64 dims");
    } else {
      return BAD("npy header: unknown key");
    }
    if (!take(&c, ",")) {
      if (take(&c, "}")) break;
      return BAD("npy header: expected ',' or '}'");
    }
  }
  if (!has_descr || !has_order || !has_shape) return BAD("npy header: expected descr, fortran_order and shape");
  if (!set_type(descr, tensor))
    return hd_make_status(HD_INVALID_ARGUMENT, HD_ARRAY ": elements of type '%.*s' are not supported",
                          HD_IN_ARRAY(file, name), (int)descr.len, descr.data);
  HD_TRY(hd_file_set_dims(file, name, dims, rank, tensor));
  entry->header = (size_t)prefix + length;
  if (total < entry->header || total - entry->header != tensor->bytes)
    return hd_make_status(HD_DATA_LOSS, HD_ARRAY ": expected %zu bytes of elements, got %zu", HD_IN_ARRAY(file, name),
                          tensor->bytes, total < entry->header ? 0 : total - entry->header);
  return HD_STATUS_OK;
#undef BAD
}

hd_status hd_npy_read(hd_tensor_file *file) {
  hd_file_entry entry = {.data = file->data, .stored = file->size};
  HD_TRY(hd_npy_parse(file, HD_STR(""), file->data, file->size, file->size, &entry));
  return hd_tensor_file_add(file, HD_STR(""), &entry);
}
