// Pictures of nodes: every part and every connection once, and who sits there.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "libmap/report/html/node_picture.hpp"
#include "libmap/report/html/page.hpp"

namespace rankmap {
namespace {

Machine machine_of(const std::string& spec) {
  MachineOptions options;
  options.share_directory = RANKMAP_SOURCE_DIR "/share";
  return read_machine(spec, options);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(NodePictures, HaveEveryPartAndConnection) {
  for (const std::string& name : machine_names(RANKMAP_SOURCE_DIR "/share")) {
    const Machine machine = machine_of(name);
    if (!node_not_drawn(machine).empty()) continue;
    const std::string svg = node_picture(machine, {});
    EXPECT_EQ(count(svg, "<rect class=\"s\""), static_cast<std::size_t>(machine.slots_per_node()))
        << name;
    EXPECT_EQ(count(svg, "<rect class=\"h\""), machine.model().hubs.size()) << name;
    EXPECT_EQ(count(svg, "<path class=\"l "), machine.model().connections.size()) << name;
    EXPECT_EQ(svg.find("\"-"), svg.npos) << name << ": a coordinate left of or above the picture";
  }
}

TEST(NodePictures, TellLanesAndBandwidths) {
  const std::string svg = node_picture(machine_of("dgx1-v100"), {});
  EXPECT_NE(svg.find("<title>gpu0 - gpu3: nvlink, 2 lanes, 50 GB/s</title>"), svg.npos);
  EXPECT_NE(svg.find("<title>gpu0 - pcie0: pcie, 1 lane, 12 GB/s</title>"), svg.npos);
}

// A ring over both nodes of two DGX-1; the second holds rank 8 on its first GPU.
TEST(NodePictures, ShowRanksAndBytes) {
  const Machine machine = machine_of("dgx1-v100x2");
  GraphBuilder builder(16);
  builder.add({8, 11, 1000, 1, 1, 0, none});
  builder.add({11, 8, 500, 1, 1, 0, none});
  const CommGraph app = std::move(builder).build("two");
  Mapping mapping;
  for (SlotId slot = 0; slot < 16; ++slot) mapping.slot_of.push_back(slot);
  const std::vector<MappingTraffic> traffic = {traffic_of(app, machine, {"a", mapping})};
  const std::string page = html_page(app, machine, traffic);
  EXPECT_NE(page.find(">rank 8</text>"), page.npos);
  EXPECT_EQ(page.find(">rank 0</text>"), page.npos);
  EXPECT_NE(page.find("<title>gpu0 - gpu3: nvlink, 2 lanes, 50 GB/s, 1.50 kB both ways</title>"),
            page.npos);
  EXPECT_EQ(count(page, "<path class=\"l k9\""), 1U);  // the others carry nothing
}

TEST(NodePictures, SayWhatIsNotDrawn) {
  EXPECT_NE(node_not_drawn(machine_of("torus:4x4,slots=4")), "");
  EXPECT_THROW(node_svg(machine_of("torus:4x4")), Infeasible);
  EXPECT_NE(html_machine_page(machine_of("torus:4x4")).find("Not drawn: the slots of this machine"),
            std::string::npos);
  EXPECT_NE(node_svg(machine_of("dgx1-v100")).find("xmlns"), std::string::npos);
  EXPECT_EQ(html_machine_page(machine_of("dgx1-v100")).find("http"), std::string::npos);
}

// GPU0's row: 25 to GPU1 and GPU2, 50 to GPU3 and GPU4, 12 to the others.
TEST(NodePictures, TheMatrixHasEveryPair) {
  const std::string table = slot_matrix(machine_of("dgx1-v100"));
  EXPECT_EQ(count(table, "<td class=\"r t9\">50</td>"), 16U);
  EXPECT_EQ(count(table, "<td></td>"), 8U);
  EXPECT_EQ(count(table, "</td>"), 64U);
}

}  // namespace
}  // namespace rankmap
