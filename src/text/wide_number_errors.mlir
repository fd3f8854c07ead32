// RUN: heddle-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// What a type of more than 64 bits does not hold.

func.func @f() {
  // expected-error@+1 {{integer constant out of range for attribute: expected a value of i128, got 340282366920938463463374607431768211456}}
  %0 = arith.constant 340282366920938463463374607431768211456 : i128
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{integer constant out of range for attribute: expected a value of i65, got -18446744073709551617}}
  %0 = arith.constant -18446744073709551617 : i65
  return
}

// -----

// expected-error@+1 {{integer constant out of range for attribute: expected a value of si65, got 18446744073709551616}}
"x.y"() {a = 18446744073709551616 : si65} : () -> ()

// -----

// expected-error@+1 {{negative integer literal not valid for unsigned integer type}}
"x.y"() {a = -1 : ui128} : () -> ()

// -----

// expected-error@+1 {{integer attributes wider than 65536 bits are not supported}}
"x.y"() {a = 1 : i65537} : () -> ()

// -----

// expected-error@+1 {{integer bitwidth is limited to 16777215 bits}}
"x.y"() {a = i16777216} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for type}}
"x.y"() {a = dense<[1, 340282366920938463463374607431768211456]> : tensor<2xi128>} : () -> ()

// -----

// expected-error@+1 {{hexadecimal float constant out of range for type}}
"x.y"() {a = 0x17FFF8000000000000000 : f80} : () -> ()

// -----

// expected-error@+1 {{unexpected decimal integer literal for a floating point value}}
"x.y"() {a = 5 : f128} : () -> ()

// -----

// expected-error@+1 {{elements hex data size is invalid for provided type}}
"x.y"() {a = dense<"0x01"> : tensor<2xi128>} : () -> ()

// -----

func.func @f(%a: tensor<2xf80>) -> tensor<2xf80> {
  // expected-error@+2 {{'stablehlo.tanh' op operand #0 must be a tensor of floating-point or complex numbers, but got tensor<2xf80>}}
  // expected-error@+1 {{'stablehlo.tanh' op result #0 must be a tensor of floating-point or complex numbers, but got tensor<2xf80>}}
  %0 = stablehlo.tanh %a : tensor<2xf80>
  return %0 : tensor<2xf80>
}
