#include "tests/mpi/cuda/node.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace rankmap::cuda {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

std::string node_of(const Gpu& gpu) {
  return "/dev/nvidia" + std::to_string(gpu.minor);
}

}  // namespace

void make_node(const std::string& root, const Situation& situation) {
  std::filesystem::remove_all(root + "/dev");
  write(root + "/dev/nvidiactl", "");
  for (int i = 0; i < static_cast<int>(std::size(gpus)); ++i) {
    const Gpu& gpu = gpus[i];
    const bool fast = situation.unlike && i >= 3;
    write(root + "/proc/driver/nvidia/gpus/" + gpu.bus_id + "/information",
          std::string("Model: \t\t Test ") + (fast ? "200" : "100") + "\nGPU UUID: \t " + gpu.uuid +
              "\nDevice Minor: \t " + std::to_string(gpu.minor) + "\n");
    if (std::ranges::find(situation.closed, i) == situation.closed.end())
      write(root + node_of(gpu), "");
  }
}

MapFile make_map() {
  MapFile map{"test", "effbw", false, {}};
  for (int rank = 0; rank < ranks; ++rank) {
    MapRow row;
    row.rank = rank;
    row.host = "*";
    row.gpu = planned[rank];
    row.gpu_id = gpus[row.gpu].bus_id;
    row.node_gpus.assign(std::begin(planned), std::end(planned));
    map.rows.push_back(row);
  }
  return map;
}

std::string bus_id_of_node(const std::string& node) {
  for (const Gpu& gpu : gpus)
    if (node_of(gpu) == node) return gpu.bus_id;
  return "";
}

}  // namespace rankmap::cuda
