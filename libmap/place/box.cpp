// The strategy `box`: a script moves the ranks over the machine's places in blocks; without one,
// the best is searched for.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "libmap/base/deadline.hpp"
#include "libmap/base/error.hpp"
#include "libmap/machine/network/torus.hpp"
#include "libmap/place/box/script.hpp"
#include "libmap/place/box/search.hpp"
#include "libmap/place/cartesian/grid.hpp"
#include "libmap/place/strategies.hpp"
#include "libmap/place/trivial_bound.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// A torus's or mesh's own dimensions, or the network's nested blocks, or the nodes in a row; then
// the slots of a node and the ranks of a slot where those are several.
std::vector<std::int64_t> box_extents(const Machine& machine, int ranks_per_slot) {
  constexpr std::size_t most_levels = most_box_dimensions - 2;
  std::vector<std::int64_t> extents;
  if (const auto* const torus = dynamic_cast<const Torus*>(machine.network())) {
    extents.assign(torus->extents().begin(), torus->extents().end());
  } else if (machine.network() != nullptr) {
    const NetworkShape shape = machine.network()->shape();
    if (shape.order.empty() && shape.arity.size() <= most_levels)
      extents.assign(shape.arity.begin(), shape.arity.end());
  }
  std::int64_t nodes = 1;
  for (const std::int64_t extent : extents) nodes *= extent;
  if (extents.empty() || nodes != machine.nodes()) extents = {machine.nodes()};
  if (machine.slots_per_node() > 1) extents.push_back(machine.slots_per_node());
  if (ranks_per_slot > 1) extents.push_back(ranks_per_slot);
  return extents;
}

void check_fit(const Problem& problem, const BoxScriptResult& result, std::int64_t places) {
  const auto cells = static_cast<std::int64_t>(result.box.rank_at.size());
  const std::string box = "the box " + result.name + " of the script has " + std::to_string(cells) +
                          " cells (" + result.box.tree.shape() + "), ";
  if (cells != places)
    throw Infeasible(box + "but the machine has places for " + std::to_string(places) + " ranks");
  if (cells != problem.app.ranks())
    throw Infeasible(box + "but the app has " + std::to_string(problem.app.ranks()) + " ranks");
}

// Why the mapping may not be; "": it may.
std::string defect_of(const Problem& problem, const Mapping& mapping) {
  std::vector<int> left = problem.capacity;
  for (Rank rank = 0; rank < problem.app.ranks(); ++rank) {
    const SlotId slot = mapping[rank];
    const std::string who =
        "the script puts rank " + std::to_string(rank) + " on slot " + std::to_string(slot);
    if (--left[at(slot)] < 0)
      return who + (problem.capacity[at(slot)] == 0 ? ", which is busy" : ", which is full");
    if (problem.fixed[at(rank)] != none && problem.fixed[at(rank)] != slot)
      return who + ", but it is fixed to slot " + std::to_string(problem.fixed[at(rank)]);
  }
  return "";
}

Mapping mapping_of(const Problem& problem, const Box& box) {
  Mapping mapping;
  for (const Rank cell : cells_of_ranks(box))
    mapping.slot_of.push_back(cell / problem.ranks_per_slot);
  return mapping;
}

// The app's own grid, or one that its edges show, or a row.
std::vector<std::int64_t> app_extents(const Problem& problem) {
  if (!problem.app_extents.empty() && problem.app_extents.size() <= most_box_dimensions)
    return problem.app_extents;
  const std::optional<GridLikeness> likest = likest_grid(problem.app);
  if (!likest || !likest->is_good()) return {problem.app.ranks()};
  return {likest->grid.extents.begin(), likest->grid.extents.end()};
}

std::int64_t most_scripts(const Problem& problem) {
  constexpr std::int64_t edges[] = {1 << 25, 1 << 27, 1 << 30};  // of all values together
  constexpr std::int64_t least = 30, most = 20'000;
  const std::int64_t each = static_cast<std::int64_t>(problem.app.edges().size()) +
                            problem.machine.links() + problem.app.ranks();
  return std::clamp(edges[static_cast<int>(problem.quality)] / each, least, most);
}

FoundScript searched(const Problem& problem, const std::vector<std::int64_t>& machine) {
  const Deadline deadline(problem.time_limit_seconds);
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto costs_of = [&](const Box& box) {
    const Mapping mapping = mapping_of(problem, box);
    if (!defect_of(problem, mapping).empty()) return std::vector<double>{never};
    const std::optional<double> value = problem.value(mapping);
    std::vector<double> costs{!value ? never : problem.maximise() ? -*value : *value};
    const std::vector<double> further = problem.further_costs(mapping);
    costs.insert(costs.end(), further.begin(), further.end());
    return costs;
  };
  return search_scripts(app_extents(problem), machine, most_scripts(problem), costs_of,
                        [&] { return deadline.passed(); });
}

}  // namespace

PlaceResult place_box(const Problem& problem) {
  const std::int64_t places = std::int64_t{problem.machine.slots()} * problem.ranks_per_slot;
  const std::vector<std::int64_t> extents = box_extents(problem.machine, problem.ranks_per_slot);
  PlaceResult placed;
  BoxScript script = problem.script;
  if (script.source.empty()) {
    if (places != problem.app.ranks())
      throw Infeasible("a search for scripts needs as many ranks as places, found " +
                       std::to_string(problem.app.ranks()) + " ranks and places for " +
                       std::to_string(places));
    const FoundScript found = searched(problem, extents);
    placed.script = found.text;
    placed.notes.push_back("the best of " + std::to_string(found.tried) + " scripts");
    script = {found.text, "script"};
  }
  const BoxScriptResult result = run_box_script(script, extents, places);
  check_fit(problem, result, places);
  placed.mapping = mapping_of(problem, result.box);
  if (const std::string defect = defect_of(problem, placed.mapping); !defect.empty())
    throw Infeasible(defect);
  placed.value = problem.value(placed.mapping);
  placed.bound = trivial_bound(problem);
  for (const BoxScriptResult::Step& step : result.steps)
    placed.steps.push_back(script.source + ":" + std::to_string(step.line) + ": " + step.text +
                           ": " + step.effect);
  return placed;
}

}  // namespace rankmap
