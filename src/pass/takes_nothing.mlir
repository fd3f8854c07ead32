// RUN: heddle-opt --disc-placer %s
func.func @call() {
  stablehlo.custom_call @nobody() {has_side_effect = true} : () -> ()
  return
}
