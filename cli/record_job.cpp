#include "cli/record_job.hpp"

#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/options.hpp"
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

std::string wanted_mpi(LauncherKind launcher) {
  const char* const wish = std::getenv("RANKMAP_RECORD_MPI");
  const std::string mpi = wish != nullptr ? wish : mpi_of(launcher);
  if (mpi == "openmpi" || mpi == "mpich") return mpi;
  if (wish != nullptr)
    throw UsageError("found RANKMAP_RECORD_MPI=" + rankmap::quoted(mpi) +
                     ", expected openmpi or mpich");
  throw UsageError(
      "--record must know the MPI, and this launcher starts programs of any: set "
      "RANKMAP_RECORD_MPI to openmpi or mpich (also for MPIs that are built from MPICH)");
}

std::string library_of(const std::string& mpi, const std::string& shim) {
  const std::string name = "librankmap_record_" + mpi + ".so";
  const fs::path path = fs::path(shim).parent_path() / name;
  if (!shim.empty() && is_regular_file(path.string())) return path.string();
  throw NotAvailable(name + " was not found where the shim is: rankmap was built without " +
                     (mpi == "mpich" ? "MPICH" : "Open MPI") + "'s compiler");
}

void check_phases(const std::string& phases) {
  if (phases.empty() || phases == "pcontrol") return;
  const std::string_view seconds =
      std::string_view(phases).substr(std::min<std::size_t>(5, phases.size()));
  const std::optional<double> value = parse_real(seconds);
  if (phases.starts_with("time:") && value && *value >= 1e-6 && *value <= 1e9) return;
  throw UsageError("found --phases " + rankmap::quoted(phases) +
                   ", expected pcontrol or time:SECONDS (time:0.5)");
}

// Changes whenever the file is replaced.
std::string stamp(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return "";
  return std::to_string(status.st_ino) + " " + std::to_string(status.st_mtim.tv_sec) + " " +
         std::to_string(status.st_mtim.tv_nsec);
}

std::pair<std::string, std::string> preload_of(const std::string& library,
                                               const Environment& inherited) {
  LaunchOptions options;
  options.preload = {library};
  options.inherited = inherited;
  for (const auto& variable : preload_variables(options))
    if (variable.first == "LD_PRELOAD") return variable;
  throw Bug("preloaded libraries without LD_PRELOAD");
}

}  // namespace

Recording::Recording(const std::string& file, const std::string& phases, LauncherKind launcher,
                     const std::string& shim)
    : file_(fs::absolute(file).string()),
      library_(library_of(wanted_mpi(launcher), shim)),
      launcher_(launcher),
      before_(stamp(file_)) {
  check_phases(phases);
  variables_.emplace_back("RANKMAP_RECORD", file_);
  if (!phases.empty()) variables_.emplace_back("RANKMAP_RECORD_PHASES", phases);
}

void Recording::add_to(LaunchOptions& options) const {
  options.variables.insert(options.variables.end(), variables_.begin(), variables_.end());
  if (options.preload.empty())
    options.variables.push_back(preload_of(library_, options.inherited));
  else
    options.preload.push_back(library_);
}

Launch Recording::alone(const std::vector<std::string>& command,
                        const Environment& inherited) const {
  Launch launch{command, variables_, {}};
  launch.environment.push_back(preload_of(library_, inherited));
  const bool must_export = launcher_ == LauncherKind::openmpi || launcher_ == LauncherKind::prrte;
  for (const auto& variable : launch.environment)
    if (must_export) launch.argv.insert(launch.argv.begin() + 1, {"-x", variable.first});
  return launch;
}

void Recording::tell(bool quiet) const {
  if (stamp(file_) == before_)
    warn(
        "no record was written: the program did not reach MPI_Finalize, is linked statically, or "
        "runs "
        "another MPI than " +
        fs::path(library_).filename().string() + " is for");
  else if (!quiet)
    std::fprintf(stderr, "rankmap: the record is in %s; take it as an app: file:%s\n",
                 file_.c_str(), file_.c_str());
}

}  // namespace rankmap::cli
