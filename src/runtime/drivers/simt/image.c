/* SPDX-License-Identifier: Apache-2.0 */
/* Images as bytes: magic, version, kernels. What is read is checked so that the interpreter need not. */
#include "runtime/drivers/simt/image.h"

#include <string.h>

const hd_simt_opcode_row hd_simt_opcode_rows[HD_SIMT_OPCODES] = {
#define ROW(name, class, result, a, b, c) {#name, HD_SIMT_##class, result, a, b, c},
#include "runtime/drivers/simt/opcodes.def"
#undef ROW
};

/* ---- fields, both ways ---- */

static void half_word(hd_fields *s, uint16_t *value) {
  uint64_t wide = *value;
  hd_field_word(s, &wide, 2);
  if (s->reading) *value = (uint16_t)wide;
}

static void instruction(hd_fields *s, void *item) {
  hd_simt_instruction *i = item;
  uint16_t *const words[] = {&i->op, &i->d, &i->a, &i->b, &i->c, &i->x};
  for (size_t k = 0; k < 6; ++k) half_word(s, words[k]);
  hd_field_u32(s, &i->imm);
}

static void constant(hd_fields *s, void *item) {
  hd_simt_constant *c = item;
  hd_field_u32(s, &c->slot);
  hd_field_u32(s, &c->slots);
  hd_field_u32(s, &c->undefined);
  hd_field_word(s, &c->bits, 8);
}

static void argument(hd_fields *s, void *item) {
  hd_simt_argument *a = item;
  hd_field_u32(s, &a->slot);
  hd_field_u32(s, &a->slots);
  hd_field_u32(s, &a->bits);
}

static void word(hd_fields *s, void *item) { hd_field_u32(s, item); }
static void text(hd_fields *s, void *item) { hd_field_string(s, item); }

static void kernel(hd_fields *s, void *item) {
  hd_simt_kernel *k = item;
  uint32_t *const numbers[] = {&k->block[0],      &k->block[1], &k->block[2],   &k->shared_bytes,
                               &k->private_bytes, &k->slots,    &k->fixed_slots};
  hd_field_string(s, &k->name);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) hd_field_u32(s, numbers[i]);
  HD_FIELDS_ARRAY(s, k->argument_count, k->arguments, 12, argument);
  HD_FIELDS_ARRAY(s, k->constant_count, k->constants, 20, constant);
  HD_FIELDS_ARRAY(s, k->code_count, k->code, 16, instruction);
  HD_FIELDS_ARRAY(s, k->list_count, k->lists, 4, word);
  uint32_t origins = k->code_count;
  HD_FIELDS_ARRAY(s, origins, k->origins, 4, word);
  if (s->reading && origins != k->code_count) s->damaged = true;
  HD_FIELDS_ARRAY(s, k->source_count, k->sources, 4, text);
}

hd_str hd_simt_image_write(const hd_simt_module *module, hd_arena *arena) {
  hd_fields s = {.arena = arena};
  uint32_t magic = HD_SIMT_MAGIC, version = HD_SIMT_VERSION;
  hd_simt_module copy = *module;
  hd_strbuf_init(&s.out, arena);
  hd_field_u32(&s, &magic);
  hd_field_u32(&s, &version);
  HD_FIELDS_ARRAY(&s, copy.kernel_count, copy.kernels, 52, kernel);
  return (hd_str){s.out.data, s.out.len};
}

/* ---- checks ---- */

enum { SLOT_LIMIT = 1 << 16, MEMORY_LIMIT = 1 << 24 };

static bool is_register(const hd_simt_kernel *k, uint32_t slot, uint32_t slots) {
  return slot < k->slots && slots <= k->slots - slot;
}

/* One that an instruction may write. */
static bool is_result(const hd_simt_kernel *k, uint32_t slot, uint32_t slots) {
  return is_register(k, slot, slots) && slot >= k->fixed_slots;
}

static bool is_space(uint32_t space) {
  return space == HD_SIMT_SPACE_GENERIC || space == HD_SIMT_SPACE_GLOBAL || space == HD_SIMT_SPACE_SHARED ||
         space == HD_SIMT_SPACE_PRIVATE;
}

static const char *check_access(const hd_simt_kernel *k, const hd_simt_instruction *i) {
  uint32_t slots = i->b == 3 ? 2 : 1;
  if (i->b > 3 || !is_space(i->c & 255) || i->c >> 8 > 12) return "has no such memory";
  if (!i->x) return "has no elements";
  if (i->x > 1 && (i->imm > k->list_count || i->x > k->list_count - i->imm)) return "has a list that is not there";
  for (uint32_t e = 0; e < i->x; ++e) {
    uint32_t slot = i->x == 1 ? i->d : k->lists[i->imm + e];
    if (i->op == HD_SIMT_load ? !is_result(k, slot, slots) : !is_register(k, slot, slots))
      return "has an element that is no register";
  }
  return NULL;
}

static const char *check_atomic(const hd_simt_kernel *k, const hd_simt_instruction *i) {
  if (i->op == HD_SIMT_cmpxchg) {
    uint32_t size = i->x >> 8;
    if (size > 3 || !is_space(i->x & 255)) return "has no such memory";
    uint32_t slots = size == 3 ? 2 : 1;
    return is_result(k, i->d, slots) && is_register(k, i->b, slots) && is_register(k, i->c, slots)
               ? NULL
               : "has an operand that is no register";
  }
  if (i->x >> 4 >= HD_SIMT_ATOMIC_KINDS || (i->x & 15) >= HD_SIMT_ATOMIC_TYPES || !is_space(i->c))
    return "has no such kind";
  uint32_t slots = (i->x & 1) + 1; /* types alternate */
  return is_result(k, i->d, slots) && is_register(k, i->b, slots) ? NULL : "has an operand that is no register";
}

static const char *check_instruction(const hd_simt_kernel *k, const hd_simt_instruction *i) {
  if (i->op >= HD_SIMT_OPCODES) return "has no such opcode";
  const hd_simt_opcode_row *row = &hd_simt_opcode_rows[i->op];
  if ((row->result && !is_result(k, i->d, row->result)) || (row->a && !is_register(k, i->a, row->a)) ||
      (row->b && !is_register(k, i->b, row->b)) || (row->c && !is_register(k, i->c, row->c)))
    return "has an operand that is no register";
  switch ((hd_simt_opcode)i->op) {
    case HD_SIMT_special:
      return i->x < HD_SIMT_SPECIALS ? NULL : "has no such number of threads";
    case HD_SIMT_zext32:
    case HD_SIMT_sext32:
      return i->x >= 1 && i->x <= 31 ? NULL : "has no such width";
    case HD_SIMT_zext64:
    case HD_SIMT_sext64:
      return i->x >= 1 && i->x <= 63 ? NULL : "has no such width";
    case HD_SIMT_f64_s64:
    case HD_SIMT_f64_u64:
      return i->x >= 1 && i->x <= 64 ? NULL : "has no such width";
    case HD_SIMT_load:
    case HD_SIMT_store:
      return check_access(k, i);
    case HD_SIMT_atomic:
    case HD_SIMT_cmpxchg:
      return check_atomic(k, i);
    case HD_SIMT_vote:
      return i->x > 3 ? "has no such kind" : is_result(k, i->d, 1) ? NULL : "has an operand that is no register";
    case HD_SIMT_redux:
      if (i->x < HD_SIMT_REDUX_ADD || i->x >= HD_SIMT_REDUX_KINDS) return "has no such kind";
      return is_result(k, i->d, 1) ? NULL : "has an operand that is no register";
    case HD_SIMT_match:
      if (i->x >> 4 < 1 || i->x >> 4 > 2 || (i->x & 15) > 1) return "has no such kind";
      return is_result(k, i->d, 1) && is_register(k, i->a, i->x >> 4) && is_result(k, i->imm, 1)
                 ? NULL
                 : "has an operand that is no register";
    case HD_SIMT_shuffle:
    case HD_SIMT_exchange:
      if (i->x >> 4 < 1 || i->x >> 4 > 2 || (i->x & 15) > 3) return "has no such mode";
      return is_result(k, i->d, i->x >> 4) && is_register(k, i->a, i->x >> 4) && is_result(k, i->imm, 1)
                 ? NULL
                 : "has an operand that is no register";
    case HD_SIMT_branch:
      return i->imm < k->code_count ? NULL : "goes to no instruction";
    case HD_SIMT_branch_if:
      if (k->list_count < 3 || i->imm > k->list_count - 3) return "has a list that is not there";
      for (int t = 0; t < 3; ++t)
        if (k->lists[i->imm + t] >= k->code_count && (t < 2 || k->lists[i->imm + t] != HD_SIMT_NOWHERE))
          return "goes to no instruction";
      return NULL;
    default:
      return NULL;
  }
}

static hd_status damaged(const hd_simt_kernel *k, const char *what) {
  return hd_make_status(HD_DATA_LOSS, "simt: the image is damaged: kernel '%s' %s", k->name, what);
}

static hd_status check_kernel(const hd_simt_kernel *k) {
  if (k->slots > SLOT_LIMIT || k->fixed_slots > k->slots) return damaged(k, "has more registers than there are");
  if (k->shared_bytes > MEMORY_LIMIT || k->private_bytes > MEMORY_LIMIT) return damaged(k, "needs too much memory");
  uint64_t threads = 1;
  for (int i = 0; i < 3; ++i)
    if ((threads *= k->block[i] ? k->block[i] : 1) > HD_SIMT_BLOCK_LIMIT) return damaged(k, "has too large a block");
  for (uint32_t i = 0; i < k->argument_count; ++i) {
    const hd_simt_argument *a = &k->arguments[i];
    if (a->slots < 1 || a->slots > 2 || a->bits < 1 || a->bits > 32 * a->slots || !is_register(k, a->slot, a->slots) ||
        a->slot + a->slots > k->fixed_slots)
      return damaged(k, "has an argument that is no register");
  }
  for (uint32_t i = 0; i < k->constant_count; ++i) {
    const hd_simt_constant *c = &k->constants[i];
    if (c->slots < 1 || c->slots > 2 || c->undefined > 1 || !is_register(k, c->slot, c->slots) ||
        c->slot + c->slots > k->fixed_slots)
      return damaged(k, "has a constant that is no register");
  }
  if (!k->code_count) return damaged(k, "has no code");
  for (uint32_t i = 0; i < k->code_count; ++i) {
    const char *why = k->origins[i] < k->source_count ? check_instruction(k, &k->code[i]) : "has no source";
    if (why)
      return hd_make_status(HD_DATA_LOSS, "simt: the image is damaged: instruction %u of kernel '%s' %s", i, k->name,
                            why);
  }
  if (hd_simt_opcode_rows[k->code[k->code_count - 1].op].class != HD_SIMT_CONTROL)
    return damaged(k, "runs past its end");
  return HD_STATUS_OK;
}

hd_status hd_simt_image_read(const void *bytes, size_t size, hd_arena *arena, hd_simt_module *out_module) {
  hd_fields s = {.reading = true, .arena = arena, .at = bytes, .end = (const uint8_t *)bytes + size};
  uint32_t magic = 0, version = 0;
  *out_module = (hd_simt_module){0};
  hd_field_u32(&s, &magic);
  hd_field_u32(&s, &version);
  if (s.damaged || magic != HD_SIMT_MAGIC)
    return hd_make_status(HD_DATA_LOSS, "simt: expected an image, got other bytes");
  if (version != HD_SIMT_VERSION)
    return hd_make_status(HD_FAILED_PRECONDITION, "simt: expected an image of version %d, got %u", HD_SIMT_VERSION,
                          version);
  hd_simt_module module = {0};
  HD_FIELDS_ARRAY(&s, module.kernel_count, module.kernels, 52, kernel);
  if (s.damaged || s.at != s.end)
    return hd_make_status(HD_DATA_LOSS, "simt: the image is damaged: its fields make no sense");
  for (uint32_t i = 0; i < module.kernel_count; ++i) HD_TRY(check_kernel(&module.kernels[i]));
  *out_module = module;
  return HD_STATUS_OK;
}
