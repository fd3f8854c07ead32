// RUN: heddle-opt --bf16-to-gpu --split-input-file --verify-diagnostics %s

func.func @inline(%a: memref<4xbf16>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{'gpu.launch' op computes on bf16 in place, expected a kernel of its own (gpu.launch_func)}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = memref.load %a[%bx] : memref<4xbf16>
    memref.store %x, %a[%tx] : memref<4xbf16>
    gpu.terminator
  }
  return
}

// -----

func.func @inline_nested(%a: memref<4xf32>, %t: i1) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{'gpu.launch' op computes on bf16 in place, expected a kernel of its own (gpu.launch_func)}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    scf.if %t {
      %x = memref.load %a[%bx] : memref<4xf32>
      %y = arith.truncf %x : f32 to bf16
      %z = arith.extf %y : bf16 to f32
      memref.store %z, %a[%bx] : memref<4xf32>
    }
    gpu.terminator
  }
  return
}

// -----

gpu.module @k {
  gpu.func @masked(%v: vector<8xbf16>, %m: vector<8xi1>) kernel {
    // expected-error@+1 {{'vector.reduction' op has no form on bf16 that is kept as i16}}
    %r = vector.mask %m { vector.reduction <maximumf>, %v : vector<8xbf16> into bf16 } : vector<8xi1> -> bf16
    gpu.return
  }
}

// -----

gpu.module @k {
  // expected-error@+1 {{'gpu.func' op has an argument with bf16 in a type that has no form of i16}}
  gpu.func @pairs(%a: memref<4xcomplex<bf16>>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.load %a[%c0] : memref<4xcomplex<bf16>>
    memref.store %x, %a[%c0] : memref<4xcomplex<bf16>>
    gpu.return
  }
}

// -----

gpu.module @k {
  // expected-error@+1 {{'func.func' op takes bf16 and is defined elsewhere, expected its body}}
  func.func private @outside(bf16) -> bf16
  gpu.func @calls(%x: bf16) kernel {
    %y = func.call @outside(%x) : (bf16) -> bf16
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @machine(%x: bf16) kernel {
    // expected-error@+1 {{'llvm.fadd' op has no form on bf16 that is kept as i16}}
    %y = llvm.fadd %x, %x : bf16
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @combines(%x: bf16) kernel {
    // expected-error@+1 {{'gpu.all_reduce' op has no form on bf16 that is kept as i16}}
    %y = gpu.all_reduce %x {
    ^bb0(%l: bf16, %r: bf16):
      %s = arith.addf %l, %r : bf16
      gpu.yield %s : bf16
    } : (bf16) -> (bf16)
    gpu.return
  }
}

// -----

#transposed = affine_map<(d0, d1) -> (d1, d0)>
module attributes {gpu.container_module} {
  func.func @layout() {
    // expected-error@+1 {{'gpu.alloc' op allocates bf16 with a layout, expected a dense buffer}}
    %m = gpu.alloc () : memref<4x4xbf16, #transposed>
    return
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @unranked(%a: memref<*xbf16>) {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{'gpu.launch_func' op passes bf16 in a value that has no form of i16}}
    gpu.launch_func @k::@takes blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<*xbf16>)
    return
  }
  gpu.module @k {
    gpu.func @takes(%a: memref<*xbf16>) kernel {
      gpu.return
    }
  }
}
