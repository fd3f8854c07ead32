/* SPDX-License-Identifier: Apache-2.0 */
/* Every function of the PJRT C API with arguments that no framework should give: nothing may end the process, and what
 * is wrong must be said. Objects that are gone, and memory that is not there, cannot be recognised and are not
 * tried. Buffers and programs have tests of their own. */
#include "testing.h"

/* ---- nothing at all -------------------------------------------------------------------------------------------- */

/* What a function that needs no object has made; 0: |name| makes none, and so may be called with arguments of no size.
 */
static size_t made_at(const char *name) {
  static const struct {
    const char *name;
    size_t offset;
  } makers[] = {{"Client_Create", offsetof(PJRT_Client_Create_Args, client)},
                {"TopologyDescription_Create", offsetof(PJRT_TopologyDescription_Create_Args, topology)},
                {"ExecuteContext_Create", offsetof(PJRT_ExecuteContext_Create_Args, context)},
                {"Event_Create", offsetof(PJRT_Event_Create_Args, event)}};
  for (size_t i = 0; i < sizeof makers / sizeof *makers; ++i)
    if (!strcmp(makers[i].name, name)) return makers[i].offset;
  return 0;
}

/* Destroys what |args| of |name| hold. */
static void destroy_made(const char *name, const void *args) {
  if (!made_at(name)) return;
  void *object;
  memcpy(&object, (const char *)args + made_at(name), sizeof object);
  HD_CHECK(object != NULL);
  if (!strcmp(name, "Client_Create")) {
    CALL(Client_Destroy, .client = object);
  } else if (!strcmp(name, "TopologyDescription_Create")) {
    CALL(TopologyDescription_Destroy, .topology = object);
  } else if (!strcmp(name, "ExecuteContext_Create")) {
    CALL(ExecuteContext_Destroy, .context = object);
  } else {
    CALL(Event_Destroy, .event = object);
  }
}

/* Null arguments, arguments of no size, and full ones with nothing in them; null is an error wherever an object is
 * needed. */
static void test_nothing(void) {
  size_t slots = 0;
#define SLOT(name, ...)                                                                                         \
  {                                                                                                             \
    PJRT_##name##_Args args = {.struct_size = made_at(#name) ? sizeof args : 0};                                \
    HD_CHECK(api->name != NULL);                                                                                \
    HD_CHECK(error_code(api->name(NULL)) == HD_INVALID_ARGUMENT);                                               \
    int empty = error_code(api->name(&args));                                                                   \
    destroy_made(#name, &args);                                                                                 \
    memset(&args, 0, sizeof args);                                                                              \
    args.struct_size = sizeof args;                                                                             \
    int full = error_code(api->name(&args));                                                                    \
    destroy_made(#name, &args);                                                                                 \
    bool needs = sizeof(#__VA_ARGS__) > 1;                                                                      \
    if (needs && (empty != HD_INVALID_ARGUMENT || full != HD_INVALID_ARGUMENT))                                 \
      hd_test_check_(false, __FILE__, __LINE__, "PJRT_%s of null objects gives %d and %d", #name, empty, full); \
    ++slots;                                                                                                    \
  }
#define NONE(name, instead)                                     \
  {                                                             \
    PJRT_None_Args args = {.struct_size = sizeof args};         \
    HD_CHECK(api->name != NULL);                                \
    HD_CHECK(error_code(api->name(NULL)) == HD_UNIMPLEMENTED);  \
    HD_CHECK(error_code(api->name(&args)) == HD_UNIMPLEMENTED); \
    HD_CHECK(strlen(instead) > 8);                              \
    ++slots;                                                    \
  }
#include "slots.def"
  HD_CHECK(slots + 2 == 129); /* with Error_Destroy and Error_Message: all of version 0.94 */
  api->Error_Destroy(NULL);
  api->Error_Message(NULL);
  PJRT_Error_Message_Args none = {.struct_size = PJRT_Error_Message_BYTES};
  api->Error_Message(&none);
  HD_CHECK(none.message && !none.message_size);
  for (const PJRT_Extension_Base *e = api->extension_start; e; e = e->next) {
    if (e->type == PJRT_Extension_Type_Profiler) continue;
    PJRT_Error *(*const *functions)(void *) = (PJRT_Error * (*const *)(void *))(e + 1);
    for (size_t i = 0; i < (e->struct_size - sizeof *e) / sizeof *functions; ++i) {
      size_t args[32] = {sizeof args};
      HD_CHECK(error_code(functions[i](NULL)) != HD_OK);
      HD_CHECK(error_code(functions[i](args)) != HD_OK || e->type == PJRT_Extension_Type_FFI);
    }
  }
}

/* ---- the client ------------------------------------------------------------------------------------------------ */

static int with_option(const PJRT_NamedValue *option, size_t count) {
  CALL(Client_Create, .create_options = option, .num_options = count);
  HD_CHECK(!args_Client_Create.client == (code_Client_Create != HD_OK));
  CALL(TopologyDescription_Create, .create_options = option, .num_options = count);
  HD_CHECK(code_TopologyDescription_Create == code_Client_Create);
  return code_Client_Create;
}

static void test_client(void) {
  PJRT_NamedValue option = {.struct_size = sizeof option, .name = "num_devices", .name_size = 11, .value_size = 1};
  HD_CHECK(with_option(NULL, 1) == HD_INVALID_ARGUMENT);
  option.type = PJRT_NamedValue_kString;
  HD_CHECK(with_option(&option, 1) == HD_INVALID_ARGUMENT);
  option.type = PJRT_NamedValue_kInt64;
  static const int64_t counts[] = {0, -1, 1025, INT64_MAX, INT64_MIN};
  for (int i = 0; i < 5; ++i) {
    option.int64_value = counts[i];
    HD_CHECK(with_option(&option, 1) == HD_INVALID_ARGUMENT);
  }
  option.name = "devices";
  option.name_size = 7;
  HD_CHECK(with_option(&option, 1) == HD_INVALID_ARGUMENT);
  option.name = NULL;
  option.name_size = 11;
  HD_CHECK(with_option(&option, 1) == HD_INVALID_ARGUMENT);

  static const int ids[] = {-1, 2, INT32_MAX, INT32_MIN};
  for (int i = 0; i < 4; ++i) {
    CALL(Client_LookupDevice, .client = client, .id = ids[i]);
    HD_CHECK(code_Client_LookupDevice == HD_INVALID_ARGUMENT && !args_Client_LookupDevice.device);
    CALL(Client_LookupAddressableDevice, .client = client, .local_hardware_id = ids[i]);
    HD_CHECK(code_Client_LookupAddressableDevice == HD_INVALID_ARGUMENT);
  }
  int assignment[2] = {7, 7};
  static const int shapes[][3] = {{0, 1, 2}, {1, 0, 2}, {-1, -1, 2}, {2, 2, 2}, {INT32_MAX, INT32_MAX, 2}, {1, 2, 1}};
  for (int i = 0; i < 6; ++i) {
    CALL(Client_DefaultDeviceAssignment, .client = client, .num_replicas = shapes[i][0], .num_partitions = shapes[i][1],
         .default_assignment_size = (size_t)shapes[i][2], .default_assignment = assignment);
    HD_CHECK(code_Client_DefaultDeviceAssignment == HD_INVALID_ARGUMENT && assignment[0] == 7);
  }
}

int main(void) {
  open_client();
  test_nothing();
  test_client();
  close_client();
  return HD_TEST_RESULT();
}
