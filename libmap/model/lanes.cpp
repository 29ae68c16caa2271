// Lanes inside a set of slots, and their minimum cut.
#include "libmap/model/lanes.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace rankmap {
namespace {

// The connection of a joint is the only link of its route.
const Connection& dedicated_connection(const Machine& machine, int a, int b,
                                       std::vector<LinkId>& route) {
  route.clear();
  machine.append_route(a, b, route);
  const std::int32_t connection = machine.link(route.front()).connection;
  return machine.model().connections[static_cast<std::size_t>(connection)];
}

std::optional<SetLanes::SwitchDomain> switch_domain_of(const Machine& machine,
                                                       std::span<const int> set) {
  SetLanes::SwitchDomain domain{std::numeric_limits<int>::max(),
                                std::numeric_limits<BytesPerSecond>::max(), true};
  BytesPerSecond fastest = 0;
  for (const int local : set) {
    if (machine.switch_lanes(local) == 0) return std::nullopt;
    domain.lanes = std::min(domain.lanes, machine.switch_lanes(local));
  }
  const NodeModel& model = machine.model();
  for (const Connection& row : model.connections) {
    const VertexId slot = std::min(row.a, row.b);
    if (std::find(set.begin(), set.end(), slot) == set.end()) continue;
    if (std::max(row.a, row.b) < model.slots() || is_tree_connection(model, row)) continue;
    domain.lane_speed = std::min(domain.lane_speed, achieved_by_lane(row));
    fastest = std::max(fastest, achieved_by_lane(row));
  }
  domain.equal_speeds = fastest == domain.lane_speed;
  return domain;
}

// One phase of Stoer and Wagner: the vertex added last and the one before it, and the last one's cut.
struct CutOfPhase {
  std::size_t last;
  std::size_t before;
  std::int64_t cut;
};

CutOfPhase minimum_cut_phase(const std::vector<std::vector<std::int64_t>>& weight) {
  std::vector<std::int64_t> tightness(weight.size(), 0);
  std::vector<char> added(weight.size(), 0);
  CutOfPhase phase{0, 0, 0};
  for (std::size_t step = 0; step < weight.size(); ++step) {
    std::size_t next = weight.size();
    for (std::size_t v = 0; v < weight.size(); ++v) {
      if (added[v] == 0 && (next == weight.size() || tightness[v] > tightness[next])) next = v;
    }
    added[next] = 1;
    phase = {next, phase.last, tightness[next]};
    for (std::size_t v = 0; v < weight.size(); ++v) tightness[v] += weight[next][v];
  }
  return phase;
}

void merge(std::vector<std::vector<std::int64_t>>& weight, std::size_t into, std::size_t from) {
  for (std::size_t v = 0; v < weight.size(); ++v) {
    weight[into][v] += weight[from][v];
    weight[v][into] = weight[into][v];
  }
  weight[into][into] = 0;
  weight.erase(weight.begin() + static_cast<std::ptrdiff_t>(from));
  for (auto& row : weight) row.erase(row.begin() + static_cast<std::ptrdiff_t>(from));
}

}  // namespace

int LaneMatrix::degree(int a) const {
  int sum = 0;
  for (int b = 0; b < size_; ++b) sum += at(a, b);
  return sum;
}

std::int64_t LaneMatrix::total() const {
  return std::accumulate(lanes_.begin(), lanes_.end(), std::int64_t{0}) / 2;
}

bool LaneMatrix::complete() const {
  for (int a = 0; a < size_; ++a) {
    for (int b = a + 1; b < size_; ++b) {
      if (at(a, b) == 0 || at(a, b) != at(0, 1)) return false;
    }
  }
  return true;
}

std::int64_t minimum_cut(const LaneMatrix& lanes) {
  const auto size = static_cast<std::size_t>(lanes.size());
  std::vector<std::vector<std::int64_t>> weight(size, std::vector<std::int64_t>(size));
  for (int a = 0; a < lanes.size(); ++a) {
    for (int b = 0; b < lanes.size(); ++b) {
      weight[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = lanes.at(a, b);
    }
  }
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  while (weight.size() > 1) {
    const CutOfPhase phase = minimum_cut_phase(weight);
    least = std::min(least, phase.cut);
    merge(weight, phase.before, phase.last);
  }
  return least;
}

LaneMatrix SetLanes::at_least(BytesPerSecond lane_speed) const {
  LaneMatrix lanes(size);
  for (const Joint& joint : joints) {
    if (joint.lane_speed >= lane_speed) lanes.set(joint.a, joint.b, joint.lanes);
  }
  return lanes;
}

SetLanes lanes_of(const Machine& machine, std::span<const int> set) {
  SetLanes result;
  result.size = static_cast<int>(set.size());
  result.switch_domain = switch_domain_of(machine, set);
  std::vector<LinkId> route;
  for (int a = 0; a < result.size; ++a) {
    for (int b = a + 1; b < result.size; ++b) {
      const int from = set[static_cast<std::size_t>(a)];
      const int to = set[static_cast<std::size_t>(b)];
      const int lanes = machine.dedicated_lanes(from, to);
      if (lanes == 0) continue;
      const Connection& connection = dedicated_connection(machine, from, to, route);
      result.joints.push_back({a, b, lanes, achieved_by_lane(connection)});
      result.lane_speeds.push_back(achieved_by_lane(connection));
    }
  }
  std::vector<BytesPerSecond>& speeds = result.lane_speeds;
  std::sort(speeds.begin(), speeds.end(), std::greater<>());
  speeds.erase(std::unique(speeds.begin(), speeds.end()), speeds.end());
  return result;
}

BytesPerSecond achieved_by_lane(const Connection& connection) {
  if (connection.nccl_bytes_per_second != 0) return connection.nccl_bytes_per_second;
  return connection.bytes_per_second / static_cast<BytesPerSecond>(connection.count);
}

BytesPerSecond achieved_by_all(const Connection& connection) {
  if (connection.nccl_bytes_per_second == 0) return connection.bytes_per_second;
  return connection.nccl_bytes_per_second * static_cast<BytesPerSecond>(connection.count);
}

}  // namespace rankmap
