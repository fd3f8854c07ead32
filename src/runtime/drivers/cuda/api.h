/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver uses of CUDA's driver API (its public ABI, 11.7 and later): handles, numbers and functions. Addresses
 * of a device are those that the host has for them. */
#ifndef HD_RUNTIME_DRIVERS_CUDA_API_H_
#define HD_RUNTIME_DRIVERS_CUDA_API_H_

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct hd_cu_context *cu_context;
typedef struct hd_cu_module *cu_module;
typedef struct hd_cu_function *cu_function;
typedef struct hd_cu_stream *cu_stream;
typedef struct hd_cu_event *cu_event;
typedef uint64_t cu_address;
typedef struct hd_cu_graph *cu_graph;
typedef struct hd_cu_graph_node *cu_graph_node;
typedef struct hd_cu_graph_runs *cu_graph_runs;
typedef struct cu_graph_kernel { /* CUDA_KERNEL_NODE_PARAMS_v2 */
  cu_function function;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
  void *kernel, *context;
} cu_graph_kernel;

enum {
  CU_OUT_OF_MEMORY = 2,
  CU_NO_DEVICE = 100,
  CU_NO_JIT = 221,
  CU_PTX_TOO_NEW = 222,
  CU_JIT_DISABLED = 223,
  CU_NOT_READY = 600,
  /* of cuDeviceGetAttribute */
  CU_BLOCK_LIMIT = 1,
  CU_GRID_LIMIT_X = 5, /* and y, z */
  CU_WARP = 10,
  CU_UNIFIED_ADDRESSES = 41,
  CU_MAJOR = 75,
  CU_MINOR = 76,
  CU_SHARED_LIMIT = 97, /* of a block that asks for it */
  CU_MEMORY_POOLS = 115,
  /* of cuModuleLoadDataEx */
  CU_JIT_ERRORS = 5,
  CU_JIT_ERRORS_SIZE = 6,
  /* of cuFuncSetAttribute */
  CU_FUNCTION_DYNAMIC_SHARED = 8,
  CU_STREAM_APART = 1, /* from the default stream */
  CU_EVENT_NO_TIMES = 2,
  CU_HOST_EVERY_CONTEXT = 1,
};

typedef struct hd_cuda_api {
#define CU(name, symbol, parameters) int(*name) parameters;
#include "runtime/drivers/cuda/api.def"
} hd_cuda_api;

/* The functions of libcuda.so.1, opened once for the process and never closed, and initialised. UNAVAILABLE with the
 * loader's message, or what the driver says. Thread-safe. */
hd_status hd_cuda_open(const hd_cuda_api **out_api) HD_MUST_USE;
/* OK for code 0; else |what| failed, as the code that says why. */
hd_status hd_cuda_status(const hd_cuda_api *cu, int code, const char *what) HD_MUST_USE;

#endif
