// The table of launcher formats, and the map file as one of them.
#include "libmap/mapping/launcher.hpp"

#include <algorithm>
#include <array>

#include "libmap/base/error.hpp"
#include "libmap/mapping/formats/formats.hpp"
#include "libmap/mapping/formats/layout.hpp"
#include "libmap/mapping/formats/rankfile.hpp"

namespace rankmap {
namespace {

Export write_rankmap(const MapFile& map, const ExportOptions& options) {
  const std::string ranks = std::to_string(map.rows.size());
  const std::string hosts = map.hosts_unnamed ? "" : " --host " + host_slots(map);
  Export result;
  result.text = write_map(map);
  result.file_name = options.file_name.empty() ? options.map_path : options.file_name;
  result.command = "rankmap run --map " + shell_word(result.file_name) + " -- mpirun -np " + ranks +
                   hosts + " " + options.program;
  result.notes.push_back("the map carries host, GPU, NIC, CPUs and memory of every rank");
  return result;
}

constexpr std::array formats = {
    LauncherFormat{"rankmap", "rankmap's own map file, for run, exec and the shim", "job.rankmap",
                   false, write_rankmap},
    LauncherFormat{"openmpi4", "rankfile of Open MPI 4: mpirun -rf FILE", "job.rankfile", true,
                   write_openmpi4},
    LauncherFormat{"prrte", "rankfile of PRRTE and Open MPI 5: --map-by rankfile:file=FILE",
                   "job.rankfile", true, write_prrte},
    LauncherFormat{"mpich", "machine file of MPICH with bindings; -rankmap (4.1) where ranks mix",
                   "job.machines", true, write_mpich},
    LauncherFormat{"mpich40", "the same for MPICH 4.0 and older: block or cyclic order only",
                   "job.machines", true, write_mpich40},
    LauncherFormat{"intelmpi", "machine file of Intel MPI, and I_MPI_PIN_DOMAIN for every host",
                   "job.machines", true, write_intelmpi},
    LauncherFormat{"cray", "MPICH_RANK_ORDER of Cray MPICH over srun, with the map by process",
                   "MPICH_RANK_ORDER", false, write_cray},
    LauncherFormat{"slurm", "srun, with a SLURM_HOSTFILE where ranks mix; the wrapper binds",
                   "job.hosts", true, write_slurm},
    LauncherFormat{"slurm-bind", "srun with lists of CPUs and GPUs, where all nodes agree",
                   "job.hosts", true, write_slurm_bind},
    LauncherFormat{"sbatch", "a batch script for Slurm, complete with its srun line", "job.sbatch",
                   false, write_sbatch},
    LauncherFormat{"jsrun", "explicit resource file of LSF's jsrun: --erf_input FILE", "job.erf",
                   false, write_jsrun},
    LauncherFormat{"flux", "task map of Flux: --taskmap=hostfile:FILE or manual:[...]", "job.hosts",
                   false, write_flux},
    LauncherFormat{"pals", "host file of HPE PALS, with --cpu-bind and --gpu-bind lists",
                   "job.hosts", true, write_pals},
    LauncherFormat{"bluegene", "map file of Blue Gene: coordinates and T of every rank", "job.map",
                   false, write_bluegene},
    LauncherFormat{"torchrun", "script with torchrun's command for every host", "job.sh", true,
                   write_torchrun},
    LauncherFormat{"csv", "table of all ranks, one a line", "job.csv", false, write_csv},
};

bool has_own_names(const MapFile& map) {
  return !map.hosts_unnamed && (map.rows.empty() || map.rows.front().host != "*");
}

MapFile named_map(const MapFile& map, const std::vector<std::string>& hosts) {
  if (hosts.empty()) return map;
  const std::vector<std::string> own = hosts_of(map);
  const bool all_known = std::all_of(own.begin(), own.end(), [&](const std::string& host) {
    return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
  });
  return has_own_names(map) && all_known ? map : with_hosts(map, hosts);
}

}  // namespace

std::span<const LauncherFormat> launcher_formats() {
  return formats;
}

Export export_map(const MapFile& map, std::string_view format, const ExportOptions& options) {
  std::vector<std::string> names;
  for (const LauncherFormat& row : formats) {
    names.emplace_back(row.name);
    if (row.name != format) continue;
    const MapFile named = named_map(map, options.hosts);
    if (named.rows.empty()) throw Infeasible("a map without ranks cannot be exported");
    if (has_nameless_hosts(named) && row.names_hosts)
      throw UsageError("the map's nodes have no names yet, give them with --hosts n0,n1,...");
    ExportOptions complete = options;
    if (complete.file_name.empty() && row.write != write_rankmap)
      complete.file_name = row.file_name;
    return row.write(named, complete);
  }
  throw UsageError::unknown("launcher format", format, names);
}

}  // namespace rankmap
