# SPDX-License-Identifier: Apache-2.0
"""Exit codes of heddle, as `heddle --help` gives them."""


def test_usage_is_2(heddle):
    for args in ((), ("nothing",), ("run",), ("run", "a.mlir", "--nothing"), ("run", "a.mlir", "--repeat", "x")):
        assert heddle(*args).returncode == 2, args


def test_missing_file_is_1(heddle, tmp_path):
    for command in ("run", "compile", "eval", "check", "explain"):
        done = heddle(command, tmp_path / "missing.mlir")
        assert done.returncode == 1 and done.stderr.startswith("heddle: error: "), command


def test_damaged_artifact_is_1(heddle, tmp_path):
    bad = tmp_path / "bad.hdl"
    bad.write_bytes(b"\x89HDL\r\n\x1a\n" + b"\0" * 200)
    done = heddle("run", bad)
    assert done.returncode == 1 and done.stderr.startswith("heddle: error: ")


def test_damaged_expectations_are_1(heddle, tmp_path, root):
    bad = tmp_path / "bad.json"
    bad.write_text('{"cases": [}')
    done = heddle("run", root + "/examples/gelu.mlir", "--expect", bad)
    assert done.returncode == 1 and "not JSON" in done.stderr


def test_help_is_0(heddle):
    assert heddle("--help").returncode == 0
    for command in ("run", "compile", "eval", "check", "explain"):
        done = heddle(command, "--help")
        assert done.returncode == 0 and "Exit codes" in done.stdout
