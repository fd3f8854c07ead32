/* SPDX-License-Identifier: Apache-2.0 */
/* The canonical form of SPIR-V: ids, names and the order of declarations do not change it; damaged modules stay as they
 * are. */
#include "target/spirv/canonical.h"

#include "base/testing.h"

#define OP(opcode, words) ((uint32_t)(words) << 16 | (opcode))

enum { KERNEL, INT, FOUR, POINTER, FUNCTION, ID, SIZE, IDS };

static void put(uint32_t *out, size_t *len, const uint32_t *words) {
  memcpy(&out[*len], words, (words[0] >> 16) * sizeof *out);
  *len += words[0] >> 16;
}

/* A kernel that is called "k" and reads a number of threads, whose ids are |n|; |turned|: what has no order by itself
 * is in another one. */
static size_t module(uint32_t *out, const uint32_t n[IDS], uint32_t bound, bool turned) {
  size_t len = 5;
  memcpy(out, (uint32_t[]){0x07230203, 0x10200, 0, bound, 0}, 5 * sizeof *out);
  put(out, &len, (uint32_t[]){OP(17, 2), 6});
  put(out, &len, (uint32_t[]){OP(15, 6), 6, n[KERNEL], 'k', n[turned ? ID : SIZE], n[turned ? SIZE : ID]});
  const uint32_t names[][3] = {{OP(5, 3), n[KERNEL], 'k'}, {OP(5, 3), n[ID], 'i'}};
  const uint32_t decorations[][4] = {{OP(71, 4), n[ID], 11, 27}, {OP(71, 4), n[SIZE], 11, 25}};
  const uint32_t globals[][4] = {{OP(21, 4), n[INT], 32, 0},
                                 {OP(43, 4), n[INT], n[FOUR], 4},
                                 {OP(32, 4), n[POINTER], 1, n[INT]},
                                 {OP(59, 4), n[POINTER], n[ID], 1},
                                 {OP(59, 4), n[POINTER], n[SIZE], 1}};
  static const int orders[2][5] = {{0, 1, 2, 3, 4}, {0, 2, 4, 3, 1}};
  for (int i = 0; i < 2; ++i) put(out, &len, names[i ^ turned]);
  for (int i = 0; i < 2; ++i) put(out, &len, decorations[i ^ turned]);
  for (int i = 0; i < 5; ++i) put(out, &len, globals[orders[turned][i]]);
  put(out, &len, (uint32_t[]){OP(54, 5), n[INT], n[KERNEL], 0, n[FUNCTION]});
  put(out, &len, (uint32_t[]){OP(254, 2), n[FOUR]});
  put(out, &len, (uint32_t[]){OP(56, 1)});
  return len;
}

int main(void) {
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  uint32_t first[64], second[64];
  size_t whole = module(first, (uint32_t[]){3, 9, 4, 28, 7, 6, 1}, 32, false), count = whole, again = whole;
  HD_CHECK_INT(module(second, (uint32_t[]){31, 1, 11, 4, 30, 5, 2}, 40, true), whole);
  HD_CHECK(hd_spirv_make_canonical(first, &count, &arena));
  HD_CHECK(hd_spirv_make_canonical(second, &again, &arena));
  HD_CHECK_INT(count, whole - 6); /* without names */
  HD_CHECK_INT(again, count);
  HD_CHECK(!memcmp(first, second, count * sizeof *first));
  HD_CHECK_INT(first[3], 8); /* as many ids, from 1 */
  HD_CHECK(first[9] == 1 && first[11] == 2 &&
           first[12] == 3); /* the kernel, the number of threads, which 25 is before 27 */
  HD_CHECK(first[14] == 2 && first[16] == 25 && first[18] == 3); /* decorations by ids; literals stay */
  HD_CHECK(first[21] == OP(21, 4) && first[23] == 32);           /* what variables are made of goes before them */
  HD_CHECK(hd_spirv_make_canonical(second, &again, &arena) && !memcmp(first, second, count * sizeof *first));
  /* What is not known, is cut or has ids beyond its bound stays as it is. */
  static const struct {
    size_t at;
    uint32_t word;
  } bad[] = {{5, OP(251, 2)}, {5, OP(17, 0)}, {9, 0}, {9, 8}, {3, 4000}, {21, OP(21, 40)}, {42, OP(17, 5)}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    uint32_t changed[64], before[64];
    memcpy(changed, first, sizeof changed);
    changed[bad[i].at] = bad[i].word;
    memcpy(before, changed, sizeof before);
    bool done = hd_spirv_make_canonical(changed, &again, &arena);
    hd_test_check_(!done && again == count && !memcmp(changed, before, count * 4), __FILE__, __LINE__, "change %d",
                   (int)i);
  }
  HD_CHECK(!hd_spirv_make_canonical(first, &(size_t){4}, &arena));
  hd_arena_free(&arena);
  return HD_TEST_RESULT();
}
