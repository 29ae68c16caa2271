#include "libmap/model/bounds/peers.hpp"

#include <algorithm>
#include <functional>

namespace rankmap {
namespace {

std::vector<Rank> ranks_of(std::span<const PairBytes> pairs) {
  std::vector<Rank> ranks;
  for (const PairBytes& pair : pairs) ranks.insert(ranks.end(), {pair.low, pair.high});
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

}  // namespace

std::vector<PairBytes> pair_bytes(std::span<const Edge> edges) {
  std::vector<PairBytes> pairs;
  pairs.reserve(edges.size());
  for (const Edge& edge : edges)
    if (edge.bytes != 0)
      pairs.push_back({std::min(edge.source, edge.destination),
                       std::max(edge.source, edge.destination), static_cast<double>(edge.bytes)});
  std::sort(pairs.begin(), pairs.end(), [](const PairBytes& a, const PairBytes& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });
  std::size_t kept = 0;
  for (const PairBytes& pair : pairs) {
    if (kept > 0 && pairs[kept - 1].low == pair.low && pairs[kept - 1].high == pair.high)
      pairs[kept - 1].bytes += pair.bytes;
    else
      pairs[kept++] = pair;
  }
  pairs.resize(kept);
  return pairs;
}

// Ranks are counted by their number, but where few of many talk by their place among these.
Peers::Peers(std::span<const PairBytes> pairs) {
  Rank last = -1;
  for (const PairBytes& pair : pairs) last = std::max(last, pair.high);
  std::vector<Rank> talking;
  if (last / 8 > static_cast<std::int64_t>(pairs.size())) talking = ranks_of(pairs);
  const auto index_of = [&](Rank rank) {
    return static_cast<std::size_t>(
        talking.empty() ? rank : std::ranges::lower_bound(talking, rank) - talking.begin());
  };
  std::vector<std::size_t> end(
      (talking.empty() ? static_cast<std::size_t>(last + 1) : talking.size()) + 1, 0);
  for (const PairBytes& pair : pairs)
    for (const Rank rank : {pair.low, pair.high}) ++end[index_of(rank) + 1];
  for (std::size_t i = 1; i < end.size(); ++i) end[i] += end[i - 1];
  begin_ = end;
  rest_.resize(2 * pairs.size());
  for (const PairBytes& pair : pairs)
    for (const Rank rank : {pair.low, pair.high}) rest_[end[index_of(rank)]++] = pair.bytes;
  for (std::size_t rank = 0; rank + 1 < begin_.size(); ++rank) {
    const auto first = rest_.begin() + static_cast<std::ptrdiff_t>(begin_[rank]);
    const auto behind = rest_.begin() + static_cast<std::ptrdiff_t>(begin_[rank + 1]);
    std::sort(first, behind, std::greater<>());
    for (std::size_t i = begin_[rank + 1]; i-- > begin_[rank] + 1;) rest_[i - 1] += rest_[i];
    most_ = std::max(most_, static_cast<std::int64_t>(behind - first));
  }
}

double Peers::beyond(std::int64_t peers) const {
  if (peers >= most_) return 0;
  double sum = 0;
  for (std::size_t rank = 0; rank + 1 < begin_.size(); ++rank) {
    const std::size_t first = begin_[rank] + static_cast<std::size_t>(peers);
    if (first < begin_[rank + 1]) sum += rest_[first];
  }
  return sum / 2;  // a pair counts at both of its ranks
}

}  // namespace rankmap
