#include "libmap/model/bounds/group_bound.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "libmap/model/bounds/grid_cuts.hpp"

namespace rankmap {
namespace {

std::int64_t room_of(std::span<const GroupRow> rows) {
  std::int64_t room = 0;
  for (const GroupRow& row : rows) room += row.most * row.count;
  return room;
}

std::int64_t most_of(std::span<const GroupRow> rows) {
  std::int64_t most = 0;
  for (const GroupRow& row : rows) most = std::max(most, row.most);
  return most;
}

// The largest sum over the groups of ranks x worth(most of the group), where worth does not fall
// with the group: the larger groups are filled first.
double filled(Rank ranks, std::span<const GroupRow> rows,
              const std::function<double(std::int64_t)>& worth) {
  std::vector<GroupRow> sorted(rows.begin(), rows.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const GroupRow& a, const GroupRow& b) { return a.most > b.most; });
  double sum = 0;
  std::int64_t left = ranks;
  for (const GroupRow& row : sorted) {
    const std::int64_t here = std::min(left, row.most * row.count);
    if (here > 0) sum += static_cast<double>(here) * worth(row.most);
    left -= here;
  }
  return sum;
}

// Neighbours count alike along all sides, and no part can reach around: what lies inside is exact.
bool is_plain(const GridApp& grid, std::int64_t most) {
  return std::all_of(grid.sides.begin(), grid.sides.end(), [&](const GridSide& side) {
    return side.most == grid.sides[0].most && !(side.wraps && side.extent <= most);
  });
}

std::vector<int> extents_of(const GridApp& grid) {
  std::vector<int> extents;
  for (const GridSide& side : grid.sides) extents.push_back(side.extent);
  return extents;
}

// Where all groups are full, each holds what so many cells can; else no group does better per cell
// than the best smaller one.
double plain_inside(const GridApp& grid, Rank ranks, std::span<const GroupRow> rows) {
  const std::vector<int> extents = extents_of(grid);
  double pairs = 0;
  if (room_of(rows) == ranks) {
    for (const GroupRow& row : rows)
      pairs +=
          static_cast<double>(row.count) * static_cast<double>(most_neighbours(row.most, extents));
    return pairs * grid.sides[0].most;
  }
  std::vector<double> best = {0};  // of at most so many cells, a cell
  for (std::int64_t cells = 1; cells <= std::min<std::int64_t>(most_of(rows), ranks); ++cells)
    best.push_back(std::max(best.back(), static_cast<double>(most_neighbours(cells, extents)) /
                                             static_cast<double>(cells)));
  pairs = filled(ranks, rows, [&](std::int64_t most) {
    return best[static_cast<std::size_t>(std::min<std::int64_t>(most, ranks))];
  });
  return pairs * grid.sides[0].most;
}

// Whole messages: what is sent is a multiple of what all pairs have in common.
double rounded_up(double bytes, const GridApp& grid) {
  std::uint64_t unit = 0;
  for (const GridSide& side : grid.sides) {
    const bool whole = side.least == side.most && side.most < 0x1p53;
    unit = std::gcd(unit, whole ? static_cast<std::uint64_t>(side.most) : std::uint64_t{1});
  }
  const double step = static_cast<double>(std::max<std::uint64_t>(unit, 1));
  return std::ceil(bytes / step - 1e-9 * std::max(1.0, bytes / step)) * step;
}

}  // namespace

GroupBound::GroupBound(Rank ranks, std::span<const Edge> edges)
    : ranks_(ranks), peers_({}), rest_({}) {
  const std::vector<PairBytes> pairs = pair_bytes(edges);
  for (const PairBytes& pair : pairs) bytes_ += pair.bytes;
  peers_ = Peers(pairs);
  grid_ = find_grid(ranks, pairs);
  if (!grid_) return;
  rest_ = Peers(grid_->rest);
  grid_->rest = {};
}

double GroupBound::bytes_between(std::span<const GroupRow> rows) const {
  const double by_peers = peers_.beyond(most_of(rows) - 1);
  return grid_ ? std::max(by_peers, grid_bytes_between(rows)) : by_peers;
}

double GroupBound::grid_bytes_between(std::span<const GroupRow> rows) const {
  constexpr std::int64_t most_counted = 1 << 12;
  const std::int64_t most = std::min<std::int64_t>(most_of(rows), ranks_);
  double inside = filled(ranks_, rows, [&](std::int64_t size) {
    const double cells = static_cast<double>(std::min<std::int64_t>(size, ranks_));
    return most_inside(cells, grid_->sides) / cells;
  });
  const bool counted = most <= most_counted || room_of(rows) == ranks_;
  if (counted && is_plain(*grid_, most))
    inside = std::min(inside, plain_inside(*grid_, ranks_, rows));
  // Of the sum of p (n - p) over groups of p ranks, n^2 is sure; the squares are at most those of
  // filled groups. Every pair that leaves one group leaves another, too.
  const double n = static_cast<double>(ranks_);
  const double squares = filled(ranks_, rows, [&](std::int64_t size) {
    return static_cast<double>(std::min<std::int64_t>(size, ranks_));
  });
  const double leaving = leaving_rate(grid_->sides) * (n * n - squares) / 2;
  const double grid = rounded_up(std::max({grid_->bytes - inside, leaving, 0.0}), *grid_);
  return grid + rest_.beyond(most_of(rows) - 1);
}

}  // namespace rankmap
