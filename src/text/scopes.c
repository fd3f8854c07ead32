/* SPDX-License-Identifier: Apache-2.0 */
#include "text/scopes.h"

#include <stdio.h>

typedef struct ssa_name ssa_name;

/* A meaning of a name, inside one isolated part of the program. */
typedef struct ssa_def {
  ssa_name *name;
  struct ssa_def *shadowed;
  uint32_t isolation, count;
  hd_value **values;
  const char *at;
} ssa_def;

struct ssa_name {
  ssa_def *top;
};

/* A value that is used before it is defined. */
typedef struct forward_use {
  hd_value *value; /* the placeholder; null once it is defined */
  const char *at;
} forward_use;

typedef struct block_ref {
  hd_block *block;
  const char *at;
  bool defined;
} block_ref;

typedef struct scope {
  struct scope *outer, *isolated; /* |isolated|: the nearest scope, this one included, that hides all outside */
  hd_map blocks;                  /* label -> block_ref */
  hd_vec(ssa_def *) defined;      /* forgotten at the end of the region */
  hd_map forwards;                /* of isolated scopes: "%name#number" -> forward_use */
  size_t waiting;                 /* of them, how many are not defined */
} scope;

struct hd_scopes {
  scope *top;
  uint32_t isolation;
  hd_map names;
};

void hd_scope_push(hd_parser *p, bool isolated) {
  if (!p->scopes) p->scopes = hd_new(&p->scratch, hd_scopes);
  hd_scopes *s = p->scopes;
  scope *made = hd_new(&p->scratch, scope);
  made->outer = s->top;
  made->isolated = isolated || !s->top ? made : s->top->isolated;
  s->top = made;
  s->isolation += made->isolated == made;
}

bool hd_scope_pop(hd_parser *p) {
  hd_scopes *s = p->scopes;
  scope *top = s->top;
  const char *undefined = NULL, *what = NULL;
  hd_str name = {0};
  for (size_t i = 0; top->waiting && i < top->forwards.len; ++i) {
    forward_use *use = top->forwards.entries[i].value.ptr;
    if (!use->value || (undefined && use->at >= undefined)) continue;
    undefined = use->at;
    what = "use of undeclared SSA value name";
    name = (hd_str){top->forwards.entries[i].key, top->forwards.entries[i].key_size};
    if (name.len > 2 && memcmp(name.data + name.len - 2, "#0", 2) == 0) name.len -= 2;
  }
  for (size_t i = 0; i < top->blocks.len; ++i) {
    block_ref *ref = top->blocks.entries[i].value.ptr;
    if (ref->defined || (undefined && ref->at >= undefined)) continue;
    undefined = ref->at;
    what = "reference to an undefined block";
    name = (hd_str){top->blocks.entries[i].key, top->blocks.entries[i].key_size};
  }
  for (size_t i = top->defined.len; i-- > 0;) top->defined.data[i]->name->top = top->defined.data[i]->shadowed;
  s->top = top->outer;
  s->isolation -= top->isolated == top;
  return !undefined || hd_parser_error(p, undefined, "%s '%.*s'", what, (int)name.len, name.data);
}

static ssa_name *name_of(hd_parser *p, hd_str text) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(&p->scratch, &p->scopes->names, text.data, text.len, &is_new);
  if (is_new) entry->value.ptr = hd_new(&p->scratch, ssa_name);
  return entry->value.ptr;
}

/* The definition that can be seen here; null when there is none. */
static ssa_def *visible(hd_parser *p, ssa_name *name) {
  return name->top && name->top->isolation == p->scopes->isolation ? name->top : NULL;
}

static hd_str forward_key(hd_parser *p, hd_str name, uint32_t number) {
  char *text = hd_arena_alloc(&p->scratch, name.len + 12);
  memcpy(text, name.data, name.len);
  int length = snprintf(text + name.len, 12, "#%u", number);
  return (hd_str){text, name.len + (size_t)length};
}

static forward_use *find_forward(hd_parser *p, hd_str name, uint32_t number) {
  scope *isolated = p->scopes->top->isolated;
  if (!isolated->waiting) return NULL;
  hd_str key = forward_key(p, name, number);
  hd_map_entry *entry = hd_map_find_bytes(&isolated->forwards, key.data, key.len);
  forward_use *use = entry ? entry->value.ptr : NULL;
  return use && use->value ? use : NULL;
}

hd_type hd_known_type(hd_parser *p, const hd_operand_ref *ref) {
  ssa_def *def = visible(p, name_of(p, ref->name));
  if (def) return ref->number < def->count ? def->values[ref->number]->type : NULL;
  forward_use *use = find_forward(p, ref->name, ref->number);
  return use ? use->value->type : NULL;
}

static hd_value *check_type(hd_parser *p, const hd_operand_ref *ref, hd_value *value, hd_type wanted,
                            const char *known_at) {
  if (value->type == wanted) return value;
  if (p->failed) return NULL;
  hd_parser_error(p, ref->at, "use of value '%.*s' expects different type than prior uses: '%s' vs '%s'",
                  (int)ref->name.len, ref->name.data, hd_parser_type_text(p, wanted),
                  hd_parser_type_text(p, value->type));
  hd_note(p->context, hd_parser_loc(p, known_at), "prior use here");
  return NULL;
}

hd_value *hd_resolve_operand(hd_parser *p, const hd_operand_ref *ref, hd_type type) {
  ssa_def *def = visible(p, name_of(p, ref->name));
  if (def) {
    if (ref->number < def->count) return check_type(p, ref, def->values[ref->number], type, def->at);
    hd_parser_error(p, ref->at, "reference to invalid result number");
    return NULL;
  }
  scope *isolated = p->scopes->top->isolated;
  hd_str key = forward_key(p, ref->name, ref->number);
  hd_map_entry *entry = hd_map_insert_bytes(&p->scratch, &isolated->forwards, key.data, key.len, NULL);
  forward_use *use = entry->value.ptr;
  if (!use) use = entry->value.ptr = hd_new(&p->scratch, forward_use);
  if (use->value) return check_type(p, ref, use->value, type, use->at);
  use->value = hd_new(&p->module->arena, hd_value);
  use->value->type = type;
  use->at = ref->at;
  ++isolated->waiting;
  return use->value;
}

bool hd_define_values(hd_parser *p, hd_str text, const char *at, hd_value **values, uint32_t count) {
  ssa_name *name = name_of(p, text);
  ssa_def *known = visible(p, name);
  if (known) {
    if (p->failed) return false;
    hd_parser_error(p, at, "redefinition of SSA value '%.*s'", (int)text.len, text.data);
    hd_note(p->context, hd_parser_loc(p, known->at), "previously defined here");
    return false;
  }
  for (uint32_t i = 0; i < count; ++i) {
    forward_use *use = find_forward(p, text, i);
    if (!use) continue;
    if (use->value->type != values[i]->type) {
      hd_parser_error(p, at, "definition of SSA value '%.*s#%u' has type '%s'", (int)text.len, text.data, i,
                      hd_parser_type_text(p, values[i]->type));
      hd_note(p->context, hd_parser_loc(p, use->at), "previously used here with type '%s'",
              hd_parser_type_text(p, use->value->type));
      return false;
    }
    hd_value_replace_uses(use->value, values[i]);
    use->value = NULL;
    --p->scopes->top->isolated->waiting;
  }
  ssa_def *def = hd_new(&p->scratch, ssa_def);
  *def = (ssa_def){name, name->top, p->scopes->isolation, count, values, at};
  if (count == 1) {
    def->values = hd_new(&p->scratch, hd_value *);
    def->values[0] = values[0];
  }
  name->top = def;
  hd_vec_push(&p->scratch, &p->scopes->top->defined, def);
  return true;
}

static block_ref *find_block(hd_parser *p, hd_str label, const char *at) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(&p->scratch, &p->scopes->top->blocks, label.data, label.len, &is_new);
  if (is_new) {
    block_ref *ref = entry->value.ptr = hd_new(&p->scratch, block_ref);
    ref->block = hd_block_create(p->module);
    ref->at = at;
  }
  return entry->value.ptr;
}

hd_block *hd_use_block(hd_parser *p, hd_str label, const char *at) { return find_block(p, label, at)->block; }

hd_block *hd_define_block(hd_parser *p, hd_str label, const char *at) {
  block_ref *ref = find_block(p, label, at);
  if (ref->defined) {
    hd_parser_error(p, at, "redefinition of block '%.*s'", (int)label.len, label.data);
    return NULL;
  }
  ref->defined = true;
  return ref->block;
}
