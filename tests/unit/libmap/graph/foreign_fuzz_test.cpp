// Damaged recordings of other tools either read or are refused with one of our errors.
#include "libmap/base/random.hpp"
#include "libmap/graph/foreign/formats.hpp"
#include "tests/unit/libmap/graph/foreign_samples.hpp"

namespace rankmap {
namespace {

// A graph that comes out must survive being written and read again.
template <typename Read>
void read_or_refuse(Read read, const std::string& text) {
  try {
    const std::string written = write_comm(read(text));
    EXPECT_EQ(write_comm(parse_comm_graph(written, "again")), written);
  } catch (const Bug& bug) {
    FAIL() << bug.what() << " for " << text;
  } catch (const Error&) {
  }
}

CommGraph parse(const std::string& text) {
  return parse_comm_graph(text, "fuzz");
}

std::vector<std::string> samples() {
  std::vector<std::string> texts;
  for (const char* name :
       {"monitoring_2/all.prof", "aps_directed.txt", "aps_both_ways.txt", "ipm_full.xml",
        "ipm_terse.xml", "mpip.txt", "nccl/node-a-pid11.log", "tau/profile.0.0.0"})
    texts.push_back(read_text(sample(name)));
  std::string nccl;
  for (const char* process : {"node-a-pid11", "node-a-pid12", "node-b-pid7", "node-b-pid9"})
    nccl += read_text(sample("nccl/" + std::string(process) + ".log"));
  texts.push_back(nccl);
  // One process with all ranks, so that undamaged it reads.
  texts.push_back(
      "# rankmap nccl 1\nprocess a 1\nrank 0 1\ncomm 0 1f 2 0 tp\ncomm 1 1f 2 1 tp\n"
      "call 0 AllReduce - 2 1000 0\ncall 1 AllReduce - 2 1000 0\ncall 0 Broadcast 1 1 64 1\n"
      "call 1 AlltoAll - 1 7 0\nsend 1 0 4 40 2\nother 1 0\n");
  return texts;
}

// Changes bytes, copies or takes out pieces, and cuts the end, at random.
std::string damaged(std::string text, Random& random) {
  const auto place = [&] { return static_cast<std::size_t>(random.below(text.size() + 1)); };
  for (std::uint64_t i = random.below(4); i <= 3 && !text.empty(); ++i) {
    const std::size_t at = place();
    switch (random.below(5)) {
      case 0:
        text[at % text.size()] = static_cast<char>(random.below(256));
        break;
      case 1:
        text[at % text.size()] = "0123456789-.e<>\"'/\t\n ,{}:|"[random.below(26)];
        break;
      case 2:
        text.insert(place(), text.substr(at, random.below(80)));
        break;
      case 3:
        text.erase(at, random.below(20));
        break;
      default:
        if (random.below(8) == 0) text.resize(at);
    }
  }
  return text;
}

TEST(ForeignFuzz, DamagedFilesReadOrAreRefused) {
  const std::vector<std::string> texts = samples();
  Random random(4);
  for (int round = 0; round < 20000; ++round)
    read_or_refuse(parse, damaged(texts[random.below(texts.size())], random));
}

TEST(ForeignFuzz, EveryTruncationOfASmallFileReadsOrIsRefused) {
  for (const std::string& text : samples())
    for (std::size_t size = 0; size <= std::min<std::size_t>(text.size(), 2500); ++size)
      read_or_refuse(parse, text.substr(0, size));
}

TEST(ForeignFuzz, DamagedPartsOfNcclReadOrAreRefused) {
  const TestFolder folder;
  folder.copy(sample("nccl_parts"));
  const std::string good = read_text(sample("nccl_parts/part.node-b.114"));
  Random random(6);
  for (int round = 0; round < 1000; ++round) {
    folder.write("part.node-b.114", damaged(good, random));
    read_or_refuse([&](const std::string&) { return read_recording_folder(folder.path()); },
                   "nccl");
  }
}

TEST(ForeignFuzz, DamagedProfilesOfTauReadOrAreRefused) {
  const TestFolder folder;
  folder.copy(sample("tau"));
  const std::string good = read_text(sample("tau/profile.0.0.0"));
  Random random(5);
  for (int round = 0; round < 1000; ++round) {
    folder.write("profile.0.0.0", damaged(good, random));
    read_or_refuse([&](const std::string&) { return read_recording_folder(folder.path()); }, "tau");
  }
}

}  // namespace
}  // namespace rankmap
