// rankmap run: starts an MPI job as planned, or, without a plan, with everything near to each rank.
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/job/child.hpp"
#include "cli/job/launch_job.hpp"
#include "cli/options.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/report/comparison.hpp"
#include "libmap/report/placement_table.hpp"

namespace rankmap::cli {
namespace {

constexpr std::size_t most_rows = 16;

struct Flags {
  JobFlags job;
  std::string compare;  // maps, `near`, `default`, to be run by turns
  int repeat = 6;
  std::string report;  // a folder for the raw reports, or a file for the table
};

// An existing folder, or a name that can only be one.
bool names_folder(const std::string& path) {
  struct stat status {};
  return path.ends_with('/') || (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode));
}

// Before hours of a job are spent on it.
void expect_writable(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  const bool exists = ::access(path.c_str(), F_OK) == 0;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode))
    throw UsageError("--report: " + rankmap::quoted(path) + " is a pipe, expected a file");
  if (path == "-" || ::access(exists ? path.c_str() : folder.c_str(), W_OK) == 0) return;
  throw SystemError::from_errno("write", path, errno);
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

JobFlags flags_for(const Flags& flags, const std::string& map) {
  JobFlags job = flags.job;
  job.quiet = true;
  job.untouched = map == "default";
  job.map = map == "default" || map == "near" ? "" : map;
  return job;
}

// The maps by turns, so that what else the machine does meets all of them alike.
int compare_action(const Flags& flags, const Context& context) {
  if (!flags.job.map.empty() || flags.job.dry_run)
    throw UsageError("--compare names the maps itself, so --map and --dry-run have no place");
  if (!flags.job.record.empty())
    throw UsageError("--compare takes times, and --record takes time: record in a run of its own");
  std::vector<Timing> timings;
  for (const std::string& map : parse_names(flags.compare)) timings.push_back({map, {}});
  if (timings.size() < 2)
    throw UsageError("--compare: found " + rankmap::quoted(flags.compare) +
                     ", expected two maps or more, as in a.rankmap,near,default");
  // What cannot be read is told before the first job has run, not after.
  for (const Timing& timing : timings)
    if (JobFlags job = flags_for(flags, timing.name); !job.map.empty()) map_of(job);
  for (int round = 0; round < flags.repeat; ++round)
    for (Timing& timing : timings) {
      const FinishedJob job = run_job(flags_for(flags, timing.name), context);
      if (job.code != 0) {
        std::fprintf(stderr, "rankmap: with %s the job ended with %d: nothing is compared\n",
                     timing.name.c_str(), job.code);
        return job.code;
      }
      if (timing.name != "default" && worst_of(job.rows) == PlacementVerdict::wrong)
        warn(timing.name + ", round " + std::to_string(round + 1) + ": " + summary_of(job.rows));
      timing.seconds.push_back(job.seconds);
    }
  std::fflush(stdout);
  const std::string text = comparison_text(timings);
  std::fwrite(text.data(), 1, text.size(), stderr);
  if (!flags.report.empty())
    write_text(flags.report, flags.report.ends_with(".json") ? comparison_json(timings) : text);
  return 0;
}

int run_action(Flags flags, const Context& context) {
  hold_signals();
  if (!flags.compare.empty()) return compare_action(flags, context);
  const bool folder = names_folder(flags.report);
  if (folder) flags.job.report = flags.report;
  flags.job.report_all = !flags.report.empty();
  if (flags.job.report_all && !folder) expect_writable(flags.report);
  const FinishedJob job = run_job(flags.job, context);
  if (job.rows.empty()) {
    if (!flags.report.empty() && !folder && !flags.job.dry_run)
      warn("no rank reported, " + flags.report + " is not written");
    return job.code;
  }
  std::fflush(stdout);
  try {
    if (!flags.report.empty() && !folder) write_report(flags.report, job.rows);
  } catch (const SystemError& error) {
    warn(error.what());  // the job's code is worth more
  }
  if (flags.job.quiet && worst_of(job.rows) == PlacementVerdict::wrong)
    warn(summary_of(job.rows) + "; run without --quiet shows them");
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
  app.add_option("--record", flags->job.record,
                 "write who sends how much to whom by MPI and by NCCL 2.27 and later, as a "
                 "communication graph (for file:FILE); RANKMAP_MPI=none: by NCCL alone")
      ->check([](const std::string& file) {
        return std::string(file.empty() ? "found an empty name, expected a file" : "");
      })
      ->type_name("FILE");
  app.add_option(
         "--phases", flags->job.phases,
         "of the record: pcontrol, the program's MPI_Pcontrol(2 and above), or time:SECONDS")
      ->type_name("HOW");
  app.add_option("--compare", flags->compare,
                 "run the job by turns with these maps (`near`: without a map; `default`: nothing "
                 "placed) and print how many times faster each is than the first")
      ->type_name("MAP,MAP,...");
  app.add_option("--repeat", flags->repeat, "rounds of --compare")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str()
      ->type_name("N");
  app.add_flag("--quiet", flags->job.quiet, "no table, and no word about what was added");
  app.add_flag("--dry-run", flags->job.dry_run, "print the command line instead of running it");
  return [flags, &context] { return run_action(*flags, context); };
}

}  // namespace rankmap::cli
