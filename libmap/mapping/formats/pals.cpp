// HPE PALS (mpiexec of Cray EX systems): equal blocks in the order of a host file; any other order of
// ranks by Cray MPICH's order file on top.
#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/formats/cray.hpp"
#include "libmap/mapping/formats/formats.hpp"
#include "libmap/mapping/formats/layout.hpp"
#include "libmap/mapping/formats/rankfile.hpp"

namespace rankmap {
namespace {

std::string host_file(const Layout& layout) {
  std::string text;
  for (const HostRanks& host : layout.hosts) text += spelled_host(host.host) + "\n";
  return text;
}

// "list:8-11:0-3": a field a local rank.
template <typename Field>
std::string list_of(const HostRanks& host, const Field& field) {
  std::vector<std::string> fields;
  for (const MapRow* const row : host.rows) fields.push_back(field(*row));
  return "list:" + join(fields, ":");
}

std::string bindings(const MapFile& map, const Layout& layout) {
  const HostRanks& host = layout.hosts.front();
  const bool cpus = all_have_cpus(map) && agree_on_cpus(layout);
  const bool gpus = all_have_gpus(map) && agree_on_gpus(layout);
  return " --cpu-bind " +
         (cpus ? list_of(host, [](const MapRow& row) { return plain_list(row.cpus); }) : "none") +
         " --gpu-bind " +
         (gpus ? list_of(host, [](const MapRow& row) { return std::to_string(row.gpu); }) : "none");
}

std::string carried(const MapFile& map, const Layout& layout) {
  const bool all =
      all_have_cpus(map) && agree_on_cpus(layout) && all_have_gpus(map) && agree_on_gpus(layout);
  return all ? "mpiexec carries host, CPUs (OS numbers) and GPU of every rank"
             : "mpiexec carries the host of every rank (its lists of CPUs and GPUs are one for all "
               "nodes, and stand here only where these agree)";
}

}  // namespace

Export write_pals(const MapFile& map, const ExportOptions& options) {
  check_host_names(map);
  const Layout layout = layout_by_first_rank(map);
  if (!layout.equal)
    throw Infeasible(
        "PALS fills every host with the same number of ranks, but the map has different numbers");
  const bool reordered = !layout.block;
  const std::string order_file = options.file_name + ".MPICH_RANK_ORDER";
  const std::string map_path =
      reordered ? options.file_name + ".processes.rankmap" : options.map_path;
  Export result;
  result.text = host_file(layout);
  result.file_name = options.file_name;
  if (reordered) {
    result.more.push_back({order_file, rank_order_text(map, layout)});
    result.more.push_back({map_path, write_map(map_by_process(map, layout))});
    result.command =
        "MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE=" + shell_word(order_file) + " ";
  }
  result.command += "mpiexec -n " + std::to_string(map.rows.size()) + " --ppn " +
                    std::to_string(layout.ranks_per_host()) + " --hostfile " +
                    shell_word(options.file_name) + bindings(map, layout) + " " +
                    wrapped_program(map_path, options);
  result.notes.push_back(carries_note(carried(map, layout), "what else the map says is", map_path));
  if (reordered) {
    result.notes.emplace_back(
        "the order of ranks over hosts is Cray MPICH's; other MPIs ignore it");
    result.notes.emplace_back(by_process_note);
  }
  return result;
}

}  // namespace rankmap
