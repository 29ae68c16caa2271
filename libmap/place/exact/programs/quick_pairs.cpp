// Depth-first search with the limit that every open pair may bring its most.
#include "libmap/place/exact/programs/quick_pairs.hpp"

#include "libmap/place/exact/search/guards.hpp"
#include "libmap/place/exact/search/improve.hpp"
#include "libmap/place/exact/structure/branching.hpp"
#include "libmap/place/exact/structure/symmetry.hpp"

namespace rankmap {
namespace {

class QuickSearch {
 public:
  QuickSearch(const Search& search, std::shared_ptr<const PairGains> gains, std::size_t most_steps)
      : gains_(std::move(gains)),
        guard_(search.instance, gains_, 0),
        branching_(search.instance, order_by_traffic(search.instance), slot_twins(search.instance),
                   {}),
        slot_of_(static_cast<std::size_t>(search.instance.ranks()), none),
        steps_left_(most_steps) {
    best_ = improved(search, [&](const std::vector<int>& slot_of) {
      return static_cast<double>(gains_->total(slot_of));
    });
    best_total_ = gains_->total(best_);
  }

  std::optional<std::vector<int>> run() {
    if (best_total_ == gains_->most_total() || descend(0)) return best_;
    return std::nullopt;
  }

 private:
  bool descend(int depth) {
    if (depth == branching_.depth_of_all()) {
      best_ = slot_of_;
      best_total_ = guard_.reachable();  // no pair is open: the sum itself
      return true;
    }
    const Rank rank = branching_.rank_at(depth);
    return branching_.for_each_slot(depth, [&](int slot) {
      if (steps_left_ == 0) return false;
      --steps_left_;
      slot_of_[static_cast<std::size_t>(rank)] = slot;
      guard_.enter(rank, slot);
      const bool go_on = guard_.reachable() <= best_total_ || descend(depth + 1);
      guard_.leave(rank, slot);
      return go_on;
    });
  }

  std::shared_ptr<const PairGains> gains_;
  PairGuard guard_;
  Branching branching_;
  std::vector<int> slot_of_;
  std::vector<int> best_;
  std::int64_t best_total_ = 0;
  std::size_t steps_left_;
};

}  // namespace

std::optional<std::vector<int>> quick_best_pairs(const Search& search,
                                                 std::shared_ptr<const PairGains> gains,
                                                 std::size_t most_steps) {
  return QuickSearch(search, std::move(gains), most_steps).run();
}

}  // namespace rankmap
