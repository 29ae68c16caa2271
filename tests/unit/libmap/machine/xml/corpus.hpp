// Where the private corpus of topology files lies, and its expected readings.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "libmap/base/files.hpp"

namespace rankmap::testing {

// The folder, or "" where it is not at hand.
inline std::string corpus_folder(const std::string& kind) {
  const char* given = std::getenv("RANKMAP_CORPUS");
  const std::filesystem::path root =
      given != nullptr ? std::filesystem::path(given)
                       : std::filesystem::path(RANKMAP_SOURCE_DIR).parent_path() / "shared/corpus";
  return std::filesystem::is_directory(root / kind) ? (root / kind).string() : "";
}

struct CorpusCase {
  std::string path;
  nlohmann::json expected;
  std::string text() const { return read_text(path); }
};

inline std::vector<CorpusCase> corpus_cases(const std::string& folder, const std::string& suffix) {
  std::vector<CorpusCase> cases;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(suffix)) continue;
    const std::string stem = path.substr(0, path.size() - suffix.size());
    cases.push_back({path, nlohmann::json::parse(read_text(stem + ".expected.json"))});
  }
  std::sort(cases.begin(), cases.end(),
            [](const CorpusCase& a, const CorpusCase& b) { return a.path < b.path; });
  return cases;
}

}  // namespace rankmap::testing
