/* SPDX-License-Identifier: Apache-2.0 */
/* The order of what LLVM gives in the order of a table: interface variables by what is built in, ids as the code comes
 * to them, types, constants and variables before their first use in that order, decorations by id. Names of ids are
 * left out: LLVM gives what has the number of a block of an earlier kernel the block's (labels.h), and nobody needs
 * them. */
#include "target/spirv/canonical.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { HEADER_WORDS = 5, BOUND = 3 /* of ids, in the header */, BUILT_IN = 11 /* a decoration */ };
enum {
  OP_NAME = 5,
  OP_MEMBER_NAME = 6,
  OP_ENTRY_POINT = 15,
  OP_FUNCTION = 54,
  OP_DECORATE = 71,
  OP_MEMBER_DECORATE = 72
};

/* Operands of instructions that have others than ids: i an id, l a literal, s a string, I ids and L literals to the
 * end. */
typedef struct operands {
  uint32_t opcode;
  const char *kinds;
} operands;

static const operands mixed[] = {
    {3, "L"},      /* Source */
    {5, "iL"},     /* Name */
    {6, "iL"},     /* MemberName */
    {7, "iL"},     /* String */
    {8, "iL"},     /* Line */
    {10, "L"},     /* Extension */
    {11, "iL"},    /* ExtInstImport */
    {12, "iiilI"}, /* ExtInst */
    {14, "L"},     /* MemoryModel */
    {15, "lisI"},  /* EntryPoint */
    {16, "iL"},    /* ExecutionMode */
    {17, "L"},     /* Capability */
    {21, "iL"},    /* TypeInt */
    {22, "iL"},    /* TypeFloat */
    {23, "iil"},   /* TypeVector */
    {32, "ili"},   /* TypePointer */
    {43, "iiL"},   /* Constant */
    {54, "iili"},  /* Function */
    {59, "iilI"},  /* Variable */
    {61, "iiiL"},  /* Load */
    {62, "iiL"},   /* Store */
    {63, "iiL"},   /* CopyMemory */
    {64, "iiiL"},  /* CopyMemorySized */
    {71, "iL"},    /* Decorate */
    {72, "iL"},    /* MemberDecorate */
    {79, "iiiiL"}, /* VectorShuffle */
    {81, "iiiL"},  /* CompositeExtract */
    {82, "iiiiL"}, /* CompositeInsert */
    {123, "iiil"}, /* GenericCastToPtrExplicit */
    {246, "iiL"},  /* LoopMerge */
    {247, "iL"},   /* SelectionMerge */
    {250, "iiiL"}, /* BranchConditional */
    {256, "iL"},   /* LifetimeStart */
    {257, "iL"},   /* LifetimeStop */
};

/* First and last opcodes of which all operands are ids. */
static const uint32_t plain[]
                           [2] = {{1, 1},      {19, 20},   {28, 28},   {30, 30},   {33, 33},   {41, 42},   {44, 44},
                                  {46, 46},    {55, 57},   {65, 67},   {70, 70},   {77, 78},   {80, 80},   {83, 84},
                                  {109, 122},  {124, 124}, {126, 152}, {154, 191}, {194, 205}, {224, 225}, {227, 242},
                                  {245, 245},  {248, 249}, {252, 255}, {400, 403}, /* pointers compared, CopyLogical */
                                  {5571, 5574} /* SubgroupShuffleINTEL */};

/* What the operands of |opcode| are; null: not known. */
static const char *kinds_of(uint32_t opcode) {
  for (size_t i = 0; i < sizeof mixed / sizeof *mixed; ++i)
    if (mixed[i].opcode == opcode) return mixed[i].kinds;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i)
    if (opcode >= plain[i][0] && opcode <= plain[i][1]) return "I";
  return NULL;
}

/* The parts of a module, in their order. */
typedef enum section { PREAMBLE, NAMES, DECORATIONS, GLOBALS, CODE } section;

typedef struct instruction {
  uint32_t *words, size;
  const char *kinds;
  bool done; /* of GLOBALS: it is in the result */
} instruction;

typedef struct module {
  hd_arena *arena;
  uint32_t *words, bound, next;
  uint32_t *new_ids, *old_ids; /* 0: none yet */
  instruction **definitions;   /* of GLOBALS, by old id */
  hd_vec(instruction) parts[CODE + 1];
} module;

static section section_of(uint32_t opcode, section before) {
  if (before == CODE || opcode == OP_FUNCTION) return CODE;
  if (opcode == OP_NAME || opcode == OP_MEMBER_NAME) return NAMES;
  if (opcode == OP_DECORATE || opcode == OP_MEMBER_DECORATE) return DECORATIONS;
  return opcode < 19 && opcode != 1 ? PREAMBLE : GLOBALS;
}

/* The operand of an instruction of GLOBALS that it defines; types have no type. */
static uint32_t result_of(const instruction *i) {
  uint32_t opcode = i->words[0] & 0xffff, at = opcode >= 19 && opcode <= 33 ? 1 : 2;
  return i->size > at ? i->words[at] : 0;
}

static uint32_t string_words(const uint32_t *at, uint32_t size) {
  const char *end = memchr(at, 0, (size_t)size * 4);
  return end ? (uint32_t)((size_t)(end - (const char *)at) / 4 + 1) : 0;
}

/* Calls |visit| for each operand of |i| that is an id; false where the instruction is not as it should be, or |visit|
 * says so. */
static bool each_id(module *m, const instruction *i, bool (*visit)(module *m, uint32_t *id)) {
  const char *kind = i->kinds;
  for (uint32_t at = 1, words; at < i->size; at += words) {
    words = 1;
    if (!*kind) return false;
    bool is_id = *kind == 'i' || *kind == 'I';
    if (is_id && (!i->words[at] || i->words[at] >= m->bound || !visit(m, &i->words[at]))) return false;
    if (*kind == 's' && !(words = string_words(&i->words[at], i->size - at))) return false;
    if (*kind != 'I' && *kind != 'L') ++kind;
  }
  return true;
}

static bool number(module *m, uint32_t *id) {
  if (m->new_ids[*id]) return true;
  m->old_ids[m->next] = *id;
  m->new_ids[*id] = m->next++;
  return true;
}

static bool rename_id(module *m, uint32_t *id) {
  *id = m->new_ids[*id];
  return true;
}

static bool read(module *m, size_t count) {
  section now = PREAMBLE;
  for (size_t at = HEADER_WORDS, size; at < count; at += size) {
    size = m->words[at] >> 16;
    if (!size || size > count - at) return false;
    instruction i = {&m->words[at], (uint32_t)size, kinds_of(m->words[at] & 0xffff), false};
    section next = section_of(m->words[at] & 0xffff, now);
    if (!i.kinds || next < now) return false;
    now = next;
    hd_vec_push(m->arena, &m->parts[now], i);
  }
  for (size_t k = 0; k < m->parts[GLOBALS].len; ++k) {
    instruction *i = &m->parts[GLOBALS].data[k];
    uint32_t id = result_of(i);
    if (!id || id >= m->bound || m->definitions[id]) return false;
    m->definitions[id] = i;
  }
  return true;
}

/* ---- interface variables --------------------------------------------------------------------------------------- */

static uint32_t built_in(const module *m, uint32_t id) {
  for (size_t k = 0; k < m->parts[DECORATIONS].len; ++k) {
    const instruction *i = &m->parts[DECORATIONS].data[k];
    if (i->size == 4 && i->words[1] == id && i->words[2] == BUILT_IN) return i->words[3];
  }
  return UINT32_MAX;
}

static void sort_interface(module *m, instruction *entry) {
  uint32_t name = entry->size > 3 ? string_words(&entry->words[3], entry->size - 3) : 0;
  for (uint32_t i = 3 + name; name && i < entry->size; ++i)
    for (uint32_t k = i; k > 3 + name && built_in(m, entry->words[k]) < built_in(m, entry->words[k - 1]); --k) {
      uint32_t word = entry->words[k];
      entry->words[k] = entry->words[k - 1];
      entry->words[k - 1] = word;
    }
}

/* ---- ids ------------------------------------------------------------------------------------------------------- */

static bool each_of(module *m, section part, bool (*visit)(module *m, uint32_t *id)) {
  for (size_t k = 0; k < m->parts[part].len; ++k)
    if (!each_id(m, &m->parts[part].data[k], visit)) return false;
  return true;
}

/* As the preamble and the code come to them, then what these are made of, then the rest. */
static bool number_all(module *m) {
  if (!each_of(m, PREAMBLE, number) || !each_of(m, CODE, number)) return false;
  for (uint32_t id = 1; id < m->next; ++id) {
    const instruction *definition = m->definitions[m->old_ids[id]];
    if (definition && !each_id(m, definition, number)) return false;
  }
  return each_of(m, GLOBALS, number) && each_of(m, DECORATIONS, number);
}

/* ---- order ----------------------------------------------------------------------------------------------------- */

typedef struct writer {
  module *m;
  uint32_t *out;
  size_t len;
} writer;

static void write(writer *w, const instruction *i) {
  memcpy(&w->out[w->len], i->words, (size_t)i->size * sizeof *w->out);
  w->len += i->size;
}

/* |i| after what it is made of; before ids are renamed. |depth| ends what goes in a circle, which no module of kernels
 * has. */
static bool write_global(writer *w, instruction *i, int depth) {
  const char *kind = i->kinds;
  if (i->done) return true;
  if (depth > 64) return false;
  for (uint32_t at = 1; at < i->size && *kind; ++at) {
    instruction *made_of = *kind == 'i' || *kind == 'I' ? w->m->definitions[i->words[at]] : NULL;
    if (made_of && made_of != i && !write_global(w, made_of, depth + 1)) return false;
    if (*kind != 'I' && *kind != 'L') ++kind;
  }
  i->done = true;
  write(w, i);
  return true;
}

static int compare(const void *a, const void *b) {
  const instruction *x = a, *y = b;
  for (uint32_t i = 1; i < x->size && i < y->size; ++i)
    if (x->words[i] != y->words[i]) return x->words[i] < y->words[i] ? -1 : 1;
  return x->size != y->size ? (x->size < y->size ? -1 : 1) : 0;
}

static bool write_all(module *m, size_t count, uint32_t *out, size_t *out_count) {
  writer w = {m, out, HEADER_WORDS};
  uint32_t *globals = hd_new_array(m->arena, uint32_t, count);
  writer g = {m, globals, 0};
  for (uint32_t id = 1; id < m->next; ++id) {
    instruction *definition = m->definitions[m->old_ids[id]];
    if (definition && !write_global(&g, definition, 0)) return false;
  }
  for (section part = PREAMBLE; part <= CODE; ++part) {
    size_t begin = w.len;
    if (part == NAMES) continue;
    if (part == GLOBALS) {
      memcpy(&out[w.len], globals, g.len * sizeof *out);
      w.len += g.len;
    }
    for (size_t k = 0; k < m->parts[part].len && part != GLOBALS; ++k) write(&w, &m->parts[part].data[k]);
    size_t at = begin;
    for (size_t k = 0; k < m->parts[part].len; ++k, at += out[at] >> 16) {
      instruction i = {&out[at], out[at] >> 16, kinds_of(out[at] & 0xffff), false};
      if (!each_id(m, &i, rename_id)) return false;
    }
    if (part != DECORATIONS) continue;
    hd_vec(instruction) sorted = {0};
    uint32_t *copy = hd_new_array(m->arena, uint32_t, w.len - begin + 1);
    memcpy(copy, &out[begin], (w.len - begin) * sizeof *copy);
    for (at = 0; at < w.len - begin; at += copy[at] >> 16)
      hd_vec_push(m->arena, &sorted, (instruction){&copy[at], copy[at] >> 16, NULL, false});
    if (sorted.len) qsort(sorted.data, sorted.len, sizeof *sorted.data, compare);
    w.len = begin;
    for (size_t k = 0; k < sorted.len; ++k) write(&w, &sorted.data[k]);
  }
  *out_count = w.len;
  return true;
}

bool hd_spirv_make_canonical(uint32_t *words, size_t *in_out_count, hd_arena *arena) {
  size_t count = *in_out_count, len;
  if (count < HEADER_WORDS || words[BOUND] > 4 * count) return false; /* more ids than are named: no module of ours */
  uint32_t bound = words[BOUND], *own = hd_new_array(arena, uint32_t, count),
           *out = hd_new_array(arena, uint32_t, count);
  memcpy(own, words, count * sizeof *own);
  module m = {.arena = arena,
              .words = own,
              .bound = bound,
              .next = 1,
              .new_ids = hd_new_array(arena, uint32_t, bound + 1),
              .old_ids = hd_new_array(arena, uint32_t, bound + 1),
              .definitions = hd_new_array(arena, instruction *, bound + 1)};
  if (!read(&m, count)) return false;
  for (size_t k = 0; k < m.parts[PREAMBLE].len; ++k)
    if ((m.parts[PREAMBLE].data[k].words[0] & 0xffff) == OP_ENTRY_POINT) sort_interface(&m, &m.parts[PREAMBLE].data[k]);
  if (!number_all(&m) || !write_all(&m, count, out, &len)) return false;
  memcpy(out, own, HEADER_WORDS * sizeof *out);
  out[BOUND] = m.next;
  memcpy(words, out, len * sizeof *out);
  *in_out_count = len;
  return true;
}
