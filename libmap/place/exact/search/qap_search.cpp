// Branch and bound for sums over pairs of any app: the quadratic assignment problem with the limit of
// Gilmore (1962) and Lawler (1963) at every step.
#include <algorithm>

#include "libmap/place/exact/search/assignment.hpp"
#include "libmap/place/exact/search/guards.hpp"
#include "libmap/place/exact/search/improve.hpp"
#include "libmap/place/exact/search/searches.hpp"
#include "libmap/place/exact/structure/branching.hpp"
#include "libmap/place/exact/structure/symmetry.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

// Slots that gain alike with every other slot.
std::vector<int> gain_twins(const Instance& instance, const PairGains& gains) {
  const auto free_alike = [&](int slot) { return instance.room(slot) == instance.capacity(slot); };
  const auto alike = [&](int a, int b) {
    if (!free_alike(a) || !free_alike(b) || instance.capacity(a) != instance.capacity(b) ||
        instance.node(a) != instance.node(b))
      return false;
    for (int table = 0; table < gains.tables(); ++table) {
      if (gains.table_gain(table, a, b) != gains.table_gain(table, b, a) ||
          gains.table_gain(table, a, a) != gains.table_gain(table, b, b))
        return false;
      for (int c = 0; c < instance.slots(); ++c)
        if (c != a && c != b &&
            (gains.table_gain(table, a, c) != gains.table_gain(table, b, c) ||
             gains.table_gain(table, c, a) != gains.table_gain(table, c, b)))
          return false;
    }
    return true;
  };
  std::vector<int> classes;
  for (int slot = 0; slot < instance.slots(); ++slot) {
    int found = slot;
    for (int other = 0; other < slot && found == slot; ++other)
      if (classes[at(other)] == other && alike(other, slot)) found = other;
    classes.push_back(found);
  }
  return classes;
}

// An upper limit of the gains of all completions of a partial mapping.
class GilmoreLawler {
 public:
  GilmoreLawler(const Instance& instance, const PairGains& gains)
      : instance_(instance), gains_(gains), incident_(at(instance.ranks())) {
    const auto pairs = instance.app().pairs();
    for (int pair = 0; pair < gains.pairs(); ++pair) {
      incident_[at(pairs[at(pair)].low)].push_back({pair, pairs[at(pair)].high, true});
      incident_[at(pairs[at(pair)].high)].push_back({pair, pairs[at(pair)].low, false});
    }
  }

  // `left`: room of every slot; fixed ranks are always settled. O(ranks^2 x slots).
  std::int64_t limit(const std::vector<int>& slot_of, const std::vector<int>& left) {
    columns_.clear();
    for (int slot = 0; slot < instance_.slots(); ++slot)
      columns_.insert(columns_.end(), at(left[at(slot)]), slot);
    rows_.clear();
    std::int64_t settled = 0;
    for (Rank rank = 0; rank < instance_.ranks(); ++rank) {
      if (slot_of[at(rank)] == none)
        rows_.push_back(rank);
      else
        settled += gain_at(rank, slot_of[at(rank)], slot_of, false);
    }
    if (rows_.empty()) return settled / 2;
    sort_open_gains(left);
    cost_.clear();
    for (Rank rank : rows_) {
      int before = none;
      std::int64_t gain = 0;
      for (int slot : columns_) {
        if (slot != before) gain = gain_at(rank, slot, slot_of, true);
        before = slot;
        cost_.push_back(gain);
      }
    }
    return (settled + assignment_.largest_sum(cost_, static_cast<int>(rows_.size()),
                                              static_cast<int>(columns_.size()))) /
           2;
  }

 private:
  struct Incident {
    int pair;
    Rank other;
    bool low;
  };

  // Twice the gains with settled ranks where `open` (the other end does not count them), once where
  // both ends do; plus the most that pairs with open ranks may bring to this end.
  std::int64_t gain_at(Rank rank, int slot, const std::vector<int>& slot_of, bool open) {
    std::int64_t sum = 0;
    used_.assign(at(gains_.tables()), 0);
    for (const Incident& row : incident_[at(rank)]) {
      const int other = slot_of[at(row.other)];
      if (other != none)
        sum += (open ? 2 : 1) *
               (row.low ? gains_.gain(row.pair, slot, other) : gains_.gain(row.pair, other, slot));
      else if (open)
        sum += nth_best(gains_.table_of(row.pair), slot);
    }
    return sum;
  }

  std::int64_t nth_best(int table, int slot) {
    const std::vector<std::int64_t>& best = best_[at(table * instance_.slots() + slot)];
    const std::size_t n = used_[at(table)]++;
    return n < best.size() ? best[n] : 0;
  }

  // best_[table, slot]: the gains with the open places, falling; in either direction.
  void sort_open_gains(const std::vector<int>& left) {
    best_.resize(at(gains_.tables() * instance_.slots()));
    for (int table = 0; table < gains_.tables(); ++table) {
      for (int slot = 0; slot < instance_.slots(); ++slot) {
        std::vector<std::int64_t>& best = best_[at(table * instance_.slots() + slot)];
        best.clear();
        for (int other = 0; other < instance_.slots(); ++other) {
          const int places = left[at(other)] - (other == slot ? 1 : 0);
          best.insert(best.end(), at(std::max(places, 0)),
                      std::max(gains_.table_gain(table, slot, other),
                               gains_.table_gain(table, other, slot)));
        }
        std::sort(best.begin(), best.end(), std::greater<>());
      }
    }
  }

  const Instance& instance_;
  const PairGains& gains_;
  std::vector<std::vector<Incident>> incident_;
  std::vector<Rank> rows_;
  std::vector<int> columns_;
  std::vector<std::int64_t> cost_;
  std::vector<std::vector<std::int64_t>> best_;
  std::vector<std::size_t> used_;
  Assignment assignment_;
};

class QapSearch {
 public:
  QapSearch(const Search& search, std::shared_ptr<const PairGains> gains)
      : search_(search),
        instance_(search.instance),
        gains_(std::move(gains)),
        limit_(instance_, *gains_),
        guard_(instance_, gains_, 0),
        branching_(search.excluded.empty()
                       ? Branching(instance_, order(), gain_twins(instance_, *gains_),
                                   node_twins(instance_))
                       : Branching(instance_, order())),
        slot_of_(at(instance_.ranks()), none) {
    for (int slot = 0; slot < instance_.slots(); ++slot) left_.push_back(instance_.room(slot));
    for (Rank rank = 0; rank < instance_.ranks(); ++rank)
      slot_of_[at(rank)] = instance_.fixed(rank);
  }

  Primary run() {
    best_ = improved(search_, [&](const std::vector<int>& slot_of) {
      return static_cast<double>(gains_->total(slot_of));
    });
    if (!best_.empty()) best_total_ = gains_->total(best_);
    const std::int64_t root = limit_.limit(slot_of_, left_);
    Primary primary;
    if (root > best_total_) primary.proven = descend(0);
    if (!primary.proven) primary.bound = gains_->value(root);
    if (best_.empty()) return primary;
    primary.slot_of = best_;
    primary.guard = std::make_unique<PairGuard>(instance_, gains_, best_total_);
    return primary;
  }

 private:
  // Fixed ranks first: they limit all others.
  std::vector<Rank> order() const {
    std::vector<Rank> ranks = order_by_traffic(instance_);
    std::stable_partition(ranks.begin(), ranks.end(),
                          [&](Rank rank) { return instance_.fixed(rank) != none; });
    return ranks;
  }

  bool descend(int depth) {
    if (depth == branching_.depth_of_all()) {
      const std::int64_t total = gains_->total(slot_of_);
      if (total <= best_total_ || !search_.usable(slot_of_)) return true;
      best_ = slot_of_;
      best_total_ = total;
      return true;
    }
    const Rank rank = branching_.rank_at(depth);
    const int takes = instance_.fixed(rank) == none ? 1 : 0;
    return branching_.for_each_slot(depth, [&](int slot) {
      if ((++steps_ & 63) == 0 && search_.deadline.passed()) return false;
      slot_of_[at(rank)] = slot;
      left_[at(slot)] -= takes;
      guard_.enter(rank, slot);
      const bool worth =
          guard_.reachable() > best_total_ && limit_.limit(slot_of_, left_) > best_total_;
      const bool go_on = !worth || descend(depth + 1);
      guard_.leave(rank, slot);
      left_[at(slot)] += takes;
      slot_of_[at(rank)] = instance_.fixed(rank);
      return go_on;
    });
  }

  const Search& search_;
  const Instance& instance_;
  std::shared_ptr<const PairGains> gains_;
  GilmoreLawler limit_;
  PairGuard guard_;
  Branching branching_;
  std::vector<int> slot_of_;
  std::vector<int> left_;
  std::vector<int> best_;
  std::int64_t best_total_ = -1;
  std::size_t steps_ = 0;
};

}  // namespace

Primary branch_and_bound(const Search& search, std::shared_ptr<const PairGains> gains) {
  return QapSearch(search, std::move(gains)).run();
}

}  // namespace rankmap
