/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges between lanes of a warp, votes and reductions: gpu.shuffle, and PTX's
 * ops, which name the lanes that take part.
 *
 * Lanes are read as they are before the instruction, so its result may be one of its operands. */
#include "runtime/drivers/simt/warp.h"

#define SLOT(number) (w->slots + (size_t)(number) * HD_SIMT_SLOT_BYTES)
#define EACH_LANE(l, mask)                                                                       \
  for (uint32_t rest_##l = (mask), l; rest_##l && (l = (uint32_t)__builtin_ctz(rest_##l), true); \
       rest_##l &= rest_##l - 1)

static uint32_t pc_of(const hd_simt_machine *m, const hd_simt_instruction *i) {
  return (uint32_t)(i - m->kernel->code);
}

static void read_words(const hd_simt_warp *w, uint32_t slot, uint32_t out[HD_SIMT_LANES]) {
  memcpy(out, SLOT(slot), HD_SIMT_LANES * sizeof *out);
}

/* Lane |l| of the results takes the value of lane from[l], and whether that is another lane's that takes part. */
static void give(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask, const uint32_t *from,
                 uint32_t valid) {
  uint32_t count = i->x >> 4, undefined = 0, control = 0; /* which lane, and of how many */
  uint64_t values[HD_SIMT_LANES];
  for (uint32_t l = 0; l < HD_SIMT_LANES; ++l) values[l] = hd_simt_lane_bits(SLOT(i->a), l, count);
  if (m->checks) {
    EACH_LANE(l, mask) undefined |= ((w->undefined[i->a] | ~mask) >> from[l] & 1) << l;
    control = (w->undefined[i->b] | w->undefined[i->c]) & mask;
    hd_simt_define(w, i->d, mask, undefined | control);
    hd_simt_define(w, i->imm, mask, control);
  }
  EACH_LANE(l, mask) {
    hd_simt_set_lane(SLOT(i->d), l, count, values[from[l]]);
    hd_simt_set_lane(SLOT(i->imm), l, 1, valid >> l & 1);
  }
}

static void check_source(hd_simt_machine *m, const hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask,
                         uint32_t lane, uint32_t from) {
  if (m->checks && !(mask >> from & 1))
    hd_simt_find(m, w, lane, pc_of(m, i), HD_SIMT_INACTIVE_LANE, false, "reads lane %u, which has not come to it",
                 from);
}

void hd_simt_shuffle(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask) {
  uint32_t mode = i->x & 15, valid = 0, offsets[HD_SIMT_LANES], widths[HD_SIMT_LANES], from[HD_SIMT_LANES];
  ++m->counters.shuffles;
  read_words(w, i->b, offsets);
  read_words(w, i->c, widths);
  EACH_LANE(l, mask) {
    int64_t offset = (int32_t)offsets[l], width = (int32_t)widths[l];
    int64_t lane = mode == 0 ? (int64_t)l ^ offset : mode == 1 ? l + offset : mode == 2 ? l - offset : offset;
    bool holds = l < width && lane >= 0 && lane < width && lane < HD_SIMT_LANES;
    from[l] = holds ? (uint32_t)lane : l;
    valid |= (uint32_t)holds << l;
    if (width < 1 || width > m->grid->subgroup)
      hd_simt_find(m, w, l, pc_of(m, i), HD_SIMT_INACTIVE_LANE, true, "exchanges among %lld lanes of %u",
                   (long long)width, m->grid->subgroup);
    else
      check_source(m, w, i, mask, l, from[l]);
  }
  give(m, w, i, mask, from, valid);
}

/* PTX's shfl.sync: c has the end of a segment in its low bits and which bits of
 * a lane's number are the segment's above. */
void hd_simt_exchange(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask) {
  uint32_t mode = i->x & 15, valid = 0, offsets[HD_SIMT_LANES], controls[HD_SIMT_LANES], from[HD_SIMT_LANES];
  ++m->counters.shuffles;
  read_words(w, i->b, offsets);
  read_words(w, i->c, controls);
  EACH_LANE(l, mask) {
    uint32_t b = offsets[l] & 31, segment = controls[l] >> 8 & 31, end = controls[l] & 31;
    int32_t last = (int32_t)((l & segment) | (end & ~segment)), lane;
    switch (mode) {
      case 0: /* bfly */
        lane = (int32_t)(l ^ b);
        break;
      case 1: /* up */
        lane = (int32_t)l - (int32_t)b;
        break;
      case 2: /* down */
        lane = (int32_t)(l + b);
        break;
      default: /* idx */
        lane = (int32_t)((l & segment) | (b & ~segment));
        break;
    }
    bool holds = mode == 1 ? lane >= last : lane <= last;
    from[l] = holds ? (uint32_t)lane & 31 : l;
    valid |= (uint32_t)holds << l;
    check_source(m, w, i, mask, l, from[l]);
  }
  give(m, w, i, mask, from, valid);
}

/* Do the lanes that a lane names come with it, and name the same? */
void hd_simt_check_members(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask) {
  uint32_t masks[HD_SIMT_LANES], pc = pc_of(m, i);
  if (!m->checks) return;
  read_words(w, i->a, masks);
  EACH_LANE(l, mask) {
    uint32_t named = masks[l], absent = named & w->valid & ~w->exited & ~mask;
    if (!(named >> l & 1))
      hd_simt_find(m, w, l, pc, HD_SIMT_INACTIVE_LANE, false, "names lanes 0x%x, of which it is none", named);
    else if (absent)
      hd_simt_find(m, w, l, pc, HD_SIMT_INACTIVE_LANE, false, "names lane %d, which has not come to it",
                   __builtin_ctz(absent));
    EACH_LANE(k, named & mask)
      if (masks[k] != named)
        hd_simt_find(m, w, l, pc, HD_SIMT_INACTIVE_LANE, false, "names lanes 0x%x, and lane %u of them names 0x%x",
                     named, k, masks[k]);
  }
}

/* What lanes of |group| have in common is not defined where one of them is not. */
static void define_of_groups(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask,
                             const uint32_t *masks, uint32_t slot) {
  uint32_t undefined = 0;
  if (!m->checks) return;
  EACH_LANE(l, mask) undefined |= (uint32_t)((w->undefined[i->a] & masks[l] & mask) != 0) << l;
  hd_simt_define(w, slot, mask, undefined | (w->undefined[i->b] & mask));
}

/* any, all, ballot, uni */
void hd_simt_vote(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask) {
  uint32_t values[HD_SIMT_LANES], masks[HD_SIMT_LANES], votes = 0;
  ++m->counters.shuffles;
  read_words(w, i->a, values);
  read_words(w, i->b, masks);
  EACH_LANE(l, mask) votes |= (uint32_t)(values[l] != 0) << l;
  EACH_LANE(l, mask) {
    uint32_t group = masks[l] & mask, own = votes & group;
    uint32_t value = i->x == 0 ? own != 0 : i->x == 1 ? own == group : i->x == 2 ? own : !own || own == group;
    hd_simt_set_lane(SLOT(i->d), l, 1, value);
  }
  define_of_groups(m, w, i, mask, masks, i->d);
}

static uint32_t combined(uint32_t kind, uint32_t x, uint32_t y) {
  switch (kind) { /* hd_simt_redux_kind */
    case HD_SIMT_REDUX_ADD:
      return x + y;
    case HD_SIMT_REDUX_AND:
      return x & y;
    case HD_SIMT_REDUX_MAX:
      return (int32_t)y > (int32_t)x ? y : x;
    case HD_SIMT_REDUX_MIN:
      return (int32_t)y < (int32_t)x ? y : x;
    case HD_SIMT_REDUX_OR:
      return x | y;
    case HD_SIMT_REDUX_UMAX:
      return y > x ? y : x;
    case HD_SIMT_REDUX_UMIN:
      return y < x ? y : x;
    default:
      return x ^ y;
  }
}

void hd_simt_redux(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask) {
  uint32_t values[HD_SIMT_LANES], masks[HD_SIMT_LANES];
  ++m->counters.shuffles;
  read_words(w, i->a, values);
  read_words(w, i->b, masks);
  EACH_LANE(l, mask) {
    uint32_t group = masks[l] & mask, value = 0;
    bool first = true;
    EACH_LANE(k, group) {
      value = first ? values[k] : combined(i->x, value, values[k]);
      first = false;
    }
    hd_simt_set_lane(SLOT(i->d), l, 1, value);
  }
  define_of_groups(m, w, i, mask, masks, i->d);
}

/* x & 15: all lanes, or those of the lane's value. */
void hd_simt_match(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask) {
  uint32_t masks[HD_SIMT_LANES], count = i->x >> 4;
  uint64_t values[HD_SIMT_LANES];
  ++m->counters.shuffles;
  read_words(w, i->b, masks);
  for (uint32_t l = 0; l < HD_SIMT_LANES; ++l) values[l] = hd_simt_lane_bits(SLOT(i->a), l, count);
  EACH_LANE(l, mask) {
    uint32_t group = masks[l] & mask, same = 0;
    EACH_LANE(k, group) same |= (uint32_t)(values[k] == values[l]) << k;
    bool all = same == group;
    hd_simt_set_lane(SLOT(i->d), l, 1, i->x & 15 ? (all ? group : 0) : same);
    hd_simt_set_lane(SLOT(i->imm), l, 1, all);
  }
  define_of_groups(m, w, i, mask, masks, i->d);
  define_of_groups(m, w, i, mask, masks, i->imm);
}
