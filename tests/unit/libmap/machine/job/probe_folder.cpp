#include "probe_folder.hpp"

#include <cstdlib>
#include <filesystem>

#include "libmap/base/files.hpp"
#include "libmap/machine/json/machine_json.hpp"

namespace rankmap::testing {

namespace fs = std::filesystem;

ProbeFolder::ProbeFolder() {
  std::string pattern = fs::temp_directory_path() / "rankmap_probe.XXXXXX";
  path_ = ::mkdtemp(pattern.data()) == nullptr ? "" : pattern;
}

ProbeFolder::~ProbeFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void ProbeFolder::write(const std::string& name, const std::string& text) const {
  write_text(path_ + "/" + name, text);
}

void ProbeFolder::add_rank(Rank rank, Rank local_rank, int size, const std::string& host) const {
  write("probe." + std::to_string(rank), "rankmap-probe 1\nrank " + std::to_string(rank) +
                                             "\nlocal_rank " + std::to_string(local_rank) +
                                             "\nlocal_size -1\nsize " + std::to_string(size) +
                                             "\nhost " + host + "\nlauncher hydra\n");
}

void ProbeFolder::add_node(const std::string& host, const std::string& json) const {
  write("node." + host + ".lock", "");
  write("node." + host + ".err", "");
  write("node." + host + ".json", json);
}

void ProbeFolder::clear() const {
  for (const fs::directory_entry& entry : fs::directory_iterator(path_)) fs::remove(entry.path());
}

std::string preset_json(const std::string& name) {
  const std::string path = std::string(RANKMAP_SOURCE_DIR) + "/share/machines/" + name + ".json";
  return machine_json(Machine(read_machine_json(read_text(path), path, {}), 1));
}

}  // namespace rankmap::testing
