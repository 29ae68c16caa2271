#include "libmap/place/multilevel/machine_tree.hpp"

#include <algorithm>
#include <cmath>

#include "libmap/base/random.hpp"
#include "libmap/machine/network/torus.hpp"

namespace rankmap {
namespace {

// Wide levels are cut in steps: parts of at most this number where the arity has such factors.
constexpr int wide = 16;

void append_level(std::vector<int>& arity, int children) {
  while (children > wide) {
    int factor = wide;
    while (factor > 1 && children % factor != 0) --factor;
    if (factor == 1) break;
    arity.push_back(factor);
    children /= factor;
  }
  if (children > 1) arity.push_back(children);
}

struct Sample {
  double mean = 0;
  bool constant = true;
};

// Distances of leaves whose blocks part at this level: `block` leaves around, `child` in each part.
Sample sampled(const Machine& machine, const MachineTree& tree, std::int64_t block,
               std::int64_t child, Random& random) {
  constexpr int samples = 256;
  const std::int64_t leaves = static_cast<std::int64_t>(tree.slot_of.size());
  const auto below = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
  };
  Sample result;
  int first = -1;
  for (int i = 0; i < samples; ++i) {
    const std::int64_t base = below(leaves / block) * block;
    const std::int64_t part = below(block / child);
    const std::int64_t other = (part + 1 + below(block / child - 1)) % (block / child);
    const auto leaf = [&](std::int64_t p) {
      return tree.slot_of[static_cast<std::size_t>(base + p * child + below(child))];
    };
    const int distance = machine.distance(leaf(part), leaf(other));
    if (first < 0) first = distance;
    result.constant = result.constant && distance == first;
    result.mean += static_cast<double>(distance) / samples;
  }
  return result;
}

void set_distances(MachineTree& tree, const Machine& machine, ObjectiveKind objective) {
  Random random(1);
  tree.is_exact = true;
  std::int64_t block = static_cast<std::int64_t>(tree.slot_of.size());
  for (const int children : tree.arity) {
    const std::int64_t child = block / children;
    if (objective == ObjectiveKind::offnode) {
      tree.distance.push_back(block > machine.slots_per_node() ? 1 : 0);
    } else {
      const Sample sample = sampled(machine, tree, block, child, random);
      tree.is_exact = tree.is_exact && sample.constant;
      tree.distance.push_back(static_cast<Weight>(std::lround(sample.mean)));
    }
    block = child;
  }
  // Farther out is never nearer: what a sample says otherwise is evened out.
  for (std::size_t level = tree.distance.size(); level-- > 1;) {
    if (tree.distance[level - 1] >= tree.distance[level]) continue;
    tree.distance[level - 1] = tree.distance[level];
    tree.is_exact = false;
  }
}

}  // namespace

TreeDistance MachineTree::tree_distance() const {
  return TreeDistance({arity.rbegin(), arity.rend()}, {distance.rbegin(), distance.rend()});
}

MachineTree machine_tree(const Machine& machine, ObjectiveKind objective) {
  MachineTree tree;
  NetworkShape shape;
  if (machine.network() != nullptr && machine.network()->nodes() == machine.nodes())
    shape = machine.network()->shape();
  if (shape.arity.empty()) shape.arity = {machine.nodes()};
  for (const int children : shape.arity) append_level(tree.arity, children);
  append_level(tree.arity, machine.slots_per_node());
  if (tree.arity.empty()) tree.arity.push_back(1);
  tree.slot_of.reserve(static_cast<std::size_t>(machine.slots()));
  for (NodeId position = 0; position < machine.nodes(); ++position) {
    const NodeId node =
        shape.order.empty() ? position : shape.order[static_cast<std::size_t>(position)];
    for (int local = 0; local < machine.slots_per_node(); ++local)
      tree.slot_of.push_back(machine.slot_at(node, local));
  }
  set_distances(tree, machine, objective);
  return tree;
}

namespace {

// Links of the ways from a slot to the torus and back, where they are as many for all slots; else
// none.
int ends_on(const Machine& machine, const Torus& torus) {
  const SlotId a_node = machine.slots_per_node();
  const int ends = machine.distance(0, a_node) - torus.hops(0, 1);
  for (SlotId slot = 0; slot < a_node; ++slot) {
    const bool same = machine.distance(slot, a_node) - torus.hops(0, 1) == ends &&
                      machine.distance(0, a_node + slot) - torus.hops(0, 1) == ends;
    if (!same) return none;
  }
  return ends;
}

}  // namespace

MachineDistance::MachineDistance(const Machine& machine, const MachineTree& tree)
    : machine_(machine), tree_(tree) {
  const auto* const torus = dynamic_cast<const Torus*>(machine.network());
  if (torus == nullptr || machine.nodes() < 2 || machine.nodes() != torus->nodes()) return;
  const int ends = ends_on(machine, *torus);
  if (ends == none) return;
  ends_ = ends;
  const std::vector<int>& extents = torus->extents();
  for (std::size_t d = 0; d < extents.size(); ++d)
    sides_.push_back({extents[d], torus->is_ring(d)});
  coordinates_.resize(tree.slot_of.size() * extents.size());
  for (std::size_t leaf = 0; leaf < tree.slot_of.size(); ++leaf) {
    NodeId rest = machine.node_of(tree.slot_of[leaf]);
    for (std::size_t d = extents.size(); d-- > 0; rest /= extents[d])
      coordinates_[leaf * extents.size() + d] = rest % extents[d];
  }
}

}  // namespace rankmap
