// SPDX-License-Identifier: Apache-2.0
// The gpu pipeline on models: it is valid after every pass, mlir-opt reads what comes out.
// REQUIRES: mlir-opt
// RUN: heddle-opt --disc-pipeline=target=cuda --verify-each --mlir-print-op-generic %examples/softmax.mlir > %t.softmax
// RUN: mlir-opt --allow-unregistered-dialect %t.softmax -o %t.out
// RUN: heddle-opt --disc-pipeline=target=cuda --verify-each --mlir-print-op-generic %examples/layernorm.mlir > %t.layernorm
// RUN: mlir-opt --allow-unregistered-dialect %t.layernorm -o %t.out
// RUN: heddle-opt --disc-pipeline=target=cuda --verify-each --mlir-print-op-generic %examples/gelu.mlir > %t.gelu
// RUN: mlir-opt --allow-unregistered-dialect %t.gelu -o %t.out
// RUN: heddle-opt --disc-pipeline=target=cuda --verify-each --mlir-print-op-generic %examples/bert_layer.mlir > %t.bert
// RUN: mlir-opt --allow-unregistered-dialect %t.bert -o %t.out
// RUN: heddle-opt --disc-pipeline=target=cuda %examples/softmax.mlir | FileCheck %s --check-prefix=SOFTMAX
// RUN: heddle-opt --disc-pipeline=target=cuda %examples/lstm.mlir | FileCheck %s --check-prefix=LSTM
// RUN: not heddle-opt --disc-pipeline=target=abacus %examples/gelu.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Softmax is one kernel in five versions, chosen by the size of a row and by whether four elements divide it, and each of
// them for more rows than a grid has.
// SOFTMAX: ral_recv_input___pvoid_i64___m2df32
// SOFTMAX: ral_alloc_output
// SOFTMAX: scf.if
// SOFTMAX-COUNT-10: ral_gpu_launch
// SOFTMAX-NOT: ral_gpu_launch
// SOFTMAX: ral_send_output
// SOFTMAX-COUNT-10: gpu.module
// SOFTMAX-NOT: lmhlo

// A loop's counter is the host's: no copy per step to ask for it.
// LSTM: scf.while
// LSTM-NOT: ral_d2h
// LSTM: scf.condition
// LSTM: ral_gpu_launch
// LSTM-NOT: ral_d2h
// LSTM: return

// UNKNOWN: there is no pipeline 'abacus', expected one of: cpu, cuda, simt
