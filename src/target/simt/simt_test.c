/* SPDX-License-Identifier: Apache-2.0 */
/* Planted bugs: each small kernel has one that a checked launch finds, and a
 * correct without it in which it finds nothing. */
#include "target/simt/simt.h"

#include <stdlib.h>

#include "base/testing.h"
#include "runtime/drivers/simt/interpreter.h"
#include "text/text.h"

/* What kernels find: %t the thread, %b the block, %g both, addresses of p and q (global, 256 x i32, q unwritten) and of
 * w (the block's, 64 x i32, unwritten) at them, and some numbers. */
static const char head[] =
    "gpu.module @m {\n"
    "  llvm.mlir.global internal @w() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>\n"
    "  llvm.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel} {\n"
    "    %c0 = llvm.mlir.constant(0 : i32) : i32\n"
    "    %c1 = llvm.mlir.constant(1 : i32) : i32\n"
    "    %c2 = llvm.mlir.constant(2 : i32) : i32\n"
    "    %c3 = llvm.mlir.constant(3 : i32) : i32\n"
    "    %c4 = llvm.mlir.constant(4 : i32) : i32\n"
    "    %c16 = llvm.mlir.constant(16 : i32) : i32\n"
    "    %c31 = llvm.mlir.constant(31 : i32) : i32\n"
    "    %c32 = llvm.mlir.constant(32 : i32) : i32\n"
    "    %c63 = llvm.mlir.constant(63 : i32) : i32\n"
    "    %c64 = llvm.mlir.constant(64 : i32) : i32\n"
    "    %c255 = llvm.mlir.constant(255 : i32) : i32\n"
    "    %byte = llvm.mlir.constant(7 : i8) : i8\n"
    "    %short = llvm.mlir.constant(7 : i16) : i16\n"
    "    %ti = gpu.thread_id x\n"
    "    %t = arith.index_castui %ti : index to i32\n"
    "    %bi = gpu.block_id x\n"
    "    %b = arith.index_castui %bi : index to i32\n"
    "    %b64 = llvm.mul %b, %c64 : i32\n"
    "    %g = llvm.add %b64, %t : i32\n"
    "    %other = llvm.xor %t, %c63 : i32\n"
    "    %half = llvm.lshr %t, %c1 : i32\n"
    "    %is0 = llvm.icmp \"eq\" %t, %c0 : i32\n"
    "    %is1 = llvm.icmp \"eq\" %t, %c1 : i32\n"
    "    %low = llvm.icmp \"ult\" %t, %c32 : i32\n"
    "    %few = llvm.icmp \"ult\" %t, %c3 : i32\n"
    "    %odd1 = llvm.trunc %t : i32 to i1\n"
    "    %w = llvm.mlir.addressof @w : !llvm.ptr<3>\n"
    "    %wt = llvm.getelementptr %w[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32\n"
    "    %wo = llvm.getelementptr %w[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32\n"
    "    %pt = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
    "    %pg = llvm.getelementptr %p[%g] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
    "    %qg = llvm.getelementptr %q[%g] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n";
static const char tail[] = "    llvm.return\n  }\n}\n";

#define STORE_W "llvm.store %t, %wt : i32, !llvm.ptr<3>\n"
#define LOAD_W "%x = llvm.load %wt : !llvm.ptr<3> -> i32\n"
#define LOAD_O "%y = llvm.load %wo : !llvm.ptr<3> -> i32\n"
#define BARRIER "gpu.barrier\n"
#define AT(name, base, space, index, type) \
  "%" name " = llvm.getelementptr %" base "[" index "] : (!llvm.ptr<" space ">) -> !llvm.ptr<" space ">, " type "\n"
#define AT_I(name, base, space, index, type)                                                                          \
  "%" name " = llvm.getelementptr %" base "[%" index "] : (!llvm.ptr<" space ">, i32) -> !llvm.ptr<" space ">, " type \
  "\n"
#define IF(condition) "llvm.cond_br %" condition ", ^then, ^end\n^then:\n"
#define END "llvm.br ^end\n^end:\n"
#define ATOMIC(pointer, space) "%a = llvm.atomicrmw add %" pointer ", %c1 monotonic : !llvm.ptr<" space ">, i32\n"
#define SHUFFLE "%s, %valid = gpu.shuffle xor %t, %c1, %c32 : i32\n"
#define ALL "%all = llvm.mlir.constant(-1 : i32) : i32\n"
#define SHUFFLE16 "%s, %valid = gpu.shuffle xor %t, %c16, %c32 : i32\n"
/* Rounds of a loop with |count| of them, of which |before| and |body| are text. */
#define LOOP(count, body)                                                            \
  "llvm.br ^loop(%c0 : i32)\n^loop(%i: i32):\n%more = llvm.icmp \"ult\" %i, %" count \
  " : i32\nllvm.cond_br %more, ^round, ^end\n^round:\n" body                         \
  "%next = llvm.add %i, %c1 : i32\nllvm.br ^loop(%next : i32)\n^end:\n"

typedef struct planted {
  const char *name;
  hd_simt_finding_kind kind;
  const char *op; /* that is found */
  const char *bug, *correct;
  uint32_t blocks, threads; /* 0: 2 of 64 */
} planted;

static const planted cases[] = {
    /* races in shared memory */
    {"a neighbour's value without a barrier", HD_SIMT_RACE, "llvm.load", (STORE_W LOAD_O), (STORE_W BARRIER LOAD_O)},
    {"a write after reads", HD_SIMT_RACE, "llvm.store", (STORE_W BARRIER LOAD_O STORE_W),
     (STORE_W BARRIER LOAD_O BARRIER STORE_W)},
    {"all write one word", HD_SIMT_RACE, "llvm.store", "llvm.store %t, %w : i32, !llvm.ptr<3>\n",
     (IF("is0") "llvm.store %t, %w : i32, !llvm.ptr<3>\n" END)},
    {"a read beside atomic ops", HD_SIMT_RACE, "llvm.load",
     (IF("is0") "llvm.store %c0, %w : i32, !llvm.ptr<3>\n" END BARRIER ATOMIC(
         "w", "3") "%y = llvm.load %w : !llvm.ptr<3> -> i32\n"),
     (IF("is0") "llvm.store %c0, %w : i32, !llvm.ptr<3>\n" END BARRIER ATOMIC("w", "3") BARRIER
      "%y = llvm.load %w : !llvm.ptr<3> -> i32\n")},
    {"a write beside atomic ops", HD_SIMT_RACE, "llvm.atomicrmw",
     (IF("is0") "llvm.store %c0, %w : i32, !llvm.ptr<3>\n" END ATOMIC("w", "3")),
     (IF("is0") "llvm.store %c0, %w : i32, !llvm.ptr<3>\n" END BARRIER ATOMIC("w", "3"))},
    {"a loop with one barrier of two", HD_SIMT_RACE, "llvm.store", LOOP("c3", STORE_W BARRIER LOAD_O),
     LOOP("c3", STORE_W BARRIER LOAD_O BARRIER)},
    {"two bytes of one", HD_SIMT_RACE, "llvm.store",
     (AT_I("at", "w", "3", "half", "i8") "llvm.store %byte, %at : i8, !llvm.ptr<3>\n"),
     (AT_I("at", "w", "3", "t", "i8") "llvm.store %byte, %at : i8, !llvm.ptr<3>\n")},
    {"vectors that overlap", HD_SIMT_RACE, "llvm.store",
     ("%v = llvm.mlir.zero : vector<2xi32>\n" AT_I(
         "at", "w", "3", "t", "i32") "llvm.store %v, %at {alignment = 4 : i64} : vector<2xi32>, !llvm.ptr<3>\n"),
     ("%v = llvm.mlir.zero : vector<2xi32>\n" AT_I(
         "at", "w", "3", "t",
         "vector<2xi32>") "llvm.store %v, %at {alignment = 4 : i64} : vector<2xi32>, !llvm.ptr<3>\n"),
     2, 32},
    {"one warp writes what the other reads", HD_SIMT_RACE, "llvm.load",
     ("llvm.cond_br %low, ^then, ^else\n^then:\n" STORE_W "llvm.br ^end\n^else:\n" LOAD_O END),
     ("llvm.cond_br %low, ^then, ^wait\n^then:\n" STORE_W "llvm.br ^wait\n^wait:\n" BARRIER
      "llvm.cond_br %low, ^end, ^else\n^else:\n" LOAD_O END)},
    {"lanes of one warp, two ways", HD_SIMT_RACE, "llvm.store",
     ("llvm.cond_br %odd1, ^then, ^else\n^then:\n" STORE_W
      "llvm.br ^end\n^else:\nllvm.store %t, %wo : i32, !llvm.ptr<3>\n" END),
     ("llvm.cond_br %odd1, ^then, ^else\n^then:\n" STORE_W "llvm.br ^end\n^else:\n" STORE_W END)},
    /* races in global memory */
    {"all write one global word", HD_SIMT_RACE, "llvm.store", "llvm.store %t, %p : i32, !llvm.ptr<1>\n",
     "llvm.store %t, %pg : i32, !llvm.ptr<1>\n"},
    {"two blocks write the same", HD_SIMT_RACE, "llvm.store", "llvm.store %c1, %pt : i32, !llvm.ptr<1>\n",
     "llvm.store %c1, %pg : i32, !llvm.ptr<1>\n"},
    {"what another block writes", HD_SIMT_RACE, "llvm.load",
     ("llvm.store %t, %pg : i32, !llvm.ptr<1>\n%o = llvm.xor %g, %c64 : i32\n" AT_I(
         "at", "p", "1", "o", "i32") "%y = llvm.load %at : !llvm.ptr<1> -> i32\n"),
     ("llvm.store %t, %pg : i32, !llvm.ptr<1>\n%y = llvm.load %pg : !llvm.ptr<1> -> i32\n")},
    {"barriers are of blocks", HD_SIMT_RACE, "llvm.load",
     ("llvm.store %t, %pg : i32, !llvm.ptr<1>\n" BARRIER
      "%o = llvm.xor %g, %c64 : i32\n" AT_I("at", "p", "1", "o", "i32") "%y = llvm.load %at : !llvm.ptr<1> -> i32\n"),
     ("llvm.store %t, %pg : i32, !llvm.ptr<1>\n" BARRIER
      "%o = llvm.xor %g, %c63 : i32\n" AT_I("at", "p", "1", "o", "i32") "%y = llvm.load %at : !llvm.ptr<1> -> i32\n")},
    {"a global sum is read while it is made", HD_SIMT_RACE, "llvm.load",
     (ATOMIC("p", "1") "%y = llvm.load %p : !llvm.ptr<1> -> i32\n"),
     (ATOMIC("p", "1") AT("at", "p", "1", "1", "i32") "%y = llvm.load %at : !llvm.ptr<1> -> i32\n")},
    {"atomic ops hide a write of the block's own", HD_SIMT_RACE, "llvm.atomicrmw",
     (AT_I("own", "p", "1", "b", "i32") AT("next", "p", "1", "1", "i32")
          IF("is0") "llvm.store %c0, %own : i32, !llvm.ptr<1>\n" END BARRIER ATOMIC(
              "p", "1") "%a2 = llvm.atomicrmw add %next, %c1 monotonic : !llvm.ptr<1>, i32\n"),
     (AT_I("own", "p", "1", "b", "i32")
          IF("is0") "llvm.store %c0, %own : i32, !llvm.ptr<1>\n" END BARRIER ATOMIC("own", "1"))},
    {"halves of a word", HD_SIMT_RACE, "llvm.store",
     (AT_I("at", "p", "1", "half", "i16") "llvm.store %short, %at : i16, !llvm.ptr<1>\n"),
     (AT_I("at", "p", "1", "t", "i16") "llvm.store %short, %at : i16, !llvm.ptr<1>\n"), 1, 64},
    {"a byte of another's vector", HD_SIMT_RACE, "llvm.store",
     ("%v = llvm.mlir.zero : vector<4xi32>\nllvm.cond_br %is0, ^wide, ^next\n^wide:\nllvm.store %v, %p {alignment = 16 "
      ": i64} : vector<4xi32>, !llvm.ptr<1>\nllvm.br ^next\n^next:\n" AT(
          "at", "p", "1", "9",
          "i8") "llvm.cond_br %is1, ^then, ^end\n^then:\nllvm.store %byte, %at : i8, !llvm.ptr<1>\n" END),
     ("%v = llvm.mlir.zero : vector<4xi32>\nllvm.cond_br %is0, ^wide, ^next\n^wide:\nllvm.store %v, %p {alignment = 16 "
      ": i64} : vector<4xi32>, !llvm.ptr<1>\nllvm.br ^next\n^next:\n" AT(
          "at", "p", "1", "16",
          "i8") "llvm.cond_br %is1, ^then, ^end\n^then:\nllvm.store %byte, %at : i8, !llvm.ptr<1>\n" END),
     1, 64},
    {"a shift in place", HD_SIMT_RACE, "llvm.store",
     (AT_I("end", "p", "1", "g",
           "i32") "%at = llvm.getelementptr %end[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32\n%x = llvm.load %at : "
                  "!llvm.ptr<1> -> i32\nllvm.store %x, %pg : i32, !llvm.ptr<1>\n"),
     ("%x = llvm.load %pg : !llvm.ptr<1> -> i32\nllvm.store %x, %pg : i32, !llvm.ptr<1>\n")},
    /* out of bounds */
    {"one element too far", HD_SIMT_OUT_OF_BOUNDS, "llvm.store",
     (AT("at", "p", "1", "256", "i32") IF("is0") "llvm.store %t, %at : i32, !llvm.ptr<1>\n" END),
     (AT("at", "p", "1", "255", "i32") IF("is0") "llvm.store %c1, %at : i32, !llvm.ptr<1>\n" END), 1, 64},
    {"one before the first", HD_SIMT_OUT_OF_BOUNDS, "llvm.load",
     (AT("at", "p", "1", "-1", "i32") "%x = llvm.load %at : !llvm.ptr<1> -> i32\n"),
     "%x = llvm.load %p : !llvm.ptr<1> -> i32\n"},
    {"past shared memory", HD_SIMT_OUT_OF_BOUNDS, "llvm.store",
     (AT("at", "w", "3", "64", "i32") IF("is0") "llvm.store %t, %at : i32, !llvm.ptr<3>\n" END),
     (AT("at", "w", "3", "63", "i32") IF("is0") "llvm.store %t, %at : i32, !llvm.ptr<3>\n" END)},
    {"before shared memory", HD_SIMT_OUT_OF_BOUNDS, "llvm.store",
     (AT("at", "wt", "3", "-1", "i32") "llvm.store %t, %at : i32, !llvm.ptr<3>\n"), (STORE_W)},
    {"past memory of the thread", HD_SIMT_OUT_OF_BOUNDS, "llvm.store",
     ("%m = llvm.alloca %c4 x i32 : (i32) -> !llvm.ptr<5>\n" AT("at", "m", "5", "4",
                                                                "i32") "llvm.store %t, %at : i32, !llvm.ptr<5>\n"),
     ("%m = llvm.alloca %c4 x i32 : (i32) -> !llvm.ptr<5>\n" AT("at", "m", "5", "3",
                                                                "i32") "llvm.store %t, %at : i32, !llvm.ptr<5>\n")},
    {"a vector over the end", HD_SIMT_OUT_OF_BOUNDS, "llvm.load",
     (AT("at", "p", "1", "253", "i32") "%x = llvm.load %at {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi32>\n"),
     (AT("at", "p", "1", "252", "i32") "%x = llvm.load %at {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi32>\n")},
    {"shared memory as global", HD_SIMT_OUT_OF_BOUNDS, "llvm.load",
     (STORE_W "%c = llvm.addrspacecast %wt : !llvm.ptr<3> to !llvm.ptr<1>\n%x = llvm.load %c : !llvm.ptr<1> -> i32\n"),
     (STORE_W "%c = llvm.addrspacecast %wt : !llvm.ptr<3> to !llvm.ptr\n%x = llvm.load %c : !llvm.ptr -> i32\n")},
    {"null", HD_SIMT_OUT_OF_BOUNDS, "llvm.load",
     "%z = llvm.mlir.zero : !llvm.ptr<1>\n%x = llvm.load %z : !llvm.ptr<1> -> i32\n",
     "%x = llvm.load %p : !llvm.ptr<1> -> i32\n"},
    {"an atomic op past the end", HD_SIMT_OUT_OF_BOUNDS, "llvm.atomicrmw",
     (AT("at", "p", "1", "256", "i32") ATOMIC("at", "1")), (AT("at", "p", "1", "255", "i32") ATOMIC("at", "1"))},
    {"a guard that is one too weak", HD_SIMT_OUT_OF_BOUNDS, "llvm.store",
     ("%in = llvm.icmp \"ule\" %g, %n : i32\n" IF("in") "llvm.store %t, %pg : i32, !llvm.ptr<1>\n" END),
     ("%in = llvm.icmp \"ult\" %g, %n : i32\n" IF("in") "llvm.store %t, %pg : i32, !llvm.ptr<1>\n" END), 5, 64},
    /* uninitialised reads */
    {"shared memory that nobody wrote", HD_SIMT_UNINITIALISED, "llvm.load", (LOAD_W), (STORE_W LOAD_W)},
    {"global memory that nobody wrote", HD_SIMT_UNINITIALISED, "llvm.load",
     "%x = llvm.load %qg : !llvm.ptr<1> -> i32\n",
     "llvm.store %t, %qg : i32, !llvm.ptr<1>\n%x = llvm.load %qg : !llvm.ptr<1> -> i32\n"},
    {"memory of the thread", HD_SIMT_UNINITIALISED, "llvm.load",
     "%m = llvm.alloca %c4 x i32 : (i32) -> !llvm.ptr<5>\n%x = llvm.load %m : !llvm.ptr<5> -> i32\n",
     "%m = llvm.alloca %c4 x i32 : (i32) -> !llvm.ptr<5>\nllvm.store %t, %m : i32, !llvm.ptr<5>\n%x = llvm.load %m : "
     "!llvm.ptr<5> -> i32\n"},
    {"a byte was written, a word is read", HD_SIMT_UNINITIALISED, "llvm.load",
     ("llvm.store %byte, %wt : i8, !llvm.ptr<3>\n" LOAD_W), (STORE_W LOAD_W)},
    {"half of the threads wrote", HD_SIMT_UNINITIALISED, "llvm.load", (IF("low") STORE_W END BARRIER LOAD_O),
     (STORE_W BARRIER LOAD_O)},
    {"another block's shared memory", HD_SIMT_UNINITIALISED, "llvm.load",
     ("%first = llvm.icmp \"eq\" %b, %c0 : i32\n" IF("first") STORE_W END BARRIER LOAD_W), (STORE_W BARRIER LOAD_W)},
    {"a sum without a beginning", HD_SIMT_UNINITIALISED, "llvm.atomicrmw", ATOMIC("wt", "3"),
     (STORE_W ATOMIC("wt", "3"))},
    {"a global sum without a beginning", HD_SIMT_UNINITIALISED, "llvm.atomicrmw", ATOMIC("qg", "1"),
     ("llvm.store %t, %qg : i32, !llvm.ptr<1>\n" ATOMIC("qg", "1"))},
    /* barriers */
    {"a barrier of one warp", HD_SIMT_DIVERGENT_BARRIER, "gpu.barrier", (IF("low") BARRIER END),
     (IF("low") STORE_W END BARRIER)},
    {"a barrier of few lanes", HD_SIMT_DIVERGENT_BARRIER, "gpu.barrier", (IF("few") BARRIER END),
     (IF("few") STORE_W END BARRIER)},
    {"threads that left", HD_SIMT_DIVERGENT_BARRIER, "gpu.barrier",
     ("llvm.cond_br %few, ^leave, ^stay\n^leave:\nllvm.return\n^stay:\n" BARRIER),
     (BARRIER "llvm.cond_br %few, ^leave, ^stay\n^leave:\nllvm.return\n^stay:\n")},
    {"rounds by thread", HD_SIMT_DIVERGENT_BARRIER, "gpu.barrier", LOOP("half", BARRIER), LOOP("c3", BARRIER)},
    {"a barrier on each way", HD_SIMT_DIVERGENT_BARRIER, "gpu.barrier",
     ("llvm.cond_br %low, ^then, ^else\n^then:\n" BARRIER "llvm.br ^end\n^else:\n" BARRIER END),
     ("llvm.cond_br %low, ^then, ^else\n^then:\n" STORE_W "llvm.br ^end\n^else:\n" STORE_W END BARRIER)},
    /* exchanges between lanes */
    {"odd lanes ask even ones", HD_SIMT_INACTIVE_LANE, "gpu.shuffle", (IF("odd1") SHUFFLE END),
     (IF("low") SHUFFLE END)},
    {"lanes that are none", HD_SIMT_INACTIVE_LANE, "gpu.shuffle", (SHUFFLE16), (SHUFFLE), 1, 20},
    {"a width of none", HD_SIMT_INACTIVE_LANE, "gpu.shuffle", "%s, %valid = gpu.shuffle xor %t, %c1, %c0 : i32\n",
     (SHUFFLE)},
    {"a width of more than there are", HD_SIMT_INACTIVE_LANE, "gpu.shuffle",
     "%s, %valid = gpu.shuffle xor %t, %c1, %c63 : i32\n", (SHUFFLE)},
    {"lanes that left", HD_SIMT_INACTIVE_LANE, "gpu.shuffle",
     ("llvm.cond_br %few, ^leave, ^stay\n^leave:\nllvm.return\n^stay:\n" SHUFFLE16),
     (SHUFFLE16 "llvm.cond_br %few, ^leave, ^stay\n^leave:\nllvm.return\n^stay:\n")},
    {"lanes that left a loop", HD_SIMT_INACTIVE_LANE, "gpu.shuffle", LOOP("t", SHUFFLE16), LOOP("c3", SHUFFLE16)},
    /* alignment */
    {"a vector off its promise", HD_SIMT_MISALIGNED, "llvm.load",
     (AT("at", "p", "1", "1", "i32") "%x = llvm.load %at {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>\n"),
     (AT("at", "p", "1", "4", "i32") "%x = llvm.load %at {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>\n")},
    {"a word at a half", HD_SIMT_MISALIGNED, "llvm.load",
     (AT("at", "p", "1", "2", "i8") "%x = llvm.load %at : !llvm.ptr<1> -> i32\n"),
     (AT("at", "p", "1", "4", "i8") "%x = llvm.load %at : !llvm.ptr<1> -> i32\n")},
    {"an atomic op at a half", HD_SIMT_MISALIGNED, "llvm.atomicrmw", (AT("at", "p", "1", "2", "i8") ATOMIC("at", "1")),
     (AT("at", "p", "1", "4", "i8") ATOMIC("at", "1"))},
    {"a shared vector off its promise", HD_SIMT_MISALIGNED, "llvm.store",
     ("%v = llvm.mlir.zero : vector<2xi32>\n" AT("at", "w", "3", "1", "i32")
          IF("is0") "llvm.store %v, %at {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<3>\n" END),
     ("%v = llvm.mlir.zero : vector<2xi32>\n" AT("at", "w", "3", "2", "i32")
          IF("is0") "llvm.store %v, %at {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<3>\n" END)},
    {"64 bits at a word", HD_SIMT_MISALIGNED, "llvm.load",
     (AT("at", "p", "1", "1", "i32") "%x = llvm.load %at : !llvm.ptr<1> -> i64\n"),
     (AT("at", "p", "1", "2", "i32") "%x = llvm.load %at : !llvm.ptr<1> -> i64\n")},
    /* what is never to be reached */
    {"a case that cannot be", HD_SIMT_UNREACHABLE, "llvm.unreachable",
     ("llvm.cond_br %few, ^never, ^end\n^never:\nllvm.unreachable\n^end:\n"),
     ("%no = llvm.icmp \"ugt\" %t, %c255 : i32\nllvm.cond_br %no, ^never, ^end\n^never:\nllvm.unreachable\n^end:\n")},
    /* values that are not defined */
    {"a branch by poison", HD_SIMT_UNDEFINED, "llvm.cond_br", ("%u = llvm.mlir.poison : i1\n" IF("u") STORE_W END),
     ("%u = llvm.mlir.poison : i1\n%d = llvm.freeze %u : i1\n" IF("d") STORE_W END)},
    {"an address from undef", HD_SIMT_UNDEFINED, "llvm.load",
     ("%u = llvm.mlir.undef : i32\n" AT_I("at", "p", "1", "u", "i32") "%x = llvm.load %at : !llvm.ptr<1> -> i32\n"),
     ("%u = llvm.mlir.undef : i32\n%d = llvm.freeze %u : i32\n" AT_I(
         "at", "p", "1", "d", "i32") "%x = llvm.load %at : !llvm.ptr<1> -> i32\n")},
    {"undef is stored", HD_SIMT_UNDEFINED, "llvm.store",
     "%u = llvm.mlir.undef : i32\nllvm.store %u, %qg : i32, !llvm.ptr<1>\n",
     "%u = llvm.mlir.undef : i32\nllvm.store %t, %qg : i32, !llvm.ptr<1>\n"},
    {"a sum of poison", HD_SIMT_UNDEFINED, "llvm.store",
     "%u = llvm.mlir.poison : i32\n%s = llvm.add %u, %t : i32\nllvm.store %s, %qg : i32, !llvm.ptr<1>\n",
     "%u = llvm.mlir.poison : i32\n%s = llvm.add %u, %t : i32\nllvm.store %t, %qg : i32, !llvm.ptr<1>\n"},
    {"half of a vector", HD_SIMT_UNDEFINED, "llvm.store",
     ("%u = llvm.mlir.poison : vector<2xi32>\n%v = llvm.insertelement %t, %u[%c0 : i32] : vector<2xi32>\n" AT_I(
         "at", "w", "3", "t", "vector<2xi32>") IF("few") "llvm.store %v, %at : vector<2xi32>, !llvm.ptr<3>\n" END),
     ("%u = llvm.mlir.poison : vector<2xi32>\n%h = llvm.insertelement %t, %u[%c0 : i32] : vector<2xi32>\n%v = "
      "llvm.insertelement %t, %h[%c1 : i32] : vector<2xi32>\n" AT_I("at", "w", "3", "t", "vector<2xi32>")
          IF("few") "llvm.store %v, %at : vector<2xi32>, !llvm.ptr<3>\n" END)},
    {"a choice of what is not there", HD_SIMT_UNDEFINED, "llvm.store",
     ("%u = llvm.mlir.poison : i32\n%v = llvm.select %low, %t, %u : i1, i32\nllvm.store %v, %qg : i32, !llvm.ptr<1>\n"),
     ("%u = llvm.mlir.poison : i32\n%v = llvm.select %low, %t, %u : i1, i32\n" IF(
         "low") "llvm.store %v, %qg : i32, !llvm.ptr<1>\n" END)},
    {"carried around a loop", HD_SIMT_UNDEFINED, "llvm.store",
     ("%u = llvm.mlir.poison : i32\nllvm.br ^next(%u : i32)\n^next(%x: i32):\nllvm.store %x, %qg : i32, "
      "!llvm.ptr<1>\n"),
     "llvm.br ^next(%t : i32)\n^next(%x: i32):\nllvm.store %x, %qg : i32, !llvm.ptr<1>\n"},
    {"one way gives nothing", HD_SIMT_UNDEFINED, "llvm.store",
     ("%u = llvm.mlir.poison : i32\nllvm.cond_br %odd1, ^end(%t : i32), ^end(%u : i32)\n^end(%x: i32):\nllvm.store %x, "
      "%qg : i32, !llvm.ptr<1>\n"),
     ("llvm.cond_br %odd1, ^end(%t : i32), ^end(%g : i32)\n^end(%x: i32):\nllvm.store %x, %qg : i32, !llvm.ptr<1>\n")},
    {"an atomic op by poison", HD_SIMT_UNDEFINED, "llvm.atomicrmw",
     "%u = llvm.mlir.poison : i32\n%a = llvm.atomicrmw add %pg, %u monotonic : !llvm.ptr<1>, i32\n",
     "%a = llvm.atomicrmw add %pg, %t monotonic : !llvm.ptr<1>, i32\n"},
    {"what an even lane would have", HD_SIMT_UNDEFINED, "llvm.store",
     (IF("odd1") SHUFFLE "llvm.store %s, %qg : i32, !llvm.ptr<1>\n" END),
     (IF("low") SHUFFLE "llvm.store %s, %qg : i32, !llvm.ptr<1>\n" END)},
    {"a lane that is none decides", HD_SIMT_UNDEFINED, "llvm.cond_br",
     (SHUFFLE16 "%d = llvm.icmp \"eq\" %s, %c0 : i32\n" IF("d") STORE_W END),
     (SHUFFLE "%d = llvm.icmp \"eq\" %s, %c0 : i32\n" IF("d") STORE_W END), 1, 20},
    {"whether there is a lane that is not said", HD_SIMT_UNDEFINED, "llvm.store",
     ("%u = llvm.mlir.undef : i32\n%s, %valid = gpu.shuffle idx %t, %u, %c32 : i32\n%z = llvm.zext %valid : i1 to "
      "i32\nllvm.store %z, %qg : i32, !llvm.ptr<1>\n"),
     ("%u = llvm.mlir.undef : i32\n%s, %valid = gpu.shuffle idx %u, %c1, %c32 : i32\n%z = llvm.zext %valid : i1 to "
      "i32\nllvm.store %z, %qg : i32, !llvm.ptr<1>\n")},
    {"bits of undef", HD_SIMT_UNDEFINED, "llvm.store",
     "%u = llvm.mlir.undef : i32\n%v = llvm.and %u, %c1 : i32\nllvm.store %v, %qg : i32, !llvm.ptr<1>\n",
     "%u = llvm.mlir.undef : i32\n%v = llvm.and %u, %c0 : i32\nllvm.store %v, %qg : i32, !llvm.ptr<1>\n"},
    {"undef times the thread, of which one is zero", HD_SIMT_UNDEFINED, "llvm.store",
     "%u = llvm.mlir.undef : i32\n%v = llvm.mul %u, %t : i32\nllvm.store %v, %qg : i32, !llvm.ptr<1>\n",
     ("%u = llvm.mlir.undef : i32\n%v = llvm.mul %t, %u : i32\n" IF(
         "is0") "llvm.store %v, %qg : i32, !llvm.ptr<1>\n" END)},
    {"undef with low ones", HD_SIMT_UNDEFINED, "llvm.store",
     ("%u = llvm.mlir.undef : i64\n%o = llvm.mlir.constant(4294967295 : i64) : i64\n%v = llvm.or %u, %o : i64\n%r = "
      "llvm.trunc %v : i64 to i32\nllvm.store %r, %qg : i32, !llvm.ptr<1>\n"),
     ("%u = llvm.mlir.undef : i64\n%o = llvm.mlir.constant(-1 : i64) : i64\n%v = llvm.or %u, %o : i64\n%r = "
      "llvm.trunc %v : i64 to i32\nllvm.store %r, %qg : i32, !llvm.ptr<1>\n")},
    {"undef and undef's zero", HD_SIMT_UNDEFINED, "llvm.store",
     "%u = llvm.mlir.undef : i32\n%v = llvm.and %u, %u : i32\nllvm.store %v, %qg : i32, !llvm.ptr<1>\n",
     "%v = llvm.and %t, %c0 : i32\nllvm.store %v, %qg : i32, !llvm.ptr<1>\n"},
    {"a lane's poison comes over", HD_SIMT_UNDEFINED, "llvm.store",
     ("%u = llvm.mlir.poison : i32\n%v = llvm.select %odd1, %t, %u : i1, i32\n%s, %valid = gpu.shuffle xor %v, %c1, "
      "%c32 "
      ": i32\n" IF("odd1") "llvm.store %s, %qg : i32, !llvm.ptr<1>\n" END),
     ("%u = llvm.mlir.poison : i32\n%v = llvm.select %odd1, %t, %u : i1, i32\n%s, %valid = gpu.shuffle xor %v, %c2, "
      "%c32 "
      ": i32\n" IF("odd1") "llvm.store %s, %qg : i32, !llvm.ptr<1>\n" END)},
    {"a vote on poison", HD_SIMT_UNDEFINED, "llvm.cond_br",
     (ALL "%u = llvm.mlir.poison : i1\n%v = llvm.select %low, %low, %u : i1, i1\n%x = nvvm.vote.sync any %all, %v -> "
          "i1\n" IF("x") STORE_W END),
     (ALL "%x = nvvm.vote.sync any %all, %low -> i1\n" IF("x") STORE_W END)},
    /* lanes that a warp op names */
    {"a lane that does not name itself", HD_SIMT_INACTIVE_LANE, "nvvm.bar.warp.sync", "nvvm.bar.warp.sync %c1 : i32\n",
     (ALL "nvvm.bar.warp.sync %all : i32\n")},
    {"named, and elsewhere", HD_SIMT_INACTIVE_LANE, "nvvm.vote.sync",
     (ALL IF("odd1") "%x = nvvm.vote.sync any %all, %is1 -> i1\n" END),
     (ALL IF("low") "%x = nvvm.vote.sync any %all, %is1 -> i1\n" END)},
    {"lanes that name others", HD_SIMT_INACTIVE_LANE, "nvvm.redux.sync",
     (ALL "%m = llvm.select %is0, %all, %c63 : i1, i32\n%first = llvm.icmp \"ult\" %t, %c2 : i32\n" IF(
         "first") "%x = nvvm.redux.sync add %t, %m : i32 -> i32\n" END),
     ("%first = llvm.icmp \"ult\" %t, %c2 : i32\n" IF("first") "%x = nvvm.redux.sync add %t, %c3 : i32 -> i32\n" END)},
    {"a lane that is not named", HD_SIMT_INACTIVE_LANE, "nvvm.shfl.sync",
     ("%first = llvm.icmp \"ult\" %t, %c2 : i32\n" IF(
         "first") "%x = nvvm.shfl.sync bfly %c3, %t, %c2, %c31 : i32 -> i32\n" END),
     ("%first = llvm.icmp \"ult\" %t, %c2 : i32\n" IF(
         "first") "%x = nvvm.shfl.sync bfly %c3, %t, %c1, %c31 : i32 -> i32\n" END)},
};

/* ---- running one ---- */

typedef struct bench {
  const char *body;
  hd_simt_program *program;
} bench;

static hd_status encode(void *argument) {
  bench *b = argument;
  hd_context *context;
  hd_module *module;
  hd_str image;
  size_t size = sizeof head + sizeof tail + strlen(b->body) + 8;
  HD_TRY(hd_context_create(0, &context));
  hd_text_install(context);
  char *text = hd_arena_alloc(&context->arena, size);
  int length = snprintf(text, size, "%s%s%s", head, b->body, tail);
  hd_status status = hd_text_parse(context, (hd_str){text, (size_t)length}, "bugs.mlir", &module);
  if (hd_is_ok(status)) status = hd_simt_image(module, &context->arena, &image);
  if (hd_is_ok(status)) status = hd_simt_program_load(image.data, image.len, &b->program);
  hd_context_release(context);
  return status;
}

enum { ELEMENTS = 256, FINDINGS = 8 };

typedef struct outcome {
  hd_simt_report report;
  hd_simt_finding findings[FINDINGS];
} outcome;

static hd_status launch(hd_simt_program *program, uint32_t blocks, uint32_t threads, hd_pool *pool, outcome *out) {
  static _Thread_local struct {
    char before[64];
    _Alignas(64) uint32_t p[ELEMENTS];
    char between[64];
    _Alignas(64) uint32_t q[ELEMENTS];
    char after[64];
  } memory;
  uint8_t written[sizeof memory.q] = {0};
  memset(&memory, 0, sizeof memory);
  hd_simt_allocation allocations[2] = {{.address = (uintptr_t)memory.p, .size = sizeof memory.p},
                                       {.address = (uintptr_t)memory.q, .size = sizeof memory.q, .written = written}};
  uint64_t words[3] = {(uintptr_t)memory.p, (uintptr_t)memory.q, ELEMENTS};
  *out = (outcome){.report = {.capacity = FINDINGS}};
  out->report.findings = out->findings;
  hd_simt_launch l = {.grid = {blocks ? blocks : 2, 1, 1},
                      .block = {threads ? threads : 64, 1, 1},
                      .words = words,
                      .word_count = 3,
                      .pool = pool,
                      .checks = true,
                      .allocations = allocations,
                      .allocation_count = 2,
                      .report = &out->report};
  return hd_simt_run(program, 0, &l);
}

static void check_case(const planted *c, hd_pool *pool) {
  for (int correct = 0; correct < 2; ++correct) {
    bench b = {.body = correct ? c->correct : c->bug};
    outcome out;
    hd_status status = hd_guarded_call(encode, &b);
    hd_test_check_(hd_is_ok(status), __FILE__, __LINE__, "%s%s: %s", c->name, correct ? ", correct" : "",
                   hd_status_message(status));
    hd_status_free(status);
    if (!b.program) continue;
    status = launch(b.program, c->blocks, c->threads, pool, &out);
    const hd_simt_finding *f = &out.findings[0];
    if (correct) {
      hd_test_check_(hd_is_ok(status) && !out.report.count, __FILE__, __LINE__, "%s, correct: %s %s: %s", c->name,
                     hd_status_message(status), out.report.count ? f->source : "", out.report.count ? f->text : "");
    } else {
      bool found = false;
      for (uint32_t i = 0; i < out.report.count; ++i)
        found |= out.findings[i].kind == c->kind && strstr(out.findings[i].source, c->op) &&
                 !strcmp(out.findings[i].kernel, "k");
      hd_test_check_(found, __FILE__, __LINE__, "%s: expected '%s', got %u findings, the first %s: %s", c->name, c->op,
                     out.report.count, out.report.count ? f->source : "none", out.report.count ? f->text : "");
      bool fatal = c->kind == HD_SIMT_DIVERGENT_BARRIER || c->kind == HD_SIMT_UNREACHABLE || !hd_is_ok(status);
      HD_CHECK(fatal == !hd_is_ok(status));
    }
    hd_status_free(status);
    hd_simt_program_free(b.program);
  }
}

/* ---- where it was, and what is counted ---- */

static void check_place(void) {
  bench b = {.body = AT("at", "p", "1", "256", "i32") IF("is1") "llvm.store %t, %at : i32, !llvm.ptr<1>\n" END};
  outcome out;
  if (!HD_CHECK_OK(hd_guarded_call(encode, &b))) return;
  HD_CHECK_OK(launch(b.program, 2, 64, NULL, &out));
  HD_CHECK_INT(out.report.count, 1);
  HD_CHECK_INT(out.findings[0].count, 2); /* once a block */
  HD_CHECK_INT(out.findings[0].thread[0], 1);
  HD_CHECK_INT(out.findings[0].block[0], 0);
  HD_CHECK(strstr(out.findings[0].source, "bugs.mlir:"));
  hd_simt_program_free(b.program);
}

typedef struct counted {
  const char *name, *body;
  uint64_t requests, sectors, shared, conflicts;
} counted;

/* One block of 32 threads. */
static void check_counts(void) {
  static const counted rows[] = {
      {"words in a row", "%x = llvm.load %pg : !llvm.ptr<1> -> i32\n", 1, 4, 0, 0},
      {"one word for all", "%x = llvm.load %p : !llvm.ptr<1> -> i32\n", 1, 1, 0, 0},
      {"backwards",
       "%r = llvm.sub %c31, %t : i32\n" AT_I("at", "p", "1", "r", "i32") "%x = llvm.load %at : !llvm.ptr<1> -> i32\n",
       1, 4, 0, 0},
      {"every eighth word", AT_I("at", "p", "1", "t", "vector<8xi32>") "%x = llvm.load %at : !llvm.ptr<1> -> i32\n", 1,
       32, 0, 0},
      {"vectors of 16 bytes",
       AT_I("at", "p", "1", "t",
            "vector<4xi32>") "%x = llvm.load %at {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>\n",
       1, 16, 0, 0},
      {"shared words in a row", STORE_W, 0, 0, 1, 0},
      {"two words apart", AT_I("at", "w", "3", "t", "i64") "llvm.store %t, %at : i32, !llvm.ptr<3>\n", 0, 0, 1, 1},
      {"one shared word for all",
       "llvm.cond_br %is0, ^then, ^end\n^then:\nllvm.store %t, %w : i32, !llvm.ptr<3>\n" END BARRIER
       "%x = llvm.load %w : !llvm.ptr<3> -> i32\n",
       0, 0, 2, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    bench b = {.body = rows[i].body};
    outcome out;
    if (!HD_CHECK_OK(hd_guarded_call(encode, &b))) continue;
    HD_CHECK_OK(launch(b.program, 1, 32, NULL, &out));
    const hd_simt_counters *c = &out.report.counters;
    hd_test_check_(
        !out.report.count && c->global_requests == rows[i].requests && c->global_sectors == rows[i].sectors &&
            c->shared_requests == rows[i].shared && c->bank_conflicts == rows[i].conflicts,
        __FILE__, __LINE__, "%s: got %llu requests, %llu sectors, %llu in shared memory, %llu conflicts, %u findings",
        rows[i].name, (unsigned long long)c->global_requests, (unsigned long long)c->global_sectors,
        (unsigned long long)c->shared_requests, (unsigned long long)c->bank_conflicts, out.report.count);
    hd_simt_program_free(b.program);
  }
}

int main(void) {
  hd_pool *pool = NULL;
  HD_CHECK(sizeof cases / sizeof *cases >= 40);
  HD_CHECK_OK(hd_pool_create(2, NULL, &pool));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    check_case(&cases[i], NULL);
    check_case(&cases[i], pool);
  }
  hd_pool_free(pool);
  check_place();
  check_counts();
  return HD_TEST_RESULT();
}
