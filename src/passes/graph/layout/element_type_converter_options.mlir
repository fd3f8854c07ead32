// RUN: heddle-opt --disc-element-type-converter=target=tpu --verify-diagnostics %s

// expected-error@+1 {{disc-element-type-converter: target: expected one of: cpu, cuda, simt, spirv, got 'tpu'}}
func.func @f() { return }
