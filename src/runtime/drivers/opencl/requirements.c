/* SPDX-License-Identifier: Apache-2.0 */
/* What an image asks for is in its SPIR-V: capabilities, and the subgroup size of kernels. They are compared with the
 * device before anything is built, since what a compiler says of them differs from device to device.
 *
 * That denormals are preserved (SPV_KHR_float_controls) is asked of devices that say they can be asked, and left out
 * for others, whose single_config tells what they do. */
#include <string.h>

#include "runtime/drivers/opencl/opencl.h"

enum { MAGIC = 0x07230203, HEADER_WORDS = 5 };
enum { OP_EXTENSION = 10, OP_ENTRY_POINT = 15, OP_EXECUTION_MODE = 16, OP_CAPABILITY = 17 };
enum { CAPABILITY_DENORM_PRESERVE = 4464 };
enum { MODE_SUBGROUP_SIZE = 35, MODE_DENORM_PRESERVE = 4459 };
static const char float_controls[] = "SPV_KHR_float_controls";

/* What a capability needs; null: nothing that the device lacks. */
static const char *lack(const hd_cl_device_info *device, uint32_t capability) {
  switch (capability) {
    case 9: /* Float16 */
      return device->halves ? NULL : "arithmetic in f16 (cl_khr_fp16)";
    case 10: /* Float64 */
      return device->double_config ? NULL : "arithmetic in f64 (cl_khr_fp64)";
    case 12: /* Int64Atomics */
      return device->atomics_64 ? NULL : "atomics of 64 bits (cl_khr_int64_base_atomics)";
    case 5568: /* SubgroupShuffleINTEL */
      return device->exchanges ? NULL : "exchanges between lanes (cl_intel_subgroups)";
    default:
      return NULL;
  }
}

static hd_status missing(const hd_cl_device_info *device, const char *what) {
  return hd_make_status(HD_FAILED_PRECONDITION, "opencl: %s lacks %s, which the image needs", device->name, what);
}

static uint32_t opcode_of(const uint32_t *words) { return words[0] & 0xffff; }
static uint32_t count_of(const uint32_t *words) { return words[0] >> 16; }

static bool sets_subgroup_size(const uint32_t *words) {
  return opcode_of(words) == OP_EXECUTION_MODE && count_of(words) == 4 && words[2] == MODE_SUBGROUP_SIZE;
}

static hd_status check_instruction(const hd_cl_device_info *device, const uint32_t *words) {
  if (opcode_of(words) == OP_CAPABILITY && count_of(words) == 2) {
    const char *what = lack(device, words[1]);
    if (what) return missing(device, what);
  }
  if (sets_subgroup_size(words) && (words[3] != 32 || !device->subgroups_of_32))
    return missing(device, "subgroups of 32 (cl_intel_required_subgroup_size)");
  return HD_STATUS_OK;
}

/* Of what asks for denormals? */
static bool asks_for_denormals(const uint32_t *words) {
  uint32_t count = count_of(words);
  switch (opcode_of(words)) {
    case OP_CAPABILITY:
      return count == 2 && words[1] == CAPABILITY_DENORM_PRESERVE;
    case OP_EXECUTION_MODE:
      return count == 4 && words[2] == MODE_DENORM_PRESERVE;
    case OP_EXTENSION:
      return 4 * (size_t)(count - 1) >= sizeof float_controls &&
             !memcmp(&words[1], float_controls, sizeof float_controls);
    default:
      return false;
  }
}

/* The name of OpEntryPoint, which is words of the module: ended by a zero byte, or the module is damaged. */
static const char *entry_name(const uint32_t *words) {
  uint32_t count = count_of(words);
  return count > 3 && memchr(&words[3], 0, (count - 3) * sizeof *words) ? (const char *)&words[3] : NULL;
}

static hd_status damaged(void) { return hd_make_status(HD_DATA_LOSS, "opencl: the SPIR-V module is damaged"); }

hd_status hd_opencl_read_module(const hd_cl_device_info *device, const uint32_t *words, size_t count,
                                hd_opencl_module *out) {
  out->entry = "";
  out->by_lanes = false;
  if (count < HEADER_WORDS || words[0] != MAGIC)
    return hd_make_status(HD_DATA_LOSS, "opencl: the image is no SPIR-V module");
  memcpy(out->words, words, HEADER_WORDS * sizeof *words);
  out->count = out->read = HEADER_WORDS;
  while (out->read < count && words[out->read] != MAGIC) {
    const uint32_t *at = &words[out->read];
    uint32_t size = count_of(at);
    if (!size || size > count - out->read) return damaged();
    HD_TRY(check_instruction(device, at));
    out->by_lanes |= sets_subgroup_size(at);
    if (device->preserves_denormals || !asks_for_denormals(at)) {
      uint32_t *copy = memcpy(&out->words[out->count], at, size * sizeof *at);
      out->count += size;
      if (opcode_of(at) == OP_ENTRY_POINT && !(out->entry = entry_name(copy))) return damaged();
    }
    out->read += size;
  }
  return HD_STATUS_OK;
}
