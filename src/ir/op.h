/* SPDX-License-Identifier: Apache-2.0 */
/* SSA ops with regions, blocks and successors. Structures may be read freely; change them through the functions here,
 * which keep use lists and block lists right. All memory is the module's arena; erased ops are simply unlinked.
 * Thread-compatible, see context.h. */
#ifndef HD_IR_OP_H_
#define HD_IR_OP_H_

#include <assert.h>
#include <stdarg.h>

#include "ir/op_info.h"

struct hd_module {
  hd_context *context;
  hd_arena arena;
  hd_op *op;      /* the builtin.module */
  hd_map symbols; /* name -> op of |op| that had it when the verifier last ran: where to look first */
};

struct hd_value {
  hd_type type;
  hd_loc loc; /* of a block argument; null: its op's */
  hd_use *first_use;
  union {
    hd_op *op;       /* the op that gives this result */
    hd_block *block; /* the block that has this argument */
  } owner;
  uint32_t index; /* among results or arguments */
  bool is_block_arg;
};

struct hd_use {
  hd_value *value;
  hd_op *owner;
  hd_use *next, **previous_next; /* the list of uses of |value| */
  uint32_t index;                /* operand number */
};

typedef struct hd_op_attr {
  hd_ident name;
  hd_attr value;
  bool inherent; /* a property (printed in <{}>), not a discardable attribute; of registered ops the row tells it */
} hd_op_attr;

typedef struct hd_op_attr_list {
  hd_op_attr *data;
  size_t len;
} hd_op_attr_list;

struct hd_op {
  hd_op *prev, *next; /* in the block */
  hd_block *block;    /* null when detached */
  hd_module *module;
  const hd_op_info *info;
  hd_ident name; /* as spelled: mhlo.add and stablehlo.add share a row */
  hd_loc loc;
  uint32_t operand_count, result_count, region_count, successor_count, attr_count, attr_capacity;
  uint32_t order; /* position in the block; valid while block->ordered */
  hd_use *operands;
  hd_value *results;
  hd_region *regions;
  hd_block **successors;
  hd_attr *properties; /* inherent attributes, one per name of the row (hd_row_names), null where absent */
  hd_op_attr *attrs;   /* discardable attributes, and all of an unregistered op; sorted by name */
};

struct hd_block {
  hd_block *prev, *next;
  hd_region *region;
  hd_op *first, *last;
  hd_value **args;
  uint32_t arg_count, arg_capacity;
  bool ordered; /* hd_op.order is valid */
  uint32_t id;  /* scratch for analyses and the printer */
};

struct hd_region {
  hd_op *op; /* null while detached */
  hd_block *first, *last;
};

/* Modules. One that is not freed ends with its context. */
hd_module *hd_module_alloc(hd_context *context);              /* no op yet */
hd_module *hd_module_create(hd_context *context, hd_loc loc); /* an empty builtin.module with one block */
void hd_module_free(hd_module *module);
static inline hd_block *hd_module_body(hd_module *module) { return module->op->regions[0].first; }

/* Ops */
/* A detached op. Operands' uses are linked; attributes sorted; attributes named in the row become inherent. */
hd_op *hd_op_create(hd_module *module, const hd_op_state *state);
static inline hd_opcode hd_opcode_get(const hd_op *op) { return op->info->opcode; }
static inline bool hd_op_is(const hd_op *op, hd_opcode opcode) { return op && op->info->opcode == opcode; }
static inline bool hd_op_has_trait(const hd_op *op, uint64_t traits) { return (op->info->traits & traits) == traits; }
static inline bool hd_op_has_any_trait(const hd_op *op, uint64_t traits) { return (op->info->traits & traits) != 0; }
static inline hd_context *hd_op_context(const hd_op *op) { return op->module->context; }
static inline hd_value *hd_operand(const hd_op *op, uint32_t i) { return op->operands[i].value; }
static inline hd_value *hd_result(const hd_op *op, uint32_t i) { return &op->results[i]; }
static inline hd_region *hd_op_region(const hd_op *op, uint32_t i) { return &op->regions[i]; }
static inline hd_type hd_operand_type(const hd_op *op, uint32_t i) { return op->operands[i].value->type; }
static inline hd_type hd_result_type(const hd_op *op, uint32_t i) { return op->results[i].type; }

void hd_op_insert_before(hd_op *op, hd_op *anchor);
void hd_op_insert_after(hd_op *op, hd_op *anchor);
void hd_op_append(hd_op *op, hd_block *block);
void hd_op_prepend(hd_op *op, hd_block *block);
void hd_op_unlink(hd_op *op); /* takes it out of its block, keeps it */
void hd_op_move_before(hd_op *op, hd_op *anchor);
/* Drops the operands of |op| and of all ops in its regions, which stay: before ops that use each other are erased. */
void hd_op_drop_operands(hd_op *op);
/* Unlinks |op| with all ops in its regions and drops their operands. Results must have no uses left outside. */
void hd_op_erase(hd_op *op);

void hd_op_set_operand(hd_op *op, uint32_t i, hd_value *value);
/* Replaces the whole operand list; a segment attribute is the caller's to keep. */
void hd_op_set_operands(hd_op *op, hd_value *const *values, size_t count);

/* Attributes. One that a row declares is read by its index: ops/<dialect>.h, generated from the rows, has an accessor
 * for each, ops/interfaces.h those of attributes that several ops have, ops/discardable.h those of attributes of any
 * op. By name it is looked up, null when missing, where the name comes from a table or a caller, and in readers and
 * printers. A name written into another call is a debt that tools/check_names.py counts. */
hd_attr hd_op_attr_get(const hd_op *op, hd_name name);
/* For hd_op_create: those of |state|, each in its slot or in the list. */
void hd_op_take_attrs(hd_op *op, const hd_op_state *state);
/* Sets, or removes when |value| is null. */
void hd_op_attr_set(hd_op *op, hd_name name, hd_attr value);
/* For readers and printers: the value of an integer or enum attribute, |absent| when it is missing. */
static inline int64_t hd_op_int_attr(const hd_op *op, hd_name name, int64_t absent) {
  return hd_attr_int_or(hd_op_attr_get(op, name), absent);
}
/* The text of a string attribute or the root of a symbol; "" when missing. */
static inline hd_str hd_op_string_attr(const hd_op *op, hd_name name) { return hd_attr_text(hd_op_attr_get(op, name)); }
/* By a name that a program wrote: for text and bytecode. */
hd_attr hd_op_attr_get_named(const hd_op *op, const char *name);
hd_attr hd_op_attr_get_ident(const hd_op *op, hd_ident name);
void hd_op_attr_set_ident(hd_op *op, hd_ident name, hd_attr value);
void hd_op_attr_set_named(hd_op *op, const char *name, hd_attr value);
/* Steps through the attributes: the inherent ones, sorted by name, then the discardable ones, sorted by name. Those
 * that are set or removed on the way may be skipped or met once more. */
typedef struct hd_attr_cursor {
  uint32_t next;
  hd_ident name;
  hd_attr value;
  bool inherent;
} hd_attr_cursor;
bool hd_op_next_attr(const hd_op *op, hd_attr_cursor *cursor);
#define hd_for_each_attr(attr, op) for (hd_attr_cursor attr = {0}; hd_op_next_attr((op), &attr);)
/* All of them on |arena|, sorted by name, inherent ones first where names are equal. */
hd_op_attr_list hd_op_all_attrs(const hd_op *op, hd_arena *arena);
bool hd_op_has_attrs(const hd_op *op);
/* Property |index| of an op whose row is |opcode| or the lmhlo counterpart: what generated accessors call. */
static inline hd_attr hd_op_property(const hd_op *op, hd_opcode opcode, uint32_t index) {
  assert(op->info->opcode == opcode || op->info->derived_from == opcode);
  (void)opcode;
  return op->properties[index];
}
static inline void hd_op_set_property(hd_op *op, hd_opcode opcode, uint32_t index, hd_attr value) {
  assert(op->info->opcode == opcode || op->info->derived_from == opcode);
  (void)opcode;
  op->properties[index] = value;
}

/* Operands that belong to item |item| of ARGS: their first index and count, by operandSegmentSizes where there is one.
 */
void hd_op_operand_range(const hd_op *op, size_t item, uint32_t *out_start, uint32_t *out_count);
void hd_op_result_range(const hd_op *op, size_t item, uint32_t *out_start, uint32_t *out_count);

/* How many of a chlo.scan's operands are inputs, how many of its results outputs: the others are carries. */
void hd_scan_counts(const hd_op *op, uint32_t *out_inputs, uint32_t *out_outputs);

/* Operands that a jump hands to the arguments of successor |i|: their first index and count. */
void hd_op_successor_operands(const hd_op *op, uint32_t i, uint32_t *out_start, uint32_t *out_count);

/* Enclosing structure */
hd_op *hd_op_parent(const hd_op *op); /* the op whose region holds it; null at the top */
hd_op *hd_op_function(hd_op *op);     /* the function that |op| is or is in; null outside of all */
hd_op *hd_block_parent_op(const hd_block *block);
bool hd_op_is_ancestor(const hd_op *ancestor, const hd_op *op); /* proper or equal */
bool hd_op_is_before(hd_op *a, hd_op *b);                       /* in the same block */
/* The op in |block| that is |op| or has it inside a region; null when there is none. */
hd_op *hd_block_ancestor_op(hd_block *block, hd_op *op);
static inline hd_op *hd_block_terminator(const hd_block *block) { return block->last; }

/* Values */
static inline bool hd_value_has_uses(const hd_value *value) { return value->first_use != NULL; }
static inline bool hd_value_has_one_use(const hd_value *value) { return value->first_use && !value->first_use->next; }
hd_op *hd_value_op(const hd_value *value); /* the defining op; null for block arguments */
/* The attribute of a constant-like op's result; null when |value| is no constant. */
hd_attr hd_value_constant(const hd_value *value);
/* True and |*out| when |value| is a constant integer or a splat of one. */
bool hd_value_constant_int(const hd_value *value, int64_t *out);
hd_block *hd_value_block(const hd_value *value); /* the block in which it is defined */
void hd_value_replace_uses(hd_value *from, hd_value *to);
/* Where |keep| returns true the use stays. */
void hd_value_replace_uses_except(hd_value *from, hd_value *to, const hd_op *except);
void hd_op_replace(hd_op *op, hd_value *const *values); /* replaces all results and erases */
hd_loc hd_value_loc(const hd_value *value);

/* Blocks and regions */
hd_block *hd_block_create(hd_module *module);
hd_value *hd_block_add_arg(hd_module *module, hd_block *block, hd_type type);
hd_value *hd_block_insert_arg(hd_module *module, hd_block *block, uint32_t at, hd_type type);
void hd_block_erase_arg(hd_block *block, uint32_t index); /* must have no uses */
void hd_region_append(hd_region *region, hd_block *block);
void hd_region_insert_after(hd_block *anchor, hd_block *block);
void hd_block_unlink(hd_block *block);
void hd_block_erase(hd_block *block); /* with its ops */
/* Moves the ops after (and including) |op| into a new block placed after this one. */
hd_block *hd_block_split(hd_module *module, hd_block *block, hd_op *op);
/* Moves all blocks of |from| to the end of |to|. */
void hd_region_take(hd_region *to, hd_region *from);
/* Moves ops of |from| before |anchor| (null: at the end of |block|). */
void hd_block_splice(hd_block *from, hd_block *block, hd_op *anchor);

/* Walks |op| and everything inside, in order. |pre| before the regions, |post| after; erasing the visited op is allowed
 * in |post| only. Returning false from |visit| stops the walk, and the walk returns false. */
typedef bool (*hd_visit)(hd_op *op, void *user);
bool hd_walk_pre(hd_op *op, hd_visit visit, void *user);
bool hd_walk_post(hd_op *op, hd_visit visit, void *user);

typedef struct hd_op_list {
  hd_op **data;
  size_t len;
} hd_op_list;

/* The ops in |root|, itself included, that are |wanted| (null: all), on |arena|: what to work on while the program
 * changes. Each comes before those in its regions, or in the second form after them. */
hd_op_list hd_ops_where(hd_op *root, bool (*wanted)(const hd_op *op), hd_arena *arena);
hd_op_list hd_ops_inner_first(hd_op *root, bool (*wanted)(const hd_op *op), hd_arena *arena);
/* How many ops are in |root|, itself included. */
size_t hd_op_count(hd_op *root);

#define hd_for_each_op(op, block) for (hd_op *op = (block)->first; op; op = op->next)
/* Safe when |op| is erased in the body. */
#define hd_for_each_op_safe(op, block)                                    \
  for (hd_op *op = (block)->first, *op##_next = op ? op->next : NULL; op; \
       op = op##_next, op##_next = op ? op->next : NULL)
#define hd_for_each_block(block, region) for (hd_block *block = (region)->first; block; block = block->next)
#define hd_for_each_use(use, value) for (hd_use *use = (value)->first_use; use; use = use->next)

/* Diagnostics at an op: "'arith.addi' op ..." as MLIR writes them. Always returns false. */
bool hd_op_error(hd_op *op, const char *format, ...) HD_PRINTF(2, 3);
bool hd_op_verror(hd_op *op, const char *format, va_list args); /* hd_op_error with its arguments in a list */
/* The same, closing with ": expected T, got T". */
bool hd_op_type_error(hd_op *op, hd_type expected, hd_type got, const char *format, ...) HD_PRINTF(4, 5);
/* The same, closing with ", got T and T", or ", got T" when |b| is null: of types that should fit each other. */
bool hd_op_misfit_error(hd_op *op, hd_type a, hd_type b, const char *format, ...) HD_PRINTF(4, 5);
/* UNIMPLEMENTED, with the op's place in its file before the message: of code generation, which has no sink. */
hd_status hd_op_unimplemented(const hd_op *op, const char *format, va_list args) HD_MUST_USE;

/* Symbols */
hd_str hd_symbol_name(const hd_op *op); /* sym_name, "" when none */
bool hd_symbol_is_private(const hd_op *op);
/* The op named |name| directly in the symbol table |table|, null when missing. */
hd_op *hd_symbol_lookup(hd_op *table, hd_str name);
/* Resolves a symbol reference from inside |from|, walking outwards; null when missing. */
hd_op *hd_symbol_resolve(hd_op *from, hd_attr symbol);
/* Calls |visit| with every symbol that |op|'s attributes name, inside arrays and dictionaries too. */
void hd_op_each_symbol(hd_op *op, void (*visit)(hd_op *op, hd_attr symbol, void *user), void *user);

/* The symbols directly in an op, read once, for who looks up or makes many. What is added to the op or leaves it later
 * has to be said; of equal names the first counts. */
typedef struct hd_symbol_table {
  hd_arena *arena;
  hd_map ops; /* name -> op */
} hd_symbol_table;

void hd_symbol_table_init(hd_symbol_table *table, hd_arena *arena, hd_op *op);
hd_op *hd_symbol_table_lookup(const hd_symbol_table *table, hd_str name); /* null when missing */
void hd_symbol_table_insert(hd_symbol_table *table, hd_op *op);
void hd_symbol_table_remove(hd_symbol_table *table, hd_op *op);
/* A name that no op in |table| has: |base|, else base_0, base_1, ... */
hd_ident hd_symbol_table_unique(const hd_symbol_table *table, hd_context *context, hd_str base);

/* Cloning. |map| (may be null) maps old values and blocks to new ones, and is filled. */
hd_op *hd_op_clone(hd_module *module, hd_op *op, hd_arena *scratch, hd_map *map);
void hd_region_clone_into(hd_module *module, hd_region *from, hd_region *to, hd_arena *scratch, hd_map *map);
hd_module *hd_module_clone(hd_module *module);

/* Dominance: true when |value| may be used by |user|. Exact for single-block regions; for CFG regions by the dominator
 * tree, computed on demand in |scratch|. */
bool hd_value_dominates(hd_value *value, hd_op *user, hd_arena *scratch);

/* Side effects */
/* A loop that is not known to end: one without a counter that goes up (or down) by one to a bound that stays. That it
 * may not end is an effect. */
bool hd_op_may_run_forever(hd_op *op);
/* No reads, writes, allocations or termination effects, regions included. */
bool hd_op_is_pure(hd_op *op);
/* Pure, and free of errors, so it may be hoisted or executed speculatively. */
bool hd_op_is_speculatable(hd_op *op);
/* Are all dims of its operands and results known? Those of what is in its regions are not asked for. */
bool hd_op_has_known_dims(const hd_op *op);
/* True for an operand that only says how big the result is, or where a slice begins: host code reads it. */
bool hd_op_is_shape_operand(const hd_op *op, uint32_t i);
/* The memrefs that a buffer op begins with: inputs, then outputs. */
uint32_t hd_op_buffer_count(const hd_op *op);
/* May buffer op |op| write the memory that it reads? Others need all of an operand until all is written. */
bool hd_op_updates_in_place(const hd_op *op);
/* How many such operands ops of |opcode| have, from |*first| on; custom calls say it themselves. Buffer forms have
 * none:
 * their output has the size, or index operands after the buffers. */
uint32_t hd_opcode_shape_operands(hd_opcode opcode, uint32_t *first);
/* As many operands as broadcast together at most. */
enum { HD_BROADCAST_MAX_OPERANDS = 3 };
/* True for elementwise ops of old programs, whose attribute broadcast_dimensions says where the dims of an operand of
 * lower rank are: their shapes need not agree until disc-broadcast-simplifier has written the broadcasts out. */
bool hd_op_broadcasts_implicitly(const hd_op *op);
/* Is |op| one of chlo.broadcast_*, which broadcast by definition? */
bool hd_op_is_chlo_broadcast(const hd_op *op);
/* The op that the first region of a reduction or scatter is: one op on the region's two arguments, each once, whose
 * result the region gives. Null when the region does anything else. */
hd_op *hd_op_reducer(const hd_op *op);
/* May be erased when its results are unused. */
bool hd_op_is_trivially_dead(hd_op *op);
/* Erases those of |block| and its regions, and what is dead without them; whether there was one. */
bool hd_block_erase_dead(hd_block *block);
/* The same of all blocks of |op|'s regions. */
bool hd_op_erase_dead_inside(hd_op *op);

/* The verifier: reports every error and returns false if there was one. */
bool hd_verify(hd_op *op);

#endif
