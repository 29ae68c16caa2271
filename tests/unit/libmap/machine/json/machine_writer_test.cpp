// What the program prints reads back as the same machine, and says the same again.
#include <gtest/gtest.h>

#include "libmap/base/files.hpp"
#include "libmap/machine/json/gpu_tokens.hpp"
#include "libmap/machine/json/machine_json.hpp"
#include "libmap/machine/machine_spec.hpp"

namespace rankmap {
namespace {

const std::string share = std::string(RANKMAP_SOURCE_DIR) + "/share";

Machine preset(const std::string& name) {
  MachineOptions options;
  options.share_directory = share;
  return read_machine(name, options);
}

TEST(MachineWriter, EveryPresetSurvivesARoundTrip) {
  for (const std::string& name : machine_names(share)) {
    const Machine first = preset(name);
    const std::string text = machine_json(first);
    const Machine second(read_node_model(text, "again"), 1);
    std::string again = machine_json(second);
    const std::string format = "\"source_format\": \"rankmap-json\"";
    EXPECT_NE(text.find(format), text.npos);
    EXPECT_EQ(again, text) << name;
    ASSERT_EQ(first.slots(), second.slots());
    for (SlotId slot = 0; slot < first.slots(); ++slot) {
      EXPECT_EQ(first.slot(slot).cpus, second.slot(slot).cpus);
      EXPECT_EQ(first.slot(slot).nic, second.slot(slot).nic);
    }
  }
}

TEST(MachineWriter, TokensAreToldFromTheConnections) {
  const auto tokens = gpu_tokens(preset("dgx1-v100"));
  ASSERT_EQ(tokens.size(), 8U);
  EXPECT_EQ(tokens[0][0], "X");
  EXPECT_EQ(tokens[0][1], "NV1");
  EXPECT_EQ(tokens[0][3], "NV2");
  EXPECT_EQ(tokens[0][5], "SYS");  // the other socket
  EXPECT_EQ(gpu_tokens(preset("hgx-h100"))[0][7], "NV18");
  EXPECT_EQ(gpu_tokens(preset("frontier"))[0][1], "XGMI4");
  EXPECT_EQ(gpu_tokens(preset("frontier"))[0][3], "SYS");
  EXPECT_TRUE(gpu_tokens(preset("cpu-2socket")).empty());
}

TEST(MachineWriter, TokensOfTheHostFollowTheHubsOnTheWay) {
  // GPUs 0, 1 on one switch; 2 behind two switches of the same bridge; 3 on a bridge of its own.
  const NodeModel model = read_node_model(R"({"gpus": 4, "hubs": [
      {"name": "s0", "kind": "pcie_switch"}, {"name": "s1", "kind": "pcie_switch"},
      {"name": "h0", "kind": "host_bridge"}, {"name": "h1", "kind": "host_bridge"},
      {"name": "n0", "kind": "numa"}],
    "links": [{"a": 0, "b": "s0", "kind": "pcie", "gbps": 12}, {"a": 1, "b": "s0", "kind": "pcie", "gbps": 12},
      {"a": 2, "b": "s1", "kind": "pcie", "gbps": 12}, {"a": "s1", "b": "s0", "kind": "pcie", "gbps": 12},
      {"a": "s0", "b": "h0", "kind": "pcie", "gbps": 12}, {"a": 3, "b": "h1", "kind": "pcie", "gbps": 12},
      {"a": "h0", "b": "n0", "kind": "pcie", "gbps": 12}, {"a": "h1", "b": "n0", "kind": "pcie", "gbps": 12}]})",
                                          "t");
  const auto tokens = gpu_tokens(Machine(model, 1));
  EXPECT_EQ(tokens[0][1], "PIX");
  EXPECT_EQ(tokens[0][2], "PXB");
  EXPECT_EQ(tokens[0][3], "NODE");
  EXPECT_EQ(tokens[3][2], "NODE");
}

TEST(MachineWriter, UnknownThingsAreNull) {
  const std::string text = machine_json(preset("torus2d-16"));
  EXPECT_NE(text.find("\"bus_id\": null"), text.npos);
  EXPECT_NE(text.find("\"numa\": null"), text.npos);
  EXPECT_NE(text.find("\n \"cpus\": null"), text.npos);
}

}  // namespace
}  // namespace rankmap
