/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors in files: .npy, .npz and .safetensors are read, .npz is written. Provided by libheddle_rt.so.
 *
 * Files are untrusted: any bytes give a status, in time and memory bounded by the file and by what the caller asks for.
 * npz: stored and deflate entries, zip64; npy 1.0 to 3.0, both byte orders, C and Fortran order. Elements without a
 * numpy type of their own (bf16, f8, f6, f4, i4, i2, ui4, ui2) are 1- or 2-byte voids, one element each; i1 is bool. An
 * open file is read by several threads at once; a writer is used by one thread at a time. */
#ifndef HEDDLE_TENSOR_FILE_H_
#define HEDDLE_TENSOR_FILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/element.h"
#include "heddle/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_tensor_file hd_tensor_file;

/* One array of a file, lent by it. */
typedef struct hd_file_tensor {
  const char *name; /* as in the file, without ".npy"; "" for the array of a .npy file */
  hd_element_type
      type; /* HD_ELEMENT_INVALID: void elements, which any type of |element_bytes| that numpy lacks may be */
  size_t element_bytes;
  bool big_endian, fortran_order;
  int32_t rank;
  const int64_t *dims;
  size_t bytes; /* of all elements */
} hd_file_tensor;

/* Opens (maps) the file at |path|; its bytes say of which kind. DATA_LOSS: not such a file, or damaged; NOT_FOUND,
 * PERMISSION_DENIED: as the system says. The file must not change while open. */
HD_API hd_status hd_tensor_file_open(const char *path, hd_tensor_file **out_file) HD_MUST_USE;
/* The same from |size| bytes at |data|, which must outlive the file. |name| is for messages. */
HD_API hd_status hd_tensor_file_open_memory(const void *data, size_t size, const char *name,
                                            hd_tensor_file **out_file) HD_MUST_USE;
HD_API void hd_tensor_file_close(hd_tensor_file *file);

HD_API size_t hd_tensor_file_count(const hd_tensor_file *file);
/* |index| must be below the count. */
HD_API const hd_file_tensor *hd_tensor_file_get(const hd_tensor_file *file, size_t index);
/* The array called |name|; null when there is none. */
HD_API const hd_file_tensor *hd_tensor_file_find(const hd_tensor_file *file, const char *name);

/* True when the elements of |tensor| can be taken as |type|. */
HD_API bool hd_file_tensor_is(const hd_file_tensor *tensor, hd_element_type type);

/* Writes the elements to |out| (tensor->bytes bytes): row major, little-endian. Compares checksums where the file has
 * them. */
HD_API hd_status hd_file_tensor_read(const hd_file_tensor *tensor, void *out) HD_MUST_USE;
/* The elements in the mapped file, valid until it is closed; null when they are compressed, not row major, big-endian
 * or not aligned to their size: then read them. No checksum is compared. */
HD_API const void *hd_file_tensor_map(const hd_file_tensor *tensor);

typedef struct hd_npz_writer hd_npz_writer;

/* Writes to |path|, replacing what is there when closed: readers see the old file or the whole new one. */
HD_API hd_status hd_npz_create(const char *path, hd_npz_writer **out_writer) HD_MUST_USE;
/* Adds an array: row major, little-endian, stored without compression. Tokens are refused. */
HD_API hd_status hd_npz_add(hd_npz_writer *writer, const char *name, hd_element_type type, int32_t rank,
                            const int64_t *dims, const void *data) HD_MUST_USE;
/* Ends the file and frees |writer|, on failure too (then nothing is left at |path| that was not there). */
HD_API hd_status hd_npz_close(hd_npz_writer *writer) HD_MUST_USE;
/* Gives the file up and frees |writer|; null is allowed. */
HD_API void hd_npz_abandon(hd_npz_writer *writer);

/* ---- random inputs --------------------------------------------------------------------------------------------------
 *
 * Element k of argument n under a seed is a pure function of the three, the same on every machine and in
 * front/python/heddle/random_inputs.py. All arithmetic is modulo 2^64:
 *
 *   mix(x):  x ^= x >> 30; x *= 0xbf58476d1ce4e5b9; x ^= x >> 27; x *= 0x94d049bb133111eb; x ^= x >> 31
 *   h(seed, n, k) = mix(mix(seed + (n + 1) * G) + (k + 1) * G)          G = 0x9e3779b97f4a7c15
 *
 *   float with p significant bits  ((h >> (64 - p)) - 2^(p-1)) * 2^(1-p): uniform in [-1, 1) and exact
 *                                  (f64 53, f32 24, f16 11, bf16 8, f8E3M4 5, f8E4M3* and f6E2M3FN 4,
 *                                  f8E5M2* and f6E3M2FN 3, f4E2M1FN 2)
 *   f8E8M0FNU                      the power of two 2^-(h >> 62)
 *   complex                        real part: element 2k, imaginary part: element 2k+1, as floats
 *   integer                        ((h >> 32) * max) >> 32: uniform in [0, max), max at most one above the
 *                                  type's maximum
 *   i1                             (h >> 32) < 3865470566: true with probability 0.9
 *
 * |out| and |data| are at a multiple of the element's size (of a complex element's parts), else INVALID_ARGUMENT. */
HD_API hd_status hd_random_fill(hd_element_type type, uint64_t seed, uint64_t argument, uint32_t max, uint64_t count,
                                void *out) HD_MUST_USE;
/* Multiplies float and complex elements of |out| by |scale|: in f32 for f32 and narrower (rounded to the type, to
 * nearest even), in f64 for f64. Other types are left. */
HD_API hd_status hd_random_scale(hd_element_type type, double scale, uint64_t count, void *data) HD_MUST_USE;

#ifdef __cplusplus
}
#endif
#endif
