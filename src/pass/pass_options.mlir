// Options are checked by name and type.
// RUN: not heddle-opt --target=cpu %s --pass-pipeline='builtin.module(func.func(disc-fusion{col=true}))' 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: pass 'disc-fusion' has no option 'col'; its options are:
// RUN: not heddle-opt --target=cpu %s --pass-pipeline='builtin.module(func.func(disc-fusion{columns=maybe}))' 2>&1 | FileCheck %s --check-prefix=BOOL
// BOOL: pass 'disc-fusion': option 'columns': expected bool, got 'maybe'
// RUN: not heddle-opt %s --pass-pipeline='builtin.module(func.func(canonicalize{max-iterations=abc}))' 2>&1 | FileCheck %s --check-prefix=INT
// INT: pass 'canonicalize': option 'max-iterations': expected int, got 'abc'
func.func @main() { return }
