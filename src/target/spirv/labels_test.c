/* SPDX-License-Identifier: Apache-2.0 */
/* Relabelling of SPIR-V: block labels get ids that no value has; what cannot be relabelled is refused. */
#include "target/spirv/labels.h"

#include "base/testing.h"

#define OP(opcode, words) ((uint32_t)(words) << 16 | (opcode))

/* Labels 5, 5 again where |twice|, and 30: the first is the number of a value too, the last is beyond the bound. */
static size_t module(uint32_t *out, bool twice) {
  const uint32_t words[] = {
      0x07230203, 0x10200,
      0,          20,
      0, /* header */
      OP(5, 3),   30,
      'b',           /* OpName %30 "b" */
      OP(248, 2), 5, /* %5 = OpLabel */
      OP(250, 4), 5,
      30,         7,             /* OpBranchConditional %5 %30 %7 */
      OP(248, 2), twice ? 5 : 7, /* %7 = OpLabel */
      OP(249, 2), 30,            /* OpBranch %30 */
      OP(248, 2), 30,            /* %30 = OpLabel */
      OP(245, 7), 5,
      9,          5,
      5,          7,
      7, /* %9 = OpPhi %5 [%5 %5] [%7 %7] */
  };
  memcpy(out, words, sizeof words);
  return sizeof words / sizeof *words;
}

int main(void) {
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  uint32_t words[64];
  size_t count = module(words, false);
  HD_CHECK(hd_spirv_relabel(words, count, &arena));
  HD_CHECK_INT(words[3], 23);
  HD_CHECK_INT(words[6], 22);
  HD_CHECK_INT(words[9], 20);
  HD_CHECK_INT(words[11], 5); /* the condition is a value */
  HD_CHECK_INT(words[12], 22);
  HD_CHECK_INT(words[13], 21);
  HD_CHECK_INT(words[15], 21);
  HD_CHECK_INT(words[17], 22);
  HD_CHECK_INT(words[19], 22);
  HD_CHECK(words[21] == 5 && words[22] == 9 && words[23] == 5 && words[24] == 20 && words[25] == 7 && words[26] == 21);
  count = module(words, true);
  HD_CHECK(!hd_spirv_relabel(words, count, &arena));
  count = module(words, false);
  words[8] = OP(251, 2); /* OpSwitch */
  HD_CHECK(!hd_spirv_relabel(words, count, &arena));
  count = module(words, false);
  HD_CHECK(!hd_spirv_relabel(words, count - 1, &arena)); /* cut */
  words[5] = 5;                                          /* of no words */
  HD_CHECK(!hd_spirv_relabel(words, count, &arena));
  hd_arena_free(&arena);
  return HD_TEST_RESULT();
}
