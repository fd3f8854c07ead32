#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh GROUP...: installs what a group needs and is missing, on Debian 12 as root or with sudo.
#   build    compiler, CMake, LLVM 22         python   + lit, FileCheck, mlir-opt, clang's sanitizers, pytest, JAX
#   test     + torch (about 5 GB), Flax, format,       bench    + Python's headers, which inductor needs
#            TensorFlow in build/venv-tensorflow       format   clang-format
# Asks the package manager and the network only when something is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/venv

apt_build=(gcc g++ cmake ninja-build llvm-22-dev libzstd-dev zlib1g-dev)
apt_test=(llvm-22-tools mlir-22-tools clang-22 libclang-rt-22-dev libdnnl2 chromium python3 python3-venv git openmpi-bin)
apt_format=(clang-format-22)
apt_bench=(python3-dev)

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
  if [ ! -x "$venv/bin/python" ]; then
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

for group in "$@"; do
  case $group in
    build) apt_need "${apt_build[@]}" ;;
    python) apt_need "${apt_build[@]}" "${apt_test[@]}"; pip_need tools/requirements-test.txt ;;
    test) apt_need "${apt_build[@]}" "${apt_test[@]}" "${apt_format[@]}"; pip_need tools/requirements-test.txt; pip_need tools/requirements-torch.txt
      pip_need tools/requirements-examples.txt
      venv=build/venv-tensorflow pip_need tools/requirements-tensorflow.txt ;;
    format) apt_need "${apt_format[@]}" ;;
    bench) apt_need "${apt_build[@]}" "${apt_test[@]}" "${apt_bench[@]}"; pip_need tools/requirements-test.txt; pip_need tools/requirements-torch.txt ;;
    *) die "unknown group '$group': expected build, python, test, format or bench" ;;
  esac
done
