// SPDX-License-Identifier: Apache-2.0
// An OpenCL loader with one device that lacks what ODD_OPENCL says: "il", "memory", "f64", "local memory" (or "more"
// of it), "unified functions"; it never has subgroups. It runs nothing: what it is given to build goes to the file
// ODD_OPENCL_IL.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  NAME = 0x102B,
  IL = 0x105B,
  EXTENSIONS = 0x1030,
  SVM = 0x1053,
  DOUBLES = 0x1032,
  BLOCK = 0x1004,
  LOCAL = 0x1023,
  GLOBAL = 0x101F
};
static char thing;

static int lacks(const char *what) { return getenv("ODD_OPENCL") && !strcmp(getenv("ODD_OPENCL"), what); }

static int give(const void *data, size_t size, size_t room, void *out, size_t *out_size) {
  if (out_size) *out_size = size;
  if (out && room) memcpy(out, data, size < room ? size : room);
  return 0;
}

static int give_number(uint64_t number, size_t room, void *out, size_t *out_size) {
  return give(&number, 8, room, out, out_size);
}
static int give_text(const char *text, size_t room, void *out, size_t *out_size) {
  return give(text, strlen(text) + 1, room, out, out_size);
}

int clGetPlatformIDs(unsigned room, void **out, unsigned *count) {
  if (out && room) *out = &thing;
  if (count) *count = 1;
  return 0;
}
int clGetPlatformInfo(void *p, unsigned what, size_t room, void *out, size_t *size) {
  return give_text("Odd Platform", room, out, size);
}
int clGetDeviceIDs(void *p, uint64_t type, unsigned room, void **out, unsigned *count) {
  return clGetPlatformIDs(room, out, count);
}
int clGetDeviceInfo(void *d, unsigned what, size_t room, void *out, size_t *size) {
  switch (what) {
    case NAME:
      return give_text("Odd Device", room, out, size);
    case IL:
      return give_text(lacks("il") ? "" : "SPIR-V_1.2", room, out, size);
    case EXTENSIONS:
      return give_text(lacks("unified functions") ? "cl_intel_unified_shared_memory" : "cl_khr_int64_base_atomics",
                       room, out, size);
    case SVM:
      return give_number(!lacks("memory"), room, out, size);
    case DOUBLES:
      return give_number(lacks("f64") ? 0 : 63, room, out, size);
    case BLOCK:
      return give_number(1024, room, out, size);
    case LOCAL:
      return give_number(lacks("more local memory") ? 32768 : lacks("local memory") ? 1024 : 65536, room, out, size);
    case GLOBAL:
      return give_number(1 << 30, room, out, size);
    default:
      return -30;
  }
}
void *clCreateContext(void *a, unsigned b, void *c, void *d, void *e, int *code) { return *code = 0, &thing; }
void *clCreateCommandQueueWithProperties(void *a, void *b, void *c, int *code) { return *code = 0, &thing; }
void *clSVMAlloc(void *a, uint64_t flags, size_t size, unsigned alignment) {
  return aligned_alloc(64, (size + 63) / 64 * 64);
}
void clSVMFree(void *a, void *data) { free(data); }
void *clGetExtensionFunctionAddressForPlatform(void *p, const char *name) { return NULL; }
#define GIVES(name, code) \
  int name(void) { return code; }
#define NOTHING 0
#define INVALID_OPERATION -59
GIVES(clReleaseContext, NOTHING);
GIVES(clReleaseCommandQueue, NOTHING);
GIVES(clFlush, NOTHING);
GIVES(clFinish, NOTHING);
GIVES(clReleaseProgram, NOTHING);
GIVES(clReleaseKernel, NOTHING);
GIVES(clReleaseEvent, NOTHING);
int clEnqueueSVMMemcpy(void *q, unsigned waits, void *to, const void *from, size_t size, unsigned n, void *list,
                       void **event) {
  if (event) *event = &thing;
  return memcpy(to, from, size), 0;
}
GIVES(clEnqueueSVMMemFill, INVALID_OPERATION);
void *clCreateProgramWithIL(void *context, const void *il, size_t size, int *code) {
  FILE *file = getenv("ODD_OPENCL_IL") ? fopen(getenv("ODD_OPENCL_IL"), "wb") : NULL;
  if (file) fwrite(il, 1, size, file), fclose(file);
  return *code = INVALID_OPERATION, NULL;
}
GIVES(clCreateProgramWithBinary, INVALID_OPERATION);
GIVES(clBuildProgram, INVALID_OPERATION);
GIVES(clGetProgramBuildInfo, INVALID_OPERATION);
GIVES(clGetProgramInfo, INVALID_OPERATION);
GIVES(clCreateKernel, INVALID_OPERATION);
GIVES(clSetKernelArg, INVALID_OPERATION);
GIVES(clSetKernelArgSVMPointer, INVALID_OPERATION);
GIVES(clEnqueueNDRangeKernel, INVALID_OPERATION);
GIVES(clEnqueueMarkerWithWaitList, INVALID_OPERATION);
GIVES(clEnqueueBarrierWithWaitList, INVALID_OPERATION);
GIVES(clWaitForEvents, INVALID_OPERATION);
GIVES(clGetEventInfo, INVALID_OPERATION);
GIVES(clGetEventProfilingInfo, INVALID_OPERATION);
