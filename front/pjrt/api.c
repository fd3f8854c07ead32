/* SPDX-License-Identifier: Apache-2.0 */
/* The table that a framework asks for, and the functions that are about nothing else. */
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

/* ---- errors ---------------------------------------------------------------------------------------------------- */

hd_status hd_pjrt_status_copy(hd_status status) {
  if (hd_is_ok(status)) return HD_STATUS_OK;
  return hd_make_status(hd_status_code_of(status), "%s", hd_status_message(status));
}

hd_status hd_pjrt_given_error(PJRT_Error_Code code, const char *message, size_t size, hd_status *out) {
  if (code <= HD_OK || code > HD_UNAUTHENTICATED)
    return hd_make_status(HD_INVALID_ARGUMENT, "error code %d, expected 1 to %d", code, (int)HD_UNAUTHENTICATED);
  if (!message) size = 0;
  *out = hd_make_status((hd_status_code)code, "%.*s", size > 4096 ? 4096 : (int)size, message ? message : "");
  return HD_STATUS_OK;
}

static void error_destroy(PJRT_Error_Destroy_Args *args) {
  if (args && args->struct_size >= PJRT_Error_Destroy_BYTES) hd_status_free(hd_pjrt_status(args->error));
}

static void error_message(PJRT_Error_Message_Args *args) {
  if (!args || args->struct_size < PJRT_Error_Message_BYTES) return;
  args->message = hd_status_message(hd_pjrt_status(args->error));
  args->message_size = strlen(args->message);
}

hd_status hd_pjrt_Error_GetCode(PJRT_Error_GetCode_Args *args) {
  args->code = hd_status_code_of(hd_pjrt_status(args->error));
  return HD_STATUS_OK;
}

/* ---- bytes ----------------------------------------------------------------------------------------------------- */

PJRT_Bytes *hd_pjrt_bytes(const void *data, size_t size) {
  PJRT_Bytes *bytes = malloc(sizeof *bytes + size + 1);
  if (!bytes) return NULL;
  bytes->size = size;
  bytes->data[size] = 0;
  if (data) memcpy(bytes->data, data, size);
  return bytes;
}

void hd_pjrt_bytes_free(PJRT_Bytes *bytes) { free(bytes); }

/* ---- the plugin ------------------------------------------------------------------------------------------------ */

hd_status hd_pjrt_Plugin_Initialize(PJRT_Plugin_Initialize_Args *args) {
  (void)args;
  return HD_STATUS_OK;
}

/* Programs arrive as portable artifacts of at most this version, whatever the framework's own is. */
static const int64_t stablehlo_current[3] = {1, 17, 0}, stablehlo_minimum[3] = {0, 9, 0};

#define NAMED_LIST(text, list)                                  \
  {.struct_size = HD_PJRT_SIZE_OF(PJRT_NamedValue, value_size), \
   .name = text,                                                \
   .name_size = sizeof text - 1,                                \
   .type = PJRT_NamedValue_kInt64List,                          \
   .int64_array_value = list,                                   \
   .value_size = 3}
static const PJRT_NamedValue plugin_attributes[] = {
    NAMED_LIST("stablehlo_current_version", stablehlo_current),
    NAMED_LIST("stablehlo_minimum_version", stablehlo_minimum),
};

hd_status hd_pjrt_Plugin_Attributes(PJRT_Plugin_Attributes_Args *args) {
  args->attributes = plugin_attributes;
  args->num_attributes = sizeof plugin_attributes / sizeof *plugin_attributes;
  return HD_STATUS_OK;
}

/* ---- structs --------------------------------------------------------------------------------------------------- */

hd_status hd_pjrt_known_size(const hd_pjrt_struct *about, const void *given, size_t *out_size) {
  size_t size;
  memcpy(&size, given, sizeof size);
  *out_size = size < about->size ? size : about->size;
  if (size >= about->size) return HD_STATUS_OK;
  if (size < about->least)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: struct_size is %zu, expected at least %zu", about->type, size,
                          about->least);
  if (size % sizeof(void *) && size != about->narrow)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: struct_size %zu ends inside a field, expected %zu", about->type,
                          size, about->size);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_check_whole(const char *type, const void *given, size_t size) {
  size_t known;
  return hd_pjrt_known_size(&(hd_pjrt_struct){type, size, size, 0}, given, &known);
}

/* ---- the table ------------------------------------------------------------------------------------------------- */

/* A field of arguments that must not be null. */
typedef struct needed {
  size_t offset;
  const char *name;
} needed;

static hd_status check_needed(const char *function, const void *args, const needed *fields, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    void *value;
    memcpy(&value, (const char *)args + fields[i].offset, sizeof value);
    if (!value) return hd_make_status(HD_INVALID_ARGUMENT, "PJRT_%s: %s is null", function, fields[i].name);
  }
  return HD_STATUS_OK;
}

static PJRT_Error *no_arguments(const char *function) {
  return hd_pjrt_error(hd_make_status(HD_INVALID_ARGUMENT, "PJRT_%s: no arguments", function));
}

#define FIELD(slot, field) {offsetof(PJRT_##slot##_Args, field), #field},
#define FIELDS_0(slot)
#define FIELDS_1(slot, a) FIELD(slot, a)
#define FIELDS_2(slot, a, b) FIELD(slot, a) FIELD(slot, b)
#define FIELDS_OF(_0, _1, _2, chosen, ...) chosen
#define FIELDS(...) FIELDS_OF(__VA_ARGS__, FIELDS_2, FIELDS_1, FIELDS_0, )(__VA_ARGS__)

/* A caller that knows fewer fields than we do gets a full struct for the time of the call. */
#define CHECKED(name, least, narrow, ...)                                                     \
  static hd_status checked_##name(PJRT_##name##_Args *args) {                                 \
    static const needed fields[] = {FIELDS(name, ##__VA_ARGS__){0, NULL}};                    \
    HD_TRY(check_needed(#name, args, fields, sizeof fields / sizeof *fields - 1));            \
    return hd_pjrt_##name(args);                                                              \
  }                                                                                           \
  static PJRT_Error *slot_##name(PJRT_##name##_Args *args) {                                  \
    if (!args) return no_arguments(#name);                                                    \
    if (args->struct_size >= PJRT_##name##_BYTES) return hd_pjrt_error(checked_##name(args)); \
    PJRT_##name##_Args full;                                                                  \
    size_t known;                                                                             \
    static const hd_pjrt_struct about = {"PJRT_" #name, PJRT_##name##_BYTES, least, narrow};  \
    hd_status status = hd_pjrt_known_size(&about, args, &known);                              \
    if (!hd_is_ok(status)) return hd_pjrt_error(status);                                      \
    memset(&full, 0, sizeof full);                                                            \
    memcpy(&full, args, known);                                                               \
    PJRT_Error *error = hd_pjrt_error(checked_##name(&full));                                 \
    memcpy(args, &full, known);                                                               \
    return error;                                                                             \
  }
#define SLOT(name, ...) CHECKED(name, 0, 0, ##__VA_ARGS__)
#define MAKES(name, made, ...) CHECKED(name, ENDS(name, made), 0, ##__VA_ARGS__)
#define ENDED(name, last, ...) CHECKED(name, 0, ENDS(name, last), ##__VA_ARGS__)
#define ENDS(name, field) HD_PJRT_SIZE_OF(PJRT_##name##_Args, field)
#define NONE(name, instead)                                                                                      \
  static PJRT_Error *slot_##name(PJRT_None_Args *args) {                                                         \
    (void)args;                                                                                                  \
    return hd_pjrt_error(hd_make_status(HD_UNIMPLEMENTED, "the heddle plugin has no PJRT_" #name ": " instead)); \
  }
#include "slots.def"

static PJRT_Api api = {
    .struct_size = sizeof(PJRT_Api),
    .extension_start = &hd_pjrt_layouts_extension.base,
    .pjrt_api_version = {.struct_size = 24, .major_version = HD_PJRT_MAJOR, .minor_version = HD_PJRT_MINOR},
    .Error_Destroy = error_destroy,
    .Error_Message = error_message,
#define SLOT(name, ...) .name = slot_##name,
#define NONE(name, instead) .name = slot_##name,
#include "slots.def"
};

HD_API const PJRT_Api *GetPjrtApi(void);
const PJRT_Api *GetPjrtApi(void) { return &api; }
