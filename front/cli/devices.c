/* SPDX-License-Identifier: Apache-2.0 */
/* heddle devices: what drivers find, and which targets of an artifact can be used. */
#include <stdio.h>
#include <string.h>

#include "base/option_table.h"
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
static void print_drivers(void) {
  for (int32_t i = 0; i < hd_driver_count(); ++i) {
    hd_device_description device;
    hd_status status = hd_driver_describe(i, &device);
    printf("%-8s ", device.driver);
    if (!hd_is_ok(status)) {
      printf("not here: %s", hd_status_message(status));
    } else {
      printf("%s", device.name);
      if (device.architecture) printf(", architecture %u", device.architecture);
      if (device.memory_bytes) printf(", %.1f GiB", (double)device.memory_bytes / 0x1p30);
    }
    printf("\n");
    print_indented(device.details);
    hd_status_free(status);
  }
}

/* A line for each target of the artifact: whether its code loads on the device, or why not. */
static hd_status print_targets(const char *path, const hd_blob *artifact) {
  hd_artifact_target_list list;
  bool taken = false;
  HD_TRY_MSG(hd_artifact_targets(artifact->data, artifact->size, NULL, &list), "%s", hd_cli_name(path));
  for (int32_t i = 0; i < list.count; ++i) {
    hd_runtime *runtime;
    hd_executable *executable;
    hd_runtime_options options = HD_INIT(hd_runtime_options);
    options.driver = list.targets[i].driver;
    hd_status status = hd_executable_open_file(&options, NULL, path, NULL, &runtime, &executable);
    if (hd_is_ok(status))
      printf("%-12s here%s\n", list.targets[i].name, taken ? "" : ", taken unless --target names another");
    else
      printf("%-12s not here: %s\n", list.targets[i].name, hd_status_message(status));
    taken |= hd_is_ok(status);
    hd_status_free(status);
    hd_executable_release(executable);
    hd_runtime_release(runtime);
  }
  return HD_STATUS_OK;
}

typedef struct devices_call {
  hd_arena arena;
  const char *word;
} devices_call;

static hd_status list_targets(void *argument) {
  devices_call *call = argument;
  hd_blob bytes;
  const char *path = hd_option_path(&call->arena, call->word);
  HD_TRY(hd_cli_read_file(&call->arena, path, &bytes));
  return print_targets(path, &bytes);
}

int hd_cli_devices(const char *word) {
  if (!word) {
    print_drivers();
    return HD_EXIT_OK;
  }
  devices_call call = {.word = word};
  hd_arena_init(&call.arena, NULL);
  hd_status status = hd_guarded_call(list_targets, &call);
  int code = hd_is_ok(status) ? HD_EXIT_OK : hd_cli_fail("heddle", status);
  hd_arena_free(&call.arena);
  return code;
}
