// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --allow-unregistered-dialect --mlir-print-op-generic --verify-roundtrip | FileCheck %s

// Some versions of MLIR write many elements of i1 as bytes, some as bits: both are read. What is written is a list, which all of them read.
// CHECK: bits = dense<[true, false, false, true, false, {{[a-z, ]*}}, true, false]> : tensor<104xi1>
// CHECK-SAME: bytes = dense<[true, false, false, true, false, {{[a-z, ]*}}, true, false]> : tensor<104xi1>
// CHECK-SAME: numbers = dense<"0x
// CHECK-SAME: rows = dense<{{\[\[}}true, false, {{[a-z, ]*}}], [{{[a-z, ]*}}true, false]]> : tensor<2x52xi1>
"t.a"() {bits = dense<"0x49922449922449922449922449"> : tensor<104xi1>, bytes = dense<"0x0100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100"> : tensor<104xi1>, numbers = dense<"0x0100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100000100"> : tensor<104xi8>, rows = dense<"0x49922449922449922449922449"> : tensor<2x52xi1>} : () -> ()
