// The ranks of jobs that run on this host now, as /proc shows them: where they may run and which GPUs
// they hold open, whatever their environment says.
#pragma once

#include <string>
#include <vector>

#include "libmap/mapping/map_file.hpp"
#include "libmap/mapping/placement_report.hpp"

namespace rankmap {

// One rank: all processes that inherited its launcher's variables, taken together.
struct LiveRank {
  std::string job;  // as its launcher names it, else "of process 12"; tells jobs apart
  Rank rank = none;
  long pid = -1;  // the last of its processes: the program behind shells and wrappers
  CpuSet cpus;    // all its threads together
  std::vector<std::string> devices;  // opened: "gpu 2" (NVIDIA, in PCI order), "renderD129"; sorted
  std::vector<int> gpus;             // the numbers of the former
  std::vector<std::string> gpu_ids;  // their bus ids
};

// Every rank among the processes that this user may look at. By job, then rank. SystemError: no /proc.
// O(processes + their descriptors).
std::vector<LiveRank> live_ranks();

// The jobs among them; the ranks of one; the jobs that have, on this host, just the ranks of the map.
std::vector<std::string> jobs_of(const std::vector<LiveRank>& ranks);
std::vector<LiveRank> ranks_of_job(const std::vector<LiveRank>& ranks, const std::string& job);
std::vector<std::string> jobs_that_fit(const std::vector<LiveRank>& ranks, const MapFile& map,
                                       const std::string& host);

// "4 ranks of 2 jobs run here; none shares a GPU that another rank of its job holds open"
std::string live_summary(const std::vector<LiveRank>& ranks, const std::vector<PlacementRow>& rows);

// One job's ranks against the map (ranks of other hosts are left out): devices opened that are not the
// plan's, CPUs outside of it, no GPU opened yet (a note), ranks that do not run (wrong).
std::vector<PlacementRow> judge_live(const std::vector<LiveRank>& ranks, const MapFile& map,
                                     const std::string& host);

// Without a map: an NVIDIA GPU that several ranks of one job hold open is wrong, a render node a note.
std::vector<PlacementRow> judge_live(const std::vector<LiveRank>& ranks, const std::string& host);

}  // namespace rankmap
