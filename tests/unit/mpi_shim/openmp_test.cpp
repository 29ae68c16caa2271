// OpenMP's variables from the CPUs a rank was given.
#include <gtest/gtest.h>

#include "tests/unit/mpi_shim/placed_child.hpp"

namespace rankmap::testing {
namespace {

class OpenMp : public ::testing::Test {
 protected:
  void SetUp() override {
    if (own_cpus().size() < 2) GTEST_SKIP() << "needs two CPUs";
  }

  int first() const { return own_cpus().numbers().front(); }
  int last() const { return own_cpus().numbers().back(); }

  std::string map_on(const CpuSet& cpus) const {
    MapFile map = reversed(1);
    map.rows[0].cpus = cpus;
    return folder_.write("job.rankmap", write_map(map));
  }

  Environment wanted() const {
    Environment environment = open_mpi(0, 1);
    environment["RANKMAP_OPENMP"] = "1";
    environment["RANKMAP_SYSROOT"] = folder_.path();
    return environment;
  }

  // Both CPUs are hyperthreads of one core.
  void join_cpus() const {
    const std::string both = std::to_string(first()) + "," + std::to_string(last()) + "\n";
    for (const int cpu : {first(), last()})
      folder_.write(
          "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list",
          both);
  }

  std::string pair(const std::string& between) const {
    return "{" + std::to_string(first()) + between + std::to_string(last()) + "}";
  }

  Folder folder_;
};

TEST_F(OpenMp, IsLeftAloneUnlessAskedFor) {
  const Outcome outcome = place(map_on({first()}), open_mpi(0, 1));
  for (const char* name : {"env_OMP_NUM_THREADS", "env_OMP_PLACES", "env_OMP_PROC_BIND"})
    EXPECT_EQ(outcome.at(name), "-");
  EXPECT_EQ(outcome.at("openmp"), "-");
}

TEST_F(OpenMp, GetsOneThreadAndOnePlaceACore) {
  const Outcome outcome = place(map_on({first(), last()}), wanted());
  EXPECT_EQ(outcome.at("env_OMP_NUM_THREADS"), "2");
  EXPECT_EQ(outcome.at("env_OMP_PLACES"), pair("},{"));
  EXPECT_EQ(outcome.at("env_OMP_PROC_BIND"), "close");
  EXPECT_EQ(outcome.at("openmp"), "2 threads on 2 cores");
}

TEST_F(OpenMp, HyperthreadsShareAPlace) {
  join_cpus();
  const Outcome outcome = place(map_on({first(), last()}), wanted());
  EXPECT_EQ(outcome.at("env_OMP_NUM_THREADS"), "1");
  EXPECT_EQ(outcome.at("env_OMP_PLACES"), pair(","));
}

TEST_F(OpenMp, APlaceHasNoCpuOutsideThePlan) {
  join_cpus();
  const Outcome outcome = place(map_on({last()}), wanted());
  EXPECT_EQ(outcome.at("env_OMP_PLACES"), "{" + std::to_string(last()) + "}");
}

TEST_F(OpenMp, WhatTheUserSetStays) {
  Environment environment = wanted();
  environment.insert({{"OMP_NUM_THREADS", "3,2"}, {"OMP_PROC_BIND", "spread"}});
  Outcome outcome = place(map_on({first(), last()}), environment);
  EXPECT_EQ(outcome.at("env_OMP_NUM_THREADS"), "3,2");
  EXPECT_EQ(outcome.at("env_OMP_PROC_BIND"), "spread");
  EXPECT_EQ(outcome.at("env_OMP_PLACES"), pair("},{"));
  EXPECT_NE(outcome.at("note").find("OMP_NUM_THREADS=3,2 is more than the 2 cores"),
            std::string::npos);
  environment["OMP_NUM_THREADS"] = "1";
  environment["OMP_PLACES"] = "sockets";
  outcome = place(map_on({first(), last()}), environment);
  EXPECT_EQ(outcome.at("env_OMP_PLACES"), "sockets");
  EXPECT_EQ(outcome.at("note").find("OMP_"), std::string::npos);
}

TEST_F(OpenMp, OtherBindingsOfTheUserAreNotFought) {
  for (const char* name : {"GOMP_CPU_AFFINITY", "KMP_AFFINITY"}) {
    Environment environment = wanted();
    environment[name] = "0";
    const Outcome outcome = place(map_on({first(), last()}), environment);
    EXPECT_EQ(outcome.at("env_OMP_PLACES"), "-") << name;
    EXPECT_EQ(outcome.at("env_OMP_NUM_THREADS"), "2") << name;
  }
}

TEST_F(OpenMp, IsLeftAloneWhereNoCpusWereGiven) {
  const Outcome outcome = place(map_on({8000}), wanted());
  EXPECT_EQ(outcome.at("env_OMP_NUM_THREADS"), "-");
  EXPECT_EQ(outcome.at("openmp"), "left alone, no CPUs were given");
}

}  // namespace
}  // namespace rankmap::testing
