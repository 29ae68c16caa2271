// Bounds of the effort of annealing.
#include "libmap/place/links/schedule.hpp"

#include <algorithm>

namespace rankmap {

std::int64_t annealing_moves(const Problem& problem) {
  struct Row {
    std::int64_t a_rank, least, in_all;
  };
  constexpr Row rows[] = {
      {100, 60'000, 300'000}, {1000, 400'000, 1'000'000}, {10'000, 4'000'000, 20'000'000}};
  const Row& row = rows[static_cast<int>(problem.quality)];
  constexpr std::int64_t usual = 8;
  const std::int64_t edges = static_cast<std::int64_t>(problem.app.edges().size());
  const std::int64_t ranks = problem.app.ranks();
  constexpr std::int64_t fewest_a_rank = 20;
  if (row.in_all < fewest_a_rank * ranks) return 0;
  const std::int64_t wanted = std::clamp(row.a_rank * ranks, row.least, row.in_all);
  return wanted * usual / std::max(usual, 2 * edges / ranks);
}

bool anneals_links(const Problem& problem) {
  constexpr std::int64_t most_cells = std::int64_t{1} << 24;  // links x phases
  return problem.objective.kind == ObjectiveKind::congestion &&
         std::int64_t{problem.machine.links()} * problem.app.phases() <= most_cells;
}

}  // namespace rankmap
