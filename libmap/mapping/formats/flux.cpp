// Flux task maps: runs of blocks [first node, nodes, tasks a node, repeats], or a host a task.
#include "libmap/mapping/formats/flux.hpp"

#include <algorithm>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/formats/formats.hpp"
#include "libmap/mapping/formats/layout.hpp"

namespace rankmap {
namespace {

// A run of tasks on one node.
struct Run {
  std::size_t node, tasks;
  friend bool operator==(const Run&, const Run&) = default;
};

std::vector<Run> runs_of(const std::vector<std::size_t>& node_of_task) {
  std::vector<Run> runs;
  for (const std::size_t node : node_of_task) {
    if (runs.empty() || runs.back().node != node) runs.push_back({node, 0});
    ++runs.back().tasks;
  }
  return runs;
}

// How many runs from `first` on are those of one block: neighbouring nodes, as many tasks on each.
std::size_t block_length(const std::vector<Run>& runs, std::size_t first) {
  std::size_t length = 1;
  while (first + length < runs.size() &&
         runs[first + length] == Run{runs[first].node + length, runs[first].tasks})
    ++length;
  return length;
}

std::size_t repeats_of(const std::vector<Run>& runs, std::size_t first, std::size_t length) {
  std::size_t repeats = 1;
  for (std::size_t next = first + length; next + length <= runs.size(); next += length) {
    const auto at = [&](std::size_t i) { return runs.begin() + static_cast<std::ptrdiff_t>(i); };
    if (!std::equal(at(first), at(first + length), at(next))) break;
    ++repeats;
  }
  return repeats;
}

}  // namespace

std::string flux_blocks(const std::vector<std::size_t>& node_of_task) {
  const std::vector<Run> runs = runs_of(node_of_task);
  std::vector<std::string> blocks;
  for (std::size_t i = 0; i < runs.size();) {
    const std::size_t length = block_length(runs, i), repeats = repeats_of(runs, i, length);
    blocks.push_back("[" + std::to_string(runs[i].node) + "," + std::to_string(length) + "," +
                     std::to_string(runs[i].tasks) + "," + std::to_string(repeats) + "]");
    i += length * repeats;
  }
  return "[" + join(blocks, ",") + "]";
}

Export write_flux(const MapFile& map, const ExportOptions& options) {
  check_host_names(map);
  const Layout layout = layout_in_given_order(map, options);
  if (!layout.equal)
    throw Infeasible(
        "Flux gives every node the same number of tasks, but the map has different numbers of "
        "ranks "
        "on its hosts");
  std::vector<std::size_t> node_of_task(map.rows.size());
  for (std::size_t node = 0; node < layout.hosts.size(); ++node)
    for (const MapRow* const row : layout.hosts[node].rows)
      node_of_task[static_cast<std::size_t>(row->rank)] = node;
  const std::string manual = "--taskmap='manual:" + flux_blocks(node_of_task) + "'";
  const bool named = !map.hosts_unnamed && map.rows.front().host != "*";
  Export result;
  result.text = host_per_rank(map);
  result.file_name = options.file_name;
  result.command =
      "flux run -N" + std::to_string(layout.hosts.size()) + " -n" +
      std::to_string(map.rows.size()) + " --exclusive " +
      (named ? "--requires=" + shell_word("hosts:" + compressed_hosts(names_of(layout))) +
                   " --taskmap=hostfile:" + shell_word(options.file_name)
             : manual) +
      " -o cpu-affinity=off -o gpu-affinity=off " + wrapped_program(options.map_path, options);
  result.notes.push_back(carries_note("the task map carries the host of every rank",
                                      "CPUs, GPU, NIC and memory are", options.map_path));
  if (named)
    result.notes.push_back(
        "the same without the file, where Flux counts the nodes in this order: " + manual);
  return result;
}

}  // namespace rankmap
