// RUN: heddle-opt %s --split-input-file --outline-math | FileCheck %s

// Seventeen of one function in a kernel are calls; of the other function, of another type and of a constant they stay.
// CHECK-LABEL: func.func @many
// CHECK-NOT: math.tanh %{{.*}} : vector<16xf32>
// CHECK-COUNT-17: call @math.tanh.f32x16(%{{.*}}) : (vector<16xf32>) -> vector<16xf32>
// CHECK-NOT: call
// CHECK: math.exp %{{.*}} : vector<16xf32>
// CHECK: math.tanh %{{.*}} : f32
// CHECK: math.powf
// CHECK: func.func private @math.tanh.f32x16(%[[X:.*]]: vector<16xf32>) -> vector<16xf32> attributes {hd.math}
// CHECK-NEXT: %[[Y:.*]] = math.tanh %[[X]] : vector<16xf32>
// CHECK-NEXT: return %[[Y]]
// CHECK-NOT: func.func
func.func @many(%in: memref<?xf32>, %out: memref<?xf32>, %begin: index, %end: index) attributes {hd.kernel} {
  %c0 = arith.constant 0 : index
  %two = arith.constant dense<2.5> : vector<16xf32>
  %x = vector.load %in[%c0] : memref<?xf32>, vector<16xf32>
  %t0 = math.tanh %x : vector<16xf32>
  %t1 = math.tanh %t0 : vector<16xf32>
  %t2 = math.tanh %t1 : vector<16xf32>
  %t3 = math.tanh %t2 : vector<16xf32>
  %t4 = math.tanh %t3 : vector<16xf32>
  %t5 = math.tanh %t4 : vector<16xf32>
  %t6 = math.tanh %t5 : vector<16xf32>
  %t7 = math.tanh %t6 : vector<16xf32>
  %t8 = math.tanh %t7 : vector<16xf32>
  %t9 = math.tanh %t8 : vector<16xf32>
  %t10 = math.tanh %t9 : vector<16xf32>
  %t11 = math.tanh %t10 : vector<16xf32>
  %t12 = math.tanh %t11 : vector<16xf32>
  %t13 = math.tanh %t12 : vector<16xf32>
  %t14 = math.tanh %t13 : vector<16xf32>
  %t15 = math.tanh %t14 : vector<16xf32>
  %t16 = math.tanh %t15 : vector<16xf32>
  %e = math.exp %t16 : vector<16xf32>
  %s = vector.extract %e[0] : f32 from vector<16xf32>
  %u = math.tanh %s : f32
  %v = vector.broadcast %u : f32 to vector<16xf32>
  %p = math.powf %v, %two : vector<16xf32>
  vector.store %p, %out[%c0] : memref<?xf32>, vector<16xf32>
  return
}

// -----

// Sixteen stay, and a function that is no kernel keeps all.
// CHECK-LABEL: func.func @few
// CHECK-NOT: call
// CHECK-LABEL: func.func @other
// CHECK-NOT: call
// CHECK-NOT: hd.math
func.func @few(%in: memref<?xf32>, %out: memref<?xf32>, %begin: index, %end: index) attributes {hd.kernel} {
  %c0 = arith.constant 0 : index
  %x = vector.load %in[%c0] : memref<?xf32>, vector<16xf32>
  %t0 = math.tanh %x : vector<16xf32>
  %t1 = math.tanh %t0 : vector<16xf32>
  %t2 = math.tanh %t1 : vector<16xf32>
  %t3 = math.tanh %t2 : vector<16xf32>
  %t4 = math.tanh %t3 : vector<16xf32>
  %t5 = math.tanh %t4 : vector<16xf32>
  %t6 = math.tanh %t5 : vector<16xf32>
  %t7 = math.tanh %t6 : vector<16xf32>
  %t8 = math.tanh %t7 : vector<16xf32>
  %t9 = math.tanh %t8 : vector<16xf32>
  %t10 = math.tanh %t9 : vector<16xf32>
  %t11 = math.tanh %t10 : vector<16xf32>
  %t12 = math.tanh %t11 : vector<16xf32>
  %t13 = math.tanh %t12 : vector<16xf32>
  %t14 = math.tanh %t13 : vector<16xf32>
  %t15 = math.tanh %t14 : vector<16xf32>
  vector.store %t15, %out[%c0] : memref<?xf32>, vector<16xf32>
  return
}

func.func @other(%x: vector<16xf32>) -> vector<16xf32> {
  %t0 = math.tanh %x : vector<16xf32>
  %t1 = math.tanh %t0 : vector<16xf32>
  %t2 = math.tanh %t1 : vector<16xf32>
  %t3 = math.tanh %t2 : vector<16xf32>
  %t4 = math.tanh %t3 : vector<16xf32>
  %t5 = math.tanh %t4 : vector<16xf32>
  %t6 = math.tanh %t5 : vector<16xf32>
  %t7 = math.tanh %t6 : vector<16xf32>
  %t8 = math.tanh %t7 : vector<16xf32>
  %t9 = math.tanh %t8 : vector<16xf32>
  %t10 = math.tanh %t9 : vector<16xf32>
  %t11 = math.tanh %t10 : vector<16xf32>
  %t12 = math.tanh %t11 : vector<16xf32>
  %t13 = math.tanh %t12 : vector<16xf32>
  %t14 = math.tanh %t13 : vector<16xf32>
  %t15 = math.tanh %t14 : vector<16xf32>
  %t16 = math.tanh %t15 : vector<16xf32>
  return %t16 : vector<16xf32>
}
