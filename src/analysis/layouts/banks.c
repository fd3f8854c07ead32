/* SPDX-License-Identifier: Apache-2.0 */
/* Bank conflicts of a distributed layout's access to shared memory, and the layout there that has the fewest. */
#include <string.h>

#include "analysis/layouts/convert.h"
#include "ir/linear_layouts/bases.h"

enum { BANKS = 32, BANK_BYTES = 4, LINE = BANKS * BANK_BYTES, MOST_VECTOR = 16, MOST_LANES = 64 };

static int64_t element_bytes(uint32_t bits) { return bits <= 8 ? 1 : bits / 8; }

/* ---- counting ---- */

/* How many different words of one bank |lanes| lanes want at most; lane l |bytes| from address[l] on. */
static int64_t wavefronts(const int64_t *address, uint32_t lanes, int64_t bytes) {
  int64_t words[MOST_LANES * MOST_VECTOR / BANK_BYTES], most = 0;
  uint32_t count = 0, in_bank[BANKS] = {0};
  for (uint32_t l = 0; l < lanes; ++l)
    for (int64_t word = address[l] / BANK_BYTES; word <= (address[l] + bytes - 1) / BANK_BYTES; ++word) {
      uint32_t i = 0;
      while (i < count && words[i] != word) ++i;
      if (i < count) continue;
      words[count++] = word;
      if (++in_bank[word % BANKS] > most) most = in_bank[word % BANKS];
    }
  return most;
}

/* An access of one warp: its lanes go in groups that want at most 128 bytes. */
static void access_cost(const int64_t *address, uint32_t lanes, int64_t bytes, hd_bank_cost *cost) {
  uint32_t group = bytes <= BANK_BYTES ? BANKS : (uint32_t)(LINE / bytes);
  int64_t all = 0, conflicts = 0;
  for (uint32_t l = 0; l < lanes; l += group) {
    int64_t n = wavefronts(address + l, lanes - l < group ? lanes - l : group, bytes);
    all += n;
    conflicts += n - 1;
  }
  if (all > cost->wavefronts) cost->wavefronts = all;
  if (conflicts > cost->conflicts) cost->conflicts = conflicts;
}

/* The bits of a vector: offsets from a multiple on that a thread has all of, in the same registers in all threads,
 * since no register can be named by a lane. */
static uint32_t vector_bits(const hd_linear_layout *access, const hd_encoding *padding, uint32_t element_bits) {
  hd_span registers = hd_span_empty();
  uint32_t bits = 0, most = hd_log2(MOST_VECTOR / element_bytes(element_bits));
  hd_span_add_part(&registers, access, HD_REGISTER);
  while (bits < most && bits < access->out.bits[HD_OFFSET] &&
         hd_span_has(&registers, 1ull << (access->out.shift[HD_OFFSET] + bits)))
    ++bits;
  for (uint32_t i = access->in.bits[HD_REGISTER]; i < access->in.total; ++i)
    while (hd_linear_part(&access->out, access->column[i], HD_OFFSET) % (1ll << bits)) --bits;
  for (uint32_t i = 0; padding && i < padding->pads; ++i) /* what stays next to each other, and aligned */
    while (bits && (1ll << bits > padding->interval[i] || padding->padding[i] % (1ll << bits))) --bits;
  return bits;
}

/* The addresses of a warp whose registers and warp number begin at |base|. */
static void warp_access(const hd_linear_layout *access, const hd_encoding *padding, uint64_t base, uint32_t vector,
                        int64_t bytes, hd_bank_cost *cost) {
  int64_t address[MOST_LANES];
  uint32_t lanes = 1u << access->in.bits[HD_LANE];
  for (uint32_t l = 0; l < lanes; ++l) {
    uint64_t hardware = (uint64_t)l << access->in.shift[HD_LANE];
    int64_t offset = hd_linear_part(&access->out, base ^ hd_linear_layout_apply(access, hardware), HD_OFFSET);
    offset = offset >> vector << vector;
    address[l] = (padding ? hd_encoding_padded_offset(padding, offset) : offset) * bytes;
  }
  access_cost(address, lanes, bytes << vector, cost);
}

bool hd_bank_conflicts(const hd_linear_layout *distributed, const hd_linear_layout *shared, const hd_encoding *padding,
                       uint32_t element_bits, hd_bank_cost *out) {
  hd_linear_layout back, access;
  memset(out, 0, sizeof *out);
  if (!hd_linear_layout_is_surjective(shared)) return false;
  hd_linear_layout_inverse(shared, &back);
  if (!hd_linear_layout_compose(distributed, &back, &access) || access.in.bits[HD_LANE] > 6) return false;
  uint32_t vector = vector_bits(&access, padding, element_bits);
  int64_t bytes = element_bytes(element_bits);
  hd_span registers = hd_span_empty();
  hd_span_add_part(&registers, &access, HD_REGISTER);
  out->vector = 1ll << vector;
  out->instructions = 1ll << (registers.size - vector);
  /* Without padding all registers and warps do what the first does: an xor of all addresses exchanges banks and words.
   */
  uint64_t count = padding ? 1ull << access.in.bits[HD_REGISTER] : 1,
           warps = padding ? 1ull << access.in.bits[HD_WARP] : 1;
  for (uint64_t r = 0; r < count; ++r)
    for (uint64_t w = 0; w < warps; ++w) {
      uint64_t base = r << access.in.shift[HD_REGISTER] | w << access.in.shift[HD_WARP];
      warp_access(&access, padding, hd_linear_layout_apply(&access, base), vector, bytes, out);
    }
  return true;
}

/* ---- the least-conflict swizzle ---- */

typedef struct vectors {
  uint32_t count;
  uint64_t at[2 * HD_LINEAR_BITS];
} vectors;

/* Adds |vector| to |list| unless it is a sum of what |span| has, which gets it too. */
static bool take(vectors *list, hd_span *span, uint64_t vector) {
  if (!hd_span_add(span, vector)) return false;
  list->at[list->count++] = vector;
  return true;
}

static vectors columns(const hd_linear_layout *map, uint32_t part, uint32_t most) {
  vectors list = {.count = 0};
  for (uint32_t i = 0; i < map->in.bits[part] && i < most; ++i)
    list.at[list.count++] = map->column[map->in.shift[part] + i];
  return list;
}

/* A basis of the vectors that are sums of |a| and of |b|, apart from those of |modulo|. With (v, v) for each v of a and
 * (v, 0) for each of b, as in Zassenhaus' algorithm, but by sums: a vector of b that a and former ones of b give. */
static vectors intersection(const vectors *a, const vectors *b, const hd_span *modulo) {
  vectors common = {.count = 0};
  hd_span both = *modulo, found = *modulo;
  uint64_t number[64], origin[64] = {0};
  uint32_t count = 0;
  both.added = 0;
  for (uint32_t i = 0; i < 64; ++i) both.sum[i] = 0; /* |modulo|'s count as nothing */
  for (uint32_t i = 0; i < a->count && count < 64; ++i) {
    number[count] = a->at[i];
    origin[count++] = 1;
    hd_span_add(&both, a->at[i]);
  }
  for (uint32_t i = 0; i < b->count && count < 64; ++i) {
    uint64_t sum, vector = 0;
    number[count] = b->at[i];
    origin[count++] = 0;
    bool is_sum = !hd_span_reduce(&both, b->at[i], &sum);
    for (uint32_t k = 0; k < count; ++k)
      if (sum >> k & 1 && origin[k]) vector ^= number[k];
    hd_span_add(&both, b->at[i]);
    if (is_sum) take(&common, &found, vector);
  }
  return common;
}

/* The vectors of |list| that are independent of |modulo| and of those before them. */
static vectors independent(const vectors *list, const hd_span *modulo) {
  vectors out = {.count = 0};
  hd_span span = *modulo;
  for (uint32_t i = 0; i < list->count; ++i) take(&out, &span, list->at[i]);
  return out;
}

/* Subspaces |p| and |q|, modulo |inside|: vectors of a largest subspace that has nothing but 0 in common with either.
 * Sums of one vector of p and one of q, each outside of the other, and what is outside of both. */
static vectors apart(const vectors *p, const vectors *q, const hd_span *inside, uint32_t bits) {
  vectors common = intersection(p, q, inside), only_p = {.count = 0}, only_q = {.count = 0}, out = {.count = 0};
  hd_span span = *inside;
  for (uint32_t i = 0; i < common.count; ++i) hd_span_add(&span, common.at[i]);
  for (uint32_t i = 0; i < p->count; ++i) take(&only_p, &span, p->at[i]);
  for (uint32_t i = 0; i < q->count; ++i) take(&only_q, &span, q->at[i]);
  for (uint32_t i = 0; i < bits; ++i) take(&out, &span, 1ull << i);
  for (uint32_t i = 0; i < only_p.count && i < only_q.count; ++i) out.at[out.count++] = only_p.at[i] ^ only_q.at[i];
  return out;
}

/* What one offset's bits give: vectors, words, banks, segments; each list a part of the tile's space. */
typedef struct swizzle {
  const hd_linear_layout *from, *to;
  uint32_t element_bits, bits; /* of the tile of one block */
  hd_span span;                /* the blocks', and what has been chosen */
  vectors offset;
  uint32_t vector; /* how many of |offset| are the vector's */
  hd_span frame;   /* those, then what lanes and warps move, then all */
} swizzle;

/* |vector| without its part in memory's vectors, so that lanes that move by it find their vectors in the same order.
 * That changes nothing else: which bank and segment it means is a question modulo vectors. */
static uint64_t beyond_vectors(const swizzle *s, uint64_t vector) {
  uint64_t sum;
  hd_span_reduce(&s->frame, vector, &sum);
  for (uint32_t i = 0; i < s->vector; ++i) vector ^= sum >> i & 1 ? s->offset.at[i] : 0;
  return vector;
}

static void choose(swizzle *s, const vectors *list, uint32_t until) {
  for (uint32_t i = 0; i < list->count && s->offset.count < until; ++i)
    take(&s->offset, &s->span, beyond_vectors(s, list->at[i]));
}

static vectors units(uint32_t bits) {
  vectors list = {.count = bits};
  for (uint32_t i = 0; i < bits; ++i) list.at[i] = 1ull << i;
  return list;
}

static void add_threads(hd_span *span, const swizzle *s) {
  for (uint32_t part = HD_LANE; part <= HD_WARP; ++part) {
    hd_span_add_part(span, s->from, part);
    hd_span_add_part(span, s->to, part);
  }
}

/* What both sides have in registers, and neither moves by between threads. */
static void choose_vectors(swizzle *s, const vectors *both, uint32_t until) {
  hd_span threads = s->span;
  add_threads(&threads, s);
  for (uint32_t i = 0; i < both->count && s->offset.count < until; ++i)
    if (hd_span_add(&threads, both->at[i])) take(&s->offset, &s->span, both->at[i]);
  s->vector = s->offset.count;
  s->frame = hd_span_empty();
  for (uint32_t i = 0; i < s->vector; ++i) hd_span_add(&s->frame, s->offset.at[i]);
  add_threads(&s->frame, s);
  for (uint32_t i = 0; i < s->from->out.total; ++i) hd_span_add(&s->frame, 1ull << i);
}

/* What both sides have in registers makes vectors; what one has fills the word. */
static void choose_words(swizzle *s) {
  uint32_t vector = hd_log2(MOST_VECTOR / element_bytes(s->element_bits));
  uint32_t word =
      element_bytes(s->element_bits) < BANK_BYTES ? hd_log2(BANK_BYTES / element_bytes(s->element_bits)) : 0;
  vectors from = columns(s->from, HD_REGISTER, HD_LINEAR_BITS), to = columns(s->to, HD_REGISTER, HD_LINEAR_BITS);
  vectors both = intersection(&from, &to, &s->span), any = units(s->from->out.total);
  if (vector > s->bits) vector = s->bits;
  if (word > s->bits) word = s->bits;
  choose_vectors(s, &both, vector);
  choose(s, &from, word);
  choose(s, &to, word);
  choose(s, &any, word);
}

/* The first bank's bit: one that is in no thread's registers, of either side, lest vectors get longer than their banks
 * and segments were chosen for. */
static void choose_end_of_vector(swizzle *s, const vectors *from, const vectors *to, uint32_t until) {
  hd_span registers[2] = {hd_span_empty(), hd_span_empty()};
  vectors candidates = units(s->from->out.total);
  hd_span_add_part(&registers[0], s->from, HD_REGISTER);
  hd_span_add_part(&registers[1], s->to, HD_REGISTER);
  for (uint32_t i = 0; i < from->count; ++i) candidates.at[candidates.count++] = from->at[i];
  for (uint32_t i = 0; i < to->count; ++i) candidates.at[candidates.count++] = to->at[i];
  for (uint32_t i = 0; i < candidates.count && s->offset.count < until; ++i)
    for (uint32_t k = i; k < candidates.count; ++k) {
      uint64_t vector = beyond_vectors(s, candidates.at[i] ^ (k == i ? 0 : candidates.at[k]));
      if (hd_span_has(&registers[0], vector) || hd_span_has(&registers[1], vector)) continue;
      if (take(&s->offset, &s->span, vector)) return;
    }
}

/* The highest bits of an offset tell elements of one bank apart, so no two lanes that are served together may differ by
 * them alone. */
static void choose_segments(swizzle *s) {
  uint32_t low = s->offset.count, group = hd_log2(LINE / BANK_BYTES);
  int64_t bytes = element_bytes(s->element_bits) << low;
  uint32_t banks = hd_log2(LINE / bytes);
  if (bytes > BANK_BYTES) group = banks;
  vectors from = columns(s->from, HD_LANE, group), to = columns(s->to, HD_LANE, group);
  from = independent(&from, &s->span);
  to = independent(&to, &s->span);
  vectors segments = apart(&from, &to, &s->span, s->from->out.total), any = units(s->from->out.total);
  uint32_t count = s->bits - low > banks ? s->bits - low - banks : 0;
  vectors chosen = {.count = 0};
  hd_span span = s->span;
  for (uint32_t i = 0; i < segments.count && chosen.count < count; ++i)
    take(&chosen, &span, beyond_vectors(s, segments.at[i]));
  for (uint32_t i = 0; i < any.count && chosen.count < count; ++i) take(&chosen, &span, beyond_vectors(s, any.at[i]));
  s->span = span;
  choose_end_of_vector(s, &from, &to, s->bits - chosen.count);
  choose(s, &from, s->bits - chosen.count);
  choose(s, &to, s->bits - chosen.count);
  choose(s, &any, s->bits - chosen.count);
  for (uint32_t i = 0; i < chosen.count; ++i) s->offset.at[s->offset.count++] = chosen.at[i];
}

bool hd_least_conflict_swizzle(const hd_linear_layout *from, const hd_linear_layout *to, uint32_t element_bits,
                               hd_linear_layout *out) {
  swizzle s = {.from = from, .to = to, .element_bits = element_bits};
  vectors blocks = columns(from, HD_BLOCK, HD_LINEAR_BITS), other = columns(to, HD_BLOCK, HD_LINEAR_BITS);
  if (!hd_linear_space_equal(&from->out, &to->out) || blocks.count != other.count ||
      memcmp(blocks.at, other.at, blocks.count * sizeof *blocks.at))
    return false;
  for (uint32_t i = 0; i < blocks.count; ++i) hd_span_add(&s.span, blocks.at[i]);
  s.bits = from->out.total - s.span.size;
  choose_words(&s);
  choose_segments(&s);
  hd_linear_layout map = {.out = from->out};
  uint8_t parts[HD_SHARED_PARTS] = {(uint8_t)s.bits, (uint8_t)blocks.count};
  if (!hd_linear_space_make(HD_SHARED_PARTS, parts, false, &map.in)) return false;
  memcpy(map.column, s.offset.at, s.bits * sizeof *map.column);
  memcpy(map.column + map.in.shift[HD_SHARED_BLOCK], blocks.at, blocks.count * sizeof *map.column);
  *out = map;
  return true;
}
