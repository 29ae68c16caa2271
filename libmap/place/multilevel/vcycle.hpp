// V-cycles: coarsen without mixing what differs, refine on every level on the way back.
#pragma once

#include <vector>

#include "libmap/place/multilevel/coarsen.hpp"
#include "libmap/place/multilevel/refiner.hpp"

namespace rankmap {

// Coarser and coarser graphs, none merging vertices of different labels, until at most `enough` vertices
// are left or nothing shrinks any more.
std::vector<CoarseLevel> coarse_levels(const WeightedGraph& graph, std::vector<std::int64_t> labels,
                                       Vertex enough, Weight most_weight, Random& random);

// The labels that keep each block of `block` together; with `other` as well, each piece in which two
// mappings agree, so that refinement chooses between them.
std::vector<std::int64_t> labels_of(std::span<const Block> block, std::span<const Block> other);

// The heaviest that a vertex may get while coarsening for this many blocks.
inline Weight most_coarse_weight(const WeightedGraph& graph, std::size_t blocks) {
  return std::max<Weight>(1, graph.total_vertex_weight() / (20 * static_cast<Weight>(blocks)));
}

// Improves `block` (of every vertex) by one V-cycle; never worse. `other`: empty, or a mapping whose good
// parts are taken over. Returns what was gained.
template <class Distance>
Weight v_cycle(const WeightedGraph& graph, std::vector<Block>& block, std::span<const Block> other,
               const Distance& distance, std::span<const Weight> capacity, RefineEffort effort,
               Random& random) {
  const Vertex enough =
      static_cast<Vertex>(std::max<std::size_t>(20 * capacity.size(), std::size_t{1000}));
  const std::vector<CoarseLevel> levels = coarse_levels(
      graph, labels_of(block, other), enough, most_coarse_weight(graph, capacity.size()), random);
  std::vector<std::vector<Block>> blocks{block};
  for (const CoarseLevel& level : levels) {
    std::vector<Block> coarse(static_cast<std::size_t>(level.graph.vertices()));
    for (std::size_t v = 0; v < level.coarse_of.size(); ++v)
      coarse[static_cast<std::size_t>(level.coarse_of[v])] = blocks.back()[v];
    blocks.push_back(std::move(coarse));
  }
  Refiner<Distance> refiner(distance, capacity);
  RefineEffort coarsest = effort;
  coarsest.patience = std::max(effort.patience, 0.05);
  Weight gained = 0;
  for (std::size_t i = levels.size() + 1; i-- > 0;) {
    const WeightedGraph& here = i == 0 ? graph : levels[i - 1].graph;
    gained += refiner.refine(here, blocks[i], i == levels.size() ? coarsest : effort, random);
    if (i == 0) break;
    for (std::size_t v = 0; v < levels[i - 1].coarse_of.size(); ++v)
      blocks[i - 1][v] = blocks[i][static_cast<std::size_t>(levels[i - 1].coarse_of[v])];
  }
  block = std::move(blocks[0]);
  return gained;
}

}  // namespace rankmap
