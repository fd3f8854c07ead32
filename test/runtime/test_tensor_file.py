# SPDX-License-Identifier: Apache-2.0
"""Tensor files and random inputs of libheddle_rt.so against numpy."""
import ctypes
import io
import json
import os
import re
import struct
import warnings
import zipfile

import ml_dtypes
import numpy as np
import pytest

from heddle.random_inputs import random_array


class FileTensor(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_int), ("element_bytes", ctypes.c_size_t),
                ("big_endian", ctypes.c_bool), ("fortran_order", ctypes.c_bool), ("rank", ctypes.c_int32),
                ("dims", ctypes.POINTER(ctypes.c_int64)), ("bytes", ctypes.c_size_t)]


NUMPY_OF = {
    "I1": "bool", "I2": "int2", "I4": "int4", "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64",
    "UI2": "uint2", "UI4": "uint4", "UI8": "uint8", "UI16": "uint16", "UI32": "uint32", "UI64": "uint64",
    "F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64", "C64": "complex64", "C128": "complex128",
    "F4E2M1FN": "float4_e2m1fn", "F6E2M3FN": "float6_e2m3fn", "F6E3M2FN": "float6_e3m2fn", "F8E3M4": "float8_e3m4",
    "F8E4M3": "float8_e4m3", "F8E4M3FN": "float8_e4m3fn", "F8E4M3FNUZ": "float8_e4m3fnuz",
    "F8E4M3B11FNUZ": "float8_e4m3b11fnuz", "F8E5M2": "float8_e5m2", "F8E5M2FNUZ": "float8_e5m2fnuz",
    "F8E8M0FNU": "float8_e8m0fnu",
}


def dtype_of(element):
    name = NUMPY_OF[element]
    return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name)


class Library:
    """The functions of heddle/tensor_file.h as Python calls; a failure raises ValueError with the message."""

    def __init__(self, path, header):
        self.lib = ctypes.CDLL(path)
        self.lib.hd_status_message.restype = ctypes.c_char_p
        self.lib.hd_status_message.argtypes = [ctypes.c_void_p]
        self.lib.hd_status_free.argtypes = [ctypes.c_void_p]
        self.lib.hd_tensor_file_get.restype = ctypes.POINTER(FileTensor)
        self.lib.hd_tensor_file_get.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        self.lib.hd_tensor_file_count.restype = ctypes.c_size_t
        self.lib.hd_tensor_file_count.argtypes = [ctypes.c_void_p]
        self.lib.hd_tensor_file_close.argtypes = [ctypes.c_void_p]
        self.lib.hd_npz_abandon.argtypes = [ctypes.c_void_p]
        with open(header, encoding="utf-8") as handle:
            self.types = {m[0]: int(m[1]) for m in re.findall(r"X\((\w+), +(\d+), +[A-Z]+,", handle.read())}

    def call(self, name, *args):
        function = getattr(self.lib, name)
        function.restype = ctypes.c_void_p
        status = function(*args)
        if status:
            text = self.lib.hd_status_message(status).decode()
            self.lib.hd_status_free(status)
            raise ValueError(text)

    def read(self, path):
        file, out = ctypes.c_void_p(), {}
        self.call("hd_tensor_file_open", str(path).encode(), ctypes.byref(file))
        for i in range(self.lib.hd_tensor_file_count(file)):
            tensor = self.lib.hd_tensor_file_get(file, i)
            t = tensor.contents
            data = ctypes.create_string_buffer(max(t.bytes, 1))
            self.call("hd_file_tensor_read", tensor, data)
            out[t.name.decode()] = (t.type, tuple(t.dims[k] for k in range(t.rank)), data.raw[:t.bytes])
        self.lib.hd_tensor_file_close(file)
        return out

    def write(self, path, arrays):
        writer = ctypes.c_void_p()
        self.call("hd_npz_create", str(path).encode(), ctypes.byref(writer))
        for name, (element, array) in arrays.items():
            dims = (ctypes.c_int64 * max(array.ndim, 1))(*array.shape)
            self.call("hd_npz_add", writer, name.encode(), self.types[element], array.ndim, dims,
                      np.ascontiguousarray(array).ctypes.data_as(ctypes.c_void_p))
        self.call("hd_npz_close", writer)


@pytest.fixture(scope="module")
def rt(build, root):
    return Library(os.path.join(build, "lib", "libheddle_rt.so"), os.path.join(root, "include", "heddle", "element.h"))


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_reads_what_numpy_writes(rt, tmp_path, save):
    rng = np.random.default_rng(0)
    arrays = {f"a{i}": (rng.standard_normal((3, 4, 5)) * 9).astype(dtype_of(element))
              for i, element in enumerate(NUMPY_OF) if element not in ("F8E8M0FNU",)}
    arrays["scalar"] = np.float32(3)
    arrays["empty"] = np.zeros((0, 7), np.int32)
    arrays["fortran"] = np.asfortranarray(rng.standard_normal((4, 3, 2)))
    arrays["big"] = rng.standard_normal((5, 2)).astype(">f4")
    arrays["big_complex"] = (rng.standard_normal((5, 2)) + 1j).astype(">c16")
    arrays["large"] = rng.integers(0, 5, 300000)
    save(tmp_path / "x.npz", **arrays)
    got = rt.read(tmp_path / "x.npz")
    assert set(got) == set(arrays)
    for name, array in arrays.items():
        want = np.ascontiguousarray(array)
        if want.dtype.byteorder == ">": want = want.astype(want.dtype.newbyteorder("<"))
        assert got[name][1] == array.shape, name
        assert got[name][2] == want.tobytes(), name


def test_numpy_reads_what_it_writes(rt, tmp_path):
    rng = np.random.default_rng(1)
    arrays = {element: (element, (rng.standard_normal((2, 3)) * 5).astype(dtype_of(element))) for element in NUMPY_OF}
    arrays["scalar"] = ("F32", np.array(2.5, np.float32))
    arrays["one"] = ("I64", np.arange(4))
    arrays["empty"] = ("F32", np.zeros((3, 0), np.float32))
    rt.write(tmp_path / "y.npz", arrays)
    with np.load(tmp_path / "y.npz") as loaded:
        assert loaded.files == list(arrays)
        for name, (element, array) in arrays.items():
            got = loaded[name]
            assert got.shape == array.shape
            if got.dtype.kind != "V": assert got.dtype == array.dtype
            assert got.tobytes() == array.tobytes(), name
    assert zipfile.ZipFile(tmp_path / "y.npz").testzip() is None


def test_many_entries_need_zip64(rt, tmp_path):
    arrays = {f"a{i}": ("I8", np.array([i % 100], np.int8)) for i in range(70000)}
    rt.write(tmp_path / "z.npz", arrays)
    with np.load(tmp_path / "z.npz") as loaded:
        assert len(loaded.files) == 70000 and loaded["a69999"][0] == 99
    assert len(rt.read(tmp_path / "z.npz")) == 70000


def test_safetensors(rt, tmp_path):
    a, b = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([1, 2], ml_dtypes.bfloat16)
    header = json.dumps({"__metadata__": {"x": "}"}, "a \"q\"": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
                         "b": {"dtype": "BF16", "shape": [2], "data_offsets": [24, 28]}}).encode()
    (tmp_path / "m.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + a.tobytes() + b.tobytes())
    got = rt.read(tmp_path / "m.safetensors")
    assert got['a "q"'] == (rt.types["F32"], (2, 3), a.tobytes())
    assert got["b"] == (rt.types["BF16"], (2,), b.tobytes())


def test_damage_is_told(rt, tmp_path):
    """A flipped byte anywhere gives the right arrays or an error, never others and never a crash."""
    data = io.BytesIO()
    np.savez(data, a=np.arange(10, dtype=np.float32), b=np.ones((2, 2), np.int64))
    good, path = data.getvalue(), tmp_path / "d.npz"
    path.write_bytes(good)
    want = rt.read(path)
    refused = 0
    for at in range(0, len(good), 3):
        bad = bytearray(good)
        bad[at] ^= 0x55
        path.write_bytes(bad)
        try:
            got = rt.read(path)
            assert all(got[k] == want[k] for k in want if k in got), at
        except ValueError as error:
            assert str(path) in str(error)
            refused += 1
    assert refused > 100
    for size in range(0, len(good), 7):
        path.write_bytes(good[:size])
        with pytest.raises(ValueError): rt.read(path)


@pytest.mark.parametrize("element", sorted(NUMPY_OF))
def test_random_inputs_agree_with_numpy(rt, element):
    dtype = dtype_of(element)
    for seed, argument, maximum in ((0, 0, 16), (7, 3, 50257), (2**63 + 5, 200, 2)):
        count = 1000
        data = ctypes.create_string_buffer(count * dtype.itemsize)
        rt.call("hd_random_fill", rt.types[element], ctypes.c_uint64(seed), ctypes.c_uint64(argument),
                ctypes.c_uint32(maximum), ctypes.c_uint64(count), data)
        assert random_array(dtype, (count,), seed, argument, maximum).tobytes() == data.raw
        if element in ("F16", "BF16", "F32", "F64", "C64", "C128"):
            rt.call("hd_random_scale", rt.types[element], ctypes.c_double(0.037), ctypes.c_uint64(count), data)
            want = random_array(dtype, (count,), seed, argument, maximum, scale=0.037)
            assert want.tobytes() == data.raw


def npy(header, data=b"", version=1):
    text = header.encode()
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(text)) + text + data


def safetensors(header, data=b"", length=None):
    text = header.encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def zipped(*entries, method=zipfile.ZIP_STORED, size=None):
    """A zip archive; |size|: what its directory says that each entry has."""
    data = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(data, "w", method) as archive:
        warnings.simplefilter("ignore")
        for name, content in entries: archive.writestr(name, content)
    out = bytearray(data.getvalue())
    if size is not None:
        at = out.rindex(b"PK\1\2")
        out[at + 24:at + 28] = struct.pack("<I", size)
    return bytes(out)


ARRAY = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }"
TENSOR = '{"a": {"dtype": "%s", "shape": [%s], "data_offsets": [%s]}}'
HOSTILE = {
    "negative dim": (npy(ARRAY % "-1,"), "expected a shape"),
    "dims beyond memory": (npy(ARRAY % "4294967296, 4294967296"), "more bytes than memory can address"),
    "a number beyond 64 bits": (npy(ARRAY % "99999999999999999999,"), "expected a shape"),
    "65 dims": (npy(ARRAY % ("1, " * 65)), "expected a shape of at most 64 dims"),
    "dims beyond the file": (npy(ARRAY % "1000000000,"), "expected 4000000000 bytes of elements, got 0"),
    "a header beyond the file": (b"\x93NUMPY\2\0\xff\xff\xff\x7f{", "cut off"),
    "python objects": (npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}"), "elements of type '|O' are not supported"),
    "records": (npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}"), "structured elements are not supported"),
    "no shape": (npy("{'descr': '<f4', 'fortran_order': False}"), "expected descr, fortran_order and shape"),
    "one name twice": (zipped(*[("a.npy", npy(ARRAY % "0,"))] * 2), "two arrays are called 'a'"),
    "a bomb": (zipped(("a.npy", npy(ARRAY % "1000000000,", b"\0" * 4000)), method=zipfile.ZIP_DEFLATED, size=4000000072), "more bytes than its compressed data can hold"),
    "a stored entry of two sizes": (zipped(("a.npy", npy(ARRAY % "0,")), size=4000000000), "a stored entry has two sizes"),
    "safetensors: a header beyond the file": (safetensors("{}", length=1 << 62), "cut off or too long"),
    "safetensors: negative dim": (safetensors(TENSOR % ("F32", "-1", "0, 4"), bytes(4)), "expected a number"),
    "safetensors: dims beyond memory": (safetensors(TENSOR % ("F32", "4294967296, 4294967296", "0, 4"), bytes(4)), "more bytes than memory can address"),
    "safetensors: offsets backwards": (safetensors(TENSOR % ("F32", "1", "8, 4"), bytes(8)), "expected 4 bytes in the file, got offsets 8 to 4"),
    "safetensors: offsets beyond the file": (safetensors(TENSOR % ("F32", "1", "4, 8"), bytes(4)), "expected 4 bytes in the file, got offsets 4 to 8"),
    "safetensors: offsets of another size": (safetensors(TENSOR % ("F32", "1", "0, 8"), bytes(8)), "expected 4 bytes in the file, got offsets 0 to 8"),
    "safetensors: another type": (safetensors(TENSOR % ("F31", "1", "0, 4"), bytes(4)), "elements of type 'F31' are not supported"),
    "safetensors: nested deeply": (safetensors('{"__metadata__": ' + "[" * 100000), "nested too deeply"),
    "safetensors: one name twice": (safetensors((TENSOR % ("F32", "0", "0, 0"))[:-1] + "," + (TENSOR % ("F32", "0", "0, 0"))[1:]), "two arrays are called 'a'"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_contradicts_itself_is_told(rt, tmp_path, what):
    content, message = HOSTILE[what]
    path = tmp_path / "hostile"
    path.write_bytes(content)
    with pytest.raises(ValueError) as error: rt.read(path)
    assert str(path) in str(error.value) and message in str(error.value)
