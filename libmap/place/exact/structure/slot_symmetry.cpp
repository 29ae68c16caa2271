// Slots and nodes that can be swapped.
#include <algorithm>
#include <map>
#include <tuple>

#include "libmap/place/exact/structure/symmetry.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

using LinkLook = std::tuple<LinkKind, BytesPerSecond, int, BytesPerSecond>;

class Twins {
 public:
  explicit Twins(const Instance& instance) : instance_(instance) {
    const Machine& machine = instance.problem().machine;
    for (int link = 0; link < instance.links(); ++link) {
      const LinkRow row = machine.link(instance.link_id(link));
      const Connection* connection =
          row.connection == none ? nullptr : &machine.model().connections[at(row.connection)];
      looks_.emplace_back(row.kind, row.bytes_per_second, connection ? connection->count : 0,
                          connection ? connection->nccl_bytes_per_second : 0);
    }
  }

  bool alike(int a, int b) const {
    return same_row(a, b) && routes_alike(a, b, true) && routes_alike(a, b, false) &&
           look_alike(instance_.route(a, b), instance_.route(b, a));
  }

 private:
  bool same_row(int a, int b) const {
    const auto holds_fixed = [&](int slot) {
      return instance_.room(slot) != instance_.capacity(slot);
    };
    const Machine& machine = instance_.problem().machine;
    return instance_.capacity(a) == instance_.capacity(b) && !holds_fixed(a) && !holds_fixed(b) &&
           instance_.nic(a) == instance_.nic(b) && instance_.uplink(a) == instance_.uplink(b) &&
           instance_.numa(a) == instance_.numa(b) && instance_.node(a) == instance_.node(b) &&
           machine.switch_lanes(instance_.local(a)) == machine.switch_lanes(instance_.local(b));
  }

  bool look_alike(std::span<const int> a, std::span<const int> b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](int x, int y) { return looks_[at(x)] == looks_[at(y)]; });
  }

  // The own link of the slot may differ, in a one-to-one way; the rest of each route is the same.
  bool routes_alike(int a, int b, bool outgoing) const {
    std::map<int, int> own_of_b, own_of_a;
    for (int other = 0; other < instance_.slots(); ++other) {
      if (other == a || other == b) continue;
      const auto x = outgoing ? instance_.route(a, other) : instance_.route(other, a);
      const auto y = outgoing ? instance_.route(b, other) : instance_.route(other, b);
      if (x.size() != y.size() || x.empty() ||
          instance_.bandwidth(a, other) != instance_.bandwidth(b, other))
        return false;
      const int own_x = outgoing ? x.front() : x.back();
      const int own_y = outgoing ? y.front() : y.back();
      const std::size_t skip = outgoing ? 1 : 0;
      if (looks_[at(own_x)] != looks_[at(own_y)] ||
          !std::ranges::equal(x.subspan(skip, x.size() - 1), y.subspan(skip, y.size() - 1)) ||
          own_of_b.try_emplace(own_x, own_y).first->second != own_y ||
          own_of_a.try_emplace(own_y, own_x).first->second != own_x)
        return false;
    }
    return true;
  }

  const Instance& instance_;
  std::vector<LinkLook> looks_;
};

}  // namespace

std::vector<int> slot_twins(const Instance& instance) {
  const Twins twins(instance);
  std::vector<int> classes;
  for (int slot = 0; slot < instance.slots(); ++slot) {
    int found = slot;
    for (int other = 0; other < slot && found == slot; ++other)
      if (classes[at(other)] == other && twins.alike(other, slot)) found = other;
    classes.push_back(found);
  }
  return classes;
}

std::vector<int> node_twins(const Instance& instance) {
  const Machine& machine = instance.problem().machine;
  std::vector<int> classes;
  const bool alike_network =
      machine.network() == nullptr || machine.network()->text().starts_with("flat");
  std::vector<std::vector<std::tuple<int, int, int>>> look(at(machine.nodes()));
  for (int slot = 0; slot < instance.slots(); ++slot) {
    const bool holds_fixed = instance.room(slot) != instance.capacity(slot);
    look[at(instance.node(slot))].emplace_back(instance.local(slot), instance.capacity(slot),
                                               holds_fixed ? instance.node(slot) : none);
  }
  for (NodeId node = 0; node < machine.nodes(); ++node) {
    int found = node;
    for (NodeId other = 0; other < node && found == node && alike_network; ++other)
      if (classes[at(other)] == other && look[at(other)] == look[at(node)]) found = other;
    classes.push_back(found);
  }
  return classes;
}

}  // namespace rankmap
