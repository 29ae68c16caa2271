#include "libmap/place/box/moves.hpp"

#include <utility>
#include <vector>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

std::size_t axis_of(const BoxView& view, std::int64_t axis, const char* what) {
  if (axis >= 0 && at(axis) < view.dimensions) return at(axis);
  throw UsageError("found the " + std::string(what) + " " + std::to_string(axis) +
                   ", expected 0 to " + std::to_string(view.dimensions - 1) +
                   ", the dimensions of this part");
}

std::pair<std::size_t, std::size_t> two_axes(const BoxView& view, std::int64_t axis,
                                             std::int64_t direction) {
  const std::size_t a = axis_of(view, axis, "axis"), d = axis_of(view, direction, "direction");
  if (a == d)
    throw UsageError("found the axis " + std::to_string(axis) +
                     " as its own direction, expected two that differ");
  return {a, d};
}

// The line of cells along `axis` through its first one.
class Line {
 public:
  Line(Box& box, const BoxView& view, std::size_t axis)
      : box_(box), stride_(view.strides[axis]), ranks_(at(view.extents[axis])) {}

  // The rank at i moves to (i + shift) mod extent; 0 <= shift < extent.
  void shift(Rank first, Rank shift) {
    if (shift == 0) return;
    const Rank extent = static_cast<Rank>(ranks_.size());
    for (Rank i = 0; i < extent; ++i) ranks_[at(i)] = rank_at(first, i);
    for (Rank i = 0; i < extent; ++i)
      rank_at(first, i + shift < extent ? i + shift : i + shift - extent) = ranks_[at(i)];
  }
  void swap(Rank first, Rank a, Rank b) { std::swap(rank_at(first, a), rank_at(first, b)); }

 private:
  Rank& rank_at(Rank first, Rank i) { return box_.rank_at[at(first + i * stride_)]; }

  Box& box_;
  Rank stride_;
  std::vector<Rank> ranks_;
};

// Its cells alone.
BoxView uncut(const BoxView& view) {
  BoxView plain;
  plain.dimensions = view.dimensions;
  plain.extents = view.extents;
  plain.strides = view.strides;
  plain.offset = view.offset;
  return plain;
}

// Its cells where c[axis] == 0.
BoxView firsts_along(const BoxView& view, std::size_t axis) {
  BoxView firsts = uncut(view);
  firsts.extents[axis] = 1;
  return firsts;
}

std::vector<Rank> ranks_in(const Box& box, const BoxView& view) {
  std::vector<Rank> ranks;
  ranks.reserve(at(view.cells()));
  for_each_cell(view, [&](Rank cell) { ranks.push_back(box.rank_at[at(cell)]); });
  return ranks;
}

void write(Box& box, const BoxView& view, const std::vector<Rank>& ranks) {
  std::size_t next = 0;
  for_each_cell(view, [&](Rank cell) { box.rank_at[at(cell)] = ranks[next++]; });
}

// Shifts the lines along `axis` by shift_of(c[direction]), any number.
template <typename ShiftOf>
void shift_planes(Box& box, const BoxView& view, std::size_t axis, std::size_t direction,
                  const ShiftOf& shift_of) {
  const std::int64_t extent = view.extents[axis];
  Line line(box, view, axis);
  BoxView plane = firsts_along(view, axis);
  plane.extents[direction] = 1;
  for (Rank i = 0; i < view.extents[direction]; ++i, plane.offset += view.strides[direction]) {
    const std::int64_t shift = (shift_of(i) % extent + extent) % extent;
    for_each_cell(plane, [&](Rank first) { line.shift(first, static_cast<Rank>(shift)); });
  }
}

std::int64_t floor_of(std::int64_t a, std::int64_t positive) {
  return a / positive - (a % positive < 0 ? 1 : 0);
}

// Sums and products below stay in 64 bits.
std::int64_t checked_number(std::int64_t number, const char* what) {
  constexpr std::int64_t most = std::int64_t{1} << 32;
  if (number >= -most && number <= most) return number;
  throw UsageError("found the " + std::string(what) + " " + std::to_string(number) +
                   ", expected -2^32 to 2^32");
}

}  // namespace

void tilt(Box& box, const BoxView& view, std::int64_t axis, std::int64_t direction,
          std::int64_t slope) {
  const auto [a, d] = two_axes(view, axis, direction);
  const std::int64_t each = checked_number(slope, "slope") % view.extents[a];
  shift_planes(box, view, a, d, [&](Rank i) { return each * i; });
}

void shear(Box& box, const BoxView& view, std::int64_t axis, std::int64_t direction,
           std::int64_t slope) {
  tilt(box, view, direction, axis, slope);
}

void zigzag(Box& box, const BoxView& view, std::int64_t axis, std::int64_t direction,
            std::int64_t depth, std::int64_t stride) {
  const auto [a, d] = two_axes(view, axis, direction);
  checked_number(depth, "depth");
  if (stride < 1 || stride > most_box_cells)
    throw UsageError("found the stride " + std::to_string(stride) + ", expected 1 to " +
                     std::to_string(most_box_cells));
  shift_planes(box, view, a, d, [&](Rank i) {
    const std::int64_t top = i / (2 * stride) * 2 * stride + stride;
    const std::int64_t away = i < top ? top - i : i - top;
    return depth - floor_of(away * depth, stride);
  });
}

void rotate(Box& box, const BoxView& view, std::int64_t axis, std::int64_t steps) {
  const std::size_t a = axis_of(view, axis, "axis");
  const std::int64_t extent = view.extents[a];
  const std::int64_t shift = (checked_number(steps, "steps") % extent + extent) % extent;
  Line line(box, view, a);
  for_each_cell(firsts_along(view, a),
                [&](Rank first) { line.shift(first, static_cast<Rank>(shift)); });
}

void swap_planes(Box& box, const BoxView& view, std::int64_t axis, std::int64_t a, std::int64_t b) {
  const std::size_t across = axis_of(view, axis, "axis");
  for (const std::int64_t plane : {a, b})
    if (plane < 0 || plane >= view.extents[across])
      throw UsageError("found the plane " + std::to_string(plane) + ", expected 0 to " +
                       std::to_string(view.extents[across] - 1));
  Line line(box, view, across);
  for_each_cell(firsts_along(view, across),
                [&](Rank first) { line.swap(first, static_cast<Rank>(a), static_cast<Rank>(b)); });
}

void transpose(Box& box, const BoxView& view, std::span<const std::int64_t> axes) {
  BoxView read = uncut(view);
  std::vector<bool> seen(view.dimensions, false);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = axis_of(view, axes[i], "axis");
    if (seen[axis])
      throw UsageError("found the axis " + std::to_string(axes[i]) + " twice, expected each once");
    seen[axis] = true;
    read.extents[i] = view.extents[axis];
    read.strides[i] = view.strides[axis];
  }
  if (axes.size() != view.dimensions)
    throw UsageError("found " + std::to_string(axes.size()) + " axes, expected all " +
                     std::to_string(view.dimensions));
  write(box, view, ranks_in(box, read));
}

void shuffle(Box& box, const BoxView& view, std::uint64_t seed) {
  std::vector<Rank> ranks = ranks_in(box, view);
  Random random(seed);
  random.shuffle(ranks);
  write(box, view, ranks);
}

}  // namespace rankmap
