# SPDX-License-Identifier: Apache-2.0
"""A program compiled once and run on numpy arrays, with the two kinds of failure apart."""
from heddle.runtime import HeddleError, Runtime, compile_program

UNIMPLEMENTED = 12
_runtime = None


class CompileError(Exception):
    """|unsupported|: the program has an op without a compiled path."""

    def __init__(self, error):
        super().__init__(str(error))
        self.unsupported = error.code == UNIMPLEMENTED


class RunError(Exception):
    pass


class Executable:
    def __init__(self, program):
        global _runtime
        _runtime = _runtime or Runtime(threads=2)
        try: artifact = compile_program(program, name="program.mlir", threads=1)
        except HeddleError as error: raise CompileError(error) from error
        try: self.loaded = _runtime.load(artifact)
        except HeddleError as error: raise RunError(str(error)) from error

    def run(self, arrays):
        try: return [array.copy() for array in self.loaded(*arrays)]
        except HeddleError as error: raise RunError(str(error)) from error
