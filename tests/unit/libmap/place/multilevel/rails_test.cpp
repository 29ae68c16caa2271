// Clusters with a NIC a GPU and a switch a rail: 3-D halos of faces, edges and corners are never worse
// in congestion time than in the launcher's own order.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "libmap/machine/machine_spec.hpp"
#include "libmap/machine/network/networks.hpp"
#include "libmap/model/congestion_bound.hpp"
#include "libmap/place/strategy.hpp"

namespace rankmap::test {
namespace {

// Eight GPUs on an NVSwitch of 300 GB/s each, and beside each GPU a NIC of 25 GB/s of its own.
NodeModel rail_node() {
  NodeModel model;
  model.name = "rails";
  model.gpus.resize(8);
  for (int i = 0; i < 8; ++i) model.gpus[static_cast<std::size_t>(i)].nic = i;
  const VertexId nvswitch = model.add_hub(HubKind::link_switch, "nvswitch");
  const VertexId host = model.add_hub(HubKind::system, "host");
  for (VertexId gpu = 0; gpu < 8; ++gpu) {
    const std::string name = "nic" + std::to_string(gpu);
    model.nics.push_back({name, "", none, from_gbps(25)});
    const VertexId bridge = model.add_hub(HubKind::pcie_switch, "pcie" + std::to_string(gpu));
    const VertexId nic = model.add_hub(HubKind::nic, "nic:" + name);
    model.connections.push_back({LinkKind::nvlink, gpu, nvswitch, 12, from_gbps(300)});
    model.connections.push_back({LinkKind::pcie, gpu, bridge, 1, from_gbps(32)});
    model.connections.push_back({LinkKind::pcie, bridge, nic, 1, from_gbps(32)});
    model.connections.push_back({LinkKind::pcie, bridge, host, 1, from_gbps(32)});
  }
  return model;
}

// NIC i of every node on switch i; as many links up from a switch as down.
Machine own_rails() {
  return Machine(rail_node(), 8, parse_network("fattree:8:8,rails=8,gbps=25").network);
}

Machine shared_rails() {
  MachineOptions options;
  options.share_directory = RANKMAP_SOURCE_DIR "/share";
  return read_machine("dgx-a100x8@fattree:8:8,rails=8,gbps=25", options);
}

using Extents = std::array<Rank, 3>;

struct Halo {
  const char* name;
  std::array<Bytes, 3> bytes;  // of a face, an edge, a corner; 0: none
  bool periodic;
};

constexpr std::array halos = {Halo{"shrinking", {65536, 8192, 1024}, false},
                              Halo{"faces", {65536, 0, 0}, false},
                              Halo{"closed", {65536, 8192, 1024}, true}};
constexpr std::array grids = {Extents{4, 4, 4}, Extents{8, 4, 2}, Extents{2, 4, 8},
                              Extents{16, 2, 2}};

// The neighbour at that step in one dimension; none beyond an open end.
Rank moved(Rank at, int step, Rank extent, bool periodic) {
  const Rank to = at + step;
  if (periodic) return (to + extent) % extent;
  return to < 0 || to >= extent ? none : to;
}

void add_messages(GraphBuilder& builder, const Extents& grid, const Extents& at, const Halo& halo) {
  for (int code = 0; code < 27; ++code) {
    const std::array step = {code / 9 - 1, code / 3 % 3 - 1, code % 3 - 1};
    const int apart = std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]);
    if (apart == 0 || halo.bytes[static_cast<std::size_t>(apart - 1)] == 0) continue;
    Rank from = 0, to = 0;
    bool inside = true;
    for (std::size_t d = 0; d < 3; ++d) {
      const Rank there = moved(at[d], step[d], grid[d], halo.periodic);
      inside = inside && there != none;
      from = from * grid[d] + at[d];
      to = to * grid[d] + there;
    }
    if (inside && from != to)
      builder.add({from, to, halo.bytes[static_cast<std::size_t>(apart - 1)], 1, 1, 0, none});
  }
}

CommGraph app_of(const Extents& grid, const Halo& halo) {
  GraphBuilder builder(grid[0] * grid[1] * grid[2]);
  for (Rank x = 0; x < grid[0]; ++x)
    for (Rank y = 0; y < grid[1]; ++y)
      for (Rank z = 0; z < grid[2]; ++z) add_messages(builder, grid, {x, y, z}, halo);
  return std::move(builder).build(halo.name);
}

// Its congestion time; never below the bound or above the launcher's order.
double seconds_by(const char* strategy, const PlaceRequest& request) {
  const CommGraph& app = *request.app;
  const Machine& machine = *request.machine;
  const PlaceResult found = place(strategy, request);
  EXPECT_EQ(defect_of(found.mapping, machine, 1, {}), "");
  const double usual = congestion_seconds(app, machine, place("linear", request).mapping);
  const double seconds = congestion_seconds(app, machine, found.mapping);
  EXPECT_LE(seconds, usual * (1 + 1e-12)) << strategy << " " << app.name;
  EXPECT_GE(seconds, congestion_bound(app, machine, 1) * (1 - 1e-12))
      << strategy << " " << app.name;
  return seconds;
}

// How many apps multilevel makes faster; auto has little time, and may stay with the usual order.
int faster_on(const Machine& machine, Quality quality, std::span<const CommGraph> apps) {
  int faster = 0;
  for (const CommGraph& app : apps) {
    PlaceRequest request;
    request.app = &app;
    request.machine = &machine;
    request.objective.kind = ObjectiveKind::congestion;
    request.quality = quality;
    const double usual = seconds_by("linear", request);
    if (seconds_by("multilevel", request) < usual * (1 - 1e-9)) ++faster;
    request.time_limit_seconds = 0.1;
    seconds_by("auto", request);
  }
  return faster;
}

std::vector<CommGraph> apps_of(std::span<const Extents> grids, std::span<const Halo> halos) {
  std::vector<CommGraph> apps;
  for (const Extents& grid : grids)
    for (const Halo& halo : halos) apps.push_back(app_of(grid, halo));
  return apps;
}

TEST(Rails, NeverSlowDownAFastPlacement) {
  EXPECT_GE(faster_on(own_rails(), Quality::fast, apps_of(grids, std::span(halos).first(1))), 2);
}

TEST(Rails, NeverSlowDownAMediumPlacement) {
  EXPECT_GE(faster_on(own_rails(), Quality::medium,
                      apps_of(std::span(grids).subspan(1, 1), std::span(halos).first(1))),
            1);
}

TEST(Rails, NeverSlowDownWhereNicsShareASwitch) {
  EXPECT_GE(faster_on(shared_rails(), Quality::fast,
                      apps_of(std::span(grids).subspan(1, 2), std::span(halos).subspan(1))),
            1);
}

}  // namespace
}  // namespace rankmap::test
