// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --triton-upgrade --split-input-file --verify-diagnostics
#A = #triton_gpu.shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
tt.func @f(%x: tensor<4x4xi32, #A>) {
  // expected-error@+1 {{'arith.addi' op has no meaning for a tensor in shared memory}}
  %0 = arith.addi %x, %x : tensor<4x4xi32, #A>
  tt.return
}

// -----
#A = #triton_gpu.shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
tt.func @f(%p: tensor<4x4x!tt.ptr<i32>>, %i: i32) {
  %0 = triton_gpu.alloc_tensor : tensor<2x4x4xi32, #A>
  %1 = triton_gpu.insert_slice_async %p, %0, %i {axis = 0 : i32} : tensor<4x4x!tt.ptr<i32>> -> tensor<2x4x4xi32, #A>
  // expected-error@+1 {{uses a tensor in shared memory that an insertion before it has changed}}
  %2 = triton_gpu.extract_slice %0[%i, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xi32, #A> to tensor<4x4xi32, #A>
  tt.return
}

// -----
#A = #triton_gpu.shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#B = #triton_gpu.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
tt.func @f(%p: tensor<4x4x!tt.ptr<i32>, #B>, %i: i32) {
  %0 = triton_gpu.alloc_tensor : tensor<2x4x4xi32, #A>
  %c1 = arith.constant 1 : i32
  %1 = triton_gpu.extract_slice %0[0, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xi32, #A> to tensor<4x4xi32, #A>
  %2 = triton_gpu.extract_slice %0[1, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xi32, #A> to tensor<4x4xi32, #A>
  %3 = triton_gpu.extract_slice %2[0, 0] [4, 2] [1, 1] : tensor<4x4xi32, #A> to tensor<4x2xi32, #A>
  %4 = triton_gpu.insert_slice_async %p, %0, %c1 {axis = 0 : i32} : tensor<4x4x!tt.ptr<i32>, #B> -> tensor<2x4x4xi32, #A>
  %5 = triton_gpu.convert_layout %1 : (tensor<4x4xi32, #A>) -> tensor<4x4xi32, #B>
  // expected-error@+1 {{uses a tensor in shared memory that an insertion before it has changed}}
  %6 = triton_gpu.convert_layout %3 : (tensor<4x2xi32, #A>) -> tensor<4x2xi32, #B>
  tt.return
}

// -----
#A = #triton_gpu.shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
tt.func @f(%p: tensor<2x4x!tt.ptr<i32>>, %i: i32) {
  %0 = triton_gpu.alloc_tensor : tensor<2x4x4xi32, #A>
  // expected-error@+1 {{inserts along dim 1, but the first dim counts buffers}}
  %1 = triton_gpu.insert_slice_async %p, %0, %i {axis = 1 : i32} : tensor<2x4x!tt.ptr<i32>> -> tensor<2x4x4xi32, #A>
  tt.return
}

// -----
#A = #triton_gpu.shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
tt.func @f(%p: tensor<4x4x!tt.ptr<i32>>, %i: i32) {
  %0 = triton_gpu.alloc_tensor : tensor<2x4x4xi32, #A>
  // expected-error@+1 {{expects known offsets but that of a first dim that counts buffers, got an unknown one of dim 1}}
  %1 = triton_gpu.extract_slice %0[0, %i, 0] [1, 2, 4] [1, 1, 1] : tensor<2x4x4xi32, #A> to tensor<2x4xi32, #A>
  tt.return
}

// -----
#A = #triton_gpu.shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
tt.func @f(%p: tensor<4x8x!tt.ptr<i32>>, %i: i32) {
  %0 = triton_gpu.alloc_tensor : tensor<2x4x4xi32, #A>
  // expected-error@+1 {{expects the dims of 'dst' but that of 'axis'}}
  %1 = triton_gpu.insert_slice_async %p, %0, %i {axis = 0 : i32} : tensor<4x8x!tt.ptr<i32>> -> tensor<2x4x4xi32, #A>
  tt.return
}

// -----
tt.func @f() {
  // expected-error@+1 {{expects a tensor with a layout of shared memory}}
  %0 = triton_gpu.alloc_tensor : tensor<2x16x64xf16>
  tt.return
}

// -----
#A = #triton_gpu.shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
tt.func @f(%x: tensor<2x4x4xi32, #A>) {
  // expected-error@+1 {{expects dim 1 within 4, got 2 elements from 3 on}}
  %0 = triton_gpu.extract_slice %x[0, 3, 0] [1, 2, 4] [1, 1, 1] : tensor<2x4x4xi32, #A> to tensor<2x4xi32, #A>
  tt.return
}

// -----
#B = #triton_gpu.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#A = #triton_gpu.shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#D = #triton_gpu.dot_op<{opIdx = 1, parent = #B}>
tt.func @f(%a: tensor<4x4xf32, #A>, %b: tensor<4x4xf32, #D>, %c: tensor<4x4xf32, #B>) {
  // expected-error@+1 {{expects its second operand in shared memory}}
  %0 = tt.dot %a, %b, %c : tensor<4x4xf32, #A> * tensor<4x4xf32, #D> -> tensor<4x4xf32, #B>
  tt.return
}
