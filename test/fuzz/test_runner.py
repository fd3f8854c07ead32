# SPDX-License-Identifier: Apache-2.0
"""The runner of random programs (campaign.py) on a generator whose programs crash, hang, are wrong and are right."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GENERATOR = """import os, sys, time
sys.path.insert(0, {here!r})
import campaign

def judge(seed, o):
    if seed == 2: os.abort()
    if seed == 3: time.sleep(60)
    if seed == 4: raise campaign.Find("a wrong result")
    if seed == 5: return {{}}["a fault of the generator"]
    return "refused for 3 reasons" if seed == 6 else "ok"

if __name__ == "__main__":
    sys.exit(campaign.main(campaign.Generator("", judge, lambda seed, o: f"program {{seed}}", must=("ok", "refused"), limit=3)))
"""


def run(tmp_path, *options):
    (tmp_path / "odd.py").write_text(GENERATOR.format(here=HERE))
    return subprocess.run([sys.executable, str(tmp_path / "odd.py"), *options, "--keep", str(tmp_path / "kept")], capture_output=True, text=True, timeout=120)


def test_finds(tmp_path):
    done = run(tmp_path, "--count", "8", "--workers", "2")
    assert done.returncode == 1 and "odd: 8 programs, seeds 1 to 8" in done.stdout and "3 ok, 1 refused; 4 finds" in done.stdout, done.stdout + done.stderr
    for words in ("seed 2: the process ends with -6", "seed 3: hangs: no answer in 3 s", "seed 4: a wrong result", "a fault of the generator", "1 refused: for N reasons"):
        assert words in done.stdout, done.stdout
    assert sorted(os.listdir(tmp_path / "kept")) == [f"seed{n}.mlir" for n in (2, 3, 4, 5)]
    assert (tmp_path / "kept" / "seed4.mlir").read_text() == "// seed 4: a wrong result\nprogram 4"


def test_what_must_come_up(tmp_path):
    assert run(tmp_path, "--count", "1").returncode == 1
    assert run(tmp_path, "--seed", "6", "--count", "2").returncode == 0


def test_one(tmp_path):
    done = run(tmp_path, "--one", "4")
    assert done.returncode == 1 and done.stdout == "program 4\nfind a wrong result\n"
