/* SPDX-License-Identifier: Apache-2.0 */
/* How programs come to their code, as each client counts it. */
#include "plugin.h"
#include "testing.h"

static const char *const sources[] = {
    "module @twice { func.func public @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {\n  %0 = stablehlo.add %a, %a : "
    "tensor<2x3xf32>\n  return %0 : tensor<2x3xf32> } }",
    "module @twice { func.func public @main(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {\n  %0 = stablehlo.add %a, %a : "
    "tensor<4x3xf32>\n  return %0 : tensor<4x3xf32> } }",
    "module @twice { func.func public @main(%a: tensor<7x3xf32>) -> tensor<7x3xf32> {\n  %0 = stablehlo.add %a, %a : "
    "tensor<7x3xf32>\n  return %0 : tensor<7x3xf32> } }"};

static void compile_all(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    PJRT_LoadedExecutable *executable;
    if (!HD_CHECK(!compile(program_of(sources[i], strlen(sources[i])), one, sizeof one, &executable))) continue;
    CALL(LoadedExecutable_Destroy, .executable = executable);
  }
}

static void check_counts(int64_t compiled, int64_t generalized, int64_t shared) {
  int64_t got[HD_PJRT_COUNTERS];
  hd_pjrt_count(got);
  HD_CHECK_INT(got[HD_PJRT_COMPILED], compiled);
  HD_CHECK_INT(got[HD_PJRT_GENERALIZED], generalized);
  HD_CHECK_INT(got[HD_PJRT_SHARED], shared);
  HD_CHECK_INT(got[HD_PJRT_CACHED], 0);
}

/* The first as it is, the second with unknown dims, the third with the second's code; a client that ends takes its
 * counts with it. */
static void test_counts(void) {
  open_client();
  check_counts(0, 0, 0);
  compile_all(3);
  check_counts(1, 1, 1);
  PJRT_Client *first = client;
  client = create_client();
  compile_all(2);
  check_counts(2, 2, 1);
  close_client();
  check_counts(1, 1, 1);
  client = first;
  close_client();
  check_counts(0, 0, 0);
}

int main(void) {
  unsetenv("HEDDLE_GENERALIZE");
  test_counts();
  return HD_TEST_RESULT();
}
