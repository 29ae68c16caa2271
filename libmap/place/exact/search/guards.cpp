// Incremental checks that the optimal value can still be reached.
#include "libmap/place/exact/search/guards.hpp"

#include <algorithm>
#include <bit>

namespace rankmap {
namespace {
std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}
}  // namespace

PairGuard::PairGuard(const Instance& instance, std::shared_ptr<const PairGains> gains,
                     std::int64_t total)
    : gains_(std::move(gains)),
      total_(total),
      reachable_(gains_->most_total()),
      incident_(at(instance.ranks())),
      slot_of_(at(instance.ranks()), none),
      slots_(instance.slots()) {
  const auto pairs = instance.app().pairs();
  for (int pair = 0; pair < gains_->pairs(); ++pair) {
    incident_[at(pairs[at(pair)].low)].push_back({pair, pairs[at(pair)].high, true});
    incident_[at(pairs[at(pair)].high)].push_back({pair, pairs[at(pair)].low, false});
  }
  for (int table = 0; table < gains_->tables(); ++table) {
    for (const bool low : {false, true}) {
      for (int slot = 0; slot < slots_; ++slot) {
        std::int64_t most = 0;
        for (int other = 0; other < slots_; ++other)
          most = std::max(most, low ? gains_->table_gain(table, slot, other)
                                    : gains_->table_gain(table, other, slot));
        most_beside_.push_back(most);
      }
    }
  }
}

bool PairGuard::enter(Rank rank, int slot) {
  undo_.push_back(reachable_);
  slot_of_[at(rank)] = slot;
  const auto beside = [&](const Incident& row, bool low, int where) {
    return most_beside_[at((gains_->table_of(row.pair) * 2 + (low ? 1 : 0)) * slots_ + where)];
  };
  for (const Incident& row : incident_[at(rank)]) {
    const int other = slot_of_[at(row.other)];
    if (other == none)
      reachable_ += beside(row, row.low, slot) - gains_->most_of(row.pair);
    else
      reachable_ +=
          (row.low ? gains_->gain(row.pair, slot, other) : gains_->gain(row.pair, other, slot)) -
          beside(row, !row.low, other);
  }
  return reachable_ >= total_;
}

void PairGuard::leave(Rank rank, int) {
  slot_of_[at(rank)] = none;
  reachable_ = undo_.back();
  undo_.pop_back();
}

std::vector<int> link_kinds(const Instance& instance) {
  GraphBuilder builder(2);
  builder.add({0, 1, 1, 1, 1, 0, none});
  const CommGraph one_pair = std::move(builder).build("pair");
  std::vector<int> kinds;
  for (int a = 0; a < instance.slots(); ++a) {
    for (int b = 0; b < instance.slots(); ++b) {
      const LinkCounts counts = count_links(one_pair, instance.problem().machine,
                                            Mapping{{instance.id(a), instance.id(b)}});
      kinds.push_back(counts.doubles ? 0 : counts.singles ? 1 : counts.pcie ? 2 : 3);
    }
  }
  return kinds;
}

CountGuard::CountGuard(const Instance& instance, LinkCounts target)
    : incident_(at(instance.ranks())),
      kind_(link_kinds(instance)),
      slot_of_(at(instance.ranks()), none),
      slots_(instance.slots()) {
  for (const Pair& pair : instance.app().pairs()) {
    const int weight = static_cast<int>(pair.weight);
    incident_[at(pair.low)].push_back({pair.high, weight});
    incident_[at(pair.high)].push_back({pair.low, weight});
    total_ += weight;
  }
  aim_at(target);
}

void CountGuard::aim_at(LinkCounts target) {
  left_[0] = target.doubles;
  left_[1] = target.singles;
  left_[2] = target.pcie;
  left_[3] = total_ - target.doubles - target.singles - target.pcie;
}

void CountGuard::add(Rank rank, int slot, int sign) {
  for (const Incident& row : incident_[at(rank)])
    if (slot_of_[at(row.other)] != none)
      left_[kind_[at(slot * slots_ + slot_of_[at(row.other)])]] -= sign * row.weight;
}

bool CountGuard::enter(Rank rank, int slot) {
  add(rank, slot, 1);
  slot_of_[at(rank)] = slot;
  return left_[0] >= 0 && left_[1] >= 0 && left_[2] >= 0 && left_[3] >= 0;
}

void CountGuard::leave(Rank rank, int slot) {
  slot_of_[at(rank)] = none;
  add(rank, slot, -1);
}

SetGuard::SetGuard(int ranks, std::vector<std::uint64_t> sets) : ranks_(ranks), used_{0} {
  still_.resize(at(ranks) + 1);
  still_[0] = std::move(sets);
}

bool SetGuard::enter(Rank, int slot) {
  const std::size_t placed = used_.size();
  used_.push_back(used_.back() | std::uint64_t{1} << slot);
  std::vector<std::uint64_t>& still = still_[placed];
  still.clear();
  const int open = ranks_ - static_cast<int>(placed);
  for (std::uint64_t set : still_[placed - 1])
    if ((set & used_.back()) == used_.back() && std::popcount(set & ~used_.back()) <= open)
      still.push_back(set);
  return !still.empty();
}

void SetGuard::leave(Rank, int) {
  used_.pop_back();
}

}  // namespace rankmap
