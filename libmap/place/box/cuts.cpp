#include "libmap/place/box/cuts.hpp"

#include <vector>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

struct Piece {
  Rank first;
  Rank count;
  Rank step;
};

Piece piece_of(Rank extent, Rank divisor, Rank index, Slicing how) {
  if (how == Slicing::mod) return {index, (extent - index + divisor - 1) / divisor, divisor};
  const Rank size = extent / divisor;
  return {index * size, index + 1 == divisor ? extent - index * size : size, 1};
}

void narrow(BoxView& view, std::size_t d, const Piece& piece) {
  view.offset += piece.first * view.strides[d];
  view.extents[d] = piece.count;
  view.strides[d] *= piece.step;
}

void check_count(const BoxView& view, std::size_t found, const char* what) {
  if (found >= 1 && found <= view.dimensions) return;
  throw UsageError("found " + std::to_string(found) + " " + what + ", expected 1 to " +
                   std::to_string(view.dimensions) + ", the dimensions of this part");
}

void check_range(const BoxView& view, std::size_t d, std::int64_t found, const char* what) {
  if (found >= 1 && found <= view.extents[d]) return;
  throw UsageError("found the " + std::string(what) + " " + std::to_string(found) +
                   ", expected 1 to " + std::to_string(view.extents[d]) +
                   ", the extent of dimension " + std::to_string(d));
}

}  // namespace

void cut(BoxView& view, std::span<const std::int64_t> divisors, std::span<const Slicing> how) {
  check_count(view, divisors.size(), "divisors");
  if (how.size() != divisors.size())
    throw UsageError("found " + std::to_string(how.size()) +
                     " times div or mod, expected one for " + "each of the " +
                     std::to_string(divisors.size()) + " divisors");
  std::vector<Rank> grid;
  std::vector<std::vector<Piece>> pieces(divisors.size());
  std::size_t count = 1;
  for (std::size_t d = 0; d < divisors.size(); ++d) {
    check_range(view, d, divisors[d], "divisor");
    grid.push_back(static_cast<Rank>(divisors[d]));
    count *= static_cast<std::size_t>(divisors[d]);
    for (Rank index = 0; index < grid[d]; ++index)
      pieces[d].push_back(piece_of(view.extents[d], grid[d], index, how[d]));
  }
  BoxView whole;
  whole.dimensions = view.dimensions;
  whole.extents = view.extents;
  whole.strides = view.strides;
  whole.offset = view.offset;
  std::vector<BoxView> children;
  children.reserve(count);
  std::array<std::size_t, most_box_dimensions> place{};
  for (std::size_t i = 0; i < count; ++i) {
    children.push_back(whole);
    for (std::size_t d = 0; d < grid.size(); ++d) narrow(children.back(), d, pieces[d][place[d]]);
    for (std::size_t d = grid.size(); d-- > 0;) {
      if (++place[d] < pieces[d].size()) break;
      place[d] = 0;
    }
  }
  view.grid = std::move(grid);
  view.children = std::move(children);
}

void cut(BoxView& view, std::span<const std::int64_t> divisors, Slicing how) {
  cut(view, divisors, std::vector<Slicing>(divisors.size(), how));
}

void tile(BoxView& view, std::span<const std::int64_t> sizes, bool uneven) {
  check_count(view, sizes.size(), "sizes");
  std::vector<std::int64_t> divisors;
  for (std::size_t d = 0; d < view.dimensions; ++d) {
    const std::int64_t size = d < sizes.size() ? sizes[d] : 1;
    if (uneven && size > view.extents[d]) {
      view.grid.clear();
      view.children.clear();
      return;
    }
    check_range(view, d, size, "size");
    if (!uneven && view.extents[d] % size != 0)
      throw UsageError("found the size " + std::to_string(size) +
                       ", expected one that divides the extent " + std::to_string(view.extents[d]) +
                       " of dimension " + std::to_string(d) + ", or the word uneven at the end");
    divisors.push_back(view.extents[d] / size);
  }
  cut(view, divisors, Slicing::div);
}

}  // namespace rankmap
