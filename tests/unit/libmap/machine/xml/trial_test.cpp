#include "libmap/machine/xml/trial.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

namespace rankmap {
namespace {

TEST(Trial, SaysWhetherTheWorkCameToAnEnd) {
  EXPECT_TRUE(ends_in_child([] {}));
  EXPECT_FALSE(ends_in_child([] { std::abort(); }));
}

TEST(Trial, TakesAnExceptionForAnEnd) {
  EXPECT_TRUE(ends_in_child([] { throw std::runtime_error("refused"); }));
}

TEST(Trial, LeavesTheParentUntouched) {
  int value = 1;
  EXPECT_TRUE(ends_in_child([&] { value = 2; }));
  EXPECT_EQ(value, 1);
}

}  // namespace
}  // namespace rankmap
