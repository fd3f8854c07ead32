func.func @v(%v: vector<4xf32>, %w: vector<4x8xf32>, %m: memref<?x?xf32>, %i: index, %f: f32, %mask: vector<4xi1>, %t: tensor<?x?xf32>, %vi: vector<4xi32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %b = vector.broadcast %f : f32 to vector<4xf32>
  %e = vector.extract %w[1] : vector<8xf32> from vector<4x8xf32>
  %e2 = vector.extract %w[1, %i] : f32 from vector<4x8xf32>
  %in = vector.insert %e, %w [2] : vector<8xf32> into vector<4x8xf32>
  %sh = vector.shuffle %v, %v [0, 1, 2, 3, 7] : vector<4xf32>, vector<4xf32>
  %fm = vector.fma %v, %v, %v : vector<4xf32>
  %r = vector.reduction <add>, %v : vector<4xf32> into f32
  %r2 = vector.reduction <add>, %v, %f fastmath<reassoc> : vector<4xf32> into f32
  %mr = vector.multi_reduction <add>, %w, %v [1] : vector<4x8xf32> to vector<4xf32>
  %tr = vector.transpose %w, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %l = vector.load %m[%i, %i] : memref<?x?xf32>, vector<4xf32>
  vector.store %l, %m[%i, %i] : memref<?x?xf32>, vector<4xf32>
  %ml = vector.maskedload %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  %g = vector.gather %m[%i, %i] [%vi], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m[%i, %i] [%vi], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %cm = vector.create_mask %i : vector<4xi1>
  %km = vector.constant_mask [2] : vector<4xi1>
  %st = vector.step : vector<4xindex>
  %vs = vector.vscale
  %sc = vector.shape_cast %w : vector<4x8xf32> to vector<32xf32>
  %bc = vector.bitcast %v : vector<4xf32> to vector<4xi32>
  %mm = memref.alloc() : memref<4xf32>
  %ty = vector.type_cast %mm : memref<4xf32> to memref<vector<4xf32>>
  %rd = vector.transfer_read %m[%i, %i], %pad : memref<?x?xf32>, vector<4xf32>
  %rd2 = vector.transfer_read %m[%i, %i], %pad, %mask {in_bounds = [true]} : memref<?x?xf32>, vector<4xf32>
  %rd3 = vector.transfer_read %m[%i, %i], %pad {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x?xf32>, vector<4xf32>
  vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32>
  %tw = vector.transfer_write %v, %t[%i, %i], %mask {in_bounds = [true]} : vector<4xf32>, tensor<?x?xf32>
  %op = vector.outerproduct %v, %v : vector<4xf32>, vector<4xf32>
  %acc = vector.broadcast %f : f32 to vector<4x4xf32>
  %op2 = vector.outerproduct %v, %v, %acc {kind = #vector.kind<maximumf>} : vector<4xf32>, vector<4xf32>
  %ct = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  %mk = vector.mask %mask { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  vector.print %v : vector<4xf32>
  vector.print punctuation <newline>
  vector.print str "hello"
  %sl = vector.extract_strided_slice %w {offsets = [0, 2], sizes = [2, 2], strides = [1, 1]} : vector<4x8xf32> to vector<2x2xf32>
  %is = vector.insert_strided_slice %v, %w {offsets = [0, 2], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  %il = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  %d1, %d2 = vector.deinterleave %v : vector<4xf32> -> vector<2xf32>
  %fe = vector.from_elements %f, %f : vector<2xf32>
  %te:4 = vector.to_elements %v : vector<4xf32>
  %sx:2 = vector.scan <add>, %w, %e {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<8xf32>
  vector.compressstore %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  %ex = vector.expandload %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}
