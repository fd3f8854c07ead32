/* SPDX-License-Identifier: Apache-2.0 */
/* Built programs. A process builds a module once, whatever images it is in and however many drivers there
 * are; the cache on disk has what the device made of it, for other processes. Programs without users stay for
 * those that come: 512 of them, the last used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/drivers/opencl/opencl.h"

enum { UNUSED_LIMIT = 512 };

static const char *build_options(const hd_cl_device_info *device) {
  return device->single_config & CL_FP_ROUNDED_DIVIDE_SQRT ? "-cl-fp32-correctly-rounded-divide-sqrt" : "";
}

/* Of the words and of all that decides what they become. */
static hd_hash128 key_of(const hd_cl_device_info *device, const hd_opencl_module *module) {
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add_string(&state, "opencl program");
  hd_hash128_add_string(&state, device->platform_name);
  hd_hash128_add_string(&state, device->name);
  hd_hash128_add_string(&state, device->driver_version);
  hd_hash128_add_string(&state, build_options(device));
  hd_hash128_add(&state, module->words, module->count * sizeof *module->words);
  return hd_hash128_finish(&state);
}

/* The first line of what the compiler says. */
static hd_status build_failed(const hd_opencl_device *device, cl_program program, cl_int code) {
  size_t size = 0;
  char *log = NULL;
  if (!device->cl->clGetProgramBuildInfo(program, device->info.id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size))
    log = calloc(size + 1, 1);
  if (log && device->cl->clGetProgramBuildInfo(program, device->info.id, CL_PROGRAM_BUILD_LOG, size, log, NULL))
    *log = 0;
  hd_status status = hd_cl_status(code, "build a program");
  if (log && *log) status = hd_status_annotate(status, "%.*s", (int)strcspn(log, "\n"), log);
  free(log);
  return status;
}

/* Takes |program| over. */
static hd_status build(const hd_opencl_device *device, cl_program program, cl_program *out_program) {
  cl_int code = device->cl->clBuildProgram(program, 1, &device->info.id, build_options(&device->info), NULL, NULL);
  if (!code) {
    *out_program = program;
    return HD_STATUS_OK;
  }
  hd_status status = build_failed(device, program, code);
  device->cl->clReleaseProgram(program);
  return status;
}

static hd_status build_words(const hd_opencl_device *device, const hd_opencl_module *module, cl_program *out_program) {
  cl_int code;
  cl_program program =
      device->cl->clCreateProgramWithIL(device->context, module->words, module->count * sizeof *module->words, &code);
  HD_TRY(hd_cl_status(code, "take SPIR-V"));
  return build(device, program, out_program);
}

/* False where the cache has nothing, or nothing that the device takes: it is built anew. */
static bool find_cached(hd_opencl_driver *driver, const hd_hash128 *key, cl_program *out_program) {
  const hd_opencl_device *device = driver->device;
  const void *data;
  size_t size;
  hd_status status =
      driver->cache ? hd_cache_get(driver->cache, key->bytes, &data, &size) : hd_make_status(HD_NOT_FOUND, "no cache");
  if (!hd_is_ok(status)) {
    hd_status_free(status);
    return false;
  }
  cl_int code, taken = 0;
  const unsigned char *bytes = data;
  cl_program program =
      device->cl->clCreateProgramWithBinary(device->context, 1, &device->info.id, &size, &bytes, &taken, &code);
  bool found = !code && !taken;
  if (found) status = build(device, program, out_program);
  hd_cache_unmap(data, size);
  found = found && hd_is_ok(status);
  hd_status_free(status);
  return found;
}

/* A cache that takes nothing is no failure. */
static void put_in_cache(hd_opencl_driver *driver, const hd_hash128 *key, cl_program program) {
  const hd_cl_api *cl = driver->cl;
  size_t size = 0;
  if (!driver->cache || cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) || !size)
    return;
  unsigned char *bytes = malloc(size);
  if (bytes && !cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL))
    hd_status_free(hd_cache_put(driver->cache, key->bytes, bytes, size));
  free(bytes);
}

/* From the driver's cache, else built and put there. */
static hd_status make(hd_opencl_driver *driver, const hd_opencl_module *module, const hd_hash128 *key,
                      cl_program *out_program) {
  if (find_cached(driver, key, out_program)) return HD_STATUS_OK;
  HD_TRY(build_words(driver->device, module, out_program));
  put_in_cache(driver, key, *out_program);
  return HD_STATUS_OK;
}

/* First in the list, if it is in it. */
static hd_opencl_program *find_known(hd_opencl_device *device, const hd_hash128 *key) {
  for (hd_opencl_program **at = &device->programs, *program; (program = *at); at = &program->next) {
    if (!hd_hash128_equal(&program->key, key)) continue;
    *at = program->next;
    program->next = device->programs;
    return device->programs = program;
  }
  return NULL;
}

static void unlink_program(hd_opencl_device *device, const hd_opencl_program *program) {
  hd_opencl_program **at = &device->programs;
  while (*at != program) at = &(*at)->next;
  *at = program->next;
}

/* A place for what the caller builds, first in the list; null: no memory. */
static hd_opencl_program *add_program(hd_opencl_device *device, const hd_hash128 *key) {
  hd_opencl_program *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  *made = (hd_opencl_program){.next = device->programs, .key = *key, .users = 1};
  return device->programs = made;
}

/* The lock is held, and is let go while |made| is built. Who waits for it asks again when that fails. */
static hd_status build_program(hd_opencl_driver *driver, const hd_opencl_module *module, hd_opencl_program *made) {
  hd_opencl_device *device = driver->device;
  cl_program program = NULL;
  pthread_mutex_unlock(&device->lock);
  hd_status status = make(driver, module, &made->key, &program);
  pthread_mutex_lock(&device->lock);
  made->program = program;
  if (!hd_is_ok(status)) unlink_program(device, made);
  pthread_cond_broadcast(&device->built);
  if (!hd_is_ok(status)) free(made);
  return status;
}

hd_status hd_opencl_program_take(hd_opencl_driver *driver, const hd_opencl_module *module,
                                 hd_opencl_program **out_program) {
  hd_opencl_device *device = driver->device;
  hd_hash128 key = key_of(&device->info, module);
  hd_status status = HD_STATUS_OK;
  pthread_mutex_lock(&device->lock);
  hd_opencl_program *program = find_known(device, &key);
  while (program && !program->program) {
    pthread_cond_wait(&device->built, &device->lock);
    program = find_known(device, &key); /* the one that was waited for may be gone */
  }
  if (program) {
    if (!program->users++) --device->unused;
  } else if ((program = add_program(device, &key))) {
    status = build_program(driver, module, program);
  } else {
    status = hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  pthread_mutex_unlock(&device->lock);
  *out_program = hd_is_ok(status) ? program : NULL;
  return status;
}

/* Releases the last one in the list that nobody uses. */
static void release_oldest(hd_opencl_device *device) {
  hd_opencl_program **oldest = NULL;
  for (hd_opencl_program **at = &device->programs; *at; at = &(*at)->next)
    if (!(*at)->users) oldest = at;
  if (!oldest) return;
  hd_opencl_program *program = *oldest;
  *oldest = program->next;
  device->cl->clReleaseProgram(program->program);
  free(program);
  --device->unused;
}

void hd_opencl_program_give(hd_opencl_driver *driver, hd_opencl_program *program) {
  hd_opencl_device *device = driver->device;
  pthread_mutex_lock(&device->lock);
  if (!--program->users && ++device->unused > UNUSED_LIMIT) release_oldest(device);
  pthread_mutex_unlock(&device->lock);
}
