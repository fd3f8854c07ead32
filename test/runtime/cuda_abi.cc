/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled, not run: what drivers/cuda says of CUDA's libraries without their headers, beside the headers. Parameters are of one size and kind (an address, a number, a
 * float), and each number is what the header has. */
#include <cublasLt.h>
#include <cuda.h>
#include <nccl.h>
#include <nvJitLink.h>
#include <stddef.h>
#include <stdint.h>

#include <type_traits>

template <class A, class B>
constexpr bool alike = std::is_void_v<A> ? std::is_void_v<B>
                                         : sizeof(std::conditional_t<std::is_void_v<A>, char, A>) ==
                                                   sizeof(std::conditional_t<std::is_void_v<B>, char, B>) &&
                                               std::is_pointer_v<A> == std::is_pointer_v<B> &&
                                               std::is_floating_point_v<A> == std::is_floating_point_v<B>;
template <class A, class B>
struct same : std::false_type {};
template <class R, class... P, class S, class... Q>
struct same<R (*)(P...), S (*)(Q...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(P) == sizeof...(Q))
      return alike<R, S> && (alike<P, Q> && ...);
    else
      return false;
  }();
};
/* A struct of the caller's choice is passed by its bytes alone. */
#define SAME(mine, theirs) static_assert(same<mine, std::remove_reference_t<decltype(&theirs)>>::value, #theirs)
#define NUMBER(mine, theirs) static_assert((int)(mine) == (int)(theirs), #theirs)

namespace driver {
typedef struct hd_cu_context *cu_context;
typedef struct hd_cu_module *cu_module;
typedef struct hd_cu_function *cu_function;
typedef struct hd_cu_stream *cu_stream;
typedef struct hd_cu_event *cu_event;
typedef uint64_t cu_address;
GRAPH_TYPES
DRIVER_ROWS
GRAPH_ROWS
DRIVER_NUMBERS
static_assert(sizeof(cu_graph_kernel) == sizeof(CUDA_KERNEL_NODE_PARAMS_v2), "CUDA_KERNEL_NODE_PARAMS_v2");
static_assert(offsetof(cu_graph_kernel, block) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, blockDimX), "blockDimX");
static_assert(offsetof(cu_graph_kernel, shared) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, sharedMemBytes), "shared");
static_assert(offsetof(cu_graph_kernel, parameters) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kernelParams), "parameters");
}  // namespace driver
namespace blas {
using driver::cu_stream;
BLAS_TYPES
BLAS_ROWS
static_assert(sizeof(blas_found) == sizeof(cublasLtMatmulHeuristicResult_t), "cublasLtMatmulHeuristicResult_t");
static_assert(offsetof(blas_found, workspace) == offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize),
              "workspaceSize");
static_assert(offsetof(blas_found, status) == offsetof(cublasLtMatmulHeuristicResult_t, state), "state");
static_assert(sizeof(blas_algorithm) == sizeof(cublasLtMatmulAlgo_t), "cublasLtMatmulAlgo_t");
}  // namespace blas
namespace link {
typedef struct hd_nv_jit_link *jit_link;
LINK_ROWS
static_assert(NVJITLINK_INPUT_PTX == 2, "the kind of input");
}  // namespace link
namespace nccl {
using driver::cu_stream;
typedef struct hd_nccl_group *nccl_group;
typedef struct nccl_id {
  char bytes[128];
} nccl_id;
NCCL_ROWS
static_assert(sizeof(nccl_id) == sizeof(ncclUniqueId) && alignof(nccl_id) == alignof(ncclUniqueId), "ncclUniqueId");
NUMBER(0, ncclInt8);
}  // namespace nccl
