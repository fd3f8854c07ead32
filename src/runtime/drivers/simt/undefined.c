/* SPDX-License-Identifier: Apache-2.0 */
/* Which lanes of which registers hold nothing that is defined, in checked launches: a bit per lane and register.
 *
 * What llvm.mlir.undef and llvm.mlir.poison give is not, nor what an exchange takes from a lane that is not there; what
 * is computed of such a value is not either, but what a select does not choose and what a defined operand alone
 * decides: a zero of `and` and of an integer's `mul`, all ones of `or`, in 32 and 64 bits (a register does not say how
 * many bits of it a narrower integer has). Such a value may be passed on. It is found where it decides a branch, is an
 * address, or goes to memory. What memory holds is defined: what went there has been found. */
#include "runtime/drivers/simt/warp.h"

#define SLOT(number) (w->slots + (size_t)(number) * HD_SIMT_SLOT_BYTES)

static void find(hd_simt_machine *m, const hd_simt_warp *w, const hd_simt_instruction *i, uint32_t lanes,
                 const char *what) {
  if (lanes)
    hd_simt_find(m, w, (uint32_t)__builtin_ctz(lanes), (uint32_t)(i - m->kernel->code), HD_SIMT_UNDEFINED, false,
                 "%s that is not defined", what);
}

/* Lanes that take the second operand. */
static uint32_t chosen(const hd_simt_warp *w, const hd_simt_instruction *i) {
  uint32_t taken = 0;
  for (uint32_t l = 0; l < HD_SIMT_LANES; ++l) taken |= (uint32_t)(hd_simt_lane_bits(SLOT(i->a), l, 1) != 0) << l;
  return taken;
}

/* Lanes where one operand of |count| slots is defined and is |absorbing|: the other one makes no difference. */
static uint32_t absorbed(const hd_simt_warp *w, const hd_simt_instruction *i, uint32_t count, uint64_t absorbing) {
  uint32_t found = 0;
  for (uint32_t l = 0; l < HD_SIMT_LANES; ++l) {
    bool a = !(w->undefined[i->a] >> l & 1) && hd_simt_lane_bits(SLOT(i->a), l, count) == absorbing;
    bool b = !(w->undefined[i->b] >> l & 1) && hd_simt_lane_bits(SLOT(i->b), l, count) == absorbing;
    found |= (uint32_t)(a || b) << l;
  }
  return found;
}

static uint32_t absorbed_by(const hd_simt_warp *w, const hd_simt_instruction *i) {
  switch ((hd_simt_opcode)i->op) {
    case HD_SIMT_and32:
    case HD_SIMT_mul32:
      return absorbed(w, i, 1, 0);
    case HD_SIMT_and64:
    case HD_SIMT_mul64:
      return absorbed(w, i, 2, 0);
    case HD_SIMT_or32:
      return absorbed(w, i, 1, UINT32_MAX);
    case HD_SIMT_or64:
      return absorbed(w, i, 2, UINT64_MAX);
    default:
      return 0;
  }
}

static void track_access(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask) {
  uint32_t *u = w->undefined;
  find(m, w, i, u[i->a] & mask, i->op == HD_SIMT_load ? "reads at an address" : "writes at an address");
  for (uint32_t e = 0; e < i->x; ++e) {
    uint32_t slot = i->x == 1 ? i->d : m->kernel->lists[i->imm + e];
    if (i->op == HD_SIMT_load)
      hd_simt_define(w, slot, mask, 0);
    else
      find(m, w, i, u[slot] & mask, "writes a value");
  }
}

void hd_simt_track(hd_simt_machine *m, hd_simt_warp *w, const hd_simt_instruction *i, uint32_t mask) {
  const hd_simt_opcode_row *row = &hd_simt_opcode_rows[i->op];
  uint32_t *u = w->undefined, undefined = 0;
  switch ((hd_simt_opcode)i->op) {
    case HD_SIMT_load:
    case HD_SIMT_store:
      track_access(m, w, i, mask);
      return;
    case HD_SIMT_atomic:
    case HD_SIMT_cmpxchg:
      find(m, w, i, u[i->a] & mask, "updates an address");
      find(m, w, i, (u[i->b] | (i->op == HD_SIMT_cmpxchg ? u[i->c] : 0)) & mask, "updates memory by a value");
      hd_simt_define(w, i->d, mask, 0);
      return;
    case HD_SIMT_freeze32:
    case HD_SIMT_freeze64:
      hd_simt_define(w, i->d, mask, 0);
      return;
    case HD_SIMT_branch_if:
      find(m, w, i, u[i->a] & mask, "goes by a condition");
      return;
    case HD_SIMT_members:
      find(m, w, i, u[i->a] & mask, "names lanes by a value");
      return;
    case HD_SIMT_select32:
    case HD_SIMT_select64: {
      uint32_t taken = chosen(w, i);
      undefined = u[i->a] | (u[i->b] & taken) | (u[i->c] & ~taken);
      break;
    }
    default:
      if (row->a) undefined |= u[i->a];
      if (row->b) undefined |= u[i->b];
      if (row->c) undefined |= u[i->c];
      if (undefined & mask) undefined &= ~absorbed_by(w, i);
      break;
  }
  if (row->result) hd_simt_define(w, i->d, mask, undefined & mask);
}
