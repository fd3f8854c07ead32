# SPDX-License-Identifier: Apache-2.0
"""The runner that all generators of random programs share: seeds, time, processes, sanitizers, what is found.

A generator calls main() with a Generator. Its programs run in processes of their own, so that one that ends its process, or
does not end, is a find like any other. Options of every generator:

  --seed N --count N --seconds S   seeds N, N + 1, ... until so many programs have run or the time is over
  --workers N                      processes at a time
  --one N                          the program of one seed, printed, and what comes out
  --keep DIR                       where finds are written (build/campaign/NAME)
  --sanitized                      on the libraries of build/asan (`make asan`), under AddressSanitizer and UBSan

Closes with one line: programs, seeds, time, outcomes, finds. Exits 0 when nothing was found and every outcome that the
generator must show came up. This file alone runs all generators, one after the other, with the options that it is given:

  campaign.py --sanitized --seconds 3600 --seed 1000000"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from dataclasses import dataclass, field
from typing import Callable

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path[:0] = [os.path.join(ROOT, *folder) for folder in (("test", "fuzz"), ("test", "eval"), ("test", "support"), ("front", "python"))]


class Find(Exception):
    """What a program shows to be wrong."""


@dataclass
class Generator:
    doc: str
    judge: Callable                 # (seed, options) -> "ok", or another outcome and its reason: "refused REASON"; raises Find
    show: Callable                  # (seed, options) -> the program as text
    must: tuple = ("ok",)           # outcomes that a campaign of some size shows
    arguments: Callable = None      # (parser): options of its own
    limit: float = 120              # seconds that a program may take
    after_crash: list = field(default_factory=list)  # options with which --one makes a crashing program small, in processes of its own


GENERATORS = ["buffer_programs", "capi_calls", "differential", "mixed_types", "run_sizes", "special_values"]
STOP_S = 30  # for a worker to end by itself
PER_PROCESS = 400  # programs, then a fresh process: memory of a sanitizer's quarantine, of caches


def sanitized_environment():
    """Python itself has no sanitizer, so that it comes first by preloading; Python's own leaks are not looked for."""
    preload = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout.strip()
    build = os.path.join(os.path.abspath(os.environ.get("HEDDLE_BUILD", os.path.join(ROOT, "build"))), "asan")
    if not os.path.exists(os.path.join(build, "lib", "libheddle.so")): raise SystemExit(f"no libheddle.so in {build}/lib: run `make asan`")
    return {**os.environ, "LD_PRELOAD": preload, "HEDDLE_BUILD": build, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:handle_segv=1",
            "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}


def reason_of(text):
    """A reason without numbers and names, to count by."""
    return re.sub(r"%\w+|\d+", "N", text.split("\n")[0])[:130]


class Worker:
    """A process that judges seeds."""

    def __init__(self, log):
        self.log = log
        self.process, self.done = None, 0

    def start(self):
        self.done = 0
        self.log.seek(0)
        self.log.truncate()
        self.process = subprocess.Popen([sys.executable, *sys.argv, "--worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True)

    def stop(self):
        if not self.process: return
        self.process.stdin.close()
        try: self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def ask(self, seed, limit):
        """The outcome of |seed|."""
        if self.process and self.done >= PER_PROCESS: self.stop()
        if not self.process: self.start()
        self.done += 1
        late = threading.Event()
        timer = threading.Timer(limit, lambda p=self.process: (late.set(), p.kill()))
        timer.start()
        try:
            self.process.stdin.write(f"{seed}\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError: answer = ""
        timer.cancel()
        if answer: return json.loads(answer)
        code = self.process.wait()
        self.process = None
        self.log.seek(0)
        said = self.log.read()
        if late.is_set(): return f"find hangs: no answer in {limit:g} s"
        at = max(said.find("ERROR: "), said.find("runtime error: "), 0)
        return f"find the process ends with {code}\n" + (said[max(0, at - 200):at + 4000] if at else said[-2000:])


def work(generator, o):
    """In a worker: reads seeds, writes an outcome each. What libraries print goes to the log."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        answers.write(json.dumps(outcome_of(generator, int(line), o)) + "\n")
        answers.flush()


def outcome_of(generator, seed, o):
    try: return generator.judge(seed, o)
    except Find as find: return f"find {find}"
    except Exception:  # the generator's own fault, which must not pass for an outcome
        return "find " + traceback.format_exc()


class Campaign:
    def __init__(self, generator, o):
        self.generator, self.o, self.lock = generator, o, threading.Lock()
        self.next, self.until = o.seed, time.monotonic() + o.seconds
        self.outcomes, self.reasons, self.finds = collections.Counter(), collections.Counter(), []

    def take(self):
        """The next seed, or None."""
        with self.lock:
            if time.monotonic() > self.until or self.o.count and self.next >= self.o.seed + self.o.count: return None
            self.next += 1
            return self.next - 1

    def run(self):
        def loop():
            with tempfile.TemporaryFile("w+", errors="replace") as log:
                worker = Worker(log)
                while (seed := self.take()) is not None: self.count(seed, worker.ask(seed, self.generator.limit * (5 if self.o.is_sanitized else 1)))
                worker.stop()
        threads = [threading.Thread(target=loop) for _ in range(self.o.workers)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()

    def count(self, seed, outcome):
        word, _, reason = outcome.partition(" ")
        more = self.crashed(seed) if word == "find" and reason.startswith("the process ends") else ""
        with self.lock:
            self.outcomes[word] += 1
            if word != "find" and reason: self.reasons[f"{word}: {reason_of(reason)}"] += 1
            if word != "find": return
            self.finds.append(seed)
            print(f"seed {seed}: {reason}", flush=True)
            self.save(seed, reason + more)

    def crashed(self, seed):
        if not self.generator.after_crash: return ""
        arguments = [a for a in sys.argv if a not in ("--sanitized",)]
        done = subprocess.run([sys.executable, *arguments, "--one", str(seed), *self.generator.after_crash], capture_output=True, text=True)
        return "\n" + done.stdout + done.stderr

    def save(self, seed, reason):
        os.makedirs(self.o.keep, exist_ok=True)
        with open(os.path.join(self.o.keep, f"seed{seed}.mlir"), "w", encoding="utf-8") as out:
            out.write("".join(f"// {line}\n" for line in f"seed {seed}: {reason}".splitlines()) + self.generator.show(seed, self.o))

    def summary(self, seconds):
        for reason, n in self.reasons.most_common(self.o.reasons): print(f"{n:8} {reason}")
        if self.finds: print("seeds with finds: " + " ".join(map(str, sorted(self.finds))))
        good = ", ".join(f"{n} {word}" for word, n in self.outcomes.most_common() if word != "find")
        print(f"{self.o.name}: {sum(self.outcomes.values())} programs, seeds {self.o.seed} to {self.next - 1}, {seconds:.0f} s: {good}; {len(self.finds)} finds")
        missing = [word for word in self.generator.must if not self.outcomes[word]]
        if missing: print(f"expected some program to be: {', '.join(missing)}")
        return 1 if self.finds or missing else 0


def options_of(generator):
    name = os.path.basename(sys.argv[0]).removesuffix(".py")
    p = argparse.ArgumentParser(description=generator.doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seed", type=int, default=1, help="the first seed (1)")
    p.add_argument("--count", type=int, default=0, help="stop after so many programs")
    p.add_argument("--seconds", type=float, default=None, help="stop after so long (60; without end where --count is given)")
    p.add_argument("--workers", type=int, default=1, help="processes at a time (1)")
    p.add_argument("--one", type=int, help="the program of this seed, printed, and what comes out")
    p.add_argument("--keep", help="folder for finds (build/campaign/NAME)")
    p.add_argument("--reasons", type=int, default=12, help="how many reasons to list")
    p.add_argument("--sanitized", action="store_true", help="run on build/asan")
    p.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    if generator.arguments: generator.arguments(p)
    o = p.parse_args()
    o.name, o.is_sanitized = name, "libasan" in os.environ.get("LD_PRELOAD", "")
    if o.seconds is None: o.seconds = float("inf") if o.count else 60
    o.keep = o.keep or os.path.join(os.path.abspath(os.environ.get("HEDDLE_BUILD", os.path.join(ROOT, "build"))), "campaign", name)
    return o


def main(generator):
    o = options_of(generator)
    if o.sanitized and not o.is_sanitized: os.execve(sys.executable, [sys.executable, *sys.argv], sanitized_environment())
    if o.worker: return work(generator, o)
    if o.one is not None:
        print(generator.show(o.one, o), flush=True)
        outcome = outcome_of(generator, o.one, o)
        print(outcome)
        return outcome.startswith("find")
    start, campaign = time.monotonic(), Campaign(generator, o)
    campaign.run()
    return campaign.summary(time.monotonic() - start)


def run_all(arguments):
    folder = os.path.dirname(os.path.abspath(__file__))
    codes = [subprocess.run([sys.executable, os.path.join(folder, name + ".py"), *arguments]).returncode for name in GENERATORS]
    return int(any(codes))


if __name__ == "__main__": sys.exit(run_all(sys.argv[1:]))
