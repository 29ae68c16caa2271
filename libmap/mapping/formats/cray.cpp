#include "libmap/mapping/formats/cray.hpp"

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/formats/formats.hpp"
#include "libmap/mapping/formats/slurm_step.hpp"

namespace rankmap {

std::string rank_order_text(const MapFile& map, const Layout& layout) {
  std::string text = comment_line(map, sizes_of(map, layout));
  for (const HostRanks& host : layout.hosts) {
    std::vector<std::string> ranks;
    for (const MapRow* const row : host.rows) ranks.push_back(std::to_string(row->rank));
    text += join(ranks, ",") + "\n";
  }
  return text;
}

MapFile map_by_process(const MapFile& map, const Layout& layout) {
  MapFile result = map;
  result.rows.clear();
  for (const HostRanks& host : layout.hosts)
    for (const MapRow* const row : host.rows) {
      result.rows.push_back(*row);
      result.rows.back().rank = static_cast<Rank>(result.rows.size() - 1);
    }
  return result;
}

Export write_cray(const MapFile& map, const ExportOptions& options) {
  check_host_names(map);
  const Layout layout = layout_by_name(map);
  if (!layout.equal)
    throw Infeasible(
        "MPICH_RANK_ORDER counts processes that are placed in equal blocks, but the map has "
        "different numbers of ranks on its hosts");
  const MapFile by_process = map_by_process(map, layout);
  const std::string map_path = options.file_name + ".processes.rankmap";
  const bool usual_name = options.file_name == "MPICH_RANK_ORDER";
  Export result;
  result.text = rank_order_text(map, layout);
  result.file_name = options.file_name;
  result.command =
      "MPICH_RANK_REORDER_METHOD=3 " +
      (usual_name ? "" : "MPICH_RANK_REORDER_FILE=" + shell_word(options.file_name) + " ") +
      wrapped_srun(slurm_step(by_process, layout_by_name(by_process)),
                   wrapped_program(map_path, options));
  result.more.push_back({map_path, write_map(by_process)});
  result.notes.push_back(carries_note("the order file carries the host of every rank",
                                      "CPUs, GPU, NIC and memory are", map_path));
  result.notes.emplace_back(by_process_note);
  result.notes.emplace_back(all_gpus_note);
  return result;
}

}  // namespace rankmap
