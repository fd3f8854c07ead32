/* SPDX-License-Identifier: Apache-2.0 */
/* PJRT C API (abi.h): the extensions that the plugin has: layouts, shardings, FFI and the profiler. */
#ifndef HD_FRONT_PJRT_ABI_EXTENSIONS_H_
#define HD_FRONT_PJRT_ABI_EXTENSIONS_H_

#include "abi_values.h"

/* ---- extension: layouts ---------------------------------------------------------------------------------------- */

HD_PJRT_ARGS_OF(Layouts_MemoryLayout_Destroy, PJRT_Layouts_MemoryLayout, layout)
HD_PJRT_ARGS(Layouts_MemoryLayout_Serialize, 56, PJRT_Layouts_MemoryLayout *layout;
             const char *serialized_bytes /* out */; size_t serialized_bytes_size /* out */;
             PJRT_Bytes * serialized_layout /* out */; void (*serialized_layout_deleter)(PJRT_Bytes *bytes) /* out */;)
HD_PJRT_ARGS(Layouts_PJRT_Client_GetDefaultLayout, 56, PJRT_Client *client; PJRT_Buffer_Type type; const int64_t *dims;
             size_t num_dims; PJRT_Layouts_MemoryLayout * layout /* out */;)
HD_PJRT_ARGS(Layouts_PJRT_Buffer_MemoryLayout, 32, PJRT_Buffer *buffer; PJRT_Layouts_MemoryLayout * layout /* out */;)
HD_PJRT_ARGS(Layouts_PJRT_Topology_GetDefaultLayout, 56, PJRT_TopologyDescription *topology_description;
             PJRT_Buffer_Type type; const int64_t *dims; size_t num_dims; PJRT_Layouts_MemoryLayout * layout /* out */;)
HD_PJRT_ARGS(Layouts_PJRT_Executable_GetOutputLayouts, 40, PJRT_Executable *executable; size_t num_outputs /* out */;
             PJRT_Layouts_MemoryLayout * *layouts /* out */;)
HD_PJRT_ARGS(Layouts_PJRT_Executable_GetParameterLayouts, 40, PJRT_Executable *executable;
             size_t num_parameters /* out */; PJRT_Layouts_MemoryLayout * *layouts /* out */;)

typedef struct PJRT_Layouts_Extension {
  PJRT_Extension_Base base;
#define METHOD(name) PJRT_Error *(*name)(PJRT_Layouts_##name##_Args * args);
  METHOD(MemoryLayout_Destroy)
  METHOD(MemoryLayout_Serialize)
  METHOD(PJRT_Client_GetDefaultLayout)
  METHOD(PJRT_Buffer_MemoryLayout)
  METHOD(PJRT_Topology_GetDefaultLayout)
  METHOD(PJRT_Executable_GetOutputLayouts)
  METHOD(PJRT_Executable_GetParameterLayouts)
#undef METHOD
} PJRT_Layouts_Extension;

/* ---- extension: shardings -------------------------------------------------------------------------------------- */

/* Serialised shardings, which belong to the executable; null where it has none. */
HD_PJRT_ARGS(Shardings_PJRT_Executable_ParameterShardings, 48, PJRT_Executable *executable;
             size_t num_parameters /* out */; const char *const *shardings /* out */;
             const size_t *sharding_sizes /* out */;)
HD_PJRT_ARGS(Shardings_PJRT_Executable_OutputShardings, 48, PJRT_Executable *executable; size_t num_outputs /* out */;
             const char *const *shardings /* out */; const size_t *sharding_sizes /* out */;)

typedef struct PJRT_Shardings_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*parameters)(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args *args);
  PJRT_Error *(*outputs)(PJRT_Shardings_PJRT_Executable_OutputShardings_Args *args);
} PJRT_Shardings_Extension;

/* ---- extension: FFI -------------------------------------------------------------------------------------------- */

HD_PJRT_ARGS(FFI_TypeID_Register, 40, const char *type_name; size_t type_name_size; int64_t type_id /* in, out */;)
HD_PJRT_ARGS(FFI_UserData_Add, 48, PJRT_ExecuteContext *context; int64_t type_id; void *data;
             void (*deleter)(void *data);)
/* This struct has no extension_start. |api_version| 1: |handler| is a typed handler. */
typedef struct PJRT_FFI_Register_Handler_Args {
  size_t struct_size;
  const char *target_name;
  size_t target_name_size;
  int api_version;
  void *handler;
  const char *platform_name;
  size_t platform_name_size;
  unsigned traits;
} PJRT_FFI_Register_Handler_Args;
HD_PJRT_CHECK(PJRT_FFI_Register_Handler_Args, 60);

typedef struct PJRT_FFI_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*type_id_register)(PJRT_FFI_TypeID_Register_Args *args);
  PJRT_Error *(*user_data_add)(PJRT_FFI_UserData_Add_Args *args);
  PJRT_Error *(*register_handler)(PJRT_FFI_Register_Handler_Args *args);
} PJRT_FFI_Extension;

/* ---- extension: profiler --------------------------------------------------------------------------------------- */

/* A profiler has errors and conventions of its own: its arguments have no extension_start. */
typedef struct PLUGIN_Profiler PLUGIN_Profiler;
typedef struct PLUGIN_Profiler_Error PLUGIN_Profiler_Error;

#define PROFILER_ARGS(name, size, ...)           \
  typedef struct PLUGIN_Profiler_##name##_Args { \
    size_t struct_size;                          \
    __VA_ARGS__                                  \
  } PLUGIN_Profiler_##name##_Args;               \
  HD_PJRT_CHECK(PLUGIN_Profiler_##name##_Args, size);

PROFILER_ARGS(Error_Destroy, 24, void *priv; PLUGIN_Profiler_Error * error;)
PROFILER_ARGS(Error_Message, 40, void *priv; const PLUGIN_Profiler_Error *error; const char *message;
              size_t message_size;)
PROFILER_ARGS(Error_GetCode, 28, void *priv; const PLUGIN_Profiler_Error *error; int code;)
PROFILER_ARGS(Create, 32, const char *options; size_t options_size; PLUGIN_Profiler * profiler;)
PROFILER_ARGS(Destroy, 16, PLUGIN_Profiler *profiler;)
PROFILER_ARGS(Start, 16, PLUGIN_Profiler *profiler;)
PROFILER_ARGS(Stop, 16, PLUGIN_Profiler *profiler;)
/* |buffer| null: the profiler lends its own, until it is destroyed. */
PROFILER_ARGS(CollectData, 32, PLUGIN_Profiler *profiler; uint8_t *buffer; size_t buffer_size_in_bytes;)
#undef PROFILER_ARGS

typedef struct PLUGIN_Profiler_Api {
  size_t struct_size;
  void *priv;
  void (*error_destroy)(PLUGIN_Profiler_Error_Destroy_Args *args);
  void (*error_message)(PLUGIN_Profiler_Error_Message_Args *args);
  PLUGIN_Profiler_Error *(*error_get_code)(PLUGIN_Profiler_Error_GetCode_Args *args);
  PLUGIN_Profiler_Error *(*create)(PLUGIN_Profiler_Create_Args *args);
  PLUGIN_Profiler_Error *(*destroy)(PLUGIN_Profiler_Destroy_Args *args);
  PLUGIN_Profiler_Error *(*start)(PLUGIN_Profiler_Start_Args *args);
  PLUGIN_Profiler_Error *(*stop)(PLUGIN_Profiler_Stop_Args *args);
  PLUGIN_Profiler_Error *(*collect_data)(PLUGIN_Profiler_CollectData_Args *args);
} PLUGIN_Profiler_Api;
_Static_assert(sizeof(PLUGIN_Profiler_Api) == 80, "PLUGIN_Profiler_Api");

typedef struct PJRT_Profiler_Extension {
  PJRT_Extension_Base base;
  PLUGIN_Profiler_Api *profiler_api;
  int64_t traceme_context_id; /* of a call's own extension; 0 here */
} PJRT_Profiler_Extension;

#endif
