#include "libmap/place/multilevel/multisection.hpp"

#include <algorithm>
#include <cmath>

#include "libmap/place/multilevel/parallel.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

struct Task {
  WeightedGraph graph;
  std::vector<Vertex> vertex_of;  // in the whole graph
  Block first_leaf;
  std::uint64_t seed;
};

class Multisection {
 public:
  Multisection(std::span<const int> arity, std::span<const Weight> capacity,
               const MultisectionEffort& effort, std::size_t vertices)
      : arity_(arity), effort_(effort), leaf_(vertices, 0) {
    sum_.assign(1, 0);
    for (const Weight one : capacity) sum_.push_back(sum_.back() + one);
  }

  // Level by level, so that the blocks of one are done side by side.
  std::vector<Block> run(const WeightedGraph& graph, std::uint64_t seed, int threads) {
    std::vector<Vertex> all(at(graph.vertices()));
    for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<Vertex>(v);
    std::vector<Task> tasks;
    tasks.push_back({graph, std::move(all), 0, seed});
    Block leaves = static_cast<Block>(sum_.size() - 1);
    for (std::size_t level = 0; level < arity_.size(); ++level) {
      leaves /= arity_[level];
      std::vector<std::vector<Task>> children(tasks.size());
      parallel_for(tasks.size(), threads,
                   [&](std::size_t i) { children[i] = cut(std::move(tasks[i]), level, leaves); });
      tasks.clear();
      for (std::vector<Task>& some : children)
        for (Task& one : some) tasks.push_back(std::move(one));
    }
    return std::move(leaf_);
  }

 private:
  Weight capacity_of(Block first, Block leaves) const {
    return sum_[at(first + leaves)] - sum_[at(first)];
  }

  PartitionEffort effort_at(std::size_t level) const {
    PartitionEffort effort = effort_.partition;
    effort.repetitions = effort_.repetitions[std::min(level, effort_.repetitions.size() - 1)];
    return effort;
  }

  // The room that is left is spent evenly over the levels that are still to be cut.
  std::vector<Task> cut(Task task, std::size_t level, Block leaves) {
    const int parts = arity_[level];
    const Weight total = task.graph.total_vertex_weight();
    const double all = static_cast<double>(capacity_of(task.first_leaf, leaves * parts));
    const double room = total == 0 ? 1 : all / static_cast<double>(total);
    const double each = std::pow(room, 1.0 / static_cast<double>(arity_.size() - level));
    std::vector<Weight> capacity;
    std::vector<double> aim;
    for (int p = 0; p < parts; ++p) {
      const Weight hard = capacity_of(task.first_leaf + p * leaves, leaves);
      aim.push_back(static_cast<double>(total) * static_cast<double>(hard) / std::max(all, 1.0));
      const Weight least = static_cast<Weight>(std::ceil(aim.back() - 1e-9));
      const Weight soft = static_cast<Weight>(std::floor(each * aim.back()));
      capacity.push_back(std::min(hard, std::max(least, soft)));
    }
    const std::vector<Block> part =
        cut_partition(task.graph, capacity, aim, effort_at(level), task.seed);
    const bool last = level + 1 == arity_.size();
    for (std::size_t v = 0; v < part.size(); ++v)
      leaf_[at(task.vertex_of[v])] = task.first_leaf + part[v] * leaves;
    if (last) return {};
    std::vector<PartGraph> pieces = split_by_part(task.graph, part, parts);
    std::vector<Task> children;
    Random seeds(task.seed + 1);
    for (int p = 0; p < parts; ++p) {
      PartGraph& piece = pieces[at(p)];
      for (Vertex& v : piece.vertex_of) v = task.vertex_of[at(v)];
      children.push_back({std::move(piece.graph), std::move(piece.vertex_of),
                          task.first_leaf + p * leaves, seeds.next()});
    }
    return children;
  }

  std::span<const int> arity_;
  const MultisectionEffort& effort_;
  std::vector<Weight> sum_;  // capacities of the leaves before each
  std::vector<Block> leaf_;
};

}  // namespace

std::vector<Block> multisection(const WeightedGraph& graph, std::span<const int> arity,
                                std::span<const Weight> capacity, const MultisectionEffort& effort,
                                std::uint64_t seed, int threads) {
  return Multisection(arity, capacity, effort, at(graph.vertices())).run(graph, seed, threads);
}

}  // namespace rankmap
