// A batch script for Slurm. A map without names gets those of the allocation when the script runs.
#include <algorithm>

#include "libmap/mapping/formats/formats.hpp"
#include "libmap/mapping/formats/slurm_step.hpp"

namespace rankmap {
namespace {

std::string directive(const std::string& option) {
  return "#SBATCH --" + option + "\n";
}

// The most GPUs that any host must have for the plan's indices to exist.
int gpus_per_node(const MapFile& map) {
  int most = none;
  for (const MapRow& row : map.rows) most = std::max(most, row.gpu);
  return most + 1;
}

std::string directives(const MapFile& map, const Layout& layout) {
  std::string text = directive("job-name=rankmap") +
                     directive("nodes=" + std::to_string(layout.hosts.size())) +
                     directive("ntasks=" + std::to_string(map.rows.size())) +
                     directive("ntasks-per-node=" + std::to_string(layout.ranks_per_host()));
  if (const int gpus = gpus_per_node(map); gpus > 0)
    text += directive("gpus-per-node=" + std::to_string(gpus));
  text += directive("exclusive");
  if (!map.hosts_unnamed && map.rows.front().host != "*")
    text += directive("nodelist=" + compressed_hosts(names_of(layout)));
  return text;
}

std::string named_step(const MapFile& map, const ExportOptions& options, const SlurmStep& step) {
  const std::string line = wrapped_srun(step, wrapped_program(options.map_path, options)) + "\n";
  if (!step.arbitrary) return line;
  return "hosts=$(mktemp)\ntrap 'rm -f \"$hosts\"' EXIT\ncat >\"$hosts\" <<'END'\n" +
         host_per_rank(map) + "END\nSLURM_HOSTFILE=$hosts " + line;
}

std::string nameless_step(const ExportOptions& options, const SlurmStep& step) {
  const std::string source = shell_word(options.map_path);
  std::string text = "map=job.$SLURM_JOB_ID.rankmap\nrankmap export " + source +
                     " --for rankmap --hosts job -o \"$map\" >/dev/null\n";
  if (step.arbitrary)
    text +=
        "rankmap export \"$map\" --for slurm -o \"$map.hosts\" >/dev/null\n"
        "SLURM_HOSTFILE=$map.hosts ";
  return text + wrapped_srun(step, "rankmap exec --map \"$map\" -- " + options.program) + "\n";
}

}  // namespace

Export write_sbatch(const MapFile& map, const ExportOptions& options) {
  check_host_names(map);
  const Layout layout = layout_by_name(map);
  const SlurmStep step = slurm_step(map, layout);
  Export result;
  result.text = "#!/bin/bash\n" + comment_line(map, sizes_of(map, layout)) +
                directives(map, layout) + "\nset -e\n" +
                (map.hosts_unnamed ? nameless_step(options, step) : named_step(map, options, step));
  result.file_name = options.file_name;
  result.command = "sbatch " + shell_word(options.file_name);
  result.notes.push_back(carries_note("the script carries the host of every rank",
                                      "CPUs, GPU, NIC and memory are", options.map_path));
  if (map.hosts_unnamed)
    result.notes.emplace_back(
        "the map's nodes get the names of the allocation when the script runs, in its order");
  if (step.arbitrary) result.notes.emplace_back(arbitrary_note);
  result.notes.emplace_back(all_gpus_note);
  return result;
}

}  // namespace rankmap
