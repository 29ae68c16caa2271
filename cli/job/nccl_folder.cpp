#include "cli/job/nccl_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "libmap/base/error.hpp"
#include "libmap/graph/foreign/nccl_parts.hpp"

namespace rankmap::cli {
namespace {

namespace fs = std::filesystem;

enum class Kind { part, unfinished, other };

Kind kind_of(const fs::directory_entry& entry) {
  std::error_code failed;
  const std::string name = entry.path().filename().string();
  if (entry.symlink_status(failed).type() != fs::file_type::regular) return Kind::other;
  const bool hidden = is_nccl_part_name(name.substr(std::min<std::size_t>(1, name.size())));
  if (!is_nccl_part_name(name) && !(name.starts_with('.') && hidden)) return Kind::other;
  std::ifstream file(entry.path(), std::ios::binary);
  std::string head(32, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  if (name.starts_with('.'))
    return head.empty() || is_nccl_part(head) ? Kind::unfinished : Kind::other;
  return is_nccl_part(head) ? Kind::part : Kind::other;
}

}  // namespace

std::string nccl_folder_of(const std::string& record) {
  return record + ".nccl";
}

std::vector<std::string> nccl_parts_in(const std::string& folder) {
  std::vector<std::string> parts;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (kind_of(entry) == Kind::part) parts.push_back(entry.path().string());
  std::sort(parts.begin(), parts.end());
  return parts;
}

void remove_nccl_parts(const std::string& folder) {
  std::error_code failed;
  std::vector<fs::path> ours;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (kind_of(entry) != Kind::other) ours.push_back(entry.path());
  failed.clear();
  for (const fs::path& path : ours) {
    fs::remove(path, failed);
    if (failed) throw SystemError::from_errno("remove", path.string(), failed.value());
  }
  if (fs::is_empty(folder, failed) && !failed) fs::remove(folder, failed);
}

}  // namespace rankmap::cli
