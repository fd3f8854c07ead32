// A buffer that a loop gives is read by a group begun before the loop.
// run: --shape arg0=6x7 --shape arg1=1x1x3
func.func public @main(%a0: tensor<?x?xi1>, %c12_0: tensor<1x1x?xi2>, %c3_0: tensor<1xcomplex<f64>>) -> (tensor<?x?xf32>) {
  %v2 = "stablehlo.convert"(%a0) : (tensor<?x?xi1>) -> tensor<?x?xf32>
  %v5 = "stablehlo.logistic"(%v2) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %v13 = "chlo.square"(%v5) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %v29, %v30 = "stablehlo.sort"(%v2, %a0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>, %x1: tensor<i1>, %y1: tensor<i1>):
    %p = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<?x?xf32>, tensor<?x?xi1>) -> (tensor<?x?xf32>, tensor<?x?xi1>)
  %v34 = stablehlo.constant dense<0> : tensor<i32>
  %v35:4 = stablehlo.while(%w34_0 = %v34, %w34_1 = %c3_0, %w34_2 = %v29, %w34_3 = %c12_0) : tensor<i32>, tensor<1xcomplex<f64>>, tensor<?x?xf32>, tensor<1x1x?xi2>
   cond {
    %v43 = stablehlo.constant dense<3> : tensor<i32>
    %v45 = stablehlo.compare LT, %w34_0, %v43, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %v45 : tensor<i1>
  } do {
    %v44 = stablehlo.constant dense<1> : tensor<i32>
    %v42 = stablehlo.add %w34_0, %v44 : tensor<i32>
    %v39 = stablehlo.negate %w34_1 : tensor<1xcomplex<f64>>
    %v40 = stablehlo.negate %w34_2 : tensor<?x?xf32>
    %v41 = stablehlo.add %w34_3, %w34_3 : tensor<1x1x?xi2>
    stablehlo.return %v42, %v39, %v40, %v41 : tensor<i32>, tensor<1xcomplex<f64>>, tensor<?x?xf32>, tensor<1x1x?xi2>
  }
  %v75 = "stablehlo.reverse"(%v35#2) <{dimensions = array<i64: 0, 1>}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %v81 = "stablehlo.add"(%v75, %v13) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %v81 : tensor<?x?xf32>
}
