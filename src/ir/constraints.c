/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/constraints.h"

#include <string.h>

static bool is_int_or_index(hd_type t) { return t->kind == HD_TYPE_INTEGER || t->kind == HD_TYPE_INDEX; }

/* One word of the vocabulary: its test, and how an error names it. */
typedef struct word {
  const char *name, *text;
  bool (*test)(hd_type type);
} word;

static bool any(hd_type t) { return t != NULL; }
static bool is_tensor(hd_type t) { return hd_type_is_tensor(t); }
static bool is_ranked_tensor(hd_type t) { return t->kind == HD_TYPE_TENSOR; }
static bool is_memref(hd_type t) { return t->kind == HD_TYPE_MEMREF || t->kind == HD_TYPE_UNRANKED_MEMREF; }
static bool is_ranked_memref(hd_type t) { return t->kind == HD_TYPE_MEMREF; }
static bool is_vector(hd_type t) { return t->kind == HD_TYPE_VECTOR; }
static bool is_shaped(hd_type t) { return hd_type_is_shaped(t); }
static bool is_index(hd_type t) { return t->kind == HD_TYPE_INDEX; }
static bool is_integer(hd_type t) { return t->kind == HD_TYPE_INTEGER; }
static bool is_i1(hd_type t) { return hd_type_is_integer(t, 1); }
static bool is_i32(hd_type t) { return hd_type_is_integer(t, 32); }
static bool is_i64(hd_type t) { return hd_type_is_integer(t, 64); }
static bool is_float(hd_type t) { return t->kind == HD_TYPE_FLOAT; }
static bool is_complex(hd_type t) { return t->kind == HD_TYPE_COMPLEX; }
static bool is_int_like(hd_type t) { return t->kind != HD_TYPE_MEMREF && is_int_or_index(hd_type_element(t)); }
static bool is_float_like(hd_type t) { return t->kind != HD_TYPE_MEMREF && is_float(hd_type_element(t)); }
static bool is_bool_like(hd_type t) { return t->kind != HD_TYPE_MEMREF && is_i1(hd_type_element(t)); }
static bool is_function(hd_type t) { return t->kind == HD_TYPE_FUNCTION; }
static bool is_tuple(hd_type t) { return t->kind == HD_TYPE_TUPLE; }
/* Graph ops act on ranked tensors; rows that take unranked ones say "|unranked_tensor". */
static bool tensor_of(hd_type t, bool (*test)(hd_type)) { return t->kind == HD_TYPE_TENSOR && test(t->shaped.element); }
static bool is_unranked_tensor(hd_type t) { return t->kind == HD_TYPE_UNRANKED_TENSOR; }
static bool integer_but_bool(hd_type t) { return is_integer(t) && !is_i1(t); }
static bool is_whole_tensor(hd_type t) { return tensor_of(t, integer_but_bool); }
static bool is_pred_tensor(hd_type t) { return tensor_of(t, is_i1); }
static bool is_int_tensor(hd_type t) { return tensor_of(t, is_int_or_index); }
/* Elements of float tensors may be quantized: the ops act on the expressed numbers. */
static bool is_quant(hd_type t) { return t->kind == HD_TYPE_QUANT; }
static bool is_hlo_float(hd_type t) { return is_float(t) && hd_type_bits(t) <= 64; } /* not f80 nor f128 */
static bool float_or_quant(hd_type t) { return is_hlo_float(t) || is_quant(t); }
static bool is_float_tensor(hd_type t) { return tensor_of(t, float_or_quant); }
static bool is_complex_tensor(hd_type t) { return tensor_of(t, is_complex); }
static bool float_or_complex(hd_type t) { return is_hlo_float(t) || is_complex(t) || is_quant(t); }
static bool is_float_or_complex_tensor(hd_type t) { return tensor_of(t, float_or_complex); }
static bool number(hd_type t) { return is_int_or_index(t) || is_float(t) || is_complex(t); }
static bool number_or_quant(hd_type t) {
  return (number(t) && !is_i1(t) && !(is_float(t) && !is_hlo_float(t))) || is_quant(t);
}
static bool is_number_tensor(hd_type t) { return tensor_of(t, number_or_quant); }
static bool is_shape_tensor(hd_type t) {
  return t->kind == HD_TYPE_TENSOR && t->shaped.rank == 1 && is_int_or_index(t->shaped.element);
}
static bool number_like(hd_type t) { return t->kind != HD_TYPE_MEMREF && number(hd_type_element(t)); }
static bool fixed_int_like(hd_type t) { return t->kind != HD_TYPE_MEMREF && is_integer(hd_type_element(t)); }
static bool is_static_memref(hd_type t) { return t->kind == HD_TYPE_MEMREF && hd_type_is_static(t); }
static bool is_unranked_memref(hd_type t) { return t->kind == HD_TYPE_UNRANKED_MEMREF; }
static bool is_static_tensor(hd_type t) { return t->kind == HD_TYPE_TENSOR && hd_type_is_static(t); }
static bool is_bool_vector(hd_type t) { return is_vector(t) && is_i1(t->shaped.element); }
static bool is_int_vector(hd_type t) { return is_vector(t) && is_int_or_index(t->shaped.element); }
static bool is_float_vector(hd_type t) { return is_vector(t) && is_float(t->shaped.element); }
static bool is_row(hd_type t, int row) { return t->kind == HD_TYPE_DIALECT && t->dialect.row == row; }
static bool is_shape_like(hd_type t) {
  return is_row(t, HD_TYPE_ROW_shape_shape) ||
         (t->kind == HD_TYPE_TENSOR && t->shaped.rank == 1 && is_index(t->shaped.element));
}
static bool is_size_like(hd_type t) { return is_index(t) || is_row(t, HD_TYPE_ROW_shape_size); }
static bool is_pointer(hd_type t) { return is_row(t, HD_TYPE_ROW_tt_ptr); }
static bool is_pointer_like(hd_type t) {
  return is_pointer(t) || (t->kind == HD_TYPE_TENSOR && is_pointer(t->shaped.element));
}
enum { TENSOR_MEMORY = 6 }; /* address space of NVPTX */
static hd_type tensor_memory(hd_context *context) {
  hd_attr space = hd_attr_integer(hd_i32(context), TENSOR_MEMORY);
  return hd_type_dialect(context, HD_TYPE_ROW_llvm_ptr, &space, 1);
}
static bool is_tensor_memory(hd_type t) {
  return is_row(t, HD_TYPE_ROW_llvm_ptr) && hd_attr_int_or(t->dialect.params[0], 0) == TENSOR_MEMORY;
}
static bool tensor_or_token(hd_type t) { return is_ranked_tensor(t) || hd_type_is_token(t); }
static bool tensor_token_or_tuple(hd_type t) { return is_ranked_tensor(t) || hd_type_is_token(t) || is_tuple(t); }

static const word words[] = {
    {"any", "any type", any},
    {"tensor", "a tensor", is_tensor},
    {"ranked_tensor", "a ranked tensor", is_ranked_tensor},
    {"memref", "a memref", is_memref},
    {"ranked_memref", "a ranked memref", is_ranked_memref},
    {"vector", "a vector", is_vector},
    {"shaped", "a tensor, memref or vector", is_shaped},
    {"index", "index", is_index},
    {"integer", "an integer", is_integer},
    {"i1", "1-bit signless integer", is_i1},
    {"i32", "32-bit signless integer", is_i32},
    {"i64", "64-bit signless integer", is_i64},
    {"float", "a floating-point number", is_float},
    {"complex", "a complex number", is_complex},
    {"int_like", "an integer or index, or a vector or tensor of them", is_int_like},
    {"float_like", "floating-point-like", is_float_like},
    {"bool_like", "bool-like", is_bool_like},
    {"function", "a function", is_function},
    {"tuple", "a tuple", is_tuple},
    {"pred_tensor", "a tensor of i1", is_pred_tensor},
    {"int_tensor", "a tensor of integers", is_int_tensor},
    {"float_tensor", "a tensor of floating-point numbers", is_float_tensor},
    {"complex_tensor", "a tensor of complex numbers", is_complex_tensor},
    {"float_or_complex_tensor", "a tensor of floating-point or complex numbers", is_float_or_complex_tensor},
    {"number_tensor", "a tensor of numbers", is_number_tensor},
    {"whole_tensor", "a tensor of integers other than i1", is_whole_tensor},
    {"unranked_tensor", "an unranked tensor", is_unranked_tensor},
    {"scalar_tensor", "a 0-d tensor", hd_type_is_scalar},
    {"shape_tensor", "a 1-d tensor of integers or index", is_shape_tensor},
    {"shape_pairs", "a tensor of integers", is_int_tensor},
    {"number_like", "a number, or a vector or tensor of numbers", number_like},
    {"fixed_int_like", "an integer, or a vector or tensor of integers", fixed_int_like},
    {"static_memref", "a memref of known shape", is_static_memref},
    {"unranked_memref", "an unranked memref", is_unranked_memref},
    {"static_tensor", "a tensor of known shape", is_static_tensor},
    {"bool_vector", "a vector of i1", is_bool_vector},
    {"int_vector", "a vector of integers or index", is_int_vector},
    {"float_vector", "a vector of floating-point numbers", is_float_vector},
    {"shape_like", "a shape or a 1-d tensor of index", is_shape_like},
    {"size_like", "a size or index", is_size_like},
    {"pointer_like", "a pointer or a tensor of pointers", is_pointer_like},
    {"tensor_memory", "a pointer to tensor memory (!llvm.ptr<6>)", is_tensor_memory},
    {"token", "a token", hd_type_is_token},
    {"tensor_or_token", "a tensor or a token", tensor_or_token},
    {"tensor_token_or_tuple", "a tensor, a token or a tuple", tensor_token_or_tuple},
};

static const word *find_word(hd_str name) {
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (hd_str_is(name, words[i].name)) return &words[i];
  return NULL;
}

bool hd_type_satisfies(hd_str constraint, hd_type type) {
  if (!constraint.len) return true;
  /* "a|b": one of the words; "!dialect.name": that type row. */
  const char *bar = memchr(constraint.data, '|', constraint.len);
  if (bar) {
    size_t left = (size_t)(bar - constraint.data);
    return hd_type_satisfies((hd_str){constraint.data, left}, type) ||
           hd_type_satisfies((hd_str){bar + 1, constraint.len - left - 1}, type);
  }
  if (constraint.data[0] == '!') {
    if (type->kind != HD_TYPE_DIALECT) return false;
    const hd_attr_row_info *row = hd_type_row_info_of(type->dialect.row);
    size_t n = strlen(row->dialect);
    return constraint.len > n + 2 && !memcmp(constraint.data + 1, row->dialect, n) &&
           hd_str_is((hd_str){constraint.data + n + 2, constraint.len - n - 2}, row->name);
  }
  const word *found = find_word(constraint);
  return found && found->test(type);
}

hd_type hd_constraint_type(hd_context *context, hd_str constraint) {
  if (hd_str_is(constraint, "index")) return hd_type_index(context);
  if (hd_str_is(constraint, "i1")) return hd_i1(context);
  if (hd_str_is(constraint, "i32")) return hd_i32(context);
  if (hd_str_is(constraint, "i64")) return hd_i64(context);
  if (hd_str_is(constraint, "tensor_memory")) return tensor_memory(context);
  if (hd_str_is(constraint, "token")) return hd_type_dialect(context, HD_TYPE_ROW_stablehlo_token, NULL, 0);
  if (!constraint.len || constraint.data[0] != '!' || memchr(constraint.data, '|', constraint.len)) return NULL;
  const char *dot = memchr(constraint.data, '.', constraint.len);
  if (!dot) return NULL;
  int row = hd_type_row_find((hd_str){constraint.data + 1, (size_t)(dot - constraint.data - 1)},
                             (hd_str){dot + 1, constraint.len - (size_t)(dot + 1 - constraint.data)});
  return row >= 0 && !*hd_type_row_info_of(row)->params ? hd_type_dialect(context, row, NULL, 0) : NULL;
}

bool hd_type_constraint_is_known(hd_str constraint) {
  if (!constraint.len) return true;
  const char *bar = memchr(constraint.data, '|', constraint.len);
  if (bar) {
    size_t left = (size_t)(bar - constraint.data);
    return hd_type_constraint_is_known((hd_str){constraint.data, left}) &&
           hd_type_constraint_is_known((hd_str){bar + 1, constraint.len - left - 1});
  }
  const char *dot = memchr(constraint.data, '.', constraint.len);
  if (constraint.data[0] != '!') return find_word(constraint) != NULL;
  return dot && hd_type_row_find((hd_str){constraint.data + 1, (size_t)(dot - constraint.data - 1)},
                                 (hd_str){dot + 1, constraint.len - (size_t)(dot + 1 - constraint.data)}) >= 0;
}

static const struct {
  const char *name;
  hd_attr_kind kind;
  const char *text;
} kinds[] = {
    {"string", HD_ATTR_STRING, "a string"},
    {"symbol_name", HD_ATTR_STRING, "a string"},
    {"array", HD_ATTR_ARRAY, "an array"},
    {"dict", HD_ATTR_DICT, "a dictionary"},
    {"symbol", HD_ATTR_SYMBOL, "a symbol"},
    {"type", HD_ATTR_TYPE, "a type"},
    {"unit", HD_ATTR_UNIT, "unit"},
    {"float", HD_ATTR_FLOAT, "a floating-point number"},
    {"integer", HD_ATTR_INTEGER, "an integer"},
    {"affine_map", HD_ATTR_AFFINE_MAP, "an affine map"},
    {"affine_set", HD_ATTR_AFFINE_SET, "an affine set"},
};

/* Words with a test of their own in hd_attr_satisfies. */
static const struct {
  const char *name, *text;
} others[] = {
    {"any", "any attribute"},
    {"bool", "true or false"},
    {"i64", "a 64-bit integer"},
    {"i32", "a 32-bit integer"},
    {"i8", "an 8-bit integer"},
    {"f64", "a 64-bit floating-point number"},
    {"index", "an index"},
    {"typed", "an attribute with a type"},
    {"elements", "elements of a tensor or vector"},
    {"dims", "a list of i64"},
    {"i64_array", "an array of i64"},
    {"i32_array", "an array of i32"},
    {"bool_array", "an array of bool"},
    {"flags", "a 32-bit integer of flags"},
};

/* "a, b" of "one_of(a, b)", a string that is one of them; "" of another constraint. */
static hd_str cases_of(hd_str constraint) {
  static const char start[] = "one_of(";
  size_t length = sizeof start - 1;
  if (!hd_str_starts(constraint, start) || constraint.data[constraint.len - 1] != ')') return HD_STR("");
  return (hd_str){constraint.data + length, constraint.len - length - 1};
}

static bool is_case(hd_str cases, hd_str text) {
  for (const char *at = cases.data, *end = at + cases.len; at < end;) {
    const char *comma = memchr(at, ',', (size_t)(end - at)), *stop = comma ? comma : end;
    if ((size_t)(stop - at) == text.len && !memcmp(at, text.data, text.len)) return true;
    for (at = comma ? comma + 1 : end; at < end && *at == ' ';) ++at;
  }
  return false;
}

bool hd_attr_constraint_is_known(hd_str constraint) {
  if (!constraint.len || cases_of(constraint).len) return true;
  const char *bar = memchr(constraint.data, '|', constraint.len);
  if (bar) {
    size_t left = (size_t)(bar - constraint.data);
    return hd_attr_constraint_is_known((hd_str){constraint.data, left}) &&
           hd_attr_constraint_is_known((hd_str){bar + 1, constraint.len - left - 1});
  }
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (hd_str_is(constraint, kinds[i].name)) return true;
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (hd_str_is(constraint, others[i].name)) return true;
  const char *dot = memchr(constraint.data, '.', constraint.len);
  if (!dot) return false;
  size_t left = (size_t)(dot - constraint.data);
  return hd_attr_row_find((hd_str){constraint.data, left}, (hd_str){dot + 1, constraint.len - left - 1}) >= 0;
}

/* The width of the integer that stores a case of the enum |row|; 0 where the attribute is the case itself. */
static uint32_t stored_width(int row) {
  const char *format = hd_attr_row_info_of(row)->format;
  return !strcmp(format, "int64") ? 64 : !strcmp(format, "int32") ? 32 : 0;
}

bool hd_attr_satisfies(hd_str constraint, hd_attr attr) {
  if (!constraint.len || hd_str_is(constraint, "any")) return true;
  hd_str cases = cases_of(constraint);
  if (cases.len) return attr->kind == HD_ATTR_STRING && is_case(cases, hd_attr_text(attr));
  const char *bar = memchr(constraint.data, '|', constraint.len);
  if (bar) {
    size_t left = (size_t)(bar - constraint.data);
    return hd_attr_satisfies((hd_str){constraint.data, left}, attr) ||
           hd_attr_satisfies((hd_str){bar + 1, constraint.len - left - 1}, attr);
  }
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (hd_str_is(constraint, kinds[i].name)) return attr->kind == kinds[i].kind;
  if (hd_str_is(constraint, "bool")) return attr->kind == HD_ATTR_INTEGER && hd_type_is_integer(attr->type, 1);
  if (hd_str_is(constraint, "i64")) return attr->kind == HD_ATTR_INTEGER && hd_type_is_integer(attr->type, 64);
  if (hd_str_is(constraint, "i32") || hd_str_is(constraint, "flags"))
    return attr->kind == HD_ATTR_INTEGER && hd_type_is_integer(attr->type, 32);
  if (hd_str_is(constraint, "i8")) return attr->kind == HD_ATTR_INTEGER && hd_type_is_integer(attr->type, 8);
  if (hd_str_is(constraint, "f64")) return attr->kind == HD_ATTR_FLOAT && hd_type_is_float(attr->type, HD_F64);
  if (hd_str_is(constraint, "index")) return attr->kind == HD_ATTR_INTEGER && hd_type_is(attr->type, HD_TYPE_INDEX);
  if (hd_str_is(constraint, "typed")) return attr->type != NULL;
  if (hd_str_is(constraint, "elements"))
    return attr->kind == HD_ATTR_DENSE || attr->kind == HD_ATTR_DENSE_RESOURCE || attr->kind == HD_ATTR_DENSE_STRINGS ||
           attr->kind == HD_ATTR_SPARSE;
  /* A list of i64: array<i64: ...>; dense tensors and arrays of integers are read from old programs. */
  if (hd_str_is(constraint, "dims"))
    return (attr->kind == HD_ATTR_DENSE_ARRAY && hd_type_is_integer(attr->dense.element, 64)) ||
           attr->kind == HD_ATTR_ARRAY ||
           (attr->kind == HD_ATTR_DENSE && hd_type_element(attr->type)->kind == HD_TYPE_INTEGER);
  if (hd_str_is(constraint, "i64_array"))
    return attr->kind == HD_ATTR_DENSE_ARRAY && hd_type_is_integer(attr->dense.element, 64);
  if (hd_str_is(constraint, "i32_array"))
    return attr->kind == HD_ATTR_DENSE_ARRAY && hd_type_is_integer(attr->dense.element, 32);
  if (hd_str_is(constraint, "bool_array"))
    return (attr->kind == HD_ATTR_DENSE_ARRAY && hd_type_is_integer(attr->dense.element, 1)) ||
           (attr->kind == HD_ATTR_DENSE && hd_type_is_integer(hd_type_element(attr->type), 1));
  const char *dot = memchr(constraint.data, '.', constraint.len);
  if (!dot) return false;
  size_t left = (size_t)(dot - constraint.data);
  int row = hd_attr_row_find((hd_str){constraint.data, left}, (hd_str){dot + 1, constraint.len - left - 1});
  if (row < 0) return false;
  if (!hd_attr_row_info_of(row)->is_enum) return attr->kind == HD_ATTR_STRUCT && attr->structure.row == row;
  /* An integer stands for an enum case where MLIR stores it so (arith.cmpi's predicate). */
  uint32_t width = stored_width(row);
  if (!width) return attr->kind == HD_ATTR_ENUM && attr->enumerant.row == row;
  /* 0 is a case of llvm's even where it has no name, and is left out of the text (visibility). */
  bool unnamed = !attr->integer && !strncmp(hd_attr_row_info_of(row)->dialect, "llvm", 4);
  return attr->kind == HD_ATTR_INTEGER && hd_type_is_integer(attr->type, width) &&
         (unnamed || hd_enum_case_name(row, attr->integer).len);
}

/* One word of a type or an attribute constraint, in words. */
static void describe_word(hd_strbuf *out, hd_str word, bool of_attr) {
  const struct word *found = of_attr ? NULL : find_word(word);
  if (found) {
    hd_strbuf_puts(out, found->text);
    return;
  }
  for (size_t i = 0; of_attr && i < sizeof kinds / sizeof *kinds; ++i)
    if (hd_str_is(word, kinds[i].name)) {
      hd_strbuf_puts(out, kinds[i].text);
      return;
    }
  for (size_t i = 0; of_attr && i < sizeof others / sizeof *others; ++i)
    if (hd_str_is(word, others[i].name)) {
      hd_strbuf_puts(out, others[i].text);
      return;
    }
  hd_str cases = of_attr ? cases_of(word) : HD_STR("");
  if (cases.len) {
    hd_strbuf_printf(out, "a string, one of %.*s", (int)cases.len, cases.data);
    return;
  }
  const char *dot = of_attr ? memchr(word.data, '.', word.len) : NULL;
  size_t left = dot ? (size_t)(dot - word.data) : 0;
  int row = dot ? hd_attr_row_find((hd_str){word.data, left}, (hd_str){dot + 1, word.len - left - 1}) : -1;
  if (row < 0) {
    hd_strbuf_printf(out, "%.*s", (int)word.len, word.data);
    return;
  }
  const hd_attr_row_info *info = hd_attr_row_info_of(row);
  uint32_t width = info->is_enum ? stored_width(row) : 0;
  if (!info->is_enum)
    hd_strbuf_printf(out, "#%s.%s<...>", info->dialect, info->name);
  else if (width)
    hd_strbuf_printf(out, "an i%u for one of %s", width, info->params);
  else
    hd_strbuf_printf(out, "#%s<%s ...> with one of %s", info->dialect, info->name, info->params);
}

/* "a|b" as "a or b". */
static void describe(hd_strbuf *out, hd_str constraint, bool of_attr) {
  const char *end = constraint.data + constraint.len;
  for (const char *at = constraint.data; at < end;) {
    const char *bar = memchr(at, '|', (size_t)(end - at)), *stop = bar ? bar : end;
    describe_word(out, (hd_str){at, (size_t)(stop - at)}, of_attr);
    if (bar) hd_strbuf_puts(out, " or ");
    at = bar ? bar + 1 : end;
  }
}

const char *hd_constraint_text(hd_context *context, hd_str constraint, hd_type type) {
  hd_strbuf text;
  hd_strbuf_init(&text, &context->arena);
  describe(&text, constraint, false);
  hd_strbuf_puts(&text, ", but got ");
  if (context->print_type) context->print_type(&text, type);
  return hd_strbuf_text(&text);
}

void hd_constraint_error(hd_op *op, const char *what, uint32_t index, hd_str constraint, hd_type type) {
  hd_op_error(op, "%s #%u must be %s", what, index, hd_constraint_text(hd_op_context(op), constraint, type));
}

void hd_attr_constraint_error(hd_op *op, const char *name, hd_str constraint, hd_attr attr) {
  hd_context *context = hd_op_context(op);
  hd_strbuf text;
  hd_strbuf_init(&text, &context->arena);
  describe(&text, constraint, true);
  hd_strbuf_puts(&text, ", but got ");
  if (context->print_attr) context->print_attr(&text, attr);
  hd_op_error(op, "attribute '%s' must be %s", name, hd_strbuf_text(&text));
}

bool hd_elements_compatible(hd_type a, hd_type b) {
  if (a == b) return true;
  if (a->kind == HD_TYPE_QUANT && b->kind == HD_TYPE_QUANT)
    return a->quant.storage == b->quant.storage && a->quant.expressed == b->quant.expressed;
  if (a->kind == HD_TYPE_QUANT) return a->quant.expressed == b;
  return b->kind == HD_TYPE_QUANT && b->quant.expressed == a;
}
