// NVLink and xGMI of an NCCL topology document: peers, NVSwitches, CPUs.
#include <array>

#include "libmap/base/text.hpp"
#include "libmap/machine/xml/bus_id.hpp"
#include "libmap/machine/xml/nccl_document.hpp"
#include "libmap/machine/xml/peer_links.hpp"
#include "libmap/machine/xml/xgmi_speeds.hpp"
#include "libmap/machine/xml/xml_text.hpp"

namespace rankmap {
namespace {

constexpr int most_lanes = 1024;
constexpr LinkSpeed assumed_nvlink = {25, 20};

struct LinkTag {
  const char* element;
  LinkKind kind;
};
constexpr std::array link_tags = {LinkTag{"nvlink", LinkKind::nvlink},
                                  LinkTag{"xgmi", LinkKind::xgmi}};

enum class Target { peer, link_switch, cpu, unknown };

struct TargetClass {
  std::string_view tclass;  // how it begins
  Target target;
};
// NVSwitch; the bridge of POWER9 and of Grace.
constexpr std::array target_classes = {TargetClass{"0x068001", Target::cpu},
                                       TargetClass{"0x0680", Target::link_switch}};

class LinkReading {
 public:
  LinkReading(const NcclSource& source, const std::vector<NcclGpu>& gpus, NodeAssembly& assembly)
      : source_(source), gpus_(gpus), assembly_(assembly) {
    for (std::size_t i = 0; i < gpus.size(); ++i)
      if (!gpus[i].row.bus_id.empty()) index_of_[gpus[i].row.bus_id] = static_cast<int>(i);
  }

  void read() {
    for (const LinkTag& tag : link_tags) {
      told_.clear();
      for (int gpu = 0; gpu < static_cast<int>(gpus_.size()); ++gpu) read_gpu(gpu, tag);
      join_peers(tag.kind);
    }
    if (strangers_ > 0)
      warn(std::to_string(strangers_) + " links end at devices that are not in the file");
    if (speed_assumed_)
      warn("NVLink or xGMI speed unknown for these GPUs: 25 or 50 GB/s a link assumed");
    find_packages();
  }

 private:
  void read_gpu(int gpu, const LinkTag& tag) {
    int switch_lanes = 0;
    int cpu_lanes = 0;
    for (const pugi::xml_node& link : gpus_[at(gpu)].gpu.children(tag.element)) {
      const int lanes = source_.integer(link, "count", 0, most_lanes).value_or(1);
      const auto peer = index_of_.find(normal_bus_id(link.attribute("target").value()));
      const Target target = peer != index_of_.end() ? Target::peer : target_of(link);
      if (target == Target::peer && peer->second == gpu)
        source_.refuse(link, "a link from a GPU to itself");
      if (target == Target::peer) told_[{gpu, peer->second}] += lanes;
      if (target == Target::link_switch) switch_lanes += lanes;
      if (target == Target::cpu) cpu_lanes += lanes;
      if (target == Target::unknown) ++strangers_;
    }
    if (switch_lanes > 0)
      assembly_.join_switch(tag.kind, gpu, switch_lanes, speed_of(gpu, tag.kind));
    if (cpu_lanes > 0)
      assembly_.join_hub(tag.kind, gpu, gpus_[at(gpu)].hub, cpu_lanes, speed_of(gpu, tag.kind));
  }

  static Target target_of(const pugi::xml_node& link) {
    const std::string_view found = link.attribute("tclass").value();
    for (const TargetClass& row : target_classes)
      if (found.starts_with(row.tclass)) return row.target;
    return Target::unknown;
  }

  void join_peers(LinkKind kind) {
    const PeerLinks peers = even_out(told_);
    for (const PeerLink& link : peers.links) {
      const LinkSpeed speed_a = speed_of(link.a, kind);
      const LinkSpeed speed_b = speed_of(link.b, kind);
      assembly_.join_gpus(kind, link.a, link.b, link.lanes,
                          speed_a.gbps < speed_b.gbps ? speed_a : speed_b);
      if (link.lanes >= 4) close_pairs_.emplace_back(link.a, link.b);
    }
    if (!peers.uneven.empty()) warn(uneven_warning(name_of(kind), peers.uneven));
  }

  LinkSpeed speed_of(int gpu, LinkKind kind) {
    const pugi::xml_node node = gpus_[at(gpu)].gpu;
    const int sm = source_.integer(node, "sm", 0, 1 << 20).value_or(0);
    const LinkSpeed known = kind == LinkKind::xgmi ? xgmi_speed_of(node.attribute("gcn").value())
                                                   : nvlink_speed_of_sm(sm);
    if (known.gbps > 0) return known;
    speed_assumed_ = true;
    return kind == LinkKind::xgmi ? assumed_xgmi_speed : assumed_nvlink;
  }

  // The two dies of an MI250(X) package are the pairs with four links.
  void find_packages() {
    int package = 0;
    for (const auto& [a, b] : close_pairs_) {
      const std::string_view gcn = gpus_[at(a)].gpu.attribute("gcn").value();
      Gpu& first = assembly_.model().gpus[at(a)];
      Gpu& second = assembly_.model().gpus[at(b)];
      if (gcn.find("910") == std::string_view::npos && gcn.find("90a") == std::string_view::npos)
        continue;
      if (first.package != none || second.package != none) continue;
      first.package = second.package = package++;
    }
  }

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  void warn(std::string message) { assembly_.model().warn(std::move(message)); }

  const NcclSource& source_;
  const std::vector<NcclGpu>& gpus_;
  NodeAssembly& assembly_;
  std::map<std::string, int> index_of_;
  ToldLinks told_;
  std::vector<std::pair<int, int>> close_pairs_;
  int strangers_ = 0;
  bool speed_assumed_ = false;
};

}  // namespace

void NcclSource::refuse(const pugi::xml_node& node, const std::string& message) const {
  throw InputError(xml_position(text, name, node.offset_debug()), message);
}

std::optional<int> NcclSource::integer(const pugi::xml_node& node, const char* attribute, int first,
                                       int last) const {
  const std::string_view found = node.attribute(attribute).value();
  if (found.empty()) return std::nullopt;
  const std::optional<std::int64_t> value = parse_integer(found);
  if (!value || *value < first || *value > last)
    refuse(node, std::string(attribute) + "=" + quoted(found) + ", expected a number of " +
                     std::to_string(first) + " to " + std::to_string(last));
  return static_cast<int>(*value);
}

void add_nccl_links(const NcclSource& source, const std::vector<NcclGpu>& gpus,
                    NodeAssembly& assembly) {
  LinkReading(source, gpus, assembly).read();
}

}  // namespace rankmap
