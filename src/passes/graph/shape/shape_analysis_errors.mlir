// RUN: heddle-opt --disc-shape-analysis --split-input-file --verify-diagnostics %s

// expected-error@+1 {{constraint 'q == m' cannot be read: expected a == b, a % n == 0 or a >= n over known symbols}}
func.func @unknown(%x: tensor<?xf32> {hd.dims = ["m"]}) -> tensor<?xf32> attributes {hd.constraint = ["q == m"]} {
  return %x : tensor<?xf32>
}

// -----

// expected-error@+1 {{constraint 'm + 1 == m' contradicts the program}}
func.func @wrong(%x: tensor<?xf32> {hd.dims = ["m"]}) -> tensor<?xf32> attributes {hd.constraint = ["m + 1 == m"]} {
  return %x : tensor<?xf32>
}

// -----

func.func @dims(%x: tensor<?xf32> {hd.dims = ["m"]}) -> tensor<?xf32> {
  // expected-error@+1 {{'stablehlo.negate' op disc-shape-analysis: hd.dims of result #0 contradicts the program: dim 0 is m}}
  %0 = stablehlo.negate %x {hd.dims = [["m + 2"]]} : tensor<?xf32>
  return %0 : tensor<?xf32>
}
