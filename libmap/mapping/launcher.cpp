// The table of launcher formats, and the map file as one of them.
#include "libmap/mapping/launcher.hpp"

#include <array>

#include "libmap/base/error.hpp"
#include "libmap/mapping/rankfile.hpp"

namespace rankmap {
namespace {

Export write_rankmap(const MapFile& map, const ExportOptions& options) {
  const std::string ranks = std::to_string(map.rows.size());
  const std::string hosts = map.hosts_unnamed ? "" : " --host " + host_slots(map);
  Export result;
  result.text = write_map(map);
  result.file_name = options.file_name.empty() ? options.map_path : options.file_name;
  result.command = "rankmap run --map " + result.file_name + " -- mpirun -np " + ranks + hosts +
                   " " + options.program;
  result.notes.push_back("the map carries host, GPU, NIC, CPUs and memory of every rank");
  return result;
}

constexpr std::array<LauncherFormat, 3> formats = {{
    {"rankmap", "rankmap's own map file, for run, exec and the shim", "job.rankmap", write_rankmap},
    {"openmpi4", "rankfile of Open MPI 4: mpirun -rf FILE", "job.rankfile", write_openmpi4},
    {"prrte", "rankfile of PRRTE and Open MPI 5: --map-by rankfile:file=FILE", "job.rankfile",
     write_prrte},
}};

}  // namespace

std::span<const LauncherFormat> launcher_formats() {
  return formats;
}

Export export_map(const MapFile& map, std::string_view format, const ExportOptions& options) {
  std::vector<std::string> names;
  for (const LauncherFormat& row : formats) {
    names.emplace_back(row.name);
    if (row.name != format) continue;
    const MapFile named = options.hosts.empty() ? map : with_hosts(map, options.hosts);
    if (named.rows.empty()) throw Infeasible("a map without ranks cannot be exported");
    if (has_nameless_hosts(named) && row.write != write_rankmap)
      throw UsageError("the map's nodes have no names yet, give them with --hosts n0,n1,...");
    return row.write(named, options);
  }
  throw UsageError::unknown("launcher format", format, names);
}

}  // namespace rankmap
