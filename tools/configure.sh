#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# configure.sh PRESET FOLDER: runs CMake with a preset of CMakePresets.json once; Ninja re-runs it when files change.
set -euo pipefail
preset=$1 folder=$2
[ -e "$folder/build.ninja" ] && [ ! CMakePresets.json -nt "$folder/build.ninja" ] && exit 0
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
mkdir -p "$folder"
cmake --preset "$preset" -B "$folder" "${launcher[@]}" >"$folder/configure.log" 2>&1 || { cat "$folder/configure.log" >&2; exit 1; }
