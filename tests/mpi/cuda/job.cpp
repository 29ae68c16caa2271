#include "tests/mpi/cuda/job.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/placement_report.hpp"

namespace rankmap::cuda {
namespace {

std::string file_of(const Paths& paths, const char* kind, int rank) {
  return paths.reports + "/" + kind + "." + std::to_string(rank);
}

[[noreturn]] void become_rank(const Paths& paths, const Situation& situation,
                              const std::string& mode, const std::string& way, int rank) {
  const std::string number = std::to_string(rank), size = std::to_string(ranks);
  clearenv();
  setenv("RANKMAP_SYSROOT", paths.root.c_str(), 1);
  setenv("OMPI_COMM_WORLD_RANK", number.c_str(), 1);
  setenv("OMPI_COMM_WORLD_LOCAL_RANK", number.c_str(), 1);
  setenv("OMPI_COMM_WORLD_SIZE", size.c_str(), 1);
  if (situation.list != nullptr) setenv("CUDA_VISIBLE_DEVICES", situation.list, 1);
  for (const auto& [kind, descriptor] : {std::pair("out", STDOUT_FILENO), {"err", STDERR_FILENO}})
    dup2(open(file_of(paths, kind, rank).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), descriptor);
  execl(paths.wrapper.c_str(), "rankmap-exec", "--map", paths.map.c_str(), "--report",
        paths.reports.c_str(), "--gpus", mode.c_str(), "--", paths.program.c_str(), way.c_str(),
        static_cast<char*>(nullptr));
  _exit(90);
}

RankResult result_of(const Paths& paths, int rank, int status) {
  RankResult result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 91;
  result.errors = read_text(file_of(paths, "err", rank));
  result.report = read_text(file_of(paths, "rank", rank));
  const std::string output = read_text(file_of(paths, "out", rank));
  for (const std::string_view line : split_lines(output)) {
    const std::string value(line.substr(std::min(line.size(), std::size_t{5})));
    if (line.starts_with("used ")) result.used.push_back(value);
    if (line.starts_with("open ")) {
      const std::string_view node = std::string_view(value).substr(value.find("/dev/"));
      result.open.push_back(bus_id_of_node(std::string(node)));
    }
  }
  return result;
}

bool is_right(const RankResult& rank, const MapRow& row) {
  return rank.code == 0 && rank.used == std::vector<std::string>{row.gpu_id};
}

bool is_loud(const RankResult& rank) {
  return rank.code != 0 || !rank.errors.empty();
}

// The GPU of the plan as the rank's report found it on the node.
std::string reported_device(const std::string& report) {
  constexpr std::string_view key = "gpu_device ";
  for (const std::string_view line : split_lines(report))
    if (line.starts_with(key)) return std::string(line.substr(key.size()));
  return "";
}

bool check_tells(const RankResult& rank, const MapRow& row) {
  const PlacementRow judged = judge_placement(row, rank.report);
  const std::string device = reported_device(rank.report);
  const bool elsewhere = !device.empty() && std::ranges::any_of(rank.open, [&](const auto& open) {
    return open != device;
  });
  return judged.verdict != PlacementVerdict::ok || elsewhere;
}

}  // namespace

JobResult run_job(const Paths& paths, const Situation& situation, const std::string& mode,
                  const std::string& way) {
  JobResult job;
  std::array<pid_t, ranks> children{};
  std::filesystem::remove_all(paths.reports);
  std::filesystem::create_directories(paths.reports);
  for (int rank = 0; rank < ranks; ++rank) {
    const pid_t child = fork();
    if (child == 0) become_rank(paths, situation, mode, way, rank);
    children[static_cast<std::size_t>(rank)] = child;
  }
  for (int rank = 0; rank < ranks; ++rank) {
    int status = 0;
    waitpid(children[static_cast<std::size_t>(rank)], &status, 0);
    job[static_cast<std::size_t>(rank)] = result_of(paths, rank, status);
  }
  return job;
}

std::string outcome_of(const JobResult& job, const MapFile& map) {
  bool right = true, loud = false, told = true;
  for (std::size_t rank = 0; rank < job.size(); ++rank) {
    loud |= is_loud(job[rank]);
    if (is_right(job[rank], map.rows[rank])) continue;
    right = false;
    told &= check_tells(job[rank], map.rows[rank]);
  }
  if (loud) return "loud";
  if (right) return "right";
  return told ? "reported" : "wrong";
}

std::string describe(const JobResult& job) {
  std::ostringstream text;
  for (std::size_t rank = 0; rank < job.size(); ++rank)
    text << "  rank " << rank << ": code " << job[rank].code << ", used "
         << join(job[rank].used, " ") << ", open " << join(job[rank].open, " ") << "\n"
         << job[rank].errors << job[rank].report;
  return text.str();
}

}  // namespace rankmap::cuda
