// The objectives as rows, and the plain value of each.
#include "libmap/model/objective.hpp"

#include <algorithm>
#include <array>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/model/aggbw.hpp"
#include "libmap/model/node_set.hpp"

namespace rankmap {
namespace {

constexpr std::array<ObjectiveRow, 6> rows = {{
    {ObjectiveKind::effbw, "effbw", "predicted bus bandwidth of the GPUs chosen", "GB/s", true},
    {ObjectiveKind::aggbw, "aggbw", "sum of the bandwidths of the pairs that talk", "GB/s", true},
    {ObjectiveKind::preserved, "preserved", "bandwidth left among the free GPUs", "GB/s", true},
    {ObjectiveKind::congestion, "congestion", "time of the busiest link, phase by phase", "s",
     false},
    {ObjectiveKind::hopbytes, "hopbytes", "bytes times the links that they cross", "bytes", false},
    {ObjectiveKind::offnode, "offnode", "bytes that leave their node", "bytes", false},
}};

struct ModelRow {
  EffbwModel model;
  const char* name;
};
constexpr std::array<ModelRow, 3> models = {{
    {EffbwModel::ring, "ring"},
    {EffbwModel::tree, "tree"},
    {EffbwModel::mapa2021, "mapa2021"},
}};

template <typename Rows>
std::vector<std::string> names_of(const Rows& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

NodeSet node_set_for(const ObjectiveRow& row, const Machine& machine, const Mapping& mapping) {
  std::string reason;
  std::optional<NodeSet> set = node_set_of(machine, mapping, &reason);
  if (!set) {
    throw UsageError(std::string("objective ") + row.name + " needs the GPUs of one node, but " +
                     reason + "; use congestion, hopbytes or offnode");
  }
  return *std::move(set);
}

std::optional<double> effbw_of(EffbwModel model, const CommGraph& app, const Machine& machine,
                               const Mapping& mapping, const NodeSet& set) {
  if (model == EffbwModel::ring) return ring_effbw(machine, set.locals).value;
  if (model == EffbwModel::tree) return tree_effbw(machine, set.locals).value;
  const LinkCounts counts = count_links(app, machine, mapping);
  return mapa2021(counts.doubles, counts.singles, counts.pcie);
}

}  // namespace

std::span<const ObjectiveRow> objective_rows() {
  return rows;
}

const ObjectiveRow& row_of(ObjectiveKind kind) {
  for (const ObjectiveRow& row : rows) {
    if (row.kind == kind) return row;
  }
  throw Bug("an objective without a row");
}

const ObjectiveRow& objective_row_of(std::string_view name) {
  for (const ObjectiveRow& row : rows) {
    if (row.name == name) return row;
  }
  throw UsageError::unknown("objective", name, names_of(rows));
}

Objective parse_objective(std::string_view text) {
  Objective objective;
  bool first = true;
  for (const std::string_view item : split(text, ',')) {
    const ObjectiveKind kind = objective_row_of(trim(item)).kind;
    if (!first && has_kind(objective, kind))
      throw UsageError("the objective " + std::string(trim(item)) + " is given twice in " +
                       quoted(text) + ", expected each one once");
    if (first)
      objective.kind = kind;
    else
      objective.then.push_back(kind);
    first = false;
  }
  return objective;
}

std::string objective_text(const Objective& objective) {
  std::string text = row_of(objective.kind).name;
  for (const ObjectiveKind kind : objective.then) text += "," + std::string(row_of(kind).name);
  return text;
}

bool has_kind(const Objective& objective, ObjectiveKind kind) {
  return objective.kind == kind || std::ranges::find(objective.then, kind) != objective.then.end();
}

EffbwModel effbw_model_of(std::string_view name) {
  for (const ModelRow& row : models) {
    if (row.name == name) return row.model;
  }
  throw UsageError::unknown("EffBW model", name, names_of(models));
}

const char* name_of(EffbwModel model) {
  for (const ModelRow& row : models) {
    if (row.model == model) return row.name;
  }
  throw Bug("an EffBW model without a row");
}

std::optional<double> value_of(const Objective& objective, const CommGraph& app,
                               const Machine& machine, const Mapping& mapping,
                               const ScoreOptions& options) {
  const ObjectiveRow& row = row_of(objective.kind);
  switch (objective.kind) {
    case ObjectiveKind::effbw:
      return effbw_of(objective.model, app, machine, mapping, node_set_for(row, machine, mapping));
    case ObjectiveKind::aggbw:
      return to_gbps(aggregated_bandwidth(app, machine, mapping));
    case ObjectiveKind::preserved:
      return to_gbps(preserved_bandwidth(machine, node_set_for(row, machine, mapping), options.busy,
                                         objective.preserve));
    case ObjectiveKind::congestion:
      return congestion_seconds(app, machine, mapping);
    case ObjectiveKind::hopbytes:
      return static_cast<double>(hop_bytes(app, machine, mapping));
    case ObjectiveKind::offnode:
      return static_cast<double>(off_node_bytes(app, machine, mapping));
  }
  throw Bug("an objective without a value");
}

std::vector<std::optional<double>> further_values_of(const Objective& objective,
                                                     const CommGraph& app, const Machine& machine,
                                                     const Mapping& mapping,
                                                     const ScoreOptions& options) {
  std::vector<std::optional<double>> values;
  Objective one = objective;
  for (const ObjectiveKind kind : objective.then) {
    one.kind = kind;
    values.push_back(value_of(one, app, machine, mapping, options));
  }
  return values;
}

}  // namespace rankmap
