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

std::int64_t link_annealing_moves(const Problem& problem) {
  const std::int64_t moves = annealing_moves(problem);
  constexpr std::int64_t most_links = std::int64_t{1} << 33, kept_pairs = std::int64_t{1} << 20;
  const std::int64_t slots = problem.machine.slots();
  const std::int64_t links = std::max<std::int64_t>(1, problem.machine.links());
  const bool seen_once = slots <= kept_pairs / slots && links <= most_links / (slots * slots);
  if (problem.machine.plain_routes() || seen_once) return moves;
  const std::int64_t edges = static_cast<std::int64_t>(problem.app.edges().size());
  if (edges > most_links / links) return 0;  // the loads of the beginning alone
  const std::int64_t asked =
      4 * (1 + 2 * edges / problem.app.ranks());  // two ranks, there and back
  return std::min(moves, most_links / (links * asked));
}

bool anneals_links(const Problem& problem) {
  constexpr std::int64_t most_cells = std::int64_t{1} << 24;  // links x phases
  return problem.objective.kind == ObjectiveKind::congestion &&
         std::int64_t{problem.machine.links()} * problem.app.phases() <= most_cells;
}

}  // namespace rankmap
