/* SPDX-License-Identifier: Apache-2.0 */
/* Encoded names of runtime calls: parsed, printed and refused. */
#include "runtime/ral_names.h"

#include "base/testing.h"

static void round_trip(const char *name) {
  hd_ral_signature signature;
  char out[HD_RAL_MAX_NAME], part[64];
  if (!HD_CHECK_OK(hd_ral_decode(name, &signature))) return;
  snprintf(out, sizeof out, "%s__", signature.prefix);
  for (size_t i = 0; i <= signature.arg_count; ++i) {
    const hd_ral_type *type = i < signature.arg_count ? &signature.args[i] : &signature.result;
    if (!HD_CHECK(hd_ral_encode_type(type, part, sizeof part))) return;
    /* One byte too little is refused. */
    HD_CHECK(!hd_ral_encode_type(type, part, strlen(part)));
    HD_CHECK(hd_ral_encode_type(type, part, sizeof part));
    snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s", i < signature.arg_count ? "_" : "___", part);
  }
  HD_CHECK_STR(out, name);
}

int main(void) {
  round_trip("ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void");
  round_trip("ral_recv_input___pvoid_i64___m0dbf16");
  round_trip("x___pvoid___pvoid");
  round_trip("a_b__c___pvoid_ui8_si4_m16df8E4M3B11FNUZ___cf64");
#define X(id, number, type_class, bits, text, ral_name, xla_name, c_type) \
  round_trip("f___pvoid_" #ral_name "___" #ral_name);                     \
  round_trip("f___pvoid_m3d" #ral_name "___m0d" #ral_name);
  HD_ELEMENT_TYPES(X)
#undef X

  hd_ral_signature signature;
  HD_CHECK_OK(hd_ral_decode("ral_gemm___pvoid_pvoid_m2df32_i1___void", &signature));
  HD_CHECK_STR(signature.prefix, "ral_gemm");
  HD_CHECK_INT(signature.arg_count, 4);
  HD_CHECK_INT(signature.args[2].kind, HD_RAL_MEMREF);
  HD_CHECK_INT(signature.args[2].rank, 2);
  HD_CHECK_INT(signature.args[2].element, HD_ELEMENT_F32);
  HD_CHECK_INT(signature.args[3].kind, HD_RAL_SCALAR);
  HD_CHECK_INT(signature.result.kind, HD_RAL_VOID);

  static const char *const bad[] = {"",
                                    "x",
                                    "1x___pvoid___void",
                                    "x___",
                                    "x______void",
                                    "x___pvoid",
                                    "x___pvoid___",
                                    "x___i1___void",
                                    "x___pvoid_void___void",
                                    "x___pvoid_m2f32___void",
                                    "x___pvoid_m65df32___void",
                                    "x___pvoid_m02df32___void",
                                    "x___pvoid_m2d*___void",
                                    "x___pvoid_i3___void",
                                    "x___pvoid__i1___void",
                                    "x___pvoid_i1_____void",
                                    "x___pvoid___void_",
                                    "x y___pvoid___void",
                                    "x___pvoid_m99999999999999df32___void"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    if (!HD_CHECK_FAILS(hd_ral_decode(bad[i], &signature), HD_INVALID_ARGUMENT, "expected"))
      fprintf(stderr, "  name %s\n", bad[i]);
  char many[1024] = "x___pvoid";
  for (int i = 0; i < 60; ++i) strcat(many, "_i1");
  strcat(many, "___void");
  HD_CHECK_FAILS(hd_ral_decode(many, &signature), HD_INVALID_ARGUMENT, "fewer arguments");
  memset(many, 'x', sizeof many - 1);
  many[sizeof many - 1] = 0;
  HD_CHECK_FAILS(hd_ral_decode(many, &signature), HD_INVALID_ARGUMENT, "longer than");

  HD_CHECK(hd_ral_name_matches("f___pvoid_m2d*___m2d*", "f___pvoid_m2df32___m2dbf16"));
  HD_CHECK(!hd_ral_name_matches("f___pvoid_m2d*___void", "f___pvoid_m3df32___void"));
  HD_CHECK(!hd_ral_name_matches("f___pvoid_m2d*___void", "f___pvoid_m2df99___void"));
  HD_CHECK(!hd_ral_name_matches("f___pvoid___void", "f___pvoid___voidx"));
  HD_CHECK(!hd_ral_name_matches("f___pvoid___voidx", "f___pvoid___void"));
  HD_CHECK_INT(hd_ral_name_distance("kitten", "sitting"), 3);
  HD_CHECK_INT(hd_ral_name_distance("", "abc"), 3);
  HD_CHECK_INT(hd_ral_name_distance("abc", "abc"), 0);
  /* Of any name that the grammar allows. */
  char longest[HD_RAL_MAX_NAME + 2];
  memset(longest, 'x', sizeof longest);
  longest[HD_RAL_MAX_NAME] = 0;
  HD_CHECK_INT(hd_ral_name_distance(longest, "xy"), HD_RAL_MAX_NAME - 1);
  longest[HD_RAL_MAX_NAME] = 'x', longest[HD_RAL_MAX_NAME + 1] = 0;
  HD_CHECK(hd_ral_name_distance(longest, "xy") == SIZE_MAX);
  return HD_TEST_RESULT();
}
