#include "libmap/mapping/launcher.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "libmap/base/error.hpp"
#include "libmap/mapping/formats/rankfile.hpp"
#include "tests/unit/libmap/mapping/small_machines.hpp"

namespace rankmap {
namespace {

using testing::two_gpu_machine;

MapFile two_hosts() {
  const MapFile map = map_file_of(Mapping{{1, 2, 0, 3}}, two_gpu_machine(2), "congestion");
  return with_hosts(map, {"n0", "n1"});
}

ExportOptions options() {
  ExportOptions result;
  result.program = "./app -v";
  return result;
}

std::string refusal(const MapFile& map, std::string_view format) {
  try {
    export_map(map, format, options());
  } catch (const Infeasible& error) {
    return error.what();
  }
  return "no error";
}

TEST(ExportMap, ListsTheFormatsInTheErrorForAnUnknownOne) {
  try {
    export_map(two_hosts(), "slurm9", options());
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("rankmap, openmpi4, prrte"), std::string::npos)
        << error.what();
  }
}

TEST(ExportMap, NeedsNamesForSeveralNodes) {
  const MapFile map = map_file_of(Mapping{{1, 2}}, two_gpu_machine(2), "x");
  EXPECT_THROW(export_map(map, "openmpi4", options()), UsageError);
  ExportOptions named = options();
  named.hosts = {"n0", "n1"};
  EXPECT_NE(export_map(map, "openmpi4", named).text.find("rank 1=n1 slot="), std::string::npos);
}

TEST(OpenMpi4, WritesRankZeroFirstWithLogicalCores) {
  const Export file = export_map(two_hosts(), "openmpi4", options());
  EXPECT_EQ(file.text,
            "# rankmap: small, congestion; slot = logical cores\n"
            "rank 0=n0 slot=2-3\n"
            "rank 1=n1 slot=0-1\n"
            "rank 2=n0 slot=0-1\n"
            "rank 3=n1 slot=2-3\n"
            "# rank 0: GPU 1 (0000:07:00.0), OS CPUs 2-3,6-7\n"
            "# rank 1: GPU 0 (0000:06:00.0), OS CPUs 0-1,4-5\n"
            "# rank 2: GPU 0 (0000:06:00.0), OS CPUs 0-1,4-5\n"
            "# rank 3: GPU 1 (0000:07:00.0), OS CPUs 2-3,6-7\n");
  EXPECT_EQ(file.command,
            "mpirun --host n0:2,n1:2 -rf job.rankfile -np 4 rankmap exec --map job.rankmap -- "
            "./app -v");
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_NE(file.notes[0].find("GPU, NIC and memory"), std::string::npos);
}

TEST(OpenMpi4, CallsTheNamelessNodeLocalhost) {
  const Export file =
      export_map(map_file_of(Mapping{{1, 0}}, two_gpu_machine(), "x"), "openmpi4", options());
  EXPECT_NE(file.text.find("rank 0=localhost slot=2-3\n"), std::string::npos);
  EXPECT_NE(file.command.find("--host localhost:2 "), std::string::npos);
}

TEST(OpenMpi4, RefusesARankWithoutCores) {
  MapFile map = two_hosts();
  map.rows[2].cores = CpuSet();
  EXPECT_NE(
      refusal(map, "openmpi4").find("rank 2: a rankfile cannot express this: its CPUs are known"),
      std::string::npos);
  map.rows[2].cpus = CpuSet();
  EXPECT_NE(refusal(map, "openmpi4").find("its cores are not known"), std::string::npos);
}

// Even numbers 0, 2 ... 38: 5 of one digit, 15 of two and 19 commas are 54 characters, 56 with "n0";
// one number more makes 59.
TEST(OpenMpi4, RefusesARecordOfMoreThan57Characters) {
  MapFile map = two_hosts();
  map.rows[0].cores = CpuSet();
  for (int i = 0; i < 20; ++i) map.rows[0].cores.add(2 * i);
  EXPECT_EQ(plain_list(map.rows[0].cores).size(), 54U);
  EXPECT_EQ(refusal(map, "openmpi4"), "no error");
  map.rows[0].cores.add(40);
  EXPECT_NE(refusal(map, "openmpi4")
                .find("rank 0: a rankfile cannot express this: host and core list "
                      "have 59 characters"),
            std::string::npos);
}

TEST(OpenMpi4, RefusesHostsThatItWouldConfuse) {
  MapFile map = map_file_of(Mapping{{1, 2}}, two_gpu_machine(2), "x");
  EXPECT_NE(refusal(with_hosts(map, {"n0.a", "n0.b"}), "openmpi4").find("first dot"),
            std::string::npos);
  EXPECT_EQ(refusal(with_hosts(map, {"10.0.0.1", "10.0.0.2"}), "openmpi4"), "no error");
  EXPECT_NE(refusal(with_hosts(map, {"+n0", "n1"}), "openmpi4").find("host name"),
            std::string::npos);
}

TEST(OpenMpi4, SaysWhenRanksShareCores) {
  const MapFile map = map_file_of(Mapping{{0, 0, 0}}, two_gpu_machine(), "x");
  const Export file = export_map(map, "openmpi4", options());
  ASSERT_EQ(file.notes.size(), 2U);
  EXPECT_EQ(file.notes[1], "ranks 0 and 1 share cores; Open MPI 4 accepts that without a word");
}

TEST(Prrte, NamesTheFileInMapBy) {
  ExportOptions other = options();
  other.file_name = "my.rf";
  const Export file = export_map(two_hosts(), "prrte", other);
  EXPECT_EQ(file.command,
            "prterun --host n0:2,n1:2 --map-by rankfile:file=my.rf -np 4 rankmap exec --map "
            "job.rankmap -- ./app -v");
  EXPECT_EQ(file.text, export_map(two_hosts(), "openmpi4", options()).text);
}

TEST(Prrte, AllowsOverlapWhereRanksShareCores) {
  const MapFile map = map_file_of(Mapping{{0, 0, 0}}, two_gpu_machine(), "x");
  EXPECT_NE(export_map(map, "prrte", options()).command.find("--bind-to :overload-allowed"),
            std::string::npos);
}

TEST(RankmapFormat, IsTheMapFile) {
  const Export file = export_map(two_hosts(), "rankmap", options());
  EXPECT_EQ(file.text, write_map(two_hosts()));
  EXPECT_EQ(file.command,
            "rankmap run --map job.rankmap -- mpirun -np 4 --host n0:2,n1:2 ./app -v");
}

}  // namespace
}  // namespace rankmap
