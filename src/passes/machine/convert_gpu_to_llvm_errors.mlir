// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --convert-gpu-to-llvm --split-input-file --verify-diagnostics
gpu.module @k {
  gpu.func @k(%m: memref<?xf32, #gpu.address_space<global>>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.load %m[%c0] : memref<?xf32, #gpu.address_space<global>>
    // expected-error@+1 {{has no machine form}}
    %y = math.exp %x : f32
    memref.store %y, %m[%c0] : memref<?xf32, #gpu.address_space<global>>
    gpu.return
  }
}

// -----
gpu.module @k {
  // expected-error@+1 {{has a buffer in a memory that no kernel reaches}}
  gpu.func @k(%m: memref<?xf32>) kernel {
    gpu.return
  }
}

// -----
gpu.module @k {
  // expected-error@+1 {{has a buffer with strides that its type does not say}}
  gpu.func @k(%m: memref<?xf32, strided<[?]>, #gpu.address_space<global>>) kernel {
    gpu.return
  }
}

// -----
gpu.module @k {
  gpu.func @k(%m: memref<?xf8E4M3FN, #gpu.address_space<global>>, %x: f8E4M3FN) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{is of a kind that has no atomic form}}
    %y = memref.atomic_rmw mulf %x, %m[%c0] : (f8E4M3FN, memref<?xf8E4M3FN, #gpu.address_space<global>>) -> f8E4M3FN
    gpu.return
  }
}

// -----
gpu.module @k {
  gpu.func @k(%m: memref<?xi48, #gpu.address_space<global>>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{updates an element that no device exchanges, got i48}}
    %y = memref.generic_atomic_rmw %m[%c0] : memref<?xi48, #gpu.address_space<global>> {
    ^bb0(%old: i48):
      memref.atomic_yield %old : i48
    }
    gpu.return
  }
}

// -----
gpu.module @k {
  gpu.func @k(%x: i32, %c: i1) kernel {
    scf.if %c {
      // expected-error@+1 {{takes a lane that is active under control flow, expected 'specific_lane'}}
      %y = gpu.subgroup_broadcast %x, first_active_lane : i32
    }
    gpu.return
  }
}

// -----
gpu.module @k {
  gpu.func @k(%x: i32) kernel {
    // expected-error@+1 {{rotates by 16 of 16 lanes, expected 1 to 32 lanes and less than those}}
    %y, %ok = gpu.rotate %x, 16, 16 : i32
    gpu.return
  }
}

// -----
gpu.module @k {
  // expected-error@+1 {{has a value of a type that has no machine form}}
  gpu.func @k(%x: i128) kernel {
    gpu.return
  }
}

// -----
gpu.module @k {
  gpu.func @k(%m: memref<?xf8E4M3FN, #gpu.address_space<global>>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.load %m[%c0] : memref<?xf8E4M3FN, #gpu.address_space<global>>
    // expected-error@+1 {{computes on floats that have no machine form, got f8E4M3FN}}
    %y = arith.addf %x, %x : f8E4M3FN
    memref.store %y, %m[%c0] : memref<?xf8E4M3FN, #gpu.address_space<global>>
    gpu.return
  }
}

// -----
// How much memory a launch gives is no word of it.
gpu.module @k {
  gpu.func @k(%m: memref<1xindex, #gpu.address_space<global>>) kernel {
    %c0 = arith.constant 0 : index
    %all = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    // expected-error@+1 {{is a size that the kernel does not receive: expected it as a launch parameter}}
    %n = memref.dim %all, %c0 : memref<?xi8, #gpu.address_space<workgroup>>
    memref.store %n, %m[%c0] : memref<1xindex, #gpu.address_space<global>>
    gpu.return
  }
}
