// Algorithms of alltoall (B: what each rank sends to each other) and allgather (B: what each
// gives).
#include <array>

#include "patterns/kinds/algorithms.hpp"

namespace rankmap {
namespace {

std::uint64_t edges_direct(std::uint64_t n) {
  return n * (n - 1);
}
std::uint64_t edges_ring(std::uint64_t n) {
  return n;
}
std::uint64_t edges_doubling(std::uint64_t n) {
  std::uint64_t edges = 0;
  for (std::uint64_t distance = 1; distance < n; distance *= 2) edges += n;
  return edges;
}

// Each rank sends B to every other.
void direct(const Communicator& communicator) {
  for (Rank from = 0; from < communicator.size(); ++from)
    for (Rank to = 0; to < communicator.size(); ++to)
      if (from != to) communicator.send(from, to, communicator.bytes, 1);
}

void along_ring(const Communicator& communicator, Bytes bytes, std::uint64_t messages) {
  for (Rank i = 0; i < communicator.size(); ++i)
    communicator.send(i, (i + 1) % communicator.size(), bytes, messages);
}

// In step s of n-1 each rank passes the n-s blocks on that are not at home yet: (n-1) + ... + 1 =
// n(n-1)/2 blocks in n-1 messages to its successor.
void alltoall_ring(const Communicator& communicator) {
  const auto n = static_cast<std::uint64_t>(communicator.size());
  along_ring(communicator, checked_product(communicator.bytes, n * (n - 1) / 2, communicator.where),
             n - 1);
}

// Each rank passes every block on but the one that is its successor's own: (n-1) B in n-1 messages.
void allgather_ring(const Communicator& communicator) {
  const auto n = static_cast<std::uint64_t>(communicator.size());
  along_ring(communicator, checked_product(communicator.bytes, n - 1, communicator.where), n - 1);
}

// Step k: i and i xor 2^k exchange the 2^k blocks that each has by then.
void allgather_doubling(const Communicator& communicator) {
  for (Rank distance = 1; distance < communicator.size(); distance *= 2) {
    const Bytes bytes = checked_product(communicator.bytes, static_cast<std::uint64_t>(distance),
                                        communicator.where);
    for (Rank i = 0; i < communicator.size(); ++i) communicator.send(i, i ^ distance, bytes, 1);
  }
}

constexpr std::array alltoall = {
    AlgorithmRow{"direct", edges_direct, false, direct},
    AlgorithmRow{"ring", edges_ring, false, alltoall_ring},
};

constexpr std::array allgather = {
    AlgorithmRow{"ring", edges_ring, false, allgather_ring},
    AlgorithmRow{"direct", edges_direct, false, direct},
    AlgorithmRow{"recursive-doubling", edges_doubling, true, allgather_doubling},
};

}  // namespace

std::span<const AlgorithmRow> alltoall_algorithms() {
  return alltoall;
}
std::span<const AlgorithmRow> allgather_algorithms() {
  return allgather;
}

}  // namespace rankmap
