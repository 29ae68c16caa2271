#include "libmap/mapping/formats/grid.hpp"

#include <cstdint>
#include <optional>

#include "libmap/base/text.hpp"

namespace rankmap {

namespace {

// The value of a network's key, "" where it is not there.
std::string_view value_of(std::string_view machine, std::string_view key) {
  const std::size_t at = machine.find(key);
  if (at == machine.npos) return "";
  const std::string_view rest = machine.substr(at + key.size());
  return rest.substr(0, rest.find_first_of(", @"));
}

// The sides of box=0-3x0-3x5.
std::vector<std::size_t> box_sides(std::string_view box) {
  std::vector<std::size_t> sides;
  for (const std::string_view range : split(box, 'x')) {
    const std::size_t dash = range.find('-');
    const std::optional<std::uint64_t> first = parse_unsigned(range.substr(0, dash));
    const std::optional<std::uint64_t> last =
        dash == range.npos ? first : parse_unsigned(range.substr(dash + 1));
    if (!first || !last || *last < *first) return {};
    sides.push_back(static_cast<std::size_t>(*last - *first + 1));
  }
  return sides;
}

}  // namespace

std::vector<std::size_t> grid_extents(std::string_view machine) {
  constexpr std::uint64_t most_nodes = 1U << 30;
  if (machine.find(",part=") != machine.npos) return {};
  std::string_view dimensions;
  for (const std::string_view kind : {"torus:", "mesh:"})
    if (machine.starts_with(kind)) dimensions = machine.substr(kind.size());
  dimensions = dimensions.substr(0, dimensions.find_first_of(", @"));
  if (dimensions.empty()) return {};
  if (const std::string_view box = value_of(machine, ",box="); !box.empty()) return box_sides(box);
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
