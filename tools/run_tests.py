#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_tests.py: runs every test suite, names each failure and skip, and closes with "N passed, N failed".

  layers   tools/check_layers.py                       one test
  sources  clang-format; check_names; docs/ops.md, docs/passes.md   one test each
  unit     *_test.c beside their subjects and the corpora of *_fuzz.c, by ctest   one test per program
  lit      *.mlir and *.test under src/ and test/      one test per file
  pytest   test/                                       one test per case (with --long, each generator of random programs for an hour)
  fuzz     with --long: *_fuzz.c for an hour each, under ASan and UBSan (their corpora are run by ctest in every build)

Exits 0 only when something ran and nothing failed."""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.append(os.path.join(ROOT, "test", "support"))

import needs  # noqa: E402


class Tally:
    """What one suite came to: a count, and (name, text) of each failure and skip."""

    def __init__(self, name):
        self.name, self.passed, self.failed, self.skipped = name, 0, [], []

    def add_junit(self, path, suite=""):
        for case in xml.parse(path).iter("testcase"):
            name = ".".join(filter(None, (case.get("classname") or suite, case.get("name"))))
            failure = case.find("failure") if case.find("failure") is not None else case.find("error")
            skip = case.find("skipped")
            if failure is not None or case.get("status") in ("fail", "timeout"):
                text = (failure.text or failure.get("message")) if failure is not None else ""
                self.failed.append((name, text or ""))
            elif skip is not None or case.get("status") in ("notrun", "disabled"):
                reason = (skip.get("message") if skip is not None else "") or "no reason given"
                whole = re.search(r"'Skipped: (.*)'\)", skip.text or "") if reason == "collection skipped" else None  # a module's
                self.skipped.append((name, whole.group(1) if whole else reason))
            else:
                self.passed += 1


def run(command, log, env=None, timeout=None):
    """Runs |command|; its output goes to |log|. Returns the exit code, 124 past |timeout|: interrupted, so that it says how far it came."""
    with open(log, "w", encoding="utf-8") as out, \
            subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT) as child:
        try: return child.wait(timeout)
        except subprocess.TimeoutExpired: child.send_signal(signal.SIGINT)
        try: child.wait(60)
        except subprocess.TimeoutExpired: child.kill()
    return 124


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tail(path, lines=40):
    with open(path, encoding="utf-8", errors="replace") as handle:
        return "".join(handle.readlines()[-lines:])


def layers(o, tally):
    log = os.path.join(o.results, "layers.log")
    if run([sys.executable, "tools/check_layers.py"], log): tally.failed.append(("check_layers", tail(log)))
    else: tally.passed += 1


def lines_over(path, columns):
    with open(os.path.join(ROOT, path), encoding="utf-8") as handle:
        return [f"{path}:{number}" for number, line in enumerate(handle, 1) if len(line.rstrip("\n")) > columns]


def sources(o, tally):
    """Sources and generated pages as their tools write them."""
    files = subprocess.run(["git", "ls-files", "*.c", "*.h"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    if not files: tally.skipped.append(("clang-format", "no git checkout: the list of sources is unknown"))
    else:
        log = os.path.join(o.results, "format.log")
        if run(["clang-format-22", "--dry-run", "-Werror", *files], log): tally.failed.append(("clang-format: run 'make format'", tail(log)))
        else: tally.passed += 1
        wide = [place for path in files for place in lines_over(path, 120)]
        if wide: tally.failed.append(("lines over 120 columns, which clang-format leaves in comments", "\n".join(wide[:40])))
        else: tally.passed += 1
    log = os.path.join(o.results, "names.log")
    if run([sys.executable, "tools/check_names.py"], log): tally.failed.append(("check_names", tail(log)))
    else: tally.passed += 1
    for name in ("ops", "passes"):
        with open(os.path.join(ROOT, "docs", f"{name}.md"), encoding="utf-8") as handle: text = handle.read()
        code = run(["cmake", "--build", o.build, "--target", f"{name}_doc", "-j", str(o.jobs)], os.path.join(o.results, "docs.log"))
        made = "" if code else subprocess.run([os.path.join(o.build, "bin", f"{name}_doc")], capture_output=True, text=True).stdout
        if made != text: tally.failed.append((f"docs/{name}.md: run 'make docs'", "the page is not what the rows say"))
        else: tally.passed += 1


def unit(o, tally):
    out, log = os.path.join(o.results, "ctest.xml"), os.path.join(o.results, "ctest.log")
    code = run(["ctest", "--test-dir", o.build, "--output-junit", out, "--output-on-failure", "-j", str(o.jobs)], log)
    if os.path.exists(out):
        tally.add_junit(out)
        tally.skipped += unit_skips(out)
    for i, (name, _) in enumerate(tally.failed): tally.failed[i] = (name, unit_output(out, name))
    if code and not tally.failed: tally.failed.append(("ctest", tail(log)))


def unit_output(path, name):
    for case in xml.parse(path).iter("testcase"):
        if case.get("name") == name: return "\n".join((case.findtext("system-out") or "").splitlines()[-40:])
    return ""


def unit_skips(path):
    """(test, reason) of each line that HD_TEST_SKIP wrote: parts of programs that passed without them."""
    return [(case.get("name"), line.removeprefix("skipped: ")) for case in xml.parse(path).iter("testcase")
            for line in (case.findtext("system-out") or "").splitlines() if line.startswith("skipped: ")]


def lit(o, tally):
    out, log = os.path.join(o.results, "lit.json"), os.path.join(o.results, "lit.log")
    lit_program = os.path.join(os.path.dirname(sys.executable), "lit")
    code = run([lit_program, "-j", str(o.jobs), "-v", "--timeout", "120", "-o", out, f"-Dbuild={o.build}",
                "--allow-empty-runs", "src", "test"], log)
    if not os.path.exists(out):
        tally.failed.append(("lit", tail(log)))
        return
    with open(out, encoding="utf-8") as handle: cases = json.load(handle)["tests"]
    for case in cases:
        name, text = case["name"].replace("heddle :: ", ""), case.get("output", "")
        if case["code"] in ("PASS", "XFAIL", "FLAKYPASS"): tally.passed += 1
        elif "unavailable features: mlir-opt" in text: tally.skipped.append((name, "mlir-opt is not installed: tools/setup.sh check"))
        elif case["code"] in ("SKIPPED", "UNSUPPORTED", "EXCLUDED"): tally.skipped.append((name, text.strip() or case["code"].lower()))
        else: tally.failed.append((name, text))
    if code and not tally.failed: tally.failed.append(("lit", tail(log)))


# Of pytest for --quick: what takes some tenths of a second a case, three minutes of one core in all.
QUICK_CASES = ["test/bench", "test/bytecode", "test/capi", "test/cli", "test/e2e", "--ignore=test/e2e/test_growth.py", "--ignore=test/e2e/test_op_sweep.py", "--ignore=test/e2e/test_opencl.py",
               "test/eval", "test/jax/test_exports.py", "test/passes/test_equivalence.py", "test/runtime", "test/text"]

# A case that hangs, and a machine that is too slow, fail by name: a run that is killed from outside says nothing.
CASE_SECONDS = 600
PYTEST_SECONDS = 3600


def pytest(o, tally):
    out, log = os.path.join(o.results, "pytest.xml"), os.path.join(o.results, "pytest.log")
    env = dict(os.environ, HEDDLE_BUILD=o.build, JAX_PLATFORMS="cpu", PYTHONDONTWRITEBYTECODE="1", **({"HEDDLE_LONG": "1"} if o.long else {}))
    command = [sys.executable, "-m", "pytest", "-q", "-rs", f"--junitxml={out}", "-p", "no:cacheprovider", "-n", str(o.jobs), "--dist", "worksteal", "--durations=40"]
    limits = [] if o.long else [f"--timeout={CASE_SECONDS}"]
    code = run([*command, *limits, *(QUICK_CASES if o.quick else ["test"])], log, env, None if o.long else PYTEST_SECONDS)
    if os.path.exists(out): tally.add_junit(out)
    if code == 124: tally.failed.append((f"pytest did not end within {PYTEST_SECONDS} s", tail(log)))
    elif code not in (0, 5) and not tally.failed: tally.failed.append(("pytest", tail(log)))


def fuzz(o, tally):
    sources = sorted(glob.glob(os.path.join(ROOT, "src", "**", "*_fuzz.c"), recursive=True))
    if not sources: return
    folder, log = os.path.join(o.build, "fuzz"), os.path.join(o.results, "fuzz-build.log")
    if run(["tools/configure.sh", "fuzz", folder], log) or run(["cmake", "--build", folder, "-j", str(o.jobs), "--target", "fuzzers"], log):
        tally.failed.append(("fuzz build", tail(log)))
        return
    env = dict(os.environ, ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=1", UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1")

    def one(source):
        """None where nothing was found, else what the fuzzer said."""
        name = os.path.basename(source)[:-2]
        corpus = os.path.join(os.path.dirname(source), "corpus", name)
        if not os.path.isdir(corpus): return f"{name}: expected a corpus in {corpus}, got none"
        found = os.path.join(o.build, "fuzz", "found", name)
        os.makedirs(found, exist_ok=True)
        log = os.path.join(o.results, f"{name}.log")
        return tail(log) if run([os.path.join(folder, "bin", name), f"-max_total_time={o.fuzz_seconds}", "-seed=0", "-timeout=30", "-rss_limit_mb=4096",
                                 f"-artifact_prefix={found}/", "-print_final_stats=1", "-verbosity=1", found, corpus], log, env, o.fuzz_seconds + 300) else None

    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for source, finding in zip(sources, pool.map(one, sources)):
            if finding: tally.failed.append((os.path.basename(source)[:-2], finding))
            else: tally.passed += 1


SUITES = [layers, sources, unit, lit, pytest, fuzz]
USUAL = [layers, sources, unit, lit, pytest]
# tools/setup.sh's, each with all that the ones before it bring.
GROUPS = ["build", "python", "check", "test"]


def missed(reason, group):
    """Whether a skip's |reason| is something that the set-up of |group| brings."""
    wanted = re.search(r" is not installed: tools/setup.sh (\w+)", reason)
    return bool(group and wanted) and GROUPS.index(wanted.group(1)) <= GROUPS.index(group)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build", help="build folder (build)")
    p.add_argument("--only", help="suites to run, comma-separated: " + ", ".join(s.__name__ for s in SUITES) + " (fuzz: where it is named, or with --long)")
    p.add_argument("--group", choices=GROUPS, default="test" if os.environ.get("CI") else None,
                   help="what tools/setup.sh has set up: a test that misses something of it fails, which is else a skip (test where CI is set)")
    p.add_argument("--quick", action="store_true", help="of pytest's cases the quick ones")
    p.add_argument("--long", action="store_true", help="the long models too, each generator of random programs and each fuzzer for an hour")
    p.add_argument("--fuzz-seconds", type=int, default=3600, help="seconds for each fuzzer (3600)")
    p.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    o = p.parse_args()
    needs.offer_opencl()
    o.build = os.path.abspath(o.build)
    o.results = os.path.join(o.build, "results")
    os.makedirs(o.results, exist_ok=True)
    for old in glob.glob(os.path.join(o.results, "*")): os.remove(old)
    wanted = o.only.split(",") if o.only else [suite.__name__ for suite in (SUITES if o.long else USUAL)]
    tallies = []
    for suite in SUITES:
        if suite.__name__ not in wanted: continue
        tally, start, spent = Tally(suite.__name__), time.monotonic(), processor_time()
        suite(o, tally)
        tally.failed += [skip for skip in tally.skipped if missed(skip[1], o.group)]
        tally.skipped = [skip for skip in tally.skipped if not missed(skip[1], o.group)]
        tallies.append(tally)
        for name, text in tally.failed: print(f"\nFAILED {tally.name}: {name}\n{(text or '').rstrip()}\n")
        for name, reason in tally.skipped: print(f"skipped {tally.name}: {name}: {reason.splitlines()[0]}")
        print(f"{tally.name:8} {tally.passed:6} passed {len(tally.failed):4} failed {len(tally.skipped):4} skipped "
              f"{time.monotonic() - start:7.1f} s {processor_time() - spent:7.1f} s of CPU", flush=True)
    passed, failed, skipped = (sum(t.passed for t in tallies), sum(len(t.failed) for t in tallies),
                               sum(len(t.skipped) for t in tallies))
    if skipped: print(f"{skipped} skipped, for the reasons above")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
