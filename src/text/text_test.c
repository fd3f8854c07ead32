/* SPDX-License-Identifier: Apache-2.0 */
/* Every row's format can be read; single types and attributes print as they are written; bad bytes give errors. */
#include "text/text.h"

#include "base/testing.h"
#include "text/defaults.h"
#include "text/format.h"

static void test_rows(hd_context *c) {
  for (int i = 1; i < HD_OPCODE_COUNT; ++i) {
    const hd_format_list *format = hd_op_format(c, (hd_opcode)i);
    if (!format) continue;
    hd_test_check_(!format->problem, __FILE__, __LINE__, "%s: %s", hd_op_info_of((hd_opcode)i)->name,
                   format->problem ? format->problem : "");
    const hd_signature_list *attrs = &hd_signature_of(c, (hd_opcode)i)->attrs;
    for (size_t k = 0; k < attrs->count; ++k)
      if (attrs->items[k].default_text.len)
        hd_test_check_(hd_default_of(c, &attrs->items[k]) != NULL, __FILE__, __LINE__,
                       "%s: the default of '%s' is no attribute", hd_op_info_of((hd_opcode)i)->name,
                       attrs->items[k].name->text);
  }
  for (int i = 0; i < HD_ATTR_ROW_COUNT; ++i) {
    const char *problem = hd_attr_row_format(c, i)->format.problem;
    hd_test_check_(!problem, __FILE__, __LINE__, "%s: %s", hd_attr_row_info_of(i)->name, problem ? problem : "");
  }
  for (int i = 0; i < HD_TYPE_ROW_COUNT; ++i) {
    const char *problem = hd_type_row_format(c, i)->format.problem;
    hd_test_check_(!problem, __FILE__, __LINE__, "%s: %s", hd_type_row_info_of(i)->name, problem ? problem : "");
  }
}

static const char *print_type(hd_context *c, const char *text) {
  hd_strbuf out;
  hd_strbuf_init(&out, &c->arena);
  hd_text_print_type(hd_text_parse_type(c, hd_str_of(text)), &out);
  return hd_strbuf_text(&out);
}

static const char *print_attr(hd_context *c, const char *text) {
  hd_strbuf out;
  hd_strbuf_init(&out, &c->arena);
  hd_text_print_attr(hd_text_parse_attr(c, "<attribute>", hd_str_of(text)), &out);
  return hd_strbuf_text(&out);
}

static void test_types(hd_context *c) {
  static const char *const same[] = {"tensor<4x?xf32>",
                                     "tensor<*xi1>",
                                     "tensor<f64>",
                                     "tensor<0x0x8xbf16>",
                                     "memref<?x8xf32, strided<[?, 1], offset: ?>, 3>",
                                     "memref<*xf32, 1>",
                                     "memref<4xf32, #gpu.address_space<workgroup>>",
                                     "vector<4x[8]xi8>",
                                     "complex<f32>",
                                     "tuple<i1, tuple<>, index>",
                                     "(f32, i32) -> (f32, i64)",
                                     "() -> ()",
                                     "(i1) -> ((i1) -> i1)",
                                     "!stablehlo.token",
                                     "!quant.uniform<i8:f32, 5.000000e-01:3>",
                                     "!quant.uniform<u8<1:200>:f32:1, {5.000000e-01:3,2.500000e-01}>",
                                     "tensor<2xf8E4M3FN, #stablehlo.bounds<4>>",
                                     "!llvm.ptr",
                                     "!llvm.ptr<3>",
                                     "!llvm.array<4 x f32>",
                                     "!llvm.struct<(i32, ptr)>",
                                     "!llvm.struct<\"a\", packed (i8)>",
                                     "!llvm.func<void (i32, ...)>",
                                     "!gpu.async.token",
                                     "none",
                                     "ui4",
                                     "si16"};
  for (size_t i = 0; i < sizeof same / sizeof *same; ++i) HD_CHECK_STR(print_type(c, same[i]), same[i]);
  HD_CHECK_STR(print_type(c, "memref<4x8xf32, affine_map<(d0, d1) -> (d0, d1)>>"), "memref<4x8xf32>");
  HD_CHECK(hd_text_parse_type(c, HD_STR("tensor<4xf32")) == NULL);
  HD_CHECK(hd_text_parse_type(c, HD_STR("vector<?xf32>")) == NULL);
  HD_CHECK(hd_text_parse_type(c, HD_STR("tensor<4xf32> x")) == NULL);
}

static void test_attrs(hd_context *c) {
  static const char *const same[][2] = {
      {"1", "1 : i64"},
      {"-1 : i8", "-1 : i8"},
      {"0x10 : i32", "16 : i32"},
      {"1.5", "1.500000e+00 : f64"},
      {"0x7FC00000 : f32", "0x7FC00000 : f32"},
      {"1.0e-5 : f32", "9.99999974E-6 : f32"},
      {"0.1 : f64", "1.000000e-01 : f64"},
      {"3.14159274 : f32", "3.14159274 : f32"},
      {"123456789.0 : f64", "0x419D6F3454000000 : f64"},
      {"-0.0 : f16", "-0.000000e+00 : f16"},
      {"[1, 2 : i32, \"a\"]", "[1, 2 : i32, \"a\"]"},
      {"{b = 1, a}", "{a, b = 1 : i64}"},
      {"@a::@\"b c\"", "@a::@\"b c\""},
      {"dense<[1, 1]> : tensor<2xi8>", "dense<1> : tensor<2xi8>"},
      {"dense<\"0x0102\"> : tensor<2xi8>", "dense<[1, 2]> : tensor<2xi8>"},
      {"array<i64>", "array<i64>"},
      {"array<i1: true, false>", "array<i1: true, false>"},
      {"affine_map<(i, j)[n] -> (i + 1, j * n, -j, i - j floordiv 2)>",
       "affine_map<(d0, d1)[s0] -> (d0 + 1, d1 * s0, -d1, d0 - d1 floordiv 2)>"},
      {"#stablehlo<precision HIGH>", "#stablehlo<precision HIGH>"},
      {"#arith.fastmath<nnan,ninf>", "#arith.fastmath<nnan,ninf>"},
      {"#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>", "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"},
      {"loc(callsite(\"a\" at \"f\":1:2 to :3))", "loc(callsite(\"a\" at \"f\":1:2 to :3))"},
      {"unit", "unit"},
      {"tensor<2xf32>", "tensor<2xf32>"}};
  for (size_t i = 0; i < sizeof same / sizeof *same; ++i) HD_CHECK_STR(print_attr(c, same[i][0]), same[i][1]);
  HD_CHECK(hd_text_parse_attr(c, "<attribute>", HD_STR("256 : i8")) == NULL);
  HD_CHECK(hd_text_parse_attr(c, "<attribute>", HD_STR("dense<[1, [2]]> : tensor<2xi8>")) == NULL);
  HD_CHECK(hd_text_parse_attr(c, "<attribute>", HD_STR("affine_map<(d0) -> (d1)>")) == NULL);
}

/* Nesting, and names with absurd numbers, are refused in bounded memory. */
static void test_bounds(void) {
  hd_context *c;
  hd_module *module;
  if (!HD_CHECK_OK(hd_context_create(64u << 20, &c))) return;
  hd_strbuf deep;
  hd_strbuf_init(&deep, &c->arena);
  for (int i = 0; i < 100000; ++i) hd_strbuf_puts(&deep, "[");
  HD_CHECK(hd_text_parse_attr(c, "<attribute>", (hd_str){deep.data, deep.len}) == NULL);
  hd_str big = HD_STR("func.func @f() { return %a#4000000000 : f32 }");
  HD_CHECK_FAILS(hd_text_parse(c, big, "big", &module), HD_INVALID_ARGUMENT, "undeclared");
  hd_context_release(c);
}

int main(void) {
  hd_context *c;
  if (!HD_CHECK_OK(hd_context_create(0, &c))) return HD_TEST_RESULT();
  hd_text_install(c);
  test_rows(c);
  test_types(c);
  test_attrs(c);
  test_bounds();
  hd_context_release(c);
  return HD_TEST_RESULT();
}
