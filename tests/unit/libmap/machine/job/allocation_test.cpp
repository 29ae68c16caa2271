// The hosts of a job by the variables of its resource manager.
#include "libmap/machine/job/allocation.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"

namespace rankmap {
namespace {

using Hosts = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

Allocation read(const Variables& variables) {
  return read_allocation([&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
  });
}

// A file of hosts for the time of a test.
class HostFile {
 public:
  explicit HostFile(const std::string& text)
      : path_(::testing::TempDir() + "rankmap_hosts." + std::to_string(::getpid())) {
    write_text(path_, text);
  }
  ~HostFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Row {
  Variables variables;
  const char* manager;
  Hosts hosts;
};

TEST(Allocation, IsReadFromTheManagersVariables) {
  const Row table[] = {
      {{}, "", {}},
      {{{"SLURM_JOB_NODELIST", "n[08-10]"}}, "Slurm", {"n08", "n09", "n10"}},
      {{{"SLURM_NODELIST", "n0"}}, "Slurm", {"n0"}},
      {{{"SLURM_JOB_NODELIST", "a"}, {"SLURM_NODELIST", "b"}}, "Slurm", {"a"}},
      {{{"SLURM_JOB_NODELIST", ""}, {"LSB_HOSTS", "b a"}}, "LSF", {"b", "a"}},
      {{{"LSB_HOSTS", "batch h1 h1 h2 h2"}}, "LSF", {"batch", "h1", "h2"}},
      {{{"LSB_MCPU_HOSTS", "batch 1 h1 42 h2 42"}}, "LSF", {"batch", "h1", "h2"}},
      {{{"LSB_MCPU_HOSTS", "h9 2"}, {"LSB_HOSTS", "h9 h9"}}, "LSF", {"h9"}},
      {{{"SLURM_JOB_NODELIST", "n[1-2]"}, {"LSB_HOSTS", "h"}}, "Slurm", {"n1", "n2"}},
  };
  for (const Row& row : table) {
    const Allocation allocation = read(row.variables);
    EXPECT_EQ(allocation.manager, row.manager);
    EXPECT_EQ(allocation.hosts, row.hosts);
  }
}

TEST(Allocation, OfPbsAndLsfStandsInAFile) {
  const HostFile file("n1\nn1\n\n  n0 \r\nn1\nn2");
  for (const auto& [variable, manager] :
       Variables{{"PBS_NODEFILE", "PBS"}, {"LSB_DJOB_HOSTFILE", "LSF"}}) {
    const Allocation allocation = read({{variable, file.path()}});
    EXPECT_EQ(allocation.manager, manager);
    EXPECT_EQ(allocation.hosts, (Hosts{"n1", "n0", "n2"}));
  }
}

TEST(Allocation, SaysWhichVariableIsWrong) {
  const auto complaint = [](const Variables& variables) -> std::string {
    try {
      read(variables);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      complaint({{"LSB_MCPU_HOSTS", "h1 2 h2"}}),
      "LSB_MCPU_HOSTS: found \"h1 2 h2\", expected names and counts by turns, as in n0 4 n1 4");
  EXPECT_NE(complaint({{"LSB_MCPU_HOSTS", "h1 h2"}}).find("names and counts"), std::string::npos);
  EXPECT_EQ(complaint({{"LSB_HOSTS", "  "}}),
            "LSB_HOSTS names no host, expected those of this job");
  EXPECT_NE(complaint({{"SLURM_NODELIST", "n["}}).find("SLURM_NODELIST: "), std::string::npos);
  const HostFile empty("\n \n");
  EXPECT_EQ(complaint({{"PBS_NODEFILE", empty.path()}}),
            "PBS_NODEFILE names no host, expected those of this job");
  EXPECT_NE(complaint({{"PBS_NODEFILE", "/nowhere/hosts"}}).find("/nowhere/hosts"),
            std::string::npos);
}

TEST(Allocation, ReadsTheEnvironment) {
  setenv("RANKMAP_TEST_VARIABLE", "x", 1);
  EXPECT_EQ(environment_variable("RANKMAP_TEST_VARIABLE"), "x");
  unsetenv("RANKMAP_TEST_VARIABLE");
  EXPECT_EQ(environment_variable("RANKMAP_TEST_VARIABLE"), std::nullopt);
}

}  // namespace
}  // namespace rankmap
