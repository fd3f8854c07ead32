/* SPDX-License-Identifier: Apache-2.0 */
/* MLIR bytecode: modules written and read back, damaged bytes, versions of a target, rows of VHLO. */
#include "bytecode/bytecode.h"

#include "base/testing.h"
#include "bytecode/vhlo.h"
#include "text/text.h"

static const char program[] =
    "module @m attributes {a.b = 1 : i32} {\n"
    "  func.func @f(%arg0: tensor<?x4xf32>, %arg1: tensor<i1>) -> tensor<?x4xf32> {\n"
    "    %0 = \"stablehlo.if\"(%arg1) ({\n"
    "      stablehlo.return %arg0 : tensor<?x4xf32>\n"
    "    }, {\n"
    "      %1 = stablehlo.negate %arg0 : tensor<?x4xf32>\n"
    "      stablehlo.return %1 : tensor<?x4xf32>\n"
    "    }) : (tensor<i1>) -> tensor<?x4xf32>\n"
    "    return %0 : tensor<?x4xf32>\n"
    "  }\n"
    "}\n";

static hd_context *open_context(void) {
  hd_context *context;
  if (!HD_CHECK_OK(hd_context_create(0, &context))) return NULL;
  hd_text_install(context);
  return context;
}

static hd_module *parse(hd_context *context, const char *text) {
  hd_module *module;
  return HD_CHECK_OK(hd_text_parse(context, hd_str_of(text), "test", &module)) ? module : NULL;
}

static void check_same(hd_context *context, hd_module *module, const hd_strbuf *bytes) {
  hd_module *again;
  if (!HD_CHECK_OK(hd_bytecode_parse(context, bytes->data, bytes->len, "bytes", &again))) return;
  hd_strbuf one, two;
  hd_strbuf_init(&one, &context->arena);
  hd_strbuf_init(&two, &context->arena);
  hd_text_print(module->op, NULL, &one);
  hd_text_print(again->op, NULL, &two);
  HD_CHECK_STR(hd_strbuf_text(&two), hd_strbuf_text(&one));
  hd_module_free(again);
}

static void test_round_trip(void) {
  static const char *const versions[] = {NULL, "0.9.0", "0.10.0", "0.12.3", "0.14.0", "0.20.0", "1.20.0"};
  hd_context *context = open_context();
  hd_module *module = parse(context, program);
  for (size_t i = 0; i < sizeof versions / sizeof *versions; ++i) {
    hd_strbuf bytes;
    hd_strbuf_init(&bytes, &context->arena);
    if (!HD_CHECK_OK(hd_bytecode_write(module, &(hd_bytecode_options){.target_version = versions[i]}, &bytes)))
      continue;
    HD_CHECK(hd_bytecode_is(bytes.data, bytes.len));
    check_same(context, module, &bytes);
  }
  hd_strbuf plain;
  hd_strbuf_init(&plain, &context->arena);
  if (HD_CHECK_OK(hd_bytecode_write(module, &(hd_bytecode_options){.plain = true}, &plain)))
    check_same(context, module, &plain);
  hd_module_free(module);
  hd_context_release(context);
}

/* Every beginning of a good file, and every file with one wrong byte, gives a module or a located error. */
static void test_damage(void) {
  hd_context *context = open_context();
  hd_module *module = parse(context, program), *made;
  hd_strbuf bytes;
  hd_strbuf_init(&bytes, &context->arena);
  HD_CHECK_OK(hd_bytecode_write(module, NULL, &bytes));
  size_t refused = 0;
  for (size_t size = 4; size < bytes.len; ++size) {
    hd_status status = hd_bytecode_parse(context, bytes.data, size, "cut", &made);
    HD_CHECK(!hd_is_ok(status) && !made);
    hd_status_free(status);
  }
  for (size_t at = 4; at < bytes.len; ++at) {
    char kept = bytes.data[at];
    bytes.data[at] = (char)(kept ^ 0x41);
    hd_status status = hd_bytecode_parse(context, bytes.data, bytes.len, "bad", &made);
    refused += !hd_is_ok(status);
    if (made) hd_module_free(made);
    hd_status_free(status);
    bytes.data[at] = kept;
  }
  HD_CHECK(refused > bytes.len / 2);
  hd_module_free(module);
  hd_context_release(context);
}

static void test_errors(void) {
  static const struct {
    const char *bytes, *part;
    size_t size;
  } cases[] = {
#define CASE(text, part) {text, part, sizeof(text) - 1}
      CASE("module {}", "this is not bytecode"),
      CASE("ML\xefR", "expected a byte, got the end of the section (at byte 4"),
      CASE("ML\xefR\x0f"
           "x",
           "bytecode version 7 is not known, expected 0 to 6 (at byte 4"),
      CASE("ML\xefR\x0d"
           "x",
           "expected a text that ends with a NUL"),
      CASE("ML\xefR\x0d"
           "x\0",
           "the section of strings is missing"),
      CASE("ML\xefR\x0d"
           "x\0\x00\x00\x01",
           "expected 8 more bytes of an integer, got 1"),
      CASE("ML\xefR\x0d"
           "x\0\x00\xff\x01",
           "expected 127 bytes, but only 1 are left (at byte 9"),
      CASE("ML\xefR\x0d"
           "x\0\x0b\x01",
           "no section is numbered 11"),
#undef CASE
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    hd_context *context = open_context();
    hd_module *made;
    hd_status status = hd_bytecode_parse(context, cases[i].bytes, cases[i].size, "bytes", &made);
    HD_CHECK_FAILS(status, HD_INVALID_ARGUMENT, cases[i].part);
    hd_context_release(context);
  }
}

static void test_target(void) {
  hd_context *context = open_context();
  hd_module *module = parse(context,
                            "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { %0 = stablehlo.tan %a : tensor<4xf32> "
                            "return %0 : tensor<4xf32> }");
  hd_strbuf bytes;
  hd_strbuf_init(&bytes, &context->arena);
  HD_CHECK_FAILS(hd_bytecode_write(module, &(hd_bytecode_options){.target_version = "1.0.0"}, &bytes),
                 HD_INVALID_ARGUMENT, "has no portable form in version 1.0.0");
  HD_CHECK_FAILS(hd_bytecode_write(module, &(hd_bytecode_options){.target_version = "1.99.0"}, &bytes),
                 HD_INVALID_ARGUMENT, "is not one of 0.9.0 to 1.20.0");
  HD_CHECK_OK(hd_bytecode_write(module, &(hd_bytecode_options){.target_version = "1.4.0"}, &bytes));
  hd_module_free(module);
  hd_context_release(context);
}

/* Every row of vhlo names an op, and its attributes are those of the op's row, in order. */
static void test_rows(void) {
  hd_context *context = open_context();
  int rows = 0;
  for (int i = 1; i < HD_OPCODE_COUNT; ++i) {
    hd_vhlo_row row;
    if (strncmp(hd_op_info_of((hd_opcode)i)->name, "vhlo.", 5) != 0) continue;
    if (!HD_CHECK(hd_vhlo_row_of(context, (hd_opcode)i, &row))) continue;
    ++rows;
    hd_vhlo_item items[HD_VHLO_MAX_ITEMS];
    size_t count = hd_vhlo_items(context, &row, items);
    const hd_signature *signature = hd_signature_of(context, (hd_opcode)i);
    HD_CHECK_INT(count, signature->attrs.count);
    for (size_t k = 0; k < count && k < signature->attrs.count; ++k) {
      HD_CHECK_STR(items[k].name->text, signature->attrs.items[k].name->text);
      HD_CHECK(!k || strcmp(items[k - 1].name->text, items[k].name->text) < 0);
    }
    HD_CHECK(row.first >= HD_VHLO_OLDEST && row.first <= HD_VHLO_CURRENT && row.last >= row.first);
  }
  HD_CHECK(rows > 140);
  hd_context_release(context);
}

int main(void) {
  test_round_trip();
  test_damage();
  test_errors();
  test_target();
  test_rows();
  return HD_TEST_RESULT();
}
