/* SPDX-License-Identifier: Apache-2.0 */
/* heddle devices: what drivers find, and which targets of an artifact can be used. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "commands.h"
#include "files.h"
#include "heddle/runtime.h"

static void print_indented(const char *lines) {
  for (const char *line = lines; *line;) {
    int size = (int)strcspn(line, "\n");
    printf("         %.*s\n", size, line);
    line += size + (line[size] == '\n');
  }
}

/* A line for each driver, what it finds or why it finds nothing, and those of its devices. */
static void print_driver(const hd_device_description *device, hd_status status) {
  printf("%-8s ", device->driver);
  if (!hd_is_ok(status)) {
    printf("not here: %s", hd_status_message(status));
  } else {
    printf("%s", device->name);
    if (device->architecture) printf(", architecture %u", device->architecture);
    if (device->memory_bytes) printf(", %.1f GiB", (double)device->memory_bytes / 0x1p30);
  }
  printf("\n");
  print_indented(device->details);
}

/* ", "here": false, "why": "..."}", or only that it is here. */
static void put_here(hd_strbuf *out, hd_status status) {
  hd_strbuf_printf(out, ", \"here\": %s", hd_is_ok(status) ? "true" : "false");
  if (hd_is_ok(status)) return;
  hd_strbuf_puts(out, ", \"why\": ");
  hd_strbuf_put_json(out, hd_status_message(status));
}

static void put_driver(hd_strbuf *out, const hd_device_description *device, hd_status status) {
  hd_strbuf_puts(out, "{\"driver\": ");
  hd_strbuf_put_json(out, device->driver);
  put_here(out, status);
  if (hd_is_ok(status)) {
    hd_strbuf_puts(out, ", \"name\": ");
    hd_strbuf_put_json(out, device->name);
    hd_strbuf_printf(out, ", \"architecture\": %u, \"memory_bytes\": %" PRIu64, device->architecture,
                     (uint64_t)device->memory_bytes);
  }
  hd_strbuf_puts(out, ", \"details\": ");
  hd_strbuf_put_json(out, device->details);
  hd_strbuf_putc(out, '}');
}

static void list_drivers(const hd_cli_options *options, hd_strbuf *json) {
  hd_strbuf_puts(json, "{\"drivers\": [");
  for (int32_t i = 0; i < hd_driver_count(); ++i) {
    hd_device_description device;
    hd_status status = hd_driver_describe(i, &device);
    if (i) hd_strbuf_puts(json, ", ");
    put_driver(json, &device, status);
    if (!options->json) print_driver(&device, status);
    hd_status_free(status);
  }
}

/* A line for each target of the artifact: whether its code loads on the device, or why not. */
static hd_status list_targets(hd_arena *arena, const hd_cli_options *options, hd_strbuf *json) {
  hd_artifact_target_list list;
  hd_blob artifact;
  bool taken = false;
  HD_TRY(hd_cli_read_file(arena, options->file, &artifact));
  HD_TRY_MSG(hd_artifact_targets(artifact.data, artifact.size, NULL, &list), "%s", options->name);
  hd_strbuf_puts(json, "{\"targets\": [");
  for (int32_t i = 0; i < list.count; ++i) {
    hd_runtime *runtime;
    hd_executable *executable;
    hd_runtime_options runtime_options = HD_INIT(hd_runtime_options);
    runtime_options.driver = list.targets[i].driver;
    hd_status status = hd_executable_open_file(&runtime_options, NULL, options->file, NULL, &runtime, &executable);
    hd_strbuf_printf(json, "%s{\"target\": ", i ? ", " : "");
    hd_strbuf_put_json(json, list.targets[i].name);
    put_here(json, status);
    hd_strbuf_printf(json, ", \"taken\": %s}", hd_is_ok(status) && !taken ? "true" : "false");
    if (!options->json && hd_is_ok(status))
      printf("%-12s here%s\n", list.targets[i].name, taken ? "" : ", taken unless --target names another");
    else if (!options->json)
      printf("%-12s not here: %s\n", list.targets[i].name, hd_status_message(status));
    taken |= hd_is_ok(status);
    hd_status_free(status);
    hd_executable_release(executable);
    hd_runtime_release(runtime);
  }
  return HD_STATUS_OK;
}

hd_status hd_cli_devices(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  hd_strbuf json;
  (void)out_exit;
  hd_strbuf_init(&json, arena);
  if (options->file)
    HD_TRY(list_targets(arena, options, &json));
  else
    list_drivers(options, &json);
  if (options->json) printf("%s]}\n", hd_strbuf_text(&json));
  return HD_STATUS_OK;
}
