// Measures a pair of slots once: its route, or what a load on it leaves on all links.
#include "libmap/place/links/link_shares.hpp"

#include <algorithm>
#include <numeric>

namespace rankmap {
namespace {

constexpr std::size_t most_pairs = std::size_t{1} << 20;
constexpr std::size_t most_shares = std::size_t{1} << 22;  // 32 MiB

}  // namespace

LinkShares::LinkShares(const Machine& machine)
    : machine_(machine), loads_(static_cast<std::size_t>(machine.links()), 0.0) {
  const auto slots = static_cast<std::size_t>(machine.slots());
  if (slots * slots <= most_pairs) table_.resize(slots * slots);
}

std::span<const LinkShare> LinkShares::of(SlotId from, SlotId to) {
  Row& row = row_of(from, to);
  if (row.begin == unknown) row = measured(from, to);
  return std::span(shares_).subspan(static_cast<std::size_t>(row.begin),
                                    static_cast<std::size_t>(row.count));
}

LinkShares::Row& LinkShares::row_of(SlotId from, SlotId to) {
  if (shares_.size() >= most_shares) forget();
  if (!table_.empty())
    return table_[static_cast<std::size_t>(from) * static_cast<std::size_t>(machine_.slots()) +
                  static_cast<std::size_t>(to)];
  const std::uint64_t key = static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  if (known_.size() >= most_pairs && !known_.contains(key)) forget();
  return known_[key];
}

void LinkShares::forget() {
  std::fill(table_.begin(), table_.end(), Row{});
  known_.clear();
  shares_.clear();
}

LinkShares::Row LinkShares::measured(SlotId from, SlotId to) {
  Row row{static_cast<std::int64_t>(shares_.size()), 0};
  if (from != to && machine_.plain_routes()) {
    route_.clear();
    machine_.append_route(from, to, route_);
    for (const LinkId link : route_) shares_.push_back({link, 1});
  } else if (from != to) {
    machine_.add_load(from, to, 1.0, loads_);
    take_loads();
  }
  row.count = static_cast<std::int32_t>(shares_.size() - static_cast<std::size_t>(row.begin));
  return row;
}

// Most links carry nothing of one pair: they are passed over several at a time.
void LinkShares::take_loads() {
  constexpr LinkId at_a_time = 16;
  for (LinkId first = 0; first < machine_.links(); first += at_a_time) {
    const auto begin = loads_.begin() + first;
    const auto end = loads_.begin() + std::min(first + at_a_time, machine_.links());
    if (std::accumulate(begin, end, 0.0) == 0) continue;
    for (auto load = begin; load != end; ++load) {
      if (*load == 0) continue;
      shares_.push_back({static_cast<LinkId>(load - loads_.begin()), static_cast<float>(*load)});
      *load = 0;
    }
  }
}

}  // namespace rankmap
