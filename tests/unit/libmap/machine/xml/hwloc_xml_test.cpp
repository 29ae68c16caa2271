// The hwloc reader on small samples, one a variation, and on damaged ones.
#include "libmap/machine/xml/hwloc_xml.hpp"

#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/machine/xml/hwloc_topology.hpp"
#include "tests/unit/libmap/machine/xml/fuzz.hpp"

namespace rankmap {
namespace {

NodeModel read(const std::string& text) {
  return hwloc_xml_reader.read(text, "machine.xml", {});
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

std::string object(const std::string& attributes, const std::string& inside = "") {
  return "<object " + attributes + ">" + inside + "</object>\n";
}

// All four kinds of set that hwloc wants of an object with CPUs.
std::string sets(const std::string& cpus, const std::string& nodes) {
  return " cpuset=\"" + cpus + "\" complete_cpuset=\"" + cpus + "\" nodeset=\"" + nodes +
         "\" complete_nodeset=\"" + nodes + "\"";
}

std::string numa(int id, const std::string& cpus, const std::string& nodes,
                 const std::string& subtype) {
  return object("type=\"NUMANode\" os_index=\"" + std::to_string(id) + "\"" + sets(cpus, nodes) +
                " gp_index=\"" + std::to_string(100 + id) + "\" local_memory=\"1073741824\"" +
                (subtype.empty() ? "" : " subtype=\"" + subtype + "\""));
}

std::string core(int id, const std::string& cpus, const std::string& nodes) {
  return object("type=\"Core\" os_index=\"" + std::to_string(id) + "\"" + sets(cpus, nodes) +
                    " gp_index=\"" + std::to_string(200 + id) + "\"",
                object("type=\"PU\" os_index=\"" + std::to_string(id) + "\"" + sets(cpus, nodes) +
                       " gp_index=\"" + std::to_string(300 + id) + "\""));
}

std::string pci(int bus, const std::string& class_and_ids, double gbps, const std::string& inside) {
  const std::string number = std::to_string(bus);
  return object("type=\"PCIDev\" gp_index=\"" + std::to_string(400 + bus) +
                    "\" pci_busid=\"0000:" + number + ":00.0\" pci_type=\"" + class_and_ids +
                    " [0000:0000] 00\" pci_link_speed=\"" + std::to_string(gbps) + "\"",
                inside);
}

std::string nvml(int number) {
  return object(
      "type=\"OSDev\" gp_index=\"" + std::to_string(500 + number) + "\" name=\"nvml" +
          std::to_string(number) + "\" subtype=\"NVML\" osdev_type=\"1\"",
      "<info name=\"Backend\" value=\"NVML\"/><info name=\"GPUModel\" value=\"NVIDIA A100\"/>"
      "<info name=\"NVIDIAUUID\" value=\"GPU-" +
          std::to_string(number) + "\"/>");
}

std::string screen(const std::string& name, int id) {
  return object("type=\"OSDev\" gp_index=\"" + std::to_string(id) + "\" name=\"" + name +
                "\" osdev_type=\"1\"");
}

std::string host_bridge(int id, const std::string& inside) {
  return object("type=\"Bridge\" gp_index=\"" + std::to_string(600 + id) +
                    "\" bridge_type=\"0-1\" depth=\"0\" bridge_pci=\"0000:[00-ff]\"",
                inside);
}

std::string topology(const std::string& machine_sets, const std::string& inside,
                     const std::string& after = "") {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
         "<topology version=\"2.0\">\n" +
         object("type=\"Machine\" os_index=\"0\"" + machine_sets + " gp_index=\"1\"", inside) +
         after + "</topology>\n";
}

std::string all_sets(const std::string& cpus, const std::string& nodes) {
  return sets(cpus, nodes) + " allowed_cpuset=\"" + cpus + "\" allowed_nodeset=\"" + nodes + "\"";
}

std::string package(int id, const std::string& cpus, const std::string& nodes,
                    const std::string& inside) {
  return object("type=\"Package\" os_index=\"" + std::to_string(id) + "\"" + sets(cpus, nodes) +
                    " gp_index=\"" + std::to_string(10 + id) + "\"",
                inside);
}

// Two packages, each with a NUMA node, two cores, a GPU and a fabric card.
std::string two_gpus(const std::string& after = "") {
  const std::string card =
      object("type=\"OSDev\" gp_index=\"700\" name=\"mlx5_0\" osdev_type=\"3\"") +
      object("type=\"OSDev\" gp_index=\"701\" name=\"ib0\" osdev_type=\"2\"");
  return topology(
      all_sets("0x0000000f", "0x00000003"),
      package(0, "0x00000003", "0x00000001",
              numa(0, "0x00000003", "0x00000001", "") + core(0, "0x00000001", "0x00000001") +
                  core(1, "0x00000002", "0x00000001") +
                  host_bridge(0, pci(10, "0302 [10de:20b0]", 31.5,
                                     nvml(1) + screen("card0", 800) + screen("renderD128", 801)) +
                                     pci(11, "0207 [15b3:101b]", 31.5, card))) +
          package(1, "0x0000000c", "0x00000002",
                  numa(1, "0x0000000c", "0x00000002", "") + core(2, "0x00000004", "0x00000002") +
                      core(3, "0x00000008", "0x00000002") +
                      host_bridge(1, pci(81, "0302 [10de:20b0]", 31.5, nvml(0)))),
      after);
}

std::string nvlink_matrix(const std::string& values) {
  return "<distances2 type=\"OSDev\" nbobjs=\"2\" kind=\"9\" name=\"NVLinkBandwidth\" "
         "indexing=\"gp\">"
         "<indexes length=\"8\">501 500 </indexes><u64values length=\"" +
         std::to_string(values.size()) + "\">" + values + "</u64values></distances2>\n";
}

TEST(HwlocXml, IsRecognisedByItsRootElement) {
  EXPECT_TRUE(hwloc_xml_reader.recognises(two_gpus()));
  EXPECT_FALSE(hwloc_xml_reader.recognises("<system/>"));
  EXPECT_FALSE(hwloc_xml_reader.recognises("Machine (4GB) + Package L#0"));
}

TEST(HwlocXml, CountsGpusByTheirManagementDevicesAndInTheirOrder) {
  const NodeModel model = read(two_gpus());
  ASSERT_EQ(model.gpus.size(), 2U);  // card0 and renderD128 are no further GPUs
  EXPECT_EQ(model.gpus[0].uuid, "GPU-0");
  EXPECT_EQ(model.gpus[0].bus_id, "0000:81:00.0");
  EXPECT_EQ(model.gpus[0].name, "NVIDIA A100");
  EXPECT_EQ(model.gpus[0].numa, 1);
  EXPECT_EQ(model.gpus[0].cpus->to_string(), "2-3");
}

TEST(HwlocXml, NamesAFabricCardOnceByItsFabricDevice) {
  const NodeModel model = read(two_gpus());
  ASSERT_EQ(model.nics.size(), 1U);
  EXPECT_EQ(model.nics[0].name, "mlx5_0");
  EXPECT_EQ(model.nics[0].bus_id, "0000:11:00.0");
  EXPECT_EQ(model.nics[0].numa, 0);
}

TEST(HwlocXml, ReadsCoresWithTheirPlaces) {
  const NodeModel model = read(two_gpus());
  ASSERT_EQ(model.cores.size(), 4U);
  EXPECT_EQ(model.cores[2].logical, 2);
  EXPECT_EQ(model.cores[2].cpus.to_string(), "2");
  EXPECT_EQ(model.cores[2].numa, 1);
  EXPECT_EQ(model.cores[2].package, 1);
}

TEST(HwlocXml, MakesAMachineOfPcieSpeeds) {
  const Machine machine(read(two_gpus()), 1);
  EXPECT_EQ(machine.dedicated_lanes(0, 1), 0);
  // 31.5 GB/s raw is x16 gen4, 24 after overhead; the CPU link of an unknown CPU is 16.
  EXPECT_EQ(machine.pair_bandwidth(0, 1), from_gbps(16));
}

TEST(HwlocXml, TakesNvlinkBandwidthAsDedicatedLanes) {
  // 100000 MB/s are four lanes of 25 GB/s.
  const Machine machine(read(two_gpus(nvlink_matrix("1000000 100000 100000 1000000 "))), 1);
  EXPECT_EQ(machine.dedicated_lanes(0, 1), 4);
}

TEST(HwlocXml, SymmetrisesNvlinkBandwidthWithAWarning) {
  const NodeModel model = read(two_gpus(nvlink_matrix("1000000 100000 0 1000000 ")));
  EXPECT_TRUE(warns_of(model, "differ by direction"));
  EXPECT_EQ(Machine(model, 1).dedicated_lanes(1, 0), 4);
}

TEST(HwlocXml, TakesXgmiBandwidthOnlyAsJoined) {
  std::string text = two_gpus(nvlink_matrix("1000000 100000 100000 1000000 "));
  text.replace(text.find("NVLinkBandwidth"), 15, "XGMIBandwidth");
  const NodeModel model = read(text);
  EXPECT_TRUE(warns_of(model, "how many xGMI links"));
  EXPECT_EQ(Machine(model, 1).dedicated_lanes(0, 1), 1);
}

TEST(HwlocXml, DoesNotTakeGpuMemoryForACpuNode) {
  const NodeModel model = read(topology(
      all_sets("0x00000003", "0x00000003"),
      package(0, "0x00000003", "0x00000003",
              numa(1, "0x00000003", "0x00000002", "GPUMemory") +
                  numa(0, "0x00000003", "0x00000001", "") + core(0, "0x00000001", "0x00000003") +
                  core(1, "0x00000002", "0x00000003"))));
  ASSERT_EQ(model.numa_nodes.size(), 2U);
  EXPECT_EQ(model.numa_nodes[0].cpus.to_string(), "0-1");
  EXPECT_TRUE(model.numa_nodes[1].cpus.empty());
  EXPECT_EQ(model.numa_nodes[1].subtype, "GPUMemory");
  EXPECT_EQ(model.cores[1].numa, 0);
}

TEST(HwlocXml, MakesCoresTheSlotsOfANodeWithoutGpus) {
  const NodeModel model = read(topology(
      all_sets("0x00000003", "0x00000001"),
      package(0, "0x00000003", "0x00000001",
              numa(0, "0x00000003", "0x00000001", "") + core(0, "0x00000001", "0x00000001") +
                  core(1, "0x00000002", "0x00000001"))));
  const Machine machine(model, 1);
  EXPECT_EQ(machine.slots(), 2);
  EXPECT_EQ(machine.hops(0, 1), 2);
}

TEST(HwlocXml, SendsVersionThreeBackWithAdvice) {
  if (HWLOC_API_VERSION >> 16 > 2) GTEST_SKIP() << "this hwloc reads version 3";
  std::string text = two_gpus();
  text.replace(text.find("version=\"2.0\""), 13, "version=\"3.0\"");
  EXPECT_NE(refusal(text).find("machine.xml:3:2: hwloc XML of version \"3.0\" needs hwloc >= 3"),
            std::string::npos);
  EXPECT_NE(refusal(text).find("--export-xml-flags v2"), std::string::npos);
}

TEST(HwlocXml, RefusesWhatHwlocRefuses) {
  EXPECT_NE(refusal("<topology version=\"2.0\"></topology>").find("refuses this XML"),
            std::string::npos);
}

TEST(HwlocXml, RefusesTextThatIsNotWellFormedByPlace) {
  EXPECT_EQ(refusal("<topology>\n<object></topology>").substr(0, 14), "machine.xml:2:");
}

TEST(HwlocXml, RefusesNumbersThatWouldReserveMemoryWithoutLimit) {
  std::string text = two_gpus();
  text.replace(text.find("type=\"PU\" os_index=\"0\""), 22, "type=\"PU\" os_index=\"4000000000\"");
  EXPECT_NE(refusal(text).find("os_index=\"4000000000\", expected a number up to 65535"),
            std::string::npos);
  std::string endless = two_gpus();
  endless.replace(endless.find("cpuset=\"0x0000000f\""), 19, "cpuset=\"0xf...f\"");
  EXPECT_NE(refusal(endless).find("endless"), std::string::npos);
}

TEST(HwlocXml, RefusesDeepNesting) {
  std::string text = "<topology version=\"2.0\">";
  for (int i = 0; i < 5000; ++i) text += "<object>";
  for (int i = 0; i < 5000; ++i) text += "</object>";
  EXPECT_NE(refusal(text + "</topology>").find("nested deeper than 128"), std::string::npos);
}

TEST(HwlocXml, NeitherCrashesNorHangsOnDamagedText) {
  Random random(11);
  const std::string whole = two_gpus(nvlink_matrix("1000000 100000 100000 1000000 "));
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string text = testing::damaged(whole, random);
    try {
      Machine(read(text), 1);
    } catch (const Error& error) {
      EXPECT_NE(error.code(), ExitCode::bug) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace rankmap
