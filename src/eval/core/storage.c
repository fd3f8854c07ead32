/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/core/storage.h"

#include <string.h>

#include "eval/core/frame.h"
#include "eval/core/state.h"

hd_memory *hd_frame_memory(hd_eval_frame *frame) { return frame->evaluator->memory; }

enum { PATTERN = 0xC9 };

hd_status hd_storage_create(hd_eval_frame *frame, size_t size, hd_op *origin, bool automatic,
                            hd_storage **out_storage) {
  *out_storage = NULL;
  hd_tensor_buffer *buffer;
  HD_TRY(hd_tensor_buffer_create(hd_frame_heap(frame), size + HD_STORAGE_SLACK, &buffer));
  memset(buffer->data, PATTERN, size + HD_STORAGE_SLACK);
  hd_arena *arena = hd_frame_arena(frame);
  hd_storage *storage = hd_new(arena, hd_storage);
  *storage = (hd_storage){
      .buffer = buffer, .data = buffer->data, .size = size, .automatic = automatic, .references = 1, .origin = origin};
  hd_vec_push(arena, &hd_frame_memory(frame)->storages, storage);
  *out_storage = storage;
  return HD_STATUS_OK;
}

hd_status hd_storage_write(hd_eval_frame *frame, hd_storage *storage) {
  if (storage->lent && !storage->writable)
    return hd_make_status(HD_INVALID_ARGUMENT, "writes to an argument or a constant");
  if (hd_frame_memory(frame)->unit) storage->writer = hd_frame_memory(frame)->unit;
  return HD_STATUS_OK;
}

hd_status hd_storage_free(hd_eval_frame *frame, hd_storage *storage) {
  if (!storage->buffer) return hd_make_status(HD_INVALID_ARGUMENT, "frees a buffer that is freed already");
  if (storage->lent || --storage->references) return HD_STATUS_OK;
  hd_memory *memory = hd_frame_memory(frame);
  for (size_t i = memory->storages.len; i-- > 0;)
    if (memory->storages.data[i] == storage) {
      for (size_t k = i; k + 1 < memory->storages.len; ++k) memory->storages.data[k] = memory->storages.data[k + 1];
      --memory->storages.len;
      break;
    }
  hd_tensor_buffer_release(storage->buffer);
  storage->buffer = NULL;
  return HD_STATUS_OK;
}

hd_storage *hd_storage_find(hd_eval_frame *frame, uint64_t address) {
  hd_memory *memory = hd_frame_memory(frame);
  for (size_t i = memory->storages.len; i-- > 0;) {
    hd_storage *s = memory->storages.data[i];
    uint64_t start = (uint64_t)(uintptr_t)s->data;
    if (address >= start && address <= start + s->size) return s;
  }
  return NULL;
}

void hd_storage_drop_automatic(hd_eval_frame *frame, size_t mark) {
  hd_memory *memory = frame->evaluator->memory;
  for (size_t i = memory->storages.len; i-- > mark;)
    if (i < memory->storages.len && memory->storages.data[i]->automatic) {
      memory->storages.data[i]->lent = false;
      memory->storages.data[i]->references = 1;
      hd_status_ignore(hd_storage_free(frame, memory->storages.data[i]));
    }
}
