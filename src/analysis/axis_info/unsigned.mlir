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
