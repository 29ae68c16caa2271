// The part of NVIDIA's management library (NVML) that is called, declared by its binary interface, so
// that neither headers nor the library are needed at build time. Names and numbers are NVML's.
#pragma once

namespace rankmap::nvml {

using Return = int;
constexpr Return success = 0;
constexpr Return invalid_argument = 2;  // also: no link of this number
constexpr Return not_supported = 3;
constexpr Return not_found = 6;

using Device = struct DeviceHandle*;

struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;
  unsigned pci_subsystem_id;
  char bus_id[32];
};
static_assert(sizeof(PciInfo) == 68);

constexpr unsigned text_size = 96;     // names and uuids, with the final zero
constexpr unsigned most_nvlinks = 36;  // link numbers that any driver knows
constexpr int feature_enabled = 1;
constexpr unsigned affinity_scope_node = 0;

// The far end of an NVLink.
constexpr int remote_gpu = 0;
constexpr int remote_cpu = 1;
constexpr int remote_switch = 2;

// Common ancestors of two GPUs.
constexpr int level_single_switch = 10;     // PIX
constexpr int level_several_switches = 20;  // PXB
constexpr int level_host_bridge = 30;       // PHB
constexpr int level_node = 40;              // NODE

}  // namespace rankmap::nvml
