// What every rank exchanges with each of its peers, both ways together: the largest first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libmap/graph/comm_graph.hpp"

namespace rankmap {

// Two ranks and their bytes, both ways, all phases that were given. low < high; bytes > 0.
struct PairBytes {
  Rank low;
  Rank high;
  double bytes;
};

// By low, high; each pair once. O(edges log edges).
std::vector<PairBytes> pair_bytes(std::span<const Edge> edges);

class Peers {
 public:
  explicit Peers(std::span<const PairBytes> pairs);  // O(pairs log pairs)

  std::int64_t most() const { return most_; }  // peers of any rank
  // What cannot be avoided between groups of at most `peers` + 1 ranks: each rank has at most so
  // many peers in its own group, and at best they are its largest. Bytes both ways. O(ranks).
  double beyond(std::int64_t peers) const;

 private:
  std::vector<std::size_t> begin_{0};  // of the ranks with traffic, and the end
  std::vector<double> rest_;           // [i]: the i-th peer and the smaller ones of its rank
  std::int64_t most_ = 0;
};

}  // namespace rankmap
