// Runs the shim's core in a child process with an environment of its own, and tells what it did.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "libmap/mapping/map_file.hpp"

namespace rankmap::testing {

using Environment = std::map<std::string, std::string>;

// A directory under /tmp with files in it, removed at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  // Makes the folders on the way.
  std::string write(const std::string& relative, const std::string& content) const;

 private:
  std::string path_;
};

// What the child's process looks like after rankmap_place: the report's fields; "state" as a word;
// "env_NAME" for the variables; "threads_cpus" where its threads may run, all together; "tell" what it said on stderr; "code" what rankmap_tell returned.
using Outcome = std::map<std::string, std::string>;

// first_cpus: the affinity the child starts with, as a launcher would have left it; empty: as it is.
// before: what its program did before the shim acts.
Outcome place(const std::string& map_path, const Environment& environment,
              const CpuSet& first_cpus = {}, const std::function<void()>& before = {});

// `ranks` ranks on one nameless node, rank r on GPU ranks - 1 - r.
MapFile reversed(int ranks);

// The variables Open MPI sets for a rank.
Environment open_mpi(int rank, int size);

// The CPUs this process may run on.
CpuSet own_cpus();

}  // namespace rankmap::testing
