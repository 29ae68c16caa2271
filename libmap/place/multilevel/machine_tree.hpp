// A machine as nested blocks: its network's own, then the slots of a node.
#pragma once

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

// The true distance between leaves of a machine that is no tree.
class MachineDistance {
 public:
  MachineDistance(const Machine& machine, const MachineTree& tree)
      : machine_(machine), tree_(tree) {}
  Weight operator()(Block a, Block b) const {
    return machine_.distance(tree_.slot_of[static_cast<std::size_t>(a)],
                             tree_.slot_of[static_cast<std::size_t>(b)]);
  }

 private:
  const Machine& machine_;
  const MachineTree& tree_;
};

}  // namespace rankmap
