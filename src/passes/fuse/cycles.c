/* SPDX-License-Identifier: Apache-2.0 */
/* Never a cycle: may two groups be one kernel, or must another run between them?
 *
 * Groups stand in a list in which each comes after what it depends on; labels tell which of two comes first. When two
 * are to be one, what runs between them lies between them in the list, so it is sought from both ends in turn, backwards
 * from the second and forwards from the first:
 *
 *   first ... what waits for it ->            <- what it waits for ... second
 *
 * A group that both have come to runs between. Where one end has nothing left there is none: then what it has come to
 * goes past the other end, what the second waits for before the first, or what waits for the first behind the second,
 * and the two are one at that end. So the list stays in order, and what is far away in it costs only what is found. */
#include <stdlib.h>

#include "passes/fuse/fuser.h"

enum { MOST_STEPS = 16384 }; /* edges looked at for one question */

/* ---- the list ---- */

#define NONE UINT32_MAX

static uint64_t label(const hd_fuser *f, uint32_t g) { return f->nodes[g].label; }

void hd_fuser_open_order(hd_fuser *f) {
  uint64_t step = f->count ? (UINT64_MAX >> 1) / ((uint64_t)f->count + 1) : 1;
  for (uint32_t x = 0; x < f->count; ++x) {
    hd_fuse_node *n = &f->nodes[x];
    n->label = (x + 1) * step;
    n->before = x ? x - 1 : NONE;
    n->behind = x + 1 < f->count ? x + 1 : NONE;
  }
  /* Who waits for whom, both ways. */
  uint32_t total = 0;
  for (uint32_t x = 0; x < f->count; ++x)
    for (uint32_t i = 0; i < f->nodes[x].source_count; ++i, ++total) ++f->nodes[f->nodes[x].sources[i]].user_count;
  uint32_t *users = hd_new_array(f->arena, uint32_t, (size_t)total + 1);
  for (uint32_t x = 0; x < f->count; ++x) {
    f->nodes[x].users = users;
    users += f->nodes[x].user_count;
    f->nodes[x].user_count = 0;
  }
  for (uint32_t x = 0; x < f->count; ++x)
    for (uint32_t i = 0; i < f->nodes[x].source_count; ++i) {
      hd_fuse_node *source = &f->nodes[f->nodes[x].sources[i]];
      source->users[source->user_count++] = x;
    }
}

static void unlink_group(hd_fuser *f, uint32_t g) {
  hd_fuse_node *n = &f->nodes[g];
  if (n->before != NONE) f->nodes[n->before].behind = n->behind;
  if (n->behind != NONE) f->nodes[n->behind].before = n->before;
}

/* Makes room in the labels around group |g|: of the ranges around it, each twice the one before, the first that is
 * filled sparsely enough is filled evenly. The larger the range the sparser it must be, so this is seldom. */
static void spread_labels(hd_fuser *f, uint32_t g) {
  double filled = 1;
  for (uint32_t bits = 4; bits < 64; ++bits) {
    uint64_t size = bits < 63 ? 1ull << bits : UINT64_MAX >> 1, low = label(f, g) & ~(size - 1),
             high = low + (size - 1);
    if (bits == 63) low = 0, high = UINT64_MAX >> 1;
    uint32_t first = g;
    uint64_t count = 1;
    while (f->nodes[first].before != NONE && label(f, f->nodes[first].before) >= low)
      first = f->nodes[first].before, ++count;
    for (uint32_t at = g; f->nodes[at].behind != NONE && label(f, f->nodes[at].behind) <= high;
         at = f->nodes[at].behind)
      ++count;
    filled *= 0.8;
    if (bits < 63 && (double)count * 4 > (double)size * filled) continue;
    uint64_t step = size / (count + 1);
    for (uint64_t i = 1; i <= count; ++i, first = f->nodes[first].behind) f->nodes[first].label = low + i * step;
    return;
  }
}

/* Puts |g|, which is in no list, right before |place| or, |behind|, right behind it. */
static void insert_group(hd_fuser *f, uint32_t g, uint32_t place, bool behind) {
  uint32_t left = behind ? place : f->nodes[place].before, right = behind ? f->nodes[place].behind : place;
  for (uint32_t tries = 0; tries < 2; ++tries) {
    uint64_t low = left == NONE ? 0 : label(f, left), high = right == NONE ? UINT64_MAX >> 1 : label(f, right);
    f->nodes[g].label = low + (high - low) / 2;
    if (high - low > 1) break;
    spread_labels(f, place);
  }
  f->nodes[g].before = left;
  f->nodes[g].behind = right;
  if (left != NONE) f->nodes[left].behind = g;
  if (right != NONE) f->nodes[right].before = g;
}

/* ---- the search ---- */

typedef struct side {
  uint32_t start, other; /* of the two groups, the one where it begins, and the other */
  bool back;
  uint32_t mark, steps, done; /* groups before |done| have been looked at */
} side;

typedef enum outcome { OPEN, FOUND } outcome;

/* Looks at all that the next group of |s| waits for, or that waits for it. |directly|: an edge between the two counts. */
static outcome look(hd_fuser *f, side *s, hd_fuse_groups *seen, bool directly) {
  uint32_t at = s->done ? seen->data[s->done - 1] : s->start;
  ++s->done;
  for (uint32_t m = at; m != NONE; m = f->nodes[m].next) {
    const hd_fuse_node *n = &f->nodes[m];
    uint32_t count = s->back ? n->source_count : n->user_count;
    s->steps += 1 + count;
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t g = hd_fuser_find(f, s->back ? n->sources[i] : n->users[i]);
      if (f->nodes[g].mark == s->mark || (at == s->start && g == s->other && !directly)) continue;
      if (s->back ? label(f, g) < label(f, s->other) : label(f, g) > label(f, s->other)) continue;
      if (g == s->other || f->nodes[g].mark == (s->mark ^ 1)) return FOUND;
      f->nodes[g].mark = s->mark;
      hd_vec_push(f->arena, seen, g);
    }
  }
  return OPEN;
}

static bool is_done(const side *s, const hd_fuse_groups *seen) { return s->done > seen->len; }

const char *hd_fuser_why_cycle(hd_fuser *f, uint32_t a, uint32_t b, bool directly) {
  uint32_t first = label(f, a) < label(f, b) ? a : b, second = first == a ? b : a;
  f->mark += 2;
  f->behind.len = f->ahead.len = 0;
  side back = {.start = second, .other = first, .back = true, .mark = f->mark},
       forth = {.start = first, .other = second, .mark = f->mark ^ 1};
  f->nodes[second].mark = back.mark;
  f->nodes[first].mark = forth.mark;
  while (!is_done(&back, &f->behind) && !is_done(&forth, &f->ahead)) {
    if (back.steps + forth.steps > MOST_STEPS) return "so many ops lie before them that none is sought between them";
    bool from_second = back.steps <= forth.steps;
    if (look(f, from_second ? &back : &forth, from_second ? &f->behind : &f->ahead, directly) == FOUND)
      return "another kernel or the host must run between them";
  }
  f->moves_back = is_done(&back, &f->behind);
  return NULL;
}

/* ---- after a search ---- */

typedef struct labelled {
  uint64_t label;
  uint32_t group;
} labelled;

static int by_label(const void *a, const void *b) {
  uint64_t x = ((const labelled *)a)->label, y = ((const labelled *)b)->label;
  return x < y ? -1 : x > y;
}

void hd_fuser_place_merged(hd_fuser *f, uint32_t into, uint32_t from) {
  uint32_t first = label(f, into) < label(f, from) ? into : from, second = first == into ? from : into;
  const hd_fuse_groups *moved = f->moves_back ? &f->behind : &f->ahead;
  uint32_t place = f->moves_back ? first : second;
  if (moved->len) {
    labelled *sorted = hd_new_array(f->arena, labelled, moved->len);
    for (size_t i = 0; i < moved->len; ++i) sorted[i] = (labelled){label(f, moved->data[i]), moved->data[i]};
    qsort(sorted, moved->len, sizeof *sorted, by_label);
    for (size_t i = 0; i < moved->len; ++i) {
      /* One after the other right before the first, or, the last one first, right behind the second. */
      uint32_t g = sorted[f->moves_back ? i : moved->len - 1 - i].group;
      unlink_group(f, g);
      insert_group(f, g, place, !f->moves_back);
    }
  }
  unlink_group(f, f->moves_back ? second : first);
  if (place == into) return;
  f->nodes[into].label = f->nodes[from].label;
  f->nodes[into].before = f->nodes[from].before;
  f->nodes[into].behind = f->nodes[from].behind;
  if (f->nodes[into].before != NONE) f->nodes[f->nodes[into].before].behind = into;
  if (f->nodes[into].behind != NONE) f->nodes[f->nodes[into].behind].before = into;
}
