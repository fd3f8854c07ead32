/* SPDX-License-Identifier: Apache-2.0 */
#include "base/library.h"

#include <dlfcn.h>
#include <stdio.h>

bool hd_library_open(const char *what, const char *const *names, const hd_library_function *functions, size_t count,
                     const char *expected, char *failure, size_t size) {
  void *handle = NULL;
  char first[512] = "";
  for (size_t i = 0; names[i] && !handle; ++i) {
    handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    const char *why = handle || i ? NULL : dlerror();
    if (why) snprintf(first, sizeof first, "%s", why);
  }
  if (!handle) {
    snprintf(failure, size, "no %s: %s", what, first);
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    if ((*functions[i].function = dlsym(handle, functions[i].symbol))) continue;
    snprintf(failure, size, "the %s has no %s, expected one of version %s or later", what, functions[i].symbol,
             expected);
    return false;
  }
  return true;
}
