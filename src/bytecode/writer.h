/* SPDX-License-Identifier: Apache-2.0 */
/* The writer's state and its parts. Attributes, types, ops and strings are numbered first (what an attribute refers to
 * before or after it alike), grouped by dialect; then everything is written by number. All memory is |scratch|. */
#ifndef HD_BYTECODE_WRITER_H_
#define HD_BYTECODE_WRITER_H_

#include "base/vec.h"
#include "bytecode/encoding.h"
#include "bytecode/layout.h"
#include "ir/op.h"
#include "ir/wide.h"

typedef struct hd_bw_entry {
  hd_attr attr; /* one of the two */
  hd_type type;
  uint32_t dialect, number; /* |number| is final once all are grouped */
} hd_bw_entry;

typedef struct hd_bw_name {
  hd_str text; /* without the dialect */
  uint32_t dialect, number;
  bool registered; /* properties by the op's own encoding */
} hd_bw_name;

typedef struct hd_bw {
  hd_context *context;
  hd_arena *scratch;
  uint64_t version;
  hd_map strings; /* text -> number */
  hd_vec(hd_str) string_list;
  hd_map dialects; /* name -> number */
  hd_vec(hd_str) dialect_list;
  hd_map attrs, types; /* pointer -> index into the lists + 1 */
  hd_vec(hd_bw_entry) attr_list, type_list;
  hd_map op_names; /* ident -> index + 1 */
  hd_vec(hd_bw_name) name_list;
  hd_map properties; /* bytes -> number */
  hd_vec(hd_str) property_list;
  hd_map resources; /* ident -> number */
  hd_vec(hd_ident) resource_list;
  hd_bc_layouts layouts;
  const char *problem; /* what cannot be written, null while all can */
} hd_bw;

/* Notes the first problem; what is written then is of no use. */
void hd_bw_fail(hd_bw *w, const char *format, ...) HD_PRINTF(2, 3);

void hd_bw_varint(hd_strbuf *out, uint64_t value);
void hd_bw_signed(hd_strbuf *out, int64_t value);
void hd_bw_flagged(hd_strbuf *out, uint64_t value, bool flag);
/* |out| is the file as far as it is written; |alignment|, a power of two, is what the data needs in it. */
void hd_bw_section(hd_strbuf *out, hd_bc_section id, const hd_strbuf *data, size_t alignment);

uint32_t hd_bw_string(hd_bw *w, hd_str text);
uint32_t hd_bw_dialect(hd_bw *w, hd_str name);
uint32_t hd_bw_resource(hd_bw *w, hd_ident name);
/* Numbers an attribute or type with all that its encoding refers to. */
void hd_bw_note_attr(hd_bw *w, hd_attr attr);
void hd_bw_note_type(hd_bw *w, hd_type type);
/* Their numbers, once all are noted. */
uint32_t hd_bw_attr(hd_bw *w, hd_attr attr);
uint32_t hd_bw_type(hd_bw *w, hd_type type);

/* The dialect's own encoding; false when there is none and text has to do. With a null |out| only what it refers to is
 * noted. */
bool hd_bw_encode_attr(hd_bw *w, hd_attr attr, hd_strbuf *out);
bool hd_bw_encode_type(hd_bw *w, hd_type type, hd_strbuf *out);
bool hd_bw_encode_vhlo_attr(hd_bw *w, hd_attr attr, hd_strbuf *out);
bool hd_bw_encode_vhlo_type(hd_bw *w, hd_type type, hd_strbuf *out);
hd_str hd_bw_attr_dialect(hd_attr attr);
hd_str hd_bw_type_dialect(hd_type type);

/* Pieces of encodings; with a null |out| what they refer to is noted. */
void hd_bw_put_attr(hd_bw *w, hd_strbuf *out, hd_attr attr);
void hd_bw_put_type(hd_bw *w, hd_strbuf *out, hd_type type);
void hd_bw_put_varint(hd_strbuf *out, uint64_t value);
void hd_bw_put_string(hd_bw *w, hd_strbuf *out, hd_str text);
void hd_bw_put_signed_list(hd_strbuf *out, const int64_t *values, size_t count);
void hd_bw_put_number(hd_strbuf *out, hd_attr attr);
/* The elements of a dense attribute in the layout of MLIR, with their size. */
void hd_bw_put_dense(hd_bw *w, hd_strbuf *out, hd_attr attr);

/* An op's attributes in two parts; either may be null. What is not in the layout of its row, and all before
 * HD_BC_PROPERTIES, is in the dictionary. */
void hd_bw_split_attrs(hd_bw *w, const hd_op *op, hd_attr *out_dict, hd_attr *out_properties);
void hd_bw_note_properties(hd_bw *w, const hd_op *op, hd_attr properties);
void hd_bw_write_properties(hd_bw *w, const hd_op *op, hd_attr properties, hd_strbuf *out);

/* The ops of |module| as the data of the section, with what they refer to noted or written. */
void hd_bw_note_op(hd_bw *w, hd_op *op);
void hd_bw_write_top(hd_bw *w, hd_op *op, hd_strbuf *out);

#endif
