// SPDX-License-Identifier: Apache-2.0
// What is in a gpu.module and is no machine form is refused at its op; what lies outside is of no concern.
// RUN: heddle-opt %s --verify-machine-form --split-input-file --verify-diagnostics
func.func @host(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}
gpu.module @k {
  llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<4 x f32>
  llvm.func internal @f(%x: f32) -> f32 {
    llvm.return %x : f32
  }
  llvm.func @k(%p: !llvm.ptr<1> {llvm.align = 16 : i64, tt.divisibility = 8 : i32}, %q: !llvm.ptr, %v: vector<4xbf16>,
               %n: i32 {llvm.range = #llvm.constant_range<i32, -1, 1>, tt.divisibility = 4 : i32}) attributes {gpu.kernel} {
    %0 = gpu.thread_id x
    %1 = arith.index_castui %0 : index to i32
    %2 = llvm.load %p : !llvm.ptr<1> -> f32
    %3 = llvm.call @f(%2) : (f32) -> f32
    gpu.barrier
    llvm.return
  }
}

// -----
gpu.module @k {
  // expected-error@+1 {{is not of the machine form: expected llvm.func or llvm.mlir.global}}
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----
gpu.module @k {
  llvm.func @k(%x: f32) attributes {gpu.kernel} {
    // expected-error@+1 {{is not of the machine form}}
    %0 = arith.addf %x, %x : f32
    llvm.return
  }
}

// -----
gpu.module @k {
  llvm.func @k(%n: i32) attributes {gpu.kernel} {
    // expected-error@+1 {{takes a value that is not of the machine form}}
    %0 = arith.index_castui %n : i32 to index
    llvm.return
  }
}

// -----
gpu.module @k {
  // expected-error@+1 {{has an argument that is not of the machine form}}
  llvm.func @k(%p: !llvm.ptr<2>) attributes {gpu.kernel} {
    llvm.return
  }
}

// -----
gpu.module @k {
  llvm.func @other(f32) -> f32
  llvm.func @k(%x: f32) attributes {gpu.kernel} {
    // expected-error@+1 {{expects a function of its gpu.module as its callee, got another symbol}}
    %0 = llvm.call @other(%x) : (f32) -> f32
    llvm.return
  }
}

// -----
gpu.module @k {
  // expected-error@+1 {{is in memory space 0, expected 1, 3 or 4}}
  llvm.mlir.global internal @shared() : !llvm.array<4 x f32>
}

// -----
gpu.module @k {
  llvm.func @k(%x: i1) attributes {gpu.kernel} {
    // expected-error@+1 {{is not of the machine form}}
    scf.if %x {
    }
    llvm.return
  }
}

// -----
gpu.module @k {
  // expected-error@+1 {{expects a power of two as the alignment of argument #1, got another number}}
  llvm.func @k(%n: i64, %p: !llvm.ptr<1> {llvm.align = 24 : i64}) attributes {gpu.kernel} {
    llvm.return
  }
}

// -----
gpu.module @k {
  // expected-error@+1 {{expects a power of two as the alignment of argument #0, got another number}}
  llvm.func @k(%n: i64 {tt.divisibility = 0 : i32}) attributes {gpu.kernel} {
    llvm.return
  }
}

// -----
gpu.module @k {
  // expected-error@+1 {{expects the range of argument #0 in its type, got another one}}
  llvm.func @k(%n: i64 {llvm.range = #llvm.constant_range<i32, 0, 4>}) attributes {gpu.kernel} {
    llvm.return
  }
}

// -----
gpu.module @k {
  // expected-error@+1 {{expects the range of argument #0 in its type, got another one}}
  llvm.func @k(%x: f32 {llvm.range = #llvm.constant_range<f32, 0, 4>}) attributes {gpu.kernel} {
    llvm.return
  }
}

// -----
gpu.module @k {
  // expected-error@+1 {{expects a range of argument #0 with a number in it, got 4 to below 4}}
  llvm.func @k(%n: i64 {llvm.range = #llvm.constant_range<i64, 4, 4>}) attributes {gpu.kernel} {
    llvm.return
  }
}

// -----
// Memory that the launch gives is declared, and once.
gpu.module @k {
  llvm.mlir.global external @all() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  // expected-error@+1 {{is dynamic shared memory: expected one such global in its gpu.module, got a second}}
  llvm.mlir.global external @more() {addr_space = 3 : i32} : !llvm.array<0 x i8>
}

// -----
gpu.module @k {
  // expected-error@+1 {{is dynamic shared memory: expected external linkage and no value}}
  llvm.mlir.global internal @all() {addr_space = 3 : i32} : !llvm.array<0 x i8>
}

// -----

// An address is of what lies in its space.
gpu.module @k {
  llvm.mlir.global internal @w() {addr_space = 3 : i32} : !llvm.array<4 x f32>
  llvm.mlir.global internal @c() {addr_space = 4 : i32} : !llvm.array<4 x f32>
  llvm.func @f() {
    llvm.return
  }
  llvm.func @k() attributes {gpu.kernel} {
    %0 = llvm.mlir.addressof @w : !llvm.ptr<3>
    %1 = llvm.mlir.addressof @c : !llvm.ptr<4>
    %2 = llvm.mlir.addressof @f : !llvm.ptr
    // expected-error@+1 {{takes an address in space 3 of a global in another space}}
    %3 = llvm.mlir.addressof @k : !llvm.ptr<3>
    llvm.return
  }
}

// -----

gpu.module @k {
  llvm.mlir.global internal @w() {addr_space = 3 : i32} : !llvm.array<4 x f32>
  llvm.func @k() attributes {gpu.kernel} {
    // expected-error@+1 {{takes an address in space 1 of a global in another space}}
    %0 = llvm.mlir.addressof @w : !llvm.ptr<1>
    llvm.return
  }
}

// -----

// What a launch cannot pass, and does not take.
gpu.module @k {
  // expected-error@+1 {{has argument 1 in space 3, which a launch has no address of}}
  llvm.func @k(%n: i64, %p: !llvm.ptr<3>) attributes {gpu.kernel} {
    llvm.return
  }
  llvm.func internal @f(%p: !llvm.ptr<3>, %q: !llvm.ptr<5>) {
    llvm.return
  }
}

// -----

gpu.module @k {
  // expected-error@+1 {{has argument 0 that no launch can pass, got !llvm.struct<(i32, i32)>}}
  llvm.func @k(%n: !llvm.struct<(i32, i32)>) attributes {gpu.kernel} {
    llvm.return
  }
}

// -----

gpu.module @k {
  // expected-error@+1 {{is a kernel and gives a value, got i32}}
  llvm.func @k(%n: i32) -> i32 attributes {gpu.kernel} {
    llvm.return %n : i32
  }
}

// -----

gpu.module @k {
  // expected-error@+1 {{is a kernel without a body}}
  llvm.func @k(i32) attributes {gpu.kernel}
}

// -----

gpu.module @k {
  // expected-error@+1 {{takes arguments that vary, which no device does}}
  llvm.func internal @f(%n: i32, ...) {
    llvm.return
  }
}

// -----

gpu.module @k {
  // expected-error@+1 {{is recursive, which no device runs}}
  llvm.func internal @even(%n: i32) -> i32 {
    %0 = llvm.call @odd(%n) : (i32) -> i32
    llvm.return %0 : i32
  }
  // expected-error@+1 {{is recursive, which no device runs}}
  llvm.func internal @odd(%n: i32) -> i32 {
    %0 = llvm.call @even(%n) : (i32) -> i32
    llvm.return %0 : i32
  }
  llvm.func @k(%n: i32) attributes {gpu.kernel} {
    %0 = llvm.call @even(%n) : (i32) -> i32
    llvm.return
  }
}

// -----

gpu.module @k {
  // expected-error@+1 {{has blocks of 32 x 1 x -1 threads, expected 1 to 1024 in all}}
  llvm.func @k() attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, -1>} {
    llvm.return
  }
}

// -----

gpu.module @k {
  // expected-error@+1 {{has blocks of 64 x 32 x 1 threads, expected 1 to 1024 in all}}
  llvm.func @k() attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 32, 1>} {
    llvm.return
  }
}

// -----

gpu.module @k {
  // expected-error@+1 {{has gpu.known_block_size of other than 3 dims}}
  llvm.func @k() attributes {gpu.kernel, gpu.known_block_size = array<i32: 64>} {
    llvm.return
  }
}
