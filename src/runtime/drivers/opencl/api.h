/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver uses of OpenCL (the Khronos specification, 2.1 and later):
 * types, numbers and the loader's functions. */
#ifndef HD_RUNTIME_DRIVERS_OPENCL_API_H_
#define HD_RUNTIME_DRIVERS_OPENCL_API_H_

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef struct hd_cl_platform *cl_platform_id;
typedef struct hd_cl_device *cl_device_id;
typedef struct hd_cl_context *cl_context;
typedef struct hd_cl_queue *cl_queue;
typedef struct hd_cl_program *cl_program;
typedef struct hd_cl_kernel *cl_kernel;
typedef struct hd_cl_event *cl_event;

enum {
  CL_DEVICE_NOT_FOUND = -1,
  CL_PLATFORM_NOT_FOUND_KHR = -1001,
  CL_PLATFORM_NAME = 0x0902,
  CL_DEVICE_TYPE = 0x1000,
  CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
  CL_DEVICE_SINGLE_FP_CONFIG = 0x101B,
  CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
  CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
  CL_DEVICE_NAME = 0x102B,
  CL_DRIVER_VERSION = 0x102D,
  CL_DEVICE_EXTENSIONS = 0x1030,
  CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
  CL_DEVICE_SVM_CAPABILITIES = 0x1053,
  CL_DEVICE_IL_VERSION = 0x105B,
  CL_DEVICE_SPIRV_CAPABILITIES_KHR = 0x12BB,
  CL_DEVICE_SUB_GROUP_SIZES_INTEL = 0x4108,
  CL_PROGRAM_BINARY_SIZES = 0x1165,
  CL_PROGRAM_BINARIES = 0x1166,
  CL_PROGRAM_BUILD_LOG = 0x1183,
  CL_QUEUE_PROPERTIES = 0x1093,
  CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3,
  CL_PROFILING_COMMAND_START = 0x1282,
  CL_PROFILING_COMMAND_END = 0x1283,
};
/* Bits */
enum {
  CL_DEVICE_TYPE_GPU = 4,
  CL_QUEUE_PROFILING_ENABLE = 2,
  CL_SVM_COARSE = 1,
  CL_FP_DENORM = 1,
  CL_FP_ROUNDED_DIVIDE_SQRT = 128,
};
static const cl_ulong CL_DEVICE_TYPE_ALL = 0xFFFFFFFF;

typedef struct hd_cl_api {
#define CL(result, name, parameters) result(*name) parameters;
#include "runtime/drivers/opencl/api.def"
} hd_cl_api;

/* The loader's functions, opened once for the process and never closed. UNAVAILABLE
 * with the loader's message. Thread-safe. */
hd_status hd_cl_open(const hd_cl_api **out_api) HD_MUST_USE;
/* OK for code 0; else |what| failed, as the code that says why. */
hd_status hd_cl_status(cl_int code, const char *what) HD_MUST_USE;

#endif
