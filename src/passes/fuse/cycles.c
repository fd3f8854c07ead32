/* SPDX-License-Identifier: Apache-2.0 */
/* disc-fusion: would a kernel of two groups be in a dependence cycle, because a third must run between them?
 *
 * Groups are a list in topological order; labels compare the positions of two in constant time. A group on a path from
 * the first to the second of the two is between them in the list, so a bidirectional search finds it:
 *
 *   first ... its users, forward ->            <- backward, its producers ... second
 *
 * A group that both searches reach is on such a path. Where one search is exhausted there is no path, and moving the
 * groups that it reached to the other end of the interval (the second's producers before the first, or the first's
 * users after the second) keeps the order topological, so that the two merge at that end: an online topological order,
 * which costs in proportion to what the searches reach and not to the length of the interval. */
#include <stdlib.h>

#include "passes/fuse/fuser.h"

enum { MAX_STEPS = 16384 }; /* edges that one search follows */

/* ---- the list ---- */

#define NONE UINT32_MAX

static uint64_t label(const hd_fuser *f, uint32_t g) { return f->nodes[g].label; }

void hd_fuser_init_group_order(hd_fuser *f) {
  uint64_t step = f->count ? (UINT64_MAX >> 1) / ((uint64_t)f->count + 1) : 1;
  for (uint32_t x = 0; x < f->count; ++x) {
    hd_fuse_node *n = &f->nodes[x];
    n->label = (x + 1) * step;
    n->previous_group = x ? x - 1 : NONE;
    n->next_group = x + 1 < f->count ? x + 1 : NONE;
  }
  uint32_t total = 0;
  for (uint32_t x = 0; x < f->count; ++x)
    for (uint32_t i = 0; i < f->nodes[x].producer_count; ++i, ++total) ++f->nodes[f->nodes[x].producers[i]].user_count;
  uint32_t *users = hd_new_array(f->arena, uint32_t, (size_t)total + 1);
  for (uint32_t x = 0; x < f->count; ++x) {
    f->nodes[x].users = users;
    users += f->nodes[x].user_count;
    f->nodes[x].user_count = 0;
  }
  for (uint32_t x = 0; x < f->count; ++x)
    for (uint32_t i = 0; i < f->nodes[x].producer_count; ++i) {
      hd_fuse_node *producer = &f->nodes[f->nodes[x].producers[i]];
      producer->users[producer->user_count++] = x;
    }
}

static void unlink_group(hd_fuser *f, uint32_t g) {
  hd_fuse_node *n = &f->nodes[g];
  if (n->previous_group != NONE) f->nodes[n->previous_group].next_group = n->next_group;
  if (n->next_group != NONE) f->nodes[n->next_group].previous_group = n->previous_group;
}

/* Relabels around group |g|: of the enclosing ranges of labels, each twice as large as the last, the first that is
 * sparse enough gets its groups at even distances. Larger ranges must be sparser, so the amortised cost is small. */
static void spread_labels(hd_fuser *f, uint32_t g) {
  double filled = 1;
  for (uint32_t bits = 4; bits < 64; ++bits) {
    uint64_t size = bits < 63 ? 1ull << bits : UINT64_MAX >> 1, low = label(f, g) & ~(size - 1),
             high = low + (size - 1);
    if (bits == 63) low = 0, high = UINT64_MAX >> 1;
    uint32_t first = g;
    uint64_t count = 1;
    while (f->nodes[first].previous_group != NONE && label(f, f->nodes[first].previous_group) >= low)
      first = f->nodes[first].previous_group, ++count;
    for (uint32_t at = g; f->nodes[at].next_group != NONE && label(f, f->nodes[at].next_group) <= high;
         at = f->nodes[at].next_group)
      ++count;
    filled *= 0.8;
    if (bits < 63 && (double)count * 4 > (double)size * filled) continue;
    uint64_t step = size / (count + 1);
    for (uint64_t i = 1; i <= count; ++i, first = f->nodes[first].next_group) f->nodes[first].label = low + i * step;
    return;
  }
}

/* Inserts |g|, which is not in the list, directly before |place|, or directly after it with |after|. */
static void insert_group(hd_fuser *f, uint32_t g, uint32_t place, bool after) {
  uint32_t left = after ? place : f->nodes[place].previous_group, right = after ? f->nodes[place].next_group : place;
  for (uint32_t tries = 0; tries < 2; ++tries) {
    uint64_t low = left == NONE ? 0 : label(f, left), high = right == NONE ? UINT64_MAX >> 1 : label(f, right);
    f->nodes[g].label = low + (high - low) / 2;
    if (high - low > 1) break;
    spread_labels(f, place);
  }
  f->nodes[g].previous_group = left;
  f->nodes[g].next_group = right;
  if (left != NONE) f->nodes[left].next_group = g;
  if (right != NONE) f->nodes[right].previous_group = g;
}

/* ---- the search ---- */

/* One direction of the search. */
typedef struct side {
  uint32_t start, other; /* of the two groups, the one where it begins, and the other */
  bool backward;
  uint32_t mark, steps, done; /* the first |done| groups are visited */
} side;

typedef enum outcome { OPEN, FOUND } outcome;

/* Visits the producers or users of the next group of |s|. |directly|: an edge between the two counts. */
static outcome visit(hd_fuser *f, side *s, hd_fuse_groups *seen, bool directly) {
  uint32_t at = s->done ? seen->data[s->done - 1] : s->start;
  ++s->done;
  for (uint32_t m = at; m != NONE; m = f->nodes[m].next_member) {
    const hd_fuse_node *n = &f->nodes[m];
    uint32_t count = s->backward ? n->producer_count : n->user_count;
    s->steps += 1 + count;
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t g = hd_fuser_find(f, s->backward ? n->producers[i] : n->users[i]);
      if (f->nodes[g].mark == s->mark || (at == s->start && g == s->other && !directly)) continue;
      if (s->backward ? label(f, g) < label(f, s->other) : label(f, g) > label(f, s->other)) continue;
      if (g == s->other || f->nodes[g].mark == (s->mark ^ 1)) return FOUND;
      f->nodes[g].mark = s->mark;
      hd_vec_push(f->arena, seen, g);
    }
  }
  return OPEN;
}

static bool is_done(const side *s, const hd_fuse_groups *seen) { return s->done > seen->len; }

const char *hd_fuser_cycle_blocker(hd_fuser *f, uint32_t a, uint32_t b, bool directly) {
  uint32_t first = label(f, a) < label(f, b) ? a : b, second = first == a ? b : a;
  f->mark += 2;
  f->backward.len = f->forward.len = 0;
  side back = {.start = second, .other = first, .backward = true, .mark = f->mark},
       forth = {.start = first, .other = second, .mark = f->mark ^ 1};
  f->nodes[second].mark = back.mark;
  f->nodes[first].mark = forth.mark;
  while (!is_done(&back, &f->backward) && !is_done(&forth, &f->forward)) {
    if (back.steps + forth.steps > MAX_STEPS)
      return "there are too many ops between them to search for one that must run there";
    bool from_second = back.steps <= forth.steps;
    if (visit(f, from_second ? &back : &forth, from_second ? &f->backward : &f->forward, directly) == FOUND)
      return "another kernel or the host must run between them";
  }
  f->backward_is_complete = is_done(&back, &f->backward);
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

void hd_fuser_order_merged(hd_fuser *f, uint32_t into, uint32_t from) {
  uint32_t first = label(f, into) < label(f, from) ? into : from, second = first == into ? from : into;
  const hd_fuse_groups *moved = f->backward_is_complete ? &f->backward : &f->forward;
  uint32_t place = f->backward_is_complete ? first : second;
  if (moved->len) {
    labelled *sorted = hd_new_array(f->arena, labelled, moved->len);
    for (size_t i = 0; i < moved->len; ++i) sorted[i] = (labelled){label(f, moved->data[i]), moved->data[i]};
    qsort(sorted, moved->len, sizeof *sorted, by_label);
    for (size_t i = 0; i < moved->len; ++i) {
      /* In their order directly before the first, or, the last one first, directly after the second. */
      uint32_t g = sorted[f->backward_is_complete ? i : moved->len - 1 - i].group;
      unlink_group(f, g);
      insert_group(f, g, place, !f->backward_is_complete);
    }
  }
  unlink_group(f, f->backward_is_complete ? second : first);
  if (place == into) return;
  f->nodes[into].label = f->nodes[from].label;
  f->nodes[into].previous_group = f->nodes[from].previous_group;
  f->nodes[into].next_group = f->nodes[from].next_group;
  if (f->nodes[into].previous_group != NONE) f->nodes[f->nodes[into].previous_group].next_group = into;
  if (f->nodes[into].next_group != NONE) f->nodes[f->nodes[into].next_group].previous_group = into;
}
