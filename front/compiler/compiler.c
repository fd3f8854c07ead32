/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "compiler.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fork.h"

/* Where the library is, and what tells it from others: found once, by the first thread that asks. */
static char path[PATH_MAX + 32], identity[PATH_MAX + 128];
static pthread_once_t found = PTHREAD_ONCE_INIT;

/* libheddle.so beside the library that this code is in, or ../lib/libheddle.so from the folder of this program. */
static bool find_beside(void) {
  Dl_info here;
  if (dladdr(path, &here) && here.dli_fname && strstr(here.dli_fname, ".so") && strlen(here.dli_fname) < PATH_MAX) {
    strcpy(path, here.dli_fname);
    char *name = strrchr(path, '/');
    if (name) {
      strcpy(name, "/libheddle.so");
      if (!access(path, R_OK)) return true;
    }
  }
  ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
  if (n <= 0) return false;
  path[n] = 0;
  char *slash = strrchr(path, '/');
  if (!slash) return false;
  strcpy(slash, "/../lib/libheddle.so");
  return !access(path, R_OK);
}

static void find(void) {
  struct stat info;
  if (!find_beside()) strcpy(path, "libheddle.so");
  if (stat(path, &info)) return;
  snprintf(identity, sizeof identity, "%s %lld %lld.%09ld", path, (long long)info.st_size,
           (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

const char *hd_compiler_identity(void) {
  pthread_once(&found, find);
  return identity;
}

static hd_status open_library(hd_compiler *out) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return hd_make_status(HD_UNAVAILABLE, "cannot open the compiler: %s", dlerror());
#define X(name)                                                                                   \
  {                                                                                               \
    void *symbol = dlsym(library, #name);                                                         \
    if (!symbol) return hd_make_status(HD_UNAVAILABLE, "cannot use the compiler: %s", dlerror()); \
    memcpy(&out->name, &symbol, sizeof symbol);                                                   \
  }
  HD_COMPILER_FUNCTIONS(X)
#undef X
  return HD_STATUS_OK;
}

hd_status hd_compiler_open(const hd_compiler **out_compiler) {
  static hd_fork_mutex opening = HD_FORK_MUTEX_INIT;
  static hd_compiler compiler;
  static bool is_open;
  *out_compiler = NULL;
  pthread_once(&found, find);
  hd_fork_mutex_lock(&opening);
  hd_status status = is_open ? HD_STATUS_OK : open_library(&compiler);
  if (hd_is_ok(status)) {
    is_open = true;
    *out_compiler = &compiler;
  }
  hd_fork_mutex_unlock(&opening);
  return status;
}

hd_status hd_compiler_target_status(const char *by, const char *target, hd_status status) {
  const hd_compiler *compiler;
  if (hd_is_ok(status) || !target) return status;
  hd_status opened = hd_compiler_open(&compiler);
  hd_status named = hd_is_ok(opened) ? compiler->hd_target_check(target) : HD_STATUS_OK;
  hd_status_free(opened);
  if (hd_is_ok(named)) return status;
  const char *message = hd_status_message(named);
  size_t own = strlen("target: ");
  hd_status out =
      hd_make_status(HD_INVALID_ARGUMENT, "%s%s", by, strncmp(message, "target: ", own) ? message : message + own);
  hd_status_free(status);
  hd_status_free(named);
  return out;
}

void hd_compiler_free(hd_blob *blob) {
  const hd_compiler *compiler;
  hd_status status = hd_compiler_open(&compiler); /* it is open: it gave |blob| */
  if (hd_is_ok(status)) compiler->hd_blob_free(blob);
  hd_status_ignore(status);
}
