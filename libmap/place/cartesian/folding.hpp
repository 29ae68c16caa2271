// A grid folded onto a torus or mesh: each of its dimensions walks parts of the machine's dimensions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "libmap/place/cartesian/grid.hpp"

namespace rankmap {

// One part of a dimension of the machine, walked by one dimension of the grid. What a machine's
// dimension is made of are digits of a mixed radix; what a grid's dimension is made of are the same
// digits, of a reflected Gray code: a step changes one digit by one.
struct Digit {
  std::size_t grid_dimension;
  std::size_t machine_dimension;
  Rank radix;
};

struct Folding {
  std::vector<Digit> digits;
  std::vector<std::vector<std::size_t>> of_grid;  // [grid dimension] its digits, fastest first
  std::vector<std::vector<std::size_t>>
      of_machine;  // [machine dimension] its digits, outermost first
  // Of each machine dimension: a digit runs backwards where the digits outside it are at an odd place,
  // so that its ends meet.
  std::vector<char> snake;

  std::string text() const;  // "x over x:8 z:2, y over y:8 z:4"
};

// Every folding of a grid into a box of these extents, the fewest digits first, until `take` returns
// false. Digits divide what is left of the grid's dimension, or fill what is left of the machine's. An
// extent of the box may stay unused in part. Exponential: it ends after 2^21 digits that were tried.
void each_folding(const Grid& grid, const std::vector<Rank>& box,
                  const std::function<bool(const Folding&)>& take);

// Where ranks go under one folding.
class Folded {
 public:
  Folded(const Grid& grid, const Folding& folding);  // O(digits x sum of extents)
  // The place of a rank in every dimension of the machine. O(digits).
  void place(Rank rank, std::vector<Rank>& coordinates) const;

 private:
  struct Walk {
    Rank stride, extent;
    std::vector<Rank> digits;  // [coordinate][digit of the dimension]
  };
  const Folding& folding_;
  std::vector<Walk> walks_;
  struct Source {
    std::size_t walk, index;
  };
  std::vector<Source> sources_;  // of each digit
};

}  // namespace rankmap
