// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --disc-buffer-deallocation --split-input-file %s | FileCheck %s

// CHECK-LABEL: @elementwise
// CHECK: hd.launch @[[K:.*]] extent
// CHECK: return
// CHECK: func.func private @[[K]]({{.*}}: memref<?xf32> {llvm.noalias}
// CHECK: vector.load
// CHECK: vector.maskedstore
func.func @elementwise(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<?xf32>
  %1 = stablehlo.add %0, %arg0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// The buffer between two kernels is freed after the second.
// CHECK-LABEL: @temporary
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: hd.launch {{.*}}%[[T]]
// CHECK: hd.ral_call "ral_dot_general
// CHECK: memref.dealloc %[[T]]
// CHECK: return
func.func @temporary(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<32x32xf32>
  %1 = stablehlo.dot %0, %arg0 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}

// -----

// Equal fusions are one kernel, whatever buffers they touch; a fusion of other numbers is another.
// CHECK-LABEL: @equal
// CHECK: hd.launch @[[K:.*]] extent{{.*}}args(%arg0, %arg1
// CHECK: hd.launch @[[OTHER:.*]] extent
// CHECK: hd.launch @[[K]] extent
// CHECK: hd.launch @[[OTHER]] extent
// CHECK: return
// CHECK: func.func private @[[K]](
// CHECK: func.func private @[[OTHER]](
// CHECK-NOT: func.func private
func.func @equal(%arg0: tensor<40xf32>, %arg1: tensor<40xf32>, %w: tensor<40x40xf32>) -> (tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) {
  %0 = stablehlo.subtract %arg0, %arg1 : tensor<40xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<40xf32>
  %2 = stablehlo.dot %1, %w : (tensor<40xf32>, tensor<40x40xf32>) -> tensor<40xf32>
  %3 = stablehlo.subtract %arg1, %arg0 : tensor<40xf32>
  %4 = stablehlo.reverse %3, dims = [0] : tensor<40xf32>
  %5 = stablehlo.dot %4, %w : (tensor<40xf32>, tensor<40x40xf32>) -> tensor<40xf32>
  return %0, %2, %5 : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>
}

// -----

// Equal products share the table of their dims.
// CHECK-LABEL: @tables
// CHECK-COUNT-1: memref.alloca() : memref<15xi64>
// CHECK: hd.ral_call "ral_dot_general
// CHECK-NOT: memref.alloca
// CHECK: hd.ral_call "ral_dot_general
func.func @tables(%arg0: tensor<?x5xf32>, %w: tensor<5x5xf32>) -> tensor<?x5xf32> {
  %0 = stablehlo.dot_general %arg0, %w, contracting_dims = [1] x [0] : (tensor<?x5xf32>, tensor<5x5xf32>) -> tensor<?x5xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<?x5xf32>, tensor<5x5xf32>) -> tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// -----

// Rows of whole vectors have no tail, rows of less than one vector nothing but it.
// CHECK-LABEL: @whole
// CHECK: return
// CHECK: vector.store
// CHECK-NOT: vector.maskedstore
func.func @whole(%arg0: tensor<?x48xf32>) -> tensor<?x48xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<?x48xf32>
  return %0 : tensor<?x48xf32>
}

// -----

// CHECK-LABEL: @short
// CHECK: return
// CHECK-NOT: vector.store
// CHECK: vector.maskedstore
func.func @short(%arg0: tensor<7xf32>) -> tensor<7xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

// A long body is made once: its last vector may be part of one.
// CHECK-LABEL: @long
// CHECK: return
// CHECK: vector.create_mask
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// CHECK: scf.if
// CHECK: vector.store
// CHECK: vector.maskedstore
func.func @long(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<?xf32>
  %1 = stablehlo.add %0, %arg0 : tensor<?xf32>
  %2 = stablehlo.multiply %1, %arg0 : tensor<?xf32>
  %3 = stablehlo.add %2, %arg0 : tensor<?xf32>
  %4 = stablehlo.multiply %3, %arg0 : tensor<?xf32>
  %5 = stablehlo.add %4, %arg0 : tensor<?xf32>
  %6 = stablehlo.multiply %5, %arg0 : tensor<?xf32>
  %7 = stablehlo.add %6, %arg0 : tensor<?xf32>
  %8 = stablehlo.multiply %7, %arg0 : tensor<?xf32>
  %9 = stablehlo.add %8, %arg0 : tensor<?xf32>
  %10 = stablehlo.multiply %9, %arg0 : tensor<?xf32>
  %11 = stablehlo.add %10, %arg0 : tensor<?xf32>
  %12 = stablehlo.multiply %11, %arg0 : tensor<?xf32>
  %13 = stablehlo.add %12, %arg0 : tensor<?xf32>
  %14 = stablehlo.multiply %13, %arg0 : tensor<?xf32>
  %15 = stablehlo.add %14, %arg0 : tensor<?xf32>
  %16 = stablehlo.multiply %15, %arg0 : tensor<?xf32>
  %17 = stablehlo.add %16, %arg0 : tensor<?xf32>
  %18 = stablehlo.multiply %17, %arg0 : tensor<?xf32>
  %19 = stablehlo.add %18, %arg0 : tensor<?xf32>
  %20 = stablehlo.multiply %19, %arg0 : tensor<?xf32>
  %21 = stablehlo.add %20, %arg0 : tensor<?xf32>
  %22 = stablehlo.multiply %21, %arg0 : tensor<?xf32>
  %23 = stablehlo.add %22, %arg0 : tensor<?xf32>
  %24 = stablehlo.multiply %23, %arg0 : tensor<?xf32>
  %25 = stablehlo.add %24, %arg0 : tensor<?xf32>
  %26 = stablehlo.multiply %25, %arg0 : tensor<?xf32>
  %27 = stablehlo.add %26, %arg0 : tensor<?xf32>
  %28 = stablehlo.multiply %27, %arg0 : tensor<?xf32>
  %29 = stablehlo.add %28, %arg0 : tensor<?xf32>
  %30 = stablehlo.multiply %29, %arg0 : tensor<?xf32>
  %31 = stablehlo.add %30, %arg0 : tensor<?xf32>
  %32 = stablehlo.multiply %31, %arg0 : tensor<?xf32>
  %33 = stablehlo.add %32, %arg0 : tensor<?xf32>
  %34 = stablehlo.multiply %33, %arg0 : tensor<?xf32>
  %35 = stablehlo.add %34, %arg0 : tensor<?xf32>
  %36 = stablehlo.multiply %35, %arg0 : tensor<?xf32>
  %37 = stablehlo.add %36, %arg0 : tensor<?xf32>
  %38 = stablehlo.multiply %37, %arg0 : tensor<?xf32>
  %39 = stablehlo.add %38, %arg0 : tensor<?xf32>
  %40 = stablehlo.multiply %39, %arg0 : tensor<?xf32>
  %41 = stablehlo.add %40, %arg0 : tensor<?xf32>
  %42 = stablehlo.multiply %41, %arg0 : tensor<?xf32>
  %43 = stablehlo.add %42, %arg0 : tensor<?xf32>
  %44 = stablehlo.multiply %43, %arg0 : tensor<?xf32>
  %45 = stablehlo.add %44, %arg0 : tensor<?xf32>
  %46 = stablehlo.multiply %45, %arg0 : tensor<?xf32>
  %47 = stablehlo.add %46, %arg0 : tensor<?xf32>
  %48 = stablehlo.multiply %47, %arg0 : tensor<?xf32>
  %49 = stablehlo.add %48, %arg0 : tensor<?xf32>
  %50 = stablehlo.multiply %49, %arg0 : tensor<?xf32>
  %51 = stablehlo.add %50, %arg0 : tensor<?xf32>
  %52 = stablehlo.multiply %51, %arg0 : tensor<?xf32>
  %53 = stablehlo.add %52, %arg0 : tensor<?xf32>
  %54 = stablehlo.multiply %53, %arg0 : tensor<?xf32>
  %55 = stablehlo.add %54, %arg0 : tensor<?xf32>
  %56 = stablehlo.multiply %55, %arg0 : tensor<?xf32>
  %57 = stablehlo.add %56, %arg0 : tensor<?xf32>
  %58 = stablehlo.multiply %57, %arg0 : tensor<?xf32>
  %59 = stablehlo.add %58, %arg0 : tensor<?xf32>
  %60 = stablehlo.multiply %59, %arg0 : tensor<?xf32>
  %61 = stablehlo.add %60, %arg0 : tensor<?xf32>
  %62 = stablehlo.multiply %61, %arg0 : tensor<?xf32>
  %63 = stablehlo.add %62, %arg0 : tensor<?xf32>
  %64 = stablehlo.multiply %63, %arg0 : tensor<?xf32>
  %65 = stablehlo.add %64, %arg0 : tensor<?xf32>
  %66 = stablehlo.multiply %65, %arg0 : tensor<?xf32>
  %67 = stablehlo.add %66, %arg0 : tensor<?xf32>
  %68 = stablehlo.multiply %67, %arg0 : tensor<?xf32>
  %69 = stablehlo.add %68, %arg0 : tensor<?xf32>
  return %69 : tensor<?xf32>
}
