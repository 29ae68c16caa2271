// exact: chooses the search that fits the objective, then the best of the mappings of equal value.
#include <algorithm>
#include <numeric>
#include <string>

#include "libmap/base/error.hpp"
#include "libmap/place/exact/instance.hpp"
#include "libmap/place/exact/search/searches.hpp"
#include "libmap/place/exact/search/uniform.hpp"
#include "libmap/place/exact/ties/tie_search.hpp"
#include "libmap/place/large.hpp"
#include "libmap/place/links/list_refiner.hpp"
#include "libmap/place/places.hpp"
#include "libmap/place/ranking.hpp"
#include "libmap/place/strategies.hpp"
#include "libmap/place/trivial_bound.hpp"

namespace rankmap {
namespace {

constexpr double default_seconds = 10;

// One solution on one node or on the whole machine.
struct Solution {
  Candidate best;
  std::optional<double> bound;
  bool proven = true;
  bool order_proven = true;
  std::vector<std::string> notes;
};

Primary search_primary(const Search& search) {
  const Objective& objective = search.instance.problem().objective;
  switch (objective.kind) {
    case ObjectiveKind::effbw:
      return objective.model == EffbwModel::mapa2021 ? search_counts(search) : search_sets(search);
    case ObjectiveKind::preserved:
      return search_sets(search);
    case ObjectiveKind::congestion:
      return search_congestion(search);
    case ObjectiveKind::aggbw:
    case ObjectiveKind::hopbytes:
    case ObjectiveKind::offnode:
      return search_pairs(search);
  }
  throw Bug("an objective without a search");
}

Candidate candidate(const Instance& instance, const std::vector<int>& slot_of) {
  Mapping mapping = instance.mapping(slot_of);
  const Problem& problem = instance.problem();
  const TieKey key = tie_key(problem.app, problem.machine, mapping);
  return {problem.value(mapping), key, std::move(mapping)};
}

std::string uniform_note(int ranks) {
  if (ranks == 1) return "all GPUs are equal; NIC and NUMA decide";
  return "any " + std::to_string(ranks) + " GPUs are equal; NIC and NUMA decide";
}

std::optional<Solution> solve_uniform(const Search& search) {
  const UniformChoice choice = best_of_uniform(search);
  if (!choice.slot_of) return std::nullopt;
  Solution solution;
  solution.best = candidate(search.instance, *choice.slot_of);
  solution.bound = solution.best.value;
  solution.order_proven = choice.complete;
  solution.notes.push_back(uniform_note(search.instance.ranks()));
  return solution;
}

// nullopt: every set of slots is excluded.
std::optional<Solution> solve(const Problem& problem, const Deadline& deadline,
                              const ExcludedSets& excluded) {
  const Instance instance(problem);
  const Search search{instance, deadline, excluded};
  if (is_uniform(instance)) return solve_uniform(search);
  Primary primary = search_primary(search);
  if (!primary.slot_of) return std::nullopt;
  const TieResult tie = best_of_equals(search, primary);
  Solution solution;
  solution.best = candidate(instance, tie.slot_of);
  solution.proven = primary.proven;
  solution.bound = primary.proven ? solution.best.value : primary.bound;
  solution.order_proven = primary.proven && primary.all_equals && tie.complete;
  solution.notes = std::move(primary.notes);
  return solution;
}

// Nodes that are free alike, with no rank fixed, have equal solutions: the first of each kind.
std::vector<NodeId> different_nodes(const Problem& problem) {
  std::vector<NodeId> nodes;
  std::vector<std::vector<int>> seen;
  const auto slots = static_cast<std::ptrdiff_t>(problem.machine.slots_per_node());
  for (NodeId node : problem.nodes_with_room()) {
    const auto first = problem.capacity.begin() + slots * node;
    std::vector<int> capacity(first, first + slots);
    if (std::find(seen.begin(), seen.end(), capacity) != seen.end()) continue;
    seen.push_back(std::move(capacity));
    nodes.push_back(node);
  }
  return nodes;
}

// The better of two solutions, with what is known about both.
void keep_better(std::optional<Solution>& best, Solution next, bool maximise) {
  if (!best) {
    best = std::move(next);
    return;
  }
  const bool proven = best->proven && next.proven;
  const bool order_proven = best->order_proven && next.order_proven;
  const bool known = best->bound && next.bound;
  std::optional<double> bound;
  if (known)
    bound = maximise ? std::max(*best->bound, *next.bound) : std::min(*best->bound, *next.bound);
  if (before(next.best, best->best, maximise)) best->best = std::move(next.best);
  best->proven = proven;
  best->order_proven = order_proven;
  best->bound = proven ? best->best.value : bound;
}

std::optional<Solution> solve_anywhere(const Problem& problem, const Deadline& deadline,
                                       const ExcludedSets& excluded) {
  if (!problem.within_one_node()) return solve(problem, deadline, excluded);
  std::optional<Solution> best;
  const std::vector<NodeId> nodes =
      excluded.empty() ? different_nodes(problem) : problem.nodes_with_room();
  for (NodeId node : nodes) {
    std::optional<Solution> next = solve(problem.on_node(node), deadline, excluded);
    if (next) keep_better(best, std::move(*next), problem.maximise());
  }
  return best;
}

PlaceResult result_of(Solution solution) {
  PlaceResult result;
  result.value = solution.best.value;
  result.mapping = std::move(solution.best.mapping);
  result.bound = solution.bound;
  result.optimal = solution.proven;
  result.order_optimal = solution.order_proven;
  result.notes = std::move(solution.notes);
  return result;
}

// The best mapping of every further set of slots, one search each.
void add_top(const Problem& problem, const Deadline& deadline, PlaceResult& result) {
  result.top.push_back({result.value, result.mapping});
  ExcludedSets excluded{slots_used(result.mapping)};
  while (std::ssize(result.top) < problem.top && !deadline.passed()) {
    std::optional<Solution> next = solve_anywhere(problem, deadline, excluded);
    if (!next) return;
    excluded.push_back(slots_used(next->best.mapping));
    result.top.push_back({next->best.value, std::move(next->best.mapping)});
  }
}

}  // namespace

// Its searches follow one route a pair of slots and count its links.
bool exact_takes(const Problem& problem) {
  if (!problem.within_one_node() && !problem.machine.plain_routes()) return false;
  const std::int64_t free_slots = std::count_if(problem.capacity.begin(), problem.capacity.end(),
                                                [](int capacity) { return capacity > 0; });
  if (problem.app.ranks() > 4 * Instance::most_slots) return false;
  return problem.within_one_node() ? problem.machine.slots_per_node() <= Instance::most_slots
                                   : free_slots <= Instance::most_slots;
}

namespace {

// So few mappings that trying all of them is the proof, for lists of objectives.
bool few_mappings(const Problem& problem) {
  constexpr double most = 20'000;
  double places = std::accumulate(problem.capacity.begin(), problem.capacity.end(), 0.0);
  double mappings = 1;
  for (const SlotId slot : problem.fixed)
    if (slot == none) mappings *= places--;
  return mappings <= most;
}

// The searches order mappings by the first objective alone.
void refine_further(const Problem& problem, const Deadline& deadline, PlaceResult& result) {
  Mapping better = refine_list(problem, result.mapping, deadline);
  result.mapping = std::move(better);
  result.value = problem.value(result.mapping);
  result.order_optimal = false;
  result.notes.push_back("the first objective is " +
                         std::string(result.optimal ? "proven" : "not proven") +
                         "; by the others this is the best of the mappings seen");
}

}  // namespace

PlaceResult place_exact(const Problem& problem) {
  const Deadline deadline(problem.time_limit_seconds.value_or(default_seconds));
  if (!problem.objective.then.empty() && few_mappings(problem)) return place_exhaustive(problem);
  if (!exact_takes(problem)) return place_large(problem, deadline);
  std::optional<Solution> solution = solve_anywhere(problem, deadline, {});
  if (!solution) throw Bug("exact found no mapping although there is room");
  PlaceResult result = result_of(std::move(*solution));
  if (!result.optimal)
    result.bound = tighter_bound(result.bound, trivial_bound(problem), problem.maximise());
  if (!problem.objective.then.empty()) refine_further(problem, deadline, result);
  if (problem.top > 0) add_top(problem, deadline, result);
  return result;
}

}  // namespace rankmap
