// rankmap export, map --for, and score of maps in other tools' words, through the program.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/run_program.hpp"

namespace rankmap::test {
namespace {

using nlohmann::json;

class Folder : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(path_); }
  void TearDown() override { std::filesystem::remove_all(path_); }

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string content(const std::string& name) const {
    std::ifstream stream(file(name));
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  // 16 ranks on two nodes without names, in the launcher's order.
  void make_map() const {
    const Outcome made = run_program(
        {"map", "ring:16", "-m", "dgx1-v100x2", "--strategy", "linear", "-o", file("job.rankmap")});
    ASSERT_EQ(made.code, 0) << made.err;
  }

  std::string path_ = testing::TempDir() + "rankmap_export_" + std::to_string(::getpid());
};
using Export = Folder;
using Hosts = Folder;
using Score = Folder;

TEST_F(Export, ListsItsFormats) {
  const Outcome list = run_program({"export", "--list"});
  EXPECT_EQ(list.code, 0);
  for (const char* name :
       {"openmpi4", "prrte", "mpich", "mpich40", "intelmpi", "cray", "slurm", "slurm-bind",
        "sbatch", "jsrun", "flux", "pals", "bluegene", "torchrun", "csv"})
    EXPECT_NE(list.out.find("\n" + std::string(name) + " "), std::string::npos) << name;
}

TEST_F(Export, SaysWhatIsMissing) {
  const Outcome no_map = run_program({"export", "--for", "slurm"});
  EXPECT_EQ(no_map.code, 2);
  EXPECT_NE(no_map.err.find("expected MAP"), std::string::npos) << no_map.err;
  const Outcome no_launcher = run_program({"export", "job.rankmap"});
  EXPECT_EQ(no_launcher.code, 2);
  EXPECT_NE(no_launcher.err.find("expected --for LAUNCHER"), std::string::npos) << no_launcher.err;
}

TEST_F(Export, WritesTheFilesThatTheCommandReads) {
  make_map();
  const Outcome cray = run_program(
      {"export", file("job.rankmap"), "--for", "cray", "--hosts", "n[01-02]", "-o", file("order")});
  ASSERT_EQ(cray.code, 0) << cray.err;
  EXPECT_NE(cray.out.find("--map " + file("order.processes.rankmap")), std::string::npos)
      << cray.out;
  EXPECT_NE(cray.out.find("-w 'n[01-02]'"), std::string::npos) << cray.out;
  EXPECT_NE(content("order").find("\n0,1,2,3,4,5,6,7\n8,9,10,11,12,13,14,15\n"), std::string::npos);
  EXPECT_EQ(content("order.processes.rankmap").substr(0, 10), "# rankmap ");
  const Outcome printed =
      run_program({"export", file("job.rankmap"), "--for", "cray", "--hosts", "n[01-02]"});
  EXPECT_NE(printed.err.find("the command also reads MPICH_RANK_ORDER.processes.rankmap"),
            std::string::npos)
      << printed.err;
}

TEST_F(Export, MapForWritesTheLaunchersFileAndTheMap) {
  const Outcome outcome =
      run_program({"map", "ring:4", "-m", "dgx1-v100", "--for", "torchrun", "-o", file("job.sh")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(content("job.sh").find("--map " + file("job.sh.rankmap")), std::string::npos);
  EXPECT_EQ(content("job.sh.rankmap").substr(0, 10), "# rankmap ");
}

TEST_F(Export, RefusesWhatALauncherCannotExpressWithTheReason) {
  make_map();
  const Outcome outcome = run_program({"export", file("job.rankmap"), "--for", "bluegene"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("expected torus:"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

struct HostSource {
  std::vector<std::string> words;
  const char* variable;
  const char* value;
};

TEST_F(Hosts, ComeFromListsFilesAndTheAllocation) {
  make_map();
  std::ofstream(file("hosts")) << "# two\nn01 slots=8\nn02:8\nn01\n";
  std::ofstream(file("nodes")) << "n01\nn01\nn02\n";
  const std::string nodes = file("nodes");
  const HostSource sources[] = {{{"--hosts", "n[01-02]"}, nullptr, nullptr},
                                {{"--hosts", "n01,n02"}, nullptr, nullptr},
                                {{"--hostfile", file("hosts")}, nullptr, nullptr},
                                {{"--hosts", "job"}, "SLURM_JOB_NODELIST", "n[01-02]"},
                                {{"--hosts", "job"}, "PBS_NODEFILE", nodes.c_str()},
                                {{"--hosts", "job"}, "LSB_MCPU_HOSTS", "n01 8 n02 8"}};
  for (const HostSource& source : sources) {
    if (source.variable != nullptr) ::setenv(source.variable, source.value, 1);
    std::vector<std::string> words = {"export", file("job.rankmap"), "--for", "slurm"};
    words.insert(words.end(), source.words.begin(), source.words.end());
    const Outcome outcome = run_program(words);
    if (source.variable != nullptr) ::unsetenv(source.variable);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("-w 'n[01-02]'"), std::string::npos) << outcome.err;
  }
}

TEST_F(Hosts, SayWhatIsWrongWithThem) {
  make_map();
  std::ofstream(file("hosts")) << "n01\nn02 x\n";
  const std::vector<std::pair<std::vector<std::string>, const char*>> wrong = {
      {{"--hosts", "n[01-"}, "a bracket is not closed"},
      {{"--hosts", "n01"}, "needs at least 2 hosts, got 1"},
      {{"--hosts", "n01,n01"}, "given twice"},
      {{"--hosts", "job"}, "no Slurm, PBS or LSF job is around"},
      {{"--hosts", "n01,n02", "--hostfile", file("hosts")}, "expected one of them"},
      {{"--hostfile", file("hosts")}, "hosts:2:5: found \"x\" behind a host"},
      {{}, "give them with --hosts"}};
  for (const char* variable : {"SLURM_JOB_NODELIST", "SLURM_NODELIST", "PBS_NODEFILE",
                               "LSB_DJOB_HOSTFILE", "LSB_MCPU_HOSTS", "LSB_HOSTS"})
    ::unsetenv(variable);
  for (const auto& [more, says] : wrong) {
    std::vector<std::string> words = {"export", file("job.rankmap"), "--for", "slurm"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_program(words);
    EXPECT_NE(outcome.code, 0);
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
  }
}

TEST_F(Score, OfEveryFormatIsThatOfTheMap) {
  const Outcome made = run_program({"map", "ring:8", "-m", "dgx1-v100x2", "--hosts", "n[0-1]",
                                    "--strategy", "random", "--seed", "3", "--objective",
                                    "congestion", "-o", file("job.rankmap")});
  ASSERT_EQ(made.code, 0) << made.err;
  std::vector<std::string> words = {"score",  "ring:8", "-m",    "dgx1-v100x2",      "--hosts",
                                    "n[0-1]", "--json", "--map", file("job.rankmap")};
  for (const char* format : {"csv", "openmpi4"}) {
    const Outcome written =
        run_program({"export", file("job.rankmap"), "--for", format, "-o", file(format)});
    ASSERT_EQ(written.code, 0) << written.err;
    words.insert(words.end(), {"--map", file(format)});
  }
  const Outcome scored = run_program(words);
  ASSERT_EQ(scored.code, 0) << scored.err;
  const json maps = json::parse(scored.out)["maps"];
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[1]["score"], maps[0]["score"]);
  EXPECT_EQ(maps[2]["score"], maps[0]["score"]);
}

TEST_F(Score, TellsTheLineThatIsWrong) {
  std::ofstream(file("hosts")) << "n0\nn1\nn2\n";
  const std::vector<std::string> words = {"score",   "ring:3", "-m",    "dgx1-v100x2",
                                          "--hosts", "n0,n1",  "--map", file("hosts")};
  const Outcome outcome = run_program(words);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("hosts:3:1: host \"n2\" is not in the machine"), std::string::npos)
      << outcome.err;
  std::vector<std::string> as = words;
  as.insert(as.end(), {"--format", "rankfile"});
  EXPECT_NE(run_program(as).err.find("hosts:1:1: found \"n0\", expected rank R=HOST slot=CORES"),
            std::string::npos);
  as.back() = "ranks";
  EXPECT_EQ(run_program(as).code, 2);
}

}  // namespace
}  // namespace rankmap::test
