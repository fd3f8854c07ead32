func.func @transfers() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<2x3xi32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %linear = affine.linearize_index disjoint [%i, %j] by (2, 3) : index
      %value = arith.index_cast %linear : index to i32
      affine.store %value, %m[%i, %j] : memref<2x3xi32>
    }
  }
  %pad = arith.constant -1 : i32
  %v = vector.transfer_read %m[%c1, %c1], %pad : memref<2x3xi32>, vector<2x3xi32>
  %want = arith.constant dense<[[4, 5, -1], [-1, -1, -1]]> : vector<2x3xi32>
  %t = vector.transfer_read %m[%c0, %c0], %pad {permutation_map = affine_map<(d0, d1) -> (d1, 0, d0)>, in_bounds = [true, true, true]} : memref<2x3xi32>, vector<3x2x2xi32>
  %want_t = arith.constant dense<[[[0, 3], [0, 3]], [[1, 4], [1, 4]], [[2, 5], [2, 5]]]> : vector<3x2x2xi32>
  %same = arith.cmpi eq, %v, %want : vector<2x3xi32>
  %same_t = arith.cmpi eq, %t, %want_t : vector<3x2x2xi32>
  %flat = vector.shape_cast %same : vector<2x3xi1> to vector<6xi1>
  %flat_t = vector.shape_cast %same_t : vector<3x2x2xi1> to vector<12xi1>
  %all = vector.reduction <and>, %flat : vector<6xi1> into i1
  %all_t = vector.reduction <and>, %flat_t : vector<12xi1> into i1
  cf.assert %all, "padding"
  cf.assert %all_t, "permutation"
  %row = arith.constant dense<[7, 8, 9]> : vector<3xi32>
  vector.transfer_write %row, %m[%c1, %c2] : vector<3xi32>, memref<2x3xi32>
  %last = memref.load %m[%c1, %c2] : memref<2x3xi32>
  %seven = arith.constant 7 : i32
  %written = arith.cmpi eq, %last, %seven : i32
  cf.assert %written, "the lane inside is written"
  memref.dealloc %m : memref<2x3xi32>
  return
}
