# SPDX-License-Identifier: Apache-2.0
"""What drivers/cuda says of CUDA's libraries is what CUDA's headers say, where they are: parameters, structs and numbers (cuda_abi.cc)."""
import os
import re
import shutil
import subprocess

import pytest

FOLDERS = [os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "include")]
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
    return subprocess.run(["g++", "-std=c++17", "-fsyntax-only", f"-I{folder}", "-Wno-deprecated-declarations", str(tmp_path / "abi.cc")], capture_output=True, text=True)


def test_abi(root, tmp_path):
    folder = next((f for f in FOLDERS if all(os.path.exists(os.path.join(f, h)) for h in ("cuda.h", "cublasLt.h", "nvJitLink.h", "nccl.h"))), None)
    if not folder or not shutil.which("g++"): pytest.skip("CUDA's headers are not on this machine")
    with open(os.path.join(root, "test", "runtime", "cuda_abi.cc"), encoding="utf-8") as handle: text = handle.read()
    types = source(root, "blas.h").split("enum {")[0].split('#include "runtime/drivers/cuda/api.h"')[1]
    text = text.replace("DRIVER_ROWS", rows(root, "api.def", r'CU\(\w+, "(\w+)",\s*\((.*?)\)\)')).replace("DRIVER_NUMBERS", numbers(root, "api.h", DRIVER))
    text = text.replace("BLAS_TYPES", types).replace("BLAS_ROWS", rows(root, "blas.def", r'BLAS\(([^,]+), \w+, "(\w+)",\s*\((.*?)\)\)') + "\n" + numbers(root, "blas.h", BLAS))
    text = text.replace("LINK_ROWS", rows(root, "jit_link.def", r'JL\(\w+, "(\w+)",\s*\((.*?)\)\)'))
    text = text.replace("NCCL_ROWS", rows(root, "communicators/nccl.def", r'NCCL\(\w+, "(\w+)",\s*\((.*?)\)\)'))
    done = compile_abi(text, folder, tmp_path)
    assert done.returncode == 0, done.stderr[:3000]
    for wrong, why in (("SAME(int (*)(unsigned), cuInit)", "SAME(int (*)(size_t), cuInit)"), ("NUMBER(222,", "NUMBER(221,")):
        assert wrong in text
        assert compile_abi(text.replace(wrong, why), folder, tmp_path).returncode != 0, "the comparison sees nothing"
