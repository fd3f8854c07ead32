# SPDX-License-Identifier: Apache-2.0
"""lit: every *.mlir and *.test with a RUN line under src/ and test/. The subject's folder holds its test."""
import os
import shutil
import sys
import lit.formats

config.name = "heddle"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ttir", ".ttgir", ".hlo"]
config.excludes = ["data", "corpus", "found", "inputs", "models"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
build = os.path.abspath(lit_config.params.get("build", os.path.join(config.test_source_root, "build")))
config.test_exec_root = os.path.join(build, "lit")

tools = "/usr/lib/llvm-22/bin"
config.environment["PATH"] = os.pathsep.join([os.path.join(build, "bin"), os.path.join(build, "venv", "bin"), tools, os.environ["PATH"]])
config.environment["HEDDLE_CACHE_DIR"] = os.path.join(build, "lit", "cache")
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# \b keeps "heddle" from matching inside "heddle-opt" and inside paths.
config.substitutions += [
    (r"%heddle\b", os.path.join(build, "bin", "heddle")),
    (r"(?<![\w/.-])heddle-opt(?![\w.-])", os.path.join(build, "bin", "heddle-opt")),
    (r"(?<![\w/.-])heddle(?![\w.-])", os.path.join(build, "bin", "heddle")),
    (r"(?<![\w/.-])FileCheck(-22)?(?![\w.-])", os.path.join(tools, "FileCheck")),
    (r"(?<![\w/.-])mlir-opt(-22)?(?![\w.-])", os.path.join(tools, "mlir-opt")),
    (r"%examples\b", os.path.join(config.test_source_root, "examples")),
    (r"%src\b", config.test_source_root),
]
sys.path.insert(0, os.path.join(config.test_source_root, "test", "support"))
import assembler

ptxas = assembler.ptxas(build)
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions += [(r"(?<![\w/.-])ptxas(?![\w.-])", ptxas)]
if shutil.which("spirv-dis"):
    config.available_features.add("spirv-dis")
if os.path.exists(os.path.join(tools, "mlir-opt")):
    config.available_features.add("mlir-opt")
