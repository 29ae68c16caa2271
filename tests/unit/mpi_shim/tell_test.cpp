// Who speaks, and what reports hold.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/unit/mpi_shim/placed_child.hpp"

namespace rankmap::testing {
namespace {

class Tell : public ::testing::Test {
 protected:
  std::string save(const MapFile& map) const {
    return folder_.write("job.rankmap", write_map(map));
  }

  // Rank `rank` of 8, second of two nodes from rank 4 on.
  static Environment rank_of_8(int rank) {
    Environment environment = open_mpi(rank, 8);
    environment["OMPI_COMM_WORLD_LOCAL_RANK"] = std::to_string(rank % 4);
    return environment;
  }

  // On a node that has not the planned GPU of any rank.
  Outcome without_gpu(int rank, const Environment& more = {}) const {
    MapFile map = reversed(8);
    for (MapRow& row : map.rows) row.gpu_id = "0000:99:00.0";
    folder_.write("proc/driver/nvidia/gpus/0000:07:00.0/information",
                  "Model: \t\t Test\nGPU UUID: \t GPU-aaaa\nDevice Minor: \t 0\n");
    folder_.write("dev/nvidia0", "");
    Environment environment = rank_of_8(rank);
    environment["RANKMAP_SYSROOT"] = folder_.path();
    environment.insert(more.begin(), more.end());
    return place(save(map), environment);
  }

  Folder folder_;
};

TEST_F(Tell, ADoubtOfItsOwnIsSaidByTheFirstRankOfANode) {
  for (const int rank : {0, 1, 4, 5}) {
    const Outcome outcome = without_gpu(rank);
    EXPECT_EQ(outcome.at("tell").empty(), rank % 4 != 0) << rank;
    EXPECT_NE(outcome.at("doubt"), "") << rank;
  }
}

TEST_F(Tell, VerboseAndStrictMakeEveryRankSpeak) {
  for (const char* name : {"RANKMAP_VERBOSE", "RANKMAP_STRICT"}) {
    const Outcome outcome = without_gpu(5, {{name, "1"}});
    EXPECT_NE(outcome.at("tell").find("rankmap: rank 5: "), std::string::npos) << name;
  }
  EXPECT_EQ(without_gpu(5, {{"RANKMAP_STRICT", "1"}}).at("code"), "125");
}

TEST_F(Tell, ADoubtOfAllIsSaidByRankZeroAlone) {
  const std::string map = save(reversed(2));
  for (const int rank : {0, 1, 4})
    EXPECT_EQ(place(map, rank_of_8(rank)).at("tell").empty(), rank != 0) << rank;
}

TEST_F(Tell, VerboseSaysWhereARankIs) {
  MapFile map = reversed(8);
  map.rows[4].cpus = {own_cpus().numbers().front()};
  map.rows[4].nic = "mlx5_1";
  map.rows[4].gpu_id = "0000:8a:00.0";
  folder_.write("sys/class/infiniband/mlx5_1/x", "");
  Environment environment = rank_of_8(4);
  environment.insert({{"RANKMAP_VERBOSE", "1"}, {"RANKMAP_SYSROOT", folder_.path()}});
  const Outcome outcome = place(save(map), environment);
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  EXPECT_EQ(outcome.at("tell"), "rankmap: rank 4 on " + std::string(host) +
                                    ": gpu 3 (0000:8a:00.0) as CUDA_VISIBLE_DEVICES=3, cpus " +
                                    map.rows[4].cpus.to_string() + ", nic mlx5_1\n");
}

TEST_F(Tell, AReportHasOneLineAKeyWhateverTheEnvironmentHolds) {
  MapFile map = reversed(1);
  map.rows[0].nic = "mlx5_1";
  Environment environment = open_mpi(0, 1);
  environment.insert({{"UCX_NET_DEVICES", "a\nstate b"}, {"RANKMAP_GPUS", "keep"}});
  const Outcome outcome = place(save(map), environment);
  EXPECT_EQ(outcome.at("nic_actual"), "a state b");
  EXPECT_EQ(outcome.at("gpu_mode"), "keep");
  EXPECT_EQ(outcome.at("launcher"), "Open MPI");
  EXPECT_EQ(outcome.at("mpi_peers"), "0");
}

TEST_F(Tell, NicsOnRequestForNcclOrNotAtAll) {
  MapFile map = reversed(1);
  map.rows[0].nic = "mlx5_1";
  folder_.write("sys/class/infiniband/mlx5_1/x", "");
  const std::string path = save(map);
  Environment environment = open_mpi(0, 1);
  environment["RANKMAP_SYSROOT"] = folder_.path();
  EXPECT_EQ(place(path, environment).at("env_NCCL_IB_HCA"), "-");
  environment["RANKMAP_NICS"] = "nccl";
  Outcome outcome = place(path, environment);
  EXPECT_EQ(outcome.at("env_NCCL_IB_HCA"), "=mlx5_1");
  EXPECT_EQ(outcome.at("nic_variable"), "UCX_NET_DEVICES");
  environment["NCCL_IB_HCA"] = "mlx5";
  EXPECT_EQ(place(path, environment).at("env_NCCL_IB_HCA"), "mlx5");
  environment["RANKMAP_NICS"] = "keep";
  EXPECT_EQ(place(path, environment).at("env_UCX_NET_DEVICES"), "-");
  environment["RANKMAP_NICS"] = "all";
  EXPECT_NE(place(path, environment).at("doubt").find("expected keep or nccl"), std::string::npos);
}

}  // namespace
}  // namespace rankmap::testing
