// Boxes: arrays of ranks in any number of dimensions, cut into trees of parts. The algebra is
// Rubik's (Bhatele et al., SC 2012); what that tool passed over in silence, sizes that do not fit,
// is an error here. Cuts are in cuts.hpp, permutations in moves.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "libmap/base/ids.hpp"

namespace rankmap {

inline constexpr std::size_t most_box_dimensions = 8;
inline constexpr std::int64_t most_box_cells = std::int64_t{1} << 28;

// A part of a box: a strided array of its cells. Children are disjoint, cover it, and stand in the
// row-major order of their grid. Views say where cells are, not which rank is there.
struct BoxView {
  std::size_t dimensions = 0;
  std::array<Rank, most_box_dimensions> extents{};  // each >= 1
  std::array<Rank, most_box_dimensions> strides{};  // in cells of the box
  Rank offset = 0;                                  // the cell of the first one
  std::vector<Rank> grid;                           // of the children; empty: a leaf
  std::vector<BoxView> children;

  Rank cells() const;
  bool is_leaf() const { return children.empty(); }
  std::string shape() const;  // "8x8x4"
};

// Ranks 0 .. cells - 1 on the cells, numbered row-major, the last dimension fastest.
struct Box {
  BoxView tree;
  std::vector<Rank> rank_at;  // of each cell
};

// Rank i on cell i, not cut. UsageError: no or too many dimensions, extents below 1, more than
// most_box_cells.
Box make_box(std::span<const std::int64_t> extents);

// The cell of each rank: the other direction of rank_at.
std::vector<Rank> cells_of_ranks(const Box& box);
// Of one cell, in the whole box.
std::vector<Rank> coordinates_of(const Box& box, Rank cell);

// Depth first, children in their order; a view without children is its own leaf.
std::vector<const BoxView*> leaves_of(const BoxView& view);
std::vector<BoxView*> leaves_of(BoxView& view);
// The views so many cuts below this one; UsageError: there are none.
std::vector<BoxView*> views_at_level(BoxView& view, std::int64_t level);
// The child at that place of the grid. UsageError: it is not cut, or the place is outside.
BoxView& child_at(BoxView& view, std::span<const std::int64_t> place);

// Leaf k of `onto` receives leaf k of `from`, both in row-major order; `onto` then holds the ranks
// of `from`, wherever those had been moved. UsageError: other numbers of leaves, or a leaf of
// another size. O(cells).
void map_box(Box& onto, const Box& from);

// Calls visit(cell of the box) in the row-major order of the view.
template <typename Visit>
void for_each_cell(const BoxView& view, const Visit& visit) {
  const std::size_t last = view.dimensions - 1;
  std::array<Rank, most_box_dimensions> place{};
  Rank line = view.offset;
  for (;;) {
    for (Rank i = 0; i < view.extents[last]; ++i) visit(line + i * view.strides[last]);
    std::size_t d = last;
    for (;;) {
      if (d == 0) return;
      line += view.strides[--d];
      if (++place[d] < view.extents[d]) break;
      line -= view.extents[d] * view.strides[d];
      place[d] = 0;
    }
  }
}

}  // namespace rankmap
