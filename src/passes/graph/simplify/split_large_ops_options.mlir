// RUN: heddle-opt --target=cuda --disc-split-large-ops=max-operands=1 --verify-diagnostics %s

// expected-error@+1 {{disc-split-large-ops: max-operands must be 0 or at least 2, got 1}}
func.func @f() { return }
