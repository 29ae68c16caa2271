#include "libmap/model/bounds/distance_bound.hpp"

#include <algorithm>

namespace rankmap {
namespace {

// The rows of reaches ascend in distance, from 0: what lies beyond one is at least at the next.
double by_reaches(const GroupBound& groups, const std::vector<SlotReach>& reaches,
                  std::int64_t per_slot) {
  double sum = 0;
  int nearer = 0;
  std::int64_t peers = 0;  // nobody is nearer than 0
  bool any = false;
  for (const SlotReach& reach : reaches) {
    if (any && reach.distance > nearer) {
      if (peers >= groups.most_peers()) break;
      sum += groups.beyond(peers) * (reach.distance - nearer);
    }
    any = true;
    nearer = reach.distance;
    peers = reach.slots * per_slot - 1;
  }
  return sum;
}

double by_divisions(const GroupBound& groups, const std::vector<SlotDivision>& family,
                    std::int64_t per_slot) {
  double sum = 0;
  for (const SlotDivision& division : family) {
    if (division.distance <= 0) continue;
    std::vector<GroupRow> rows;
    for (const SlotDivision::Row& row : division.rows)
      rows.push_back({row.slots * per_slot, row.count});
    sum += division.distance * groups.bytes_between(rows);
  }
  return sum;
}

}  // namespace

DistanceLimits::DistanceLimits(const Machine& machine)
    : reaches(machine.reaches()), divisions(machine.divisions()) {}

double hop_bytes_bound(const GroupBound& groups, const DistanceLimits& limits, int ranks_per_slot) {
  double bound = by_reaches(groups, limits.reaches, ranks_per_slot);
  for (const std::vector<SlotDivision>& family : limits.divisions)
    bound = std::max(bound, by_divisions(groups, family, ranks_per_slot));
  return bound;
}

double hop_bytes_bound(const CommGraph& app, const Machine& machine, int ranks_per_slot) {
  return hop_bytes_bound(GroupBound(app.ranks(), app.edges()), DistanceLimits(machine),
                         ranks_per_slot);
}

}  // namespace rankmap
