/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of tensor files share: the open file, its entries, and views of bytes that are checked before use.
 */
#ifndef HD_RUNTIME_FILES_TENSOR_FILE_H_
#define HD_RUNTIME_FILES_TENSOR_FILE_H_

#include "base/arena.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "heddle/tensor_file.h"

/* An array of a file. |tensor| is first: a lent hd_file_tensor is an entry. */
typedef struct hd_file_entry {
  hd_file_tensor tensor;
  const hd_tensor_file *file;
  const uint8_t *data; /* the stored bytes, in the file */
  size_t stored;       /* how many */
  size_t header;       /* bytes before the elements, after decompression */
  bool deflated;
  bool has_crc;
  uint32_t crc; /* of header and elements together */
} hd_file_entry;

struct hd_tensor_file {
  hd_arena arena;
  const char *name; /* for messages */
  const uint8_t *data;
  size_t size;
  bool mapped; /* by us: unmap when closed */
  hd_vec(hd_file_entry *) entries;
  hd_map by_name;
};

/* The readers: fill the entries of |file|. Inside an out-of-memory guard. */
hd_status hd_npy_read(hd_tensor_file *file) HD_MUST_USE;
hd_status hd_npz_read(hd_tensor_file *file) HD_MUST_USE;
hd_status hd_safetensors_read(hd_tensor_file *file) HD_MUST_USE;

/* Adds an entry named |name|; a second one of that name is an error. */
hd_status hd_tensor_file_add(hd_tensor_file *file, hd_str name, const hd_file_entry *entry) HD_MUST_USE;

/* Parses the npy header that starts |bytes| (of |size|, perhaps cut off after it) into |entry|'s tensor, whose
 * elements are |total| bytes with the header. */
hd_status hd_npy_parse(hd_tensor_file *file, hd_str name, const uint8_t *bytes, size_t size, size_t total,
                       hd_file_entry *entry) HD_MUST_USE;
/* What numpy calls elements of |type|, with their byte order: "<f4"; empty for what is no element. */
typedef struct hd_npy_descr {
  char text[6];
} hd_npy_descr;
hd_npy_descr hd_npy_descr_of(hd_element_type type);
/* Bytes that hold any npy header that is accepted. */
enum { HD_NPY_HEADER_LIMIT = 65536 + 12 };

/* Sets rank, dims and bytes; an error when the product overflows. */
hd_status hd_file_set_dims(hd_tensor_file *file, hd_str name, const int64_t *dims, size_t rank,
                           hd_file_tensor *tensor) HD_MUST_USE;

static inline uint64_t hd_load_le(const uint8_t *at, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; --i) value = value << 8 | at[i];
  return value;
}

/* Begins a message: "path: array 'name'", "path" alone of an array without a name. */
#define HD_ARRAY "%s%s%.*s%s"
#define HD_IN_ARRAY(file, name_str)                                                                            \
  (file)->name, (name_str).len ? ": array '" : "", (int)(name_str).len, (name_str).len ? (name_str).data : "", \
      (name_str).len ? "'" : ""

#endif
