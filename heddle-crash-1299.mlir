// heddle-opt --pass-pipeline='inline,disc-unused-function-removal,spmd-partition,disc-loop-invariant{keep-inflating},disc-broadcast-simplifier,cse,sccp{simplify-branches},disc-dot-rewriter,cse,hlo-expand,chlo-legalize-to-stablehlo,disc-element-type-converter{target=cpu libraries},disc-canonicalize-reduction{two-steps rank-2=false},disc-conv-rewriter{input=nhwc filter=keep output=nhwc},disc-split-large-ops{max-operands=8 max-param-bytes=0},disc-transpose-of-dot,disc-sink-constants,disc-hlo-legalize-to-lhlo,disc-fusion,disc-lower-to-buffer-alias,disc-lower-to-kernels,cse,disc-remove-dead-buffer,dead-temp-buffer-removal,buffer-loop-hoisting,disc-buffer-deallocation,disc-localize-small-cpu-buffer,disc-inject-execution-context,expand-math' heddle-crash-1299.mlir
func.func @main() -> tensor<i64> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %go = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.while(%a = %zero) : tensor<i64>
  cond { stablehlo.return %go : tensor<i1> } do { stablehlo.return %a : tensor<i64> }
  return %r : tensor<i64>
}
