/* SPDX-License-Identifier: Apache-2.0 */
/* Owners, contiguity, and what kind a conversion is. */
#include "analysis/layouts/convert.h"

#include <string.h>

bool hd_linear_layout_owners(const hd_linear_layout *map, uint64_t element, hd_owners *out) {
  hd_span span = hd_span_empty();
  memset(out, 0, sizeof *out);
  for (uint32_t i = 0; i < map->in.total; ++i) {
    uint64_t sum;
    if (!hd_span_reduce(&span, map->column[i], &sum)) out->others[out->count++] = sum ^ 1ull << i;
    hd_span_add(&span, map->column[i]);
  }
  return !hd_span_reduce(&span, element, &out->first);
}

int64_t hd_layout_contiguity(const hd_linear_layout *distributed, uint32_t dim) {
  hd_span registers = hd_span_empty();
  uint32_t bits = 0;
  hd_span_add_part(&registers, distributed, HD_REGISTER);
  while (bits < distributed->out.bits[dim] && hd_span_has(&registers, 1ull << (distributed->out.shift[dim] + bits)))
    ++bits;
  return 1ll << bits;
}

int64_t hd_layout_contiguity_in_order(const hd_linear_layout *distributed, uint32_t dim) {
  uint32_t bits = 0;
  while (bits < distributed->in.bits[HD_REGISTER] && bits < distributed->out.bits[dim] &&
         distributed->column[distributed->in.shift[HD_REGISTER] + bits] == 1ull << (distributed->out.shift[dim] + bits))
    ++bits;
  return 1ll << bits;
}

int64_t hd_layout_free(const hd_linear_layout *distributed, uint32_t part) {
  return hd_linear_part(&distributed->in, hd_linear_layout_free(distributed), part);
}

/* ---- conversions ---- */

const char *hd_conversion_name(hd_conversion_kind kind) {
  static const char *const names[] = {"nothing", "registers", "shuffles", "shared memory", "cluster"};
  return names[kind];
}

static uint64_t column(const hd_linear_layout *map, uint32_t part, uint32_t bit) {
  return bit < map->in.bits[part] ? map->column[map->in.shift[part] + bit] : 0;
}

/* Can threads get all of |to| from where only parts up to |most| differ? A part that may differ, or is a register, is
 * asked for as it is; one that may not, by how the two differ. Columns suffice, since what is reached is a subspace. */
static bool within(const hd_linear_layout *from, const hd_linear_layout *to, uint32_t most) {
  hd_span reach = hd_span_empty();
  for (uint32_t part = 0; part <= most; ++part) hd_span_add_part(&reach, from, part);
  for (uint32_t part = 0; part < HD_HARDWARE_PARTS; ++part)
    for (uint32_t i = 0; i < to->in.bits[part]; ++i) {
      uint64_t wanted = column(to, part, i) ^ (part <= most ? 0 : column(from, part, i));
      if (!hd_span_has(&reach, wanted)) return false;
    }
  return true;
}

static bool same_parts(const hd_linear_layout *from, const hd_linear_layout *to) {
  for (uint32_t part = 0; part < HD_HARDWARE_PARTS; ++part) {
    uint32_t bits = from->in.bits[part] > to->in.bits[part] ? from->in.bits[part] : to->in.bits[part];
    for (uint32_t i = 0; i < bits; ++i)
      if (column(from, part, i) != column(to, part, i)) return false;
  }
  return from->in.bits[HD_REGISTER] == to->in.bits[HD_REGISTER];
}

/* Registers of |to| with elements of their own. */
static int64_t different_registers(const hd_linear_layout *to) {
  hd_span registers = hd_span_empty();
  hd_span_add_part(&registers, to, HD_REGISTER);
  return 1ll << registers.size;
}

/* Those of them whose element no register of the own thread has in |from|, for some thread. */
static int64_t foreign_registers(const hd_linear_layout *from, const hd_linear_layout *to) {
  hd_span own = hd_span_empty();
  uint32_t before;
  hd_span_add_part(&own, from, HD_REGISTER);
  for (uint32_t i = 0; i < to->in.bits[HD_LANE]; ++i)
    if (!hd_span_has(&own, column(from, HD_LANE, i) ^ column(to, HD_LANE, i))) return different_registers(to);
  before = own.size;
  hd_span_add_part(&own, to, HD_REGISTER);
  /* A sum of both spans is own where its part outside of |from|'s is 0. */
  return different_registers(to) - (different_registers(to) >> (own.size - before));
}

/* Registers that differ in place: the whole thread's when a lane's elements shift between registers. */
static int64_t moved_registers(const hd_linear_layout *from, const hd_linear_layout *to) {
  int64_t moved = 0, count = 1ll << to->in.bits[HD_REGISTER];
  for (uint32_t part = HD_LANE; part < HD_HARDWARE_PARTS; ++part)
    for (uint32_t i = 0; i < to->in.bits[part]; ++i)
      if (column(from, part, i) != column(to, part, i)) return count;
  for (int64_t r = 0; r < count; ++r)
    moved += r >> from->in.bits[HD_REGISTER] != 0 ||
             hd_linear_layout_apply(from, (uint64_t)r << from->in.shift[HD_REGISTER]) !=
                 hd_linear_layout_apply(to, (uint64_t)r << to->in.shift[HD_REGISTER]);
  return moved;
}

static bool through_shared(const hd_linear_layout *from, const hd_linear_layout *to, uint32_t element_bits,
                           hd_conversion *out) {
  hd_linear_layout shared;
  if (!hd_least_conflict_swizzle(from, to, element_bits, &shared)) return false;
  out->shared_bytes = (1ll << shared.in.bits[HD_OFFSET]) * (element_bits / 8);
  return hd_bank_conflicts(from, &shared, NULL, element_bits, &out->store) &&
         hd_bank_conflicts(to, &shared, NULL, element_bits, &out->load);
}

bool hd_conversion_cost(const hd_linear_layout *from, const hd_linear_layout *to, uint32_t element_bits,
                        hd_conversion *out) {
  memset(out, 0, sizeof *out);
  if (!hd_linear_space_equal(&from->out, &to->out)) return false;
  for (uint32_t part = HD_LANE; part < HD_HARDWARE_PARTS; ++part)
    if (from->in.bits[part] != to->in.bits[part]) return false;
  if (!within(from, to, HD_BLOCK)) return false;
  if (same_parts(from, to)) return true;
  out->kind = within(from, to, HD_REGISTER) ? HD_CONVERT_REGISTERS
              : within(from, to, HD_LANE)   ? HD_CONVERT_SHUFFLES
              : within(from, to, HD_WARP)   ? HD_CONVERT_SHARED
                                            : HD_CONVERT_CLUSTER;
  if (out->kind == HD_CONVERT_REGISTERS) out->registers = moved_registers(from, to);
  if (out->kind == HD_CONVERT_SHUFFLES) out->shuffles = foreign_registers(from, to) * ((element_bits + 31) / 32);
  return out->kind != HD_CONVERT_SHARED || through_shared(from, to, element_bits, out);
}
