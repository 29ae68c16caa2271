// Recursive bisection of a grid's ranks with exact counts.
#include "libmap/place/cartesian/cuts.hpp"

#include <algorithm>
#include <numeric>

#include "libmap/base/divider.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

class Cuts {
 public:
  Cuts(const Grid& grid, std::span<const int> arity, std::span<const std::int64_t> count)
      : grid_(grid), arity_(arity), before_(count.size() + 1, 0) {
    for (const Rank stride : grid.strides()) strides_.emplace_back(stride);
    for (const Rank extent : grid.extents) extents_.emplace_back(extent);
    std::partial_sum(count.begin(), count.end(), before_.begin() + 1);
    ranks_.resize(at(grid.ranks()));
    std::iota(ranks_.begin(), ranks_.end(), 0);
  }

  std::vector<Rank> run() {
    divide(0, before_.size() - 1, 0);
    return std::move(ranks_);
  }

 private:
  struct Keyed {
    std::int64_t place;  // in the order of the dimensions
    Rank rank;
  };

  Rank coordinate(Rank rank, std::size_t d) const {
    return extents_[d].remainder(strides_[d].quotient(rank));
  }

  // The leaves first .. end-1 are one block whose parts are of level `level`.
  void divide(std::size_t first, std::size_t end, std::size_t level) {
    if (level == arity_.size()) return;
    divide_parts(first, (end - first) / at(arity_[level]), at(arity_[level]), level);
  }

  // `parts` parts of `size` leaves each.
  void divide_parts(std::size_t first, std::size_t size, std::size_t parts, std::size_t level) {
    const std::size_t end = first + size * parts;
    if (before_[end] - before_[first] < 2) return;
    if (parts == 1) return divide(first, end, level + 1);
    const std::size_t left = parts / 2, middle = first + size * left;
    cut(before_[first], before_[middle], before_[end]);
    divide_parts(first, size, left, level);
    divide_parts(middle, size, parts - left, level);
  }

  void cut(std::int64_t begin, std::int64_t middle, std::int64_t end) {
    if (middle == begin || middle == end) return;
    const auto ranks = std::span(ranks_).subspan(at(begin), at(end - begin));
    const std::vector<std::size_t> order = best_order(ranks);
    keyed_.clear();
    for (const Rank rank : ranks) {
      std::int64_t place = 0;
      for (const std::size_t d : order) place = place * grid_.extents[d] + coordinate(rank, d);
      keyed_.push_back({place, rank});
    }
    std::nth_element(keyed_.begin(), keyed_.begin() + (middle - begin), keyed_.end(),
                     [](const Keyed& a, const Keyed& b) { return a.place < b.place; });
    for (std::size_t i = 0; i < keyed_.size(); ++i) ranks[i] = keyed_[i].rank;
  }

  // The dimensions by what a plane across them cuts, the least first.
  std::vector<std::size_t> best_order(std::span<const Rank> ranks) const {
    std::vector<double> cost(grid_.dimensions());
    for (std::size_t d = 0; d < cost.size(); ++d) {
      Rank low = grid_.extents[d], high = 0;
      for (const Rank rank : ranks) {
        low = std::min(low, coordinate(rank, d));
        high = std::max(high, coordinate(rank, d));
      }
      const Rank extent = high - low + 1;
      const int sides = grid_.periodic[d] && extent == grid_.extents[d] ? 2 : 1;
      cost[d] = extent == 1 ? never : sides * grid_.bytes[d] / extent;
    }
    std::vector<std::size_t> order(cost.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cost[a] < cost[b]; });
    return order;
  }

  static constexpr double never = 1e300;

  const Grid& grid_;
  std::vector<Divider> strides_, extents_;
  std::span<const int> arity_;
  std::vector<std::int64_t> before_;  // ranks of all leaves before each
  std::vector<Rank> ranks_;
  std::vector<Keyed> keyed_;
};

}  // namespace

std::vector<Rank> cut_order(const Grid& grid, std::span<const int> arity,
                            std::span<const std::int64_t> count) {
  return Cuts(grid, arity, count).run();
}

}  // namespace rankmap
