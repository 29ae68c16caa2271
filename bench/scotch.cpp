#include "bench/scotch.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"

namespace rankmap::bench {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("rankmap_scotch." + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string file(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

// Version 0, vertices, arcs; first number 0; edge weights (010). A line a vertex: degree, pairs.
std::string graph_text(const WeightedGraph& graph) {
  std::string text = "0\n" + std::to_string(graph.vertices()) + " " +
                     std::to_string(graph.neighbour.size()) + "\n0 010\n";
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    text += std::to_string(graph.end_of(v) - graph.begin_of(v));
    for (std::size_t arc = graph.begin_of(v); arc < graph.end_of(v); ++arc)
      text +=
          " " + std::to_string(graph.edge_weight[arc]) + " " + std::to_string(graph.neighbour[arc]);
    text += "\n";
  }
  return text;
}

}  // namespace

bool has_scotch_gmap() {
  static const bool found = std::system("command -v scotch_gmap >/dev/null 2>&1") == 0;
  return found;
}

std::vector<Block> scotch_gmap(const WeightedGraph& graph, const std::string& target,
                               std::uint64_t seed) {
  const Folder folder;
  write_text(folder.file("graph.grf"), graph_text(graph));
  write_text(folder.file("target.tgt"), target + "\n");
  const std::string command = "SCOTCH_PTHREAD_NUMBER=1 SCOTCH_RANDOM_SEED=" + std::to_string(seed) +
                              " scotch_gmap -b0.03 '" + folder.file("graph.grf") + "' '" +
                              folder.file("target.tgt") + "' '" + folder.file("map") +
                              "' /dev/null";
  if (std::system(command.c_str()) != 0) throw SystemError("scotch_gmap failed");
  std::ifstream in(folder.file("map"));
  std::int64_t count = 0, vertex = 0, block = 0;
  in >> count;
  std::vector<Block> result(graph.vertex_weight.size(), 0);
  while (in >> vertex >> block)
    result.at(static_cast<std::size_t>(vertex)) = static_cast<Block>(block);
  return result;
}

}  // namespace rankmap::bench
