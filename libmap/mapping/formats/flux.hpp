// The blocks of a Flux task map.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rankmap {

// "[[0,2,1,4]]" for 0,1,0,1,0,1,0,1: node numbers by task, in as few blocks as reading on gives. O(tasks).
std::string flux_blocks(const std::vector<std::size_t>& node_of_task);

}  // namespace rankmap
