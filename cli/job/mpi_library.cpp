#include "cli/job/mpi_library.hpp"

#include <cstdlib>
#include <filesystem>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"

namespace rankmap::cli {
namespace {

namespace fs = std::filesystem;

// Which MPI a launcher starts; "": it starts several. Intel's and HPE's MPIs are MPICH to programs,
// IBM's is Open MPI.
std::string mpi_of(LauncherKind launcher) {
  switch (launcher) {
    case LauncherKind::openmpi:
    case LauncherKind::prrte:
    case LauncherKind::jsrun:
      return "openmpi";
    case LauncherKind::hydra:
    case LauncherKind::intel:
    case LauncherKind::pals:
      return "mpich";
    case LauncherKind::srun:
    case LauncherKind::flux:
    case LauncherKind::torchrun:
      return "";
  }
  return "";
}

// Recording has something left without MPI: NCCL.
std::string wanted_mpi(const std::string& flag, LauncherKind launcher) {
  const std::string mpi = mpi_of_job(launcher);
  if (mpi == "openmpi" || mpi == "mpich") return mpi;
  if (!mpi.empty())
    throw UsageError("found RANKMAP_MPI=" + rankmap::quoted(mpi) + ", expected openmpi or mpich" +
                     (flag == "--record" ? ", or none to record NCCL alone" : ""));
  throw UsageError(flag +
                   " must know the MPI, and this launcher starts programs of any: set RANKMAP_MPI "
                   "to openmpi or mpich (also for MPIs that are built from MPICH)" +
                   (flag == "--record" ? ", or to none to record NCCL alone" : ""));
}

using Variable = std::pair<std::string, std::string>;

Variable preload_of(const std::vector<std::string>& libraries, const Environment& inherited) {
  LaunchOptions options;
  options.preload = libraries;
  options.inherited = inherited;
  for (const Variable& variable : preload_variables(options))
    if (variable.first == "LD_PRELOAD") return variable;
  throw Bug("preloaded libraries without LD_PRELOAD");
}

}  // namespace

std::string mpi_of_job(LauncherKind launcher) {
  const char* const wish = std::getenv("RANKMAP_MPI");
  return wish != nullptr ? wish : mpi_of(launcher);
}

std::string mpi_library(const std::string& name, const std::string& flag, LauncherKind launcher,
                        const std::string& shim) {
  const std::string mpi = wanted_mpi(flag, launcher);
  const std::string file = "librankmap_" + name + "_" + mpi + ".so";
  const fs::path path = fs::path(shim).parent_path() / file;
  if (!shim.empty() && is_regular_file(path.string())) return path.string();
  throw NotAvailable(file + " was not found where the shim is: rankmap was built without " +
                     (mpi == "mpich" ? "MPICH" : "Open MPI") + "'s compiler");
}

void load_into_ranks(LaunchOptions& options, const std::vector<std::string>& libraries) {
  if (!options.preload.empty())
    options.preload.insert(options.preload.end(), libraries.begin(), libraries.end());
  else if (!libraries.empty())
    options.variables.push_back(preload_of(libraries, options.inherited));
}

Launch launch_with_libraries(const std::vector<std::string>& command, LauncherKind launcher,
                             const std::vector<std::string>& libraries, const Variables& variables,
                             const Environment& inherited) {
  Launch launch{command, variables, {}};
  if (!libraries.empty()) launch.environment.push_back(preload_of(libraries, inherited));
  const bool must_export = launcher == LauncherKind::openmpi || launcher == LauncherKind::prrte;
  for (const Variable& variable : launch.environment)
    if (must_export) launch.argv.insert(launch.argv.begin() + 1, {"-x", variable.first});
  return launch;
}

}  // namespace rankmap::cli
