/* SPDX-License-Identifier: Apache-2.0 */
/* What the devices say of themselves, for people. */
#include <stdarg.h>
#include <stdio.h>

#include "runtime/drivers/opencl/opencl.h"

typedef struct lines {
  char *out;
  size_t size, used;
} lines;

HD_PRINTF(2, 3) static void add(lines *l, const char *format, ...) {
  va_list args;
  if (l->used >= l->size) return;
  va_start(args, format);
  int length = vsnprintf(l->out + l->used, l->size - l->used, format, args);
  va_end(args);
  if (length > 0) l->used += (size_t)length;
}

/* Denormals of f32: what the device does unasked, and whether kernels can ask for more. */
static const char *denormals(const hd_cl_device_info *device) {
  if (device->single_config & CL_FP_DENORM) return "kept";
  return device->preserves_denormals ? "kept when asked" : "flushed";
}

static void add_device(void *user, const hd_cl_device_info *device, const char *refusal) {
  lines *l = user;
  add(l, "%s%s, %s, driver %s: ", l->used ? "\n" : "", device->name, device->platform_name, device->driver_version);
  if (refusal) {
    add(l, "not used: %s", refusal);
    return;
  }
  add(l, "%s, %.1f GiB, blocks of %zu, %llu KiB of local memory",
      device->unified.allocate ? "unified memory" : "shared virtual memory", (double)device->global_bytes / 0x1p30,
      device->block_limit, (unsigned long long)device->local_bytes >> 10);
  add(l, "%s%s%s%s", device->double_config ? ", f64" : "", device->halves ? ", f16" : "",
      device->subgroups_of_32 && device->exchanges ? ", subgroups of 32" : "",
      device->atomics_64 ? ", atomics of 64 bits" : "");
  add(l, "; f32: denormals %s, division %s", denormals(device),
      device->single_config & CL_FP_ROUNDED_DIVIDE_SQRT ? "rounded correctly" : "within 2.5 ulp");
}

void hd_opencl_describe(hd_driver *driver, char *out, size_t size) {
  lines l = {out, size, 0};
  uint32_t platforms;
  *out = 0;
  hd_status_free(hd_opencl_each_device(hd_opencl_of(driver)->cl, add_device, &l, &platforms));
}
