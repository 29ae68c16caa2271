// The rows of the strategies, and place(): check, run, say who did it.
#include "libmap/place/strategy.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "libmap/base/error.hpp"
#include "libmap/place/problem.hpp"
#include "libmap/place/ranking.hpp"
#include "libmap/place/strategies.hpp"

namespace rankmap {
namespace {

template <PlaceResult (*strategy)(const Problem&)>
PlaceResult checked(const PlaceRequest& request) {
  return strategy(checked_problem(request));
}

constexpr std::array rows{
    StrategyRow{"auto",
                "exact where it can prove, else the best of several strategies in the time given",
                checked<place_auto>},
    StrategyRow{"box", "what --script says: blocks of ranks moved onto blocks of the machine",
                checked<place_box>},
    StrategyRow{"cartesian", "grids: bricks, cuts and foldings onto tori, the best of them refined",
                checked<place_cartesian>},
    StrategyRow{"exact", "proves the optimum, or says its gap when the time limit ends",
                checked<place_exact>},
    StrategyRow{"exhaustive", "tries every mapping: slow, for tests and small cases",
                checked<place_exhaustive>},
    StrategyRow{"greedy", "the most tied rank next, near those it talks to", checked<place_greedy>},
    StrategyRow{"linear", "rank i on the i-th free slot", checked<place_linear>},
    StrategyRow{"multilevel",
                "cuts large apps along the machine's levels, then refines the objective",
                checked<place_multilevel>},
    StrategyRow{"near", "locality alone: each rank nearest to its block of cores, app ignored",
                checked<place_near>},
    StrategyRow{"random", "a random mapping from --seed", checked<place_random>},
};

constexpr std::array quality_names{"fast", "medium", "strong"};

}  // namespace

const char* name_of(Quality quality) {
  return quality_names[static_cast<std::size_t>(quality)];
}

Quality quality_named(std::string_view name) {
  const auto found = std::find(quality_names.begin(), quality_names.end(), name);
  if (found == quality_names.end())
    throw UsageError::unknown("quality", name, {quality_names.begin(), quality_names.end()});
  return static_cast<Quality>(found - quality_names.begin());
}

std::span<const StrategyRow> strategy_rows() {
  return rows;
}

PlaceResult place(std::string_view strategy, const PlaceRequest& request) {
  std::vector<std::string> names;
  for (const StrategyRow& row : rows) {
    names.emplace_back(row.name);
    if (strategy != row.name) continue;
    PlaceResult result = row.place(request);
    if (result.strategy.empty()) result.strategy = row.name;
    ScoreOptions options;
    options.preserve = request.objective.preserve;
    options.busy = request.forbidden;
    options.force_mapa2021 = request.force || request.app->ranks() == 1;
    result.further = further_values_of(request.objective, *request.app, *request.machine,
                                       result.mapping, options);
    result.optimal = result.optimal || (result.value && same_value(result.value, result.bound));
    if (request.top > 0 && result.top.empty()) result.top.push_back({result.value, result.mapping});
    return result;
  }
  throw UsageError::unknown("strategy", strategy, names);
}

ObjectiveKind default_objective(const CommGraph& app, const Machine& machine, int ranks_per_slot) {
  const bool fits = app.ranks() <= std::int64_t{machine.slots_per_node()} * ranks_per_slot;
  const bool several_gpus = machine.has_gpus() && machine.slots_per_node() > 1;
  return fits && several_gpus ? ObjectiveKind::effbw : ObjectiveKind::congestion;
}

}  // namespace rankmap
