// A rank is placed once, and what is no rank of the map's job is left alone.
#include <gtest/gtest.h>

#include "tests/unit/mpi_shim/placed_child.hpp"

namespace rankmap::testing {
namespace {

class Once : public ::testing::Test {
 protected:
  std::string map_of(int ranks) const {
    return folder_.write("job.rankmap", write_map(reversed(ranks)));
  }

  Folder folder_;
};

Environment hydra(int rank, int size) {
  return {{"PMI_RANK", std::to_string(rank)},
          {"PMI_SIZE", std::to_string(size)},
          {"MPI_LOCALRANKID", std::to_string(rank)},
          {"MPI_LOCALNRANKS", std::to_string(size)}};
}

// What a child of a placed process inherits.
Environment inherited(Environment environment, const Outcome& parent) {
  for (const char* name : {"RANKMAP_PLACED", "RANKMAP_PASSED"})
    if (parent.at(std::string("env_") + name) != "-")
      environment[name] = parent.at(std::string("env_") + name);
  return environment;
}

TEST_F(Once, AChildOfARankIsLeftAlone) {
  const std::string map = map_of(2);
  const Environment child = inherited(open_mpi(0, 2), place(map, open_mpi(0, 2)));
  EXPECT_EQ(child.at("RANKMAP_PLACED").rfind("job7.0.", 0), 0U);
  const Outcome outcome = place(map, child);
  EXPECT_EQ(outcome.at("state"), "already");
  EXPECT_EQ(outcome.count("report"), 0U);
}

TEST_F(Once, AnotherJobThatARankStartsIsPlaced) {
  const std::string map = map_of(2);
  Environment child = inherited(open_mpi(0, 2), place(map, open_mpi(0, 2)));
  child["PMIX_NAMESPACE"] = "job8";
  EXPECT_EQ(place(map, child).at("state"), "placed");
}

// hydra names no job: every rank under a rank counts as its child.
TEST_F(Once, RanksOfANestedMpiexecAreLeftAlone) {
  const std::string map = map_of(2);
  const Outcome outer = place(map, hydra(0, 2));
  EXPECT_EQ(outer.at("state"), "placed");
  EXPECT_EQ(place(map, inherited(hydra(0, 2), outer)).at("state"), "already");
  EXPECT_EQ(place(map, inherited(hydra(1, 2), outer)).at("state"), "already");
}

TEST_F(Once, ADoubtIsToldOnceByARankAndItsChildren) {
  const std::string map = map_of(2);
  const Outcome parent = place(map, open_mpi(0, 4));
  EXPECT_EQ(parent.at("state"), "passed");
  EXPECT_NE(parent.at("tell"), "");
  const Outcome child = place(map, inherited(open_mpi(0, 4), parent));
  EXPECT_EQ(child.at("state"), "already");
  EXPECT_EQ(child.at("tell"), "");
}

// srun --ntasks-per-node=1 torchrun: two agents, whose numbers stand for nodes, and four workers.
TEST_F(Once, TorchrunsAgentIsLeftAloneAndItsWorkersArePlaced) {
  const std::string map = map_of(4);
  const Environment agent = {
      {"SLURM_PROCID", "1"},  {"SLURM_LOCALID", "0"}, {"SLURM_STEP_NUM_TASKS", "2"},
      {"SLURM_STEP_ID", "0"}, {"SLURM_JOB_ID", "7"},  {"PMI_RANK", "1"},
      {"PMI_SIZE", "2"}};
  EXPECT_EQ(place(map, agent).at("state"), "passed");
  Environment worker = inherited(agent, place(map, agent));
  worker.insert({{"RANK", "3"},
                 {"LOCAL_RANK", "1"},
                 {"WORLD_SIZE", "4"},
                 {"LOCAL_WORLD_SIZE", "2"},
                 {"TORCHELASTIC_RUN_ID", "none"}});
  const Outcome outcome = place(map, worker);
  EXPECT_EQ(outcome.at("state"), "placed");
  EXPECT_EQ(outcome.at("rank"), "3");
}

TEST_F(Once, ABatchScriptIsNoRank) {
  const Environment batch = {{"SLURM_PROCID", "0"},
                             {"SLURM_NTASKS", "2"},
                             {"SLURM_STEP_ID", "4294967291"},
                             {"SLURM_JOB_ID", "7"}};
  EXPECT_EQ(place(map_of(2), batch).at("state"), "no rank");
}

TEST_F(Once, ARankThatIsNoNumberIsADoubtThatNamesIt) {
  Environment environment = open_mpi(0, 2);
  environment["OMPI_COMM_WORLD_RANK"] = "zero";
  const Outcome outcome = place(map_of(2), environment);
  EXPECT_EQ(outcome.at("state"), "passed");
  EXPECT_EQ(outcome.at("tell"),
            "rankmap: OMPI_COMM_WORLD_RANK is \"zero\", expected a rank's number\n");
}

}  // namespace
}  // namespace rankmap::testing
