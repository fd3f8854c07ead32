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
