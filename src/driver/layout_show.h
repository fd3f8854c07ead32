/* SPDX-License-Identifier: Apache-2.0 */
/* A layout as it is shown: text, JSON and SVG draw the same. */
#ifndef HD_DRIVER_LAYOUT_SHOW_H_
#define HD_DRIVER_LAYOUT_SHOW_H_

#include "analysis/layouts/convert.h"
#include "base/strbuf.h"

typedef struct hd_shown_layout {
  const char *text; /* as the user wrote it */
  hd_encoding encoding;
  hd_linear_layout map;
  bool is_shared;
} hd_shown_layout;

typedef struct hd_layout_picture {
  uint32_t rank;
  int64_t shape[HD_LINEAR_DIMS];
  uint32_t element_bits;
  hd_shown_layout from, to;
  bool has_to;
  hd_conversion conversion; /* to a distributed layout */
  hd_bank_cost access;      /* to a shared one */
} hd_layout_picture;

/* Elements are drawn as rows of a table: the last dim is a row, but of a tensor of one dim 16 elements are. */
typedef struct hd_layout_table {
  int64_t rows, columns;             /* all */
  int64_t shown_rows, shown_columns; /* the first of them */
} hd_layout_table;
hd_layout_table hd_layout_table_of(const hd_layout_picture *picture);
/* The packed index of an element in the table. */
uint64_t hd_layout_table_element(const hd_layout_table *table, int64_t row, int64_t column);
/* Which index a row begins at: "3", "0,3". */
void hd_layout_table_row_name(const hd_layout_picture *picture, const hd_layout_table *table, int64_t row,
                              hd_strbuf *out);

/* Who has an element: the first in the order of threads. */
typedef struct hd_element_owner {
  int64_t lane, warp, block, thread, reg; /* thread: in the block */
  int64_t count;                          /* how many registers of all threads have it; 0: none, and no owner */
} hd_element_owner;
hd_element_owner hd_layout_element_owner(const hd_linear_layout *map, uint64_t element);
/* Where it is in shared memory, padding counted, in elements (-1: nowhere), and in which of 32 banks. */
int64_t hd_layout_element_offset(const hd_shown_layout *shared, uint64_t element);
int64_t hd_layout_offset_bank(int64_t offset, uint32_t element_bits);

/* "2 warps of 32 lanes, 4 registers a thread; ..." */
void hd_layout_put_summary(const hd_layout_picture *picture, const hd_shown_layout *layout, hd_strbuf *out);
/* What the conversion or the access costs, a line; nothing without a second layout. */
void hd_layout_put_cost(const hd_layout_picture *picture, hd_strbuf *out);

void hd_layout_print_text(const hd_layout_picture *picture, hd_strbuf *out);
void hd_layout_print_json(const hd_layout_picture *picture, hd_strbuf *out);
void hd_layout_print_svg(const hd_layout_picture *picture, hd_strbuf *out);

#endif
