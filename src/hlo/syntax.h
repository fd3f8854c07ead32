/* SPDX-License-Identifier: Apache-2.0 */
/* HLO text as it is: computations of instructions whose attributes are still text, and the cursor that reads them.
 * All of it lives in the reader's scratch arena; texts are views of the source. */
#ifndef HD_HLO_SYNTAX_H_
#define HD_HLO_SYNTAX_H_

#include "base/vec.h"
#include "hlo/hlo.h"

enum {
  HD_HLO_NESTING = 100,   /* of tuple shapes, and of computations that hold each other */
  HD_HLO_EXPANSION = 16,  /* regions may hold this many times the instructions that are written, */
  HD_HLO_SMALL = 1 << 16, /* or this many */
};

/* An array, a token, or a tuple of shapes. */
typedef struct hd_hlo_shape {
  hd_type type; /* null: a tuple */
  uint32_t count, leaves;
  const struct hd_hlo_shape *elements; /* of a tuple: |count| */
  const int64_t *minor_to_major;       /* null: the last dim is the most minor one */
  bool tiled;
} hd_hlo_shape;

typedef struct hd_hlo_attr {
  hd_str name, value;
} hd_hlo_attr;

typedef struct hd_hlo_inst {
  hd_str name, opcode;
  const struct hd_hlo_row *row;
  const char *at; /* the name, in the source */
  uint32_t line, column;
  hd_hlo_shape shape;
  bool shapeless;           /* the shape was left out and is not known yet */
  hd_str payload;           /* what is between the parentheses */
  const uint32_t *operands; /* instructions of the same computation, before this one */
  uint32_t operand_count, attr_count;
  const hd_hlo_attr *attrs;
} hd_hlo_inst;

/* What text says a second time, and where. */
typedef struct hd_hlo_said {
  const char *at;
  hd_hlo_shape shape;
  uint32_t inst; /* that it is said of, where an operand has it */
} hd_hlo_said;

typedef struct hd_hlo_computation {
  hd_str name;
  const char *at;
  hd_vec(hd_hlo_inst) insts;
  hd_vec(uint32_t) params; /* instruction of each parameter */
  uint32_t root;
  bool entry, shapeless;    /* shapeless: shapes of some instructions were left out */
  hd_vec(hd_hlo_said) said; /* what operands say of those, to be held against what follows */
  hd_op *func;              /* the function that it became, null before and for those that are regions only */
} hd_hlo_computation;

typedef struct hd_hlo_reader {
  hd_context *context;
  hd_arena scratch;
  hd_str source;
  hd_str file;
  hd_module *module;
  const char *counted; /* up to here lines are counted */
  const char *line_start;
  uint32_t line;
  bool failed;
  bool divided; /* XLA has made the program of one device: shardings say how, and ask for nothing more */
  hd_str module_name;
  hd_vec(hd_hlo_attr) header;
  hd_vec(hd_hlo_computation *) computations; /* as they are written */
  hd_map by_name;                            /* of computations */
  hd_vec(hd_hlo_computation *) called;       /* those that are functions, in the order of their first calls */
  hd_hlo_computation *entry;
  hd_map names; /* of the instructions of the computation that is being read: index + 1 */
  size_t inst_count, imported;
  uint32_t depth;
} hd_hlo_reader;

/* A place in the source, or in the text of an attribute, which is a view of it. */
typedef struct hd_hlo_cursor {
  hd_hlo_reader *r;
  const char *at, *end;
} hd_hlo_cursor;

static inline hd_hlo_cursor hd_hlo_cursor_of(hd_hlo_reader *r, hd_str text) {
  return (hd_hlo_cursor){r, text.data, text.data + text.len};
}

/* The location of |at|, which is in the source. */
hd_loc hd_hlo_place(hd_hlo_reader *r, const char *at);
/* Reports an error at |at|, which is in the source, unless there was one before. Always false. */
bool hd_hlo_fail(hd_hlo_reader *r, const char *at, const char *format, ...) HD_PRINTF(3, 4);
/* "expected |what|, got ..." at the cursor. */
bool hd_hlo_expected(hd_hlo_cursor *c, const char *what);

/* Skips blanks and comments; true when something is left. */
bool hd_hlo_more(hd_hlo_cursor *c);
/* Is |text| next, after blanks? hd_hlo_accept steps over it. */
bool hd_hlo_next_is(hd_hlo_cursor *c, char text);
bool hd_hlo_accept(hd_hlo_cursor *c, char text);
bool hd_hlo_expect(hd_hlo_cursor *c, char text);
bool hd_hlo_at_end(hd_hlo_cursor *c, const char *what); /* an error when something is left */
/* The letters, digits and `_.-` that come next, which may be none. */
hd_str hd_hlo_word(hd_hlo_cursor *c);
/* The name of |what|, with or without its `%`: a word that hd_hlo_begins_name. */
bool hd_hlo_name(hd_hlo_cursor *c, const char *what, hd_str *out);
static inline bool hd_hlo_begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static inline bool hd_hlo_in_word(char c) {
  return hd_hlo_begins_name(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
}
bool hd_hlo_int(hd_hlo_cursor *c, int64_t *out);
/* "text", whose escapes are resolved into the scratch arena. */
bool hd_hlo_string(hd_hlo_cursor *c, hd_str *out);
/* Steps over text up to a `,`, a line's end or a closing bracket outside of brackets and strings. */
bool hd_hlo_skip_value(hd_hlo_cursor *c, hd_str *out);

typedef hd_vec(int64_t) hd_hlo_ints;
/* {1,2,3} */
bool hd_hlo_int_list(hd_hlo_cursor *c, hd_hlo_ints *out);

bool hd_hlo_parse_shape(hd_hlo_cursor *c, hd_hlo_shape *out);
/* Writes an array or a token; false when HLO has no name for |type|. */
bool hd_hlo_put_array(hd_type type, hd_strbuf *out);
/* The same for a message: "f32[4]". */
const char *hd_hlo_type_text(hd_hlo_reader *r, hd_type type);
const char *hd_hlo_shape_text(hd_hlo_reader *r, const hd_hlo_shape *shape);
/* Its name, empty when HLO has none for |element|. */
typedef struct hd_hlo_element_text {
  char text[16];
} hd_hlo_element_text;
hd_hlo_element_text hd_hlo_element_name(hd_type element);

typedef struct hd_hlo_signature {
  bool given;
  const char *at;
  hd_vec(hd_hlo_said) params;
  hd_hlo_said result;
} hd_hlo_signature;

/* (x: f32[], y: s32[2]) -> f32[], after the first parenthesis; names may be left out. */
bool hd_hlo_parse_signature(hd_hlo_cursor *c, hd_hlo_signature *out);
/* An error at what |said| says that the instructions do not. */
bool hd_hlo_check_signature(hd_hlo_reader *r, const hd_hlo_computation *computation, const hd_hlo_signature *said);
bool hd_hlo_check_shape(hd_hlo_reader *r, const char *at, const hd_hlo_inst *inst, const hd_hlo_shape *said);

/* Elements of |shape|, an array, as constant(|text|) writes them. */
hd_attr hd_hlo_literal(hd_hlo_reader *r, hd_type type, hd_str text);
bool hd_hlo_print_literal(hd_attr value, hd_strbuf *out);

/* The shapes that |computation|, all of whose instructions are read, leaves out (infer_shapes.c). */
bool hd_hlo_infer_shapes(hd_hlo_reader *r, hd_hlo_computation *computation);

/* Fills the reader from its source; and the module from what was read. */
bool hd_hlo_parse_module(hd_hlo_reader *r);
bool hd_hlo_import_module(hd_hlo_reader *r);

#endif
