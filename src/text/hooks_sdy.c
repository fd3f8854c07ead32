/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes, shardings and manual computations of sdy as MLIR writes them:
 *
 *   <["x"=2, "y"=4], device_ids=[...]>       <@mesh, [{"x", "y":(1)2}, {?}], replicated={"z"}> */
#include <inttypes.h>

#include "ir/ops/structs.h"
#include "text/parse_op.h"
#include "text/printer.h"

#define UNUSED_ARGS (void)row, (void)args, (void)count

static hd_attr make_array(hd_parser *p, const hd_attr_vec *items) {
  return hd_attr_array(p->context, items->data, items->len);
}

static void print_name(hd_printer *out, hd_attr name) { hd_print_escaped(out->out, hd_ident_str(name->string)); }

/* ---- meshes ---------------------------------------------------------------------------------------------------- */

static bool mesh_axis(hd_parser *p, void *user) {
  hd_str name;
  int64_t size;
  if (!hd_parse_string(p, &name) || !hd_expect(p, TOK_EQUAL, "'='") || !hd_parse_int(p, &size)) return false;
  hd_attr params[] = {hd_attr_string(p->context, name), hd_attr_i64(p->context, size)};
  hd_vec_push(&p->scratch, (hd_attr_vec *)user, hd_attr_struct(p->context, HD_STRUCT_sdy_mesh_axis, params, 2));
  return true;
}

bool hd_parse_params_SdyMesh(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                             hd_attr *params) {
  UNUSED_ARGS;
  hd_attr_vec axes = {0};
  if (!hd_expect(p, TOK_LESS, "'<'") || !hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, mesh_axis, &axes)) return false;
  params[0] = make_array(p, &axes);
  if (hd_accept(p, TOK_COMMA)) {
    if (!hd_expect_word(p, "device_ids") || !hd_expect(p, TOK_EQUAL, "'='")) return false;
    params[1] = hd_parse_int_list(p, hd_i64(p->context), TOK_LSQUARE, TOK_RSQUARE);
    if (!params[1]) return false;
  }
  return hd_expect(p, TOK_GREATER, "'>'");
}
void hd_print_params_SdyMesh(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                             const hd_attr *params) {
  UNUSED_ARGS;
  hd_puts(out, "<[");
  for (uint32_t i = 0; i < params[0]->array.count; ++i) {
    hd_attr axis = params[0]->array.items[i];
    if (i) hd_puts(out, ", ");
    print_name(out, hd_attr_sdy_mesh_axis_name_attr(axis));
    hd_printf(out, "=%" PRId64, hd_attr_sdy_mesh_axis_size(axis));
  }
  hd_putc(out, ']');
  if (params[1]) {
    hd_puts(out, ", device_ids=");
    hd_print_int_list(out, params[1], "[", "]");
  }
  hd_putc(out, '>');
}

/* StableHLO's own: <axes = [#stablehlo.mesh_axis<name = "x", size = 2>], device_ids = dense<[...]> : tensor<2xi64>>,
 * where an axis may leave out the name of its attribute. */
static bool hlo_mesh_axis(hd_parser *p, void *user) {
  const char *at = hd_here(p);
  hd_attr axis = hd_at(p, TOK_LESS) ? hd_parse_attr_row(p, HD_STRUCT_stablehlo_mesh_axis) : hd_parse_attr(p, NULL);
  if (!axis) return false;
  if (!hd_attr_is(axis, HD_ATTR_STRUCT) || axis->structure.row != HD_STRUCT_stablehlo_mesh_axis)
    return hd_parser_error(p, at, "expected an axis of a mesh");
  hd_vec_push(&p->scratch, (hd_attr_vec *)user, axis);
  return true;
}

bool hd_parse_params_StablehloMesh(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                                   hd_attr *params) {
  UNUSED_ARGS;
  hd_attr_vec axes = {0};
  if (!hd_expect(p, TOK_LESS, "'<'") || !hd_expect_word(p, "axes") || !hd_expect(p, TOK_EQUAL, "'='") ||
      !hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, hlo_mesh_axis, &axes))
    return false;
  params[0] = make_array(p, &axes);
  if (hd_accept(p, TOK_COMMA)) {
    const char *at = hd_here(p);
    if (!hd_expect_word(p, "device_ids") || !hd_expect(p, TOK_EQUAL, "'='") || !(params[1] = hd_parse_attr(p, NULL)))
      return false;
    if (params[1]->kind != HD_ATTR_DENSE) return hd_parser_error(p, at, "expected dense<...> as the ids of devices");
  }
  return hd_expect(p, TOK_GREATER, "'>'");
}

void hd_print_params_StablehloMesh(struct hd_printer *out, const hd_row_format *row, const hd_format *args,
                                   size_t count, const hd_attr *params) {
  UNUSED_ARGS;
  hd_puts(out, "<axes = ");
  hd_print_attr(out, params[0], HD_TYPE_NEVER);
  if (params[1]) {
    hd_puts(out, ", device_ids = ");
    hd_print_attr(out, params[1], HD_TYPE_NEVER);
  }
  hd_putc(out, '>');
}

/* ---- shardings of tensors -------------------------------------------------------------------------------------- */

static bool axis_ref(hd_parser *p, void *user) {
  hd_str name;
  if (!hd_parse_string(p, &name)) return false;
  hd_attr params[3] = {hd_attr_string(p->context, name)};
  if (hd_accept(p, TOK_COLON)) {
    int64_t before, size;
    if (!hd_expect(p, TOK_LPAREN, "'('") || !hd_parse_int(p, &before) || !hd_expect(p, TOK_RPAREN, "')'") ||
        !hd_parse_int(p, &size))
      return false;
    params[1] = hd_attr_i64(p->context, before);
    params[2] = hd_attr_i64(p->context, size);
  }
  hd_vec_push(&p->scratch, (hd_attr_vec *)user, hd_attr_struct(p->context, HD_STRUCT_sdy_axis_ref, params, 3));
  return true;
}

static void print_axis(hd_printer *out, hd_attr axis) {
  hd_attr before = hd_attr_sdy_axis_ref_pre_size_attr(axis), size = hd_attr_sdy_axis_ref_size_attr(axis);
  print_name(out, hd_attr_sdy_axis_ref_name_attr(axis));
  if (before && size) hd_printf(out, ":(%" PRId64 ")%" PRId64, before->integer, size->integer);
}

static void print_axes(hd_printer *out, const char *open, hd_attr axes) {
  hd_puts(out, open);
  for (uint32_t i = 0; i < axes->array.count; ++i) {
    if (i) hd_puts(out, ", ");
    print_axis(out, axes->array.items[i]);
  }
}

/* {"x", ?}p1 */
static bool dimension(hd_parser *p, void *user) {
  hd_attr_vec axes = {0};
  bool open = false;
  if (!hd_expect(p, TOK_LBRACE, "'{'")) return false;
  while (!hd_at(p, TOK_RBRACE)) {
    if ((axes.len || open) && !hd_expect(p, TOK_COMMA, "','")) return false;
    if (open) return hd_parser_expected(p, "'}' after '?'");
    open = hd_accept(p, TOK_QUESTION);
    if (!open && !axis_ref(p, &axes)) return false;
  }
  hd_advance(p);
  hd_attr params[3] = {make_array(p, &axes), hd_attr_bool(p->context, !open)};
  if (hd_at(p, TOK_WORD) && hd_here(p)[0] == 'p') {
    uint64_t priority;
    if (!hd_int_literal((hd_str){hd_here(p) + 1, p->tok.text.len - 1}, &priority) || priority > INT32_MAX)
      return hd_parser_expected(p, "a priority, such as p1");
    hd_advance(p);
    params[2] = hd_attr_i64(p->context, (int64_t)priority);
  }
  hd_vec_push(&p->scratch, (hd_attr_vec *)user,
              hd_attr_struct(p->context, HD_STRUCT_sdy_dimension_sharding, params, 3));
  return true;
}

static void print_dimension(hd_printer *out, hd_attr dim) {
  hd_attr axes = hd_attr_sdy_dimension_sharding_axes(dim), priority = hd_attr_sdy_dimension_sharding_priority_attr(dim);
  print_axes(out, "{", axes);
  if (!hd_attr_sdy_dimension_sharding_is_closed(dim)) hd_puts(out, axes->array.count ? ", ?" : "?");
  hd_putc(out, '}');
  if (priority) hd_printf(out, "p%" PRId64, priority->integer);
}

bool hd_parse_params_SdySharding(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                                 hd_attr *params) {
  UNUSED_ARGS;
  if (!hd_expect(p, TOK_LESS, "'<'")) return false;
  params[0] = hd_accept_word(p, "mesh") ? hd_parse_attr_row(p, HD_STRUCT_sdy_mesh) : hd_parse_symbol(p);
  hd_attr_vec dims = {0};
  if (!params[0] || !hd_expect(p, TOK_COMMA, "','") || !hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, dimension, &dims))
    return false;
  params[1] = make_array(p, &dims);
  static const char *const words[] = {"replicated", "unreduced"};
  for (int i = 0; i < 2 && hd_accept(p, TOK_COMMA); ++i) {
    if (!i && !hd_at_word(p, words[0])) ++i;
    hd_attr_vec axes = {0};
    if (!hd_expect_word(p, words[i]) || !hd_expect(p, TOK_EQUAL, "'='") ||
        !hd_parse_list(p, TOK_LBRACE, TOK_RBRACE, axis_ref, &axes))
      return false;
    if (axes.len) params[2 + i] = make_array(p, &axes);
  }
  return hd_expect(p, TOK_GREATER, "'>'");
}
void hd_print_params_SdySharding(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                                 const hd_attr *params) {
  UNUSED_ARGS;
  hd_putc(out, '<');
  if (params[0]->kind == HD_ATTR_STRUCT) {
    hd_puts(out, "mesh");
    hd_print_params_SdyMesh(out, NULL, NULL, 0, params[0]->structure.params);
  } else {
    hd_print_attr(out, params[0], HD_TYPE_NEVER);
  }
  hd_puts(out, ", [");
  for (uint32_t i = 0; i < params[1]->array.count; ++i) {
    if (i) hd_puts(out, ", ");
    print_dimension(out, params[1]->array.items[i]);
  }
  hd_putc(out, ']');
  if (params[2]) print_axes(out, ", replicated={", params[2]), hd_putc(out, '}');
  if (params[3]) print_axes(out, ", unreduced={", params[3]), hd_putc(out, '}');
  hd_putc(out, '>');
}

static bool sharding(hd_parser *p, void *user) {
  hd_attr attr = hd_parse_attr_row(p, HD_STRUCT_sdy_sharding);
  if (!attr) return false;
  hd_vec_push(&p->scratch, (hd_attr_vec *)user, attr);
  return true;
}

static hd_attr parse_shardings(hd_parser *p) {
  hd_attr_vec items = {0};
  return hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, sharding, &items) ? make_array(p, &items) : NULL;
}

static void print_shardings(hd_printer *out, hd_attr list) {
  hd_putc(out, '[');
  for (uint32_t i = 0; i < list->array.count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_params_SdySharding(out, NULL, NULL, 0, list->array.items[i]->structure.params);
  }
  hd_putc(out, ']');
}

bool hd_parse_params_SdyShardingPerValue(struct hd_parser *p, const hd_row_format *row, const hd_format *args,
                                         size_t count, hd_attr *params) {
  UNUSED_ARGS;
  return hd_expect(p, TOK_LESS, "'<'") && (params[0] = parse_shardings(p)) && hd_expect(p, TOK_GREATER, "'>'");
}
void hd_print_params_SdyShardingPerValue(struct hd_printer *out, const hd_row_format *row, const hd_format *args,
                                         size_t count, const hd_attr *params) {
  UNUSED_ARGS;
  hd_putc(out, '<');
  print_shardings(out, params[0]);
  hd_putc(out, '>');
}

/* ---- manual computations --------------------------------------------------------------------------------------- */

static bool axis_name(hd_parser *p, void *user) {
  hd_str name;
  if (!hd_parse_string(p, &name)) return false;
  hd_vec_push(&p->scratch, (hd_attr_vec *)user, hd_attr_string(p->context, name));
  return true;
}

bool hd_parse_params_SdyManualAxes(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                                   hd_attr *params) {
  UNUSED_ARGS;
  hd_attr_vec names = {0};
  if (!hd_parse_list(p, TOK_LBRACE, TOK_RBRACE, axis_name, &names)) return false;
  params[0] = make_array(p, &names);
  return true;
}
void hd_print_params_SdyManualAxes(struct hd_printer *out, const hd_row_format *row, const hd_format *args,
                                   size_t count, const hd_attr *params) {
  UNUSED_ARGS;
  hd_putc(out, '{');
  for (uint32_t i = 0; i < params[0]->array.count; ++i) {
    if (i) hd_puts(out, ", ");
    print_name(out, params[0]->array.items[i]);
  }
  hd_putc(out, '}');
}

/* [<...>, <...>]: a list that an op writes without its name. */
bool hd_parse_hook_SdyShardings(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  hd_attr list = parse_shardings(op->p);
  if (!list) return false;
  hd_op_parser_attr(op, op->signature->attrs.items[args[0].index].name->text,
                    hd_attr_struct(op->p->context, HD_STRUCT_sdy_sharding_per_value, &list, 1));
  return true;
}
void hd_print_hook_SdyShardings(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)count;
  const hd_signature *signature = hd_signature_of(out->context, hd_opcode_get(op));
  hd_attr list = hd_op_attr_get_ident(op, signature->attrs.items[args[0].index].name);
  print_shardings(out, hd_attr_sdy_sharding_per_value_shardings(list));
}

/* (%a: type, ...) { ... } */
static bool body_argument(hd_parser *p, void *user) {
  hd_region_arg arg;
  if (!hd_parse_region_arg(p, true, &arg)) return false;
  hd_vec_push(&p->scratch, (hd_region_arg_vec *)user, arg);
  return true;
}

bool hd_parse_hook_SdyBody(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_region_arg_vec names = {0};
  hd_region *region;
  if (!hd_parse_list(op->p, TOK_LPAREN, TOK_RPAREN, body_argument, &names) ||
      !hd_parse_region(op, names.data, names.len, true, &region))
    return false;
  hd_vec_push(&op->p->scratch, &op->regions[0], region);
  return true;
}
void hd_print_hook_SdyBody(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_block *block = op->regions[0].first;
  hd_putc(out, '(');
  for (uint32_t i = 0; block && i < block->arg_count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_block_arg(out, block->args[i]);
  }
  hd_puts(out, ") ");
  hd_print_region(out, &op->regions[0], false, true, false);
}
