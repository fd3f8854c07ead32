/* SPDX-License-Identifier: Apache-2.0 */
/* The reader's state and its parts. Functions that read return false or null after reporting an error; the first error
 * ends reading, later ones are not reported. All tables are in |scratch|, which lives during one call of
 * hd_bytecode_parse.
 *
 * Bounds: every count is checked against the bytes that are left (an item takes at least one byte); references between
 * attributes and types form no cycle, nest at most HD_BC_NESTING deep and weigh at most HD_BC_WEIGHT when written out
 * in full; regions nest at most HD_BC_NESTING deep. */
#ifndef HD_BYTECODE_READER_H_
#define HD_BYTECODE_READER_H_

#include "base/vec.h"
#include "bytecode/encoding.h"
#include "bytecode/layout.h"
#include "ir/op.h"
#include "ir/wide.h"

enum { HD_BC_NESTING = 512, /* as in text */ HD_BC_WEIGHT = 1 << 24 };

/* What is still to be read of a part of the file. */
typedef struct hd_bc_bytes {
  const uint8_t *at, *end;
} hd_bc_bytes;

static inline size_t hd_bc_left(const hd_bc_bytes *in) { return (size_t)(in->end - in->at); }

typedef struct hd_bc_dialect {
  hd_str name;
} hd_bc_dialect;

typedef struct hd_bc_op_name {
  const hd_bc_dialect *dialect;
  hd_ident name; /* "vhlo.add_v1" */
  hd_opcode opcode;
  bool registered; /* where it was written: properties are encoded by the op, else as one dictionary */
} hd_bc_op_name;

/* An attribute or type of the table, read when first asked for. */
typedef struct hd_bc_entry {
  const hd_bc_dialect *dialect;
  hd_bc_bytes bytes;
  bool custom; /* encoded by the dialect, else as text */
  enum { HD_BC_UNREAD, HD_BC_READING, HD_BC_READ } state;
  uint32_t weight;
  hd_attr attr;
  hd_type type;
} hd_bc_entry;

typedef struct hd_bc_reader {
  hd_context *context;
  hd_module *module;
  hd_arena scratch;
  const char *name;
  const uint8_t *data;
  size_t size;
  bool failed;
  uint64_t version;
  hd_str producer;
  hd_bc_bytes sections[HD_BC_SECTION_COUNT];
  bool has_section[HD_BC_SECTION_COUNT];
  hd_str *strings;
  size_t string_count;
  hd_bc_dialect *dialects;
  size_t dialect_count;
  hd_vec(hd_bc_op_name) op_names;
  hd_bc_entry *attrs, *types;
  size_t attr_count, type_count;
  hd_vec(hd_str) resources; /* names of the handles */
  hd_bc_bytes *properties;
  size_t property_count;
  hd_bc_layouts layouts;
  uint32_t depth;  /* of the recursion through attributes and types */
  uint64_t weight; /* of what is being read */
  size_t claimed;  /* values, blocks and regions that the file said it has */
} hd_bc_reader;

/* Reports an error at byte |at| of the file; always false, which the compiler can see. */
int hd_bc_report(hd_bc_reader *r, const uint8_t *at, const char *format, ...) HD_PRINTF(3, 4);
static inline bool hd_bc_false_(int ignored) {
  (void)ignored;
  return false;
}
#define hd_bc_fail(r, at, ...) hd_bc_false_(hd_bc_report((r), (at), __VA_ARGS__))

bool hd_bc_byte(hd_bc_reader *r, hd_bc_bytes *in, uint8_t *out);
bool hd_bc_varint(hd_bc_reader *r, hd_bc_bytes *in, uint64_t *out);
bool hd_bc_signed(hd_bc_reader *r, hd_bc_bytes *in, int64_t *out);
/* A varint whose lowest bit is a flag. */
bool hd_bc_flagged(hd_bc_reader *r, hd_bc_bytes *in, uint64_t *out, bool *out_flag);
/* A number of items of at least |item_size| bytes each that follow. */
bool hd_bc_count(hd_bc_reader *r, hd_bc_bytes *in, size_t item_size, size_t *out);
bool hd_bc_take(hd_bc_reader *r, hd_bc_bytes *in, uint64_t size, hd_bc_bytes *out);
bool hd_bc_section_read(hd_bc_reader *r, hd_bc_bytes *in, uint8_t *out_id, hd_bc_bytes *out);
bool hd_bc_string(hd_bc_reader *r, hd_bc_bytes *in, hd_str *out);
/* The text up to a NUL. */
bool hd_bc_cstring(hd_bc_reader *r, hd_bc_bytes *in, hd_str *out);
bool hd_bc_expect_end(hd_bc_reader *r, const hd_bc_bytes *in, const char *what);

/* The attribute or type of an index of the table; null after an error. */
hd_type hd_bc_type_at(hd_bc_reader *r, uint64_t index, const uint8_t *where);
/* The index is read too. */
hd_attr hd_bc_attr_ref(hd_bc_reader *r, hd_bc_bytes *in);
hd_type hd_bc_type_ref(hd_bc_reader *r, hd_bc_bytes *in);
/* A flagged index; |*out| is null when there is none. */
bool hd_bc_optional_attr(hd_bc_reader *r, hd_bc_bytes *in, hd_attr *out);
hd_loc hd_bc_loc_ref(hd_bc_reader *r, hd_bc_bytes *in);
bool hd_bc_attr_list(hd_bc_reader *r, hd_bc_bytes *in, hd_attr **out, size_t *out_count);
bool hd_bc_type_list(hd_bc_reader *r, hd_bc_bytes *in, hd_type **out, size_t *out_count);
bool hd_bc_signed_list(hd_bc_reader *r, hd_bc_bytes *in, int64_t **out, size_t *out_count);
bool hd_bc_double(hd_bc_reader *r, hd_bc_bytes *in, double *out);
hd_attr hd_bc_number(hd_bc_reader *r, hd_bc_bytes *in, hd_type type, const uint8_t *where);
/* dense<...> of |type| from the bytes of MLIR's own layout. */
hd_attr hd_bc_dense(hd_bc_reader *r, hd_type type, hd_bc_bytes blob);
bool hd_bc_shape(hd_bc_reader *r, hd_bc_bytes *in, int64_t **out_dims, size_t *out_rank);
/* False with an error when |type| cannot be an element. */
bool hd_bc_check_element(hd_bc_reader *r, hd_type type, const uint8_t *where);

/* The dialects' own encodings. */
hd_attr hd_bc_builtin_attr(hd_bc_reader *r, hd_bc_bytes *in);
hd_type hd_bc_builtin_type(hd_bc_reader *r, hd_bc_bytes *in);
hd_attr hd_bc_vhlo_attr(hd_bc_reader *r, hd_bc_bytes *in);
hd_type hd_bc_vhlo_type(hd_bc_reader *r, hd_bc_bytes *in);
hd_attr hd_bc_sdy_attr(hd_bc_reader *r, hd_bc_bytes *in);
hd_attr hd_bc_stablehlo_attr(hd_bc_reader *r, hd_bc_bytes *in);
hd_type hd_bc_stablehlo_type(hd_bc_reader *r, hd_bc_bytes *in);
hd_attr hd_bc_chlo_attr(hd_bc_reader *r, hd_bc_bytes *in);
hd_type hd_bc_quant_type(hd_bc_reader *r, hd_bc_bytes *in);
/* The parts of a quantized type, after its code. */
hd_type hd_bc_quant(hd_bc_reader *r, hd_bc_bytes *in, bool per_axis);
/* A case of enum |row|, and a list of types as an array of them. */
hd_attr hd_bc_enum(hd_bc_reader *r, hd_bc_bytes *in, int row);
hd_attr hd_bc_type_attrs(hd_bc_reader *r, hd_bc_bytes *in);

/* The properties of an op, appended to |out| as attributes. */
typedef hd_vec(hd_op_attr) hd_bc_op_attrs;
bool hd_bc_properties(hd_bc_reader *r, const hd_bc_op_name *name, hd_bc_bytes *in, hd_bc_op_attrs *out);

bool hd_bc_ir(hd_bc_reader *r);
/* After reading a portable artifact: casts vanish, with the shardings of a program for one device. */
bool hd_bc_tidy(hd_bc_reader *r);

#endif
