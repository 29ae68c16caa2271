// How many slots are near any slot, and what divisions of the machine tell of distances: for limits
// of hop-bytes.
#include <algorithm>
#include <limits>
#include <map>

#include "libmap/machine/machine.hpp"

namespace rankmap {
namespace {

using Counts = std::map<int, std::int64_t>;  // slots at each distance, the slot itself at 0

// Nodes of one switch domain meet before the network.
std::vector<NetworkReach> reaches_of(const Network& network) {
  if (network.switch_domain() > 0) return {{0, network.nodes()}};
  return network.reaches();
}

}  // namespace

std::vector<SlotReach> Machine::counted_reaches() const {
  std::vector<Counts> all;
  for (SlotId a = 0; a < slots(); ++a) {
    Counts counts;
    for (SlotId b = 0; b < slots(); ++b) ++counts[distance(a, b)];
    if (std::find(all.begin(), all.end(), counts) == all.end()) all.push_back(std::move(counts));
  }
  std::map<int, std::int64_t> within;
  for (const Counts& counts : all) {
    std::int64_t sum = 0;
    for (const auto& [distance, count] : counts) {
      std::int64_t& here = within[distance];
      here = std::max(here, sum += count);
    }
  }
  std::vector<SlotReach> rows;
  std::int64_t most = 0;
  for (const auto& [distance, count] : within)
    rows.push_back({distance, most = std::max(most, count)});
  return rows;
}

int Machine::nearest_inside() const {
  const int told = network_ == nullptr ? none : network_->distance(0, 0);
  if (told != none) return told;
  int least = std::numeric_limits<int>::max();
  for (int a = 0; a < model_->slots(); ++a)
    for (int b = 0; b < model_->slots(); ++b)
      if (a != b) least = std::min(least, static_cast<int>(inner_way(a, b).size()));
  return least;
}

int Machine::least_ends() const {
  if (network_->distance(0, 0) != none) return 0;
  const auto shortest = [](const std::vector<Way>& ways) {
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const Way& way : ways) least = std::min(least, way.size());
    return static_cast<int>(least);
  };
  const int ports = shortest(out_ways_) + shortest(in_ways_);
  if (network_->switch_domain() == 0) return ports;
  return std::min(ports, shortest(switch_out_) + shortest(switch_in_));
}

std::vector<SlotReach> Machine::reaches() const {
  constexpr SlotId most_counted = 1024;
  const std::int64_t inside = model_->slots();
  if (slots() <= most_counted || nodes_ == 1) return counted_reaches();
  Counts counts = {{0, 1}};
  counts[nearest_inside() == std::numeric_limits<int>::max() ? 0 : nearest_inside()] += inside - 1;
  const int ends = least_ends();
  std::int64_t known = 1;
  for (const NetworkReach& row : reaches_of(*network_)) {
    counts[ends + row.distance] += (row.nodes - known) * inside;
    known = row.nodes;
  }
  std::vector<SlotReach> rows;
  std::int64_t sum = 0;
  for (const auto& [distance, count] : counts) rows.push_back({distance, sum += count});
  return rows;
}

std::vector<std::vector<SlotDivision>> Machine::divisions() const {
  const std::int64_t inside = model_->slots();
  const double near = inside > 1 ? nearest_inside() : std::numeric_limits<double>::infinity();
  if (nodes_ == 1) return {{{inside > 1 ? near : 0.0, {{1, inside}}}}};
  double apart = least_ends();  // of any two nodes
  std::vector<SlotDivision> nested;
  const bool switched = network_->switch_domain() > 0;
  for (const NetworkDivision& division :
       switched ? std::vector<NetworkDivision>{} : network_->divisions()) {
    if (division.rows.size() == 1 && division.rows[0].nodes == 1) {
      apart += division.distance;
      continue;
    }
    nested.push_back({division.distance, {}});
    for (const NetworkDivision::Row& row : division.rows)
      nested.back().rows.push_back({row.nodes * inside, row.count});
  }
  const double first = std::min(near, apart);
  nested.push_back({first, {{1, slots()}}});
  nested.push_back({apart - first, {{inside, nodes_}}});
  int farther = 0;
  for (const NetworkReach& row : reaches_of(*network_)) {
    farther = row.distance;
    if (row.nodes > 1) break;
  }
  return {std::move(nested), {{static_cast<double>(least_ends() + farther), {{inside, nodes_}}}}};
}

}  // namespace rankmap
