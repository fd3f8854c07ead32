// A body so long that it is emitted once, masked: what is guarded by lanes is loaded by its own mask.
// run: --shape arg0=37
func.func public @main(%a0: tensor<?xbf16>) -> (tensor<?xbf16>) {
  %v7 = stablehlo.concatenate %a0, %a0, %a0, dim = 0 : (tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>) -> tensor<?xbf16>
  %v45 = chlo.next_after %v7, %v7 : tensor<?xbf16>, tensor<?xbf16> -> tensor<?xbf16>
  return %v45 : tensor<?xbf16>
}
