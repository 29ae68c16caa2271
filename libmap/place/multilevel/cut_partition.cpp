#include "libmap/place/multilevel/cut_partition.hpp"

#include <numeric>

#include "libmap/place/multilevel/metis.hpp"
#include "libmap/place/multilevel/swaps.hpp"
#include "libmap/place/multilevel/vcycle.hpp"

namespace rankmap {
namespace {

constexpr CutDistance cut;

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

struct Partition {
  std::vector<Block> part;
  Weight excess = 0;  // weight over the capacities, all parts together
  Weight cut = 0;

  bool better_than(const Partition& other) const {
    return excess != other.excess ? excess < other.excess : cut < other.cut;
  }
};

class CutPartitioner {
 public:
  CutPartitioner(const WeightedGraph& graph, std::span<const Weight> capacity,
                 std::span<const double> aim, const PartitionEffort& effort)
      : graph_(graph),
        capacity_(capacity),
        room_(with_room(capacity, aim)),
        is_tight_(!std::equal(room_.begin(), room_.end(), capacity.begin())),
        effort_(effort),
        refiner_(cut, room_),
        exact_(cut, capacity) {
    const double total = std::accumulate(aim.begin(), aim.end(), 0.0);
    imbalance_ = 1;
    for (std::size_t p = 0; p < aim.size(); ++p) {
      target_.push_back(aim[p] / total);
      imbalance_ =
          std::min(imbalance_, static_cast<double>(capacity[p]) / std::max(aim[p], 1e-9) - 1);
    }
    imbalance_ = std::max(imbalance_, 0.001);
    if (std::equal(target_.begin() + 1, target_.end(), target_.begin())) target_.clear();
  }

  Partition once(std::uint64_t seed) {
    Random random(seed);
    constexpr std::size_t coarse_vertices_a_part = 60, fewest_coarse_vertices = 1500;
    const Vertex enough = static_cast<Vertex>(
        std::max(coarse_vertices_a_part * capacity_.size(), fewest_coarse_vertices));
    const std::vector<CoarseLevel> levels =
        coarse_levels(graph_, {}, enough, most_coarse_weight(graph_, capacity_.size()), random);
    if (!levels.empty() && keeps_its_edges(levels.back().graph)) return bisected(random);
    std::vector<Block> part = best_try(levels.empty() ? graph_ : levels.back().graph, random).part;
    for (std::size_t i = levels.size(); i-- > 0;) {
      const WeightedGraph& finer = i == 0 ? graph_ : levels[i - 1].graph;
      std::vector<Block> fine(at(finer.vertices()));
      for (std::size_t v = 0; v < fine.size(); ++v) fine[v] = part[at(levels[i].coarse_of[v])];
      part = std::move(fine);
      refiner_.repair(finer, part);
      refiner_.refine(finer, part, effort_.refine, random);
    }
    for (int i = 0; i < effort_.cycles; ++i)
      v_cycle(graph_, part, {}, cut, room_, effort_.refine, random);
    return finished(std::move(part), random);
  }

  Partition combined(Partition a, Partition b, std::uint64_t seed) {
    if (b.better_than(a)) std::swap(a, b);
    Random random(seed);
    std::vector<Block> part = a.part;
    v_cycle(graph_, part, b.part, cut, room_, effort_.refine, random);
    Partition found = finished(std::move(part), random);
    return a.better_than(found) ? a : found;
  }

 private:
  // Refinement by moves needs room: parts that are to be filled to the brim get a little for a while.
  static std::vector<Weight> with_room(std::span<const Weight> capacity,
                                       std::span<const double> aim) {
    constexpr double tight = 1.002, room = 1.03;
    std::vector<Weight> result(capacity.begin(), capacity.end());
    for (std::size_t p = 0; p < aim.size(); ++p)
      if (static_cast<double>(capacity[p]) < tight * aim[p])
        result[p] = static_cast<Weight>(room * aim[p]) + 1;
    return result;
  }

  // Back to the capacities, and what swaps still gain there.
  Partition finished(std::vector<Block> part, Random& random) {
    if (is_tight_) {
      exact_.repair(graph_, part);
      Swapper<CutDistance>(graph_, part, cut).run({3, 100, 20, false}, random);
    }
    return valued(graph_, std::move(part));
  }

  // Matching cannot shrink a graph whose edges all meet in a core of hubs: what it makes of it has lost
  // the core's structure.
  bool keeps_its_edges(const WeightedGraph& coarsest) const {
    return coarsest.neighbour.size() > graph_.neighbour.size() / 2;
  }

  // METIS's recursive bisection of the whole graph finds such cores.
  Partition bisected(Random& random) {
    std::vector<Block> part = metis_partition(graph_, static_cast<int>(capacity_.size()), target_,
                                              imbalance_, random.next(), MetisMethod::recursive);
    refiner_.repair(graph_, part);
    refiner_.refine(graph_, part, effort_.refine, random);
    v_cycle(graph_, part, {}, cut, room_, effort_.refine, random);
    return finished(std::move(part), random);
  }

  Partition valued(const WeightedGraph& graph, std::vector<Block> part) const {
    const std::span<const Weight> capacity =
        &graph == &graph_ ? capacity_ : std::span<const Weight>(room_);  // coarse: on the way
    Partition result{std::move(part), 0, 0};
    std::vector<Weight> load(capacity_.size(), 0);
    for (std::size_t v = 0; v < result.part.size(); ++v)
      load[at(result.part[v])] += graph.vertex_weight[v];
    for (std::size_t p = 0; p < load.size(); ++p)
      result.excess += std::max<Weight>(0, load[p] - capacity[p]);
    result.cut = cut_of(graph, result.part);
    return result;
  }

  Partition best_try(const WeightedGraph& coarsest, Random& random) {
    RefineEffort thorough = effort_.refine;
    thorough.passes = 5;
    thorough.patience = 0.1;
    Partition best;
    for (int i = 0; i < std::max(1, effort_.tries); ++i) {
      const MetisMethod method = i % 2 == 0 ? MetisMethod::recursive : MetisMethod::kway;
      std::vector<Block> part = metis_partition(coarsest, static_cast<int>(capacity_.size()),
                                                target_, imbalance_, random.next(), method);
      refiner_.repair(coarsest, part);
      refiner_.refine(coarsest, part, thorough, random);
      Partition found = valued(coarsest, std::move(part));
      if (i == 0 || found.better_than(best)) best = std::move(found);
    }
    return best;
  }

  const WeightedGraph& graph_;
  std::span<const Weight> capacity_;
  std::vector<Weight> room_;
  bool is_tight_;
  const PartitionEffort& effort_;
  Refiner<CutDistance> refiner_, exact_;
  std::vector<double> target_;  // empty: all parts alike
  double imbalance_ = 0;
};

}  // namespace

Weight cut_of(const WeightedGraph& graph, std::span<const Block> part) {
  Weight twice = 0;
  for (Vertex v = 0; v < graph.vertices(); ++v)
    for (std::size_t arc = graph.begin_of(v); arc < graph.end_of(v); ++arc)
      if (part[at(graph.neighbour[arc])] != part[at(v)]) twice += graph.edge_weight[arc];
  return twice / 2;
}

namespace {

std::vector<Block> best_partition(const WeightedGraph& graph, std::span<const Weight> capacity,
                                  std::span<const double> aim, const PartitionEffort& effort,
                                  std::uint64_t seed) {
  if (capacity.size() < 2) return std::vector<Block>(at(graph.vertices()), 0);
  Random seeds(seed);
  CutPartitioner partitioner(graph, capacity, aim, effort);
  Partition best = partitioner.once(seeds.next());
  for (int i = 1; i < effort.repetitions; ++i) {
    Partition next = partitioner.once(seeds.next());
    best = partitioner.combined(std::move(best), std::move(next), seeds.next());
  }
  return std::move(best.part);
}

}  // namespace

// Parts that hold nothing are left out: METIS refuses them.
std::vector<Block> cut_partition(const WeightedGraph& graph, std::span<const Weight> capacity,
                                 std::span<const double> aim, const PartitionEffort& effort,
                                 std::uint64_t seed) {
  std::vector<Block> number;
  std::vector<Weight> some_capacity;
  std::vector<double> some_aim;
  for (std::size_t p = 0; p < capacity.size(); ++p) {
    if (capacity[p] == 0) continue;
    number.push_back(static_cast<Block>(p));
    some_capacity.push_back(capacity[p]);
    some_aim.push_back(aim[p]);
  }
  if (graph.vertices() == 0 || number.empty()) return std::vector<Block>(at(graph.vertices()), 0);
  std::vector<Block> part = best_partition(graph, some_capacity, some_aim, effort, seed);
  for (Block& p : part) p = number[at(p)];
  return part;
}

}  // namespace rankmap
