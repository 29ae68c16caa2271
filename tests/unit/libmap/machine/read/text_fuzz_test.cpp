// Damaged texts either read as a machine whose GPUs are all joined, or are refused.
#include <gtest/gtest.h>

#include "libmap/base/error.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/machine/read/lstopo_text.hpp"
#include "libmap/machine/read/nvidia_topo.hpp"
#include "libmap/machine/read/nvlink_status.hpp"
#include "libmap/machine/read/rocm_smi.hpp"
#include "libmap/machine/read/xpu_smi.hpp"
#include "tests/unit/libmap/machine/read/topo_samples.hpp"
#include "tests/unit/libmap/machine/xml/fuzz.hpp"

namespace rankmap {
namespace {

constexpr NodeReader readers[] = {
    {"nvidia", "", recognises_nvidia_topo, read_nvidia_topo},
    {"rocm", "", recognises_rocm_smi, read_rocm_smi},
    {"xpu", "", recognises_xpu_smi, read_xpu_smi},
    {"nvlink", "", recognises_nvlink_status, read_nvlink_status},
    {"lstopo", "", recognises_lstopo_text, read_lstopo_text},
};

const std::string samples[] = {
    testing::native_topo + testing::nvlink_status,
    "| CPU Affinity | NUMA Affinity |      | GPU0 | GPU1 |\n|---|---|---|---|---|\n"
    "| 0-3 | 0 | GPU0 | X | NV12 |\n| 4-7 | 1 | GPU1 | NV12 | X |\n",
    "Weight between two GPUs\n  GPU0 GPU1\nGPU0 0 15\nGPU1 15 0\n"
    "GPU[0]\t: (Topology) Numa Node: 0\nGPU[1]\t: (Topology) Numa Affinity: 1\n",
    "   GPU 0/0|GPU 1/0|CPU Affinity\nGPU 0/0 |S |XL16 |0-3\nGPU 1/0 |XL16 |S |4-7\n",
    "Machine (8GB)\n  Package L#0\n    PU L#0 (P#0)\n",
};

// Whether the text was read; a refusal is the only other way out.
bool reads(const NodeReader& reader, const std::string& text, const ReaderOptions& options) {
  reader.recognises(text);
  try {
    NodeModel model = reader.read(text, "fuzz", options);
    const auto gpus = static_cast<SlotId>(model.gpus.size());
    EXPECT_EQ(Machine(std::move(model), 1).slots(), gpus) << text;
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TEST(TextFuzz, EveryTruncationIsReadOrRefused) {
  for (const NodeReader& reader : readers)
    for (const std::string& sample : samples)
      for (std::size_t length = 0; length <= sample.size(); ++length)
        EXPECT_NO_THROW(reads(reader, sample.substr(0, length), {})) << reader.name << length;
}

TEST(TextFuzz, DamagedTextsAreReadOrRefused) {
  Random random(20);
  int read = 0;
  for (int round = 0; round < 3000; ++round)
    for (const std::string& sample : samples) {
      std::string text = sample;
      for (std::uint64_t times = 1 + random.below(3); times > 0; --times)
        text = testing::damaged(text, random);
      for (const NodeReader& reader : readers) read += reads(reader, text, {}) ? 1 : 0;
    }
  EXPECT_GT(read, 1000);  // most damage leaves some sample readable: the readers were reached
}

TEST(TextFuzz, DamagedNvlinkTextsAreReadOrRefused) {
  Random random(21);
  for (int round = 0; round < 3000; ++round) {
    const ReaderOptions options{testing::damaged(testing::nvlink_status, random)};
    EXPECT_NO_THROW(reads(readers[0], testing::native_topo, options)) << options.nvlink_text;
  }
}

TEST(TextFuzz, RandomWordsOfTheFormatsAreReadOrRefused) {
  const std::string words[] = {"GPU0",
                               "GPU1",
                               "GPU 0/0",
                               "GPU 1/0",
                               "X",
                               "NV2",
                               "SYS",
                               "\t",
                               "\n",
                               "|",
                               " ",
                               "NIC0",
                               "0-65535",
                               "N/A",
                               "S",
                               "XL4",
                               "\n\n",
                               "0",
                               "15",
                               "CPU Affinity",
                               "NUMA Affinity",
                               "GPU NUMA ID",
                               "Weight between two GPUs",
                               "Link 0:",
                               "25 GB/s"};
  Random random(22);
  for (int round = 0; round < 20000; ++round) {
    std::string text = "\tGPU0\tGPU1\n";
    for (std::uint64_t length = random.below(40); length > 0; --length)
      text += words[random.below(std::size(words))];
    for (const NodeReader& reader : readers) EXPECT_NO_THROW(reads(reader, text, {})) << text;
  }
}

TEST(TextFuzz, RandomBytesAreRefused) {
  Random random(23);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::uint64_t length = random.below(300); length > 0; --length)
      text += static_cast<char>(random.below(256));
    for (const NodeReader& reader : readers) EXPECT_FALSE(reads(reader, text, {}));
  }
}

}  // namespace
}  // namespace rankmap
