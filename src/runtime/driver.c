/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/runtime.h"

#define DRIVER(name) hd_status hd_driver_##name##_open(const hd_driver_config *config, hd_driver **out_driver);
#include "runtime/drivers/drivers.def"
#undef DRIVER

static const char *const names[] = {
#define DRIVER(name) #name,
#include "runtime/drivers/drivers.def"
#undef DRIVER
    NULL};

static const char list[] =
#define DRIVER(name) " " #name
#include "runtime/drivers/drivers.def"
#undef DRIVER
    ;

const char *const *hd_driver_names(void) { return names; }

hd_status hd_driver_check_name(const char *name) {
  for (size_t i = 0; names[i]; ++i)
    if (!strcmp(names[i], name)) return HD_STATUS_OK;
  return hd_make_status(HD_NOT_FOUND, "no driver '%s'; there are:%s", name, list);
}

/* "simt:16": the size of subgroups after the name of an emulator, 0 where there is none; "cuda:1": cuda's own. */
static hd_status parse_choice(const char *name, size_t size, hd_driver_config *config) {
  char *end;
  config->subgroup = 0;
  config->choice = NULL;
  if (!name[size]) return HD_STATUS_OK;
  if (size == 4 && !strncmp(name, "cuda", size)) {
    config->choice = name + size + 1;
    return HD_STATUS_OK;
  }
  unsigned long number = strtoul(name + size + 1, &end, 10);
  bool emulator = (size == 4 && !strncmp(name, "simt", size)) || (size == 7 && !strncmp(name, "guarded", size));
  if (!emulator)
    return hd_make_status(HD_INVALID_ARGUMENT, "driver '%s': expected a size of subgroups of simt or guarded alone",
                          name);
  if (name[size + 1] < '0' || name[size + 1] > '9' || *end || number < 1 || number > 32 || number & (number - 1))
    return hd_make_status(HD_INVALID_ARGUMENT, "driver '%s': expected a size of subgroups of 1, 2, 4, 8, 16 or 32",
                          name);
  config->subgroup = (uint32_t)number;
  return HD_STATUS_OK;
}

hd_status hd_driver_open(const char *name, const hd_driver_config *config, hd_driver **out_driver) {
  *out_driver = NULL;
  hd_driver_config own = *config;
  size_t size = strcspn(name, ":");
  HD_TRY(parse_choice(name, size, &own));
#define DRIVER(driver) \
  if (size == strlen(#driver) && !strncmp(name, #driver, size)) return hd_driver_##driver##_open(&own, out_driver);
#include "runtime/drivers/drivers.def"
#undef DRIVER
  HD_TRY(hd_driver_check_name(name));
  return hd_make_status(HD_INTERNAL, "driver '%s' has a name and nothing that opens it", name);
}

int32_t hd_driver_count(void) { return (int32_t)(sizeof names / sizeof *names) - 1; }

hd_status hd_driver_describe(int32_t i, hd_device_description *out_device) {
  HD_REQUIRE(out_device);
  *out_device = (hd_device_description){0};
  if (i < 0 || i >= hd_driver_count())
    return hd_make_status(HD_OUT_OF_RANGE, "driver %d, expected below %d", i, hd_driver_count());
  snprintf(out_device->driver, sizeof out_device->driver, "%s", names[i]);
  hd_pool *pool;
  HD_TRY(hd_pool_create(1, NULL, &pool));
  hd_driver_config config = {.pool = pool};
  hd_driver *driver;
  hd_status status = hd_driver_open(names[i], &config, &driver);
  if (hd_is_ok(status)) {
    hd_device_info info = hd_driver_info(driver);
    memcpy(out_device->name, info.name, sizeof info.name);
    out_device->architecture = info.architecture;
    out_device->memory_bytes = info.memory_bytes;
    if (driver->vtable->describe) driver->vtable->describe(driver, out_device->details, sizeof out_device->details);
  }
  hd_driver_close(driver);
  hd_pool_free(pool);
  return status;
}

void hd_driver_close(hd_driver *driver) {
  if (driver) driver->vtable->destroy(driver);
}

hd_status hd_driver_allocate(hd_driver *driver, size_t bytes, void **out_data) {
  *out_data = NULL;
  if (bytes > SIZE_MAX / 2) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for %zu bytes", bytes);
  return driver->vtable->allocate(driver, bytes ? bytes : 1, out_data);
}

void hd_driver_release(hd_driver *driver, void *data, size_t bytes) {
  if (data) driver->vtable->release(driver, data, bytes ? bytes : 1);
}

hd_status hd_driver_allocate_host(hd_driver *driver, size_t bytes, void **out_data) {
  *out_data = NULL;
  size_t rounded = bytes < SIZE_MAX / 2 ? (bytes + 64) / 64 * 64 : 0; /* 0 bytes are a pointer too */
  if (rounded && driver->vtable->allocate_host) return driver->vtable->allocate_host(driver, rounded, out_data);
  if (rounded) *out_data = aligned_alloc(64, rounded);
  return *out_data ? HD_STATUS_OK : hd_make_status(HD_RESOURCE_EXHAUSTED, "no host memory for %zu bytes", bytes);
}

void hd_driver_release_host(hd_driver *driver, void *data, size_t bytes) {
  if (data && driver->vtable->release_host)
    driver->vtable->release_host(driver, data, (bytes + 64) / 64 * 64);
  else
    free(data);
}

bool hd_driver_owns(hd_driver *driver, const void *data) {
  return !(driver->vtable->caps & HD_DRIVER_HOST_MEMORY) && data && driver->vtable->owns(driver, data);
}

const char *hd_driver_images(const hd_driver *driver) {
  return driver->vtable->images ? driver->vtable->images : driver->vtable->name;
}

hd_status hd_stream_create(hd_driver *driver, hd_stream **out_stream) {
  *out_stream = NULL;
  return driver->vtable->stream_create(driver, out_stream);
}

void hd_stream_destroy(hd_driver *driver, hd_stream *stream) {
  if (stream) driver->vtable->stream_destroy(driver, stream);
}

hd_status hd_stream_wait(hd_driver *driver, hd_stream *stream) { return driver->vtable->stream_wait(driver, stream); }

hd_status hd_stream_copy(hd_driver *driver, hd_stream *stream, void *destination, const void *source, size_t bytes) {
  return bytes ? driver->vtable->copy(driver, stream, destination, source, bytes) : HD_STATUS_OK;
}

hd_status hd_stream_fill(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte, size_t bytes) {
  return bytes ? driver->vtable->fill(driver, stream, destination, byte, bytes) : HD_STATUS_OK;
}

hd_status hd_stream_launch(hd_driver *driver, hd_stream *stream, const hd_launch *launch) {
  if (launch->extent < 0 || launch->grain < 1)
    return hd_make_status(HD_INVALID_ARGUMENT, "launch over %lld items by %lld, expected at least 0 by 1",
                          (long long)launch->extent, (long long)launch->grain);
  return launch->extent ? driver->vtable->launch(driver, stream, launch) : HD_STATUS_OK;
}

hd_device_info hd_driver_info(hd_driver *driver) {
  hd_device_info info = {0};
  if (driver->vtable->info) driver->vtable->info(driver, &info);
  return info;
}

hd_status hd_device_image_load(hd_driver *driver, const void *data, size_t size, hd_device_image **out_image) {
  *out_image = NULL;
  if (!(driver->vtable->caps & HD_DRIVER_IMAGES))
    return hd_make_status(HD_UNIMPLEMENTED, "driver '%s' loads no device images", driver->vtable->name);
  return driver->vtable->image_load(driver, data, size, out_image);
}

void hd_device_image_unload(hd_driver *driver, hd_device_image *image) {
  if (image) driver->vtable->image_unload(driver, image);
}

hd_status hd_device_kernel_find(hd_driver *driver, hd_device_image *image, const char *symbol, uint32_t *out_kernel) {
  *out_kernel = 0;
  return driver->vtable->kernel_find(driver, image, symbol, out_kernel);
}

hd_status hd_stream_launch_grid(hd_driver *driver, hd_stream *stream, const hd_grid_launch *launch) {
  hd_device_info info = hd_driver_info(driver);
  uint64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (launch->grid[i] > info.grid_limit[i])
      return hd_make_status(HD_INVALID_ARGUMENT, "a grid of %u blocks along %c, expected at most %llu", launch->grid[i],
                            "xyz"[i], (unsigned long long)info.grid_limit[i]);
    if (__builtin_mul_overflow(threads, launch->block[i], &threads) || threads > info.block_limit)
      return hd_make_status(HD_INVALID_ARGUMENT, "a block of %ux%ux%u threads, expected at most %u", launch->block[0],
                            launch->block[1], launch->block[2], info.block_limit);
  }
  if (!threads) return hd_make_status(HD_INVALID_ARGUMENT, "a block without threads");
  if (!launch->grid[0] || !launch->grid[1] || !launch->grid[2]) return HD_STATUS_OK;
  return driver->vtable->launch_grid(driver, stream, launch);
}

hd_status hd_device_event_create(hd_driver *driver, hd_device_event **out_event) {
  *out_event = NULL;
  return driver->vtable->event_create(driver, out_event);
}

void hd_device_event_destroy(hd_driver *driver, hd_device_event *event) {
  if (event) driver->vtable->event_destroy(driver, event);
}

hd_status hd_device_event_record(hd_driver *driver, hd_device_event *event, hd_stream *stream) {
  return driver->vtable->event_record(driver, event, stream);
}

hd_status hd_device_event_wait(hd_driver *driver, hd_device_event *event) {
  return driver->vtable->event_wait(driver, event);
}

hd_status hd_stream_wait_event(hd_driver *driver, hd_stream *stream, hd_device_event *event) {
  return driver->vtable->stream_wait_event(driver, stream, event);
}

bool hd_device_event_is_done(hd_driver *driver, hd_device_event *event) {
  return driver->vtable->event_is_done(driver, event);
}

bool hd_device_product_takes(hd_driver *driver, const hd_device_product *product, size_t *out_workspace) {
  *out_workspace = 0;
  return driver->vtable->product_takes && driver->vtable->product_takes(driver, product, out_workspace);
}

hd_status hd_stream_product(hd_driver *driver, hd_stream *stream, const hd_device_product *product, void *workspace,
                            size_t workspace_bytes) {
  if (!driver->vtable->product_run)
    return hd_make_status(HD_UNIMPLEMENTED, "driver '%s' has no library for products", driver->vtable->name);
  return driver->vtable->product_run(driver, stream, product, workspace, workspace_bytes);
}

bool hd_device_convolution_takes(hd_driver *driver, const hd_device_convolution *convolution, size_t *out_workspace) {
  *out_workspace = 0;
  return driver->vtable->convolution_takes && driver->vtable->convolution_takes(driver, convolution, out_workspace);
}

hd_status hd_stream_convolution(hd_driver *driver, hd_stream *stream, const hd_device_convolution *convolution,
                                void *workspace, size_t workspace_bytes) {
  if (!driver->vtable->convolution_run)
    return hd_make_status(HD_UNIMPLEMENTED, "driver '%s' has no library for convolutions", driver->vtable->name);
  return driver->vtable->convolution_run(driver, stream, convolution, workspace, workspace_bytes);
}
