/* SPDX-License-Identifier: Apache-2.0 */
/* Products by a library of the device.
 *
 * ral_product_ready___pvoid_i64_pvoid_i64___i1
 *   (ctx, types, dims, dim_count), the operands of ral_dot_general
 * ral_convolution_ready___pvoid_i64_pvoid_i64___i1
 *   (ctx, types, descriptor, descriptor_words), those of ral_convolution
 *
 * Is there a provider that computes it where it is: a function of the embedder's, a library of the device, or the host
 * where the device's memory is its own? Otherwise a program that has a kernel for it runs that. */
#include "runtime/libraries/gemm_ral.h"
#include "runtime/objects.h"
#include "runtime/ral_api.h"

static bool is_hosts(const hd_ral_context *ctx) { return ctx->runtime->driver->vtable->caps & HD_DRIVER_HOST_MEMORY; }

static bool product_ready(hd_ral_context *ctx, int64_t types, void *dims, int64_t count) {
  hd_driver *driver = ctx->runtime->driver;
  hd_device_product product = {.types = hd_product_types_of(types), .dims = dims, .dim_count = (int32_t)count};
  size_t workspace;
  if (count < 0 || count > HD_GEMM_MAX_DIMS) return false;
  return is_hosts(ctx) || hd_ral_is_registered(driver->vtable->name, "ral_gemm") ||
         hd_ral_is_registered(driver->vtable->name, "ral_dot_general") ||
         hd_device_product_takes(driver, &product, &workspace);
}
HD_RAL_API("ral_product_ready", product_ready, i1, i64, pvoid, i64)

static bool convolution_ready(hd_ral_context *ctx, int64_t types, void *descriptor, int64_t count) {
  hd_driver *driver = ctx->runtime->driver;
  hd_device_convolution convolution = {.types = hd_product_types_of(types), .descriptor = descriptor};
  size_t workspace;
  if (!hd_conv_descriptor_is_complete(descriptor, count)) return false;
  return is_hosts(ctx) || hd_ral_is_registered(driver->vtable->name, "ral_convolution") ||
         hd_device_convolution_takes(driver, &convolution, &workspace);
}
HD_RAL_API("ral_convolution_ready", convolution_ready, i1, i64, pvoid, i64)

/* One of the two is null. */
static bool run(hd_ral_context *ctx, const hd_device_product *product, const hd_device_convolution *convolution,
                size_t workspace) {
  hd_driver *driver = ctx->runtime->driver;
  void *memory = NULL;
  hd_status status = workspace ? hd_ral_take(ctx, workspace, false, &memory) : HD_STATUS_OK;
  if (hd_is_ok(status) && !hd_ral_failed(ctx))
    status = product ? hd_stream_product(driver, ctx->stream, product, memory, workspace)
                     : hd_stream_convolution(driver, ctx->stream, convolution, memory, workspace);
  if (memory) hd_ral_give(ctx, memory); /* it is used again in the order of the stream */
  bool done = hd_is_ok(status);
  hd_status_free(status);
  return done;
}

bool hd_gemm_ral_on_device(hd_ral_context *ctx, const hd_gemm_call *call, bool tf32) {
  hd_driver *driver = ctx->runtime->driver;
  hd_dot_dim dims[HD_GEMM_MAX_DIMS];
  if (!driver->vtable->product_run || call->epilogue || call->library != HD_GEMM_GENERATED) return false;
  if (!hd_driver_owns(driver, call->a) || !hd_driver_owns(driver, call->b) || !hd_driver_owns(driver, call->c))
    return false;
  for (int32_t i = 0; i < call->dim_count; ++i)
    dims[i] = (hd_dot_dim){call->dims[i].role, call->dims[i].size, call->dims[i].a, call->dims[i].b, call->dims[i].c};
  hd_device_product product = {.types = {call->a_type, call->b_type, call->c_type, HD_GEMM_GENERATED, tf32},
                               .dims = dims,
                               .dim_count = call->dim_count,
                               .lhs = call->a,
                               .rhs = call->b,
                               .out = call->c};
  size_t workspace;
  return hd_device_product_takes(driver, &product, &workspace) && run(ctx, &product, NULL, workspace);
}

bool hd_conv_ral_on_device(hd_ral_context *ctx, const hd_device_convolution *c) {
  hd_driver *driver = ctx->runtime->driver;
  size_t workspace;
  return hd_driver_owns(driver, c->input) && hd_driver_owns(driver, c->kernel) && hd_driver_owns(driver, c->out) &&
         hd_device_convolution_takes(driver, c, &workspace) && run(ctx, NULL, c, workspace);
}

HD_RAL_TABLE(device_products, product_ready, convolution_ready)
