// rankmap check: planned against actual placement of every rank.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <set>

#include "cli/command.hpp"
#include "cli/launch_job.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/live/live_placement.hpp"
#include "libmap/report/placement_table.hpp"

namespace rankmap::cli {
namespace {

struct Flags {
  JobFlags job;
  std::string folder;
  bool live = false;
  bool json = false;
};

int print_verdict(const std::vector<PlacementRow>& rows, bool json) {
  std::string text;
  if (json) {
    text = placement_json(rows);
  } else {
    for (const PlacementRow& row : rows) text += line_of(row) + "\n";
    text += summary_of(rows) + "\n";
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return static_cast<int>(worst_of(rows) == PlacementVerdict::wrong ? ExitCode::infeasible
                                                                    : ExitCode::ok);
}

std::string this_host() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

int check_live(const Flags& flags) {
  const std::vector<LiveRank> ranks = live_ranks();
  if (ranks.empty()) throw NotAvailable("no rank of an MPI job of yours runs on this host");
  if (flags.job.map.empty()) return print_verdict(judge_live(ranks, this_host()), flags.json);
  std::set<std::string> jobs;
  for (const LiveRank& rank : ranks) jobs.insert(rank.job);
  if (jobs.size() > 1)
    throw Infeasible("several jobs run on this host (" + join({jobs.begin(), jobs.end()}, ", ") +
                     "), and the map is of one; check without --map shows them all");
  return print_verdict(judge_live(ranks, map_of(flags.job), this_host()), flags.json);
}

int check_job(const Flags& flags, const Context& context) {
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
  return print_verdict(read_placement(flags.folder, map_of(flags.job)), flags.json);
}

}  // namespace

Action setup_check(CLI::App& app, const Context& context) {
  const auto flags = std::make_shared<Flags>();
  add_job_flags(app, flags->job);
  app.add_option("FOLDER", flags->folder,
                 "the folder that `rankmap run --report FOLDER/` fills, also while it runs");
  app.add_flag("--live", flags->live,
               "the jobs that run on this host now, by what their processes hold open");
  app.add_flag("--json", flags->json, "print JSON");
  flags->job.quiet = true;
  return [flags, &context] { return check_action(*flags, context); };
}

}  // namespace rankmap::cli
