// Matching, and the graph that it makes.
#include "libmap/place/multilevel/coarsen.hpp"

#include <numeric>

#include "libmap/base/ids.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

class Matching {
 public:
  Matching(const WeightedGraph& graph, std::span<const std::int64_t> labels, Weight most_weight)
      : graph_(graph),
        labels_(labels),
        most_weight_(most_weight),
        mate_(at(graph.vertices()), none) {}

  void match_neighbours(const std::vector<Vertex>& order) {
    for (const Vertex v : order) {
      if (mate_[at(v)] != none) continue;
      const Vertex best = best_neighbour(v);
      if (best != none) pair(v, best);
    }
  }

  // Leaves around one hub have no free neighbour, but each other.
  void match_two_hop(const std::vector<Vertex>& order) {
    std::vector<Vertex> waiting(at(graph_.vertices()), none);  // [hub] one that found no mate yet
    for (const Vertex v : order) {
      const Vertex hub = mate_[at(v)] == none ? heaviest_neighbour(v) : none;
      if (hub == none) continue;
      const Vertex other = waiting[at(hub)];
      if (other != none && may_pair(v, other)) {
        pair(v, other);
        waiting[at(hub)] = none;
      } else {
        waiting[at(hub)] = v;
      }
    }
  }

  Vertex coarse_vertices() const { return graph_.vertices() - pairs_; }

  std::vector<Vertex> coarse_of() const {
    std::vector<Vertex> result(mate_.size(), none);
    Vertex next = 0;
    for (Vertex v = 0; v < graph_.vertices(); ++v) {
      if (result[at(v)] != none) continue;
      result[at(v)] = next;
      if (mate_[at(v)] != none) result[at(mate_[at(v)])] = next;
      ++next;
    }
    return result;
  }

 private:
  bool may_pair(Vertex a, Vertex b) const {
    return (labels_.empty() || labels_[at(a)] == labels_[at(b)]) &&
           graph_.vertex_weight[at(a)] + graph_.vertex_weight[at(b)] <= most_weight_;
  }

  void pair(Vertex a, Vertex b) {
    mate_[at(a)] = b;
    mate_[at(b)] = a;
    ++pairs_;
  }

  Vertex best_neighbour(Vertex v) const {
    double best_rating = -1;
    Vertex best = none;
    for (std::size_t arc = graph_.begin_of(v); arc < graph_.end_of(v); ++arc) {
      const Vertex to = graph_.neighbour[arc];
      if (mate_[at(to)] != none || !may_pair(v, to)) continue;
      const double weight = static_cast<double>(graph_.edge_weight[arc]);
      const double rating = weight * weight / static_cast<double>(graph_.vertex_weight[at(to)]);
      if (rating <= best_rating) continue;
      best_rating = rating;
      best = to;
    }
    return best;
  }

  Vertex heaviest_neighbour(Vertex v) const {
    Weight most = 0;
    Vertex heaviest = none;
    for (std::size_t arc = graph_.begin_of(v); arc < graph_.end_of(v); ++arc) {
      if (graph_.edge_weight[arc] <= most) continue;
      most = graph_.edge_weight[arc];
      heaviest = graph_.neighbour[arc];
    }
    return heaviest;
  }

  const WeightedGraph& graph_;
  std::span<const std::int64_t> labels_;
  Weight most_weight_;
  std::vector<Vertex> mate_;
  Vertex pairs_ = 0;
};

}  // namespace

CoarseLevel coarsen(const WeightedGraph& graph, std::span<const std::int64_t> labels,
                    Weight most_weight, Random& random) {
  std::vector<Vertex> order(at(graph.vertices()));
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  Matching matching(graph, labels, most_weight);
  matching.match_neighbours(order);
  if (matching.coarse_vertices() > graph.vertices() / 4 * 3) matching.match_two_hop(order);
  CoarseLevel level;
  level.coarse_of = matching.coarse_of();
  level.graph = contracted(graph, level.coarse_of, matching.coarse_vertices());
  return level;
}

std::vector<std::int64_t> coarse_labels(const CoarseLevel& level,
                                        std::span<const std::int64_t> labels) {
  std::vector<std::int64_t> result(labels.empty() ? 0 : at(level.graph.vertices()));
  for (std::size_t v = 0; v < labels.size(); ++v) result[at(level.coarse_of[v])] = labels[v];
  return result;
}

}  // namespace rankmap
