// RUN: heddle-opt --disc-hlo-legalize-to-lhlo --split-input-file --verify-diagnostics %s

func.func @implicit(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'mhlo.add' op broadcasts implicitly: run disc-broadcast-simplifier before disc-hlo-legalize-to-lhlo}}
  %0 = "mhlo.add"(%a, %b) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// expected-error@+1 {{has more than one block: disc-hlo-legalize-to-lhlo expects structured control flow}}
func.func @blocks(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  cf.br ^bb1
^bb1:
  return %a : tensor<2x3xf32>
}

// -----

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @call(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'func.call' op has no buffer form: run inline before disc-hlo-legalize-to-lhlo}}
  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @chlo(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'chlo.erf' op has no buffer form: run chlo-legalize-to-stablehlo before disc-hlo-legalize-to-lhlo}}
  %0 = chlo.erf %x : tensor<f32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @no_compiled_path(%a: tensor<2xi32>) -> tensor<?xi32> {
  // expected-error@+1 {{'chlo.minimum_broadcast_shapes' op has no compiled path}}
  %0 = chlo.minimum_broadcast_shapes %a : tensor<2xi32> -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

func.func @tuple(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'stablehlo.tuple' op has a tuple as its result: run hlo-expand before disc-hlo-legalize-to-lhlo}}
  %t = stablehlo.tuple %x, %x : tuple<tensor<f32>, tensor<f32>>
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// What this pass writes is nothing that a program may bring: it would run as it stands, with any address.
func.func @runtime_calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'arith.constant' op has no buffer form: disc-hlo-legalize-to-lhlo takes graph ops on tensors}}
  %s = arith.constant 4096 : i64
  // expected-error@+1 {{'hd.ral_call' op has no buffer form}}
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%s, %s) : (i64, i64) -> !llvm.ptr
  // expected-error@+1 {{'hd.ral_call' op has no buffer form}}
  hd.ral_call "ral_copy___pvoid_pvoid_pvoid_pvoid_i64___void"(%p, %p, %p, %s) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
  return %x : tensor<4xf32>
}

// -----

func.func @memory(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'arith.constant' op has no buffer form}}
  %f = arith.constant 1.0 : f32
  // expected-error@+1 {{'arith.constant' op has no buffer form}}
  %far = arith.constant 64000 : index
  // expected-error@+1 {{'memref.alloc' op has no buffer form}}
  %m = memref.alloc() : memref<4xf32>
  // expected-error@+1 {{'memref.store' op has no buffer form}}
  memref.store %f, %m[%far] : memref<4xf32>
  return %x : tensor<4xf32>
}

// -----

func.func @in_a_loop(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %0:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    // expected-error@+1 {{'hd.ral_call' op has no buffer form}}
    hd.ral_call "ral_go_on___pvoid___void"() : () -> ()
    stablehlo.return %i, %y : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// -----

// expected-error@+1 {{argument #0 is a buffer: disc-hlo-legalize-to-lhlo expects tensors}}
func.func @twice(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}

// -----

// expected-error@+1 {{argument 0 is no ranked tensor, which has no compiled path}}
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}

// -----

func.func @fusion(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'mhlo.fusion' op has no buffer form: run hlo-expand before disc-hlo-legalize-to-lhlo}}
  %0 = "mhlo.fusion"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    mhlo.return %a : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op constraint 'm mod 4 == 0' cannot be read: expected a == b, a % n == 0 or a >= n over known symbols}}
func.func @unreadable(%x: tensor<?xf32> {hd.dims = ["m"]}) -> tensor<?xf32> attributes {hd.constraint = ["m mod 4 == 0"]} {
  return %x : tensor<?xf32>
}

// -----

// expected-error@+1 {{'func.func' op constraint 'm + 1 == m' contradicts the program}}
func.func @impossible(%x: tensor<?xf32> {hd.dims = ["m"]}) -> tensor<?xf32> attributes {hd.constraint = ["m + 1 == m"]} {
  return %x : tensor<?xf32>
}

// -----

// An address has 56 bits; beyond, strides, paddings and parts of a size would not fit 63.
// expected-error@+1 {{'func.func' op argument #0 has more than 2^56 bytes: 9007199254740993}}
func.func @argument(%a: tensor<9007199254740993xf64>) -> tensor<9007199254740993xf64> {
  return %a : tensor<9007199254740993xf64>
}

// -----

func.func @result(%a: tensor<72057594037927936xi8>) -> tensor<72057594037927936xf16> {
  // expected-error@+1 {{'stablehlo.convert' op result #0 has more than 2^56 bytes: 72057594037927936}}
  %0 = stablehlo.convert %a : (tensor<72057594037927936xi8>) -> tensor<72057594037927936xf16>
  return %0 : tensor<72057594037927936xf16>
}

// -----

// Strides of a tensor without elements are computed, too.
// expected-error@+1 {{'func.func' op argument #0 has more than 2^63 elements, dims of 0 left out: 4611686018427387904x0x5}}
func.func @empty(%a: tensor<4611686018427387904x0x5xf32>) -> tensor<4611686018427387904x0x5xf32> {
  return %a : tensor<4611686018427387904x0x5xf32>
}

// -----

// No memory holds it, whatever the unknown dim is.
// expected-error@+1 {{'func.func' op argument #0 has more than 2^56 bytes: 4294967296x?x4294967296}}
func.func @huge(%x: tensor<4294967296x?x4294967296xf32>) -> tensor<4294967296x?x4294967296xf32> {
  return %x : tensor<4294967296x?x4294967296xf32>
}
