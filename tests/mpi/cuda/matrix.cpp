// matrix WRAPPER PROGRAM EXPECTED [--markdown]: programs that pick their GPU in four ways, under the four
// modes, in every situation. Each cell has one outcome, which the file EXPECTED names; the default mode
// may have none that is silently wrong. Prints the table; ends with 1 where a cell differs.
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "tests/mpi/cuda/job.hpp"

namespace rankmap::cuda {
namespace {

constexpr const char* modes[] = {"own", "aligned", "own-first", "keep"};

struct Way {
  const char* name;
  const char* words;
};
constexpr Way ways[] = {{"first", "device 0"},
                        {"local", "the local rank"},
                        {"modulo", "local rank modulo count"},
                        {"all", "all devices"}};

const Situation situations[] = {
    {"open", "nothing inherited", nullptr, {}, false},
    {"list", "inherited ordinals", "4,2,1,3", {}, false},
    {"uuids", "inherited uuids", "GPU-eeee,GPU-cccc,GPU-bbbb,GPU-dddd", {}, false},
    {"cgroup", "a GPU outside the plan is closed", nullptr, {0}, false},
    {"short-list", "the list lacks planned GPUs", "1,3", {}, false},
    {"closed", "a planned GPU is closed", nullptr, {4}, false},
    {"mixed", "GPUs of two models", nullptr, {}, true},
    {"unlike", "inherited ordinals of two models", "4,2,1,3", {}, true},
};

using Cell = std::pair<std::string, std::string>;  // "situation way", mode
using Table = std::map<Cell, std::string>;

std::string row_name(const Situation& situation, const Way& way) {
  return std::string(situation.name) + " " + way.name;
}

Table read_expected(const std::string& path) {
  Table table;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string situation, way, outcome;
    if (line.starts_with('#') || !(words >> situation >> way)) continue;
    for (const char* mode : modes)
      if (words >> outcome) table[{situation + " " + way, mode}] = outcome;
  }
  return table;
}

void print_text(const Table& table) {
  for (const Situation& situation : situations)
    for (const Way& way : ways) {
      std::cout << row_name(situation, way);
      for (const char* mode : modes) std::cout << " " << table.at({row_name(situation, way), mode});
      std::cout << "\n";
    }
}

void print_markdown(const Table& table) {
  std::cout << "| started with | the program takes |";
  for (const char* mode : modes) std::cout << " " << mode << " |";
  std::cout << "\n|---|---|---|---|---|---|\n";
  for (const Situation& situation : situations)
    for (const Way& way : ways) {
      std::cout << "| " << situation.words << " | " << way.words << " |";
      for (const char* mode : modes)
        std::cout << " " << table.at({row_name(situation, way), mode}) << " |";
      std::cout << "\n";
    }
}

class Matrix {
 public:
  Matrix(const Paths& paths, Table expected) : paths_(paths), expected_(std::move(expected)) {}

  void run() {
    for (const Situation& situation : situations) {
      make_node(paths_.root, situation);
      for (const Way& way : ways)
        for (const char* mode : modes) run_cell(situation, way, mode);
    }
  }

  const Table& table() const { return found_; }
  int defects() const { return defects_; }

 private:
  void run_cell(const Situation& situation, const Way& way, const std::string& mode) {
    const Cell cell{row_name(situation, way), mode};
    const JobResult job = run_job(paths_, situation, mode, way.name);
    const std::string outcome = outcome_of(job, map_);
    const auto expected = expected_.find(cell);
    const std::string wanted = expected == expected_.end() ? "no outcome" : expected->second;
    found_[cell] = outcome;
    if (outcome == wanted && !(outcome == "wrong" && mode == modes[0])) return;
    ++defects_;
    std::cerr << cell.first << " under " << mode << ": " << outcome << ", expected " << wanted
              << "\n"
              << describe(job);
  }

  Paths paths_;
  MapFile map_ = make_map();
  Table expected_, found_;
  int defects_ = 0;
};

int run(int argc, char** argv) {
  if (argc < 4) return 2;
  char folder[] = "/tmp/rankmap-cuda-XXXXXX";
  if (mkdtemp(folder) == nullptr) return 2;
  const std::string root = folder;
  const Paths paths{argv[1], argv[2], root, root + "/job.rankmap", root + "/reports"};
  std::ofstream(paths.map) << write_map(make_map());
  Matrix matrix(paths, read_expected(argv[3]));
  matrix.run();
  if (argc > 4 && std::string_view(argv[4]) == "--markdown")
    print_markdown(matrix.table());
  else
    print_text(matrix.table());
  std::filesystem::remove_all(root);
  return matrix.defects() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace rankmap::cuda

int main(int argc, char** argv) {
  return rankmap::cuda::run(argc, argv);
}
