// The machine that an allocation is: `job`, or `job@NETWORK`.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "libmap/machine/machine_spec.hpp"

namespace rankmap::cli {

bool is_job_spec(const std::string& spec);

// The nodes of this allocation, examined (nodes_of_allocation); joined by the NETWORK of the spec, else
// by the switches that Slurm tells, else by one switch. Its hosts have their own names: UsageError where
// the options name others.
Machine job_machine(const std::string& spec, const MachineOptions& options, const Context& context);

}  // namespace rankmap::cli
