/* SPDX-License-Identifier: Apache-2.0 */
/* Finding a device: what each one of each platform says of itself, why one cannot be used, and the one device and
 * context that all OpenCL drivers of the process share. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/drivers/opencl/opencl.h"

static cl_ulong number(const hd_cl_api *cl, cl_device_id id, cl_uint what, size_t size) {
  cl_ulong value = 0;
  return cl->clGetDeviceInfo(id, what, size, &value, NULL) ? 0 : value;
}

/* malloc'ed and NUL-terminated; null where the device does not say. */
static char *text(const hd_cl_api *cl, cl_device_id id, cl_uint what) {
  size_t size;
  if (cl->clGetDeviceInfo(id, what, 0, NULL, &size)) return NULL;
  char *made = calloc(size + 1, 1);
  if (made && cl->clGetDeviceInfo(id, what, size, made, NULL)) *made = 0;
  return made;
}

static void short_text(const hd_cl_api *cl, cl_device_id id, cl_uint what, char *out, size_t size) {
  char *all = text(cl, id, what);
  snprintf(out, size, "%s", all ? all : "");
  free(all);
}

static bool has_word(const char *list, const char *word) {
  size_t size = strlen(word);
  for (const char *at = list; at && (at = strstr(at, word)); at += size)
    if ((at == list || at[-1] == ' ') && (!at[size] || at[size] == ' ')) return true;
  return false;
}

static bool has_subgroups_of_32(const hd_cl_api *cl, cl_device_id id) {
  size_t sizes[64], bytes = 0;
  if (cl->clGetDeviceInfo(id, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes)) return false;
  for (size_t i = 0; i < bytes / sizeof *sizes && i < 64; ++i)
    if (sizes[i] == 32) return true;
  return false;
}

/* Does the device list |capability| among those that its SPIR-V may have (cl_khr_spirv_queries)? */
static bool takes_capability(const hd_cl_api *cl, cl_device_id id, uint32_t capability) {
  uint32_t list[512];
  size_t bytes = 0;
  if (cl->clGetDeviceInfo(id, CL_DEVICE_SPIRV_CAPABILITIES_KHR, sizeof list, list, &bytes)) return false;
  for (size_t i = 0; i < bytes / sizeof *list && i < 512; ++i)
    if (list[i] == capability) return true;
  return false;
}

/* All functions of the extension, or none. */
static hd_cl_unified find_unified(const hd_cl_api *cl, cl_platform_id platform) {
  hd_cl_unified u = {0};
  const struct {
    const char *name;
    void **function;
  } functions[] = {{"clDeviceMemAllocINTEL", (void **)(void *)&u.allocate},
                   {"clMemFreeINTEL", (void **)(void *)&u.release},
                   {"clSetKernelArgMemPointerINTEL", (void **)(void *)&u.argument},
                   {"clEnqueueMemcpyINTEL", (void **)(void *)&u.copy},
                   {"clEnqueueMemFillINTEL", (void **)(void *)&u.fill}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    *functions[i].function = cl->clGetExtensionFunctionAddressForPlatform(platform, functions[i].name);
    if (!*functions[i].function) return (hd_cl_unified){0};
  }
  return u;
}

static void describe(const hd_cl_api *cl, cl_platform_id platform, cl_device_id id, hd_cl_device_info *out) {
  *out = (hd_cl_device_info){.platform = platform,
                             .id = id,
                             .type = number(cl, id, CL_DEVICE_TYPE, 8),
                             .svm = number(cl, id, CL_DEVICE_SVM_CAPABILITIES, 8),
                             .single_config = number(cl, id, CL_DEVICE_SINGLE_FP_CONFIG, 8),
                             .double_config = number(cl, id, CL_DEVICE_DOUBLE_FP_CONFIG, 8),
                             .local_bytes = number(cl, id, CL_DEVICE_LOCAL_MEM_SIZE, 8),
                             .global_bytes = number(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE, 8),
                             .block_limit = number(cl, id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t))};
  short_text(cl, id, CL_DEVICE_NAME, out->name, sizeof out->name);
  short_text(cl, id, CL_DRIVER_VERSION, out->driver_version, sizeof out->driver_version);
  if (cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof out->platform_name - 1, out->platform_name, NULL))
    *out->platform_name = 0;
  char *extensions = text(cl, id, CL_DEVICE_EXTENSIONS), *il = text(cl, id, CL_DEVICE_IL_VERSION);
  out->takes_il = il && strstr(il, "SPIR-V_1.");
  if (has_word(extensions, "cl_intel_unified_shared_memory")) out->unified = find_unified(cl, platform);
  out->required_subgroups = has_word(extensions, "cl_intel_required_subgroup_size");
  out->exchanges = has_word(extensions, "cl_intel_subgroups");
  out->atomics_64 = has_word(extensions, "cl_khr_int64_base_atomics");
  out->halves = has_word(extensions, "cl_khr_fp16");
  out->preserves_denormals = takes_capability(cl, id, 4464 /* DenormPreserve */);
  out->subgroups_of_32 = out->required_subgroups && has_subgroups_of_32(cl, id);
  free(extensions);
  free(il);
}

/* What keeps the driver from it; null: nothing. */
static const char *refusal(const hd_cl_device_info *device) {
  if (!device->takes_il) return "takes no SPIR-V (CL_DEVICE_IL_VERSION is empty)";
  if (!device->unified.allocate && !(device->svm & CL_SVM_COARSE))
    return "has neither shared virtual memory nor unified memory";
  return NULL;
}

enum { MAX_LISTED = 64 };

static void visit_platform(const hd_cl_api *cl, cl_platform_id platform, hd_opencl_visit *visit, void *user) {
  cl_device_id ids[MAX_LISTED];
  cl_uint count = 0;
  if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_LISTED, ids, &count)) return;
  for (cl_uint i = 0; i < count && i < MAX_LISTED; ++i) {
    hd_cl_device_info device;
    describe(cl, platform, ids[i], &device);
    visit(user, &device, refusal(&device));
  }
}

hd_status hd_opencl_each_device(const hd_cl_api *cl, hd_opencl_visit *visit, void *user, uint32_t *out_platforms) {
  cl_platform_id platforms[MAX_LISTED];
  cl_uint count = 0;
  cl_int code = cl->clGetPlatformIDs(MAX_LISTED, platforms, &count);
  *out_platforms = code ? 0 : count;
  if (code == CL_PLATFORM_NOT_FOUND_KHR) return HD_STATUS_OK;
  HD_TRY(hd_cl_status(code, "list of platforms"));
  for (cl_uint i = 0; i < count && i < MAX_LISTED; ++i) visit_platform(cl, platforms[i], visit, user);
  return HD_STATUS_OK;
}

typedef struct search {
  hd_cl_device_info best;
  bool found;
  char refused[192]; /* the first that was */
} search;

static void consider(void *user, const hd_cl_device_info *device, const char *why) {
  search *s = user;
  if (why) {
    if (!*s->refused) snprintf(s->refused, sizeof s->refused, "%s %s", device->name, why);
    return;
  }
  bool better = !s->found || (device->type & CL_DEVICE_TYPE_GPU && !(s->best.type & CL_DEVICE_TYPE_GPU));
  if (better) s->best = *device;
  s->found = true;
}

/* The best device of |cl|. UNAVAILABLE says why there is none. */
static hd_status find_device(const hd_cl_api *cl, hd_cl_device_info *out_device) {
  search s = {.found = false};
  uint32_t platforms;
  HD_TRY(hd_opencl_each_device(cl, consider, &s, &platforms));
  *out_device = s.best;
  if (s.found) return HD_STATUS_OK;
  if (*s.refused) return hd_make_status(HD_UNAVAILABLE, "no OpenCL device that can be used: %s", s.refused);
  return hd_make_status(HD_UNAVAILABLE, "no OpenCL device (%u platform%s)", platforms, platforms == 1 ? "" : "s");
}

static hd_status open_once(hd_opencl_device *device) {
  cl_int code;
  HD_TRY(hd_cl_open(&device->cl));
  HD_TRY(find_device(device->cl, &device->info));
  device->context = device->cl->clCreateContext(NULL, 1, &device->info.id, NULL, NULL, &code);
  if (code) device->context = NULL;
  return hd_cl_status(code, "create a context");
}

static hd_opencl_device the_device = {.lock = PTHREAD_MUTEX_INITIALIZER, .built = PTHREAD_COND_INITIALIZER};

/* What failed is tried again by whoever asks next. */
hd_status hd_opencl_open_device(hd_opencl_device **out_device) {
  pthread_mutex_lock(&the_device.lock);
  hd_status status = the_device.context ? HD_STATUS_OK : open_once(&the_device);
  pthread_mutex_unlock(&the_device.lock);
  *out_device = &the_device;
  return status;
}
