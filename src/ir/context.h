/* SPDX-License-Identifier: Apache-2.0 */
/* The context: owns everything that is uniqued (identifiers, types, attributes, locations) and the sink of
 * diagnostics. Thread-compatible: a context and all modules in it are used by one thread at a time; several threads
 * may read finished IR at once as long as none of them makes types, attributes or ops. */
#ifndef HD_IR_CONTEXT_H_
#define HD_IR_CONTEXT_H_

#include "base/arena.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "ir/ops/names.h"

typedef struct hd_context hd_context;
typedef const struct hd_ident_storage *hd_ident; /* an interned string; equal strings are one pointer */
typedef const struct hd_type_storage *hd_type;   /* a uniqued type; equal types are one pointer */
typedef const struct hd_attr_storage *hd_attr;   /* a uniqued attribute; equal attributes are one pointer */
typedef hd_attr hd_loc;                          /* an attribute of one of the HD_ATTR_LOC_ kinds */
typedef struct hd_module hd_module;
typedef struct hd_op hd_op;
typedef struct hd_value hd_value;
typedef struct hd_block hd_block;
typedef struct hd_region hd_region;
typedef struct hd_use hd_use;

struct hd_ident_storage {
  uint64_t hash;
  uint32_t len;
  uint16_t name; /* enum hd_name, HD_NAME_NONE of all other texts */
  char text[];   /* NUL-terminated */
};

typedef enum hd_severity { HD_NOTE, HD_REMARK, HD_WARNING, HD_ERROR } hd_severity;

/* One diagnostic as it reaches the sink. |text| is lower case and lives during the call only. Notes follow the
 * error that they belong to. */
typedef struct hd_diagnostic {
  hd_severity severity;
  hd_loc loc;
  const char *text;
} hd_diagnostic;

typedef void (*hd_diagnostic_sink)(void *user, const hd_diagnostic *diagnostic);

struct hd_context {
  hd_arena arena;
  hd_budget budget;              /* bytes that this context's arenas may take together; limit 0 is none */
  hd_map idents, types, attrs;   /* by content */
  hd_map resources;              /* name -> blob of dense_resource attributes */
  void **signatures;             /* per opcode: the parsed operand and attribute lists, made when first asked for */
  hd_ident *opcode_idents;       /* per opcode: its name, made when first asked for */
  hd_ident names[HD_NAME_COUNT]; /* of enum hd_name */
  void *text_cache;              /* text/: the rows' assembly formats, parsed when first asked for */
  hd_map op_names;               /* name -> opcode + 1 */
  bool allow_unregistered;       /* accept dialects and ops that have no row */
  hd_diagnostic_sink sink;       /* null: diagnostics are kept in |collected| */
  void *sink_user;
  hd_strbuf collected; /* rendered diagnostics while there is no sink */
  size_t error_count;
  /* Printing for diagnostics, handed in by text/ (hd_text_install); null leaves types out of messages. */
  void (*print_type)(hd_strbuf *out, hd_type type);
  void (*print_attr)(hd_strbuf *out, hd_attr attr);
  void (*print_op)(hd_strbuf *out, hd_op *op); /* one line, without regions */
  /* Source buffers by file name, for the caret line of rendered diagnostics: name ident -> hd_str*. */
  hd_map sources;
};

/* |memory_limit| bytes for all arenas of the context, 0 for no limit. */
hd_status hd_context_create(size_t memory_limit, hd_context **out_context) HD_MUST_USE;
void hd_context_release(hd_context *context);

hd_ident hd_ident_get(hd_context *context, hd_str text);
static inline hd_ident hd_ident_cstr(hd_context *context, const char *text) {
  return hd_ident_get(context, hd_str_of(text));
}
static inline hd_str hd_ident_str(hd_ident ident) { return (hd_str){ident->text, ident->len}; }

const char *hd_name_text(hd_name name);
void hd_names_fill(hd_context *context); /* of a new context */
static inline hd_ident hd_name_ident(const hd_context *context, hd_name name) { return context->names[name]; }

/* Reports a diagnostic at |loc| (null: unknown). Errors are counted in the context. */
void hd_report(hd_context *context, hd_severity severity, hd_loc loc, const char *format, ...) HD_PRINTF(4, 5);
#define hd_error(context, loc, ...) hd_report((context), HD_ERROR, (loc), __VA_ARGS__)
#define hd_note(context, loc, ...) hd_report((context), HD_NOTE, (loc), __VA_ARGS__)

/* "file:line:col: error: text", the source line and a caret where the source is known. */
void hd_diagnostic_render(hd_context *context, const hd_diagnostic *diagnostic, hd_strbuf *out);

/* The status of an operation that has reported errors: INVALID_ARGUMENT. Its message is the collected text, and empty
 * where a sink has received the diagnostics. */
hd_status hd_failed(hd_context *context) HD_MUST_USE;

#endif
