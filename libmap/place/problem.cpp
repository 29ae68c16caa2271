// Checks a request and turns it into capacities and fixed ranks.
#include "libmap/place/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

void check_slot(SlotId slot, const Machine& machine) {
  if (slot >= 0 && slot < machine.slots()) return;
  throw UsageError("slot " + std::to_string(slot) + " does not exist: the machine has slots 0 to " +
                   std::to_string(machine.slots() - 1));
}

// More ranks than places on a bare network: ceil(ranks / slots) each, and the imbalance.
void share_evenly(std::vector<int>& capacity, const PlaceRequest& request) {
  if (!(request.imbalance >= 0 && request.imbalance <= 1000))
    throw UsageError("the imbalance must be 0 to 1000, not " + std::to_string(request.imbalance));
  const std::int64_t ranks = request.app->ranks();
  const std::int64_t slots =
      std::count_if(capacity.begin(), capacity.end(), [](int c) { return c > 0; });
  if (!request.machine->model().bare || request.ranks_per_slot != 1 || slots == 0 || ranks <= slots)
    return;
  const double share = static_cast<double>((ranks + slots - 1) / slots);
  const double most =
      std::min(std::floor(share * (1 + request.imbalance) + 1e-9), static_cast<double>(ranks));
  for (int& room : capacity)
    if (room > 0) room = static_cast<int>(most);
}

std::vector<int> capacities(const PlaceRequest& request) {
  if (request.ranks_per_slot < 1)
    throw UsageError("ranks per slot must be at least 1, not " +
                     std::to_string(request.ranks_per_slot));
  std::vector<int> capacity(at(request.machine->slots()), request.ranks_per_slot);
  for (SlotId slot : request.forbidden) {
    check_slot(slot, *request.machine);
    capacity[at(slot)] = 0;
  }
  share_evenly(capacity, request);
  return capacity;
}

void fix(std::vector<SlotId>& fixed, Rank rank, SlotId slot, const PlaceRequest& request) {
  check_slot(slot, *request.machine);
  const std::string who = "rank " + std::to_string(rank);
  if (rank < 0 || rank >= request.app->ranks())
    throw UsageError(who + " cannot be fixed: the app has ranks 0 to " +
                     std::to_string(request.app->ranks() - 1));
  if (fixed[at(rank)] != none && fixed[at(rank)] != slot)
    throw UsageError(who + " is fixed to slot " + std::to_string(fixed[at(rank)]) +
                     " and to slot " + std::to_string(slot));
  fixed[at(rank)] = slot;
}

std::vector<SlotId> fixed_slots(const PlaceRequest& request, const std::vector<int>& capacity) {
  std::vector<SlotId> fixed(at(request.app->ranks()), none);
  for (const auto& [rank, slot] : request.fixed) fix(fixed, rank, slot, request);
  std::vector<int> left = capacity;
  for (Rank rank = 0; rank < request.app->ranks(); ++rank) {
    const SlotId slot = fixed[at(rank)];
    if (slot == none || --left[at(slot)] >= 0) continue;
    const std::string why = capacity[at(slot)] == 0 ? ", which is busy"
                                                    : ", which holds no more than " +
                                                          std::to_string(capacity[at(slot)]);
    throw UsageError("rank " + std::to_string(rank) + " is fixed to slot " + std::to_string(slot) +
                     why);
  }
  return fixed;
}

// "5 ranks need 5 free slots, but 3 of 8 are free"
Infeasible too_few_slots(const PlaceRequest& request, std::int64_t free_slots,
                         const std::string& where) {
  const std::int64_t ranks = request.app->ranks();
  const std::int64_t per_slot = request.ranks_per_slot;
  std::string message = std::to_string(ranks) + " ranks";
  if (per_slot > 1) message += " at " + std::to_string(per_slot) + " a slot";
  message +=
      " need " + std::to_string((ranks + per_slot - 1) / per_slot) + " free slots" + where +
      ", but " + std::to_string(free_slots) + " of " +
      std::to_string(where.empty() ? request.machine->slots() : request.machine->slots_per_node()) +
      " are free";
  return Infeasible(message);
}

void check_room(const PlaceRequest& request, const Problem& problem) {
  const std::int64_t free_slots =
      std::count_if(problem.capacity.begin(), problem.capacity.end(), [](int c) { return c > 0; });
  const std::int64_t places =
      std::accumulate(problem.capacity.begin(), problem.capacity.end(), std::int64_t{0});
  if (places < request.app->ranks()) throw too_few_slots(request, free_slots, "");
}

void check_one_node(const PlaceRequest& request, const Problem& problem) {
  const Machine& machine = *request.machine;
  const std::string objective =
      has_kind(request.objective, ObjectiveKind::effbw) ? "effbw" : "preserved";
  const std::string advice = "; use the objective congestion";
  if (!machine.has_gpus())
    throw UsageError("the objective " + objective + " needs nodes with GPUs" + advice);
  const std::int64_t most = std::int64_t{machine.slots_per_node()} * request.ranks_per_slot;
  if (request.app->ranks() > most && machine.nodes() > 1)
    throw UsageError("the objective " + objective + " is defined inside one node, and " +
                     std::to_string(request.app->ranks()) + " ranks do not fit the " +
                     std::to_string(most) + " places of a node" + advice);
  NodeId home = none;
  for (SlotId slot : problem.fixed) {
    if (slot == none) continue;
    if (home != none && machine.node_of(slot) != home)
      throw UsageError("the objective " + objective +
                       " is defined inside one node, and ranks are fixed to several" + advice);
    home = machine.node_of(slot);
  }
  if (!problem.nodes_with_room().empty()) return;
  std::int64_t most_free = 0;
  for (NodeId node = 0; node < machine.nodes(); ++node) {
    if (home != none && node != home) continue;
    std::int64_t free_slots = 0;
    for (int local = 0; local < machine.slots_per_node(); ++local)
      free_slots += problem.capacity[at(machine.slot_at(node, local))] > 0;
    most_free = std::max(most_free, free_slots);
  }
  throw too_few_slots(request, most_free, machine.nodes() > 1 ? " on one node" : "");
}

void check_objective(const PlaceRequest& request) {
  if (!has_kind(request.objective, ObjectiveKind::effbw) ||
      request.objective.model != EffbwModel::mapa2021 || request.force)
    return;
  if (request.app->ranks() == 1) return;  // f(0,0,0)
  const std::string reason = mapa2021_out_of_range(request.app->ranks(), *request.machine);
  if (!reason.empty()) throw Infeasible(reason);
}

Quality quality_of(const PlaceRequest& request) {
  constexpr Rank many = 600;
  if (request.quality) return *request.quality;
  return request.app->ranks() > many ? Quality::fast : Quality::medium;
}

}  // namespace

bool Problem::within_one_node() const {
  return has_kind(objective, ObjectiveKind::effbw) || has_kind(objective, ObjectiveKind::preserved);
}

std::int64_t Problem::room_on_node(NodeId node) const {
  for (SlotId slot : fixed)
    if (slot != none && machine.node_of(slot) != node) return 0;
  const auto first = capacity.begin() + machine.slot_at(node, 0);
  return std::accumulate(first, first + machine.slots_per_node(), std::int64_t{0});
}

std::vector<NodeId> Problem::nodes_with_room() const {
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < machine.nodes(); ++node)
    if (room_on_node(node) >= app.ranks()) nodes.push_back(node);
  return nodes;
}

Problem Problem::on_node(NodeId node) const {
  Problem inner = *this;
  for (SlotId slot = 0; slot < machine.slots(); ++slot)
    if (machine.node_of(slot) != node) inner.capacity[at(slot)] = 0;
  return inner;
}

std::optional<double> Problem::value(const Mapping& mapping) const {
  return value_of(objective, app, machine, mapping, score);
}

std::vector<double> Problem::further_costs(const Mapping& mapping) const {
  std::vector<double> costs;
  for (const std::optional<double>& value :
       further_values_of(objective, app, machine, mapping, score)) {
    const bool more_is_better = row_of(objective.then[costs.size()]).maximise;
    costs.push_back(!value           ? std::numeric_limits<double>::infinity()
                    : more_is_better ? -*value
                                     : *value);
  }
  return costs;
}

Problem checked_problem(const PlaceRequest& request) {
  std::vector<int> capacity = capacities(request);
  std::vector<SlotId> fixed = fixed_slots(request, capacity);
  ScoreOptions options;
  options.preserve = request.objective.preserve;
  options.busy = request.forbidden;
  options.force_mapa2021 = request.force || request.app->ranks() == 1;
  Problem problem{*request.app,
                  *request.machine,
                  request.objective,
                  std::move(capacity),
                  std::move(fixed),
                  std::move(options),
                  request.seed,
                  request.time_limit_seconds,
                  request.top,
                  quality_of(request),
                  request.quality.value_or(Quality::strong),
                  request.progress,
                  request.min_gain,
                  request.script,
                  request.app_extents,
                  request.ranks_per_slot,
                  request.bounded};
  check_objective(request);
  if (problem.within_one_node()) check_one_node(request, problem);
  check_room(request, problem);
  return problem;
}

}  // namespace rankmap
