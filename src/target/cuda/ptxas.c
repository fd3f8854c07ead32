/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "target/cuda/ptxas.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vec.h"
#include "runtime/drivers/cuda/jit_link.h"

extern char **environ;

/* The folder of a run and the files in it. */
typedef struct files {
  char folder[64];
  char ptx[96], cubin[96], log[96];
} files;

static hd_status make_files(files *f) {
  const char *base = "/tmp";
  snprintf(f->folder, sizeof f->folder, "%s/heddle-ptxas-XXXXXX", base);
  if (!mkdtemp(f->folder)) return hd_file_error(f->folder, "make a folder");
  snprintf(f->ptx, sizeof f->ptx, "%s/in.ptx", f->folder);
  snprintf(f->cubin, sizeof f->cubin, "%s/out.cubin", f->folder);
  snprintf(f->log, sizeof f->log, "%s/log", f->folder);
  return HD_STATUS_OK;
}

static void remove_files(const files *f) {
  unlink(f->ptx);
  unlink(f->cubin);
  unlink(f->log);
  rmdir(f->folder);
}

static hd_status read_all(const char *path, hd_arena *arena, hd_str *out) {
  struct stat info;
  *out = (hd_str){"", 0};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &info)) {
    hd_status status = hd_file_error(path, "read");
    if (file >= 0) close(file);
    return status;
  }
  char *bytes = hd_arena_alloc(arena, (size_t)info.st_size + 1);
  size_t size = 0;
  for (ssize_t got; size < (size_t)info.st_size && (got = read(file, bytes + size, (size_t)info.st_size - size)) > 0;)
    size += (size_t)got;
  close(file);
  bytes[size] = 0;
  *out = (hd_str){bytes, size};
  return HD_STATUS_OK;
}

/* |*out_exit| is that of the program. */
static hd_status run(const char *program, const files *f, uint32_t architecture, int *out_exit) {
  char option[32];
  snprintf(option, sizeof option, "-arch=sm_%u", architecture);
  char *argv[] = {(char *)program, "-v", option, (char *)f->ptx, "-o", (char *)f->cubin, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, f->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child;
  int error = posix_spawnp(&child, program, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) return hd_make_status(HD_NOT_FOUND, "ptxas: %s: %s", program, strerror(error));
  int state = 0;
  while (waitpid(child, &state, 0) < 0)
    if (errno != EINTR) return hd_make_status(HD_INTERNAL, "ptxas: %s: %s", program, strerror(errno));
  *out_exit = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
  return HD_STATUS_OK;
}

/* The number that is right before |what| in the |size| bytes of |line|. */
static bool number_before(const char *line, size_t size, const char *what, uint32_t *out) {
  const char *at = memmem(line, size, what, strlen(what));
  const char *digits = at;
  while (digits && digits > line && digits[-1] >= '0' && digits[-1] <= '9') --digits;
  if (!at || digits == at) return false;
  *out = (uint32_t)strtoul(digits, NULL, 10);
  return true;
}

/* "Compiling entry function 'k' for 'sm_80'", "0 bytes stack frame, 0 bytes
 * spill stores, ..", "Used 32 registers, ..". */
static void read_log(hd_str log, hd_arena *arena, hd_ptxas_result *out) {
  hd_vec(hd_ptxas_kernel) kernels = {0};
  static const char entry[] = "Compiling entry function '";
  for (const char *line = log.data, *end = log.data + log.len; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    size_t size = (size_t)((stop ? stop : end) - line);
    const char *name = memmem(line, size, entry, sizeof entry - 1);
    const char *close =
        name ? memchr(name + sizeof entry - 1, '\'', size - (size_t)(name - line) - sizeof entry + 1) : NULL;
    hd_ptxas_kernel *last = kernels.len ? &kernels.data[kernels.len - 1] : NULL;
    if (close) {
      name += sizeof entry - 1;
      hd_vec_push(arena, &kernels, ((hd_ptxas_kernel){{name, (size_t)(close - name)}, UINT32_MAX, UINT32_MAX}));
    } else if (last) {
      number_before(line, size, " bytes spill stores", &last->spill_bytes);
      number_before(line, size, " registers", &last->registers);
    }
    line += size + 1;
  }
  out->kernels = kernels.data;
  out->kernel_count = kernels.len;
}

static hd_status assemble(const char *program, const files *f, hd_str ptx, uint32_t architecture, hd_arena *arena,
                          hd_ptxas_result *out) {
  hd_str log;
  int code;
  HD_TRY(hd_file_write(f->ptx, ptx.data, ptx.len));
  HD_TRY(run(program, f, architecture, &code));
  HD_TRY(read_all(f->log, arena, &log));
  if (code) {
    const char *stop = memchr(log.data, '\n', log.len);
    return hd_make_status(HD_INTERNAL, "ptxas: %s: exit %d: %.*s", program, code,
                          (int)(stop ? (size_t)(stop - log.data) : log.len), log.data);
  }
  HD_TRY(read_all(f->cubin, arena, &out->cubin));
  read_log(log, arena, out);
  return HD_STATUS_OK;
}

static hd_status assemble_by_program(const char *program, hd_str ptx, uint32_t architecture, hd_arena *arena,
                                     hd_ptxas_result *out) {
  files f;
  HD_TRY(make_files(&f));
  hd_status status = assemble(program, &f, ptx, architecture, arena, out);
  remove_files(&f);
  return status;
}

static hd_status assemble_by_library(hd_str ptx, uint32_t architecture, hd_arena *arena, hd_ptxas_result *out) {
  hd_jit_linked linked;
  HD_TRY(hd_jit_link(ptx.data, ptx.len, architecture, true, &linked));
  out->cubin = (hd_str){hd_arena_copy(arena, linked.cubin, linked.size), linked.size};
  size_t size = linked.log ? strlen(linked.log) : 0;
  read_log((hd_str){hd_arena_copy(arena, linked.log ? linked.log : "", size), size}, arena, out);
  hd_jit_linked_free(&linked);
  return HD_STATUS_OK;
}

/* Both are missing: the first says which program, the second why the library is not there. */
static hd_status join_missing(hd_status program, hd_status library) {
  hd_status both = hd_make_status(HD_NOT_FOUND, "%s, and %s", hd_status_message(program), hd_status_message(library));
  hd_status_free(program);
  hd_status_free(library);
  return both;
}

hd_status hd_ptxas(const char *program, hd_str ptx, uint32_t architecture, hd_arena *arena,
                   hd_ptxas_result *out_result) {
  *out_result = (hd_ptxas_result){0};
  if (!strcmp(program, "nvJitLink")) return assemble_by_library(ptx, architecture, arena, out_result);
  hd_status status = assemble_by_program(program, ptx, architecture, arena, out_result);
  if (hd_status_code_of(status) != HD_NOT_FOUND || strcmp(program, "ptxas")) return status;
  hd_status instead = assemble_by_library(ptx, architecture, arena, out_result);
  if (hd_status_code_of(instead) == HD_UNAVAILABLE) return join_missing(status, instead);
  hd_status_free(status);
  return instead;
}
