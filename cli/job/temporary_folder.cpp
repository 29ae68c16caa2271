#include "cli/job/temporary_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "libmap/base/error.hpp"

namespace rankmap::cli {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const std::string& parent) {
  std::string pattern = (fs::path(parent) / "rankmap-job.XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw SystemError::from_errno("create a folder in", parent, errno);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string folder_of_all_nodes() {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  return failed ? "." : here.string();
}

std::string folder_of_this_host() {
  std::error_code failed;
  const fs::path temporary = fs::temp_directory_path(failed);
  return failed ? "/tmp" : temporary.string();
}

}  // namespace rankmap::cli
