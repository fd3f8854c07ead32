/* SPDX-License-Identifier: Apache-2.0 */
/* Included by sort.c once per entry type: E, an unsigned integer, and NAME(x); where vectors sort them,
 * SORT_BY(vectors) and MOST_BY(vectors), their function and its limits. Entries are compared as numbers; where an entry
 * holds its position below its key, that makes every order here stable. */

static void NAME(insertion)(E *a, int64_t n) {
  for (int64_t i = 1; i < n; ++i) {
    E x = a[i];
    int64_t k = i;
    for (; k > 0 && a[k - 1] > x; --k) a[k] = a[k - 1];
    a[k] = x;
  }
}

/* Runs [0, middle) and [middle, n) of |from| into |to|. */
static void NAME(merge)(const E *from, int64_t middle, int64_t n, E *to) {
  int64_t i = 0, k = middle;
  while (i < middle && k < n) {
    bool second = from[k] < from[i];
    *to++ = second ? from[k] : from[i];
    k += second;
    i += !second;
  }
  memcpy(to, from + i, (size_t)(middle - i) * sizeof *to);
  memcpy(to + (middle - i), from + k, (size_t)(n - k) * sizeof *to);
}

static void NAME(by_merges)(E *a, E *scratch, int64_t n) {
  for (int64_t low = 0; low < n; low += RUN) NAME(insertion)(a + low, n - low < RUN ? n - low : RUN);
  E *from = a, *to = scratch;
  for (int64_t width = RUN; width < n; width *= 2) {
    for (int64_t low = 0; low < n; low += 2 * width) {
      int64_t left = n - low, size = left < 2 * width ? left : 2 * width;
      NAME(merge)(from + low, size < width ? size : width, size, to + low);
    }
    E *other = from;
    from = to;
    to = other;
  }
  if (from != a) memcpy(a, from, (size_t)n * sizeof *a);
}

/* From the lowest digit of [shift, shift + bits) to the highest; what is below is in order. */
static void NAME(by_digits)(E *a, E *scratch, int64_t n, int shift, int bits) {
  int digits = bits / DIGIT;
  uint32_t counts[8][BUCKETS];
  memset(counts, 0, (size_t)digits * sizeof *counts);
  for (int64_t i = 0; i < n; ++i) {
    uint64_t key = (uint64_t)(a[i] >> shift);
    for (int d = 0; d < digits; ++d) ++counts[d][key >> (DIGIT * d) & (BUCKETS - 1)];
  }
  E *from = a, *to = scratch;
  for (int d = 0; d < digits; ++d) {
    uint32_t *count = counts[d], sum = 0;
    int at = shift + DIGIT * d;
    if (count[(uint32_t)(from[0] >> at) & (BUCKETS - 1)] == n) continue; /* all have this digit */
    for (int i = 0; i < BUCKETS; ++i) {
      uint32_t here = count[i];
      count[i] = sum;
      sum += here;
    }
    for (int64_t i = 0; i < n; ++i) to[count[(uint32_t)(from[i] >> at) & (BUCKETS - 1)]++] = from[i];
    E *other = from;
    from = to;
    to = other;
  }
  if (from != a) memcpy(a, from, (size_t)n * sizeof *a);
}

/* Does it by vectors when those are faster than the digits: for few entries, or when only the front is wanted. */
static bool NAME(by_vectors)(const sort_range *r, E *a, E *scratch) {
#ifdef SORT_BY
  if (!r->vectors || (r->front == r->n && r->n > MOST_BY(r->vectors)[hd_sort_limit(r->bits)])) return false;
  SORT_BY(r->vectors)(a, scratch, r->n, 0, r->front);
  return true;
#else
  (void)r, (void)a, (void)scratch;
  return false;
#endif
}

/* Entries whose keys are in |bits| from |shift| on; those of equal keys are in order already. */
static void NAME(sort)(E *a, E *scratch, const sort_range *r) {
  if (r->n < 2 || NAME(by_vectors)(r, a, scratch)) return;
  if (r->n <= 32 * r->bits / DIGIT || r->n > UINT32_MAX)
    NAME(by_merges)(a, scratch, r->n);
  else
    NAME(by_digits)(a, scratch, r->n, r->shift, r->bits);
}

/* The same of one long line, on all threads: every digit is counted and moved by parts. */
typedef struct NAME(parts) {
  const E *from;
  E *to;
  int64_t n, count;
  int at;
  int64_t (*places)[BUCKETS]; /* per part */
} NAME(parts);

static void NAME(count_part)(void *argument, int64_t begin, int64_t end) {
  const NAME(parts) *p = argument;
  for (int64_t part = begin; part < end; ++part) {
    int64_t *counts = p->places[part], to = p->n * (part + 1) / p->count;
    memset(counts, 0, sizeof *p->places);
    for (int64_t i = p->n * part / p->count; i < to; ++i) ++counts[(uint32_t)(p->from[i] >> p->at) & (BUCKETS - 1)];
  }
}

static void NAME(move_part)(void *argument, int64_t begin, int64_t end) {
  const NAME(parts) *p = argument;
  for (int64_t part = begin; part < end; ++part) {
    int64_t *places = p->places[part], to = p->n * (part + 1) / p->count;
    for (int64_t i = p->n * part / p->count; i < to; ++i)
      p->to[places[(uint32_t)(p->from[i] >> p->at) & (BUCKETS - 1)]++] = p->from[i];
  }
}

static void NAME(sort_long)(hd_ral_context *ctx, E *a, E *scratch, const sort_range *r) {
  int64_t n = r->n;
  NAME(parts) p = {a, scratch, n, parts_of(n), r->shift, hd_ral_take_scratch(ctx, MOST_PARTS * sizeof *p.places)};
  if (!p.places) return;
  for (; p.at < r->shift + r->bits && hd_ral_go_on(ctx); p.at += DIGIT) {
    hd_ral_for(ctx, p.count, 1, NAME(count_part), &p);
    int64_t sum = 0;
    bool one = false;
    for (int i = 0; i < BUCKETS; ++i) {
      int64_t first = sum;
      for (int64_t part = 0; part < p.count; ++part) {
        int64_t here = p.places[part][i];
        p.places[part][i] = sum;
        sum += here;
      }
      one |= sum - first == n;
    }
    if (one) continue;
    hd_ral_for(ctx, p.count, 1, NAME(move_part), &p);
    E *other = (E *)(uintptr_t)p.from;
    p.from = p.to;
    p.to = other;
  }
  if (p.from != a) memcpy(a, p.from, (size_t)n * sizeof *a);
  hd_ral_give(ctx, p.places);
}

/* Moves the |k| least of |n| entries, no two of them equal, to the front, the largest of them last. Half the rest goes
 * at each step, mostly; entries in an order that keeps that from happening are sorted. */
static void NAME(divide)(E *a, E *scratch, int64_t k, const sort_range *r) {
#ifdef SORT_BY
  if (r->vectors) {
    SORT_BY(r->vectors)(a, scratch, r->n, k - 1, k);
    return;
  }
#endif
  int64_t n = r->n;
  int64_t low = 0, high = n, steps = 2;
  for (int64_t size = n; size > 1; size /= 2) steps += 2;
  while (high - low > 16) {
    if (!steps--) {
      NAME(sort)(a, scratch, r);
      return;
    }
    E x = a[low], y = a[low + (high - low) / 2], z = a[high - 1];
    E most = x > y ? x : y, least = x > y ? y : x, pivot = z > most ? most : z < least ? least : z;
    int64_t below = low, others = 0;
    for (int64_t i = low; i < high; ++i) {
      E entry = a[i];
      bool less = entry < pivot;
      a[below] = scratch[others] = entry;
      below += less;
      others += !less;
    }
    memcpy(a + below, scratch, (size_t)others * sizeof *a);
    if (k <= below)
      high = below;
    else
      low = below;
  }
  NAME(insertion)(a + low, high - low);
}

/* Keeps the |k| least of what is put into |a|, which holds |capacity| > k; |bound| is a key that none above can
 * enter. Up to FEW are in order all the time. */
typedef struct NAME(least) {
  E *a, *scratch;
  int64_t k, capacity, count;
  const sort_range *range; /* of what it is used with, but for n */
  uint64_t bound;
  bool full;
} NAME(least);

static inline void NAME(bound_by)(NAME(least) * l, E entry) {
  l->full = true;
  l->bound = (uint64_t)(entry >> l->range->shift);
}

static void NAME(cut)(NAME(least) * l) {
  sort_range r = *l->range;
  r.n = r.front = l->count;
  NAME(divide)(l->a, l->scratch, l->k, &r);
  l->count = l->k;
  NAME(bound_by)(l, l->a[l->k - 1]);
}

static inline void NAME(put)(NAME(least) * l, E entry) {
  if (l->full && (uint64_t)(entry >> l->range->shift) >= l->bound) return; /* later than one of its key */
  if (l->k > FEW) {
    l->a[l->count++] = entry;
    if (l->count == l->capacity) NAME(cut)(l);
    return;
  }
  int64_t i = l->count < l->k ? l->count++ : l->k - 1;
  for (; i > 0 && l->a[i - 1] > entry; --i) l->a[i] = l->a[i - 1];
  l->a[i] = entry;
  if (l->count == l->k) NAME(bound_by)(l, l->a[l->k - 1]);
}

/* What was kept, in order; how many. */
static inline int64_t NAME(close)(NAME(least) * l) {
  if (l->k <= FEW) return l->count;
  if (l->count > l->k) NAME(cut)(l);
  sort_range r = *l->range;
  r.n = r.front = l->count;
  NAME(sort)(l->a, l->scratch, &r);
  return l->count;
}

#undef SORT_BY
#undef MOST_BY
#undef E
#undef NAME
