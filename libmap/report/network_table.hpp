// A machine's network as a table for people.
#pragma once

#include <string>

#include "libmap/machine/machine.hpp"

namespace rankmap {

// Its text, its nested blocks, and how many links of each kind and speed it has; "" without one.
// O(links).
std::string network_table(const Machine& machine);

}  // namespace rankmap
