#include "libmap/machine/xml/nccl_xml.hpp"

#include <algorithm>
#include <array>

#include "libmap/base/text.hpp"
#include "libmap/machine/xml/bus_id.hpp"
#include "libmap/machine/xml/nccl_document.hpp"
#include "libmap/machine/xml/xml_text.hpp"

namespace rankmap {
namespace {

constexpr int deepest_pci = 64;
constexpr std::size_t most_gpus = 1024;
constexpr std::size_t most_nics = 1024;

// 3D controllers, AMD's display controllers without a screen, AMD's processing accelerators.
constexpr std::array<std::string_view, 3> gpu_classes = {"0x0302", "0x0380", "0x1200"};
constexpr std::array<std::string_view, 2> nic_classes = {"0x0200", "0x0207"};

template <std::size_t N>
bool has_class(const pugi::xml_node& pci, const std::array<std::string_view, N>& classes) {
  const std::string_view found = pci.attribute("class").value();
  return std::any_of(classes.begin(), classes.end(),
                     [&](std::string_view one) { return found.starts_with(one); });
}

// A <cpu>: what its devices inherit.
struct CpuPlace {
  int hub = none;
  int numa = none;
  std::optional<CpuSet> cpus;
  std::string affinity;  // as read
};

class NcclReading {
 public:
  NcclReading(std::string_view text, const std::string& name) : source_{text, name} {}

  NodeModel read() {
    pugi::xml_document document;
    load_xml(source_.text, source_.name, document);
    const pugi::xml_node system = document.child("system");
    if (!system)
      throw InputError({source_.name, 0, 0}, "no <system> element, expected NCCL topology XML");
    static_file_ = !document.select_node("//gpu");
    read_cpus(system);
    add_gpus();
    add_nccl_links(source_, gpus_, assembly_);
    tell_of_guesses();
    return assembly_.finish();
  }

 private:
  void read_cpus(const pugi::xml_node& system) {
    const int root = assembly_.add_hub(HubKind::system, "system", {});
    const std::string_view host = system.child("cpu").attribute("host_hash").value();
    int elsewhere = 0;
    std::vector<std::pair<pugi::xml_node, CpuPlace>> places;
    for (const pugi::xml_node& cpu : system.children("cpu")) {
      if (host != cpu.attribute("host_hash").value()) {
        ++elsewhere;
      } else {
        places.emplace_back(cpu, place_of(cpu, root));
      }
    }
    if (elsewhere > 0)
      warn(std::to_string(elsewhere) +
           " <cpu> elements of other hosts are left out: one host is read");
    forget_doubled_masks(places);
    adopt_homeless(places, root);
    for (const auto& [cpu, place] : places)
      read_devices(cpu, place, {place.hub, LinkKind::pcie, {}}, 0);
    // Devices beside the <cpu> elements: their CPUs are unknown.
    read_devices(system, {root, none, std::nullopt, ""}, {root, LinkKind::pcie, {}}, 0);
  }

  CpuPlace place_of(const pugi::xml_node& cpu, int root) {
    CpuPlace place;
    const int numa = source_.integer(cpu, "numaid", -1, CpuSet::max_number).value_or(none);
    place.affinity = cpu.attribute("affinity").value();
    const std::optional<CpuSet> mask = CpuSet::parse_mask(place.affinity);
    if (!place.affinity.empty() && !mask)
      warn("CPU mask " + quoted(place.affinity) + " of NUMA node " + std::to_string(numa) +
           " is not understood");
    if (mask && !mask->empty()) place.cpus = mask;
    if (numa == none) {
      warn("a <cpu> without a NUMA number: its devices' NUMA node is unknown");
      return place;
    }
    place.numa = numa;
    place.hub = numa_hub(cpu, numa, place, root);
    return place;
  }

  int numa_hub(const pugi::xml_node& cpu, int numa, const CpuPlace& place, int root) {
    if (const auto known = numa_hubs_.find(numa); known != numa_hubs_.end()) {
      warn("NUMA node " + std::to_string(numa) + " is listed twice");
      return known->second;
    }
    const std::string_view vendor = cpu.attribute("vendor").value();
    const std::string_view arch = cpu.attribute("arch").value();
    const LinkSpeed speed =
        cpu_link_speed(vendor.empty() ? arch : vendor,
                       source_.integer(cpu, "familyid", -1, 1 << 16).value_or(none),
                       source_.integer(cpu, "modelid", -1, 1 << 16).value_or(none));
    const int hub = assembly_.add_hub(HubKind::numa, "numa" + std::to_string(numa),
                                      {root, LinkKind::cpu, speed});
    numa_hubs_[numa] = hub;
    std::vector<NumaNode>& nodes = assembly_.model().numa_nodes;
    const auto later = std::find_if(nodes.begin(), nodes.end(),
                                    [&](const NumaNode& node) { return node.id > numa; });
    nodes.insert(later, {numa, place.cpus.value_or(CpuSet()), 0, ""});
    return hub;
  }

  // Two NUMA nodes with one mask: the mask is the process's, not the hardware's.
  void forget_doubled_masks(std::vector<std::pair<pugi::xml_node, CpuPlace>>& places) {
    std::vector<NumaNode>& nodes = assembly_.model().numa_nodes;
    const bool doubled = std::any_of(nodes.begin(), nodes.end(), [&](const NumaNode& a) {
      return std::any_of(nodes.begin(), nodes.end(), [&](const NumaNode& b) {
        return a.id < b.id && !a.cpus.intersection(b.cpus).empty();
      });
    });
    if (!doubled) return;
    warn("CPU masks of different NUMA nodes overlap: they are not taken as locality");
    for (NumaNode& node : nodes) node.cpus = {};
    for (auto& [cpu, place] : places) place.cpus.reset();
  }

  // numaid -1: the devices join the only NUMA node, or else the system as a whole.
  void adopt_homeless(std::vector<std::pair<pugi::xml_node, CpuPlace>>& places, int root) {
    const int home = numa_hubs_.size() == 1 ? numa_hubs_.begin()->second : root;
    for (auto& [cpu, place] : places)
      if (place.hub == none) place.hub = home;
  }

  void read_devices(const pugi::xml_node& parent, const CpuPlace& place, const Uplink& up,
                    int depth) {
    if (depth > deepest_pci)
      source_.refuse(parent, "PCI devices nested deeper than " + std::to_string(deepest_pci));
    for (const pugi::xml_node& child : parent.children()) {
      const std::string_view kind = child.name();
      if (kind == "pci") read_pci(child, place, up, depth);
      if (kind == "nic") read_nets(child, place, "", up.hub, pcie_speed(3, 16));
    }
  }

  void read_pci(const pugi::xml_node& pci, const CpuPlace& place, const Uplink& above, int depth) {
    const Uplink up = {above.hub, LinkKind::pcie, speed_of(pci)};
    const std::string bus_id = normal_bus_id(pci.attribute("busid").value());
    const pugi::xml_node gpu = pci.child("gpu");
    if (gpu || (static_file_ && has_class(pci, gpu_classes))) {
      add_gpu_device(pci, gpu, place, up, bus_id);
    } else if (pci.child("nic")) {
      read_card(pci, place, up, bus_id);
    } else if (pci.child("pci")) {
      const int hub =
          assembly_.add_hub(HubKind::pcie_switch, "pcie" + std::to_string(switches_++), up);
      read_devices(pci, place, {hub, LinkKind::pcie, {}}, depth + 1);
    } else if (has_class(pci, nic_classes)) {
      add_nic(pci, {"", bus_id, place.numa, 0}, up);
    }
  }

  void add_gpu_device(const pugi::xml_node& pci, const pugi::xml_node& gpu, const CpuPlace& place,
                      const Uplink& up, const std::string& bus_id) {
    if (gpus_.size() == most_gpus)
      source_.refuse(pci, "more than " + std::to_string(most_gpus) + " GPUs in a node");
    if (!bus_id.empty() && !bus_ids_.insert(bus_id).second)
      source_.refuse(pci, "a second GPU at bus id " + quoted(bus_id));
    NcclGpu device{pci, gpu, place.hub, {}, up};
    device.row.bus_id = bus_id;
    device.row.cpus = place.cpus;
    device.row.cpu_affinity = place.affinity;
    device.row.numa = place.numa;
    gpus_.push_back(std::move(device));
  }

  // The ports of one card share its PCIe link.
  void read_card(const pugi::xml_node& pci, const CpuPlace& place, const Uplink& up,
                 const std::string& bus_id) {
    std::size_t ports = 0;
    for (const pugi::xml_node& nic : pci.children("nic"))
      ports += static_cast<std::size_t>(
          std::distance(nic.children("net").begin(), nic.children("net").end()));
    const int hub =
        ports > 1 ? assembly_.add_hub(HubKind::pcie_switch, "card:" + bus_id, up) : up.hub;
    for (const pugi::xml_node& nic : pci.children("nic"))
      read_nets(nic, place, bus_id, hub, up.speed);
    if (ports == 0) add_nic(pci, {"", bus_id, place.numa, 0}, up);
  }

  void read_nets(const pugi::xml_node& nic, const CpuPlace& place, const std::string& bus_id,
                 int hub, LinkSpeed speed) {
    for (const pugi::xml_node& net : nic.children("net")) {
      const int mbps = source_.integer(net, "speed", -1, 1'000'000'000).value_or(0);
      const BytesPerSecond bandwidth = mbps > 0 ? static_cast<BytesPerSecond>(mbps) * 125'000U : 0;
      add_nic(net, {net.attribute("name").value(), bus_id, place.numa, bandwidth},
              {hub, LinkKind::pcie, speed});
    }
  }

  // A NIC without a PCI device is a bridge or another soft device when the node has real ones.
  void add_nic(const pugi::xml_node& node, Nic nic, const Uplink& up) {
    if (assembly_.model().nics.size() == most_nics)
      source_.refuse(node, "more than " + std::to_string(most_nics) + " NICs in a node");
    const bool real = !nic.bus_id.empty();
    assembly_.add_nic(std::move(nic), up, real);
  }

  // Empty speeds and widths are virtual devices of clouds; NCCL takes gen3 and 16 lanes for them.
  LinkSpeed speed_of(const pugi::xml_node& pci) {
    const int width = source_.integer(pci, "link_width", 0, 255).value_or(0);
    const int generation = pcie_generation(pci.attribute("link_speed").value());
    if (width == 0 || width > 32 || generation == 0) ++guessed_speeds_;
    return pcie_speed(generation == 0 ? 3 : generation, width == 0 || width > 32 ? 16 : width);
  }

  void add_gpus() {
    const auto dev = [&](const NcclGpu& gpu) {
      return source_.integer(gpu.gpu, "dev", 0, 1 << 20);
    };
    std::set<int> devs;
    for (const NcclGpu& gpu : gpus_)
      if (const auto number = dev(gpu)) devs.insert(*number);
    if (devs.size() == gpus_.size()) {
      std::stable_sort(gpus_.begin(), gpus_.end(),
                       [&](const NcclGpu& a, const NcclGpu& b) { return *dev(a) < *dev(b); });
    } else if (!devs.empty()) {
      warn("<gpu dev> numbers are missing or doubled: the GPUs are taken in the file's order");
    }
    for (const NcclGpu& gpu : gpus_) assembly_.add_gpu(gpu.row, gpu.up);
  }

  void tell_of_guesses() {
    if (gpus_.empty())
      warn("no GPU is recognisable: neither a <gpu> element nor a PCI device of a GPU class");
    if (guessed_speeds_ > 0)
      warn(std::to_string(guessed_speeds_) +
           " PCI devices tell no link speed or width: gen3 x16 is assumed");
  }

  void warn(std::string message) { assembly_.model().warn(std::move(message)); }

  NcclSource source_;
  NodeAssembly assembly_{"nccl-xml"};
  bool static_file_ = false;
  std::map<int, int> numa_hubs_;
  std::vector<NcclGpu> gpus_;
  std::set<std::string> bus_ids_;
  int switches_ = 0;
  int guessed_speeds_ = 0;
};

bool recognises(std::string_view text) {
  return xml_root_name(text) == "system";
}

NodeModel read(std::string_view text, const std::string& source, const ReaderOptions&) {
  return NcclReading(text, source).read();
}

}  // namespace

const NodeReader nccl_xml_reader = {"nccl-xml", "topology XML of NCCL or RCCL", recognises, read};

}  // namespace rankmap
