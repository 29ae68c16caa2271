// multilevel on switches with uneven numbers of hosts, in whatever order the job has them.
#include <gtest/gtest.h>

#include "libmap/base/random.hpp"
#include "libmap/machine/network_spec.hpp"
#include "libmap/machine/topology/topology_reader.hpp"
#include "libmap/place/strategy.hpp"
#include "patterns/pattern.hpp"

namespace rankmap::test {
namespace {

constexpr const char* uneven =
    "SwitchName=s0 Nodes=n[0-6]\nSwitchName=s1 Nodes=n[7-9]\nSwitchName=s2 Nodes=n[10-18]\n"
    "SwitchName=s3 Nodes=n[19-23]\nSwitchName=p Switches=s[0-1]\nSwitchName=q Switches=s[2-3]\n"
    "SwitchName=t Switches=p,q\n";

Machine machine_of(const std::vector<std::string>& hosts) {
  NodeModel node;
  node.name = "node";
  node.bare = true;
  node.cores.resize(2);
  for (int i = 0; i < 2; ++i) node.cores[static_cast<std::size_t>(i)].logical = i;
  return machine_on_switches(std::move(node), read_switch_topology(uneven, "uneven"), "uneven",
                             hosts, from_gbps(10));
}

double value_by(const char* strategy, const CommGraph& app, const Machine& machine,
                ObjectiveKind objective) {
  PlaceRequest request;
  request.app = &app;
  request.machine = &machine;
  request.objective.kind = objective;
  request.quality = Quality::fast;
  return place(strategy, request).value.value();
}

TEST(MultilevelSwitches, PutShuffledHostsInOrder) {
  std::vector<std::string> hosts = read_switch_topology(uneven, "uneven").hosts;
  const Machine in_order = machine_of(hosts);
  Random random(2);
  random.shuffle(hosts);
  const Machine shuffled = machine_of(hosts);
  for (const char* text : {"stencil:12x4", "ring:48", "alltoall:6x8,vary=y"}) {
    const CommGraph app = read_app(text);
    for (const ObjectiveKind objective : {ObjectiveKind::congestion, ObjectiveKind::hopbytes}) {
      const double found = value_by("multilevel", app, shuffled, objective);
      EXPECT_LE(found, value_by("linear", app, in_order, objective)) << text;
      EXPECT_LT(found, value_by("linear", app, shuffled, objective)) << text;
    }
  }
}

}  // namespace
}  // namespace rankmap::test
