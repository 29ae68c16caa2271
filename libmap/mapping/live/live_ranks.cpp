// Reads /proc: which processes are ranks, where their threads may run, what they hold open.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/live/live_placement.hpp"

namespace rankmap {
namespace {

namespace fs = std::filesystem;

// MPI's own names stand before Slurm's: an mpirun in a Slurm job sets both.
struct RankVariable {
  std::string_view rank;
  std::string_view job;  // of the same launcher
};
constexpr std::array rank_variables = {RankVariable{"OMPI_COMM_WORLD_RANK", "PMIX_NAMESPACE"},
                                       RankVariable{"MV2_COMM_WORLD_RANK", "PMI_JOBID"},
                                       RankVariable{"PALS_RANKID", "PALS_APID"},
                                       RankVariable{"FLUX_TASK_RANK", "FLUX_JOB_ID"},
                                       RankVariable{"JSM_NAMESPACE_RANK", "LSB_JOBID"},
                                       RankVariable{"PMI_RANK", "PMI_JOBID"},
                                       RankVariable{"PMIX_RANK", "PMIX_NAMESPACE"},
                                       RankVariable{"SLURM_PROCID", "SLURM_JOB_ID"}};

// proc files have no size that a reader could trust.
std::string proc_text(const fs::path& path) {
  constexpr std::streamsize limit = 1 << 20;
  std::ifstream file(path, std::ios::binary);
  std::string text(limit, '\0');
  file.read(text.data(), limit);
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

std::string line_value(const std::string& text, std::string_view key) {
  for (const std::string_view line : split_lines(text))
    if (line.starts_with(key)) return std::string(trim(line.substr(key.size())));
  return "";
}

// The NVIDIA GPUs of this host in PCI order, with the numbers of their device files.
struct NvidiaDevice {
  std::string bus_id;
  std::string minor;
};
std::vector<NvidiaDevice> nvidia_devices(const std::string& root) {
  std::vector<NvidiaDevice> devices;
  std::error_code none_here;
  for (const auto& entry : fs::directory_iterator(root + "/proc/driver/nvidia/gpus", none_here)) {
    const std::string text = proc_text(entry.path() / "information");
    devices.push_back(
        {to_lower(entry.path().filename().string()), line_value(text, "Device Minor:")});
  }
  std::sort(devices.begin(), devices.end(),
            [](const NvidiaDevice& a, const NvidiaDevice& b) { return a.bus_id < b.bus_id; });
  return devices;
}

struct Process {
  long pid = -1;
  long parent = -1;
  std::string job;
  Rank rank = none;
};

std::optional<Process> rank_of_process(const fs::path& folder, long pid) {
  const std::string environment = proc_text(folder / "environ");
  std::map<std::string_view, std::string_view> variables;
  for (const std::string_view entry : split(environment, '\0'))
    if (const std::size_t equals = entry.find('='); equals != std::string_view::npos)
      variables.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  for (const RankVariable& row : rank_variables) {
    const auto found = variables.find(row.rank);
    const auto rank = found == variables.end() ? std::nullopt : parse_integer(found->second);
    if (!rank || *rank < 0 || *rank > 1 << 24) continue;
    Process process{pid, none, "", static_cast<Rank>(*rank)};
    const auto job = variables.find(row.job);
    process.job = job == variables.end() ? "-" : std::string(job->second);
    process.parent =
        parse_integer(line_value(proc_text(folder / "status"), "PPid:")).value_or(none);
    return process;
  }
  return std::nullopt;
}

std::vector<Process> rank_processes() {
  std::vector<Process> processes;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator("/proc", failed)) {
    const auto pid = parse_integer(entry.path().filename().string());
    if (!pid) continue;
    if (auto process = rank_of_process(entry.path(), static_cast<long>(*pid)))
      processes.push_back(*std::move(process));
  }
  if (failed) throw SystemError("cannot read /proc: " + failed.message());
  return processes;
}

CpuSet cpus_of(long pid) {
  CpuSet cpus;
  std::error_code gone;
  for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(pid) + "/task", gone)) {
    const std::string list = line_value(proc_text(task.path() / "status"), "Cpus_allowed_list:");
    cpus = cpus.united(CpuSet::parse_list(list).value_or(CpuSet()));
  }
  return cpus;
}

void add_devices(long pid, const std::string& root, const std::vector<NvidiaDevice>& nvidia,
                 std::set<std::string>& names, std::set<int>& gpus) {
  std::error_code gone;
  for (const auto& fd : fs::directory_iterator("/proc/" + std::to_string(pid) + "/fd", gone)) {
    const fs::path target = fs::read_symlink(fd.path(), gone);
    const std::string path = target.string();
    const std::string folder = target.parent_path().string(), name = target.filename().string();
    if (folder == root + "/dev/dri" && name.starts_with("renderD")) names.insert(name);
    if (folder != root + "/dev" || !name.starts_with("nvidia")) continue;
    for (std::size_t i = 0; i < nvidia.size(); ++i)
      if (!nvidia[i].minor.empty() && name == "nvidia" + nvidia[i].minor)
        gpus.insert(static_cast<int>(i));
  }
}

}  // namespace

std::vector<LiveRank> live_ranks() {
  const char* const wish = std::getenv("RANKMAP_SYSROOT");  // for tests
  const std::string root = wish == nullptr ? "" : wish;
  const std::vector<NvidiaDevice> nvidia = nvidia_devices(root);
  std::map<std::pair<std::string, Rank>, std::vector<Process>> groups;
  for (Process& process : rank_processes())
    groups[{process.job, process.rank}].push_back(std::move(process));
  std::vector<LiveRank> ranks;
  for (const auto& [key, processes] : groups) {
    LiveRank rank{key.first, key.second, -1, {}, {}, {}, {}};
    std::set<long> parents;
    std::set<std::string> names;
    std::set<int> gpus;
    for (const Process& process : processes) {
      parents.insert(process.parent);
      add_devices(process.pid, root, nvidia, names, gpus);
    }
    for (const Process& process : processes)
      if (!parents.contains(process.pid)) rank.pid = std::max(rank.pid, process.pid);
    rank.cpus = cpus_of(rank.pid);
    for (const int gpu : gpus) {
      rank.devices.push_back("gpu " + std::to_string(gpu));
      rank.gpus.push_back(gpu);
      rank.gpu_ids.push_back(nvidia[static_cast<std::size_t>(gpu)].bus_id);
    }
    rank.devices.insert(rank.devices.end(), names.begin(), names.end());
    ranks.push_back(std::move(rank));
  }
  return ranks;
}

}  // namespace rankmap
