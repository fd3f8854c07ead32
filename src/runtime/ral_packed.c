/* SPDX-License-Identifier: Apache-2.0 */
/* Packed weights: made once of memory that never changes, kept with the executable. */
#include <stdlib.h>

#include "base/fork.h"
#include "runtime/objects.h"
#include "runtime/ral.h"

static bool is_inside(const void *data, const void *start, size_t bytes) {
  return (uintptr_t)data >= (uintptr_t)start && (uintptr_t)data < (uintptr_t)start + bytes;
}

/* Is |data| in memory that never changes? */
static bool is_constant(const hd_executable *executable, const void *data) {
  const hd_artifact_program *program = executable->loaded->program;
  for (uint32_t i = 0; executable->bound_count && i < executable->entry->input_count; ++i)
    if (executable->bound[i] && is_inside(data, executable->bound[i]->data, executable->bound[i]->bytes)) return true;
  for (uint32_t i = 0; i < program->constant_count; ++i) {
    const void *copy = executable->loaded->guarded ? executable->loaded->guarded[i] : NULL;
    size_t size = program->constants[i].size;
    if (is_inside(data, executable->loaded->constants[i]->constant->data, size) ||
        (copy && is_inside(data, copy, size)))
      return true;
  }
  return false;
}

static hd_packed **bucket(hd_executable *executable, const void *data, uint64_t use) {
  uint64_t hash = ((uint64_t)(uintptr_t)data ^ use * 0xff51afd7ed558ccdull) * 0x9e3779b97f4a7c15ull;
  return &executable->packed[hash >> 32 & (HD_PACKED_BUCKETS - 1)];
}

const void *hd_ral_packed(hd_ral_context *ctx, const void *data, uint64_t use, size_t bytes, hd_pack_fn pack,
                          void *argument) {
  hd_executable *executable = ctx->executable;
  if (ctx->head.failed || (data && !executable->bound_count && !executable->loaded->program->constant_count))
    return NULL;
  if (!(ctx->runtime->driver->vtable->caps & HD_DRIVER_HOST_MEMORY))
    return NULL; /* the host packs into the runtime's memory */
  hd_fork_mutex_lock(&executable->packing);
  hd_packed **head = bucket(executable, data, use), *found = *head;
  while (found && (found->data != data || found->use != use)) found = found->next;
  if (!found && (!data || is_constant(executable, data)) && (found = calloc(1, sizeof *found))) {
    hd_status status = hd_memory_take(ctx->runtime->memory, bytes, NULL, &found->memory, &found->capacity);
    if (hd_is_ok(status)) {
      pack(argument, found->memory);
      found->data = data;
      found->use = use;
      found->next = *head;
      *head = found;
    } else {
      hd_status_ignore(status);
      free(found);
      found = NULL;
    }
  }
  hd_fork_mutex_unlock(&executable->packing);
  return found ? found->memory : NULL;
}

void hd_packed_forget(hd_executable *executable, const hd_buffer *buffer) {
  for (size_t i = 0; i < HD_PACKED_BUCKETS; ++i)
    for (hd_packed **link = &executable->packed[i]; *link;) {
      hd_packed *entry = *link;
      if (buffer && !is_inside(entry->data, buffer->data, buffer->bytes)) {
        link = &entry->next;
        continue;
      }
      *link = entry->next;
      hd_memory_give(executable->loaded->runtime->memory, entry->memory, entry->capacity, NULL);
      free(entry);
    }
}
