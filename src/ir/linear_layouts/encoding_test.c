/* SPDX-License-Identifier: Apache-2.0 */
/* Encodings as linear maps against what each is by definition, element by element: sums, quotients and remainders
 * instead of bits. */
#include "ir/linear_layouts/encoding.h"

#include "base/testing.h"

static uint64_t seed = 1;
static int64_t below(int64_t n) { return (int64_t)(hd_test_random(&seed) % (uint64_t)n); }
static int64_t power(int64_t most_log) { return 1ll << below(most_log + 1); }
static int generated;

/* ---- the definitions ---- */

/* |n| as an index of |sizes|, the dims in |order|, the first fastest. */
static void delinearize(int64_t n, const int64_t *sizes, const int64_t *order, uint32_t rank, int64_t *out) {
  for (uint32_t i = 0; i < rank; ++i) {
    out[order[i]] = n % sizes[order[i]];
    n /= sizes[order[i]];
  }
}

static int64_t product(const int64_t *sizes, uint32_t rank) {
  int64_t n = 1;
  for (uint32_t d = 0; d < rank; ++d) n *= sizes[d];
  return n;
}

/* How blocks divide a tensor; the CGA bases of an encoding are made of it. */
typedef struct division {
  int64_t blocks[3], split[3], order[3];
} division;
static division cga;

static int64_t split_of(const int64_t *shape, uint32_t d, int64_t k) {
  int64_t split = (int64_t)d == k ? 1 : cga.split[d];
  return split < shape[d] ? split : shape[d];
}

/* A tile that lanes and warps cover with |per_thread| registers each, again and again over the block's part. |local| is
 * an index inside of a thread's |thread| shape, |extent| what one warp covers. */
typedef struct tiling {
  uint32_t rank;
  int64_t local[3], unit[3]; /* inside of a warp's tile; how large that is */
  int64_t warps[3], reps_order[3], warp_order[3];
  int64_t k; /* warps and blocks along it have the same; -1 */
} tiling;

/* The index of an element in |shape|: repetition |rep| of |warp|'s tile in |block|. Also, how many repetitions there
 * are. */
static int64_t place(const tiling *t, const int64_t *shape, int64_t rep, int64_t warp, int64_t block, int64_t *out) {
  int64_t w[3], r[3], b[3], reps[3], part[3];
  for (uint32_t d = 0; d < t->rank; ++d) {
    int64_t across = (int64_t)d == t->k ? 1 : t->warps[d];
    part[d] = shape[d] / split_of(shape, d, t->k);
    reps[d] = (part[d] + t->unit[d] * across - 1) / (t->unit[d] * across);
  }
  delinearize(warp, t->warps, t->warp_order, t->rank, w);
  delinearize(rep, reps, t->reps_order, t->rank, r);
  delinearize(block, cga.blocks, cga.order, t->rank, b);
  for (uint32_t d = 0; d < t->rank; ++d) {
    int64_t across = (int64_t)d == t->k ? 1 : t->warps[d];
    int64_t inside = ((r[d] * across + w[d] % across) * t->unit[d] + t->local[d]) % part[d];
    out[d] = inside + b[d] % split_of(shape, d, t->k) * part[d];
  }
  return product(reps, t->rank);
}

static int64_t blocked(const hd_encoding *e, int64_t k, const int64_t *shape, const int64_t *hw, int64_t *out) {
  tiling t = {.rank = e->rank, .k = k};
  int64_t l[3], s[3], size[3], lanes[3];
  for (uint32_t d = 0; d < e->rank; ++d) {
    bool whole = (int64_t)d == k;
    size[d] = whole ? shape[d] : e->size_per_thread[d];
    lanes[d] = whole ? 1 : e->threads_per_warp[d];
    t.unit[d] = size[d] * lanes[d];
    t.warps[d] = e->warps_per_cta[d];
    t.reps_order[d] = t.warp_order[d] = e->order[d];
  }
  int64_t each = product(size, e->rank);
  delinearize(hw[HD_LANE], e->threads_per_warp, e->order, e->rank, l);
  delinearize(hw[HD_REGISTER] % each, size, e->order, e->rank, s);
  for (uint32_t d = 0; d < e->rank; ++d) t.local[d] = l[d] % lanes[d] * size[d] + s[d];
  return each * place(&t, shape, hw[HD_REGISTER] / each, hw[HD_WARP], hw[HD_BLOCK], out);
}

static void mma_orders(const hd_encoding *mma, tiling *t) {
  static const int64_t row_major[4][3] = {{0}, {0}, {1, 0}, {2, 1, 0}}, wgmma[4][3] = {{0}, {0}, {0, 1}, {1, 2, 0}};
  for (uint32_t i = 0; i < t->rank; ++i) {
    t->warps[i] = mma->warps_per_cta[i];
    t->reps_order[i] = row_major[t->rank][i];
    t->warp_order[i] = mma->version_major == 2 ? row_major[t->rank][i] : wgmma[t->rank][i];
    t->unit[i] = 1;
  }
}

/* The accumulator as the PTX ISA draws it: lane l has the elements 2(l mod 4) and the next of row l div 4, then the
 * same 8 rows below, then the same 8 columns on. */
static int64_t mma(const hd_encoding *e, const int64_t *shape, const int64_t *hw, int64_t *out) {
  tiling t = {.rank = e->rank, .k = -1};
  int64_t n = e->instr_shape[1], each = n / 2, i = hw[HD_REGISTER] % each;
  mma_orders(e, &t);
  t.unit[e->rank - 2] = 16;
  t.unit[e->rank - 1] = n;
  t.local[e->rank - 2] = hw[HD_LANE] / 4 + 8 * (i / 2 % 2);
  t.local[e->rank - 1] = hw[HD_LANE] % 4 * 2 + i % 2 + 8 * (i / 4);
  return each * place(&t, shape, hw[HD_REGISTER] / each, hw[HD_WARP], hw[HD_BLOCK], out);
}

/* An operand: lane l has k_width elements from k_width (l mod 4) of k on, of row (column) l div 4; of lhs the same 8
 * rows below; then the same 4 k_width further along k. */
static int64_t mma_operand(const hd_encoding *e, const int64_t *shape, const int64_t *hw, int64_t *out) {
  uint32_t k = e->op_idx ? e->rank - 2 : e->rank - 1, other = e->op_idx ? e->rank - 1 : e->rank - 2;
  tiling t = {.rank = e->rank, .k = k};
  int64_t halves = e->op_idx ? 1 : 2, each = e->k_width * 2 * halves, i = hw[HD_REGISTER] % each;
  mma_orders(e->parent, &t);
  t.reps_order[0] = k;
  t.reps_order[1] = other;
  t.unit[k] = 8 * e->k_width;
  t.unit[other] = 8 * halves;
  t.local[k] = hw[HD_LANE] % 4 * e->k_width + i % e->k_width + 4 * e->k_width * (i / e->k_width / halves);
  t.local[other] = hw[HD_LANE] / 4 + 8 * (i / e->k_width % halves);
  return each * place(&t, shape, hw[HD_REGISTER] / each, hw[HD_WARP], hw[HD_BLOCK], out);
}

static int64_t distributed(const hd_encoding *e, const int64_t *shape, const int64_t *hw, int64_t *out);

/* The parent's elements without the dim; registers that give nothing new for any of the others are left out. */
static int64_t slice(const hd_encoding *e, const int64_t *shape, const int64_t *hw, int64_t *out) {
  int64_t whole[3], all[3], parent_hw[4] = {0, hw[1], hw[2], hw[3]}, given[16], kept = 1, registers;
  for (uint32_t d = 0, from = 0; d < e->parent->rank; ++d) whole[d] = d == e->dim ? 1 : shape[from++];
  registers = distributed(e->parent, whole, (int64_t[]){0, 0, 0, 0}, all);
  int64_t r = hw[HD_REGISTER];
  for (int64_t bit = 1; bit < registers; bit <<= 1) {
    int64_t zero[3], one[3];
    distributed(e->parent, whole, (int64_t[]){0, 0, 0, 0}, zero);
    distributed(e->parent, whole, (int64_t[]){bit, 0, 0, 0}, one);
    given[0] = memcmp(zero, one, e->parent->rank * sizeof *zero);
    if (!given[0]) continue;
    parent_hw[0] += r % 2 * bit;
    r /= 2;
    kept *= 2;
  }
  distributed(e->parent, whole, parent_hw, all);
  for (uint32_t d = 0, to = 0; d < e->parent->rank; ++d)
    if (d != e->dim) out[to++] = all[d];
  return kept;
}

/* Bit by bit; a base that leaves the tensor gives nothing there. */
static int64_t linear(const hd_encoding *e, const int64_t *hw, int64_t *out) {
  for (uint32_t d = 0; d < e->rank; ++d) {
    out[d] = 0;
    for (uint32_t p = 0; p < HD_HARDWARE_PARTS; ++p)
      for (uint32_t i = 0; i < e->parts[p].count; ++i)
        if (hw[p] >> i & 1) out[d] = (out[d] | e->parts[p].at[i][d]) - (out[d] & e->parts[p].at[i][d]);
  }
  return 1ll << e->parts[HD_REGISTER].count;
}

/* The element that |hw| has; how many registers a thread has. */
static int64_t distributed(const hd_encoding *e, const int64_t *shape, const int64_t *hw, int64_t *out) {
  switch (e->kind) {
    case HD_ENCODING_BLOCKED:
      return blocked(e, -1, shape, hw, out);
    case HD_ENCODING_NVIDIA_MMA:
      return mma(e, shape, hw, out);
    case HD_ENCODING_SLICE:
      return slice(e, shape, hw, out);
    case HD_ENCODING_LINEAR:
      return linear(e, hw, out);
    default:
      if (e->parent->kind == HD_ENCODING_NVIDIA_MMA) return mma_operand(e, shape, hw, out);
      return blocked(e->parent, e->op_idx ? e->rank - 2 : e->rank - 1, shape, hw, out);
  }
}

/* Where the element at |at| of a block's part is. */
static int64_t swizzled(const hd_encoding *e, const int64_t *part, const int64_t *at) {
  int64_t column = at[e->order[0]], offset, rest = 0;
  if (e->rank == 1) return at[0];
  int64_t columns = part[e->order[0]], row = at[e->order[1]], phase = row / e->per_phase % e->max_phase;
  offset = row * columns + ((column / e->vec ^ phase) * e->vec + column % e->vec) % columns;
  for (uint32_t i = e->rank; i-- > 2;) rest = rest * part[e->order[i]] + at[e->order[i]];
  return rest * columns * part[e->order[1]] + offset;
}

/* Byte addresses of a row-major box, of which bits 4 and up are exchanged by those from 7 on: what TMA does. */
static int64_t nvmma(const hd_encoding *e, const int64_t *part, const int64_t *at) {
  int64_t box[3], order[3], size = 1, boxes = 0, many = 1, address = 0, bytes = e->element_bits / 8;
  uint32_t contiguous = e->transposed ? 0 : e->rank - 1;
  for (uint32_t d = 0; d < e->rank; ++d) box[d] = part[d] < 256 ? part[d] : 256;
  if (e->swizzling_byte_width && box[contiguous] * bytes > e->swizzling_byte_width)
    box[contiguous] = e->swizzling_byte_width / bytes;
  for (uint32_t d = 0; d < e->rank; ++d) {
    size *= box[d];
    boxes += at[d] / box[d] * many;
    many *= part[d] / box[d];
    order[d] = e->transposed && e->swizzling_byte_width ? (d + 1) % e->rank : d;
  }
  for (uint32_t i = 0; i < e->rank; ++i) address = address * box[order[i]] + at[order[i]] % box[order[i]];
  address *= bytes;
  if (e->swizzling_byte_width) address ^= (address >> 7) % (e->swizzling_byte_width / 16) << 4;
  return boxes * size + address / bytes;
}

/* ---- random encodings ---- */

static void random_order(uint32_t rank, int64_t *order) {
  for (uint32_t i = 0; i < rank; ++i) order[i] = i;
  for (uint32_t i = rank; i > 1; --i) {
    int64_t k = below(i), t = order[k];
    order[k] = order[i - 1];
    order[i - 1] = t;
  }
}

/* Most have one block. */
static void random_division(hd_encoding *e) {
  random_order(e->rank, cga.order);
  for (uint32_t d = 0; d < e->rank; ++d) {
    cga.blocks[d] = below(4) ? 1 : power(1);
    cga.split[d] = cga.blocks[d] > 1 && !below(3) ? 1 : cga.blocks[d];
  }
  for (uint32_t i = 0; i < e->rank; ++i)
    for (int64_t n = 1; n < cga.blocks[cga.order[i]]; n *= 2) {
      int64_t *at = e->cga.at[e->cga.count++];
      for (uint32_t d = 0; d < e->rank; ++d) at[d] = 0;
      at[cga.order[i]] = n < cga.split[cga.order[i]] ? n : 0;
    }
}

static hd_encoding random_blocked(uint32_t rank) {
  hd_encoding e = {.kind = HD_ENCODING_BLOCKED, .rank = rank};
  int64_t lanes = 5;
  random_order(rank, e.order);
  for (uint32_t d = 0; d < rank; ++d) {
    e.size_per_thread[d] = power(rank > 2 ? 1 : 2);
    int64_t log = d + 1 < rank ? below(lanes + 1) : lanes;
    e.threads_per_warp[d] = 1ll << log;
    lanes -= log;
    e.warps_per_cta[d] = power(1);
  }
  random_division(&e);
  return e;
}

static hd_encoding random_mma(uint32_t rank) {
  hd_encoding e = {.kind = HD_ENCODING_NVIDIA_MMA, .rank = rank, .version_major = 2 + below(2), .instr_shape = {16, 8}};
  e.instr_rank = 2;
  if (e.version_major == 3) {
    e.instr_rank = 3;
    e.instr_shape[1] = 8 * power(3);
    e.instr_shape[2] = 16;
  }
  for (uint32_t d = 0; d < rank; ++d) e.warps_per_cta[d] = power(1);
  if (e.version_major == 3) e.warps_per_cta[rank - 2] = 4;
  random_division(&e);
  return e;
}

static void random_shape(uint32_t rank, int64_t *shape) {
  for (uint32_t d = 0; d < rank; ++d) shape[d] = power(rank == 1 ? 9 : rank == 2 ? 6 : 4);
}

/* |parents| has room for two. */
static hd_encoding random_distributed(hd_encoding *parents, uint32_t rank) {
  switch (below(rank < 2 ? 2 : 6)) {
    case 0:
      return random_blocked(rank);
    case 1:
      if (rank == 3) return random_blocked(rank);
      parents[0] = rank == 1 && below(2) ? random_mma(2) : random_blocked(rank + 1);
      return (hd_encoding){.kind = HD_ENCODING_SLICE, .rank = rank, .parent = parents, .dim = below(rank + 1)};
    case 2:
      return random_mma(rank);
    case 3:
      parents[0] = random_blocked(rank);
      return (hd_encoding){.kind = HD_ENCODING_DOT_OP, .rank = rank, .parent = parents, .op_idx = below(2)};
    default: {
      parents[0] = random_mma(rank);
      hd_encoding e = {.kind = HD_ENCODING_DOT_OP, .rank = rank, .parent = parents, .k_width = power(3)};
      e.op_idx = parents[0].version_major == 3 ? 0 : below(2);
      return e;
    }
  }
}

/* ---- comparing ---- */

static bool compare(const hd_encoding *e, const int64_t *shape) {
  hd_linear_layout map;
  int64_t hw[4], want[3], got[3];
  if (!HD_CHECK_OK(hd_encoding_linear(e, shape, &map))) return false;
  for (uint64_t n = 0; n < 1ull << map.in.total; ++n) {
    hd_linear_unpack(&map.in, n, hw);
    int64_t registers = distributed(e, shape, hw, want);
    if (n == 0 && registers != 1ll << map.in.bits[HD_REGISTER])
      return HD_CHECK_INT(1ll << map.in.bits[HD_REGISTER], registers);
    hd_linear_unpack(&map.out, hd_linear_layout_apply(&map, n), got);
    for (uint32_t d = 0; d < e->rank; ++d)
      if (got[d] != want[d])
        return hd_test_check_(false, __FILE__, __LINE__,
                              "kind %d, shape %d %d, register %d lane %d warp %d block %d: "
                              "dim %u: expected %d, got %d",
                              (int)e->kind, (int)shape[0], (int)shape[1], (int)hw[0], (int)hw[1], (int)hw[2],
                              (int)hw[3], d, (int)want[d], (int)got[d]);
  }
  ++generated;
  return HD_CHECK(hd_linear_layout_is_surjective(&map));
}

static void test_distributed(void) {
  for (int i = 0; i < 600; ++i) {
    hd_encoding parents[2];
    uint32_t rank = 1 + (uint32_t)below(3);
    int64_t shape[3] = {1, 1, 1};
    random_shape(rank, shape);
    hd_encoding e = random_distributed(parents, rank);
    if (!compare(&e, shape)) fprintf(stderr, "  the %dth\n", i);
  }
}

static void test_linear(void) {
  for (int i = 0; i < 100; ++i) {
    hd_encoding e = {.kind = HD_ENCODING_LINEAR, .rank = 2};
    int64_t shape[3] = {power(5), power(5), 1};
    /* The bits of both dims, dealt to parts, some with sums added. */
    for (uint32_t d = 0; d < 2; ++d)
      for (int64_t bit = 1; bit < shape[d]; bit *= 2) {
        hd_encoding_bases *part = &e.parts[below(HD_HARDWARE_PARTS)];
        int64_t *at = part->at[part->count++];
        at[d] = bit + (bit > 1 ? below(bit) : 0);
        at[1 - d] = 0;
      }
    if (!compare(&e, shape)) fprintf(stderr, "  the %dth\n", i);
  }
}

static bool compare_shared(const hd_encoding *e, const int64_t *shape,
                           int64_t (*offset)(const hd_encoding *, const int64_t *, const int64_t *)) {
  hd_linear_layout map;
  int64_t at[3], inside[3], part[3], b[3] = {0};
  if (!HD_CHECK_OK(hd_encoding_linear(e, shape, &map))) return false;
  for (uint32_t d = 0; d < e->rank; ++d) part[d] = shape[d] / split_of(shape, d, -1);
  for (int64_t block = 0; block < product(cga.blocks, e->rank); ++block) {
    delinearize(block, cga.blocks, cga.order, e->rank, b);
    for (uint64_t n = 0; n < (uint64_t)product(part, e->rank); ++n) {
      uint64_t packed = n;
      for (uint32_t d = e->rank; d-- > 0;) {
        inside[d] = (int64_t)packed % part[d];
        packed /= (uint64_t)part[d];
        at[d] = inside[d] + b[d] % split_of(shape, d, -1) * part[d];
      }
      int64_t hw[2] = {offset(e, part, inside), block};
      if (hd_linear_layout_apply(&map, hd_linear_pack(&map.in, hw)) != hd_linear_pack(&map.out, at))
        return hd_test_check_(false, __FILE__, __LINE__, "kind %d, shape %d %d %d: offset %d of element %d %d",
                              (int)e->kind, (int)shape[0], (int)shape[1], (int)shape[2], (int)hw[0], (int)at[0],
                              (int)at[1]);
    }
  }
  ++generated;
  return HD_CHECK_INT(1ll << map.in.bits[HD_OFFSET], product(part, e->rank));
}

static void test_shared(void) {
  for (int i = 0; i < 300; ++i) {
    hd_encoding e = {.kind = HD_ENCODING_SWIZZLED_SHARED, .rank = 1 + (uint32_t)below(3)};
    int64_t shape[3] = {1, 1, 1};
    random_shape(e.rank, shape);
    random_order(e.rank, e.order);
    random_division(&e);
    e.vec = power(3), e.per_phase = power(2), e.max_phase = power(3);
    if (!compare_shared(&e, shape, swizzled)) fprintf(stderr, "  swizzled, the %dth\n", i);
  }
  for (int i = 0; i < 200; ++i) {
    hd_encoding e = {.kind = HD_ENCODING_NVMMA_SHARED, .rank = 2, .transposed = below(2)};
    e.rank += !below(3);
    e.element_bits = 8 * power(2);
    e.swizzling_byte_width = below(4) ? 16 * power(3) : 0;
    if (e.swizzling_byte_width == 16) e.swizzling_byte_width = 0;
    int64_t shape[3], pieces = 8 * e.swizzling_byte_width / e.element_bits;
    for (uint32_t d = 0; d < e.rank; ++d) shape[d] = e.rank == 3 ? power(3) * 4 : power(6) * 8;
    if (pieces) shape[e.transposed ? 0 : e.rank - 1] = pieces * power(2);
    if (!below(8)) shape[e.transposed ? e.rank - 1 : 0] *= 16; /* more than a box */
    random_division(&e);
    for (uint32_t d = 0; d < e.rank; ++d) shape[d] *= cga.split[d];
    if (!compare_shared(&e, shape, nvmma)) fprintf(stderr, "  nvmma, the %dth\n", i);
  }
}

static void test_padded(void) {
  hd_encoding e = {.kind = HD_ENCODING_PADDED_SHARED, .rank = 2, .order = {1, 0}, .pads = 2};
  hd_linear_layout map;
  e.interval[0] = 32, e.padding[0] = 4, e.interval[1] = 128, e.padding[1] = 8;
  HD_CHECK_OK(hd_encoding_linear(&e, (int64_t[]){16, 32}, &map));
  HD_CHECK_INT(hd_linear_layout_apply(&map, 77), 77);
  HD_CHECK_INT(hd_encoding_padded_offset(&e, 31), 31);
  HD_CHECK_INT(hd_encoding_padded_offset(&e, 32), 36);
  HD_CHECK_INT(hd_encoding_padded_offset(&e, 130), 130 + 4 * 4 + 8);
}

static void test_errors(void) {
  hd_linear_layout map;
  int64_t shape[] = {16, 24};
  hd_encoding e = {.kind = HD_ENCODING_BLOCKED,
                   .rank = 2,
                   .size_per_thread = {1, 3},
                   .threads_per_warp = {8, 4},
                   .warps_per_cta = {1, 1},
                   .order = {1, 0}};
  HD_CHECK_FAILS(hd_encoding_linear(&e, shape, &map), HD_INVALID_ARGUMENT,
                 "powers of two below 2^31 in sizePerThread, got 3");
  e.size_per_thread[1] = 4;
  HD_CHECK_FAILS(hd_encoding_linear(&e, shape, &map), HD_INVALID_ARGUMENT, "power of two as size of dim 1, got 24");
  e.order[0] = 0;
  HD_CHECK_FAILS(hd_encoding_linear(&e, shape, &map), HD_INVALID_ARGUMENT, "permutation of 2 dims, got 0 at 1");
  e.order[0] = 1;
  e.size_per_thread[0] = e.threads_per_warp[0] = e.warps_per_cta[0] = 1 << 30;
  HD_CHECK_FAILS(hd_encoding_linear(&e, (int64_t[]){16, 16}, &map), HD_INVALID_ARGUMENT, "at most 48 bits");
  hd_encoding s = {.kind = HD_ENCODING_SLICE, .rank = 1, .parent = &e, .dim = 2};
  e.size_per_thread[0] = e.threads_per_warp[0] = e.warps_per_cta[0] = 1;
  HD_CHECK_FAILS(hd_encoding_linear(&s, shape, &map), HD_INVALID_ARGUMENT, "dim of its parent's 2, got 2");
  s.parent = &s; /* without end */
  HD_CHECK_FAILS(hd_encoding_linear(&s, shape, &map), HD_INVALID_ARGUMENT, "at most 16");
  hd_encoding n = {.kind = HD_ENCODING_NVMMA_SHARED, .rank = 2, .swizzling_byte_width = 128, .element_bits = 16};
  HD_CHECK_FAILS(hd_encoding_linear(&n, (int64_t[]){16, 32}, &map), HD_INVALID_ARGUMENT, "at least 8x64");
}

int main(void) {
  test_distributed();
  test_linear();
  test_shared();
  test_padded();
  test_errors();
  HD_CHECK(generated >= 500);
  printf("%d generated layouts\n", generated);
  return HD_TEST_RESULT();
}
