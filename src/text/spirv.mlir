// RUN: heddle-opt %s | FileCheck %s
// RUN: heddle-opt %s | heddle-opt - | FileCheck %s
// RUN: heddle-opt %s | mlir-opt-22 - | FileCheck %s --check-prefix=MLIR
// Attributes by which MLIR says what a SPIR-V device offers and how a kernel is entered.

// CHECK: x.api = #spirv.target_env<#spirv.vce<v1.2, [Kernel], []>, api=OpenCL, Intel:DiscreteGPU:12, #spirv.resource_limits<>>
// CHECK-SAME: x.extension = #spirv.target_env<#spirv.vce<v1.2, [], [SPV_KHR_expect_assume]>, NVIDIA, #spirv.resource_limits<>>
// CHECK-SAME: x.limits = #spirv.resource_limits<max_compute_shared_memory_size = 17, max_compute_workgroup_invocations = 3, max_compute_workgroup_size = [4, 4, 64], subgroup_size = 16, min_subgroup_size = 8, max_subgroup_size = 32>
// CHECK-SAME: x.neither = #spirv.target_env<#spirv.vce<v1.2, [Kernel, Int64], []>, #spirv.resource_limits<>>
// MLIR: module attributes
module attributes {
  gpu.container_module,
  x.api = #spirv.target_env<#spirv.vce<v1.2, [Kernel], []>, api=OpenCL, Intel:DiscreteGPU:12, #spirv.resource_limits<>>,
  x.extension = #spirv.target_env<#spirv.vce<v1.2, [], [SPV_KHR_expect_assume]>, NVIDIA, #spirv.resource_limits<>>,
  x.limits = #spirv.resource_limits<subgroup_size = 16, max_compute_workgroup_size = [4, 4, 64], min_subgroup_size = 8, max_subgroup_size = 32, max_compute_shared_memory_size = 17, max_compute_workgroup_invocations = 3>,
  x.neither = #spirv.target_env<#spirv.vce<v1.2, [Kernel, Int64], []>, #spirv.resource_limits<>>
} {
  // CHECK: gpu.module @kernels attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [Addresses, Kernel], [SPV_EXT_shader_atomic_float_add]>, api=OpenCL, #spirv.resource_limits<>>} {
  // MLIR: gpu.module @kernels attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [Addresses, Kernel], [SPV_EXT_shader_atomic_float_add]>, api=OpenCL, #spirv.resource_limits<>>} {
  gpu.module @kernels attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [Addresses, Kernel], [SPV_EXT_shader_atomic_float_add]>, api=OpenCL, #spirv.resource_limits<>>} {
    // CHECK: gpu.func @any() kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<>}
    gpu.func @any() kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      gpu.return
    }
    // CHECK: gpu.func @sized() kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [32, 1, 1], subgroup_size = 32, target_width = 32>}
    gpu.func @sized() kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [32, 1, 1], subgroup_size = 32, target_width = 32>} {
      gpu.return
    }
  }
}
