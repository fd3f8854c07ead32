/* SPDX-License-Identifier: Apache-2.0 */
/* Fusions that the program has (mhlo.fusion, from HLO text): hlo-expand numbers their ops (hd.fusion), and here nothing
 * joins or leaves them. What passes made since then has no number, and takes that of its readers, else that of what it
 * reads, where they agree. A fusion that is no one kernel becomes several. */
#include "ir/ops/discardable.h"
#include "passes/fuse/fuser.h"

enum { UNKNOWN = -1, MIXED = -2 };

static int64_t joined(int64_t a, int64_t b) { return a == UNKNOWN || a == b ? b : b == UNKNOWN ? a : MIXED; }

static int64_t fusion_of_readers(hd_fuser *f, uint32_t x) {
  int64_t fusion = UNKNOWN;
  for (uint32_t o = 0; o < hd_buffer_output_count(f->nodes[x].op); ++o)
    hd_for_each_use(use, hd_buffer_output(f->nodes[x].op, o)) {
      hd_map_entry *entry = hd_map_find(&f->index, use->owner);
      uint32_t reader = entry ? (uint32_t)(entry->value.i64 - 1) : x;
      if (reader != x && use->owner->info->derived_from) fusion = joined(fusion, f->nodes[reader].fusion);
    }
  return fusion;
}

static int64_t fusion_of_producers(hd_fuser *f, uint32_t x) {
  int64_t fusion = UNKNOWN;
  for (uint32_t i = 0; i < hd_buffer_input_count(f->nodes[x].op); ++i) {
    uint32_t w = hd_fuser_writer_of(f, hd_operand(f->nodes[x].op, i));
    if (w != UINT32_MAX) fusion = joined(fusion, f->nodes[w].fusion);
  }
  return fusion;
}

/* Is the result of |x|, which only moves indices, used as memory by another fusion? Reshapes and constants are memory
 * already. */
static bool leaves_fusion(hd_fuser *f, uint32_t x) {
  hd_opcode opcode = hd_buffer_opcode(f->nodes[x].op);
  if (!f->nodes[x].fusion || opcode == HD_OP_stablehlo_reshape || opcode == HD_OP_stablehlo_constant) return false;
  int64_t readers = fusion_of_readers(f, x);
  return readers != UNKNOWN && readers != f->nodes[x].fusion;
}

void hd_fuser_find_program_fusions(hd_fuser *f) {
  for (uint32_t x = 0; x < f->count; ++x) {
    hd_attr number = hd_discardable_fusion_attr(f->nodes[x].op);
    f->nodes[x].fusion = number ? hd_attr_int_or(number, 0) : UNKNOWN;
    f->has_fusions |= number != NULL;
  }
  for (uint32_t x = f->count; f->has_fusions && x-- > 0;)
    if (f->nodes[x].fusion == UNKNOWN && f->nodes[x].op->info->derived_from)
      f->nodes[x].fusion = fusion_of_readers(f, x);
  for (uint32_t x = 0; f->has_fusions && x < f->count; ++x) {
    hd_fuse_node *n = &f->nodes[x];
    if (n->fusion < 0 && n->op->info->derived_from) n->fusion = fusion_of_producers(f, x);
    if (n->fusion < 0) n->fusion = 0;
  }
  for (uint32_t x = 0; f->has_fusions && x < f->count; ++x)
    if (f->nodes[x].class == HD_FUSE_INLINE && leaves_fusion(f, x)) f->nodes[x].class = HD_FUSE_GENERATED;
}

const char *hd_fuser_program_blocker(const hd_fuser *f, uint32_t x, uint32_t y) {
  if (!f->has_fusions) return NULL;
  int64_t a = f->nodes[x].fusion, b = f->nodes[y].fusion;
  if (a == b && a) return NULL;
  return a == b ? "the program has fusions of its own, and these are in none"
                : "the program has them in different fusions";
}
