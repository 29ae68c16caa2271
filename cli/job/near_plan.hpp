// The map of a job that nobody planned, by asking the job's own nodes.
#pragma once

#include "cli/command.hpp"
#include "libmap/machine/job/job_nodes.hpp"
#include "libmap/mapping/launch.hpp"
#include "libmap/mapping/map_file.hpp"

namespace rankmap::cli {

// One host, where the command line and the environment make that certain: only it is examined. Else
// the command line is started once with the probe in place of its program: every rank says where it
// is, the first of each host what the host is made of. NotAvailable, UsageError: why not. Interrupted: a signal
// ended the question.
MapFile plan_near(const Launcher& launcher, const Context& context);

// The nodes of this allocation: Slurm's, PBS's or LSF's hosts, each examined once by one process of
// the launcher that is there; without an allocation this host.
std::vector<JobNode> nodes_of_allocation(const Context& context);

}  // namespace rankmap::cli
