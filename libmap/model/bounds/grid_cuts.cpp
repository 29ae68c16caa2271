#include "libmap/model/bounds/grid_cuts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace rankmap {
namespace {

// Lines along one side, as the variable x: the bytes lost are a x - constant for x >= least.
struct Lines {
  double a;
  double least;
  bool at_least = false;  // x is at that limit
};

// The least sum of a x with product of x >= e^log_product: all a x that are not at their limit are
// equal. Limits are met one by one, as in pouring water.
double least_sum(std::vector<Lines>& lines, double log_product) {
  for (;;) {
    double log_rest = log_product;
    std::size_t open = 0;
    for (const Lines& side : lines) {
      log_rest -= std::log(side.at_least ? side.least : 1 / side.a);
      open += side.at_least ? 0 : 1;
    }
    if (open == 0) break;
    const double level = std::exp(log_rest / static_cast<double>(open));
    Lines* worst = nullptr;
    for (Lines& side : lines)
      if (!side.at_least && side.least * side.a > level &&
          (worst == nullptr || side.least * side.a > worst->least * worst->a))
        worst = &side;
    if (worst == nullptr) {
      double sum = static_cast<double>(open) * level;
      for (const Lines& side : lines)
        if (side.at_least) sum += side.a * side.least;
      return sum;
    }
    worst->at_least = true;
  }
  double sum = 0;
  for (const Lines& side : lines) sum += side.a * side.least;
  return sum;
}

// The least sum of bytes x (x - f) over all sides, as told at most_inside. A side without traffic
// has at most p lines, and takes its share of the product.
double least_lost(double cells, std::span<const GridSide> sides) {
  std::vector<Lines> lines;
  double given_back = 0;
  for (const GridSide& side : sides) {
    if (side.most <= 0) continue;
    const double e = side.extent;
    const double least = std::max(1.0, cells / e);
    // x - f with f = (p - x) / (e - 1), at most x, is (e x - p) / (e - 1), from x = p / e on; fewer
    // cells than e fill no line.
    const bool fills = side.wraps && cells >= e;
    lines.push_back({fills ? side.most * e / (e - 1) : side.most, least});
    given_back += fills ? side.most * cells / (e - 1) : 0;
  }
  if (lines.empty()) return 0;
  const double log_product = (static_cast<double>(lines.size()) - 1) * std::log(cells);
  return std::max(0.0, least_sum(lines, log_product) - given_back);
}

double least_lost_in_plane(double cells, const GridSide& a, const GridSide& b) {
  const std::array<GridSide, 2> open = {GridSide{a.extent, false, a.most, a.least},
                                        GridSide{b.extent, false, b.most, b.least}};
  const bool fills_a = a.wraps && cells >= a.extent;
  const bool fills_b = b.wraps && cells >= b.extent;
  double lost = least_lost(cells, open);
  if (fills_a) lost = std::min(lost, b.most * a.extent);
  if (fills_b) lost = std::min(lost, a.most * b.extent);
  if (fills_a && fills_b)
    lost = std::min(
        lost, a.most * (b.extent - cells / a.extent) + b.most * (a.extent - cells / b.extent));
  return std::max(0.0, lost);
}

bool is_even_cube(std::span<const GridSide> sides) {
  return std::all_of(sides.begin(), sides.end(), [&](const GridSide& side) {
    return side.wraps && side.extent % 2 == 0 && side.extent == sides[0].extent &&
           side.most == sides[0].most;
  });
}

double least_lost_in_cube(double cells, std::span<const GridSide> sides) {
  const double k = static_cast<double>(sides.size());
  const double e = sides[0].extent;
  if (cells > std::pow(e, k) / 2) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (double r = 1; r <= k; ++r)
    least = std::min(least, r * std::pow(cells, 1 - 1 / r) * std::pow(e, k / r - 1));
  return sides[0].most * least;
}

}  // namespace

std::int64_t most_neighbours(std::int64_t cells, std::span<const int> extents) {
  if (cells <= 1 || extents.empty()) return 0;
  std::vector<int> sides(extents.size(), 1);
  std::int64_t box = 1, pairs = 0;
  while (box < cells) {
    std::size_t shortest = sides.size();
    for (std::size_t d = 0; d < sides.size(); ++d)
      if (sides[d] < extents[d] && (shortest == sides.size() || sides[d] < sides[shortest]))
        shortest = d;
    std::vector<int> face = sides;
    face.erase(face.begin() + static_cast<std::ptrdiff_t>(shortest));
    const std::int64_t area = box / sides[shortest];
    const std::int64_t added = std::min(area, cells - box);
    pairs += added;
    if (added < area) return pairs + most_neighbours(added, face);
    for (const int side : face) pairs += area / side * (side - 1);
    ++sides[shortest];
    box += area;
  }
  return pairs;
}

double most_inside(double cells, std::span<const GridSide> sides) {
  double all = 0;
  for (const GridSide& side : sides) all += side.most * cells;
  double lost = least_lost(cells, sides);
  if (sides.size() == 2) lost = std::max(lost, least_lost_in_plane(cells, sides[0], sides[1]));
  if (is_even_cube(sides)) lost = std::max(lost, least_lost_in_cube(cells, sides));
  return all - lost;
}

double leaving_rate(std::span<const GridSide> sides) {
  double cells = 1, rate = std::numeric_limits<double>::infinity();
  for (const GridSide& side : sides) cells *= side.extent;
  for (const GridSide& side : sides) {
    const double e = side.extent;
    const double half = std::floor(e / 2);
    const double most = side.wraps ? std::floor(e * e / 4) / 2 : half * (e - half);
    rate = std::min(rate, side.least / (most * cells / e));
  }
  return rate;
}

}  // namespace rankmap
