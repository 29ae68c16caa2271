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

// A small text of each format, and the name it is read under.
struct Seed {
  std::string text;
  std::string name;
};
const std::vector<Seed> seeds = {
    {edge_list + "work 5 0-2,7\nwork 0 8\n", "fuzz"},
    {table, "fuzz"},
    {"%%MatrixMarket matrix coordinate real symmetric\n% remark\n3 3 2\n2 1 5\n3 1 7.0\n", "fuzz"},
    {"% remark\n4 3 011 1\n5 2 7 3 8\n1 1 7\n9 1 8 4 2\n0 3 2\n", "fuzz.graph"},
    {"0\n3 4\n1 111\n2 5 1 7 1\n1 6 2 7 2 8 3\n3 0 1 8 1\n", "fuzz.grf"},
    {"source,\"bytes\",destination,phase\n0,64KiB, 2,1\n1,7,0,\n", "fuzz"},
    {"0,1,5,1\n1,0,6,2\n2,1,9,3\n", "fuzz.csv"},
};

// Reads it; a graph that comes out must also survive being written and read again.
void read_or_refuse(const std::string& text, const std::string& name = "fuzz") {
  try {
    const std::string written = write_comm(parse_comm_graph(text, name));
    EXPECT_EQ(write_comm(parse_comm_graph(written, "again")), written);
  } catch (const Bug& bug) {
    FAIL() << bug.what() << " for " << text;
  } catch (const Error&) {
  }
}

TEST(GraphFileFuzz, EveryTruncationReadsOrIsRefused) {
  for (const Seed& seed : seeds)
    for (std::size_t size = 0; size <= seed.text.size(); ++size)
      read_or_refuse(seed.text.substr(0, size), seed.name);
}

TEST(GraphFileFuzz, ChangedBytesReadOrAreRefused) {
  Random random(1);
  for (std::size_t round = 0; round < 70000; ++round) {
    const Seed& seed = seeds[round % seeds.size()];
    std::string text = seed.text;
    for (std::uint64_t i = random.below(4); i <= 3; ++i)
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    read_or_refuse(text, seed.name);
  }
}

// Numbers where numbers were, so that more of the damage passes the grammar.
TEST(GraphFileFuzz, ChangedDigitsReadOrAreRefused) {
  Random random(4);
  for (std::size_t round = 0; round < 70000; ++round) {
    const Seed& seed = seeds[round % seeds.size()];
    std::string text = seed.text;
    for (std::uint64_t i = random.below(3); i <= 2; ++i) {
      const std::size_t at = random.below(text.size());
      if (text[at] >= '0' && text[at] <= '9') text[at] = static_cast<char>('0' + random.below(6));
      if (random.below(8) == 0) text.insert(at, " ");
      if (random.below(8) == 0) text.insert(at, "\n");
    }
    read_or_refuse(text, seed.name);
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
