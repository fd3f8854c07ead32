# SPDX-License-Identifier: Apache-2.0
"""What Heddle raises. Each error has the status's code and message; those of programs have their diagnostics too."""

CODES = ("OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
         "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
         "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED")


class HeddleError(RuntimeError):
    """A failure of a compilation or an execution.

    code: the number of the status; status: its name, such as "INVALID_ARGUMENT"; diagnostics: (severity, text) of each
    diagnostic of a program, the text with "file:line:col:", the source line and a caret."""

    def __init__(self, code, message, diagnostics=()):
        super().__init__(message)
        self.code, self.status, self.diagnostics = code, CODES[code] if 0 <= code < len(CODES) else str(code), list(diagnostics)


class InvalidArgumentError(HeddleError, ValueError):
    """A program or an argument is wrong."""


class UnimplementedError(HeddleError, NotImplementedError):
    """The program is right, but Heddle has no way to run it yet."""


class ResourceExhaustedError(HeddleError, MemoryError):
    """Memory, or a limit, is used up."""


class TimeoutError(HeddleError, TimeoutError):  # noqa: A001
    """A time limit has passed."""


KINDS = {3: InvalidArgumentError, 4: TimeoutError, 8: ResourceExhaustedError, 12: UnimplementedError}


def error(code, message, diagnostics=()):
    """The exception for a status."""
    return KINDS.get(code, HeddleError)(code, message, diagnostics)
