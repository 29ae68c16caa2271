// Nodes of a torus or mesh by their coordinates, as Blue Gene map files name them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rankmap {

// The extents in the name of a machine, `torus:8x8x8,slots=4` -> 8, 8, 8; of its box= where it has
// one; empty: no torus or mesh, or a list of nodes of one.
std::vector<std::size_t> grid_extents(std::string_view machine);

// Row-major, the last dimension fastest. Empty: outside.
std::vector<std::size_t> coordinates(std::size_t node, const std::vector<std::size_t>& extents);
// The inverse; every coordinate must be below its extent.
std::size_t node_at(const std::vector<std::size_t>& place, const std::vector<std::size_t>& extents);

}  // namespace rankmap
