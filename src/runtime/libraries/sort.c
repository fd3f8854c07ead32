/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts by orders of numbers as a RAL API.
 *
 * ral_sort___pvoid_pvoid_i64___void  (ctx, descriptor, count), words as sort_abi.h has them
 *
 * Elements become unsigned numbers (sort_keys.h), and those entries (key, position), which are sorted: few by vectors
 * (sort_vectors.h), more by digits from the lowest on, one long line on all threads. So every sort is stable. Results
 * are taken by position. One operand of up to four bytes that is its own key needs no positions; many bytes are
 * counted (sort_bytes.h).
 * When less than an eighth is wanted, a line is read once: what is not below the least found so far is passed over. */
#include "heddle/element.h"
#include "runtime/libraries/sort_bytes.h"
#include "runtime/libraries/sort_lines.h"

enum {
  DIGIT = 8,
  BUCKETS = 1 << DIGIT,
  MOST_PARTS = 64,
  GROUP = 16,
  LONG = 1 << 16,
  READ = 128,
  RUN = 32,
  FEW = 16,
  COUNTED = 1024,
  TOGETHER = 512
};

/* Of a long line: some microseconds each. */
static int64_t parts_of(int64_t n) { return n / 4096 < MOST_PARTS ? n / 4096 : MOST_PARTS; }

/* What is sorted: the first |front| of |n| entries, whose keys are in |bits| from |shift| on. */
typedef struct sort_range {
  const hd_sort_vectors *vectors; /* null: none here */
  int64_t n, front;
  int shift, bits;
} sort_range;

#define E uint32_t
#define NAME(x) x##_32
#define SORT_BY(vectors) (vectors)->sort_32
#define MOST_BY(vectors) (vectors)->most_32
#include "runtime/libraries/sort_entries.h"
#define E uint64_t
#define NAME(x) x##_64
#define SORT_BY(vectors) (vectors)->sort_64
#define MOST_BY(vectors) (vectors)->most_64
#include "runtime/libraries/sort_entries.h"
#define E unsigned __int128
#define NAME(x) x##_128
#include "runtime/libraries/sort_entries.h"

static int shift_of(const hd_sorting *s) { return s->alone ? 0 : s->wide ? 64 : 32; }

/* The first |front| of |n| entries. */
static void sort_entries(const hd_sorting *s, void *a, void *scratch, int64_t n, int64_t front, int bits,
                         bool is_long) {
  sort_range r = {s->vectors, n, front, shift_of(s), bits};
  if (s->entry == 4)
    is_long ? sort_long_32(s->ctx, a, scratch, &r) : sort_32(a, scratch, &r);
  else if (s->entry == 16)
    is_long ? sort_long_128(s->ctx, a, scratch, &r) : sort_128(a, scratch, &r);
  else
    is_long ? sort_long_64(s->ctx, a, scratch, &r) : sort_64(a, scratch, &r);
}

static int bits_of(const hd_sorting *s, int64_t k) { return 8 * s->key[k].bytes; }

/* Stable by one key after the other, from the last to the first: positions in the order so far stand in for those in
 * the line. */
static void sort_by_keys(const hd_sorting *s, int64_t line, char *a, char *scratch, bool is_long) {
  sort_entries(s, a, scratch, s->n, s->keys > 1 ? s->n : s->front, bits_of(s, s->keys - 1), is_long);
  int64_t *order = (int64_t *)(void *)(scratch + (size_t)s->n * s->entry);
  for (int64_t k = s->keys - 1; k-- > 0;) {
    for (int64_t i = 0; i < s->n; ++i) order[i] = hd_sort_position(s, a, i);
    for (int64_t i = 0; i < s->n; ++i) hd_sort_put_entry(s, a, i, hd_sort_key_at(s, k, line, order[i]), i);
    sort_entries(s, a, scratch, s->n, k ? s->n : s->front, bits_of(s, k), is_long);
    for (int64_t i = 0; i < (k ? s->n : s->front); ++i) hd_sort_put_entry(s, a, i, 0, order[hd_sort_position(s, a, i)]);
  }
}

/* Selection -------------------------------------------------------------------------------------------------------- */

/* The keys of the first block of elements [from, to) with one below |bound| (with |any| of the first), or of what is
 * left after whole blocks: where it begins. Without a branch for an element, so in vectors. */
enum { BLOCK = 32 };
#define FIND_BLOCK(name, T, target)                                                                            \
  target static int64_t name(const void *in, const hd_sort_key *k, uint32_t any, uint32_t bound, int64_t from, \
                             int64_t to, uint32_t *restrict keys) {                                            \
    hd_sort_key key = *k;                                                                                      \
    const T *x = in;                                                                                           \
    for (; to - from >= BLOCK; from += BLOCK) {                                                                \
      for (int i = 0; i < BLOCK; ++i) any |= (keys[i] = hd_sort_key_32(x[from + i], &key)) < bound;            \
      if (any) return from;                                                                                    \
    }                                                                                                          \
    for (int64_t i = from; i < to; ++i) keys[i - from] = hd_sort_key_32(x[i], &key);                           \
    return from;                                                                                               \
  }
typedef int64_t (*find_block_fn)(const void *in, const hd_sort_key *k, uint32_t any, uint32_t bound, int64_t from,
                                 int64_t to, uint32_t *keys);
FIND_BLOCK(find_block_4, uint32_t, )
FIND_BLOCK(find_block_2, uint16_t, )
FIND_BLOCK(find_block_1, uint8_t, )
#ifdef __x86_64__
FIND_BLOCK(find_block_4_avx2, uint32_t, __attribute__((target("avx2"))))
FIND_BLOCK(find_block_2_avx2, uint16_t, __attribute__((target("avx2"))))
FIND_BLOCK(find_block_1_avx2, uint8_t, __attribute__((target("avx2"))))
#endif

/* For elements that are together; null for others. */
static find_block_fn find_block(const hd_sorting *s, const hd_sort_operand *o) {
  if (o->bytes > 4 || o->positions || s->inner > 1 || s->wide) return NULL;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2"))
    return o->bytes == 4 ? find_block_4_avx2 : o->bytes == 2 ? find_block_2_avx2 : find_block_1_avx2;
#endif
  return o->bytes == 4 ? find_block_4 : o->bytes == 2 ? find_block_2 : find_block_1;
}

/* The front of elements [from, to) of a line, in order, to |a|, which holds |capacity| entries; how many there are. */
static int64_t select_front(const hd_sorting *s, int64_t line, int64_t from, int64_t to, int64_t capacity, void *a,
                            void *scratch) {
  hd_sort_operand o = hd_sort_operand_at(s, s->first_key[0]);
  sort_range range = {s->vectors, 0, 0, shift_of(s), bits_of(s, 0)};
  least_128 wide = {a, scratch, s->front, capacity, 0, &range, 0, false};
  least_64 narrow = {a, scratch, s->front, capacity, 0, &range, 0, false};
  find_block_fn find = find_block(s, &o);
  if (find) {
    const char *in = hd_sort_element_at(s, &o, line, 0);
    uint32_t keys[BLOCK];
    while (from < to) {
      int64_t at = find(in, &s->key[0], !narrow.full, (uint32_t)narrow.bound, from, to, keys);
      from = at + BLOCK < to ? at + BLOCK : to;
      for (int64_t i = at; i < from; ++i) put_64(&narrow, (uint64_t)keys[i - at] << 32 | (uint32_t)i);
    }
    return close_64(&narrow);
  }
  unsigned __int128 block[READ];
  for (int64_t i = from; i < to; i += READ) {
    int64_t count = i + READ < to ? READ : to - i;
    hd_sort_load(s, 0, line, block, i, i + count);
    for (int64_t e = 0; e < count; ++e) {
      if (s->wide)
        put_128(&wide, block[e]);
      else
        put_64(&narrow, ((const uint64_t *)block)[e]);
    }
  }
  return s->wide ? close_128(&wide) : close_64(&narrow);
}

static int64_t capacity_of(const hd_sorting *s) { return 2 * s->front + 64; }

static bool selects(const hd_sorting *s) { return s->keys == 1 && s->front < s->n / 8 && !s->alone; }

/* Lines ------------------------------------------------------------------------------------------------------------ */

/* Bytes alone, so many that looking at each of their values is little, are counted. */
static bool counts(const hd_sorting *s) { return s->alone && s->key[0].bytes == 1 && s->n >= COUNTED; }

static void count_line(const hd_sorting *s, int64_t line, int64_t from, int64_t to, int64_t *of_values) {
  hd_sort_operand o = hd_sort_operand_at(s, 0);
  memset(of_values, 0, HD_SORT_BYTES * sizeof *of_values);
  hd_count_bytes((const uint8_t *)hd_sort_element_at(s, &o, line, from), s->inner, to - from, of_values);
}

static void store_counted(const hd_sorting *s, int64_t line, const int64_t *of_values, int64_t from, int64_t to) {
  hd_sort_operand o = hd_sort_operand_at(s, 0);
  if (!o.out) return;
  hd_store_counted_bytes(of_values, &s->key[0], from, to, (uint8_t *)o.out + hd_sort_place(s, line, 0), s->inner);
}

static void take_any(const hd_sorting *s, int64_t line, const char *entries, int64_t from, int64_t to) {
  if (s->alone)
    hd_sort_take_alone(s, line, (const uint32_t *)(const void *)entries, from, to);
  else
    hd_sort_take(s, line, entries, from, to);
}

/* Short lines of keys alone, one after the other in memory: entries of several are read and stored as one line. */
static bool is_together(const hd_sorting *s) {
  return s->alone && s->inner == 1 && s->front == s->n && s->n <= TOGETHER / 16;
}

static void sort_together(const hd_sorting *s, int64_t first, int64_t count, uint32_t *keys) {
  int64_t all = count * s->n;
  hd_sort_load(s, 0, first, keys, 0, all);
  for (int64_t c = 0; c < count; ++c) sort_entries(s, keys + c * s->n, keys + all, s->n, s->n, bits_of(s, 0), false);
  hd_sort_take_alone(s, first, keys, 0, all);
  if (!hd_sort_any_made_one(&s->key[0], keys, all)) return;
  for (int64_t c = 0; c < count; ++c) hd_sort_restore_alone(s, first + c, keys + c * s->n);
}

/* Up to |s->group| neighbours: of one outer index, which share cache lines, or short ones. */
static void sort_group(const hd_sorting *s, int64_t first, int64_t count, char *scratch) {
  size_t line_bytes = (size_t)s->n * s->entry;
  char *other = scratch + (size_t)count * line_bytes;
  if (selects(s)) {
    for (int64_t c = 0; c < count; ++c) {
      int64_t capacity = capacity_of(s);
      int64_t got = select_front(s, first + c, 0, s->n, capacity, scratch, scratch + (size_t)capacity * s->entry);
      hd_sort_take(s, first + c, scratch, 0, got);
    }
    return;
  }
  for (int64_t c = 0; counts(s) && c < count; ++c) {
    int64_t of_values[HD_SORT_BYTES];
    count_line(s, first + c, 0, s->n, of_values);
    store_counted(s, first + c, of_values, 0, s->front);
  }
  if (counts(s)) return;
  if (is_together(s)) {
    sort_together(s, first, count, (uint32_t *)(void *)scratch);
    return;
  }
  for (int64_t from = 0; from < s->n; from += READ)
    for (int64_t c = 0; c < count; ++c)
      hd_sort_load(s, s->keys - 1, first + c, scratch + (size_t)c * line_bytes + (size_t)from * s->entry, from,
                   from + READ < s->n ? from + READ : s->n);
  for (int64_t c = 0; c < count; ++c) sort_by_keys(s, first + c, scratch + (size_t)c * line_bytes, other, false);
  for (int64_t from = 0; from < s->front; from += READ)
    for (int64_t c = 0; c < count; ++c)
      take_any(s, first + c, scratch + (size_t)c * line_bytes, from, from + READ < s->front ? from + READ : s->front);
  for (int64_t c = 0; s->alone && c < count; ++c)
    hd_sort_restore_alone(s, first + c, (const uint32_t *)(const void *)(scratch + (size_t)c * line_bytes));
}

/* A slot that no other thread has: there are as many as threads, up to 64. */
static int64_t borrow_slot(hd_sorting *s) {
  for (;;) {
    uint64_t used = __atomic_load_n(&s->used, __ATOMIC_RELAXED), free = ~used;
    int64_t slot = free ? __builtin_ctzll(free) : 64;
    if (slot >= s->slots) continue;
    if (__atomic_compare_exchange_n(&s->used, &used, used | 1ull << slot, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return slot;
  }
}

static void sort_groups(void *argument, int64_t begin, int64_t end) {
  hd_sorting *s = argument;
  int64_t per_run = (s->run + s->group - 1) / s->group, slot = borrow_slot(s);
  for (int64_t group = begin; group < end && !hd_ral_is_stopped(s->ctx); ++group) {
    int64_t at = group % per_run * s->group, count = s->run - at < s->group ? s->run - at : s->group;
    sort_group(s, group / per_run * s->run + at, count, s->scratch + (size_t)slot * s->each);
  }
  __atomic_fetch_and(&s->used, ~(1ull << slot), __ATOMIC_RELEASE);
}

/* One line on all threads ------------------------------------------------------------------------------------------ */

typedef struct long_line {
  const hd_sorting *s;
  int64_t line, parts, count, capacity;
  char *a, *scratch;
  int64_t got[MOST_PARTS];
  int64_t of_values[MOST_PARTS][HD_SORT_BYTES]; /* of each part, then those of all in the first */
} long_line;

static void load_part(void *argument, int64_t begin, int64_t end) {
  const long_line *l = argument;
  int64_t from = l->s->n * begin / l->parts;
  hd_sort_load(l->s, l->s->keys - 1, l->line, l->a + (size_t)from * l->s->entry, from, l->s->n * end / l->parts);
}

static void take_part(void *argument, int64_t begin, int64_t end) {
  const long_line *l = argument;
  take_any(l->s, l->line, l->a, l->s->front * begin / l->parts, l->s->front * end / l->parts);
}

static void count_part(void *argument, int64_t begin, int64_t end) {
  long_line *l = argument;
  for (int64_t p = begin; p < end; ++p)
    count_line(l->s, l->line, l->s->n * p / l->parts, l->s->n * (p + 1) / l->parts, l->of_values[p]);
}

static void store_part(void *argument, int64_t begin, int64_t end) {
  const long_line *l = argument;
  store_counted(l->s, l->line, l->of_values[0], l->s->front * begin / l->parts, l->s->front * end / l->parts);
}

static void count_long(long_line *l) {
  hd_ral_for(l->s->ctx, l->parts, 1, count_part, l);
  for (int64_t p = 1; p < l->parts; ++p)
    for (int x = 0; x < HD_SORT_BYTES; ++x) l->of_values[0][x] += l->of_values[p][x];
  hd_ral_for(l->s->ctx, l->parts, 1, store_part, l);
}

static void select_part(void *argument, int64_t begin, int64_t end) {
  long_line *l = argument;
  const hd_sorting *s = l->s;
  for (int64_t p = begin; p < end; ++p) {
    char *a = l->a + (size_t)(2 * p * l->capacity) * s->entry;
    l->got[p] = select_front(s, l->line, s->n * p / l->parts, s->n * (p + 1) / l->parts, l->capacity, a,
                             a + (size_t)l->capacity * s->entry);
  }
}

/* The fronts of parts, joined: entries know their places in the line. */
static void select_long(long_line *l) {
  const hd_sorting *s = l->s;
  hd_ral_for(s->ctx, l->parts, 1, select_part, l);
  int64_t count = 0;
  for (int64_t p = 0; p < l->parts; ++p) {
    memmove(l->a + (size_t)count * s->entry, l->a + (size_t)(2 * p * l->capacity) * s->entry,
            (size_t)l->got[p] * s->entry);
    count += l->got[p];
  }
  sort_entries(s, l->a, l->a + (size_t)count * s->entry, count, s->front, bits_of(s, 0), false);
  hd_sort_take(s, l->line, l->a, 0, s->front);
}

static void sort_long_line(hd_sorting *s, int64_t line) {
  long_line l; /* without its counts, which are many */
  l.s = s, l.line = line, l.parts = parts_of(s->n), l.capacity = capacity_of(s);
  l.a = s->scratch;
  l.scratch = s->scratch + (size_t)s->n * s->entry;
  if (counts(s)) {
    count_long(&l);
    return;
  }
  if (selects(s) && 2 * l.capacity * l.parts <= 2 * s->n) {
    select_long(&l);
    return;
  }
  hd_ral_for(s->ctx, l.parts, 1, load_part, &l);
  sort_by_keys(s, line, l.a, l.scratch, true);
  hd_ral_for(s->ctx, l.parts, 1, take_part, &l);
  if (s->alone) hd_sort_restore_alone(s, line, (const uint32_t *)(const void *)l.a);
}

/* What the words say; false for words that no compiler of this version writes. */
static bool read_descriptor(hd_sorting *s, const hd_sort_descriptor *f, int64_t count) {
  s->outer = f->outer, s->n = f->n, s->inner = f->inner, s->front = f->front < f->n ? f->front : f->n;
  s->operands = f->operands, s->keys = f->keys;
  if (s->keys < 1 || s->keys > HD_SORT_MOST_KEYS || count != hd_sort_words(f)) return false;
  const hd_sort_key_descriptor *keys = (const hd_sort_key_descriptor *)(f + 1);
  s->rows = (const hd_sort_operand_descriptor *)(keys + s->keys);
  s->lines = s->outer * s->inner;
  s->wide = s->n > UINT32_MAX;
  for (int64_t k = 0; k < s->keys; ++k) {
    s->first_key[k] = keys[k].operand;
    hd_sort_operand o = hd_sort_operand_at(s, s->first_key[k]);
    s->key[k] = hd_sort_key_of(keys[k].kind, o.bytes);
    s->wide |= o.bytes == 8;
  }
  s->alone =
      !s->wide && s->operands == 1 && s->keys == 1 && s->front >= s->n / 8 && !hd_sort_operand_at(s, 0).positions;
  return true;
}

static void sort(hd_ral_context *ctx, void *descriptor, int64_t count) {
  hd_sorting s = {.ctx = ctx, .vectors = hd_sort_vectors_of(0)};
  if (!hd_ral_go_on(ctx)) return;
  if (count < HD_WORDS(hd_sort_descriptor) || !read_descriptor(&s, descriptor, count)) {
    hd_ral_fail(ctx, hd_make_status(HD_INVALID_ARGUMENT, "sort: expected the descriptor of a sort, got %lld words",
                                    (long long)count));
    return;
  }
  if (!s.n || !s.lines || s.front <= 0) return;
  s.entry = s.alone ? 4 : s.wide ? 16 : 8;
  int32_t threads = hd_ral_threads(ctx);
  bool by_parts = threads > 1 && s.n >= LONG && s.lines < 2 * (int64_t)threads;
  s.run = s.inner > 1 ? s.inner : s.lines;
  s.group = selects(&s) || by_parts ? 1 : s.inner > 1 ? GROUP : is_together(&s) ? TOGETHER / s.n : 1;
  s.groups = s.lines / s.run * ((s.run + s.group - 1) / s.group);
  s.slots = by_parts ? 1 : s.groups < threads ? s.groups : threads < 64 ? threads : 64;
  size_t order = s.keys > 1 ? (size_t)s.n * sizeof(int64_t) : 0;
  s.each = (size_t)(s.group + 1) * (size_t)s.n * s.entry + order + 64;
  if (selects(&s) && !by_parts) s.each = 2 * (size_t)capacity_of(&s) * s.entry;
  s.each = (s.each + 63) / 64 * 64;
  s.scratch = hd_ral_take_scratch(ctx, s.each * (size_t)s.slots);
  if (!s.scratch) return;
  for (int64_t line = 0; by_parts && line < s.lines && hd_ral_go_on(ctx); ++line) sort_long_line(&s, line);
  int64_t grain = 1 + 128 / (s.n * s.group); /* about a microsecond of sorting */
  if (!by_parts) hd_ral_for(ctx, s.groups, grain, sort_groups, &s);
  hd_ral_give(ctx, s.scratch);
}
HD_RAL_LIBRARY("ral_sort", sort, void, pvoid, i64)

HD_RAL_TABLE(sort, sort)
