// A product's tile has its own elements: what is read through a transpose comes from memory, also where another operand joins
// the reader with the product.
func.func @main(%a: tensor<7x7xf32>, %b: tensor<7x7xf32>) -> tensor<7x7xf32> {
  %d = stablehlo.dot %a, %b : (tensor<7x7xf32>, tensor<7x7xf32>) -> tensor<7x7xf32>
  %t = stablehlo.transpose %d, dims = [1, 0] : (tensor<7x7xf32>) -> tensor<7x7xf32>
  %s = stablehlo.subtract %b, %t : tensor<7x7xf32>
  %r = stablehlo.add %d, %s : tensor<7x7xf32>
  return %r : tensor<7x7xf32>
}
