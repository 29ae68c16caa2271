// What rankmap's recorder of NCCL leaves: a text a process, in a folder. Which messages the
// operations stand for is told in nccl_records.hpp.
//   # rankmap nccl 1                 the first line, exactly so
//   process HOST PID                 before all else
//   rank RANK RANKS                  of the job, by its launcher; - where it does not say
//   comm NUMBER ID RANKS OWN [NAME]  a communicator (ID in hex) and the process's rank
//                                    in it; numbers from 0 on; NAME is the rest of the line
//   call NUMBER OPERATION ROOT CALLS BYTES PHASE
//                                    ROOT in the communicator, - where there is none
//   send NUMBER PEER CALLS BYTES PHASE
//                                    PEER in the communicator
//   other CALLS BYTES                what the recorder had no room or no name for
// BYTES are of all calls together, each with the element count that the program gave: of an
// allgather, alltoall, gather or scatter the part of one rank. Blank lines and lines that begin
// with # mean nothing. What a CUDA graph replays NCCL tells of where it takes part in the replay
// (network traffic), and else once, at the capture: such operations may be counted too low, and
// differently on different ranks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libmap/graph/comm_graph.hpp"

namespace rankmap {

struct NcclParts {
  CommGraph graph;
  bool in_job_ranks;          // else its ranks may be others than the launcher's
  std::uint64_t other_calls;  // not in the graph
};

bool is_nccl_part(std::string_view content);
bool is_nccl_part_name(std::string_view file);  // without its folder

// All of them are parts of one job, by their content; the graph is named `name`. InputError with
// line and column outside the grammar, and where parts contradict one another or are missing.
NcclParts read_nccl_parts(const std::vector<std::string>& files, const std::string& name);

// For the tables of formats: one part alone, and those that are among the files of a folder.
CommGraph read_nccl_part(std::string_view content, const std::string& source);
CommGraph read_nccl_parts_folder(const std::vector<std::string>& files, const std::string& folder);

}  // namespace rankmap
