/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/libraries/channels.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/collectives_abi.h"
#include "runtime/communicator.h"
#include "runtime/objects.h"

typedef hd_status (*channel_fn)(hd_ral_context *ctx, const hd_custom_call *call);

static bool go_on(void *user) { return hd_ral_go_on(user); }

/* The rank that this one sends to, or receives from, by the |pairs| pairs of a channel: -1 without any.
 * *out_named tells whether this rank is in them. */
static hd_status peer_of(const hd_communicator *communicator, const hd_channel_descriptor *descriptor, int64_t pairs,
                         bool sends, int32_t *out, bool *out_named) {
  int64_t partitions = descriptor->partitions, others = partitions > 1 ? partitions : communicator->size;
  int64_t own = partitions > 1 ? communicator->rank % partitions : communicator->rank, first = communicator->rank - own;
  const hd_channel_pair *pair = (const hd_channel_pair *)(descriptor + 1);
  *out = -1;
  *out_named = !pairs;
  for (int64_t i = 0; i < pairs; ++i, ++pair) {
    int64_t end = sends ? pair->source : pair->target, other = sends ? pair->target : pair->source;
    if (end != own) continue;
    if (other < 0 || other >= others || first + other >= communicator->size)
      return hd_make_status(HD_INVALID_ARGUMENT, "source_target_pairs: there are %lld processes, and no number %lld",
                            (long long)others, (long long)other);
    *out = (int32_t)(first + other);
    *out_named = true;
  }
  return HD_STATUS_OK;
}

/* Sends or receives |tensors| on the channel that the first input names. Who is nobody's target receives zeros. */
static hd_status pass_on(hd_ral_context *ctx, const hd_custom_call *call, const hd_custom_tensor *tensors,
                         int32_t count, bool sends) {
  hd_communicator *communicator = ctx->options->communicator;
  if (!communicator) return hd_make_status(HD_FAILED_PRECONDITION, "needs another process; " HD_RUNS_ALONE);
  if (call->input_count < 1 || call->inputs[0].type != HD_ELEMENT_I64 || call->inputs[0].rank != 1 ||
      call->inputs[0].dims[0] < HD_WORDS(hd_channel_descriptor))
    return hd_make_status(HD_INTERNAL, "expected a channel");
  const hd_channel_descriptor *descriptor = call->inputs[0].data;
  int64_t pairs = (call->inputs[0].dims[0] - HD_WORDS(hd_channel_descriptor)) / HD_WORDS(hd_channel_pair);
  int32_t peer;
  bool named;
  HD_TRY(peer_of(communicator, descriptor, pairs, sends, &peer, &named));
  hd_exchange_part *parts = calloc((size_t)count + 1, sizeof *parts);
  if (!parts) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  for (int32_t i = 0; i < count; ++i) {
    size_t bytes = hd_element_bytes(tensors[i].type);
    for (int32_t d = 0; d < tensors[i].rank; ++d) bytes *= (size_t)tensors[i].dims[d];
    parts[i] = (hd_exchange_part){tensors[i].data, bytes};
    if (!named && !sends && bytes) memset(tensors[i].data, 0, bytes);
  }
  hd_message message = {descriptor->channel, peer, parts, (uint32_t)count, go_on, ctx};
  hd_status (*move)(hd_communicator *, const hd_message *) =
      sends ? communicator->vtable->send : communicator->vtable->receive;
  hd_status status = named ? move(communicator, &message) : HD_STATUS_OK;
  free(parts);
  return status;
}

static hd_status call_send(hd_ral_context *ctx, const hd_custom_call *call) {
  return pass_on(ctx, call, call->inputs + 1, call->input_count - 1, true);
}

static hd_status call_recv(hd_ral_context *ctx, const hd_custom_call *call) {
  return pass_on(ctx, call, call->outputs, call->output_count, false);
}

static hd_status call_infeed(hd_ral_context *ctx, const hd_custom_call *call) {
  const hd_feeds *feeds = ctx->options->feeds;
  if (!feeds || !feeds->infeed) return hd_make_status(HD_FAILED_PRECONDITION, "there is no infeed to read from");
  return feeds->infeed(feeds->user, call->outputs, call->output_count);
}

static hd_status call_outfeed(hd_ral_context *ctx, const hd_custom_call *call) {
  const hd_feeds *feeds = ctx->options->feeds;
  if (!feeds || !feeds->outfeed) return hd_make_status(HD_FAILED_PRECONDITION, "there is no outfeed to write to");
  return feeds->outfeed(feeds->user, call->inputs, call->input_count);
}

static const struct {
  const char *target;
  channel_fn call;
} functions[] = {{"heddle.send", call_send},
                 {"heddle.recv", call_recv},
                 {"heddle.infeed", call_infeed},
                 {"heddle.outfeed", call_outfeed}};

static channel_fn find(const char *target) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (!strcmp(functions[i].target, target)) return functions[i].call;
  return NULL;
}

bool hd_channel_knows(const char *target) { return find(target) != NULL; }

hd_status hd_channel_call(hd_ral_context *ctx, const char *target, const hd_custom_call *call) {
  return find(target)(ctx, call);
}
