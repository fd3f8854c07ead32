/* SPDX-License-Identifier: Apache-2.0 */
/* The safetensors format: <u64 length> {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...} data
 * Offsets count from the end of the header. "__metadata__" is skipped. */
#include <string.h>

#include "base/json.h"
#include "runtime/files/tensor_file.h"

#define BAD(what) hd_make_status(HD_DATA_LOSS, "%s: safetensors header: " what, file->name)

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

/* The list |key| of a tensor as numbers. */
static hd_status read_numbers(hd_tensor_file *file, const hd_json *tensor, const char *key, int64_t *out,
                              size_t capacity, size_t *out_count) {
  const hd_json *list = hd_json_get(tensor, key);
  if (!list) return BAD("a tensor lacks dtype, shape or data_offsets");
  if (list->kind != HD_JSON_ARRAY) return BAD("expected an array of numbers");
  if (list->count > capacity) return BAD("an array is too long");
  for (size_t i = 0; i < list->count; ++i)
    if (!hd_json_integer(&list->items[i], 0, INT64_MAX, &out[i]))
      return BAD("expected a number, whole and not negative");
  *out_count = list->count;
  return HD_STATUS_OK;
}

static hd_status read_tensor(hd_tensor_file *file, const char *key, const hd_json *tensor, const uint8_t *data,
                             size_t data_size) {
  hd_str name = hd_str_of(hd_arena_copy(&file->arena, key, strlen(key)));
  hd_file_entry entry = {0};
  int64_t dims[HD_MAX_RANK], offsets[2] = {0, 0};
  size_t rank = 0, offset_count = 0;
  if (tensor->kind != HD_JSON_OBJECT) return BAD("expected an object for each tensor");
  const char *dtype = hd_json_text(tensor, "dtype", NULL);
  if (!dtype) return BAD("a tensor lacks dtype, shape or data_offsets");
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i)
    if (!strcmp(dtype, dtypes[i].name)) entry.tensor.type = dtypes[i].type;
  if (!entry.tensor.type)
    return hd_make_status(HD_INVALID_ARGUMENT, HD_ARRAY ": elements of type '%s' are not supported",
                          HD_IN_ARRAY(file, name), dtype);
  HD_TRY(read_numbers(file, tensor, "shape", dims, HD_MAX_RANK, &rank));
  HD_TRY(read_numbers(file, tensor, "data_offsets", offsets, 2, &offset_count));
  if (offset_count != 2) return BAD("a tensor lacks dtype, shape or data_offsets");
  entry.tensor.element_bytes = hd_element_bytes(entry.tensor.type);
  HD_TRY(hd_file_set_dims(file, name, dims, rank, &entry.tensor));
  if (offsets[0] > offsets[1] || (uint64_t)offsets[1] > data_size ||
      (uint64_t)(offsets[1] - offsets[0]) != entry.tensor.bytes)
    return hd_make_status(HD_DATA_LOSS, HD_ARRAY ": expected %zu bytes in the file, got offsets %lld to %lld",
                          HD_IN_ARRAY(file, name), entry.tensor.bytes, (long long)offsets[0], (long long)offsets[1]);
  entry.data = data + offsets[0];
  entry.stored = entry.tensor.bytes;
  return hd_tensor_file_add(file, name, &entry);
}

static hd_status read_header(hd_tensor_file *file, hd_arena *arena, hd_str text, const uint8_t *data,
                             size_t data_size) {
  hd_json header;
  HD_TRY(hd_json_read(arena, text, file->name, &header));
  if (header.kind != HD_JSON_OBJECT) return BAD("expected an object");
  for (size_t i = 0; i < header.count; ++i)
    if (strcmp(header.keys[i], "__metadata__"))
      HD_TRY(read_tensor(file, header.keys[i], &header.items[i], data, data_size));
  return HD_STATUS_OK;
}

hd_status hd_safetensors_read(hd_tensor_file *file) {
  uint64_t length = hd_load_le(file->data, 8);
  if (length > file->size - 8 || length > 100u << 20) return BAD("it is cut off or too long");
  hd_str text = {(const char *)file->data + 8, length};
  hd_arena scratch;
  hd_arena_init(&scratch, NULL);
  hd_status status = read_header(file, &scratch, text, file->data + 8 + length, file->size - 8 - length);
  hd_arena_free(&scratch);
  return status;
}
