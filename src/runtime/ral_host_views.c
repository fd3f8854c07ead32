/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a device, on the host for the length of a library call. */
#include <stdlib.h>
#include <string.h>

#include "runtime/objects.h"
#include "runtime/ral.h"

static hd_host_view *add_view(hd_ral_context *ctx) {
  if (ctx->view_count == ctx->view_room) {
    size_t room = ctx->view_room ? 2 * ctx->view_room : 8;
    hd_host_view *grown = realloc(ctx->views, room * sizeof *grown);
    if (!grown) return NULL;
    ctx->views = grown;
    ctx->view_room = room;
  }
  return &ctx->views[ctx->view_count++];
}

static hd_status read_view(hd_ral_context *ctx, hd_host_view *view) {
  hd_driver *driver = ctx->runtime->driver;
  ++ctx->stats.copies;
  HD_TRY(hd_stream_copy(driver, ctx->stream, view->host, view->device, view->bytes));
  return hd_stream_wait(driver, ctx->stream);
}

static hd_status make_view(hd_ral_context *ctx, void *data, size_t bytes, int access, void **out) {
  hd_host_view *view = NULL;
  for (size_t i = 0; i < ctx->view_count && !view; ++i)
    if (ctx->views[i].device == data && ctx->views[i].bytes >= bytes) view = &ctx->views[i];
  if (!view) {
    void *host;
    HD_TRY(hd_driver_allocate_host(ctx->runtime->driver, bytes, &host));
    if (!(view = add_view(ctx))) {
      hd_driver_release_host(ctx->runtime->driver, host, bytes);
      return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
    }
    *view = (hd_host_view){data, host, bytes, 0};
  }
  *out = view->host;
  bool reads = access & HD_HOST_READ && !view->access;
  view->access |= access;
  return reads ? read_view(ctx, view) : HD_STATUS_OK;
}

void *hd_ral_on_host(hd_ral_context *ctx, void *data, size_t bytes, int access) {
  if (!ctx || ctx->head.failed) return NULL;
  if (!bytes || !hd_driver_owns(ctx->runtime->driver, data)) return data;
  void *host = NULL;
  hd_status status = make_view(ctx, data, bytes, access, &host);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
  return ctx->head.failed ? NULL : host;
}

void hd_ral_end_views(hd_ral_context *ctx) {
  hd_driver *driver = ctx->runtime->driver;
  hd_status status = HD_STATUS_OK;
  for (size_t i = 0; i < ctx->view_count && hd_is_ok(status) && !ctx->head.failed; ++i)
    if (ctx->views[i].access & HD_HOST_WRITE) {
      ++ctx->stats.copies;
      status = hd_stream_copy(driver, ctx->stream, ctx->views[i].device, ctx->views[i].host, ctx->views[i].bytes);
    }
  if (ctx->view_count) status = hd_status_join(status, hd_stream_wait(driver, ctx->stream));
  for (; ctx->view_count; --ctx->view_count) {
    hd_host_view *view = &ctx->views[ctx->view_count - 1];
    hd_driver_release_host(driver, view->host, view->bytes);
  }
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
}

void hd_ral_store(hd_ral_context *ctx, void *data, const void *bytes, size_t size) {
  if (!hd_driver_owns(ctx->runtime->driver, data)) {
    memcpy(data, bytes, size);
    return;
  }
  hd_status status = hd_stream_copy(ctx->runtime->driver, ctx->stream, data, bytes, size);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, status);
}
