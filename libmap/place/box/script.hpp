// Box scripts: one operation a line.
//   app = box 16 8 16        a box with ranks 0, 1, 2 ..., the last dimension fastest
//   net = machine            a box of the machine's places
//   old = copy net
//   app.tile 1 8 16          an operation on a whole box: operations.hpp
//   net[leaves].tilt x y 1   on every leaf; net[level 1]: on all parts one cut down
//   net[0,2][1,0].zorder     on one part, by the places in the grids of the cuts
//   net.map app              leaf by leaf; net then holds the ranks of app
//   # a comment
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "libmap/place/box/box.hpp"

namespace rankmap {

struct BoxScript {
  std::string text;    // empty: none was given
  std::string source;  // how errors name it
};

struct BoxScriptResult {
  struct Step {
    std::size_t line;
    std::string text;
    std::string effect;  // "16 leaves of 8x8x2x1"
  };
  std::string
      name;  // of the box that was mapped last; else of the last machine; else of the last box
  Box box;
  std::vector<Step> steps;
};

// Boxes of at most `most_cells` cells, at most 100 of them, cut into no more than 4 x most_cells
// parts in all; 10,000 lines. InputError says where and what was expected. O(lines x cells).
BoxScriptResult run_box_script(const BoxScript& script, std::span<const std::int64_t> machine,
                               std::int64_t most_cells);

}  // namespace rankmap
