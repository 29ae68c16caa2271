#include <cmath>
#include <nlohmann/json.hpp>

#include "libmap/mapping/map_file.hpp"
#include "libmap/report/result.hpp"

namespace rankmap {
namespace {

using Json = nlohmann::ordered_json;
constexpr int schema_version = 1;

Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}
Json or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}
Json or_null(std::int32_t number) {
  return number == none ? Json(nullptr) : Json(number);
}

// Names may come from files in any encoding: what is not UTF-8 is replaced, never an exception.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json app_head(const CommGraph& app) {
  return {{"name", app.name},
          {"ranks", app.ranks()},
          {"edges", app.edges().size()},
          {"bytes", app.total_bytes()}};
}

Json machine_head(const Machine& machine) {
  return {{"name", machine.name()}, {"nodes", machine.nodes()}, {"slots", machine.slots()}};
}

Json mapping_rows(const Machine& machine, const Mapping& mapping) {
  Json rows = Json::array();
  for (const MapRow& row : map_file_of(mapping, machine, "").rows)
    rows.push_back({{"rank", row.rank},
                    {"slot", mapping[row.rank]},
                    {"host", row.host},
                    {"gpu", or_null(row.gpu)},
                    {"gpu_id", or_null(row.gpu_id)},
                    {"nic", or_null(row.nic)},
                    {"cpus", or_null(row.cpus.to_string())},
                    {"memory", or_null(row.memory_nodes.to_string())}});
  return rows;
}

Json score_object(const Score& score) {
  return {{"aggbw", score.aggbw},
          {"effbw_ring", or_null(score.effbw_ring)},
          {"effbw_tree", or_null(score.effbw_tree)},
          {"effbw_mapa2021", or_null(score.effbw_mapa2021)},
          {"preserved", or_null(score.preserved)},
          {"hop_bytes", score.hop_bytes},
          {"J", score.J},
          {"off_node_bytes", score.off_node_bytes},
          {"congestion_seconds", score.congestion_seconds},
          {"max_dilation", score.max_dilation}};
}

Json counts_array(const LinkCounts& counts) {
  return {counts.doubles, counts.singles, counts.pcie};
}

// Those of a list behind the first, with what the mapping is worth by them.
Json further_objectives(const MapResult& result) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < result.placed.further.size(); ++i) {
    const ObjectiveRow& row = row_of(result.objective.then[i]);
    rows.push_back({{"objective", row.name},
                    {"unit", row.unit},
                    {"value", or_null(result.placed.further[i])}});
  }
  return rows;
}

Json communicators_array(const CommGraph& app,
                         const std::optional<std::vector<PhaseCommunicators>>& phases) {
  if (!phases) return nullptr;
  Json array = Json::array();
  for (const PhaseCommunicators& row : *phases)
    array.push_back({{"phase", row.phase},
                     {"communicators", row.communicators},
                     {"links_min", row.least_links},
                     {"links_mean", row.mean_links},
                     {"links_max", row.most_links},
                     {"worst",
                      {{"name", app.groups()[static_cast<std::size_t>(row.worst.group)].name},
                       {"group", row.worst.group},
                       {"max_link_bytes", row.worst.most_bytes},
                       {"congestion_seconds", row.worst.seconds}}}});
  return array;
}

}  // namespace

std::string map_json(const MapResult& result, const std::optional<Export>& written) {
  const PlaceResult& placed = result.placed;
  const ObjectiveRow& row = row_of(result.objective.kind);
  const bool modelled = result.objective.kind == ObjectiveKind::effbw;
  Json json = {{"schema_version", schema_version},
               {"app", app_head(*result.app)},
               {"machine", machine_head(*result.machine)},
               {"objective", objective_text(result.objective)},
               {"model", modelled ? Json(name_of(result.objective.model)) : Json(nullptr)},
               {"unit", row.unit},
               {"value", or_null(placed.value)},
               {"bound", or_null(placed.bound)},
               {"gap", or_null(gap_of(placed.value, placed.bound))},
               {"optimal", placed.optimal},
               {"order_optimal", placed.order_optimal},
               {"strategy", placed.strategy},
               {"seconds", result.seconds}};
  json["further"] = further_objectives(result);
  const bool counted = result.machine->has_gpus();
  json["xyz"] = counted ? counts_array(result.score.counts) : Json(nullptr);
  json["mapping"] = mapping_rows(*result.machine, placed.mapping);
  json["score"] = score_object(result.score);
  if (result.with_top) {
    json["top"] = Json::array();
    for (const RankedMapping& other : placed.top)
      json["top"].push_back({{"value", or_null(other.value)},
                             {"mapping", mapping_rows(*result.machine, other.mapping)}});
  }
  json["default_value"] = or_null(result.default_value);
  json["script"] = placed.script.empty() ? Json(nullptr) : Json(placed.script);
  json["notes"] = placed.notes;
  json["warnings"] = result.machine->model().warnings;
  if (written)
    json["export"] = {{"file_name", written->file_name},
                      {"text", written->text},
                      {"command", written->command},
                      {"notes", written->notes}};
  return dumped(json);
}

std::string infeasible_json(const std::string& reason) {
  return dumped({{"schema_version", schema_version}, {"infeasible", reason}});
}

std::string scores_json(const CommGraph& app, const Machine& machine,
                        const std::vector<ScoredMap>& maps) {
  Json json = {{"schema_version", schema_version},
               {"app", app_head(app)},
               {"machine", machine_head(machine)},
               {"maps", Json::array()}};
  for (const ScoredMap& map : maps)
    json["maps"].push_back({{"file", map.name},
                            {"xyz", counts_array(map.score.counts)},
                            {"score", score_object(map.score)},
                            {"communicators", communicators_array(app, map.communicators)}});
  if (maps.size() == 1) json["score"] = json["maps"][0]["score"];
  return dumped(json);
}

std::string app_json(const CommGraph& app, std::size_t most_edges) {
  Json json = {{"schema_version", schema_version}};
  json.update(app_head(app));
  json["phases"] = app.phases();
  json["pairs"] = app.pairs().size();
  json["groups"] = app.groups().size();
  const std::size_t shown = std::min(most_edges, app.edges().size());
  json["edges_shown"] = shown;
  json["edge_list"] = Json::array();
  for (const Edge& edge : app.edges().first(shown))
    json["edge_list"].push_back({{"source", edge.source},
                                 {"destination", edge.destination},
                                 {"bytes", edge.bytes},
                                 {"messages", edge.messages},
                                 {"weight", edge.weight},
                                 {"phase", edge.phase},
                                 {"group", or_null(edge.group)}});
  return dumped(json);
}

}  // namespace rankmap
