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
