/* SPDX-License-Identifier: Apache-2.0 */
/* The device's half of an artifact: choosing its image, and the RAL APIs that launch its kernels and move bytes. abi.h
 * says what each does. */
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "runtime/objects.h"
#include "runtime/ral_api.h"

/* ---- loading --------------------------------------------------------------------------------------------------- */

/* "simt", "cuda 80 ptx, cuda 90 ptx": what the artifact has. */
static void list_images(const hd_artifact_program *program, char *out, size_t size) {
  size_t used = 0;
  *out = 0;
  for (uint32_t i = 0; i < program->image_count && used < size; ++i) {
    const hd_artifact_image *image = &program->images[i];
    if (image->architecture)
      used += (size_t)snprintf(out + used, size - used, "%s%s %u %s", i ? ", " : "", image->driver, image->architecture,
                               image->format);
    else
      used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", image->driver);
  }
}

/* PTX is compiled for any later architecture, a cubin runs on those of its own ten. */
static bool takes(const hd_device_info *info, const hd_artifact_image *image) {
  if (image->architecture > info->architecture) return false;
  return strcmp(image->format, "cubin") || image->architecture / 10 == info->architecture / 10;
}

/* Of those for the driver the one of the highest architecture that the device takes, machine code before text. */
static hd_status choose_image(const hd_loaded *loaded, uint32_t *out) {
  const hd_artifact_program *program = loaded->program;
  hd_driver *driver = loaded->runtime->driver;
  const char *name = hd_driver_images(driver);
  hd_device_info info = hd_driver_info(driver);
  const hd_artifact_image *best = NULL;
  bool any = false;
  for (uint32_t i = 0; i < program->image_count; ++i) {
    const hd_artifact_image *image = &program->images[i];
    if (strcmp(image->driver, name)) continue;
    any = true;
    if (!takes(&info, image)) continue;
    bool better = !best || image->architecture > best->architecture ||
                  (image->architecture == best->architecture && !strcmp(image->format, "cubin"));
    if (better) best = image;
  }
  if (best) {
    *out = (uint32_t)(best - program->images);
    return HD_STATUS_OK;
  }
  char list[256];
  list_images(program, list, sizeof list);
  if (any)
    return hd_make_status(HD_FAILED_PRECONDITION,
                          "no code for this device, %s of architecture %u; the artifact has: %s", info.name,
                          info.architecture, list);
  return hd_make_status(HD_FAILED_PRECONDITION, "no code for driver '%s'; the artifact has: %s", name, list);
}

static hd_status check_limits(const hd_device_info *info, const hd_artifact_device_kernel *row) {
  uint64_t shared = (uint64_t)row->shared_static + row->shared_dynamic;
  uint32_t threads = row->block[0] * row->block[1] * row->block[2];
  if (shared > info->shared_limit)
    return hd_make_status(HD_FAILED_PRECONDITION,
                          "kernel '%s' wants %llu bytes of shared memory, of which %s has %llu a block", row->name,
                          (unsigned long long)shared, info->name, (unsigned long long)info->shared_limit);
  if (threads > info->block_limit)
    return hd_make_status(HD_FAILED_PRECONDITION, "kernel '%s' wants blocks of %u threads, of which %s has at most %u",
                          row->name, threads, info->name, info->block_limit);
  return HD_STATUS_OK;
}

static hd_status add_kernel(hd_loaded *loaded, const hd_artifact_device_kernel *row, const hd_device_info *info) {
  hd_trace *trace = loaded->runtime->trace;
  HD_TRY(check_limits(info, row));
  hd_device_kernel *kernel = &loaded->device_kernels[loaded->device_kernel_count++];
  *kernel = (hd_device_kernel){
      .row = row, .name = hd_trace_intern(trace, row->name), .source = hd_trace_intern(trace, row->source)};
  HD_TRY_MSG(hd_device_kernel_find(loaded->runtime->driver, loaded->image, row->symbol, &kernel->number), "kernel '%s'",
             row->name);
  bool is_new;
  hd_map_entry *entry =
      hd_map_insert_bytes(&loaded->arena, &loaded->device_kernels_by_name, row->name, strlen(row->name), &is_new);
  if (!is_new) return hd_make_status(HD_DATA_LOSS, "kernel '%s' is twice in the artifact", row->name);
  entry->value.ptr = kernel;
  return HD_STATUS_OK;
}

hd_status hd_loaded_device(hd_loaded *loaded) {
  const hd_artifact_program *program = loaded->program;
  if (!program->image_count) return HD_STATUS_OK;
  hd_driver *driver = loaded->runtime->driver;
  uint32_t image;
  HD_TRY(choose_image(loaded, &image));
  HD_TRY_MSG(hd_device_image_load(driver, program->images[image].data, program->images[image].size, &loaded->image),
             "image %u", image);
  hd_device_info info = hd_driver_info(driver);
  loaded->device_kernels = hd_new_array(&loaded->arena, hd_device_kernel, program->device_kernel_count + 1);
  for (uint32_t i = 0; i < program->device_kernel_count; ++i)
    if (program->device_kernels[i].image == image) HD_TRY(add_kernel(loaded, &program->device_kernels[i], &info));
  return HD_STATUS_OK;
}

/* ---- launches -------------------------------------------------------------------------------------------------- */

static bool to_size(int64_t value, uint32_t *out) {
  *out = (uint32_t)value;
  return value >= 0 && value <= UINT32_MAX;
}

static hd_status fill(const hd_device_kernel *kernel, const int64_t sizes[6], int64_t shared, int64_t count,
                      hd_grid_launch *launch) {
  const hd_artifact_device_kernel *row = kernel->row;
  for (int i = 0; i < 3; ++i)
    if (!to_size(sizes[i], &launch->grid[i]) || !to_size(sizes[3 + i], &launch->block[i]))
      return hd_make_status(HD_INVALID_ARGUMENT, "%lldx%lldx%lld blocks of %lldx%lldx%lld threads", (long long)sizes[0],
                            (long long)sizes[1], (long long)sizes[2], (long long)sizes[3], (long long)sizes[4],
                            (long long)sizes[5]);
  if (row->block[0] && memcmp(row->block, launch->block, sizeof row->block))
    return hd_make_status(HD_INVALID_ARGUMENT, "blocks of %ux%ux%u threads, expected %ux%ux%u", launch->block[0],
                          launch->block[1], launch->block[2], row->block[0], row->block[1], row->block[2]);
  if (shared < 0 || shared > (int64_t)row->shared_dynamic)
    return hd_make_status(HD_INVALID_ARGUMENT, "%lld bytes of dynamic shared memory, expected at most %u",
                          (long long)shared, row->shared_dynamic);
  if (count != (int64_t)row->word_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "%lld words, expected %u", (long long)count, row->word_count);
  launch->shared_bytes = (uint32_t)shared;
  launch->word_count = (uint32_t)count;
  launch->word_rows = row->words;
  for (uint32_t i = 0; i < row->word_count; ++i)
    HD_TRY_MSG(hd_artifact_word_check(&row->words[i], launch->words[i]), "word %u", i);
  return HD_STATUS_OK;
}

static void add_counters(hd_device_kernel *kernel, const hd_kernel_counters *counted) {
  uint64_t *sums = (uint64_t *)&kernel->counters;
  const uint64_t *more = (const uint64_t *)counted;
  for (size_t i = 0; i < sizeof *counted / sizeof *more; ++i) __atomic_fetch_add(&sums[i], more[i], __ATOMIC_RELAXED);
  __atomic_fetch_add(&kernel->launches, 1, __ATOMIC_RELAXED);
}

static void gpu_launch(hd_ral_context *ctx, void *stream, void *name, int64_t grid_x, int64_t grid_y, int64_t grid_z,
                       int64_t block_x, int64_t block_y, int64_t block_z, int64_t shared, void *words, int64_t count) {
  hd_loaded *loaded = ctx->executable->loaded;
  if (!hd_ral_go_on(ctx)) return;
  const hd_map_entry *entry = name ? hd_map_find_bytes(&loaded->device_kernels_by_name, name, strlen(name)) : NULL;
  hd_device_kernel *kernel = entry ? entry->value.ptr : NULL;
  if (!kernel) {
    hd_ral_fail(ctx,
                hd_make_status(HD_NOT_FOUND, "no kernel '%.200s' in the artifact", name ? (const char *)name : ""));
    return;
  }
  ++ctx->stats.launches;
  hd_kernel_counters counted = {0};
  bool counts = __atomic_load_n(&ctx->runtime->counts, __ATOMIC_RELAXED);
  hd_grid_launch launch = {.image = loaded->image,
                           .counters = counts ? &counted : NULL,
                           .kernel = kernel->number,
                           .words = words,
                           .serial = ctx->options->serial,
                           .stopped = ctx->call.stopped,
                           .user = ctx->call.user,
                           .name = kernel->name,
                           .source = kernel->source,
                           .trace = hd_trace_is_on(ctx->runtime->trace) ? ctx->runtime->trace : NULL};
  const int64_t sizes[] = {grid_x, grid_y, grid_z, block_x, block_y, block_z};
  hd_status status = fill(kernel, sizes, shared, count, &launch);
  if (hd_is_ok(status)) status = hd_stream_launch_grid(ctx->runtime->driver, stream ? stream : ctx->stream, &launch);
  if (counts && hd_is_ok(status)) add_counters(kernel, &counted);
  if (ctx->call.stopped && hd_is_ok(status)) hd_ral_go_on(ctx); /* what was left out fails the run */
  if (hd_is_ok(status)) return;
  if (hd_status_code_of(status) == HD_CANCELLED && !hd_ral_go_on(ctx)) { /* which says whether it was late */
    hd_status_free(status);
    return;
  }
  const char *source = *kernel->source ? kernel->source : "unknown ops", named[] = "kernel '";
  if (strncmp(hd_status_message(status), named, sizeof named - 1) != 0) /* an earlier one, which went out late */
    status = hd_status_annotate(status, "kernel '%s' of %.500s", kernel->name, source);
  hd_ral_fail(ctx, status);
}

/* ---- copies ---------------------------------------------------------------------------------------------------- */

static void move(hd_ral_context *ctx, void *stream, void *destination, void *source, int64_t bytes, bool wait) {
  if (bytes < 0) {
    hd_ral_fail(ctx, hd_make_status(HD_INVALID_ARGUMENT, "copy of %lld bytes", (long long)bytes));
    return;
  }
  if (!hd_ral_go_on(ctx)) return;
  ++ctx->stats.copies;
  hd_driver *driver = ctx->runtime->driver;
  hd_stream *on = stream ? stream : ctx->stream;
  int64_t start = hd_trace_is_on(ctx->runtime->trace) ? hd_trace_now() : 0;
  hd_status status = hd_stream_copy(driver, on, destination, source, (size_t)bytes);
  if (hd_is_ok(status) && wait) status = hd_stream_wait(driver, on);
  if (start)
    hd_trace_span(ctx->runtime->trace, "copy", wait ? "device to host" : "host to device", "", bytes, start,
                  hd_trace_now());
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
}

static void h2d(hd_ral_context *ctx, void *stream, void *destination, void *source, int64_t bytes) {
  move(ctx, stream, destination, source, bytes, false);
}

static void d2h(hd_ral_context *ctx, void *stream, void *destination, void *source, int64_t bytes) {
  move(ctx, stream, destination, source, bytes, true);
}

HD_RAL_API("ral_gpu_launch", gpu_launch, void, pvoid, pvoid, i64, i64, i64, i64, i64, i64, i64, pvoid, i64)
HD_RAL_API("ral_h2d", h2d, void, pvoid, pvoid, pvoid, i64)
HD_RAL_API("ral_d2h", d2h, void, pvoid, pvoid, pvoid, i64)

HD_RAL_TABLE(device, gpu_launch, h2d, d2h)
