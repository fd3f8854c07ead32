# SPDX-License-Identifier: Apache-2.0
"""What a row of the op sweep is (op_rows.py), and the element types that rows name."""
from dataclasses import dataclass, field

from error_model import ABSOLUTE_BELOW_ONE, COMPLEX_UNITS, FUNCTION_ULPS

BOOL = ["i1"]
SIGNED = ["i2", "i4", "i8", "i16", "i32", "i64"]
UNSIGNED = ["ui2", "ui4", "ui8", "ui16", "ui32", "ui64"]
INTS = SIGNED + UNSIGNED
SMALL = ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2",
         "f8E5M2FNUZ"]
SCALES = ["f8E8M0FNU"]  # no sign, no zero
WIDE = ["bf16", "f16", "f32", "f64"]
FLOATS = SMALL + SCALES + WIDE
COMPLEX = ["complex<f32>", "complex<f64>"]
NUMBERS = INTS + FLOATS + COMPLEX
REALS = INTS + FLOATS
ALL = BOOL + NUMBERS
QUANTIZED = ["!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<u8:f32, 0.25:128>", "!quant.uniform<i16:f32, 0.01>",
             "!quant.uniform<i32:f32, 0.125>"]
COLUMNS = ALL + ["quantized"]


@dataclass
class Row:
    op: str
    types: list
    operands: list            # dims, or (dims, element or None, kind of values)
    results: list             # dims, or (dims, element)
    text: str                 # gives %r, or %r:n
    ulp: float = 0            # of real results: the function's bound in src/codegen/math/math.def, in f32 and f64
    modulus: float = 0        # of complex results: units of the result's absolute value (docs/numerics.md)
    terms: int = 0            # of sums: how many products or sums, in the accumulator
    whole: bool = False       # sums whose error is of the size of the largest result
    absolute: bool = False    # functions with zeros that no precision reaches: units of 1 below it
    static_only: str = ""     # why there is no dynamic form
    variant: str = ""
    functions: str = ""
    element: list = field(default_factory=list)

    @property
    def name(self):
        return self.op + ("_" + self.variant if self.variant else "")


ROWS = []


def accuracy(name):
    """What an elementwise op may be off."""
    return dict(ulp=FUNCTION_ULPS.get(name, 0), modulus=COMPLEX_UNITS.get(name, 0), absolute=name in ABSOLUTE_BELOW_ONE)


def row(op, types, operands, results, text, **more):
    ROWS.append(Row(op, list(types), operands, results, text, **more))
