// RUN: split-file %s %t
// RUN: heddle eval %t/tao.mlir --random 0 --shape arg0=3 | FileCheck %s --check-prefix=TAO
// RUN: heddle run %t/tao.mlir --random 0 --shape arg0=3 --no-cache --reference=eval | FileCheck %s --check-prefix=TAO
// RUN: heddle-opt %t/tao.mlir --pass-pipeline=disc-unused-function-removal | FileCheck %s --check-prefix=KEPT
// RUN: heddle run %t/both.mlir --random 0 --no-cache --reference=eval | FileCheck %s --check-prefix=BOTH
// RUN: not heddle eval %t/two.mlir --random 0 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not heddle run %t/two.mlir --random 0 --no-cache 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: heddle run %t/two.mlir --random 0 --no-cache --entry b --reference=eval | FileCheck %s --check-prefix=BOTH
// One rule for the function that runs: main, else tao_main, else the only public one.
// TAO: out0{{.*}}3xf32
// KEPT: func.func @tao_main
// KEPT-NOT: func.func @helper
// BOTH: out0{{.*}}2xi32
// TWO: error: expected one entry function: main, tao_main, or a single public one; got 2 public: 'a', 'b'; --entry selects one

//--- tao.mlir
func.func @helper(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @tao_main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @last(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
//--- both.mlir
func.func @tao_main(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.negate %a : tensor<2xi32>
  return %0 : tensor<2xi32>
}
//--- two.mlir
func.func @a(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @b(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.negate %a : tensor<2xi32>
  return %0 : tensor<2xi32>
}
