// Dynamic programming over the boxes that planes can leave.
#include "libmap/place/cartesian/hyperplanes.hpp"

#include <limits>
#include <unordered_map>

namespace rankmap {
namespace {

using Extents = std::vector<Rank>;

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

class Hyperplanes {
 public:
  Hyperplanes(const Grid& grid, std::int64_t size)
      : grid_(grid), size_(size), strides_(grid.strides()) {}

  std::optional<std::vector<Rank>> order() {
    if (grid_.ranks() / size_ > most_parts) return std::nullopt;
    Extents box = grid_.extents;
    if (least_cut(box) == never || planes_ > most_planes) return std::nullopt;
    ranks_.reserve(at(grid_.ranks()));
    append(Extents(box.size(), 0), box);
    return std::move(ranks_);
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr std::int64_t most_planes = std::int64_t{1} << 24;

  static constexpr std::int64_t most_parts = 1 << 13;  // the recursion is as deep

  struct Plane {
    double cut = never;  // of this plane and all inside its two parts
    std::size_t dimension = 0;
    Rank position = 0;
  };

  Rank key(const Extents& box) const {
    Rank key = 0;
    for (std::size_t d = 0; d < box.size(); ++d) key += (box[d] - 1) * strides_[d];
    return key;
  }
  static std::int64_t volume(const Extents& box) {
    std::int64_t volume = 1;
    for (const Rank extent : box) volume *= extent;
    return volume;
  }

  double least_cut(Extents& box) {
    if (volume(box) <= size_) return 0;
    const Rank name = key(box);
    if (const auto known = best_.find(name); known != best_.end()) return known->second.cut;
    best_[name] = {};  // also what is known of it when the search is too large
    Plane best;
    for (std::size_t d = 0; d < box.size(); ++d) try_planes(box, d, best);
    best_[name] = best;
    return best.cut;
  }

  // The first part holds whole parts of the job. A ring that is whole is cut twice.
  void try_planes(Extents& box, std::size_t d, Plane& best) {
    const Rank extent = box[d];
    const std::int64_t area = volume(box) / extent;
    const int sides = grid_.periodic[d] && extent == grid_.extents[d] ? 2 : 1;
    const double across = grid_.bytes[d] * static_cast<double>(area) * sides;
    for (Rank position = 1; position < extent; ++position) {
      if (area * position % size_ != 0) continue;
      if (++planes_ > most_planes) break;
      if (across >= best.cut) break;
      box[d] = position;
      double cut = across + least_cut(box);
      box[d] = extent - position;
      if (cut < best.cut) cut += least_cut(box);
      if (cut < best.cut) best = {cut, d, position};
    }
    box[d] = extent;
  }

  void append(Extents low, Extents box) {
    if (volume(box) <= size_) return append_cells(low, box);
    const Plane& plane = best_.at(key(box));
    const Rank extent = box[plane.dimension];
    box[plane.dimension] = plane.position;
    append(low, box);
    low[plane.dimension] += plane.position;
    box[plane.dimension] = extent - plane.position;
    append(std::move(low), std::move(box));
  }

  void append_cells(const Extents& low, const Extents& box) {
    for (std::int64_t cell = 0; cell < volume(box); ++cell) {
      std::int64_t rest = cell;
      Rank rank = 0;
      for (std::size_t d = box.size(); d-- > 0; rest /= box[d])
        rank += (low[d] + static_cast<Rank>(rest % box[d])) * strides_[d];
      ranks_.push_back(rank);
    }
  }

  const Grid& grid_;
  std::int64_t size_;
  std::vector<Rank> strides_;
  std::unordered_map<Rank, Plane> best_;
  std::int64_t planes_ = 0;
  std::vector<Rank> ranks_;
};

}  // namespace

std::optional<std::vector<Rank>> hyperplane_order(const Grid& grid, std::int64_t size) {
  return Hyperplanes(grid, size).order();
}

}  // namespace rankmap
