/* SPDX-License-Identifier: Apache-2.0 */
/* Executables as the interface has them: handles on programs. */
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

/* ---- making ---------------------------------------------------------------------------------------------------- */

static hd_status loaded_of(hd_pjrt_program *program, PJRT_LoadedExecutable **out) {
  PJRT_LoadedExecutable *loaded = *out = calloc(1, sizeof *loaded);
  if (!loaded) {
    hd_pjrt_program_release(program);
    return hd_pjrt_out_of_memory();
  }
  loaded->program = program;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Client_Compile(PJRT_Client_Compile_Args *args) {
  hd_pjrt_program *program;
  args->executable = NULL;
  HD_TRY(hd_pjrt_program_compile(args->client, args->program, args->compile_options, args->compile_options_size,
                                 &program));
  return loaded_of(program, &args->executable);
}

hd_status hd_pjrt_Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args *args) {
  hd_pjrt_program *program;
  args->loaded_executable = NULL;
  HD_TRY(hd_pjrt_program_load(args->client, args->serialized_executable, args->serialized_executable_size,
                              args->overridden_serialized_compile_options,
                              args->overridden_serialized_compile_options_size, &program));
  return loaded_of(program, &args->loaded_executable);
}

hd_status hd_pjrt_LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args *args) {
  args->executable = (PJRT_Executable *)hd_pjrt_program_retain(args->loaded_executable->program);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_Destroy(PJRT_Executable_Destroy_Args *args) {
  hd_pjrt_program_release(hd_pjrt_program_of(args->executable));
  return HD_STATUS_OK;
}

hd_status hd_pjrt_LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args *args) {
  if (args->executable) hd_pjrt_program_release(args->executable->program);
  free(args->executable);
  return HD_STATUS_OK;
}

/* ---- loaded executables ---------------------------------------------------------------------------------------- */

hd_status hd_pjrt_LoadedExecutable_AddressableDevices(PJRT_LoadedExecutable_AddressableDevices_Args *args) {
  args->addressable_devices = args->executable->program->devices;
  args->num_addressable_devices = args->executable->program->device_count;
  return HD_STATUS_OK;
}

/* It belongs to the program, which the executable keeps. */
static void keep_assignment(PJRT_Bytes *bytes) { (void)bytes; }

hd_status hd_pjrt_LoadedExecutable_GetDeviceAssignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args *args) {
  PJRT_Bytes *bytes = args->executable->program->assignment;
  args->serialized_device_assignment = bytes;
  args->serialized_bytes = bytes->data;
  args->serialized_bytes_size = bytes->size;
  args->serialized_device_assignment_deleter = keep_assignment;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_LoadedExecutable_Delete(PJRT_LoadedExecutable_Delete_Args *args) {
  atomic_store(&args->executable->deleted, true);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_LoadedExecutable_IsDeleted(PJRT_LoadedExecutable_IsDeleted_Args *args) {
  args->is_deleted = atomic_load(&args->executable->deleted);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_LoadedExecutable_Fingerprint(PJRT_LoadedExecutable_Fingerprint_Args *args) {
  args->executable_fingerprint = args->executable->program->fingerprint;
  args->executable_fingerprint_size = strlen(args->executable_fingerprint);
  return HD_STATUS_OK;
}

/* ---- executables ----------------------------------------------------------------------------------------------- */

hd_status hd_pjrt_Executable_Name(PJRT_Executable_Name_Args *args) {
  args->executable_name = hd_executable_module(hd_pjrt_program_of(args->executable)->code->executable);
  args->executable_name_size = strlen(args->executable_name);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_NumReplicas(PJRT_Executable_NumReplicas_Args *args) {
  args->num_replicas = (size_t)hd_pjrt_program_of(args->executable)->parsed.replicas;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_NumPartitions(PJRT_Executable_NumPartitions_Args *args) {
  args->num_partitions = (size_t)hd_pjrt_program_of(args->executable)->parsed.partitions;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_NumOutputs(PJRT_Executable_NumOutputs_Args *args) {
  args->num_outputs = (size_t)hd_pjrt_program_of(args->executable)->output_count;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_SizeOfGeneratedCodeInBytes(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args *args) {
  args->size_in_bytes = (int64_t)hd_pjrt_program_of(args->executable)->code->artifact_size;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_Fingerprint(PJRT_Executable_Fingerprint_Args *args) {
  args->executable_fingerprint = hd_pjrt_program_of(args->executable)->fingerprint;
  args->executable_fingerprint_size = strlen(args->executable_fingerprint);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args *args) {
  HD_TRY(hd_pjrt_program_properties(hd_pjrt_program_of(args->executable)));
  args->properties = hd_pjrt_program_of(args->executable)->properties;
  args->num_properties = hd_pjrt_program_of(args->executable)->property_count;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args *args) {
  const hd_pjrt_program *p = hd_pjrt_program_of(args->executable);
  args->generated_code_size_in_bytes = (int64_t)p->code->artifact_size;
  args->argument_size_in_bytes = p->input_bytes;
  args->output_size_in_bytes = p->output_bytes;
  args->alias_size_in_bytes = p->alias_bytes;
  args->temp_size_in_bytes = atomic_load_explicit(&p->code->temp_bytes, memory_order_relaxed);
  args->host_generated_code_size_in_bytes = args->host_argument_size_in_bytes = 0;
  args->host_output_size_in_bytes = args->host_alias_size_in_bytes = args->host_temp_size_in_bytes = 0;
  args->peak_memory_in_bytes = p->input_bytes + p->output_bytes - p->alias_bytes + args->temp_size_in_bytes;
  args->total_size_in_bytes = args->peak_memory_in_bytes;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_OutputElementTypes(PJRT_Executable_OutputElementTypes_Args *args) {
  args->output_types = hd_pjrt_program_of(args->executable)->output_types;
  args->num_output_types = (size_t)hd_pjrt_program_of(args->executable)->output_count;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_OutputDimensions(PJRT_Executable_OutputDimensions_Args *args) {
  const hd_pjrt_program *p = hd_pjrt_program_of(args->executable);
  args->num_outputs = (size_t)p->output_count;
  args->dims = p->output_dims;
  args->dim_sizes = p->output_ranks;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_OutputMemoryKinds(PJRT_Executable_OutputMemoryKinds_Args *args) {
  const hd_pjrt_program *p = hd_pjrt_program_of(args->executable);
  args->num_outputs = (size_t)p->output_count;
  args->memory_kinds = p->memory_kinds;
  args->memory_kind_sizes = p->memory_kind_sizes;
  return HD_STATUS_OK;
}

/* The program as it was given: what Heddle makes of it has no form that a framework reads. */
hd_status hd_pjrt_Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args *args) {
  const hd_pjrt_program *p = hd_pjrt_program_of(args->executable);
  PJRT_Program *out = args->program;
  HD_TRY(hd_pjrt_check_whole("PJRT_Program", out, sizeof *out));
  if (!p->source) return hd_make_status(HD_UNIMPLEMENTED, "the executable was loaded without its program");
  out->format = "mlir";
  out->format_size = 4;
  if (out->code && out->code_size < p->source_size)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected room for %zu bytes, got %zu", p->source_size, out->code_size);
  out->code_size = p->source_size;
  if (out->code) memcpy(out->code, p->source, p->source_size);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_Serialize(PJRT_Executable_Serialize_Args *args) {
  args->serialized_executable = NULL;
  HD_TRY(hd_pjrt_program_serialise(hd_pjrt_program_of(args->executable), &args->serialized_executable));
  args->serialized_bytes = args->serialized_executable->data;
  args->serialized_bytes_size = args->serialized_executable->size;
  args->serialized_executable_deleter = hd_pjrt_bytes_free;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Executable_GetCompileOptions(PJRT_Executable_GetCompileOptions_Args *args) {
  const hd_pjrt_program *p = hd_pjrt_program_of(args->executable);
  args->serialized_compile_options = hd_pjrt_bytes(p->options, p->options_size);
  if (!args->serialized_compile_options) return hd_pjrt_out_of_memory();
  args->serialized_bytes = args->serialized_compile_options->data;
  args->serialized_bytes_size = p->options_size;
  args->serialized_compile_options_deleter = hd_pjrt_bytes_free;
  return HD_STATUS_OK;
}
