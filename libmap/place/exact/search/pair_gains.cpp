// Integer gains of pairs, in units of their greatest common divisor.
#include "libmap/place/exact/search/pair_gains.hpp"

#include <algorithm>
#include <numeric>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

constexpr std::int64_t limit = std::int64_t{1} << 62;

// What one byte (aggbw: one unit of weight) between the slots counts.
std::uint64_t rate(const Instance& instance, int from, int to) {
  switch (instance.problem().objective.kind) {
    case ObjectiveKind::aggbw:
      return instance.bandwidth(from, to);
    case ObjectiveKind::hopbytes:
      return instance.route(from, to).size();
    case ObjectiveKind::offnode:
      return instance.node(from) != instance.node(to) ? 1 : 0;
    default:
      throw Bug("pair gains of an objective that is no sum over pairs");
  }
}

void add_product(const Instance& instance, std::uint64_t amount, std::uint64_t each,
                 std::int64_t& sum) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(amount, each, &product) ||
      __builtin_add_overflow(sum, product, &sum) || sum >= limit)
    throw InputError({instance.app().name, 0, 0},
                     "the objective's value leaves 62 bits, expected fewer bytes or less weight");
}

}  // namespace

PairGains::PairGains(const Instance& instance) : instance_(instance), slots_(instance.slots()) {
  if (instance.problem().objective.kind == ObjectiveKind::aggbw) {
    for (const Pair& pair : instance.app().pairs()) add_pair(pair.weight, 0);
  } else {
    for (const Pair& pair : instance.app().pairs()) {
      std::uint64_t forward = 0, backward = 0;
      for (const Talk& talk : instance.talks(pair.low))
        if (talk.other == pair.high) (talk.outgoing ? forward : backward) += talk.bytes;
      add_pair(forward, backward);
    }
  }
  reduce();
}

void PairGains::add_pair(std::uint64_t forward, std::uint64_t backward) {
  const auto found = std::find(amounts_.begin(), amounts_.end(), std::make_pair(forward, backward));
  table_of_pair_.push_back(static_cast<int>(found - amounts_.begin()));
  if (found != amounts_.end()) return;
  amounts_.emplace_back(forward, backward);
  std::vector<std::int64_t>& table = tables_.emplace_back();
  for (int a = 0; a < slots_; ++a) {
    for (int b = 0; b < slots_; ++b) {
      std::int64_t sum = 0;
      add_product(instance_, forward, rate(instance_, a, b), sum);
      add_product(instance_, backward, rate(instance_, b, a), sum);
      table.push_back(sum);
    }
  }
  constants_.push_back(0);
  if (!instance_.problem().maximise()) {
    constants_.back() = *std::max_element(table.begin(), table.end());
    for (std::int64_t& cost : table) cost = constants_.back() - cost;
  }
  for (int a = 0; a < slots_; ++a)  // never used by both: it must not widen the bounds
    if (instance_.capacity(a) == 1) table[static_cast<std::size_t>(a * slots_ + a)] = 0;
}

void PairGains::reduce() {
  std::int64_t divisor = 0;
  for (const auto& table : tables_)
    for (std::int64_t gain : table) divisor = std::gcd(divisor, gain);
  unit_ = divisor == 0 ? 1 : divisor;
  for (auto& table : tables_) {
    for (std::int64_t& gain : table) gain /= unit_;
    most_of_table_.push_back(*std::max_element(table.begin(), table.end()));
  }
  std::int64_t most = 0;
  for (int pair = 0; pair < pairs(); ++pair) {
    add_product(instance_, static_cast<std::uint64_t>(unit_),
                static_cast<std::uint64_t>(most_of(pair)), most);
    most_total_ += most_of(pair);
    add_product(instance_, 1,
                static_cast<std::uint64_t>(constants_[static_cast<std::size_t>(table_of(pair))]),
                constant_);
  }
}

bool PairGains::symmetric(int table) const {
  for (int a = 0; a < slots_; ++a)
    for (int b = 0; b < a; ++b)
      if (table_gain(table, a, b) != table_gain(table, b, a)) return false;
  return true;
}

double PairGains::value(std::int64_t total) const {
  if (!instance_.problem().maximise()) return static_cast<double>(constant_ - total * unit_);
  return to_gbps(static_cast<BytesPerSecond>(total * unit_));
}

std::int64_t PairGains::total(const std::vector<int>& slot_of) const {
  std::int64_t sum = 0;
  const auto all = instance_.app().pairs();
  for (int pair = 0; pair < pairs(); ++pair) {
    const Pair& row = all[static_cast<std::size_t>(pair)];
    sum += gain(pair, slot_of[static_cast<std::size_t>(row.low)],
                slot_of[static_cast<std::size_t>(row.high)]);
  }
  return sum;
}

}  // namespace rankmap
