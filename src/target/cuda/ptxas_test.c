/* SPDX-License-Identifier: Apache-2.0 */
/* What ptxas says, and what it may do wrong, by shell scripts in its place. */
#include "target/cuda/ptxas.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/testing.h"
#include "runtime/drivers/cuda/jit_link.h"

static const char text[] = ".version 7.0\n";

static hd_status assemble(const char *folder, const char *script, hd_arena *arena, hd_ptxas_result *out) {
  char path[128];
  snprintf(path, sizeof path, "%s/ptxas", folder);
  hd_status status = hd_file_write(path, script, strlen(script));
  if (hd_is_ok(status) && chmod(path, 0700)) status = hd_file_error(path, "make a program");
  if (hd_is_ok(status)) status = hd_ptxas(path, (hd_str){text, sizeof text - 1}, 80, arena, out);
  unlink(path);
  return status;
}

int main(void) {
  char folder[] = "/tmp/heddle-ptxas-test-XXXXXX";
  hd_arena arena;
  hd_ptxas_result result;
  hd_arena_init(&arena, NULL);
  if (!mkdtemp(folder)) return 1;
  static const char good[] =
      "#!/bin/sh\n"
      "cat \"$3\" \"$3\" > \"$5\"\n"
      "echo \"ptxas info    : 0 bytes gmem\"\n"
      "echo \"ptxas info    : Compiling entry function 'first' for '$2'\"\n"
      "echo '    0 bytes stack frame, 24 bytes spill stores, 28 bytes spill loads' >&2\n"
      "echo 'ptxas info    : Used 32 registers, used 1 barriers, 64 bytes smem, 416 bytes cmem[0]'\n"
      "echo \"ptxas info    : Compiling entry function 'second' for 'sm_80'\"\n"
      "echo 'ptxas info    : Used 255 registers'\n";
  if (HD_CHECK_OK(assemble(folder, good, &arena, &result))) {
    HD_CHECK_INT(result.cubin.len, 2 * (sizeof text - 1));
    if (HD_CHECK_INT(result.kernel_count, 2)) {
      HD_CHECK(hd_str_is(result.kernels[0].name, "first") && hd_str_is(result.kernels[1].name, "second"));
      HD_CHECK_INT(result.kernels[0].registers, 32);
      HD_CHECK_INT(result.kernels[0].spill_bytes, 24);
      HD_CHECK_INT(result.kernels[1].registers, 255);
      HD_CHECK_INT(result.kernels[1].spill_bytes, UINT32_MAX);
    }
  }
  HD_CHECK_FAILS(assemble(folder, "#!/bin/sh\necho 'bad text' >&2\nexit 3\n", &arena, &result), HD_INTERNAL,
                 "exit 3: bad text");
  HD_CHECK_FAILS(assemble(folder, "#!/bin/sh\nkill -9 $$\n", &arena, &result), HD_INTERNAL, "exit -1");
  HD_CHECK_FAILS(assemble(folder, "#!/bin/sh\nexit 0\n", &arena, &result), HD_NOT_FOUND, "out.cubin");
  HD_CHECK_FAILS(hd_ptxas("/no/such/ptxas", (hd_str){text, 5}, 80, &arena, &result), HD_NOT_FOUND, "/no/such/ptxas");
  setenv("PATH", folder, 1);
  hd_status library = hd_jit_link_open(),
            missing = hd_ptxas("ptxas", (hd_str){text, sizeof text - 1}, 80, &arena, &result);
  if (hd_is_ok(library)) { /* which has its say of this text */
    HD_CHECK_FAILS(missing, HD_INTERNAL, "nvJitLink: sm_80: ");
    static const char kernel[] =
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\nret;\n}\n";
    static const char *const names[] = {"ptxas", "nvJitLink"};
    for (int i = 0; i < 2; ++i)
      if (HD_CHECK_OK(hd_ptxas(names[i], (hd_str){kernel, sizeof kernel - 1}, 80, &arena, &result)) &&
          HD_CHECK_INT(result.kernel_count, 1)) {
        HD_CHECK(hd_str_is(result.kernels[0].name, "k") && result.kernels[0].registers < 256);
        HD_CHECK(result.cubin.len > 64 && !memcmp(result.cubin.data, "\177ELF", 4));
      }
    HD_CHECK_FAILS(hd_ptxas("nvJitLink", (hd_str){kernel, sizeof kernel - 1}, 13, &arena, &result), HD_INTERNAL,
                   "nvJitLink: sm_13: ");
  } else {
    HD_CHECK_FAILS(missing, HD_NOT_FOUND, "ptxas: ptxas: No such file or directory, and no nvJitLink: ");
    HD_CHECK_FAILS(hd_ptxas("nvJitLink", (hd_str){text, 5}, 80, &arena, &result), HD_UNAVAILABLE, "no nvJitLink: ");
  }
  hd_status_free(library);
  hd_arena_free(&arena);
  rmdir(folder);
  return HD_TEST_RESULT();
}
