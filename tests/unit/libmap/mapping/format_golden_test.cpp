// Every format's file, command line and notes, whole, against tests/golden/launchers/.
#include <gtest/gtest.h>

#include <cstdlib>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/mapping/launcher.hpp"
#include "tests/unit/libmap/mapping/launcher_maps.hpp"

namespace rankmap {
namespace {

struct Golden {
  const char* format;
  const char* map_name;
  MapFile (*map)();
  const char* refusal = nullptr;  // part of the message, where the format cannot express the map
};

class GoldenTexts : public ::testing::TestWithParam<Golden> {};

std::string shown(const Export& written) {
  std::string text = written.text + "--- file\n" + written.file_name + "\n--- command\n" +
                     written.command + "\n--- notes\n";
  for (const std::string& note : written.notes) text += note + "\n";
  for (const ExportFile& file : written.more) text += "--- also " + file.name + "\n" + file.text;
  return text;
}

ExportOptions options() {
  ExportOptions result;
  result.program = "./app -v";
  return result;
}

// RANKMAP_WRITE_GOLDEN=1 writes them anew, for a person to look at.
TEST_P(GoldenTexts, AreWhatTheyWere) {
  const Golden& row = GetParam();
  if (row.refusal != nullptr) {
    try {
      export_map(row.map(), row.format, options());
      FAIL() << "it was written";
    } catch (const Infeasible& error) {
      EXPECT_NE(std::string(error.what()).find(row.refusal), std::string::npos) << error.what();
    }
    return;
  }
  const std::string path = std::string(RANKMAP_SOURCE_DIR) + "/tests/golden/launchers/" +
                           row.format + "." + row.map_name + ".txt";
  const std::string text = shown(export_map(row.map(), row.format, options()));
  if (std::getenv("RANKMAP_WRITE_GOLDEN") != nullptr) write_text(path, text);
  EXPECT_EQ(text, read_text(path));
}

using testing::block_map;
using testing::mixed_map;
using testing::permuted_map;
using testing::torus_map;
using testing::uneven_map;

const Golden goldens[] = {
    {"rankmap", "permuted", permuted_map},
    {"openmpi4", "permuted", permuted_map},
    {"prrte", "permuted", permuted_map},
    {"mpich", "permuted", permuted_map},
    {"mpich", "block", block_map},
    {"mpich", "mixed", mixed_map},
    {"mpich", "uneven", uneven_map},
    {"mpich40", "permuted", permuted_map},
    {"mpich40", "mixed", mixed_map, "a host listed twice would lose its shared memory"},
    {"intelmpi", "permuted", permuted_map},
    {"intelmpi", "block", block_map},
    {"intelmpi", "uneven", uneven_map},
    {"intelmpi", "mixed", mixed_map, "in blocks or round the hosts"},
    {"cray", "permuted", permuted_map},
    {"cray", "mixed", mixed_map},
    {"cray", "uneven", uneven_map, "different numbers of ranks"},
    {"slurm", "permuted", permuted_map},
    {"slurm", "block", block_map},
    {"slurm", "mixed", mixed_map},
    {"slurm", "uneven", uneven_map},
    {"slurm-bind", "block", block_map},
    {"slurm-bind", "permuted", permuted_map, "the nodes differ in the CPUs of their ranks"},
    {"sbatch", "block", block_map},
    {"sbatch", "mixed", mixed_map},
    {"sbatch", "torus", torus_map},
    {"jsrun", "permuted", permuted_map},
    {"jsrun", "torus", torus_map, "its CPUs are not known"},
    {"flux", "permuted", permuted_map},
    {"flux", "mixed", mixed_map},
    {"flux", "torus", torus_map},
    {"flux", "uneven", uneven_map, "the same number of tasks"},
    {"pals", "block", block_map},
    {"pals", "permuted", permuted_map},
    {"pals", "uneven", uneven_map, "the same number of ranks"},
    {"bluegene", "torus", torus_map},
    {"bluegene", "permuted", permuted_map, "the map's machine is \"cluster\", expected torus:"},
    {"torchrun", "block", block_map},
    {"torchrun", "permuted", permuted_map, "mixes them over its hosts"},
    {"torchrun", "uneven", uneven_map, "different numbers"},
    {"csv", "permuted", permuted_map},
};

INSTANTIATE_TEST_SUITE_P(Formats, GoldenTexts, ::testing::ValuesIn(goldens),
                         [](const ::testing::TestParamInfo<Golden>& row) {
                           std::string name =
                               std::string(row.param.format) + "_" + row.param.map_name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace rankmap
