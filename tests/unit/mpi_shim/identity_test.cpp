// Who this process is, by the variables of every launcher.
#include <gtest/gtest.h>
#include <stdlib.h>

#include "tests/unit/mpi_shim/placed_child.hpp"
extern "C" {
#include "mpi_shim/identity.h"
}

namespace rankmap::testing {
namespace {

rankmap_identity identify(const Environment& variables) {
  clearenv();
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  return rankmap_identify();
}

Environment both(Environment a, const Environment& b) {
  a.insert(b.begin(), b.end());
  return a;
}

// Task 5 of 6 on the second of two nodes: 4 tasks there, 2 here.
const Environment slurm_step = {{"SLURM_PROCID", "5"},         {"SLURM_LOCALID", "1"},
                                {"SLURM_STEP_NUM_TASKS", "6"}, {"SLURM_STEP_TASKS_PER_NODE", "4,2"},
                                {"SLURM_NODEID", "1"},         {"SLURM_STEP_ID", "0"},
                                {"SLURM_JOB_ID", "77"}};

struct Case {
  const char* launcher;
  Environment variables;
  long rank, local_rank, size, local_size;
  rankmap_certainty certainty;
};

const Case cases[] = {
    {"Open MPI",
     {{"OMPI_COMM_WORLD_RANK", "5"},
      {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
      {"OMPI_COMM_WORLD_SIZE", "6"},
      {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}},
     5,
     1,
     6,
     2,
     RANKMAP_SURE},
    {"hydra",
     {{"PMI_RANK", "5"}, {"PMI_SIZE", "6"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2"}},
     5,
     1,
     6,
     2,
     RANKMAP_SURE},
    {"Intel MPI",
     {{"PMI_RANK", "5"},
      {"PMI_SIZE", "6"},
      {"MPI_LOCALRANKID", "1"},
      {"MPI_LOCALNRANKS", "2"},
      {"I_MPI_ROOT", "/opt/mpi"}},
     5,
     1,
     6,
     2,
     RANKMAP_SURE},
    {"PMI", {{"PMI_RANK", "5"}, {"PMI_SIZE", "6"}}, 5, -1, 6, -1, RANKMAP_SURE},
    {"MVAPICH2",
     {{"MV2_COMM_WORLD_RANK", "5"},
      {"MV2_COMM_WORLD_LOCAL_RANK", "1"},
      {"MV2_COMM_WORLD_SIZE", "6"},
      {"MV2_COMM_WORLD_LOCAL_SIZE", "2"}},
     5,
     1,
     6,
     2,
     RANKMAP_SURE},
    {"MVAPICH",
     {{"MVP_COMM_WORLD_RANK", "5"},
      {"MVP_COMM_WORLD_LOCAL_RANK", "1"},
      {"MVP_COMM_WORLD_SIZE", "6"},
      {"MVP_COMM_WORLD_LOCAL_SIZE", "2"}},
     5,
     1,
     6,
     2,
     RANKMAP_SURE},
    {"PALS",
     {{"PALS_RANKID", "5"},
      {"PALS_LOCAL_RANKID", "1"},
      {"PALS_LOCAL_SIZE", "2"},
      {"PMI_RANK", "5"},
      {"PMI_SIZE", "6"}},
     5,
     1,
     6,
     2,
     RANKMAP_SURE},
    {"Flux",
     {{"FLUX_TASK_RANK", "5"},
      {"FLUX_TASK_LOCAL_ID", "1"},
      {"FLUX_JOB_SIZE", "6"},
      {"PMI_RANK", "5"},
      {"PMI_SIZE", "6"}},
     5,
     1,
     6,
     -1,
     RANKMAP_SURE},
    {"jsrun",
     {{"JSM_NAMESPACE_RANK", "5"},
      {"JSM_NAMESPACE_LOCAL_RANK", "1"},
      {"JSM_NAMESPACE_SIZE", "6"},
      {"JSM_NAMESPACE_LOCAL_SIZE", "2"}},
     5,
     1,
     6,
     2,
     RANKMAP_SURE},
    {"torchrun",
     {{"RANK", "5"},
      {"LOCAL_RANK", "1"},
      {"WORLD_SIZE", "6"},
      {"LOCAL_WORLD_SIZE", "2"},
      {"TORCHELASTIC_RUN_ID", "none"}},
     5,
     1,
     6,
     2,
     RANKMAP_SURE},
    {"RANK and WORLD_SIZE",
     {{"RANK", "5"}, {"LOCAL_RANK", "1"}, {"WORLD_SIZE", "6"}},
     5,
     1,
     6,
     -1,
     RANKMAP_BY_MPI_ONLY},
    {"Slurm", slurm_step, 5, 1, 6, 2, RANKMAP_BY_MPI_ONLY},
    {"Slurm (PMI-2)", both(slurm_step, {{"PMI_RANK", "5"}, {"PMI_SIZE", "6"}}), 5, 1, 6, 2,
     RANKMAP_STEP_TASK},
    {"Slurm (PMIx)", both(slurm_step, {{"PMIX_RANK", "5"}, {"PMIX_NAMESPACE", "s.77.0"}}), 5, 1, 6,
     2, RANKMAP_STEP_TASK},
    {"PMIx", {{"PMIX_RANK", "5"}, {"PMIX_NAMESPACE", "x"}}, 5, -1, -1, -1, RANKMAP_SURE},
};

TEST(Identity, KnowsEveryLauncher) {
  for (const Case& expected : cases) {
    SCOPED_TRACE(expected.launcher);
    const rankmap_identity found = identify(expected.variables);
    EXPECT_STREQ(found.launcher, expected.launcher);
    EXPECT_EQ(found.rank, expected.rank);
    EXPECT_EQ(found.local_rank, expected.local_rank);
    EXPECT_EQ(found.size, expected.size);
    EXPECT_EQ(found.local_size, expected.local_size);
    EXPECT_EQ(found.certainty, expected.certainty);
    EXPECT_EQ(found.unreadable, nullptr);
  }
}

TEST(Identity, MpirunInsideASlurmStepOrBatchScriptGoesByItsOwnNames) {
  Environment batch = slurm_step;
  batch["SLURM_PROCID"] = "0";
  batch["SLURM_STEP_ID"] = "4294967291";
  for (const Environment& slurm : {slurm_step, batch})
    for (const Case& own : {cases[0], cases[1], cases[2], cases[6]}) {
      const rankmap_identity found = identify(both(own.variables, slurm));
      EXPECT_STREQ(found.launcher, own.launcher);
      EXPECT_EQ(found.local_rank, 1);
      EXPECT_EQ(found.local_size, 2) << own.launcher;
    }
}

TEST(Identity, TorchrunsWorkersAreNotTheirAgent) {
  const Environment agent = both(slurm_step, {{"PMI_RANK", "1"}, {"PMI_SIZE", "6"}});
  EXPECT_STREQ(identify(both(cases[9].variables, agent)).launcher, "torchrun");
  EXPECT_EQ(identify(agent).certainty, RANKMAP_STEP_TASK);
}

TEST(Identity, ABatchScriptOrAnInteractiveStepIsNoRank) {
  for (const char* step : {"4294967291", "4294967290", ""}) {
    Environment batch = slurm_step;
    batch["SLURM_STEP_ID"] = step;
    EXPECT_EQ(identify(batch).rank, -1) << step;
    EXPECT_STREQ(identify(batch).launcher, "");
  }
}

TEST(Identity, ReadsTheTasksOfThisNode) {
  struct {
    const char *list, *node;
    long tasks;
  } const rows[] = {{"4(x2),3", "0", 4},      {"4(x2),3", "1", 4}, {"4(x2),3", "2", 3},
                    {"4(x2),3", "3", -1},     {"8", "0", 8},       {"4(x", "0", -1},
                    {"4(x0)", "0", -1},       {",4", "0", -1},     {"4;4", "1", -1},
                    {"99999999999", "0", -1}, {"4", "x", -1}};
  for (const auto& row : rows) {
    Environment step = slurm_step;
    step["SLURM_STEP_TASKS_PER_NODE"] = row.list;
    step["SLURM_NODEID"] = row.node;
    EXPECT_EQ(identify(step).local_size, row.tasks) << row.list << " " << row.node;
  }
}

TEST(Identity, NamesARankVariableThatIsNoNumber) {
  Environment variables = both(slurm_step, {{"OMPI_COMM_WORLD_RANK", "3x"}});
  const rankmap_identity found = identify(variables);
  EXPECT_STREQ(found.unreadable, "OMPI_COMM_WORLD_RANK");
  EXPECT_EQ(found.rank, -1);
  // a bare RANK may be anybody's
  EXPECT_EQ(identify({{"RANK", "captain"}, {"WORLD_SIZE", "6"}}).unreadable, nullptr);
}

TEST(Identity, NamesTheJobWithoutDots) {
  EXPECT_STREQ(identify(slurm_step).job, "77_0");
  EXPECT_STREQ(identify(cases[13].variables).job, "s_77_0_0");
  EXPECT_STREQ(identify(cases[1].variables).job, "-");
}

}  // namespace
}  // namespace rankmap::testing
