llvm.mlir.global internal constant @str("hello\00") {addr_space = 0 : i32}
llvm.mlir.global external @g(42 : i32) : i32
llvm.mlir.global private unnamed_addr constant @a(dense<[1, 2]> : tensor<2xi32>) : !llvm.array<2 x i32>
llvm.mlir.global internal @init() : !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func internal fastcc @f(%a: i32, %b: f32 {llvm.noundef}, %p: !llvm.ptr<3>) -> i32 attributes {passthrough = ["noinline"]} {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %al = llvm.alloca %c1 x f32 {alignment = 8 : i64} : (i64) -> !llvm.ptr
  %al2 = llvm.alloca %c1 x !llvm.struct<(i32, array<4 x f32>, ptr<1>)> : (i64) -> !llvm.ptr
  %g0 = llvm.getelementptr %al[%c1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %g1 = llvm.getelementptr inbounds %al2[0, 1, %a] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, array<4 x f32>, ptr<1>)>
  %x = llvm.load %g0 : !llvm.ptr -> f32
  %x2 = llvm.load volatile %g0 {alignment = 4 : i64} : !llvm.ptr -> f32
  llvm.store %x, %g1 : f32, !llvm.ptr
  %s = llvm.add %a, %a overflow<nsw> : i32
  %m = llvm.fmul %x, %b {fastmathFlags = #llvm.fastmath<fast>} : f32
  %c = llvm.icmp "slt" %a, %s : i32
  %fc = llvm.fcmp "oeq" %x, %b : f32
  %r = llvm.call @f(%a, %x, %p) : (i32, f32, !llvm.ptr<3>) -> i32
  %ad = llvm.mlir.addressof @str : !llvm.ptr
  %pr = llvm.call @printf(%ad, %a) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  llvm.call %ad(%a) : !llvm.ptr, (i32) -> ()
  %u = llvm.mlir.undef : !llvm.struct<(i32, f32)>
  %iv = llvm.insertvalue %a, %u[0] : !llvm.struct<(i32, f32)>
  %ev = llvm.extractvalue %iv[1] : !llvm.struct<(i32, f32)>
  %v = llvm.mlir.poison : vector<4xf32>
  %ie = llvm.insertelement %x, %v[%a : i32] : vector<4xf32>
  %ee = llvm.extractelement %ie[%a : i32] : vector<4xf32>
  %sh = llvm.shufflevector %v, %ie [0, 4, 1, 5] : vector<4xf32>
  %se = llvm.select %c, %a, %s : i1, i32
  %zx = llvm.zext %a : i32 to i64
  %bc = llvm.bitcast %x : f32 to i32
  %pt = llvm.ptrtoint %al : !llvm.ptr to i64
  %at = llvm.atomicrmw fadd %al, %x monotonic : !llvm.ptr, f32
  %ex = llvm.intr.exp(%x) : (f32) -> f32
  %fm = llvm.intr.fma(%x, %x, %x) : (f32, f32, f32) -> f32
  %mx = llvm.intr.maxnum(%x, %b) : (f32, f32) -> f32
  "llvm.intr.memcpy"(%al, %al2, %c1) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.cond_br %c, ^bb1(%a : i32), ^bb2
^bb1(%y: i32):
  llvm.switch %y : i32, ^bb2 [
    1: ^bb2,
    2: ^bb1(%a : i32)
  ]
^bb2:
  llvm.fence syncscope("agent") seq_cst
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  nvvm.barrier0
  %sf = nvvm.shfl.sync bfly %a, %x, %a, %a : f32 -> f32
  llvm.return %r : i32
}
