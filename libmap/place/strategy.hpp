// The seam of all strategies: one request, one result, one row a strategy.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libmap/graph/comm_graph.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/mapping/mapping.hpp"
#include "libmap/model/objective.hpp"
#include "libmap/place/box/script.hpp"

namespace rankmap {

enum class Quality { fast, medium, strong };
const char* name_of(Quality quality);
Quality quality_named(std::string_view name);  // UsageError lists the names

// What auto is about to try, and the best answer so far.
struct PlaceProgress {
  std::string_view strategy;
  std::optional<Quality> quality;
  std::optional<double> value;
  std::optional<double> bound;
};

struct PlaceRequest {
  const CommGraph* app = nullptr;    // never null
  const Machine* machine = nullptr;  // never null
  Objective objective;
  std::vector<SlotId> forbidden;  // busy slots
  std::vector<std::pair<Rank, SlotId>> fixed;
  int ranks_per_slot = 1;
  // On a bare network, where ranks are more than the places: each slot takes its share of the ranks and
  // this much more.
  double imbalance = 0.03;
  std::uint64_t seed = 0;
  std::optional<double> time_limit_seconds;  // nullopt: the strategy's own default (exact: 10)
  // Of multilevel and cartesian: how much time they may take. nullopt: medium, fast above 600
  // ranks; auto goes on to better ones while a time limit allows.
  std::optional<Quality> quality;
  std::function<void(const PlaceProgress&)> progress;  // told by auto; may be empty
  // auto keeps the order of linear where its best gains less than this share of it (0.02: 2 %).
  double min_gain = 0;
  BoxScript script;                       // of the strategy box; without one it searches for one
  std::vector<std::int64_t> app_extents;  // of the grid that the app is, where that is known
  int top = 0;          // also list the N best sets of slots, each with its best mapping
  bool force = false;   // mapa2021 outside its range
  bool bounded = true;  // false: no bound is wanted from strategies that search for none
};

struct RankedMapping {
  std::optional<double> value;
  Mapping mapping;
};

struct PlaceResult {
  Mapping mapping;
  std::optional<double> value;  // in the objective's unit; nullopt: not defined (one rank)
  std::optional<double> bound;  // a proven limit; equals value when optimal
  std::vector<std::optional<double>> further;  // the values by objective.then
  bool optimal = false;                        // of the primary value
  bool order_optimal = false;      // the search among equals, further objectives too, was complete
  std::string strategy;            // auto: the one that made the mapping
  std::vector<RankedMapping> top;  // best first, top[0] is the mapping itself
  std::string script;              // of box, where it was searched for
  std::vector<std::string> steps;  // of box: what each line of the script did
  std::vector<std::string> notes;  // for people: "any 4 GPUs are equal; NIC and NUMA decide"
};

struct StrategyRow {
  const char* name;
  const char* summary;
  PlaceResult (*place)(const PlaceRequest& request);
};
std::span<const StrategyRow> strategy_rows();

// Checks the request (fixed and forbidden in range and consistent: UsageError; too few free slots:
// Infeasible; effbw/preserved where it has no meaning: UsageError; mapa2021 outside its range
// without force: Infeasible), then runs the strategy. UsageError lists the names.
PlaceResult place(std::string_view strategy, const PlaceRequest& request);

// effbw where the job fits one node with several GPUs, else congestion.
ObjectiveKind default_objective(const CommGraph& app, const Machine& machine, int ranks_per_slot);

}  // namespace rankmap
