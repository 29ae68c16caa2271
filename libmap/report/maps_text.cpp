#include "libmap/report/maps_text.hpp"

#include <algorithm>

#include "libmap/report/text_table.hpp"

namespace rankmap {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

std::string one_map(const NamedMap& named) {
  const MapFile& map = named.map;
  std::string text = named.name + ": " + std::to_string(map.rows.size()) + " ranks on " +
                     map.machine + ", placed for " + map.objective + "\n";
  Rows rows = {{"rank", "host", "gpu", "gpu id", "nic", "cpus", "memory"}};
  for (const MapRow& row : map.rows)
    rows.push_back({std::to_string(row.rank), row.host,
                    row.gpu == none ? "-" : std::to_string(row.gpu), or_dash(row.gpu_id),
                    or_dash(row.nic), or_dash(row.cpus.to_string()),
                    or_dash(row.memory_nodes.to_string())});
  return text + text_table(rows, {0});
}

std::string place_of(const MapFile& map, std::size_t rank) {
  if (rank >= map.rows.size()) return "-";
  const MapRow& row = map.rows[rank];
  const std::string place =
      row.gpu == none ? "cpus " + row.cpus.to_string() : "gpu " + std::to_string(row.gpu);
  return row.host == "*" ? place : row.host + " " + place;
}

}  // namespace

std::string maps_text(const std::vector<NamedMap>& maps) {
  if (maps.empty()) return "";
  if (maps.size() == 1) return one_map(maps.front());
  std::size_t ranks = 0;
  Rows rows = {{"rank"}};
  for (const NamedMap& map : maps) {
    rows[0].push_back(map.name);
    ranks = std::max(ranks, map.map.rows.size());
  }
  rows[0].emplace_back("");
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::vector<std::string> row = {std::to_string(rank)};
    for (const NamedMap& map : maps) row.push_back(place_of(map.map, rank));
    const bool same = std::all_of(row.begin() + 1, row.end(),
                                  [&](const std::string& cell) { return cell == row[1]; });
    row.emplace_back(same ? "" : "*");
    rows.push_back(std::move(row));
  }
  return text_table(rows, {0});
}

}  // namespace rankmap
