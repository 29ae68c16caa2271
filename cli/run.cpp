// rankmap run: starts an MPI job as planned, or, without a plan, with everything near to each rank.
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "cli/launch_job.hpp"
#include "cli/options.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/report/placement_table.hpp"

namespace rankmap::cli {
namespace {

constexpr std::size_t most_rows = 16;

struct Flags {
  JobFlags job;
  std::string report;  // a folder for the raw reports, or a file for the table
};

// An existing folder, or a name that can only be one.
bool names_folder(const std::string& path) {
  struct stat status {};
  return path.ends_with('/') || (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode));
}

void write_report(const std::string& path, const std::vector<PlacementRow>& rows) {
  const bool json = path.ends_with(".json");
  write_text(path, json ? placement_json(rows) : placement_table(rows, rows.size()));
}

// Programs that count GPUs by local rank fail where they see but one.
void tell_of_ordinals(const FinishedJob& job) {
  for (const PlacementRow& row : job.rows)
    if (row.seen.gpu_mode == "own" && row.seen.local_rank > 0) {
      std::fprintf(
          stderr,
          "rankmap: the job ended with %d; if it says \"invalid device ordinal\", it picks "
          "its GPU by local rank: try --gpus aligned\n",
          job.code);
      return;
    }
}

int run_action(Flags flags, const Context& context) {
  const bool folder = names_folder(flags.report);
  if (folder) flags.job.report = flags.report;
  const FinishedJob job = run_job(flags.job, context);
  if (job.rows.empty()) {
    if (!flags.report.empty() && !folder && !flags.job.dry_run)
      warn("no rank reported, " + flags.report + " is not written");
    return job.code;
  }
  std::fflush(stdout);
  if (!flags.report.empty() && !folder) write_report(flags.report, job.rows);
  if (!flags.job.quiet) {
    const std::string table = placement_table(job.rows, most_rows);
    std::fwrite(table.data(), 1, table.size(), stderr);
    if (job.code != 0) tell_of_ordinals(job);
  }
  return job.code;
}

}  // namespace

Action setup_run(CLI::App& app, const Context& context) {
  const auto flags = std::make_shared<Flags>();
  add_job_flags(app, flags->job);
  app.add_option("--report", flags->report,
                 "write the table of all ranks into this file (JSON where it ends in .json); an "
                 "existing folder, or NAME/, keeps what each rank wrote")
      ->type_name("FILE");
  app.add_option("--save-map", flags->job.save_map, "write the map that is used")
      ->type_name("FILE");
  app.add_flag("--quiet", flags->job.quiet, "no table, and no word about what was added");
  app.add_flag("--dry-run", flags->job.dry_run, "print the command line instead of running it");
  return [flags, &context] { return run_action(*flags, context); };
}

}  // namespace rankmap::cli
