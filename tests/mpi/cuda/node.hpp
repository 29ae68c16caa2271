// The node of the matrix: five GPUs made of files, four ranks planned on four of them.
#pragma once

#include <string>
#include <vector>

#include "libmap/mapping/map_file.hpp"

namespace rankmap::cuda {

struct Gpu {
  const char* bus_id;
  const char* uuid;
  int minor;  // not in PCI order, as on real nodes
};

inline constexpr Gpu gpus[] = {{"0000:07:00.0", "GPU-aaaa1111-0000", 4},
                               {"0000:0a:00.0", "GPU-bbbb2222-0000", 2},
                               {"0000:47:00.0", "GPU-cccc3333-0000", 0},
                               {"0000:4e:00.0", "GPU-dddd4444-0000", 3},
                               {"0000:87:00.0", "GPU-eeee5555-0000", 1}};
inline constexpr int planned[] = {3, 1, 4, 2};  // index of the GPU by rank
inline constexpr int ranks = 4;

// What a job finds where it starts.
struct Situation {
  const char* name;
  const char* words;        // for people
  const char* list;         // CUDA_VISIBLE_DEVICES as inherited; nullptr: not set
  std::vector<int> closed;  // GPUs whose nodes in /dev are not there
  bool unlike;              // the last two GPUs are of a faster model
};

// Makes the node's files under a folder that is empty or has a node of before.
void make_node(const std::string& root, const Situation& situation);

MapFile make_map();

// The bus id of the GPU whose node is this one, "" unknown.
std::string bus_id_of_node(const std::string& node);

}  // namespace rankmap::cuda
