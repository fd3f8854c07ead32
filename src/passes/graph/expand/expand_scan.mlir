// RUN: heddle-opt --hlo-expand --canonicalize %s | FileCheck %s

// One place a step: slices in, slices out, carries through.
// CHECK-LABEL: @sums
// CHECK-NOT: chlo.scan
// CHECK: stablehlo.while(%[[I:.*]] = %{{.*}}, %[[OUT:.*]] = %{{.*}}, %[[SUM:.*]] = %arg1) : tensor<i32>, tensor<8x4xf32>, tensor<4xf32>
// CHECK: stablehlo.compare LT, %[[I]], %{{.*}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK: stablehlo.dynamic_slice %arg0, %[[I]], %{{.*}}, sizes = [1, 4]
// CHECK: %[[NEXT:.*]] = stablehlo.add %{{.*}}, %[[SUM]] : tensor<4xf32>
// CHECK: stablehlo.dynamic_update_slice %[[OUT]], %{{.*}}, %[[I]]
func.func @sums(%x: tensor<8x4xf32>, %init: tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>) {
  %0:2 = "chlo.scan"(%x, %init) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<4xf32>, %c: tensor<4xf32>):
    %s = stablehlo.add %a, %c : tensor<4xf32>
    stablehlo.return %s, %s : tensor<4xf32>, tensor<4xf32>
  }) : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<4xf32>
}

// From the last to the first, over a dim that only the run tells.
// CHECK-LABEL: @backwards
// CHECK: stablehlo.while(%[[I:.*]] = %{{.*}}, %[[OUT:.*]] = %{{.*}}, %{{.*}} = %arg1) : tensor<i32>, tensor<4x?xf32>, tensor<4xf32>
// CHECK: %[[AT:.*]] = stablehlo.subtract %{{.*}}, %[[I]] : tensor<i32>
// CHECK: stablehlo.real_dynamic_slice %arg0
// CHECK: stablehlo.dynamic_update_slice %[[OUT]], %{{.*}}, %{{.*}}, %[[AT]]
func.func @backwards(%x: tensor<4x?xf32>, %init: tensor<4xf32>) -> tensor<4x?xf32> {
  %0:2 = "chlo.scan"(%x, %init) <{dimension = 1 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<4xf32>, %c: tensor<4xf32>):
    stablehlo.return %c, %a : tensor<4xf32>, tensor<4xf32>
  }) : (tensor<4x?xf32>, tensor<4xf32>) -> (tensor<4x?xf32>, tensor<4xf32>)
  return %0#0 : tensor<4x?xf32>
}

// Of no elements: no step is made, and none is written.
// CHECK-LABEL: @none
// CHECK-NOT: stablehlo.while
// CHECK: return {{.*}} : tensor<0xi8>, tensor<i8>
func.func @none(%a: tensor<0xbf16>, %b: tensor<i8>) -> (tensor<0xi8>, tensor<i8>) {
  %0:2 = "chlo.scan"(%a, %b) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: tensor<bf16>, %c: tensor<i8>):
    %z = stablehlo.add %c, %c : tensor<i8>
    stablehlo.return %z, %z : tensor<i8>, tensor<i8>
  }) : (tensor<0xbf16>, tensor<i8>) -> (tensor<0xi8>, tensor<i8>)
  return %0#0, %0#1 : tensor<0xi8>, tensor<i8>
}
