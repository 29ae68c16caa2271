// The NCCL reader on small samples, one a variation, and on damaged ones.
#include "libmap/machine/xml/nccl_xml.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine.hpp"
#include "tests/unit/libmap/machine/xml/fuzz.hpp"

namespace rankmap {
namespace {

NodeModel read(const std::string& text) {
  return nccl_xml_reader.read(text, "topo.xml", {});
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

bool warns_of(const NodeModel& model, const std::string& words) {
  for (const std::string& warning : model.warnings)
    if (warning.find(words) != std::string::npos) return true;
  return false;
}

std::string gpu_at(const std::string& bus_id, const std::string& dev, const std::string& inside) {
  return "<pci busid=\"" + bus_id +
         "\" class=\"0x030200\" link_speed=\"16 GT/s\" link_width=\"16\">" + "<gpu dev=\"" + dev +
         "\" sm=\"80\" rank=\"0\" gdr=\"1\">" + inside + "</gpu></pci>\n";
}

std::string peer_link(const std::string& target, int count) {
  return "<nvlink target=\"" + target + "\" count=\"" + std::to_string(count) +
         "\" tclass=\"0x030200\"/>";
}

std::string node(const std::string& cpu0, const std::string& cpu1) {
  return "<!-- made by hand -->\n<system version=\"1\">\n"
         "<cpu numaid=\"0\" affinity=\"00000000,000000ff\" arch=\"x86_64\" vendor=\"GenuineIntel\""
         " familyid=\"6\" modelid=\"85\">\n" +
         cpu0 +
         "</cpu>\n<cpu numaid=\"1\" affinity=\"0000ff00\" arch=\"x86_64\" vendor=\"GenuineIntel\""
         " familyid=\"6\" modelid=\"85\">\n" +
         cpu1 + "</cpu>\n</system>\n";
}

const std::string bridged_pair = node(gpu_at("0000:17:00.0", "0", peer_link("0000:65:00.0", 4)),
                                      gpu_at("0000:65:00.0", "1", peer_link("0000:17:00.0", 4)));

TEST(NcclXml, IsRecognisedByItsRootElement) {
  EXPECT_TRUE(nccl_xml_reader.recognises(bridged_pair));
  EXPECT_TRUE(nccl_xml_reader.recognises("<?xml version=\"1.0\"?>\n<system version=\"2\"/>"));
  EXPECT_FALSE(nccl_xml_reader.recognises("<topology/>"));
  EXPECT_FALSE(nccl_xml_reader.recognises("<systems/>"));
  EXPECT_FALSE(nccl_xml_reader.recognises("the <system>"));
  EXPECT_FALSE(nccl_xml_reader.recognises(""));
}

TEST(NcclXml, CountsALinkThatBothEndsTellOnce) {
  const NodeModel model = read(bridged_pair);
  EXPECT_TRUE(model.warnings.empty());
  const Machine machine(model, 1);
  EXPECT_EQ(machine.dedicated_lanes(0, 1), 4);
  EXPECT_EQ(machine.pair_bandwidth(0, 1), from_gbps(4 * 25.0));
}

TEST(NcclXml, TakesSpeedsFromTheComputeCapability) {
  const NodeModel model = read(bridged_pair);
  for (const Connection& row : model.connections) {
    if (row.kind != LinkKind::nvlink) continue;
    EXPECT_EQ(row.nccl_bytes_per_second, from_gbps(20));  // sm80: 20 GB/s a lane
  }
}

TEST(NcclXml, SymmetrisesALinkToldByOneEndWithAWarning) {
  const NodeModel model = read(node(gpu_at("0000:17:00.0", "0", peer_link("0000:65:00.0", 4)),
                                    gpu_at("0000:65:00.0", "1", "")));
  EXPECT_TRUE(warns_of(model, "gpu0-gpu1"));
  EXPECT_EQ(Machine(model, 1).dedicated_lanes(1, 0), 4);
}

TEST(NcclXml, TakesTheLesserOfTwoCounts) {
  const NodeModel model = read(node(gpu_at("0000:17:00.0", "0", peer_link("0000:65:00.0", 2)),
                                    gpu_at("0000:65:00.0", "1", peer_link("0000:17:00.0", 4))));
  EXPECT_TRUE(warns_of(model, "lesser"));
  EXPECT_EQ(Machine(model, 1).dedicated_lanes(0, 1), 2);
}

TEST(NcclXml, JoinsSeveralNvswitchesIntoOneHub) {
  const std::string lanes =
      "<nvlink target=\"0000:c1:00.0\" count=\"2\" tclass=\"0x068000\"/>"
      "<nvlink target=\"0000:c2:00.0\" count=\"3\" tclass=\"0x068000\"/>";
  const Machine machine(
      read(node(gpu_at("0000:17:00.0", "0", lanes), gpu_at("0000:65:00.0", "1", lanes))), 1);
  EXPECT_EQ(machine.switch_lanes(0), 5);
  EXPECT_EQ(machine.switch_lanes(1), 5);
  EXPECT_EQ(machine.dedicated_lanes(0, 1), 0);
}

TEST(NcclXml, TellsOfLinksToDevicesOutsideTheFile) {
  const NodeModel model = read(node(gpu_at("0000:17:00.0", "0", peer_link("0000:99:00.0", 2)), ""));
  EXPECT_TRUE(warns_of(model, "1 links end at devices"));
}

TEST(NcclXml, JoinsNvlinkOfACpuBridgeToItsNumaNode) {
  const NodeModel model =
      read(node(gpu_at("0000:17:00.0", "0",
                       "<nvlink target=\"0000:00:00.1\" count=\"3\" tclass=\"0x068001\"/>"),
                ""));
  const Connection& last = model.connections.back();
  EXPECT_EQ(last.kind, LinkKind::nvlink);
  EXPECT_EQ(last.count, 3);
  EXPECT_EQ(model.vertex_name(last.b), "numa0");
}

TEST(NcclXml, OrdersGpusByTheirDevNumber) {
  const NodeModel model =
      read(node(gpu_at("0000:17:00.0", "1", ""), gpu_at("0000:65:00.0", "0", "")));
  EXPECT_EQ(model.gpus[0].bus_id, "0000:65:00.0");
  EXPECT_EQ(model.gpus[0].numa, 1);
}

TEST(NcclXml, GivesGpusTheCpusOfTheirNumaNode) {
  const NodeModel model = read(bridged_pair);
  EXPECT_EQ(model.gpus[1].cpus->to_string(), "8-15");
  EXPECT_EQ(model.gpus[1].cpu_affinity, "0000ff00");
}

TEST(NcclXml, DoesNotTakeOverlappingMasksAsLocality) {
  std::string text = bridged_pair;
  text.replace(text.find("0000ff00"), 8, "000000ff");
  const NodeModel model = read(text);
  EXPECT_TRUE(warns_of(model, "overlap"));
  EXPECT_FALSE(model.gpus[0].cpus.has_value());
  EXPECT_EQ(model.gpus[1].cpu_affinity, "000000ff");
}

TEST(NcclXml, TakesMinusOneForAnUnknownNumaNode) {
  const NodeModel model =
      read("<system version=\"1\"><cpu numaid=\"-1\" affinity=\"ff\">" +
           gpu_at("0000:17:00.0", "0", "") + gpu_at("0000:18:00.0", "1", "") + "</cpu></system>");
  EXPECT_EQ(model.gpus[0].numa, none);
  EXPECT_TRUE(model.numa_nodes.empty());
  EXPECT_EQ(Machine(model, 1).hops(0, 1), 2);
}

TEST(NcclXml, CountsGpusByClassInAStaticFile) {
  const NodeModel model = read(
      "<system version=\"1\"><cpu numaid=\"0\" affinity=\"f\">"
      "<pci busid=\"0001:00:00.0\" class=\"0x030200\" link_speed=\"16 GT/s\" link_width=\"16\"/>"
      "<pci busid=\"0002:00:00.0\" class=\"0x120000\" link_speed=\"\" link_width=\"\"/>"
      "<pci busid=\"0003:00:00.0\" class=\"0x030000\" link_speed=\"8 GT/s\" link_width=\"1\"/>"
      "<pci busid=\"0101:00:00.0\" class=\"0x020700\" link_speed=\"16 GT/s\" link_width=\"16\"/>"
      "</cpu></system>");
  EXPECT_EQ(model.gpus.size(), 2U);  // a screen's controller (0x030000) is none
  ASSERT_EQ(model.nics.size(), 1U);
  EXPECT_EQ(model.nics[0].name, "");
  EXPECT_EQ(model.nics[0].bus_id, "0101:00:00.0");
  EXPECT_TRUE(warns_of(model, "gen3 x16"));
}

TEST(NcclXml, ReadsAFileWithoutGpusWithAWarning) {
  const NodeModel model = read("<system version=\"1\"><cpu numaid=\"0\" affinity=\"f\"/></system>");
  EXPECT_TRUE(model.gpus.empty());
  EXPECT_TRUE(warns_of(model, "no GPU"));
}

TEST(NcclXml, TakesPortsOfOneCardAsNicsThatShareItsPcieLink) {
  const NodeModel model = read(node(gpu_at("0000:17:00.0", "0", "") +
                                        "<pci busid=\"0000:02:00.0\" class=\"0x020700\" "
                                        "link_speed=\"8.0 GT/s PCIe\" link_width=\"8\">"
                                        "<nic><net name=\"mlx5_0\" speed=\"100000\"/><net "
                                        "name=\"mlx5_1\" speed=\"100000\"/></nic></pci>",
                                    ""));
  ASSERT_EQ(model.nics.size(), 2U);
  EXPECT_EQ(model.nics[1].bytes_per_second, from_gbps(12.5));  // 100 Gb/s
  EXPECT_EQ(model.gpus[0].nic, 0);
  const auto card = std::find_if(model.hubs.begin(), model.hubs.end(),
                                 [](const Hub& hub) { return hub.name == "card:0000:02:00.0"; });
  EXPECT_NE(card, model.hubs.end());
}

TEST(NcclXml, ReadsXgmiAndThePackagesOfMi250x) {
  const auto die = [](const std::string& bus_id, const std::string& dev, const std::string& other,
                      int count) {
    return "<pci busid=\"" + bus_id +
           "\" class=\"0x038000\" link_speed=\"16 GT/s\" link_width=\"16\">" + "<gpu dev=\"" + dev +
           "\" sm=\"110\" gcn=\"910\"><xgmi target=\"" + other + "\" count=\"" +
           std::to_string(count) + "\" tclass=\"0x038000\"/></gpu></pci>";
  };
  const NodeModel model = read(node(
      die("0000:c1:00.0", "0", "0000:c6:00.0", 4) + die("0000:c6:00.0", "1", "0000:c1:00.0", 4),
      ""));
  EXPECT_EQ(model.gpus[0].package, 0);
  EXPECT_EQ(model.gpus[1].package, 0);
  EXPECT_EQ(Machine(model, 1).pair_bandwidth(0, 1), from_gbps(200));  // 4 x 50
}

TEST(NcclXml, ReadsTheFirstOfSeveralHosts) {
  const NodeModel model =
      read("<system version=\"1\"><cpu host_hash=\"0x1\" numaid=\"0\" affinity=\"f\">" +
           gpu_at("0000:17:00.0", "0", "") + "</cpu><cpu host_hash=\"0x2\" numaid=\"0\">" +
           gpu_at("0000:17:00.0", "1", "") + "</cpu></system>");
  EXPECT_EQ(model.gpus.size(), 1U);
  EXPECT_TRUE(warns_of(model, "other hosts"));
}

TEST(NcclXml, RefusesTwoGpusAtOneBusIdByPlace) {
  EXPECT_EQ(
      refusal("<system version=\"1\">\n<cpu numaid=\"0\">\n" + gpu_at("0000:17:00.0", "0", "") +
              gpu_at("00000000:17:00.0", "1", "") + "</cpu></system>"),
      "topo.xml:4:2: a second GPU at bus id \"0000:17:00.0\"");
}

TEST(NcclXml, RefusesNumbersThatAreNone) {
  EXPECT_EQ(refusal("<system>\n <cpu numaid=\"zero\"/></system>"),
            "topo.xml:2:3: numaid=\"zero\", expected a number of -1 to 65535");
}

TEST(NcclXml, RefusesTextThatIsNotWellFormedByPlace) {
  EXPECT_EQ(refusal("<system>\n<cpu></system>").substr(0, 11), "topo.xml:2:");
}

TEST(NcclXml, RefusesDeepNesting) {
  std::string text = "<system><cpu numaid=\"0\">";
  for (int i = 0; i < 100; ++i) text += "<pci><gpu/>";
  for (int i = 0; i < 100; ++i) text = text.insert(24, "<pci>") + "</pci>";
  for (int i = 0; i < 100; ++i) text += "</pci>";
  EXPECT_NE(refusal(text + "</cpu></system>").find("nested deeper"), std::string::npos);
  EXPECT_NE(refusal(std::string(1 << 20, '<')).find("not well-formed"), std::string::npos);
}

TEST(NcclXml, NeitherCrashesNorHangsOnDamagedText) {
  Random random(7);
  const std::string whole =
      node(gpu_at("0000:17:00.0", "0", peer_link("0000:65:00.0", 4)) +
               "<pci busid=\"0000:01:00.0\" class=\"0x060400\"><pci busid=\"0000:02:00.0\" "
               "class=\"0x020700\">"
               "<nic><net name=\"mlx5_0\" speed=\"100000\"/></nic></pci></pci>",
           gpu_at("0000:65:00.0", "1", peer_link("0000:17:00.0", 4)));
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text =
        i % 8 == 0 ? testing::garbage(random) : testing::damaged(whole, random);
    try {
      Machine(read(text), 1);
    } catch (const Error& error) {
      EXPECT_NE(error.code(), ExitCode::bug) << error.what() << "\n" << text;
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace rankmap
