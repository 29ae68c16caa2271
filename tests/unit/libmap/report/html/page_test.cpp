// Pages about mappings: what they count, draw and escape.
#include "libmap/report/html/page.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "libmap/report/html/markup.hpp"
#include "libmap/report/html/torus_section.hpp"

namespace rankmap {
namespace {

Machine machine_of(const std::string& network) {
  return read_machine(network + ",gbps=1", {});
}

CommGraph two_messages() {
  GraphBuilder builder(8);
  builder.add({0, 1, 100, 1, 1, 0, none});
  builder.add({0, 2, 900, 1, 1, 0, none});
  return std::move(builder).build("<app>&");
}

Mapping in_order(Rank ranks) {
  Mapping mapping;
  mapping.slot_of.resize(static_cast<std::size_t>(ranks));
  std::iota(mapping.slot_of.begin(), mapping.slot_of.end(), 0);
  return mapping;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Page, HottestLinksNameTheRanksThatLoadThem) {
  const CommGraph app = two_messages();
  const Machine machine = machine_of("torus:8");
  const MappingTraffic traffic = traffic_of(app, machine, {"linear", in_order(8)});
  // 0 -> 1 and 0 -> 2 both leave node 0 upwards: 1000 bytes; from node 1 only the 900 go on.
  ASSERT_EQ(traffic.hottest.size(), 2U);
  EXPECT_EQ(traffic.hottest[0].bytes, 1000);
  EXPECT_DOUBLE_EQ(traffic.hottest[0].seconds, 1e-6);
  EXPECT_EQ(traffic.hottest[0].all_pairs, 2U);
  EXPECT_EQ(traffic.hottest[0].pairs[0].destination, 2);
  EXPECT_EQ(traffic.hottest[0].pairs[1].bytes, 100);
  EXPECT_EQ(traffic.hottest[1].all_pairs, 1U);
}

TEST(Page, ViewsSumToTheBytesOfTheLinks) {
  for (const char* network : {"torus:2x3x4", "mesh:2x3x4"}) {
    const Machine machine = machine_of(network);
    std::vector<double> loads(static_cast<std::size_t>(machine.links()));
    std::iota(loads.begin(), loads.end(), 1.0);
    double seen = 0;
    for (const TorusView& view : torus_views(*torus_of(machine)))
      for (const ViewLine& line : view_lines(*torus_of(machine), view, loads))
        seen += (line.mean[0] + line.mean[1]) * view.behind;
    // Each axis stands in two of the three views.
    EXPECT_NEAR(seen, 2 * std::accumulate(loads.begin(), loads.end(), 0.0), 1e-6) << network;
  }
}

TEST(Page, DrawsEveryPointAndLineOfEveryView) {
  const Machine machine = machine_of("torus:2x2x2");
  const MappingTraffic traffic = traffic_of(two_messages(), machine, {"a", in_order(8)});
  const std::vector<MappingTraffic> both = {traffic, traffic};
  const std::string svg = traffic_svg(machine, both);
  EXPECT_EQ(count(svg, "<circle"), 2U * 3 * 4);  // mappings x views x points
  EXPECT_EQ(count(svg, "<line"), 2U * 3 * 8);    // a line each way of 2 axes from each of 4 points
}

TEST(Page, EscapesNamesAndLoadsNothing) {
  const Machine machine = machine_of("torus:8");
  const std::vector<MappingTraffic> one = {
      traffic_of(two_messages(), machine, {"</script><b onclick='x'>", in_order(8)})};
  const std::string page = html_page(two_messages(), machine, one);
  EXPECT_EQ(page.find("<b onclick"), page.npos);
  EXPECT_NE(page.find("&lt;app&gt;&amp;"), page.npos);
  EXPECT_EQ(count(page, "</script>"), 2U);  // the data's and the script's
  EXPECT_EQ(page.find("http"), page.npos);
}

// A ring of 4 nodes has 4 lines; 0 <-> 1 use the first, 2 -> 3 the third.
TEST(Page, TellsTheLinesOfCommunicators) {
  GraphBuilder builder(4);
  const std::int32_t left = builder.add_group({"left<", {0, 1}, 0});
  const std::int32_t right = builder.add_group({"right", {2, 3}, 0});
  builder.add({0, 1, 10, 1, 1, 0, left});
  builder.add({1, 0, 10, 1, 1, 0, left});
  builder.add({2, 3, 10, 1, 1, 0, right});
  const CommGraph app = std::move(builder).build("app");
  const Machine machine = machine_of("torus:4");
  const std::vector<MappingTraffic> one = {traffic_of(app, machine, {"a", in_order(4)})};
  const std::string page = html_page(app, machine, one);
  EXPECT_NE(page.find("<option value=\"0\">left&lt;</option><option value=\"1\">right</option>"),
            page.npos);
  EXPECT_NE(page.find("id=\"groups\">[[[0]],[[2]]]</script>"), page.npos);
}

// Groups of two nodes: 0 -> 1 stays inside group 0, 0 -> 2 goes to group 1.
TEST(Page, DrawsTheGroupsOfADragonfly) {
  const Machine machine = read_machine("dragonfly:groups=4,routers=2,nodes=1,global=2", {});
  const std::vector<MappingTraffic> one = {traffic_of(two_messages(), machine, {"a", in_order(8)})};
  const std::string page = html_page(two_messages(), machine, one);
  EXPECT_EQ(count(page, "<circle class=\"g "), 4U);
  EXPECT_EQ(count(page, "<path class=\"l "), 1U);
  EXPECT_NE(page.find("<title>groups 0 and 1: 900 B, "), page.npos);
  EXPECT_NE(page.find("<title>inside group 2: 0 B, "), page.npos);
}

TEST(Page, SaysWhatIsTooLargeToBeDrawn) {
  const Machine machine = machine_of("torus:128x64");
  const std::vector<MappingTraffic> one = {traffic_of(two_messages(), machine, {"a", in_order(8)})};
  EXPECT_NE(html_page(two_messages(), machine, one)
                .find("Not drawn: the x-y minimap would have "
                      "128 x 64 points"),
            std::string::npos);
  EXPECT_THROW(traffic_svg(machine, one), Infeasible);
}

TEST(Markup, SpellsNumbers) {
  EXPECT_EQ(readable_bytes(999), "999 B");
  EXPECT_EQ(readable_bytes(999.6), "1.00 kB");
  EXPECT_EQ(readable_bytes(1.5e6), "1.50 MB");
  EXPECT_EQ(colour_class(0, 5), "k0");
  EXPECT_EQ(colour_class(1e-9, 5), "k1");
  EXPECT_EQ(colour_class(5, 5), "k9");
  EXPECT_EQ(escaped("a\x01\"'"), "a&#xfffd;&quot;&#39;");
}

}  // namespace
}  // namespace rankmap
