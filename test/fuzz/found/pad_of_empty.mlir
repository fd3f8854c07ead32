// A masked read of an empty reshape divides by its dims.
// run: --shape arg0=0x0 --shape arg1=0x0x0
func.func public @main(%c8_0: tensor<?x?xf8E3M4>, %c0_0: tensor<?x?x?xf8E3M4>) -> (tensor<?xf8E3M4>) {
  %v10 = "stablehlo.get_dimension_size"(%c0_0) <{dimension = 0 : i64}> : (tensor<?x?x?xf8E3M4>) -> tensor<i32>
  %v32 = stablehlo.multiply %v10, %v10 : tensor<i32>
  %v33 = stablehlo.multiply %v32, %v10 : tensor<i32>
  %v34 = stablehlo.reshape %v33 : (tensor<i32>) -> tensor<1xi32>
  %v35 = "stablehlo.concatenate"(%v34) <{dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<1xi32>
  %v31 = stablehlo.dynamic_reshape %c8_0, %v35 : (tensor<?x?xf8E3M4>, tensor<1xi32>) -> tensor<?xf8E3M4>
  %v43 = stablehlo.constant dense<3.000000e+00> : tensor<f8E3M4>
  %v46 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %v47 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %v48 = stablehlo.constant dense<[0]> : tensor<1xi32>
  %v45 = stablehlo.dynamic_pad %v31, %v43, %v46, %v47, %v48 : (tensor<?xf8E3M4>, tensor<f8E3M4>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf8E3M4>
  return %v45 : tensor<?xf8E3M4>
}
