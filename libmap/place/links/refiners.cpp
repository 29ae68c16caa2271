#include "libmap/place/links/refiners.hpp"

#include "libmap/place/links/annealing.hpp"
#include "libmap/place/links/distance_sum.hpp"
#include "libmap/place/links/link_times.hpp"

namespace rankmap {

Mapping refine_congestion(const Problem& problem, const Mapping& start,
                          const AnnealingEffort& effort, const Deadline& deadline) {
  LinkTimes times(problem.app, problem.machine);
  times.begin(start);
  Annealing<LinkTimes> annealing(problem, times, effort.seed, deadline);
  for (const int norm : {8, 16}) {
    times.set_norm(norm);
    annealing.run(effort.moves / 2, effort.first, effort.last);
  }
  return annealing.best();
}

Mapping refine_distance(const Problem& problem, const Mapping& start, const AnnealingEffort& effort,
                        const Deadline& deadline) {
  DistanceSum sum(problem, start, problem.objective.kind);
  Annealing<DistanceSum> annealing(problem, sum, effort.seed, deadline);
  annealing.run(effort.moves, effort.first, effort.last);
  return annealing.best();
}

}  // namespace rankmap
