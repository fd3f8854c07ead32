/* SPDX-License-Identifier: Apache-2.0 */
/* The buffers of a run, by address. */
#include <stdlib.h>
#include <string.h>

#include "runtime/objects.h"
#include "runtime/ral.h"

static size_t slot_of(const void *data, size_t room) {
  return (size_t)(((uint64_t)(uintptr_t)data >> 6) * 0x9e3779b97f4a7c15ull >> 32) & (room - 1);
}

hd_live *hd_live_find(hd_ral_context *ctx, const void *data) {
  if (!data) return NULL;
  for (size_t i = slot_of(data, ctx->live_room);; i = (i + 1) & (ctx->live_room - 1)) {
    if (!ctx->live[i].data) return NULL;
    if (ctx->live[i].data == data) return &ctx->live[i];
  }
}

static void insert(hd_live *table, size_t room, hd_live entry) {
  size_t i = slot_of(entry.data, room);
  while (table[i].data) i = (i + 1) & (room - 1);
  table[i] = entry;
}

bool hd_live_add(hd_ral_context *ctx, hd_live entry) {
  if (ctx->live_count * 2 >= ctx->live_room) {
    size_t room = ctx->live_room * 2;
    hd_live *grown = calloc(room, sizeof *grown);
    if (!grown) return false;
    for (size_t i = 0; i < ctx->live_room; ++i)
      if (ctx->live[i].data) insert(grown, room, ctx->live[i]);
    if (ctx->live != ctx->live_inline) free(ctx->live);
    ctx->live = grown;
    ctx->live_room = room;
  }
  insert(ctx->live, ctx->live_room, entry);
  ++ctx->live_count;
  return true;
}

void hd_live_remove(hd_ral_context *ctx, hd_live *entry) {
  size_t mask = ctx->live_room - 1, hole = (size_t)(entry - ctx->live);
  --ctx->live_count;
  /* Moves back what the hole would cut off from its home slot. */
  for (size_t i = (hole + 1) & mask; ctx->live[i].data; i = (i + 1) & mask) {
    size_t home = slot_of(ctx->live[i].data, ctx->live_room);
    if (((i - home) & mask) < ((i - hole) & mask)) continue;
    ctx->live[hole] = ctx->live[i];
    hole = i;
  }
  ctx->live[hole].data = NULL;
}

static hd_status take_on_host(const hd_runtime *runtime, size_t bytes, void **out) {
  const hd_allocator *own = &runtime->host_allocator;
  size_t whole = bytes < SIZE_MAX - 64 ? (bytes + 64) / 64 * 64 : 0; /* 0 bytes are a pointer too */
  *out = !whole ? NULL : own->allocate ? own->allocate(own->user, bytes, 64) : aligned_alloc(64, whole);
  return *out ? HD_STATUS_OK : hd_make_status(HD_RESOURCE_EXHAUSTED, "no host memory for a buffer of %zu bytes", bytes);
}

void hd_live_release(hd_ral_context *ctx, const hd_live *gone) {
  const hd_allocator *own = &ctx->runtime->host_allocator;
  if (!gone->host)
    hd_memory_give(ctx->runtime->memory, gone->data, gone->capacity, ctx->work);
  else if (own->release)
    own->release(own->user, gone->data, gone->capacity);
  else if (!own->allocate)
    free(gone->data);
}

hd_status hd_ral_take(hd_ral_context *ctx, size_t bytes, bool on_host, void **out_data) {
  *out_data = NULL;
  if (ctx->head.failed) return HD_STATUS_OK;
  size_t limit = ctx->options->memory_limit;
  if (limit && (bytes > limit || ctx->bytes_live > limit - bytes))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "memory limit of %zu bytes: %llu in use, %zu more wanted", limit,
                          (unsigned long long)ctx->bytes_live, bytes);
  void *data;
  size_t capacity = bytes;
  if (ctx->runtime->bounds && !ctx->runtime->host_allocator.allocate) on_host = false; /* the guarded memory */
  HD_TRY(on_host ? take_on_host(ctx->runtime, bytes, &data)
                 : hd_runtime_take(ctx->runtime, bytes, ctx->work, &data, &capacity));
  hd_live entry = {data, capacity, 1, -1, on_host};
  if (!hd_live_add(ctx, entry)) {
    hd_live_release(ctx, &entry);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  if (ctx->runtime->bounds) hd_bounds_claim(ctx->runtime->bounds, &ctx->written, data);
  ++ctx->stats.allocations;
  ctx->bytes_live += capacity;
  if (ctx->bytes_live > ctx->stats.bytes_peak) ctx->stats.bytes_peak = ctx->bytes_live;
  *out_data = data;
  return HD_STATUS_OK;
}

void *hd_ral_take_scratch(hd_ral_context *ctx, size_t bytes) {
  void *data;
  hd_status status = hd_ral_take(ctx, bytes, !(ctx->runtime->driver->vtable->caps & HD_DRIVER_HOST_MEMORY), &data);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
  return data;
}

void hd_ral_give(hd_ral_context *ctx, void *data) {
  hd_live *entry = hd_live_find(ctx, data);
  if (!entry || --entry->references) return;
  hd_live gone = *entry;
  hd_live_remove(ctx, entry);
  if (gone.output >= 0) {
    ctx->lent[gone.output] = false;
    return;
  }
  ctx->bytes_live -= gone.capacity;
  hd_live_release(ctx, &gone);
}
