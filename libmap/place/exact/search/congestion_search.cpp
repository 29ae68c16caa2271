// congestion: depth-first branch and bound on partial link loads.
#include <numeric>

#include "libmap/place/exact/search/improve.hpp"
#include "libmap/place/exact/search/load_tracker.hpp"
#include "libmap/place/exact/search/searches.hpp"
#include "libmap/place/exact/structure/branching.hpp"
#include "libmap/place/exact/structure/symmetry.hpp"

namespace rankmap {
namespace {

// Times that differ by less are one time with another rounding.
constexpr double rounding = 4e-12;

class CongestionSearch {
 public:
  explicit CongestionSearch(const Search& search)
      : search_(search),
        floors_(phase_floors(search.instance)),
        floor_(std::accumulate(floors_.begin(), floors_.end(), 0.0)),
        branching_(search.excluded.empty()
                       ? Branching(search.instance, order_by_traffic(search.instance),
                                   slot_twins(search.instance), node_twins(search.instance))
                       : Branching(search.instance, order_by_traffic(search.instance))),
        loads_(search.instance) {}

  Primary run() {
    std::vector<int> start =
        improved(search_, [&](const std::vector<int>& slot_of) { return -seconds_of(slot_of); });
    if (!start.empty()) best_seconds_ = seconds_of(start);
    best_ = std::move(start);
    loads_.set_floor(floors_);
    Primary primary;
    if (best_.empty() || best_seconds_ > floor_ * (1 + rounding)) primary.proven = descend(0);
    if (!best_.empty()) primary.slot_of = best_;
    if (!primary.proven) primary.bound = floor_;
    return primary;
  }

 private:
  double seconds_of(const std::vector<int>& slot_of) {
    LoadTracker& loads = loads_;
    for (Rank rank = 0; rank < search_.instance.ranks(); ++rank)
      loads.place(rank, slot_of[static_cast<std::size_t>(rank)]);
    const double seconds = loads.seconds();
    for (Rank rank = 0; rank < search_.instance.ranks(); ++rank) loads.remove_last();
    return seconds;
  }

  bool better() const { return best_.empty() || loads_.seconds() < best_seconds_ * (1 - rounding); }

  bool descend(int depth) {
    if (depth == branching_.depth_of_all()) {
      if (!search_.usable(loads_.slots_of())) return true;
      best_ = loads_.slots_of();
      best_seconds_ = loads_.seconds();
      return true;
    }
    const Rank rank = branching_.rank_at(depth);
    return branching_.for_each_slot(depth, [&](int slot) {
      if ((++steps_ & 255) == 0 && search_.deadline.passed()) return false;
      loads_.place(rank, slot);
      const bool go_on = !better() || descend(depth + 1);
      loads_.remove_last();
      return go_on;
    });
  }

  const Search& search_;
  std::vector<double> floors_;
  double floor_;
  Branching branching_;
  LoadTracker loads_;
  std::vector<int> best_;
  double best_seconds_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

Primary search_congestion(const Search& search) {
  return CongestionSearch(search).run();
}

}  // namespace rankmap
