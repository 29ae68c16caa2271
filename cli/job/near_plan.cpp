#include "cli/job/near_plan.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "cli/job/child.hpp"
#include "cli/job/temporary_folder.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/detect/local.hpp"
#include "libmap/machine/job/allocation.hpp"
#include "libmap/place/near_map.hpp"

namespace rankmap::cli {
namespace {

JobNode this_host(int ranks) {
  JobNode node{"*", detect_local({}), std::vector<Rank>(static_cast<std::size_t>(ranks))};
  std::iota(node.ranks.begin(), node.ranks.end(), 0);
  return node;
}

// The first line that is more than a ruler.
std::string first_words(const std::string& path) {
  if (!is_regular_file(path)) return "";
  const std::string text = read_text(path);
  for (const std::string_view line : split_lines(text)) {
    const bool words =
        std::any_of(line.begin(), line.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
    if (words) return ": " + std::string(trim(line));
  }
  return "";
}

// Starts the launcher with the probe as its program, and reads what it wrote.
std::vector<JobNode> probe(const std::vector<std::string>& argv, LauncherKind kind,
                           const Context& context) {
  if (context.exec_path.empty())
    throw NotAvailable("rankmap-exec was not found beside the program, expected it there");
  const TemporaryFolder folder(folder_of_all_nodes());
  LaunchOptions options;
  options.inherited = current_environment();
  const Launch launch = probe_launch(
      argv, kind, {context.exec_path, "--probe", folder.path(), "--detect", context.self_path},
      options);
  const std::string output = folder.path() + "/launcher.out";
  const Ended ended = start_and_wait({launch.argv, launch.environment, output});
  if (ended.signal != 0) throw Interrupted{ended.signal};
  if (ended.code != 0)
    throw NotAvailable("asking the job where its ranks are ended with " +
                       std::to_string(ended.code) + first_words(output));
  return read_job_nodes(folder.path());
}

// One process a host of an allocation, by the launcher that is there.
std::vector<std::string> one_a_host(const Allocation& allocation) {
  const std::string count = std::to_string(allocation.hosts.size());
  if (allocation.manager == "Slurm")
    return {"srun", "-N", count, "-n", count, "--ntasks-per-node=1", "true"};
  std::string list;
  for (const std::string& host : allocation.hosts) list += (list.empty() ? "" : ",") + host;
  const std::optional<Launcher> mpirun = recognise_launcher("mpirun");
  if (mpirun && mpirun->kind == LauncherKind::openmpi)
    return {"mpirun", "--host", list, "-np", count, "--map-by", "ppr:1:node", "true"};
  if (mpirun && (mpirun->kind == LauncherKind::hydra || mpirun->kind == LauncherKind::intel))
    return {"mpirun", "-hosts", list, "-ppn", "1", "-n", count, "true"};
  throw NotAvailable("`job` found " + count + " hosts of " + allocation.manager +
                     ", but no launcher to examine them with; name the machine instead");
}

}  // namespace

MapFile plan_near(const Launcher& launcher, const Context& context) {
  const std::optional<int> ranks =
      ranks_on_this_host_only(context.command, launcher.kind, current_environment());
  if (ranks) return near_map({this_host(*ranks)});
  return near_map(probe(context.command, launcher.kind, context));
}

std::vector<JobNode> nodes_of_allocation(const Context& context) {
  const Allocation allocation = read_allocation(environment_variable);
  if (allocation.hosts.size() < 2) return {this_host(0)};
  const std::vector<std::string> argv = one_a_host(allocation);
  const std::optional<Launcher> launcher = recognise_launcher(argv.front());
  if (!launcher) throw NotAvailable(argv.front() + " is not a launcher that rankmap knows");
  return probe(argv, launcher->kind, context);
}

}  // namespace rankmap::cli
