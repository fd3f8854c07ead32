/* SPDX-License-Identifier: Apache-2.0 */
/* The blocking of one product. Units of work are (outer step, strip of columns, chunk of rows); the threads take them
 * in order from a counter.
 *
 *   few rows, B row-major       rows kernels stream B once, in runs of some hundred columns
 *   few rows, B transposed      dot kernels
 *   B in panels already         tiles over the panels
 *   B row-major, M moderate     tiles read B where it is and prefetch its rows (64-byte vectors hide the page walks;
 *                               with 32-byte vectors only for one block of rows)
 *   else                        each unit packs its strip of B while its first rows read it, or before
 *   bf16 with pairs             the last two, with A and B as words of two elements; a k counts for half then
 *
 *   for rows of mc:  for k of kc:  for rows of a tile:  for panels of the strip:  tile kernel   (A in L1, strip in L2)
 *                    then the epilogue, or the store, on the mc x strip tile buffer, hot in L1
 *
 * Without an epilogue, and when C is of the compute type and its columns are contiguous, tiles are written to C at
 * once. */
#include <stdatomic.h>
#include <string.h>

#include "runtime/libraries/gemm_bands.h"

typedef enum mode { BY_ROWS, BY_DOTS, BY_TILES } mode;
typedef enum b_source { B_IN_PLACE, B_PACKED_HERE, B_PACKED_ONCE } b_source;

enum {
  strip_columns = 96,
  pair_columns = 192, /* of a strip of pairs: each strip makes pairs of A again */
  block_rows = 48,
  block_rows_repacking = 240,  /* when a strip of B is too large to keep packed */
  strip_bytes_limit = 4 << 20, /* of B packed by a unit */
  shallow_depth = 16,          /* up to this k what counts is C: tiles as wide as its rows */
  shallow_columns = 1024,
  rows_run = 1536,     /* bytes of a run of the rows kernels */
  in_place_rows = 512, /* beyond this many rows packing repays itself with 64-byte vectors too */
  paired_rows = 9,     /* from here on it does where it makes pairs */
};
static const double inline_flops = 3e5;

typedef struct run {
  const hd_gemm_problem *p;
  const hd_gemm_packed *packed;
  mode mode;
  b_source source;
  const hd_gemm_family *family;              /* by rows or dots */
  hd_gemm_panels panels;                     /* tiles */
  int64_t strips, strip_panels, strip_width; /* width in columns, lanes of ragged panels included */
  int64_t chunks, chunk_rows, mc, kc, k_blocks;
  bool pairs;                                  /* A and B become words of pairs */
  bool pack_a, direct, keep_strip, pack_first; /* pack_first: by the packing kernel */
  int64_t tile_row;
  size_t tile_at, store_at, a_at, panels_at, temporary_at, task_bytes;
  hd_gemm_bands bands; /* of tiles */
  hd_gemm_context *context;
  int64_t units, unit_items; /* a unit is that many items of the pool's range */
  atomic_bool no_memory;
} run;

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static uint32_t min32(uint32_t a, uint32_t b) { return a < b ? a : b; }
static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t round_up(int64_t n, int64_t to) { return ceil_div(n, to) * to; }

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* Hands the finished tile of rows [m0, m1) and columns [n0, n1) on: to the epilogue, or to C. */
static void finish(const run *r, const hd_gemm_point *at, int64_t m0, int64_t m1, int64_t n0, int64_t n1,
                   const char *tile, int64_t tile_row, char *scratch) {
  const hd_gemm_problem *p = r->p;
  int64_t rows = m1 - m0, columns = n1 - n0;
  if (p->epilogue && !p->swapped) {
    hd_gemm_apply_epilogue(p, at->batch, at->m + m0, at->m + m1, at->n + n0, at->n + n1, tile, tile_row);
    return;
  }
  char *c = at->c + (m0 * p->c_m + n0 * p->c_n) * (int64_t)p->c_size;
  char *other = scratch + r->store_at;
  if (p->epilogue) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j)
        memcpy(other + (size_t)(j * rows + i) * p->size, tile + (size_t)(i * tile_row + j) * p->size, p->size);
    }
    hd_gemm_apply_epilogue(p, at->batch, at->m + n0, at->m + n1, at->n + m0, at->n + m1, other, rows);
    return;
  }
  bool contiguous = p->c_n == 1;
  hd_gemm_copy args = {
      .a = tile, .a_row = tile_row, .d = contiguous ? c : other, .d_row = contiguous ? p->c_m : columns, .rows = rows};
  p->kernels->store[p->compute][p->c_type]((const uint64_t *)(const void *)&args, 0, columns);
  if (!contiguous) hd_gemm_scatter(other, rows, columns, p->c_size, c, p->c_m, p->c_n);
}

/* Do rows of B are a multiple of 4 KiB apart? They share their cache sets then: what is prefetched pushes out what is
 * being read. */
static bool rows_collide(const hd_gemm_problem *p) { return p->b_k * (int64_t)p->b_size % 4096 == 0; }

/* ---- few rows --------------------------------------------------------------------------------------------------- */

static void rows_unit(const run *r, const hd_gemm_point *at, int64_t n0, int64_t n1, char *scratch) {
  const hd_gemm_problem *p = r->p;
  const char *a = at->a;
  int64_t a_row = p->a_m, a_k = p->a_k;
  if (r->pack_a) {
    hd_gemm_pack_a(p, a, 0, p->m, 0, p->k, scratch + r->a_at, scratch + r->temporary_at, false, &a_row, &a_k);
    a = scratch + r->a_at;
  }
  char *tile = scratch + r->tile_at;
  hd_gemm_tile args = {.a_row = a_row, .a_k = a_k, .b_k = p->b_k, .c = tile, .c_row = r->tile_row};
  if (r->direct) {
    args.c = at->c + n0 * (int64_t)p->size;
    args.c_row = p->c_m;
  }
  const char *b = at->b + n0 * (int64_t)p->b_size;
  int64_t depth = r->family->rows_depth[p->m], k = 0;
  hd_kernel_fn deep = r->family->rows[p->m], single = r->family->rows_single[p->m];
  args.prefetch = rows_collide(p) ? 0 : depth * p->b_k;
  while (k < p->k) {
    bool whole = p->k - k >= depth;
    args.a = a + k * a_k * (int64_t)p->size;
    args.b = b + k * p->b_k * (int64_t)p->b_size;
    args.accumulate = k > 0;
    (whole ? deep : single)((const uint64_t *)(const void *)&args, 0, n1 - n0);
    k += whole ? depth : 1;
  }
  if (!r->direct) finish(r, at, 0, p->m, n0, n1, tile, r->tile_row, scratch);
}

static void dots_unit(const run *r, const hd_gemm_point *at, int64_t n0, int64_t n1, char *scratch) {
  const hd_gemm_problem *p = r->p;
  const char *a = at->a;
  int64_t a_row = p->a_m, a_k = 1;
  if (r->pack_a) {
    hd_gemm_pack_a(p, a, 0, p->m, 0, p->k, scratch + r->a_at, scratch + r->temporary_at, true, &a_row, &a_k);
    a = scratch + r->a_at;
  }
  char *c = r->direct ? at->c + n0 * (int64_t)p->size : scratch + r->tile_at;
  int64_t c_row = r->direct ? p->c_m : r->tile_row;
  hd_gemm_dot args = {.a_row = a_row, .b_row = p->b_n, .c_row = c_row};
  for (int64_t n = n0; n < n1;) {
    bool whole = n1 - n >= HD_GEMM_DOT_COLUMNS;
    args.b = at->b + n * p->b_n * (int64_t)p->b_size;
    for (int64_t m = 0; m < p->m;) {
      int64_t rows = p->m - m >= 2 && r->family->dot[2] ? 2 : 1;
      args.a = a + m * a_row * (int64_t)p->size;
      args.c = c + (m * c_row + n - n0) * (int64_t)p->size;
      (whole ? r->family->dot : r->family->dot_single)[rows]((const uint64_t *)(const void *)&args, 0, p->k);
      m += rows;
    }
    n += whole ? HD_GEMM_DOT_COLUMNS : 1;
  }
  if (!r->direct) finish(r, at, 0, p->m, n0, n1, c, c_row, scratch);
}

/* ---- tiles ------------------------------------------------------------------------------------------------------ */

static int64_t most_rows(const hd_gemm_family *family, int64_t vectors) {
  int64_t rows = HD_GEMM_MAX_ROWS;
  while (rows > 1 && !family->tile[vectors][rows]) --rows;
  return rows;
}

/* Step of the loops that move B. */
static int64_t packed_step(const hd_gemm_problem *p, int64_t step) {
  int64_t out = 0, unit = 1;
  for (int32_t i = p->loop_count - 1; i >= 0 && step; --i) {
    int64_t digit = step % p->loops[i].size;
    step /= p->loops[i].size;
    if (!p->loops[i].b) continue;
    out += digit * unit;
    unit *= p->loops[i].size;
  }
  return out;
}

/* A row of tiles, each of the terms that its rows, |rows| from |m| on, and its panel need of the run's |depth|. */
static void band_tiles(const hd_gemm_problem *p, const hd_gemm_panel_run *panels, hd_kernel_fn kernel,
                       hd_gemm_tile args, int64_t m, int64_t rows, int64_t depth) {
  int64_t k = panels->first_k, a_k = args.a_k * (int64_t)p->size, b_k = args.b_k * (int64_t)p->size;
  int64_t c_step = panels->vectors * p->kernels->vector_bytes;
  hd_gemm_band of_rows = hd_gemm_band_of_rows(panels->bands, panels->first_row + m, rows, (hd_gemm_band){k, k + depth});
  const char *a = args.a, *b = args.b;
  for (int64_t i = 0; i < panels->count; ++i) {
    int64_t vector = panels->first_vector + i * panels->vectors;
    hd_gemm_band band = hd_gemm_band_of_columns(panels->bands, vector, panels->vectors, of_rows);
    int64_t terms = band.end - band.first, left_out = terms ? band.first - k : 0;
    args.a = a + left_out * a_k;
    args.b = b + left_out * b_k;
    if (terms || !args.accumulate) kernel((const uint64_t *)(const void *)&args, 0, terms);
    b += panels->b_step;
    args.c = (char *)args.c + c_step;
  }
}

void hd_gemm_tile_block(const hd_gemm_problem *p, const hd_gemm_panel_run *panels, const char *a, int64_t a_row,
                        int64_t a_k, int64_t rows, int64_t depth, bool accumulate) {
  size_t size = p->size;
  const hd_kernel_fn *kernels = panels->family->tile[panels->vectors];
  int64_t most = most_rows(panels->family, panels->vectors);
  int64_t c_step = panels->vectors * p->kernels->vector_bytes;
  hd_gemm_tile args = {.a_row = a_row,
                       .a_k = a_k,
                       .b_k = panels->b_k,
                       .c_row = panels->c_row,
                       .accumulate = accumulate,
                       .prefetch = panels->prefetch};
  for (int64_t m = 0; m < rows;) {
    int64_t left = rows - m, some = ceil_div(left, ceil_div(left, most));
    while (!kernels[some]) --some;
    args.a = a + m * a_row * (int64_t)size;
    args.b = panels->b;
    args.c = panels->c + m * panels->c_row * (int64_t)size;
    if (panels->bands) band_tiles(p, panels, kernels[some], args, m, some, depth);
    for (int64_t i = 0; i < panels->count && !panels->bands; ++i) {
      kernels[some]((const uint64_t *)(const void *)&args, 0, depth);
      args.b = (const char *)args.b + panels->b_step;
      args.c = (char *)args.c + c_step;
    }
    m += some;
  }
}

/* A last panel of another width, or with lanes beyond the columns. */
static bool is_odd(const run *r, int64_t panel) {
  return panel + 1 == r->panels.count && (r->panels.last_vectors != r->panels.vectors || r->panels.ragged);
}

/* Rows of a panel or steps of a tile that |k| are. */
static int64_t steps_of(const run *r, int64_t k) { return r->pairs ? hd_gemm_words(k) : k; }

/* Packs the panels [p0, p1) of the strip for k in [k0, k1) to where panels_at finds them; of B in place only a ragged
 * one, without |main_too| only an odd one. Gives hd_gemm_least_of pairs. */
static uint32_t pack_strip(const run *r, const hd_gemm_point *at, int64_t p0, int64_t p1, int64_t k0, int64_t k1,
                           bool main_too, char *scratch) {
  const hd_gemm_problem *p = r->p;
  int64_t kept = steps_of(r, r->keep_strip ? p->k : r->kc), first = steps_of(r, r->keep_strip ? k0 : 0);
  hd_gemm_least least = hd_gemm_least_none();
  for (int64_t i = p0; i < p1; ++i) {
    if (r->source == B_IN_PLACE && !(r->panels.ragged && i + 1 == r->panels.count)) continue;
    if (!main_too && !is_odd(r, i)) continue;
    int64_t width = hd_gemm_panel_vectors(&r->panels, i) * r->panels.lanes;
    int64_t n0 = i * r->panels.width, columns = hd_gemm_panel_columns(&r->panels, i);
    char *to = scratch + r->panels_at + (size_t)((i - p0) * r->panels.width * kept + first * width) * p->size;
    if (r->pairs)
      hd_gemm_pair_b(p, at->b, k0, k1, n0, columns, to, width, scratch + r->temporary_at, &least);
    else
      hd_gemm_pack_b(p, at->b, k0, k1, n0, columns, to, width, scratch + r->temporary_at);
  }
  return r->pairs ? hd_gemm_least_of(&least) : UINT16_MAX;
}

/* The panels [i, i + count) of equal width at k0. */
static hd_gemm_panel_run panels_at(const run *r, const hd_gemm_point *at, int64_t p0, int64_t i, int64_t count,
                                   int64_t k0, const char *scratch) {
  const hd_gemm_problem *p = r->p;
  const hd_gemm_panels *panels = &r->panels;
  int64_t vectors = hd_gemm_panel_vectors(panels, i), width = vectors * panels->lanes, n0 = i * panels->width;
  hd_gemm_panel_run out = {.family = panels->family, .vectors = vectors, .count = count};
  if (r->source == B_PACKED_ONCE) {
    const hd_gemm_packed *packed = r->packed;
    out.b = packed->data + (size_t)packed_step(p, at->index) * packed->step_bytes +
            (size_t)(n0 * packed->depth + steps_of(r, k0) * width) * packed->element_size;
    out.b_k = width;
    out.b_step = panels->width * packed->depth * (int64_t)packed->element_size;
    out.prefetch = HD_GEMM_PREFETCH_PANEL * width;
  } else if (r->source == B_IN_PLACE && !(panels->ragged && i + 1 == panels->count)) {
    out.b = at->b + (k0 * p->b_k + n0) * (int64_t)p->b_size;
    out.b_k = p->b_k;
    out.b_step = panels->width * (int64_t)p->b_size;
    int64_t ahead = HD_GEMM_PREFETCH_IN_PLACE;
    if (rows_collide(p) && p->m <= p->kernels->rows) ahead = p->m <= HD_GEMM_SMALL_ROWS ? 0 : 4;
    out.prefetch = ahead * p->b_k;
  } else {
    int64_t kept = steps_of(r, r->keep_strip ? p->k : r->kc), first = steps_of(r, r->keep_strip ? k0 : 0);
    if (!r->pairs) out.family = &p->kernels->family[p->compute][HD_GEMM_SAME];
    out.b = scratch + r->panels_at + (size_t)((i - p0) * panels->width * kept + first * width) * p->size;
    out.b_k = width;
    out.b_step = panels->width * kept * (int64_t)p->size;
    out.prefetch = HD_GEMM_PREFETCH_PANEL * width;
  }
  return out;
}

/* The first rows of main panels from |first| on: read B where it is and fill the panels. */
static void packing_block(const run *r, const hd_gemm_point *at, const hd_gemm_panel_run *panels, const char *a,
                          int64_t a_row, int64_t a_k, int64_t first, int64_t k0, int64_t depth, bool accumulate) {
  const hd_gemm_problem *p = r->p;
  hd_gemm_tile args = {.a = a,
                       .a_row = a_row,
                       .a_k = a_k,
                       .b = at->b + (k0 * p->b_k + first * r->panels.width) * (int64_t)p->b_size,
                       .b_k = p->b_k,
                       .c = panels->c,
                       .c_row = panels->c_row,
                       .accumulate = accumulate,
                       .prefetch = HD_GEMM_PREFETCH_IN_PLACE * p->b_k,
                       .packed = (char *)panels->b};
  for (int64_t i = 0; i < panels->count; ++i) {
    r->family->packing((const uint64_t *)(const void *)&args, 0, depth);
    args.b = (const char *)args.b + r->panels.width * (int64_t)p->b_size;
    args.c = (char *)args.c + r->panels.width * (int64_t)p->size;
    args.packed = (char *)args.packed + panels->b_step;
  }
}

static void tiles_unit(const run *r, const hd_gemm_point *at, int64_t strip, int64_t row0, int64_t row1,
                       char *scratch) {
  const hd_gemm_problem *p = r->p;
  const hd_gemm_panels *panels = &r->panels;
  int64_t p0 = strip * r->strip_panels, p1 = min64(p0 + r->strip_panels, panels->count);
  int64_t n0 = p0 * panels->width, n1 = min64(p1 * panels->width, p->n);
  if (p1 == panels->count) n1 = p->n;
  /* The last panel is alone when it is of another width or its C is not. */
  bool has_last = is_odd(r, p1 - 1);
  int64_t main_count = p1 - p0 - has_last;
  bool pack_first = r->pack_first && row1 - row0 >= p->kernels->rows;
  uint32_t strip_least = UINT16_MAX;
  if (r->source != B_PACKED_ONCE && r->keep_strip)
    strip_least = pack_strip(r, at, p0, p1, 0, p->k, !pack_first, scratch);
  for (int64_t i = p0; r->pairs && r->source == B_PACKED_ONCE && i < p1; ++i)
    strip_least = min32(strip_least, r->packed->least[packed_step(p, at->index) * panels->count + i]);
  char *tile = scratch + r->tile_at;
  for (int64_t m = row0; m < row1; m += r->mc) {
    int64_t rows = min64(r->mc, row1 - m);
    /* Of all k so far: a sum that has become denormal stays with the exact kernels. */
    uint32_t least_b = strip_least;
    hd_gemm_least least_a = hd_gemm_least_none();
    for (int64_t block = 0; block < r->k_blocks; ++block) {
      int64_t k0 = block * r->kc, depth = min64(r->kc, p->k - k0);
      if (depth < 0) depth = 0;
      if (r->source != B_PACKED_ONCE && !r->keep_strip)
        least_b =
            min32(least_b, pack_strip(r, at, p0, p1, k0, k0 + depth, !pack_first || rows < p->kernels->rows, scratch));
      const char *a = at->a + (m * p->a_m + k0 * p->a_k) * (int64_t)p->a_size;
      int64_t a_row = p->a_m, a_k = p->a_k;
      if (r->pairs)
        hd_gemm_pair_a(p, at->a, m, m + rows, k0, k0 + depth, scratch + r->a_at, scratch + r->temporary_at, &least_a,
                       &a_row, &a_k);
      else if (r->pack_a)
        hd_gemm_pack_a(p, at->a, m, m + rows, k0, k0 + depth, scratch + r->a_at, scratch + r->temporary_at, false,
                       &a_row, &a_k);
      if (r->pack_a) a = scratch + r->a_at;
      bool exact = r->pairs && !hd_gemm_never_denormal(hd_gemm_least_of(&least_a), least_b);
      for (int part = 0; part < 2; ++part) {
        int64_t first = part ? p1 - 1 : p0, count = part ? (int64_t)has_last : main_count;
        if (!count) continue;
        hd_gemm_panel_run of = panels_at(r, at, p0, first, count, k0, scratch);
        if (exact) of.family = &p->pairs->exact;
        if (r->bands.rows || r->bands.columns)
          of.bands = &r->bands, of.first_row = m, of.first_vector = first * panels->vectors, of.first_k = k0;
        int64_t column = first * panels->width;
        bool direct = r->direct && !(part && panels->ragged);
        of.c = direct ? at->c + (m * p->c_m + column) * (int64_t)p->size : tile + (size_t)(column - n0) * p->size;
        of.c_row = direct ? p->c_m : r->tile_row;
        int64_t done = 0;
        if (pack_first && !part && (m == row0 || !r->keep_strip) && rows >= p->kernels->rows) {
          done = p->kernels->rows;
          packing_block(r, at, &of, a, a_row, a_k, first, k0, depth, block > 0);
          of.c += done * of.c_row * (int64_t)p->size;
          of.first_row += done;
        }
        hd_gemm_tile_block(p, &of, a + done * a_row * (int64_t)p->size, a_row, a_k, rows - done, steps_of(r, depth),
                           block > 0);
      }
    }
    if (!r->direct) {
      finish(r, at, m, m + rows, n0, n1, tile, r->tile_row, scratch);
    } else if (has_last && panels->ragged) {
      int64_t column = (p1 - 1) * panels->width;
      finish(r, at, m, m + rows, column, n1, tile + (size_t)(column - n0) * p->size, r->tile_row, scratch);
    }
  }
}

/* ---- units ------------------------------------------------------------------------------------------------------ */

/* Does the units whose first item is in [begin, end). */
static void do_range(void *argument, int64_t begin, int64_t end) {
  run *r = argument;
  const hd_gemm_problem *p = r->p;
  int64_t unit = ceil_div(begin, r->unit_items), last = ceil_div(end, r->unit_items);
  if (unit >= last) return;
  hd_gemm_block *block = hd_gemm_block_acquire(r->context, r->task_bytes);
  if (!block) {
    atomic_store_explicit(&r->no_memory, true, memory_order_relaxed);
    return;
  }
  for (; unit < last; ++unit) {
    int64_t chunk = unit % r->chunks, strip = unit / r->chunks % r->strips;
    hd_gemm_point at = hd_gemm_problem_point(p, unit / r->chunks / r->strips);
    if (r->mode == BY_TILES) {
      int64_t row = chunk * r->chunk_rows;
      tiles_unit(r, &at, strip, row, min64(row + r->chunk_rows, p->m), block->data);
    } else {
      int64_t n0 = strip * r->strip_width, n1 = min64(n0 + r->strip_width, p->n);
      (r->mode == BY_ROWS ? rows_unit : dots_unit)(r, &at, n0, n1, block->data);
    }
  }
  hd_gemm_block_release(r->context, block);
}

hd_gemm_slot hd_gemm_slot_of(const hd_gemm_problem *p) {
  if (p->compute == HD_GEMM_F32 && p->b_type == HD_ELEMENT_BF16) return HD_GEMM_BF16;
  if (p->compute == HD_GEMM_F32 && p->b_type == HD_ELEMENT_F16) return HD_GEMM_F16;
  return HD_GEMM_SAME;
}

hd_gemm_slot hd_gemm_packed_slot(const hd_gemm_problem *p) { return p->pairs ? HD_GEMM_PAIRS : hd_gemm_slot_of(p); }

/* May tiles read B as it is? */
static bool b_fits_kernels(const hd_gemm_problem *p) {
  return p->b_size == p->size || hd_gemm_slot_of(p) != HD_GEMM_SAME;
}

hd_gemm_panels hd_gemm_panels_of(const hd_gemm_problem *p, hd_gemm_slot slot, int64_t n) {
  return hd_gemm_panels_with(p, slot, n, p->kernels->panel_vectors);
}

hd_gemm_panels hd_gemm_panels_with(const hd_gemm_problem *p, hd_gemm_slot slot, int64_t n, int64_t vectors) {
  const hd_gemm_family *family = slot == HD_GEMM_PAIRS ? &p->pairs->tiles : &p->kernels->family[p->compute][slot];
  hd_gemm_panels out = {.family = family, .lanes = p->kernels->vector_bytes / (int64_t)p->size};
  out.vectors = vectors;
  out.width = out.vectors * out.lanes;
  out.count = max64(ceil_div(n, out.width), 1);
  out.last_columns = n - (out.count - 1) * out.width;
  /* A short rest joins the panel before it where there is a tile that wide. */
  if (out.count > 1 && out.last_columns <= out.lanes && out.vectors < HD_GEMM_MAX_VECTORS &&
      family->tile[out.vectors + 1][1]) {
    --out.count;
    out.last_columns += out.width;
  }
  out.last_vectors = ceil_div(out.last_columns, out.lanes);
  while (!family->tile[out.last_vectors][1]) ++out.last_vectors;
  out.ragged = out.last_vectors * out.lanes != out.last_columns;
  return out;
}

static void plan_few_rows(run *r, int64_t threads) {
  const hd_gemm_problem *p = r->p;
  int64_t lanes = p->kernels->vector_bytes / (int64_t)p->size;
  int64_t most = r->mode == BY_ROWS ? rows_run / (int64_t)p->b_size : 256, least = r->mode == BY_ROWS ? 4 * lanes : 8;
  int64_t wanted = round_up(ceil_div(p->n, 2 * threads), least);
  r->strip_width = max64(min64(wanted, most), least);
  r->strips = ceil_div(p->n, r->strip_width);
  r->chunks = 1;
  r->tile_row = round_up(r->strip_width, lanes);
  r->mc = p->m;
  r->kc = p->k;
}

static void plan_tiles(run *r, const hd_gemm_context *context, int64_t threads) {
  const hd_gemm_problem *p = r->p;
  int64_t size = (int64_t)(r->pairs ? p->a_size : p->size), most = p->kernels->rows;
  hd_gemm_slot slot = r->pairs                     ? HD_GEMM_PAIRS
                      : r->source == B_PACKED_HERE ? HD_GEMM_SAME
                      : r->packed                  ? r->packed->slot
                                                   : hd_gemm_slot_of(p);
  /* Of a band a narrow panel has fewer terms. */
  bool narrow = r->bands.columns && r->source != B_PACKED_ONCE;
  r->panels = narrow ? hd_gemm_panels_with(p, slot, p->n, 1) : hd_gemm_panels_of(p, slot, p->n);
  const hd_gemm_panels *panels = &r->panels;
  int64_t wanted = 4 * threads;
  bool shallow = p->k <= shallow_depth;
  int64_t least = r->source == B_PACKED_HERE ? 2 * block_rows : 2 * most;
  r->strip_panels = max64(1, (shallow ? shallow_columns : r->pairs ? pair_columns : strip_columns) / panels->width);
  /* Where rows are divided among threads too, wide strips of pairs still give them enough. */
  int64_t parts = r->pairs ? max64(p->m / least, 1) : 1;
  if (ceil_div(panels->count, r->strip_panels) * p->loop_total * parts < wanted) r->strip_panels = 1;
  r->strips = ceil_div(panels->count, r->strip_panels);
  r->strip_width = (r->strip_panels - 1) * panels->width + max64(panels->vectors, panels->last_vectors) * panels->lanes;
  r->tile_row = r->strip_width;
  /* The rows of a tile of A take three quarters of L1. */
  int64_t kc = max64(context->caches.l1d * 3 / 4 / (most * size), 128);
  r->k_blocks = max64(ceil_div(p->k, kc), 1);
  r->kc = max64(round_up(ceil_div(p->k, r->k_blocks), 8), 8);
  r->k_blocks = max64(ceil_div(p->k, r->kc), 1);
  r->keep_strip = (double)r->strip_width * (double)p->k * (double)size <= strip_bytes_limit;
  r->mc = min64(p->m, r->keep_strip || r->source != B_PACKED_HERE ? block_rows : block_rows_repacking);
  if (shallow) r->mc = min64(p->m, most);
  int64_t units = r->strips * min64(p->loop_total, wanted);
  int64_t chunks = units >= wanted ? 1 : min64(ceil_div(wanted, units), max64(p->m / least, 1));
  r->chunk_rows = round_up(ceil_div(p->m, chunks), most);
  r->chunks = ceil_div(p->m, r->chunk_rows);
}

hd_status hd_gemm_run(hd_gemm_context *context, const hd_gemm_problem *p, const hd_gemm_packed *packed,
                      const hd_gemm_env *env) {
  if (p->m == 0 || p->n == 0 || p->loop_total == 0) return NULL;
  run r = {.context = context, .p = p, .packed = packed, .family = &p->kernels->family[p->compute][hd_gemm_slot_of(p)]};
  int64_t threads = env && env->for_range ? env->threads : 1;
  double flops = 2.0 * (double)p->m * (double)p->n * (double)p->k * (double)p->loop_total;
  if (flops < inline_flops) threads = 1;
  bool few = p->m <= HD_GEMM_SMALL_ROWS && p->k > 0 && !packed && b_fits_kernels(p);
  bool wide = p->kernels->vector_bytes == 64;
  r.mode = BY_TILES;
  /* Three rows keep a tile busy enough to wait for lines that collide; the rows kernels, which go through C again and
   * again, lose more. */
  bool colliding_tile = wide && p->m > 2 && rows_collide(p);
  /* Fewer columns than a vector has lanes: vectors along k, where it is so. A single column is either way. */
  bool narrow = p->n * (int64_t)p->size < p->kernels->vector_bytes && p->b_k == 1 && r.family->dot[1];
  if (few && p->b_n == 1 && r.family->rows[p->m] && !colliding_tile && !narrow)
    r.mode = BY_ROWS;
  else if (few && p->b_k == 1 && r.family->dot[1])
    r.mode = BY_DOTS;
  r.pairs = p->pairs && r.mode == BY_TILES && (packed ? packed->slot == HD_GEMM_PAIRS : p->m >= paired_rows);
  bool in_place = !r.pairs && p->b_n == 1 && b_fits_kernels(p) && p->m <= (wide ? in_place_rows : p->kernels->rows);
  r.source = packed ? B_PACKED_ONCE : in_place ? B_IN_PLACE : B_PACKED_HERE;
  if (r.mode == BY_TILES && !r.pairs) hd_gemm_bands_find(context, p, env, &r.bands);
  r.pack_first = !r.pairs && !r.bands.columns && r.source == B_PACKED_HERE && p->b_n == 1 && b_fits_kernels(p) &&
                 r.family->packing;
  if (r.mode == BY_TILES)
    plan_tiles(&r, context, threads);
  else
    plan_few_rows(&r, threads);
  r.pack_a = p->a_size != p->size || p->a_type == HD_ELEMENT_UI32;
  if (r.mode == BY_DOTS) r.pack_a |= p->a_k != 1;
  if (r.mode == BY_TILES) r.pack_a |= p->a_k != 1 && p->m > p->kernels->rows;
  r.direct = !p->epilogue && p->c_n == 1 && p->c_size == p->size;

  size_t at = 0;
  size_t tile = (size_t)(r.mc * r.tile_row) * p->size;
#define PLACE(member, bytes) (r.member = at, at += ((size_t)(bytes) + 127) / 64 * 64)
  PLACE(tile_at, tile);
  PLACE(store_at, p->swapped || p->c_n != 1 ? tile : 0);
  PLACE(a_at, r.pack_a ? hd_gemm_a_block_bytes(p, r.mc, r.kc) : 0);
  PLACE(panels_at, r.mode == BY_TILES && r.source != B_PACKED_ONCE
                       ? (size_t)(r.strip_width * steps_of(&r, r.keep_strip ? p->k : r.kc)) * p->size
                       : 0);
  PLACE(temporary_at, HD_GEMM_GATHER_BYTES);
#undef PLACE
  r.task_bytes = at + 64;
  if (__builtin_mul_overflow(r.strips * r.chunks, p->loop_total, &r.units)) {
    hd_gemm_bands_release(context, &r.bands);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "gemm: a product of more than 2^63 tiles");
  }
  double work = flops / HD_GEMM_FLOPS_PER_GRAIN;
  double moved = (double)p->loop_total * (double)p->k * (double)p->n * (double)p->b_size / HD_GEMM_BYTES_PER_GRAIN;
  if (moved > work) work = moved;
  work /= (double)r.units;
  r.unit_items = work > 1 ? (int64_t)work : 1;
  int64_t grain = work < 1 ? (int64_t)(1 / (work > 1e-6 ? work : 1e-6)) : 1, items;
  if (__builtin_mul_overflow(r.units, r.unit_items, &items)) r.unit_items = 1, items = r.units;
  if (threads > 1)
    env->for_range(env->user, items, grain, do_range, &r);
  else
    do_range(&r, 0, items);
  hd_gemm_bands_release(context, &r.bands);
  if (atomic_load_explicit(&r.no_memory, memory_order_relaxed))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "gemm: no memory for %zu bytes of scratch", r.task_bytes);
  return NULL;
}
