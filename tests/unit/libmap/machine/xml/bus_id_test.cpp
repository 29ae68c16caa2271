#include "libmap/machine/xml/bus_id.hpp"

#include <gtest/gtest.h>

namespace rankmap {
namespace {

TEST(BusId, IsLowerCaseWithAFourDigitDomain) {
  EXPECT_EQ(normal_bus_id("00000000:0F:00.0"), "0000:0f:00.0");
  EXPECT_EQ(normal_bus_id("0000:06:00.0"), "0000:06:00.0");
  EXPECT_EQ(normal_bus_id(" 06:00.1 "), "0000:06:00.1");
}

TEST(BusId, GetsAFunctionWhenItHasNone) {
  EXPECT_EQ(normal_bus_id("0000:06:00"), "0000:06:00.0");
}

TEST(BusId, KeepsDomainsAboveFourDigits) {
  EXPECT_EQ(normal_bus_id("10000:E1:00.0"), "10000:e1:00.0");
}

TEST(BusId, LeavesWhatIsNoAddressAlone) {
  EXPECT_EQ(normal_bus_id("Fake:xx"), "fake:xx");
  EXPECT_EQ(normal_bus_id("zz:00:00.0"), "zz:00:00.0");
  EXPECT_EQ(normal_bus_id(""), "");
}

}  // namespace
}  // namespace rankmap
