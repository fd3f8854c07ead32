/* SPDX-License-Identifier: Apache-2.0 */
/* vhlo, the portable form of stablehlo, by the rows of vhlo_ops.def. Attributes and types of vhlo ops are held as what
 * they stand for: true for #vhlo.bool_v1<true>, tensor<4xf32> for !vhlo.tensor_v1<4x!vhlo.f32_v1>, a dense tensor for a
 * list of dims, a string for a symbol. Thread-compatible. */
#ifndef HD_BYTECODE_VHLO_H_
#define HD_BYTECODE_VHLO_H_

#include "base/vec.h"
#include "ir/op.h"

typedef struct hd_vhlo_row {
  hd_opcode opcode; /* vhlo.add_v1 */
  const char *name;
  const char *target_name; /* stablehlo.add */
  const char *attrs;       /* as in the row */
  hd_opcode target;        /* 0 when this compiler has no such op */
  uint32_t first, last;    /* versions of the dialect that have it */
} hd_vhlo_row;

#define HD_VHLO_VERSION(major, minor, patch) ((uint32_t)(major) << 20 | (uint32_t)(minor) << 10 | (uint32_t)(patch))
enum { HD_VHLO_OLDEST = HD_VHLO_VERSION(0, 9, 0), HD_VHLO_CURRENT = HD_VHLO_VERSION(1, 20, 0) };
/* "1.10.0"; false when the text is no version. */
bool hd_vhlo_version_parse(const char *text, uint32_t *out);

typedef enum hd_vhlo_kind {
  HD_VHLO_SAME,
#define KIND(name, doc) HD_VHLO_##name,
#include "bytecode/vhlo_kinds.def"
} hd_vhlo_kind;

/* An attribute of a vhlo op. */
typedef struct hd_vhlo_item {
  hd_ident name;
  hd_vhlo_kind kind;
} hd_vhlo_item;
enum { HD_VHLO_MAX_ITEMS = 24 };

/* The attributes of a row, in the order of their encoding; gives their number. */
size_t hd_vhlo_items(hd_context *context, const hd_vhlo_row *row, hd_vhlo_item *out);

/* False when |opcode| is no vhlo op. */
bool hd_vhlo_row_of(hd_context *context, hd_opcode opcode, hd_vhlo_row *out);
/* The row that stands for |target| in |version|; false when there is none. */
bool hd_vhlo_row_for(hd_context *context, hd_opcode target, uint32_t version, hd_vhlo_row *out);

typedef hd_vec(hd_op_attr) hd_vhlo_attrs;

/* The attributes of the op that a vhlo op with |attrs| stands for. False with what is wrong in |problem|. */
bool hd_vhlo_import(hd_context *context, hd_arena *scratch, const hd_vhlo_row *row, const hd_op_attr *attrs,
                    size_t count, hd_vhlo_attrs *out, hd_strbuf *problem);
/* The way back: the attributes of the vhlo op that stands for |op|, all that the row has in its order, then the others.
 */
bool hd_vhlo_export(hd_op *op, hd_arena *scratch, const hd_vhlo_row *row, hd_vhlo_attrs *out, hd_strbuf *problem);

/* An attribute of the other op that is made of several. */
typedef struct hd_vhlo_struct {
  hd_vhlo_kind kind;
  int row;          /* of the struct */
  const char *attr; /* its name in the op */
} hd_vhlo_struct;
/* Null when the kind is no part. */
const hd_vhlo_struct *hd_vhlo_struct_of(hd_vhlo_kind kind);
/* Where part |name| is in the struct, and its kind as the row tells it; -1 when it has no such part. */
int hd_vhlo_part(int row, hd_str name, hd_str *out_kind, bool *out_optional);

/* The struct |row| of stablehlo with |params|, null when one is of another kind than the row says. */
hd_attr hd_stablehlo_struct(hd_context *context, int row, const hd_attr *params, size_t count);
/* The row that stands for |row|, a struct of device meshes: of vhlo for stablehlo's when |portable|, else back; -1 when
 * there is none. */
int hd_vhlo_mesh_row(int row, bool portable);
/* Struct |row| of stablehlo from the two |params| of the one of vhlo; null as above. */
hd_attr hd_vhlo_mesh_import(hd_context *context, int row, const hd_attr *params);

/* True when |attr| is what |kind| leaves out. */
bool hd_vhlo_is_default(hd_vhlo_kind kind, hd_attr attr);

#endif
