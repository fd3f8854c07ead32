/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a folder, by name, through a fuzzer's entry point: what it found once is a test of every build, without
 * libFuzzer. Usage: FUZZER_corpus FOLDER. Closes with "N passed, 0 failed": what fails ends the process. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

/* For fuzzers that mutate by rules of their own, which nothing here asks for. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
  (void)data, (void)most;
  return size;
}

static int is_file(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Of exactly the size that a sanitizer is to hold reads to. */
static uint8_t *read_file(const char *path, size_t *size) {
  struct stat info;
  FILE *in = fopen(path, "rb");
  uint8_t *data = in && !fstat(fileno(in), &info) ? malloc((size_t)info.st_size) : NULL;
  *size = data ? fread(data, 1, (size_t)info.st_size, in) : 0;
  if (in) fclose(in);
  return data;
}

int main(int argc, char **argv) {
  struct dirent **entries = NULL;
  int count = argc == 2 ? scandir(argv[1], &entries, is_file, alphasort) : -1;
  if (count < 1) {
    fprintf(stderr, "expected the name of a folder with files, got %s\n", argc == 2 ? argv[1] : "no argument");
    return 2;
  }
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  for (int i = 0; i < count; ++i) {
    char path[4096];
    size_t size;
    snprintf(path, sizeof path, "%s/%s", argv[1], entries[i]->d_name);
    fprintf(stderr, "%s\n", entries[i]->d_name); /* the last one is what a crash is of */
    uint8_t *data = read_file(path, &size);
    if (!data) {
      fprintf(stderr, "%s: cannot be read\n", path);
      return 1;
    }
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    free(entries[i]);
  }
  free(entries);
  printf("%d passed, 0 failed\n", count);
  return 0;
}
