/* SPDX-License-Identifier: Apache-2.0 */
#include "target/spirv/labels.h"

#include "base/map.h"

enum { HEADER_WORDS = 5, BOUND = 3 /* of ids, in the header */ };
enum {
  OP_NAME = 5,
  OP_PHI = 245,
  OP_LOOP_MERGE = 246,
  OP_SELECTION_MERGE = 247,
  OP_LABEL = 248,
  OP_BRANCH = 249,
  OP_BRANCH_CONDITIONAL = 250,
  OP_SWITCH = 251
};

typedef struct labels {
  hd_map new_ids; /* by the old one */
  uint32_t next;
} labels;

static const void *key_of(uint32_t id) { return (const void *)(uintptr_t)id; }

static bool add_label(labels *l, hd_arena *arena, uint32_t id) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert(arena, &l->new_ids, key_of(id), &is_new);
  entry->value.i64 = l->next++;
  return is_new;
}

static void rename_label(const labels *l, uint32_t *word) {
  const hd_map_entry *entry = hd_map_find(&l->new_ids, key_of(*word));
  if (entry) *word = (uint32_t)entry->value.i64;
}

static void rename_range(const labels *l, uint32_t *at, uint32_t first, uint32_t end, uint32_t step) {
  for (uint32_t i = first; i < end; i += step) rename_label(l, &at[i]);
}

/* The operands of the instruction at |at| that are labels. */
static void rename_operands(const labels *l, uint32_t *at, uint32_t size) {
  switch (at[0] & 0xffff) {
    case OP_PHI: /* type, result, pairs of value and block */
      rename_range(l, at, 4, size, 2);
      break;
    case OP_LOOP_MERGE:
      rename_range(l, at, 1, size < 3 ? size : 3, 1);
      break;
    case OP_NAME: /* what is called as a block of the same id is called wrongly at most */
    case OP_SELECTION_MERGE:
    case OP_LABEL:
    case OP_BRANCH:
      rename_range(l, at, 1, size < 2 ? size : 2, 1);
      break;
    case OP_BRANCH_CONDITIONAL: /* condition, two blocks, weights */
      rename_range(l, at, 2, size < 4 ? size : 4, 1);
      break;
    default:
      break;
  }
}

bool hd_spirv_relabel(uint32_t *words, size_t count, hd_arena *arena) {
  labels l = {.next = count > BOUND ? words[BOUND] : 0};
  for (size_t at = HEADER_WORDS, size; at < count; at += size) {
    size = words[at] >> 16;
    if (!size || size > count - at || (words[at] & 0xffff) == OP_SWITCH) return false;
    if ((words[at] & 0xffff) == OP_LABEL && size == 2 && !add_label(&l, arena, words[at + 1])) return false;
  }
  for (size_t at = HEADER_WORDS; at < count; at += words[at] >> 16) rename_operands(&l, &words[at], words[at] >> 16);
  if (count > BOUND) words[BOUND] = l.next;
  return true;
}
