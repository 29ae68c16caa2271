// Communication graphs that other tools record: one reader a format, for single files and for
// folders with a file a process. Each says in its .cpp what it counts. All refuse what is not their
// grammar with file:line:column; files up to 1 GiB, ranks and edges as GraphBuilder limits them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libmap/graph/comm_graph.hpp"

namespace rankmap {

// Open MPI's monitoring: PREFIX.R.prof, a file a rank, or all of them in one.
bool is_monitoring(std::string_view content);
bool is_monitoring_name(std::string_view file);
CommGraph read_monitoring(std::string_view content, const std::string& source);
CommGraph read_monitoring_folder(const std::vector<std::string>& files, const std::string& folder);

// TAU with TAU_COMM_MATRIX=1: profile.N.0.T. A single file is refused: it has one sender only.
bool is_tau(std::string_view content);
bool is_tau_name(std::string_view file);
CommGraph refuse_tau_file(std::string_view content, const std::string& source);
CommGraph read_tau_folder(const std::vector<std::string>& files, const std::string& folder);

// Intel Application Performance Snapshot: the table of aps-report -x.
bool is_aps(std::string_view content);
CommGraph read_aps(std::string_view content, const std::string& source);

// IPM 2: the XML of a run with IPM_LOG=full.
bool is_ipm(std::string_view content);
CommGraph read_ipm(std::string_view content, const std::string& source);

// The inspector plugin of NCCL: a JSON object a line.
bool is_nccl_inspector(std::string_view content);
bool is_nccl_inspector_name(std::string_view file);
CommGraph read_nccl_inspector(std::string_view content, const std::string& source);
CommGraph read_nccl_inspector_folder(const std::vector<std::string>& files,
                                     const std::string& folder);

// mpiP: recognised to be refused, as its reports name no peers.
bool is_mpip(std::string_view content);
CommGraph refuse_mpip(std::string_view content, const std::string& source);

// True where the folder holds files of one of the formats above.
bool is_recording_folder(const std::string& path);

// The graph of all files of one format in the folder; the first format that is there counts, other
// files mean nothing. InputError if there is none.
CommGraph read_recording_folder(const std::string& path);

}  // namespace rankmap
