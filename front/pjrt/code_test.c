/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that load one artifact at a time share one object of code: who has loaded it in vain drops his own. */
#include <pthread.h>

#include "plugin.h"
#include "testing.h"

enum { THREADS = 8, ROUNDS = 40 };

static char *bytes;
static size_t size;
static pthread_barrier_t together;
static PJRT_LoadedExecutable *loaded[THREADS];

static void *load(void *slot) {
  pthread_barrier_wait(&together);
  CALL(Executable_DeserializeAndLoad, .client = client, .serialized_executable = bytes,
       .serialized_executable_size = size);
  HD_CHECK(!code_Executable_DeserializeAndLoad);
  *(PJRT_LoadedExecutable **)slot = args_Executable_DeserializeAndLoad.loaded_executable;
  return NULL;
}

static void unload(PJRT_LoadedExecutable *executable) {
  CALL(LoadedExecutable_Destroy, .executable = executable);
  HD_CHECK(!code_LoadedExecutable_Destroy);
}

static void serialise(PJRT_LoadedExecutable *executable) {
  CALL(LoadedExecutable_GetExecutable, .loaded_executable = executable);
  CALL(Executable_Serialize, .executable = args_LoadedExecutable_GetExecutable.executable);
  HD_CHECK(!code_Executable_Serialize);
  size = args_Executable_Serialize.serialized_bytes_size;
  bytes = malloc(size);
  if (HD_CHECK(bytes)) memcpy(bytes, args_Executable_Serialize.serialized_bytes, size);
  args_Executable_Serialize.serialized_executable_deleter(args_Executable_Serialize.serialized_executable);
  CALL(Executable_Destroy, .executable = args_LoadedExecutable_GetExecutable.executable);
}

/* How many objects of code the client has, and the references to all of them. */
static int count_codes(int *out_references) {
  int count = 0;
  *out_references = 0;
  pthread_mutex_lock(&client->mutex);
  for (const hd_pjrt_code *code = client->codes; code; code = code->next) ++count, *out_references += code->references;
  pthread_mutex_unlock(&client->mutex);
  return count;
}

static void make_artifact(void) {
  static const char source[] =
      "module @twice { func.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
      "  %0 = stablehlo.add %a, %a : tensor<8xf32>\n  return %0 : tensor<8xf32> } }";
  PJRT_LoadedExecutable *first = NULL;
  open_client();
  HD_CHECK(compile(program_of(source, sizeof source - 1), one, sizeof one, &first) == HD_OK);
  if (first) serialise(first);
  if (first) unload(first);
  close_client();
}

int main(void) {
  make_artifact();
  if (!bytes) return HD_TEST_RESULT();
  pthread_barrier_init(&together, NULL, THREADS);
  for (int round = 0; round < ROUNDS; ++round) {
    pthread_t threads[THREADS];
    int references;
    open_client(); /* one that has not compiled: it keeps no code for later programs */
    HD_CHECK_INT(count_codes(&references), 0);
    for (int i = 0; i < THREADS; ++i) HD_CHECK(!pthread_create(&threads[i], NULL, load, &loaded[i]));
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    HD_CHECK_INT(count_codes(&references), 1);
    HD_CHECK_INT(references, THREADS);
    for (int i = 0; i < THREADS; ++i) unload(loaded[i]);
    HD_CHECK_INT(count_codes(&references), 0);
    close_client();
  }
  pthread_barrier_destroy(&together);
  free(bytes);
  return HD_TEST_RESULT();
}
