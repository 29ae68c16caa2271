// Lanes between the members of a set: the graph in which rings and trees are packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "libmap/machine/machine.hpp"

namespace rankmap {

// A symmetric matrix of lanes, 0 on the diagonal. Each lane is one arc in either direction.
class LaneMatrix {
 public:
  explicit LaneMatrix(int size) : size_(size), lanes_(cells(size), 0) {}

  int size() const { return size_; }
  int at(int a, int b) const { return lanes_[index(a, b)]; }
  void set(int a, int b, int lanes) { lanes_[index(a, b)] = lanes_[index(b, a)] = lanes; }
  int degree(int a) const;
  std::int64_t total() const;  // every pair once
  // Every pair has the same number of lanes, at least one.
  bool complete() const;

 private:
  static std::size_t cells(int size) {
    return static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  }
  std::size_t index(int a, int b) const {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(size_) +
           static_cast<std::size_t>(b);
  }

  int size_;
  std::vector<int> lanes_;
};

// The global minimum cut (Stoer and Wagner 1997), 0 when disconnected; size >= 2. O(size^3).
// It is the partition bound of ring packing: the mean over the p parts of a partition of their cuts is
// 2 x crossing / p, no mean is below its least term, and {S, rest} has the mean cut(S).
std::int64_t minimum_cut(const LaneMatrix& lanes);

// What a set of slots of one node has: dedicated lanes with their speeds, or a switch domain.
struct SetLanes {
  struct Joint {
    int a;  // positions in the set, a < b
    int b;
    int lanes;
    BytesPerSecond lane_speed;  // achieved by one lane (NCCL)
  };
  struct SwitchDomain {
    int lanes;                  // the fewest of any member
    BytesPerSecond lane_speed;  // the slowest of any member
    bool equal_speeds;
  };
  int size = 0;
  std::vector<Joint> joints;
  std::optional<SwitchDomain> switch_domain;  // every member has lanes to the link switch
  std::vector<BytesPerSecond> lane_speeds;    // of joints, distinct, fastest first
  // Only lanes of at least this speed.
  LaneMatrix at_least(BytesPerSecond lane_speed) const;
};
SetLanes lanes_of(const Machine& machine, std::span<const int> set);

// Achieved bandwidth of a connection: of one lane, and of all lanes together.
BytesPerSecond achieved_by_lane(const Connection& connection);
BytesPerSecond achieved_by_all(const Connection& connection);

}  // namespace rankmap
