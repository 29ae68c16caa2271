// Finds the grid behind a communication graph from the differences of its ranks.
#include "libmap/place/cartesian/grid.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace rankmap {
namespace {

constexpr double enough = 0.75;

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

struct HeavyPair {
  Rank low, high;
  double bytes;
};

// Collectives lie above the pattern of a code that mostly talks point to point.
bool collectives_are_aside(const CommGraph& app) {
  double alone = 0, all = 0;
  for (const Edge& edge : app.edges()) {
    all += static_cast<double>(edge.bytes);
    alone += edge.group == none ? static_cast<double>(edge.bytes) : 0;
  }
  return 2 * alone > all;
}

// The pairs with bytes, in order, both directions and all phases together.
std::vector<HeavyPair> heavy_pairs(const CommGraph& app) {
  std::vector<std::size_t> first(at(app.ranks()) + 1, 0);
  std::vector<HeavyPair> pairs;
  pairs.reserve(app.pairs().size());
  for (const Pair& pair : app.pairs()) {
    ++first[at(pair.low) + 1];
    pairs.push_back({pair.low, pair.high, 0});
  }
  for (std::size_t r = 1; r < first.size(); ++r) first[r] += first[r - 1];
  const bool aside = collectives_are_aside(app);
  for (const Edge& edge : app.edges()) {
    if (aside && edge.group != none) continue;
    const auto [low, high] = std::minmax(edge.source, edge.destination);
    const auto begin = pairs.begin() + static_cast<std::ptrdiff_t>(first[at(low)]);
    const auto end = pairs.begin() + static_cast<std::ptrdiff_t>(first[at(low) + 1]);
    std::lower_bound(begin, end, high, [](const HeavyPair& pair, Rank other) {
      return pair.high < other;
    })->bytes += static_cast<double>(edge.bytes);
  }
  std::erase_if(pairs, [](const HeavyPair& pair) { return pair.bytes == 0; });
  return pairs;
}

// What the pairs of an app are in one grid.
class GridCount {
 public:
  GridCount(Grid grid, const std::vector<HeavyPair>& pairs)
      : grid_(std::move(grid)), strides_(grid_.strides()), pairs_(pairs) {}

  GridLikeness likeness() {
    count_sides();
    GridLikeness result{grid_, explained(), 1};
    const double n = grid_.ranks();
    for (std::size_t d = 0; d < grid_.dimensions(); ++d) {
      const double sides = n - n / grid_.extents[d];
      result.pairs_used = std::min(result.pairs_used, static_cast<double>(sides_[d]) / sides);
    }
    return result;
  }

 private:
  // The steps of a pair: in how many dimensions it moves, the last of them, whether by one or around
  // the end; -1 where it is no pair of neighbours.
  struct Steps {
    int moved = 0;
    std::size_t dimension = 0;
    bool around = false;
  };
  Steps steps_of(const HeavyPair& pair) const {
    Steps steps;
    for (std::size_t d = 0; d < strides_.size(); ++d) {
      const Rank extent = grid_.extents[d];
      const Rank step =
          std::abs(pair.high / strides_[d] % extent - pair.low / strides_[d] % extent);
      if (step == 0) continue;
      const bool around = step == extent - 1 && step > 1;
      if (step != 1 && !(around && (grid_.periodic.empty() || grid_.periodic[d])))
        return {-1, 0, false};
      ++steps.moved;
      steps.dimension = d;
      steps.around = around;
    }
    return steps;
  }

  void count_sides() {
    std::vector<std::int64_t> ends(strides_.size(), 0);
    std::vector<double> bytes(strides_.size(), 0);
    sides_.assign(strides_.size(), 0);
    for (const HeavyPair& pair : pairs_) {
      const Steps steps = steps_of(pair);
      if (steps.moved != 1) continue;
      ++(steps.around ? ends : sides_)[steps.dimension];
      if (!steps.around) bytes[steps.dimension] += pair.bytes;
    }
    for (std::size_t d = 0; d < strides_.size(); ++d) {
      const double lines = static_cast<double>(grid_.ranks()) / grid_.extents[d];
      grid_.periodic.push_back(static_cast<double>(ends[d]) >= enough * lines);
      grid_.bytes.push_back(sides_[d] == 0 ? 0 : bytes[d] / static_cast<double>(sides_[d]));
    }
  }

  double explained() const {
    double near = 0, all = 0;
    for (const HeavyPair& pair : pairs_) {
      all += pair.bytes;
      if (steps_of(pair).moved > 0) near += pair.bytes;
    }
    return near / all;
  }

  Grid grid_;
  std::vector<Rank> strides_;
  const std::vector<HeavyPair>& pairs_;
  std::vector<std::int64_t> sides_;
};

class GridSearch {
 public:
  explicit GridSearch(const CommGraph& app) : ranks_(app.ranks()), pairs_(heavy_pairs(app)) {
    std::vector<std::int32_t> times(at(ranks_), 0);
    for (const HeavyPair& pair : pairs_) ++times[at(pair.high - pair.low)];
    for (Rank stride = 1; stride <= ranks_ / 2; ++stride)
      if (ranks_ % stride == 0 && 2.0 * times[at(stride)] >= enough * ranks_)
        strides_.push_back(stride);
  }

  std::optional<GridLikeness> run() {
    if (strides_.empty() || strides_.front() != 1) return std::nullopt;
    std::vector<Rank> chain{1};
    extend(chain, 1);
    return best_;
  }

 private:
  static constexpr int most_grids = 64;

  static double fit(const GridLikeness& likeness) {
    return std::min(likeness.bytes_explained, likeness.pairs_used);
  }
  bool is_done() const { return grids_ >= most_grids || (best_ && fit(*best_) > 1 - 1e-9); }

  // The longest chains first: a grid of many small dimensions is found before it is flattened.
  void extend(std::vector<Rank>& chain, std::size_t next) {
    for (std::size_t i = next; i < strides_.size() && !is_done(); ++i) {
      if (strides_[i] % chain.back() != 0) continue;
      chain.push_back(strides_[i]);
      extend(chain, i + 1);
      chain.pop_back();
    }
    if (!is_done()) consider(chain);
  }

  void consider(const std::vector<Rank>& chain) {
    ++grids_;
    Grid grid;
    Rank above = ranks_;
    for (std::size_t i = chain.size(); i-- > 0; above = chain[i])
      grid.extents.push_back(above / chain[i]);
    GridLikeness found = GridCount(std::move(grid), pairs_).likeness();
    if (!best_ || fit(found) > fit(*best_)) best_ = std::move(found);
  }

  Rank ranks_;
  std::vector<HeavyPair> pairs_;
  std::vector<Rank> strides_;  // differences that may be strides, ascending
  std::optional<GridLikeness> best_;
  int grids_ = 0;
};

}  // namespace

Rank Grid::ranks() const {
  Rank product = 1;
  for (const Rank extent : extents) product *= extent;
  return product;
}

std::vector<Rank> Grid::strides() const {
  std::vector<Rank> strides(extents.size(), 1);
  for (std::size_t d = extents.size(); d-- > 1;) strides[d - 1] = strides[d] * extents[d];
  return strides;
}

std::string Grid::text() const {
  std::string sizes, around;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    sizes += (d == 0 ? "" : "x") + std::to_string(extents[d]);
    if (periodic[d]) around += d < 6 ? std::string(1, "xyztuv"[d]) : std::to_string(d);
  }
  return around.empty() ? sizes : sizes + " periodic=" + around;
}

bool GridLikeness::is_good() const {
  return bytes_explained >= enough && pairs_used >= enough;
}

std::optional<GridLikeness> likest_grid(const CommGraph& app) {
  if (app.ranks() == 1) return GridLikeness{{{1}, {0}, {0}}, 1, 1};
  return GridSearch(app).run();
}

}  // namespace rankmap
