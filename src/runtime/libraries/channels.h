/* SPDX-License-Identifier: Apache-2.0 */
/* The custom calls that hlo-expand makes of what meets other processes one by one, or a host:
 *
 *   heddle.send(channel, values...)      heddle.outfeed(values...)
 *   heddle.recv(channel) -> values...    heddle.infeed() -> values...
 *
 * Messages go by the run's communicator, feeds by hd_execute_options.feeds. |channel| is a tensor<Nxi64>: the words
 * of hd_channel_descriptor and of each hd_channel_pair (runtime/collectives_abi.h). Without pairs a message goes
 * from whoever sends to whoever receives. */
#ifndef HD_RUNTIME_LIBRARIES_CHANNELS_H_
#define HD_RUNTIME_LIBRARIES_CHANNELS_H_

#include <stdbool.h>

#include "heddle/runtime.h"
#include "runtime/ral.h"

bool hd_channel_knows(const char *target);

/* Calls |target|, which must be one of these. */
hd_status hd_channel_call(hd_ral_context *ctx, const char *target, const hd_custom_call *call) HD_MUST_USE;

#endif
