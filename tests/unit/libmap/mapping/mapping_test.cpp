#include "libmap/mapping/mapping.hpp"

#include <gtest/gtest.h>

#include "tests/unit/libmap/mapping/small_machines.hpp"

namespace rankmap {
namespace {

using testing::two_gpu_machine;

TEST(DefectOf, IsEmptyForAValidMapping) {
  EXPECT_EQ(defect_of(Mapping{{1, 0}}, two_gpu_machine(), 1, {}), "");
  EXPECT_EQ(defect_of(Mapping{{1, 1}}, two_gpu_machine(), 2, {}), "");
  EXPECT_EQ(defect_of(Mapping{}, two_gpu_machine(), 1, {}), "");
}

TEST(DefectOf, NamesTheRankOutsideTheMachine) {
  EXPECT_EQ(defect_of(Mapping{{0, 2}}, two_gpu_machine(), 1, {}),
            "rank 1 is on slot 2, the machine has slots 0 to 1");
  EXPECT_NE(defect_of(Mapping{{-1}}, two_gpu_machine(), 1, {}), "");
}

TEST(DefectOf, NamesTheRankOnABusySlot) {
  const SlotId busy[] = {1};
  EXPECT_EQ(defect_of(Mapping{{0, 1}}, two_gpu_machine(), 1, busy),
            "rank 1 is on slot 1, which is busy");
}

TEST(DefectOf, NamesTheFirstRankTooMany) {
  EXPECT_EQ(defect_of(Mapping{{0, 1, 1}}, two_gpu_machine(), 1, {}),
            "rank 2 is on slot 1, which holds more than 1 rank then");
}

}  // namespace
}  // namespace rankmap
