#include "libmap/mapping/formats/grid.hpp"

#include <cstdint>
#include <optional>

#include "libmap/base/text.hpp"

namespace rankmap {

std::vector<std::size_t> grid_extents(std::string_view machine) {
  constexpr std::uint64_t most_nodes = 1U << 30;
  std::string_view dimensions;
  for (const std::string_view kind : {"torus:", "mesh:"})
    if (machine.starts_with(kind)) dimensions = machine.substr(kind.size());
  dimensions = dimensions.substr(0, dimensions.find_first_of(", @"));
  if (dimensions.empty()) return {};
  std::vector<std::size_t> extents;
  std::uint64_t nodes = 1;
  for (const std::string_view item : split(dimensions, 'x')) {
    const std::optional<std::uint64_t> extent = parse_unsigned(item);
    if (!extent || *extent == 0 || *extent > most_nodes / nodes) return {};
    nodes *= *extent;
    extents.push_back(static_cast<std::size_t>(*extent));
  }
  return extents;
}

std::vector<std::size_t> coordinates(std::size_t node, const std::vector<std::size_t>& extents) {
  std::vector<std::size_t> place(extents.size());
  for (std::size_t i = extents.size(); i-- > 0;) {
    place[i] = node % extents[i];
    node /= extents[i];
  }
  return node == 0 ? place : std::vector<std::size_t>();
}

std::size_t node_at(const std::vector<std::size_t>& place,
                    const std::vector<std::size_t>& extents) {
  std::size_t node = 0;
  for (std::size_t i = 0; i < extents.size(); ++i) node = node * extents[i] + place[i];
  return node;
}

}  // namespace rankmap
