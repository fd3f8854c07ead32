/* SPDX-License-Identifier: Apache-2.0 */
/* Loads objects that real compilers make at test time, and damaged copies of them. */
#define _GNU_SOURCE
#include "runtime/loader.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/testing.h"
#include "heddle/cpu.h"

static char folder[] = "/tmp/heddle-loader-XXXXXX";

static const char kernel_source[] =
    "typedef unsigned long u64; typedef long i64;\n"
    "extern void *const hd_ral_table[];\n"
    "extern int shared_counter; extern float scale_of(int);\n"
    "void *memcpy(void *, const void *, u64); void *memset(void *, int, u64);\n"
    "static const float table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};\n"
    "static const float *const pointer = &table[3];\n"
    "static int bss[1000]; \n"
    "static const char *names[] = {\"a\", \"bc\"};\n"
    "void kernel(const u64 *args, i64 begin, i64 end) {\n"
    "  const float *in = (const float *)args[0]; float *out = (float *)args[1];\n"
    "  for (i64 i = begin; i < end; ++i) out[i] = in[i] * scale_of((int)i & 15) + *pointer;\n"
    "}\n"
    "float table_at(int i) { return table[i]; }\n"
    "int sw(int i) { switch (i) { case 0: return 5; case 1: return 77; case 2: return 3; case 3: return 1; case 4: "
    "return 12;\n"
    "  case 5: return 9; case 6: return 90; } return -1; }\n"
    "int count(void) { bss[5] = ++shared_counter; return bss[5] + names[1][1]; }\n"
    "void fill(char *p, const char *q, u64 n) { memset(p, 7, n); memcpy(p, q, n / 2); }\n"
    "void entry(void *ctx) { long v = 41; void *args[3] = {0, &v, &v}; ((void (*)(void *, void "
    "**))hd_ral_table[1])(ctx, args);\n"
    "  *(long *)ctx = v; }\n";
static const char other_source[] =
    "int shared_counter = 100; extern float table_at(int);\n"
    "float scale_of(int i) { return table_at(i) * 2; }\n"
    "__attribute__((weak)) int weak_one(void) { return 1; }\n";
static const char lonely_source[] = "double sin(double); double call_it(double x) { return sin(x) + 1; }\n";
static const char tls_source[] = "__thread int t; int get(void) { return ++t; }\n";
static const char ctor_source[] = "volatile int x; __attribute__((constructor)) static void f(void) { x = 1; }\n";

static void api_zero(void *ctx, void **args) { (void)ctx, (void)args; }
static void api_add_one(void *ctx, void **args) {
  (void)ctx;
  *(int64_t *)args[2] = *(int64_t *)args[1] + 1;
}

static bool compile(const char *compiler, const char *flags, const char *source, hd_artifact_object *out) {
  char path[128], command[512];
  snprintf(path, sizeof path, "%s/x.c", folder);
  FILE *file = fopen(path, "w");
  fputs(source, file);
  fclose(file);
  snprintf(command, sizeof command, "%s -c -O2 %s -ffreestanding -o %s/x.o %s 2>/dev/null", compiler, flags, folder,
           path);
  if (system(command) != 0) return false;
  snprintf(path, sizeof path, "%s/x.o", folder);
  file = fopen(path, "r");
  static char buffer[1 << 20];
  size_t size = fread(buffer, 1, sizeof buffer, file);
  fclose(file);
  void *copy = malloc(size);
  memcpy(copy, buffer, size);
  *out = (hd_artifact_object){"x.o", copy, size};
  return true;
}

static void check_run(const hd_artifact_object objects[2]) {
  static const hd_ral_fn table[] = {api_zero, api_add_one};
  hd_code *code;
  if (!HD_CHECK_OK(hd_code_load(objects, 2, table, 2, &code))) return;
  float in[64], out[64];
  for (int i = 0; i < 64; ++i) in[i] = (float)i;
  uint64_t args[] = {(uint64_t)(uintptr_t)in, (uint64_t)(uintptr_t)out};
  hd_kernel_fn kernel = (hd_kernel_fn)(uintptr_t)hd_code_symbol(code, "kernel");
  if (HD_CHECK(kernel)) kernel(args, 0, 64);
  for (int i = 0; kernel && i < 64; ++i) HD_CHECK_NEAR(out[i], (float)i * 2 * (float)(i % 16 + 1) + 4, 0);
  int (*count)(void) = (int (*)(void))(uintptr_t)hd_code_symbol(code, "count");
  HD_CHECK(count && count() == 101 + 'c' && count() == 102 + 'c');
  int (*sw)(int) = (int (*)(int))(uintptr_t)hd_code_symbol(code, "sw");
  HD_CHECK(sw && sw(1) == 77 && sw(6) == 90 && sw(9) == -1);
  char p[32];
  void (*fill)(char *, const char *, uint64_t) =
      (void (*)(char *, const char *, uint64_t))(uintptr_t)hd_code_symbol(code, "fill");
  if (HD_CHECK(fill)) fill(p, "0123456789abcdef0123456789abcdef", 32);
  HD_CHECK(!memcmp(p, "0123456789abcdef", 16) && p[16] == 7 && p[31] == 7);
  hd_entry_fn entry = (hd_entry_fn)(uintptr_t)hd_code_symbol(code, "entry");
  int64_t ctx = 0;
  if (HD_CHECK(entry)) entry(&ctx);
  HD_CHECK_INT(ctx, 42);
  HD_CHECK(hd_code_symbol(code, "weak_one") && !hd_code_symbol(code, "table") && !hd_code_symbol(code, "nothing"));

  /* No page of the region is writable and executable. */
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512];
  bool seen = false;
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long long start, end;
    char rights[5];
    if (sscanf(line, "%llx-%llx %4s", &start, &end, rights) != 3) continue;
    bool ours = (uintptr_t)kernel >= start && (uintptr_t)kernel < end;
    if (ours) HD_CHECK_STR(rights, "r-xp");
    seen |= ours;
    HD_CHECK(!(rights[1] == 'w' && rights[2] == 'x'));
  }
  if (maps) fclose(maps);
  HD_CHECK(seen);

  HD_CHECK_OK(hd_code_write_perf_map(code));
  char path[64];
  snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
  maps = fopen(path, "r");
  seen = false;
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long long start, size;
    char name[100];
    if (sscanf(line, "%llx %llx %99s", &start, &size, name) == 3 && !strcmp(name, "kernel"))
      seen = start == (uintptr_t)kernel && size > 0;
  }
  if (maps) fclose(maps);
  unlink(path);
  HD_CHECK(seen);
  hd_code_free(code);
}

static void check_refusals(const char *compiler, const hd_artifact_object objects[2]) {
  hd_code *code;
  hd_artifact_object bad;
  HD_CHECK_FAILS(hd_code_load(objects, 1, NULL, 0, &code), HD_FAILED_PRECONDITION, "is not defined in the artifact");
  HD_CHECK(!code);
  hd_artifact_object twice[] = {objects[0], objects[1], objects[1]};
  HD_CHECK_FAILS(hd_code_load(twice, 3, NULL, 0, &code), HD_DATA_LOSS, "is defined twice");
  if (compile(compiler, "-fPIC", lonely_source, &bad)) {
    HD_CHECK_FAILS(hd_code_load(&bad, 1, NULL, 0, &code), HD_FAILED_PRECONDITION, "symbol 'sin' is not defined");
    free((void *)bad.data);
  }
  if (compile(compiler, "-fPIC", tls_source, &bad)) {
    HD_CHECK_FAILS(hd_code_load(&bad, 1, NULL, 0, &code), HD_DATA_LOSS, "thread-local data");
    free((void *)bad.data);
  }
  if (compile(compiler, "-fPIC", ctor_source, &bad)) {
    HD_CHECK_FAILS(hd_code_load(&bad, 1, NULL, 0, &code), HD_DATA_LOSS, "constructors");
    free((void *)bad.data);
  }
  if (compile(compiler, "-fPIC -m32", "int f(void) { return 1; }", &bad)) {
    HD_CHECK_FAILS(hd_code_load(&bad, 1, NULL, 0, &code), HD_DATA_LOSS, "expected a relocatable x86-64 object");
    free((void *)bad.data);
  }
  bad = (hd_artifact_object){"empty", "", 0};
  HD_CHECK_FAILS(hd_code_load(&bad, 1, NULL, 0, &code), HD_DATA_LOSS, "object 'empty': not an ELF object");
}

/* Damaged tables: loads or refuses, and never reads out of bounds. The code is not run. */
static void check_damage(const hd_artifact_object objects[2]) {
  uint64_t rng = 88172645463325252ull;
  uint8_t *copy = malloc(objects[0].size);
  hd_artifact_object damaged[] = {{"damaged", copy, objects[0].size}, objects[1]};
  size_t refused = 0;
  for (int round = 0; round < 3000; ++round) {
    memcpy(copy, objects[0].data, objects[0].size);
    for (int n = 0; n < 1 + round % 4; ++n) {
      rng ^= rng << 13, rng ^= rng >> 7, rng ^= rng << 17;
      copy[rng % objects[0].size] = (uint8_t)(rng >> 40);
    }
    damaged[0].size = round % 5 ? objects[0].size : rng % objects[0].size;
    hd_code *code;
    hd_status status = hd_code_load(damaged, 2, NULL, 0, &code);
    refused += !hd_is_ok(status);
    hd_status_free(status);
    hd_code_free(code);
  }
  HD_CHECK(refused > 100);
  free(copy);
}

int main(void) {
  HD_CHECK(mkdtemp(folder));
  static const char *const compilers[] = {"cc", "/usr/lib/llvm-22/bin/clang"};
  static const char *const flags[] = {"-fPIC", "-fPIC -march=x86-64-v3 -ffunction-sections", "-fpie -mno-red-zone"};
  int tried = 0;
  for (size_t c = 0; c < sizeof compilers / sizeof *compilers; ++c) {
    if (strchr(compilers[c], '/') && access(compilers[c], X_OK)) {
      HD_TEST_SKIP("%s is not installed: tools/setup.sh test", compilers[c]);
      continue;
    }
    for (size_t f = 0; f < sizeof flags / sizeof *flags; ++f) {
      hd_artifact_object objects[2];
      if (f == 1 && !(hd_cpu_features() >> 3 & 1)) continue;
      if (!HD_CHECK(compile(compilers[c], flags[f], kernel_source, &objects[0]))) continue;
      if (!HD_CHECK(compile(compilers[c], flags[f], other_source, &objects[1]))) continue;
      ++tried;
      check_run(objects);
      if (f == 0) check_refusals(compilers[c], objects);
      if (f == 0) check_damage(objects);
      free((void *)objects[0].data);
      free((void *)objects[1].data);
    }
  }
  HD_CHECK(tried > 0);
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  HD_CHECK_INT(system(command), 0);
  return HD_TEST_RESULT();
}
