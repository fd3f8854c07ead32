// A negative constant is a large number to ops on unsigned ones: -1 divided by 64 is 67108863, not 0, and the larger of it and 64 is itself.
// RUN: heddle-opt --test-print-alignment %s 2>&1 | FileCheck %s
tt.func @f() {
  %0 = arith.constant dense<-1> : tensor<128xi32>
  %1 = arith.constant dense<64> : tensor<128xi32>
  // CHECK: arith.divui {{.*}}contiguity = [1], divisibility = [1], constancy = [128], constant_value = <none>
  %2 = arith.divui %0, %1 : tensor<128xi32>
  // CHECK: arith.maxui {{.*}}contiguity = [1], divisibility = [1], constancy = [128], constant_value = <none>
  %3 = arith.maxui %0, %1 : tensor<128xi32>
  // CHECK: arith.divsi {{.*}}divisibility = [{{[0-9]+}}], constancy = [128], constant_value = 0
  %4 = arith.divsi %0, %1 : tensor<128xi32>
  // CHECK: arith.divui {{.*}}divisibility = [1], constancy = [128], constant_value = 1
  %5 = arith.divui %1, %1 : tensor<128xi32>
  tt.return
}
// Nor is a constant one of another width that does not have it: of i8, -1 is 255 in i32 without a sign, and 300 is 44.
tt.func @casts() {
  %0 = arith.constant -1 : i8
  // CHECK: arith.extui {{.*}}constant_value = <none>
  %1 = arith.extui %0 : i8 to i32
  // CHECK: arith.extsi {{.*}}constant_value = -1
  %2 = arith.extsi %0 : i8 to i32
  %3 = arith.constant 300 : i32
  // CHECK: arith.trunci {{.*}}divisibility = [4], {{.*}}constant_value = <none>
  %4 = arith.trunci %3 : i32 to i8
  // CHECK: arith.trunci {{.*}}constant_value = 300
  %5 = arith.trunci %3 : i32 to i16
  %6 = arith.constant true
  // CHECK: arith.extui {{.*}}constant_value = 1,
  %7 = arith.extui %6 : i1 to i32
  tt.return
}
