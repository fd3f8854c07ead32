# SPDX-License-Identifier: Apache-2.0
"""What drivers/cuda says of CUDA's libraries is what CUDA's headers say, where they are: parameters, structs and numbers (cuda_abi.cc)."""
import os
import re
import shutil
import subprocess

import pytest

FOLDERS = [os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "include")]
DNN_FOLDERS = [*FOLDERS, "/usr/local/include", "/usr/include", "/usr/include/x86_64-linux-gnu"]
# Names of the driver's numbers, and of cuBLASLt's, as the headers have them.
DRIVER = {"CU_OUT_OF_MEMORY": "CUDA_ERROR_OUT_OF_MEMORY", "CU_NO_DEVICE": "CUDA_ERROR_NO_DEVICE", "CU_NO_JIT": "CUDA_ERROR_JIT_COMPILER_NOT_FOUND",
          "CU_PTX_TOO_NEW": "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "CU_JIT_DISABLED": "CUDA_ERROR_JIT_COMPILATION_DISABLED", "CU_NOT_READY": "CUDA_ERROR_NOT_READY",
          "CU_BLOCK_LIMIT": "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK", "CU_GRID_LIMIT_X": "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X", "CU_WARP": "CU_DEVICE_ATTRIBUTE_WARP_SIZE",
          "CU_UNIFIED_ADDRESSES": "CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING", "CU_MAJOR": "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR",
          "CU_MINOR": "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR", "CU_SHARED_LIMIT": "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN",
          "CU_MEMORY_POOLS": "CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED", "CU_JIT_ERRORS": "CU_JIT_ERROR_LOG_BUFFER", "CU_JIT_ERRORS_SIZE": "CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES",
          "CU_FUNCTION_DYNAMIC_SHARED": "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES", "CU_STREAM_APART": "CU_STREAM_NON_BLOCKING", "CU_EVENT_NO_TIMES": "CU_EVENT_DISABLE_TIMING",
          "CU_HOST_EVERY_CONTEXT": "CU_MEMHOSTALLOC_PORTABLE"}
BLAS = {"BLAS_F32": "CUDA_R_32F", "BLAS_F64": "CUDA_R_64F", "BLAS_F16": "CUDA_R_16F", "BLAS_I8": "CUDA_R_8I", "BLAS_I32": "CUDA_R_32I", "BLAS_BF16": "CUDA_R_16BF",
        "BLAS_SUM_F32": "CUBLAS_COMPUTE_32F", "BLAS_SUM_F64": "CUBLAS_COMPUTE_64F", "BLAS_SUM_I32": "CUBLAS_COMPUTE_32I", "BLAS_SUM_TF32": "CUBLAS_COMPUTE_32F_FAST_TF32",
        "BLAS_PRODUCT_LEFT_TRANSPOSED": "CUBLASLT_MATMUL_DESC_TRANSA", "BLAS_PRODUCT_RIGHT_TRANSPOSED": "CUBLASLT_MATMUL_DESC_TRANSB", "BLAS_MATRIX_COUNT": "CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT",
        "BLAS_MATRIX_STEP": "CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET", "BLAS_PREFERENCE_WORKSPACE": "CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES",
        "BLAS_PREFERENCE_ALIGNMENT": "CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES"}

DNN = {"DNN_F32": "CUDNN_DATA_FLOAT", "DNN_F64": "CUDNN_DATA_DOUBLE", "DNN_F16": "CUDNN_DATA_HALF", "DNN_BF16": "CUDNN_DATA_BFLOAT16", "DNN_REVERSED": "CUDNN_CONVOLUTION",
       "DNN_PLAIN": "CUDNN_CROSS_CORRELATION", "DNN_FIND_FALLBACK": "CUDNN_HEUR_MODE_FALLBACK", "DNN_FIND_BEST": "CUDNN_HEUR_MODE_A", "DNN_CONVOLUTION": "CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR",
       "DNN_ENGINE": "CUDNN_BACKEND_ENGINE_DESCRIPTOR", "DNN_CONFIG": "CUDNN_BACKEND_ENGINECFG_DESCRIPTOR", "DNN_HEURISTICS": "CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR",
       "DNN_PLAN": "CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR", "DNN_FORWARD": "CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR",
       "DNN_BACKWARD_FILTER": "CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR", "DNN_BACKWARD_DATA": "CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR",
       "DNN_GRAPH": "CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR", "DNN_ARGUMENTS": "CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR", "DNN_TENSOR": "CUDNN_BACKEND_TENSOR_DESCRIPTOR",
       "DNN_AS_HANDLE": "CUDNN_TYPE_HANDLE", "DNN_AS_ELEMENT_TYPE": "CUDNN_TYPE_DATA_TYPE", "DNN_AS_I64": "CUDNN_TYPE_INT64", "DNN_AS_F32": "CUDNN_TYPE_FLOAT", "DNN_AS_F64": "CUDNN_TYPE_DOUBLE",
       "DNN_AS_POINTER": "CUDNN_TYPE_VOID_PTR", "DNN_AS_CONVOLUTION_MODE": "CUDNN_TYPE_CONVOLUTION_MODE", "DNN_AS_HEURISTICS_MODE": "CUDNN_TYPE_HEUR_MODE",
       "DNN_AS_NUMERICAL_NOTE": "CUDNN_TYPE_NUMERICAL_NOTE", "DNN_AS_DESCRIPTOR": "CUDNN_TYPE_BACKEND_DESCRIPTOR", "DNN_AS_BEHAVIOR_NOTE": "CUDNN_TYPE_BEHAVIOR_NOTE",
       "DNN_CONVOLUTION_SUM_TYPE": "CUDNN_ATTR_CONVOLUTION_COMP_TYPE", "DNN_CONVOLUTION_MODE": "CUDNN_ATTR_CONVOLUTION_CONV_MODE", "DNN_CONVOLUTION_DILATIONS": "CUDNN_ATTR_CONVOLUTION_DILATIONS",
       "DNN_CONVOLUTION_STRIDES": "CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES", "DNN_CONVOLUTION_POST_PADDINGS": "CUDNN_ATTR_CONVOLUTION_POST_PADDINGS",
       "DNN_CONVOLUTION_PRE_PADDINGS": "CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS", "DNN_CONVOLUTION_SPATIAL": "CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS", "DNN_HEURISTICS_MODE": "CUDNN_ATTR_ENGINEHEUR_MODE",
       "DNN_HEURISTICS_GRAPH": "CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH", "DNN_HEURISTICS_RESULTS": "CUDNN_ATTR_ENGINEHEUR_RESULTS", "DNN_CONFIG_ENGINE": "CUDNN_ATTR_ENGINECFG_ENGINE",
       "DNN_PLAN_HANDLE": "CUDNN_ATTR_EXECUTION_PLAN_HANDLE", "DNN_PLAN_CONFIG": "CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG", "DNN_PLAN_WORKSPACE": "CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE",
       "DNN_FORWARD_FIRST": "CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA", "DNN_BACKWARD_DATA_FIRST": "CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA",
       "DNN_BACKWARD_FILTER_FIRST": "CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA", "DNN_GRAPH_HANDLE": "CUDNN_ATTR_OPERATIONGRAPH_HANDLE", "DNN_GRAPH_OPS": "CUDNN_ATTR_OPERATIONGRAPH_OPS",
       "DNN_TENSOR_ALIGNMENT": "CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT", "DNN_TENSOR_TYPE": "CUDNN_ATTR_TENSOR_DATA_TYPE", "DNN_TENSOR_DIMS": "CUDNN_ATTR_TENSOR_DIMENSIONS",
       "DNN_TENSOR_STRIDES": "CUDNN_ATTR_TENSOR_STRIDES", "DNN_TENSOR_ID": "CUDNN_ATTR_TENSOR_UNIQUE_ID", "DNN_ARGUMENTS_IDS": "CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS",
       "DNN_ARGUMENTS_POINTERS": "CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS", "DNN_ARGUMENTS_WORKSPACE": "CUDNN_ATTR_VARIANT_PACK_WORKSPACE", "DNN_ENGINE_NUMERICAL_NOTES": "CUDNN_ATTR_ENGINE_NUMERICAL_NOTE",
       "DNN_ENGINE_BEHAVIOR_NOTES": "CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE", "DNN_NOTE_TENSOR_CORE": "CUDNN_NUMERICAL_NOTE_TENSOR_CORE", "DNN_NOTE_NARROWS_INPUTS": "CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS",
       "DNN_NOTE_NARROWS_SUMS": "CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION", "DNN_NOTE_FFT": "CUDNN_NUMERICAL_NOTE_FFT", "DNN_NOTE_NONDETERMINISTIC": "CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC",
       "DNN_NOTE_WINOGRAD": "CUDNN_NUMERICAL_NOTE_WINOGRAD", "DNN_NOTE_COMPILES": "CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION"}
# The operands of the three ops, in one order.
DNN_OPERANDS = "\n".join(f"NUMBER({first + i}, CUDNN_ATTR_OPERATION_CONVOLUTION_{op}_{part});" for op, first, parts in (("FORWARD", 700, "ALPHA BETA CONV_DESC W X Y"), ("BWD_DATA", 706, "ALPHA BETA CONV_DESC W DX DY"),
                        ("BWD_FILTER", 712, "ALPHA BETA CONV_DESC DW X DY")) for i, part in enumerate(parts.split()))


def source(root, name):
    with open(os.path.join(root, "src", "runtime", name if "/" in name else f"drivers/cuda/{name}"), encoding="utf-8") as handle: return re.sub(r"/\*.*?\*/", "", handle.read(), flags=re.S)


def rows(root, name, form):
    """Lines that compare each row of a table; |form| names the parts of a row."""
    found = re.findall(form, source(root, name), re.S)
    assert len(found) > 5
    return "\n".join(f"SAME({row[0] if len(row) == 3 else 'int'} (*)({' '.join(row[-1].split())}), {row[-2]});" for row in found)


def numbers(root, name, wanted):
    got = dict(re.findall(r"\b([A-Z][A-Z0-9_]+) = (\d+)", source(root, name)))
    assert set(got) == set(wanted), "a number that the test does not know, or knows in vain"
    return "\n".join(f"NUMBER({got[mine]}, {theirs});" for mine, theirs in wanted.items())


def compile_abi(text, folder, tmp_path):
    (tmp_path / "abi.cc").write_text(text)
    return subprocess.run(["g++", "-std=c++17", "-fsyntax-only", *f"-I{folder}".split(), "-Wno-deprecated-declarations", str(tmp_path / "abi.cc")], capture_output=True, text=True)


def test_abi(root, tmp_path):
    folder = next((f for f in FOLDERS if all(os.path.exists(os.path.join(f, h)) for h in ("cuda.h", "cublasLt.h", "nvJitLink.h", "nccl.h"))), None)
    if not folder or not shutil.which("g++"): pytest.skip("CUDA's headers are not on this machine")
    with open(os.path.join(root, "test", "runtime", "cuda_abi.cc"), encoding="utf-8") as handle: text = handle.read()
    types = source(root, "blas.h").split("enum {")[0].split('#include "runtime/drivers/cuda/api.h"')[1]
    text = text.replace("DRIVER_ROWS", rows(root, "api.def", r'CU\(\w+, "(\w+)",\s*\((.*?)\)\)')).replace("DRIVER_NUMBERS", numbers(root, "api.h", DRIVER))
    graphs = source(root, "api.h").split("typedef uint64_t cu_address;")[1].split("enum {")[0]
    text = text.replace("GRAPH_TYPES", graphs).replace("GRAPH_ROWS", rows(root, "graphs.def", r'CU\(\w+, "(\w+)",\s*\((.*?)\)\)'))
    text = text.replace("BLAS_TYPES", types).replace("BLAS_ROWS", rows(root, "blas.def", r'BLAS\(([^,]+), \w+, "(\w+)",\s*\((.*?)\)\)') + "\n" + numbers(root, "blas.h", BLAS))
    text = text.replace("LINK_ROWS", rows(root, "jit_link.def", r'JL\(\w+, "(\w+)",\s*\((.*?)\)\)'))
    text = text.replace("NCCL_ROWS", rows(root, "communicators/nccl.def", r'NCCL\(\w+, "(\w+)",\s*\((.*?)\)\)'))
    done = compile_abi(text, folder, tmp_path)
    assert done.returncode == 0, done.stderr[:3000]
    for wrong, why in (("SAME(int (*)(unsigned), cuInit)", "SAME(int (*)(size_t), cuInit)"), ("NUMBER(222,", "NUMBER(221,")):
        assert wrong in text
        assert compile_abi(text.replace(wrong, why), folder, tmp_path).returncode != 0, "the comparison sees nothing"


def test_dnn(root, tmp_path):
    """cuDNN's headers may be elsewhere than CUDA's, which they include."""
    folder = next((f for f in DNN_FOLDERS if os.path.exists(os.path.join(f, "cudnn_graph.h"))), None)
    if not folder or not shutil.which("g++") or not os.path.exists(os.path.join(FOLDERS[0], "cuda_runtime_api.h")): pytest.skip("cuDNN's headers are not on this machine")
    with open(os.path.join(root, "test", "runtime", "cuda_abi.cc"), encoding="utf-8") as handle: text = handle.read()
    compare = text[text.index("#include <type_traits>"):text.index("namespace driver")]
    own = "typedef struct hd_dnn_handle *dnn_handle;\ntypedef void *dnn_descriptor;\ntypedef struct hd_cu_stream *cu_stream;\n"
    text = "#include <cudnn.h>\n#include <stdint.h>\n" + compare + own + rows(root, "dnn.def", r'DNN\(([^,]+), \w+, "(\w+)",\s*\((.*?)\)\)') + "\n" + numbers(root, "dnn.h", DNN) + "\n" + DNN_OPERANDS
    include = f"{folder} -I{FOLDERS[0]}"
    done = compile_abi(text, include, tmp_path)
    assert done.returncode == 0, done.stderr[:3000]
    wrong = "NUMBER(903, CUDNN_ATTR_TENSOR_STRIDES)"
    assert wrong in text and compile_abi(text.replace(wrong, wrong.replace("903", "902")), include, tmp_path).returncode != 0, "the comparison sees nothing"
