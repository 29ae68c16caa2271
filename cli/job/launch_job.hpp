// Starting a job through its own launcher, with the wrapper in front of the program or the shim loaded
// before it, and what its ranks said when it is over.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "libmap/mapping/map_file.hpp"
#include "libmap/mapping/placement_report.hpp"

namespace rankmap::cli {

struct JobFlags {
  std::string map;         // "": nearest GPU, NIC, cores and memory for every rank
  std::string hosts;       // names for a map without
  std::string report;      // a folder that stays; "": one for the time of the job
  std::string gpus;        // own, aligned, own-first, keep; "": the default
  std::string nics;        // nccl, keep; "": the default
  std::string container;   // apptainer, pyxis, docker; "": none
  std::string save_map;    // write the map that is used here; "": do not
  std::string record;      // what the ranks send goes into this file; "": nothing is recorded
  std::string phases;      // of the record: pcontrol, time:SECONDS; "": pcontrol
  bool untouched = false;  // nothing is placed: the launcher's own order
  bool preload = false;    // the shim instead of the wrapper
  bool reorder = false;    // reorder=1 in the program's calls is honoured
  bool openmp = false;
  bool stdout_to_stderr = false;  // stdout is for what rankmap itself prints
  bool report_all = false;        // reports are wanted, of any number of ranks
  bool quiet = false;             // say nothing about what was added to the command
  bool dry_run = false;           // print the command line instead of running it
};
void add_job_flags(CLI::App& app, JobFlags& flags);

struct FinishedJob {
  int code = 0;         // the launcher's, 128 + signal where it was killed
  double seconds = 0;   // from the launcher's start to its end
  bool placed = false;  // false: started untouched or not at all, no reports
  MapFile map;
  std::vector<PlacementRow> rows;  // empty: no reports were asked for
};

// Reads the map, with --hosts applied. UsageError without one.
MapFile map_of(const JobFlags& flags);

// Runs the words after "--". Without a map the job is planned by place/near_map.hpp; where that is not
// possible the job starts untouched with one warning, or, under RANKMAP_STRICT=1, not at all.
FinishedJob run_job(const JobFlags& flags, const Context& context);

}  // namespace rankmap::cli
