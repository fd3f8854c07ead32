/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of the vector dialect to memory. Reads of masked-off lanes and of lanes beyond the last
 * element of a full load are not accesses. */
#include <string.h>

#include "eval/machine/memory.h"
#include "eval/machine/vectors.h"

static size_t bytes_of(hd_type type) { return hd_vector_bytes(type); }
static char *lane(const hd_tensor *v, size_t i) { return hd_vector_lane(v, i); }

/* Indices that wrap around are below zero, and so outside. */
static int64_t plus(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

hd_status hd_eval_move_vector(hd_eval_frame *frame, const hd_tensor *memref, const int64_t *start, hd_tensor *vector,
                              const hd_tensor *mask, bool store) {
  uint32_t rank = memref->type->shaped.rank, own = vector->type->shaped.rank;
  if (own > rank || !own) return hd_make_status(HD_UNIMPLEMENTED, "a vector of %u dims in memory of %u", own, rank);
  if (hd_type_element(memref->type->shaped.element) != hd_type_element(vector->type) ||
      (mask && hd_lanes_of(mask->type) != hd_lanes_of(vector->type)))
    return hd_make_status(HD_INVALID_ARGUMENT, "has memory, a vector and a mask that do not fit together");
  if (store) HD_TRY(hd_storage_write(frame, hd_memref_of(memref)->storage));
  const int64_t *dims = vector->type->shaped.dims;
  size_t width = (size_t)dims[own - 1], bytes = bytes_of(vector->type), at = 0;
  bool dense = hd_memref_strides(memref)[rank - 1] == 1;
  int64_t index[HD_MAX_RANK] = {0}, position[HD_MAX_RANK];
  do {
    for (uint32_t d = 0; d < rank; ++d) position[d] = plus(start[d], d + own >= rank ? index[d + own - rank] : 0);
    char *row;
    if (!mask && dense) {
      HD_TRY(hd_memref_address(memref, position, store || width == 1 ? 1 : width, &row));
      if (store && width > 1) {
        position[rank - 1] = plus(position[rank - 1], (int64_t)width - 1);
        char *last;
        HD_TRY(hd_memref_address(memref, position, 1, &last));
      }
      memcpy(store ? row : lane(vector, at), store ? lane(vector, at) : row, width * bytes);
    } else {
      for (size_t i = 0; i < width; ++i, position[rank - 1] = plus(position[rank - 1], 1)) {
        if (mask && !*lane(mask, at + i)) continue;
        HD_TRY(hd_memref_address(memref, position, 1, &row));
        memcpy(store ? row : lane(vector, at + i), store ? lane(vector, at + i) : row, bytes);
      }
    }
    at += width;
  } while (hd_index_next(own - 1, dims, index));
  return HD_STATUS_OK;
}

static hd_status move(hd_eval_frame *frame, const hd_tensor *memref, const hd_tensor *indices, hd_tensor *vector,
                      const hd_tensor *mask, bool store) {
  int64_t *start;
  HD_TRY(hd_eval_index_operands(frame, indices, memref->type->shaped.rank, &start));
  return hd_eval_move_vector(frame, memref, start, vector, mask, store);
}

HD_EVAL_HOOK(vector_load) {
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  return move(frame, &in[0], in + 1, out, NULL, false);
}
HD_EVAL_HOOK(vector_store) {
  hd_tensor value = in[0];
  return move(frame, &in[1], in + 2, &value, NULL, true);
}

HD_EVAL_HOOK(vector_maskedload) {
  uint32_t rank = in[0].type->shaped.rank;
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[rank + 2]), out->buffer->size);
  return move(frame, &in[0], in + 1, out, &in[rank + 1], false);
}
HD_EVAL_HOOK(vector_maskedstore) {
  uint32_t rank = in[0].type->shaped.rank;
  hd_tensor value = in[rank + 2];
  return move(frame, &in[0], in + 1, &value, &in[rank + 1], true);
}

/* Lane i at the offsets with index[i] added to the last one. */
static hd_status scattered(hd_eval_frame *frame, const hd_tensor *in, hd_tensor *vector, bool store) {
  uint32_t rank = in[0].type->shaped.rank;
  int64_t *position;
  HD_TRY(hd_eval_index_operands(frame, in + 1, rank, &position));
  const hd_tensor *indices = &in[rank + 1], *mask = &in[rank + 2];
  hd_type index = hd_type_element(indices->type);
  int64_t base = rank ? position[rank - 1] : 0;
  if (store) HD_TRY(hd_storage_write(frame, hd_memref_of(&in[0])->storage));
  for (size_t i = 0; i < hd_lanes_of(vector->type); ++i) {
    if (!*lane(mask, i)) continue;
    char *at;
    if (rank) position[rank - 1] = plus(base, hd_element_load(index, lane(indices, i)));
    HD_TRY(hd_memref_address(&in[0], position, 1, &at));
    memcpy(store ? at : lane(vector, i), store ? lane(vector, i) : at, bytes_of(vector->type));
  }
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(vector_gather) {
  if (!hd_is_memref(&in[0])) return hd_make_status(HD_UNIMPLEMENTED, "gathers from a tensor");
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[in[0].type->shaped.rank + 3]), out->buffer->size);
  return scattered(frame, in, out, false);
}
HD_EVAL_HOOK(vector_scatter) {
  if (!hd_is_memref(&in[0])) return hd_make_status(HD_UNIMPLEMENTED, "scatters to a tensor");
  hd_tensor value = in[in[0].type->shaped.rank + 3];
  return scattered(frame, in, &value, true);
}

/* The next lanes of memory, in order, for the lanes whose mask is set. */
HD_EVAL_HOOK(vector_expandload) {
  uint32_t rank = in[0].type->shaped.rank;
  int64_t *position;
  HD_TRY(hd_eval_index_operands(frame, in + 1, rank, &position));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  memcpy(hd_tensor_data(out), hd_tensor_data(&in[rank + 2]), out->buffer->size);
  for (size_t i = 0; i < hd_lanes_of(out->type); ++i) {
    char *at;
    if (!*lane(&in[rank + 1], i)) continue;
    HD_TRY(hd_memref_address(&in[0], position, 1, &at));
    memcpy(lane(out, i), at, bytes_of(out->type));
    ++position[rank - 1];
  }
  return HD_STATUS_OK;
}
HD_EVAL_HOOK(vector_compressstore) {
  uint32_t rank = in[0].type->shaped.rank;
  int64_t *position;
  HD_TRY(hd_eval_index_operands(frame, in + 1, rank, &position));
  const hd_tensor *value = &in[rank + 2];
  HD_TRY(hd_storage_write(frame, hd_memref_of(&in[0])->storage));
  for (size_t i = 0; i < hd_lanes_of(value->type); ++i) {
    char *at;
    if (!*lane(&in[rank + 1], i)) continue;
    HD_TRY(hd_memref_address(&in[0], position, 1, &at));
    memcpy(at, lane(value, i), bytes_of(value->type));
    ++position[rank - 1];
  }
  return HD_STATUS_OK;
}
