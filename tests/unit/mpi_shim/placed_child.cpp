#include "tests/unit/mpi_shim/placed_child.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
extern "C" {
#include "mpi_shim/placement.h"
}

namespace rankmap::testing {
namespace {

constexpr const char* watched[] = {
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",    "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK",
    "UCX_NET_DEVICES",      "MPICH_OFI_NIC_POLICY", "NCCL_IB_HCA",          "OMP_NUM_THREADS",
    "OMP_PLACES",           "OMP_PROC_BIND",        "RANKMAP_PLACED",       "RANKMAP_PASSED"};

void bind_to(const CpuSet& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus.numbers()) CPU_SET(static_cast<std::size_t>(cpu), &set);
  if (!cpus.empty()) sched_setaffinity(0, sizeof set, &set);
}

// Where the threads of this process may run, all together.
CpuSet cpus_of_threads() {
  CpuSet cpus;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(std::stoi(thread.path().filename().string()), sizeof set, &set);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.add(cpu);
  }
  return cpus;
}

[[noreturn]] void run_child(const std::string& map_path, const Environment& environment,
                            const CpuSet& first_cpus, const std::function<void()>& before,
                            const std::string& folder) {
  static constexpr const char* states[] = {"no rank", "already", "passed", "placed"};
  clearenv();
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  bind_to(first_cpus);
  if (before) before();
  if (freopen((folder + "/stderr").c_str(), "w", stderr) == nullptr) _exit(1);
  rankmap_placement placement;
  rankmap_settings settings = rankmap_settings_from_environment();
  settings.map = map_path.c_str();
  settings.report = folder.c_str();
  rankmap_place(&placement, &settings);
  const int code = rankmap_finish(&placement, "rankmap");
  std::ofstream out(folder + "/outcome");
  out << "code " << code << "\nstate " << states[placement.state] << "\n";
  out << "threads_cpus " << cpus_of_threads().to_string() << "\n";
  for (const char* name : watched)
    out << "env_" << name << " " << (getenv(name) == nullptr ? "-" : getenv(name)) << "\n";
  out.close();
  _exit(0);
}

void take_fields(const std::string& text, Outcome& outcome) {
  for (const std::string_view line : split_lines(text)) {
    const std::size_t blank = line.find(' ');
    outcome.emplace(line.substr(0, blank), line.substr(blank + 1));
  }
}

}  // namespace

Folder::Folder() {
  char name[] = "/tmp/rankmap-shim-XXXXXX";
  EXPECT_NE(mkdtemp(name), nullptr);
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& relative, const std::string& content) const {
  const std::filesystem::path path = std::filesystem::path(path_) / relative;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
  return path.string();
}

Outcome place(const std::string& map_path, const Environment& environment, const CpuSet& first_cpus,
              const std::function<void()>& before) {
  const Folder folder;
  const pid_t child = fork();
  if (child == 0) run_child(map_path, environment, first_cpus, before, folder.path());
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the child failed: " << status;
  Outcome outcome;
  take_fields(read_text(folder.path() + "/outcome"), outcome);
  outcome["tell"] = read_text(folder.path() + "/stderr");
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    if (file.path().filename().string().rfind("rank.", 0) == 0) {
      outcome["report"] = read_text(file.path().string());
      take_fields(outcome["report"], outcome);
    }
  return outcome;
}

MapFile reversed(int ranks) {
  MapFile map{"test", "effbw", false, {}};
  for (int rank = 0; rank < ranks; ++rank) {
    MapRow row;
    row.rank = rank;
    row.host = "*";
    row.gpu = ranks - 1 - rank;
    map.rows.push_back(row);
  }
  return map;
}

Environment open_mpi(int rank, int size) {
  return {{"OMPI_COMM_WORLD_RANK", std::to_string(rank)},
          {"OMPI_COMM_WORLD_LOCAL_RANK", std::to_string(rank)},
          {"OMPI_COMM_WORLD_SIZE", std::to_string(size)},
          {"PMIX_NAMESPACE", "job7"}};
}

CpuSet own_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  CpuSet cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.add(cpu);
  return cpus;
}

}  // namespace rankmap::testing
