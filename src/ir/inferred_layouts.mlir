// Layouts of what a reshape, a join, a split, a transpose or a reduction gives follow from those of its operands.
// RUN: heddle-opt --split-input-file --verify-diagnostics %s
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
// #rows of 16x32 and #columns of 32x16, as bases.
#rows_linear = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}>
#columns_linear = #ttg.linear<{register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @the_same_map_written_otherwise(%a: tensor<512xf32, #blocked>, %b: tensor<16x32xf32, #rows>, %c: tensor<16x32xf32, #rows_linear>) {
    %0 = tt.reshape %a : tensor<512xf32, #blocked> -> tensor<16x32xf32, #rows>
    %1 = tt.reshape %a : tensor<512xf32, #blocked> -> tensor<16x32xf32, #rows_linear>
    %2 = tt.reshape %c : tensor<16x32xf32, #rows_linear> -> tensor<512xf32, #blocked>
    %3 = tt.trans %b {order = array<i32: 1, 0>} : tensor<16x32xf32, #rows> -> tensor<32x16xf32, #columns>
    %4 = tt.trans %c {order = array<i32: 1, 0>} : tensor<16x32xf32, #rows_linear> -> tensor<32x16xf32, #columns_linear>
    %5 = tt.trans %b {order = array<i32: 1, 0>} : tensor<16x32xf32, #rows> -> tensor<32x16xf32, #columns_linear>
    %6 = tt.reshape %a allow_reorder : tensor<512xf32, #blocked> -> tensor<16x32xf32, #columns>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @reshape(%a: tensor<512xf32, #blocked>) {
    // expected-error@+1 {{'tt.reshape' op expects a layout of the result in which each thread keeps its elements, got tensor<512xf32}}
    %0 = tt.reshape %a : tensor<512xf32, #blocked> -> tensor<16x32xf32, #columns>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @reshape_without(%a: tensor<512xf32, #blocked>) {
    // expected-error@+1 {{'tt.reshape' op expects a layout on both or none}}
    %0 = "tt.reshape"(%a) <{allow_reorder}> : (tensor<512xf32, #blocked>) -> tensor<16x32xf32>
    tt.return
  }
}
// -----
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows_linear = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @trans(%a: tensor<16x32xf32, #rows>) {
    // expected-error@+1 {{'tt.trans' op expects the result's layout to be the operand's, its dims permuted}}
    %0 = tt.trans %a {order = array<i32: 1, 0>} : tensor<16x32xf32, #rows> -> tensor<32x16xf32, #rows_linear>
    tt.return
  }
}
// -----
#one = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#two = #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#two_later = #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#two_linear = #ttg.linear<{register = [[1, 0], [0, 1], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], warp = [[128, 0], [256, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @halves(%a: tensor<512xf32, #one>, %b: tensor<512x2xf32, #two>, %c: tensor<512x2xf32, #two_later>, %d: tensor<512x2xf32, #two_linear>) {
    %0 = tt.join %a, %a : tensor<512xf32, #one> -> tensor<512x2xf32, #two>
    %1 = tt.join %a, %a : tensor<512xf32, #one> -> tensor<512x2xf32, #two_later>
    %2 = tt.join %a, %a : tensor<512xf32, #one> -> tensor<512x2xf32, #two_linear>
    %3, %4 = tt.split %b : tensor<512x2xf32, #two> -> tensor<512xf32, #one>
    %5, %6 = tt.split %c : tensor<512x2xf32, #two_later> -> tensor<512xf32, #one>
    %7, %8 = tt.split %d : tensor<512x2xf32, #two_linear> -> tensor<512xf32, #one>
    tt.return
  }
}
// -----
#one = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#two = #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @join(%a: tensor<512xf32, #one>) {
    // expected-error@+1 {{'tt.join' op expects one to have the other's layout without its last dim}}
    %0 = tt.join %a, %a : tensor<512xf32, #one> -> tensor<512x2xf32, #two>
    tt.return
  }
}
// -----
#one = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#apart = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @split(%a: tensor<512x2xf32, #apart>) {
    // expected-error@+1 {{'tt.split' op expects a layout in which a thread has both elements of the last dim}}
    %0, %1 = tt.split %a : tensor<512x2xf32, #apart> -> tensor<512xf32, #one>
    tt.return
  }
}
// -----
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#sums = #ttg.linear<{register = [[1], [2]], lane = [[4], [8], [16], [0], [0]], warp = [[0], [0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @reduce(%a: tensor<16x32xf32, #rows>) {
    // A slice is written as one: not even the same map will do.
    // expected-error@+1 {{'tt.reduce' op expects the layout of one to be slice 0 of the other's}}
    %0 = "tt.reduce"(%a) <{axis = 0 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      tt.reduce.return %s : f32
    }) : (tensor<16x32xf32, #rows>) -> tensor<32xf32, #sums>
    tt.return
  }
}
