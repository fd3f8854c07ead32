// RUN: heddle-opt %s --verify-roundtrip | FileCheck %s
// RUN: heddle-opt %s --mlir-print-op-generic | heddle-opt | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK: sdy.mesh @other = <["x"=2], device_ids=[1, 0]>
sdy.mesh @other = <["x"=2], device_ids=[1, 0]>
// CHECK: sdy.mesh @empty = <[]>
sdy.mesh @empty = <[]>

// CHECK: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {?}]>}
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {?}]>}) -> tensor<8x8xf32> {
  // CHECK: sdy.sharding_constraint %arg0 <@mesh, [{"x", ?}p2, {"y":(1)2}], replicated={"y":(2)2}, unreduced={"x"}> : tensor<8x8xf32>
  %0 = sdy.sharding_constraint %a <@mesh, [{"x", ?}p2, {"y":(1)2}], replicated={"y":(2)2}, unreduced={"x"}> : tensor<8x8xf32>
  // CHECK: sdy.reshard %{{.*}} <mesh<["x"=2]>, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = sdy.reshard %0 <mesh<["x"=2]>, [{"x"}, {}]> : tensor<8x8xf32>
  // CHECK: sdy.sharding_group %{{.*}} group_id=3 : tensor<8x8xf32>
  sdy.sharding_group %1 group_id=3 : tensor<8x8xf32>
  // CHECK: sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%arg1: tensor<4x8xf32>) {
  // CHECK: sdy.return %{{.*}} : tensor<4x8xf32>
  // CHECK: } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%b: tensor<4x8xf32>) {
    %n = stablehlo.negate %b : tensor<4x8xf32>
    sdy.return %n : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    sdy.return
  } : () -> ()
  return %2 : tensor<8x8xf32>
}
