#include "libmap/machine/network/box_shape.hpp"

#include <algorithm>

namespace rankmap {
namespace {

int smallest_prime_factor(int number) {
  for (int factor = 2; factor * factor <= number; ++factor)
    if (number % factor == 0) return factor;
  return number;
}

struct Cut {
  std::size_t dimension;
  int parts;
};

std::vector<Cut> cuts_of(std::span<const int> extents) {
  std::vector<int> left(extents.begin(), extents.end());
  std::vector<Cut> cuts;
  for (;;) {
    const auto longest = std::max_element(left.begin(), left.end());
    if (longest == left.end() || *longest == 1) return cuts;
    const int parts = smallest_prime_factor(*longest);
    cuts.push_back({static_cast<std::size_t>(longest - left.begin()), parts});
    *longest /= parts;
  }
}

}  // namespace

std::vector<std::vector<int>> box_sides(std::span<const int> extents) {
  std::vector<int> left(extents.begin(), extents.end());
  std::vector<std::vector<int>> sides;
  for (const Cut& cut : cuts_of(extents)) {
    left[cut.dimension] /= cut.parts;
    sides.push_back(left);
  }
  return sides;
}

NetworkShape box_shape(std::span<const int> extents) {
  const std::vector<Cut> cuts = cuts_of(extents);
  NetworkShape shape;
  NodeId nodes = 1;
  for (const Cut& cut : cuts) {
    shape.arity.push_back(cut.parts);
    nodes *= cut.parts;
  }
  if (shape.arity.empty()) shape.arity = {1};
  std::vector<int> digits(cuts.size(), 0);
  std::vector<int> place(extents.size());
  for (NodeId position = 0; position < nodes; ++position) {
    NodeId rest = position;
    for (std::size_t i = cuts.size(); i-- > 0; rest /= cuts[i].parts)
      digits[i] = rest % cuts[i].parts;
    std::fill(place.begin(), place.end(), 0);
    for (std::size_t i = 0; i < cuts.size(); ++i)
      place[cuts[i].dimension] = place[cuts[i].dimension] * cuts[i].parts + digits[i];
    NodeId node = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) node = node * extents[d] + place[d];
    shape.order.push_back(node);
  }
  return shape;
}

}  // namespace rankmap
