#include "libmap/base/units.hpp"

#include <gtest/gtest.h>

namespace rankmap {
namespace {

TEST(Units, ReadsBinaryAndDecimalSizes) {
  EXPECT_EQ(parse_bytes("64KiB"), 65536U);
  EXPECT_EQ(parse_bytes("1GB"), 1000000000U);
  EXPECT_EQ(parse_bytes("1.5 MiB"), 1572864U);
  EXPECT_EQ(parse_bytes("12"), 12U);
  EXPECT_EQ(parse_bytes("0B"), 0U);
}

TEST(Units, RefusesWhatIsNoWholeNumberOfBytes) {
  for (const char* text : {"", "KiB", "-1", "1.5", "1e3", "4 parsecs", "99999999TiB", "1..2", ".",
                           "9223372036854775809"})
    EXPECT_FALSE(parse_bytes(text).has_value()) << text;
}

TEST(Units, WritesTheLargestUnitThatDivides) {
  EXPECT_EQ(format_bytes(65536), "64KiB");
  EXPECT_EQ(format_bytes(1000), "1000");
  EXPECT_EQ(format_bytes(0), "0");
  EXPECT_EQ(format_bytes(Bytes{3} << 30), "3GiB");
}

TEST(Units, BandwidthsAreWholeBytesPerSecond) {
  EXPECT_EQ(from_gbps(25.781), 25781000000U);
  EXPECT_DOUBLE_EQ(to_gbps(12500000000U), 12.5);
}

}  // namespace
}  // namespace rankmap
