#include "mpi_shim/gpus/makers.h"

#include <string.h>

#include "libmap/wire/wire.h"

static const struct rankmap_gpu_maker makers[] = {
    {.name = "nvidia",
     .driver = "CUDA",
     .variable = "CUDA_VISIBLE_DEVICES",
     .order = "CUDA_DEVICE_ORDER",
     .pci_order = "PCI_BUS_ID",
     .overrides_order = 1,
     .has_mps = 1,
     .rules = {.twice = RANKMAP_TWICE_HIDES_ALL, .uuids = 1},
     .control_node = "/dev/nvidiactl",
     .numbered_node = "/dev/nvidia",
     .devices = rankmap_nvidia_devices},
    /* HIP honours CUDA's variable where its own is not set */
    {.name = "amd",
     .driver = "AMD GPU",
     .variable = "ROCR_VISIBLE_DEVICES",
     .inner = {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"},
     .rules = {.twice = RANKMAP_TWICE_ENDS, .uuids = 1},
     .control_node = "/dev/kfd",
     .devices = rankmap_amd_devices},
    {.name = "intel",
     .driver = "Intel GPU",
     .variable = "ZE_AFFINITY_MASK",
     .order = "ZE_ENABLE_PCI_ID_DEVICE_ORDER",
     .pci_order = "1",
     .is_mask = 1,
     .rules = {.twice = RANKMAP_TWICE_IS_ONCE},
     .devices = rankmap_intel_devices},
};

const struct rankmap_gpu_maker* rankmap_gpu_maker_of(const char* flags) {
  size_t length = 0;
  const char* const name = rankmap_wire_flag(flags, "vendor", &length);
  for (size_t i = 0; name && i < sizeof makers / sizeof *makers; ++i)
    if (strlen(makers[i].name) == length && strncmp(name, makers[i].name, length) == 0)
      return &makers[i];
  return &makers[0];
}
