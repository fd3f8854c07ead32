/* SPDX-License-Identifier: Apache-2.0 */
/* A libnvJitLink.so.13 for tests: "machine code" is ELF's first bytes and the text, which the libcuda.so.1 that
 * stands in for CUDA's takes. It holds the caller to the order of calls and to giving back its handles.
 * HEDDLE_STAND_IN_LINK: the code that it refuses with. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))
typedef struct link {
  int state; /* created, added, complete */
  char *text;
  size_t size;
} link;
static int alive;

__attribute__((noreturn)) static void misuse(const char *what) {
  fprintf(stderr, "nvJitLink stand-in: misuse: %s\n", what);
  abort();
}

__attribute__((destructor)) static void end(void) {
  if (alive) misuse("handles that nobody destroyed");
}

static void expect(link *l, int state, const char *what) {
  if (!l || l->state != state) misuse(what);
}

API int nvJitLinkCreate(link **out, uint32_t count, const char **options) {
  int arch = 0;
  for (uint32_t i = 0; i < count; ++i) arch |= !strncmp(options[i], "-arch=sm_", 9);
  if (!arch) return 2;
  *out = calloc(1, sizeof **out);
  (*out)->state = 1;
  ++alive;
  return 0;
}
API int nvJitLinkDestroy(link **l) {
  if (!l || !*l || !(*l)->state) misuse("nvJitLinkDestroy");
  free((*l)->text);
  free(*l);
  *l = NULL;
  --alive;
  return 0;
}
API int nvJitLinkAddData(link *l, int kind, const void *data, size_t size, const char *name) {
  expect(l, 1, "nvJitLinkAddData");
  if (kind != 2 || !name) misuse("nvJitLinkAddData: expected PTX with a name");
  if (memchr(data, 0, size)) return 12; /* as the library has it */
  l->text = malloc(size + 5);
  memcpy(l->text, "\177ELF", 4);
  memcpy(l->text + 4, data, size);
  l->text[size + 4] = 0;
  l->size = size + 5;
  l->state = 2;
  return 0;
}
API int nvJitLinkComplete(link *l) {
  expect(l, 2, "nvJitLinkComplete");
  l->state = 3;
  return getenv("HEDDLE_STAND_IN_LINK") ? atoi(getenv("HEDDLE_STAND_IN_LINK")) : 0;
}
API int nvJitLinkGetLinkedCubinSize(link *l, size_t *size) { return expect(l, 3, "size"), *size = l->size, 0; }
API int nvJitLinkGetLinkedCubin(link *l, void *to) { return expect(l, 3, "cubin"), memcpy(to, l->text, l->size), 0; }
API int nvJitLinkGetErrorLogSize(link *l, size_t *size) { return *size = l ? 17 : 0, 0; }
API int nvJitLinkGetErrorLog(link *l, char *to) { return (void)l, memcpy(to, "it refuses\nmore..", 17), 0; }
API int nvJitLinkGetInfoLogSize(link *l, size_t *size) { return expect(l, 3, "log"), *size = 0, 0; }
API int nvJitLinkGetInfoLog(link *l, char *to) { return (void)l, (void)to, 0; }
