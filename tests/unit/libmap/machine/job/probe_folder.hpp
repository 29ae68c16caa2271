// A folder as the ranks of a probe leave it, for the time of a test.
#pragma once

#include <string>

#include "libmap/base/ids.hpp"

namespace rankmap::testing {

class ProbeFolder {
 public:
  ProbeFolder();
  ~ProbeFolder();
  ProbeFolder(const ProbeFolder&) = delete;
  ProbeFolder& operator=(const ProbeFolder&) = delete;
  const std::string& path() const { return path_; }

  void write(const std::string& name, const std::string& text) const;
  void add_rank(Rank rank, Rank local_rank, int size, const std::string& host) const;
  void add_node(const std::string& host, const std::string& json) const;
  void clear() const;

 private:
  std::string path_;
};

// What `rankmap machine NAME --json` prints of a machine in share/machines.
std::string preset_json(const std::string& name);

}  // namespace rankmap::testing
