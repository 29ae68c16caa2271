// Random maps written and read back, and random damage that no reader may answer by anything but a
// mapping or an InputError.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/mapping/launcher.hpp"
#include "libmap/mapping/read/host_file.hpp"
#include "libmap/mapping/read/map_reader.hpp"
#include "tests/unit/libmap/mapping/launcher_maps.hpp"

namespace rankmap {
namespace {

using testing::named_cluster;

// A random choice of slots; all of them where `full`.
Mapping random_mapping(Random& random, const Machine& machine, bool full) {
  std::vector<SlotId> slots;
  for (SlotId slot = 0; slot < machine.slots(); ++slot) slots.push_back(slot);
  random.shuffle(slots);
  if (!full) slots.resize(1 + random.below(slots.size()));
  return {slots};
}

// The same ranks on the same nodes, slots in the order of local ranks.
Mapping by_local_rank(const Mapping& mapping, const Machine& machine) {
  std::vector<int> next(static_cast<std::size_t>(machine.nodes()));
  Mapping result;
  for (const SlotId slot : mapping.slot_of) {
    const NodeId node = machine.node_of(slot);
    result.slot_of.push_back(machine.slot_at(node, next[static_cast<std::size_t>(node)]++));
  }
  return result;
}

std::string text_of(const Mapping& mapping, const Machine& machine, const char* format) {
  return export_map(map_file_of(mapping, machine, "random"), format, {}).text;
}

TEST(WrittenMaps, ReadBackAsTheSameMapping) {
  const Machine machine = named_cluster();
  Random random(1);
  for (int turn = 0; turn < 200; ++turn) {
    const Mapping mapping = random_mapping(random, machine, turn % 3 == 0);
    for (const char* format : {"rankmap", "openmpi4", "prrte", "csv"})
      EXPECT_EQ(read_mapping(text_of(mapping, machine, format), "f", "", machine), mapping)
          << format << "\n"
          << text_of(mapping, machine, format);
  }
}

// A host file and a rank order know nodes alone.
TEST(WrittenMaps, OfNodesAloneReadBackByLocalRank) {
  const Machine machine = named_cluster();
  Random random(2);
  for (int turn = 0; turn < 200; ++turn) {
    const Mapping mapping = random_mapping(random, machine, true);
    const Mapping expected = by_local_rank(mapping, machine);
    EXPECT_EQ(read_mapping(text_of(mapping, machine, "slurm"), "f", "", machine), expected);
    EXPECT_EQ(read_mapping(text_of(mapping, machine, "flux"), "f", "", machine), expected);
    EXPECT_EQ(read_mapping(text_of(mapping, machine, "cray"), "f", "", machine), expected);
  }
}

TEST(WrittenMaps, OfCrayComeWithAMapByProcessForTheSamePlaces) {
  const Machine machine = named_cluster();
  Random random(3);
  for (int turn = 0; turn < 100; ++turn) {
    const Mapping mapping = random_mapping(random, machine, true);
    const MapFile map = map_file_of(mapping, machine, "random");
    const Export written = export_map(map, "cray", {});
    const Mapping order = read_mapping(written.text, "f", "", machine);
    const MapFile by_process = read_map(written.more.at(0).text, "p");
    // Process p of the blocks sits on slot p and becomes the rank that the order gives it.
    for (Rank rank = 0; rank < mapping.ranks(); ++rank) {
      const MapRow& process = by_process.rows[static_cast<std::size_t>(order[rank])];
      EXPECT_EQ(process.host, map.rows[static_cast<std::size_t>(rank)].host);
      EXPECT_EQ(process.gpu, map.rows[static_cast<std::size_t>(rank)].gpu);
      EXPECT_EQ(process.cpus, map.rows[static_cast<std::size_t>(rank)].cpus);
    }
  }
}

// One random change: a byte out, in, or other, a piece doubled, or the end cut off.
std::string damaged(std::string text, Random& random) {
  static const std::string bytes =
      "0123456789,;:-=*+#/\"\n\r\t nrankslotSP[]\x01\xff" + std::string(1, '\0');
  const std::size_t at = random.below(text.size() + 1);
  const char other = bytes[random.below(bytes.size())];
  switch (random.below(5)) {
    case 0:
      text.erase(at, 1 + random.below(3));
      break;
    case 1:
      text.insert(at, 1, other);
      break;
    case 2:
      if (at < text.size()) text[at] = other;
      break;
    case 3:
      text.insert(at, text.substr(at / 2, random.below(20)));
      break;
    default:
      text.resize(at);
  }
  return text;
}

class Damage : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Damage, EndsInAMappingOrAnInputError) {
  const auto& [format, whole] = GetParam();
  const Machine machine = named_cluster();
  Random random(5);
  int refused = 0;
  for (int turn = 0; turn < 4000; ++turn) {
    std::string text = whole;
    for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes)
      text = damaged(text, random);
    for (const char* as : {format, ""}) try {
        const Mapping mapping = read_mapping(text, "f", as, machine);
        EXPECT_FALSE(mapping.slot_of.empty());
        EXPECT_EQ(defect_of(mapping, machine, 1 << 20, {}), "") << text;
      } catch (const InputError& error) {
        ++refused;
        EXPECT_EQ(error.where().source, "f") << text;
      }
  }
  EXPECT_GT(refused, 400);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, Damage,
    ::testing::Values(
        std::pair{"rankfile",
                  "rank 0=n0 slot=8-11\nrank 1=n1 slots=0:0-1;1:2\n# c\nrank 2=n0 slot=S1\n"},
        std::pair{"rank-order", "0,2,4,6\n1,3,5,7 # two\n"},
        std::pair{"hostfile", "n0\nn1*2\nn0,n1\n"},
        std::pair{"csv", "rank,host,gpu,cores,cpus\n0,n0,1,,\n1,n1,,\"4-7\",\n2,n0,,,\"0,1\"\n"}));

TEST(DamagedHostFiles, EndInNamesOrAnInputError) {
  Random random(6);
  int refused = 0;
  for (int turn = 0; turn < 4000; ++turn) try {
      std::string text = "n0 slots=4\nn1:4\nn[2-3] max_slots=2 # c\n";
      for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes)
        text = damaged(text, random);
      EXPECT_FALSE(read_host_file(text, "f").empty());
    } catch (const InputError&) {
      ++refused;
    }
  EXPECT_GT(refused, 400);
}

}  // namespace
}  // namespace rankmap
