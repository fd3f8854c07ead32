/* SPDX-License-Identifier: Apache-2.0 */
/* A loop over the innermost dim that is divided where an operand of a concatenate, or the operand of a pad, begins or
 * ends: in each piece one of them is read, without a mask or a branch. */
#ifndef HD_CODEGEN_EMIT_PIECES_H_
#define HD_CODEGEN_EMIT_PIECES_H_

#include "codegen/emit/generator.h"

enum { HD_MOST_PIECES = 16 };

/* Which piece is being made. */
struct hd_pieces {
  hd_op *op;     /* a concatenate or a pad whose result is walked as the roots are */
  uint32_t axis; /* of it; the dims inside of it are walked together with it */
  uint32_t count, piece;
  hd_value *starts[HD_MOST_PIECES + 1]; /* of the pieces in the walked dims, and the end; set by hd_open_pieces */
  hd_value *at;                         /* the position in the walked dims that vectors begin with; null: outside */
};

/* The op by which loops over |roots| are divided, reached from them by elementwise ops alone; null: none. Sets
 * |g->pieces|, which hd_merge_dims takes into account. */
void hd_find_pieces(hd_generator *g, hd_value *const *roots, size_t root_count, size_t op_count);
/* May the loop over dims [first, rank) be divided? If not, |g->pieces| is no more. */
bool hd_keep_pieces(hd_generator *g, uint32_t first);
/* Finds where pieces start, each in [0, end], at |g->b|. */
void hd_open_pieces(hd_generator *g, hd_value *end);
/* The index in operand of the piece at hand at |index| of |op|'s result; null: |op| is not divided there. */
hd_index_tuple *hd_in_piece(hd_generator *g, hd_op *op, const hd_index_tuple *index);

#endif
