// RUN: not heddle-opt --disc-element-type-converter=target=tpu %s 2>&1 | FileCheck %s
// CHECK: pass 'disc-element-type-converter': option 'target': expected one of: cpu, cuda, simt, spirv, got 'tpu'

func.func @f() { return }
