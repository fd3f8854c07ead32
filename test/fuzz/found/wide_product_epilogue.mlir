// A product whose result is wider than its operands, with an epilogue: the tile is of the result's type.
func.func @main(%x: tensor<63x1xi1>, %y: tensor<63x1xi16>, %a: tensor<1xui16>, %b: tensor<31x17x1xui16>) -> (tensor<63x1xi64>, tensor<31x17xui32>) {
  %eight = stablehlo.constant dense<8> : tensor<i16>
  %0 = stablehlo.dot_general %y, %eight, contracting_dims = [] x [] : (tensor<63x1xi16>, tensor<i16>) -> tensor<63x1xi64>
  %1 = stablehlo.select %x, %0, %0 : tensor<63x1xi1>, tensor<63x1xi64>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [2] : (tensor<1xui16>, tensor<31x17x1xui16>) -> tensor<31x17xui64>
  %3 = stablehlo.convert %2 : (tensor<31x17xui64>) -> tensor<31x17xui32>
  return %1, %3 : tensor<63x1xi64>, tensor<31x17xui32>
}
