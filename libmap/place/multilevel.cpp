// The strategy `multilevel`: nested blocks of the machine, multisection, refinement on the objective.
#include <algorithm>
#include <numeric>
#include <thread>

#include "libmap/base/random.hpp"
#include "libmap/place/links/embedding.hpp"
#include "libmap/place/links/list_refiner.hpp"
#include "libmap/place/links/refiners.hpp"
#include "libmap/place/links/schedule.hpp"
#include "libmap/place/multilevel/machine_tree.hpp"
#include "libmap/place/multilevel/tree_mapping.hpp"
#include "libmap/place/multilevel/vcycle.hpp"
#include "libmap/place/places.hpp"
#include "libmap/place/ranking.hpp"
#include "libmap/place/strategies.hpp"
#include "libmap/place/trivial_bound.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

class Multilevel {
 public:
  Multilevel(const Problem& problem, const Deadline& deadline)
      : problem_(problem),
        deadline_(deadline),
        tree_(machine_tree(problem.machine, problem.objective.kind)),
        effort_(effort_of(problem.quality)) {
    take_free_ranks(weighted_graph(problem.app));
    keep_in_range();
    if (graph_.vertices() > large) effort_.swaps = {3, 50, 5, false};
    if (is_huge()) {
      effort_.swaps = {2, 12, 1, false, false};
      effort_.only_groups = true;
    }
    take_capacities();
    consider(fill_in_order(problem_, free_places(problem_)));
    consider_nested_order();
  }

  Mapping run() {
    const std::int64_t room = std::accumulate(capacity_.begin(), capacity_.end(), Weight{0});
    const Weight needed = graph_.total_vertex_weight();
    if (graph_.vertices() > 0) {
      map_onto(capacity_);
      if (room > needed + needed / 8 && !is_huge() && !deadline_.passed()) map_onto(packed(needed));
    }
    if (is_minimising_hops() && !deadline_.passed()) embed();
    if (annealing_moves(problem_) > 0 && !deadline_.passed()) anneal();
    return best_.mapping;
  }

 private:
  static constexpr Vertex large = 1 << 15;  // above, swaps look at the nearest partners only
  static constexpr Vertex huge = 1 << 18;   // above, a fast mapping is one of seconds

  bool is_huge() const { return graph_.vertices() > huge && problem_.quality == Quality::fast; }

  bool is_minimising_hops() const { return problem_.objective.kind != ObjectiveKind::offnode; }

  // Ranks that are fixed are no vertices; their pull is felt in the refinement only. Nor are those that
  // talk to nobody: they take what is left, and matching could not shrink them.
  void take_free_ranks(const WeightedGraph& all) {
    std::vector<std::int32_t> part;
    for (Rank rank = 0; rank < problem_.app.ranks(); ++rank) {
      const bool is_silent = all.begin_of(rank) == all.end_of(rank);
      part.push_back(problem_.fixed[at(rank)] == none && !is_silent ? 0 : 1);
    }
    std::vector<PartGraph> parts = split_by_part(all, part, 2);
    graph_ = std::move(parts[0].graph);
    rank_of_ = std::move(parts[0].vertex_of);
  }

  // Sums of weight x distance stay in 63 bits: heavy apps count in larger units than bytes.
  void keep_in_range() {
    constexpr Weight most = Weight{1} << 58;  // both directions, and gains of both signs
    const Weight farthest = 4 * std::max<Weight>(1, tree_.distance.front());  // the mean is there
    const Weight divisor = graph_.total_edge_weight() / (most / farthest) + 1;
    if (divisor == 1) return;
    for (Weight& weight : graph_.edge_weight) weight = std::max<Weight>(1, weight / divisor);
  }

  void take_capacities() {
    std::vector<int> left = problem_.capacity;
    for (const SlotId slot : problem_.fixed)
      if (slot != none) --left[at(slot)];
    for (const SlotId slot : tree_.slot_of) capacity_.push_back(left[at(slot)]);
  }

  // The ranks in their order on the slots of one block after the other, where hosts stand in another.
  void consider_nested_order() {
    if (std::is_sorted(tree_.slot_of.begin(), tree_.slot_of.end())) return;
    std::vector<std::size_t> position(tree_.slot_of.size());
    for (std::size_t leaf = 0; leaf < position.size(); ++leaf)
      position[at(tree_.slot_of[leaf])] = leaf;
    std::vector<SlotId> places = free_places(problem_);
    std::stable_sort(places.begin(), places.end(),
                     [&](SlotId a, SlotId b) { return position[at(a)] < position[at(b)]; });
    consider(fill_in_order(problem_, places));
  }

  // The capacities of the smallest block that holds all, filled from its beginning: near together.
  std::vector<Weight> packed(Weight needed) const {
    std::size_t first = 0, size = capacity_.size();
    for (const int children : tree_.arity) {
      const std::size_t child = size / at(children);
      std::size_t found = size;
      for (std::size_t block = first; block < first + size; block += child) {
        const Weight room = std::accumulate(
            capacity_.begin() + static_cast<std::ptrdiff_t>(block),
            capacity_.begin() + static_cast<std::ptrdiff_t>(block + child), Weight{0});
        if (room >= needed && found == size) found = block;
      }
      if (found == size) break;
      first = found;
      size = child;
    }
    std::vector<Weight> result(capacity_.size(), 0);
    for (std::size_t leaf = first; leaf < capacity_.size() && needed > 0; ++leaf)
      needed -= result[leaf] = std::min(needed, capacity_[leaf]);
    return result;
  }

  void map_onto(const std::vector<Weight>& capacity) {
    const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const TreeDistance distance = tree_.tree_distance();
    std::vector<Block> leaf =
        map_to_tree(graph_, distance, tree_.arity, capacity, effort_, problem_.seed, threads);
    consider(mapping_of(leaf));
    if (tree_.is_exact || !is_minimising_hops()) return;
    refine_true_distances(leaf, capacity);
    consider(mapping_of(leaf));
  }

  void refine_true_distances(std::vector<Block>& leaf, const std::vector<Weight>& capacity) const {
    const MachineDistance distance(problem_.machine, tree_);
    Random random(problem_.seed);
    const Weight room = std::accumulate(capacity.begin(), capacity.end(), Weight{0});
    if (room > graph_.total_vertex_weight())
      for (int i = 0; i < effort_.cycles; ++i)
        v_cycle(graph_, leaf, {}, distance, capacity, effort_.refine, random);
    const SwapEffort swaps = is_huge() ? SwapEffort{1, 6, 1, false, false} : effort_.swaps;
    Swapper<MachineDistance>(graph_, leaf, distance).run(swaps, random);
  }

  Mapping mapping_of(const std::vector<Block>& leaf) const {
    Mapping mapping{problem_.fixed};
    for (std::size_t v = 0; v < leaf.size(); ++v)
      mapping.slot_of[at(rank_of_[v])] = tree_.slot_of[at(leaf[v])];
    seat_the_others(mapping);
    return mapping;
  }

  // Ranks without a slot, on what is free, slots ascending; none is left where a capacity is broken.
  void seat_the_others(Mapping& mapping) const {
    std::vector<int> left = problem_.capacity;
    for (const SlotId slot : mapping.slot_of)
      if (slot != none) --left[at(slot)];
    std::size_t next = 0;
    for (SlotId& slot : mapping.slot_of) {
      if (slot != none) continue;
      while (next + 1 < left.size() && left[next] <= 0) ++next;
      --left[next];
      slot = static_cast<SlotId>(next);
    }
  }

  // A mapping that breaks a capacity (vertices too heavy to fit) is none.
  bool is_valid(const Mapping& mapping) const {
    std::vector<int> left = problem_.capacity;
    return std::all_of(mapping.slot_of.begin(), mapping.slot_of.end(),
                       [&](SlotId slot) { return --left[at(slot)] >= 0; });
  }

  void consider(Mapping mapping) {
    if (!is_valid(mapping)) return;
    const std::optional<double> value = problem_.value(mapping);
    if (!best_.mapping.slot_of.empty() && better_value(best_.value, value, problem_.maximise()))
      return;
    Candidate next{value, {}, std::move(mapping), {}};
    next.further = problem_.further_costs(next.mapping);
    const bool better = best_.mapping.slot_of.empty() ||
                        better_value(value, best_.value, problem_.maximise()) ||
                        compare_costs(next.further, best_.further) < 0;
    if (better) best_ = std::move(next);
  }

  void embed() {
    const std::int64_t steps = 1000 + 20 * std::int64_t{problem_.app.ranks()};
    if (std::optional<Mapping> found = embed_on_neighbours(problem_, steps))
      consider(std::move(*found));
  }

  // Hot first, where a small job is had anew, then cool, where what was found is kept. One exchange
  // changes a sum by about its share of a rank, and a maximum by any part of itself.
  void anneal() {
    struct Row {
      double distance, congestion;  // first temperatures, as shares of a rank's energy and of all
    };
    constexpr Row rows[] = {{0.4, 0.5}, {0.3, 0.03}, {0.3, 0.03}, {0.2, 0.001}};
    const std::int64_t moves = annealing_moves(problem_);
    const std::int64_t link_moves = link_annealing_moves(problem_);
    const double ranks = problem_.app.ranks();
    Random seeds(problem_.seed);
    for (const Row& row : rows) {
      if (deadline_.passed()) return;
      const Mapping start =
          refine_distance(problem_, best_.mapping,
                          {moves / 4, row.distance / ranks, 0.02 / ranks, seeds.next()}, deadline_);
      consider(start);
      const std::uint64_t seed = seeds.next();
      if (anneals_links(problem_) && link_moves > 0)
        consider(refine_congestion(problem_, start, {link_moves / 4, row.congestion, 1e-5, seed},
                                   deadline_));
    }
  }

  const Problem& problem_;
  const Deadline& deadline_;
  MachineTree tree_;
  MultilevelEffort effort_;
  WeightedGraph graph_;           // of the ranks that are not fixed
  std::vector<Rank> rank_of_;     // of its vertices
  std::vector<Weight> capacity_;  // of the leaves
  Candidate best_;
};

}  // namespace

PlaceResult place_multilevel(const Problem& problem) {
  const Problem inner = on_first_node(problem);
  const Deadline deadline(problem.time_limit_seconds);
  PlaceResult result;
  result.mapping = refine_list(inner, Multilevel(inner, deadline).run(), deadline);
  result.value = problem.value(result.mapping);
  result.bound = trivial_bound(problem);
  result.optimal = result.value.has_value() && same_value(result.value, result.bound);
  return result;
}

}  // namespace rankmap
