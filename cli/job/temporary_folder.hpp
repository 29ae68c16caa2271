// A folder for the time of one job.
#pragma once

#include <string>

namespace rankmap::cli {

// Made anew inside `parent`, for its owner alone; removed with its content at the end of its life.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& parent);  // SystemError: cannot be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Where every node of a job can see it, as far as we can know: the current folder, which launchers
// change to everywhere. And where only this host has to.
std::string folder_of_all_nodes();
std::string folder_of_this_host();

}  // namespace rankmap::cli
