/* SPDX-License-Identifier: Apache-2.0 */
/* Artifacts (.hdl): written and read back, damaged, and with wrong contents under right checksums. */
#include "runtime/artifact.h"

#include <stdlib.h>

#include "base/testing.h"
#include "heddle/runtime.h"

static const int64_t b_words[] = {HD_DIM_SYMBOL, 0}, n_words[] = {HD_DIM_SYMBOL, 1};
static const int64_t odd_words[] = {HD_DIM_CONST, 2, HD_DIM_SYMBOL, 1, HD_DIM_MUL, HD_DIM_CONST, 1, HD_DIM_ADD};
static const int64_t def_b[] = {HD_DIM_INPUT, 0, 0};
static const int64_t def_n[] = {HD_DIM_INPUT, 0, 1, HD_DIM_CONST, 1, HD_DIM_SUB, HD_DIM_CONST, 2, HD_DIM_FLOORDIV};
static const int64_t even[] = {HD_DIM_SYMBOL, 0, HD_DIM_CONST, 2, HD_DIM_MOD, HD_DIM_CONST, 0, HD_DIM_EQ};
#define PROGRAM(words) {words, sizeof(words) / sizeof *(words)}

static const hd_artifact_dim in_dims[] = {{"b", PROGRAM(b_words)}, {"2*n+1", PROGRAM(odd_words)}};
static const hd_artifact_dim out_dims[] = {{"n", PROGRAM(n_words)}, {"?", {NULL, 0}}};
static const hd_artifact_tensor inputs[] = {{"x", HD_ELEMENT_F32, 2, in_dims, HD_NO_INPUT}};
static const hd_artifact_tensor outputs[] = {{"", HD_ELEMENT_BF16, 2, out_dims, 0}};
static const hd_artifact_symbol symbols[] = {{"b", 0, 0, PROGRAM(def_b)}, {"n", 0, 1, PROGRAM(def_n)}};
static const hd_dim_program values[] = {PROGRAM(b_words)};
static const hd_artifact_constraint constraints[] = {{PROGRAM(even), "b must be even, but is {0}", 1, values}};
static const hd_artifact_entry entries[] = {{"main", "main_host", 1, 1, 2, 1, inputs, outputs, symbols, constraints}};
static const hd_artifact_kernel kernels[] = {{"k0", "fusion_gelu_0", "stablehlo.tanh at x.mlir:3:4"}};
static const char *const ral_names[] = {"ral_alloc___pvoid_i64_i64___pvoid", "ral_recv_input___pvoid_i64___m2df32"};
static const char *const messages[] = {"no", "yes {0}"};
static const hd_artifact_object objects[] = {{"host", "0123456789", 10}, {"k0", "abc", 3}};
static const hd_artifact_variant variants[] = {{"x86-64-v3", 0x3ff, 2, objects}, {"x86-64-v4", 0x7fff, 1, objects}};

static const hd_artifact_image images[] = {{"simt", 0, "simt", "program", 7}, {"cuda", 80, "ptx", ".version", 8}};
#define ANY INT64_MIN, INT64_MAX
static const hd_artifact_word words[] = {{HD_WORD_POINTER, 64, 64, ANY},
                                         {HD_WORD_INTEGER, 64, 1, 0, INT32_MAX},
                                         {HD_WORD_POINTER, 64, 1, ANY},
                                         {HD_WORD_INTEGER, 32, 16, -32, 4096},
                                         {HD_WORD_FLOAT, 16, 1, ANY}};
static const hd_artifact_device_kernel device_kernels[] = {
    {"k", "k", "stablehlo.add at x.mlir:5:6", 0, {256, 1, 1}, 5, words, 128, 0, HD_NOT_KNOWN, HD_NOT_KNOWN},
    {"k", "k", "", 1, {0, 0, 0}, 5, words, 128, 4096, 40, 0}};

/* A program for devices and one for the CPU, in the order of their preference. */
static const hd_artifact_target targets[] = {{"cuda:80,90", "cuda", 0}, {"cpu", "cpu", 1}, {"simt", "simt", 0}};

typedef struct sample {
  hd_artifact artifact;
  hd_artifact_program programs[2];
  hd_artifact_constant constants[2], host_constants[2];
} sample;

/* Its programs share the bytes of a constant. */
static hd_artifact *fill(sample *s, const char *data, size_t size) {
  s->constants[0] = (hd_artifact_constant){hd_hash128_of(data, size), data, size, "ui8_7", HD_CONSTANT_HOST};
  s->constants[1] = (hd_artifact_constant){hd_hash128_of("", 0), NULL, 0, "f32_0", HD_CONSTANT_DEVICE};
  s->host_constants[0] = (hd_artifact_constant){hd_hash128_of("q", 1), "q", 1, "ui8", HD_CONSTANT_HOST};
  s->host_constants[1] = (hd_artifact_constant){hd_hash128_of(data, size), data, size, "i8_7", HD_CONSTANT_HOST};
  s->programs[0] = (hd_artifact_program){.entry_count = 1,
                                         .kernel_count = 1,
                                         .ral_name_count = 2,
                                         .message_count = 2,
                                         .constant_count = 2,
                                         .variant_count = 2,
                                         .image_count = 2,
                                         .device_kernel_count = 2,
                                         .entries = entries,
                                         .kernels = kernels,
                                         .ral_names = ral_names,
                                         .messages = messages,
                                         .constants = s->constants,
                                         .variants = variants,
                                         .images = images,
                                         .device_kernels = device_kernels};
  s->programs[1] = (hd_artifact_program){.entry_count = 1,
                                         .kernel_count = 1,
                                         .ral_name_count = 1,
                                         .constant_count = 2,
                                         .variant_count = 1,
                                         .entries = entries,
                                         .kernels = kernels,
                                         .ral_names = ral_names,
                                         .constants = s->host_constants,
                                         .variants = variants};
  s->artifact = (hd_artifact){.producer = "heddle",
                              .module = "m",
                              .metadata = "contract=1",
                              .target_count = 3,
                              .targets = targets,
                              .program_count = 2,
                              .programs = s->programs};
  return &s->artifact;
}

static hd_status read(const void *data, size_t size, hd_artifact *out, hd_arena *arena) {
  /* An own copy, exactly as long, so that a sanitizer sees each byte read too much. */
  void *copy = aligned_alloc(64, (size + 63) / 64 * 64);
  memcpy(copy, data, size);
  hd_status status = hd_artifact_read(copy, size, true, arena, out);
  free(copy);
  return status;
}

static void check_round_trip(const void *data, size_t size) {
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_artifact a;
  void *aligned = aligned_alloc(64, (size + 63) / 64 * 64);
  memcpy(aligned, data, size);
  if (HD_CHECK_OK(hd_artifact_read(aligned, size, true, &arena, &a))) {
    const hd_artifact_program *p = a.programs;
    HD_CHECK_INT(a.program_count, 2);
    HD_CHECK_INT(a.target_count, 3);
    HD_CHECK_STR(a.targets[0].name, "cuda:80,90");
    HD_CHECK_STR(a.targets[1].driver, "cpu");
    HD_CHECK_INT(a.targets[1].program, 1);
    HD_CHECK(a.programs[1].constants[1].data == p->constants[0].data && p->constants[0].size == 200);
    HD_CHECK_STR(a.programs[1].constants[1].type, "i8_7");
    HD_CHECK_STR(p->entries[0].inputs[0].dims[1].text, "2*n+1");
    HD_CHECK_INT(p->entries[0].outputs[0].dims[1].program.len, 0);
    HD_CHECK_INT(p->entries[0].outputs[0].alias, 0);
    HD_CHECK_STR(p->entries[0].constraints[0].message, "b must be even, but is {0}");
    HD_CHECK_STR(p->kernels[0].source, "stablehlo.tanh at x.mlir:3:4");
    HD_CHECK_STR(p->ral_names[1], ral_names[1]);
    HD_CHECK_STR(p->variants[0].target, "x86-64-v3");
    HD_CHECK_INT(p->variants[0].objects[1].size, 3);
    HD_CHECK(!memcmp(p->variants[1].objects[0].data, "0123456789", 10));
    HD_CHECK(p->images[1].size == 8 && !memcmp(p->images[1].data, ".version", 8));
    HD_CHECK_STR(p->images[0].driver, "simt");
    HD_CHECK_INT(p->images[1].architecture, 80);
    HD_CHECK_STR(p->device_kernels[0].source, "stablehlo.add at x.mlir:5:6");
    HD_CHECK_INT(p->device_kernels[0].block[0], 256);
    HD_CHECK_INT(p->device_kernels[1].image, 1);
    HD_CHECK_INT(p->device_kernels[1].word_count, 5);
    for (int w = 0; w < 5; ++w) {
      const hd_artifact_word *got = &p->device_kernels[1].words[w], *want = &words[w];
      HD_CHECK(got->kind == want->kind && got->bits == want->bits && got->alignment == want->alignment);
      HD_CHECK(got->least == want->least && got->most == want->most);
    }
    HD_CHECK_INT(p->device_kernels[1].shared_dynamic, 4096);
    HD_CHECK(p->device_kernels[0].registers == HD_NOT_KNOWN && p->device_kernels[1].registers == 40);
    HD_CHECK((uintptr_t)p->constants[0].data % 64 == 0);
    int64_t dims[] = {4, 9}, found[2], odd;
    const int64_t *in[] = {dims};
    HD_CHECK_OK(hd_dim_evaluate(&p->entries[0].symbols[0].definition, found, in, &found[0]));
    HD_CHECK_OK(hd_dim_evaluate(&p->entries[0].symbols[1].definition, found, in, &found[1]));
    HD_CHECK_INT(found[1], 4);
    HD_CHECK_OK(hd_dim_evaluate(&p->entries[0].inputs[0].dims[1].program, found, NULL, &odd));
    HD_CHECK_INT(odd, 9);
    /* Written again: the same bytes. */
    void *again;
    size_t again_size;
    HD_CHECK_OK(hd_artifact_write(&a, &again, &again_size));
    HD_CHECK(again_size == size && !memcmp(again, data, size));
    free(again);
  }
  free(aligned);
  hd_arena_free(&arena);
}

/* Every cut and every changed byte gives a status; only padding may change unseen. */
static void check_damage(const uint8_t *data, size_t size) {
  hd_arena arena;
  hd_artifact a;
  uint8_t *copy = malloc(size + 1);
  memcpy(copy, data, size);
  size_t unseen = 0;
  for (size_t cut = 0; cut <= size + 1; ++cut) {
    if (cut == size) continue;
    hd_arena_init(&arena, NULL);
    hd_status status = read(copy, cut, &a, &arena);
    if (hd_is_ok(status)) HD_CHECK(!"a cut artifact was read");
    hd_status_free(status);
    hd_arena_free(&arena);
  }
  for (size_t i = 0; i < size; ++i)
    for (int change = 0; change < 3; ++change) {
      copy[i] = change == 0 ? data[i] ^ 1 : change == 1 ? 0xff : (uint8_t)(data[i] + 64);
      if (copy[i] == data[i]) continue;
      hd_arena_init(&arena, NULL);
      hd_status status = read(copy, size, &a, &arena);
      if (hd_is_ok(status)) {
        ++unseen;
        HD_CHECK(data[i] == 0 && i >= 56); /* the reserved end of the header, or padding */
      }
      hd_status_free(status);
      hd_arena_free(&arena);
      copy[i] = data[i];
    }
  HD_CHECK(unseen < size * 3 / 2);
  free(copy);
}

/* Damage after a right hash reaches the parser itself. */
static void check_rehashed(const uint8_t *data, size_t size) {
  hd_arena arena;
  hd_artifact a;
  uint8_t *copy = malloc(size);
  uint64_t length = 0, rng = 88172645463325252ull;
  memcpy(&length, data + 32, 8);
  for (int round = 0; round < 20000; ++round) {
    memcpy(copy, data, size);
    for (int n = 0; n < 1 + round % 3; ++n) {
      rng ^= rng << 13, rng ^= rng >> 7, rng ^= rng << 17;
      copy[64 + rng % length] = (uint8_t)(rng >> 40);
    }
    /* Objects are where they lay, so the hash is that of header, metadata, and each program's objects and images. */
    size_t base = (64 + length + 63) / 64 * 64;
    hd_hash128_state state;
    hd_hash128_init(&state);
    hd_hash128_add(&state, copy, 40);
    hd_hash128_add(&state, copy + 64, length);
    hd_hash128_add(&state, copy + base, 10);
    hd_hash128_add(&state, copy + base + 64, 3);
    hd_hash128_add(&state, copy + base + 128, 10);
    hd_hash128_add(&state, copy + base + 192, 7);
    hd_hash128_add(&state, copy + base + 256, 8);
    hd_hash128_add(&state, copy + base + 320, 10);
    hd_hash128_add(&state, copy + base + 384, 3);
    hd_hash128 hash = hd_hash128_finish(&state);
    memcpy(copy + 40, hash.bytes, 16);
    hd_arena_init(&arena, NULL);
    hd_status_free(read(copy, size, &a, &arena));
    hd_arena_free(&arena);
  }
  free(copy);
}

static void check_programs(void) {
  static const struct {
    int64_t op, a, b, want;
  } cases[] = {{HD_DIM_FLOORDIV, -7, 2, -4}, {HD_DIM_CEILDIV, 7, 2, 4}, {HD_DIM_CEILDIV, -7, 2, -3},
               {HD_DIM_MOD, -7, 3, 2},       {HD_DIM_MOD, 7, -3, -2},   {HD_DIM_MIN, 3, -1, -1},
               {HD_DIM_MAX, 3, -1, 3},       {HD_DIM_LE, 3, 3, 1},      {HD_DIM_LT, 3, 3, 0},
               {HD_DIM_NE, 1, 2, 1},         {HD_DIM_AND, 2, 0, 0},     {HD_DIM_OR, 0, 5, 1},
               {HD_DIM_SUB, 3, 5, -2}};
  int64_t value;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    int64_t words[] = {HD_DIM_CONST, cases[i].a, HD_DIM_CONST, cases[i].b, cases[i].op};
    hd_dim_program p = {words, 5};
    HD_CHECK_OK(hd_dim_check(&p, 0, NULL, 0));
    HD_CHECK_OK(hd_dim_evaluate(&p, NULL, NULL, &value));
    HD_CHECK_INT(value, cases[i].want);
  }
  int64_t overflow[] = {HD_DIM_CONST, INT64_MAX, HD_DIM_CONST, 2, HD_DIM_MUL},
          zero[] = {HD_DIM_CONST, 1, HD_DIM_CONST, 0, HD_DIM_MOD};
  int64_t wrap[] = {HD_DIM_CONST, 1ll << 31, HD_DIM_WRAP32, HD_DIM_NOT, HD_DIM_CONST, 5,
                    HD_DIM_CONST, 6,         HD_DIM_SELECT};
  HD_CHECK_FAILS(hd_dim_evaluate(&(hd_dim_program)PROGRAM(overflow), NULL, NULL, &value), HD_INVALID_ARGUMENT,
                 "overflows");
  HD_CHECK_FAILS(hd_dim_evaluate(&(hd_dim_program)PROGRAM(zero), NULL, NULL, &value), HD_INVALID_ARGUMENT,
                 "divides by zero");
  HD_CHECK_OK(hd_dim_check(&(hd_dim_program)PROGRAM(wrap), 0, NULL, 0));
  HD_CHECK_OK(hd_dim_evaluate(&(hd_dim_program)PROGRAM(wrap), NULL, NULL, &value));
  HD_CHECK_INT(value, 6);
  int64_t few[] = {HD_DIM_CONST, 1, HD_DIM_ADD}, many[] = {HD_DIM_CONST, 1, HD_DIM_CONST, 1}, cut[] = {HD_DIM_CONST},
          what[] = {99};
  int64_t deep[2 * 70];
  for (int i = 0; i < 70; ++i) deep[2 * i] = HD_DIM_CONST, deep[2 * i + 1] = 1;
  HD_CHECK_FAILS(hd_dim_check(&(hd_dim_program)PROGRAM(few), 0, NULL, 0), HD_DATA_LOSS, "too few");
  HD_CHECK_FAILS(hd_dim_check(&(hd_dim_program)PROGRAM(many), 0, NULL, 0), HD_DATA_LOSS, "leaves 2");
  HD_CHECK_FAILS(hd_dim_check(&(hd_dim_program)PROGRAM(cut), 0, NULL, 0), HD_DATA_LOSS, "cut short");
  HD_CHECK_FAILS(hd_dim_check(&(hd_dim_program)PROGRAM(what), 0, NULL, 0), HD_DATA_LOSS, "unknown op 99");
  HD_CHECK_FAILS(hd_dim_check(&(hd_dim_program)PROGRAM(deep), 0, NULL, 0), HD_DATA_LOSS, "more than");
  HD_CHECK_FAILS(hd_dim_check(&(hd_dim_program)PROGRAM(b_words), 0, NULL, 0), HD_DATA_LOSS, "symbol 0");
  HD_CHECK_FAILS(hd_dim_check(&(hd_dim_program)PROGRAM(def_b), 0, NULL, 0), HD_DATA_LOSS, "no dim 0 of input 0");
}

/* Rows of devices that make no sense are refused, by the writer as by the reader. */
static void check_devices(void) {
  sample s;
  hd_artifact_device_kernel bad[2];
  hd_artifact_image none = {"simt", 0, "simt", "", 0};
  void *data;
  size_t size;
  static const struct {
    uint32_t image, block[3];
    const char *symbol, *message;
  } cases[] = {{2, {32, 1, 1}, "k", "image 2, expected below 2"},
               {0, {2048, 1, 1}, "k", "blocks of 2048x1x1 threads"},
               {0, {64, 32, 1}, "k", "blocks of 64x32x1 threads"},
               {0, {64, 0, 1}, "k", "blocks of 64x0x1 threads"},
               {1, {32, 1, 1}, "", "no name"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    hd_artifact *a = fill(&s, "x", 1);
    memcpy(bad, device_kernels, sizeof bad);
    bad[1].image = cases[i].image;
    bad[1].symbol = cases[i].symbol;
    memcpy(bad[1].block, cases[i].block, sizeof bad[1].block);
    s.programs[0].device_kernels = bad;
    HD_CHECK_FAILS(hd_artifact_write(a, &data, &size), HD_INTERNAL, cases[i].message);
  }
  hd_artifact *a = fill(&s, "x", 1);
  s.programs[0].images = &none;
  s.programs[0].image_count = 1;
  s.programs[0].device_kernel_count = 0;
  HD_CHECK_FAILS(hd_artifact_write(a, &data, &size), HD_INTERNAL, "image 0: no driver, format or bytes");
}

/* So are targets without a program, programs without a target, and programs that differ in what a caller sees. */
static void check_targets(void) {
  static const char long_name[] =
      "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234"
      "56789012345";
  static const struct {
    hd_artifact_target target;
    const char *message;
  } cases[] = {{{"simt", "simt", 2}, "target 2: program 2, expected below 2"},
               {{"", "simt", 0}, "target 2: no name or driver"},
               {{"simt", "", 0}, "target 2: no name or driver"},
               {{"gpu", "cuda", 0}, "target 2: driver 'cuda' is target 0's"},
               {{long_name, "simt", 0}, "target 2: a name that is too long"},
               {{"simt", "a driver of 16 b", 0}, "target 2: a name that is too long"}};
  sample s;
  void *data;
  size_t size;
  hd_artifact_target changed[9];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    hd_artifact *a = fill(&s, "x", 1);
    memcpy(changed, targets, sizeof targets);
    changed[2] = cases[i].target;
    a->targets = changed;
    HD_CHECK_FAILS(hd_artifact_write(a, &data, &size), HD_INTERNAL, cases[i].message);
  }
  hd_artifact *a = fill(&s, "x", 1);
  a->target_count = 1;
  HD_CHECK_FAILS(hd_artifact_write(a, &data, &size), HD_INTERNAL, "program 1: no target");
  a->target_count = 0;
  HD_CHECK_FAILS(hd_artifact_write(a, &data, &size), HD_INTERNAL, "0 targets, expected 1 to 8");
  a->targets = changed;
  a->target_count = 9;
  HD_CHECK_FAILS(hd_artifact_write(a, &data, &size), HD_INTERNAL, "9 targets, expected 1 to 8");
  hd_artifact_entry entry = entries[0];
  hd_artifact_tensor other[] = {outputs[0]};
  other[0].type = HD_ELEMENT_F32;
  entry.outputs = other;
  a = fill(&s, "x", 1);
  s.programs[1].entries = &entry;
  HD_CHECK_FAILS(hd_artifact_write(a, &data, &size), HD_INTERNAL,
                 "program 1: entry 0: 'main', expected the name, inputs and outputs of program 0's 'main'");
  entry = entries[0];
  entry.name = "other";
  HD_CHECK_FAILS(hd_artifact_write(a, &data, &size), HD_INTERNAL, "program 1: entry 0: 'other'");
}

/* So are words that no kernel can have. */
static void check_word_rows(void) {
  static const struct {
    hd_artifact_word word;
    const char *message;
  } cases[] = {{{3, 64, 1, ANY}, "word 1: unknown kind 3"},
               {{HD_WORD_POINTER, 32, 1, ANY}, "word 1: 32 bits, expected 64 of a pointer"},
               {{HD_WORD_INTEGER, 0, 1, ANY}, "word 1: 0 bits, expected 1 to 64"},
               {{HD_WORD_FLOAT, 65, 1, ANY}, "word 1: 65 bits, expected 1 to 64"},
               {{HD_WORD_POINTER, 64, 0, ANY}, "word 1: alignment 0, expected a power of two"},
               {{HD_WORD_INTEGER, 64, 24, ANY}, "word 1: alignment 24, expected a power of two"},
               {{HD_WORD_FLOAT, 32, 4, ANY}, "word 1: alignment 4, expected 1 of a float"},
               {{HD_WORD_INTEGER, 64, 1, 5, 4}, "word 1: guard from 5 to 4, expected some number"},
               {{HD_WORD_POINTER, 64, 1, 0, 4}, "word 1: guard from 0 to 4, expected none but of integers"},
               {{HD_WORD_FLOAT, 64, 1, 0, INT64_MAX}, "word 1: guard from 0 to"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    sample s;
    hd_artifact_word changed[5];
    hd_artifact_device_kernel row = device_kernels[0];
    void *data;
    size_t size;
    hd_artifact *a = fill(&s, "x", 1);
    memcpy(changed, words, sizeof changed);
    changed[1] = cases[i].word;
    row.words = changed;
    s.programs[0].device_kernels = &row;
    s.programs[0].device_kernel_count = 1;
    HD_CHECK_FAILS(hd_artifact_write(a, &data, &size), HD_INTERNAL, cases[i].message);
  }
}

/* A launch's words are held to their rows, numbers with their sign and by their own bits. */
static void check_words(void) {
  HD_CHECK_OK(hd_artifact_word_check(&words[0], 0x1040));
  HD_CHECK_OK(hd_artifact_word_check(&words[2], 0x1041));
  HD_CHECK_OK(hd_artifact_word_check(&words[1], INT32_MAX));
  HD_CHECK_OK(hd_artifact_word_check(&words[3], 0xffffffe0));
  HD_CHECK_OK(hd_artifact_word_check(&words[3], 0xabcdef0000000010));
  HD_CHECK_OK(hd_artifact_word_check(&words[4], UINT64_MAX));
  HD_CHECK_FAILS(hd_artifact_word_check(&words[0], 0x1044), HD_INVALID_ARGUMENT,
                 "address 0x1044, expected a multiple of 64");
  HD_CHECK_FAILS(hd_artifact_word_check(&words[1], 1ull << 31), HD_INVALID_ARGUMENT,
                 "2147483648, expected 0 to 2147483647");
  HD_CHECK_FAILS(hd_artifact_word_check(&words[1], UINT64_MAX), HD_INVALID_ARGUMENT, "-1, expected 0 to");
  HD_CHECK_FAILS(hd_artifact_word_check(&words[3], 8), HD_INVALID_ARGUMENT, "8, expected a multiple of 16");
  HD_CHECK_FAILS(hd_artifact_word_check(&words[3], 0xffffffd0), HD_INVALID_ARGUMENT, "-48, expected -32 to 4096");
}

int main(void) {
  char weights[200];
  for (int i = 0; i < 200; ++i) weights[i] = (char)(i * 7 + 1);
  sample s;
  hd_artifact read_again, *a = fill(&s, weights, sizeof weights);
  void *data;
  size_t size;
  if (!HD_CHECK_OK(hd_artifact_write(a, &data, &size))) return HD_TEST_RESULT();
  HD_CHECK(hd_artifact_is(data, size) && !hd_artifact_is("MZ", 2));
  check_round_trip(data, size);
  check_damage(data, size);
  check_rehashed(data, size);
  check_programs();
  check_devices();
  check_targets();
  check_word_rows();
  check_words();
  /* Another version and damage have messages of their own. */
  ((uint8_t *)data)[8] = 77;
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  HD_CHECK_FAILS(read(data, size, &read_again, &arena), HD_FAILED_PRECONDITION, "artifact of format 77");
  HD_CHECK_FAILS(read("not an artifact at all", 22, &read_again, &arena), HD_DATA_LOSS, "no .hdl magic");
  hd_arena_free(&arena);
  free(data);
  /* The writer refuses what the reader would. */
  s.programs[1].entry_count = 0;
  HD_CHECK_FAILS(hd_artifact_write(a, &data, &size), HD_INTERNAL, "program 1: no entry");
  HD_CHECK(!data);
  return HD_TEST_RESULT();
}
