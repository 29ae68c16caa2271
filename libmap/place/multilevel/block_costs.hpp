// What a vertex would cost in any block: the sum over the blocks of its neighbours of bytes times
// distance. One class a distance; all work on the same two arrays of the refiner.
#pragma once

#include <span>
#include <vector>

#include "libmap/place/multilevel/distances.hpp"

namespace rankmap {

// The bytes of one vertex to each block, and which blocks that are.
struct BlockShares {
  explicit BlockShares(std::size_t blocks) : share(blocks, 0) {}

  void add(Block block, Weight bytes) {
    if (share[static_cast<std::size_t>(block)] == 0) touched.push_back(block);
    share[static_cast<std::size_t>(block)] += bytes;
  }
  void clear() {
    for (const Block block : touched) share[static_cast<std::size_t>(block)] = 0;
    touched.clear();
  }
  Weight of(Block block) const { return share[static_cast<std::size_t>(block)]; }

  std::vector<Weight> share;
  std::vector<Block> touched;
};

template <class Distance>
class BlockCosts {
 public:
  explicit BlockCosts(const Distance& distance) : distance_(distance) {}
  void prepare(const BlockShares& shares) { shares_ = &shares; }
  Weight of(Block block) const {
    Weight cost = 0;
    for (const Block other : shares_->touched)
      cost += shares_->of(other) * static_cast<Weight>(distance_(block, other));
    return cost;
  }
  void done() {}

 private:
  const Distance& distance_;
  const BlockShares* shares_ = nullptr;
};

template <>
class BlockCosts<CutDistance> {
 public:
  explicit BlockCosts(const CutDistance&) {}
  void prepare(const BlockShares& shares) { shares_ = &shares; }
  Weight of(Block block) const { return -shares_->of(block); }  // up to a constant
  void done() {}

 private:
  const BlockShares* shares_ = nullptr;
};

// With many blocks around a vertex, by the sums of their groups: a level of the tree adds its distance
// for what lies outside the group below. O(touched x levels) instead of O(touched^2).
template <>
class BlockCosts<TreeDistance> {
 public:
  explicit BlockCosts(const TreeDistance& distance) : distance_(distance) {
    for (std::size_t level = 0; level < distance.levels(); ++level)
      groups_.emplace_back(static_cast<std::size_t>(distance.blocks() / distance.group_size(level)),
                           0);
  }

  void prepare(const BlockShares& shares) {
    shares_ = &shares;
    by_groups_ = shares.touched.size() > few_blocks;
    if (!by_groups_) return;
    for (const Block block : shares.touched)
      for (std::size_t level = 0; level < groups_.size(); ++level)
        group(level, block) += shares.of(block);
  }

  Weight of(Block block) const {
    if (by_groups_) return by_groups(block);
    Weight cost = 0;
    for (const Block other : shares_->touched) cost += shares_->of(other) * distance_(block, other);
    return cost;
  }

  void done() {
    if (!by_groups_) return;
    for (const Block block : shares_->touched)
      for (std::size_t level = 0; level < groups_.size(); ++level) group(level, block) = 0;
  }

 private:
  static constexpr std::size_t few_blocks = 8;

  Weight& group(std::size_t level, Block block) {
    return groups_[level][static_cast<std::size_t>(block / distance_.group_size(level))];
  }
  Weight by_groups(Block block) const {
    Weight cost = 0, inside = shares_->of(block);
    for (std::size_t level = 0; level < groups_.size(); ++level) {
      const Weight around =
          groups_[level][static_cast<std::size_t>(block / distance_.group_size(level))];
      cost += (around - inside) * distance_.distance(level);
      inside = around;
    }
    return cost;
  }

  const TreeDistance& distance_;
  const BlockShares* shares_ = nullptr;
  bool by_groups_ = false;
  std::vector<std::vector<Weight>> groups_;  // [level][group]
};

}  // namespace rankmap
