// SPDX-License-Identifier: Apache-2.0
// A pass that asks for a target has none of its own: it is told one, by its option or --target, or refuses the op it is given.
// RUN: heddle-opt --disc-fusion --verify-diagnostics %s
// RUN: not heddle-opt --disc-lhlo-legalize-to-loop %s 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not heddle-opt --target=cpu --disc-lhlo-legalize-to-loop %s 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not heddle-opt --disc-lhlo-legalize-to-loop=target=cpu %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not heddle-opt --target=abacus %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not heddle-opt --target=abacus:80 %s
// RUN: heddle-opt --target=cuda:80 --disc-fusion --disc-lhlo-legalize-to-loop %s | FileCheck %s
// RUN: heddle-opt --target=cpu --disc-fusion --disc-lhlo-legalize-to-loop=target=simt %s | FileCheck %s

// DEVICE: 'func.func' op is given to disc-lhlo-legalize-to-loop for no target, expected one of: cuda, simt, spirv
// CPU: 'func.func' op is given to disc-lhlo-legalize-to-loop for target 'cpu', expected one of: cuda, simt, spirv
// OPTION: pass 'disc-lhlo-legalize-to-loop': option 'target': expected one of: cuda, simt, spirv, got 'cpu'
// UNKNOWN: target: unknown target 'abacus', expected one of: cpu, cuda, simt, spirv

// CHECK: scf.parallel
// expected-error@+1 {{'func.func' op is given to disc-fusion for no target, expected one of: cpu, cuda, simt, spirv}}
func.func @main(%a: memref<8xf32, #gpu.address_space<global>>, %b: memref<8xf32, #gpu.address_space<global>>) -> memref<8xf32, #gpu.address_space<global>> {
  "lmhlo.exponential"(%a, %b) : (memref<8xf32, #gpu.address_space<global>>, memref<8xf32, #gpu.address_space<global>>) -> ()
  return %b : memref<8xf32, #gpu.address_space<global>>
}
