// Blue Gene map files: line r has the torus coordinates of rank r and its place T on that node.
#include <algorithm>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/formats/formats.hpp"
#include "libmap/mapping/formats/grid.hpp"
#include "libmap/mapping/formats/layout.hpp"

namespace rankmap {
namespace {

[[noreturn]] void refuse(const MapRow& row, const std::string& why) {
  throw Infeasible("rank " + std::to_string(row.rank) + ": " + why);
}

std::string line_of(const MapRow& row, std::size_t node, const std::vector<std::size_t>& extents) {
  const std::vector<std::size_t> place = coordinates(node, extents);
  if (place.empty())
    refuse(row, "node " + std::to_string(node) + " is outside the torus of the map's machine");
  std::string line;
  for (const std::size_t coordinate : place) line += std::to_string(coordinate) + " ";
  return line + std::to_string(std::max(row.slot, 0)) + "\n";
}

}  // namespace

Export write_bluegene(const MapFile& map, const ExportOptions& options) {
  const std::vector<std::size_t> extents = grid_extents(map.machine);
  if (extents.empty())
    throw Infeasible("Blue Gene map files are coordinates on a torus, but the map's machine is " +
                     quoted(map.machine) + ", expected torus:AxB... or mesh:AxB...");
  if (!map.hosts_unnamed && map.rows.front().host != "*" && options.hosts.empty())
    throw Infeasible(
        "the map names its hosts, so their coordinates are not known; give --hosts in "
        "the order of the torus");
  Export result;
  const std::map<std::string, std::size_t> nodes = host_numbers(map, options);
  for (const MapRow& row : map.rows) result.text += line_of(row, nodes.at(row.host), extents);
  const Layout layout = layout_by_name(map);
  result.file_name = options.file_name;
  result.command = "runjob --np " + std::to_string(map.rows.size()) + " --ranks-per-node " +
                   std::to_string(layout.ranks_per_host()) + " --mapping " +
                   shell_word(options.file_name) + " : " + options.program;
  result.notes.emplace_back(
      "the map file carries node and slot of every rank, all that a bare network has; Blue Gene/L "
      "takes it as BGLMPI_MAPPING");
  return result;
}

}  // namespace rankmap
