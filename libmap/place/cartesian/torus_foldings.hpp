// The foldings of a grid onto the torus or mesh of a machine, the promising ones first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "libmap/base/deadline.hpp"
#include "libmap/machine/network/torus.hpp"
#include "libmap/place/cartesian/folding.hpp"
#include "libmap/place/problem.hpp"

namespace rankmap {

// The slots of a node, and the ranks that share a slot, are one more dimension of the box that costs
// nothing.
class TorusFoldings {
 public:
  TorusFoldings(const Problem& problem, const Grid& grid, const Torus& torus);

  // Of the first `looked_at` foldings the `kept` best by two estimates from some of the edges, half by
  // each: hop-bytes, and of congestion the busiest dimension of the torus, its links all alike, else the
  // objective itself. All of them where they are no more than `kept`.
  std::vector<Folding> promising(std::size_t looked_at, std::size_t kept,
                                 const Deadline& deadline) const;
  // The slot of every rank; slots may be busy.
  std::vector<SlotId> slots(const Folding& folding) const;

 private:
  struct Cost {
    double value, hops;
  };
  Cost estimate(const Folding& folding) const;
  double way(Rank from, Rank to, std::size_t dimension) const;
  void take_sample();

  const Problem& problem_;
  const Grid& grid_;
  const Torus& torus_;
  std::vector<Rank> box_;
  Rank share_ = 1;                        // ranks of a slot
  std::vector<double> seconds_per_byte_;  // of each dimension: of all its links together
  std::vector<const Edge*> sample_;
};

}  // namespace rankmap
