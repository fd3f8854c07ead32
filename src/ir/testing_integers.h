/* SPDX-License-Identifier: Apache-2.0 */
/* What ops on integers give, in plain C, for tests: the op, what its second operand is (b: any number, d: a divisor, s:
 * a shift, 1:
 * there is none), and the result's bits of the operands a and b and their patterns ua, ub of |width| bits. */
#ifndef HD_IR_TESTING_INTEGERS_H_
#define HD_IR_TESTING_INTEGERS_H_

#include <stdint.h>

#define HD_TEST_BINARY_INTEGERS(X)                                                 \
  X(arith_addi, 'b', ua + ub)                                                      \
  X(arith_subi, 'b', ua - ub)                                                      \
  X(arith_muli, 'b', (ua * ub))                                                    \
  X(arith_divsi, 'd', (uint64_t)(a / b))                                           \
  X(arith_divui, 'd', ua / ub)                                                     \
  X(arith_remsi, 'd', (uint64_t)(a % b))                                           \
  X(arith_remui, 'd', ua % ub)                                                     \
  X(arith_floordivsi, 'd', (uint64_t)(a / b - (a % b != 0 && (a < 0) != (b < 0)))) \
  X(arith_ceildivsi, 'd', (uint64_t)(a / b + (a % b != 0 && (a < 0) == (b < 0))))  \
  X(arith_ceildivui, 'd', ua / ub + (ua % ub != 0))                                \
  X(arith_andi, 'b', (ua & ub))                                                    \
  X(arith_ori, 'b', ua | ub)                                                       \
  X(arith_xori, 'b', ua ^ ub)                                                      \
  X(arith_shli, 's', ua << ub)                                                     \
  X(arith_shrsi, 's', (uint64_t)(a >> ub))                                         \
  X(arith_shrui, 's', ua >> ub)                                                    \
  X(arith_minsi, 'b', (uint64_t)(a < b ? a : b))                                   \
  X(arith_maxsi, 'b', (uint64_t)(a > b ? a : b))                                   \
  X(arith_minui, 'b', ua < ub ? ua : ub)                                           \
  X(arith_maxui, 'b', ua > ub ? ua : ub)

#endif
