// RUN: heddle-opt --disc-conv-rewriter=input=chwn --verify-diagnostics %s

// expected-error@+1 {{disc-conv-rewriter: expected input and output nchw, nhwc or keep, filter oihw, ohwi, hwio or keep, got chwn, nchw, oihw}}
func.func @f() { return }
