#include "cli/job/record_job.hpp"

#include <sys/stat.h>

#include <cstdio>
#include <filesystem>

#include "cli/job/mpi_library.hpp"
#include "cli/options.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"

namespace rankmap::cli {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

Recording::Recording(const std::string& file, const std::string& phases, LauncherKind launcher,
                     const std::string& shim)
    : file_(fs::absolute(file).string()),
      library_(mpi_library("record", "--record", launcher, shim)),
      before_(stamp(file_)) {
  check_phases(phases);
  variables_.emplace_back("RANKMAP_RECORD", file_);
  if (!phases.empty()) variables_.emplace_back("RANKMAP_RECORD_PHASES", phases);
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
