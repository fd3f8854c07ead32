/* SPDX-License-Identifier: Apache-2.0 */
/* How a file is recognised as HLO text by its first words. */
#include "hlo/hlo.h"

#include "base/testing.h"

static bool is_hlo(const char *text) { return hd_hlo_is(hd_str_of(text)); }

/* HLO text is known by its first words, and MLIR is none. */
static void test_first_words(void) {
  HD_CHECK(is_hlo("HloModule m\n"));
  HD_CHECK(is_hlo("// a comment\n/* another */ HloModule m, is_scheduled=true"));
  HD_CHECK(is_hlo("ENTRY %main (p: f32[]) -> f32[] {"));
  HD_CHECK(is_hlo("%region_0.1 (x: f32[]) -> f32[] {"));
  HD_CHECK(is_hlo("gelu {\n"));
  HD_CHECK(!is_hlo(""));
  HD_CHECK(!is_hlo("%"));
  HD_CHECK(!is_hlo("module {\n"));
  HD_CHECK(!is_hlo("module @m {\n"));
  HD_CHECK(!is_hlo("func.func @main() {\n"));
  HD_CHECK(!is_hlo("%0 = stablehlo.constant dense<1> : tensor<i32>"));
  HD_CHECK(!is_hlo("\"builtin.module\"() ({"));
  HD_CHECK(!is_hlo("#map = affine_map<(d0) -> (d0)>"));
  HD_CHECK(!is_hlo("HloModules"));
}

int main(void) {
  test_first_words();
  return HD_TEST_RESULT();
}
