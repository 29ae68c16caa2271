// A job as its own ranks found it: which host each rank is on, and what every host is made of.
#pragma once

#include <string>
#include <vector>

#include "libmap/base/ids.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/machine/node_model.hpp"

namespace rankmap {

// One host of a job, its ranks by local rank.
struct JobNode {
  std::string host;  // "*": the only one
  NodeModel model;
  std::vector<Rank> ranks;
};

// Reads what the ranks of a probe (mpi_shim/probe.c) wrote into a folder: probe.R of every rank, and
// node.HOST.json once a host. Hosts in the order of their first rank. NotAvailable: ranks or hosts
// are missing (the folder is not seen from every node, or detection failed there: the reason is
// given); InputError: a file is damaged. O(ranks + hosts).
std::vector<JobNode> read_job_nodes(const std::string& folder);

// The nodes of a job as those of one machine, in the given order.
struct AlikeNodes {
  NodeModel model;
  NodeId count;
  std::vector<std::string> hosts;  // empty: one nameless node
};

// Infeasible where two nodes differ in anything but uuids and names: one machine has nodes of one model.
AlikeNodes alike_nodes(const std::vector<JobNode>& nodes);

// That machine, all nodes on one switch.
Machine machine_of_job(const std::vector<JobNode>& nodes);

}  // namespace rankmap
