/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of dialect types and attributes: llvm's types, which leave out their prefix inside each other, matrices,
 * lists. */
#include <inttypes.h>

#include "text/printer.h"
#include "text/rows.h"

#define UNUSED_ARGS (void)row, (void)args, (void)count

/* llvm: ptr<3>, array<4 x ptr>, struct<(i32, ptr)> without the prefix inside an llvm type, any other type as usual. */
static hd_type parse_llvm_type(hd_parser *p) {
  if (hd_at(p, TOK_WORD)) {
    int row = hd_type_row_find(HD_STR("llvm"), p->tok.text);
    if (row >= 0) {
      if (!hd_enter(p)) return NULL;
      hd_advance(p);
      hd_type type = hd_parse_type_row(p, row);
      hd_leave(p);
      return type;
    }
  }
  return hd_parse_type(p);
}

static void print_llvm_type(hd_printer *out, hd_type type) {
  if (type->kind == HD_TYPE_DIALECT) {
    const hd_attr_row_info *info = hd_type_row_info_of(type->dialect.row);
    if (strcmp(info->dialect, "llvm") == 0) {
      hd_puts(out, info->name);
      hd_print_row_params(out, hd_type_row_format(out->context, type->dialect.row), type->dialect.params,
                          (hd_spacing){false, true});
      return;
    }
  }
  hd_print_type(out, type);
}

bool hd_parse_params_LlvmPtr(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                             hd_attr *params) {
  UNUSED_ARGS;
  if (!hd_accept(p, TOK_LESS)) return true;
  uint32_t space;
  if (!hd_parse_u32(p, &space) || !hd_expect(p, TOK_GREATER, "'>'")) return false;
  params[0] = space ? hd_attr_i32(p->context, space) : NULL;
  return true;
}
void hd_print_params_LlvmPtr(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                             const hd_attr *params) {
  UNUSED_ARGS;
  if (params[0] && params[0]->integer) hd_printf(out, "<%" PRId64 ">", params[0]->integer);
}

bool hd_parse_params_LlvmArray(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                               hd_attr *params) {
  UNUSED_ARGS;
  uint64_t size;
  if (!hd_expect(p, TOK_LESS, "'<'") || !hd_parse_uint(p, &size)) return false;
  if (size > INT64_MAX) return hd_parser_error(p, hd_here(p), "integer value too large");
  /* "4 x f32": the x may touch the type. */
  if (!hd_at(p, TOK_WORD) || hd_here(p)[0] != 'x') return hd_parser_expected(p, "'x'");
  hd_jump(p, hd_here(p) + 1);
  hd_type element = parse_llvm_type(p);
  if (!element || !hd_expect(p, TOK_GREATER, "'>'")) return false;
  params[0] = hd_attr_i64(p->context, (int64_t)size);
  params[1] = hd_attr_type(element);
  return true;
}
void hd_print_params_LlvmArray(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                               const hd_attr *params) {
  UNUSED_ARGS;
  hd_printf(out, "<%" PRId64 " x ", params[0]->integer);
  print_llvm_type(out, params[1]->type_value);
  hd_putc(out, '>');
}

static bool llvm_type_item(hd_parser *p, void *user) {
  hd_attr_vec *types = user;
  hd_type type = parse_llvm_type(p);
  if (!type) return false;
  hd_vec_push(&p->scratch, types, hd_attr_type(type));
  return true;
}

/* struct<(i32, ptr)>, struct<packed (i8)>, struct<"name", (i32)>, struct<"name", opaque>, struct<"name"> inside itself
 */
bool hd_parse_params_LlvmStruct(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                                hd_attr *params) {
  UNUSED_ARGS;
  hd_str name;
  if (!hd_expect(p, TOK_LESS, "'<'")) return false;
  if (hd_at(p, TOK_STRING)) {
    if (!hd_parse_string(p, &name)) return false;
    params[0] = hd_attr_string(p->context, name);
    if (hd_accept(p, TOK_GREATER)) return true;
    if (!hd_expect(p, TOK_COMMA, "','")) return false;
    if (hd_accept_word(p, "opaque")) {
      params[2] = hd_attr_array(p->context, NULL, 0);
      params[1] = NULL;
      return hd_expect(p, TOK_GREATER, "'>'");
    }
  }
  if (hd_accept_word(p, "packed")) params[1] = hd_attr_bool(p->context, true);
  hd_attr_vec types = {0};
  if (!hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, llvm_type_item, &types)) return false;
  params[2] = hd_attr_array(p->context, types.data, types.len);
  return hd_expect(p, TOK_GREATER, "'>'");
}
static void print_llvm_types(hd_printer *out, hd_attr types) {
  for (uint32_t i = 0; types && i < types->array.count; ++i) {
    if (i) hd_puts(out, ", ");
    print_llvm_type(out, types->array.items[i]->type_value);
  }
}
void hd_print_params_LlvmStruct(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                                const hd_attr *params) {
  UNUSED_ARGS;
  hd_putc(out, '<');
  if (params[0]) {
    hd_print_escaped(out->out, hd_ident_str(params[0]->string));
    if (params[2]) hd_puts(out, ", ");
  }
  if (params[2]) {
    if (params[1]) hd_puts(out, "packed ");
    hd_putc(out, '(');
    print_llvm_types(out, params[2]);
    hd_putc(out, ')');
  }
  hd_putc(out, '>');
}

typedef struct func_reader {
  hd_attr_vec types;
  bool variadic;
} func_reader;

static bool func_item(hd_parser *p, void *user) {
  func_reader *reader = user;
  if (reader->variadic) return hd_parser_expected(p, "')' after '...'");
  if (hd_accept(p, TOK_ELLIPSIS)) return reader->variadic = true;
  return llvm_type_item(p, &reader->types);
}

/* func<void (i32, ...)> */
bool hd_parse_params_LlvmFunc(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                              hd_attr *params) {
  UNUSED_ARGS;
  func_reader reader = {0};
  if (!hd_expect(p, TOK_LESS, "'<'")) return false;
  hd_type result = parse_llvm_type(p);
  if (!result || !hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, func_item, &reader) || !hd_expect(p, TOK_GREATER, "'>'"))
    return false;
  params[0] = hd_attr_type(result);
  params[1] = hd_attr_array(p->context, reader.types.data, reader.types.len);
  params[2] = reader.variadic ? hd_attr_bool(p->context, true) : NULL;
  return true;
}
void hd_print_params_LlvmFunc(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                              const hd_attr *params) {
  UNUSED_ARGS;
  hd_putc(out, '<');
  print_llvm_type(out, params[0]->type_value);
  hd_puts(out, " (");
  print_llvm_types(out, params[1]);
  if (params[2]) hd_puts(out, params[1]->array.count ? ", ..." : "...");
  hd_puts(out, ")>");
}

bool hd_parse_shaped_params(hd_parser *p, hd_attr *params) {
  hd_int_vec dims = {0};
  if (!hd_expect(p, TOK_LESS, "'<'") || !hd_parse_dims(p, &dims, NULL)) return false;
  hd_type element = hd_parse_type(p);
  if (!element) return false;
  params[0] = hd_attr_i64_array(p->context, dims.data, dims.len);
  params[1] = hd_attr_type(element);
  return true;
}

void hd_print_shaped_params(hd_printer *out, const hd_attr *params) {
  hd_putc(out, '<');
  for (size_t i = 0; i < hd_attr_count(params[0]); ++i) {
    int64_t dim = hd_attr_int_at(params[0], i);
    hd_print_dims(out, &dim, 1, NULL);
  }
  hd_print_type(out, params[1]->type_value);
}

/* mma_matrix<16x16xf32, "COp"> */
bool hd_parse_params_MmaMatrix(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                               hd_attr *params) {
  UNUSED_ARGS;
  hd_str operand;
  if (!hd_parse_shaped_params(p, params) || !hd_expect(p, TOK_COMMA, "','") || !hd_parse_string(p, &operand) ||
      !hd_expect(p, TOK_GREATER, "'>'"))
    return false;
  params[2] = hd_attr_string(p->context, operand);
  return true;
}
void hd_print_params_MmaMatrix(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                               const hd_attr *params) {
  UNUSED_ARGS;
  hd_print_shaped_params(out, params);
  hd_puts(out, ", ");
  hd_print_escaped(out->out, hd_ident_str(params[2]->string));
  hd_putc(out, '>');
}

/* object<target, [offload|assembly|bin = ] "bytes">: fatbin has no word. */
static const char *const object_formats[] = {"", "offload", "assembly", "bin"};
enum { OBJECT_FATBIN = 4 };
bool hd_parse_params_GpuObject(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                               hd_attr *params) {
  (void)row, (void)count;
  int32_t format = OBJECT_FATBIN;
  hd_str bytes;
  for (int32_t i = 1; i < OBJECT_FATBIN && format == OBJECT_FATBIN; ++i)
    if (hd_accept_word(p, object_formats[i])) format = i;
  if (format != OBJECT_FATBIN && !hd_expect(p, TOK_EQUAL, "'='")) return false;
  if (!hd_parse_string(p, &bytes)) return false;
  params[args[0].index] = hd_attr_i32(p->context, format);
  params[args[1].index] = hd_attr_string(p->context, bytes);
  return true;
}
void hd_print_params_GpuObject(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                               const hd_attr *params) {
  (void)row, (void)count;
  int64_t format = params[args[0].index] ? params[args[0].index]->integer : OBJECT_FATBIN;
  hd_putc(out, ' ');
  if (format > 0 && format < OBJECT_FATBIN) hd_printf(out, "%s = ", object_formats[format]);
  hd_print_escaped(out->out, hd_ident_str(params[args[1].index]->string));
}

static bool type_item(hd_parser *p, void *user) {
  hd_attr_vec *types = user;
  hd_type type = hd_parse_type(p);
  if (!type) return false;
  hd_vec_push(&p->scratch, types, hd_attr_type(type));
  return true;
}

/* <t, t> */
bool hd_parse_params_TypeList(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                              hd_attr *params) {
  UNUSED_ARGS;
  hd_attr_vec types = {0};
  if (!hd_parse_list(p, TOK_LESS, TOK_GREATER, type_item, &types)) return false;
  params[0] = hd_attr_array(p->context, types.data, types.len);
  return true;
}
void hd_print_params_TypeList(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                              const hd_attr *params) {
  UNUSED_ARGS;
  hd_putc(out, '<');
  for (uint32_t i = 0; i < params[0]->array.count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_type(out, params[0]->array.items[i]->type_value);
  }
  hd_putc(out, '>');
}

/* Bounds of dims, ? where there is none: <4, ?>; mhlo: <bounds = [4, ?]> */
static bool bound_item(hd_parser *p, void *user) {
  hd_int_vec *out = user;
  int64_t value = HD_DYNAMIC;
  if (!hd_accept(p, TOK_QUESTION) && !hd_parse_int(p, &value)) return false;
  hd_vec_push(&p->scratch, out, value);
  return true;
}
static void print_bounds(hd_printer *out, hd_attr bounds) {
  for (size_t i = 0; i < hd_attr_count(bounds); ++i) {
    if (i) hd_puts(out, ", ");
    if (hd_attr_int_at(bounds, i) == HD_DYNAMIC)
      hd_putc(out, '?');
    else
      hd_printf(out, "%" PRId64, hd_attr_int_at(bounds, i));
  }
}
bool hd_parse_params_Bounds(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                            hd_attr *params) {
  UNUSED_ARGS;
  hd_int_vec bounds = {0};
  if (!hd_parse_list(p, TOK_LESS, TOK_GREATER, bound_item, &bounds)) return false;
  params[0] = hd_attr_i64_array(p->context, bounds.data, bounds.len);
  return true;
}
void hd_print_params_Bounds(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                            const hd_attr *params) {
  UNUSED_ARGS;
  hd_putc(out, '<');
  print_bounds(out, params[0]);
  hd_putc(out, '>');
}
bool hd_parse_params_TypeExtensions(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                                    hd_attr *params) {
  UNUSED_ARGS;
  hd_int_vec bounds = {0};
  if (!hd_expect(p, TOK_LESS, "'<'") || !hd_expect_word(p, "bounds") || !hd_expect(p, TOK_EQUAL, "'='") ||
      !hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, bound_item, &bounds) || !hd_expect(p, TOK_GREATER, "'>'"))
    return false;
  params[0] = hd_attr_i64_array(p->context, bounds.data, bounds.len);
  return true;
}
void hd_print_params_TypeExtensions(struct hd_printer *out, const hd_row_format *row, const hd_format *args,
                                    size_t count, const hd_attr *params) {
  UNUSED_ARGS;
  hd_puts(out, "<bounds = [");
  print_bounds(out, params[0]);
  hd_puts(out, "]>");
}

static bool word_item(hd_parser *p, void *user) {
  hd_attr_vec *words = user;
  hd_str word;
  if (!hd_parse_word(p, "a name", &word)) return false;
  hd_vec_push(&p->scratch, words, hd_attr_string(p->context, word));
  return true;
}

/* [Kernel, Int64] */
bool hd_parse_params_WordList(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                              hd_attr *params) {
  (void)row, (void)count;
  hd_attr_vec words = {0};
  if (!hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, word_item, &words)) return false;
  params[args[0].index] = hd_attr_array(p->context, words.data, words.len);
  return true;
}
void hd_print_params_WordList(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                              const hd_attr *params) {
  (void)row, (void)count;
  hd_attr words = params[args[0].index];
  hd_putc(out, '[');
  for (size_t i = 0; i < hd_attr_count(words); ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_word_or_string(out->out, hd_ident_str(words->array.items[i]->string));
  }
  hd_putc(out, ']');
}
