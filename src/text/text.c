/* SPDX-License-Identifier: Apache-2.0 */
/* The doors of text.h: whole modules, single attributes and types. */
#include "text/text.h"

#include "text/printer.h"
#include "text/scopes.h"

typedef struct parse_call {
  hd_context *context;
  hd_str source;
  const char *file_name;
  hd_module *module;
  hd_parser parser;
  bool begun, ok;
} parse_call;

/* Finds alias definitions at the beginnings of lines, so that they may be after their uses. */
static void find_aliases(hd_parser *p) {
  for (const char *line = p->source.data; line && line < p->end;) {
    if (*line == '#' || *line == '!') {
      const char *problem;
      hd_token name = hd_lex(line, p->end, &problem);
      hd_token equal = hd_lex(line + name.text.len, p->end, &problem);
      if ((name.kind == TOK_HASH || name.kind == TOK_BANG) && equal.kind == TOK_EQUAL) {
        hd_map *map = name.kind == TOK_HASH ? &p->attr_aliases : &p->type_aliases;
        bool is_new;
        hd_map_entry *entry = hd_map_insert_bytes(&p->scratch, map, name.text.data + 1, name.text.len - 1, &is_new);
        if (is_new) {
          hd_alias *alias = entry->value.ptr = hd_new(&p->scratch, hd_alias);
          alias->definition = equal.text.data + 1;
          alias->name = name.text.data;
        }
      }
    }
    line = memchr(line, '\n', (size_t)(p->end - line));
    if (line) ++line;
  }
}

/* #name = attribute, !name = type */
static bool parse_alias(hd_parser *p) {
  hd_token name = p->tok;
  bool type = name.kind == TOK_BANG;
  if (memchr(name.text.data, '.', name.text.len))
    return hd_parser_error(p, name.text.data, "%s names with a '.' are reserved for dialect-defined names",
                           type ? "type" : "attribute");
  hd_advance(p);
  if (!hd_expect(p, TOK_EQUAL, type ? "'=' in type alias definition" : "'=' in attribute alias definition"))
    return false;
  hd_map *map = type ? &p->type_aliases : &p->attr_aliases;
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(&p->scratch, map, name.text.data + 1, name.text.len - 1, &is_new);
  hd_alias *alias = entry->value.ptr;
  if (is_new) {
    alias = entry->value.ptr = hd_new(&p->scratch, hd_alias);
    alias->definition = hd_here(p);
    alias->name = name.text.data;
  }
  if (alias->name != name.text.data)
    return hd_parser_error(p, name.text.data, "redefinition of %s alias id '%.*s'", type ? "type" : "attribute",
                           (int)name.text.len - 1, name.text.data + 1);
  /* Read once: in place, unless a use was met before. */
  const char *stop = alias->stop;
  if (stop) {
    hd_jump(p, stop);
    return true;
  }
  return hd_parser_read_alias(p, alias, type);
}

/* Resources: {-# dialect_resources: { builtin: { name: "0x..." } } #-} */

static bool parse_resource(hd_parser *p) {
  hd_str name;
  if (!hd_parse_word_or_string(p, "a resource name", &name) || !hd_expect(p, TOK_COLON, "':'")) return false;
  hd_token value = p->tok;
  if (value.kind != TOK_STRING) { /* a bool, number or other text: not for us */
    hd_advance(p);
    return true;
  }
  hd_advance(p);
  char *bytes;
  size_t size;
  if (value.text.len < 4 || memcmp(value.text.data, "\"0x", 3) != 0) return true;
  if (!hd_text_hex_bytes(p, value.text, &bytes, &size)) return false;
  if (size < 4)
    return hd_parser_error(p, value.text.data,
                           "expected hex string blob for key '%.*s' to encode alignment in first 4 bytes",
                           (int)name.len, name.data);
  uint32_t alignment;
  memcpy(&alignment, bytes, 4);
  if (alignment && alignment & (alignment - 1))
    return hd_parser_error(p, value.text.data,
                           "expected hex string blob for key '%.*s' to encode an alignment that is a power of two",
                           (int)name.len, name.data);
  hd_resource *resource = hd_new(&p->context->arena, hd_resource);
  *resource = (hd_resource){alignment, size - 4, hd_arena_copy(&p->context->arena, bytes + 4, size - 4)};
  hd_map_insert_bytes(&p->context->arena, &p->context->resources, name.data, name.len, NULL)->value.ptr = resource;
  return true;
}

/* { key: item, ... } */
static bool parse_meta_block(hd_parser *p, bool (*item)(hd_parser *p)) {
  if (!hd_expect(p, TOK_LBRACE, "'{'")) return false;
  if (hd_accept(p, TOK_RBRACE)) return true;
  do {
    if (!item(p)) return false;
  } while (hd_accept(p, TOK_COMMA));
  return hd_expect(p, TOK_RBRACE, "'}'");
}

static bool parse_meta_dialect(hd_parser *p) {
  hd_str name;
  return hd_parse_word_or_string(p, "a dialect name", &name) && hd_expect(p, TOK_COLON, "':'") &&
         parse_meta_block(p, parse_resource);
}

static bool parse_meta_section(hd_parser *p) {
  const char *at = hd_here(p);
  hd_str name;
  if (!hd_parse_word(p, "identifier key in file metadata dictionary", &name) || !hd_expect(p, TOK_COLON, "':'"))
    return false;
  if (hd_str_is(name, "dialect_resources") || hd_str_is(name, "external_resources"))
    return parse_meta_block(p, parse_meta_dialect);
  return hd_parser_error(p, at, "unknown key '%.*s' in file metadata dictionary", (int)name.len, name.data);
}

static bool parse_meta(hd_parser *p) {
  hd_advance(p);
  if (hd_accept(p, TOK_META_END)) return true;
  do {
    if (!parse_meta_section(p)) return false;
  } while (hd_accept(p, TOK_COMMA));
  return hd_expect(p, TOK_META_END, "'#-}'");
}

static bool parse_top(hd_parser *p) {
  hd_block *body = hd_module_body(p->module);
  find_aliases(p);
  p->default_dialect = HD_STR("builtin");
  hd_scope_push(p, true);
  while (!hd_at(p, TOK_EOF)) {
    bool ok;
    if (hd_at(p, TOK_HASH) || hd_at(p, TOK_BANG))
      ok = parse_alias(p);
    else if (hd_at(p, TOK_META_BEGIN))
      ok = parse_meta(p);
    else
      ok = hd_parse_op_into(p, body);
    if (!ok) return false;
  }
  if (!hd_scope_pop(p)) return false;
  /* A single module at the top is the module. */
  if (body->first && body->first == body->last && hd_op_is(body->first, HD_OP_builtin_module)) {
    hd_op *inner = body->first;
    hd_op_unlink(inner);
    p->module->op = inner;
    if (!hd_op_region(inner, 0)->first) hd_region_append(hd_op_region(inner, 0), hd_block_create(p->module));
  }
  return true;
}

static hd_status parse_module(void *argument) {
  parse_call *call = argument;
  hd_parser_init(&call->parser, call->context, call->source, call->file_name);
  call->begun = true;
  call->module = hd_module_create(call->context, hd_loc_file(call->context, hd_str_of(call->file_name), 0, 0));
  call->parser.module = call->module;
  hd_map_entry *entry = hd_map_insert(&call->context->arena, &call->context->sources, call->parser.file, NULL);
  if (!entry->value.ptr) entry->value.ptr = &call->source;
  call->ok = parse_top(&call->parser);
  return HD_STATUS_OK;
}

hd_status hd_text_parse(hd_context *context, hd_str source, const char *file_name, hd_module **out_module) {
  *out_module = NULL;
  if (source.len > UINT32_MAX)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: programs of 4 GiB and more are not read", file_name);
  parse_call call = {.context = context, .source = source, .file_name = file_name};
  hd_text_install(context);
  hd_status status = hd_guarded_call(parse_module, &call);
  if (call.begun) {
    /* The source is the caller's: diagnostics may not look at it later. */
    hd_map_entry *entry = call.parser.file ? hd_map_find(&context->sources, call.parser.file) : NULL;
    if (entry && entry->value.ptr == &call.source) entry->value.ptr = NULL;
    hd_parser_free(&call.parser);
  }
  if (hd_is_ok(status) && !call.ok) status = hd_failed(context);
  if (!hd_is_ok(status)) {
    if (call.module) hd_module_free(call.module);
    return status;
  }
  *out_module = call.module;
  return HD_STATUS_OK;
}

void hd_text_add_source(hd_context *context, const char *file_name, hd_str source) {
  hd_str *kept = hd_new(&context->arena, hd_str);
  *kept = source;
  hd_map_set(&context->arena, &context->sources, hd_ident_cstr(context, file_name), kept);
}

/* Printing. */

static void print_resources(hd_printer *out, hd_context *context) {
  bool any = false;
  for (size_t i = 0; i < context->resources.len; ++i) {
    hd_map_entry *entry = &context->resources.entries[i];
    hd_str name = {entry->key, entry->key_size};
    if (!hd_map_find_bytes(&out->resources, name.data, name.len)) continue;
    const hd_resource *resource = entry->value.ptr;
    hd_puts(out, any ? ",\n      " : "\n{-#\n  dialect_resources: {\n    builtin: {\n      ");
    any = true;
    hd_print_word_or_string(out->out, name);
    hd_printf(out, ": \"0x%02X%02X%02X%02X", (unsigned)(resource->alignment & 255),
              (unsigned)(resource->alignment >> 8 & 255), (unsigned)(resource->alignment >> 16 & 255),
              (unsigned)(resource->alignment >> 24 & 255));
    for (size_t k = 0; k < resource->size; ++k) hd_printf(out, "%02X", (unsigned char)resource->data[k]);
    hd_putc(out, '"');
  }
  if (any) hd_puts(out, "\n    }\n  }\n#-}\n");
}

/* Prints |op| to nothing: what it mentions is visited in the order of printing. */
static void find_aliases_of(hd_printer *out, hd_op *op) {
  hd_strbuf *text = out->out, nothing;
  hd_strbuf_init(&nothing, &out->scratch);
  out->out = &nothing;
  hd_begin_aliases(out);
  hd_print_op(out, op);
  hd_end_aliases(out);
  out->out = text;
}

void hd_text_print(hd_op *op, const hd_text_print_options *options, hd_strbuf *text) {
  hd_printer out;
  hd_printer_init(&out, hd_op_context(op), options, text);
  out.default_dialect = HD_STR("builtin");
  hd_number_values(&out, op);
  if (!out.options.inline_types) find_aliases_of(&out, op);
  hd_print_alias_definitions(&out, false);
  hd_print_op(&out, op);
  hd_putc(&out, '\n');
  hd_print_alias_definitions(&out, true);
  print_resources(&out, hd_op_context(op));
  hd_printer_free(&out);
}

/* |op| on one line, regions as {...}. */
static void print_op_line(hd_op *op, hd_strbuf *text) {
  hd_printer out;
  hd_printer_init(&out, hd_op_context(op), NULL, text);
  out.one_line = true;
  hd_op *top = op;
  while (hd_op_parent(top)) {
    bool isolated = hd_is_isolated(hd_op_parent(top)->info);
    top = hd_op_parent(top);
    if (isolated) break;
  }
  hd_number_values(&out, top);
  hd_print_op(&out, op);
  hd_printer_free(&out);
}

static void print_type(hd_strbuf *out, hd_type type) { hd_text_print_type(type, out); }
static void print_attr(hd_strbuf *out, hd_attr attr) { hd_text_print_attr(attr, out); }
static void print_op(hd_strbuf *out, hd_op *op) { print_op_line(op, out); }

void hd_text_install(hd_context *context) {
  context->print_type = print_type;
  context->print_attr = print_attr;
  context->print_op = print_op;
}
