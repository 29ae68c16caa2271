// Reads /proc: which processes are ranks, where their threads may run, what they hold open.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/live/live_placement.hpp"

namespace rankmap {
namespace {

namespace fs = std::filesystem;

// How a launcher tells a process its rank. MPI's own names stand before Slurm's: an mpirun in a Slurm
// job sets both.
struct RankVariable {
  std::string_view rank;
  std::string_view job;         // of the same launcher
  std::string_view needs = {};  // must be set as well: the rank's name alone says little
  std::string_view step = {};   // must be a number: batch scripts have none, or one above all steps
};
constexpr std::array rank_variables = {
    RankVariable{"RANK", "TORCHELASTIC_RUN_ID", "TORCHELASTIC_RUN_ID"},
    RankVariable{"OMPI_COMM_WORLD_RANK", "PMIX_NAMESPACE"},
    RankVariable{"MV2_COMM_WORLD_RANK", "PMI_JOBID"},
    RankVariable{"MVP_COMM_WORLD_RANK", "PMI_JOBID"},
    RankVariable{"PALS_RANKID", "PALS_APID"},
    RankVariable{"FLUX_TASK_RANK", "FLUX_JOB_ID"},
    RankVariable{"JSM_NAMESPACE_RANK", "LSB_JOBID"},
    RankVariable{"PMI_RANK", "PMI_JOBID"},
    RankVariable{"PMIX_RANK", "PMIX_NAMESPACE"},
    RankVariable{"SLURM_PROCID", "SLURM_JOB_ID", "", "SLURM_STEP_ID"}};

// proc files have no size that a reader could trust.
std::string proc_text(const fs::path& path) {
  constexpr std::size_t limit = 1 << 20;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 4096> part{};
  do {
    file.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  } while (file && text.size() < limit);
  return text;
}

// A process that ends meanwhile has no more entries.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code gone;
  for (fs::directory_iterator entry(folder, gone); !gone && entry != fs::directory_iterator();
       entry.increment(gone))
    paths.push_back(entry->path());
  return paths;
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
  for (const fs::path& gpu : entries_of(root + "/proc/driver/nvidia/gpus"))
    devices.push_back({to_lower(gpu.filename().string()),
                       line_value(proc_text(gpu / "information"), "Device Minor:")});
  std::sort(devices.begin(), devices.end(),
            [](const NvidiaDevice& a, const NvidiaDevice& b) { return a.bus_id < b.bus_id; });
  return devices;
}

struct Process {
  long pid = -1;
  long parent = -1;
  const RankVariable* variable = nullptr;
  std::string job;  // "": the launcher does not say
  Rank rank = none;
};

using Variables = std::map<std::string_view, std::string_view>;

Variables variables_of(std::string_view environment) {
  Variables variables;
  for (const std::string_view entry : split(environment, '\0'))
    if (const std::size_t equals = entry.find('='); equals != std::string_view::npos)
      variables.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  return variables;
}

std::string_view value_of(const Variables& variables, std::string_view name) {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string_view() : found->second;
}

bool fits(const RankVariable& row, const Variables& variables) {
  constexpr std::int64_t most_ranks = 1 << 24, special_steps = 4294967280;
  const std::optional<std::int64_t> rank = parse_integer(value_of(variables, row.rank));
  if (!rank || *rank < 0 || *rank > most_ranks) return false;
  if (!row.needs.empty() && value_of(variables, row.needs).empty()) return false;
  if (row.step.empty()) return true;
  const std::optional<std::int64_t> step = parse_integer(value_of(variables, row.step));
  return step && *step >= 0 && *step < special_steps;
}

std::optional<Process> rank_of_process(const fs::path& folder, long pid) {
  const std::string environment = proc_text(folder / "environ");
  const Variables variables = variables_of(environment);
  const auto row =
      std::find_if(rank_variables.begin(), rank_variables.end(),
                   [&](const RankVariable& variable) { return fits(variable, variables); });
  if (row == rank_variables.end()) return std::nullopt;
  Process process{pid, none, &*row, std::string(value_of(variables, row->job)), none};
  process.rank = static_cast<Rank>(parse_integer(value_of(variables, row->rank)).value_or(none));
  if (!row->step.empty()) process.job += "." + std::string(value_of(variables, row->step));
  process.parent = parse_integer(line_value(proc_text(folder / "status"), "PPid:")).value_or(none);
  return process;
}

// The parent of the first of this rank's processes.
long starter_of(const Process& process, const std::map<long, const Process*>& by_pid) {
  const Process* first = &process;
  for (std::size_t step = 0; step < by_pid.size(); ++step) {
    const auto above = by_pid.find(first->parent);
    if (above == by_pid.end() || above->second->variable != process.variable ||
        above->second->rank != process.rank)
      break;
    first = above->second;
  }
  return first->parent;
}

// hydra does not name its jobs: what started their processes tells them apart.
void name_jobs(std::vector<Process>& processes) {
  std::map<long, const Process*> by_pid;
  for (const Process& process : processes) by_pid.emplace(process.pid, &process);
  for (Process& process : processes)
    if (process.job.empty())
      process.job = "of process " + std::to_string(starter_of(process, by_pid));
}

std::vector<Process> rank_processes() {
  std::vector<Process> processes;
  const std::vector<fs::path> entries = entries_of("/proc");
  if (entries.empty()) throw SystemError("cannot read /proc, expected it to be mounted");
  for (const fs::path& folder : entries) {
    const std::optional<std::int64_t> pid = parse_integer(folder.filename().string());
    if (!pid) continue;
    if (auto process = rank_of_process(folder, static_cast<long>(*pid)))
      processes.push_back(*std::move(process));
  }
  name_jobs(processes);
  return processes;
}

CpuSet cpus_of(long pid) {
  CpuSet cpus;
  for (const fs::path& task : entries_of("/proc/" + std::to_string(pid) + "/task")) {
    const std::string list = line_value(proc_text(task / "status"), "Cpus_allowed_list:");
    cpus = cpus.united(CpuSet::parse_list(list).value_or(CpuSet()));
  }
  return cpus;
}

void add_devices(long pid, const std::string& root, const std::vector<NvidiaDevice>& nvidia,
                 std::set<std::string>& names, std::set<int>& gpus) {
  for (const fs::path& fd : entries_of("/proc/" + std::to_string(pid) + "/fd")) {
    std::error_code gone;
    const fs::path target = fs::read_symlink(fd, gone);
    const std::string folder = target.parent_path().string(), name = target.filename().string();
    if (folder == root + "/dev/dri" && name.starts_with("renderD")) names.insert(name);
    if (folder != root + "/dev" || !name.starts_with("nvidia")) continue;
    for (std::size_t i = 0; i < nvidia.size(); ++i)
      if (!nvidia[i].minor.empty() && name == "nvidia" + nvidia[i].minor)
        gpus.insert(static_cast<int>(i));
  }
}

LiveRank rank_of(const std::vector<Process>& processes, const std::string& root,
                 const std::vector<NvidiaDevice>& nvidia) {
  LiveRank rank{processes.front().job, processes.front().rank, -1, {}, {}, {}, {}};
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
  return rank;
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
  for (const auto& [key, processes] : groups) ranks.push_back(rank_of(processes, root, nvidia));
  return ranks;
}

}  // namespace rankmap
