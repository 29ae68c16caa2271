// Libraries of ours that are built per MPI and loaded into every rank of a job: the recorder, reorder.
#pragma once

#include <string>
#include <vector>

#include "libmap/mapping/launch.hpp"

namespace rankmap::cli {

// What RANKMAP_MPI says, else openmpi or mpich by the launcher; "": it starts programs of any MPI.
std::string mpi_of_job(LauncherKind launcher);

// librankmap_NAME_openmpi.so or _mpich.so, where the shim is. `flag` is what needs it, for the errors.
// RANKMAP_MPI=openmpi|mpich says which where the launcher does not. UsageError: neither says;
// NotAvailable: there is no such library.
std::string mpi_library(const std::string& name, const std::string& flag, LauncherKind launcher,
                        const std::string& shim);

// Beside the wrapper by LD_PRELOAD, or behind the libraries that are preloaded anyway.
void load_into_ranks(LaunchOptions& options, const std::vector<std::string>& libraries);

// The command as it is, with these libraries and variables in the environment of its ranks.
Launch launch_with_libraries(const std::vector<std::string>& command, LauncherKind launcher,
                             const std::vector<std::string>& libraries, const Variables& variables,
                             const Environment& inherited);

}  // namespace rankmap::cli
