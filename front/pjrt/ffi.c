/* SPDX-License-Identifier: Apache-2.0 */
/* Typed custom calls: handlers of the FFI C API (ffi_abi.h) as functions of the runtime. A call is a frame made from
 * the runtime's tensors and attributes; all stages that the target has run at each call, one after the other. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fork.h"
#include "ffi_abi.h"
#include "plugin.h"

/* ---- element types --------------------------------------------------------------------------------------------- */

/* By the runtime's number. */
static const uint8_t types[HD_ELEMENT_TYPE_LIMIT] = {
#define X(id, number, type_class, bits, text, ral_name, xla_name, c_type) [number] = FFI_##xla_name,
    HD_ELEMENT_TYPES(X)
#undef X
};

static ffi_type type_of(int element) {
  return element >= 0 && element < HD_ELEMENT_TYPE_LIMIT ? (ffi_type)types[element] : (ffi_type)0;
}

/* ---- what handlers call ------------------------------------------------------------------------------------------ */

/* Errors are statuses, futures promises. */
static hd_status error_status(ffi_error *error) { return (hd_status)(void *)error; }
static ffi_error *error_of(hd_status status) { return (ffi_error *)(void *)status; }
static hd_promise *promise_of(ffi_future *future) { return (hd_promise *)(void *)future; }

typedef struct allocation {
  struct allocation *next;
  void *data;
} allocation;

typedef struct state {
  int64_t type_id;
  void *data;
} state;

struct ffi_context {
  hd_runtime *runtime;
  allocation *allocations;
  state states[4];
};

enum { MAX_TYPES = 256 };
static hd_fork_mutex type_lock = HD_FORK_MUTEX_INIT;
static struct {
  char *name;
  void (*deleter)(void *object);
} type_infos[MAX_TYPES];
static int type_count;

static ffi_error *error_create(ffi_error_create_args *args) {
  hd_status_code code = args->code > 0 && args->code <= HD_UNAUTHENTICATED ? (hd_status_code)args->code : HD_UNKNOWN;
  return error_of(hd_make_status(code, "%s", args->message ? args->message : ""));
}
static void error_message(ffi_error_message_args *args) {
  args->message = hd_status_message(error_status(args->error));
}
static void error_destroy(ffi_error_destroy_args *args) { hd_status_free(error_status(args->error)); }

static ffi_error *unimplemented(const char *what) {
  return error_of(hd_make_status(HD_UNIMPLEMENTED, "%s: a CPU has none", what));
}
static ffi_error *stream_get(ffi_stream_args *args) {
  args->stream = NULL;
  return unimplemented("stream");
}

/* Ids are positions from 1 on; a name that is known keeps its id. */
static int64_t register_type(const char *name, size_t size, void (*deleter)(void *object)) {
  int64_t id = 0;
  hd_fork_mutex_lock(&type_lock);
  for (int i = 0; i < type_count; ++i)
    if (strlen(type_infos[i].name) == size && !memcmp(type_infos[i].name, name, size)) id = i + 1;
  if (!id && type_count < MAX_TYPES && (type_infos[type_count].name = strndup(name, size))) {
    type_infos[type_count].deleter = deleter;
    id = ++type_count;
  }
  hd_fork_mutex_unlock(&type_lock);
  return id;
}

static ffi_error *type_register(ffi_type_register_args *args) {
  *args->type_id = register_type(args->name.data, args->name.size, args->info ? args->info->deleter : NULL);
  return *args->type_id ? NULL : error_of(hd_make_status(HD_RESOURCE_EXHAUSTED, "more than %d types", MAX_TYPES));
}

static ffi_error *context_get(ffi_context_get_args *args) {
  args->data = NULL;
  return error_of(hd_make_status(HD_NOT_FOUND, "the execution context has no user data of this type"));
}

static void drop_state(state *s) {
  void (*deleter)(void *object) = NULL;
  hd_fork_mutex_lock(&type_lock);
  if (s->type_id > 0 && s->type_id <= type_count) deleter = type_infos[s->type_id - 1].deleter;
  hd_fork_mutex_unlock(&type_lock);
  if (s->data && deleter) deleter(s->data);
  *s = (state){0};
}

static ffi_error *state_set(ffi_state_args *args) {
  if ((unsigned)args->stage > FFI_EXECUTE) return error_of(hd_make_status(HD_INVALID_ARGUMENT, "unknown stage"));
  drop_state(&args->context->states[args->stage]);
  args->context->states[args->stage] = (state){*args->type_id, args->state};
  return NULL;
}

static ffi_error *state_get(ffi_state_args *args) {
  args->state = NULL;
  if ((unsigned)args->stage > FFI_EXECUTE || args->context->states[args->stage].type_id != *args->type_id)
    return error_of(hd_make_status(HD_NOT_FOUND, "the stage has set no state of this type"));
  args->state = args->context->states[args->stage].data;
  return NULL;
}

static ffi_error *memory_allocate(ffi_allocate_args *args) {
  size_t alignment = args->alignment < 64 ? 64 : args->alignment;
  allocation *a = malloc(sizeof *a);
  args->data = NULL;
  if (a && (alignment & (alignment - 1)) == 0 && args->size < SIZE_MAX - alignment)
    args->data =
        aligned_alloc(alignment, (args->size + alignment - 1) / alignment * alignment + (args->size ? 0 : alignment));
  if (!args->data) {
    free(a);
    return error_of(hd_make_status(HD_RESOURCE_EXHAUSTED, "no scratch memory of %zu bytes", args->size));
  }
  *a = (allocation){args->context->allocations, args->data};
  args->context->allocations = a;
  return NULL;
}

static ffi_error *memory_free(ffi_free_args *args) {
  for (allocation **at = &args->context->allocations; *at; at = &(*at)->next)
    if ((*at)->data == args->data) {
      allocation *a = *at;
      *at = a->next;
      free(a->data);
      free(a);
      return NULL;
    }
  return error_of(hd_make_status(HD_INVALID_ARGUMENT, "memory that this call did not allocate"));
}

/* Tasks run at once, on the caller. */
static ffi_error *schedule(ffi_schedule_args *args) {
  args->task(args->data);
  return NULL;
}
static ffi_error *thread_count(ffi_threads_args *args) {
  *args->count = 1;
  return NULL;
}

static ffi_error *future_create(ffi_future_create_args *args) {
  args->future = (ffi_future *)(void *)hd_promise_create();
  return args->future ? NULL : error_of(hd_pjrt_out_of_memory());
}
static ffi_error *future_set_available(ffi_future_args *args) {
  hd_promise_keep(promise_of(args->future), HD_STATUS_OK, NULL);
  return NULL;
}
static ffi_error *future_set_error(ffi_future_args *args) {
  hd_promise_keep(promise_of(args->future), error_status(args->error), NULL);
  return NULL;
}
static ffi_error *run_id(ffi_run_id_args *args) {
  args->run_id = 0;
  return NULL;
}
static ffi_error *device_ordinal(ffi_ordinal_args *args) {
  args->ordinal = 0;
  return NULL;
}
static ffi_error *handler_register(ffi_register_args *args);

static const ffi_api api = {
    .struct_size = sizeof(ffi_api),
    .version = {.struct_size = 24, .major_version = HD_FFI_MAJOR, .minor_version = HD_FFI_MINOR},
    .error_create = error_create,
    .error_message = error_message,
    .error_destroy = error_destroy,
    .handler_register = handler_register,
    .stream_get = stream_get,
    .type_register = type_register,
    .context_get = context_get,
    .state_set = state_set,
    .state_get = state_get,
    .memory_allocate = memory_allocate,
    .memory_free = memory_free,
    .schedule = schedule,
    .thread_count = thread_count,
    .future_create = future_create,
    .future_set_available = future_set_available,
    .future_set_error = future_set_error,
    .run_id = run_id,
    .device_ordinal = device_ordinal};

/* ---- frames ------------------------------------------------------------------------------------------------------ */

typedef struct reader {
  const uint8_t *at, *end;
  bool ok;
} reader;

static const void *take(reader *r, size_t size) {
  if (size > (size_t)(r->end - r->at)) r->ok = false;
  if (!r->ok) return NULL;
  const void *data = r->at;
  r->at += size;
  return data;
}

static uint64_t number(reader *r, size_t size) {
  uint64_t value = 0;
  const void *data = take(r, size);
  if (data) memcpy(&value, data, size);
  return value;
}

/* |size| bytes, copied to where any element type may be. */
static void *copy(reader *r, hd_arena *arena, size_t size) {
  const void *data = take(r, size);
  void *to = hd_arena_alloc(arena, size + 16);
  if (data) memcpy(to, data, size);
  return to;
}

static void read_attributes(reader *r, hd_arena *arena, ffi_attrs *out, int depth);

static void *read_value(reader *r, hd_arena *arena, int kind, int depth) {
  if (kind == HD_CUSTOM_STRING) {
    ffi_bytes *text = hd_new(arena, ffi_bytes);
    text->size = number(r, 8);
    text->data = r->ok && text->size <= (size_t)(r->end - r->at) ? copy(r, arena, text->size) : (r->ok = false, "");
    return text;
  }
  if (kind == HD_CUSTOM_DICTIONARY) {
    ffi_attrs *inner = hd_new(arena, ffi_attrs);
    read_attributes(r, arena, inner, depth + 1);
    return inner;
  }
  int element = (int)number(r, 1);
  size_t bytes = hd_element_bytes((hd_element_type)element);
  if (kind == HD_CUSTOM_SCALAR) {
    ffi_scalar *scalar = hd_new(arena, ffi_scalar);
    *scalar = (ffi_scalar){type_of(element), copy(r, arena, bytes)};
    return scalar;
  }
  ffi_array *array = hd_new(arena, ffi_array);
  uint64_t count = number(r, 8);
  if (kind != HD_CUSTOM_ARRAY || (bytes && count > (uint64_t)(r->end - r->at) / bytes)) r->ok = false;
  *array = (ffi_array){type_of(element), count, r->ok ? copy(r, arena, count * bytes) : NULL};
  return array;
}

static void read_attributes(reader *r, hd_arena *arena, ffi_attrs *out, int depth) {
  uint64_t count = number(r, 4);
  if (depth > 8 || count > (uint64_t)(r->end - r->at)) r->ok = false;
  if (!r->ok) count = 0;
  *out = (ffi_attrs){.struct_size = sizeof *out,
                     .count = (int64_t)count,
                     .kinds = hd_new_array(arena, int, count + 1),
                     .names = hd_new_array(arena, ffi_bytes *, count + 1),
                     .values = hd_new_array(arena, void *, count + 1)};
  for (uint64_t i = 0; i < count && r->ok; ++i) {
    ffi_bytes *name = out->names[i] = hd_new(arena, ffi_bytes);
    name->size = number(r, 4);
    name->data = r->ok && name->size <= (size_t)(r->end - r->at) ? copy(r, arena, name->size) : (r->ok = false, "");
    out->kinds[i] = (int)number(r, 1);
    if (r->ok) out->values[i] = read_value(r, arena, out->kinds[i], depth);
  }
}

static ffi_args tensors(hd_arena *arena, const hd_custom_tensor *list, int32_t count) {
  ffi_args args = {.struct_size = sizeof args,
                   .count = count,
                   .kinds = hd_new_array(arena, int, count + 1),
                   .values = hd_new_array(arena, void *, count + 1)};
  for (int32_t i = 0; i < count; ++i) {
    ffi_buffer *buffer = hd_new(arena, ffi_buffer);
    *buffer = (ffi_buffer){.struct_size = sizeof *buffer,
                           .type = type_of(list[i].type),
                           .data = list[i].data,
                           .rank = list[i].rank,
                           .dims = (int64_t *)list[i].dims};
    args.kinds[i] = FFI_ARG_BUFFER;
    args.values[i] = buffer;
  }
  return args;
}

typedef struct invocation {
  const ffi_bundle *bundle;
  const hd_custom_call *call;
  hd_arena arena;
  ffi_context context;
} invocation;

static hd_status run_stage(invocation *v, ffi_frame frame, ffi_stage stage) {
  frame.stage = stage;
  ffi_handler handler = v->bundle->stages[stage];
  if (!handler) return HD_STATUS_OK;
  hd_status status = error_status(handler(&frame));
  if (!frame.future) return status;
  hd_promise *end = promise_of(frame.future);
  if (hd_is_ok(status)) {
    hd_promise_wait(end);
    status = hd_pjrt_status_copy(end->outcome);
  }
  hd_promise_release(end);
  return status;
}

static hd_status invoke(void *argument) {
  invocation *v = argument;
  /* The interface counts this struct without its last field. */
  ffi_frame frame = {.struct_size = offsetof(ffi_frame, future), .api = &api, .context = &v->context};
  reader r = {v->call->attributes, v->call->attributes + v->call->attribute_bytes, true};
  read_attributes(&r, &v->arena, &frame.attrs, 0);
  if (!r.ok) return hd_make_status(HD_INTERNAL, "the attributes cannot be read");
  frame.args = tensors(&v->arena, v->call->inputs, v->call->input_count);
  frame.results = tensors(&v->arena, v->call->outputs, v->call->output_count);
  for (int stage = FFI_INSTANTIATE; stage <= FFI_EXECUTE; ++stage) HD_TRY(run_stage(v, frame, (ffi_stage)stage));
  return HD_STATUS_OK;
}

static hd_status call_bundle(void *user, const hd_custom_call *call) {
  invocation v = {.bundle = user, .call = call, .context = {.runtime = call->runtime}};
  hd_arena_init(&v.arena, NULL);
  hd_status status = hd_guarded_call(invoke, &v);
  for (int stage = 0; stage < 4; ++stage) drop_state(&v.context.states[stage]);
  for (allocation *a = v.context.allocations, *next; a; a = next) {
    next = a->next;
    free(a->data);
    free(a);
  }
  hd_arena_free(&v.arena);
  return status;
}

/* ---- registration ------------------------------------------------------------------------------------------------ */

/* Bundles live as long as the process: a program may call them at any time. */
static hd_status register_bundle(const char *name, size_t size, const ffi_bundle *bundle) {
  ffi_bundle *kept = malloc(sizeof *kept);
  char *text = strndup(name, size);
  hd_status status = kept && text ? HD_STATUS_OK : hd_pjrt_out_of_memory();
  if (hd_is_ok(status)) {
    *kept = *bundle;
    status = hd_custom_call_register(text, call_bundle, kept);
  }
  free(text);
  if (!hd_is_ok(status)) free(kept);
  return status;
}

static ffi_error *handler_register(ffi_register_args *args) {
  return error_of(register_bundle(args->name.data, args->name.size, &args->bundle));
}

static PJRT_Error *pjrt_register(PJRT_FFI_Register_Handler_Args *args) {
  hd_status status =
      args ? hd_pjrt_check_whole("FFI_Register_Handler", args, HD_PJRT_SIZE_OF(PJRT_FFI_Register_Handler_Args, traits))
           : HD_STATUS_OK;
  if (!hd_is_ok(status)) return hd_pjrt_error(status);
  if (!args || !args->target_name || !args->handler)
    return hd_pjrt_error(hd_make_status(HD_INVALID_ARGUMENT, "a custom call without a name or a handler"));
  if (args->api_version != 1)
    return hd_pjrt_error(hd_make_status(HD_UNIMPLEMENTED, "custom calls of API version %d, expected 1: typed handlers",
                                        args->api_version));
  ffi_bundle bundle = {0};
  memcpy(&bundle.stages[FFI_EXECUTE], &args->handler, sizeof args->handler);
  return hd_pjrt_error(register_bundle(args->target_name, args->target_name_size, &bundle));
}

static PJRT_Error *pjrt_type_register(PJRT_FFI_TypeID_Register_Args *args) {
  hd_status status = args ? hd_pjrt_check_whole("FFI_TypeID_Register", args, sizeof *args) : HD_STATUS_OK;
  if (!hd_is_ok(status)) return hd_pjrt_error(status);
  if (!args || !args->type_name) return hd_pjrt_error(hd_make_status(HD_INVALID_ARGUMENT, "a type without a name"));
  int64_t id = register_type(args->type_name, args->type_name_size, NULL);
  if (args->type_id && args->type_id != id)
    return hd_pjrt_error(hd_make_status(HD_INVALID_ARGUMENT, "type '%.*s' has id %lld, not %lld",
                                        (int)args->type_name_size, args->type_name, (long long)id,
                                        (long long)args->type_id));
  args->type_id = id;
  return NULL;
}

static PJRT_Error *pjrt_user_data(PJRT_FFI_UserData_Add_Args *args) {
  (void)args;
  return hd_pjrt_error(hd_make_status(HD_UNIMPLEMENTED, "execution contexts carry no user data"));
}

PJRT_FFI_Extension hd_pjrt_ffi_extension = {
    .base = {.struct_size = sizeof(PJRT_FFI_Extension),
             .type = PJRT_Extension_Type_FFI,
             .next = &hd_pjrt_profiler_extension.base},
    .type_id_register = pjrt_type_register,
    .user_data_add = pjrt_user_data,
    .register_handler = pjrt_register,
};
