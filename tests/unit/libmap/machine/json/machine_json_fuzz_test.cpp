// Damaged machine files are read or refused with an error of ours; they never crash or hang.
#include <gtest/gtest.h>

#include <string>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/random.hpp"
#include "libmap/machine/json/machine_json.hpp"

namespace rankmap {
namespace {

const std::string presets = std::string(RANKMAP_SOURCE_DIR) + "/share/machines/";

// Whether the text was taken; what is taken must also make a machine or be refused, and be written.
bool is_taken(const std::string& text) {
  try {
    const Machine machine(read_machine_json(text, "fuzz", {}), 1);
    return machine_json(machine).size() > 2;
  } catch (const Error&) {
    return false;
  }
}

TEST(MachineJsonFuzz, EveryTruncationIsRefused) {
  const std::string text = read_text(presets + "polaris.json");
  ASSERT_TRUE(is_taken(text));
  const std::size_t end = text.rfind('}');
  for (std::size_t length = 0; length < end; length += 3)
    EXPECT_FALSE(is_taken(text.substr(0, length))) << length;
}

TEST(MachineJsonFuzz, FlippedBytesAreTakenOrRefused) {
  const std::string text = read_text(presets + "frontier.json");
  Random random(7);
  int taken = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string copy = text;
    for (std::uint64_t flips = 1 + random.below(4); flips > 0; --flips)
      copy[random.below(copy.size())] = static_cast<char>(random.below(256));
    taken += is_taken(copy) ? 1 : 0;
  }
  EXPECT_GT(taken, 0);     // a byte of a note does no harm
  EXPECT_LT(taken, 1500);  // a byte of the structure does
}

TEST(MachineJsonFuzz, SwappedPiecesAreTakenOrRefused) {
  const std::string text = read_text(presets + "dgx-a100.json");
  Random random(11);
  int refused = 0;
  for (int round = 0; round < 600; ++round) {
    std::string copy = text;
    const std::string piece = copy.substr(random.below(copy.size()), random.below(120));
    copy.replace(random.below(copy.size()), random.below(120), piece);
    refused += is_taken(copy) ? 0 : 1;
  }
  EXPECT_GT(refused, 0);
}

TEST(MachineJsonFuzz, RandomStructuresAreTakenOrRefused) {
  const char* pieces[] = {
      "{",        "}",         "[",         "]",        ":",           ",",
      "\"gpus\"", "\"links\"", "\"a\"",     "\"b\"",    "\"kind\"",    "\"pcie\"",
      "8",        "0",         "-1",        "1e308",    "1e999",       "99999999999999999999",
      "null",     "true",      "\"cores\"", "\"cpus\"", "\"0-65535\"", "\"numa_nodes\"",
      "\"id\""};
  Random random(13);
  for (int round = 0; round < 4000; ++round) {
    std::string text = "{\"gpus\":";
    for (std::uint64_t length = random.below(40); length > 0; --length)
      text += pieces[random.below(std::size(pieces))];
    EXPECT_FALSE(is_taken(text + "!")) << text;
    is_taken(text);
  }
}

}  // namespace
}  // namespace rankmap
