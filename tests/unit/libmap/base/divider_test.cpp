#include "libmap/base/divider.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "libmap/base/random.hpp"

namespace rankmap {
namespace {

constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();

void check(std::int32_t n, std::int32_t divisor) {
  const Divider by(divisor);
  ASSERT_EQ(by.quotient(n), n / divisor) << n << " by " << divisor;
  ASSERT_EQ(by.remainder(n), n % divisor) << n << " by " << divisor;
}

TEST(Divider, DividesWhereQuotientsChange) {
  for (const std::int32_t divisor :
       {1, 2, 3, 7, 641, 65'535, 65'536, 65'537, 46'341, largest - 1, largest})
    for (const std::int32_t times : {0, 1, 2, largest / divisor})
      for (const std::int32_t more : {-1, 0, 1}) {
        const std::int64_t n = std::int64_t{times} * divisor + more;
        if (n >= 0 && n <= largest) check(static_cast<std::int32_t>(n), divisor);
      }
}

TEST(Divider, DividesAnythingByAnything) {
  Random random(1);
  const auto some = [&] {
    return static_cast<std::int32_t>(random.next() >> (33 + random.below(30)));
  };
  for (int i = 0; i < 100'000; ++i) check(some(), std::max(1, some()));
}

}  // namespace
}  // namespace rankmap
