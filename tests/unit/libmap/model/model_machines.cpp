// Machines and apps for the tests of the models.
#include "model_machines.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace rankmap::test {
namespace {

NodeModel on_one_hub(std::string name, int gpus, double pcie_gbps) {
  NodeModel model;
  model.name = std::move(name);
  model.gpus.resize(static_cast<std::size_t>(gpus));
  const VertexId hub = model.add_hub(HubKind::host_bridge, "pcie0");
  for (VertexId gpu = 0; gpu < gpus; ++gpu) {
    model.connections.push_back({LinkKind::pcie, gpu, hub, 1, from_gbps(pcie_gbps), 0});
  }
  return model;
}

NodeModel golden_model(const std::string& name, double pcie_gbps, double lane_gbps) {
  std::ifstream file(std::string(RANKMAP_SOURCE_DIR) + "/tests/golden/mapa/graphs/" + name +
                     ".json");
  const nlohmann::json graph = nlohmann::json::parse(file);
  NodeModel model = on_one_hub(name, graph.at("gpus").get<int>(), pcie_gbps);
  for (const nlohmann::json& link : graph.at("links")) {
    model.connections.push_back({LinkKind::nvlink, link.at("a").get<int>() - 1,
                                 link.at("b").get<int>() - 1, link.at("count").get<int>(),
                                 from_gbps(link.at("gbps").get<double>()), from_gbps(lane_gbps)});
  }
  return model;
}

}  // namespace

Machine golden_machine(const std::string& name, double pcie_gbps) {
  return Machine(golden_model(name, pcie_gbps, 0), 1);
}

Machine dgx1v() {
  return Machine(golden_model("dgx-v", 12, 20), 1);
}

Machine machine_of(const LaneMatrix& lanes, double gbps) {
  NodeModel model = on_one_hub("lanes", lanes.size(), 10);
  for (VertexId a = 0; a < lanes.size(); ++a) {
    for (VertexId b = a + 1; b < lanes.size(); ++b) {
      if (lanes.at(a, b) == 0) continue;
      model.connections.push_back(
          {LinkKind::nvlink, a, b, lanes.at(a, b), from_gbps(gbps * lanes.at(a, b)), 0});
    }
  }
  return Machine(std::move(model), 1);
}

Machine switch_machine(const std::vector<int>& lanes, double gbps) {
  NodeModel model = on_one_hub("switched", static_cast<int>(lanes.size()), 24);
  const VertexId hub = model.add_hub(HubKind::link_switch, "nvswitch");
  for (VertexId gpu = 0; gpu < static_cast<VertexId>(lanes.size()); ++gpu) {
    const int count = lanes[static_cast<std::size_t>(gpu)];
    model.connections.push_back(
        {LinkKind::nvlink, gpu, hub, count, from_gbps(25.0 * count), from_gbps(gbps)});
  }
  return Machine(std::move(model), 1);
}

LaneMatrix lanes_of(int size, const std::vector<Link>& links) {
  LaneMatrix lanes(size);
  for (const Link& link : links) lanes.set(link.low, link.high, link.lanes);
  return lanes;
}

CommGraph app_of(Rank ranks, const std::vector<std::pair<Rank, Rank>>& pairs, Bytes bytes) {
  GraphBuilder builder(ranks);
  for (const auto& [a, b] : pairs) {
    builder.add({a, b, bytes, 1, 1, 0, none});
    builder.add({b, a, bytes, 1, 1, 0, none});
  }
  return std::move(builder).build("test");
}

CommGraph ring_app(Rank ranks) {
  std::vector<std::pair<Rank, Rank>> pairs;
  for (Rank rank = 0; rank + 1 < ranks; ++rank) pairs.emplace_back(rank, rank + 1);
  if (ranks > 2) pairs.emplace_back(ranks - 1, 0);
  return app_of(ranks, pairs);
}

}  // namespace rankmap::test
