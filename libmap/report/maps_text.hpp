// Map files for people: one as a table, several side by side.
#pragma once

#include <string>
#include <vector>

#include "libmap/mapping/map_file.hpp"

namespace rankmap {

struct NamedMap {
  std::string name;
  MapFile map;
};

// "" for no maps. Several maps give one row a rank with `host:gpu` (or cpus) of each, and a mark where
// they differ.
std::string maps_text(const std::vector<NamedMap>& maps);

}  // namespace rankmap
