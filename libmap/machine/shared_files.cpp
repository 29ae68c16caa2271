#include "libmap/machine/shared_files.hpp"

#include <filesystem>

namespace rankmap {

bool is_readable_file(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

std::string shared_file(const std::string& share_directory, const std::string& folder,
                        const std::string& name, const std::string& extension) {
  const bool plain = !name.empty() && name.find('/') == name.npos && name.front() != '.';
  if (share_directory.empty() || !plain) return "";
  const std::string path = share_directory + "/" + folder + "/" + name + extension;
  return is_readable_file(path) ? path : "";
}

}  // namespace rankmap
