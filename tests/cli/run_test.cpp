// What `run` and `check` refuse, print and read without any job: no launcher is started here.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/run_program.hpp"

namespace rankmap::test {
namespace {

using Words = std::vector<std::string>;

// A folder with the map of a ring of two ranks on a DGX-1.
class Run : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = "/tmp/rankmap_run_test.XXXXXX";
    ASSERT_NE(::mkdtemp(folder_.data()), nullptr);
    map_ = folder_ + "/job.rankmap";
    ASSERT_EQ(run_program({"map", "ring:2", "-m", "dgx1-v100", "-o", map_}).code, 0);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string report(int rank, const std::string& state) const {
    return "rankmap-report 1\nrank " + std::to_string(rank) + "\nhost h\nstate " + state + "\n";
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
  }

  std::string folder_, map_;
};

bool says(const Outcome& outcome, const std::string& words) {
  return outcome.err.find(words) != std::string::npos;
}

struct Refusal {
  Words arguments;
  int code;
  const char* reason;
};

TEST_F(Run, RefusesWhatItCannotDo) {
  const Refusal table[] = {
      {{"run"}, 125, "no command was given, expected it after \"--\": -- mpirun -np 4 ./app"},
      {{"run", "--"}, 125, "no command was given"},
      {{"run", "--", "./app"}, 125, "\"./app\" is not a launcher that rankmap knows"},
      {{"run", "--", "./app"}, 125, "rankmap-exec --map job.rankmap -- PROGRAM"},
      {{"run", "--hosts", "a", "--", "srun", "./a"}, 125, "but no --map was given"},
      {{"run", "--map", "/nowhere/m", "--", "srun", "./a"}, 125, "/nowhere/m"},
      {{"run", "--map", "/dev/null", "--", "srun", "./a"}, 125, "/dev/null"},
      {{"run", "--map", map_, "--", "srun", "--shiny", "./a"}, 125, "--shiny"},
      {{"run", "--map", map_, "--", "srun"}, 125, "no program"},
      {{"run", "--gpus", "all", "--", "srun", "./a"}, 125, "--gpus"},
      {{"run", "--report", "/nowhere/r", "--map", map_, "--", "srun", "./a"}, 125, "/nowhere/r"},
      {{"check"}, 2, "nothing to check, expected one of: -- mpirun ... ./app, the folder of a run"},
      {{"check", "--live", folder_}, 2, "too much to check"},
      {{"check", "--live", "--", "srun", "./a"}, 2, "too much to check"},
      {{"check", "/usr"}, 2, "no map was given, expected --map FILE"},
      {{"check", "--map", map_, "/nowhere/seen"}, 5, "no such directory"},
      {{"check", "--map", "/nowhere/m", folder_}, 5, "/nowhere/m"},
  };
  for (const Refusal& row : table) {
    const Outcome outcome = run_program(row.arguments);
    EXPECT_EQ(outcome.code, row.code) << row.reason << "\n" << outcome.err;
    EXPECT_TRUE(says(outcome, row.reason)) << row.reason << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(Run, PrintsTheLineOfALaunch) {
  const Outcome outcome =
      run_program({"run", "--dry-run", "--map", map_, "--", "srun", "-n", "2", "./app", "a b"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("srun -n 2 --cpu-bind=none --gpu-bind=none ")) << outcome.out;
  EXPECT_NE(outcome.out.find("rankmap-exec --map " + map_ + " --sum "), std::string::npos)
      << outcome.out;
  EXPECT_TRUE(outcome.out.ends_with(" -- ./app 'a b'\n")) << outcome.out;
}

TEST_F(Run, PrintsTheVariablesOfAPreloadedLaunch) {
  const Outcome outcome =
      run_program({"run", "--dry-run", "--preload", "--map", map_, "--", "srun", "./app"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("env ")) << outcome.out;
  EXPECT_NE(outcome.out.find("RANKMAP_MAP=" + map_), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("librankmap_shim.so"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("rankmap-exec"), std::string::npos) << outcome.out;
}

TEST_F(Run, RecordsNcclAloneUnderTorchrun) {
  const Outcome outcome =
      run_program({"run", "--dry-run", "--record", folder_ + "/app.comm", "--map", map_, "--",
                   "torchrun", "--nproc-per-node", "2", "./app.py"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(
      outcome.out.starts_with("env RANKMAP_RECORD=" + folder_ + "/app.comm NCCL_PROFILER_PLUGIN="))
      << outcome.out;
  EXPECT_NE(outcome.out.find("librankmap_record_nccl.so torchrun"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.out.find("LD_PRELOAD"), std::string::npos) << outcome.out;
}

TEST_F(Run, AsksForTheMpiToRecord) {
  const Outcome outcome = run_program({"run", "--dry-run", "--record", folder_ + "/app.comm",
                                       "--map", map_, "--", "srun", "-n", "2", "./app"});
  EXPECT_EQ(outcome.code, 125);
  EXPECT_TRUE(says(outcome, "set RANKMAP_MPI to openmpi or mpich")) << outcome.err;
  EXPECT_TRUE(says(outcome, "or to none to record NCCL alone")) << outcome.err;
}

TEST_F(Run, ChecksTheFolderOfARun) {
  write("rank.0", report(0, "placed") + "cpus_actual 0-9,40-49\n");
  write("rank.1", report(1, "passed"));
  const Outcome outcome = run_program({"check", "--map", map_, folder_});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("rank 1: h, "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("was not placed"), std::string::npos) << outcome.out;
  EXPECT_TRUE(outcome.out.ends_with(" of 2 ranks sit as planned\n")) << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Run, PrintsTheCheckAsJson) {
  write("rank.0", report(0, "passed"));
  const Outcome outcome = run_program({"check", "--json", "--map", map_, folder_});
  EXPECT_EQ(outcome.code, 1);
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["ranks"], 2);
  EXPECT_EQ(json["rows"][0]["actual"]["host"], "h");
  EXPECT_TRUE(json["rows"][1]["actual"].is_null());
}

}  // namespace
}  // namespace rankmap::test
