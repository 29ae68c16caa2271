#include "libmap/place/multilevel/vcycle.hpp"

namespace rankmap {

std::vector<CoarseLevel> coarse_levels(const WeightedGraph& graph, std::vector<std::int64_t> labels,
                                       Vertex enough, Weight most_weight, Random& random) {
  constexpr double stalled = 0.95;
  std::vector<CoarseLevel> levels;
  const WeightedGraph* finest = &graph;
  while (finest->vertices() > enough) {
    CoarseLevel next = coarsen(*finest, labels, most_weight, random);
    if (next.graph.vertices() > stalled * finest->vertices()) break;
    labels = coarse_labels(next, labels);
    levels.push_back(std::move(next));
    finest = &levels.back().graph;
  }
  return levels;
}

std::vector<std::int64_t> labels_of(std::span<const Block> block, std::span<const Block> other) {
  std::vector<std::int64_t> labels(block.begin(), block.end());
  for (std::size_t v = 0; v < other.size(); ++v)
    labels[v] = labels[v] << 32 | static_cast<std::int64_t>(other[v]);
  return labels;
}

}  // namespace rankmap
