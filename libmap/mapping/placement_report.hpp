// Planned against actual: what each rank of a started job wrote about itself, judged by the map.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libmap/mapping/map_file.hpp"

namespace rankmap {

// ok: as planned. note: as planned as far as this machine can (CPUs that do not exist here, a memory
// policy the kernel refused). wrong: elsewhere, or not placed, or no report.
enum class PlacementVerdict { ok, note, wrong };
std::string_view name_of(PlacementVerdict verdict);

// What a rank is seen to have; "" and -1: not told.
struct ActualPlacement {
  std::string job;  // where jobs have to be told apart
  long pid = -1;
  std::string launcher;
  int local_rank = none;
  std::string gpu_mode;      // own, aligned, own-first, keep
  std::string gpu_variable;  // CUDA_VISIBLE_DEVICES ...
  std::string gpus;          // its value
  std::string gpu_device;    // bus id of the rank's own GPU
  CpuSet cpus;
  std::string memory;  // set, refused, skipped, none
  std::string nic;     // the value of the NIC's variable
  std::string openmp;
  int mpi_peers =
      0;  // ranks of this node that MPI takes for neighbours, itself included; 0: not asked
};

struct PlacementRow {
  Rank rank = none;
  std::string host;     // where it ran; "" no report
  std::string planned;  // "gpu 2, cpus 0-4,40-44"
  std::string actual;   // "gpu 2, cpus 0-1"
  PlacementVerdict verdict = PlacementVerdict::wrong;
  std::string reason;  // "" where the verdict is ok
  MapRow plan;
  ActualPlacement seen;
};

// Reads DIRECTORY/rank.R of every rank of the map; a missing file is a wrong row, a damaged one too.
// Ranks of one host that MPI does not take for neighbours get a note.
// SystemError: the directory cannot be read. O(ranks).
std::vector<PlacementRow> read_placement(const std::string& directory, const MapFile& map);

// One rank's report text against its row.
PlacementRow judge_placement(const MapRow& planned, std::string_view report);

// "13 of 16 ranks sit as planned, 2 as far as their host goes"
std::string summary_of(const std::vector<PlacementRow>& rows);

// The worst verdict; ok for no rows.
PlacementVerdict worst_of(const std::vector<PlacementRow>& rows);

// "rank 0: n0, gpu 2, cpus 0-1: note: CPUs 2-4,40-44 do not exist here"
std::string line_of(const PlacementRow& row);

}  // namespace rankmap
