/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "compiler.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* libheddle.so beside the library that this code is in, or ../lib/libheddle.so from the folder of this program. */
static const char *library_path(void) {
  static char path[PATH_MAX + 32];
  Dl_info here;
  if (dladdr(path, &here) && here.dli_fname && strstr(here.dli_fname, ".so") && strlen(here.dli_fname) < PATH_MAX) {
    strcpy(path, here.dli_fname);
    char *name = strrchr(path, '/');
    if (name) {
      strcpy(name, "/libheddle.so");
      if (!access(path, R_OK)) return path;
    }
  }
  ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
  if (n <= 0) return "libheddle.so";
  path[n] = 0;
  char *slash = strrchr(path, '/');
  if (!slash) return "libheddle.so";
  strcpy(slash, "/../lib/libheddle.so");
  return access(path, R_OK) ? "libheddle.so" : path;
}

const char *hd_compiler_identity(void) {
  static char text[PATH_MAX + 128];
  struct stat info;
  const char *path = library_path();
  if (stat(path, &info)) return "";
  snprintf(text, sizeof text, "%s %lld %lld.%09ld", path, (long long)info.st_size, (long long)info.st_mtim.tv_sec,
           info.st_mtim.tv_nsec);
  return text;
}

hd_status hd_compiler_open(const hd_compiler **out_compiler) {
  static hd_compiler compiler;
  *out_compiler = NULL;
  if (!compiler.hd_compile) {
    void *library = dlopen(library_path(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return hd_make_status(HD_UNAVAILABLE, "cannot open the compiler: %s", dlerror());
#define X(name)                                                                                   \
  {                                                                                               \
    void *symbol = dlsym(library, #name);                                                         \
    if (!symbol) return hd_make_status(HD_UNAVAILABLE, "cannot use the compiler: %s", dlerror()); \
    memcpy(&compiler.name, &symbol, sizeof symbol);                                               \
  }
    HD_COMPILER_FUNCTIONS(X)
#undef X
  }
  *out_compiler = &compiler;
  return HD_STATUS_OK;
}

void hd_compiler_free(hd_blob *blob) {
  const hd_compiler *compiler;
  hd_status status = hd_compiler_open(&compiler); /* it is open: it gave |blob| */
  if (hd_is_ok(status)) compiler->hd_blob_free(blob);
  hd_status_ignore(status);
}
