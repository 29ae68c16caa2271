// Damaged graph files either read or are refused with one of our errors.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/base/random.hpp"
#include "libmap/graph/reader.hpp"

namespace rankmap {
namespace {

const std::string edge_list =
    "# rankmap comm 1\nranks 12\nphases 2\ngroup 0 0-3,8 one group\n# remark\n0 1 64KiB 2 0 0 3\n"
    "11 4 12\n3 2 1 1 1 - 1\n";
const std::string table = "0 1 2\n3 0 4e2\n5,6 0\n";

// Reads it; a graph that comes out must also survive being written and read again.
void read_or_refuse(const std::string& text) {
  try {
    const std::string written = write_comm(parse_comm_graph(text, "fuzz"));
    EXPECT_EQ(write_comm(parse_comm_graph(written, "again")), written);
  } catch (const Bug& bug) {
    FAIL() << bug.what() << " for " << text;
  } catch (const Error&) {
  }
}

TEST(GraphFileFuzz, EveryTruncationReadsOrIsRefused) {
  for (const std::string& text : {edge_list, table})
    for (std::size_t size = 0; size <= text.size(); ++size) read_or_refuse(text.substr(0, size));
}

TEST(GraphFileFuzz, ChangedBytesReadOrAreRefused) {
  Random random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string text = round % 2 == 0 ? edge_list : table;
    for (std::uint64_t i = random.below(4); i <= 3; ++i)
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    read_or_refuse(text);
  }
}

TEST(GraphFileFuzz, RandomFieldsReadOrAreRefused) {
  const std::vector<std::string> words = {
      "ranks", "phases", "group", "0",   "1",     "3",   "12",
      "-",     "-1",     "0-3",   "7,1", "64KiB", "1e9", "9999999999999999999",
      "#",     "\n",     "\n",    "\n",  ",",     "\t"};
  Random random(2);
  for (int round = 0; round < 20000; ++round) {
    std::string text = "# rankmap comm 1\nranks 13\n";
    for (std::uint64_t i = random.below(30); i > 0; --i)
      text += words[random.below(words.size())] + " ";
    read_or_refuse(text);
  }
}

TEST(GraphFileFuzz, RandomBytesReadOrAreRefused) {
  Random random(3);
  for (int round = 0; round < 5000; ++round) {
    std::string text = round % 2 == 0 ? "" : "# rankmap comm 1\nranks 3\n";
    for (std::uint64_t i = random.below(60); i > 0; --i)
      text += static_cast<char>(random.below(256));
    read_or_refuse(text);
  }
}

}  // namespace
}  // namespace rankmap
