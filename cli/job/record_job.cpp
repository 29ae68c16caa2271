#include "cli/job/record_job.hpp"

#include <sys/stat.h>

#include <cstdio>
#include <filesystem>

#include "cli/job/mpi_library.hpp"
#include "cli/job/nccl_folder.hpp"
#include "cli/options.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/graph/foreign/nccl_parts.hpp"
#include "libmap/graph/reader.hpp"
#include "libmap/graph/sum.hpp"

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

// NCCL cuts what is longer.
constexpr std::size_t longest_plugin_path = 254;
constexpr const char* plugin_variable = "NCCL_PROFILER_PLUGIN";
constexpr Bytes largest_record = Bytes{1} << 30;

bool is_without_mpi(LauncherKind launcher) {
  const std::string mpi = mpi_of_job(launcher);
  return mpi == "none" || (mpi.empty() && launcher == LauncherKind::torchrun);
}

std::string nccl_recorder(const std::string& shim) {
  return (fs::path(shim).parent_path() / "librankmap_record_nccl.so").string();
}

// What a recorder had no room for, which is no part of a graph.
std::string lines_of_other(std::string_view record) {
  std::string text;
  for (const std::string_view line : split_lines(record))
    if (line.starts_with("# other:")) text += std::string(line) + "\n";
  return text;
}

}  // namespace

Recording::Recording(const std::string& file, const std::string& phases, LauncherKind launcher,
                     const std::string& shim, const Environment& inherited)
    : file_(fs::absolute(file).string()) {
  check_phases(phases);
  if (!is_without_mpi(launcher))
    libraries_.push_back(mpi_library("record", "--record", launcher, shim));
  variables_.emplace_back("RANKMAP_RECORD", file_);
  if (!phases.empty()) variables_.emplace_back("RANKMAP_RECORD_PHASES", phases);
  add_nccl(shim, inherited);
  if (libraries_.empty() && !records_nccl_)
    throw UsageError("there is nothing to record: the job has no MPI, and " + note_);
}

void Recording::add_nccl(const std::string& shim, const Environment& inherited) {
  const std::string library = nccl_recorder(shim);
  const auto users = inherited.find(plugin_variable);
  if (users != inherited.end() && !users->second.empty())
    note_ = "NCCL is not recorded, as " + std::string(plugin_variable) + " is set to " +
            rankmap::quoted(users->second) + " already";
  else if (!is_regular_file(library))
    note_ = "NCCL is not recorded, as there is no " + rankmap::quoted(library);
  else if (library.size() > longest_plugin_path)
    note_ = "NCCL is not recorded, as it takes no path as long as that of its recorder (" +
            std::to_string(library.size()) + " bytes)";
  else
    variables_.emplace_back(plugin_variable, library);
  records_nccl_ = note_.empty();
}

void Recording::begin() {
  if (records_nccl_) remove_nccl_parts(nccl_folder_of(file_));
  before_ = stamp(file_);
}

void Recording::merge(bool has_mpi) const {
  const std::string folder = nccl_folder_of(file_);
  const NcclParts nccl = read_nccl_parts(nccl_parts_in(folder), file_);
  if (has_mpi && !nccl.in_job_ranks)
    throw InputError(
        {folder, 0, 0},
        "its processes do not all say which rank of the job they are, each another one");
  std::string other;
  CommGraph graph = nccl.graph;
  if (has_mpi) {
    const std::string text = read_text(file_, largest_record);
    other = lines_of_other(text);
    graph = sum(parse_comm_graph(text, file_), nccl.graph);
  }
  if (nccl.other_calls != 0) {
    const std::string calls = std::to_string(nccl.other_calls) + " calls of NCCL are not ";
    warn(calls + "in the record: their operation, type, root or peer is not known");
    other += "# other: " + calls + "listed\n";
  }
  write_text(file_, write_comm(graph) + other);
  remove_nccl_parts(folder);
}

bool Recording::put_together(bool has_mpi) const {
  try {
    merge(has_mpi);
    return true;
  } catch (const Error& error) {
    warn(std::string(error.what()) + "; what NCCL did is not in the record, but stays in " +
         nccl_folder_of(file_));
    return false;
  }
}

std::string Recording::why_no_mpi() const {
  return "the program did not reach MPI_Finalize, is linked statically, or runs another MPI than " +
         fs::path(libraries_.front()).filename().string() + " is for";
}

void Recording::finish(bool quiet) const {
  const bool has_mpi = stamp(file_) != before_;
  const bool has_parts = records_nccl_ && !nccl_parts_in(nccl_folder_of(file_)).empty();
  const bool has_nccl = has_parts && put_together(has_mpi);
  if (has_mpi || has_nccl) {
    if (quiet) return;
    const char* const of = !has_nccl ? "MPI" : has_mpi ? "MPI and NCCL" : "NCCL";
    std::fprintf(stderr, "rankmap: the record is in %s (of %s); take it as an app: file:%s\n",
                 file_.c_str(), of, file_.c_str());
    if (!has_mpi && !libraries_.empty())
      std::fprintf(stderr, "rankmap: MPI is not in the record: %s\n", why_no_mpi().c_str());
  } else if (!has_parts) {
    const std::string no_nccl =
        "no process used NCCL of version 2.27 or later and lived to write it";
    warn("no record was written: " +
         (libraries_.empty() ? no_nccl : why_no_mpi() + (records_nccl_ ? "; and " + no_nccl : "")));
  }
}

}  // namespace rankmap::cli
