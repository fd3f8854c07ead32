// RUN: heddle-opt %s --split-input-file --verify-diagnostics --pass-pipeline=inline,spmd-partition

module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-error@+1 {{has 2 devices, and the program has 4 partitions}}
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  // expected-error@+1 {{splits dim 0 of size 7 into 2 parts, expected a divisor of the size}}
  func.func @main(%x: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<7xf32> {
    return %x : tensor<7xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    // expected-error@+1 {{has a side effect and a result that cannot be sent to the other partitions}}
    %0 = stablehlo.custom_call @print(%x) {has_side_effect = true} : (tensor<8xf32>) -> tensor<?xf32>
    return %x : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  // expected-error@+1 {{expects an axis of its mesh, got 'z'}}
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}]>}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  // expected-error@+1 {{expects a sharding of 1 dims, one per dim of the tensor, got 2}}
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 6 : i32} {
  sdy.mesh @a = <["x"=2, "y"=3]>
  // expected-error@+1 {{is laid out on the devices in another way than the first mesh, and both have no common parts}}
  sdy.mesh @b = <["x"=3, "y"=2]>
  func.func @main(%x: tensor<6xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}, %y: tensor<6xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}]>}) -> tensor<6xf32> {
    return %x : tensor<6xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 6 : i32} {
  sdy.mesh @mesh = <["x"=6]>
  // expected-error@+1 {{has a part of a mesh axis that ends within another part}}
  func.func @main(%x: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}]>}, %y: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)3}]>}) -> tensor<6xf32> {
    return %x : tensor<6xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @a = <["x"=2]>
  // expected-error@+1 {{expects each device from 0 to 1 once in device_ids}}
  sdy.mesh @b = <["x"=2], device_ids=[1, 1]>
  func.func @main(%x: tensor<6xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}, %y: tensor<6xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}]>}) -> tensor<6xf32> {
    return %x : tensor<6xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{is not supported}}
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[3]0,1,2}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{is not supported}}
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]0,1 last_tile_dims={strange}}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{expects a sharding of 1 dims, one per dim of the tensor, got 2}}
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,1]0,1}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{is not supported}}
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]<=[2]T(1)}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{is not supported}}
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{{replicated}, {replicated}}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{is not supported}}
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "devices"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{expects each device from 0 to 1 once in device_ids}}
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]0,0}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
    // expected-error@+1 {{has another type than its operand and sharding give}}
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}
