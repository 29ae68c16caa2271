#include "libmap/model/bounds/grid_app.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace rankmap {
namespace {

constexpr std::size_t most_chains = 64;
constexpr std::size_t most_differences = 256;
constexpr std::size_t most_sides = 6;

// Strides of a grid, the fastest (1) first, each a divisor of the next and of the number of ranks.
using Strides = std::vector<Rank>;

class Chains {
 public:
  Chains(Rank ranks, std::span<const PairBytes> pairs) : ranks_(ranks) {
    for (const PairBytes& pair : pairs) {
      ++count_[pair.high - pair.low];
      if (count_.size() > most_differences) return;
    }
    Strides start = {1};
    if (count_.contains(1)) extend(start);
  }
  const std::vector<Strides>& found() const { return found_; }

 private:
  // Half of all neighbours along the last stride must talk, were the grid to go on with `next`.
  bool is_common(Rank stride, Rank next) const {
    const std::int64_t extent = next / stride;
    const std::int64_t neighbours = ranks_ / extent * (extent - 1);
    return 2 * count_.at(stride) >= neighbours;
  }

  void extend(Strides& strides) {
    const Rank last = strides.back();
    if (found_.size() < most_chains && ranks_ > last && is_common(last, ranks_))
      found_.push_back(strides);
    if (strides.size() == most_sides) return;
    for (const auto& [next, count] : count_) {
      if (next <= last || next % last != 0 || ranks_ % next != 0 || next == ranks_) continue;
      if (found_.size() >= most_chains || !is_common(last, next)) continue;
      strides.push_back(next);
      extend(strides);
      strides.pop_back();
    }
  }

  Rank ranks_;
  std::map<Rank, std::int64_t> count_;
  std::vector<Strides> found_;
};

enum class Neighbours { no, along, around };

struct Step {
  Neighbours kind = Neighbours::no;
  std::size_t side = 0;
};

// A side of extent 2 has one pair a line, whatever way round.
Step step_of(const PairBytes& pair, const Strides& strides, Rank ranks) {
  const Rank difference = pair.high - pair.low;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const Rank extent = (i + 1 < strides.size() ? strides[i + 1] : ranks) / strides[i];
    const Rank low = pair.low / strides[i] % extent;
    if (difference == strides[i] && low + 1 < extent) return {Neighbours::along, i};
    if (extent > 2 && difference == strides[i] * (extent - 1) && low == 0)
      return {Neighbours::around, i};
  }
  return {};
}

double bytes_of(std::span<const PairBytes> pairs, const Strides& strides, Rank ranks) {
  double sum = 0;
  for (const PairBytes& pair : pairs)
    if (step_of(pair, strides, ranks).kind != Neighbours::no) sum += pair.bytes;
  return sum;
}

GridApp grid_of(std::span<const PairBytes> pairs, const Strides& strides, Rank ranks) {
  GridApp grid;
  std::vector<std::int64_t> along(strides.size(), 0), around(strides.size(), 0);
  for (std::size_t i = 0; i < strides.size(); ++i)
    grid.sides.push_back({(i + 1 < strides.size() ? strides[i + 1] : ranks) / strides[i], false, 0,
                          std::numeric_limits<double>::infinity()});
  for (const PairBytes& pair : pairs) {
    const Step step = step_of(pair, strides, ranks);
    if (step.kind == Neighbours::no) {
      grid.rest.push_back(pair);
      continue;
    }
    GridSide& side = grid.sides[step.side];
    ++(step.kind == Neighbours::along ? along : around)[step.side];
    grid.bytes += pair.bytes;
    side.most = std::max(side.most, pair.bytes);
    side.least = std::min(side.least, pair.bytes);
  }
  for (std::size_t i = 0; i < strides.size(); ++i) {
    GridSide& side = grid.sides[i];
    const std::int64_t lines = ranks / side.extent;
    side.wraps = around[i] > 0;
    const bool complete =
        along[i] == lines * (side.extent - 1) && (around[i] == 0 || around[i] == lines);
    if (!complete) side.least = 0;
  }
  std::reverse(grid.sides.begin(), grid.sides.end());
  return grid;
}

}  // namespace

std::optional<GridApp> find_grid(Rank ranks, std::span<const PairBytes> pairs) {
  const Chains chains(ranks, pairs);
  const Strides* best = nullptr;
  double most = 0;
  for (const Strides& strides : chains.found()) {
    const double bytes = bytes_of(pairs, strides, ranks);
    if (bytes <= most) continue;
    most = bytes;
    best = &strides;
  }
  if (best == nullptr) return std::nullopt;
  return grid_of(pairs, *best, ranks);
}

}  // namespace rankmap
