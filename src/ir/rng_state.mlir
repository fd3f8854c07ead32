// RUN: heddle check %s | FileCheck %s
// RUN: heddle check %s --target=cpu | FileCheck %s
// A state of any elements, rank and size gives what the ui64 words of its bits give, and the rest of it stays.
// CHECK: 8 passed, 0 failed
func.func @narrow_elements() {
  %s = stablehlo.constant dense<[5, 7]> : tensor<2xui64>
  %b = stablehlo.constant dense<[5, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]> : tensor<16xui8>
  %t, %x = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
  %u, %y = stablehlo.rng_bit_generator %b, algorithm = THREE_FRY : (tensor<16xui8>) -> (tensor<16xui8>, tensor<3x4xui32>)
  check.expect_eq %y, %x : tensor<3x4xui32>
  check.expect_eq_const %t, dense<[5, 13]> : tensor<2xui64>
  check.expect_eq_const %u, dense<[5, 0, 0, 0, 0, 0, 0, 0, 13, 0, 0, 0, 0, 0, 0, 0]> : tensor<16xui8>
  return
}
func.func @signed_matrix() {
  %s = stablehlo.constant dense<[18446744073709551615, 18446744073709551615, 3]> : tensor<3xui64>
  %b = stablehlo.constant dense<[[-1, -1, -1], [-1, 3, 0]]> : tensor<2x3xi32>
  %t, %x = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<9xf32>)
  %u, %y = stablehlo.rng_bit_generator %b, algorithm = PHILOX : (tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<9xf32>)
  %xb = stablehlo.bitcast_convert %x : (tensor<9xf32>) -> tensor<9xi32>
  %yb = stablehlo.bitcast_convert %y : (tensor<9xf32>) -> tensor<9xi32>
  check.expect_eq %yb, %xb : tensor<9xi32>
  check.expect_eq_const %t, dense<[18446744073709551615, 2, 4]> : tensor<3xui64>
  check.expect_eq_const %u, dense<[[-1, -1, 2], [0, 4, 0]]> : tensor<2x3xi32>
  return
}
func.func @one_float() {
  // 2.0 is 0x40000000, the counter of key 0; three words of 64 bits move it on.
  %s = stablehlo.constant dense<[0, 0x40000000]> : tensor<2xui64>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %t, %x = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  %u, %y = stablehlo.rng_bit_generator %b, algorithm = THREE_FRY : (tensor<f32>) -> (tensor<f32>, tensor<3xui64>)
  check.expect_eq %y, %x : tensor<3xui64>
  check.expect_eq_const %u, dense<0x40000003> : tensor<f32>
  return
}
func.func @scalar_wraps() {
  %s = stablehlo.constant dense<[0, 255]> : tensor<2xui64>
  %b = stablehlo.constant dense<255> : tensor<ui8>
  %t, %x = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui64>)
  %u, %y = stablehlo.rng_bit_generator %b, algorithm = DEFAULT : (tensor<ui8>) -> (tensor<ui8>, tensor<4xui64>)
  check.expect_eq %y, %x : tensor<4xui64>
  check.expect_eq_const %u, dense<1> : tensor<ui8>
  return
}
func.func @short_key() {
  // 96 bits: 32 of the key, then the counter.
  %s = stablehlo.constant dense<[9, 0x0000000200000001]> : tensor<2xui64>
  %b = stablehlo.constant dense<[9, 1, 2]> : tensor<3xui32>
  %t, %x = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui64>)
  %u, %y = stablehlo.rng_bit_generator %b, algorithm = THREE_FRY : (tensor<3xui32>) -> (tensor<3xui32>, tensor<5xui64>)
  check.expect_eq %y, %x : tensor<5xui64>
  check.expect_eq_const %u, dense<[9, 6, 2]> : tensor<3xui32>
  return
}
func.func @elements_across_words() {
  // 33 elements of 6 bits; element 10 and 21 lie across the ends of words 0 and 1, element 32 is the rest.
  %b = stablehlo.constant dense<[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -7.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.125, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]> : tensor<33xf6E2M3FN>
  // 1.0 is 0b001000, -7.5 0b111111, 0.125 0b000001
  %s = stablehlo.constant dense<[0xF000000000000008, 0x4000000000000003, 0x80]> : tensor<3xui64>
  %t, %x = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<10xui32>)
  %u, %y = stablehlo.rng_bit_generator %b, algorithm = PHILOX : (tensor<33xf6E2M3FN>) -> (tensor<33xf6E2M3FN>, tensor<10xui32>)
  check.expect_eq %y, %x : tensor<10xui32>
  check.expect_eq_const %t, dense<[0xF000000000000008, 0x4000000000000006, 0x80]> : tensor<3xui64>
  // word 1 becomes ...110: the high bits of element 10 are 10, and element 11 is 1
  check.expect_eq_const %u, dense<[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.875, 0.125, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.125, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]> : tensor<33xf6E2M3FN>
  return
}
func.func @long_state() {
  %s = stablehlo.constant dense<[5, 7]> : tensor<2xui64>
  %b = stablehlo.constant dense<[5, 7, 11, 13]> : tensor<4xi64>
  %t, %x = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  %u, %y = stablehlo.rng_bit_generator %b, algorithm = THREE_FRY : (tensor<4xi64>) -> (tensor<4xi64>, tensor<3xui64>)
  check.expect_eq %y, %x : tensor<3xui64>
  check.expect_eq_const %u, dense<[5, 10, 11, 13]> : tensor<4xi64>
  return
}
func.func @empty_state() {
  %s = stablehlo.constant dense<[0, 0]> : tensor<2xui64>
  %b = stablehlo.constant dense<> : tensor<0xui64>
  %t, %x = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui16>)
  %u, %y = stablehlo.rng_bit_generator %b, algorithm = DEFAULT : (tensor<0xui64>) -> (tensor<0xui64>, tensor<3xui16>)
  check.expect_eq %y, %x : tensor<3xui16>
  return
}
