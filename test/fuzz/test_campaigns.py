# SPDX-License-Identifier: Apache-2.0
"""Every generator of random programs: fixed seeds; with HEDDLE_LONG an hour more of each, from other seeds."""
import os
import subprocess
import sys

import pytest

from campaign import GENERATORS

HERE = os.path.dirname(os.path.abspath(__file__))
# Seeds of every run: first, count, options; those beyond are make test-long's.
LONG = bool(os.environ.get("HEDDLE_LONG"))
FIXED = [("differential", first, 200, []) for first in range(1, 2001 if LONG else 401, 200)] + [("differential", 1, 50, ["--levels"])] + \
    [("mixed_types", first, 500, []) for first in range(1, 1501 if LONG else 501, 500)] + [("buffer_programs", first, 150, []) for first in range(1, 301 if LONG else 151, 150)] + \
    [("capi_calls", 1, 4, []), ("run_sizes", 1, 40, []), ("run_sizes", 5041, 12, [])]


def campaign(build, generator, *options, timeout):
    done = subprocess.run([sys.executable, os.path.join(HERE, generator + ".py"), *map(str, options)], capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, "HEDDLE_BUILD": build})
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]


def test_every_generator_is_here():
    """A generator is a script that calls campaign.main."""
    def calls_main(name):
        with open(os.path.join(HERE, name), encoding="utf-8") as text: return "campaign.main(" in text.read()
    assert sorted(n[:-3] for n in os.listdir(HERE) if n.endswith(".py") and not n.startswith("test_") and calls_main(n)) == GENERATORS


@pytest.mark.parametrize("generator, first, count, options", FIXED)
def test_fixed_seeds(generator, first, count, options, build, compiler):
    campaign(build, generator, "--seed", first, "--count", count, *options, timeout=1200)


@pytest.mark.parametrize("generator", GENERATORS)
def test_for_an_hour(generator, build, compiler):
    if not os.environ.get("HEDDLE_LONG"): pytest.skip("takes an hour: in make test-long")
    campaign(build, generator, "--seed", 1_000_000, "--seconds", 3600, timeout=4200)
