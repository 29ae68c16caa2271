// One rank's placement: who it is, when it acts, and what it sets.
#include <gtest/gtest.h>

#include "libmap/mapping/placement_report.hpp"
#include "tests/unit/mpi_shim/placed_child.hpp"

namespace rankmap::testing {
namespace {

// A map in a folder, and a machine beside it that has as many files as a test gives it.
class Placement : public ::testing::Test {
 protected:
  std::string save(const MapFile& map) const {
    return folder_.write("job.rankmap", write_map(map));
  }

  Environment on_this_machine(Environment environment) const {
    environment["RANKMAP_SYSROOT"] = folder_.path();
    return environment;
  }

  Folder folder_;
};

TEST_F(Placement, ShowsARankItsGpu) {
  const std::string map = save(reversed(4));
  const Outcome rank1 = place(map, on_this_machine(open_mpi(1, 4)));
  EXPECT_EQ(rank1.at("state"), "placed");
  EXPECT_EQ(rank1.at("env_CUDA_VISIBLE_DEVICES"), "2");
  EXPECT_EQ(rank1.at("env_CUDA_DEVICE_ORDER"), "PCI_BUS_ID");
  EXPECT_EQ(rank1.at("tell"), "");
}

TEST_F(Placement, DoesNothingWhereNoRankIsSet) {
  const Outcome outcome = place(save(reversed(2)), {{"RANKMAP_STRICT", "1"}});
  EXPECT_EQ(outcome.at("state"), "no rank");
  EXPECT_EQ(outcome.at("env_RANKMAP_PLACED"), "-");
  EXPECT_EQ(outcome.at("code"), "0");
}

TEST_F(Placement, PassesAJobOfAnotherSizeWithOneLineFromRankZero) {
  const std::string map = save(reversed(2));
  const Outcome rank0 = place(map, open_mpi(0, 4)), rank1 = place(map, open_mpi(1, 4));
  EXPECT_EQ(rank0.at("state"), "passed");
  EXPECT_EQ(rank0.at("env_CUDA_VISIBLE_DEVICES"), "-");
  EXPECT_EQ(rank0.at("tell"), "rankmap: rank 0: the job has 4 ranks, the map " + map + " has 2\n");
  EXPECT_EQ(rank1.at("tell"), "");
  EXPECT_EQ(rank0.at("code"), "0");
}

TEST_F(Placement, StrictTurnsADoubtInto125) {
  Environment strict = open_mpi(1, 4);
  strict["RANKMAP_STRICT"] = "1";
  const Outcome outcome = place(save(reversed(2)), strict);
  EXPECT_EQ(outcome.at("code"), "125");
  EXPECT_NE(outcome.at("tell").find("rank 1: the job has 4 ranks"), std::string::npos);
}

TEST_F(Placement, PassesWhereTheMapIsMissingOrDamaged) {
  EXPECT_NE(place("/nonexistent", open_mpi(0, 2)).at("tell").find("cannot be opened"),
            std::string::npos);
  std::string text = write_map(reversed(2));
  text[256] = '9';
  const Outcome outcome = place(folder_.write("bad", text), open_mpi(0, 2));
  EXPECT_EQ(outcome.at("state"), "passed");
  EXPECT_NE(outcome.at("tell").find("wrong rank number"), std::string::npos);
}

TEST_F(Placement, PlacesARankOnce) {
  const std::string map = save(reversed(2));
  Environment child = open_mpi(0, 2);
  child["RANKMAP_PLACED"] = place(map, child).at("env_RANKMAP_PLACED");
  EXPECT_EQ(child["RANKMAP_PLACED"].rfind("job7.0.", 0), 0U);
  EXPECT_EQ(place(map, child).at("state"), "already");
  child["PMIX_NAMESPACE"] = "job8";  // another job, started by a rank of the first
  EXPECT_EQ(place(map, child).at("state"), "placed");
}

TEST_F(Placement, DoubtsARankOnAnotherHost) {
  MapFile map = reversed(1);
  map.rows[0].host = "surely-not-this-host";
  Environment environment = open_mpi(0, 1);
  EXPECT_NE(place(save(map), environment).at("doubt").find("planned on host surely-not-this-host"),
            std::string::npos);
  environment["RANKMAP_HOSTS"] = "any";
  EXPECT_EQ(place(save(map), environment).at("state"), "placed");
  map.hosts_unnamed = true;
  EXPECT_EQ(place(save(map), open_mpi(0, 1)).at("state"), "placed");
}

TEST_F(Placement, ChoosesTheNicThatIsHereUnlessTheUserDid) {
  MapFile map = reversed(1);
  map.rows[0].nic = "mlx5_2";
  folder_.write("sys/class/infiniband/mlx5_2/x", "");
  Environment environment = on_this_machine(open_mpi(0, 1));
  EXPECT_EQ(place(save(map), environment).at("env_UCX_NET_DEVICES"), "mlx5_2:1");
  environment["UCX_NET_DEVICES"] = "all";
  EXPECT_EQ(place(save(map), environment).at("env_UCX_NET_DEVICES"), "all");
  map.rows[0].nic = "mlx5_3";
  const Outcome outcome = place(save(map), on_this_machine(open_mpi(0, 1)));
  EXPECT_EQ(outcome.at("env_UCX_NET_DEVICES"), "-");
  EXPECT_NE(outcome.at("note").find("NIC mlx5_3 is not here"), std::string::npos);
}

TEST_F(Placement, TellsCraysMpichToTakeTheNicOfTheGpu) {
  MapFile map = reversed(1);
  map.rows[0].nic = "hsn1";
  folder_.write("sys/class/net/hsn1/x", "");
  Environment environment = on_this_machine(open_mpi(0, 1));
  EXPECT_EQ(place(save(map), environment).at("env_MPICH_OFI_NIC_POLICY"), "-");
  environment["MPICH_GPU_SUPPORT_ENABLED"] = "1";
  EXPECT_EQ(place(save(map), environment).at("env_MPICH_OFI_NIC_POLICY"), "GPU");
}

// On the CPUs of this machine.
class CpuPlacement : public Placement {
 protected:
  MapFile on_cpus(const CpuSet& cpus) const {
    MapFile map = reversed(1);
    map.rows[0].gpu = none;  // a note on GPUs that this machine lacks is no matter here
    map.rows[0].cpus = cpus;
    return map;
  }

  int first() const { return own_cpus().numbers().front(); }
  int last() const { return own_cpus().numbers().back(); }
  // Two CPUs beyond all that this machine may have.
  static CpuSet none_here() { return CpuSet{8000, 8001}; }
};

TEST_F(CpuPlacement, BindsToThePlan) {
  const CpuSet plan = {last()};
  const Outcome outcome = place(save(on_cpus(plan)), open_mpi(0, 1));
  EXPECT_EQ(outcome.at("cpus_actual"), plan.to_string());
  EXPECT_EQ(outcome.at("tell"), "");
  EXPECT_EQ(judge_placement(on_cpus(plan).rows[0], outcome.at("report")).verdict,
            PlacementVerdict::ok);
}

TEST_F(CpuPlacement, SkipsCpusThatDoNotExistAndSaysSoOnce) {
  CpuSet plan = none_here();
  plan.add(first());
  const MapFile map = on_cpus(plan);
  const Outcome outcome = place(save(map), open_mpi(0, 1));
  EXPECT_EQ(outcome.at("cpus_actual"), std::to_string(first()));
  EXPECT_EQ(outcome.at("cpus_absent"), "8000-8001");
  EXPECT_EQ(outcome.at("tell"),
            "rankmap: rank 0: this machine does not have the planned CPUs 8000-8001; skipped\n");
  const PlacementRow row = judge_placement(map.rows[0], outcome.at("report"));
  EXPECT_EQ(row.verdict, PlacementVerdict::note);
  EXPECT_EQ(row.reason, "CPUs 8000-8001 do not exist here");
}

TEST_F(CpuPlacement, NeverMakesTheMaskEmptyAndRefusesIfStrict) {
  const MapFile map = on_cpus(none_here());
  Environment environment = open_mpi(0, 1);
  EXPECT_EQ(place(save(map), environment).at("code"), "0");
  environment["RANKMAP_STRICT"] = "1";
  const Outcome outcome = place(save(map), environment);
  EXPECT_EQ(outcome.at("cpus_actual"), own_cpus().to_string());
  EXPECT_EQ(outcome.at("code"), "125");
  EXPECT_EQ(judge_placement(map.rows[0], outcome.at("report")).verdict, PlacementVerdict::note);
}

TEST_F(CpuPlacement, DoubtsCpusThatExistButAreNotAllowed) {
  folder_.write("sys/devices/system/cpu/present", "0-8191\n");
  const Outcome outcome = place(save(on_cpus(none_here())), on_this_machine(open_mpi(0, 1)));
  EXPECT_EQ(outcome.at("cpus_barred"), "8000-8001");
  EXPECT_NE(outcome.at("doubt").find("are not allowed to this job"), std::string::npos);
}

TEST_F(CpuPlacement, AppliesInsideAForeignBinding) {
  if (own_cpus().size() < 2) GTEST_SKIP() << "needs two CPUs";
  const CpuSet bound = {last()};
  const Outcome outcome = place(save(on_cpus(bound)), open_mpi(0, 1), bound);
  EXPECT_EQ(outcome.at("cpus_actual"), bound.to_string());
  EXPECT_EQ(outcome.at("doubt"), "");
}

TEST_F(CpuPlacement, KeepsAForeignBindingThatThePlanIsNotInside) {
  if (own_cpus().size() < 2) GTEST_SKIP() << "needs two CPUs";
  const CpuSet bound = {first()}, plan = {last()};
  const MapFile map = on_cpus(plan);
  Environment environment = open_mpi(0, 1);
  Outcome outcome = place(save(map), environment, bound);
  EXPECT_EQ(outcome.at("cpus_actual"), bound.to_string());
  EXPECT_NE(outcome.at("tell").find("the launcher bound this rank to CPUs"), std::string::npos);
  EXPECT_EQ(judge_placement(map.rows[0], outcome.at("report")).verdict, PlacementVerdict::wrong);
  environment["RANKMAP_CPUS"] = "force";
  outcome = place(save(map), environment, bound);
  EXPECT_EQ(outcome.at("cpus_actual"), plan.to_string());
}

TEST_F(CpuPlacement, SetsTheMemoryPolicyOrSaysWhyNot) {
  MapFile map = on_cpus({first()});
  map.rows[0].memory_nodes = {0};
  map.rows[0].memory_policy = "preferred";
  const Outcome outcome = place(save(map), open_mpi(0, 1));
  const bool set = outcome.at("memory_actual") == "set";
  const bool refused = outcome.at("memory_actual") == "refused" &&
                       outcome.at("note").find("was refused") != std::string::npos;
  EXPECT_TRUE(set || refused) << outcome.at("memory_actual");
  map.rows[0].memory_nodes = {1000};
  EXPECT_EQ(place(save(map), open_mpi(0, 1)).at("memory_actual"), "refused");
}

}  // namespace
}  // namespace rankmap::testing
