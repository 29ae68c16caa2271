#include "libmap/machine/link_speeds.hpp"

#include <array>
#include <string>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"

namespace rankmap {
namespace {

constexpr std::array<LinkSpeed, 6> nvlink_generations = {{
    {14.062, 12.0},
    {20.0, 18.0},
    {25.0, 20.0},
    {25.0, 20.0},
    {25.0, 20.6},
    {50.0, 40.1},
}};

struct GpuFamily {
  std::string_view word;  // in the model's name, lower case
  int generation;         // of NVLink; 0: the bridges of sm86 boards
};
constexpr std::array gpu_families = {
    GpuFamily{"p100", 1},      GpuFamily{"v100", 2},     GpuFamily{"2080", 2},
    GpuFamily{"titan rtx", 2}, GpuFamily{"rtx 8000", 2}, GpuFamily{"rtx 6000", 2},
    GpuFamily{"rtx 5000", 2},  GpuFamily{"a100", 3},     GpuFamily{"a800", 3},
    GpuFamily{"a30", 3},       GpuFamily{"a6000", 0},    GpuFamily{"a5000", 0},
    GpuFamily{"a40", 0},       GpuFamily{"3090", 0},     GpuFamily{"h100", 4},
    GpuFamily{"h200", 4},      GpuFamily{"h800", 4},     GpuFamily{"h20", 4},
    GpuFamily{"gh200", 4},     GpuFamily{"b100", 5},     GpuFamily{"b200", 5},
    GpuFamily{"b300", 5},      GpuFamily{"gb200", 5},    GpuFamily{"gb300", 5},
};

struct SmGeneration {
  int from_sm;
  int generation;
};
constexpr std::array sm_generations = {SmGeneration{100, 5}, SmGeneration{90, 4},
                                       SmGeneration{86, 0},  SmGeneration{80, 3},
                                       SmGeneration{70, 2},  SmGeneration{60, 1}};

struct PcieSpelling {
  std::string_view start;
  int generation;
};
constexpr std::array pcie_spellings = {
    PcieSpelling{"2.5", 1}, PcieSpelling{"5", 2},  PcieSpelling{"8", 3},
    PcieSpelling{"16", 4},  PcieSpelling{"32", 5}, PcieSpelling{"64", 6},
};

struct IntelCpu {
  int least_model;
  double gbps;
};
// NCCL's figures by Intel model number: Emerald Rapids, Sapphire Rapids, Skylake, else Broadwell.
constexpr std::array intel_cpus = {IntelCpu{0xCF, 40}, IntelCpu{0x8F, 22}, IntelCpu{0x55, 10},
                                   IntelCpu{0, 6}};

}  // namespace

LinkSpeed nvlink_speed(int generation) {
  if (generation < 0 || generation >= static_cast<int>(nvlink_generations.size()))
    throw UsageError("NVLink generations are 1 to 5, not " + std::to_string(generation));
  return nvlink_generations[static_cast<std::size_t>(generation)];
}

LinkSpeed nvlink_speed_of_gpu(std::string_view gpu_name) {
  const std::string name = to_lower(gpu_name);
  for (const GpuFamily& family : gpu_families)
    if (name.find(family.word) != std::string::npos) return nvlink_speed(family.generation);
  return {0, 0};
}

LinkSpeed nvlink_speed_of_sm(int sm) {
  for (const SmGeneration& row : sm_generations)
    if (sm >= row.from_sm) return nvlink_speed(row.generation);
  return {0, 0};
}

LinkSpeed pcie_speed(int generation, int width) {
  if (generation < 1 || generation > 6 || width < 1 || width > 32)
    throw UsageError("PCIe has generations 1 to 6 and widths 1 to 32, not " +
                     std::to_string(generation) + " and " + std::to_string(width));
  constexpr std::array<int, 6> hundred_mbit_per_lane = {15, 30, 60, 120, 240, 480};
  const double gbps =
      width * hundred_mbit_per_lane[static_cast<std::size_t>(generation) - 1] / 80.0;
  return {gbps, gbps};
}

int pcie_generation(std::string_view link_speed) {
  const std::string_view number = trim(link_speed).substr(0, trim(link_speed).find(' '));
  const std::string_view whole =
      number.ends_with(".0") ? number.substr(0, number.size() - 2) : number;
  for (const PcieSpelling& row : pcie_spellings)
    if (row.start == whole) return row.generation;
  return 0;
}

LinkSpeed cpu_link_speed(std::string_view vendor, int family, int model) {
  if (vendor == "GenuineIntel" && family == 6) {
    for (const IntelCpu& row : intel_cpus)
      if (model >= row.least_model) return {row.gbps > 16 ? row.gbps : 16.0, row.gbps};
  }
  if (vendor == "AuthenticAMD") return {16, 16};
  if (vendor == "CentaurHauls" || vendor == "  Shanghai  ") return {9, 6};
  return {16, 10};
}

}  // namespace rankmap
