// NVLink and xGMI connections out of hwloc's distance matrices.
#include <algorithm>
#include <cmath>

#include "libmap/machine/xml/hwloc_topology.hpp"
#include "libmap/machine/xml/xgmi_speeds.hpp"

namespace rankmap {
namespace {

constexpr double most_lanes = 1024;
constexpr LinkSpeed assumed_nvlink = {25, 20};

// A matrix over devices; indices of GPUs, none for other objects (switches).
class DeviceMatrix {
 public:
  DeviceMatrix(hwloc_topology* topology, const char* name, const std::vector<HwlocGpu>& gpus)
      : topology_(topology) {
    unsigned wanted = 1;
    if (hwloc_distances_get_by_name(topology, name, &wanted, &matrix_, 0) != 0 || wanted == 0)
      matrix_ = nullptr;
    for (unsigned i = 0; i < size(); ++i) gpu_at_.push_back(index_of(matrix_->objs[i], gpus));
  }
  ~DeviceMatrix() {
    if (matrix_ != nullptr) hwloc_distances_release(topology_, matrix_);
  }
  DeviceMatrix(const DeviceMatrix&) = delete;
  DeviceMatrix& operator=(const DeviceMatrix&) = delete;

  bool present() const { return matrix_ != nullptr; }
  unsigned size() const { return matrix_ == nullptr ? 0 : matrix_->nbobjs; }
  int gpu(unsigned i) const { return gpu_at_[i]; }
  hwloc_uint64_t value(unsigned i, unsigned j) const {
    return matrix_->values[static_cast<std::size_t>(i) * matrix_->nbobjs + j];
  }

 private:
  static int index_of(hwloc_obj_t object, const std::vector<HwlocGpu>& gpus) {
    for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu) {
      const std::vector<hwloc_obj_t>& own = gpus[gpu].os_devices;
      if (gpus[gpu].device == object || std::find(own.begin(), own.end(), object) != own.end())
        return static_cast<int>(gpu);
    }
    return none;
  }

  hwloc_topology* topology_;
  hwloc_distances_s* matrix_ = nullptr;
  std::vector<int> gpu_at_;
};

int lanes_of(hwloc_uint64_t megabytes_per_second, LinkSpeed lane) {
  const double lanes = std::round(static_cast<double>(megabytes_per_second) / (lane.gbps * 1000));
  return static_cast<int>(std::clamp(lanes, 1.0, most_lanes));
}

LinkSpeed nvlink_of(const HwlocGpu& gpu) {
  const LinkSpeed known = nvlink_speed_of_gpu(gpu.row.name);
  return known.gbps > 0 ? known : assumed_nvlink;
}

void add_nvlinks(const DeviceMatrix& matrix, const std::vector<HwlocGpu>& gpus,
                 NodeAssembly& assembly) {
  std::vector<hwloc_uint64_t> to_switches(gpus.size(), 0);
  bool uneven = false;
  for (unsigned i = 0; i < matrix.size(); ++i) {
    const int a = matrix.gpu(i);
    if (a == none) continue;
    for (unsigned j = 0; j < matrix.size(); ++j) {
      const int b = matrix.gpu(j);
      if (b == none) to_switches[static_cast<std::size_t>(a)] += matrix.value(i, j);
      if (b == none || b <= a) continue;
      const hwloc_uint64_t there = matrix.value(i, j);
      const hwloc_uint64_t back = matrix.value(j, i);
      uneven = uneven || there != back;
      const hwloc_uint64_t told =
          there == 0 || back == 0 ? std::max(there, back) : std::min(there, back);
      const LinkSpeed lane = nvlink_of(gpus[static_cast<std::size_t>(a)]);
      if (told > 0) assembly.join_gpus(LinkKind::nvlink, a, b, lanes_of(told, lane), lane);
    }
  }
  for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu) {
    const LinkSpeed lane = nvlink_of(gpus[gpu]);
    if (to_switches[gpu] > 0)
      assembly.join_switch(LinkKind::nvlink, static_cast<int>(gpu),
                           lanes_of(to_switches[gpu], lane), lane);
  }
  if (uneven)
    assembly.model().warn("NVLink bandwidths differ by direction: links are taken as both ways");
}

// Every pair has the same figure whatever the number of links: only "joined" is taken from it, and
// joined are those one hop apart where hops are told.
void add_xgmi(const DeviceMatrix& bandwidth, const DeviceMatrix& hops,
              const std::vector<HwlocGpu>& gpus, NodeAssembly& assembly) {
  const DeviceMatrix& matrix = hops.present() ? hops : bandwidth;
  bool any = false;
  for (unsigned i = 0; i < matrix.size(); ++i) {
    for (unsigned j = 0; j < matrix.size(); ++j) {
      const int a = matrix.gpu(i);
      const int b = matrix.gpu(j);
      if (a == none || b == none || b <= a) continue;
      const hwloc_uint64_t told = matrix.value(i, j);
      if (hops.present() ? told != 1 : told == 0) continue;
      const LinkSpeed known = xgmi_speed_of(gpus[static_cast<std::size_t>(a)].row.name);
      assembly.join_gpus(LinkKind::xgmi, a, b, 1, known.gbps > 0 ? known : assumed_xgmi_speed);
      any = true;
    }
  }
  if (any)
    assembly.model().warn(
        "hwloc does not tell how many xGMI links join two GPUs: one is assumed for each pair");
}

}  // namespace

void add_hwloc_links(hwloc_topology* topology, const std::vector<HwlocGpu>& gpus,
                     NodeAssembly& assembly) {
  if (gpus.size() < 2) return;
  add_nvlinks(DeviceMatrix(topology, "NVLinkBandwidth", gpus), gpus, assembly);
  add_xgmi(DeviceMatrix(topology, "XGMIBandwidth", gpus), DeviceMatrix(topology, "XGMIHops", gpus),
           gpus, assembly);
}

}  // namespace rankmap
