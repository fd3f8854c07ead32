/* SPDX-License-Identifier: Apache-2.0 */
/* The generator's frame: arguments, loads, stores, the cache. What single ops do is in generate_ops.c. */
#include "codegen/emit/generator.h"

#include "codegen/emit/generate_ops.h"
#include "ir/ops/arith.h"
#include "ir/ops/vector.h"

enum { MAX_LANES = 64, MAX_COLUMNS = 8 };

void hd_generator_init(hd_generator *g, hd_shapes *shapes, hd_builder *b, hd_op *kernel, hd_op *const *ops,
                       size_t count, hd_arena *arena) {
  *g = (hd_generator){.arena = arena, .b = b, .shapes = shapes, .kernel = kernel};
  for (size_t i = 0; i < count; ++i)
    for (uint32_t o = 0; o < hd_buffer_output_count(ops[i]); ++o)
      hd_map_set(arena, &g->writers, hd_buffer_output(ops[i], o), ops[i]);
}

void hd_generator_init_direct(hd_generator *g, hd_shapes *shapes, hd_builder *b, hd_host_dim_fn dim, void *user,
                              hd_arena *arena) {
  *g = (hd_generator){.arena = arena, .b = b, .shapes = shapes, .direct = dim, .direct_user = user};
}

hd_index_tuple *hd_new_tuple(hd_generator *g, uint32_t rank) {
  hd_index_tuple *tuple = hd_arena_zalloc(g->arena, sizeof *tuple + rank * sizeof tuple->at[0]);
  tuple->rank = rank;
  return tuple;
}

static hd_value *add_argument(hd_generator *g, hd_type type, hd_value *operand, hd_dim dim) {
  hd_block *entry = hd_op_region(g->kernel, 0)->first;
  hd_value *argument = hd_block_insert_arg(g->b->module, entry, entry->arg_count - 2, type);
  hd_vec_push(g->arena, &g->operands, operand);
  hd_vec_push(g->arena, &g->dims, dim);
  return argument;
}

hd_value *hd_generate_dim(hd_generator *g, hd_dim dim) {
  int64_t known;
  if (!dim) { /* an argument without dim would be another one: hd_generate_stream_bytes */
    g->failed = true;
    return hd_build_index(g->b, 0);
  }
  dim = hd_dim_resolve(&g->shapes->table, dim);
  if (hd_dim_is_const(&g->shapes->table, dim, &known)) return hd_build_index(g->b, known);
  if (g->direct) {
    hd_value *value = g->direct(g->direct_user, dim);
    if (value) return value;
    g->failed = true;
    return hd_build_index(g->b, 0);
  }
  hd_value *argument = hd_map_get(&g->scalars, dim);
  if (argument) return argument;
  argument = add_argument(g, hd_type_index(g->b->context), NULL, dim);
  hd_map_set(g->arena, &g->scalars, dim, argument);
  return argument;
}

hd_value *hd_generate_stream_bytes(hd_generator *g) {
  return add_argument(g, hd_type_index(g->b->context), NULL, NULL);
}

hd_value *hd_generate_scalar(hd_generator *g, hd_value *host) {
  hd_dim dim = hd_shapes_element(g->shapes, host, 0);
  if (dim) return hd_generate_dim(g, dim);
  if (g->direct) return host;
  hd_value *argument = hd_map_get(&g->scalars, host);
  if (argument) return argument;
  argument = add_argument(g, host->type, host, NULL);
  hd_map_set(g->arena, &g->scalars, host, argument);
  return argument;
}

/* Unsigned integers below a byte are zero-extended, which a memref of the signless type would not say: kernels see the
 * bytes. Null for all other elements. */
static hd_type byte_of(hd_type element) {
  bool small = element->kind == HD_TYPE_INTEGER && element->integer.width < 8;
  return small && element->integer.signedness == HD_UNSIGNED ? hd_type_integer(element->context, 8, HD_SIGNLESS) : NULL;
}

/* The kernel argument for a buffer: a flat memref. */
static hd_value *argument_of(hd_generator *g, hd_value *buffer) {
  hd_value *argument = hd_map_get(&g->arguments, buffer);
  if (argument) return argument;
  hd_type whole = hd_type_element(buffer->type), byte = byte_of(whole), element = byte ? byte : hd_memory_type(whole);
  argument = add_argument(g, hd_type_memref(element, (int64_t[]){HD_DYNAMIC}, 1, NULL, NULL), buffer, NULL);
  hd_map_set(g->arena, &g->arguments, buffer, argument);
  return argument;
}

/* The row-major position of |index| in |buffer|. */
static hd_lane_index offset_of(hd_generator *g, hd_value *buffer, const hd_index_tuple *index) {
  hd_lanes l = hd_generator_lanes(g);
  const hd_value_shape *shape = hd_shapes_get(g->shapes, buffer);
  hd_lane_index total = hd_lane_const(l, 0);
  hd_dim stride = hd_dim_const(&g->shapes->table, 1);
  for (uint32_t d = shape->rank; d-- > 0;) {
    int64_t zero;
    if (!(hd_lane_is_const(index->at[d], &zero) && zero == 0))
      total = hd_lane_add(l, total, hd_lane_mul(l, index->at[d], hd_lane_scalar(hd_generate_dim(g, stride))));
    stride = hd_dim_mul(&g->shapes->table, stride, hd_shapes_dim(g->shapes, buffer, d));
  }
  return total;
}

hd_element hd_spread_element(hd_generator *g, hd_element value) {
  if (!g->lanes || !value.re || value.re->type->kind == HD_TYPE_VECTOR) return value;
  hd_type type = hd_lanes_type(value.re->type, g->lanes);
  value.re = hd_build(g->b, HD_OP_vector_broadcast, type, value.re);
  if (value.im) value.im = hd_build(g->b, HD_OP_vector_broadcast, type, value.im);
  return value;
}

static hd_value *zero_of(hd_builder *b, hd_type type) {
  return hd_type_element(type)->kind == HD_TYPE_FLOAT ? hd_build_float(b, type, 0) : hd_build_int(b, type, 0);
}

static hd_value *full_mask(hd_generator *g) {
  if (g->mask) return g->mask;
  return hd_build_int(g->b, hd_lanes_type(hd_i1(g->b->context), g->lanes), 1);
}

/* Has the machine no masked form for elements of |type|, or none that is as fast as the plain one? */
static bool masks_slowly(hd_type type) { return hd_type_bits(type) < 32; }

static hd_value *load_masked(hd_generator *g, hd_value *memory, hd_value *at, hd_type type) {
  hd_builder *b = g->b;
  if (!g->whole || !masks_slowly(hd_type_element(type)))
    return hd_build(b, HD_OP_vector_maskedload, type, memory, at, g->mask, zero_of(b, type));
  hd_op *choice = hd_build_if(b, g->whole, &type, 1, true);
  hd_builder all = hd_builder_at_end(b->module, hd_op_region(choice, 0)->first),
             some = hd_builder_at_end(b->module, hd_op_region(choice, 1)->first);
  all.loc = some.loc = b->loc;
  hd_value *plain = hd_build(&all, HD_OP_vector_load, type, memory, at);
  hd_value *masked = hd_build(&some, HD_OP_vector_maskedload, type, memory, at, g->mask, zero_of(&some, type));
  hd_build_yield(&all, &plain, 1);
  hd_build_yield(&some, &masked, 1);
  return hd_result(choice, 0);
}

/* The lines that later vectors read, one vector's worth of each input. */
static void prefetch_ahead(hd_generator *g, hd_builder *b, hd_value *at) {
  enum { AHEAD = 2048 /* bytes */, LINE = 64 };
  for (size_t i = 0; i < g->ahead.len; ++i) {
    hd_value *memory = hd_map_get(&g->arguments, g->ahead.data[i]);
    if (!memory) continue; /* is not read, or not at this place */
    int64_t element = (int64_t)hd_type_element_bytes(hd_type_element(memory->type));
    for (int64_t line = 0; line < element * g->lanes; line += LINE) {
      hd_value *by = hd_build_index(b, (AHEAD + line) / element);
      hd_build_prefetch(b, memory, hd_build(b, HD_OP_arith_addi, by->type, at, by));
    }
  }
}

/* A whole vector, past the caches where |g->stream| holds and the address is aligned to the vector, or to a cache line
 * where that is less. The branch goes one way for all of a launch, but for rows whose starts are not aligned. */
static void store_whole(hd_generator *g, hd_builder *b, hd_value *memory, hd_value *at, hd_value *value) {
  enum { LINE = 64 };
  if (!g->stream) {
    hd_build0(b, HD_OP_vector_store, value, memory, at);
    return;
  }
  hd_type index = hd_type_index(b->context);
  int64_t element = (int64_t)hd_type_element_bytes(hd_type_element(memory->type)), bytes = element * g->lanes;
  if (bytes > LINE) bytes = LINE;
  hd_value *base = hd_build(b, HD_OP_memref_extract_aligned_pointer_as_index, index, memory);
  hd_value *position = hd_build(b, HD_OP_arith_muli, index, at, hd_build_index(b, element));
  hd_value *address = hd_build(b, HD_OP_arith_addi, index, base, position);
  hd_value *over = hd_build(b, HD_OP_arith_andi, index, address, hd_build_index(b, bytes - 1));
  hd_value *aligned = hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, over, hd_build_index(b, 0));
  hd_op *choice = hd_build_if(b, hd_build(b, HD_OP_arith_andi, aligned->type, g->stream, aligned), NULL, 0, true);
  hd_builder past = hd_builder_at_end(b->module, hd_op_region(choice, 0)->first),
             cached = hd_builder_at_end(b->module, hd_op_region(choice, 1)->first);
  past.loc = cached.loc = b->loc;
  hd_value *operands[] = {value, memory, at};
  hd_attr_arg attrs[] = {{HD_NAME_nontemporal, hd_attr_bool(b->context, true)},
                         {HD_NAME_alignment, hd_attr_i64(b->context, bytes)}};
  if (g->leader && memory == hd_map_get(&g->arguments, g->leader)) prefetch_ahead(g, &past, at);
  hd_build_op(&past, HD_OP_vector_store, operands, 3, NULL, 0, attrs, 2, 0);
  hd_build0(&cached, HD_OP_vector_store, value, memory, at);
  hd_build_yield(&past, NULL, 0);
  hd_build_yield(&cached, NULL, 0);
}

static void store_masked(hd_generator *g, hd_value *memory, hd_value *at, hd_value *value) {
  hd_builder *b = g->b;
  if (!g->whole) {
    hd_build0(b, HD_OP_vector_maskedstore, memory, at, g->mask, value);
    return;
  }
  hd_op *choice = hd_build_if(b, g->whole, NULL, 0, true);
  hd_builder all = hd_builder_at_end(b->module, hd_op_region(choice, 0)->first),
             some = hd_builder_at_end(b->module, hd_op_region(choice, 1)->first);
  all.loc = some.loc = b->loc;
  store_whole(g, &all, memory, at, value);
  hd_build0(&some, HD_OP_vector_maskedstore, memory, at, g->mask, value);
  hd_build_yield(&all, NULL, 0);
  hd_build_yield(&some, NULL, 0);
}

/* Loads memory elements at |offset|. */
static hd_value *load(hd_generator *g, hd_value *memory, hd_lane_index offset);

/* One element for all lanes. Of masked lanes none may be inside of memory, so what is masked is no plain load. */
static hd_value *load_equal(hd_generator *g, hd_value *memory, hd_value *at) {
  hd_lane_index one = {.scalar = at};
  if (!g->mask) return load(g, memory, one);
  if (!g->whole) return load(g, memory, (hd_lane_index){.vector = hd_lane_spread(hd_generator_lanes(g), one)});
  hd_type type = hd_lanes_type(hd_type_element(memory->type), g->lanes);
  hd_op *branch = hd_build_if(g->b, g->whole, &type, 1, true);
  hd_builder *outer = g->b;
  hd_value *mask = g->mask, *whole = g->whole;
  for (uint32_t r = 0; r < 2; ++r) {
    hd_builder in = hd_builder_at_end(outer->module, hd_op_region(branch, r)->first);
    in.loc = outer->loc;
    g->b = &in;
    g->mask = r ? mask : NULL;
    g->whole = NULL;
    hd_value *value = load_equal(g, memory, at);
    hd_build_yield(&in, &value, 1);
  }
  g->b = outer;
  g->mask = mask;
  g->whole = whole;
  return hd_result(branch, 0);
}

/* Neighbours or one element for all, as |offset.when| says at run time: a branch that goes one way all the time. */
static hd_value *load_one_or_equal(hd_generator *g, hd_value *memory, hd_lane_index offset) {
  hd_type type = hd_lanes_type(hd_type_element(memory->type), g->lanes);
  hd_op *branch = hd_build_if(g->b, offset.when, &type, 1, true);
  hd_builder *outer = g->b;
  for (uint32_t r = 0; r < 2; ++r) {
    hd_builder in = hd_builder_at_end(outer->module, hd_op_region(branch, r)->first);
    in.loc = outer->loc;
    g->b = &in;
    hd_lane_index neighbours = {.scalar = offset.scalar, .step = offset.step};
    hd_value *value = r ? load_equal(g, memory, offset.scalar) : load(g, memory, neighbours);
    hd_build_yield(&in, &value, 1);
  }
  g->b = outer;
  return hd_result(branch, 0);
}

/* The lanes of a whole vector in the other order. */
static hd_value *turned(hd_builder *b, hd_value *vector, uint32_t lanes) {
  int64_t order[MAX_LANES];
  for (uint32_t l = 0; l < lanes; ++l) order[l] = lanes - 1 - l;
  hd_attr_arg mask = {HD_NAME_mask, hd_attr_i64_array(b->context, order, lanes)};
  return hd_build_one_(b, HD_OP_vector_shuffle, vector->type, (hd_value *[]){vector, vector}, 2, &mask, 1);
}

/* Vectors that are backwards in memory: where the last lane is; null for others. */
static hd_value *backwards(hd_generator *g, hd_lane_index offset) {
  if (!g->lanes || g->lanes > MAX_LANES || offset.vector || offset.pattern || offset.step != -1 || offset.when)
    return NULL;
  hd_value *by = hd_build_index(g->b, (int64_t)g->lanes - 1);
  return hd_build_binary(g->b, HD_OP_arith_subi, offset.scalar, by);
}

/* Where each lane lies from |offset|'s scalar on; false when only the run tells. */
static bool known_offsets(hd_generator *g, hd_lane_index offset, int64_t *out) {
  if (offset.vector || offset.when || !g->lanes || g->lanes > MAX_LANES) return false;
  for (uint32_t l = 0; l < g->lanes; ++l) out[l] = offset.pattern ? offset.pattern[l] : offset.step * (int64_t)l;
  return true;
}

/* Elements [from, from + count) after |at| in the first lanes of a vector, |count| at most that many. */
static hd_value *load_run(hd_generator *g, hd_value *memory, hd_value *at, int64_t from, int64_t count) {
  hd_builder *b = g->b;
  hd_type element = hd_type_element(memory->type), type = hd_lanes_type(element, g->lanes);
  hd_value *first = hd_build_binary(b, HD_OP_arith_addi, at, hd_build_index(b, from));
  if (count == g->lanes) return hd_build(b, HD_OP_vector_load, type, memory, first);
  if (!masks_slowly(element)) {
    hd_value *mask =
        hd_build(b, HD_OP_vector_create_mask, hd_lanes_type(hd_i1(b->context), g->lanes), hd_build_index(b, count));
    return hd_build(b, HD_OP_vector_maskedload, type, memory, first, mask, zero_of(b, type));
  }
  int64_t order[MAX_LANES];
  for (uint32_t l = 0; l < g->lanes; ++l) order[l] = l < count ? l : 0;
  hd_value *some = hd_build(b, HD_OP_vector_load, hd_lanes_type(element, (uint32_t)count), memory, first);
  hd_attr_arg mask = {HD_NAME_mask, hd_attr_i64_array(b->context, order, g->lanes)};
  return hd_build_one_(b, HD_OP_vector_shuffle, type, (hd_value *[]){some, some}, 2, &mask, 1);
}

/* The same, but only elements that unmasked lanes, which lie at |at|, read. */
static hd_value *load_masked_run(hd_generator *g, hd_value *memory, hd_value *base, const int64_t *at, int64_t from) {
  hd_builder *b = g->b;
  hd_type type = hd_lanes_type(hd_type_element(memory->type), g->lanes);
  int64_t order[MAX_LANES];
  for (int64_t e = 0; e < g->lanes; ++e) {
    order[e] = g->lanes; /* a lane of the zeros */
    for (int64_t l = 0; l < g->lanes; ++l)
      if (at[l] == from + e) order[e] = l;
  }
  hd_attr_arg lanes = {HD_NAME_mask, hd_attr_i64_array(b->context, order, g->lanes)};
  hd_value *masks[] = {g->mask, hd_build_int(b, g->mask->type, 0)};
  hd_value *mask = hd_build_one_(b, HD_OP_vector_shuffle, g->mask->type, masks, 2, &lanes, 1);
  hd_value *first = hd_build_binary(b, HD_OP_arith_addi, base, hd_build_index(b, from));
  return hd_build(b, HD_OP_vector_maskedload, type, memory, first, mask, zero_of(b, type));
}

/* Where the vectors begin that cover lanes at |at|, each from the first lane on that those before do not cover, and no
 * element before the first lane or after the last. Returns how many, more than |most| where they lie too far apart. */
static int64_t find_runs(const int64_t *at, int64_t lanes, int64_t most, int64_t *out) {
  int64_t first = at[0], last = at[0], count = 0;
  for (int64_t l = 1; l < lanes; ++l) {
    if (at[l] < first) first = at[l];
    if (at[l] > last) last = at[l];
  }
  for (int64_t next = first; next <= last && count <= most; ++count) {
    if (count < most) out[count] = next + lanes <= last + 1 || !count ? next : last + 1 - lanes;
    int64_t end = next + lanes;
    next = last + 1;
    for (int64_t l = 0; l < lanes; ++l)
      if (at[l] >= end && at[l] < next) next = at[l];
  }
  return count;
}

/* Lanes in a known order that a few vectors cover, which are near each other or several groups of neighbours: those
 * vectors, and shuffles, which cost a fraction of a gather. Nothing outside of the first to the last of them is read,
 * and nothing of masked ones. Null where they lie too far apart. */
static hd_value *load_shuffled(hd_generator *g, hd_value *memory, hd_lane_index offset) {
  enum { MAX_RUNS = 8, MAX_MASKED_RUNS = 4 };
  int64_t at[MAX_LANES], starts[MAX_RUNS], lanes = g->lanes, most = g->mask ? MAX_MASKED_RUNS : MAX_RUNS;
  if (!known_offsets(g, offset, at)) return NULL;
  if (g->mask && (offset.pattern || masks_slowly(hd_type_element(memory->type)))) return NULL;
  int64_t runs = find_runs(at, lanes, most, starts), last = at[0];
  if (runs > most) return NULL;
  for (int64_t l = 1; l < lanes; ++l) last = at[l] > last ? at[l] : last;
  hd_type element = hd_type_element(memory->type), type = hd_lanes_type(element, g->lanes);
  bool covered[MAX_LANES] = {false};
  hd_value *made = NULL;
  for (int64_t r = 0; r < runs; ++r) {
    int64_t order[MAX_LANES], count = last + 1 - starts[r];
    hd_value *run = g->mask ? load_masked_run(g, memory, offset.scalar, at, starts[r])
                            : load_run(g, memory, offset.scalar, starts[r], count < lanes ? count : lanes);
    for (int64_t l = 0; l < lanes; ++l) {
      int64_t in = at[l] - starts[r];
      bool here = !covered[l] && in >= 0 && in < lanes;
      order[l] = here ? (made ? lanes : 0) + in : l;
      covered[l] |= here;
    }
    hd_attr_arg mask = {HD_NAME_mask, hd_attr_i64_array(g->b->context, order, (size_t)lanes)};
    made = hd_build_one_(g->b, HD_OP_vector_shuffle, type, (hd_value *[]){made ? made : run, run}, 2, &mask, 1);
  }
  return made;
}

/* Every other lane of |a| and |b| side by side, from lane |first| on. */
static hd_value *every_other(hd_generator *g, hd_value *a, hd_value *b, int64_t first) {
  int64_t order[MAX_LANES];
  for (uint32_t l = 0; l < g->lanes; ++l) order[l] = 2 * (int64_t)l + first;
  hd_attr_arg mask = {HD_NAME_mask, hd_attr_i64_array(g->b->context, order, g->lanes)};
  return hd_build_one_(g->b, HD_OP_vector_shuffle, a->type, (hd_value *[]){a, b}, 2, &mask, 1);
}

/* Columns |first|, |first| + |step|, ... of rows of which |parts| hold the elements of those columns side by side. */
static void split_columns(hd_generator *g, hd_value *const *parts, int64_t count, int64_t first, int64_t step,
                          hd_value **out) {
  hd_value *half[MAX_COLUMNS];
  if (count == 1) {
    out[first] = parts[0];
    return;
  }
  for (int64_t odd = 0; odd < 2; ++odd) {
    for (int64_t i = 0; i < count / 2; ++i) half[i] = every_other(g, parts[2 * i], parts[2 * i + 1], odd);
    split_columns(g, half, count / 2, first + odd * step, 2 * step, out);
  }
}

/* Element |column| of each of |g->lanes| rows of |size| elements, the first of which begins at |offset| less |column|.
 * All columns are made at once, and found again at the same place. */
static hd_value *load_column(hd_generator *g, hd_value *memory, const hd_index_tuple *index, hd_value *offset,
                             int64_t column, int64_t size) {
  const void *key[2 + HD_COMPILED_MAX_RANK] = {memory, g->b->block};
  for (uint32_t d = 0; d + 1 < index->rank; ++d) key[2 + d] = index->at[d].scalar;
  hd_map_entry *made = hd_map_find_bytes(&g->columns, key, sizeof key);
  if (made) return ((hd_value **)made->value.ptr)[column];
  hd_type type = hd_lanes_type(hd_type_element(memory->type), g->lanes);
  hd_value *parts[MAX_COLUMNS], **columns = hd_new_array(g->arena, hd_value *, (size_t)size);
  for (int64_t i = 0; i < size; ++i) {
    hd_value *at = hd_build_binary(g->b, HD_OP_arith_addi, offset, hd_build_index(g->b, i * g->lanes - column));
    parts[i] = hd_build(g->b, HD_OP_vector_load, type, memory, at);
  }
  split_columns(g, parts, size, 0, 1, columns);
  hd_map_insert_bytes(g->arena, &g->columns, key, sizeof key, NULL)->value.ptr = columns;
  return columns[column];
}

/* Is |offset| a column of rows that lie side by side: the last of |index| a number, in a dim of few elements? */
static bool is_column(hd_generator *g, hd_value *buffer, const hd_index_tuple *index, hd_lane_index offset,
                      int64_t *out_column, int64_t *out_size) {
  uint32_t rank = index->rank;
  return rank > 1 && rank <= HD_COMPILED_MAX_RANK && g->lanes && g->lanes <= MAX_LANES && !g->mask && !offset.vector &&
         !offset.pattern && !offset.when && hd_lane_is_const(index->at[rank - 1], out_column) &&
         hd_dim_is_const(&g->shapes->table, hd_shapes_dim(g->shapes, buffer, rank - 1), out_size) &&
         *out_size == offset.step && *out_size > 2 && *out_size <= MAX_COLUMNS && !(*out_size & (*out_size - 1)) &&
         *out_column >= 0 && *out_column < *out_size;
}

/* Lanes that are neighbours, or one element, in runs: a load of each run, joined two by two. Null when they are not, or
 * are as many that a gather is no slower. */
static hd_value *load_runs(hd_generator *g, hd_value *memory, hd_lane_index offset) {
  enum { LEAST = 4 };
  if (!offset.vector || offset.run < LEAST || offset.step < 0 || offset.step > 1 || g->lanes > MAX_LANES) return NULL;
  hd_builder *b = g->b;
  hd_type element = hd_type_element(memory->type), index = hd_type_index(b->context);
  hd_value *parts[MAX_LANES / LEAST];
  uint32_t count = g->lanes / offset.run;
  for (uint32_t i = 0; i < count; ++i) {
    hd_attr lane = hd_attr_i64_array(b->context, (int64_t[]){i * offset.run}, 1);
    hd_value *at = hd_vector_extract(b, index, lane, offset.vector, NULL, 0);
    hd_type type = hd_lanes_type(element, offset.run);
    parts[i] = offset.step
                   ? hd_build(b, HD_OP_vector_load, type, memory, at)
                   : hd_build(b, HD_OP_vector_broadcast, type, hd_build(b, HD_OP_memref_load, element, memory, at));
  }
  int64_t order[MAX_LANES];
  for (uint32_t l = 0; l < g->lanes; ++l) order[l] = l;
  for (uint32_t lanes = offset.run; count > 1; count /= 2) {
    lanes *= 2;
    hd_attr_arg both = {HD_NAME_mask, hd_attr_i64_array(b->context, order, lanes)};
    for (uint32_t i = 0; i < count / 2; ++i)
      parts[i] = hd_build_one_(b, HD_OP_vector_shuffle, hd_lanes_type(element, lanes), parts + 2 * i, 2, &both, 1);
  }
  return parts[0];
}

/* Lanes that are no neighbours. */
static hd_value *load_apart(hd_generator *g, hd_value *memory, hd_lane_index offset) {
  hd_type type = hd_lanes_type(hd_type_element(memory->type), g->lanes);
  hd_value *shuffled = load_shuffled(g, memory, offset);
  if (shuffled) return shuffled;
  hd_value *runs = g->mask ? NULL : load_runs(g, memory, offset);
  if (runs) return runs;
  return hd_build(g->b, HD_OP_vector_gather, type, memory, hd_build_index(g->b, 0),
                  hd_lane_spread(hd_generator_lanes(g), offset), full_mask(g), zero_of(g->b, type));
}

/* The same under a mask, which mostly leaves all lanes where it says what is
 * inside (of windows): they need none then. */
static hd_value *load_apart_masked(hd_generator *g, hd_value *memory, hd_lane_index offset) {
  int64_t at[MAX_LANES];
  if (!known_offsets(g, offset, at)) return load_apart(g, memory, offset);
  hd_builder *outer = g->b;
  hd_value *mask = g->mask, *whole = g->whole;
  hd_attr_arg kind = {HD_NAME_kind, hd_attr_enum(outer->context, HD_ENUM_vector_kind, HD_VECTOR_KIND_AND)};
  if (!whole) whole = hd_build_one_(outer, HD_OP_vector_reduction, hd_i1(outer->context), &mask, 1, &kind, 1);
  hd_type type = hd_lanes_type(hd_type_element(memory->type), g->lanes);
  hd_op *choice = hd_build_if(outer, whole, &type, 1, true);
  for (uint32_t r = 0; r < 2; ++r) {
    hd_builder in = hd_builder_at_end(outer->module, hd_op_region(choice, r)->first);
    in.loc = outer->loc;
    g->b = &in;
    g->mask = r ? mask : NULL;
    hd_value *value = load_apart(g, memory, offset);
    hd_build_yield(&in, &value, 1);
  }
  g->b = outer;
  g->mask = mask;
  return hd_result(choice, 0);
}

static hd_value *load(hd_generator *g, hd_value *memory, hd_lane_index offset) {
  hd_type element = hd_type_element(memory->type), type = hd_lanes_type(element, g->lanes);
  if (!hd_lane_varies(offset)) {
    hd_value *scalar = hd_build(g->b, HD_OP_memref_load, element, memory, offset.scalar);
    return g->lanes ? hd_build(g->b, HD_OP_vector_broadcast, type, scalar) : scalar;
  }
  if (!offset.vector && offset.step == 1 && offset.when) return load_one_or_equal(g, memory, offset);
  if (!offset.vector && offset.step == 1) {
    if (!g->mask) return hd_build(g->b, HD_OP_vector_load, type, memory, offset.scalar);
    return load_masked(g, memory, offset.scalar, type);
  }
  hd_value *last = backwards(g, offset);
  if (last) {
    hd_value *mask = g->mask ? turned(g->b, g->mask, g->lanes) : NULL;
    hd_value *vector = mask ? hd_build(g->b, HD_OP_vector_maskedload, type, memory, last, mask, zero_of(g->b, type))
                            : hd_build(g->b, HD_OP_vector_load, type, memory, last);
    return turned(g->b, vector, g->lanes);
  }
  return g->mask ? load_apart_masked(g, memory, offset) : load_apart(g, memory, offset);
}

static void store(hd_generator *g, hd_value *memory, hd_lane_index offset, hd_value *value) {
  if (!g->lanes) {
    hd_build0(g->b, HD_OP_memref_store, value, memory, offset.scalar);
    return;
  }
  if (!offset.vector && offset.step == 1 && !offset.when) {
    if (g->mask)
      store_masked(g, memory, offset.scalar, value);
    else
      store_whole(g, g->b, memory, offset.scalar, value);
    return;
  }
  hd_value *last = g->mask ? NULL : backwards(g, offset);
  if (last)
    store_whole(g, g->b, memory, last, turned(g->b, value, g->lanes));
  else
    hd_build0(g->b, HD_OP_vector_scatter, memory, hd_build_index(g->b, 0),
              hd_lane_spread(hd_generator_lanes(g), offset), full_mask(g), value);
}

/* Complex numbers are as pairs: the parts are elements of a memref of the part type, at 2i and 2i + 1. */
static hd_lane_index part_offset(hd_generator *g, hd_lane_index offset, int part) {
  hd_lanes l = hd_generator_lanes(g);
  return hd_lane_add(l, hd_lane_mul(l, offset, hd_lane_const(l, 2)), hd_lane_const(l, part));
}

/* Neighbours of both parts: two vectors of numbers, where parts lie by turns. False for lanes that are none. */
static bool store_numbers(hd_generator *g, hd_value *memory, hd_lane_index offset, hd_element value) {
  int64_t lanes = g->lanes;
  if (!lanes || lanes > MAX_LANES || offset.vector || offset.pattern || offset.step != 1 || offset.when) return false;
  hd_builder *b = g->b;
  hd_value *at = part_offset(g, offset, 0).scalar;
  for (int64_t half = 0; half < 2; ++half) {
    int64_t order[MAX_LANES], number[MAX_LANES];
    for (int64_t l = 0; l < lanes; ++l) {
      number[l] = (half * lanes + l) / 2;
      order[l] = number[l] + (l % 2 ? lanes : 0);
    }
    hd_attr_arg parts = {HD_NAME_mask, hd_attr_i64_array(b->context, order, (size_t)lanes)},
                numbers = {HD_NAME_mask, hd_attr_i64_array(b->context, number, (size_t)lanes)};
    hd_value *vector =
        hd_build_one_(b, HD_OP_vector_shuffle, value.re->type, (hd_value *[]){value.re, value.im}, 2, &parts, 1);
    hd_value *place = half ? hd_build_binary(b, HD_OP_arith_addi, at, hd_build_index(b, lanes)) : at;
    if (!g->mask) {
      store_whole(g, b, memory, place, vector);
      continue;
    }
    hd_value *masks[] = {g->mask, g->mask};
    hd_value *mask = hd_build_one_(b, HD_OP_vector_shuffle, g->mask->type, masks, 2, &numbers, 1);
    hd_build0(b, HD_OP_vector_maskedstore, memory, place, mask, vector);
  }
  return true;
}

static hd_value *argument_for(hd_generator *g, hd_value *buffer, bool *out_complex) {
  hd_type element = hd_type_element(buffer->type);
  *out_complex = element->kind == HD_TYPE_COMPLEX;
  if (!*out_complex) return argument_of(g, buffer);
  hd_value *argument = hd_map_get(&g->arguments, buffer);
  if (argument) return argument;
  argument =
      add_argument(g, hd_type_memref(element->shaped.element, (int64_t[]){HD_DYNAMIC}, 1, NULL, NULL), buffer, NULL);
  hd_map_set(g->arena, &g->arguments, buffer, argument);
  return argument;
}

hd_element hd_load_element(hd_builder *b, hd_value *buffer, hd_value *const *indices, hd_arena *arena) {
  hd_type element = hd_type_element(buffer->type), memory = hd_memory_type(element);
  uint32_t rank = hd_type_rank(buffer->type);
  hd_value **operands = hd_new_array(arena, hd_value *, 1 + rank);
  operands[0] = buffer;
  for (uint32_t d = 0; d < rank; ++d) operands[1 + d] = indices[d];
  hd_value *value = hd_build_one_(b, HD_OP_memref_load, element, operands, 1 + rank, NULL, 0);
  if (element->kind == HD_TYPE_COMPLEX)
    return (hd_element){hd_build(b, HD_OP_complex_re, element->shaped.element, value),
                        hd_build(b, HD_OP_complex_im, element->shaped.element, value)};
  if (element != memory) value = hd_build(b, HD_OP_builtin_unrealized_conversion_cast, memory, value);
  return hd_emit_widen(b, element, (hd_element){value, NULL}, 0);
}

hd_value *hd_stored_value(hd_builder *b, hd_type element, hd_element value) {
  if (element->kind == HD_TYPE_COMPLEX) return hd_build(b, HD_OP_complex_create, element, value.re, value.im);
  value = hd_emit_narrow(b, element, value, 0);
  if (element == hd_memory_type(element)) return value.re;
  return hd_build(b, HD_OP_builtin_unrealized_conversion_cast, element, value.re);
}

void hd_store_element(hd_builder *b, hd_value *buffer, hd_value *const *indices, hd_element value, hd_arena *arena) {
  uint32_t rank = hd_type_rank(buffer->type);
  hd_value **operands = hd_new_array(arena, hd_value *, 2 + rank);
  operands[0] = hd_stored_value(b, hd_type_element(buffer->type), value);
  operands[1] = buffer;
  for (uint32_t d = 0; d < rank; ++d) operands[2 + d] = indices[d];
  hd_build_op(b, HD_OP_memref_store, operands, 2 + rank, NULL, 0, NULL, 0, 0);
}

static hd_value **tuple_values(hd_generator *g, const hd_index_tuple *index) {
  hd_value **values = hd_new_array(g->arena, hd_value *, index->rank);
  for (uint32_t d = 0; d < index->rank; ++d) values[d] = index->at[d].scalar;
  return values;
}

static hd_element load_element(hd_generator *g, hd_value *buffer, const hd_index_tuple *index) {
  if (g->direct) return hd_load_element(g->b, buffer, tuple_values(g, index), g->arena);
  bool complex;
  hd_value *memory = argument_for(g, buffer, &complex);
  hd_lane_index offset = offset_of(g, buffer, index);
  if (complex)
    return (hd_element){load(g, memory, part_offset(g, offset, 0)), load(g, memory, part_offset(g, offset, 1))};
  hd_type element = hd_type_element(buffer->type);
  int64_t column, size;
  hd_element raw = {0};
  if (is_column(g, buffer, index, offset, &column, &size))
    raw.re = load_column(g, memory, index, offset.scalar, column, size);
  else
    raw.re = load(g, memory, offset);
  if (byte_of(element))
    raw.re = hd_build(g->b, HD_OP_arith_trunci, hd_lanes_type(hd_memory_type(element), g->lanes), raw.re);
  return hd_emit_widen(g->b, element, raw, g->lanes);
}

bool hd_generate_store(hd_generator *g, hd_value *buffer, const hd_index_tuple *index, hd_element value) {
  if (g->direct) {
    hd_store_element(g->b, buffer, tuple_values(g, index), value, g->arena);
    return true;
  }
  bool complex;
  hd_value *memory = argument_for(g, buffer, &complex);
  hd_lane_index offset = offset_of(g, buffer, index);
  value = hd_spread_element(g, value);
  if (complex) {
    if (store_numbers(g, memory, offset, value)) return true;
    store(g, memory, part_offset(g, offset, 0), value.re);
    store(g, memory, part_offset(g, offset, 1), value.im);
  } else {
    hd_type element = hd_type_element(buffer->type), byte = byte_of(element);
    hd_value *raw = hd_emit_narrow(g->b, element, value, g->lanes).re;
    if (byte) raw = hd_build(g->b, HD_OP_arith_extui, hd_lanes_type(byte, g->lanes), raw);
    store(g, memory, offset, raw);
  }
  return true;
}

bool hd_generate(hd_generator *g, hd_value *buffer, const hd_index_tuple *index, hd_element *out) {
  hd_element *fixed = hd_map_get(&g->fixed, buffer);
  if (fixed) {
    *out = hd_spread_element(g, *fixed);
    return true;
  }
  const void *key[3] = {buffer, index, (const void *)(uintptr_t)g->lanes};
  hd_map_entry *entry = hd_map_find_bytes(&g->cache, key, sizeof key);
  if (entry) {
    *out = *(hd_element *)entry->value.ptr;
    return true;
  }
  hd_op *writer = hd_map_get(&g->writers, buffer);
  hd_value *stored = hd_map_get(&g->stored, buffer);
  if (!writer || stored)
    *out = load_element(g, stored ? stored : buffer, index);
  else if (!hd_generate_op(g, writer, buffer, index, out))
    return false;
  *out = hd_spread_element(g, *out);
  hd_element *kept = hd_new(g->arena, hd_element);
  *kept = *out;
  hd_map_insert_bytes(g->arena, &g->cache, key, sizeof key, NULL)->value.ptr = kept;
  return true;
}
