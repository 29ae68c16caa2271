// The map as `run` saw it, and the copy of it that the ranks of a node share.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/unit/mpi_shim/placed_child.hpp"

namespace rankmap::testing {
namespace {

namespace fs = std::filesystem;

std::string sum_of(const std::string& map_text) {
  return map_text.substr(map_text.find("body=") + 5, 16);
}

class Stage : public ::testing::Test {
 protected:
  Stage() { fs::create_directories(shm()); }

  std::string shm() const { return folder_.path() + "/dev/shm"; }
  std::string map() const { return folder_.path() + "/job.rankmap"; }
  std::string copy() const {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return shm() + "/rankmap." + std::to_string(geteuid()) + "." + sum_ + ".job7." + host;
  }

  void save(const MapFile& map) {
    const std::string text = write_map(map);
    folder_.write("job.rankmap", text);
    if (sum_.empty()) sum_ = sum_of(text);
  }

  // A rank of a job on one node that `run` started with the map as it was first.
  Environment staged(int rank, int size) const {
    Environment environment = open_mpi(rank, size);
    environment.insert({{"OMPI_COMM_WORLD_LOCAL_SIZE", std::to_string(size)},
                        {"RANKMAP_SUM", sum_},
                        {"RANKMAP_STAGE", "1"},
                        {"RANKMAP_SYSROOT", folder_.path()}});
    return environment;
  }

  std::size_t files_in(const std::string& path) const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }

  Folder folder_;
  std::string sum_;
};

TEST_F(Stage, OthersReadTheCopyOfTheFirstAndTheLastRemovesIt) {
  save(reversed(3));
  EXPECT_EQ(place(map(), staged(0, 3)).at("env_CUDA_VISIBLE_DEVICES"), "2");
  struct stat status {};
  ASSERT_EQ(stat(copy().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  fs::remove(map());
  EXPECT_EQ(place(map(), staged(1, 3)).at("env_CUDA_VISIBLE_DEVICES"), "1");
  EXPECT_EQ(files_in(shm()), 2U);  // the copy and the count
  EXPECT_EQ(place(map(), staged(2, 3)).at("env_CUDA_VISIBLE_DEVICES"), "0");
  EXPECT_EQ(files_in(shm()), 0U);
}

TEST_F(Stage, RanksThatStartTogetherAreAllPlaced) {
  save(reversed(8));
  std::vector<Outcome> outcomes(8);
  std::vector<std::thread> ranks;
  for (int rank = 7; rank >= 0; --rank)
    ranks.emplace_back(
        [&, rank] { outcomes[static_cast<std::size_t>(rank)] = place(map(), staged(rank, 8)); });
  for (std::thread& rank : ranks) rank.join();
  for (int rank = 0; rank < 8; ++rank)
    EXPECT_EQ(outcomes[static_cast<std::size_t>(rank)].at("env_CUDA_VISIBLE_DEVICES"),
              std::to_string(7 - rank));
  EXPECT_EQ(files_in(shm()), 0U);
}

TEST_F(Stage, WithoutAFirstRankTheSharedMapIsReadInTime) {
  save(reversed(2));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(place(map(), staged(1, 2)).at("state"), "placed");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

// What another user could put where the copy will be.
TEST_F(Stage, AFileThatIsNotPrivateIsNotRead) {
  save(reversed(2));
  const std::string other = folder_.write("other", write_map(reversed(2)));
  const auto put = [&](mode_t mode) {
    fs::copy_file(other, copy(), fs::copy_options::overwrite_existing);
    chmod(copy().c_str(), mode);
  };
  MapFile poison = reversed(2);
  poison.rows[1].gpu = 7;
  folder_.write("other", write_map(poison));
  put(0644);
  EXPECT_EQ(place(map(), staged(1, 2)).at("env_CUDA_VISIBLE_DEVICES"), "0");
  fs::remove(copy());
  chmod(other.c_str(), 0600);
  fs::create_symlink(other, copy());
  EXPECT_EQ(place(map(), staged(1, 2)).at("env_CUDA_VISIBLE_DEVICES"), "0");
  fs::remove(copy());
  fs::create_hard_link(other, copy());
  EXPECT_EQ(place(map(), staged(1, 2)).at("env_CUDA_VISIBLE_DEVICES"), "0");
}

// Of the right mode, but of another map: the checksum tells.
TEST_F(Stage, ACopyOfAnotherMapIsNotUsed) {
  save(reversed(2));
  MapFile other = reversed(2);
  other.rows[1].gpu = 7;
  folder_.write("other", write_map(other));
  fs::copy_file(folder_.path() + "/other", copy());
  chmod(copy().c_str(), 0600);
  EXPECT_EQ(place(map(), staged(1, 2)).at("env_CUDA_VISIBLE_DEVICES"), "0");
}

TEST_F(Stage, AMapThatWasReplacedIsADoubtThatNobodyWaitsFor) {
  save(reversed(2));
  MapFile other = reversed(2);
  other.rows[1].gpu = 7;
  save(other);
  const auto start = std::chrono::steady_clock::now();
  for (int rank : {0, 1}) {
    const Outcome outcome = place(map(), staged(rank, 2));
    EXPECT_EQ(outcome.at("state"), "passed");
    EXPECT_NE(outcome.at("doubt").find("was replaced after the job was started"),
              std::string::npos);
    EXPECT_EQ(outcome.at("tell").empty(), rank == 1);  // one line a node
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1400));
  EXPECT_EQ(files_in(shm()), 0U);
}

TEST_F(Stage, NothingIsStagedWhereLocalSizeOrSumAreUnknown) {
  save(reversed(2));
  for (const char* missing :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "RANKMAP_SUM"}) {
    Environment environment = staged(0, 2);
    environment.erase(missing);
    EXPECT_EQ(place(map(), environment).at("state"), "placed") << missing;
    EXPECT_EQ(files_in(shm()), 0U) << missing;
  }
}

TEST_F(Stage, ASumThatIsNoneIsADoubt) {
  save(reversed(2));
  for (const char* sum : {"12", "0123456789abcdeg", "0x23456789abcdef", "0123456789abcdef0"}) {
    Environment environment = open_mpi(0, 2);
    environment["RANKMAP_SUM"] = sum;
    EXPECT_NE(place(map(), environment).at("doubt").find("expected 16 hex digits"),
              std::string::npos)
        << sum;
  }
}

TEST_F(Stage, GoesToTheTemporaryFolderWhereThereIsNoSharedMemory) {
  save(reversed(2));
  fs::remove(shm());
  const std::string temporary = folder_.path() + "/temporary";
  fs::create_directories(temporary);
  Environment environment = staged(0, 2);
  environment["TMPDIR"] = temporary;
  EXPECT_EQ(place(map(), environment).at("state"), "placed");
  EXPECT_EQ(files_in(temporary), 2U);
}

TEST_F(Stage, ALargeMapIsReadWhereItIs) {
  MapFile large = reversed(60000);
  large.rows[0].nic = std::string(60, 'n');  // every line is as wide
  save(large);
  ASSERT_GT(fs::file_size(map()), 4U << 20U);
  const auto start = std::chrono::steady_clock::now();
  for (int rank : {0, 1}) {
    Environment environment = staged(rank, 60000);
    environment["OMPI_COMM_WORLD_LOCAL_SIZE"] = "2";
    EXPECT_EQ(place(map(), environment).at("state"), "placed");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1400));
  EXPECT_EQ(files_in(shm()), 0U);
}

}  // namespace
}  // namespace rankmap::testing
