// A machine as nested blocks: its network's own, then the slots of a node.
#pragma once

#include <algorithm>
#include <vector>

#include "libmap/machine/machine.hpp"
#include "libmap/model/objective.hpp"
#include "libmap/place/multilevel/distances.hpp"

namespace rankmap {

struct MachineTree {
  std::vector<int> arity;       // outermost first; the product is the number of slots
  std::vector<SlotId> slot_of;  // of every leaf
  // What a byte costs between leaves of each level, outermost first: for hopbytes and congestion the
  // mean distance of slots that the level separates; for offnode whether it separates nodes.
  std::vector<Weight> distance;
  bool is_exact = false;  // the distances are those of every pair

  TreeDistance tree_distance() const;
};

// O(slots + levels x samples).
MachineTree machine_tree(const Machine& machine, ObjectiveKind objective);

// The true distance between leaves of a machine that is no tree. On tori from coordinates kept by
// leaf.
class MachineDistance {
 public:
  MachineDistance(const Machine& machine, const MachineTree& tree);

  Weight operator()(Block a, Block b) const {
    if (!sides_.empty())
      if (const Weight steps = torus_steps(a, b); steps != 0) return steps + ends_;
    return machine_.distance(tree_.slot_of[static_cast<std::size_t>(a)],
                             tree_.slot_of[static_cast<std::size_t>(b)]);
  }

 private:
  struct Side {
    int extent;
    bool is_ring;
  };

  Weight torus_steps(Block a, Block b) const {
    const int* const x = coordinates_.data() + static_cast<std::size_t>(a) * sides_.size();
    const int* const y = coordinates_.data() + static_cast<std::size_t>(b) * sides_.size();
    Weight steps = 0;
    for (std::size_t d = 0; d < sides_.size(); ++d) {
      const int line = x[d] < y[d] ? y[d] - x[d] : x[d] - y[d];
      steps += sides_[d].is_ring ? std::min(line, sides_[d].extent - line) : line;
    }
    return steps;
  }

  const Machine& machine_;
  const MachineTree& tree_;
  std::vector<Side> sides_;       // empty: the machine is asked
  std::vector<int> coordinates_;  // [leaf][dimension]
  Weight ends_ = 0;               // links between slots and the torus, both ends together
};

}  // namespace rankmap
