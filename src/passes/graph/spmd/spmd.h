/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of spmd-partition: a program for the whole mesh becomes the program that each of its devices runs.
 *
 * Every tensor has a layout: for each dim the mesh axes that split it, from major to minor, where no axis splits two
 * dims; along the axes that are left it is the same on every device. A rule says in which layout an op takes its
 * operands and gives its results; where they are otherwise they are laid out anew, by slices and gathers. An op without
 * a rule works on whole tensors, on every device, which is right for all that is pure. */
#ifndef HD_PASSES_GRAPH_SPMD_SPMD_H_
#define HD_PASSES_GRAPH_SPMD_SPMD_H_

#include "pass/pass.h"
#include "passes/graph/hlo_build.h"

enum { HD_MESH_AXES = 16, HD_SPLIT_AXES = 12 }; /* of up to 4096 devices */

/* Mesh axes, by number, major to minor. */
typedef struct hd_split {
  uint8_t count, axes[HD_SPLIT_AXES];
} hd_split;

typedef struct hd_layout {
  uint32_t rank;
  hd_split *dims;
} hd_layout;

typedef struct hd_placed {
  hd_value *value; /* in the new program */
  hd_layout layout;
  struct hd_placed *other; /* the same value in another layout, made in the same block */
} hd_placed;

/* A mesh as the program names it, in axes of the one that stands for all (spmd_mesh.c). */
typedef struct hd_mesh {
  hd_attr attr;
  hd_op *where; /* that names it */
  uint32_t axis_count;
  hd_str names[HD_MESH_AXES];
  int64_t sizes[HD_MESH_AXES], *places; /* of each device */
  hd_split axes[HD_MESH_AXES];
} hd_mesh;

typedef struct hd_spmd {
  hd_pass *pass;
  hd_arena *arena;
  uint32_t axis_count; /* of the one mesh */
  int64_t axis_sizes[HD_MESH_AXES];
  int64_t devices, replicas;
  int64_t *position; /* of each device on the mesh */
  hd_vec(hd_mesh *) meshes;
  hd_vec(int64_t) cuts;   /* into how many parts axes and their parts divide the devices, from the major end */
  uint32_t manual;        /* axes along which the code being read is a device's own, as bits */
  hd_map values;          /* value of the old program -> hd_placed */
  hd_vec(hd_op *) undone; /* sums of which the addends were wanted */
  hd_map parts;           /* value of the new program -> what is known of its parts (spmd_parts.c) */
  hd_builder b;           /* where the new program grows */
} hd_spmd;

/* ---- import of GSPMD shardings (gspmd_import.c) ---------------------------------------------------------------- */

/* Makes those of |func| shardings of sdy; false with an error. */
bool hd_spmd_modernise(hd_spmd *s, hd_op *func);
/* The rule of SPMDFullToShardShape and SPMDShardToFullShape. */
bool hd_spmd_border(hd_spmd *s, hd_op *op);

/* ---- meshes (spmd_mesh.c) -------------------------------------------------------------------------------------- */

/* Finds the meshes that |func| names and makes one of them; false with an error. */
bool hd_mesh_read(hd_spmd *s, hd_op *func);
/* The mesh of an sdy.sharding, and the op at which errors about it are: |op| or the sdy.mesh. Null: no mesh. */
hd_attr hd_sharding_mesh(hd_op *op, hd_attr sharding, hd_op **out_where);
/* Axis |name| of |mesh|, null: of any that has it. */
bool hd_mesh_find_axis(const hd_spmd *s, hd_attr mesh, hd_str name, hd_split *out);
/* The same; false with an error at |op|. */
bool hd_mesh_axis(hd_spmd *s, hd_op *op, hd_attr mesh, hd_str name, hd_split *out);
/* The part of |axis| of |size| parts after the outer |before|; false with an error at |op|. */
bool hd_mesh_part(hd_spmd *s, hd_op *op, hd_split axis, int64_t before, int64_t size, hd_split *out);
/* Leaves of |split| what whole axes of the first mesh can say. */
void hd_mesh_trim(const hd_spmd *s, hd_split *split);
/* Which part of |split| device |device| has. */
int64_t hd_mesh_place(const hd_spmd *s, int64_t device, hd_split split);

/* ---- layouts (spmd_layout.c) ----------------------------------------------------------------------------------- */

hd_layout hd_layout_whole(hd_spmd *s, hd_type type);
hd_layout hd_layout_copy(hd_spmd *s, hd_layout layout);
bool hd_layout_equal(hd_layout a, hd_layout b);
bool hd_split_equal(hd_split a, hd_split b);
bool hd_split_has(hd_split split, uint8_t axis);
/* |inside| after the axes of |bound| that |own| has, dim by dim. */
hd_layout hd_layout_outside(hd_spmd *s, hd_layout bound, hd_layout inside, uint32_t own);
bool hd_layout_uses(hd_layout layout, uint8_t axis);
/* Into how many parts. */
int64_t hd_split_parts(const hd_spmd *s, hd_split split);
int64_t hd_layout_parts(const hd_spmd *s, hd_layout layout);
/* Adds what |more| splits further and may be split in |layout| too; dims of |type| stay divisible. */
void hd_layout_merge(hd_spmd *s, hd_layout *layout, hd_layout more, hd_type type);
/* Splits dim |d| like |split| where no axis is used yet and the parts are equal; else leaves it whole. */
void hd_layout_split(hd_spmd *s, hd_layout *layout, uint32_t d, hd_split split, int64_t size);
/* The type that a device holds. */
hd_type hd_layout_type(hd_spmd *s, hd_type type, hd_layout layout);
/* What an sdy.sharding says of a tensor; |*open|, one per dim, null where not wanted: other axes may split it too.
 * |strict|: dims must be divisible, else they stay whole. False with an error at |op|. */
bool hd_layout_read(hd_spmd *s, hd_op *op, hd_attr sharding, hd_type type, bool strict, hd_layout *out, bool *open);
/* XLA's text of a layout: {devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}; the devices along |sums| have addends. */
const char *hd_layout_text(hd_spmd *s, hd_layout layout, hd_split sums);
/* The axes along which a tensor of |sharding| is a sum of what the devices have. False with an error at |op|. */
bool hd_sharding_unreduced(hd_spmd *s, hd_op *op, hd_attr sharding, hd_split *out);

/* ---- values (spmd_reshard.c) ----------------------------------------------------------------------------------- */

hd_placed *hd_spmd_get(hd_spmd *s, hd_value *old);
void hd_spmd_set(hd_spmd *s, hd_value *old, hd_value *value, hd_layout layout);
/* A copy of the layout in which |old| is. */
hd_layout hd_layout_of(hd_spmd *s, hd_value *old);
/* |old| in the new program, as |layout|. */
hd_value *hd_spmd_as(hd_spmd *s, hd_value *old, hd_layout layout);
/* tensor<i32>: where a device's part begins in a dim that |split| divides into parts of |size|. */
hd_value *hd_spmd_start(hd_spmd *s, int64_t size, hd_split split);
/* |x| cut along |cuts|, one split per dim, made anew from what |x| is made of; null where that is not free
 * (spmd_parts.c). */
hd_value *hd_spmd_part(hd_spmd *s, hd_value *x, const hd_split *cuts);
/* The sum, product, ... over |axes| of what each device has: |computation| is a block of two scalars. */
hd_value *hd_spmd_all_reduce(hd_spmd *s, hd_value *x, hd_split axes, hd_block *computation);
/* The same with stablehlo.add. */
hd_value *hd_spmd_all_sum(hd_spmd *s, hd_value *x, hd_split axes);
/* The addends along |axes| of |old| as |layout|, which none of them splits: the part that a device has, among zeros. */
hd_value *hd_spmd_addend_as(hd_spmd *s, hd_value *old, hd_layout layout, hd_split axes);
/* |layout| with the dims of |have| that |axes| split further. */
hd_layout hd_layout_with_addends(hd_spmd *s, hd_layout layout, hd_layout have, hd_split axes);
/* What the first device of each replica has. */
hd_value *hd_spmd_broadcast(hd_spmd *s, hd_value *x);

/* ---- ops ------------------------------------------------------------------------------------------------------- */

/* |op| on operands and with results in the given layouts; its values are known from now on. */
hd_op *hd_spmd_emit(hd_spmd *s, hd_op *op, const hd_layout *operands, const hd_layout *results);

/* Layouts of an op's operands and results, whole until a rule says otherwise. */
typedef struct hd_plan {
  hd_layout *operands, *results;
} hd_plan;
hd_plan hd_plan_of(hd_spmd *s, hd_op *op);
/* True. */
bool hd_plan_emit(hd_spmd *s, hd_op *op, hd_plan plan);
/* |op| on whole tensors, on every device. True. */
bool hd_spmd_replicated(hd_spmd *s, hd_op *op);

/* The rules; false with an error at the op (spmd_rules.c, spmd_contract.c, spmd_control.c, spmd_calls.c). */
bool hd_spmd_op(hd_spmd *s, hd_op *op);
/* Result i is laid out like operand i. */
bool hd_spmd_pairwise(hd_spmd *s, hd_op *op);
bool hd_spmd_loop(hd_spmd *s, hd_op *op);
bool hd_spmd_branch(hd_spmd *s, hd_op *op);
bool hd_spmd_custom_call(hd_spmd *s, hd_op *op);
bool hd_spmd_dot(hd_spmd *s, hd_op *op);
bool hd_spmd_convolution(hd_spmd *s, hd_op *op);
bool hd_spmd_gather(hd_spmd *s, hd_op *op);
bool hd_spmd_scatter(hd_spmd *s, hd_op *op);
/* The ops of |from|, but its terminator, at the builder (spmd_partition.c). */
bool hd_spmd_block(hd_spmd *s, hd_block *from);

#endif
