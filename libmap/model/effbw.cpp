// EffBW of a set of GPUs by the ring and tree models, and their cheap bounds.
#include "libmap/model/effbw.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "libmap/model/lanes.hpp"
#include "libmap/model/ring_packing.hpp"
#include "libmap/model/single_ring.hpp"
#include "libmap/model/tree_packing.hpp"

namespace rankmap {
namespace {

std::string in_gbps(BytesPerSecond bandwidth) {
  char text[32];
  std::snprintf(text, sizeof text, "%g GB/s", to_gbps(bandwidth));
  return text;
}

EffbwValue proven(double value, std::string note) {
  return {value, value, true, std::move(note)};
}

double gbps_of_lanes(std::int64_t lanes, BytesPerSecond lane_speed) {
  return to_gbps(static_cast<BytesPerSecond>(lanes) * lane_speed);
}

// Bus bandwidth of an all-reduce over the packed trees of n ranks: 2(n-1)/n of their bandwidth.
double gbps_of_trees(Fraction trees, BytesPerSecond lane_speed, int ranks) {
  const std::int64_t numerator = trees.numerator * 2 * (ranks - 1);
  const std::int64_t denominator = trees.denominator * ranks;
  const std::int64_t common = std::gcd(numerator, denominator);
  return static_cast<double>(numerator / common) * to_gbps(lane_speed) /
         static_cast<double>(denominator / common);
}

double switch_gbps(const SetLanes::SwitchDomain& domain) {
  return gbps_of_lanes(domain.lanes, domain.lane_speed);
}

std::string note_of(const SetLanes& lanes, BytesPerSecond lane_speed) {
  if (lanes.lane_speeds.size() < 2) return "";
  return "lanes of unequal speed: packed at " + in_gbps(lane_speed) + ", the slowest lane used";
}

EffbwValue of_switch(const SetLanes::SwitchDomain& domain) {
  const std::string note =
      domain.equal_speeds
          ? ""
          : "lanes of unequal speed: at " + in_gbps(domain.lane_speed) + ", the slowest lane used";
  return proven(switch_gbps(domain), note);
}

EffbwValue of_single_ring(const Machine& machine, std::span<const int> set, const char* why,
                          std::uint64_t budget) {
  const SingleRing ring = single_ring(machine, set, budget);
  EffbwValue result;
  result.value = ring.bytes_per_second / giga;
  result.bound = ring.bound / giga;
  result.proven = ring.bytes_per_second == ring.bound;
  result.note = std::string(why) + ": one ring over whatever links join the GPUs";
  return result;
}

// Leaving a member other than by its dedicated lanes is no faster than this.
double fastest_exit_gbps(const Machine& machine, std::span<const int> set) {
  BytesPerSecond fastest = 0;
  const NodeModel& model = machine.model();
  for (const Connection& row : model.connections) {
    const VertexId slot = std::min(row.a, row.b);
    if (std::max(row.a, row.b) < model.slots()) continue;
    if (std::find(set.begin(), set.end(), slot) == set.end()) continue;
    fastest = std::max(fastest, achieved_by_all(row));
  }
  return to_gbps(fastest);
}

}  // namespace

EffbwValue ring_effbw(const Machine& machine, std::span<const int> set, std::uint64_t step_budget) {
  if (set.size() < 2) return {};
  const SetLanes lanes = lanes_of(machine, set);
  if (lanes.switch_domain) return of_switch(*lanes.switch_domain);
  EffbwValue best;
  double bound = 0;
  for (const BytesPerSecond speed : lanes.lane_speeds) {
    const RingPacking packing = pack_rings(lanes.at_least(speed), step_budget);
    bound = std::max(bound, gbps_of_lanes(packing.bound, speed));
    const double value = gbps_of_lanes(packing.rings, speed);
    if (value > best.value.value_or(0)) best = proven(value, note_of(lanes, speed));
  }
  if (!best.value) best = of_single_ring(machine, set, "no ring of direct lanes", step_budget);
  best.bound = std::max(bound, *best.bound);
  best.proven = *best.bound == *best.value;
  return best;
}

double ring_effbw_bound(const Machine& machine, std::span<const int> set) {
  if (set.size() < 2) return 0;
  const SetLanes lanes = lanes_of(machine, set);
  if (lanes.switch_domain) return switch_gbps(*lanes.switch_domain);
  double bound = 0;
  for (const BytesPerSecond speed : lanes.lane_speeds) {
    bound = std::max(bound, gbps_of_lanes(minimum_cut(lanes.at_least(speed)), speed));
  }
  if (bound == 0) return single_ring_bound(machine, set) / giga;
  return std::max(bound, fastest_exit_gbps(machine, set));
}

EffbwValue tree_effbw(const Machine& machine, std::span<const int> set) {
  if (set.size() < 2) return {};
  const SetLanes lanes = lanes_of(machine, set);
  if (lanes.switch_domain) return of_switch(*lanes.switch_domain);
  EffbwValue best;
  for (const BytesPerSecond speed : lanes.lane_speeds) {
    const double value = gbps_of_trees(tree_packing(lanes.at_least(speed)), speed, lanes.size);
    if (value > best.value.value_or(0)) best = proven(value, note_of(lanes, speed));
  }
  if (best.value) return best;
  constexpr std::uint64_t step_budget = 20'000'000;
  return of_single_ring(machine, set, "direct lanes do not join the GPUs", step_budget);
}

double tree_effbw_bound(const Machine& machine, std::span<const int> set) {
  if (set.size() < 2) return 0;
  const SetLanes lanes = lanes_of(machine, set);
  if (lanes.switch_domain) return switch_gbps(*lanes.switch_domain);
  double bound = 0;
  for (const BytesPerSecond speed : lanes.lane_speeds) {
    const LaneMatrix matrix = lanes.at_least(speed);
    const double singletons = gbps_of_trees({matrix.total(), lanes.size - 1}, speed, lanes.size);
    const double halves = gbps_of_trees({minimum_cut(matrix), 1}, speed, lanes.size);
    bound = std::max(bound, std::min(singletons, halves));
  }
  return bound > 0 ? bound : single_ring_bound(machine, set) / giga;
}

}  // namespace rankmap
