/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the llvm dialect, what they unwind to, and nvvm's matrix product. */
#include "text/hooks_llvm.h"

#define UNUSED_ARGS (void)args, (void)count

/* ["tag"(%a, %b : t, t), "tag"()]: operands of bundles, after those of the call. */
typedef struct bundles {
  hd_operand_vec refs;
  hd_type_vec types;
  hd_attr_vec tags;
  hd_vec(int32_t) sizes;
} bundles;

static bool parse_bundle(hd_parser *p, void *user) {
  bundles *b = user;
  hd_str tag;
  size_t before = b->refs.len;
  if (!hd_parse_string(p, &tag) || !hd_expect(p, TOK_LPAREN, "'('")) return false;
  if (!hd_at(p, TOK_RPAREN) &&
      (!hd_parse_operand_list(p, &b->refs) || !hd_expect(p, TOK_COLON, "':'") || !hd_parse_type_list(p, &b->types)))
    return false;
  hd_vec_push(&p->scratch, &b->tags, hd_attr_string(p->context, tag));
  hd_vec_push(&p->scratch, &b->sizes, (int32_t)(b->refs.len - before));
  return hd_expect(p, TOK_RPAREN, "')'");
}

static bool parse_bundles(hd_op_parser *op, bundles *b) {
  hd_parser *p = op->p;
  if (hd_at(p, TOK_LSQUARE) && !hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, parse_bundle, b)) return false;
  hd_op_parser_attr(op, "op_bundle_sizes", hd_attr_i32_array(p->context, b->sizes.data, b->sizes.len));
  if (b->tags.len) hd_op_parser_attr(op, "op_bundle_tags", hd_attr_array(p->context, b->tags.data, b->tags.len));
  return true;
}

static void print_bundles(hd_printer *out, hd_op *op, uint32_t start) {
  hd_attr tags = hd_op_attr_get(op, HD_NAME_op_bundle_tags), sizes = hd_op_attr_get(op, HD_NAME_op_bundle_sizes);
  if (!hd_attr_is(tags, HD_ATTR_ARRAY) || !tags->array.count || hd_attr_count(sizes) != tags->array.count) return;
  hd_puts(out, " [");
  for (uint32_t i = 0; i < tags->array.count; ++i) {
    uint32_t count = (uint32_t)hd_attr_int_at(sizes, i);
    if (count > op->operand_count - start) count = op->operand_count - start;
    if (i) hd_puts(out, ", ");
    hd_print_attr(out, tags->array.items[i], HD_TYPE_NEVER);
    hd_putc(out, '(');
    if (count) {
      hd_print_operands(out, op, start, count);
      hd_puts(out, " : ");
      hd_print_operand_types(out, op, start, count);
    }
    hd_putc(out, ')');
    start += count;
  }
  hd_putc(out, ']');
}

/* What call and invoke share: [cc] [tail] @f(%a) or %f(%a). */
typedef struct call {
  bool direct;
  hd_operand_vec callee, refs;
  hd_function signature;
} call;

static bool parse_callee(hd_op_parser *op, call *c) {
  hd_parser *p = op->p;
  c->direct = hd_at(p, TOK_AT);
  if (c->direct) {
    hd_attr symbol = hd_parse_symbol(p);
    if (!symbol) return false;
    hd_op_parser_attr(op, "callee", symbol);
  } else {
    if (!hd_parse_one_operand(p, &c->callee)) return false;
  }
  return hd_parse_operands_until(p, TOK_LPAREN, TOK_RPAREN, &c->refs);
}

/* vararg(!llvm.func<...>), if there */
static bool parse_variadic(hd_op_parser *op) {
  hd_parser *p = op->p;
  if (!hd_accept_word(p, "vararg")) return true;
  hd_type type = hd_expect(p, TOK_LPAREN, "'('") ? hd_parse_type(p) : NULL;
  if (!type || !hd_expect(p, TOK_RPAREN, "')'")) return false;
  hd_op_parser_attr(op, "var_callee_type", hd_attr_type(type));
  return true;
}
static void print_variadic(hd_printer *out, hd_op *op) {
  hd_attr variadic = hd_op_attr_get(op, HD_NAME_var_callee_type);
  if (!variadic) return;
  hd_puts(out, " vararg(");
  hd_print_attr(out, variadic, HD_TYPE_NEVER);
  hd_putc(out, ')');
}

/* : [!llvm.ptr,] (t) -> t; resolves the callee and its operands. */
static bool parse_call_types(hd_op_parser *op, call *c) {
  hd_parser *p = op->p;
  if (!hd_expect(p, TOK_COLON, "':'")) return false;
  if (!c->direct) {
    hd_type pointer = hd_parse_type(p);
    if (!pointer || !hd_expect(p, TOK_COMMA, "','") || !hd_resolve_into(op, &c->callee, pointer)) return false;
  }
  if (!hd_parse_signature(p, &c->signature)) return false;
  hd_type_vec ins = {0};
  for (size_t i = 0; i < c->signature.args.len; ++i) hd_vec_push(&p->scratch, &ins, c->signature.args.data[i].type);
  hd_set_signature_attrs(op, &c->signature);
  op->result_types = c->signature.results;
  op->resolved = true;
  return hd_resolve_each(op, &c->refs, &ins);
}
static void print_call_types(hd_printer *out, hd_op *op, uint32_t first, uint32_t total) {
  hd_puts(out, " : ");
  if (first) {
    hd_print_type(out, hd_operand_type(op, 0));
    hd_puts(out, ", ");
  }
  hd_type_vec ins = {0}, outs = {0};
  for (uint32_t i = 0; i < total; ++i) hd_vec_push(&out->scratch, &ins, hd_operand_type(op, first + i));
  for (uint32_t i = 0; i < op->result_count; ++i) hd_vec_push(&out->scratch, &outs, hd_result_type(op, i));
  hd_print_signature(out, op, hd_type_function(out->context, ins.data, ins.len, outs.data, outs.len), false);
  if (!op->result_count) hd_puts(out, " -> ()");
}

/* The callee, then its operands in brackets. |*first|: 1 when operand 0 is the callee. */
static void print_callee(hd_printer *out, hd_op *op, uint32_t *first, uint32_t *total) {
  uint32_t start;
  hd_attr callee = hd_op_attr_get(op, HD_NAME_callee);
  hd_op_operand_range(op, 0, &start, total);
  *first = !callee && *total ? 1 : 0;
  *total -= *first;
  if (callee)
    hd_print_attr(out, callee, HD_TYPE_NEVER);
  else if (*first)
    hd_print_value(out, hd_operand(op, 0));
  hd_putc(out, '(');
  hd_print_operands(out, op, *first, *total);
  hd_putc(out, ')');
}

/* call [cc] [tail] @f(%a) [vararg(...)] [bundles] {attributes} : (t) -> t, or call %f(%a) : !llvm.ptr, (t) -> t */
bool hd_parse_hook_LlvmCall(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  call c = {0};
  bundles b = {0};
  hd_parse_llvm_case(op, HD_ENUM_llvm_cconv, "CConv");
  hd_parse_llvm_case(op, HD_ENUM_llvm_tailcallkind, "TailCallKind");
  if (!parse_callee(op, &c) || !parse_variadic(op) || !parse_bundles(op, &b) || !hd_parse_attr_dict(op) ||
      !parse_call_types(op, &c))
    return false;
  int32_t sizes[] = {(int32_t)(c.refs.len + c.callee.len), (int32_t)b.refs.len};
  hd_op_parser_segments(op, "operandSegmentSizes", sizes, 2);
  return hd_resolve_each(op, &b.refs, &b.types);
}
void hd_print_hook_LlvmCall(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  const char *hidden[12] = {"callee",          "TailCallKind",   "var_callee_type", "CConv",    "operandSegmentSizes",
                            "op_bundle_sizes", "op_bundle_tags", "arg_attrs",       "res_attrs"};
  hd_attr flags = hd_op_attr_get(op, HD_NAME_fastmathFlags);
  uint32_t first, total;
  hd_putc(out, ' ');
  if (hd_op_int_attr(op, HD_NAME_CConv, 0)) hd_print_llvm_case(out, op, HD_ENUM_llvm_cconv, "CConv");
  if (hd_op_int_attr(op, HD_NAME_TailCallKind, 0))
    hd_print_llvm_case(out, op, HD_ENUM_llvm_tailcallkind, "TailCallKind");
  print_callee(out, op, &first, &total);
  print_variadic(out, op);
  print_bundles(out, op, first + total);
  if (hd_attr_is(flags, HD_ATTR_ENUM) && !flags->enumerant.value) hidden[9] = "fastmathFlags";
  hd_print_attr_dict(out, op, hidden);
  print_call_types(out, op, first, total);
}

/* invoke [cc] @f(%a) to ^good(%x : t) unwind ^bad [vararg(...)] [bundles] {attributes} : (t) -> t */
bool hd_parse_hook_LlvmInvoke(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  call c = {0};
  bundles b = {0};
  hd_operand_vec normal = {0}, unwind = {0};
  hd_type_vec normal_types = {0}, unwind_types = {0};
  hd_parse_llvm_case(op, HD_ENUM_llvm_cconv, "CConv");
  if (!hd_op_parser_get(op, "CConv"))
    hd_op_parser_attr(op, "CConv", hd_attr_enum(op->p->context, HD_ENUM_llvm_cconv, 0));
  if (!parse_callee(op, &c) || !hd_expect_word(op->p, "to") ||
      !hd_parse_successor_and_operands(op, &normal, &normal_types) || !hd_expect_word(op->p, "unwind") ||
      !hd_parse_successor_and_operands(op, &unwind, &unwind_types) || !parse_variadic(op) || !parse_bundles(op, &b) ||
      !hd_parse_attr_dict(op) || !parse_call_types(op, &c))
    return false;
  int32_t sizes[] = {(int32_t)(c.refs.len + c.callee.len), (int32_t)normal.len, (int32_t)unwind.len,
                     (int32_t)b.refs.len};
  hd_op_parser_segments(op, "operandSegmentSizes", sizes, 4);
  return hd_resolve_each(op, &normal, &normal_types) && hd_resolve_each(op, &unwind, &unwind_types) &&
         hd_resolve_each(op, &b.refs, &b.types);
}
void hd_print_hook_LlvmInvoke(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  static const char *const hidden[] = {
      "callee",    "var_callee_type", "CConv", "operandSegmentSizes", "op_bundle_sizes", "op_bundle_tags",
      "arg_attrs", "res_attrs",       NULL};
  uint32_t first, total, start, length, end = 0;
  hd_putc(out, ' ');
  if (hd_op_int_attr(op, HD_NAME_CConv, 0)) hd_print_llvm_case(out, op, HD_ENUM_llvm_cconv, "CConv");
  print_callee(out, op, &first, &total);
  for (uint32_t i = 0; i < 2; ++i) {
    hd_puts(out, i ? " unwind " : " to ");
    hd_op_operand_range(op, i + 1, &start, &length);
    hd_print_successor(out, op, i, start, length);
    end = start + length;
  }
  print_variadic(out, op);
  print_bundles(out, op, end);
  hd_print_attr_dict(out, op, hidden);
  print_call_types(out, op, first, total);
}

/* call_intrinsic "name"(%a) [bundles] {attributes} : (t) -> t */
bool hd_parse_hook_LlvmCallIntrinsic(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  call c = {.direct = true};
  bundles b = {0};
  hd_str name;
  if (!hd_parse_string(p, &name)) return false;
  hd_op_parser_attr(op, "intrin", hd_attr_string(p->context, name));
  if (!hd_parse_operands_until(p, TOK_LPAREN, TOK_RPAREN, &c.refs) || !parse_bundles(op, &b) ||
      !hd_parse_attr_dict(op) || !parse_call_types(op, &c))
    return false;
  int32_t sizes[] = {(int32_t)c.refs.len, (int32_t)b.refs.len};
  hd_op_parser_segments(op, "operandSegmentSizes", sizes, 2);
  return hd_resolve_each(op, &b.refs, &b.types);
}
void hd_print_hook_LlvmCallIntrinsic(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  const char *hidden[8] = {"intrin",         "operandSegmentSizes", "op_bundle_sizes",
                           "op_bundle_tags", "arg_attrs",           "res_attrs"};
  hd_attr flags = hd_op_attr_get(op, HD_NAME_fastmathFlags);
  uint32_t start, total;
  hd_op_operand_range(op, 0, &start, &total);
  hd_putc(out, ' ');
  hd_print_escaped(out->out, hd_op_string_attr(op, HD_NAME_intrin));
  hd_putc(out, '(');
  hd_print_operands(out, op, start, total);
  hd_putc(out, ')');
  print_bundles(out, op, total);
  if (hd_attr_is(flags, HD_ATTR_ENUM) && !flags->enumerant.value) hidden[6] = "fastmathFlags";
  hd_print_attr_dict(out, op, hidden);
  print_call_types(out, op, 0, total);
}

/* intr.assume %c [bundles] {attributes} : i1 */
bool hd_parse_hook_LlvmAssume(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_ref condition;
  hd_operand_vec refs = {0};
  bundles b = {0};
  if (!hd_parse_operand(p, &condition) || !parse_bundles(op, &b) || !hd_parse_attr_dict(op) ||
      !hd_expect(p, TOK_COLON, "':'"))
    return false;
  hd_vec_push(&p->scratch, &refs, condition);
  hd_type type = hd_parse_type(p);
  op->resolved = true;
  return type && hd_resolve_into(op, &refs, type) && hd_resolve_each(op, &b.refs, &b.types);
}
void hd_print_hook_LlvmAssume(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_putc(out, ' ');
  hd_print_value(out, hd_operand(op, 0));
  print_bundles(out, op, 1);
  hd_print_attr_dict(out, op, (const char *const[]){"op_bundle_sizes", "op_bundle_tags", NULL});
  hd_puts(out, " : ");
  hd_print_type(out, hd_operand_type(op, 0));
}

/* landingpad [cleanup] (catch %a : t) (filter %b : t) {attributes} : t; what is filtered is an array. */
bool hd_parse_hook_LlvmLandingpad(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec refs = {0};
  hd_type_vec types = {0};
  if (hd_accept_word(p, "cleanup")) hd_op_parser_attr(op, "cleanup", hd_attr_unit(p->context));
  while (hd_accept(p, TOK_LPAREN)) {
    hd_type type;
    if (!hd_accept_word(p, "filter") && !hd_expect_word(p, "catch")) return false;
    if (!hd_parse_one_operand(p, &refs) || !hd_expect(p, TOK_COLON, "':'") || !(type = hd_parse_type(p)) ||
        !hd_expect(p, TOK_RPAREN, "')'"))
      return false;
    hd_vec_push(&p->scratch, &types, type);
  }
  if (!hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'")) return false;
  hd_type result = hd_parse_type(p);
  if (!result) return false;
  hd_vec_push(&p->scratch, &op->result_types, result);
  op->resolved = true;
  return hd_resolve_each(op, &refs, &types);
}
void hd_print_hook_LlvmLandingpad(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_puts(out, hd_op_attr_get(op, HD_NAME_cleanup) ? " cleanup " : " ");
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type type = hd_operand_type(op, i);
    bool array = type->kind == HD_TYPE_DIALECT && type->dialect.row == HD_TYPE_ROW_llvm_array;
    hd_puts(out, array ? "(filter " : "(catch ");
    hd_print_value(out, hd_operand(op, i));
    hd_puts(out, " : ");
    hd_print_type(out, type);
    hd_puts(out, ") ");
  }
  hd_print_attr_dict(out, op, (const char *const[]){"cleanup", NULL});
  hd_puts(out, ": ");
  hd_print_type(out, hd_result_type(op, 0));
}

/* What the text may leave out: the PTX type of A and B that an operand of |type| has. Null for integers. */
static hd_attr multiplicand(hd_context *context, hd_type type) {
  hd_type element = type->kind == HD_TYPE_VECTOR ? hd_type_element(type) : type;
  const char *name = hd_type_is_float(element, HD_F16)                      ? "f16"
                     : hd_type_is_float(element, HD_F64) && element == type ? "f64"
                     : hd_type_is_float(element, HD_F32) && element == type ? "tf32"
                                                                            : NULL;
  int64_t value;
  if (!name || !hd_enum_case_value(HD_ENUM_nvvm_mma_type, hd_str_of(name), &value)) return NULL;
  return hd_attr_enum(context, HD_ENUM_nvvm_mma_type, value);
}
static const char *const multiplicands[] = {"multiplicandAPtxType", "multiplicandBPtxType"};

/* mma.sync A[%a, %b] B[%c] C[%d] {attributes} : (t, t, t) -> t: one type for each matrix. */
bool hd_parse_hook_NvvmMma(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  static const char *const names[] = {"A", "B", "C"};
  hd_parser *p = op->p;
  hd_operand_vec refs[3] = {0};
  hd_type_vec types = {0};
  int32_t sizes[3];
  for (int i = 0; i < 3; ++i) {
    if (!hd_expect_word(p, names[i]) || !hd_parse_operands_until(p, TOK_LSQUARE, TOK_RSQUARE, &refs[i])) return false;
    sizes[i] = (int32_t)refs[i].len;
  }
  if (!hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'")) return false;
  const char *at = hd_here(p);
  if (!hd_parse_function_type(p, &types, &op->result_types)) return false;
  if (types.len != 3)
    return hd_parser_error(p, at, "expected one type for each operand segment but got %zu types", types.len);
  hd_op_parser_segments(op, "operandSegmentSizes", sizes, 3);
  op->resolved = true;
  for (int i = 0; i < 2; ++i) {
    hd_attr inferred = multiplicand(p->context, types.data[i]);
    if (inferred && !hd_op_parser_get(op, multiplicands[i])) hd_op_parser_attr(op, multiplicands[i], inferred);
  }
  for (int i = 0; i < 3; ++i)
    if (!hd_resolve_into(op, &refs[i], types.data[i])) return false;
  return true;
}
void hd_print_hook_NvvmMma(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  static const char *const names[] = {" A[", " B[", " C["};
  const char *hidden[4] = {"operandSegmentSizes"};
  uint32_t start, total, hide = 1;
  for (size_t i = 0; i < 3; ++i) {
    hd_op_operand_range(op, i, &start, &total);
    hd_puts(out, names[i]);
    hd_print_operands(out, op, start, total);
    hd_puts(out, "] ");
    if (i < 2 && total &&
        hd_op_attr_get_named(op, multiplicands[i]) == multiplicand(out->context, hd_operand_type(op, start)))
      hidden[hide++] = multiplicands[i];
  }
  hd_print_attr_dict(out, op, hidden);
  hd_puts(out, " : (");
  for (size_t i = 0; i < 3; ++i) {
    hd_op_operand_range(op, i, &start, &total);
    if (i) hd_puts(out, ", ");
    if (total) hd_print_type(out, hd_operand_type(op, start));
  }
  hd_puts(out, ") -> ");
  hd_print_arrow_results(out, op, 0, op->result_count);
}
