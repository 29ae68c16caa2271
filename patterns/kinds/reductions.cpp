// Algorithms of allreduce, bcast and reduce of a buffer of B bytes.
// Sources: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
// operations in MPICH", IJHPCA 19(1), 2005, for binomial trees, recursive doubling and
// Rabenseifner's algorithm; P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms", JPDC
// 69(2), 2009, for the ring.
#include <array>
#include <bit>

#include "patterns/kinds/algorithms.hpp"

namespace rankmap {
namespace {

std::uint64_t edges_direct(std::uint64_t n) {
  return n * (n - 1);
}
std::uint64_t edges_ring(std::uint64_t n) {
  return n;
}
std::uint64_t edges_rooted(std::uint64_t n) {
  return n - 1;
}
std::uint64_t edges_up_and_down(std::uint64_t n) {
  return 2 * (n - 1);
}

// The largest power of two p <= n exchanges in log2 p steps; the n - p ranks beyond it hand their
// buffer to a neighbour first and get the result back.
std::uint64_t edges_folded(std::uint64_t n) {
  const std::uint64_t p = std::bit_floor(n);
  return p * static_cast<std::uint64_t>(std::countr_zero(p)) + 2 * (n - p);
}

Rank ring_parent(Rank i) {
  return i - 1;
}
Rank tree_parent(Rank i) {
  return (i - 1) / 2;
}
Rank binomial_parent(Rank i) {
  return i & (i - 1);
}  // the lowest set bit cleared
Rank root(Rank) {
  return 0;
}

// bcast: parent -> child, B each. n-1 messages.
template <Rank (*parent)(Rank)>
void downward(const Communicator& communicator) {
  for (Rank i = 1; i < communicator.size(); ++i)
    communicator.send(parent(i), i, communicator.bytes, 1);
}

// reduce: child -> parent, B each. n-1 messages.
template <Rank (*parent)(Rank)>
void upward(const Communicator& communicator) {
  for (Rank i = 1; i < communicator.size(); ++i)
    communicator.send(i, parent(i), communicator.bytes, 1);
}

// allreduce: a reduce and then a bcast on the same tree. 2(n-1) messages of B.
template <Rank (*parent)(Rank)>
void up_and_down(const Communicator& communicator) {
  upward<parent>(communicator);
  downward<parent>(communicator);
}

// Each rank sends its buffer to every other: n(n-1) messages of B.
void allreduce_direct(const Communicator& communicator) {
  for (Rank from = 0; from < communicator.size(); ++from)
    for (Rank to = 0; to < communicator.size(); ++to)
      if (from != to) communicator.send(from, to, communicator.bytes, 1);
}

// n blocks. Reduce-scatter: rank r sends the blocks r, r-1, ... r-n+2, all but block r+1;
// allgather: all but block r+2. To its successor go 2(n-1) messages with 2B - |block r+1| - |block
// r+2|; all ranks together send 2(n-1)B.
void allreduce_ring(const Communicator& communicator) {
  const auto n = static_cast<std::uint64_t>(communicator.size());
  const Blocks blocks(communicator.bytes, n);
  for (std::uint64_t r = 0; r < n; ++r)
    communicator.send(static_cast<Rank>(r), static_cast<Rank>((r + 1) % n),
                      2 * communicator.bytes - blocks.of((r + 1) % n) - blocks.of((r + 2) % n),
                      2 * (n - 1));
}

// Makes a power of two: of the first 2(n-p) ranks the even ones send B to the next rank, sit out,
// and get B back. Returns who takes part, p ranks.
std::vector<Rank> fold(const Communicator& communicator) {
  const auto p = static_cast<Rank>(std::bit_floor(static_cast<std::uint32_t>(communicator.size())));
  const Rank folded = 2 * (communicator.size() - p);
  std::vector<Rank> active;
  for (Rank i = 0; i < folded; i += 2) {
    communicator.send(i, i + 1, communicator.bytes, 1);
    communicator.send(i + 1, i, communicator.bytes, 1);
    active.push_back(i + 1);
  }
  for (Rank i = folded; i < communicator.size(); ++i) active.push_back(i);
  return active;
}

// Step k: i and i xor 2^k exchange whole buffers; p log2 p messages of B, plus folding.
void allreduce_doubling(const Communicator& communicator) {
  const std::vector<Rank> active = fold(communicator);
  for (std::size_t distance = 1; distance < active.size(); distance *= 2)
    for (std::size_t i = 0; i < active.size(); ++i)
      communicator.send(active[i], active[i ^ distance], communicator.bytes, 1);
}

// p blocks, p a power of two. Reduce-scatter, step k: i has an interval of p/2^k blocks, keeps the
// half that bit k of i names and sends the other to i xor 2^k. The allgather goes back the same way
// and sends what was kept. So in step k one edge carries the whole interval in 2 messages, and all
// together carry p B (1 + 1/2 + ... + 2/p) = 2(p-1)B, plus folding.
void allreduce_rabenseifner(const Communicator& communicator) {
  const std::vector<Rank> active = fold(communicator);
  const Blocks blocks(communicator.bytes, active.size());
  for (std::size_t i = 0; i < active.size(); ++i) {
    std::size_t first = 0;
    std::size_t width = active.size();
    for (std::size_t distance = 1; distance < active.size(); distance *= 2) {
      communicator.send(active[i], active[i ^ distance], blocks.between(first, first + width), 2);
      width /= 2;
      if ((i & distance) != 0) first += width;
    }
  }
}

constexpr std::array allreduce = {
    AlgorithmRow{"ring", edges_ring, false, allreduce_ring},
    AlgorithmRow{"direct", edges_direct, false, allreduce_direct},
    AlgorithmRow{"tree", edges_up_and_down, false, up_and_down<tree_parent>},
    AlgorithmRow{"binomial", edges_up_and_down, false, up_and_down<binomial_parent>},
    AlgorithmRow{"recursive-doubling", edges_folded, false, allreduce_doubling},
    AlgorithmRow{"rabenseifner", edges_folded, false, allreduce_rabenseifner},
};

constexpr std::array bcast = {
    AlgorithmRow{"binomial", edges_rooted, false, downward<binomial_parent>},
    AlgorithmRow{"direct", edges_rooted, false, downward<root>},
    AlgorithmRow{"ring", edges_rooted, false, downward<ring_parent>},
    AlgorithmRow{"tree", edges_rooted, false, downward<tree_parent>},
};

constexpr std::array reduce = {
    AlgorithmRow{"binomial", edges_rooted, false, upward<binomial_parent>},
    AlgorithmRow{"direct", edges_rooted, false, upward<root>},
    AlgorithmRow{"ring", edges_rooted, false, upward<ring_parent>},
    AlgorithmRow{"tree", edges_rooted, false, upward<tree_parent>},
};

}  // namespace

std::span<const AlgorithmRow> allreduce_algorithms() {
  return allreduce;
}
std::span<const AlgorithmRow> bcast_algorithms() {
  return bcast;
}
std::span<const AlgorithmRow> reduce_algorithms() {
  return reduce;
}

}  // namespace rankmap
