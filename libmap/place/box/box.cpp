#include "libmap/place/box/box.hpp"

#include <algorithm>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

template <typename View>
void append_leaves(View& view, std::vector<View*>& leaves) {
  if (view.is_leaf()) leaves.push_back(&view);
  for (View& child : view.children) append_leaves(child, leaves);
}

void append_level(BoxView& view, std::int64_t level, std::vector<BoxView*>& views) {
  if (level == 0) views.push_back(&view);
  if (level > 0)
    for (BoxView& child : view.children) append_level(child, level - 1, views);
}

}  // namespace

Rank BoxView::cells() const {
  Rank product = 1;
  for (std::size_t d = 0; d < dimensions; ++d) product *= extents[d];
  return product;
}

std::string BoxView::shape() const {
  std::string text;
  for (std::size_t d = 0; d < dimensions; ++d)
    text += (d == 0 ? "" : "x") + std::to_string(extents[d]);
  return text;
}

Box make_box(std::span<const std::int64_t> extents) {
  if (extents.empty() || extents.size() > most_box_dimensions)
    throw UsageError("found " + std::to_string(extents.size()) + " extents, expected 1 to " +
                     std::to_string(most_box_dimensions));
  Box box;
  box.tree.dimensions = extents.size();
  std::int64_t cells = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    if (extents[d] < 1 || extents[d] > most_box_cells / cells)
      throw UsageError("found the extent " + std::to_string(extents[d]) +
                       ", expected 1 or more, and at most " + std::to_string(most_box_cells) +
                       " cells in all");
    box.tree.extents[d] = static_cast<Rank>(extents[d]);
    box.tree.strides[d] = static_cast<Rank>(cells);
    cells *= extents[d];
  }
  box.rank_at.resize(at(cells));
  for (std::size_t cell = 0; cell < box.rank_at.size(); ++cell)
    box.rank_at[cell] = static_cast<Rank>(cell);
  return box;
}

std::vector<Rank> cells_of_ranks(const Box& box) {
  std::vector<Rank> cell_of(box.rank_at.size());
  for (std::size_t cell = 0; cell < cell_of.size(); ++cell)
    cell_of[at(box.rank_at[cell])] = static_cast<Rank>(cell);
  return cell_of;
}

std::vector<Rank> coordinates_of(const Box& box, Rank cell) {
  std::vector<Rank> coordinates(box.tree.dimensions);
  for (std::size_t d = 0; d < coordinates.size(); ++d)
    coordinates[d] = cell / box.tree.strides[d] % box.tree.extents[d];
  return coordinates;
}

std::vector<const BoxView*> leaves_of(const BoxView& view) {
  std::vector<const BoxView*> leaves;
  append_leaves(view, leaves);
  return leaves;
}

std::vector<BoxView*> leaves_of(BoxView& view) {
  std::vector<BoxView*> leaves;
  append_leaves(view, leaves);
  return leaves;
}

std::vector<BoxView*> views_at_level(BoxView& view, std::int64_t level) {
  std::vector<BoxView*> views;
  append_level(view, level, views);
  if (views.empty())
    throw UsageError("found the level " + std::to_string(level) +
                     ", expected 0 or more, and no more than the box was cut");
  return views;
}

BoxView& child_at(BoxView& view, std::span<const std::int64_t> place) {
  if (view.is_leaf()) throw UsageError("this part was not cut, expected one with children");
  if (place.size() != view.grid.size())
    throw UsageError("found a place of " + std::to_string(place.size()) + " numbers, expected " +
                     std::to_string(view.grid.size()) + ", one for each divisor of the cut");
  std::int64_t index = 0;
  for (std::size_t d = 0; d < place.size(); ++d) {
    if (place[d] < 0 || place[d] >= view.grid[d])
      throw UsageError("found the place " + std::to_string(place[d]) + ", expected 0 to " +
                       std::to_string(view.grid[d] - 1));
    index = index * view.grid[d] + place[d];
  }
  return view.children[at(index)];
}

void map_box(Box& onto, const Box& from) {
  const std::vector<BoxView*> targets = leaves_of(onto.tree);
  const std::vector<const BoxView*> sources = leaves_of(from.tree);
  if (targets.size() != sources.size())
    throw UsageError("found " + std::to_string(sources.size()) + " leaves to be mapped onto " +
                     std::to_string(targets.size()) + ", expected as many of both");
  for (std::size_t leaf = 0; leaf < targets.size(); ++leaf)
    if (targets[leaf]->cells() != sources[leaf]->cells())
      throw UsageError("leaf " + std::to_string(leaf) + " is " + sources[leaf]->shape() +
                       ", to be mapped onto one of " + targets[leaf]->shape() +
                       ", expected leaves of the same size");
  std::vector<Rank> moving;
  moving.reserve(from.rank_at.size());
  for (const BoxView* const source : sources)
    for_each_cell(*source, [&](Rank cell) { moving.push_back(from.rank_at[at(cell)]); });
  std::size_t next = 0;
  for (const BoxView* const target : targets)
    for_each_cell(*target, [&](Rank cell) { onto.rank_at[at(cell)] = moving[next++]; });
}

}  // namespace rankmap
