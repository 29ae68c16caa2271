// rankmap run: starts an MPI job as planned.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/launch_job.hpp"
#include "libmap/base/error.hpp"

namespace rankmap::cli {
namespace {

// What an earlier run left would be taken for this one's.
void remove_old_reports(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("rank."))
      std::filesystem::remove(entry.path());
}

int run_action(const JobFlags& flags, const Context& context) {
  const MapFile map = map_of(flags);
  if (!flags.report.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(flags.report, failed);
    if (failed) throw SystemError::from_errno("create", flags.report, failed.value());
    remove_old_reports(flags.report);
  }
  return run_job(flags, map, context);
}

}  // namespace

Action setup_run(CLI::App& app, const Context& context) {
  const auto flags = std::make_shared<JobFlags>();
  add_job_flags(app, *flags);
  app.add_option("--report", flags->report, "each rank writes where it sits into this folder")
      ->type_name("FOLDER");
  app.add_flag("--quiet", flags->quiet, "say nothing about what was added to the command");
  app.add_flag("--dry-run", flags->dry_run, "print the command line instead of running it");
  return [flags, &context] { return run_action(*flags, context); };
}

}  // namespace rankmap::cli
