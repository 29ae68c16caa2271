#include "libmap/machine/detect/nvml.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>

#include "libmap/machine/detect/nvml_abi.hpp"
#include "libmap/machine/xml/bus_id.hpp"

namespace rankmap {
namespace {

constexpr unsigned most_gpus = 256;
constexpr unsigned most_instances = 64;

struct CloseLibrary {
  void operator()(void* handle) const { dlclose(handle); }
};

class NvmlSession {
 public:
  explicit NvmlSession(const std::string& library)
      : handle_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  NvmlSession(const NvmlSession&) = delete;
  NvmlSession& operator=(const NvmlSession&) = delete;
  ~NvmlSession() {
    if (started_) call<>("nvmlShutdown");
  }

  bool start() {
    started_ = handle_ && call<>("nvmlInit_v2");
    return started_;
  }
  bool opened() const { return handle_ != nullptr; }

  // Whether the call succeeded. Failures are told once a function; "not supported here", "not
  // found" and "no such number" are answers, not failures.
  template <typename... Args>
  bool call(const char* symbol, Args... args) {
    const auto function = reinterpret_cast<nvml::Return (*)(Args...)>(dlsym(handle_.get(), symbol));
    if (function == nullptr) return fails(symbol, "is missing in this version of NVML");
    const nvml::Return result = function(args...);
    if (result == nvml::success) return true;
    if (result == nvml::not_supported || result == nvml::not_found ||
        result == nvml::invalid_argument)
      return false;
    return fails(symbol, "failed with NVML error " + std::to_string(result));
  }
  bool has(const char* symbol) const { return dlsym(handle_.get(), symbol) != nullptr; }

  std::vector<std::string> warnings;

 private:
  bool fails(const char* symbol, const std::string& how) {
    if (told_.insert(symbol).second) warnings.push_back(std::string(symbol) + " " + how);
    return false;
  }

  std::unique_ptr<void, CloseLibrary> handle_;
  bool started_ = false;
  std::set<std::string> told_;
};

std::string text_of(NvmlSession& session, const char* symbol, nvml::Device device) {
  std::array<char, nvml::text_size + 1> text{};
  if (!session.call(symbol, device, text.data(), nvml::text_size)) return "";
  return text.data();
}

std::string address_of(const nvml::PciInfo& pci) {
  return bus_id_of(pci.domain, pci.bus & 0xFFU, pci.device & 0x1FU, 0);
}

using Words = std::array<unsigned long, 1024>;

CpuSet set_of(const Words& words) {
  constexpr int bits = sizeof(unsigned long) * CHAR_BIT;
  CpuSet set;
  for (std::size_t word = 0; word < words.size(); ++word)
    for (int bit = 0; words[word] != 0 && bit < bits; ++bit)
      if ((words[word] >> bit) & 1UL) set.add(static_cast<int>(word) * bits + bit);
  return set;
}

NvmlLink link_of(NvmlSession& session, nvml::Device device, unsigned number) {
  NvmlLink link;
  int type = nvml::remote_gpu;
  const bool typed = session.has("nvmlDeviceGetNvLinkRemoteDeviceType") &&
                     session.call("nvmlDeviceGetNvLinkRemoteDeviceType", device, number, &type);
  nvml::PciInfo far{};
  if (session.call("nvmlDeviceGetNvLinkRemotePciInfo_v2", device, number, &far))
    link.bus_id = address_of(far);
  if (typed && type == nvml::remote_gpu) link.end = NvlinkEnd::gpu;
  if (typed && type == nvml::remote_cpu) link.end = NvlinkEnd::cpu;
  if (typed && type == nvml::remote_switch) link.end = NvlinkEnd::link_switch;
  unsigned version = 0;
  if (session.call("nvmlDeviceGetNvLinkVersion", device, number, &version) && version < 100)
    link.version = static_cast<int>(version);
  return link;
}

// A link counts when its state says so: capability queries are true for links a board lacks.
void read_links(NvmlSession& session, nvml::Device device, NvmlGpu& gpu) {
  for (unsigned number = 0; number < nvml::most_nvlinks; ++number) {
    int active = 0;
    const bool told = session.has("nvmlDeviceGetNvLinkState") &&
                      session.call("nvmlDeviceGetNvLinkState", device, number, &active);
    if (!told) return;
    if (active == nvml::feature_enabled) gpu.links.push_back(link_of(session, device, number));
  }
}

void read_instances(NvmlSession& session, nvml::Device device, NvmlGpu& gpu) {
  unsigned current = 0;
  unsigned pending = 0;
  if (!session.has("nvmlDeviceGetMigMode") ||
      !session.call("nvmlDeviceGetMigMode", device, &current, &pending) ||
      current != static_cast<unsigned>(nvml::feature_enabled))
    return;
  gpu.mig = true;
  unsigned most = 0;
  if (!session.call("nvmlDeviceGetMaxMigDeviceCount", device, &most)) return;
  for (unsigned number = 0; number < std::min(most, most_instances); ++number) {
    nvml::Device instance = nullptr;
    if (!session.call("nvmlDeviceGetMigDeviceHandleByIndex", device, number, &instance)) continue;
    gpu.instances.push_back({text_of(session, "nvmlDeviceGetName", instance),
                             text_of(session, "nvmlDeviceGetUUID", instance)});
  }
}

void read_locality(NvmlSession& session, nvml::Device device, NvmlGpu& gpu) {
  Words words{};
  const auto size = static_cast<unsigned>(words.size());
  if (session.call("nvmlDeviceGetCpuAffinity", device, size, words.data()))
    gpu.cpus = set_of(words);
  words.fill(0);
  if (session.has("nvmlDeviceGetMemoryAffinity") &&
      session.call("nvmlDeviceGetMemoryAffinity", device, size, words.data(),
                   nvml::affinity_scope_node))
    gpu.numa_nodes = set_of(words);
  unsigned own = 0;
  if (session.has("nvmlDeviceGetNumaNodeId") &&
      session.call("nvmlDeviceGetNumaNodeId", device, &own) && own <= CpuSet::max_number)
    gpu.memory_numa = static_cast<int>(own);
}

NvmlGpu gpu_of(NvmlSession& session, nvml::Device device) {
  NvmlGpu gpu;
  gpu.name = text_of(session, "nvmlDeviceGetName", device);
  gpu.uuid = text_of(session, "nvmlDeviceGetUUID", device);
  nvml::PciInfo pci{};
  if (session.call("nvmlDeviceGetPciInfo_v3", device, &pci)) gpu.bus_id = address_of(pci);
  unsigned value = 0;
  if (session.call("nvmlDeviceGetMaxPcieLinkGeneration", device, &value) && value <= 6)
    gpu.pcie_generation = static_cast<int>(value);
  if (session.call("nvmlDeviceGetMaxPcieLinkWidth", device, &value) && value <= 32)
    gpu.pcie_width = static_cast<int>(value);
  read_locality(session, device, gpu);
  read_links(session, device, gpu);
  read_instances(session, device, gpu);
  return gpu;
}

void read_levels(NvmlSession& session, const std::vector<nvml::Device>& devices,
                 std::vector<NvmlGpu>& gpus) {
  for (std::size_t a = 0; a < gpus.size(); ++a) {
    gpus[a].levels.assign(gpus.size(), none);
    for (std::size_t b = 0; b < gpus.size(); ++b) {
      int level = none;
      if (a != b &&
          session.call("nvmlDeviceGetTopologyCommonAncestor", devices[a], devices[b], &level))
        gpus[a].levels[b] = level;
    }
  }
}

}  // namespace

std::string nvml_library_name() {
  const char* given = std::getenv("RANKMAP_NVML_LIBRARY");
  return given != nullptr && *given != '\0' ? given : "libnvidia-ml.so.1";
}

std::optional<NvmlReading> read_nvml(const std::string& library) {
  NvmlSession session(library);
  if (!session.opened()) return std::nullopt;
  NvmlReading reading;
  unsigned count = 0;
  if (session.start() && session.call("nvmlDeviceGetCount_v2", &count)) {
    std::vector<nvml::Device> devices;
    for (unsigned index = 0; index < std::min(count, most_gpus); ++index) {
      nvml::Device device = nullptr;
      if (!session.call("nvmlDeviceGetHandleByIndex_v2", index, &device)) continue;
      devices.push_back(device);
      reading.gpus.push_back(gpu_of(session, device));
    }
    read_levels(session, devices, reading.gpus);
  }
  reading.warnings = session.warnings;
  return reading;
}

}  // namespace rankmap
