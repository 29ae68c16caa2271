// Starting a job through its own launcher, with the wrapper in front of the program.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "libmap/mapping/map_file.hpp"

namespace rankmap::cli {

struct JobFlags {
  std::string map;
  std::string hosts;
  std::string report;  // a folder; "": no reports
  bool quiet = false;
  bool dry_run = false;  // print the command line instead of running it
};
void add_job_flags(CLI::App& app, JobFlags& flags);

// Reads the map, with --hosts applied.
MapFile map_of(const JobFlags& flags);

// Inserts the wrapper and runs; the exit code is the launcher's, 128 + signal where it was killed.
// Signals sent to this process alone are passed on; those of the terminal reach the job by themselves.
int run_job(const JobFlags& flags, const MapFile& map, const Context& context);

// A new folder under TMPDIR; removed with its content at the end of its life.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace rankmap::cli
