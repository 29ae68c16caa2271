// GPUs and NICs among the I/O objects of a hwloc topology.
#include <algorithm>
#include <array>
#include <cctype>

#include "libmap/base/text.hpp"
#include "libmap/machine/xml/bus_id.hpp"
#include "libmap/machine/xml/hwloc_topology.hpp"

namespace rankmap {
namespace {

// Backends that show GPUs, the best first. "GPU" devices alone (card0, renderD128, :0.0) are none.
struct Backend {
  std::string_view subtype;
  std::string_view prefix;  // of the device's name
  bool numbers;             // whose numbers are the GPUs' own
};
constexpr std::array backends = {Backend{"NVML", "nvml", true}, Backend{"RSMI", "rsmi", true},
                                 Backend{"LevelZero", "ze", true}, Backend{"CUDA", "cuda", false},
                                 Backend{"OpenCL", "opencl", false}};
constexpr std::size_t opencl = 4;

struct GpuClass {
  unsigned class_id;
  unsigned vendor;  // 0: any
};
constexpr std::array gpu_classes = {GpuClass{0x0302, 0}, GpuClass{0x0380, 0x1002},
                                    GpuClass{0x1200, 0x1002}};

std::string_view info_of(hwloc_obj_t object, const char* name) {
  const char* value = hwloc_obj_get_info_by_name(object, name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

std::string_view name_of(hwloc_obj_t object) {
  return object->name == nullptr ? std::string_view() : std::string_view(object->name);
}

std::optional<std::size_t> backend_of(hwloc_obj_t device) {
  const hwloc_obj_osdev_type_t type = device->attr->osdev.type;
  if (type != HWLOC_OBJ_OSDEV_GPU && type != HWLOC_OBJ_OSDEV_COPROC) return std::nullopt;
  const std::string_view subtype = device->subtype == nullptr ? "" : device->subtype;
  const std::string_view name = name_of(device);
  for (std::size_t i = 0; i < backends.size(); ++i) {
    const std::string_view prefix = backends[i].prefix;
    const bool named = name.starts_with(prefix) && name.size() > prefix.size() &&
                       std::isdigit(static_cast<unsigned char>(name[prefix.size()])) != 0;
    if (subtype != backends[i].subtype && !(subtype.empty() && named)) continue;
    if (i == opencl && info_of(device, "OpenCLDeviceType") != "GPU") return std::nullopt;
    if (name.find('.') != std::string_view::npos) return std::nullopt;  // a tile beside its device
    return i;
  }
  return std::nullopt;
}

bool is_gpu_class(hwloc_obj_t pci) {
  const hwloc_obj_attr_u::hwloc_pcidev_attr_s& attr = pci->attr->pcidev;
  return std::any_of(gpu_classes.begin(), gpu_classes.end(), [&](const GpuClass& row) {
    return attr.class_id == row.class_id && (row.vendor == 0 || attr.vendor_id == row.vendor);
  });
}

// The PCI device above an OS device, or the device itself where there is none.
hwloc_obj_t carrier_of(hwloc_obj_t device) {
  hwloc_obj_t carrier = device;
  while (carrier != nullptr && carrier->type == HWLOC_OBJ_OS_DEVICE) carrier = carrier->parent;
  return carrier != nullptr && carrier->type == HWLOC_OBJ_PCI_DEVICE ? carrier : device;
}

std::string pci_address(hwloc_obj_t object) {
  if (object->type != HWLOC_OBJ_PCI_DEVICE) return "";
  const hwloc_obj_attr_u::hwloc_pcidev_attr_s& pci = object->attr->pcidev;
  return bus_id_of(pci.domain, pci.bus, pci.dev, pci.func);
}

int number_in(std::string_view name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  return static_cast<int>(
      std::clamp<std::int64_t>(parse_integer(name.substr(digits)).value_or(0), 0, 1 << 20));
}

std::string vendor_of(hwloc_obj_t object) {
  struct Vendor {
    unsigned id;
    const char* name;
  };
  constexpr std::array vendors = {Vendor{0x10de, "nvidia"}, Vendor{0x1002, "amd"},
                                  Vendor{0x8086, "intel"}};
  if (object->type != HWLOC_OBJ_PCI_DEVICE) return "";
  for (const Vendor& row : vendors)
    if (object->attr->pcidev.vendor_id == row.id) return row.name;
  return "";
}

std::string uuid_of(hwloc_obj_t device) {
  if (const std::string_view nvidia = info_of(device, "NVIDIAUUID"); !nvidia.empty())
    return std::string(nvidia);
  const std::string_view amd = info_of(device, "AMDUUID");
  return amd.empty() || amd.starts_with("GPU-") ? std::string(amd) : "GPU-" + std::string(amd);
}

struct Found {
  HwlocGpu gpu;
  std::size_t backend;
  int number;
};

// The OS devices of one PCI device by backend.
struct Carrier {
  hwloc_obj_t object;
  std::array<std::vector<hwloc_obj_t>, backends.size()> devices;
};

std::vector<Carrier> gpu_carriers(hwloc_topology* topology) {
  std::vector<Carrier> carriers;
  std::map<hwloc_obj_t, std::size_t> index_of;
  const auto carrier_at = [&](hwloc_obj_t object) -> Carrier& {
    const auto [place, fresh] = index_of.emplace(object, carriers.size());
    if (fresh) carriers.push_back({object, {}});
    return carriers[place->second];
  };
  for (hwloc_obj_t pci = nullptr; (pci = hwloc_get_next_pcidev(topology, pci)) != nullptr;)
    if (is_gpu_class(pci)) carrier_at(pci);
  for (hwloc_obj_t device = nullptr; (device = hwloc_get_next_osdev(topology, device)) != nullptr;)
    if (const auto backend = backend_of(device))
      carrier_at(carrier_of(device)).devices[*backend].push_back(device);
  return carriers;
}

void append_gpus(const Carrier& carrier, int package, std::vector<Found>& found) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < backends.size(); ++i)
    if (carrier.devices[i].size() > carrier.devices[best].size()) best = i;
  const std::vector<hwloc_obj_t>& parts = carrier.devices[best];
  for (std::size_t part = 0; part < std::max<std::size_t>(parts.size(), 1); ++part) {
    Found one{{}, parts.empty() ? backends.size() : best, 0};
    one.gpu.device = carrier.object;
    one.gpu.row.bus_id = pci_address(carrier.object);
    one.gpu.row.vendor = vendor_of(carrier.object);
    if (parts.size() > 1) one.gpu.row.package = package;
    for (const std::vector<hwloc_obj_t>& devices : carrier.devices) {
      if (part >= devices.size()) continue;
      const hwloc_obj_t device = devices[part];
      one.gpu.os_devices.push_back(device);
      if (one.gpu.row.uuid.empty()) one.gpu.row.uuid = uuid_of(device);
      if (one.gpu.row.name.empty()) one.gpu.row.name = info_of(device, "GPUModel");
    }
    if (!parts.empty()) one.number = number_in(name_of(parts[part]));
    if (one.gpu.row.name.empty()) one.gpu.row.name = info_of(carrier.object, "PCIDevice");
    found.push_back(std::move(one));
  }
}

// Fabric devices carry jobs; a fabric port that is told to be down does not.
bool is_up(hwloc_obj_t device) {
  bool told = false;
  for (unsigned i = 0; i < device->infos_count; ++i) {
    const std::string_view name = device->infos[i].name;
    if (!name.starts_with("Port") || !name.ends_with("State")) continue;
    told = true;
    if (std::string_view(device->infos[i].value).starts_with("4")) return true;
  }
  return !told;
}

bool is_fabric_network(hwloc_obj_t device) {
  const std::string_view subtype = device->subtype == nullptr ? "" : device->subtype;
  return subtype == "Slingshot" || subtype == "BXI" || name_of(device).starts_with("hsn");
}

}  // namespace

std::vector<HwlocGpu> hwloc_gpus(hwloc_topology* topology) {
  std::vector<Found> found;
  std::vector<Carrier> carriers = gpu_carriers(topology);
  std::stable_sort(carriers.begin(), carriers.end(), [](const Carrier& a, const Carrier& b) {
    return pci_address(a.object) < pci_address(b.object);
  });
  for (std::size_t i = 0; i < carriers.size(); ++i)
    append_gpus(carriers[i], static_cast<int>(i), found);
  const bool numbered = std::all_of(found.begin(), found.end(), [&](const Found& one) {
    return one.backend == found.front().backend && one.backend < backends.size() &&
           backends[one.backend].numbers;
  });
  if (numbered)
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.number < b.number; });
  std::vector<HwlocGpu> gpus;
  for (Found& one : found) gpus.push_back(std::move(one.gpu));
  return gpus;
}

// One NIC a fabric device; a card without one is known by its network interface.
void HwlocConversion::add_nics() {
  std::vector<Device> cards;
  std::map<hwloc_obj_t, std::size_t> index_of;
  for (hwloc_obj_t device = nullptr;
       (device = hwloc_get_next_osdev(topology_, device)) != nullptr;) {
    const hwloc_obj_osdev_type_t type = device->attr->osdev.type;
    const bool fabric = type == HWLOC_OBJ_OSDEV_OPENFABRICS;
    const hwloc_obj_t pci = carrier_of(device);
    if ((!fabric && type != HWLOC_OBJ_OSDEV_NETWORK) || pci->type != HWLOC_OBJ_PCI_DEVICE) continue;
    const auto [place, fresh] = index_of.emplace(pci, cards.size());
    if (fresh) cards.push_back({pci, {}, {}});
    Device& card = cards[place->second];
    (fabric ? card.fabric : card.network).push_back(device);
  }
  for (const Device& card : cards) {
    const HwlocPlace place = place_of(card.pci);
    for (const hwloc_obj_t device : card.fabric.empty() ? card.network : card.fabric) {
      const bool preferred = card.fabric.empty() ? is_fabric_network(device) : is_up(device);
      assembly_.add_nic({std::string(name_of(device)), pci_address(card.pci), place.numa, 0},
                        place.up, preferred);
    }
  }
}

}  // namespace rankmap
