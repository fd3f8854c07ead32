// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-fusion='target=spirv explain' --split-input-file %s | FileCheck %s
// RUN: heddle-opt --target=cpu --disc-fusion --split-input-file %s | FileCheck %s --check-prefix=CPU
// RUN: not heddle-opt --disc-fusion=target=abacus --split-input-file %s 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: option 'target': expected one of: cpu, cuda, simt, spirv, got 'abacus'

// A sum of 60 buffers of two unknown sizes: a kernel of the spirv target has 2048 bytes of parameters, so it is two, and
// the reason is kept. The CPU takes it as one.
// CHECK-LABEL: @parameters
// CHECK-COUNT-2: "lmhlo.fusion"
// CHECK: the kernel would need {{[0-9]+}} bytes of parameters, and the target has 2048
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
// CPU-LABEL: @parameters
// CPU-COUNT-1: "lmhlo.fusion"
// CPU-NOT: "lmhlo.fusion"
// CPU: return
func.func @parameters(%x0: memref<?x?xf32>, %x1: memref<?x?xf32>, %x2: memref<?x?xf32>, %x3: memref<?x?xf32>, %x4: memref<?x?xf32>, %x5: memref<?x?xf32>, %x6: memref<?x?xf32>, %x7: memref<?x?xf32>, %x8: memref<?x?xf32>, %x9: memref<?x?xf32>, %x10: memref<?x?xf32>, %x11: memref<?x?xf32>, %x12: memref<?x?xf32>, %x13: memref<?x?xf32>, %x14: memref<?x?xf32>, %x15: memref<?x?xf32>, %x16: memref<?x?xf32>, %x17: memref<?x?xf32>, %x18: memref<?x?xf32>, %x19: memref<?x?xf32>, %x20: memref<?x?xf32>, %x21: memref<?x?xf32>, %x22: memref<?x?xf32>, %x23: memref<?x?xf32>, %x24: memref<?x?xf32>, %x25: memref<?x?xf32>, %x26: memref<?x?xf32>, %x27: memref<?x?xf32>, %x28: memref<?x?xf32>, %x29: memref<?x?xf32>, %x30: memref<?x?xf32>, %x31: memref<?x?xf32>, %x32: memref<?x?xf32>, %x33: memref<?x?xf32>, %x34: memref<?x?xf32>, %x35: memref<?x?xf32>, %x36: memref<?x?xf32>, %x37: memref<?x?xf32>, %x38: memref<?x?xf32>, %x39: memref<?x?xf32>, %x40: memref<?x?xf32>, %x41: memref<?x?xf32>, %x42: memref<?x?xf32>, %x43: memref<?x?xf32>, %x44: memref<?x?xf32>, %x45: memref<?x?xf32>, %x46: memref<?x?xf32>, %x47: memref<?x?xf32>, %x48: memref<?x?xf32>, %x49: memref<?x?xf32>, %x50: memref<?x?xf32>, %x51: memref<?x?xf32>, %x52: memref<?x?xf32>, %x53: memref<?x?xf32>, %x54: memref<?x?xf32>, %x55: memref<?x?xf32>, %x56: memref<?x?xf32>, %x57: memref<?x?xf32>, %x58: memref<?x?xf32>, %x59: memref<?x?xf32>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x0, %c0 : memref<?x?xf32>
  %n = memref.dim %x0, %c1 : memref<?x?xf32>
  %t1 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%x0, %x1, %t1) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t2 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t1, %x2, %t2) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t3 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t2, %x3, %t3) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t4 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t3, %x4, %t4) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t5 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t4, %x5, %t5) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t6 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t5, %x6, %t6) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t7 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t6, %x7, %t7) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t8 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t7, %x8, %t8) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t9 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t8, %x9, %t9) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t10 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t9, %x10, %t10) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t11 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t10, %x11, %t11) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t12 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t11, %x12, %t12) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t13 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t12, %x13, %t13) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t14 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t13, %x14, %t14) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t15 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t14, %x15, %t15) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t16 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t15, %x16, %t16) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t17 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t16, %x17, %t17) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t18 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t17, %x18, %t18) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t19 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t18, %x19, %t19) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t20 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t19, %x20, %t20) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t21 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t20, %x21, %t21) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t22 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t21, %x22, %t22) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t23 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t22, %x23, %t23) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t24 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t23, %x24, %t24) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t25 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t24, %x25, %t25) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t26 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t25, %x26, %t26) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t27 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t26, %x27, %t27) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t28 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t27, %x28, %t28) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t29 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t28, %x29, %t29) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t30 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t29, %x30, %t30) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t31 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t30, %x31, %t31) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t32 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t31, %x32, %t32) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t33 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t32, %x33, %t33) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t34 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t33, %x34, %t34) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t35 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t34, %x35, %t35) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t36 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t35, %x36, %t36) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t37 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t36, %x37, %t37) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t38 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t37, %x38, %t38) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t39 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t38, %x39, %t39) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t40 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t39, %x40, %t40) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t41 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t40, %x41, %t41) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t42 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t41, %x42, %t42) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t43 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t42, %x43, %t43) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t44 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t43, %x44, %t44) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t45 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t44, %x45, %t45) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t46 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t45, %x46, %t46) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t47 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t46, %x47, %t47) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t48 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t47, %x48, %t48) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t49 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t48, %x49, %t49) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t50 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t49, %x50, %t50) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t51 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t50, %x51, %t51) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t52 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t51, %x52, %t52) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t53 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t52, %x53, %t53) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t54 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t53, %x54, %t54) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t55 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t54, %x55, %t55) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t56 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t55, %x56, %t56) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t57 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t56, %x57, %t57) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t58 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t57, %x58, %t58) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %t59 = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.add"(%t58, %x59, %t59) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  return %t59 : memref<?x?xf32>
}

// -----

// Sizes that are loaded once are one size: allocations of it have provably equal dims.
// CHECK-LABEL: @loaded_size
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
func.func @loaded_size(%a: memref<?xf32>, %s: memref<1xi32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = memref.load %s[%c0] : memref<1xi32>
  %n = arith.index_cast %0 : i32 to index
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  "lmhlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 0>}> : (memref<?xf32>, memref<?xf32>) -> ()
  "lmhlo.negate"(%b, %c) : (memref<?xf32>, memref<?xf32>) -> ()
  "lmhlo.abs"(%c, %d) : (memref<?xf32>, memref<?xf32>) -> ()
  return %d : memref<?xf32>
}
