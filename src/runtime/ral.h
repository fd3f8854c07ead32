/* SPDX-License-Identifier: Apache-2.0 */
/* The run: what RAL APIs and libraries see of an execution. One hd_ral_context lives as long as one execution, on the
 * thread that executes, and is used by that thread alone; kernels and library bodies on other threads do not touch it.
 */
#ifndef HD_RUNTIME_RAL_H_
#define HD_RUNTIME_RAL_H_

#include "base/status.h"
#include "heddle/runtime.h"
#include "runtime/abi.h"
#include "runtime/threads.h"

/* Looks at cancellation and the deadline; false when the run has failed. Long library calls ask now and then. */
bool hd_ral_go_on(hd_ral_context *ctx);
/* Is the run |ctx| cancelled or late? For any thread; changes nothing. */
bool hd_ral_is_stopped(const void *ctx);

/* Parallel ranges on the run's threads (see hd_pool_for). */
void hd_ral_for(hd_ral_context *ctx, int64_t extent, int64_t grain, hd_range_fn body, void *argument);
int32_t hd_ral_threads(const hd_ral_context *ctx); /* 1 in a serial run */

/* Message |number| of the program that runs; null when it has none. */
const char *hd_ral_message(const hd_ral_context *ctx, int64_t number);
/* hd_ral_fail for a call of the program that has a place in the source: message
 * |place| of the artifact, -1 for none. */
void hd_ral_fail_at(hd_ral_context *ctx, hd_status status, int64_t place);

/* A buffer of the run, as ral_alloc gives them: 64-byte aligned, counted, freed with the run at the latest. |on_host|:
 * from the host allocator, for what a program for a device keeps on the host. *|out_data| is null where the run has
 * failed before, which is no failure of this call. */
hd_status hd_ral_take(hd_ral_context *ctx, size_t bytes, bool on_host, void **out_data) HD_MUST_USE;
void hd_ral_give(hd_ral_context *ctx, void *data);

/* Scratch memory of a library: the same, on the host whatever the device. Null after a failure, which it reports. */
void *hd_ral_take_scratch(hd_ral_context *ctx, size_t bytes);

/* Stores |bytes| of the host at |data|, wherever it is. */
void hd_ral_store(hd_ral_context *ctx, void *data, const void *bytes, size_t size);

/* The kernel at |index| of the artifact's list, null (and a failure) when there is none: microkernels of libraries. */
hd_kernel_fn hd_ral_kernel(hd_ral_context *ctx, int64_t index);
/* CPU features that code of this run may use. */
uint64_t hd_ral_cpu_features(const hd_ral_context *ctx);

/* Memory packed ahead. |data| must be in a bound argument or a constant, else null is returned and the caller packs
 * for itself; or it is null, for what depends on |use| alone. The first call for (|data|, |use|) allocates |bytes| that
 * live as long as the executable and fills them by |pack|; later ones, from any thread, return the same. |use| tells
 * apart the layouts that kernels want of one argument. Null too when memory is short. */
typedef void (*hd_pack_fn)(void *argument, void *packed);
const void *hd_ral_packed(hd_ral_context *ctx, const void *data, uint64_t use, size_t bytes, hd_pack_fn pack,
                          void *argument);

/* What the library call in progress computes, for the timeline: sizes and the like, after the source ops of the kernel
 * of the artifact that it runs on its tiles (-1: none). Nothing when the timeline is off. */
void hd_ral_describe(hd_ral_context *ctx, int64_t kernel, const char *format, ...) HD_PRINTF(3, 4);

/* Where the runtime checks bounds: fails the run, naming |what| |name|, when something was written beside a buffer. */
void hd_ral_check_bounds(hd_ral_context *ctx, const char *what, const char *name);

#endif
