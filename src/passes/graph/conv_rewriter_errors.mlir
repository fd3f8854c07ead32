// RUN: heddle-opt --disc-conv-rewriter=input=chwn --verify-diagnostics %s

// expected-error@+1 {{disc-conv-rewriter: expected input and output nchw or nhwc, filter oihw, ohwi or hwio, got chwn, nchw, oihw}}
func.func @f() { return }
