// The hosts that a resource manager gave to this job, by the variables it sets.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rankmap {

// The value of a variable, nullopt where unset; std::getenv in life, a table in tests.
using VariableLookup = std::function<std::optional<std::string>(const char* name)>;
std::optional<std::string> environment_variable(const char* name);

struct Allocation {
  std::string manager;             // "Slurm", "PBS", "LSF"; "": none, this host alone
  std::vector<std::string> hosts;  // in the manager's order, each once; empty without a manager
};

// Slurm (SLURM_JOB_NODELIST), PBS (the file PBS_NODEFILE), LSF (LSB_DJOB_HOSTFILE, else LSB_MCPU_HOSTS
// `n0 4 n1 4`, else LSB_HOSTS), the first that is set. LSF's launch host, which runs no ranks, stays in
// the list as LSF gives it. UsageError, InputError: a list that is none; SystemError: no such file.
Allocation read_allocation(const VariableLookup& variables);

}  // namespace rankmap
