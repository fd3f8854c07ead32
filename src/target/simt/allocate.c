/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for registers: arguments and constants first, then the others along the code, each from its first to
 * its last use. Writes go to active lanes alone, so a register may be used again as soon as no lane's own way
 * needs it: what other lanes hold in it stays. */
#include "target/simt/encoder.h"

typedef hd_vec(uint32_t) number_list;

static uint32_t sources_of(const hd_simt_draft *i, int32_t out[3]) {
  uint32_t count = 0;
  if (i->a >= 0) out[count++] = i->a;
  if (i->b >= 0) out[count++] = i->b;
  if (i->c >= 0) out[count++] = i->c;
  return count;
}

static void set(uint64_t *bits, int32_t i) { bits[i / 64] |= 1ull << (i % 64); }
static void clear(uint64_t *bits, int32_t i) { bits[i / 64] &= ~(1ull << (i % 64)); }

/* |live|, after |i|, becomes what lives before it. */
static void step_back(const hd_simt_draft *i, uint64_t *live) {
  int32_t sources[3];
  uint32_t count = sources_of(i, sources);
  if (i->d >= 0) clear(live, i->d);
  if (i->valid >= 0) clear(live, i->valid);
  for (uint32_t k = 0; i->list && k < i->x; ++k) (i->op == HD_SIMT_load ? clear : set)(live, i->list[k]);
  for (uint32_t k = 0; k < count; ++k) set(live, sources[k]);
}

static uint32_t ways_of(const hd_simt_node *n) {
  const hd_simt_draft *last = n->code.len ? &hd_vec_last(&n->code) : NULL;
  return !last ? 0 : last->op == HD_SIMT_branch ? 1 : last->op == HD_SIMT_branch_if ? 2 : 0;
}

static void find_live(hd_simt_encoder *e, size_t words) {
  uint64_t *live = hd_new_array(e->arena, uint64_t, words);
  for (size_t n = 0; n < e->order.len; ++n) {
    hd_simt_node *node = e->nodes.data[e->order.data[n]];
    node->live_in = hd_new_array(e->arena, uint64_t, words);
    node->live_out = hd_new_array(e->arena, uint64_t, words);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = e->order.len; n-- > 0;) {
      hd_simt_node *node = e->nodes.data[e->order.data[n]];
      memset(live, 0, words * sizeof *live);
      for (uint32_t i = 0; i < ways_of(node); ++i) {
        const uint64_t *next = e->nodes.data[hd_vec_last(&node->code).targets[i]]->live_in;
        for (size_t k = 0; k < words; ++k) live[k] |= next[k];
      }
      memcpy(node->live_out, live, words * sizeof *live);
      for (size_t i = node->code.len; i-- > 0;) step_back(&node->code.data[i], live);
      if (!memcmp(node->live_in, live, words * sizeof *live)) continue;
      memcpy(node->live_in, live, words * sizeof *live);
      changed = true;
    }
  }
}

static void reach(hd_simt_encoder *e, int32_t number, uint32_t at) {
  hd_simt_register *r = &e->registers.data[number];
  if (r->start > at) r->start = at;
  if (r->end < at) r->end = at;
}

static void reach_all(hd_simt_encoder *e, const uint64_t *bits, size_t words, uint32_t at) {
  for (size_t k = 0; k < words; ++k)
    for (uint64_t rest = bits[k]; rest; rest &= rest - 1) reach(e, (int32_t)(k * 64) + __builtin_ctzll(rest), at);
}

static void find_ranges(hd_simt_encoder *e, size_t words) {
  uint32_t at = 0;
  for (size_t r = 0; r < e->registers.len; ++r) {
    e->registers.data[r].start = UINT32_MAX;
    e->registers.data[r].end = 0;
  }
  for (size_t n = 0; n < e->order.len; ++n) {
    hd_simt_node *node = e->nodes.data[e->order.data[n]];
    node->first = at;
    reach_all(e, node->live_in, words, at);
    for (size_t i = 0; i < node->code.len; ++i, ++at) {
      const hd_simt_draft *draft = &node->code.data[i];
      int32_t sources[3];
      uint32_t count = sources_of(draft, sources);
      for (uint32_t k = 0; k < count; ++k) reach(e, sources[k], at);
      for (uint32_t k = 0; draft->list && k < draft->x; ++k) reach(e, draft->list[k], at);
      if (draft->d >= 0) reach(e, draft->d, at);
      if (draft->valid >= 0) reach(e, draft->valid, at);
    }
    reach_all(e, node->live_out, words, at - 1);
  }
}

/* Slots of one size: those that are free again, and how many there are. */
typedef struct pool {
  number_list free;
  uint32_t count;
} pool;

/* Slots counted by size: |slot| is the number within its size. */
static void number_registers(hd_simt_encoder *e, uint32_t length, pool pools[2]) {
  number_list *begins = hd_new_array(e->arena, number_list, length + 2),
              *ends = hd_new_array(e->arena, number_list, length + 2);
  for (uint32_t r = 0; r < e->registers.len; ++r) {
    const hd_simt_register *reg = &e->registers.data[r];
    if (reg->fixed || reg->start == UINT32_MAX) continue;
    hd_vec_push(e->arena, &begins[reg->start], r);
    /* One that is not used goes on to the next instruction: others of this one are results too. */
    hd_vec_push(e->arena, &ends[reg->end == reg->start ? reg->end + 1 : reg->end], r);
  }
  for (uint32_t at = 0; at <= length; ++at) {
    for (size_t k = 0; k < ends[at].len; ++k) {
      const hd_simt_register *reg = &e->registers.data[ends[at].data[k]];
      hd_vec_push(e->arena, &pools[reg->slots - 1].free, reg->slot);
    }
    for (size_t k = 0; k < begins[at].len; ++k) {
      hd_simt_register *reg = &e->registers.data[begins[at].data[k]];
      pool *p = &pools[reg->slots - 1];
      reg->slot = p->free.len ? hd_vec_pop(&p->free) : p->count++;
    }
  }
}

static hd_status place_registers(hd_simt_encoder *e, uint32_t length) {
  hd_simt_kernel *kernel = &e->kernel;
  pool pools[2] = {0};
  hd_vec(hd_simt_constant) constants = {0};
  uint32_t next = 0;
  number_registers(e, length, pools);
  for (size_t r = 0; r < e->registers.len; ++r) {
    hd_simt_register *reg = &e->registers.data[r];
    bool begins = reg->is_constant || reg->is_undefined;
    if (!reg->fixed || (begins && reg->start == UINT32_MAX)) continue;
    reg->slot = next;
    next += reg->slots;
    if (begins)
      hd_vec_push(e->arena, &constants, (hd_simt_constant){reg->slot, reg->slots, reg->is_undefined, reg->bits});
  }
  kernel->fixed_slots = next;
  kernel->slots = next + pools[0].count + 2 * pools[1].count;
  kernel->constant_count = (uint32_t)constants.len;
  kernel->constants = constants.data;
  if (kernel->slots > UINT16_MAX)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "simt: kernel '%s' needs %u registers, expected at most %d",
                          kernel->name, kernel->slots, UINT16_MAX);
  for (size_t r = 0; r < e->registers.len; ++r) {
    hd_simt_register *reg = &e->registers.data[r];
    if (!reg->fixed) reg->slot = next + (reg->slots == 1 ? reg->slot : pools[0].count + 2 * reg->slot);
  }
  return HD_STATUS_OK;
}

/* ---- instructions ---- */

static uint16_t slot_of(const hd_simt_encoder *e, int32_t number) {
  return number < 0 ? 0 : (uint16_t)e->registers.data[number].slot;
}

static void write_code(hd_simt_encoder *e, uint32_t length) {
  hd_simt_instruction *code = hd_new_array(e->arena, hd_simt_instruction, length);
  uint32_t *origins = hd_new_array(e->arena, uint32_t, length), at = 0;
  number_list lists = {0};
  for (size_t n = 0; n < e->order.len; ++n) {
    const hd_simt_node *node = e->nodes.data[e->order.data[n]];
    for (size_t k = 0; k < node->code.len; ++k, ++at) {
      const hd_simt_draft *draft = &node->code.data[k];
      hd_simt_instruction *i = &code[at];
      *i = (hd_simt_instruction){.op = draft->op, .x = draft->x, .imm = draft->imm};
      i->d = slot_of(e, draft->d);
      i->a = slot_of(e, draft->a);
      i->b = draft->list ? draft->log2 : slot_of(e, draft->b);
      i->c = draft->list || draft->op == HD_SIMT_atomic ? draft->memory : slot_of(e, draft->c);
      origins[at] = draft->origin;
      if (draft->list) {
        i->d = slot_of(e, draft->list[0]);
        i->imm = draft->x > 1 ? (uint32_t)lists.len : 0;
        for (uint32_t v = 0; draft->x > 1 && v < draft->x; ++v)
          hd_vec_push(e->arena, &lists, slot_of(e, draft->list[v]));
      } else if (draft->valid >= 0) {
        i->imm = slot_of(e, draft->valid);
      } else if (draft->op == HD_SIMT_branch) {
        i->imm = e->nodes.data[draft->targets[0]]->first;
      } else if (draft->op == HD_SIMT_branch_if) {
        i->imm = (uint32_t)lists.len;
        for (int t = 0; t < 2; ++t) hd_vec_push(e->arena, &lists, e->nodes.data[draft->targets[t]]->first);
        hd_vec_push(e->arena, &lists,
                    node->meet == HD_SIMT_NOWHERE ? HD_SIMT_NOWHERE : e->nodes.data[node->meet]->first);
      }
    }
  }
  e->kernel.code = code;
  e->kernel.code_count = length;
  e->kernel.origins = origins;
  e->kernel.lists = lists.data;
  e->kernel.list_count = (uint32_t)lists.len;
}

hd_status hd_simt_allocate(hd_simt_encoder *e) {
  size_t words = (e->registers.len + 63) / 64;
  uint32_t length = 0;
  for (size_t n = 0; n < e->order.len; ++n) length += (uint32_t)e->nodes.data[e->order.data[n]]->code.len;
  find_live(e, words);
  find_ranges(e, words);
  HD_TRY(place_registers(e, length));
  write_code(e, length);
  return HD_STATUS_OK;
}
