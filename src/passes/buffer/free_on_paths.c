/* SPDX-License-Identifier: Apache-2.0 */
/* disc-buffer-deallocation in a function of several blocks: each buffer is freed where its last use on a path is.
 *
 *   %t = memref.alloc()                  %t = memref.alloc()
 *   cf.cond_br %p, ^a, ^b           ->   cf.cond_br %p, ^a, ^b
 * ^a: read %t   cf.br ^b               ^a: read %t   memref.dealloc %t   cf.br ^c
 * ^b: ...                              ^b: memref.dealloc %t   cf.br ^c
 *                                      ^c: ...
 *
 * An owner is an allocation, or a block argument to which every jump hands an owner that is not used any more: so loops
 * whose buffers change places hand them on, and what the last step gives is freed. A block argument that takes an owner
 * without owning it is another name of that owner; where only some of the jumps hand it that owner, nobody knows at
 * compile time whether it is to be freed, which is an error.
 *
 * Per owner: blocks at whose start it lives, backwards from its uses. A block at whose end it lives for some successors
 * frees it on the way to the others, which gets a block of its own where it meets other ways. */
#include "passes/buffer/free_on_paths.h"

#include "base/vec.h"

typedef struct edge {
  hd_block *from, *to;
  uint32_t successor;
  hd_block *on; /* the block that is on this way, once made */
} edge;

typedef struct place { /* where |value| is freed: in |block| after |after|, null: at its start; or on |way| */
  hd_value *value;
  hd_block *block;
  hd_op *after;
  edge *way;
} place;

typedef struct paths {
  hd_pass *pass;
  hd_arena *arena;
  hd_region *region;
  edge *edges;
  uint32_t edge_count, block_count;
  edge **into; /* the edges in the order of the blocks that they lead to, from |first_into| of each on */
  uint32_t *first_into, *first_from;
  hd_map owners; /* value -> itself */
  hd_vec(hd_value *) all;
  hd_vec(place) places;
} paths;

/* One owner: where it is alive. */
typedef struct life {
  paths *p;
  hd_value *owner;
  bool *in;     /* per block: alive at its start */
  bool *leaves; /* per block: its terminator gives it to the caller */
  hd_op **last; /* per block: the last op that uses it */
  hd_map names; /* other names of it */
  hd_vec(hd_value *) work;
  bool freed; /* there is a dealloc already */
} life;

static bool is_buffer(const hd_value *value) { return hd_type_is(value->type, HD_TYPE_MEMREF); }
static bool owns(const paths *p, const hd_value *value) { return hd_map_get(&p->owners, value) != NULL; }
static hd_value *passed(const edge *e, uint32_t arg) {
  uint32_t start, count;
  hd_op_successor_operands(e->from->last, e->successor, &start, &count);
  return arg < count ? hd_operand(e->from->last, start + arg) : NULL;
}

static void name(life *l, hd_value *value) {
  if (hd_map_get(&l->names, value)) return;
  hd_map_set(l->p->arena, &l->names, value, value);
  hd_vec_push(l->p->arena, &l->work, value);
}

/* The op of the region's blocks that is |op| or holds it; null outside. */
static hd_op *top_op(const paths *p, hd_op *op) {
  while (op && (!op->block || op->block->region != p->region)) op = hd_op_parent(op);
  return op;
}

/* |value| is alive at the start of |block|, so at the end of the blocks before it, back to where the owner begins. */
static void live_at(life *l, hd_block *block) {
  paths *p = l->p;
  hd_vec(hd_block *) work = {0};
  if (block == hd_value_block(l->owner) || l->in[block->id]) return;
  l->in[block->id] = true;
  hd_vec_push(p->arena, &work, block);
  while (work.len) {
    hd_block *at = hd_vec_pop(&work);
    for (uint32_t i = p->first_into[at->id]; i < p->first_into[at->id + 1]; ++i) {
      hd_block *from = p->into[i]->from;
      if (from == hd_value_block(l->owner) || l->in[from->id]) continue;
      l->in[from->id] = true;
      hd_vec_push(p->arena, &work, from);
    }
  }
}

static void use_at(life *l, hd_op *op) {
  hd_op **last = &l->last[op->block->id];
  if (!*last || hd_op_is_before(*last, op)) *last = op;
  live_at(l, op->block);
}

/* A jump that hands over |value|: its end, or another name. */
static void jump(life *l, hd_op *op, const hd_value *value) {
  for (uint32_t i = 0; i < op->successor_count; ++i) {
    uint32_t start, count;
    hd_op_successor_operands(op, i, &start, &count);
    for (uint32_t k = 0; k < count; ++k)
      if (hd_operand(op, start + k) == value && !owns(l->p, op->successors[i]->args[k]))
        name(l, op->successors[i]->args[k]);
  }
}

static void visit_use(life *l, hd_use *use) {
  hd_op *op = use->owner, *at = top_op(l->p, op);
  if (!at) return;
  use_at(l, at);
  if (hd_op_is(op, HD_OP_memref_dealloc)) l->freed = true;
  if (op == at && op->successor_count)
    jump(l, op, use->value);
  else if (op == at && hd_op_has_trait(op, HD_TRAIT(TERMINATOR)))
    l->leaves[op->block->id] = true;
  bool address = hd_op_is(op, HD_OP_memref_extract_aligned_pointer_as_index) || hd_op_is(op, HD_OP_arith_index_cast);
  for (uint32_t r = 0; r < op->result_count; ++r)
    if (address || is_buffer(hd_result(op, r))) name(l, hd_result(op, r));
  if (op != at)
    for (uint32_t r = 0; r < at->result_count; ++r)
      if (is_buffer(hd_result(at, r))) name(l, hd_result(at, r)); /* a region may give it back */
  if (hd_op_is(op, HD_OP_memref_store) && use->index == 0) name(l, hd_operand(op, 1));
}

static life *live(paths *p, hd_value *owner) {
  life *l = hd_new(p->arena, life);
  *l = (life){.p = p,
              .owner = owner,
              .in = hd_new_array(p->arena, bool, p->block_count),
              .leaves = hd_new_array(p->arena, bool, p->block_count),
              .last = hd_new_array(p->arena, hd_op *, p->block_count)};
  name(l, owner);
  while (l->work.len) {
    hd_value *value = hd_vec_pop(&l->work);
    hd_for_each_use(use, value) visit_use(l, use);
  }
  return l;
}

/* Does a jump over |e| take the owner away: to an argument that owns it? */
static bool taken_over(const paths *p, const edge *e, const hd_value *owner) {
  for (uint32_t k = 0; k < e->to->arg_count; ++k)
    if (passed(e, k) == owner && owns(p, e->to->args[k])) return true;
  return false;
}

static bool alive_after(const life *l, const edge *e) { return e->to != hd_value_block(l->owner) && l->in[e->to->id]; }

/* Block arguments that cannot own, by what the jumps hand them; true when one was found. */
static bool drop_wrong_owners(paths *p) {
  bool found = false;
  for (size_t i = 0; i < p->all.len; ++i) {
    if (!owns(p, p->all.data[i])) continue;
    life *l = NULL;
    for (uint32_t k = 0; k < p->edge_count; ++k) {
      edge *e = &p->edges[k];
      uint32_t times = 0;
      for (uint32_t a = 0; a < e->to->arg_count; ++a)
        times += passed(e, a) == p->all.data[i] && owns(p, e->to->args[a]);
      if (!times) continue;
      if (!l) l = live(p, p->all.data[i]);
      if (times == 1 && !alive_after(l, e)) continue;
      found = true;
      for (uint32_t a = 0; a < e->to->arg_count; ++a)
        if (passed(e, a) == p->all.data[i]) hd_map_set(p->arena, &p->owners, e->to->args[a], NULL);
    }
  }
  hd_for_each_block(block, p->region)
    for (uint32_t a = 0; a < block->arg_count; ++a) {
      if (!owns(p, block->args[a])) continue;
      for (uint32_t i = p->first_into[block->id]; i < p->first_into[block->id + 1]; ++i) {
        hd_value *value = passed(p->into[i], a);
        if (value && owns(p, value)) continue;
        hd_map_set(p->arena, &p->owners, block->args[a], NULL);
        found = true;
        break;
      }
    }
  return found;
}

/* Other names must be names of this owner on every way to them. */
static bool check_names(const life *l) {
  const paths *p = l->p;
  hd_for_each_block(block, p->region)
    for (uint32_t a = 0; a < block->arg_count; ++a) {
      if (block->args[a] == l->owner || !hd_map_get(&l->names, block->args[a])) continue;
      for (uint32_t i = p->first_into[block->id]; i < p->first_into[block->id + 1]; ++i)
        if (!hd_map_get(&l->names, passed(p->into[i], a)))
          return hd_op_error(
              p->into[i]->from->last,
              "disc-buffer-deallocation: hands a buffer to an argument that is a buffer to be freed when it "
              "comes another way: expected a copy");
    }
  return true;
}

static void find_places(life *l) {
  paths *p = l->p;
  hd_block *home = hd_value_block(l->owner);
  hd_for_each_block(block, p->region) {
    if ((block != home && !l->in[block->id]) || l->leaves[block->id]) continue;
    uint32_t first = p->first_from[block->id], end = p->first_from[block->id + 1], kept = 0;
    for (uint32_t i = first; i < end; ++i)
      kept += taken_over(p, &p->edges[i], l->owner) || alive_after(l, &p->edges[i]);
    hd_op *last = l->last[block->id];
    if (!last && block == home) last = hd_value_op(l->owner);
    if (last && last == block->last) last = last->prev;
    if (!kept) hd_vec_push(p->arena, &p->places, (place){l->owner, block, last, NULL});
    for (uint32_t i = first; kept && i < end; ++i)
      if (!taken_over(p, &p->edges[i], l->owner) && !alive_after(l, &p->edges[i]))
        hd_vec_push(p->arena, &p->places, (place){l->owner, NULL, NULL, &p->edges[i]});
  }
}

/* The block that is passed on the way |e| alone. */
static hd_block *block_on(paths *p, edge *e) {
  if (p->first_into[e->to->id + 1] - p->first_into[e->to->id] == 1) return e->to;
  if (e->on) return e->on;
  hd_module *module = p->pass->module;
  e->on = hd_block_create(module);
  hd_region_insert_after(e->from, e->on);
  hd_value **values = hd_new_array(p->arena, hd_value *, e->to->arg_count + 1);
  for (uint32_t a = 0; a < e->to->arg_count; ++a) values[a] = hd_block_add_arg(module, e->on, e->to->args[a]->type);
  hd_builder b = hd_builder_at_end(module, e->on);
  b.loc = e->from->last->loc;
  hd_build_state(&b, &(hd_op_state){.opcode = HD_OP_cf_br,
                                    .operands = values,
                                    .operand_count = e->to->arg_count,
                                    .successors = &e->to,
                                    .successor_count = 1});
  e->from->last->successors[e->successor] = e->on;
  return e->on;
}

static void free_at(paths *p, place *at) {
  hd_module *module = p->pass->module;
  hd_block *start = at->way ? block_on(p, at->way) : at->block;
  hd_builder b = at->after ? hd_builder_after(at->after) : hd_builder_at_start(module, start);
  b.loc = hd_value_loc(at->value);
  hd_build0(&b, HD_OP_memref_dealloc, at->value);
  p->pass->changed = true;
}

static void number(paths *p) {
  hd_for_each_block(block, p->region) {
    block->id = p->block_count++;
    p->edge_count += block->last ? block->last->successor_count : 0;
  }
  p->edges = hd_new_array(p->arena, edge, p->edge_count + 1);
  p->into = hd_new_array(p->arena, edge *, p->edge_count + 1);
  p->first_into = hd_new_array(p->arena, uint32_t, p->block_count + 2);
  p->first_from = hd_new_array(p->arena, uint32_t, p->block_count + 1);
  uint32_t made = 0;
  hd_for_each_block(block, p->region) {
    p->first_from[block->id] = made;
    for (uint32_t i = 0; block->last && i < block->last->successor_count; ++i) {
      p->edges[made++] = (edge){.from = block, .to = block->last->successors[i], .successor = i};
      ++p->first_into[block->last->successors[i]->id + 2];
    }
  }
  p->first_from[p->block_count] = made;
  for (uint32_t i = 2; i <= p->block_count + 1; ++i) p->first_into[i] += p->first_into[i - 1];
  for (uint32_t i = 0; i < made; ++i) p->into[p->first_into[p->edges[i].to->id + 1]++] = &p->edges[i];
}

bool hd_free_on_paths(hd_pass *pass, hd_region *region, hd_value *const *owned, size_t count) {
  paths p = {.pass = pass, .arena = &pass->arena, .region = region};
  number(&p);
  for (size_t i = 0; i < count; ++i) hd_vec_push(p.arena, &p.all, owned[i]);
  hd_for_each_block(block, region)
    for (uint32_t a = 0; a < block->arg_count && block != region->first; ++a)
      if (is_buffer(block->args[a])) hd_vec_push(p.arena, &p.all, block->args[a]);
  for (size_t i = 0; i < p.all.len; ++i) hd_map_set(p.arena, &p.owners, p.all.data[i], p.all.data[i]);
  while (drop_wrong_owners(&p)) {
  }
  for (size_t i = 0; i < p.all.len; ++i) {
    if (!owns(&p, p.all.data[i])) continue;
    life *l = live(&p, p.all.data[i]);
    if (l->freed) continue;
    if (!check_names(l)) return false;
    find_places(l);
  }
  for (size_t i = 0; i < p.places.len; ++i) free_at(&p, &p.places.data[i]);
  return true;
}
