/* SPDX-License-Identifier: Apache-2.0 */
/* The binary interface between a framework and this plugin: the PJRT C API as published by OpenXLA, version 0.94
 * (xla/pjrt/c/pjrt_c_api.h), with the layouts, shardings, FFI and profiler extensions. Declared here in our own words;
 * names of types, fields and functions are the interface's. Each struct's size is asserted, so a field that is missing,
 * out of order or of the wrong width does not compile. The parts are in the order of the header that they mirror:
 * abi_values.h, abi_calls.h, the table below, abi_extensions.h.
 *
 * Every function takes one struct, whose |struct_size| says how much of it the caller knows: a caller newer than us has
 * more fields at the end, an older one fewer. Fields marked "out" are written by the function. */
#ifndef HD_FRONT_PJRT_ABI_H_
#define HD_FRONT_PJRT_ABI_H_

#include "abi_calls.h"
#include "abi_extensions.h"

enum { HD_PJRT_MAJOR = 0, HD_PJRT_MINOR = 94 };

/* Bytes that a struct counts: up to the end of its last field, without padding. */
#define HD_PJRT_SIZE_OF(type, last_field) (offsetof(type, last_field) + sizeof(((type *)0)->last_field))

/* What functions that we do not have are given. */
typedef struct PJRT_None_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
} PJRT_None_Args;

typedef struct PJRT_Api {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  struct {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    int major_version, minor_version;
  } pjrt_api_version;
  void (*Error_Destroy)(PJRT_Error_Destroy_Args *args);
  void (*Error_Message)(PJRT_Error_Message_Args *args);
#define SLOT(name, ...) PJRT_Error *(*name)(PJRT_##name##_Args * args);
#define NONE(name, instead) PJRT_Error *(*name)(PJRT_None_Args * args);
#include "slots.def"
} PJRT_Api;
/* Three parts of the table as it grew: the first version with stable slots, and the two ends of what was appended. */
_Static_assert(offsetof(PJRT_Api, Error_GetCode) == 56, "slot of Error_GetCode");
_Static_assert(offsetof(PJRT_Api, Executable_OutputElementTypes) == 40 + 90 * 8,
               "slot of Executable_OutputElementTypes");
_Static_assert(offsetof(PJRT_Api, Device_GetAttributes) == 40 + 128 * 8, "slot of Device_GetAttributes");
_Static_assert(sizeof(PJRT_Api) == 40 + 129 * 8, "size of PJRT_Api");

#endif
