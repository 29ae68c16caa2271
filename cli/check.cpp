// rankmap check: planned against actual placement of every rank.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "cli/job/child.hpp"
#include "cli/job/launch_job.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/live/live_placement.hpp"
#include "libmap/report/placement_table.hpp"

namespace rankmap::cli {
namespace {

struct Flags {
  JobFlags job;
  std::string folder;
  std::string job_name;  // of --live
  bool live = false;
  bool json = false;
};

int print_verdict(const std::vector<PlacementRow>& rows, bool json, const std::string& summary) {
  std::string text;
  if (json) {
    text = placement_json(rows);
  } else {
    for (const PlacementRow& row : rows) text += line_of(row) + "\n";
    text += summary + "\n";
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return static_cast<int>(worst_of(rows) == PlacementVerdict::wrong ? ExitCode::infeasible
                                                                    : ExitCode::ok);
}

int print_verdict(const std::vector<PlacementRow>& rows, bool json) {
  return print_verdict(rows, json, summary_of(rows));
}

std::string this_host() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

std::string names_of(const std::vector<std::string>& jobs) {
  std::vector<std::string> names;
  for (const std::string& job : jobs) names.push_back(rankmap::quoted(job));
  return join(names, ", ");
}

std::vector<LiveRank> named_job(const std::vector<LiveRank>& ranks, const Flags& flags) {
  std::vector<LiveRank> chosen = ranks_of_job(ranks, flags.job_name);
  if (chosen.empty())
    throw UsageError("--job: no job " + rankmap::quoted(flags.job_name) +
                     " runs here, expected one of: " + names_of(jobs_of(ranks)));
  return chosen;
}

// The job that a map is meant for: the named one, the only one, or the only one that fits.
std::vector<LiveRank> job_of_map(const std::vector<LiveRank>& ranks, const MapFile& map,
                                 const Flags& flags) {
  if (!flags.job_name.empty()) return named_job(ranks, flags);
  const std::vector<std::string> jobs = jobs_of(ranks);
  if (jobs.size() == 1) return ranks;
  const std::vector<std::string> fitting = jobs_that_fit(ranks, map, this_host());
  if (fitting.size() == 1) return ranks_of_job(ranks, fitting.front());
  throw Infeasible(std::to_string(jobs.size()) + " jobs run here (" + names_of(jobs) + "), " +
                   (fitting.empty() ? "none" : std::to_string(fitting.size())) +
                   " of them with the ranks of the map; choose one with --job NAME");
}

int check_live(const Flags& flags) {
  const std::vector<LiveRank> ranks = live_ranks();
  if (ranks.empty()) throw NotAvailable("no rank of an MPI job that you may look at runs here");
  if (flags.job.map.empty()) {
    const std::vector<LiveRank> chosen = flags.job_name.empty() ? ranks : named_job(ranks, flags);
    const std::vector<PlacementRow> rows = judge_live(chosen, this_host());
    return print_verdict(rows, flags.json, live_summary(chosen, rows));
  }
  const MapFile map = map_of(flags.job);
  return print_verdict(judge_live(job_of_map(ranks, map, flags), map, this_host()), flags.json);
}

int check_job(Flags flags, const Context& context) {
  hold_signals();
  flags.job.stdout_to_stderr = flags.json;
  const FinishedJob job = run_job(flags.job, context);
  std::fflush(stdout);
  if (!job.placed) return static_cast<int>(ExitCode::not_available);
  if (job.code != 0)
    std::fprintf(stderr, "rankmap: the job ended with %d; what follows is what its ranks said\n",
                 job.code);
  const int verdict = print_verdict(job.rows, flags.json);
  return verdict != 0 ? verdict : job.code;
}

int check_action(const Flags& flags, const Context& context) {
  const int wishes =
      (flags.live ? 1 : 0) + (flags.folder.empty() ? 0 : 1) + (context.command.empty() ? 0 : 1);
  if (wishes != 1)
    throw UsageError(std::string(wishes == 0 ? "nothing to check" : "too much to check") +
                     ", expected one of: -- mpirun ... ./app, the folder of a run, --live");
  if (flags.live) return check_live(flags);
  if (!context.command.empty()) return check_job(flags, context);
  JobFlags job = flags.job;
  if (job.map.empty() && is_regular_file(flags.folder + "/job.rankmap"))
    job.map = flags.folder + "/job.rankmap";  // `run` leaves it there
  return print_verdict(read_placement(flags.folder, map_of(job)), flags.json);
}

}  // namespace

Action setup_check(CLI::App& app, const Context& context) {
  const auto flags = std::make_shared<Flags>();
  add_job_flags(app, flags->job);
  app.add_option("FOLDER", flags->folder,
                 "the folder that `rankmap run --report FOLDER/` fills, also while it runs");
  app.add_flag("--live", flags->live,
               "the jobs that run on this host now, by what their processes hold open");
  app.add_option("--job", flags->job_name, "of --live: this job alone")->type_name("NAME");
  app.add_flag("--json", flags->json, "print JSON");
  flags->job.quiet = true;
  return [flags, &context] { return check_action(*flags, context); };
}

}  // namespace rankmap::cli
