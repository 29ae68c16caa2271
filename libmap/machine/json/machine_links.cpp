#include "libmap/machine/json/machine_links.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "libmap/base/text.hpp"
#include "libmap/machine/json/hub_names.hpp"
#include "libmap/machine/json/machine_json.hpp"
#include "libmap/machine/link_speeds.hpp"

namespace rankmap {
namespace {

constexpr int most_lanes = 1024;
constexpr std::array inner_kinds = {LinkKind::nvlink, LinkKind::xgmi,  LinkKind::xelink,
                                    LinkKind::c2c,    LinkKind::pcie,  LinkKind::cpu,
                                    LinkKind::nic,    LinkKind::memory};
// Kinds that only lead to hubs: two GPUs share them with others.
constexpr std::array shared_kinds = {LinkKind::pcie, LinkKind::cpu, LinkKind::nic,
                                     LinkKind::memory};

template <std::size_t N>
bool is_among(LinkKind kind, const std::array<LinkKind, N>& kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::vector<std::string> names_of_inner_kinds() {
  std::vector<std::string> names;
  for (const LinkKind kind : inner_kinds) names.emplace_back(name_of(kind));
  return names;
}

class LinksReader {
 public:
  LinksReader(MachineDocument& document, int index_base, NodeModel& model)
      : document_(document), root_(document.root()), base_(index_base), model_(model) {}

  void read() {
    read_hubs();
    read_links();
    join_loose_slots();
  }

 private:
  void read_hubs() {
    const auto* hubs = document_.array(root_, "hubs", most_json_hubs);
    if (hubs == nullptr) return;
    for (const JsonMember& element : *hubs) {
      const JsonValue& value = document_.object(element, "a hub");
      document_.warn_unknown(value, {"name", "kind"}, model_);
      const std::string name = document_.required(document_.word(value, "name"), value, "name");
      const auto kind =
          hub_kind_of(document_.required(document_.string(value, "kind"), value, "kind"));
      if (!kind)
        document_.fail_unknown(*MachineDocument::find(value, "kind"), "kind of hub",
                               hub_kind_names());
      if (hubs_.contains(name)) document_.fail(value, "the hub " + quoted(name) + " stands twice");
      hubs_[name] = model_.add_hub(*kind, name);
    }
  }

  void read_links() {
    const auto* links = document_.array(root_, "links", most_json_links);
    if (links == nullptr) return;
    std::set<std::pair<VertexId, VertexId>> ends;
    for (const JsonMember& element : *links) {
      const JsonValue& value = document_.object(element, "a link");
      document_.warn_unknown(value,
                             {"a", "b", "type", "kind", "count", "gbps", "gbps_per_lane",
                              "nccl_gbps", "artifact_type"},
                             model_);
      const Connection link = read_link(value);
      if (!ends.insert(std::minmax(link.a, link.b)).second)
        document_.fail(value, "a second link between " + model_.vertex_name(link.a) + " and " +
                                  model_.vertex_name(link.b) + ", expected one with more lanes");
      model_.connections.push_back(link);
    }
  }

  Connection read_link(const JsonValue& value) {
    const auto generation = nvlink_generation(value);
    Connection link;
    link.kind = link_kind(value, generation.has_value());
    link.a = link_end(value, "a");
    link.b = link_end(value, "b");
    link.count = static_cast<int>(document_.integer(value, "count", 1, most_lanes).value_or(1));
    if (link.a == link.b)
      document_.fail(value, "a link joins " + model_.vertex_name(link.a) + " with itself");
    const bool joins_slots = link.a < model_.slots() && link.b < model_.slots();
    if (joins_slots && is_among(link.kind, shared_kinds))
      document_.fail(value, "a " + std::string(name_of(link.kind)) +
                                " link joins two slots, expected a hub at one end: it is shared");
    const LinkSpeed lane = generation ? nvlink_speed(*generation) : LinkSpeed{0, 0};
    const double gbps = link_gbps(value, link.count, lane.gbps);
    link.bytes_per_second = from_gbps(gbps);
    if (link.bytes_per_second == 0) document_.fail(value, "a link without bandwidth");
    // A lane cannot achieve more than the file grants it.
    const double achieved = std::min(lane.nccl_gbps, gbps / link.count);
    link.nccl_bytes_per_second =
        from_gbps(document_.real(value, "nccl_gbps", 0, most_json_gbps).value_or(achieved));
    return link;
  }

  double link_gbps(const JsonValue& value, int count, double nominal) const {
    const auto all = document_.real(value, "gbps", 0, most_json_gbps);
    const auto lane = document_.real(value, "gbps_per_lane", 0, most_json_gbps);
    if (all && lane)
      document_.fail(value, "a link has both \"gbps\" and \"gbps_per_lane\", expected one of them");
    if (all) return *all;
    if (!lane && nominal <= 0)
      document_.fail(value, "a link without \"gbps\", expected its bandwidth in GB/s");
    return lane.value_or(nominal) * count;
  }

  std::optional<int> nvlink_generation(const JsonValue& value) const {
    constexpr std::string_view stem = "nvlink";
    const std::string type = document_.string(value, "type").value_or("");
    if (!type.starts_with(stem) || type.size() == stem.size()) return std::nullopt;
    const auto number = parse_integer(std::string_view(type).substr(stem.size()));
    if (!number || *number < 1 || *number > 5)
      document_.fail(*MachineDocument::find(value, "type"),
                     "\"type\" is " + quoted(type) + ", expected nvlink1 to nvlink5");
    return static_cast<int>(*number);
  }

  LinkKind link_kind(const JsonValue& value, bool has_generation) const {
    const auto kind = document_.string(value, "kind");
    if (!kind && has_generation) return LinkKind::nvlink;
    const auto name = kind ? kind : document_.string(value, "type");
    if (!name) document_.fail(value, "a link without \"kind\" or \"type\"");
    const auto known = link_kind_of(*name);
    if (!known || !is_among(*known, inner_kinds))
      document_.fail_unknown(*MachineDocument::find(value, kind ? "kind" : "type"), "kind of link",
                             names_of_inner_kinds());
    return *known;
  }

  VertexId link_end(const JsonValue& link, std::string_view key) {
    const JsonValue* end = MachineDocument::find(link, key);
    if (end == nullptr) document_.fail(link, "a link without " + quoted(key));
    if (end->kind == JsonValue::Kind::string) return named_end(*end);
    if (model_.slots() == 0)
      document_.fail(*end, "a link to a slot, but there is neither GPU nor core");
    return static_cast<VertexId>(*document_.integer(link, key, base_, base_ + model_.slots() - 1) -
                                 base_);
  }

  VertexId named_end(const JsonValue& end) {
    const auto hub = hubs_.find(end.text);
    if (hub != hubs_.end()) return hub->second;
    std::vector<std::string> names;
    for (const auto& [name, vertex] : hubs_) names.push_back(name);
    for (const Nic& nic : model_.nics) {
      if (!nic.name.empty() && nic.name == end.text)
        return hub_named("nic:" + nic.name, HubKind::nic);
      names.push_back(nic.name);
    }
    document_.fail_unknown(end, "hub or NIC", names);
  }

  VertexId hub_named(const std::string& name, HubKind kind) {
    const auto found = hubs_.find(name);
    if (found != hubs_.end()) return found->second;
    return hubs_[name] = model_.add_hub(kind, name);
  }

  std::vector<VertexId> loose_slots() const {
    std::vector<bool> joined(static_cast<std::size_t>(model_.vertices()), false);
    for (const Connection& row : model_.connections) {
      if (!is_among(row.kind, shared_kinds)) continue;
      joined[static_cast<std::size_t>(row.a)] = true;
      joined[static_cast<std::size_t>(row.b)] = true;
    }
    std::vector<VertexId> loose;
    for (VertexId slot = 0; slot < model_.slots(); ++slot)
      if (!joined[static_cast<std::size_t>(slot)]) loose.push_back(slot);
    return loose;
  }

  void join_loose_slots() {
    const bool has_gpus = !model_.gpus.empty();
    const char* key = has_gpus ? "default_pcie_gbps" : "core_gbps";
    const auto gbps = document_.real(root_, key, 0, most_json_gbps);
    if (!gbps) return;
    const LinkKind kind = has_gpus ? LinkKind::pcie : LinkKind::memory;
    for (const VertexId slot : loose_slots())
      model_.connections.push_back(
          {kind, slot, hub_of_loose(slot), 1, from_gbps(*gbps), from_gbps(*gbps)});
  }

  VertexId hub_of_loose(VertexId slot) {
    if (!model_.gpus.empty()) return hub_named("pcie", HubKind::host_bridge);
    const int numa = std::max(model_.cores[static_cast<std::size_t>(slot)].numa, 0);
    return hub_named("numa" + std::to_string(numa), HubKind::numa);
  }

  MachineDocument& document_;
  const JsonValue& root_;
  int base_;
  NodeModel& model_;
  std::map<std::string, VertexId> hubs_;
};

}  // namespace

void read_machine_links(MachineDocument& document, int index_base, NodeModel& model) {
  LinksReader(document, index_base, model).read();
}

}  // namespace rankmap
