// rankmap check: planned against actual placement of every rank.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "cli/launch_job.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/placement_report.hpp"

namespace rankmap::cli {
namespace {

int print_verdict(const std::string& folder, const MapFile& map) {
  std::size_t noted = 0;
  std::size_t wrong = 0;
  for (const PlacementRow& row : read_placement(folder, map)) {
    std::printf("%s\n", line_of(row).c_str());
    noted += row.verdict == PlacementVerdict::note ? 1 : 0;
    wrong += row.verdict == PlacementVerdict::wrong ? 1 : 0;
  }
  std::printf("%zu of %zu ranks sit as planned%s\n", map.rows.size() - wrong, map.rows.size(),
              noted == 0 ? "" : (", " + std::to_string(noted) + " with a note").c_str());
  return static_cast<int>(wrong == 0 ? ExitCode::ok : ExitCode::infeasible);
}

int check_action(JobFlags flags, const Context& context) {
  const MapFile map = map_of(flags);
  if (context.command.empty()) {
    if (flags.report.empty())
      throw UsageError("nothing to check, expected -- mpirun ... ./app, or the folder of a run");
    return print_verdict(flags.report, map);
  }
  if (!flags.report.empty())
    throw UsageError("found both a folder and a command, expected one of them");
  const TemporaryFolder folder;
  flags.report = folder.path();
  const int code = run_job(flags, map, context);
  std::fflush(stdout);
  if (code != 0)
    std::fprintf(stderr, "rankmap: the job ended with %d; what follows is what its ranks said\n",
                 code);
  const int verdict = print_verdict(folder.path(), map);
  return verdict != 0 ? verdict : code;
}

}  // namespace

Action setup_check(CLI::App& app, const Context& context) {
  const auto flags = std::make_shared<JobFlags>();
  add_job_flags(app, *flags);
  app.add_option("FOLDER", flags->report, "the folder that `rankmap run --report` filled");
  flags->quiet = true;
  return [flags, &context] { return check_action(*flags, context); };
}

}  // namespace rankmap::cli
