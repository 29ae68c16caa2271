#include <algorithm>
#include <cmath>

#include "libmap/base/text.hpp"
#include "libmap/mapping/map_file.hpp"
#include "libmap/report/network_table.hpp"
#include "libmap/report/result.hpp"
#include "libmap/report/text_table.hpp"

namespace rankmap {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}
std::string or_dash(std::int32_t number) {
  return number == none ? "-" : std::to_string(number);
}
std::string or_dash(const std::optional<double>& value) {
  return value ? readable(*value) : "-";
}

std::string counted(std::uint64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

// Long jobs are cut for people; the JSON and the map file have every rank.
constexpr Rank most_rows = 64;

Rows mapping_rows(const Machine& machine, const Mapping& mapping) {
  Rows rows = {{"rank", "slot", "host", "gpu", "gpu id", "nic", "cpus", "memory"}};
  for (const MapRow& row : map_file_of(mapping, machine, "", most_rows).rows)
    rows.push_back({std::to_string(row.rank), std::to_string(mapping[row.rank]), row.host,
                    or_dash(row.gpu), or_dash(row.gpu_id), or_dash(row.nic),
                    or_dash(row.cpus.to_string()), or_dash(row.memory_nodes.to_string())});
  return rows;
}

// "6 GB/s in the launcher's own order, 13.3 times worse"
std::string default_line(const MapResult& result, const std::string& unit) {
  if (!result.default_value) return "";
  const std::optional<double> times =
      times_better(result.objective.kind, result.placed.value, result.default_value);
  std::string text =
      "default    " + readable(*result.default_value) + " " + unit + " in the launcher's own order";
  if (times && *times > 1) text += ", " + readable(*times) + " times worse";
  if (times && *times < 1) text += ", " + readable(1 / *times) + " times better";
  return text + "\n";
}

std::string mapping_table(const Machine& machine, const Mapping& mapping) {
  const Rank more = std::max(0, mapping.ranks() - most_rows);
  return text_table(mapping_rows(machine, mapping), {0, 1}) +
         (more > 0 ? "... and " + std::to_string(more) + " more ranks\n" : "");
}

std::string certificate(const PlaceResult& placed, const std::string& unit) {
  if (!placed.value) return "";
  if (placed.optimal)
    return std::string(", proven optimal") +
           (placed.order_optimal ? "" : " (the order among equals was not searched to the end)");
  if (!placed.bound) return ", no bound is known";
  const std::optional<double> gap = gap_of(placed.value, placed.bound);
  constexpr double percent = 100.0;
  return ", bound " + readable(*placed.bound) + " " + unit +
         (gap ? ", gap " + readable(*gap * percent) + " %" : std::string());
}

Rows score_rows(const Score& score) {
  return {{"aggregated bandwidth (GB/s)", readable(score.aggbw)},
          {"effbw ring (GB/s)", or_dash(score.effbw_ring)},
          {"effbw tree (GB/s)", or_dash(score.effbw_tree)},
          {"effbw mapa2021 (GB/s)", or_dash(score.effbw_mapa2021)},
          {"preserved bandwidth (GB/s)", or_dash(score.preserved)},
          {"hop-bytes", std::to_string(score.hop_bytes)},
          {"J", readable(score.J)},
          {"off-node bytes", std::to_string(score.off_node_bytes)},
          {"congestion time (s)", readable(score.congestion_seconds)},
          {"most links on a route", std::to_string(score.max_dilation)}};
}

std::string link_end(const NodeModel& model, VertexId vertex) {
  return model.vertex_name(vertex);
}

std::string indented(const std::string& lines) {
  std::string text;
  for (const std::string_view line : split_lines(lines)) text += "  " + std::string(line) + "\n";
  return text;
}

}  // namespace

std::optional<double> times_better(ObjectiveKind kind, std::optional<double> value,
                                   std::optional<double> other) {
  if (!value || !other) return std::nullopt;
  if (*value == *other) return 1.0;
  const double better = row_of(kind).maximise ? *value : *other;
  const double worse = row_of(kind).maximise ? *other : *value;
  if (better <= 0 || worse <= 0) return std::nullopt;
  return better / worse;
}

std::optional<double> gap_of(std::optional<double> value, std::optional<double> bound) {
  if (!value || !bound) return std::nullopt;
  if (*value == *bound) return 0.0;
  if (*bound == 0) return std::nullopt;
  return std::abs(*value - *bound) / std::abs(*bound);
}

std::string map_text(const MapResult& result) {
  const CommGraph& app = *result.app;
  const Machine& machine = *result.machine;
  const ObjectiveRow& row = row_of(result.objective.kind);
  std::string text = "app        " + app.name + " (" +
                     counted(static_cast<std::uint64_t>(app.ranks()), "rank") + ", " +
                     counted(app.edges().size(), "edge") + ")\n";
  text += "machine    " + machine.name() + " (" +
          counted(static_cast<std::uint64_t>(machine.nodes()), "node") + ", " +
          counted(static_cast<std::uint64_t>(machine.slots()), "slot") + ")\n";
  text += "objective  " + std::string(row.name);
  if (result.objective.kind == ObjectiveKind::effbw)
    text += " (" + std::string(name_of(result.objective.model)) + ")";
  text += ": " + or_dash(result.placed.value) +
          (result.placed.value ? " " + std::string(row.unit) : "") +
          certificate(result.placed, row.unit) + "\n";
  for (std::size_t i = 0; i < result.placed.further.size(); ++i) {
    const ObjectiveRow& next = row_of(result.objective.then[i]);
    text += "then       " + std::string(next.name) + ": " + or_dash(result.placed.further[i]) +
            (result.placed.further[i] ? " " + std::string(next.unit) : "") + "\n";
  }
  text += default_line(result, row.unit);
  text += "strategy   " + result.placed.strategy + ", " + readable(result.seconds) + " s\n";
  for (const std::string& note : result.placed.notes) text += "note       " + note + "\n";
  if (!result.placed.script.empty()) text += "script\n" + indented(result.placed.script);
  text += "\n" + mapping_table(machine, result.placed.mapping) + "\n" +
          text_table(score_rows(result.score));
  for (std::size_t i = 0; result.with_top && i < result.placed.top.size(); ++i) {
    const RankedMapping& other = result.placed.top[i];
    text +=
        "\ntop " + std::to_string(i + 1) + ": " + or_dash(other.value) + " " + row.unit + ", slots";
    for (const SlotId slot : other.mapping.slot_of) text += " " + std::to_string(slot);
  }
  return result.with_top ? text + "\n" : text;
}

std::string scores_text(const std::vector<ScoredMap>& maps) {
  Rows rows = {{"metric"}};
  for (const ScoredMap& map : maps) {
    rows[0].push_back(map.name);
    const Rows column = score_rows(map.score);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (rows.size() == i + 1) rows.push_back({column[i][0]});
      rows[i + 1].push_back(column[i][1]);
    }
  }
  return text_table(rows);
}

std::string app_text(const CommGraph& app, std::size_t most_edges) {
  std::string text =
      app.name + ": " + counted(static_cast<std::uint64_t>(app.ranks()), "rank") + ", " +
      counted(app.edges().size(), "directed edge") + ", " + counted(app.pairs().size(), "pair") +
      ", " + counted(static_cast<std::uint64_t>(app.phases()), "phase") + ", " +
      counted(app.groups().size(), "group") + ", " + format_bytes(app.total_bytes()) +
      (app.total_bytes() < 1024 ? " bytes\n" : "\n");
  Rows rows = {{"phase", "from", "to", "bytes", "messages", "weight", "group"}};
  for (const Edge& edge : app.edges().first(std::min(most_edges, app.edges().size())))
    rows.push_back({std::to_string(edge.phase), std::to_string(edge.source),
                    std::to_string(edge.destination), std::to_string(edge.bytes),
                    std::to_string(edge.messages), std::to_string(edge.weight),
                    or_dash(edge.group)});
  text += text_table(rows, {0, 1, 2, 3, 4, 5});
  if (app.edges().size() > most_edges)
    text += "... and " + std::to_string(app.edges().size() - most_edges) + " more edges\n";
  return text;
}

namespace {

// Slots of a bare network are nothing but places.
std::string bare_machine_text(const Machine& machine) {
  return machine.name() + ": " + counted(static_cast<std::uint64_t>(machine.nodes()), "node") +
         " of " + counted(static_cast<std::uint64_t>(machine.slots_per_node()), "slot") + "\n" +
         network_table(machine);
}

}  // namespace

std::string machine_text(const Machine& machine) {
  const NodeModel& model = machine.model();
  if (model.bare) return bare_machine_text(machine);
  std::string text =
      machine.name() + ": " + counted(static_cast<std::uint64_t>(machine.nodes()), "node") +
      " of " + counted(model.gpus.size(), "GPU") + ", " + counted(model.cores.size(), "core") +
      ", " + counted(model.nics.size(), "NIC") + ", " +
      counted(model.numa_nodes.size(), "NUMA node") + " (read as " + model.source_format + ")\n";
  if (machine.has_gpus() && machine.uniform())
    text += "any GPUs of a node are equal; NIC and NUMA decide\n";
  Rows slots = {{"slot", machine.has_gpus() ? "gpu" : "core", "gpu id", "nic", "numa", "cpus"}};
  for (SlotId slot = 0; slot < machine.slots_per_node(); ++slot) {
    const SlotRow row = machine.slot(slot);
    slots.push_back({std::to_string(slot),
                     machine.has_gpus() ? or_dash(row.gpu) : or_dash(row.cores.to_string()),
                     or_dash(row.gpu_id), or_dash(row.nic), or_dash(row.numa),
                     or_dash(row.cpus.to_string())});
  }
  text += "\n" + text_table(slots, {0});
  Rows links = {{"link", "from", "to", "lanes", "GB/s"}};
  for (const Connection& row : model.connections)
    links.push_back({name_of(row.kind), link_end(model, row.a), link_end(model, row.b),
                     std::to_string(row.count), readable(to_gbps(row.bytes_per_second))});
  text += "\n" + text_table(links, {3, 4}) + network_table(machine);
  for (const std::string& warning : model.warnings) text += "warning: " + warning + "\n";
  return text;
}

}  // namespace rankmap
