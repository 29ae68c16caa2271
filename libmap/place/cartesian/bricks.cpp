// Bricks, strips, and bricks of bricks.
#include "libmap/place/cartesian/bricks.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace rankmap {
namespace {

constexpr int most_looked_at = 1 << 16;

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// Visits the cells of a box as a snake: every dimension turns back when it meets its end.
class Snake {
 public:
  explicit Snake(const Extents& counts)
      : counts_(counts), order_(counts.size()), cell_(counts.size(), 0), up_(counts.size(), 1) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return counts_[a] > counts_[b]; });
  }
  const Extents& cell() const { return cell_; }
  bool next() {
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::size_t d = order_[i];
      const Rank to = cell_[d] + (up_[d] ? 1 : -1);
      if (to >= 0 && to < counts_[d]) {
        cell_[d] = to;
        return true;
      }
      up_[d] = !up_[d];
    }
    return false;
  }

 private:
  const Extents& counts_;
  std::vector<std::size_t> order_;  // slowest first
  Extents cell_;
  std::vector<char> up_;
};

class BrickWalk {
 public:
  BrickWalk(const Grid& grid, const std::vector<Extents>& bricks)
      : grid_(grid), bricks_(bricks), strides_(grid.strides()) {
    bricks_.emplace_back(grid.dimensions(), 1);
  }

  std::vector<Rank> run() {
    ranks_.reserve(at(grid_.ranks()));
    walk(Extents(grid_.dimensions(), 0), grid_.extents, 0);
    return std::move(ranks_);
  }

 private:
  // The box from `low`, cut into bricks of this level.
  void walk(const Extents& low, const Extents& size, std::size_t level) {
    const Extents& brick = bricks_[level];
    Extents counts(size.size());
    for (std::size_t d = 0; d < size.size(); ++d) counts[d] = (size[d] + brick[d] - 1) / brick[d];
    Snake snake(counts);
    if (level + 1 == bricks_.size()) return append(low, snake);
    Extents first(size.size()), part(size.size());
    do {
      for (std::size_t d = 0; d < size.size(); ++d) {
        const Rank begin = snake.cell()[d] * brick[d];
        first[d] = low[d] + begin;
        part[d] = std::min(brick[d], size[d] - begin);
      }
      walk(first, part, level + 1);
    } while (snake.next());
  }

  void append(const Extents& low, Snake& snake) {
    do {
      Rank rank = 0;
      for (std::size_t d = 0; d < low.size(); ++d) rank += (low[d] + snake.cell()[d]) * strides_[d];
      ranks_.push_back(rank);
    } while (snake.next());
  }

  const Grid& grid_;
  std::vector<Extents> bricks_;
  std::vector<Rank> strides_;
  std::vector<Rank> ranks_;
};

// Both sides of a brick in every dimension in which it does not span the grid. `length` stands for the
// extent of dimension `along`.
double surface_of(const Grid& grid, const Extents& brick, std::size_t along, double length) {
  double volume = 1, surface = 0;
  const auto extent = [&](std::size_t d) { return d == along ? length : brick[d]; };
  for (std::size_t d = 0; d < brick.size(); ++d) volume *= extent(d);
  for (std::size_t d = 0; d < brick.size(); ++d)
    if (extent(d) < grid.extents[d]) surface += 2 * grid.bytes[d] * volume / extent(d);
  return surface;
}

// Calls `with` for every brick inside `limits` whose volume divides `volume` (is it, where `exact`).
class Volumes {
 public:
  using With = std::function<void(const Extents&)>;
  Volumes(const Extents& limits, const With& with) : limits_(limits), with_(with) {}

  void exactly(std::int64_t volume) {
    brick_.assign(limits_.size(), 1);
    divide(0, volume);
  }
  void up_to(std::int64_t volume) {
    brick_.assign(limits_.size(), 1);
    fill(0, volume);
  }

 private:
  void found() {
    ++looked_at_;
    with_(brick_);
  }
  void divide(std::size_t d, std::int64_t left) {
    if (looked_at_ >= most_looked_at) return;
    if (d == limits_.size()) {
      if (left == 1) found();
      return;
    }
    for (Rank extent = 1; extent <= std::min<std::int64_t>(limits_[d], left); ++extent) {
      if (left % extent != 0) continue;
      brick_[d] = extent;
      divide(d + 1, left / extent);
    }
  }
  void fill(std::size_t d, std::int64_t left) {
    if (looked_at_ >= most_looked_at) return;
    if (d == limits_.size()) return found();
    for (Rank extent = 1; extent <= std::min<std::int64_t>(limits_[d], left); ++extent) {
      brick_[d] = extent;
      fill(d + 1, left / extent);
    }
  }

  const Extents& limits_;
  const With& with_;
  Extents brick_;
  int looked_at_ = 0;
};

std::int64_t volume_of(const Extents& brick) {
  return std::accumulate(brick.begin(), brick.end(), std::int64_t{1}, std::multiplies<>());
}

// Runs of `ranks` ranks along dimension `along` of strips with all cross-sections that hold them.
void add_strips(const Grid& grid, std::int64_t ranks, std::size_t along,
                std::vector<Brick>& found) {
  Extents limits = grid.extents;
  limits[along] = 1;
  Volumes(limits, [&](const Extents& section) {
    const double length = static_cast<double>(ranks) / static_cast<double>(volume_of(section));
    if (length > grid.extents[along]) return;
    Brick strip{section, surface_of(grid, section, along, length)};
    strip.extents[along] = grid.extents[along];
    found.push_back(std::move(strip));
  }).up_to(ranks);
}

}  // namespace

std::string Brick::text() const {
  std::string text;
  for (const Rank extent : extents) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

std::vector<Rank> brick_order(const Grid& grid, const std::vector<Extents>& bricks) {
  return BrickWalk(grid, bricks).run();
}

std::vector<Brick> brick_shapes(const Grid& grid, std::int64_t ranks, std::size_t count) {
  std::vector<Brick> found;
  Volumes(grid.extents, [&](const Extents& brick) {
    found.push_back({brick, surface_of(grid, brick, 0, brick[0])});
  }).exactly(ranks);
  for (std::size_t d = 0; d < grid.dimensions(); ++d) add_strips(grid, ranks, d, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Brick& a, const Brick& b) { return a.surface < b.surface; });
  if (found.size() > count) found.resize(count);
  return found;
}

std::optional<Extents> brick_of_bricks(const Grid& grid, const Extents& inner, std::int64_t times) {
  Extents limits(grid.dimensions());
  for (std::size_t d = 0; d < limits.size(); ++d) limits[d] = grid.extents[d] / inner[d];
  std::optional<Extents> best;
  double least = 0;
  Volumes(limits, [&](const Extents& count) {
    Extents outer(inner);
    for (std::size_t d = 0; d < outer.size(); ++d) outer[d] *= count[d];
    const double surface = surface_of(grid, outer, 0, outer[0]);
    if (best && surface >= least) return;
    least = surface;
    best = std::move(outer);
  }).exactly(times);
  return best;
}

}  // namespace rankmap
