/* SPDX-License-Identifier: Apache-2.0 */
/* Custom calls: functions of the embedder that programs name, and LAPACK's where the embedder has none of that name.
 *
 * ral_custom_call___pvoid_pvoid_pvoid_i64___void (ctx, stream, words, word_count)
 *   words as custom_call_abi.h has them */
#include <stdlib.h>
#include <string.h>

#include "base/fork.h"
#include "runtime/custom_call_abi.h"
#include "runtime/libraries/channels.h"
#include "runtime/libraries/gemm_ral.h"
#include "runtime/libraries/lapack.h"
#include "runtime/objects.h"
#include "runtime/ral_api.h"

typedef struct target {
  struct target *next;
  hd_custom_call_fn fn;
  void *user;
  char name[];
} target;

static hd_fork_mutex lock = HD_FORK_MUTEX_INIT;
static target *targets;

hd_status hd_custom_call_register(const char *name, hd_custom_call_fn fn, void *user) {
  HD_REQUIRE(name);
  size_t size = strlen(name) + 1;
  target *added = malloc(sizeof *added + size);
  if (!added) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  *added = (target){NULL, fn, user};
  memcpy(added->name, name, size);
  hd_fork_mutex_lock(&lock);
  target **at = &targets;
  while (*at && strcmp((*at)->name, name)) at = &(*at)->next;
  if (*at) {
    (*at)->fn = fn;
    (*at)->user = user;
  } else {
    *at = added;
    added = NULL;
  }
  hd_fork_mutex_unlock(&lock);
  free(added);
  return HD_STATUS_OK;
}

static hd_custom_call_fn find(const char *name, void **out_user) {
  hd_custom_call_fn fn = NULL;
  hd_fork_mutex_lock(&lock);
  for (target *t = targets; t; t = t->next)
    if (!strcmp(t->name, name)) {
      fn = t->fn;
      *out_user = t->user;
    }
  hd_fork_mutex_unlock(&lock);
  return fn;
}

bool hd_custom_call_registered(const char *name) {
  void *user;
  return name && (find(name, &user) || hd_lapack_knows(name, strlen(name)));
}

enum { MAX_TENSORS = 256, MAX_NAME = 1024 };

/* Fills |tensors| from the words; false when they do not fit |count|. */
static bool read_tensors(const int64_t *words, int64_t at, int64_t count, hd_custom_tensor *tensors,
                         int64_t tensor_count) {
  const int64_t head = HD_WORDS(hd_custom_call_tensor);
  for (int64_t i = 0; i < tensor_count; ++i) {
    const hd_custom_call_tensor *t = (const hd_custom_call_tensor *)(words + at);
    if (at + head > count || t->rank < 0 || t->rank > HD_MAX_RANK || at + head + t->rank > count) return false;
    tensors[i] = (hd_custom_tensor){.data = (void *)(uintptr_t)t->address,
                                    .type = (hd_element_type)t->type,
                                    .rank = (int32_t)t->rank,
                                    .dims = (const int64_t *)(t + 1)};
    at += head + t->rank;
  }
  return at == count;
}

static size_t bytes_of(const hd_custom_tensor *tensor) {
  size_t bytes = hd_element_bytes(tensor->type);
  for (int32_t i = 0; i < tensor->rank; ++i) bytes *= (size_t)tensor->dims[i];
  return bytes;
}

static void custom_call(hd_ral_context *ctx, void *stream, void *memory, int64_t count) {
  (void)stream;
  const hd_custom_call_descriptor *f = memory;
  hd_custom_tensor tensors[MAX_TENSORS];
  char name[MAX_NAME + 8];
  const int64_t head = HD_WORDS(hd_custom_call_descriptor);
  if (count < head || f->inputs < 0 || f->outputs < 0 || f->inputs + f->outputs > MAX_TENSORS || f->name_bytes < 0 ||
      f->name_bytes > MAX_NAME || f->attribute_bytes < 0 || f->attribute_bytes > 8 * count) {
    hd_ral_fail(ctx, hd_make_status(HD_INTERNAL, "custom_call: words that say nothing"));
    return;
  }
  int64_t name_words = (f->name_bytes + 7) / 8, attribute_words = (f->attribute_bytes + 7) / 8;
  const int64_t *name_at = (const int64_t *)(f + 1);
  if (!read_tensors(memory, head + name_words + attribute_words, count, tensors, f->inputs + f->outputs)) {
    hd_ral_fail(ctx, hd_make_status(HD_INTERNAL, "custom_call: %lld words, expected others", (long long)count));
    return;
  }
  memcpy(name, name_at, (size_t)f->name_bytes);
  name[f->name_bytes] = 0;
  if (!hd_ral_go_on(ctx)) return;
  void *user = NULL;
  hd_custom_call_fn fn = find(name, &user);
  bool channel = hd_channel_knows(name), own = !channel && !fn && hd_lapack_knows(name, (size_t)f->name_bytes);
  if (!fn && !own && !channel) {
    hd_ral_fail(ctx, hd_make_status(HD_NOT_FOUND, "custom call '%s': no function of this name is registered", name));
    return;
  }
  for (int64_t i = 0; i < f->inputs + f->outputs; ++i)
    tensors[i].data =
        hd_ral_on_host(ctx, tensors[i].data, bytes_of(&tensors[i]), i < f->inputs ? HD_HOST_READ : HD_HOST_WRITE);
  if (hd_ral_failed(ctx)) return;
  hd_custom_call call = {.inputs = tensors,
                         .outputs = tensors + f->inputs,
                         .input_count = (int32_t)f->inputs,
                         .output_count = (int32_t)f->outputs,
                         .attributes = (const uint8_t *)(name_at + name_words),
                         .attribute_bytes = (size_t)f->attribute_bytes,
                         .runtime = ctx->runtime};
  hd_gemm_env env = hd_gemm_ral_env(ctx);
  hd_gemm_context *gemm = own ? hd_gemm_ral_context(ctx) : NULL;
  if (own && !gemm) return;
  hd_status status = channel ? hd_channel_call(ctx, name, &call)
                     : own   ? hd_lapack_call(name, &call, gemm, &env)
                             : fn(user, &call);
  if (!hd_is_ok(status)) hd_ral_fail(ctx, hd_status_annotate(status, "custom call '%s'", name));
}
HD_RAL_LIBRARY("ral_custom_call", custom_call, void, pvoid, pvoid, i64)

HD_RAL_TABLE(custom_call, custom_call)
