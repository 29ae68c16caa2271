// Ranks found in /proc: real processes with a launcher's variables that hold made-up devices open.
// Other jobs may run on this machine; ours are told by their names.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include "libmap/base/files.hpp"
#include "libmap/mapping/live/live_placement.hpp"

namespace rankmap {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Three NVIDIA GPUs whose device files are not numbered in PCI order, and a render node.
class Live : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::canonical(::testing::TempDir()) / "rankmap_live.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    job_ = "job" + std::to_string(::getpid());
    add_gpu("0000:10:00.0", "2");
    add_gpu("0000:20:00.0", "0");
    add_gpu("0000:AF:00.0", "1");
    fs::create_directories(root_ + "/dev/dri");
    for (const char* name : {"nvidiactl", "nvidia-uvm", "dri/renderD128"})
      write_text(root_ + "/dev/" + name, "");
    ::setenv("RANKMAP_SYSROOT", root_.c_str(), 1);
  }

  void TearDown() override {
    for (const pid_t pid : started_) {
      ::kill(-pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
    ::unsetenv("RANKMAP_SYSROOT");
    fs::remove_all(root_);
  }

  void add_gpu(const std::string& bus_id, const std::string& minor) const {
    const std::string folder = root_ + "/proc/driver/nvidia/gpus/" + bus_id;
    fs::create_directories(folder);
    fs::create_directories(root_ + "/dev");
    write_text(folder + "/information",
               "Model: \t\t NVIDIA A100\nDevice Minor: \t " + minor + "\n");
    write_text(root_ + "/dev/nvidia" + minor, "");
  }

  // A shell, in a process group of its own, with these variables and no others but PATH.
  pid_t start(const std::string& script, Words variables, int cpu = -1) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::setpgid(0, 0);
      bind(cpu);
      variables.emplace_back("PATH=/usr/bin:/bin");
      std::vector<char*> environment;
      for (std::string& variable : variables) environment.push_back(variable.data());
      environment.push_back(nullptr);
      ::execle("/bin/sh", "sh", "-c", script.c_str(), nullptr, environment.data());
      ::_exit(127);
    }
    ::setpgid(pid, pid);
    started_.push_back(pid);
    return pid;
  }

  static void bind(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (cpu < 0) return;
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    ::sched_setaffinity(0, sizeof set, &set);
  }

  Words open_mpi(int rank) const {
    return {"OMPI_COMM_WORLD_RANK=" + std::to_string(rank), "PMIX_NAMESPACE=" + job_,
            "SLURM_PROCID=7", "SLURM_STEP_ID=0", "SLURM_JOB_ID=1"};
  }

  std::string device(const std::string& name) const { return "'" + root_ + "/dev/" + name + "'"; }

  // What is found once it is as wished; the last look where patience ends.
  template <typename Wish>
  static std::vector<LiveRank> found(const std::function<bool(const LiveRank&)>& ours, Wish wish) {
    std::vector<LiveRank> ranks;
    for (int look = 0; look < 100; ++look) {
      ranks.clear();
      for (LiveRank& rank : live_ranks())
        if (ours(rank)) ranks.push_back(std::move(rank));
      if (wish(ranks)) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return ranks;
  }

  std::vector<LiveRank> ranks_with_devices(std::size_t count, const std::string& job) const {
    return found([&](const LiveRank& rank) { return rank.job == job; },
                 [&](const std::vector<LiveRank>& ranks) {
                   return ranks.size() == count &&
                          std::none_of(ranks.begin(), ranks.end(),
                                       [](const LiveRank& rank) { return rank.devices.empty(); });
                 });
  }

  std::string root_, job_;
  std::vector<pid_t> started_;
};

int first_cpu() {
  cpu_set_t set;
  ::sched_getaffinity(0, sizeof set, &set);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) return cpu;
  return 0;
}

TEST_F(Live, FindsWhatEachRankHoldsOpen) {
  const int cpu = first_cpu();
  const pid_t first = start("exec sleep 60 3<" + device("nvidia2"), open_mpi(0), cpu);
  const pid_t second = start("exec sleep 60 3<" + device("nvidia1") + " 4<" + device("nvidia0") +
                                 " 5<" + device("nvidiactl") + " 6<" + device("nvidia-uvm") +
                                 " 7<" + device("dri/renderD128"),
                             open_mpi(1));
  const std::vector<LiveRank> ranks = ranks_with_devices(2, job_);
  ASSERT_EQ(ranks.size(), 2U);
  EXPECT_EQ(ranks[0].rank, 0);
  EXPECT_EQ(ranks[0].pid, first);
  EXPECT_EQ(ranks[0].devices, Words{"gpu 0"});  // the first by its bus id
  EXPECT_EQ(ranks[0].gpu_ids, Words{"0000:10:00.0"});
  EXPECT_EQ(ranks[0].cpus, CpuSet{cpu});
  EXPECT_EQ(ranks[1].rank, 1);
  EXPECT_EQ(ranks[1].pid, second);
  EXPECT_EQ(ranks[1].devices, (Words{"gpu 1", "gpu 2", "renderD128"}));
  EXPECT_EQ(ranks[1].gpus, (std::vector<int>{1, 2}));
  EXPECT_EQ(ranks[1].gpu_ids, (Words{"0000:20:00.0", "0000:af:00.0"}));
}

// A user's script around the program: both are the rank, and the program is the one that counts.
TEST_F(Live, TakesAShellAndItsProgramForOneRank) {
  const pid_t shell = start("sleep 60 3<" + device("nvidia0") + "; true", open_mpi(3));
  // The shell opens the file before it starts the program.
  const std::vector<LiveRank> ranks =
      found([&](const LiveRank& rank) { return rank.job == job_; },
            [&](const std::vector<LiveRank>& seen) {
              return seen.size() == 1 && !seen[0].devices.empty() && seen[0].pid != shell;
            });
  ASSERT_EQ(ranks.size(), 1U);
  EXPECT_EQ(ranks[0].rank, 3);
  EXPECT_GT(ranks[0].pid, 0);
  EXPECT_NE(ranks[0].pid, shell);
  EXPECT_EQ(ranks[0].devices, Words{"gpu 1"});
}

TEST_F(Live, IgnoresOtherFilesOfThatName) {
  fs::create_directories(root_ + "/elsewhere");
  write_text(root_ + "/elsewhere/nvidia0", "");
  start("exec sleep 60 3<'" + root_ + "/elsewhere/nvidia0'", open_mpi(0));
  const std::vector<LiveRank> ranks =
      found([&](const LiveRank& rank) { return rank.job == job_; },
            [](const std::vector<LiveRank>& all) { return all.size() == 1; });
  ASSERT_EQ(ranks.size(), 1U);
  EXPECT_EQ(ranks[0].devices, Words{});
}

struct Case {
  Words variables;
  const char* job;
  Rank rank;
};

// Of every launcher, and which of two names wins.
TEST_F(Live, KnowsTheLaunchersVariables) {
  const std::string own = job_;
  const Case table[] = {
      {{"MV2_COMM_WORLD_RANK=1", "PMI_JOBID=@mv2"}, "@mv2", 1},
      {{"PALS_RANKID=2", "PALS_APID=@pals", "PMI_RANK=9"}, "@pals", 2},
      {{"FLUX_TASK_RANK=3", "FLUX_JOB_ID=@flux"}, "@flux", 3},
      {{"JSM_NAMESPACE_RANK=4", "LSB_JOBID=@jsrun"}, "@jsrun", 4},
      {{"PMI_RANK=5", "PMI_JOBID=@pmi", "SLURM_PROCID=0", "SLURM_STEP_ID=1"}, "@pmi", 5},
      {{"PMIX_RANK=6", "PMIX_NAMESPACE=@pmix"}, "@pmix", 6},
      {{"SLURM_PROCID=7", "SLURM_JOB_ID=@slurm", "SLURM_STEP_ID=3"}, "@slurm.3", 7},
      {{"RANK=8", "TORCHELASTIC_RUN_ID=@torch", "SLURM_PROCID=0", "SLURM_STEP_ID=0"}, "@torch", 8},
  };
  const auto named = [&](std::string text) {
    if (const std::size_t at = text.find('@'); at != std::string::npos) text.replace(at, 1, own);
    return text;
  };
  for (const Case& row : table) {
    Words variables;
    for (const std::string& variable : row.variables) variables.push_back(named(variable));
    start("exec sleep 60 3<" + device("nvidia0"), variables);
  }
  for (const Case& row : table) {
    const std::vector<LiveRank> ranks = ranks_with_devices(1, named(row.job));
    ASSERT_EQ(ranks.size(), 1U) << row.job;
    EXPECT_EQ(ranks[0].rank, row.rank) << row.job;
  }
}

// The shell of a batch script has Slurm's task 0 in its environment and is no rank; nor is a process
// with a variable RANK of its own.
TEST_F(Live, TakesNoShellForARank) {
  const std::string slurm = "SLURM_JOB_ID=" + job_;
  const pid_t shells[] = {
      start("exec sleep 60", {"SLURM_PROCID=0", slurm}),
      start("exec sleep 60", {"SLURM_PROCID=0", slurm, "SLURM_STEP_ID=4294967291"}),
      start("exec sleep 60", {"RANK=0", "WORLD_SIZE=1"}),
      start("exec sleep 60", {"PMI_RANK=x"}),
      start("exec sleep 60", {"PMI_RANK=-1"}),
  };
  start("exec sleep 60 3<" + device("nvidia0"), open_mpi(0));
  ASSERT_EQ(ranks_with_devices(1, job_).size(), 1U);  // by then the others run as well
  for (const LiveRank& rank : live_ranks())
    for (const pid_t shell : shells) EXPECT_NE(rank.pid, shell);
}

// hydra names no job: two of them must not be taken for one.
TEST_F(Live, TellsJobsWithoutNamesApartByTheirStarters) {
  const std::string script = "PMI_RANK=0 sh -c 'sleep 60 3<" + root_ +
                             "/dev/nvidia0; true' & PMI_RANK=1 sleep 60 3<" + device("nvidia1") +
                             " & wait";
  const pid_t one = start(script, {}), other = start(script, {});
  for (const pid_t starter : {one, other}) {
    const std::vector<LiveRank> ranks =
        ranks_with_devices(2, "of process " + std::to_string(starter));
    ASSERT_EQ(ranks.size(), 2U);
    EXPECT_EQ(ranks[0].devices, Words{"gpu 1"});
    EXPECT_EQ(ranks[1].devices, Words{"gpu 2"});
  }
}

// Processes that come and go while /proc is read are no error.
TEST_F(Live, SurvivesProcessesThatEnd) {
  start("while :; do /bin/true; done", open_mpi(0));
  start("while :; do /bin/true & wait; done", open_mpi(1));
  for (int look = 0; look < 40; ++look) EXPECT_NO_THROW(live_ranks());
}

}  // namespace
}  // namespace rankmap
