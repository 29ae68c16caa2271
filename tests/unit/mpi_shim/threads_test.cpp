// Threads that run before the rank is placed are bound as it is.
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "tests/unit/mpi_shim/placed_child.hpp"

namespace rankmap::testing {
namespace {

class EarlyThreads : public ::testing::Test {
 protected:
  void SetUp() override {
    if (own_cpus().size() < 2) GTEST_SKIP() << "needs two CPUs";
  }

  std::string map_on(int cpu) const {
    MapFile map = reversed(1);
    map.rows[0].cpus = {cpu};
    return folder_.write("job.rankmap", write_map(map));
  }

  int first() const { return own_cpus().numbers().front(); }
  int last() const { return own_cpus().numbers().back(); }

  Folder folder_;
};

// Starts threads that live as long as the child, each after `prepare`.
std::function<void()> with_threads(int count, const std::function<void()>& prepare = {}) {
  return [count, prepare] {
    static std::atomic<int> ready{0};
    for (int i = 0; i < count; ++i)
      std::thread([prepare] {
        if (prepare) prepare();
        ++ready;
        for (;;) pause();
      }).detach();
    while (ready < count) usleep(100);
  };
}

TEST_F(EarlyThreads, AreMovedIntoThePlan) {
  const Outcome outcome = place(map_on(last()), open_mpi(0, 1), {}, with_threads(3));
  EXPECT_EQ(outcome.at("threads"), "3");
  EXPECT_EQ(outcome.at("threads_cpus"), std::to_string(last()));
}

TEST_F(EarlyThreads, StayWhereTheyAreInsideThePlan) {
  const int cpu = last();
  const auto bind = [cpu] {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    sched_setaffinity(0, sizeof set, &set);
  };
  const Outcome outcome = place(map_on(cpu), open_mpi(0, 1), {}, with_threads(2, bind));
  EXPECT_EQ(outcome.at("threads"), "0");
  EXPECT_EQ(outcome.at("threads_cpus"), std::to_string(cpu));
}

TEST_F(EarlyThreads, AreLeftAloneWhereNothingIsBound) {
  const Outcome outcome = place(map_on(8000), open_mpi(0, 1), {}, with_threads(1));
  EXPECT_EQ(outcome.at("threads"), "0");
  EXPECT_EQ(outcome.at("threads_cpus"), own_cpus().to_string());
}

}  // namespace
}  // namespace rankmap::testing
