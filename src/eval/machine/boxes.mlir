// RUN: not heddle check %s --split-input-file 2>&1 | FileCheck %s
// Boxes of memory as vectors, masks, products of vectors; loops and indices of the affine dialect.

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
  // [[4, 5, pad], [pad, pad, pad]] read from (1, 1)
  %v = vector.transfer_read %m[%c1, %c1], %pad : memref<2x3xi32>, vector<2x3xi32>
  %want = arith.constant dense<[[4, 5, -1], [-1, -1, -1]]> : vector<2x3xi32>
  // Columns as rows, each twice.
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

func.func @masks() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<4xf32>
  %x = arith.constant dense<[1.0, 2.0, 4.0, 8.0]> : vector<4xf32>
  %zero = arith.constant 0.0 : f32
  %other = arith.constant dense<-1.0> : vector<4xf32>
  vector.store %x, %m[%c0] : memref<4xf32>, vector<4xf32>
  %mask = vector.create_mask %c2 : vector<4xi1>
  %read = vector.mask %mask, %other { vector.transfer_read %m[%c0], %zero : memref<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %sum = vector.mask %mask { vector.reduction <add>, %x : vector<4xf32> into f32 } : vector<4xi1> -> f32
  vector.mask %mask { vector.transfer_write %other, %m[%c0] : vector<4xf32>, memref<4xf32> } : vector<4xi1>
  %after = vector.load %m[%c0] : memref<4xf32>, vector<4xf32>
  %want = arith.constant dense<[1.0, 2.0, -1.0, -1.0]> : vector<4xf32>
  %want_after = arith.constant dense<[-1.0, -1.0, 4.0, 8.0]> : vector<4xf32>
  %three = arith.constant 3.0 : f32
  %e0 = arith.cmpf oeq, %read, %want : vector<4xf32>
  %e1 = arith.cmpf oeq, %after, %want_after : vector<4xf32>
  %a0 = vector.reduction <and>, %e0 : vector<4xi1> into i1
  %a1 = vector.reduction <and>, %e1 : vector<4xi1> into i1
  %a2 = arith.cmpf oeq, %sum, %three : f32
  cf.assert %a0, "a masked read"
  cf.assert %a1, "a masked write"
  cf.assert %a2, "a masked reduction"
  memref.dealloc %m : memref<4xf32>
  return
}

func.func @products() {
  %a = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>
  %b = arith.constant dense<[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]> : vector<3x2xf32>
  %c = arith.constant dense<10.0> : vector<2x2xf32>
  %d = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  %want = arith.constant dense<[[14.0, 15.0], [20.0, 21.0]]> : vector<2x2xf32>
  %x = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %o = vector.outerproduct %x, %x, %c : vector<2xf32>, vector<2xf32>
  %want_o = arith.constant dense<[[11.0, 12.0], [12.0, 14.0]]> : vector<2x2xf32>
  %e0 = arith.cmpf oeq, %d, %want : vector<2x2xf32>
  %e1 = arith.cmpf oeq, %o, %want_o : vector<2x2xf32>
  %f0 = vector.shape_cast %e0 : vector<2x2xi1> to vector<4xi1>
  %f1 = vector.shape_cast %e1 : vector<2x2xi1> to vector<4xi1>
  %a0 = vector.reduction <and>, %f0 : vector<4xi1> into i1
  %a1 = vector.reduction <and>, %f1 : vector<4xi1> into i1
  cf.assert %a0, "contract"
  cf.assert %a1, "outerproduct"
  return
}

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

func.func @atomics() {
  %m = memref.alloc() : memref<1xi32>
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  memref.store %five, %m[%c0] : memref<1xi32>
  %device = memref.memory_space_cast %m : memref<1xi32> to memref<1xi32, 1>
  %new = memref.generic_atomic_rmw %device[%c0] : memref<1xi32, 1> {
  ^bb0(%old: i32):
    %twice = arith.addi %old, %old : i32
    memref.atomic_yield %twice : i32
  }
  %got = memref.load %m[%c0] : memref<1xi32>
  %ten = arith.constant 10 : i32
  %ok = arith.cmpi eq, %got, %ten : i32
  cf.assert %ok, "in place"
  memref.dealloc %m : memref<1xi32>
  return
}

// -----
// CHECK: 'vector.transfer_read' op reaches index 4 of dim 0, which is not in [0, 4)
func.func @beyond() {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4xf32>
  %v = vector.transfer_read %m[%c1], %zero {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
// CHECK: 5 passed, 1 failed
