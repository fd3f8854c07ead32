/* SPDX-License-Identifier: Apache-2.0 */
/* The layouts extension: every buffer is dense, in some order of its dims. A layout is given out as text, minor to
 * major dims in braces, which is the form that frameworks read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

struct PJRT_Layouts_MemoryLayout {
  bool lent; /* belongs to an executable */
  size_t size;
  char text[];
};

/* |order|: dims from major to minor; null: row major. */
static PJRT_Layouts_MemoryLayout *layout_of(size_t rank, const int64_t *order) {
  PJRT_Layouts_MemoryLayout *layout = malloc(sizeof *layout + 8 + rank * 4);
  if (!layout) return NULL;
  layout->lent = false;
  char *at = layout->text;
  *at++ = '{';
  for (size_t i = rank; i-- > 0;) at += sprintf(at, i ? "%d," : "%d", order ? (int)order[i] : (int)i);
  *at++ = '}';
  *at = 0;
  layout->size = (size_t)(at - layout->text);
  return layout;
}

static hd_status give(size_t rank, const int64_t *order, PJRT_Layouts_MemoryLayout **out) {
  *out = NULL;
  if (rank > 999) return hd_make_status(HD_INVALID_ARGUMENT, "rank %zu", rank);
  *out = layout_of(rank, order);
  return *out ? HD_STATUS_OK : hd_pjrt_out_of_memory();
}

static hd_status layout_destroy(PJRT_Layouts_MemoryLayout_Destroy_Args *args) {
  if (!args->layout->lent) free(args->layout);
  return HD_STATUS_OK;
}

static hd_status layout_serialise(PJRT_Layouts_MemoryLayout_Serialize_Args *args) {
  args->serialized_layout = hd_pjrt_bytes(args->layout->text, args->layout->size);
  if (!args->serialized_layout) return hd_pjrt_out_of_memory();
  args->serialized_bytes = args->serialized_layout->data;
  args->serialized_bytes_size = args->layout->size;
  args->serialized_layout_deleter = hd_pjrt_bytes_free;
  return HD_STATUS_OK;
}

static hd_status client_default(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args) {
  return give(args->num_dims, NULL, &args->layout);
}

static hd_status buffer_layout(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args) {
  const PJRT_Buffer *buffer = args->buffer;
  int64_t order[HD_PJRT_MAX_RANK];
  for (size_t k = 0; k < buffer->rank && k < HD_PJRT_MAX_RANK; ++k) order[k] = hd_pjrt_buffer_dim_at(buffer, k);
  return give(buffer->rank, order, &args->layout);
}

static hd_status topology_default(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args) {
  return give(args->num_dims, NULL, &args->layout);
}

hd_status hd_pjrt_layouts_make(const size_t *ranks, int64_t *const *orders, int32_t count,
                               PJRT_Layouts_MemoryLayout ***out) {
  PJRT_Layouts_MemoryLayout **list = *out = calloc((size_t)count + 1, sizeof *list);
  if (!list) return hd_pjrt_out_of_memory();
  for (int32_t i = 0; i < count; ++i) {
    HD_TRY(give(ranks[i], orders[i], &list[i]));
    list[i]->lent = true;
  }
  return HD_STATUS_OK;
}

void hd_pjrt_layouts_free(PJRT_Layouts_MemoryLayout **list) {
  for (size_t i = 0; list && list[i]; ++i) free(list[i]);
  free(list);
}

static hd_status output_layouts(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args) {
  args->layouts = hd_pjrt_program_of(args->executable)->layouts;
  args->num_outputs = (size_t)hd_pjrt_program_of(args->executable)->output_count;
  return HD_STATUS_OK;
}

static hd_status parameter_layouts(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args *args) {
  args->layouts = hd_pjrt_program_of(args->executable)->input_layouts;
  args->num_parameters = (size_t)hd_pjrt_program_of(args->executable)->input_count;
  return HD_STATUS_OK;
}

#define ENTRY(function, name, object)                                                                       \
  static PJRT_Error *entry_##function(PJRT_Layouts_##name##_Args *args) {                                   \
    hd_status status = args ? hd_pjrt_check_whole(#name, args, PJRT_Layouts_##name##_BYTES) : HD_STATUS_OK; \
    if (!hd_is_ok(status)) return hd_pjrt_error(status);                                                    \
    if (args && args->object) return hd_pjrt_error(function(args));                                         \
    return hd_pjrt_error(hd_make_status(HD_INVALID_ARGUMENT, "%s: " #object " is null", #name));            \
  }
ENTRY(layout_destroy, MemoryLayout_Destroy, layout)
ENTRY(layout_serialise, MemoryLayout_Serialize, layout)
ENTRY(client_default, PJRT_Client_GetDefaultLayout, client)
ENTRY(buffer_layout, PJRT_Buffer_MemoryLayout, buffer)
ENTRY(topology_default, PJRT_Topology_GetDefaultLayout, topology_description)
ENTRY(output_layouts, PJRT_Executable_GetOutputLayouts, executable)
ENTRY(parameter_layouts, PJRT_Executable_GetParameterLayouts, executable)

PJRT_Layouts_Extension hd_pjrt_layouts_extension = {
    .base = {.struct_size = sizeof(PJRT_Layouts_Extension),
             .type = PJRT_Extension_Type_Layouts,
             .next = &hd_pjrt_shardings_extension.base},
    .MemoryLayout_Destroy = entry_layout_destroy,
    .MemoryLayout_Serialize = entry_layout_serialise,
    .PJRT_Client_GetDefaultLayout = entry_client_default,
    .PJRT_Buffer_MemoryLayout = entry_buffer_layout,
    .PJRT_Topology_GetDefaultLayout = entry_topology_default,
    .PJRT_Executable_GetOutputLayouts = entry_output_layouts,
    .PJRT_Executable_GetParameterLayouts = entry_parameter_layouts,
};

/* Where there is one device no program has shardings. Frameworks that cannot ask for that, nor for the layouts of
 * parameters, turn the whole program into another form to find out, which takes longer than to find its code. */
static hd_status check_executable(const char *type, const void *args, size_t size, const PJRT_Executable *executable) {
  if (!args) return hd_make_status(HD_INVALID_ARGUMENT, "%s: no arguments", type);
  HD_TRY(hd_pjrt_check_whole(type, args, size));
  return executable ? HD_STATUS_OK : hd_make_status(HD_INVALID_ARGUMENT, "%s: the executable is null", type);
}

static PJRT_Error *parameter_shardings(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args *args) {
  hd_status status =
      check_executable("Executable_ParameterShardings", args, sizeof *args, args ? args->executable : NULL);
  if (!hd_is_ok(status)) return hd_pjrt_error(status);
  args->shardings = NULL;
  args->sharding_sizes = NULL;
  args->num_parameters = (size_t)hd_pjrt_program_of(args->executable)->input_count;
  return NULL;
}

static PJRT_Error *output_shardings(PJRT_Shardings_PJRT_Executable_OutputShardings_Args *args) {
  hd_status status = check_executable("Executable_OutputShardings", args, sizeof *args, args ? args->executable : NULL);
  if (!hd_is_ok(status)) return hd_pjrt_error(status);
  args->shardings = NULL;
  args->sharding_sizes = NULL;
  args->num_outputs = (size_t)hd_pjrt_program_of(args->executable)->output_count;
  return NULL;
}

PJRT_Shardings_Extension hd_pjrt_shardings_extension = {
    .base = {.struct_size = sizeof(PJRT_Shardings_Extension),
             .type = PJRT_Extension_Type_Shardings,
             .next = &hd_pjrt_ffi_extension.base},
    .parameters = parameter_shardings,
    .outputs = output_shardings,
};

void hd_pjrt_shardings_withdraw(void) { hd_pjrt_layouts_extension.base.next = hd_pjrt_shardings_extension.base.next; }
