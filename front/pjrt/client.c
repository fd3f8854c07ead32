/* SPDX-License-Identifier: Apache-2.0 */
/* The client, which makes its devices and memories (devices.c answers for them), and topologies. All virtual devices
 * share one runtime: one set of threads, one pool of memory; each has a queue of its own, so that executions of several
 * devices can wait for one another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/compiler.h"
#include "base/hash128.h"
#include "base/version.h"
#include "driver/targets.h"
#include "plugin.h"

static const char platform_name[] = "heddle";
static char platform_version[64];
static const char *const memory_kinds[HD_PJRT_MEMORIES] = {"device", "pinned_host", "unpinned_host"};

enum { MAX_DEVICES = 1024 };

/* ---- options --------------------------------------------------------------------------------------------------- */

static hd_status number_of(const char *name, const char *text, int64_t limit, int64_t *out) {
  char *end;
  long long value = strtoll(text, &end, 10);
  if (!*text || *end || value < 1 || value > limit)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected a number from 1 to %lld, got '%s'", name, (long long)limit,
                          text);
  *out = value;
  return HD_STATUS_OK;
}

typedef struct client_options {
  int64_t devices, threads, processes, process; /* the last two as a framework with several processes says them */
} client_options;

typedef struct option_row {
  const char *name;
  int least, most;
  size_t field;
} option_row;

static const option_row *find_option(const PJRT_NamedValue *option) {
  static const option_row rows[] = {
      {"num_devices", 1, MAX_DEVICES, offsetof(client_options, devices)},
      {"num_threads", 1, HD_MAX_THREADS, offsetof(client_options, threads)},
      {"num_nodes", 1, INT32_MAX, offsetof(client_options, processes)},
      {"node_id", 0, INT32_MAX, offsetof(client_options, process)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (option->name_size == strlen(rows[i].name) && !memcmp(option->name, rows[i].name, option->name_size))
      return &rows[i];
  return NULL;
}

static hd_status read_options(const PJRT_NamedValue *given, size_t count, client_options *out) {
  *out = (client_options){.devices = 1};
  const char *text = getenv("HEDDLE_NUM_DEVICES");
  if (text) HD_TRY(number_of("HEDDLE_NUM_DEVICES", text, MAX_DEVICES, &out->devices));
  text = getenv("HEDDLE_NUM_THREADS");
  if (text) HD_TRY(number_of("HEDDLE_NUM_THREADS", text, HD_MAX_THREADS, &out->threads));
  if (count && !given) return hd_make_status(HD_INVALID_ARGUMENT, "%zu options are null", count);
  for (size_t i = 0; i < count; ++i) {
    const PJRT_NamedValue *option = &given[i];
    HD_TRY(hd_pjrt_check_whole("PJRT_NamedValue", option, sizeof *option));
    if (!option->name) return hd_make_status(HD_INVALID_ARGUMENT, "option %zu has no name", i);
    const option_row *row = find_option(option);
    if (!row)
      return hd_make_status(HD_INVALID_ARGUMENT, "unknown option '%.*s', expected num_devices or num_threads",
                            option->name_size > 256 ? 256 : (int)option->name_size, option->name);
    if (option->type != PJRT_NamedValue_kInt64 || option->int64_value < row->least || option->int64_value > row->most)
      return hd_make_status(HD_INVALID_ARGUMENT, "option %s: expected a number from %d to %d", row->name, row->least,
                            row->most);
    *(int64_t *)((char *)out + row->field) = option->int64_value;
  }
  if (out->processes > 1)
    return hd_make_status(
        HD_UNIMPLEMENTED,
        "%lld processes: a heddle client has the devices of its own process alone. HEDDLE_NUM_DEVICES "
        "gives a process several; programs with collectives run in several by mpirun and heddle run",
        (long long)out->processes);
  return HD_STATUS_OK;
}

/* ---- the target ------------------------------------------------------------------------------------------------ */

static const char *variable(const char *name) {
  const char *text = getenv(name);
  return text && *text ? text : NULL;
}

static bool find_device(const char *driver, hd_device_description *out) {
  for (int32_t i = 0; i < hd_driver_count(); ++i) {
    hd_status status = hd_driver_describe(i, out);
    size_t size = strcspn(driver, ":"); /* "cuda:1" */
    bool found = hd_is_ok(status) && strlen(out->driver) == size && !strncmp(out->driver, driver, size);
    hd_status_free(status);
    if (found) return true;
  }
  return false;
}

/* The device that runs what is compiled for HEDDLE_TARGET: HEDDLE_DRIVER, else the target's, of several the first that
 * is here. Null: there is no such target. */
static const char *driver_name(void) {
  const char *driver = variable("HEDDLE_DRIVER"), *target = variable("HEDDLE_TARGET");
  hd_device_description found;
  if (driver) return driver;
  if (!target || !strchr(target, '+')) return hd_target_driver(target);
  for (int i = 0; (driver = hd_target_driver_at(target, i)); ++i)
    if (find_device(driver, &found)) return driver;
  return hd_target_driver_at(target, 0);
}

/* A cache that cannot be used is none; the reason is a note for those who read the log. */
static void open_cache(PJRT_Client *client) {
  char path[4096];
  if (!hd_cache_directory(getenv("HEDDLE_CACHE_DIR"), getenv("XDG_CACHE_HOME"), getenv("HOME"), path, sizeof path))
    return;
  hd_status status = hd_cache_open(path, 0, &client->cache);
  if (!hd_is_ok(status)) {
    if (client->log) fprintf(stderr, "heddle: running without a cache: %s\n", hd_status_message(status));
    client->cache = NULL;
  } else {
    client->cache_path = strdup(path);
  }
  hd_status_free(status);
}

static hd_status open_runtime(PJRT_Client *client, int32_t threads) {
  hd_runtime_options runtime = HD_INIT(hd_runtime_options);
  const char *target = variable("HEDDLE_TARGET");
  client->target = target ? strdup(target) : NULL;
  if (target && !client->target) return hd_pjrt_out_of_memory();
  runtime.threads = threads;
  runtime.driver = driver_name();
  runtime.cache_dir = client->cache_path;
  if (!runtime.driver)
    return hd_make_status(HD_INVALID_ARGUMENT, "HEDDLE_TARGET: expected one of %s, got '%s'", hd_target_names(),
                          client->target);
  client->is_device = strcmp(runtime.driver, "cpu") != 0;
  hd_status status = hd_runtime_create(&runtime, &client->runtime);
  return hd_compiler_target_status("HEDDLE_TARGET: ", client->target, status);
}

/* ---- topology -------------------------------------------------------------------------------------------------- */

static void describe(PJRT_DeviceDescription *description, int id) {
  hd_device_description found = {0};
  const char *driver = driver_name(), *kind = hd_cpu_brand();
  description->id = id;
  if (driver && strcmp(driver, "cpu") != 0 && find_device(driver, &found)) kind = found.name;
  snprintf(description->kind, sizeof description->kind, "%s", kind);
  snprintf(description->text, sizeof description->text, "HeddleDevice(id=%d)", id);
}

static void topology_release(PJRT_TopologyDescription *topology) {
  if (!topology) return;
  free(topology->descriptions);
  free(topology->list);
  free(topology);
}

static hd_status topology_create(int count, PJRT_TopologyDescription **out) {
  PJRT_TopologyDescription *topology = *out = calloc(1, sizeof *topology);
  if (!topology) return hd_pjrt_out_of_memory();
  topology->device_count = count;
  topology->descriptions = calloc((size_t)count, sizeof *topology->descriptions);
  topology->list = calloc((size_t)count, sizeof *topology->list);
  if (!topology->descriptions || !topology->list) return hd_pjrt_out_of_memory();
  for (int i = 0; i < count; ++i) {
    describe(&topology->descriptions[i], i);
    topology->list[i] = &topology->descriptions[i];
  }
  return HD_STATUS_OK;
}

/* ---- the client ------------------------------------------------------------------------------------------------ */

static void destroy(PJRT_Client *client) {
  hd_pjrt_profiler_remove(client);
  for (int i = 0; client->devices && i < client->device_count; ++i) hd_queue_free(client->devices[i].queue);
  topology_release(client->topology);
  hd_promise_release(client->gone);
  hd_pjrt_specializations_free(client);
  if (client->cache) hd_cache_close(client->cache);
  free(client->cache_path);
  free(client->target);
  free(client->devices);
  free(client->device_list);
  free(client->memory_list);
  pthread_mutex_destroy(&client->launching);
  pthread_mutex_destroy(&client->mutex);
  hd_runtime_release(client->runtime);
  free(client);
}

PJRT_Client *hd_pjrt_client_retain(PJRT_Client *client) {
  atomic_fetch_add_explicit(&client->references, 1, memory_order_relaxed);
  return client;
}

void hd_pjrt_client_release(PJRT_Client *client) {
  if (client && atomic_fetch_sub_explicit(&client->references, 1, memory_order_acq_rel) == 1) destroy(client);
}

int hd_pjrt_memory_kind(const char *name) {
  for (int k = 0; k < HD_PJRT_MEMORIES; ++k)
    if (!strcmp(name, memory_kinds[k])) return k;
  return -1;
}

PJRT_Device *hd_pjrt_device(PJRT_Client *client, int64_t id) {
  return id >= 0 && id < client->device_count ? &client->devices[id] : NULL;
}

static hd_status create_devices(PJRT_Client *client) {
  size_t count = (size_t)client->device_count;
  client->devices = calloc(count, sizeof *client->devices);
  client->device_list = calloc(count, sizeof *client->device_list);
  client->memory_list = calloc(count * HD_PJRT_MEMORIES, sizeof *client->memory_list);
  if (!client->devices || !client->device_list || !client->memory_list) return hd_pjrt_out_of_memory();
  for (int i = 0; i < client->device_count; ++i) {
    PJRT_Device *device = client->device_list[i] = &client->devices[i];
    describe(&device->description, i);
    device->client = client;
    for (int k = 0; k < HD_PJRT_MEMORIES; ++k) {
      PJRT_Memory *memory = &device->memories[k];
      *memory = (PJRT_Memory){.device = device, .id = i * HD_PJRT_MEMORIES + k, .kind_id = k, .kind = memory_kinds[k]};
      snprintf(memory->text, sizeof memory->text, "HeddleMemory(device=%d, kind=%s)", i, memory->kind);
      device->memory_list[k] = client->memory_list[i * HD_PJRT_MEMORIES + k] = memory;
    }
    HD_TRY(hd_queue_create(&device->queue));
  }
  return HD_STATUS_OK;
}

static hd_status create(PJRT_Client *client, const client_options *options) {
  open_cache(client);
  HD_TRY(open_runtime(client, (int32_t)options->threads));
  HD_TRY(topology_create(client->device_count, &client->topology));
  if (!(client->gone = hd_pjrt_buffer_gone())) return hd_pjrt_out_of_memory();
  HD_TRY(create_devices(client));
  HD_TRY(hd_pjrt_specializations_create(&client->specializations));
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Client_Create(PJRT_Client_Create_Args *args) {
  client_options options;
  args->client = NULL;
  HD_TRY(read_options(args->create_options, args->num_options, &options));
  PJRT_Client *client = calloc(1, sizeof *client);
  if (!client) return hd_pjrt_out_of_memory();
  atomic_store_explicit(&client->references, 1, memory_order_relaxed);
  pthread_mutex_init(&client->mutex, NULL);
  pthread_mutex_init(&client->launching, NULL);
  client->device_count = (int)options.devices;
  if (client->device_count > 1) hd_pjrt_shardings_withdraw();
  const char *log = getenv("HEDDLE_LOG"), *generalize = getenv("HEDDLE_GENERALIZE");
  client->generalize = !generalize || strcmp(generalize, "0") != 0;
  client->log = log && *log && strcmp(log, "0") != 0;
  hd_status status = create(client, &options);
  if (!hd_is_ok(status)) {
    destroy(client);
    return status;
  }
  hd_pjrt_profiler_add(client);
  args->client = client;
  return status;
}

hd_status hd_pjrt_Client_Destroy(PJRT_Client_Destroy_Args *args) {
  hd_pjrt_client_release(args->client);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Client_PlatformName(PJRT_Client_PlatformName_Args *args) {
  args->platform_name = platform_name;
  args->platform_name_size = sizeof platform_name - 1;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Client_ProcessIndex(PJRT_Client_ProcessIndex_Args *args) {
  args->process_index = 0;
  return HD_STATUS_OK;
}

/* Frameworks take the version into the keys of their own caches, which may outlive this build and be read on other
 * machines: it tells compilers and the features of processors apart. */
static void write_platform_version(void) {
  uint64_t features = hd_cpu_features();
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add_string(&state, hd_compiler_identity());
  hd_hash128_add(&state, &features, sizeof features);
  hd_hash128 hash = hd_hash128_finish(&state);
  char hex[33];
  hd_hash128_hex(&hash, hex);
  snprintf(platform_version, sizeof platform_version, "heddle %s (build %.16s)", HD_VERSION, hex);
}

static const char *get_platform_version(size_t *out_size) {
  static pthread_once_t written = PTHREAD_ONCE_INIT;
  pthread_once(&written, write_platform_version);
  *out_size = strlen(platform_version);
  return platform_version;
}

hd_status hd_pjrt_Client_PlatformVersion(PJRT_Client_PlatformVersion_Args *args) {
  args->platform_version = get_platform_version(&args->platform_version_size);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Client_TopologyDescription(PJRT_Client_TopologyDescription_Args *args) {
  args->topology = args->client->topology;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Client_Devices(PJRT_Client_Devices_Args *args) {
  args->devices = args->client->device_list;
  args->num_devices = (size_t)args->client->device_count;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Client_AddressableDevices(PJRT_Client_AddressableDevices_Args *args) {
  args->addressable_devices = args->client->device_list;
  args->num_addressable_devices = (size_t)args->client->device_count;
  return HD_STATUS_OK;
}

static hd_status look_up(PJRT_Client *client, int id, PJRT_Device **out) {
  *out = hd_pjrt_device(client, id);
  return *out ? HD_STATUS_OK
              : hd_make_status(HD_INVALID_ARGUMENT, "no device %d; there are %d", id, client->device_count);
}

hd_status hd_pjrt_Client_LookupDevice(PJRT_Client_LookupDevice_Args *args) {
  return look_up(args->client, args->id, &args->device);
}

hd_status hd_pjrt_Client_LookupAddressableDevice(PJRT_Client_LookupAddressableDevice_Args *args) {
  return look_up(args->client, args->local_hardware_id, &args->addressable_device);
}

hd_status hd_pjrt_Client_AddressableMemories(PJRT_Client_AddressableMemories_Args *args) {
  args->addressable_memories = args->client->memory_list;
  args->num_addressable_memories = (size_t)args->client->device_count * HD_PJRT_MEMORIES;
  return HD_STATUS_OK;
}

/* What other processes do is nothing to a client of one. Frameworks with a coordinator tell all the same, and an error
 * here would end their process. */
hd_status hd_pjrt_Client_UpdateGlobalProcessInfo(PJRT_Client_UpdateGlobalProcessInfo_Args *args) {
  (void)args;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Client_DefaultDeviceAssignment(PJRT_Client_DefaultDeviceAssignment_Args *args) {
  int64_t count = (int64_t)args->num_replicas * args->num_partitions;
  if (args->num_replicas < 1 || args->num_partitions < 1 || count > args->client->device_count ||
      (size_t)count > args->default_assignment_size)
    return hd_make_status(HD_INVALID_ARGUMENT, "%d replicas of %d partitions on %d devices", args->num_replicas,
                          args->num_partitions, args->client->device_count);
  for (int64_t i = 0; i < count; ++i) args->default_assignment[i] = (int)i;
  return HD_STATUS_OK;
}

/* ---- topologies ------------------------------------------------------------------------------------------------ */

hd_status hd_pjrt_TopologyDescription_Create(PJRT_TopologyDescription_Create_Args *args) {
  client_options options;
  args->topology = NULL;
  HD_TRY(read_options(args->create_options, args->num_options, &options));
  hd_status status = topology_create((int)options.devices, &args->topology);
  if (hd_is_ok(status)) return status;
  topology_release(args->topology);
  args->topology = NULL;
  return status;
}

hd_status hd_pjrt_TopologyDescription_Destroy(PJRT_TopologyDescription_Destroy_Args *args) {
  topology_release(args->topology);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_TopologyDescription_PlatformName(PJRT_TopologyDescription_PlatformName_Args *args) {
  args->platform_name = platform_name;
  args->platform_name_size = sizeof platform_name - 1;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_TopologyDescription_PlatformVersion(PJRT_TopologyDescription_PlatformVersion_Args *args) {
  args->platform_version = get_platform_version(&args->platform_version_size);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_TopologyDescription_GetDeviceDescriptions(PJRT_TopologyDescription_GetDeviceDescriptions_Args *args) {
  args->descriptions = args->topology->list;
  args->num_descriptions = (size_t)args->topology->device_count;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_TopologyDescription_Attributes(PJRT_TopologyDescription_Attributes_Args *args) {
  args->attributes = NULL;
  args->num_attributes = 0;
  return HD_STATUS_OK;
}
