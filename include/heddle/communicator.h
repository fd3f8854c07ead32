/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that run one program side by side and meet in its collectives (all_reduce, all_gather, ...). A process is a
 * rank of a group; an execution is given its rank's communicator (hd_execute_options.communicator). Ranks are counted
 * by replica, then by partition: rank = replica * partitions + partition, where the program says how many partitions it
 * has (mhlo.num_partitions, else 1). Without a communicator an execution is the only process.
 *
 * Each rank must meet the same collectives in the same order. When one fails or leaves, the others' executions end with
 * ABORTED and the group is of no more use. Provided by libheddle_rt.so. Thread-safe, but for one communicator only one
 * execution at a time. */
#ifndef HEDDLE_COMMUNICATOR_H_
#define HEDDLE_COMMUNICATOR_H_

#include <stddef.h>

#include "heddle/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_communicator hd_communicator;

/* A group of |count| ranks in this process, each for a thread of its own: |out_ranks| gets |count| communicators, which
 * the caller releases one by one. */
HD_API hd_status hd_communicator_create_local(int32_t count, hd_communicator **out_ranks) HD_MUST_USE;

/* This process's rank among those that mpirun started. |library| is the file of Open MPI's library; null looks for
 * libmpi.so.40, then libmpi.so. UNAVAILABLE when there is none. MPI is initialised when it is not yet; it is finalised
 * with the communicator when it was initialised here. */
HD_API hd_status hd_communicator_create_mpi(const char *library, hd_communicator **out_communicator) HD_MUST_USE;

/* |group|'s rank with exchanges from device to device: of parts in the memory of |runtime|'s device, by NCCL where it
 * is CUDA's. All ranks of |group| call it, each with a runtime of its own device; |group| still carries how they agree,
 * messages and all else. Where one of them cannot (no NCCL, an old one, another kind of device, two ranks on one
 * device, which NCCL refuses) all get |group| itself, retained, and exchanges go by the host; |why|, of |why_size|
 * bytes, null or 0 for none, gets the reason here, "" where there is none. */
struct hd_runtime;
HD_API hd_status hd_communicator_create_on_device(hd_communicator *group, struct hd_runtime *runtime, char *why,
                                                  size_t why_size, hd_communicator **out_communicator) HD_MUST_USE;

HD_API hd_communicator *hd_communicator_retain(hd_communicator *communicator);
HD_API void hd_communicator_release(hd_communicator *communicator);

HD_API int32_t hd_communicator_rank(const hd_communicator *communicator);
HD_API int32_t hd_communicator_size(const hd_communicator *communicator);

/* Ends the group: ranks that wait or come to wait get ABORTED with |reason|. A failed execution does so itself. */
HD_API void hd_communicator_abort(hd_communicator *communicator, const char *reason);

#ifdef __cplusplus
}
#endif
#endif
