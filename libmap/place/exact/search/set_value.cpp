// Values of sets, by the models.
#include "libmap/place/exact/search/set_value.hpp"

#include "libmap/model/aggbw.hpp"

namespace rankmap {
namespace {

std::vector<int> locals(const Instance& instance, const std::vector<int>& set) {
  std::vector<int> result;
  for (int slot : set) result.push_back(instance.local(slot));
  return result;
}

double preserved(const Instance& instance, const std::vector<int>& set) {
  const Problem& problem = instance.problem();
  return to_gbps(preserved_bandwidth(problem.machine,
                                     {instance.node(set.front()), locals(instance, set)},
                                     problem.score.busy, problem.objective.preserve));
}

}  // namespace

SetValue set_value(const Instance& instance, const std::vector<int>& set) {
  const Problem& problem = instance.problem();
  if (problem.objective.kind == ObjectiveKind::preserved) {
    const double value = preserved(instance, set);
    return {value, value, true};
  }
  const EffbwValue value = problem.objective.model == EffbwModel::tree
                               ? tree_effbw(problem.machine, locals(instance, set))
                               : ring_effbw(problem.machine, locals(instance, set));
  return {value.value, value.bound, value.proven};
}

std::optional<double> set_limit(const Instance& instance, const std::vector<int>& set) {
  const Problem& problem = instance.problem();
  if (problem.objective.kind == ObjectiveKind::preserved) return preserved(instance, set);
  if (set.size() < 2) return std::nullopt;
  return problem.objective.model == EffbwModel::tree
             ? tree_effbw_bound(problem.machine, locals(instance, set))
             : ring_effbw_bound(problem.machine, locals(instance, set));
}

}  // namespace rankmap
