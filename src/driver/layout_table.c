/* SPDX-License-Identifier: Apache-2.0 */
/* What all forms of a drawn layout share: its table, who has an element, the lines in words. */
#include "driver/layout_show.h"

enum { MOST_ROWS = 64, MOST_COLUMNS = 64, COLUMNS_OF_A_VECTOR = 16 };

hd_layout_table hd_layout_table_of(const hd_layout_picture *picture) {
  hd_layout_table t = {.rows = 1, .columns = picture->shape[picture->rank - 1]};
  for (uint32_t d = 0; d + 1 < picture->rank; ++d) t.rows *= picture->shape[d];
  if (picture->rank == 1 && t.columns > COLUMNS_OF_A_VECTOR) {
    t.rows = t.columns / COLUMNS_OF_A_VECTOR;
    t.columns = COLUMNS_OF_A_VECTOR;
  }
  t.shown_rows = t.rows < MOST_ROWS ? t.rows : MOST_ROWS;
  t.shown_columns = t.columns < MOST_COLUMNS ? t.columns : MOST_COLUMNS;
  return t;
}

uint64_t hd_layout_table_element(const hd_layout_table *table, int64_t row, int64_t column) {
  return (uint64_t)(row * table->columns + column);
}

void hd_layout_table_row_name(const hd_layout_picture *picture, const hd_layout_table *table, int64_t row,
                              hd_strbuf *out) {
  int64_t index[HD_LINEAR_DIMS];
  uint32_t count = picture->rank - 1;
  if (!count) {
    hd_strbuf_printf(out, "%lld", (long long)(row * table->columns));
    return;
  }
  for (uint32_t d = count; d-- > 0;) {
    index[d] = row % picture->shape[d];
    row /= picture->shape[d];
  }
  for (uint32_t d = 0; d < count; ++d) hd_strbuf_printf(out, "%s%lld", d ? "," : "", (long long)index[d]);
}

hd_element_owner hd_layout_element_owner(const hd_linear_layout *map, uint64_t element) {
  hd_element_owner owner = {0};
  hd_owners all;
  if (!hd_linear_layout_owners(map, element, &all)) return owner;
  owner.count = (int64_t)1 << all.count;
  owner.reg = hd_linear_part(&map->in, all.first, HD_REGISTER);
  owner.lane = hd_linear_part(&map->in, all.first, HD_LANE);
  owner.warp = hd_linear_part(&map->in, all.first, HD_WARP);
  owner.block = hd_linear_part(&map->in, all.first, HD_BLOCK);
  owner.thread = owner.lane + (owner.warp << map->in.bits[HD_LANE]);
  return owner;
}

int64_t hd_layout_element_offset(const hd_shown_layout *shared, uint64_t element) {
  hd_linear_layout back;
  hd_linear_layout_inverse(&shared->map, &back);
  uint64_t place = hd_linear_layout_apply(&back, element);
  if (hd_linear_layout_apply(&shared->map, place) != element) return -1;
  int64_t offset = hd_linear_part(&back.out, place, HD_OFFSET);
  return hd_encoding_padded_offset(&shared->encoding, offset);
}

int64_t hd_layout_offset_bank(int64_t offset, uint32_t element_bits) { return offset * (element_bits / 8) / 4 % 32; }

/* ---- in words ---- */

static void put_count(hd_strbuf *out, int64_t n, const char *what) {
  hd_strbuf_printf(out, "%lld %s%s", (long long)n, what, n == 1 ? "" : "s");
}

static void put_runs(const hd_layout_picture *picture, const hd_linear_layout *map, hd_strbuf *out) {
  hd_strbuf_puts(out, "; side by side in a thread: ");
  for (uint32_t d = 0; d < picture->rank; ++d)
    hd_strbuf_printf(out, "%s%lld", d ? "x" : "", (long long)hd_layout_contiguity(map, d));
}

void hd_layout_put_summary(const hd_layout_picture *picture, const hd_shown_layout *layout, hd_strbuf *out) {
  const hd_linear_layout *map = &layout->map;
  if (layout->is_shared) {
    int64_t count = (int64_t)1 << map->in.bits[HD_OFFSET];
    put_count(out, count, "element");
    hd_strbuf_printf(
        out, " of %u bits, %lld bytes", picture->element_bits,
        (long long)(hd_encoding_padded_offset(&layout->encoding, count - 1) + 1) * (picture->element_bits / 8));
    return;
  }
  if (map->in.bits[HD_BLOCK]) {
    put_count(out, (int64_t)1 << map->in.bits[HD_BLOCK], "block");
    hd_strbuf_puts(out, " of ");
  }
  put_count(out, (int64_t)1 << map->in.bits[HD_WARP], "warp");
  hd_strbuf_printf(out, " of %d lanes, ", 1 << map->in.bits[HD_LANE]);
  put_count(out, (int64_t)1 << map->in.bits[HD_REGISTER], "register");
  hd_strbuf_puts(out, " a thread; each element in ");
  put_count(out, hd_layout_element_owner(map, 0).count, "place");
  put_runs(picture, map, out);
}

static void put_access(const char *name, const hd_bank_cost *cost, hd_strbuf *out) {
  hd_strbuf_printf(out, "%s: ", name);
  put_count(out, cost->instructions, "instruction");
  hd_strbuf_puts(out, " a thread, each of ");
  put_count(out, cost->vector, "element");
  hd_strbuf_puts(out, " and ");
  put_count(out, cost->wavefronts, "wavefront");
  hd_strbuf_puts(out, ", ");
  put_count(out, cost->conflicts, "bank conflict");
}

void hd_layout_put_cost(const hd_layout_picture *picture, hd_strbuf *out) {
  const hd_conversion *c = &picture->conversion;
  if (!picture->has_to) return;
  if (picture->to.is_shared) {
    put_access("access", &picture->access, out);
    return;
  }
  hd_strbuf_printf(out, "conversion: %s", hd_conversion_name(c->kind));
  if (c->kind == HD_CONVERT_REGISTERS) hd_strbuf_printf(out, ", %lld moves a thread", (long long)c->registers);
  if (c->kind == HD_CONVERT_SHUFFLES) hd_strbuf_printf(out, ", %lld of a warp", (long long)c->shuffles);
  if (c->kind != HD_CONVERT_SHARED) return;
  hd_strbuf_printf(out, ", %lld bytes; ", (long long)c->shared_bytes);
  put_access("store", &c->store, out);
  hd_strbuf_puts(out, "; ");
  put_access("load", &c->load, out);
}
