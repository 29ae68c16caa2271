// topology/block: neighbouring blocks of nodes make larger blocks, of the sizes of BlockSizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libmap/machine/topology/switch_topology.hpp"

namespace rankmap {

struct Blocks {
  struct Size {
    std::uint32_t nodes;
    TextPosition where;
  };
  std::vector<int> members;  // the switches of the builder that are blocks, in order
  std::vector<Size> sizes;   // ascending, each once

  void add_size(std::uint32_t nodes, const TextPosition& where);
  // Puts a switch above each block of blocks, and one above all. InputError: a size that is not a
  // power of two times the first, switches that are no blocks beside blocks.
  void join(TopologyBuilder& switches, const std::string& source) const;
};

}  // namespace rankmap
