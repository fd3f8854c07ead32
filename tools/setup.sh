#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh GROUP...: installs what a group needs and is missing, on Debian 12 as root or with sudo.
#   build    compiler, CMake, LLVM 22, and the libraries that the runtime opens when they are called
#   python   + JAX in build/venv              check    + lit, FileCheck, mlir-opt, pytest, clang-format
#   test     + torch (about 5 GB), Flax, clang's sanitizers, MPI, a browser, TensorFlow in build/venv-tensorflow, an OpenCL
#            device on the CPU in build/venv-opencl (about 0.8 GB; where that fails its tests are skipped with the reason)
#   bench    + torch
#   fuzz     clang's sanitizers               format   clang-format
# Asks the package manager and the network only when something is missing. A test that misses what a group brings is
# skipped with the group's name (test/support/needs.py), which is a failure where the group is set up (run_tests.py).
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/venv

apt_build=(gcc g++ cmake ninja-build llvm-22-dev libzstd-dev zlib1g-dev libopenblas0-pthread liblapacke python3-dev)
apt_python=(python3 python3-venv)
apt_format=(clang-format-22)
apt_check=("${apt_format[@]}" llvm-22-tools mlir-22-tools libdnnl2 git)
apt_fuzz=(clang-22 libclang-rt-22-dev)
apt_test=("${apt_fuzz[@]}" chromium openmpi-bin ocl-icd-libopencl1 spirv-tools)
apt_bench=(libdnnl2)

die() { echo "setup: error: $*" >&2; exit 1; }

have_package() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

apt_need() {
  local missing=() name
  for name in "$@"; do have_package "$name" || missing+=("$name"); done
  [ ${#missing[@]} -eq 0 ] && return 0
  command -v apt-get >/dev/null || die "missing ${missing[*]}, and this is no Debian machine: install them by hand"
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "missing ${missing[*]}: run as root, or install sudo"
    sudo=(sudo)
  fi
  echo "setup: installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  local log; log=$(mktemp)
  { "${sudo[@]}" apt-get update -q && "${sudo[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1 || { tail -n 20 "$log" >&2; die "apt-get failed for: ${missing[*]}"; }
  rm -f "$log"
}

# One stamp per requirements file, named by its content: a changed file installs again.
pip_need() {
  local file=$1 stamp
  stamp=$venv/.$(basename "$file" .txt).$(sha256sum "$file" | cut -c1-16)
  [ -e "$stamp" ] && return 0
  if [ ! -x "$venv/bin/pip" ]; then # the last thing that venv makes
    rm -rf "$venv"; mkdir -p build
    local python=/usr/bin/python3
    [ -x "$python" ] || python=python3
    "$python" -m venv "$venv" || die "cannot make $venv"
  fi
  echo "setup: installing $file into $venv"
  "$venv/bin/python" -m pip install -q --disable-pip-version-check -r "$file" || die "pip failed for $file"
  # The project's own Python modules, importable in place.
  echo "$PWD/front/python" >"$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/heddle-in-place.pth"
  touch "$stamp"
}

pip_group() { local name; for name in "$@"; do pip_need "tools/requirements-$name.txt"; done; }

# Its licence is its maker's and not every machine runs it, so the tests go on without it: needs.py reads the reason.
opencl_group() {
  local reason=build/opencl-missing.txt
  mkdir -p build
  if (venv=build/venv-opencl pip_group opencl) 2>"$reason"; then rm -f "$reason"; else cat "$reason" >&2; fi
}

set_up() {
  case $1 in
    build) apt_need "${apt_build[@]}" ;;
    python) apt_need "${apt_build[@]}" "${apt_python[@]}"; pip_group python ;;
    check) apt_need "${apt_check[@]}"; set_up python; pip_group check ;;
    test) apt_need "${apt_test[@]}"; set_up check; pip_group torch examples; venv=build/venv-tensorflow pip_group tensorflow; opencl_group ;;
    bench) apt_need "${apt_bench[@]}"; set_up python; pip_group torch ;;
    fuzz) apt_need "${apt_build[@]}" "${apt_fuzz[@]}" ;;
    format) apt_need "${apt_format[@]}" ;;
    *) die "unknown group '$1': expected build, python, check, test, bench, fuzz or format" ;;
  esac
}

for group in "$@"; do set_up "$group"; done
