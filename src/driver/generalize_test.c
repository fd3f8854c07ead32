/* SPDX-License-Identifier: Apache-2.0 */
/* Generalisation: two static programs become one with unknown dims and a rule that says which sizes it serves. */
#include "heddle/generalize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/testing.h"

static hd_shape_form *form_of(const char *text) {
  hd_shape_form *form;
  hd_message_sink sink = {0};
  hd_status status = hd_shape_form_create(text, strlen(text), "form.mlir", NULL, sink, &form);
  HD_CHECK(hd_is_ok(status));
  hd_status_free(status);
  return form;
}

/* A mean over rows of b x s, scaled by |scale|: sizes in types, a broadcast and a divisor. */
static hd_shape_form *mean_of(int b, int s, double divisor, const char *op) {
  char text[1024];
  snprintf(text, sizeof text,
           "func.func @main(%%x: tensor<%dx%dxf32>) -> tensor<%dx%dxf32> {\n"
           "  %%zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
           "  %%n = stablehlo.constant dense<%.1f> : tensor<f32>\n"
           "  %%sum = stablehlo.reduce(%%x init: %%zero) applies stablehlo.%s across dimensions = [1]\n"
           "    : (tensor<%dx%dxf32>, tensor<f32>) -> tensor<%dxf32>\n"
           "  %%ns = stablehlo.broadcast_in_dim %%n, dims = [] : (tensor<f32>) -> tensor<%dxf32>\n"
           "  %%mean = stablehlo.divide %%sum, %%ns : tensor<%dxf32>\n"
           "  %%all = stablehlo.broadcast_in_dim %%mean, dims = [0] : (tensor<%dxf32>) -> tensor<%dx%dxf32>\n"
           "  return %%all : tensor<%dx%dxf32>\n}\n",
           b, s, b, s, divisor, op, b, s, b, b, b, b, b, s, b, s);
  return form_of(text);
}

static bool same_family(const hd_shape_form *a, const hd_shape_form *b) {
  return !memcmp(hd_shape_form_key(a), hd_shape_form_key(b), 16);
}

static void generalize(const hd_shape_form *const *two, hd_blob *program, hd_shape_rule **rule) {
  hd_message_sink sink = {0};
  hd_status status = hd_generalize(two, 2, sink, program, rule);
  HD_CHECK(hd_is_ok(status));
  hd_status_free(status);
}

static void test_rule(void) {
  hd_shape_form *forms[] = {mean_of(4, 8, 8, "add"),   mean_of(6, 16, 16, "add"),   mean_of(5, 32, 32, "add"),
                            mean_of(5, 32, 31, "add"), mean_of(4, 8, 8, "maximum"), mean_of(4, 8, 8, "add")};
  HD_CHECK(same_family(forms[0], forms[1]));
  HD_CHECK(same_family(forms[0], forms[3]));
  HD_CHECK(!same_family(forms[0], forms[4]));
  HD_CHECK(!memcmp(hd_shape_form_identity(forms[0]), hd_shape_form_identity(forms[5]), 16));
  HD_CHECK(memcmp(hd_shape_form_identity(forms[0]), hd_shape_form_identity(forms[1]), 16));
  size_t rank;
  const int64_t *dims = hd_shape_form_argument(forms[1], 0, &rank);
  HD_CHECK(rank == 2 && dims[0] == 6 && dims[1] == 16);
  HD_CHECK(!hd_shape_form_argument(forms[1], 1, &rank));

  hd_blob program;
  hd_shape_rule *rule;
  generalize((const hd_shape_form *[]){forms[0], forms[1]}, &program, &rule);
  HD_CHECK(hd_shape_rule_symbols(rule) == 2);
  HD_CHECK(strstr(program.data, "tensor<?x?xf32>"));
  for (int i = 0; i < 3; ++i) HD_CHECK(hd_shape_rule_admits(rule, forms[i]));
  HD_CHECK(!hd_shape_rule_admits(rule, forms[3])); /* a divisor that is not the size */
  HD_CHECK(!hd_shape_rule_admits(rule, forms[4])); /* another family */
  hd_blob_free(&program);
  hd_shape_rule_release(rule);

  /* Nothing explains the divisor 31 beside 8: it is an input, of one element. */
  const hd_shape_form *wrong[] = {forms[0], forms[1], forms[3]};
  hd_message_sink sink = {0};
  hd_status status = hd_generalize(wrong, 3, sink, &program, &rule);
  HD_CHECK(hd_is_ok(status) && hd_shape_rule_lifted(rule) == 1);
  for (int i = 0; i < 4; ++i) HD_CHECK(hd_shape_rule_admits(rule, forms[i]));
  hd_shape_constant divisor = hd_shape_rule_feeds(rule, forms[3], 0);
  HD_CHECK(!divisor.rank && divisor.size == sizeof(float) && *(const float *)divisor.data == 31);
  HD_CHECK(!hd_shape_rule_feeds(rule, forms[3], 1).data);
  hd_blob_free(&program);
  hd_shape_rule_release(rule);
  const hd_shape_form *mixed[] = {forms[0], forms[4]};
  status = hd_generalize(mixed, 2, sink, &program, &rule);
  HD_CHECK(hd_status_code_of(status) == HD_FAILED_PRECONDITION);
  hd_status_free(status);
  const hd_shape_form *equal[] = {forms[0], forms[5]};
  status = hd_generalize(equal, 2, sink, &program, &rule);
  HD_CHECK(hd_status_code_of(status) == HD_FAILED_PRECONDITION);
  hd_status_free(status);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) hd_shape_form_release(forms[i]);
}

/* The part of a tensor that a process has: its size is known though its place is not. */
static hd_shape_form *part_of(int all, int partitions) {
  char text[1024];
  snprintf(text, sizeof text,
           "module attributes {mhlo.num_partitions = %d : i32} {\n"
           "func.func @main(%%x: tensor<%dx4xf32>, %%at: tensor<i32>) -> tensor<%dx4xf32> {\n"
           "  %%zero = stablehlo.constant dense<0> : tensor<i32>\n"
           "  %%part = stablehlo.dynamic_slice %%x, %%at, %%zero, sizes = [%d, 4]\n"
           "    : (tensor<%dx4xf32>, tensor<i32>, tensor<i32>) -> tensor<%dx4xf32>\n"
           "  return %%part : tensor<%dx4xf32>\n}\n}\n",
           partitions, all, all / 2, all / 2, all, all / 2, all / 2);
  return form_of(text);
}

static void test_parts(void) {
  hd_shape_form *forms[] = {part_of(8, 2), part_of(12, 2), part_of(12, 4)};
  HD_CHECK(same_family(forms[0], forms[1]));
  HD_CHECK(!same_family(forms[0], forms[2])); /* collectives would mean something else */
  hd_blob program;
  hd_shape_rule *rule;
  generalize((const hd_shape_form *[]){forms[0], forms[1]}, &program, &rule);
  HD_CHECK(strstr(program.data, "stablehlo.dynamic_gather"));
  hd_blob_free(&program);
  hd_shape_rule_release(rule);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) hd_shape_form_release(forms[i]);
}

/* Floats of |n| lists of random bits, and the bytes that each of them has. */
static hd_shape_form *bits_of(int n) {
  char text[512];
  snprintf(text, sizeof text,
           "func.func @main(%%x: tensor<%dx3xui32>) -> (tensor<%dx3xf32>, tensor<%dx3x4xui8>) {\n"
           "  %%f = stablehlo.bitcast_convert %%x : (tensor<%dx3xui32>) -> tensor<%dx3xf32>\n"
           "  %%b = stablehlo.bitcast_convert %%f : (tensor<%dx3xf32>) -> tensor<%dx3x4xui8>\n"
           "  return %%f, %%b : tensor<%dx3xf32>, tensor<%dx3x4xui8>\n}\n",
           n, n, n, n, n, n, n, n, n);
  return form_of(text);
}

static void test_bits(void) {
  hd_shape_form *forms[] = {bits_of(4), bits_of(6), bits_of(0)};
  hd_blob program;
  hd_shape_rule *rule;
  generalize((const hd_shape_form *[]){forms[0], forms[1]}, &program, &rule);
  HD_CHECK(program.data && strstr(program.data, "tensor<?x3x4xui8>"));
  HD_CHECK(rule && hd_shape_rule_admits(rule, forms[2]));
  hd_blob_free(&program);
  hd_shape_rule_release(rule);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) hd_shape_form_release(forms[i]);
}

/* |n| rows of a table of |all|, put back among zeros: the number of zeros falls as the rows rise. */
static hd_shape_form *put_back(int64_t n, int64_t all) {
  char text[512];
  snprintf(text, sizeof text,
           "func.func @main(%%x: tensor<%ldx3xf32>, %%z: tensor<f32>) -> tensor<%ldx3xf32> {\n"
           "  %%p = stablehlo.pad %%x, %%z, low = [0, 0], high = [%ld, 0], interior = [0, 0]\n"
           "    : (tensor<%ldx3xf32>, tensor<f32>) -> tensor<%ldx3xf32>\n"
           "  return %%p : tensor<%ldx3xf32>\n}\n",
           (long)n, (long)all, (long)(all - n), (long)n, (long)all, (long)all);
  return form_of(text);
}

static void test_falling(void) {
  hd_shape_form *forms[] = {put_back(4, 24), put_back(6, 24), put_back(24, 24), put_back(5, 23)};
  hd_blob program;
  hd_shape_rule *rule;
  generalize((const hd_shape_form *[]){forms[0], forms[1]}, &program, &rule);
  HD_CHECK(program.data && strstr(program.data, "stablehlo.dynamic_pad"));
  HD_CHECK(rule && hd_shape_rule_admits(rule, forms[2]));
  HD_CHECK(rule && !hd_shape_rule_admits(rule, forms[3])); /* another table */
  hd_blob_free(&program);
  hd_shape_rule_release(rule);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) hd_shape_form_release(forms[i]);
}

/* The first |k| of |n| rows, as one row. */
static hd_shape_form *first_rows(int n, int k) {
  char text[512];
  snprintf(text, sizeof text,
           "func.func @main(%%x: tensor<%dx3xf32>) -> tensor<%dxf32> {\n"
           "  %%h = stablehlo.slice %%x [0:%d, 0:3] : (tensor<%dx3xf32>) -> tensor<%dx3xf32>\n"
           "  %%r = stablehlo.reshape %%h : (tensor<%dx3xf32>) -> tensor<%dxf32>\n"
           "  return %%r : tensor<%dxf32>\n}\n",
           n, 3 * k, k, n, k, k, 3 * k, 3 * k);
  return form_of(text);
}

/* Sizes that are rounded: |k| rows of |n| in all samples but the last, which is no such number. */
static void check_rounding(const int (*samples)[2], const char *part) {
  hd_shape_form *forms[4];
  for (int i = 0; i < 4; ++i) forms[i] = first_rows(samples[i][0], samples[i][1]);
  hd_blob program;
  hd_shape_rule *rule;
  generalize((const hd_shape_form *[]){forms[0], forms[1]}, &program, &rule);
  HD_CHECK(program.data && strstr(program.data, part));
  HD_CHECK(rule && hd_shape_rule_admits(rule, forms[2]));
  HD_CHECK(rule && !hd_shape_rule_admits(rule, forms[3]));
  hd_blob_free(&program);
  hd_shape_rule_release(rule);
  for (int i = 0; i < 4; ++i) hd_shape_form_release(forms[i]);
}

static void test_rounding(void) {
  check_rounding((const int[][2]){{9, 4}, {14, 7}, {31, 15}, {31, 16}}, "stablehlo.divide");        /* n // 2 */
  check_rounding((const int[][2]){{11, 3}, {18, 5}, {33, 9}, {33, 8}}, "stablehlo.divide");         /* -(-n // 4) */
  check_rounding((const int[][2]){{90, 64}, {140, 128}, {64, 64}, {65, 63}}, "stablehlo.multiply"); /* 64 * (n // 64) */
  check_rounding((const int[][2]){{13, 5}, {31, 7}, {16, 0}, {16, 8}}, "stablehlo.subtract");       /* n % 8 */
}

/* Two tables of |n| elements, the same where |equal|, and a scale: a list when n is small, one element when it is 1. */
static hd_shape_form *tables_of(int n, double scale, int equal) {
  char first[512], second[512], text[2048];
  size_t a = 0, b = 0;
  for (int i = 0; i < n; ++i) {
    a += (size_t)snprintf(first + a, sizeof first - a, i ? ", %d.0" : "%d.0", i);
    b += (size_t)snprintf(second + b, sizeof second - b, i ? ", %d.0" : "%d.0", equal ? i : i * i + 3);
  }
  first[a] = second[b] = 0;
  snprintf(text, sizeof text,
           "func.func @main(%%x: tensor<%dx4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<%dx4xf32> {\n"
           "  %%a = stablehlo.constant dense<[%s]> : tensor<%dxf32>\n"
           "  %%b = stablehlo.constant dense<[%s]> : tensor<%dxf32>\n"
           "  %%c = stablehlo.constant dense<%.9f> : tensor<%dxf32>\n"
           "  %%ab = stablehlo.add %%a, %%b : tensor<%dxf32>\n"
           "  %%abc = stablehlo.multiply %%ab, %%c : tensor<%dxf32>\n"
           "  %%all = stablehlo.broadcast_in_dim %%abc, dims = [0] : (tensor<%dxf32>) -> tensor<%dx4xf32>\n"
           "  %%y = stablehlo.add %%x, %%all : tensor<%dx4xf32>\n"
           "  return %%y : tensor<%dx4xf32>\n}\n",
           n, n, first, n, second, n, scale, n, n, n, n, n, n, n);
  return form_of(text);
}

static void test_tables(void) {
  hd_shape_form *forms[] = {tables_of(4, 0.5, 1),  tables_of(6, 0.408248, 1), tables_of(1, 1, 1),
                            tables_of(0, 0.25, 1), tables_of(40, 0.1, 1),     tables_of(40, 0.1, 0),
                            tables_of(4, 0.25, 1)};
  for (size_t i = 1; i < sizeof forms / sizeof *forms; ++i) HD_CHECK(same_family(forms[0], forms[i]));
  HD_CHECK(memcmp(hd_shape_form_identity(forms[0]), hd_shape_form_identity(forms[6]), 16));
  HD_CHECK(hd_shape_form_unlike(forms[0], forms[6]) == SIZE_MAX); /* no dims differ */
  HD_CHECK(hd_shape_form_unlike(forms[0], forms[1]) == 3);
  HD_CHECK(hd_shape_form_unlike(forms[1], forms[3]) == 0); /* no elements, so none that differ */

  hd_blob program;
  hd_shape_rule *rule;
  generalize((const hd_shape_form *[]){forms[0], forms[1]}, &program, &rule);
  HD_CHECK(hd_shape_rule_lifted(rule) == 2); /* one table for both, and the scale */
  HD_CHECK(program.data && strstr(program.data, "%arg1: tensor<?xf32>") && strstr(program.data, "%arg2: tensor<f32>"));
  for (int i = 0; i < 5; ++i) HD_CHECK(hd_shape_rule_admits(rule, forms[i]));
  HD_CHECK(!hd_shape_rule_admits(rule, forms[5])); /* two tables */
  HD_CHECK(hd_shape_rule_admits(rule, forms[6]));
  hd_shape_constant table = hd_shape_rule_feeds(rule, forms[4], 0), scale = hd_shape_rule_feeds(rule, forms[4], 1);
  HD_CHECK(table.rank == 1 && table.dims[0] == 40 && table.size == 40 * sizeof(float));
  HD_CHECK(((const float *)table.data)[39] == 39);
  HD_CHECK(!scale.rank && scale.size == sizeof(float) && *(const float *)scale.data == 0.1f);
  HD_CHECK(hd_shape_rule_feeds(rule, forms[3], 0).size == 0);
  HD_CHECK(hd_shape_rule_feeds(rule, forms[3], 1).size >= sizeof(float));
  hd_blob_free(&program);
  hd_shape_rule_release(rule);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) hd_shape_form_release(forms[i]);
}

/* A sum of all up to each of |n|, in which |outside| is a value from outside of the computation. */
static hd_shape_form *sum_of(int n, int window, const char *outside) {
  char text[1024];
  snprintf(text, sizeof text,
           "func.func @main(%%x: tensor<%dx3xf32>, %%z: tensor<f32>) -> tensor<%dx3xf32> {\n"
           "  %%s = \"stablehlo.reduce_window\"(%%x, %%z) ({\n  ^bb0(%%a: tensor<f32>, %%b: tensor<f32>):\n"
           "    %%c = stablehlo.add %%a, %%%s : tensor<f32>\n    stablehlo.return %%c : tensor<f32>\n"
           "  }) {window_dimensions = array<i64: %d, 1>, padding = dense<[[%d, 0], [0, 0]]> : tensor<2x2xi64>}\n"
           "    : (tensor<%dx3xf32>, tensor<f32>) -> tensor<%dx3xf32>\n"
           "  return %%s : tensor<%dx3xf32>\n}\n",
           n, n, outside, window, window - 1, n, n, n);
  return form_of(text);
}

static void test_windows(void) {
  hd_shape_form *forms[] = {sum_of(4, 4, "b"), sum_of(6, 6, "b"), sum_of(9, 9, "b"), sum_of(4, 4, "z"),
                            sum_of(6, 6, "z")};
  hd_blob program;
  hd_shape_rule *rule;
  generalize((const hd_shape_form *[]){forms[0], forms[1]}, &program, &rule);
  HD_CHECK(program.data && strstr(program.data, "@stablehlo.dynamic_reduce_window"));
  HD_CHECK(program.data && strstr(program.data, "func.func private @reducer"));
  HD_CHECK(rule && hd_shape_rule_admits(rule, forms[2]));
  hd_blob_free(&program);
  hd_shape_rule_release(rule);
  hd_message_sink sink = {0};
  hd_status status = hd_generalize((const hd_shape_form *[]){forms[3], forms[4]}, 2, sink, &program, &rule);
  HD_CHECK(hd_status_code_of(status) == HD_FAILED_PRECONDITION && strstr(hd_status_message(status), "other values"));
  hd_status_free(status);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) hd_shape_form_release(forms[i]);
}

/* Elements of a resource are part of the program: its name is not enough. */
static void test_resources(void) {
  hd_shape_form *forms[2];
  for (int i = 0; i < 2; ++i) {
    char text[512];
    snprintf(text, sizeof text,
             "func.func @main(%%x: tensor<2xi32>) -> tensor<2xi32> {\n"
             "  %%t = stablehlo.constant dense_resource<t> : tensor<2xi32>\n"
             "  %%y = stablehlo.add %%x, %%t : tensor<2xi32>\n  return %%y : tensor<2xi32>\n}\n"
             "{-# dialect_resources: { builtin: { t: \"0x04000000010000000%d000000\" } } #-}\n",
             i);
    forms[i] = form_of(text);
  }
  HD_CHECK(same_family(forms[0], forms[1]));
  HD_CHECK(memcmp(hd_shape_form_identity(forms[0]), hd_shape_form_identity(forms[1]), 16));
  for (int i = 0; i < 2; ++i) hd_shape_form_release(forms[i]);
}

static void test_bad_programs(void) {
  static const char *const texts[] = {
      "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : tensor<?xf32>\n}\n",
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n", "", "module {}"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    hd_shape_form *form;
    hd_message_sink sink = {0};
    hd_status status = hd_shape_form_create(texts[i], strlen(texts[i]), "bad.mlir", NULL, sink, &form);
    HD_CHECK(!hd_is_ok(status) && !form);
    hd_status_free(status);
  }
}

int main(void) {
  test_rule();
  test_parts();
  test_bits();
  test_falling();
  test_rounding();
  test_tables();
  test_windows();
  test_resources();
  test_bad_programs();
  return HD_TEST_RESULT();
}
