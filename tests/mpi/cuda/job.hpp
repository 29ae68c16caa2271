// Four ranks of one job through the wrapper, without an MPI: what each of them did, and the verdict.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tests/mpi/cuda/node.hpp"

namespace rankmap::cuda {

struct Paths {
  std::string wrapper, program;
  std::string root, map, reports;
};

struct RankResult {
  int code = 0;
  std::vector<std::string> used;  // bus ids, as CUDA told them
  std::vector<std::string> open;  // bus ids of the device nodes its process had open
  std::string errors;             // stderr, the wrapper's lines included
  std::string report;             // the wrapper's report
};

using JobResult = std::array<RankResult, ranks>;

// right     every rank uses its planned GPU and no other
// loud      a rank failed, or the wrapper said a line on stderr
// reported  nobody said a word, but for every rank that is not right, `rankmap check` tells: by the
//           report of the rank, or by the device nodes it has open
// wrong     silent
std::string outcome_of(const JobResult& job, const MapFile& map);

JobResult run_job(const Paths& paths, const Situation& situation, const std::string& mode,
                  const std::string& way);

// For people, where an outcome is not the expected one.
std::string describe(const JobResult& job);

}  // namespace rankmap::cuda
