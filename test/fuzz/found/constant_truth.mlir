// Truth of a constant is no shape arithmetic.
func.func public @main() -> (tensor<i1>) {
  %v17 = stablehlo.constant dense<-2> : tensor<i32>
  %v64 = "stablehlo.convert"(%v17) : (tensor<i32>) -> tensor<i1>
  return %v64 : tensor<i1>
}
