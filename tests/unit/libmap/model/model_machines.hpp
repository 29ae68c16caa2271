// Machines and apps for the tests of the models.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "libmap/graph/comm_graph.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/model/lanes.hpp"

namespace rankmap::test {

// A graph of tests/golden/mapa; GPUs from 0. Every GPU hangs on one PCIe hub at `pcie_gbps`, so that
// pairs without a link of their own have that bandwidth.
Machine golden_machine(const std::string& name, double pcie_gbps);

// The DGX-1V: golden graph "dgx-v", PCIe 12 GB/s, 20 GB/s achieved by an NVLink lane.
Machine dgx1v();

// `lanes` as NVLink, `gbps` nominal and achieved a lane; one PCIe hub at 10 GB/s.
Machine machine_of(const LaneMatrix& lanes, double gbps = 20);

// GPUs on a link switch, lanes[i] lanes of gpu i, `gbps` achieved a lane.
Machine switch_machine(const std::vector<int>& lanes, double gbps);

struct Link {
  Rank low;
  Rank high;
  int lanes;
};
LaneMatrix lanes_of(int size, const std::vector<Link>& links);

// One message of `bytes` each way for every pair, weight 1.
CommGraph app_of(Rank ranks, const std::vector<std::pair<Rank, Rank>>& pairs, Bytes bytes = 1);
CommGraph ring_app(Rank ranks);

}  // namespace rankmap::test
