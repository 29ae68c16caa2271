// Folders of recordings: which format one holds, by the names and the first bytes of its files.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/graph/foreign/formats.hpp"
#include "libmap/graph/foreign/nccl_parts.hpp"

namespace rankmap {
namespace {

struct FolderRow {
  std::string_view summary;  // how errors tell it
  bool (*names)(std::string_view file);
  bool (*recognises)(std::string_view content);
  CommGraph (*read)(const std::vector<std::string>& files, const std::string& folder);
};

constexpr std::array rows = {
    FolderRow{"prof.R.prof of Open MPI's monitoring", is_monitoring_name, is_monitoring,
              read_monitoring_folder},
    FolderRow{"profile.N.0.0 of TAU", is_tau_name, is_tau, read_tau_folder},
    FolderRow{"logs of the NCCL inspector", is_nccl_inspector_name, is_nccl_inspector,
              read_nccl_inspector_folder},
    FolderRow{"part.HOST.PID of rankmap's NCCL recorder", is_nccl_part_name, is_nccl_part,
              read_nccl_parts_folder},
};

// The regular files in it, in the order of their names; none where it cannot be listed.
std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    if (entry->is_regular_file(gone)) files.push_back(entry->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string head_of(const std::string& file) {
  std::string head(4096, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  return head;
}

struct Found {
  const FolderRow* row;
  std::vector<std::string> files;
};

std::optional<Found> find_recordings(const std::string& folder) {
  const std::vector<std::string> files = files_of(folder);
  for (const FolderRow& row : rows) {
    std::vector<std::string> named;
    std::copy_if(files.begin(), files.end(), std::back_inserter(named), row.names);
    if (std::any_of(named.begin(), named.end(),
                    [&](const std::string& file) { return row.recognises(head_of(file)); }))
      return Found{&row, std::move(named)};
  }
  return std::nullopt;
}

}  // namespace

bool is_recording_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) && find_recordings(path).has_value();
}

CommGraph read_recording_folder(const std::string& path) {
  if (const std::optional<Found> found = find_recordings(path))
    return found->row->read(found->files, path);
  std::string expected;
  for (const FolderRow& row : rows)
    expected += (expected.empty() ? "" : ", ") + std::string(row.summary);
  throw InputError({path, 0, 0}, "no recording is recognised in this folder, expected " + expected);
}

}  // namespace rankmap
