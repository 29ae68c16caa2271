#include "libmap/place/multilevel/tree_mapping.hpp"

#include "libmap/place/multilevel/grouping.hpp"
#include "libmap/place/multilevel/vcycle.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

struct Found {
  std::vector<Block> block;
  Weight value = 0;
};

class TreeMapper {
 public:
  TreeMapper(const WeightedGraph& graph, const TreeDistance& distance, std::span<const int> arity,
             std::span<const Weight> capacity, const MultilevelEffort& effort)
      : graph_(graph), distance_(distance), arity_(arity), capacity_(capacity), effort_(effort) {}

  Found once(std::uint64_t seed, int threads) const {
    Random random(seed);
    Found found;
    found.block =
        multisection(graph_, arity_, capacity_, effort_.multisection, random.next(), threads);
    Refiner<TreeDistance>(distance_, capacity_).repair(graph_, found.block);
    swap_blocks(found.block, random);
    refine(found.block, {}, random);
    if (is_full()) swap_vertices(found.block, random);
    found.value = weighted_distance(graph_, found.block, distance_);
    return found;
  }

  // Where every leaf takes one vertex. Leaves that stay empty have vertices without edges.
  Found from_inside_out(std::uint64_t seed) const {
    Random random(seed);
    Found found;
    const std::size_t vertices = graph_.vertex_weight.size();
    if (vertices == capacity_.size()) {
      found.block = group_inside_out(graph_, levels_that_differ());
    } else {
      WeightedGraph padded = graph_;
      padded.vertex_weight.resize(capacity_.size(), 1);
      padded.begin.resize(capacity_.size() + 1, padded.begin.back());
      found.block = group_inside_out(padded, levels_that_differ());
      found.block.resize(vertices);
    }
    swap_vertices(found.block, random);
    found.value = weighted_distance(graph_, found.block, distance_);
    return found;
  }

  bool is_one_to_one() const { return is_full() && takes_one_each(); }

  bool takes_one_each() const {
    const auto is_one = [](Weight weight) { return weight == 1; };
    return std::all_of(capacity_.begin(), capacity_.end(), is_one) &&
           std::all_of(graph_.vertex_weight.begin(), graph_.vertex_weight.end(), is_one);
  }

  Found combined(Found a, Found b, std::uint64_t seed) const {
    if (b.value < a.value) std::swap(a, b);
    Random random(seed);
    refine(a.block, b.block, random);
    a.value = weighted_distance(graph_, a.block, distance_);
    return a;
  }

 private:
  // Outermost first, levels of equal distance as one: how they are divided does not matter.
  std::vector<int> levels_that_differ() const {
    std::vector<int> arity;
    for (std::size_t i = 0; i < arity_.size(); ++i) {
      const std::size_t level = arity_.size() - 1 - i;
      const bool differs = i == 0 || distance_.distance(level) != distance_.distance(level + 1);
      if (differs)
        arity.push_back(arity_[i]);
      else
        arity.back() *= arity_[i];
    }
    return arity;
  }

  void refine(std::vector<Block>& block, std::span<const Block> other, Random& random) const {
    for (int i = 0; i < effort_.cycles; ++i)
      v_cycle(graph_, block, i == 0 ? other : std::span<const Block>(), distance_, capacity_,
              effort_.refine, random);
  }

  bool is_full() const {
    return std::accumulate(capacity_.begin(), capacity_.end(), Weight{0}) ==
           graph_.total_vertex_weight();
  }

  void swap_vertices(std::vector<Block>& block, Random& random) const {
    Swapper<TreeDistance>(graph_, block, distance_).run(effort_.swaps, random);
  }

  // Whole blocks change places where they have equal capacities.
  void swap_blocks(std::vector<Block>& block, Random& random) const {
    WeightedGraph quotient = contracted(graph_, block, static_cast<Vertex>(capacity_.size()));
    quotient.vertex_weight.assign(capacity_.begin(), capacity_.end());
    std::vector<Block> place(capacity_.size());
    for (std::size_t b = 0; b < place.size(); ++b) place[b] = static_cast<Block>(b);
    Swapper<TreeDistance> swapper(quotient, place, distance_);
    if (swapper.run({3, 400, 20, false}, random) == 0) return;
    for (Block& b : block) b = place[at(b)];
  }

  const WeightedGraph& graph_;
  const TreeDistance& distance_;
  std::span<const int> arity_;
  std::span<const Weight> capacity_;
  const MultilevelEffort& effort_;
};

}  // namespace

MultilevelEffort effort_of(Quality quality) {
  MultilevelEffort effort;
  PartitionEffort& partition = effort.multisection.partition;
  partition.refine.local_rounds = 1;
  switch (quality) {
    case Quality::fast:
      partition.tries = 2;
      partition.refine.passes = 1;
      break;
    case Quality::medium:
      effort.multisection.repetitions = {6, 3, 1};
      effort.cycles = 3;
      break;
    case Quality::strong:
      effort.multisection.repetitions = {24, 12, 4};
      partition.cycles = 3;
      effort.cycles = 3;
      break;
  }
  return effort;
}

std::vector<Block> map_to_tree(const WeightedGraph& graph, const TreeDistance& distance,
                               std::span<const int> arity_outermost_first,
                               std::span<const Weight> capacity, const MultilevelEffort& effort,
                               std::uint64_t seed, int threads) {
  const TreeMapper mapper(graph, distance, arity_outermost_first, capacity, effort);
  Random seeds(seed);
  if (effort.only_groups && mapper.takes_one_each())
    return mapper.from_inside_out(seeds.next()).block;
  Found best = mapper.once(seeds.next(), threads);
  for (int i = 1; i < effort.mappings; ++i) {
    Found next = mapper.once(seeds.next(), threads);
    best = mapper.combined(std::move(best), std::move(next), seeds.next());
  }
  if (mapper.is_one_to_one())
    if (Found other = mapper.from_inside_out(seeds.next()); other.value < best.value)
      best = std::move(other);
  return std::move(best.block);
}

}  // namespace rankmap
