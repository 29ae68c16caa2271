// The algorithms of collective operations, for one communicator of n ranks numbered 0..n-1 (the
// root of bcast and reduce is 0). B is the key `bytes`. Each function emits the messages of one
// call. A buffer is cut into blocks as evenly as whole bytes allow: with k blocks the first B mod k
// have ceil(B/k) bytes, the others floor(B/k); so nothing is lost or added by rounding, and totals
// are exact.
#pragma once

#include <span>

#include "patterns/emitter.hpp"

namespace rankmap {

// One communicator: members in communicator order, at least two.
struct Communicator {
  std::span<const Rank> members;
  Bytes bytes;
  const TextPosition& where;  // of the part, for errors
  Emitter& emitter;

  Rank size() const { return static_cast<Rank>(members.size()); }
  void send(Rank from, Rank to, Bytes total_bytes, std::uint64_t messages) const {
    emitter.send(members[static_cast<std::size_t>(from)], members[static_cast<std::size_t>(to)],
                 total_bytes, messages);
  }
};

struct AlgorithmRow {
  std::string_view name;
  std::uint64_t (*edges)(std::uint64_t n);  // sends for n >= 2 members, exact
  bool power_of_two;                        // whether n must be one
  void (*run)(const Communicator& communicator);
};

// Sizes of the blocks of a buffer.
class Blocks {
 public:
  Blocks(Bytes bytes, std::uint64_t count) : bytes_(bytes), count_(count) {}
  Bytes begin(std::uint64_t block) const {  // where the block starts; begin(count) is the size
    return bytes_ / count_ * block + std::min(block, bytes_ % count_);
  }
  Bytes between(std::uint64_t first, std::uint64_t last) const {
    return begin(last) - begin(first);
  }
  Bytes of(std::uint64_t block) const { return between(block, block + 1); }

 private:
  Bytes bytes_;
  std::uint64_t count_;
};

std::span<const AlgorithmRow> alltoall_algorithms();
std::span<const AlgorithmRow> allgather_algorithms();
std::span<const AlgorithmRow> allreduce_algorithms();
std::span<const AlgorithmRow> bcast_algorithms();
std::span<const AlgorithmRow> reduce_algorithms();

}  // namespace rankmap
