// Copies what the searches need out of the machine.
#include "libmap/place/exact/instance.hpp"

#include <algorithm>
#include <unordered_map>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

// The tie key itself says who shares what, so that the rules stand in one place: two silent ranks
// on two slots count 2 on their NIC exactly where it is the same.
class Sharing {
 public:
  explicit Sharing(const Machine& machine)
      : machine_(machine), one_(GraphBuilder(1).build("one")), two_(GraphBuilder(2).build("two")) {}

  TieKey alone(SlotId slot) const { return tie_key(one_, machine_, Mapping{{slot}}); }
  TieKey together(SlotId a, SlotId b) const { return tie_key(two_, machine_, Mapping{{a, b}}); }

 private:
  const Machine& machine_;
  CommGraph one_;
  CommGraph two_;
};

}  // namespace

Instance::Instance(const Problem& problem) : problem_(&problem) {
  build_slots();
  build_routes();
  check_weights();
  build_sharing();
  talks_.resize(at(ranks()));
  for (const Edge& edge : app().edges()) {
    talks_[at(edge.source)].push_back({edge.destination, edge.phase, edge.bytes, true});
    talks_[at(edge.destination)].push_back({edge.source, edge.phase, edge.bytes, false});
  }
}

void Instance::build_slots() {
  std::vector<int> number(problem_->capacity.size(), none);
  for (SlotId slot = 0; slot < problem_->machine.slots(); ++slot) {
    if (problem_->capacity[at(slot)] == 0) continue;
    number[at(slot)] = slots();
    ids_.push_back(slot);
    capacity_.push_back(problem_->capacity[at(slot)]);
  }
  room_ = capacity_;
  for (SlotId slot : problem_->fixed) {
    fixed_.push_back(slot == none ? none : number[at(slot)]);
    if (slot == none) continue;
    any_fixed_ = true;
    --room_[at(number[at(slot)])];
  }
}

void Instance::build_routes() {
  std::unordered_map<LinkId, int> number;
  std::vector<LinkId> way;
  for (int a = 0; a < slots(); ++a) {
    for (int b = 0; b < slots(); ++b) {
      route_begin_.push_back(hops_.size());
      bandwidth_.push_back(a == b ? 0 : problem_->machine.bandwidth_between(id(a), id(b)));
      way.clear();
      if (a != b) problem_->machine.append_route(id(a), id(b), way);
      for (LinkId link : way) {
        const auto [place, added] = number.try_emplace(link, links());
        hops_.push_back(place->second);
        if (!added) continue;
        link_ids_.push_back(link);
        link_bandwidth_.push_back(
            static_cast<double>(problem_->machine.link(link).bytes_per_second));
      }
    }
  }
  route_begin_.push_back(hops_.size());
}

// aggbw orders mappings of every objective: its sums must fit integers.
void Instance::check_weights() const {
  double weight = 0, widest = 0;
  for (const Pair& pair : app().pairs()) weight += pair.weight;
  for (const BytesPerSecond each : bandwidth_) widest = std::max(widest, static_cast<double>(each));
  if (weight * widest >= 0x1p62)
    throw InputError({app().name, 0, 0},
                     "the bandwidth of all pairs together leaves 62 bits, expected less weight");
}

void Instance::build_sharing() {
  const Sharing sharing(problem_->machine);
  nic_.assign(at(slots()), none);
  uplink_.assign(at(slots()), none);
  numa_.assign(at(slots()), none);
  for (int slot = 0; slot < slots(); ++slot) {
    const TieKey alone = sharing.alone(id(slot));
    bool new_nic = alone.ranks_per_nic > 0, new_uplink = alone.ranks_per_uplink > 0;
    bool new_numa = true;
    for (int other = 0; other < slot && (new_nic || new_uplink || new_numa); ++other) {
      const bool first_of_any =
          nic_[at(other)] == other || uplink_[at(other)] == other || numa_[at(other)] == other;
      if (!first_of_any) continue;
      const TieKey both = sharing.together(id(other), id(slot));
      if (new_nic && both.ranks_per_nic == 2) nic_[at(slot)] = nic_[at(other)], new_nic = false;
      if (new_uplink && both.ranks_per_uplink == 2)
        uplink_[at(slot)] = uplink_[at(other)], new_uplink = false;
      if (new_numa && both.numa_nodes == 1) numa_[at(slot)] = numa_[at(other)], new_numa = false;
    }
    if (new_nic) nic_[at(slot)] = slot;
    if (new_uplink) uplink_[at(slot)] = slot;
    if (new_numa) numa_[at(slot)] = slot;
  }
}

Mapping Instance::mapping(std::span<const int> slot_of) const {
  Mapping result;
  for (int slot : slot_of) result.slot_of.push_back(id(slot));
  return result;
}

}  // namespace rankmap
