#include "cli/job/job_machine.hpp"

#include "cli/job/near_plan.hpp"
#include "cli/job/slurm_topology.hpp"
#include "libmap/base/error.hpp"
#include "libmap/machine/job/allocation.hpp"
#include "libmap/machine/network_spec.hpp"

namespace rankmap::cli {
namespace {

Machine on_one_switch(AlikeNodes nodes) {
  Machine machine(std::move(nodes.model), nodes.count);
  if (!nodes.hosts.empty()) machine.set_hosts(std::move(nodes.hosts));
  return machine;
}

// What Slurm tells is of use where it can be; where not, the job goes on without.
Machine on_slurm_switches(AlikeNodes nodes) {
  const std::optional<SwitchTopology> topology = topology_of_slurm(nodes.model.warnings);
  if (!topology) return on_one_switch(std::move(nodes));
  try {
    return machine_on_switches(nodes.model, *topology, "slurm", nodes.hosts);
  } catch (const UsageError& error) {
    nodes.model.warn(std::string("the nodes are taken on one switch: ") + error.what());
    return on_one_switch(std::move(nodes));
  }
}

Machine joined(AlikeNodes nodes, const std::string& spec, const MachineOptions& options) {
  const std::size_t at = spec.find('@');
  if (at != spec.npos)
    return machine_on(std::move(nodes.model), nodes.count,
                      read_network_spec(spec.substr(at + 1), options.share_directory),
                      std::move(nodes.hosts));
  const bool slurm = read_allocation(environment_variable).manager == "Slurm";
  return slurm && nodes.count > 1 ? on_slurm_switches(std::move(nodes))
                                  : on_one_switch(std::move(nodes));
}

}  // namespace

bool is_job_spec(const std::string& spec) {
  return spec == "job" || spec.starts_with("job@");
}

Machine job_machine(const std::string& spec, const MachineOptions& options,
                    const Context& context) {
  if (!options.hosts.empty())
    throw UsageError("--hosts names the nodes of a machine without names, but `job` has its own");
  Machine machine = joined(alike_nodes(nodes_of_allocation(context)), spec, options);
  machine.set_name(spec);
  if (options.near_cores != NearCores::divided) machine.set_near_cores(options.near_cores);
  return machine;
}

}  // namespace rankmap::cli
