/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor files (npz, npy, safetensors) written and read back, and the random inputs of --random. */
#include "heddle/tensor_file.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/testing.h"

static void test_round_trip(void) {
  const char *path = "tensor_file_test.npz";
  hd_npz_writer *writer;
  float x[6] = {1, -2, 3.5f, 0, 1e-30f, 6};
  uint16_t b[2] = {0x3f80, 0xc000};
  int64_t dims[] = {2, 3}, none[] = {0, 5};
  if (!HD_CHECK_OK(hd_npz_create(path, &writer))) return;
  HD_CHECK_OK(hd_npz_add(writer, "x", HD_ELEMENT_F32, 2, dims, x));
  HD_CHECK_OK(hd_npz_add(writer, "b", HD_ELEMENT_BF16, 1, dims, b));
  HD_CHECK_OK(hd_npz_add(writer, "scalar", HD_ELEMENT_F32, 0, NULL, x));
  HD_CHECK_OK(hd_npz_add(writer, "empty", HD_ELEMENT_I64, 2, none, NULL));
  HD_CHECK_FAILS(hd_npz_add(writer, "t", HD_ELEMENT_TOKEN, 0, NULL, NULL), HD_INVALID_ARGUMENT, "!stablehlo.token");
  HD_CHECK_OK(hd_npz_close(writer));

  hd_tensor_file *file;
  if (!HD_CHECK_OK(hd_tensor_file_open(path, &file))) return;
  HD_CHECK_INT(hd_tensor_file_count(file), 4);
  const hd_file_tensor *tensor = hd_tensor_file_find(file, "x");
  if (HD_CHECK(tensor)) {
    float got[6];
    HD_CHECK_INT(tensor->rank, 2);
    HD_CHECK_INT(tensor->dims[1], 3);
    HD_CHECK(hd_file_tensor_is(tensor, HD_ELEMENT_F32) && !hd_file_tensor_is(tensor, HD_ELEMENT_I32));
    HD_CHECK_OK(hd_file_tensor_read(tensor, got));
    HD_CHECK(!memcmp(got, x, sizeof x));
    const void *mapped = hd_file_tensor_map(tensor);
    HD_CHECK(mapped && !memcmp(mapped, x, sizeof x) && (uintptr_t)mapped % 64 == 0);
  }
  tensor = hd_tensor_file_find(file, "b");
  HD_CHECK(tensor && hd_file_tensor_is(tensor, HD_ELEMENT_BF16) && !hd_file_tensor_is(tensor, HD_ELEMENT_F16));
  tensor = hd_tensor_file_find(file, "empty");
  HD_CHECK(tensor && tensor->bytes == 0 && tensor->dims[1] == 5);
  HD_CHECK(!hd_tensor_file_find(file, "nothing"));
  hd_tensor_file_close(file);
  unlink(path);
}

static void test_npy(void) {
  char bytes[128 + 16];
  int n = snprintf(bytes + 10, 118, "{'descr': '>f4', 'fortran_order': True, 'shape': (2, 2), }");
  memcpy(bytes, "\x93NUMPY\1\0\x76\0", 10);
  memset(bytes + 10 + n, ' ', 118 - (size_t)n);
  /* 1 2 3 4 in the order of the file, columns first, big-endian */
  for (int i = 0; i < 4; ++i) {
    float value = (float)(i + 1);
    for (int k = 0; k < 4; ++k) bytes[128 + 4 * i + k] = ((char *)&value)[3 - k];
  }
  hd_tensor_file *file;
  if (HD_CHECK_OK(hd_tensor_file_open_memory(bytes, sizeof bytes, "test", &file))) {
    float got[4];
    HD_CHECK_OK(hd_file_tensor_read(hd_tensor_file_get(file, 0), got));
    HD_CHECK(got[0] == 1 && got[1] == 3 && got[2] == 2 && got[3] == 4);
    HD_CHECK(!hd_file_tensor_map(hd_tensor_file_get(file, 0)));
    hd_tensor_file_close(file);
  }
  HD_CHECK_FAILS(hd_tensor_file_open_memory(bytes, sizeof bytes - 1, "test", &file), HD_DATA_LOSS,
                 "expected 16 bytes of elements, got 15");
  HD_CHECK_FAILS(hd_tensor_file_open_memory("hello, world", 12, "test", &file), HD_DATA_LOSS, "expected an npz");
  HD_CHECK_FAILS(hd_tensor_file_open("/nonexistent/file.npz", &file), HD_NOT_FOUND, "cannot read");
}

static void test_safetensors(void) {
  const char *header =
      "{\"__metadata__\":{\"a\":\"b}\"},\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}";
  char bytes[256];
  uint64_t length = strlen(header);
  memcpy(bytes, &length, 8);
  memcpy(bytes + 8, header, length);
  float values[2] = {1, 2}, got[2];
  memcpy(bytes + 8 + length, values, 8);
  hd_tensor_file *file;
  if (HD_CHECK_OK(hd_tensor_file_open_memory(bytes, 16 + length, "test", &file))) {
    const hd_file_tensor *tensor = hd_tensor_file_find(file, "w");
    if (HD_CHECK(tensor)) HD_CHECK_OK(hd_file_tensor_read(tensor, got));
    HD_CHECK(got[0] == 1 && got[1] == 2);
    hd_tensor_file_close(file);
  }
  HD_CHECK_FAILS(hd_tensor_file_open_memory(bytes, 12 + length, "test", &file), HD_DATA_LOSS, "array 'w'");
}

/* Fixed values: the function is part of what stored expectations mean. */
static void test_random(void) {
  float x[4];
  HD_CHECK_OK(hd_random_fill(HD_ELEMENT_F32, 0, 0, 16, 4, x));
  HD_CHECK_NEAR(x[0], 0x1.3836e8p-2, 0);
  HD_CHECK_NEAR(x[3], 0x1.4055dp-2, 0);
  uint16_t h[64];
  int8_t i[64];
  HD_CHECK_OK(hd_random_fill(HD_ELEMENT_BF16, 7, 1, 16, 64, h));
  HD_CHECK_OK(hd_random_fill(HD_ELEMENT_I8, 7, 1, 200, 64, i));
  for (int k = 0; k < 64; ++k) HD_CHECK(i[k] >= 0);
  /* f32 bits of bf16 1.5 times 0.5 */
  uint16_t one = 0x3fc0;
  HD_CHECK_OK(hd_random_scale(HD_ELEMENT_BF16, 0.5, 1, &one));
  HD_CHECK_INT(one, 0x3f40);
  HD_CHECK_FAILS(hd_random_fill(HD_ELEMENT_TOKEN, 0, 0, 16, 1, x), HD_INVALID_ARGUMENT, "!stablehlo.token");
  HD_CHECK_FAILS(hd_random_fill(HD_ELEMENT_I32, 0, 0, 0, 1, x), HD_INVALID_ARGUMENT, "positive maximum");
}

int main(void) {
  test_round_trip();
  test_npy();
  test_safetensors();
  test_random();
  return HD_TEST_RESULT();
}
