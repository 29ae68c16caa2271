#include "libmap/base/files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "libmap/base/error.hpp"

namespace rankmap {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_ = testing::TempDir() + "rankmap_files_" +
                        testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Files, ReadsWhatWasWritten) {
  write_text(path("a"), std::string("x\0y\n", 4));
  EXPECT_EQ(read_text(path("a")), std::string("x\0y\n", 4));
}

TEST_F(Files, ReplacesAndLeavesNothingBeside) {
  write_text(path("a"), "old");
  write_text(path("a"), "new");
  EXPECT_EQ(read_text(path("a")), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("")), {}), 1);
}

TEST_F(Files, NamesTheFileThatCannotBeRead) {
  try {
    read_text(path("absent"));
    FAIL() << "expected an error";
  } catch (const SystemError& error) {
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos);
  }
}

TEST_F(Files, RefusesWhatIsLongerThanTheLimit) {
  write_text(path("a"), std::string(100, 'x'));
  EXPECT_THROW(read_text(path("a"), 99), InputError);
  EXPECT_EQ(read_text(path("a"), 100).size(), 100U);
}

TEST_F(Files, RefusesAFolder) {
  EXPECT_THROW(read_text(path("")), SystemError);
}

TEST_F(Files, WritesThroughToADevice) {
  write_text("/dev/null", "gone");
  EXPECT_FALSE(is_regular_file("/dev/null"));
}

}  // namespace
}  // namespace rankmap
