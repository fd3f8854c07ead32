#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_example.sh BUILD: compiles the BERT layer once (unknown batch and sequence), runs it at five shapes, and compares
# with the stored results of examples/bert_layer.json.
set -euo pipefail
exec "$1/bin/heddle" run examples/bert_layer.mlir --expect examples/bert_layer.json --no-cache
