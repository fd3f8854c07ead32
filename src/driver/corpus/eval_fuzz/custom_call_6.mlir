func.func @unknown() {
  stablehlo.custom_call @nobody() {has_side_effect = true} : () -> ()
  return
}
