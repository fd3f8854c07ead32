func.func @affine() {
  %m = memref.alloc() : memref<3x4xf32>
  %c7 = arith.constant 7 : index
  %one = arith.constant 1.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (3, 4) {
    affine.store %one, %m[%i, %j] : memref<3x4xf32>
  }
  %sum = affine.parallel (%i, %j) = (0, 1) to (min(3, 5), 4) step (2, 1) reduce ("addf") -> (f32) {
    %x = affine.load %m[%i, %j] : memref<3x4xf32>
    affine.yield %x : f32
  }
  %six = arith.constant 6.0 : f32
  %ok = arith.cmpf oeq, %sum, %six : f32
  cf.assert %ok, "two rows of three"
  %row, %column = affine.delinearize_index %c7 into (3, 4) : index, index
  %want_column = arith.constant 3 : index
  %want_row = arith.constant 1 : index
  %r = arith.cmpi eq, %row, %want_row : index
  %c = arith.cmpi eq, %column, %want_column : index
  cf.assert %r, "row"
  cf.assert %c, "column"
  %v = affine.vector_load %m[%row, 0] : memref<3x4xf32>, vector<4xf32>
  %total = vector.reduction <add>, %v : vector<4xf32> into f32
  %four = arith.constant 4.0 : f32
  %t = arith.cmpf oeq, %total, %four : f32
  cf.assert %t, "a row"
  affine.vector_store %v, %m[0, 0] : memref<3x4xf32>, vector<4xf32>
  memref.dealloc %m : memref<3x4xf32>
  return
}
